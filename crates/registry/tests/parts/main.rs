//! The parts of the registry, as those above it use them.
//!
//! They are not beside the code because compiling all games with all agents and learners a second
//! time would be dear.

#![allow(clippy::unwrap_used)]

mod agents;
mod arena;
mod batch;
mod breakdown;
mod cancellation;
mod champions;
mod experts;
mod old_format;
mod sample;
mod seats;
mod table;
mod training;
mod value_file;
