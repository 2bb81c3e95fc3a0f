//! The latest positions of nets that know all boards by heart.

use crate::Active;

/// A position on a trace.
#[derive(Copy, Clone, Debug, Default, PartialEq)]
pub struct Mark {
    /// The set of weights used.
    pub bank: u32,
    /// The number of the board.
    pub board: u32,
    /// The derivative of the value when it was marked.
    pub slope: f32,
}

/// The latest positions, each in a few bytes.
#[derive(Clone, Debug, Default)]
pub struct Marks {
    /// The newest last, and before them some that are forgotten.
    all: Vec<Mark>,
    /// Where those begin that are not forgotten.
    from: usize,
}

/// So many more positions than wanted are kept before the forgotten ones make room.
const ROOM: usize = 64;

impl Marks {
    /// Adds a position, and forgets those beyond the latest `steps`.
    #[inline]
    pub(super) fn push(&mut self, active: &Active, steps: usize) {
        let Active { bank, board, slope, .. } = *active;
        if self.all.len() == steps.saturating_add(ROOM) {
            self.all.drain(..self.from);
            self.from = 0;
        }
        self.all.push(Mark { bank: bank as u32, board, slope });
        self.from = self.from.max(self.all.len().saturating_sub(steps));
    }

    /// Forgets all of them.
    #[inline]
    pub(super) fn clear(&mut self) {
        self.all.clear();
        self.from = 0;
    }

    /// The positions, the newest last.
    #[inline]
    pub fn latest(&self) -> &[Mark] {
        &self.all[self.from..]
    }

    /// The position marked so many steps before the newest; it must be there.
    #[inline]
    pub(crate) fn back(&self, age: usize) -> Mark {
        self.all[self.all.len() - 1 - age]
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn only_the_latest_are_kept() {
        let (mut marks, mut active) = (Marks::default(), Active::default());
        for board in 0..1000 {
            active.board = board;
            marks.push(&active, 3);
            let boards: Vec<u32> = marks.latest().iter().map(|mark| mark.board).collect();
            assert_eq!(boards, ((board + 1).saturating_sub(3)..=board).collect::<Vec<_>>());
            assert_eq!(marks.back(0).board, board);
        }
        marks.clear();
        assert!(marks.latest().is_empty());
        marks.push(&active, 3);
        assert_eq!(marks.latest().len(), 1);
    }

    #[test]
    fn all_are_kept_if_none_is_too_old() {
        let (mut marks, active) = (Marks::default(), Active::default());
        (0..200).for_each(|_| marks.push(&active, usize::MAX));
        assert_eq!(marks.latest().len(), 200);
    }
}
