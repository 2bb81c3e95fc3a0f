//! The settings of Monte Carlo tree search.

use std::time::Duration;

/// Settings of Monte Carlo tree search.
#[derive(Copy, Clone, Debug)]
pub struct MctsSettings {
    /// Simulations per move.
    pub iterations: u64,
    /// Time for one move.
    pub time: Option<Duration>,
    /// The exploration constant c.
    pub c: f32,
    /// Most random moves at the end of a line.
    pub rollout: u32,
    /// Most moves of a line inside the tree.
    pub depth: u32,
    /// Whether the search keeps the subtree of the played move.
    pub reuse: bool,
    /// The rule that selects the final move.
    pub plays: FinalMoveRule,
    /// The temperature of the priors.
    pub temperature: f32,
    /// Whether returns are proven, in games of two players whose [rewards](ludens_core::Game::reward_range) are
    /// opposed.
    pub proves: bool,
}

/// Which move is played after all tries.
#[derive(Copy, Clone, Debug, PartialEq, Eq)]
pub enum FinalMoveRule {
    /// The one with the best mean.
    Value,
    /// The one tried most often.
    Visits,
}

impl Default for MctsSettings {
    fn default() -> MctsSettings {
        MctsSettings {
            iterations: 1000,
            time: None,
            c: std::f32::consts::SQRT_2,
            rollout: 200,
            depth: u32::MAX,
            reuse: false,
            plays: FinalMoveRule::Value,
            temperature: 1.0,
            proves: false,
        }
    }
}
