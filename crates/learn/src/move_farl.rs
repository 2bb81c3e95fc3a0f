//! SARSA-FARL and Q-FARL: values of moves, from round to round, for any number of players.

use crate::{Explore, LearnFromRandom, Learner, Picker, Step, Value};
use ludens_core::{CellBoard, Choice, Invalid, Player, Rewards, Rng};
use ludens_values::{Active, Trace, TraceSettings};

/// SARSA or Q-learning with final adaptation for N players (Konen and Bagheri 2020, algorithms 3
/// to 5).
///
/// When a player is to move again, the value of his last move goes toward what he gained since and
/// the value of his next move: the one he makes (SARSA) or the best one (Q). At the end the last
/// move of every player goes toward what the end brought him; without final adaptation, only the
/// last move of all does.
pub struct MoveFarl<G: CellBoard> {
    value: Value<G>,
    settings: MoveFarlSettings,
    seats: Vec<Memory>,
    latest: Option<(Player, bool)>,
    next: Active,
    picker: Picker,
}

/// What can be chosen about SARSA-FARL and Q-FARL.
#[derive(Copy, Clone, Debug, PartialEq)]
pub struct MoveFarlSettings {
    /// Which next move counts.
    pub target: NextMove,
    /// How errors reach earlier moves.
    pub trace: TraceSettings,
    /// Whether an exploratory move clears the traces.
    pub reset: bool,
    /// Whether moves before exploratory moves are corrected; Q-learning always does.
    pub random: LearnFromRandom,
    /// Whether the other players learn from the end.
    pub adapt_others: bool,
}

/// Which next move counts.
#[derive(Copy, Clone, Debug, PartialEq, Eq)]
pub enum NextMove {
    /// The one that is made (SARSA).
    Made,
    /// The best one (Q).
    Best,
}

/// What a player remembers of his last move.
struct Memory {
    trace: Trace,
    last: Active,
    moved: bool,
    /// What he gained since, that move included.
    pending: f32,
}

impl<G: CellBoard> MoveFarl<G> {
    /// A learner of `value`, which must be a value of moves in the mover's perspective.
    ///
    /// # Errors
    ///
    /// If the net cannot keep such a trace.
    pub fn new(
        game: &G,
        value: Value<G>,
        settings: MoveFarlSettings,
    ) -> Result<MoveFarl<G>, Invalid> {
        let memory = |_| {
            let trace = value.net.new_trace(&settings.trace)?;
            Ok(Memory { trace, last: Active::default(), moved: false, pending: 0.0 })
        };
        let seats = (0..game.num_players()).map(memory).collect::<Result<_, Invalid>>()?;
        let (next, picker) = Default::default();
        Ok(MoveFarl { value, settings, seats, latest: None, next, picker })
    }

    fn gain(&mut self, rewards: Rewards, over: bool) {
        let seen = self.value.rewards.seen(rewards, over);
        for (memory, reward) in self.seats.iter_mut().zip(seen.0) {
            memory.pending += reward;
        }
    }

    /// Corrects the last move of `player` toward what he gained since and `future`.
    fn correct(&mut self, player: Player, future: f32) {
        let memory = &mut self.seats[player.index()];
        let target = memory.pending + self.value.discount * future;
        self.value.correct(&mut memory.last, &mut memory.trace, target);
    }

    /// The value of the next move, as this step tells it.
    fn future(&mut self, game: &G, step: &Step<'_, G::State>) -> Option<f32> {
        match self.settings.target {
            NextMove::Made if !self.settings.random.allows(step) => None,
            NextMove::Made => Some(self.next.value),
            NextMove::Best => {
                let rated = self.picker.rate(&mut self.value, game, step.before, step.player);
                rated.iter().map(|r| r.value).max_by(f32::total_cmp)
            }
        }
    }
}

impl<G: CellBoard> Learner<G> for MoveFarl<G> {
    fn begin(&mut self, _: &G, _: &G::State) {
        for memory in &mut self.seats {
            memory.trace.clear();
            (memory.moved, memory.pending) = (false, 0.0);
        }
        self.latest = None;
    }

    fn choose(
        &mut self,
        game: &G,
        state: &G::State,
        player: Player,
        explore: Explore,
        rng: &mut Rng,
    ) -> Choice {
        self.picker.choose(&mut self.value, game, state, player, explore, rng)
    }

    fn observe(&mut self, game: &G, step: &Step<'_, G::State>) {
        let (me, mv) = (step.player, step.mv);
        self.value.look_at_move(game, step.before, me, mv, &mut self.next);
        if step.explored && self.settings.reset {
            self.seats.iter_mut().for_each(|memory| memory.trace.clear());
        }
        if self.seats[me.index()].moved
            && let Some(future) = self.future(game, step)
        {
            self.correct(me, future);
        }
        let memory = &mut self.seats[me.index()];
        std::mem::swap(&mut memory.last, &mut self.next);
        (memory.moved, memory.pending) = (true, 0.0);
        self.gain(step.rewards, step.over);
        self.latest = Some((me, step.over));
    }

    fn end(&mut self, game: &G, rewards: Rewards) {
        let Some((mover, over)) = self.latest else { return };
        if !over {
            self.gain(rewards, true);
        }
        for player in Player::all(game.num_players()) {
            let wanted = player == mover || self.settings.adapt_others;
            if wanted && self.seats[player.index()].moved {
                self.correct(player, 0.0);
            }
        }
    }

    fn value(&mut self) -> &mut Value<G> {
        &mut self.value
    }
}
