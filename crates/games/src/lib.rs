//! The rules of the games, one module per game.
//!
//! Each game implements [`Game`](ludens_core::Game), [`CellBoard`](ludens_core::CellBoard),
//! [`Bitboards`](ludens_core::Bitboards) and [`Notation`](ludens_core::Notation). The games depend only
//! on `ludens-core`. The registry lists them by name.

mod bits;
mod connect4;
mod game2048;
mod hex;
mod nim;
mod nimm3;
mod othello;
mod random_walk;
pub mod text_tree;
mod tictactoe;

pub use connect4::Connect4;
pub use game2048::Game2048;
pub use hex::Hex;
pub use nim::Nim;
pub use nimm3::Nimm3;
pub use othello::Othello;
pub use random_walk::RandomWalk;
pub use text_tree::TextTree;
pub use tictactoe::TicTacToe;
