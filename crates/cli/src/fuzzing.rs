//! What fuzz targets call: the parsers of this crate, with nothing that starts or searches.

use crate::analyze::check_query;
use crate::gtp::GtpSession;
use ludens_registry::open_game;

/// Lines for an engine that plays at random. Every answer is a whole one.
pub fn gtp(text: &str) {
    let game = open_game("tictactoe").expect("the table opens");
    let mut session = GtpSession::new(game, "random".into(), 1).expect("it is for two players");
    for line in text.lines().take(200) {
        if let Some(answer) = session.answer(line) {
            assert!(answer.starts_with(['=', '?']) && answer.ends_with("\n\n"), "{answer:?}");
            assert_eq!(answer.matches("\n\n").count(), 1, "{answer:?}");
        }
    }
}

/// Lines for `ludens analyze`: read, and their positions set up.
pub fn analyze(text: &str) {
    text.lines().take(50).for_each(check_query);
}
