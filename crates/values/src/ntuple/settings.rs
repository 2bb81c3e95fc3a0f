//! What can be chosen about n-tuple networks.

use crate::{Init, Output};

/// What happens when the symmetric images of a board meet in the same weight of a tuple.
#[derive(Copy, Clone, Debug, PartialEq, Eq)]
pub enum Repeats {
    /// Each counts in the value; the weight moves once (Konen and Bagheri 2020).
    Once,
    /// Each counts in the value, and the weight moves for each.
    Each,
}

/// How an n-tuple network is made.
#[derive(Copy, Clone, Debug, PartialEq)]
pub struct NTupleSettings {
    /// Sets of weights.
    pub banks: usize,
    /// What becomes of the sum.
    pub output: Output,
    /// What weights are at first.
    pub init: Init,
    /// The learning rate (alpha).
    pub rate: f32,
    /// What repeated indices mean.
    pub repeats: Repeats,
}
