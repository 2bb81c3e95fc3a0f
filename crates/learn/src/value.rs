//! A learned value: a network, how it reads states, and what its numbers mean.

use crate::action_images::ActionImages;
use crate::policy::best_of;
use crate::selfplay::FusedBuffers;
use crate::{Encoder, ScoredMove, Step, ValueKind, ValueSpec};
use ludens_approx::{Accumulator, EncodedBatch, Evaluation, Network, Trace, UniqueArc};
use ludens_core::{Bitboards, Game, Move, Player, Rewards, Rng, Turn, ValueFunction};

/// The value of afterstates or actions, as a network has learned it.
///
/// The value of an afterstate is the return that follows it; it is zero after the end.
pub struct Value<G: Game> {
    /// The weights. Forks share them.
    pub network: UniqueArc<dyn Network>,
    /// How the network reads states.
    pub encoder: Encoder<G>,
    /// What the numbers mean.
    pub spec: ValueSpec,
    /// The errors of all updates since they were last taken.
    pub errors: Errors,
    /// How many positions were evaluated.
    pub evaluated: u64,
    /// The successors that were evaluated last.
    pub(crate) batch: EncodedBatch,
    /// The moves that lead to them.
    pub(crate) moves: Vec<Move>,
    /// The state whose successors they are and their accumulator, while no weight has changed.
    pub(crate) batch_of: Option<(G::State, usize)>,
    pub(crate) fused: FusedBuffers,
    /// Where the weights of a move lie, if symmetric images share those of symmetric moves.
    pub(crate) action_images: Option<ActionImages>,
    scratch: Evaluation,
    /// The features of a state without a move, for action values with symmetries.
    state_features: Vec<u32>,
}

/// How large the errors of updates were.
#[derive(Copy, Clone, Debug, Default, PartialEq)]
pub struct Errors {
    /// How many updates.
    pub count: u64,
    /// The sum of absolute errors.
    pub sum: f64,
}

impl Errors {
    #[inline]
    pub(crate) fn count(&mut self, error: f32) {
        self.count += 1;
        self.sum += f64::from(error.abs());
    }

    /// Adds errors counted elsewhere.
    pub fn add(&mut self, more: Errors) {
        self.count += more.count;
        self.sum += more.sum;
    }
}

impl<G: Bitboards> Value<G> {
    /// A value with this network.
    pub fn new(network: UniqueArc<dyn Network>, encoder: Encoder<G>, spec: ValueSpec) -> Value<G> {
        Value {
            network,
            encoder,
            spec,
            errors: Errors::default(),
            evaluated: 0,
            batch: EncodedBatch::default(),
            moves: Vec::new(),
            batch_of: None,
            fused: FusedBuffers::default(),
            action_images: None,
            scratch: Evaluation::default(),
            state_features: Vec::new(),
        }
    }

    /// The same value with its own buffers, for another thread; the weights are shared.
    pub fn fork(&self) -> Value<G> {
        let action_images = self.action_images.clone();
        let value = Value::new(self.network.clone(), self.encoder.clone(), self.spec);
        Value { action_images, ..value }
    }

    /// The weights, to be changed.
    ///
    /// # Panics
    ///
    /// If a fork of this value still exists.
    #[inline]
    pub fn network_mut(&mut self) -> &mut dyn Network {
        self.batch_of = None;
        self.network.get_mut().expect("forks are gone when weights change")
    }

    /// Moves the weights on the trace; the newest position on it was off by `error`.
    #[inline]
    pub fn update_trace(&mut self, trace: &Trace, error: f32) {
        self.errors.count(error);
        self.network_mut().update_trace(trace, error);
    }

    /// Moves the weights of a position, and of the trace before it, toward `target`.
    #[inline]
    pub fn update(&mut self, evaluation: &mut Evaluation, trace: &mut Trace, target: f32) {
        let error = self.network_mut().update(evaluation, trace, target);
        self.errors.count(error);
    }

    /// Evaluates a state that `player` moved into.
    pub fn evaluate(
        &mut self,
        game: &G,
        state: &G::State,
        player: Player,
        out: &mut Evaluation,
    ) -> f32 {
        let encoding = out.begin(self.spec.weight_set(player));
        self.encoder.encode(game, state, self.spec.pov(player), encoding);
        self.evaluated += 1;
        self.network.reevaluate(out)
    }

    /// Evaluates the choice of a region by `player`, who is to move in `state`.
    pub(crate) fn evaluate_region(
        &mut self,
        game: &G,
        state: &G::State,
        player: Player,
        region: usize,
        out: &mut Evaluation,
    ) -> f32 {
        let encoding = out.begin(self.spec.weight_set(player));
        self.encoder.encode(game, state, self.spec.pov(player), encoding);
        let first = encoding.inputs.len() - self.spec.regions;
        encoding.inputs[first + region] = 1.0;
        self.evaluated += 1;
        self.network.reevaluate(out)
    }

