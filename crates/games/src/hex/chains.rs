//! The stones connected to an edge, updated stone by stone.

use crate::bits::CountedBits;
use std::ops::{BitAnd, BitOr, Not, Shl, Shr};

/// A set of cells that can be shifted as a whole.
pub(super) trait Cells:
    Copy
    + Default
    + PartialEq
    + BitAnd<Output = Self>
    + BitOr<Output = Self>
    + Not<Output = Self>
    + Shl<usize, Output = Self>
    + Shr<usize, Output = Self>
{
    /// The set of one cell.
    fn bit(cell: usize) -> Self;
}

impl Cells for u64 {
    #[inline]
    fn bit(cell: usize) -> u64 {
        1 << cell
    }
}

/// Enough for 13 x 13 = 169 cells, the lowest first.
#[derive(Copy, Clone, Debug, Default, PartialEq, Eq, Hash)]
pub(super) struct Wide(pub(super) [u64; 3]);

impl Wide {
    pub(super) fn bit(cell: usize) -> Wide {
        Cells::bit(cell)
    }

    pub(super) fn contains(self, cell: usize) -> bool {
        self.0[cell / 64] >> (cell % 64) & 1 == 1
    }

    pub(super) fn count(self) -> usize {
        self.0.iter().map(|word| word.count_ones() as usize).sum()
    }

    /// The cells of the set, ascending.
    #[inline]
    pub(super) fn places(self) -> impl Iterator<Item = usize> {
        self.0.into_iter().enumerate().flat_map(|(i, mut left)| {
            std::iter::from_fn(move || {
                let at = (left != 0).then(|| 64 * i + left.trailing_zeros() as usize)?;
                left &= left - 1;
                Some(at)
            })
        })
    }

    /// The `n`-th cell of the set, which has more than `n`.
    #[inline]
    pub(super) fn nth(self, mut n: usize) -> usize {
        let mut below = 0;
        for word in self.0 {
            let bits = CountedBits::new(word);
            if n < bits.count() {
                return below + bits.nth(n) as usize;
            }
            n -= bits.count();
            below += 64;
        }
        unreachable!("the set has fewer cells")
    }
}

impl Cells for Wide {
    #[inline]
    fn bit(cell: usize) -> Wide {
        let mut set = Wide::default();
        set.0[cell / 64] = 1 << (cell % 64);
        set
    }
}

impl BitAnd for Wide {
    type Output = Wide;
    #[inline]
    fn bitand(self, other: Wide) -> Wide {
        Wide(std::array::from_fn(|i| self.0[i] & other.0[i]))
    }
}

impl BitOr for Wide {
    type Output = Wide;
    #[inline]
    fn bitor(self, other: Wide) -> Wide {
        Wide(std::array::from_fn(|i| self.0[i] | other.0[i]))
    }
}

impl Not for Wide {
    type Output = Wide;
    #[inline]
    fn not(self) -> Wide {
        Wide(self.0.map(|word| !word))
    }
}

/// By 1 to 63 places.
impl Shl<usize> for Wide {
    type Output = Wide;
    #[inline]
    fn shl(self, n: usize) -> Wide {
        let [a, b, c] = self.0;
        Wide([a << n, b << n | a >> (64 - n), c << n | b >> (64 - n)])
    }
}

/// By 1 to 63 places.
impl Shr<usize> for Wide {
    type Output = Wide;
    #[inline]
    fn shr(self, n: usize) -> Wide {
        let [a, b, c] = self.0;
        Wide([a >> n | b << (64 - n), b >> n | c << (64 - n), c >> n])
    }
}

/// The shape of the board as sets of cells.
#[derive(Clone, Debug)]
pub(super) struct Chains<C> {
    size: usize,
    pub(super) board: C,
    not_left: C,
    not_right: C,
    /// Where each player's chains begin: the top row, the left column.
    first: [C; 2],
    /// Where they must arrive: the bottom row, the right column.
    last: [C; 2],
}

impl<C: Cells> Chains<C> {
    pub(super) fn new(size: usize) -> Chains<C> {
        let set = |inside: &dyn Fn(usize, usize) -> bool| {
            let cells = (0..size * size).filter(|i| inside(i % size, i / size));
            cells.fold(C::default(), |set, cell| set | C::bit(cell))
        };
        Chains {
            size,
            board: set(&|_, _| true),
            not_left: set(&|x, _| x > 0),
            not_right: set(&|x, _| x + 1 < size),
            first: [set(&|_, y| y == 0), set(&|x, _| x == 0)],
            last: [set(&|_, y| y + 1 == size), set(&|x, _| x + 1 == size)],
        }
    }

    /// The cells and those around them; some may lie below the board.
    #[inline]
    fn around(&self, cells: C) -> C {
        let left = cells | (cells & self.not_left) >> 1;
        let right = cells | (cells & self.not_right) << 1;
        left | right | left << self.size | right >> self.size
    }

    /// Adds a stone to the connected set and returns whether the set reaches the last edge.
    ///
    /// The stone on `cell` joins if it touches the first edge or a connected stone; stones that touch
    /// it join with it. Every stone joins once, so a whole game costs no more than one search of the
    /// board.
    #[inline]
    pub(super) fn extend(&self, player: usize, cell: usize, stones: C, joined: &mut C) -> bool {
        let stone = C::bit(cell);
        let anchors = *joined | self.first[player] & stone;
        if self.around(stone) & anchors == C::default() {
            return false;
        }
        self.join(player, stone, stones, joined)
    }

    fn join(&self, player: usize, stone: C, stones: C, joined: &mut C) -> bool {
        let mut fresh = stone;
        while fresh != C::default() {
            *joined = *joined | fresh;
            fresh = self.around(fresh) & stones & !*joined;
        }
        *joined & self.last[player] != C::default()
    }

    /// The stones connected to the first edge, from scratch, and whether they reach the last.
    pub(super) fn search(&self, player: usize, stones: C) -> (C, bool) {
        let mut joined = C::default();
        let won = self.join(player, self.first[player] & stones, stones, &mut joined);
        (joined, won)
    }
}
