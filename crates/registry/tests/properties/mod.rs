//! What must hold for any text whatever. The property tests and the fuzz targets share it.

use ludens_core::{Params, Rng};
use ludens_registry::{AnyGame, LiveGame, open_game};

/// Any text is refused, or means settings that are read back as they are written.
pub(crate) fn check_params(text: &str) {
    let Ok(params) = text.parse::<Params>() else { return };
    let written = params.to_string();
    assert_eq!(written.parse(), Ok(params), "{text:?} is written {written:?}");
}

/// Any text is refused, or opens a game that the name it gives itself opens again.
pub(crate) fn check_game(text: &str) {
    let Ok(game) = open_game(text) else { return };
    let info = game.info();
    let again = open_game(&info.spec).unwrap_or_else(|e| panic!("{:?}: {e}", info.spec));
    assert_eq!(again.info(), info, "opened by {text:?}");
}

/// Any text is refused and changes nothing, or is a state that can be played to its end.
pub(crate) fn check_state(game: &dyn AnyGame, text: &str, seed: u64) {
    let mut live = game.live(seed);
    let before = live.state_text();
    if live.set_state(text).is_err() {
        assert_eq!(live.state_text(), before, "refused {text:?}, but changed");
        return;
    }
    live.conformance(seed).unwrap_or_else(|breach| panic!("after {text:?}: {breach}"));
    let written = live.state_text();
    live.set_state(&written).unwrap_or_else(|e| panic!("{text:?} is written {written:?}: {e}"));
    assert_eq!(live.state_text(), written, "after {text:?}");
    assert!(!live.scene().to_text().is_empty() && live.scene().to_svg().starts_with("<svg"));
}

/// What somebody enters when asked for a move.
#[derive(Clone, Debug)]
pub(crate) enum Entered {
    /// The legal move of this number, counted around again and again.
    Legal(usize),
    /// Whatever comes to mind.
    Text(String),
}

impl Entered {
    fn text(&self, live: &dyn LiveGame) -> String {
        match (self, live.legal()) {
            (Entered::Legal(i), legal) if !legal.is_empty() => legal[i % legal.len()].1.clone(),
            (Entered::Legal(i), _) => i.to_string(),
            (Entered::Text(text), _) => text.clone(),
        }
    }
}

/// Any text is refused and changes nothing, or plays a move that can be taken back.
pub(crate) fn check_moves(game: &dyn AnyGame, entries: &[Entered], seed: u64) {
    let mut live = game.live(seed);
    for entered in entries {
        let (text, before, history) = (entered.text(&*live), live.state_text(), live.history());
        if live.play(&text).is_err() {
            assert_eq!(live.history(), history, "refused {text:?}, but played");
            assert_eq!(live.state_text(), before, "refused {text:?}, but changed");
            continue;
        }
        let written = live.history()[history.len()].clone();
        let mut fork = live.fork();
        assert!(fork.undo() && fork.state_text() == before, "{text:?} is not taken back");
        fork.play(&written).unwrap_or_else(|e| panic!("{text:?}, {written:?}: {e}"));
    }
}

/// A state that `turns` random moves lead to, or fewer if the game ends before.
pub(crate) fn random_state(game: &dyn AnyGame, turns: usize, seed: u64) -> Box<dyn LiveGame> {
    let (mut live, rng) = (game.live(seed), &mut Rng::seeded(seed));
    for _ in 0..turns {
        let legal = live.legal();
        if legal.is_empty() {
            break;
        }
        live.play(&legal[rng.below(legal.len())].1).expect("legal moves are read as written");
    }
    live
}

/// A small change of a text.
#[derive(Copy, Clone, Debug)]
pub(crate) struct Edit {
    /// Replace, insert, delete, double or swap.
    pub(crate) kind: u8,
    /// Where, counted around the text again and again.
    pub(crate) place: u16,
    /// What to write: another character of the text, or this one.
    pub(crate) what: u8,
}

impl Edit {
    /// The `text` after this change.
    pub(crate) fn apply(self, text: &str) -> String {
        let mut chars: Vec<char> = text.chars().collect();
        let len = chars.len().max(1);
        let (at, other) = (usize::from(self.place) % len, usize::from(self.what) % len);
        let known = self.kind & 8 == 0 && !chars.is_empty();
        let what = if known { chars[other] } else { char::from(self.what) };
        match self.kind % 5 {
            0 if !chars.is_empty() => chars[at] = what,
            1 if !chars.is_empty() => drop(chars.remove(at)),
            2 if !chars.is_empty() => chars.swap(at, other),
            3 => drop(chars.splice(0..0, text.chars().skip(at))),
            _ => chars.insert(at, what),
        }
        chars.into_iter().collect()
    }
}
