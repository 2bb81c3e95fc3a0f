//! Any text as a record of a game, which is replayed and written as SGF.

#![no_main]

use ludens_core::{Record, read_records};
use ludens_registry::{GAMES, open_game};

libfuzzer_sys::fuzz_target!(|text: &str| {
    for record in read_records(text.as_bytes()).flatten() {
        assert_eq!(Record::parse(&record.to_line()).as_ref(), Ok(&record), "{text:?}");
        for entry in GAMES {
            let game = open_game(entry.name).expect("the table opens");
            let mut live = game.live(1);
            let before = live.state_text();
            if live.replay(&record).is_err() {
                assert_eq!(live.state_text(), before, "refused {text:?}, but changed");
            }
            let _ = game.arena().sgf(&record);
        }
    }
});
