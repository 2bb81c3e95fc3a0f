//! What search remembers of states it has met before.

use rustc_hash::FxHasher;
use std::hash::{Hash, Hasher};

/// Most states remembered at once.
const MOST: usize = 1 << 20;

/// What is known of states; of two states that share a place the later one stays.
///
/// States are compared in full, so that nothing is ever taken for something else.
pub(crate) struct TranspositionTable<S, K> {
    places: Vec<Option<(S, K)>>,
    filled: usize,
}

impl<S: Eq + Hash, K: Copy> TranspositionTable<S, K> {
    pub(crate) fn new() -> TranspositionTable<S, K> {
        TranspositionTable { places: Vec::new(), filled: 0 }
    }

    pub(crate) fn get(&self, state: &S) -> Option<K> {
        let place = self.places.get(self.place(state))?.as_ref();
        place.filter(|(kept, _)| kept == state).map(|(_, known)| *known)
    }

    pub(crate) fn insert(&mut self, state: S, known: K) {
        if self.filled * 2 >= self.places.len() && self.places.len() < MOST {
            self.grow();
        }
        let place = self.place(&state);
        self.filled += usize::from(self.places[place].is_none());
        self.places[place] = Some((state, known));
    }

    pub(crate) fn clear(&mut self) {
        *self = TranspositionTable::new();
    }

    fn grow(&mut self) {
        let size = (self.places.len() * 4).clamp(1 << 8, MOST);
        let smaller = std::mem::take(&mut self.places);
        self.places.resize_with(size, || None);
        self.filled = 0;
        for (state, known) in smaller.into_iter().flatten() {
            let place = self.place(&state);
            self.filled += usize::from(self.places[place].is_none());
            self.places[place] = Some((state, known));
        }
    }

    fn place(&self, state: &S) -> usize {
        let mut hasher = FxHasher::default();
        state.hash(&mut hasher);
        hasher.finish() as usize & self.places.len().saturating_sub(1)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn what_is_found_is_what_was_put_there() {
        let mut table = TranspositionTable::new();
        assert_eq!(table.get(&7u64), None::<u64>);
        (0..100_000u64).for_each(|i| table.insert(i, i * 3));
        let found: Vec<_> = (0..200_000).filter_map(|i| table.get(&i).map(|k| (i, k))).collect();
        assert!(found.iter().all(|(i, known)| *known == i * 3));
        assert!(found.len() > 50_000, "{}", found.len());
    }
}
