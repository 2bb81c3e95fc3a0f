//! Rating moves by weights that are far away, and therefore fetched before they are needed.

use super::rating::{Peeked, Terms, visit_some};
use super::{Rated, Value};
use crate::explore::best;
use crate::{Explore, Scope};
use ludens_core::{ABREAST, Abreast, Afterstate, CellBoard, Choice, Move, Player, Rewards, Rng};
use ludens_values::{Active, Sights, Work, run_widely};

/// The moves of a state, and the boards that they lead to, as nets see them whose weights are far.
pub(super) struct Ahead<S> {
    /// All, without the values of those that the net will look at.
    pub(super) rated: Vec<Rated>,
    /// How many of them that are.
    read: usize,
    /// The afterstates of those; there is room for whole blocks.
    states: Vec<S>,
    /// What the moves to them gained; there is as much room.
    gained: Vec<Rewards>,
    /// The same as the net sees them.
    together: Sights,
}

impl<S> Default for Ahead<S> {
    fn default() -> Ahead<S> {
        let (rated, read, states, gained, together) = Default::default();
        Ahead { rated, read, states, gained, together }
    }
}

impl<S: Clone> Ahead<S> {
    fn clear(&mut self) {
        self.rated.clear();
        self.read = 0;
    }

    /// Adds a move, and the state that it leads to if the net will look at it.
    #[inline(always)]
    fn push(&mut self, rated: Rated, after: &Afterstate<'_, S>) {
        if rated.value.is_nan() {
            if self.read == self.states.len() {
                self.grow(after.state);
            }
            self.states[self.read].clone_from(after.state);
            self.gained[self.read] = after.rewards;
            self.read += 1;
        }
        self.rated.push(rated);
    }

    /// Makes room for another block of states.
    #[cold]
    fn grow(&mut self, state: &S) {
        self.states.resize(self.read + ABREAST, state.clone());
        self.gained.resize(self.read + ABREAST, Rewards::NONE);
    }

    /// Which of the boards that the net looks at `mv` leads to.
    fn nth(&self, mv: Move) -> Option<usize> {
        let place = self.rated.iter().position(|rated| rated.mv == mv)?;
        let asked = |rated: &&Rated| rated.value.is_nan();
        asked(&&self.rated[place]).then(|| self.rated[..place].iter().filter(asked).count())
    }

    /// Reads so many images of each board that the net will look at.
    #[inline(always)]
    fn read<G: CellBoard<State = S>>(&mut self, game: &G, pov: Player, images: usize) {
        let blocks = &self.states.as_chunks::<ABREAST>().0[..self.read.div_ceil(ABREAST)];
        let Sights { count, images: rows, scratch, .. } = &mut self.together;
        *count = self.read;
        if rows.len() < blocks.len() * images {
            rows.resize(blocks.len() * images, Abreast::default());
        }
        for (block, rows) in blocks.iter().zip(rows.chunks_exact_mut(images.max(1))) {
            game.read_images_abreast(block, pov, rows, scratch);
        }
    }
}

/// Boards to be read.
struct Reading<'a, G: CellBoard> {
    game: &'a G,
    pov: Player,
    images: usize,
    ahead: &'a mut Ahead<G::State>,
}

impl<G: CellBoard> Work for Reading<'_, G> {
    #[inline(always)]
    fn run(self) {
        self.ahead.read(self.game, self.pov, self.images);
    }
}

impl<G: CellBoard> Value<G> {
    /// Whether moves are rated by weights that are fetched before they are needed.
    #[inline]
    pub(super) fn looks_ahead(&self) -> bool {
        self.is_far && !self.after_chance && !matches!(self.scope, Scope::Moves { .. })
    }

    /// Whether games of one player can be played on in one loop. Forgets what was foreseen.
    pub(crate) fn plays_on(&mut self, explore: Explore) -> bool {
        (self.foreseen, self.peeked) = (None, Peeked::Nowhere);
        self.looks_ahead() && matches!(explore, Explore::Epsilon { .. })
    }

    /// Fetches what rating all legal moves of `player` in `state` will need, if it lies far away.
    #[inline(always)]
    pub fn foresee(&mut self, game: &G, state: &G::State, player: Player, scratch: &mut Vec<Move>) {
        if self.looks_ahead() {
            let swap = self.swap(player);
            let terms = self.terms(player);
            self.read_ahead(game, state, &terms, scratch);
            self.foreseen = Some((state.clone(), terms));
            self.perspective.inverted ^= swap;
        }
    }

    /// Finds all legal moves and begins to fetch what rating them will need.
    #[inline(always)]
    fn read_ahead(&mut self, game: &G, state: &G::State, terms: &Terms, scratch: &mut Vec<Move>) {
        let (ahead, view) = (&mut *self.next, self.rewards);
        ahead.clear();
        game.each_afterstate(state, scratch, |after| ahead.push(terms.rate(view, &after), &after));
        self.announce(game, terms);
    }

