//! Any bytes as a file of learned values.
//!
//! Whatever the bytes are, the file is refused or opened; opened by an agent, it plays a move.

#![no_main]

use ludens_core::Player;
use ludens_registry::{ValueFile, open_game};
use std::cell::OnceCell;
use std::path::PathBuf;

thread_local! {
    static PATH: OnceCell<PathBuf> = const { OnceCell::new() };
}

libfuzzer_sys::fuzz_target!(|data: &[u8]| {
    let name = || std::env::temp_dir().join(format!("ludens-fuzz-{}", std::process::id()));
    let path = PATH.with(|path| path.get_or_init(name).clone());
    std::fs::write(&path, data).expect("the system has room for small files");
    let Ok(mut file) = ValueFile::open(&path) else { return };
    let names: Vec<String> = file.names().map(Into::into).collect();
    for name in names {
        let _ = (file.numbers(&name), file.exact_numbers(&name), file.bytes(&name));
    }
    let mut live = open_game("tictactoe").expect("the table opens").live(1);
    if live.seat(Player(0), &format!("greedy:{}", path.display())).is_ok() {
        live.choose().expect("a value that was opened plays");
    }
});
