//! Any bytes as an opening book.

#![no_main]

use ludens_registry::connect4::{OpeningBook, Position};

libfuzzer_sys::fuzz_target!(|data: &[u8]| {
    let Ok(book) = OpeningBook::from_bytes(data) else { return };
    assert_eq!(book.entries().count(), book.len());
    let _ = book.score(Position::from_moves("44444412").expect("it is legal"));
});
