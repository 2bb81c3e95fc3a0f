//! Learners: whoever corrects a value.

use crate::{Explore, Solo, Value};
use ludens_core::{Choice, Game, Move, Player, Rewards, Rng};

/// One move, as a learner sees it.
#[derive(Debug)]
pub struct Step<'a, S> {
    /// Who moved.
    pub player: Player,
    /// Where the player chose.
    pub before: &'a S,
    /// The move.
    pub mv: Move,
    /// The afterstate: chance has not yet spoken.
    pub after: &'a S,
    /// What each player gained since the step before, this move included.
    pub rewards: Rewards,
    /// Whether the move ended the game.
    pub over: bool,
    /// Whether the move was exploratory.
    pub explored: bool,
}

/// What others get to know of a move.
#[derive(Copy, Clone, Debug, PartialEq)]
pub struct News {
    /// Who moved.
    pub player: Player,
    /// What each player gained since the move before, this one included.
    pub rewards: Rewards,
    /// Whether the move ended the game.
    pub over: bool,
    /// Whether the move was exploratory.
    pub explored: bool,
}

/// Learns from a stream of moves, its own or another's.
pub trait Learner<G: Game>: Send {
    /// A game begins in `state`.
    fn begin(&mut self, game: &G, state: &G::State);

    /// Picks a move for `player`, by what has been learned so far.
    fn choose(
        &mut self,
        game: &G,
        state: &G::State,
        player: Player,
        explore: Explore,
        rng: &mut Rng,
    ) -> Choice;

    /// What `mv`, if it was chosen last, in `before`, leads to, and what it gains: the same that the
    /// rules say, if the learner has found it out already.
    fn chosen(&self, _before: &G::State, _mv: Move) -> Option<(&G::State, Rewards)> {
        None
    }

    /// `player` will have to choose in `state`, once the latest move has been observed.
    ///
    /// A hint: learners of large tables may fetch what they will need.
    fn foresee(&mut self, _game: &G, _state: &G::State, _player: Player) {}

    /// A move was made.
    fn observe(&mut self, game: &G, step: &Step<'_, G::State>);

    /// The game is over, by a move or by chance; `rewards` came since the last observed step.
    fn end(&mut self, game: &G, rewards: Rewards);

    /// Plays on, and learns, for as long as it can do so faster than move by move; nothing else comes
    /// of it. A player is to move, before and after, or the game is over.
    fn play_on(&mut self, _solo: &mut Solo<'_, G>, _rng: &mut Rng) {}

    /// From now on chooses and learns for `player` alone, in games on so many tables; it observes only
    /// his moves, and hears of the others'. Tells whether it can.
    fn mind(&mut self, _player: Player, _tables: usize) -> bool {
        false
    }

    /// Turns to the game on another table; for learners that [`Learner::mind`] one player alone.
    fn turn_to(&mut self, _table: usize) {}

    /// Another player made a move; for learners that [`Learner::mind`] one player alone.
    fn hear(&mut self, _news: &News) {}

    /// What has been learned.
    fn value(&mut self) -> &mut Value<G>;
}

/// Whether the state before an exploratory move is corrected toward what came of it.
#[derive(Copy, Clone, Debug, PartialEq, Eq)]
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
