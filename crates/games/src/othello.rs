//! Othello: a disc turns over all discs that it encloses.

mod bitboards;
mod fill;
mod notation;

use crate::bits::{CountedBits, write_cells};
use fill::Board;
use ludens_core::{
    AROUND, Bitboards, CellBoard, CellLayout, Game, Move, Packing, Player, Rewards, Rng, Turn,
    square_symmetries,
};
use ludens_simd::{Avx2, OthelloMove};

/// The rules for one size of the board.
///
/// Cells are bits, row by row from the top left; a move has the number of its cell, and passing
/// has the next one.
#[derive(Clone, Debug)]
pub struct Othello {
    size: usize,
    view: OthelloView,
    reward: Reward,
    avx2: Option<Avx2>,
}

/// How cells show empty places.
#[derive(Copy, Clone, Debug, PartialEq, Eq)]
enum OthelloView {
    Plain,
    Playable,
}

/// The reward at the end of the game.
#[derive(Copy, Clone, Debug, PartialEq, Eq)]
enum Reward {
    Outcome,
    Discs,
}

/// The discs of each player, the player to move and the playable cells.
#[derive(Copy, Clone, Debug, PartialEq, Eq, Hash)]
pub struct State {
    discs: [u64; 2],
    // These two follow from the discs and the last mover; stored because they are read often.
    turn: Turn,
    playable: u64,
}

impl State {
    fn mover(&self) -> Player {
        match self.turn {
            Turn::Player(player) => player,
            over => unreachable!("nobody is to move: {over:?}"),
        }
    }
}

impl Othello {
    fn pass(&self) -> Move {
        Move((self.size * self.size) as u32)
    }

    /// The cells where `own` may play.
    #[inline]
    fn playable(&self, own: u64, other: u64) -> u64 {
        match self.size {
            4 => Board::<4>::playable(self.avx2, own, other),
            6 => Board::<6>::playable(self.avx2, own, other),
            _ => Board::<8>::playable(self.avx2, own, other),
        }
    }

    /// What a disc of `own` on the cell `cell` does.
    #[inline]
    fn place(&self, cell: u32, own: u64, other: u64) -> OthelloMove {
        match self.size {
            4 => Board::<4>::play(self.avx2, cell, own, other),
            6 => Board::<6>::play(self.avx2, cell, own, other),
            _ => Board::<8>::play(self.avx2, cell, own, other),
        }
    }

    /// The state with these discs, `mover` next and the cells where they may play, or over if
    /// neither can play.
    #[inline]
    fn state(&self, discs: [u64; 2], mover: Player, playable: u64) -> State {
        let (own, other) = (discs[mover.index()], discs[mover.other().index()]);
        let over = playable == 0 && self.playable(other, own) == 0;
        State { discs, turn: if over { Turn::Over } else { Turn::Player(mover) }, playable }
    }

    /// The state with these discs and `mover` next, or over if neither can play.
    fn state_of(&self, discs: [u64; 2], mover: Player) -> State {
        let playable = self.playable(discs[mover.index()], discs[mover.other().index()]);
        self.state(discs, mover, playable)
    }

    fn final_rewards(&self, discs: [u64; 2]) -> Rewards {
        let [black, white] = discs.map(|discs| discs.count_ones() as f32);
        let amount = match self.reward {
            Reward::Outcome if black == white => 0.0,
            Reward::Outcome => (black - white).signum(),
            Reward::Discs => (black - white) / (self.size * self.size) as f32,
        };
        Rewards::zero_sum(Player(0), amount)
    }
}

impl Game for Othello {
    type State = State;

    fn num_players(&self) -> usize {
        2
    }

    fn num_moves(&self) -> usize {
        self.size * self.size + 1
    }

    fn reward_range(&self) -> Option<(f32, f32)> {
        Some((-1.0, 1.0))
    }

    fn start(&self) -> State {
        let middle = self.size / 2;
        let cell = |x: usize, y: usize| 1 << (y * self.size + x);
        let black = cell(middle, middle - 1) | cell(middle - 1, middle);
        let white = cell(middle - 1, middle - 1) | cell(middle, middle);
        self.state_of([black, white], Player(0))
    }

    #[inline]
    fn turn(&self, state: &State) -> Turn {
        state.turn
    }

