//! Rating the moves of a state together.

use super::by_heart::Chosen;
use super::{Rated, Value};
use crate::{RewardView, Scope, Step};
use ludens_core::{Afterstate, CellBoard, Event, Game, MAX_PLAYERS, Move, Player, Turn};
use ludens_values::{Active, Sight};

/// What is the same for all moves that are rated together.
#[derive(Copy, Clone, PartialEq)]
pub(crate) struct Terms {
    pub(super) player: Player,
    /// Whose eyes see the afterstates.
    pub(crate) pov: Player,
    /// Whose rewards the value tells.
    gainer: Player,
    /// The place of the base.
    pub(super) base: usize,
    /// Whether what a move gains counts apart from the value of its afterstate.
    pays: bool,
    /// Whether the rules, not the net, tell what moves are worth that end the game.
    by_rules: bool,
}

impl Terms {
    /// The bank of the afterstates.
    #[inline]
    pub(crate) fn bank(&self) -> usize {
        self.base / MAX_PLAYERS
    }

    /// A move as far as it is rated without the net: its value is no number if the net is to tell it.
    #[inline(always)]
    pub(super) fn rate<S>(&self, view: RewardView, after: &Afterstate<'_, S>) -> Rated {
        let over = after.turn == Turn::Over;
        let counts = if over { self.by_rules } else { self.pays };
        let reward = if counts { view.see(after.rewards[self.gainer], over) } else { 0.0 };
        let value = if over && self.by_rules { 0.0 } else { f32::NAN };
        Rated { mv: after.mv, reward, value, over, worth: 0.0 }
    }
}

/// Where the afterstates rated last are found.
pub(super) enum Peeked<S> {
    /// Nowhere any more.
    Nowhere,
    /// Among those read in this state, with the base in this place.
    Read(S, usize),
    /// Among those read ahead in this state, with the base in this place; the move that was chosen,
    /// and the number of its board.
    Ahead(S, usize, Option<(Move, usize)>),
    /// In this place of those known by heart.
    Known(usize, Option<Chosen>),
}

/// Afterstates that are rated together.
#[derive(Default)]
pub(super) struct Afterstates {
    /// As the net sees them; there is room for more.
    pub(super) sights: Vec<Sight>,
    /// The moves that led to them.
    pub(super) moves: Vec<Move>,
}

impl Afterstates {
    #[inline]
    fn sights(&self) -> &[Sight] {
        &self.sights[..self.moves.len()]
    }
}

/// What makes a value worth something to a player.
#[derive(Copy, Clone)]
pub(crate) struct Worth {
    pub(crate) sign: f32,
    pub(crate) discount: f32,
}

impl Worth {
    /// The rated move with what it is worth, and the next of the values if it has none yet.
    #[inline(always)]
    pub(super) fn of<'a>(self, rated: &Rated, values: &mut impl Iterator<Item = &'a f32>) -> Rated {
        let value = if rated.value.is_nan() {
            *values.next().expect("what is no number was read for the net")
        } else {
            rated.value
        };
        Rated { value, worth: self.tell(rated.reward, value), ..*rated }
    }

    #[inline(always)]
    pub(crate) fn tell(self, reward: f32, value: f32) -> f32 {
        self.sign * (reward + self.discount * value)
    }
}

