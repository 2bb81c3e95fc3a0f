//! Runs of discs on a bitboard, found for all cells at once by Kogge-Stone fills.
//!
//! Each step of a fill doubles its reach (parallel prefix).

/// All cells.
const fn board<const SIZE: u32>() -> u64 {
    u64::MAX >> (64 - SIZE * SIZE)
}

/// The cells with a neighbour on both sides: a run through them stays in its row.
const fn inner_columns<const SIZE: u32>() -> u64 {
    let inner = (1 << (SIZE - 1)) - 2;
    let (mut columns, mut row) = (0, 0);
    while row < SIZE {
        columns |= inner << (row * SIZE);
        row += 1;
    }
    columns
}

/// The four axes: the step to the next cell in bits, and the cells a run may cross.
#[inline]
fn axes<const SIZE: u32>(other: u64) -> [(u32, u64); 4] {
    let inner = other & const { inner_columns::<SIZE>() };
    [(1, inner), (SIZE, other), (SIZE - 1, inner), (SIZE + 1, inner)]
}

/// The cells where `own` may play: empty, at the far end of a run of `other`.
#[inline]
pub(super) fn playable<const SIZE: u32>(own: u64, other: u64) -> u64 {
    let mut ends = 0;
    for (step, through) in axes::<SIZE>(other) {
        ends |= run_up(own, through, step) << step;
        ends |= run_down(own, through, step) >> step;
    }
    ends & const { board::<SIZE>() } & !(own | other)
}

/// The runs of `other` between the cell `at` and discs of `own`.
#[inline]
pub(super) fn turned<const SIZE: u32>(at: u64, own: u64, other: u64) -> u64 {
    let mut turned = 0;
    for (step, through) in axes::<SIZE>(other) {
        let up = run_up(at, through, step);
        let down = run_down(at, through, step);
        turned |= if up << step & own != 0 { up } else { 0 };
        turned |= if down >> step & own != 0 { down } else { 0 };
    }
    turned
}

/// Up to six cells of `through` in a row from `from`, towards higher bits.
#[inline]
fn run_up(from: u64, through: u64, step: u32) -> u64 {
    let pairs = through & through << step;
    let mut run = through & from << step;
    run |= through & run << step;
    run |= pairs & run << (2 * step);
    run | pairs & run << (2 * step)
}

/// Up to six cells of `through` in a row from `from`, towards lower bits.
#[inline]
fn run_down(from: u64, through: u64, step: u32) -> u64 {
    let pairs = through & through >> step;
    let mut run = through & from >> step;
    run |= through & run >> step;
    run |= pairs & run >> (2 * step);
    run | pairs & run >> (2 * step)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn runs_do_not_cross_the_side_of_the_board() {
        let (own, other) = (0b10 << 6, 0b1 << 8);
        assert_eq!(playable::<8>(own, other), 0, "h1 and a2 are no neighbours");
        assert_eq!(playable::<8>(0b1, 0b0111_1110), 0b1000_0000);
        assert_eq!(turned::<8>(0b1000_0000, 0b1, 0b0111_1110), 0b0111_1110);
        assert_eq!(playable::<4>(0b1, 0b0110), 0b1000);
    }

    #[test]
    fn boards_have_as_many_cells_as_they_should() {
        assert_eq!([board::<4>(), board::<6>(), board::<8>()].map(u64::count_ones), [16, 36, 64]);
        assert_eq!(inner_columns::<8>(), 0x7e7e_7e7e_7e7e_7e7e);
        assert_eq!(inner_columns::<4>(), 0x6666);
    }
}
