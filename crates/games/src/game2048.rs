//! Slide and merge numbered tiles on a 4x4 board.

mod bitboards;
mod large;
mod notation;
mod rows;

use large::spread;
use ludens_core::{
    Afterstate, CellBoard, CellLayout, Event, Game, Move, Player, Rewards, Rng, Turn, set_bits,
    square_symmetries,
};
use rows::Rows;
use std::fmt;

/// The rules of 2048; there are no settings.
#[derive(Clone, Debug)]
pub struct Game2048 {
    rows: &'static Rows,
}

/// The tiles, and whether chance is to add one.
///
/// A tile 2^e has the exponent e; empty cells have 0. Cells are counted row by row:
///
/// ```text
///  bits     80       79..64    63..60 59..56 ... 19..16 15..12 11..8 7..4 3..0
///         chance  fifth bits     d4     c4   ...   a2     d1     c1   b1   a1
/// ```
///
/// The lowest bits are the last four of each exponent. Fifth bits, the first cell's lowest, belong to
/// tiles from 65536 on: they are zero in nearly all games.
///
/// One number instead of three fields: copying a state that was just written stalls the processor
/// less (store forwarding).
#[derive(Copy, Clone, PartialEq, Eq, Hash)]
pub struct State(u128);

const SIDE: usize = 4;
const CELLS: usize = SIDE * SIDE;

/// The lowest bit of each cell.
const EACH: u64 = 0x1111_1111_1111_1111;
/// Cells that have a neighbour to the right.
const HAS_RIGHT: u64 = 0x0111_0111_0111_0111;
/// Cells that have a neighbour below.
const HAS_BELOW: u64 = 0x0000_1111_1111_1111;

/// The largest exponent of a cell: larger tiles read as 32768.
///
/// So a cell has four bits and weight tables stay small. No known learner makes larger tiles without
/// search.
const LARGEST: u8 = 15;
const LARGEST_BITS: u64 = LARGEST as u64;

/// The directions are numbered clockwise, so that a quarter turn adds one.
const UP: u32 = 0;
const RIGHT: u32 = 1;
const DOWN: u32 = 2;
const LEFT: u32 = 3;

/// For each set of directions, their number and the directions.
static MEMBERS: [(u8, [u8; 4]); 16] = {
    let mut table = [(0, [0; 4]); 16];
    let mut set = 0usize;
    while set < 16 {
        let [first, second, third, fourth, ..] = set_bits(set as u8);
        table[set] = (set.count_ones() as u8, [first, second, third, fourth]);
        set += 1;
    }
    table
};

impl State {
    #[inline]
    const fn new(low: u64, high: u16, chance: bool) -> State {
        State(low as u128 | (high as u128) << 64 | (chance as u128) << 80)
    }

    /// The last four bits of each exponent.
    #[inline]
    const fn low(&self) -> u64 {
        self.0 as u64
    }

    /// The fifth bit of each exponent.
    #[inline]
    const fn high(&self) -> u16 {
        (self.0 >> 64) as u16
    }

    /// Whether chance is to add a tile.
    #[inline]
    const fn chance(&self) -> bool {
        self.0 >> 80 & 1 == 1
    }

    /// The exponents, four bits each, the first cell lowest, unless one is larger.
    #[inline]
    pub fn packed(&self) -> Option<u64> {
        (self.high() == 0).then_some(self.low())
    }

    /// The exponent of the tile on a cell.
    #[inline]
    fn exponent(&self, cell: usize) -> u8 {
        (self.low() >> (4 * cell) & 15) as u8 | ((self.high() >> cell & 1) as u8) << 4
    }

    fn set(&mut self, cell: usize, exponent: u8) {
        let low = self.low() & !(15 << (4 * cell)) | u64::from(exponent & 15) << (4 * cell);
        let high = self.high() & !(1 << cell) | u16::from(exponent >> 4) << cell;
        *self = State::new(low, high, self.chance());
    }

    /// The fifth bits, each at the lowest bit of its cell.
    #[inline]
    fn spread_high(&self) -> u64 {
        if self.high() == 0 { 0 } else { spread(self.high()) }
    }

    /// The exponents as cells, four bits each: at most [`LARGEST`].
    #[inline(always)]
    fn clamped(&self) -> u64 {
        self.low() | if self.high() == 0 { 0 } else { LARGEST_BITS * spread(self.high()) }
    }

    /// The lowest bit of each cell that holds a tile.
    #[inline]
    fn filled(&self) -> u64 {
        any_of_four(self.low()) | self.spread_high()
    }

