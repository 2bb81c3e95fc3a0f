//! Learning algorithms, and the interface between them and self-play.

mod action_farl;
mod after_chance;
mod delayed;
mod length_penalty;
pub(crate) mod lookahead;
mod monte_carlo;
mod partial_decision;
mod players;
mod q;
mod td;
mod td_farl;
mod td_mu;

pub use action_farl::{ActionFarl, NextAction};
pub use after_chance::AfterChance;
pub use delayed::DelayedTd;
pub use length_penalty::LengthPenalty;
pub use monte_carlo::MonteCarlo;
pub use partial_decision::PartialDecision;
pub use players::{LastMove, PlayerMemory};
pub use q::Q;
pub use td::Td;
pub use td_farl::TdFarl;
pub use td_mu::TdMu;

use crate::Value;
use ludens_approx::{Evaluation, TraceSettings};
use ludens_core::{Choice, Game, Move, Player, Rewards};
use schemars::JsonSchema;
use serde::{Deserialize, Serialize};

/// One move, as a learner sees it.
#[derive(Debug)]
pub struct Step<'a, S> {
    /// Who moved.
    pub player: Player,
    /// The state in which the player chose.
    pub before: &'a S,
    /// The move.
    pub mv: Move,
    /// The afterstate, before any chance event.
    pub after: &'a S,
    /// The rewards since the step before, this move included.
    pub rewards: Rewards,
    /// Whether the move ended the game.
    pub over: bool,
    /// Whether the move was exploratory.
    pub explored: bool,
    /// Whether the learner itself chose the move.
    pub own: bool,
}

/// Learns a value from a stream of moves, its own or another's.
///
/// The episode loop chooses moves by the learner's value; a learner only observes. Abilities that
/// faster loops ask for have no defaults, so that a wrapper must decide about each.
pub trait Learner<G: Game>: Send {
    /// A game begins in `state`.
    fn begin(&mut self, game: &G, state: &G::State);

    /// The learner has drawn a move for `player`, who is to move in `state`. Returns whether it has
    /// learned from it and the move to play is drawn anew.
    fn learn_before_move(&mut self, _: &G, _: &G::State, _: Player, _drawn: &Choice) -> bool {
        false
    }

    /// A move was made.
    fn observe(&mut self, game: &G, step: &Step<'_, G::State>);

    /// The game is over, by a move or by chance; `rewards` came since the last observed step.
    fn end(&mut self, game: &G, rewards: Rewards);

    /// What has been learned.
    fn value(&mut self) -> &mut Value<G>;

    /// The interface for faster loops, if the learner supports them.
    fn fast_paths(&mut self) -> Option<&mut dyn FastPaths<G>>;
}

/// Learners that loops other than the general one can drive.
pub trait FastPaths<G: Game> {
    /// The interface for the fused loop, in a game of one player.
    fn fused(&mut self) -> Option<&mut dyn FusedLearner<G>>;

    /// The interface for pipelined self-play.
    fn per_player(&mut self) -> Option<&mut dyn PerPlayerLearner<G>>;
}

/// Learners that the fused loop drives: each update moves the weights of one position.
pub trait FusedLearner<G: Game> {
    /// What has been learned.
    fn value(&mut self) -> &mut Value<G>;

    /// Whether it learns at all; if not, nothing is observed.
    fn learns(&self) -> bool;

    /// Whether the network updates a single position from its features alone.
    fn is_td0(&self) -> bool;

    /// The player reached the afterstate `next`, which does not end the game. Its evaluation is
    /// exchanged for another one, to be overwritten.
    fn observe_afterstate(&mut self, next: &mut Box<Evaluation>, step: FusedStep);
}

/// A move of the fused loop, as a learner sees it.
#[derive(Copy, Clone, Debug)]
pub struct FusedStep {
    /// The reward since the move before, this one included.
    pub reward: f32,
    /// The value of the new afterstate.
    pub value: f32,
    /// Whether the move was exploratory.
    pub explored: bool,
}

/// Learners that learn for one player only, in several games that take turns.
pub trait PerPlayerLearner<G: Game> {
    /// Learns for `player` only, in `games` games that take turns.
    fn restrict_to(&mut self, player: Player, games: usize);

    /// Goes on with another of the games.
    fn switch_game(&mut self, game: usize);

    /// Another player made a move.
    fn observe_opponent(&mut self, report: &MoveReport);
}

/// What the learners of other players need to know of a move.
#[derive(Copy, Clone, Debug, PartialEq)]
pub struct MoveReport {
    /// Who moved.
    pub player: Player,
    /// The rewards since the move before, this one included.
    pub rewards: Rewards,
    /// Whether the move ended the game.
    pub over: bool,
    /// Whether the move was exploratory.
    pub explored: bool,
}

/// The settings of the TD algorithms; each heeds those that its paper has.
#[derive(Copy, Clone, Debug, PartialEq)]
pub struct LearnerSettings {
    /// The eligibility trace.
    pub trace: TraceSettings,
    /// Whether an exploratory move clears the trace (RES).
    pub reset: bool,
    /// Which exploratory moves are learned from.
    pub exploration: LearnFromRandom,
    /// Final adaptation: whether the other players learn from the end.
    pub adapt_others: bool,
    /// Final adaptation: whether the value of the final afterstate is updated.
    pub adapt_last: bool,
    /// Whether SARSA and Q draw the move to play anew after the update (Konen and Bagheri 2020,
    /// algorithm 5, line 12).
    pub redraw: bool,
    /// The share phi of the residual gradient: 0 is TD(lambda), 1 minimises the squared error.
    pub residual: f32,
}

/// Whether the state before an exploratory move is updated.
#[derive(Copy, Clone, Debug, PartialEq, Eq, Serialize, Deserialize, JsonSchema)]
#[serde(rename_all = "kebab-case")]
pub enum LearnFromRandom {
    /// Never.
    Never,
    /// Always.
    Always,
    /// Only if the move ended the game.
    IfOver,
    /// Only if the move ended the game and its player gained by it.
    IfWon,
}

impl LearnFromRandom {
    /// Whether every exploratory move is learned from.
    pub fn always(self) -> bool {
        self == LearnFromRandom::Always
    }

    /// Whether to learn from a move that does not end the game.
    #[inline]
    pub(crate) fn allows_before_end(self, explored: bool) -> bool {
        !explored || self.always()
    }

    /// Whether to learn from this step.
    #[inline]
    pub fn allows<S>(self, step: &Step<'_, S>) -> bool {
        !step.explored
            || match self {
                LearnFromRandom::Never => false,
                LearnFromRandom::Always => true,
                LearnFromRandom::IfOver => step.over,
                LearnFromRandom::IfWon => step.over && step.rewards[step.player] > 0.0,
            }
    }
}
