//! The moves of small games by heart.

use super::Rated;
use super::rating::Terms;
use ludens_core::{MAX_PLAYERS, Move};
use std::ops::Range;

/// Most moves of all states together: what caches can hold.
const MOST: usize = 1 << 18;

/// The moves of states met before, as far as they are rated without the net.
pub(super) struct Known<S> {
    /// For each board and player, one more than the place of a state; zero if none is known.
    places: Vec<u32>,
    states: Vec<Entry<S>>,
    rated: Vec<Rated>,
    /// As many as `rated`.
    offers: Vec<Offer>,
    boards: Vec<u32>,
}

/// A move, as short as it can be told.
#[derive(Copy, Clone)]
pub(super) struct Offer {
    pub(super) mv: Move,
    /// What it gains at once.
    pub(super) reward: f32,
    /// The place of the board that it leads to among the values that a net keeps; [`NOWHERE`] if the
    /// rules tell that what is gained at once is all.
    pub(super) place: u32,
    /// Which of those it is that the net will look at, or [`NOWHERE`].
    pub(super) nth: u32,
}

/// What is no place of any board.
pub(super) const NOWHERE: u32 = u32::MAX;

/// A state, and where its moves lie.
struct Entry<S> {
    state: S,
    terms: Terms,
    rated: Range<u32>,
    /// Those that the net will look at.
    read: Range<u32>,
}

/// What is known of the moves of a state.
pub(super) struct Moves<'a> {
    /// All, without the values of those that the net will look at.
    pub(super) rated: &'a [Rated],
    /// The numbers of the boards that those lead to which the net will look at.
    pub(super) boards: &'a [u32],
}

impl<S> Default for Known<S> {
    fn default() -> Known<S> {
        let (places, rated, offers, boards) = Default::default();
        Known { places, states: Vec::new(), rated, offers, boards }
    }
}

impl<S: Eq + Clone> Known<S> {
    fn slot(board: u32, terms: &Terms) -> usize {
        board as usize * MAX_PLAYERS + terms.player.index()
    }

    /// The place of `state`, whose board has this number, if its moves are known by these terms.
    #[inline]
    pub(super) fn find(&self, board: u32, state: &S, terms: &Terms) -> Option<usize> {
        let place = self.places.get(Self::slot(board, terms))?.checked_sub(1)? as usize;
        let entry = &self.states[place];
        (entry.state == *state && entry.terms == *terms).then_some(place)
    }

    /// The moves of the state in this place.
    #[inline]
    pub(super) fn moves(&self, place: usize) -> Moves<'_> {
        let Entry { rated, read, .. } = &self.states[place];
        Moves {
            rated: &self.rated[rated.start as usize..rated.end as usize],
            boards: &self.boards[read.start as usize..read.end as usize],
        }
    }

    /// The moves of the state in this place in short, and how many of them the net will look at.
    #[inline]
    pub(super) fn offers(&self, place: usize) -> (&[Offer], u32) {
        let Entry { rated, read, .. } = &self.states[place];
        (&self.offers[rated.start as usize..rated.end as usize], read.end - read.start)
    }

    /// The number of the board that a move in this place leads to, if the net will look at it.
    #[inline]
    pub(super) fn board(&self, place: usize, offer: &Offer) -> Option<u32> {
        // What is nowhere is beyond all boards.
        let nth = self.states[place].read.start as usize + offer.nth as usize;
        self.boards.get(nth).copied()
    }

    /// Whether the moves in this place are those of `state` with the base in that place.
    #[inline]
    pub(super) fn is(&self, place: usize, state: &S, base: usize) -> bool {
        let Entry { state: known, terms, .. } = &self.states[place];
        known == state && terms.base == base
    }

    /// Which of those in this place that the net looked at `mv` is, and the number of the board that
    /// it leads to.
    pub(super) fn nth(&self, place: usize, mv: Move) -> Option<(usize, u32)> {
        let offer = self.offers(place).0.iter().find(|offer| offer.mv == mv)?;
        Some((offer.nth as usize, self.board(place, offer)?))
    }

    /// Keeps what is known of the moves of `state`, whose board has this number, unless they are
    /// too many or another state of that number is known. `read` has the numbers of the boards that
    /// the net will look at, and their places among the values that it keeps.
    pub(super) fn keep(
        &mut self,
        board: u32,
        state: &S,
        terms: &Terms,
        rated: &[Rated],
        mut read: impl Iterator<Item = (u32, u32)>,
    ) {
        let slot = Self::slot(board, terms);
        if self.places.len() <= slot {
            self.places.resize(slot + 1, 0);
        }
        if self.places[slot] > 0 || self.rated.len() + rated.len() > MOST {
            return;
        }
        let (from, read_from) = (self.rated.len() as u32, self.boards.len() as u32);
        for &Rated { mv, reward, value, .. } in rated {
            let mut offer = Offer { mv, reward, place: NOWHERE, nth: NOWHERE };
            if let Some((board, place)) = value.is_nan().then(|| read.next()).flatten() {
                (offer.place, offer.nth) = (place, self.boards.len() as u32 - read_from);
                self.boards.push(board);
            }
            self.offers.push(offer);
        }
        self.rated.extend_from_slice(rated);
        let rated = from..self.rated.len() as u32;
        let read = read_from..self.boards.len() as u32;
        let (state, terms) = (state.clone(), *terms);
        self.states.push(Entry { state, terms, rated, read });
        self.places[slot] = self.states.len() as u32;
    }
}
