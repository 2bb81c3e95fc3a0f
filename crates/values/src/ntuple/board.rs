//! The digits of a board, and what they add to indices.

use ludens_core::{CellGroup, CellLayout};
use std::collections::BTreeMap;

/// What one digit of the board contributes to the indices of the look-ups that read it.
#[derive(Clone, Debug, Default)]
pub(super) struct Digit {
    /// The look-ups that read it.
    pub(super) looks: Vec<u32>,
    /// The same as bytes, if they have room there.
    pub(super) near: Vec<u8>,
    /// For each of its states, what it adds to the index of each of `looks`.
    pub(super) steps: Vec<Vec<u32>>,
}

impl Digit {
    /// What each of its states adds to the index of a look-up that reads it.
    pub(super) fn steps_of(&self, look: usize) -> Vec<u32> {
        let place = self.looks.iter().position(|&other| other as usize == look);
        self.steps.iter().map(|steps| place.map_or(0, |place| steps[place])).collect()
    }
}

/// The board as groups of cells, each cell alone if the game names no groups.
pub(super) struct Board {
    groups: Vec<CellGroup>,
    /// For each cell, its group and its place there.
    places: Vec<(usize, usize)>,
    /// Whether the bits of all digits are interleaved.
    planes: bool,
}

/// The cells of a tuple that lie in one group: one digit of its index.
pub(super) struct Part {
    cells: Vec<u16>,
    /// What each joint state of the cells adds to the index.
    pub(super) steps: BTreeMap<Vec<u8>, u32>,
}

impl Board {
    pub(super) fn new(layout: &CellLayout) -> Board {
        let alone = |(cell, &values): (usize, &u8)| CellGroup {
            cells: vec![cell as u16],
            states: (0..values).map(|v| vec![v]).collect(),
        };
        let groups = if layout.groups.is_empty() {
            layout.values.iter().enumerate().map(alone).collect()
        } else {
            layout.groups.clone()
        };
        let mut places = vec![(0, 0); layout.num_cells()];
        for (g, group) in groups.iter().enumerate() {
            for (i, &cell) in group.cells.iter().enumerate() {
                places[usize::from(cell)] = (g, i);
            }
        }
        Board { groups, places, planes: layout.planes }
    }

    /// The digits, read by nothing yet.
    pub(super) fn digits(&self) -> Vec<Digit> {
        let digit = |group: &CellGroup| Digit {
            looks: Vec::new(),
            near: Vec::new(),
            steps: vec![Vec::new(); group.states.len()],
        };
        self.groups.iter().map(digit).collect()
    }

    /// The digits of a tuple's index, the lowest first.
    pub(super) fn parts(&self, tuple: &[u16]) -> Vec<Part> {
        let mut by_group: Vec<(usize, Vec<u16>)> = Vec::new();
        for &cell in tuple {
            let group = self.places[usize::from(cell)].0;
            match by_group.iter_mut().find(|(g, _)| *g == group) {
                Some((_, cells)) => cells.push(cell),
                None => by_group.push((group, vec![cell])),
            }
        }
        let (count, mut stride) = (by_group.len() as u32, 1u32);
        let part = |(place, (group, cells)): (u32, (usize, Vec<u16>))| {
            let joint = self.joint_states(group, &cells);
            let mut steps: BTreeMap<_, _> = joint.into_iter().map(|state| (state, 0)).collect();
            for (step, id) in steps.values_mut().zip(0..) {
                *step = if self.planes { interleaved(id, place, count) } else { id * stride };
            }
            stride = stride.wrapping_mul(steps.len() as u32);
            Part { cells, steps }
        };
        (0..).zip(by_group).map(part).collect()
    }

    /// The values of `cells`, all of `group`, in each of the group's states.
    fn joint_states(&self, group: usize, cells: &[u16]) -> Vec<Vec<u8>> {
        let places: Vec<usize> = cells.iter().map(|&c| self.places[usize::from(c)].1).collect();
        let states = self.groups[group].states.iter();
        states.map(|state| places.iter().map(|&i| state[i]).collect()).collect()
    }
}

impl Part {
    /// Lets `look`, which sees the board under `symmetry`, read this part.
    pub(super) fn join(&self, board: &Board, symmetry: &[u16], look: u32, digits: &mut [Digit]) {
        let carried: Vec<u16> = self.cells.iter().map(|&c| symmetry[usize::from(c)]).collect();
        let group = board.places[usize::from(carried[0])].0;
        let digit = &mut digits[group];
        digit.looks.push(look);
        for (steps, joint) in digit.steps.iter_mut().zip(board.joint_states(group, &carried)) {
            let step = self.steps.get(&joint).expect("a symmetry carries groups to groups");
            steps.push(*step);
        }
    }
}

/// The bits of a digit, each so far from the next that those of `count` digits have room.
pub(super) fn interleaved(digit: u32, place: u32, count: u32) -> u32 {
    (0..u32::BITS / count).fold(0, |sum, bit| sum | (digit >> bit & 1) << (bit * count + place))
}