    /// The best region for `player`, who is to move in `state`; ties are broken at random.
    pub(crate) fn best_region(
        &mut self,
        game: &G,
        state: &G::State,
        player: Player,
        legal: &[Move],
        rng: &mut Rng,
    ) -> Option<usize> {
        let mut evaluation = std::mem::take(&mut self.scratch);
        let mut regions: Vec<(usize, f32)> = Vec::new();
        for mv in legal {
            let region = self.spec.region(game.num_moves(), *mv);
            if regions.last().is_none_or(|(last, _)| *last != region) {
                let value = self.evaluate_region(game, state, player, region, &mut evaluation);
                regions.push((region, self.spec.sign(player) * value));
            }
        }
        self.scratch = evaluation;
        best_of(regions.into_iter(), rng).map(|(region, _)| region)
    }

    /// The value of a state that `player` moved into.
    pub fn evaluate_state(&mut self, game: &G, state: &G::State, player: Player) -> f32 {
        let mut evaluation = std::mem::take(&mut self.scratch);
        let value = self.evaluate(game, state, player, &mut evaluation);
        self.scratch = evaluation;
        value
    }

    /// Evaluates the afterstate of a step; takes it out of the batch if its moves were scored last.
    #[inline(always)]
    pub fn evaluate_afterstate(
        &mut self,
        game: &G,
        step: &Step<'_, G::State>,
        out: &mut Evaluation,
    ) -> f32 {
        if self.take(step, out) {
            out.value
        } else {
            self.evaluate(game, step.after, step.player, out)
        }
    }

    #[inline(always)]
    fn take(&mut self, step: &Step<'_, G::State>, out: &mut Evaluation) -> bool {
        let accumulator = self.spec.accumulator(step.player);
        let is_parent =
            |(state, of): &(G::State, usize)| *of == accumulator && state == step.before;
        if !self.batch_of.as_ref().is_some_and(is_parent) {
            return false;
        }
        let Some(nth) = self.moves.iter().position(|mv| *mv == step.mv) else { return false };
        self.network.take(&mut self.batch, nth, out);
        true
    }

    /// Evaluates a move of `player` in `state`, for values of actions.
    pub fn evaluate_action(
        &mut self,
        game: &G,
        state: &G::State,
        player: Player,
        mv: Move,
        out: &mut Evaluation,
    ) -> f32 {
        let encoding = out.begin(self.spec.weight_set(player));
        self.encoder.encode(game, state, self.spec.pov(player), encoding);
        if self.action_images.is_some() {
            self.network.reevaluate(out);
            self.state_features.clone_from(&out.features);
        }
        self.evaluate_other_action(player, mv, out)
    }

    /// Evaluates another move in the state whose move was evaluated last.
    fn evaluate_other_action(&mut self, player: Player, mv: Move, out: &mut Evaluation) -> f32 {
        match &self.action_images {
            Some(images) => images.write_features(&self.state_features, mv, &mut out.features),
            None => out.weight_set = self.spec.weight_set(player) + mv.0 as usize,
        }
        self.network.reevaluate(out)
    }

    /// Scores moves by the values of actions: one encoding serves all of them.
    pub(crate) fn score_actions(
        &mut self,
        game: &G,
        state: &G::State,
        player: Player,
        legal: &[Move],
        out: &mut Vec<ScoredMove>,
    ) {
        out.clear();
        let Some(&first) = legal.first() else { return };
        let mut evaluation = std::mem::take(&mut self.scratch);
        self.evaluate_action(game, state, player, first, &mut evaluation);
        for &mv in legal {
            let value = self.evaluate_other_action(player, mv, &mut evaluation);
            let score = self.spec.sign(player) * value;
            out.push(ScoredMove { mv, reward: 0.0, value, over: false, score });
        }
        self.scratch = evaluation;
    }

    /// Exchanges what belongs to one of several games that take turns.
    pub(crate) fn switch_game(&mut self, accumulators: &mut Vec<Accumulator>) {
        self.batch.swap_accumulators(accumulators);
        self.batch_of = None;
    }

    /// Whether actions instead of afterstates have values.
    #[inline]
    pub(crate) fn scores_actions(&self) -> bool {
        matches!(self.spec.kind, ValueKind::Action { .. })
    }
}

impl<G: Bitboards> ValueFunction<G> for Value<G> {
    fn values(&mut self, game: &G, state: &G::State) -> Rewards {
        let mut values = Rewards::NONE;
        let Turn::Player(mover) = game.turn(state) else { return values };
        let (mut legal, mut scored) = (Vec::new(), Vec::new());
        game.legal_moves(state, &mut legal);
        self.score_moves(game, state, mover, &legal, &mut scored);
        let best = scored.iter().map(|scored| scored.score).fold(f32::NEG_INFINITY, f32::max);
        let sign = self.spec.sign(mover);
        let best = sign * self.spec.rewards.outcome(sign * best);
        if game.num_players() == 2 {
            return Rewards::zero_sum(mover, best);
        }
        values[mover] = best;
        for player in Player::all(game.num_players()).filter(|&p| p != mover) {
            let value = self.evaluate_state(game, state, player);
            values[player] = self.spec.rewards.outcome(value);
        }
        values
    }

    fn move_values(&mut self, game: &G, state: &G::State, legal: &[Move], out: &mut Vec<f32>) {
        let Turn::Player(mover) = game.turn(state) else { return };
        let (sign, mut scored) = (self.spec.sign(mover), Vec::new());
        self.score_moves(game, state, mover, legal, &mut scored);
        let rewards = self.spec.rewards;
        out.extend(scored.iter().map(|scored| sign * rewards.outcome(sign * scored.score)));
    }
}
