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
    moves: Vec<Move>,
    boards: Vec<u32>,
}

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
        let (places, rated, moves, boards) = Default::default();
        Known { places, states: Vec::new(), rated, moves, boards }
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

    /// Which of those that the net looked at `mv` is, and the number of the board that it leads to,
    /// if the moves in this place are those of `state` with the base in that place.
    #[inline]
    pub(super) fn nth(
        &self,
        place: usize,
        state: &S,
        base: usize,
        mv: Move,
    ) -> Option<(usize, u32)> {
        let Entry { state: known, terms, read, .. } = &self.states[place];
        if known != state || terms.base != base {
            return None;
        }
        let read = read.start as usize..read.end as usize;
        let nth = self.moves[read.clone()].iter().position(|known| *known == mv)?;
        Some((nth, self.boards[read.start + nth]))
    }

    /// Keeps what is known of the moves of `state`, whose board has this number, unless they are
    /// too many or another state of that number is known.
    pub(super) fn keep(
        &mut self,
        board: u32,
        state: &S,
        terms: &Terms,
        rated: &[Rated],
        read: impl Iterator<Item = (Move, u32)>,
    ) {
        let slot = Self::slot(board, terms);
        if self.places.len() <= slot {
            self.places.resize(slot + 1, 0);
        }
        if self.places[slot] > 0 || self.rated.len() + rated.len() > MOST {
            return;
        }
        let (from, read_from) = (self.rated.len() as u32, self.moves.len() as u32);
        self.rated.extend_from_slice(rated);
        for (mv, board) in read {
            self.moves.push(mv);
            self.boards.push(board);
        }
        let rated = from..self.rated.len() as u32;
        let read = read_from..self.moves.len() as u32;
        let (state, terms) = (state.clone(), terms.clone());
        self.states.push(Entry { state, terms, rated, read });
        self.places[slot] = self.states.len() as u32;
    }
}