    /// Reads the boards that the net will look at, and begins to fetch their weights.
    #[inline(always)]
    fn announce(&mut self, game: &G, terms: &Terms) {
        let (images, ahead) = (self.reader.num_images(), &mut *self.next);
        run_widely(Reading { game, pov: terms.pov, images, ahead });
        self.net.announce(terms.bank(), &mut self.next.together);
    }

    /// Rates all legal moves of `player` in `state`; their weights must be far away.
    pub(super) fn rate_ahead(
        &mut self,
        game: &G,
        state: &G::State,
        player: Player,
        scratch: &mut Vec<Move>,
        out: &mut Vec<Rated>,
    ) {
        let terms = match self.foreseen.take() {
            Some((foreseen, terms)) if terms.player == player && foreseen == *state => terms,
            _ => {
                let terms = self.terms(player);
                self.read_ahead(game, state, &terms, scratch);
                terms
            }
        };
        self.tell_ahead(state, &terms, out);
    }

    /// The same for some moves.
    pub(super) fn rate_moves_ahead(
        &mut self,
        game: &G,
        state: &G::State,
        player: Player,
        legal: &[Move],
        out: &mut Vec<Rated>,
    ) {
        let terms = self.terms(player);
        self.foreseen = None;
        let (ahead, view) = (&mut *self.next, self.rewards);
        ahead.clear();
        visit_some(game, state, legal, |after| ahead.push(terms.rate(view, &after), &after));
        self.announce(game, &terms);
        self.tell_ahead(state, &terms, out);
    }

    /// Evaluates what was read ahead, and tells what each move is worth.
    fn tell_ahead(&mut self, state: &G::State, terms: &Terms, out: &mut Vec<Rated>) {
        self.peek_ahead(terms);
        self.peeked = Peeked::Ahead(state.clone(), terms.base, None);
        let worth = self.worth(self.perspective.sign(terms.player));
        let mut values = self.peeks.values.iter();
        out.clear();
        out.extend(self.ahead.rated.iter().map(|rated| worth.of(rated, &mut values)));
    }

    /// The best move of `player` in `state`, ties broken at random, if all were foreseen and the net
    /// rates each of them.
    #[inline]
    pub(crate) fn choose_foreseen(
        &mut self,
        state: &G::State,
        player: Player,
        rng: &mut Rng,
    ) -> Option<Choice> {
        let (foreseen, terms) = self.foreseen.as_ref()?;
        if terms.player != player || foreseen != state || self.next.read < self.next.rated.len() {
            return None;
        }
        let terms = *terms;
        self.foreseen = None;
        self.peek_ahead(&terms);
        let swap = self.swap(player);
        let worth = self.worth(self.perspective.sign(player));
        self.perspective.inverted ^= swap;
        let offers = self.ahead.rated.iter().zip(&self.peeks.values);
        let worths = offers.map(|(rated, &value)| worth.tell(rated.reward, value));
        let (nth, worth) = best(worths.enumerate(), rng)?;
        let mv = self.ahead.rated[nth].mv;
        self.peeked = Peeked::Ahead(state.clone(), terms.base, Some((mv, nth)));
        Some(Choice { mv, value: Some(worth), explored: false })
    }

    /// Evaluates the boards that were read ahead.
    #[inline(always)]
    fn peek_ahead(&mut self, terms: &Terms) {
        // What was rated last could be recalled until now.
        std::mem::swap(&mut self.ahead, &mut self.next);
        self.net.peek_announced(terms.bank(), &self.ahead.together, &mut self.peeks);
        self.evaluated += self.ahead.read as u64;
    }

    /// What the move that was chosen last leads to, and what it gains, if it was foreseen in `before`.
    #[inline]
    pub(crate) fn chosen(&self, before: &G::State, mv: Move) -> Option<(&G::State, Rewards)> {
        match &self.peeked {
            Peeked::Ahead(state, _, Some((chosen, nth))) if *chosen == mv && state == before => {
                Some((&self.ahead.states[*nth], self.ahead.gained[*nth]))
            }
            _ => None,
        }
    }

    /// Leaves everything about the board that a move leads to in `active`, if it was read ahead.
    #[inline(always)]
    pub(super) fn recall_ahead(
        &self,
        bank: usize,
        mv: Move,
        chosen: Option<(Move, usize)>,
        active: &mut Active,
    ) -> bool {
        let nth = match chosen {
            Some((chosen, nth)) if chosen == mv => Some(nth),
            _ => self.ahead.nth(mv),
        };
        let Some(nth) = nth else { return false };
        self.net.recall_announced(bank, &self.ahead.together, &self.peeks, nth, active);
        true
    }
}
