//! A game as nets see it whose weights are far.

use crate::{Active, Sights};

/// The course of one game through boards whose weights are far: those that may come next, and the
/// latest position, which is corrected once it is known what came of it.
#[derive(Debug, Default)]
pub struct Course {
    /// The set of weights used by all positions.
    pub bank: usize,
    /// The boards that may come next.
    pub next: Sights,
    /// What each of them is worth; what comes after them means nothing.
    pub values: Vec<f32>,
    /// The latest position.
    pub latest: Box<Active>,
    /// Room for the one after it.
    pub(crate) room: Box<Active>,
}
