//! The words of Ludens: what a game, a state, a move, a player and an agent are.
//!
//! Every other crate speaks these words and no others. A new game implements three traits:
//! [`Game`] (the rules), [`CellBoard`] (the board as a row of cells) and [`Notation`] (names and
//! pictures). [`conformance`] checks what the
//! three promise.

mod agent;
mod bits;
mod cells;
mod conformance;
mod features;
mod game;
mod invalid;
mod moves;
mod notation;
mod params;
mod perft;
mod player;
mod playthrough;
mod record;
mod rng;
pub mod scene;
mod tally;

pub use agent::{Agent, Choice, Forfeit, RandomAgent, Study, ValueFunction};
pub use bits::{SET_BITS, set_bits};
pub use cells::{
    ABREAST, AROUND, Abreast, CellBoard, CellGroup, CellLayout, ORTHOGONAL, TupleSet,
    mirror_symmetries, square_images, square_symmetries,
};
pub use conformance::{Breach, conformance, conformance_from};
pub use features::{CellFeatureKind, CellFeatures, FeatureSet};
pub use game::Game;
pub use invalid::{Invalid, closest};
pub use moves::{Afterstate, Event, Move, Played, Turn};
pub use notation::Notation;
pub use params::{Chosen, Kind, Params, Setting};
pub use perft::{perft, perft_in_parts};
pub use player::{MAX_PLAYERS, PerPlayer, Player, Rewards};
pub use playthrough::playthrough;
pub use record::{Forfeited, Record, Replay, read_records};
pub use rng::Rng;
pub use scene::Scene;
pub use tally::Tally;