    /// The directions that move a tile, as a set of move ids.
    #[inline]
    fn directions(&self) -> usize {
        let (low, high) = (self.low(), self.spread_high());
        let filled = any_of_four(low) | high;
        let ways = |shift: u32, pairs: u64| {
            let next = filled >> shift;
            let differ = any_of_four(low ^ low >> shift) | (high ^ high >> shift);
            let merges = filled & !differ & pairs;
            let forth = merges | filled & !next & pairs;
            let back = merges | next & !filled & pairs;
            [forth, back].map(|some| usize::from(some != 0))
        };
        let ([right, left], [down, up]) = (ways(4, HAS_RIGHT), ways(16, HAS_BELOW));
        up << UP | right << RIGHT | down << DOWN | left << LEFT
    }
}

/// The lowest bit of each cell that has any of its four bits set.
#[inline]
fn any_of_four(cells: u64) -> u64 {
    let pairs = cells | cells >> 2;
    (pairs | pairs >> 1) & EACH
}

/// How many of these sixteen counts, each of four bits, are no larger than `most`.
#[inline]
fn cells_up_to(counts: u64, most: u64) -> u64 {
    const BYTES: u64 = 0x0101_0101_0101_0101;
    const TOPS: u64 = 0x80 * BYTES;
    const FIRSTS: u64 = 0x0f * BYTES;
    // Every other count has a byte to itself: the top bit stays where it is no larger.
    let most = (most * BYTES) | TOPS;
    let firsts = (most - (counts & FIRSTS)) & TOPS;
    let seconds = (most - (counts >> 4 & FIRSTS)) & TOPS;
    ((firsts >> 7) + (seconds >> 7)).wrapping_mul(BYTES) >> 56
}

/// Swaps the bits under the mask with those `shift` above them (delta swap).
#[inline]
fn swap(bits: u64, mask: u64, shift: u32) -> u64 {
    let differ = (bits ^ bits >> shift) & mask;
    bits ^ differ ^ differ << shift
}

/// The board with rows and columns swapped.
#[inline]
fn transposed(cells: u64) -> u64 {
    swap(swap(cells, 0x0000_f0f0_0000_f0f0, 12), 0x0000_0000_ff00_ff00, 24)
}

impl fmt::Debug for State {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "State({:016x}, {:04x}, {})", self.low(), self.high(), self.chance())
    }
}

impl Default for Game2048 {
    fn default() -> Game2048 {
        Game2048 { rows: Rows::shared() }
    }
}

impl Game for Game2048 {
    type State = State;

    fn num_players(&self) -> usize {
        1
    }

    fn num_moves(&self) -> usize {
        4
    }

    fn reward_range(&self) -> Option<(f32, f32)> {
        Some((0.0, f32::INFINITY))
    }

    fn start(&self) -> State {
        State::new(0, 0, true)
    }

    #[inline(always)]
    fn turn(&self, state: &State) -> Turn {
        if state.chance() {
            return Turn::Chance;
        }
        // While a cell is empty, some tile beside an empty cell can move there.
        let stuck = state.filled() == EACH && state.directions() == 0;
        if stuck { Turn::Over } else { Turn::Player(Player(0)) }
    }

    #[inline]
    fn legal_moves(&self, state: &State, out: &mut Vec<Move>) {
        if !state.chance() {
            let (count, which) = MEMBERS[state.directions()];
            out.extend(which[..count.into()].iter().map(|&direction| Move(direction.into())));
        }
    }

    #[inline]
    fn play(&self, state: &mut State, mv: Move) -> Rewards {
        let (mut low, mut gained) = self.rows.slide(state.low(), mv.0);
        // Only merges with so large a reward can make a tile with a fifth bit.
        if state.high() != 0 || gained >= 1 << 16 {
            gained = state.slide_large(mv.0);
            low = state.low();
        }
        *state = State::new(low, state.high(), true);
        Rewards::only(Player(0), gained as f32)
    }

