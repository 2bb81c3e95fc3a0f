//! Ludens learns board games by playing against itself.
//!
//! This crate gathers the others. The words of `ludens-core` and the tables of `ludens-registry`
//! stand here; [`games`], [`search`], [`approx`], [`learn`] and [`arena`] are the crates of those
//! names.
//!
//! Games can be used with their types forgotten, opened by name as on the command line:
//!
//! ```
//! use ludens::{Player, Turn, open_game};
//!
//! let mut live = open_game("tictactoe").unwrap().live(1);
//! for mv in ["b2", "a1", "c1", "a3", "a2", "c2", "b1", "b3", "c3"] {
//!     assert!(matches!(live.turn(), Turn::Player(_)));
//!     live.play(mv).unwrap();
//! }
//! assert_eq!(live.turn(), Turn::Over);
//! assert_eq!(live.rewards()[Player(0)], 0.0);
//! ```
//!
//! Or with their types, where speed counts:
//!
//! ```
//! use ludens::games::TicTacToe;
//! use ludens::{Game, Rng, Turn};
//!
//! let (game, rng) = (TicTacToe, &mut Rng::seeded(7));
//! let (mut state, mut moves) = (game.start(), Vec::new());
//! while let Turn::Player(_) = game.turn(&state) {
//!     moves.clear();
//!     game.legal_moves(&state, &mut moves);
//!     game.play(&mut state, moves[rng.below(moves.len())]);
//! }
//! assert_eq!(game.turn(&state), Turn::Over);
//! ```

pub use ludens_approx as approx;
pub use ludens_arena as arena;
pub use ludens_core::*;
pub use ludens_games as games;
pub use ludens_learn as learn;
pub use ludens_registry::*;
pub use ludens_search as search;

#[cfg(doctest)]
#[doc = include_str!("../README.md")]
struct Readme;
