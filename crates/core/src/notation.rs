//! Notation: names, texts and drawings of a game.

use crate::{CellBoard, Chosen, Event, FeatureSet, Invalid, Move, Played, Scene, Setting};

/// How a game is written and drawn. Training never calls it.
pub trait Notation: CellBoard {
    /// The name on the command line, such as `connect4`.
    const NAME: &'static str;

    /// The title, such as `Connect Four`.
    const TITLE: &'static str;

    /// The aim of the game in one sentence.
    const ABOUT: &'static str;

    /// The settings of the game.
    const SETTINGS: &'static [Setting];

    /// The rules with these settings.
    ///
    /// # Errors
    ///
    /// If the settings, each valid by itself, contradict each other.
    fn configure(chosen: &Chosen) -> Result<Self, Invalid>;

    /// The title of the game with these settings.
    fn title(&self) -> String {
        Self::TITLE.into()
    }

    /// Features that linear functions and networks may use besides the cells.
    fn features() -> Vec<FeatureSet<Self>> {
        Vec::new()
    }

    /// The text of `mv`, which is legal in `state`.
    fn move_text(&self, state: &Self::State, mv: Move) -> String;

    /// The legal move that `text` describes.
    ///
    /// # Errors
    ///
    /// If no legal move has this text.
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

    /// The text of `event`, which chance may draw in `state`.
    fn event_text(&self, _state: &Self::State, event: Event) -> String {
        event.0.to_string()
    }

    /// The event that `text` describes.
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
    /// If `text` describes no state of this game. No text causes a panic, and play can continue from
    /// every state returned.
    fn parse_state(&self, text: &str) -> Result<Self::State, Invalid>;

    /// The drawing of a state, with a mark at the last move or event.
    fn scene(&self, state: &Self::State, last: Option<Played>) -> Scene;
}
