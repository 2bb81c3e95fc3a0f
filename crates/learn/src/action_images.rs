//! Which weights belong to a move on each symmetric image of the board.

use ludens_core::{CellBoard, Invalid, Move};

/// The weights of moves in an n-tuple network of action values with symmetries.
///
/// A symmetric board calls for the symmetric move, so the sum of Q(s, a) is that of w\[g a\](g s)
/// over all symmetries g. Each move has its own tables; all of them form one weight set.
#[derive(Clone, Debug)]
pub(crate) struct ActionImages {
    images: usize,
    /// Where the tables of a move's image start: one number for each image, move by move.
    offsets: Vec<u32>,
}

impl ActionImages {
    /// The moves of `game` under the first `images` symmetries; the tables of a move have
    /// `table_size` weights.
    ///
    /// # Errors
    ///
    /// If a symmetry carries two moves to the same one, or a move beyond the last.
    pub(crate) fn new<G: CellBoard>(
        game: &G,
        images: usize,
        table_size: usize,
    ) -> Result<ActionImages, Invalid> {
        let count = game.num_moves();
        let mut offsets = vec![None; count * images];
        for image in 0..images {
            for mv in 0..count {
                // An image reads cell `i` where the symmetry carries it: it undoes the symmetry.
                let carried = game.map_move(image, Move(mv as u32)).0 as usize;
                let place = offsets.get_mut(carried * images + image);
                let Some(place @ None) = place else {
                    let what = format!("symmetry {image} does not carry each move to another one");
                    return Err(Invalid(what));
                };
                *place = Some((mv * table_size) as u32);
            }
        }
        Ok(ActionImages { images, offsets: offsets.into_iter().flatten().collect() })
    }

    /// Writes the features of `mv` in a state with the features `state`.
    pub(crate) fn write_features(&self, state: &[u32], mv: Move, out: &mut Vec<u32>) {
        let offsets = &self.offsets[mv.0 as usize * self.images..][..self.images];
        out.clear();
        for (image, offset) in state.chunks_exact(state.len() / self.images).zip(offsets) {
            out.extend(image.iter().map(|feature| feature + offset));
        }
    }
}
