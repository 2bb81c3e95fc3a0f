//! TD(lambda) from move to move, for one and two players.

use crate::picker::player_before;
use crate::search::look_ahead;
use crate::{Explore, LearnFromRandom, Learner, Picker, Step, Value};
use ludens_core::{CellBoard, Choice, Invalid, Move, Player, Rewards, Rng};
use ludens_values::{Active, Trace, TraceSettings};

/// Incremental self-play TD(lambda) (Konen 2015, algorithm 2; Thill and others 2014, algorithm 1).
///
/// The value tells the first player's gain, who maximises; the second minimises. Each afterstate is
/// corrected toward the next one:
///
/// ```text
/// delta = r + gamma V(s') - V(s)        V(s') = 0 at the end
/// w += alpha delta e                    unless the move was exploratory
/// e  = gamma lambda e + grad V(s')
/// ```
pub struct Td<G: CellBoard> {
    value: Value<G>,
    settings: TdSettings,
    trace: Trace,
    last: Box<Prediction>,
    next: Box<Prediction>,
    /// Whether there is an afterstate to correct.
    begun: bool,
    /// Whether the latest move ended the game.
    over: bool,
    picker: Picker,
}

/// What is expected after an afterstate, and what this rests on.
#[derive(Default)]
struct Prediction {
    active: Active,
    /// What is gained on the way to the position that is evaluated.
    gained: f32,
    /// Whether a position is evaluated at all; if not, the game ends on the way.
    rests: bool,
}

/// What can be chosen about TD.
#[derive(Copy, Clone, Debug, PartialEq)]
pub struct TdSettings {
    /// How errors reach earlier afterstates.
    pub trace: TraceSettings,
    /// Whether an exploratory move clears the trace (RES).
    pub reset: bool,
    /// Whether states before exploratory moves are corrected.
    pub random: LearnFromRandom,
    /// How many moves ahead moves are rated; one is the move itself (TD-Directed, TD-Leaf).
    pub depth: u32,
    /// Whether the value of an afterstate is that of the position `depth - 1` moves later that best
    /// play leads to (TD-Leaf, Baxter and others 1998).
    pub leaf: bool,
}

impl<G: CellBoard> Td<G> {
    /// A learner of `value`, whose perspective must be the first player's.
    ///
    /// # Errors
    ///
    /// If the net cannot keep such a trace.
    pub fn new(value: Value<G>, settings: TdSettings) -> Result<Td<G>, Invalid> {
        let trace = value.net.new_trace(&settings.trace)?;
        let (last, next) = Default::default();
        let picker = Picker::new(settings.depth);
        Ok(Td { value, settings, trace, last, next, begun: false, over: false, picker })
    }

    /// Corrects the last afterstate toward `target`. Its value is as `advance` found it: nothing
    /// was learned since.
    fn correct(&mut self, target: f32) {
        let value = self.last.value();
        self.value.learn(&self.trace, target - value);
    }

    /// What is expected after a step.
    fn predict_after(&mut self, game: &G, step: &Step<'_, G::State>) -> f32 {
        if self.settings.leaf {
            return self.predict(game, step.after, step.player);
        }
        (self.next.gained, self.next.rests) = (0.0, true);
        self.value.look_after(game, step, &mut self.next.active)
    }

    /// What is expected after the afterstate of `player`.
    fn predict(&mut self, game: &G, state: &G::State, player: Player) -> f32 {
        let next = &mut self.next;
        (next.gained, next.rests) = (0.0, true);
        if !self.settings.leaf {
            return self.value.look(game, state, player, &mut next.active);
        }
        let line = look_ahead(&mut self.value, game, state, player, self.settings.depth - 1);
        next.gained = line.gained;
        match line.leaf {
            Some((leaf, mover)) => {
                self.value.look(game, &leaf, mover, &mut next.active);
            }
            None => next.rests = false,
        }
        line.value
    }

    /// Makes the next prediction the last one, and lets the trace know.
    fn advance(&mut self) {
        std::mem::swap(&mut self.last, &mut self.next);
        if self.last.rests {
            self.value.net.refresh(&mut self.last.active);
            self.value.net.mark(&self.last.active, &mut self.trace);
        } else {
            self.trace.fade();
        }
    }

    fn gain(&self, rewards: Rewards, over: bool, player: Player) -> f32 {
        self.value.perspective.gain(self.value.rewards.seen(rewards, over), player)
    }
}

impl Prediction {
    /// What was expected when it was evaluated last.
    fn value(&self) -> f32 {
        let rest = if self.rests { self.active.value } else { 0.0 };
        self.gained + rest
    }
}

impl<G: CellBoard> Learner<G> for Td<G> {
    /// In games without chance the start state counts as the first afterstate.
    fn begin(&mut self, game: &G, state: &G::State) {
        self.trace.clear();
        (self.begun, self.over) = (false, false);
        if let Some(before) = player_before(game, state) {
            self.predict(game, state, before);
            self.advance();
            self.begun = true;
        }
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

    fn chosen(&self, before: &G::State, mv: Move) -> Option<(&G::State, Rewards)> {
        self.value.chosen(before, mv)
    }

    fn foresee(&mut self, game: &G, state: &G::State, player: Player) {
        self.picker.foresee(&mut self.value, game, state, player);
    }

    fn observe(&mut self, game: &G, step: &Step<'_, G::State>) {
        if step.explored && self.settings.reset {
            self.trace.clear();
        }
        let value = self.predict_after(game, step);
        if self.begun && self.settings.random.allows(step) {
            let future = if step.over { 0.0 } else { self.value.discount * value };
            self.correct(self.gain(step.rewards, step.over, step.player) + future);
        }
        self.advance();
        (self.begun, self.over) = (true, step.over);
        if step.over && self.value.judge_ends {
            self.correct(self.gain(step.rewards, true, step.player));
        }
    }

    fn end(&mut self, _: &G, rewards: Rewards) {
        if self.begun && !self.over {
            self.correct(self.gain(rewards, true, Player(0)));
        }
    }

    fn value(&mut self) -> &mut Value<G> {
        &mut self.value
    }
}
