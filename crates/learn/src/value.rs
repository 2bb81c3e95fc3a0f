//! What is learned about a game: a net, how it sees states, and whose gain it tells.

mod ahead;
mod by_heart;
mod known;
mod rating;

use crate::{Banks, Perspective, Reader, RewardView, Scope, Step};
use ahead::Ahead;
use known::Known;
use ludens_core::{CellBoard, Game, MAX_PLAYERS, Move, Player, Rewards, Turn, ValueFunction};
use ludens_values::{Active, Course, Lent, Net, Peeks, Sight, Trace};
pub(crate) use rating::Worth;
use rating::{Afterstates, Peeked, Terms};
use std::sync::Arc;

/// What afterstates are worth, as learned by a net.
///
/// The value of an afterstate is what may still be gained after it; it is zero after the end.
pub struct Value<G: Game> {
    /// The weights. Forks share them.
    pub net: Lent<dyn Net>,
    /// How the net sees a state.
    pub reader: Reader<G>,
    /// What has a value: afterstates, or states and moves.
    pub scope: Scope,
    /// Whose gain is told, and with whose weights.
    pub perspective: Perspective,
    /// How rewards look to the net.
    pub rewards: RewardView,
    /// The weight of what is gained one move later (gamma).
    pub discount: f32,
    /// Whether moves that end the game are rated by the net instead of the rules.
    pub judge_ends: bool,
    /// Whether chance has spoken in the states that are learned; moves are then rated by what is to
    /// be expected.
    pub after_chance: bool,
    /// Whether the second player rates moves on the board with the colours swapped, as the first.
    pub reversed: bool,
    /// The errors corrected since they were last asked for.
    pub errors: Errors,
    /// How many positions were evaluated.
    pub evaluated: u64,
    sight: Sight,
    scratch: Active,
    /// For each bank and each player's eyes, the state that moves were rated in last.
    bases: Vec<Active>,
    /// The afterstates rated last.
    read: Afterstates,
    /// What came of rating them.
    peeks: Peeks,
    /// Where they are found, while the weights are as they were then.
    peeked: Peeked<G::State>,
    /// What is known of moves without the net. Forks share it; who has no fork adds to it.
    known: Arc<Known<G::State>>,
    /// Whether positions are evaluated by their difference from a base.
    needs_base: bool,
    /// Whether the weights had better be fetched before they are needed.
    is_far: bool,
    /// Where they were read ahead instead, their moves. Boxed, because they change places with the
    /// next ones.
    ahead: Box<Ahead<G::State>>,
    /// What is read ahead meanwhile.
    next: Box<Ahead<G::State>>,
    /// The state whose moves that are.
    foreseen: Option<(G::State, Terms)>,
    /// What belongs to a game of one player that is played on in one loop.
    pub(crate) course: Box<Course>,
}

/// A value without its weights.
pub(crate) struct Frame<G: Game> {
    reader: Reader<G>,
    scope: Scope,
    perspective: Perspective,
    rewards: RewardView,
    discount: f32,
    judge_ends: bool,
    after_chance: bool,
    reversed: bool,
}

impl<G: CellBoard> Frame<G> {
    /// The same for weights of one player alone.
    pub(crate) fn of_one_player(mut self) -> Frame<G> {
        self.perspective.banks = Banks::OnePlayer;
        self
    }

    /// The value with these weights.
    pub(crate) fn with_net(&self, net: Lent<dyn Net>) -> Value<G> {
        let Frame { scope, perspective, rewards, discount, .. } = *self;
        let fresh = Value::new(net, self.reader.clone(), scope, perspective, rewards, discount);
        let Frame { judge_ends, after_chance, reversed, .. } = *self;
        Value { judge_ends, after_chance, reversed, ..fresh }
    }
}

/// How large errors were.
#[derive(Copy, Clone, Debug, Default, PartialEq)]
pub struct Errors {
    /// How many.
    pub count: u64,
    /// The sum of their sizes.
    pub sum: f64,
}

impl Errors {
    #[inline]
    pub(crate) fn count(&mut self, error: f32) {
        self.count += 1;
        self.sum += f64::from(error.abs());
    }

    /// Adds errors that were corrected elsewhere.
    pub fn add(&mut self, more: Errors) {
        self.count += more.count;
        self.sum += more.sum;
    }
}

/// A legal move, and what the value says of it.
#[derive(Copy, Clone, Debug, PartialEq)]
pub struct Rated {
    /// The move.
    pub mv: Move,
    /// What it gains at once, in the value's perspective.
    pub reward: f32,
    /// The value of its afterstate; zero if that ends the game.
    pub value: f32,
    /// Whether the move ends the game.
    pub over: bool,
    /// What it is worth to the player who makes it: the more, the better.
    pub worth: f32,
}

impl<G: CellBoard> Value<G> {
    /// A value as `net` has learned it.
    pub fn new(
        net: Lent<dyn Net>,
        reader: Reader<G>,
        scope: Scope,
        perspective: Perspective,
        rewards: RewardView,
        discount: f32,
    ) -> Value<G> {
        let bases = vec![Active::default(); net.banks() * MAX_PLAYERS];
        let is_packed = matches!(reader, Reader::Images { .. });
        let (needs_base, is_far) = (net.needs_base(), net.is_far() && is_packed);
        let (sight, scratch, peeks) = Default::default();
        Value {
            net,
            reader,
            scope,
            perspective,
            rewards,
            discount,
            judge_ends: false,
            after_chance: false,
            reversed: false,
            errors: Errors::default(),
            evaluated: 0,
            sight,
            scratch,
            bases,
            read: Afterstates::default(),
            peeks,
            peeked: Peeked::Nowhere,
            known: Arc::default(),
            needs_base,
            is_far,
            ahead: Box::default(),
            next: Box::default(),
            foreseen: None,
            course: Box::default(),
        }
    }