/// Calls `visit` with each of these moves and what it leads to.
#[inline]
pub(super) fn visit_some<G: Game>(
    game: &G,
    state: &G::State,
    moves: &[Move],
    mut visit: impl FnMut(Afterstate<'_, G::State>),
) {
    for &mv in moves {
        let mut after = state.clone();
        let rewards = game.play(&mut after, mv);
        visit(Afterstate { mv, state: &after, rewards, turn: game.turn(&after) });
    }
}

impl<G: CellBoard> Value<G> {
    /// Rates each of the `legal` moves of `player` in `state`.
    pub fn rate_moves(
        &mut self,
        game: &G,
        state: &G::State,
        player: Player,
        legal: &[Move],
        out: &mut Vec<Rated>,
    ) {
        let swap = self.swap(player);
        if let Scope::Moves { .. } = self.scope {
            self.rate_each_move(game, state, player, legal, out);
        } else if self.looks_ahead() {
            self.rate_moves_ahead(game, state, player, legal, out);
        } else {
            let terms = self.begin_rating(game, state, player, out);
            visit_some(game, state, legal, |after| self.rate_after(game, &terms, after, out));
            self.peek_all(state, &terms, out);
        }
        self.perspective.inverted ^= swap;
    }

    /// Rates all legal moves of `player` in `state`; `scratch` holds nothing of worth.
    pub fn rate_all(
        &mut self,
        game: &G,
        state: &G::State,
        player: Player,
        scratch: &mut Vec<Move>,
        out: &mut Vec<Rated>,
    ) {
        if let Scope::Moves { .. } = self.scope {
            scratch.clear();
            game.legal_moves(state, scratch);
            return self.rate_moves(game, state, player, scratch, out);
        }
        if let Some(rated) = self.rate_known(game, state, player) {
            out.clear();
            out.extend(rated);
            return;
        }
        let swap = self.swap(player);
        if self.looks_ahead() {
            self.rate_ahead(game, state, player, scratch, out);
        } else {
            let terms = self.rate_afterstates(game, state, player, scratch, out);
            self.keep_known(game, state, &terms, out);
            self.peek_all(state, &terms, out);
        }
        self.perspective.inverted ^= swap;
    }

    /// Lets the second player see the board as the first, if that is wanted; tells whether it is.
    #[inline]
    pub(super) fn swap(&mut self, player: Player) -> bool {
        let swap = self.reversed && player == Player(1);
        self.perspective.inverted ^= swap;
        swap
    }

    /// Rates all legal moves as far as this goes without the net.
    #[inline]
    fn rate_afterstates(
        &mut self,
        game: &G,
        state: &G::State,
        player: Player,
        scratch: &mut Vec<Move>,
        out: &mut Vec<Rated>,
    ) -> Terms {
        let terms = self.begin_rating(game, state, player, out);
        game.each_afterstate(state, scratch, |afterstate| {
            self.rate_after(game, &terms, afterstate, out);
        });
        terms
    }

    #[inline]
    fn begin_rating(
        &mut self,
        game: &G,
        state: &G::State,
        player: Player,
        out: &mut Vec<Rated>,
    ) -> Terms {
        out.clear();
        self.read.moves.clear();
        let terms = self.terms(player);
        self.set_base(game, state, player, terms.base);
        terms
    }

    #[inline]
    pub(crate) fn terms(&self, player: Player) -> Terms {
        let pays = self.scope == Scope::Afterstates;
        Terms {
            player,
            pov: self.perspective.pov(player),
            gainer: self.perspective.gainer(player),
            base: self.base(player),
            pays,
            by_rules: pays && !self.judge_ends,
        }
    }

    fn rate_each_move(
        &mut self,
        game: &G,
        state: &G::State,
        player: Player,
        legal: &[Move],
        out: &mut Vec<Rated>,
    ) {
        out.clear();
        let Some(&first) = legal.first() else { return };
        let mut active = std::mem::take(&mut self.scratch);
        self.look_at_move(game, state, player, first, &mut active);
        let bank = active.bank - first.0 as usize;
        for &mv in legal {
            active.bank = bank + mv.0 as usize;
            let value = self.net.refresh(&mut active);
            let worth = self.perspective.sign(player) * value;
            out.push(Rated { mv, reward: 0.0, value, over: false, worth });
        }
        self.scratch = active;
    }

    /// Rates a move by the rules or by chance, or else reads its afterstate for the net.
    #[inline(always)]
    fn rate_after(
        &mut self,
        game: &G,
        terms: &Terms,
        after: Afterstate<'_, G::State>,
        out: &mut Vec<Rated>,
    ) {
        let mut rated = terms.rate(self.rewards, &after);
        if self.after_chance && after.turn == Turn::Chance {
            rated.value = self.expect_chance(game, after.state, terms.player);
        } else if rated.value.is_nan() {
            self.read_peeked(game, after.state, terms);
            self.read.moves.push(after.mv);
        }
        out.push(rated);
    }

    /// Evaluates the afterstates read, puts their values where none is known, and tells what all
    /// moves are worth.
    fn peek_all(&mut self, state: &G::State, terms: &Terms, out: &mut [Rated]) {
        let (base, read) = (&self.bases[terms.base], &self.read);
        self.net.peek_all(base, read.sights(), &mut self.peeks);
        self.evaluated += read.moves.len() as u64;
        self.peeked = Peeked::Read(state.clone(), terms.base);
        let sign = self.perspective.sign(terms.player);
        let (worth, mut values) = (self.worth(sign), self.peeks.values.iter());
        out.iter_mut().for_each(|rated| *rated = worth.of(rated, &mut values));
    }

    #[inline]
    pub(crate) fn worth(&self, sign: f32) -> Worth {
        let discount = if self.scope == Scope::Arrivals { 1.0 } else { self.discount };
        Worth { sign, discount }
    }

    /// Leaves everything about the afterstate of a step in `active`, if it was rated just before.
    #[inline(always)]
    pub(super) fn recall(&mut self, step: &Step<'_, G::State>, active: &mut Active) -> bool {
        let base = self.base(step.player);
        match &self.peeked {
            Peeked::Known(place, chosen) => self.recall_known(*place, *chosen, step, active),
            Peeked::Read(state, from) if *from == base && state == step.before => {
                let nth = self.read.moves.iter().position(|mv| *mv == step.mv);
                let Some(nth) = nth else { return false };
                let (base, read, peeks) = (&mut self.bases[base], &self.read, &self.peeks);
                self.net.recall(base, &read.sights[nth], peeks, nth, active);
                true
            }
            Peeked::Ahead(state, from, chosen) if *from == base && state == step.before => {
                self.recall_ahead(base / MAX_PLAYERS, step.mv, *chosen, active)
            }
            _ => false,
        }
    }

    /// Reads an afterstate as the next of those to be rated.
    #[inline]
    fn read_peeked(&mut self, game: &G, after: &G::State, terms: &Terms) {
        let Afterstates { sights, moves } = &mut self.read;
        if moves.len() == sights.len() {
            sights.push(Sight::default());
        }
        let sight = &mut sights[moves.len()];
        self.reader.read(game, after, terms.pov, sight);
    }

    /// Makes `state`, seen with the weights of `player`, the one that neighbours start from.
    fn set_base(&mut self, game: &G, state: &G::State, player: Player, base: usize) {
        let base = &mut self.bases[base];
        base.bank = self.perspective.bank(player);
        if self.needs_base {
            self.reader.read(game, state, self.perspective.pov(player), &mut self.sight);
            self.net.advance(&self.sight, base);
        }
    }

    fn expect_chance(&mut self, game: &G, after: &G::State, player: Player) -> f32 {
        let (mut events, mut sum): (Vec<(Event, f32)>, f32) = (Vec::new(), 0.0);
        game.events(after, &mut events);
        for (event, probability) in events {
            let mut next = after.clone();
            let rewards = game.resolve(&mut next, event);
            let over = game.turn(&next) == Turn::Over;
            let gained = self.rewards.see(self.perspective.gain(rewards, player), over);
            let value = if over { 0.0 } else { self.peek(game, &next, player) };
            sum += probability * (gained + value);
        }
        sum
    }

    #[inline]
    fn peek(&mut self, game: &G, after: &G::State, player: Player) -> f32 {
        self.reader.read(game, after, self.perspective.pov(player), &mut self.sight);
        let base = &self.bases[self.base(player)];
        self.net.peek(base, &self.sight, &mut self.scratch)
    }
}
