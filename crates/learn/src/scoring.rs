//! Scoring all moves of a state: encode the successors, evaluate them as one batch.

use crate::{Value, ValueKind, ValueSpec};
use ludens_core::{Afterstate, Bitboards, Event, Game, Move, Player, Turn};

/// A legal move and what the value says of it.
#[derive(Copy, Clone, Debug, PartialEq)]
pub struct ScoredMove {
    /// The move.
    pub mv: Move,
    /// Its reward to the owner of the value.
    pub reward: f32,
    /// The value of its afterstate; zero if that ends the game.
    pub value: f32,
    /// Whether the move ends the game.
    pub over: bool,
    /// The action value to the player who moves: the higher, the better.
    pub score: f32,
}

/// What all moves that are scored together have in common.
#[derive(Copy, Clone)]
pub(crate) struct EvalContext {
    pub(crate) player: Player,
    pub(crate) pov: Player,
    owner: Player,
    pub(crate) weight_set: usize,
    accumulator: usize,
    /// Whether the reward of a move counts apart from the value of its afterstate.
    adds_reward: bool,
    /// Whether the rules instead of the network evaluate moves that end the game.
    terminal_by_rules: bool,
    sign: f32,
    /// The discount factor on values; one where they include the reward.
    pub(crate) discount: f32,
}

impl EvalContext {
    #[inline]
    pub(crate) fn new(spec: &ValueSpec, player: Player) -> EvalContext {
        let adds_reward = spec.kind == ValueKind::Afterstate;
        let undiscounted = spec.kind == ValueKind::AfterstateWithReward;
        EvalContext {
            player,
            pov: spec.pov(player),
            owner: spec.owner_of(player),
            weight_set: spec.weight_set(player),
            accumulator: spec.accumulator(player),
            adds_reward,
            terminal_by_rules: adds_reward && !spec.bootstrap_terminal,
            sign: spec.sign(player),
            discount: if undiscounted { 1.0 } else { spec.discount },
        }
    }

    /// The score of a move with this reward, whose afterstate has this value.
    #[inline(always)]
    pub(crate) fn score(&self, reward: f32, value: f32) -> f32 {
        self.sign * (reward + self.discount * value)
    }

    /// A move as far as the rules score it; its value is NaN if the network evaluates it.
    #[inline(always)]
    fn score_by_rules<S>(&self, spec: &ValueSpec, after: &Afterstate<'_, S>) -> ScoredMove {
        let over = after.turn == Turn::Over;
        let counts = if over { self.terminal_by_rules } else { self.adds_reward };
        let reward = if counts { spec.rewards.apply(after.rewards[self.owner], over) } else { 0.0 };
        let value = if over && self.terminal_by_rules { 0.0 } else { f32::NAN };
        ScoredMove { mv: after.mv, reward, value, over, score: 0.0 }
    }
}

impl<G: Bitboards> Value<G> {
    /// Scores each of the `legal` moves of `player` in `state`.
    pub fn score_moves(
        &mut self,
        game: &G,
        state: &G::State,
        player: Player,
        legal: &[Move],
        out: &mut Vec<ScoredMove>,
    ) {
        if self.scores_actions() {
            return self.score_actions(game, state, player, legal, out);
        }
        self.score_successors(game, state, player, out, |value, context, out| {
            for &mv in legal {
                let mut after = state.clone();
                let rewards = game.play(&mut after, mv);
                let after = Afterstate { mv, state: &after, rewards, turn: game.turn(&after) };
                value.add_successor(game, context, after, out);
            }
        });
    }

    /// Scores all legal moves of `player` in `state`; `legal` is scratch.
    pub fn score_all(
        &mut self,
        game: &G,
        state: &G::State,
        player: Player,
        legal: &mut Vec<Move>,
        out: &mut Vec<ScoredMove>,
    ) {
        if self.scores_actions() {
            legal.clear();
            game.legal_moves(state, legal);
            return self.score_actions(game, state, player, legal, out);
        }
        self.score_successors(game, state, player, out, |value, context, out| {
            game.each_afterstate(state, legal, |after| {
                value.add_successor(game, context, after, out);
            });
        });
    }

    /// Encodes the successors that `add_all` adds, evaluates them and scores their moves.
    #[inline(always)]
    fn score_successors(
        &mut self,
        game: &G,
        state: &G::State,
        player: Player,
        out: &mut Vec<ScoredMove>,
        add_all: impl FnOnce(&mut Value<G>, &EvalContext, &mut Vec<ScoredMove>),
    ) {
        let swaps = self.spec.swaps_for(player);
        self.spec.swapped ^= swaps;
        let context = EvalContext::new(&self.spec, player);
        out.clear();
        self.moves.clear();
        self.batch.begin(context.weight_set, context.accumulator);
        if self.encoder.is_incremental() {
            self.encoder.encode(game, state, context.pov, &mut self.batch.parent);
        }
        add_all(self, &context, out);
        self.network.evaluate(&mut self.batch);
        self.evaluated += self.moves.len() as u64;
        match &mut self.batch_of {
            Some((parent, accumulator)) => {
                parent.clone_from(state);
                *accumulator = context.accumulator;
            }
            none => *none = Some((state.clone(), context.accumulator)),
        }
        let mut values = self.batch.values.iter();
        for scored in out {
            if scored.value.is_nan() {
                scored.value =
                    *values.next().expect("the network evaluated what the rules did not");
            }
            scored.score = context.score(scored.reward, scored.value);
        }
        self.spec.swapped ^= swaps;
    }

    /// Scores a move by the rules or by chance, or else adds its afterstate to the batch.
    #[inline(always)]
    fn add_successor(
        &mut self,
        game: &G,
        context: &EvalContext,
        after: Afterstate<'_, G::State>,
        out: &mut Vec<ScoredMove>,
    ) {
        let mut scored = context.score_by_rules(&self.spec, &after);
        if self.spec.after_chance && after.turn == Turn::Chance {
            scored.value = self.expectation(game, after.state, context.player);
        } else if scored.value.is_nan() {
            self.encoder.encode(game, after.state, context.pov, self.batch.push());
            self.moves.push(after.mv);
        }
        out.push(scored);
    }

    /// The expected return over all chance events that may follow.
    fn expectation(&mut self, game: &G, after: &G::State, player: Player) -> f32 {
        let (mut events, mut sum): (Vec<(Event, f32)>, f32) = (Vec::new(), 0.0);
        game.events(after, &mut events);
        for (event, probability) in events {
            let mut next = after.clone();
            let rewards = game.resolve(&mut next, event);
            let over = game.turn(&next) == Turn::Over;
            let value = if over { 0.0 } else { self.evaluate_state(game, &next, player) };
            sum += probability * (self.spec.reward(rewards, over, player) + value);
        }
        sum
    }
}

/// The player whose move led to `state`, if players take turns and chance never acts; the first
/// player where no player ever moves.
pub(crate) fn previous_player<G: Game>(game: &G, state: &G::State) -> Option<Player> {
    let players = game.num_players();
    match game.turn(state) {
        _ if game.num_moves() == 0 => Some(Player(0)),
        Turn::Player(player) if !game.has_chance() => Some(player.after(players - 1, players)),
        _ => None,
    }
}
