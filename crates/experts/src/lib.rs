//! Expert players for single games.

pub mod connect4;
mod exhaustive;
mod nim;
mod nimm3;
mod perfect_connect4;
mod pick;
mod positional;

pub use exhaustive::Exhaustive;
pub use nim::NimSum;
pub use nimm3::Multiples;
pub use perfect_connect4::PerfectConnect4;
pub use positional::{BENCH, HEUR, Positional};
