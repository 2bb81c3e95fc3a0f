//! The digits of a board, and what each adds to the indices of the tuples that read it.

use ludens_core::{CellGroup, CellLayout, Packing};
use std::collections::{BTreeMap, BTreeSet};

/// One digit of the board: a cell, or a group of cells with few joint states.
#[derive(Clone, Debug, Default)]
pub(super) struct Digit {
    /// The lookups that read it.
    pub(super) lookups: Vec<u32>,
    /// The same as bytes, if every lookup number fits one.
    pub(super) lookup_bytes: Vec<u8>,
    /// For each of its states, what it adds to the index of each of `lookups`.
    pub(super) strides: Vec<Vec<u32>>,
}

/// The board as groups of cells; each cell is a group of its own if the game names none.
pub(super) struct DigitLayout {
    groups: Vec<CellGroup>,
    /// For each cell, its group and its position there.
    cells: Vec<(usize, usize)>,
    /// Whether indices interleave the bits of all digits.
    bit_planes: bool,
}

/// The cells of a tuple that lie in one group: one digit of its index.
pub(super) struct TuplePart {
    cells: Vec<u16>,
    /// What each joint state of the cells adds to the index.
    pub(super) strides: BTreeMap<Vec<u8>, u32>,
}

impl DigitLayout {
    pub(super) fn new(layout: &CellLayout, packing: Option<Packing>) -> DigitLayout {
        let alone = |(cell, &values): (usize, &u8)| CellGroup {
            cells: vec![cell as u16],
            states: (0..values).map(|v| vec![v]).collect(),
        };
        let groups = if layout.groups.is_empty() {
            layout.values.iter().enumerate().map(alone).collect()
        } else {
            layout.groups.clone()
        };
        let mut cells = vec![(0, 0); layout.num_cells()];
        for (g, group) in groups.iter().enumerate() {
            for (i, &cell) in group.cells.iter().enumerate() {
                cells[usize::from(cell)] = (g, i);
            }
        }
        let bit_planes = packing.is_some_and(|packing| packing.bit_planes);
        DigitLayout { groups, cells, bit_planes }
    }

    /// The digits, which no lookup reads yet.
    pub(super) fn digits(&self) -> Vec<Digit> {
        let digit = |group: &CellGroup| Digit {
            strides: vec![Vec::new(); group.states.len()],
            ..Digit::default()
        };
        self.groups.iter().map(digit).collect()
    }

    /// The digits of a tuple's index, the lowest first, and the number of indices; nothing if that
    /// is more than 32 bits hold.
    pub(super) fn parts(&self, tuple: &[u16]) -> Option<(Vec<TuplePart>, u32)> {
        let mut by_group: Vec<(usize, Vec<u16>)> = Vec::new();
        for &cell in tuple {
            let group = self.cells[usize::from(cell)].0;
            match by_group.iter_mut().find(|(g, _)| *g == group) {
                Some((_, cells)) => cells.push(cell),
                None => by_group.push((group, vec![cell])),
            }
        }
        let (count, mut stride) = (by_group.len() as u32, 1u32);
        let part = |(position, (group, cells)): (u32, (usize, Vec<u16>))| {
            let joint = self.joint_states(group, &cells);
            let joint: BTreeSet<_> = joint.into_iter().collect();
            let next = stride.checked_mul(u32::try_from(joint.len()).ok()?)?;
            let mut strides: BTreeMap<_, _> = joint.into_iter().map(|state| (state, 0)).collect();
            for (added, id) in strides.values_mut().zip(0..) {
                *added = match self.bit_planes {
                    true => interleave(id, position, count),
                    false => id * stride,
                };
            }
            stride = next;
            Some(TuplePart { cells, strides })
        };
        let parts = (0..).zip(by_group).map(part).collect::<Option<Vec<_>>>()?;
        Some((parts, stride))
    }

    /// The values of `cells`, all of `group`, in each of the group's states.
    fn joint_states(&self, group: usize, cells: &[u16]) -> Vec<Vec<u8>> {
        let positions: Vec<usize> = cells.iter().map(|&c| self.cells[usize::from(c)].1).collect();
        let states = self.groups[group].states.iter();
        states.map(|state| positions.iter().map(|&i| state[i]).collect()).collect()
    }
}

impl TuplePart {
    /// Lets `lookup`, which sees the board under `symmetry`, read this part.
    pub(super) fn attach(
        &self,
        layout: &DigitLayout,
        symmetry: &[u16],
        lookup: u32,
        digits: &mut [Digit],
    ) {
        let mapped: Vec<u16> = self.cells.iter().map(|&c| symmetry[usize::from(c)]).collect();
        let group = layout.cells[usize::from(mapped[0])].0;
        let digit = &mut digits[group];
        digit.lookups.push(lookup);
        for (strides, joint) in digit.strides.iter_mut().zip(layout.joint_states(group, &mapped)) {
            let added = self.strides.get(&joint).expect("a symmetry maps groups to groups");
            strides.push(*added);
        }
    }
}

/// The bits of a digit, each so far from the next that those of `count` digits fit between.
fn interleave(digit: u32, position: u32, count: u32) -> u32 {
    let bits = 0..u32::BITS / count;
    bits.fold(0, |sum, bit| sum | (digit >> bit & 1) << (bit * count + position))
}
