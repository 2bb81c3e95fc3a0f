//! Features of a state, for linear functions and networks.

use crate::{CellLayout, Game, Player};

/// A named set of features of a state.
///
/// A game lists its own in [`Notation::features`](crate::Notation::features). Every game also has
/// [`CellFeatures`].
pub struct FeatureSet<G: Game> {
    /// The name, such as `lines`.
    pub name: &'static str,
    /// A description in one sentence.
    pub about: &'static str,
    /// The number of features.
    pub len: fn(&G) -> usize,
    /// Writes the features of a state as the player sees it.
    pub read: fn(&G, &G::State, Player, &mut [f32]),
    /// A description of each feature.
    pub names: fn(&G) -> Vec<String>,
}

/// The cells of any board as features.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct CellFeatures {
    kind: CellFeatureKind,
    /// How many values each cell can take.
    values: Vec<u8>,
}

/// How cells become features.
#[derive(Copy, Clone, Debug, PartialEq, Eq)]
pub enum CellFeatureKind {
    /// One number for each cell (Ghory 2004).
    ///
    /// Cells of three or four values are empty (0), own (1), another's (-1) or empty in a special way
    /// (0). With any other number of values, the values lie evenly from 0 to 1.
    Signed,
    /// One number for each cell and value: 1 for the value that the cell has, else 0.
    OneHot,
}

impl CellFeatureKind {
    /// All kinds, with their names.
    pub const NAMED: [(&'static str, CellFeatureKind); 2] =
        [("cells", CellFeatureKind::Signed), ("one-hot", CellFeatureKind::OneHot)];
}

impl CellFeatures {
    /// The features of boards with this layout.
    pub fn new(kind: CellFeatureKind, layout: &CellLayout) -> CellFeatures {
        CellFeatures { kind, values: layout.values.clone() }
    }

    /// The number of features.
    pub fn len(&self) -> usize {
        match self.kind {
            CellFeatureKind::Signed => self.values.len(),
            CellFeatureKind::OneHot => self.values.iter().map(|&n| usize::from(n)).sum(),
        }
    }

    /// Whether there are no features.
    pub fn is_empty(&self) -> bool {
        self.len() == 0
    }

    /// Writes the features of a board with these cells.
    #[inline]
    pub fn read(&self, cells: &[u8], out: &mut [f32]) {
        match self.kind {
            CellFeatureKind::Signed => {
                for (out, (&cell, &values)) in out.iter_mut().zip(cells.iter().zip(&self.values)) {
                    *out = signed(cell, values);
                }
            }
            CellFeatureKind::OneHot => {
                out.fill(0.0);
                let mut start = 0;
                for (&cell, &values) in cells.iter().zip(&self.values) {
                    out[start + usize::from(cell)] = 1.0;
                    start += usize::from(values);
                }
            }
        }
    }

    /// A description of each feature; cells are counted from zero.
    pub fn names(&self) -> Vec<String> {
        let cells = self.values.iter().enumerate();
        match self.kind {
            CellFeatureKind::Signed => cells.map(|(i, _)| format!("cell {i}")).collect(),
            CellFeatureKind::OneHot => {
                cells.flat_map(|(i, &n)| (0..n).map(move |v| format!("cell {i} is {v}"))).collect()
            }
        }
    }
}

#[inline]
fn signed(cell: u8, values: u8) -> f32 {
    match values {
        3 | 4 => [0.0, 1.0, -1.0, 0.0][usize::from(cell)],
        _ => f32::from(cell) / f32::from(values.max(2) - 1),
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn read(kind: CellFeatureKind, values: &[u8], cells: &[u8]) -> Vec<f32> {
        let layout = CellLayout { values: values.into(), ..CellLayout::grid(values.len(), 1, 3) };
        let features = CellFeatures::new(kind, &layout);
        assert_eq!(features.names().len(), features.len());
        let mut out = vec![9.0; features.len()];
        features.read(cells, &mut out);
        out
    }

    #[test]
    fn own_and_other_pieces_have_opposite_signs() {
        let read = |values| read(CellFeatureKind::Signed, &[values; 3], &[0, 1, 2]);
        assert_eq!((read(3), read(4)), (vec![0.0, 1.0, -1.0], vec![0.0, 1.0, -1.0]));
    }

    #[test]
    fn cells_of_many_values_are_spread_evenly() {
        assert_eq!(read(CellFeatureKind::Signed, &[2, 5, 1], &[1, 3, 0]), [1.0, 0.75, 0.0]);
    }

    #[test]
    fn each_value_of_a_cell_has_a_number_of_its_own() {
        let expected = [0.0, 0.0, 1.0, 1.0, 0.0];
        assert_eq!(read(CellFeatureKind::OneHot, &[3, 2], &[2, 0]), expected);
    }
}