    #[inline]
    fn legal_moves(&self, state: &State, out: &mut Vec<Move>) {
        if state.turn == Turn::Over {
            return;
        }
        if state.playable == 0 {
            out.push(self.pass());
        }
        let mut left = state.playable;
        while left != 0 {
            out.push(Move(left.trailing_zeros()));
            left &= left - 1;
        }
    }

    #[inline]
    fn play(&self, state: &mut State, mv: Move) -> Rewards {
        let me = state.mover();
        let mut discs = state.discs;
        let (own, other) = (discs[me.index()], discs[me.other().index()]);
        let playable = if mv == self.pass() {
            self.playable(other, own)
        } else {
            let placed = self.place(mv.0, own, other);
            discs[me.index()] = own | 1 << mv.0 | placed.turned;
            discs[me.other().index()] = other & !placed.turned;
            placed.playable
        };
        *state = self.state(discs, me.other(), playable);
        if state.turn == Turn::Over { self.final_rewards(discs) } else { Rewards::NONE }
    }

    #[inline]
    fn count_legal_moves(&self, state: &State, _: &mut Vec<Move>) -> usize {
        let pass = usize::from(state.playable == 0 && state.turn != Turn::Over);
        state.playable.count_ones() as usize + pass
    }

    #[inline]
    fn random_move(&self, state: &State, rng: &mut Rng, _: &mut Vec<Move>) -> Move {
        let playable = CountedBits::new(state.playable);
        let count = playable.count();
        let drawn = rng.below(count.max(1));
        if count == 0 { self.pass() } else { Move(playable.nth(drawn)) }
    }
}

/// The shapes of the tuple set `rectangles-lines`; symmetries turn them in all directions.
const RECTANGLE: [(usize, usize); 6] = [(0, 0), (1, 0), (2, 0), (0, 1), (1, 1), (2, 1)];
const LINE: [(usize, usize); 6] = [(0, 0), (1, 0), (2, 0), (3, 0), (4, 0), (5, 0)];
const DIAGONAL: [(usize, usize); 6] = [(0, 0), (1, 1), (2, 2), (3, 3), (4, 4), (5, 5)];

impl CellBoard for Othello {
    fn layout(&self) -> CellLayout {
        let values = match self.view {
            OthelloView::Plain => 3,
            OthelloView::Playable => 4,
        };
        CellLayout::grid(self.size, self.size, values)
            .with_symmetries(square_symmetries(self.size))
            .with_neighbours(&AROUND)
            .with_tuple_shapes("rectangles-lines", &[&RECTANGLE, &LINE, &DIAGONAL])
    }

    #[inline]
    fn read_cells(&self, state: &State, pov: Player, cells: &mut [u8]) {
        let playable = if self.view == OthelloView::Playable { state.playable } else { 0 };
        let ones = state.discs[pov.index()] | playable;
        let twos = state.discs[pov.other().index()] | playable;
        write_cells(ones, twos, cells);
    }

    fn map_move(&self, symmetry: usize, mv: Move) -> Move {
        match square_symmetries(self.size)[symmetry].get(mv.0 as usize) {
            Some(&cell) => Move(cell.into()),
            None => self.pass(),
        }
    }

    /// A quarter turn of the board swaps the colours of the start.
    fn map_start(&self, symmetry: usize) -> State {
        let carry = &square_symmetries(self.size)[symmetry];
        let carried = |discs: u64| {
            let bits = (0..carry.len()).map(|i| (discs >> i & 1) << carry[i]);
            bits.sum()
        };
        self.state_of(self.start().discs.map(carried), Player(0))
    }
}

impl Bitboards for Othello {
    #[inline]
    fn packing(&self) -> Option<Packing> {
        let packed = self.size == 8 && self.view == OthelloView::Playable;
        packed.then_some(Packing { bits_per_cell: 2, bit_planes: false })
    }

    #[inline]
    fn write_bitboards(&self, state: &State, pov: Player, images: &mut [[u64; 2]]) {
        let ones = state.discs[pov.index()] | state.playable;
        let twos = state.discs[pov.other().index()] | state.playable;
        bitboards::write(ones, twos, images);
    }
}

#[cfg(test)]
mod tests;
