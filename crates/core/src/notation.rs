//! Names and pictures, for people and files.

use crate::{CellBoard, Chosen, Event, FeatureSet, Invalid, Move, Played, Scene, Setting};

/// How a game is written down and drawn. Cold: never called while learning.
pub trait Notation: CellBoard {
    /// The name on the command line, such as `connect4`.
    const NAME: &'static str;

    /// The name people use, such as `Connect Four`.
    const TITLE: &'static str;

    /// The aim of the game in one sentence.
    const ABOUT: &'static str;

    /// What can be set.
    const SETTINGS: &'static [Setting];

    /// The rules with these settings.
    ///
    /// # Errors
    ///
    /// If the settings, each allowed by itself, do not go together.
    fn configure(chosen: &Chosen) -> Result<Self, Invalid>;

    /// The name people use for the game with these settings.
    fn title(&self) -> String {
        Self::TITLE.into()
    }

    /// What linear functions and networks may read besides the cells.
    fn features() -> Vec<FeatureSet<Self>> {
        Vec::new()
    }

    /// How a player writes `mv`, which is legal in `state`.
    fn move_text(&self, state: &Self::State, mv: Move) -> String;

    /// The legal move a player means by `text`.
    ///
    /// # Errors
    ///
    /// If no legal move is written so.
    fn parse_move(&self, state: &Self::State, text: &str) -> Result<Move, Invalid> {
        let mut legal = Vec::new();
        self.legal_moves(state, &mut legal);
        let wanted = text.trim();
        let written = |mv: &Move| self.move_text(state, *mv).eq_ignore_ascii_case(wanted);
        legal.iter().copied().find(written).ok_or_else(|| {
            let texts: Vec<_> = legal.iter().map(|&mv| self.move_text(state, mv)).collect();
            match texts.len() {
                0 => Invalid(format!("{wanted:?} cannot be played: no player is to move")),
                _ => Invalid(format!("{wanted:?} is not legal here; legal: {}", texts.join(" "))),
            }
        })
    }

    /// How `event`, which may be drawn in `state`, is written.
    fn event_text(&self, _state: &Self::State, event: Event) -> String {
        event.0.to_string()
    }

    /// The event meant by `text`.
    ///
    /// # Errors
    ///
    /// If chance cannot draw it in `state`.
    fn parse_event(&self, state: &Self::State, text: &str) -> Result<Event, Invalid> {
        let mut events = Vec::new();
        self.events(state, &mut events);
        let wanted = text.trim();
        let written = |e: &(Event, f32)| self.event_text(state, e.0).eq_ignore_ascii_case(wanted);
        let found = events.iter().find(|e| written(e));
        found.map(|e| e.0).ok_or_else(|| Invalid(format!("chance cannot draw {wanted:?} here")))
    }

    /// The state in one line of text without tabs; [`Notation::parse_state`] reads it back.
    fn state_text(&self, state: &Self::State) -> String;

    /// The state that `text` describes.
    ///
    /// # Errors
    ///
    /// If `text` describes no state of this game. Any text may be given; none makes this panic, and
    /// every state it returns is safe to play on.
    fn parse_state(&self, text: &str) -> Result<Self::State, Invalid>;

    /// What to draw, with a mark at what was played last.
    fn scene(&self, state: &Self::State, last: Option<Played>) -> Scene;
}
