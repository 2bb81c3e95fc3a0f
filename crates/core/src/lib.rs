//! The core types of Ludens: games, states, moves, players and agents.
//!
//! Every other crate builds on these types. A new game implements [`Game`] (the rules),
//! [`CellBoard`] (the board as a row of cells) and [`Notation`] (names and pictures). It also
//! implements [`Bitboards`], usually empty: only games that pack their boards fill it in.
//! [`conformance`] checks the contracts of all four.

mod agent;
mod bitboards;
mod bits;
mod cancellation;
mod cells;
mod conformance;
mod count;
mod features;
mod game;
mod invalid;
mod lines;
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
pub use bitboards::{BOARDS_X4, BitboardX4, Bitboards, Packing, TrainableGame, square_images};
pub use bits::{SET_BITS, set_bits};
pub use cancellation::Cancellation;
pub use cells::{
    AROUND, CellBoard, CellGroup, CellLayout, ORTHOGONAL, TupleSet, mirror_symmetries,
    square_symmetries,
};
pub use conformance::{Violation, conformance, conformance_from};
pub use count::parse_count;
pub use features::{CellFeatureKind, CellFeatures, FeatureSet};
pub use game::Game;
pub use invalid::{Invalid, closest};
pub use lines::bounded_lines;
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
