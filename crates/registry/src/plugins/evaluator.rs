//! Evaluators of a host program as value functions.

use ludens_core::{Event, Move, Rewards, TrainableGame, Turn, ValueFunction};

/// An evaluator that knows a game only by its cells; it is asked about many states at once.
pub trait ExternalValue: Send {
    /// Evaluates states in which a player is to move.
    fn evaluate(&mut self, batch: &EvaluatorBatch) -> EvaluatorOutput;
}

/// States for an evaluator.
#[derive(Clone, Debug, Default, PartialEq)]
pub struct EvaluatorBatch {
    /// The cells of each state, row by row, as the player to move sees them.
    pub cells: Vec<u8>,
    /// The player to move in each state.
    pub players: Vec<u8>,
    /// Rows and columns of cells.
    pub shape: (usize, usize),
    /// The number of players.
    pub num_players: usize,
    /// The number of move ids.
    pub num_moves: usize,
}

/// The output of an evaluator for a batch.
#[derive(Clone, Debug, Default, PartialEq)]
pub struct EvaluatorOutput {
    /// The expected future rewards: one row for each state, one number for each player.
    pub values: Vec<f32>,
    /// One number above zero for each state and move id, if the evaluator has a policy.
    pub priors: Option<Vec<f32>>,
}

/// A value function that collects states and asks an evaluator about all of them in one call.
pub(super) struct ExternalValueAdapter<S> {
    evaluator: Box<dyn ExternalValue>,
    /// Whether the evaluator has once answered without a policy.
    lacks_policy: bool,
    batch: EvaluatorBatch,
    /// For each collected state the index of its move, and the probability of reaching it.
    origins: Vec<(usize, f32)>,
    /// States that a move or an event leads to, still to be collected.
    pending: Vec<(S, f32)>,
    events: Vec<(Event, f32)>,
}

impl<S: Clone> ExternalValueAdapter<S> {
    pub(super) fn new(evaluator: Box<dyn ExternalValue>) -> ExternalValueAdapter<S> {
        let (batch, origins) = (EvaluatorBatch::default(), Vec::new());
        let (pending, events) = (Vec::new(), Vec::new());
        ExternalValueAdapter { evaluator, lacks_policy: false, batch, origins, pending, events }
    }

    fn clear<G: TrainableGame<State = S>>(&mut self, game: &G) {
        let layout = game.layout();
        self.batch.cells.clear();
        self.batch.players.clear();
        self.batch.shape = (layout.num_cells() / layout.width, layout.width);
        self.batch.num_players = game.num_players();
        self.batch.num_moves = game.num_moves();
        self.origins.clear();
    }

    /// Collects the states on players' turns that follow; returns the mean reward of chance events.
    fn collect<G: TrainableGame<State = S>>(
        &mut self,
        game: &G,
        state: &S,
        origin: usize,
    ) -> Rewards {
        let mut gained = Rewards::NONE;
        self.pending.push((state.clone(), 1.0));
        while let Some((state, probability)) = self.pending.pop() {
            match game.turn(&state) {
                Turn::Over => {}
                Turn::Player(player) => {
                    let begin = self.batch.cells.len();
                    let (height, width) = self.batch.shape;
                    self.batch.cells.resize(begin + height * width, 0);
                    game.read_cells(&state, player, &mut self.batch.cells[begin..]);
                    self.batch.players.push(player.0);
                    self.origins.push((origin, probability));
                }
                Turn::Chance => {
                    self.events.clear();
                    game.events(&state, &mut self.events);
                    for &(event, share) in &self.events {
                        let mut next = state.clone();
                        let rewards = game.resolve(&mut next, event);
                        add_scaled(&mut gained, &rewards.0, probability * share);
                        self.pending.push((next, probability * share));
                    }
                }
            }
        }
        gained
    }

    /// Adds the values of all collected states to those of the moves that lead to them.
    fn add_values(&mut self, totals: &mut [Rewards]) {
        if self.origins.is_empty() {
            return;
        }
        let output = self.evaluator.evaluate(&self.batch);
        let rows = output.values.chunks(self.batch.num_players);
        for (&(origin, probability), row) in self.origins.iter().zip(rows) {
            add_scaled(&mut totals[origin], row, probability);
        }
    }
}

/// Adds this share of some rewards.
fn add_scaled(total: &mut Rewards, rewards: &[f32], share: f32) {
    total.0.iter_mut().zip(rewards).for_each(|(total, reward)| *total += share * reward);
}

impl<G: TrainableGame> ValueFunction<G> for ExternalValueAdapter<G::State> {
    fn values(&mut self, game: &G, state: &G::State) -> Rewards {
        self.clear(game);
        let mut totals = [self.collect(game, state, 0)];
        self.add_values(&mut totals);
        totals[0]
    }

    fn move_values(&mut self, game: &G, state: &G::State, legal: &[Move], out: &mut Vec<f32>) {
        let Turn::Player(player) = game.turn(state) else { return };
        self.clear(game);
        let mut totals = Vec::with_capacity(legal.len());
        for (origin, &mv) in legal.iter().enumerate() {
            let mut after = state.clone();
            let gained = game.play(&mut after, mv);
            totals.push(gained + self.collect(game, &after, origin));
        }
        self.add_values(&mut totals);
        out.extend(totals.iter().map(|total| total[player]));
    }

    fn values_and_priors(
        &mut self,
        game: &G,
        state: &G::State,
        legal: &[Move],
        priors: &mut Vec<f32>,
    ) -> Option<Rewards> {
        if self.lacks_policy {
            return None;
        }
        self.clear(game);
        self.collect(game, state, 0);
        let output = self.evaluator.evaluate(&self.batch);
        self.lacks_policy = output.priors.is_none();
        let found = output.priors?;
        let sum: f32 = legal.iter().map(|mv| found[mv.0 as usize]).sum();
        let usable = sum > 0.0 && sum.is_finite();
        let even = 1.0 / legal.len() as f32;
        let prior = |mv: &Move| if usable { found[mv.0 as usize] / sum } else { even };
        priors.extend(legal.iter().map(prior));
        let mut expected = Rewards::NONE;
        expected.0.iter_mut().zip(&output.values).for_each(|(slot, value)| *slot = *value);
        Some(expected)
    }
}
