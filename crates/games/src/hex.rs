//! Hex: connect your two edges on a board of hexagons.

mod chains;
mod notation;

use crate::bits::{CountedBits, write_cells};
use chains::{Chains, Wide};
use ludens_core::{Bitboards, CellBoard, CellLayout, Game, Move, Player, Rewards, Rng, Turn};
use std::hash::{Hash, Hasher};

/// The rules: the size of the board, and the swap rule.
#[derive(Clone, Debug)]
pub struct Hex {
    size: usize,
    swap: bool,
    /// For boards that fit into one word.
    narrow: Chains<u64>,
    wide: Chains<Wide>,
}

/// The stones of each player, one bit per cell row by row, and the mover.
#[derive(Copy, Clone, Debug, PartialEq, Eq)]
pub struct State {
    stones: [Wide; 2],
    /// The stones connected to the player's first edge. Follows from `stones`.
    joined: [Wide; 2],
    mover: Player,
    /// Whether the player who moved last has connected the edges. Follows from `stones`.
    won: bool,
}

/// Hashes only the stones and the player to move; the rest follows from the stones.
impl Hash for State {
    fn hash<H: Hasher>(&self, hasher: &mut H) {
        (self.stones, self.mover).hash(hasher);
    }
}

/// The largest board that fits into one word.
const NARROW: usize = 8;

/// The six cells around a cell, as columns and rows.
const HEXAGON: [(isize, isize); 6] = [(0, -1), (1, -1), (-1, 0), (1, 0), (-1, 1), (0, 1)];

impl Hex {
    fn new(size: usize, swap: bool) -> Hex {
        // Boards too large for one word do not use these masks.
        let narrow = Chains::new(size.min(NARROW));
        Hex { size, swap, narrow, wide: Chains::new(size) }
    }

    fn num_cells(&self) -> usize {
        self.size * self.size
    }

    fn swap_move(&self) -> Move {
        Move(self.num_cells() as u32)
    }

    fn empty(&self, state: &State) -> Wide {
        self.wide.board & !(state.stones[0] | state.stones[1])
    }

    fn empty_narrow(&self, state: &State) -> u64 {
        self.narrow.board & !(state.stones[0].0[0] | state.stones[1].0[0])
    }

    /// Whether the second player may take over the first stone.
    fn may_swap(&self, state: &State) -> bool {
        let [first, second] = state.stones;
        self.swap && first.count() == 1 && second == Wide::default()
    }

    /// The cell with column and row swapped, which also swaps the players' edges.
    fn mirrored(&self, cell: usize) -> usize {
        cell % self.size * self.size + cell / self.size
    }

    /// Puts a stone of the mover on an empty cell.
    #[inline]
    fn put(&self, state: &mut State, cell: usize) {
        let me = state.mover.index();
        let (stones, joined) = (&mut state.stones[me], &mut state.joined[me]);
        state.won = if self.size <= NARROW {
            stones.0[0] |= 1 << cell;
            self.narrow.extend(me, cell, stones.0[0], &mut joined.0[0])
        } else {
            *stones = *stones | Wide::bit(cell);
            self.wide.extend(me, cell, *stones, joined)
        };
        state.mover = state.mover.other();
    }

    /// The first stone changes its colour and, with the edges, its place.
    fn take_over(&self, state: &mut State) {
        let first = state.stones[0].places().next().expect("there is a stone to swap");
        *state = State { mover: Player(1), ..self.start() };
        self.put(state, self.mirrored(first));
    }
}

impl Game for Hex {
    type State = State;

    fn num_players(&self) -> usize {
        2
    }

    fn num_moves(&self) -> usize {
        self.num_cells() + usize::from(self.swap)
    }

    fn reward_range(&self) -> Option<(f32, f32)> {
        Some((-1.0, 1.0))
    }

    fn start(&self) -> State {
        let none = [Wide::default(); 2];
        State { stones: none, joined: none, mover: Player(0), won: false }
    }

    #[inline]
    fn turn(&self, state: &State) -> Turn {
        if state.won { Turn::Over } else { Turn::Player(state.mover) }
    }

    #[inline]
    fn legal_moves(&self, state: &State, out: &mut Vec<Move>) {
        if state.won {
            return;
        }
        out.extend(self.empty(state).places().map(|cell| Move(cell as u32)));
        out.extend(self.may_swap(state).then(|| self.swap_move()));
    }

    #[inline]
    fn play(&self, state: &mut State, mv: Move) -> Rewards {
        let me = state.mover;
        if mv == self.swap_move() {
            self.take_over(state);
        } else {
            self.put(state, mv.0 as usize);
        }
        if state.won { Rewards::win(me) } else { Rewards::NONE }
    }

    #[inline]
    fn random_move(&self, state: &State, rng: &mut Rng, _: &mut Vec<Move>) -> Move {
        let swaps = usize::from(self.swap && self.may_swap(state));
        if self.size <= NARROW {
            let empty = CountedBits::new(self.empty_narrow(state));
            let n = rng.below(empty.count() + swaps);
            return if n < empty.count() { Move(empty.nth(n)) } else { self.swap_move() };
        }
        let empty = self.empty(state);
        let n = rng.below(empty.count() + swaps);
        if n < empty.count() { Move(empty.nth(n) as u32) } else { self.swap_move() }
    }
}

impl CellBoard for Hex {
    fn layout(&self) -> CellLayout {
        let cells = 0..self.num_cells() as u16;
        let turned = cells.clone().rev().collect();
        CellLayout::grid(self.size, self.size, 3)
            .with_symmetries(vec![cells.collect(), turned])
            .with_neighbours(&HEXAGON)
    }

    #[inline]
    fn read_cells(&self, state: &State, pov: Player, cells: &mut [u8]) {
        let [mine, theirs] = [pov, pov.other()].map(|p| state.stones[p.index()].0);
        for (part, (mine, theirs)) in cells.chunks_mut(64).zip(mine.into_iter().zip(theirs)) {
            write_cells(mine, theirs, part);
        }
    }

    /// With column and row swapped, the second player joins the first player's edges.
    fn turned_board(&self) -> Option<Vec<u16>> {
        Some((0..self.num_cells()).map(|cell| self.mirrored(cell) as u16).collect())
    }

    fn map_move(&self, symmetry: usize, mv: Move) -> Move {
        let stays = symmetry == 0 || mv == self.swap_move();
        if stays { mv } else { Move(self.num_cells() as u32 - 1 - mv.0) }
    }
}

impl Bitboards for Hex {}

#[cfg(test)]
mod tests;
