//! The transposition table of the searches.

use rustc_hash::FxHasher;
use std::hash::{Hash, Hasher};

/// The maximum number of entries.
const MOST: usize = 1 << 20;

/// A hash table of states; a new entry replaces the old one in its slot.
///
/// The table compares full states, so that collisions never return a wrong entry.
pub(crate) struct TranspositionTable<S, K> {
    slots: Vec<Option<(S, K)>>,
    filled: usize,
}

impl<S: Eq + Hash, K: Copy> TranspositionTable<S, K> {
    pub(crate) fn new() -> TranspositionTable<S, K> {
        TranspositionTable { slots: Vec::new(), filled: 0 }
    }

    pub(crate) fn get(&self, state: &S) -> Option<K> {
        let slot = self.slots.get(self.slot(state))?.as_ref();
        slot.filter(|(stored, _)| stored == state).map(|(_, entry)| *entry)
    }

    pub(crate) fn insert(&mut self, state: S, entry: K) {
        if self.filled * 2 >= self.slots.len() && self.slots.len() < MOST {
            self.grow();
        }
        let slot = self.slot(&state);
        self.filled += usize::from(self.slots[slot].is_none());
        self.slots[slot] = Some((state, entry));
    }

    pub(crate) fn clear(&mut self) {
        *self = TranspositionTable::new();
    }

    fn grow(&mut self) {
        let size = (self.slots.len() * 4).clamp(1 << 8, MOST);
        let smaller = std::mem::take(&mut self.slots);
        self.slots.resize_with(size, || None);
        self.filled = 0;
        for (state, entry) in smaller.into_iter().flatten() {
            let slot = self.slot(&state);
            self.filled += usize::from(self.slots[slot].is_none());
            self.slots[slot] = Some((state, entry));
        }
    }

    fn slot(&self, state: &S) -> usize {
        let mut hasher = FxHasher::default();
        state.hash(&mut hasher);
        hasher.finish() as usize & self.slots.len().saturating_sub(1)
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
        assert!(found.iter().all(|(i, entry)| *entry == i * 3));
        assert!(found.len() > 50_000, "{}", found.len());
    }
}