    /// The same value with buffers of its own, for another thread; the weights are shared.
    pub fn fork(&self) -> Value<G> {
        let known = Arc::clone(&self.known);
        Value { known, ..self.frame().with_net(self.net.clone()) }
    }

    /// Everything but the weights.
    pub(crate) fn frame(&self) -> Frame<G> {
        Frame {
            reader: self.reader.clone(),
            scope: self.scope,
            perspective: self.perspective,
            rewards: self.rewards,
            discount: self.discount,
            judge_ends: self.judge_ends,
            after_chance: self.after_chance,
            reversed: self.reversed,
        }
    }

    /// What a game among several keeps, at its beginning.
    pub(crate) fn new_bases(&self) -> Vec<Active> {
        vec![Active::default(); self.bases.len()]
    }

    /// Turns to another game, with what it keeps.
    pub(crate) fn swap_bases(&mut self, bases: &mut Vec<Active>) {
        std::mem::swap(&mut self.bases, bases);
        (self.peeked, self.foreseen) = (Peeked::Nowhere, None);
    }

    /// The weights, to be changed.
    ///
    /// # Panics
    ///
    /// If a fork of this value is still around.
    #[inline]
    pub fn net_mut(&mut self) -> &mut dyn Net {
        self.peeked = Peeked::Nowhere;
        self.net.get_mut().expect("forks are gone when weights change")
    }

    /// Corrects the weights on the trace, whose latest position was off by `error`.
    #[inline]
    pub fn learn(&mut self, trace: &Trace, error: f32) {
        self.errors.count(error);
        self.net_mut().learn(trace, error);
    }

    /// Corrects the position of `active`, and what is on the trace before it, toward `target`.
    #[inline]
    pub fn correct(&mut self, active: &mut Active, trace: &mut Trace, target: f32) {
        let error = self.net_mut().correct(active, trace, target);
        self.errors.count(error);
    }

    /// Evaluates a state that `player` moved into, and leaves the gradient in `active`.
    pub fn look(&mut self, game: &G, state: &G::State, player: Player, active: &mut Active) -> f32 {
        self.reader.read(game, state, self.perspective.pov(player), &mut self.sight);
        self.evaluated += 1;
        if self.needs_base {
            active.copy_from(&self.bases[self.base(player)]);
        }
        active.bank = self.perspective.bank(player);
        self.net.advance(&self.sight, active)
    }

    /// Evaluates the afterstate of a step, and leaves the gradient in `active`.
    ///
    /// If the move was rated just before, what came of it is recalled.
    #[inline(always)]
    pub fn look_after(&mut self, game: &G, step: &Step<'_, G::State>, active: &mut Active) -> f32 {
        if self.recall(step, active) {
            active.value
        } else {
            self.look(game, step.after, step.player, active)
        }
    }

    /// The place of the base for afterstates of `player`.
    #[inline]
    fn base(&self, player: Player) -> usize {
        self.perspective.bank(player) * MAX_PLAYERS + self.perspective.pov(player).index()
    }

    /// The value of a state that `player` moved into.
    pub fn glance(&mut self, game: &G, state: &G::State, player: Player) -> f32 {
        let mut active = std::mem::take(&mut self.scratch);
        let value = self.look(game, state, player, &mut active);
        self.scratch = active;
        value
    }

    /// Evaluates a move of `player` in `state`, and leaves the gradient in `active`. For values of
    /// moves only.
    pub fn look_at_move(
        &mut self,
        game: &G,
        state: &G::State,
        player: Player,
        mv: Move,
        active: &mut Active,
    ) -> f32 {
        let bank = self.perspective.bank(player) * self.scope.num_banks() + mv.0 as usize;
        self.reader.read(game, state, self.perspective.pov(player), &mut self.sight);
        self.net.activate(&self.sight, bank, active)
    }
}

impl<G: CellBoard> ValueFunction<G> for Value<G> {
    fn values(&mut self, game: &G, state: &G::State) -> Rewards {
        let mut values = Rewards::NONE;
        let Turn::Player(mover) = game.turn(state) else { return values };
        let (mut legal, mut rated) = (Vec::new(), Vec::new());
        game.legal_moves(state, &mut legal);
        self.rate_moves(game, state, mover, &legal, &mut rated);
        let best = rated.iter().map(|r| r.worth).fold(f32::NEG_INFINITY, f32::max);
        let best = self.rewards.outcome(self.perspective.sign(mover) * best);
        let best = self.perspective.sign(mover) * best;
        if game.num_players() == 2 {
            return Rewards::zero_sum(mover, best);
        }
        values[mover] = best;
        let mut active = Active::default();
        for player in Player::all(game.num_players()).filter(|&p| p != mover) {
            values[player] = self.rewards.outcome(self.look(game, state, player, &mut active));
        }
        values
    }

    fn move_values(&mut self, game: &G, state: &G::State, legal: &[Move], out: &mut Vec<f32>) {
        let Turn::Player(mover) = game.turn(state) else { return };
        let (sign, mut rated) = (self.perspective.sign(mover), Vec::new());
        self.rate_moves(game, state, mover, legal, &mut rated);
        out.extend(rated.iter().map(|r| sign * self.rewards.outcome(sign * r.worth)));
    }
}

#[cfg(test)]
mod tests;