    #[inline(always)]
    fn each_afterstate(
        &self,
        state: &State,
        _: &mut Vec<Move>,
        mut visit: impl FnMut(Afterstate<'_, State>),
    ) {
        let (mut all, mut highs) = (self.rows.slide_all(state.low()), [0; 4]);
        // Only merges with so large a reward can make a tile with a fifth bit.
        if state.high() != 0 || all.iter().fold(0, |bits, (_, gained)| bits | gained) >= 1 << 16 {
            (all, highs) = state.slide_all_large();
        }
        for (direction, ((low, gained), high)) in all.into_iter().zip(highs).enumerate() {
            if low != state.low() || high != state.high() {
                let (mv, after) = (Move(direction as u32), State::new(low, high, true));
                let rewards = Rewards::only(Player(0), gained as f32);
                visit(Afterstate { mv, state: &after, rewards, turn: Turn::Chance });
            }
        }
    }

    fn has_chance(&self) -> bool {
        true
    }

    fn events(&self, state: &State, out: &mut Vec<(Event, f32)>) {
        if state.chance() {
            let empty = (0..CELLS).filter(|&cell| state.exponent(cell) == 0);
            let share = 1.0 / empty.clone().count() as f32;
            let tiles = |cell| [(tile(cell, false), 0.9 * share), (tile(cell, true), 0.1 * share)];
            out.extend(empty.flat_map(tiles));
        }
    }

    #[inline]
    fn resolve(&self, state: &mut State, event: Event) -> Rewards {
        // The game begins with two tiles.
        let (low, high) = (state.low(), state.high());
        let tile = (1 + u64::from(event.0 & 1)) << (event.0 / 2 * 4);
        *state = State::new(low | tile, high, low == 0 && high == 0);
        Rewards::NONE
    }

    /// One random number decides both. Multiplied by the number of empty cells, its integer part
    /// gives the cell and its fraction the tile.
    #[inline(always)]
    fn draw(&self, state: &State, rng: &mut Rng) -> Event {
        let empty = EACH & !state.filled();
        let counts = empty.wrapping_mul(EACH);
        // Four bits cannot count to sixteen.
        let all = if empty == EACH { CELLS as u64 } else { counts >> 60 };
        let drawn = u128::from(rng.bits()) * u128::from(all);
        let (nth, rest) = ((drawn >> 64) as u64, drawn as u64);
        let cell = if empty == EACH { nth } else { cells_up_to(counts, nth) };
        tile(cell as usize, rest <= u64::MAX / 10)
    }

    #[inline]
    fn random_move(&self, state: &State, rng: &mut Rng, _: &mut Vec<Move>) -> Move {
        let (count, which) = &MEMBERS[state.directions()];
        Move(which[rng.below(usize::from(*count)) & 3].into())
    }
}

/// Rows and squares, modulo symmetry (Szubert and Jaskowski 2014).
const FIVE_4: [&[u16]; 5] =
    [&[0, 1, 2, 3], &[4, 5, 6, 7], &[0, 1, 4, 5], &[1, 2, 5, 6], &[5, 6, 9, 10]];

/// The four tuples of Wu and others (2014, figure 3c), and four of other shapes.
const EIGHT_6: [&[u16]; 8] = [
    &[0, 4, 8, 1, 5, 9],
    &[1, 5, 9, 2, 6, 10],
    &[2, 6, 9, 10, 13, 14],
    &[3, 7, 10, 11, 14, 15],
    &[0, 1, 2, 5, 9, 10],
    &[3, 4, 5, 6, 7, 8],
    &[1, 3, 4, 5, 6, 7],
    &[1, 4, 8, 9, 10, 12],
];

impl CellBoard for Game2048 {
    fn layout(&self) -> CellLayout {
        CellLayout::grid(SIDE, SIDE, 1 + LARGEST)
            .with_symmetries(square_symmetries(SIDE))
            .with_tuple_set("five-4", &FIVE_4)
            .with_tuple_set("four-6", &EIGHT_6[..4])
            .with_tuple_set("eight-6", &EIGHT_6)
    }

    #[inline]
    fn read_cells(&self, state: &State, _: Player, cells: &mut [u8]) {
        for (i, cell) in cells.iter_mut().enumerate() {
            *cell = state.exponent(i).min(LARGEST);
        }
    }

    fn map_move(&self, symmetry: usize, mv: Move) -> Move {
        let mirrored = if symmetry < 4 { mv.0 } else { (4 - mv.0) % 4 };
        Move((mirrored + symmetry as u32) % 4)
    }

    fn map_event(&self, symmetry: usize, event: Event) -> Event {
        let cell = square_symmetries(SIDE)[symmetry][event.0 as usize / 2];
        tile(cell.into(), event.0 % 2 == 1)
    }
}

/// The event that puts a 2, or a 4, on a cell.
#[inline]
fn tile(cell: usize, four: bool) -> Event {
    Event(2 * cell as u32 + u32::from(four))
}

#[cfg(test)]
mod tests;
