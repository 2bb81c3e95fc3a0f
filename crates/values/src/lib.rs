//! What is learned: value functions, how far their weights move, and eligibility traces.
//!
//! A [`Net`] turns a [`Sight`] of a position into one number, and is corrected through a [`Trace`].
//! How far each weight moves is the business of a [`StepSize`]. Nothing here knows a game: nets are
//! built from a [`CellLayout`](ludens_core::CellLayout) or a number of inputs.

mod active;
mod bank;
mod course;
mod echo;
mod hardware;
mod init;
pub mod linear;
pub mod mlp;
mod net;
pub mod ntuple;
mod output;
pub mod rbf;
mod shared;
pub mod stepsize;
mod store;
pub mod table;
#[cfg(test)]
mod testing;
pub mod trace;
mod vector;
mod wait;
mod weights;

pub use active::{Active, Sight, Sights};
pub use bank::{Bank, BankMut, Common, Own};
pub use course::Course;
pub use hardware::{Lent, Work, run_widely, table as large_table};
pub use init::Init;
pub use linear::Linear;
pub use mlp::Mlp;
pub use net::{BoardValues, Net, Peeks, Tensor, TensorMut};
pub use ntuple::NTuple;
pub use output::Output;
pub use rbf::Rbf;
pub use stepsize::StepSize;
pub use store::Store;
pub use table::Table;
pub use trace::{Trace, TraceForm, TraceKind, TraceSettings};
pub use wait::wait_while;
pub use weights::Weights;
