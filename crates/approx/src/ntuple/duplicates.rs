//! Features that occur more than once, because symmetric images of a board share weights.

use super::Lookups;
use super::bitboard::IMAGES;
use ludens_simd::{LANES, compact_below};

impl Lookups {
    /// Writes one for each feature, but zero where an earlier image has it already; nothing without
    /// duplicates. Tells whether there are any.
    #[inline(always)]
    pub(super) fn mark_first_uses(&self, indices: &[u32], firsts: &mut Vec<f32>) -> bool {
        let tuples = self.num_tuples();
        firsts.clear();
        let rows = indices.len() == IMAGES * tuples;
        match tuples {
            1 if rows => return mark_rows::<1>(indices, firsts),
            4 if rows => return mark_rows::<4>(indices, firsts),
            8 if rows => return mark_rows::<8>(indices, firsts),
            _ if !self.has_duplicates(indices) => return false,
            _ => {}
        }
        firsts.resize(indices.len(), 1.0);
        for from in (tuples..indices.len()).step_by(tuples) {
            let pairs = indices.iter().zip(&indices[from..]);
            for (first, (earlier, index)) in firsts[from..].iter_mut().zip(pairs) {
                // A product, because some processors are slow at storing some of eight.
                *first *= f32::from(u8::from(earlier != index));
            }
        }
        true
    }

    /// Whether two images share a weight.
    #[inline(always)]
    pub(super) fn has_duplicates(&self, indices: &[u32]) -> bool {
        let tuples = self.num_tuples();
        match indices.len() {
            8 => meet_in_circle::<8>(indices, tuples),
            32 => meet_in_circle::<32>(indices, tuples),
            64 => meet_in_circle::<64>(indices, tuples),
            _ => meet(indices, tuples),
        }
    }

    /// Whether there are enough images and tuples for merging duplicates to pay.
    #[inline]
    pub(super) fn can_merge_duplicates(&self) -> bool {
        self.num_tuples() >= LANES && self.len() == IMAGES * self.num_tuples()
    }

    /// Leaves each feature once and writes how often it occurred, padded to whole lanes; writes
    /// nothing without duplicates. `met` is scratch.
    #[inline(always)]
    pub(super) fn merge_duplicates(
        &self,
        indices: &mut Vec<u32>,
        counts: &mut Vec<f32>,
        met: &mut Vec<i32>,
    ) {
        let (tuples, looks) = (self.num_tuples(), indices.len());
        counts.clear();
        met.resize(looks, 0);
        for from in (0..tuples).step_by(LANES) {
            // The last block reaches back into the one before.
            let from = from.min(tuples - LANES);
            let mut block = Matches::new(|image| &indices[image * tuples + from..]);
            block.count();
            for (image, counts) in block.counts.iter().enumerate() {
                met[image * tuples + from..][..LANES].copy_from_slice(counts);
            }
        }
        if met.iter().fold(0, |any, met| any | met) == 0 {
            return;
        }
        counts.resize(looks.next_multiple_of(LANES), 1.0);
        let kept = compact_below(EARLIER, met, indices, &mut counts[..looks]);
        indices.truncate(kept);
        counts.truncate(kept.next_multiple_of(LANES));
    }
}

/// What a later image with the same feature counts, and what an earlier one counts.
const LATER: i32 = 1;
const EARLIER: i32 = 1 << 16;

/// How often the features of some tuples match between images.
struct Matches {
    indices: [[u32; LANES]; IMAGES],
    counts: [[i32; LANES]; IMAGES],
}

impl Matches {
    #[inline(always)]
    fn new<'a>(row: impl Fn(usize) -> &'a [u32]) -> Matches {
        let mut indices = [[0; LANES]; IMAGES];
        for (image, indices) in indices.iter_mut().enumerate() {
            indices.copy_from_slice(&row(image)[..LANES]);
        }
        Matches { indices, counts: [[0; LANES]; IMAGES] }
    }

    #[inline(always)]
    fn count(&mut self) {
        for later in 1..IMAGES {
            for earlier in 0..later {
                for lane in 0..LANES {
                    let same = self.indices[earlier][lane] == self.indices[later][lane];
                    self.counts[earlier][lane] += LATER * i32::from(same);
                    self.counts[later][lane] += EARLIER * i32::from(same);
                }
            }
        }
    }
}

/// Compares each of eight images of `T` tuples with all before it.
#[inline(always)]
fn mark_rows<const T: usize>(indices: &[u32], firsts: &mut Vec<f32>) -> bool {
    let Some(rows) = indices.as_chunks::<T>().0.first_chunk::<IMAGES>() else { return false };
    let (mut met, mut any) = ([[0u32; T]; IMAGES], [0; T]);
    for later in 1..IMAGES {
        for earlier in 0..later {
            for i in 0..T {
                met[later][i] |= u32::from(rows[earlier][i] == rows[later][i]);
            }
        }
        for i in 0..T {
            any[i] |= met[later][i];
        }
    }
    if any == [0; T] {
        return false;
    }
    firsts.extend(met.map(|row| row.map(|met| 1.0 - met as f32)).as_flattened());
    true
}

/// Whether two images have the same feature of one tuple.
#[inline(always)]
fn meet(indices: &[u32], tuples: usize) -> bool {
    let mut met = 0;
    for from in (tuples..indices.len()).step_by(tuples) {
        for (earlier, index) in indices.iter().zip(&indices[from..]) {
            met |= u32::from(earlier == index);
        }
    }
    met != 0
}

/// The same for `N` features: compares each image with the half of the others that follow it, the
/// first ones after the last. Eight at a time.
#[inline(always)]
fn meet_in_circle<const N: usize>(indices: &[u32], tuples: usize) -> bool {
    let Ok(indices) = <&[u32; N]>::try_from(indices) else { return meet(indices, tuples) };
    let (twice, mut met) = ([*indices; 2], [0; 8]);
    for from in (tuples..=N / 2).step_by(tuples) {
        let Some(others) = twice.as_flattened()[from..].first_chunk::<N>() else { break };
        let (eights, _) = indices.as_chunks::<8>();
        let (other_eights, _) = others.as_chunks::<8>();
        for (eight, others) in eights.iter().zip(other_eights) {
            for i in 0..8 {
                met[i] |= u32::from(eight[i] == others[i]);
            }
        }
    }
    met.contains(&1)
}

#[cfg(test)]
mod tests {
    use super::*;
    use ludens_core::{CellLayout, Rng, square_symmetries};

    /// Lookups of so many tuples, on as many images as there are symmetries.
    fn lookups(tuples: usize, images: usize) -> Lookups {
        let symmetries = square_symmetries(4)[..images].to_vec();
        let layout = CellLayout::grid(4, 4, 3).with_symmetries(symmetries);
        Lookups::new(&layout, None, (0..tuples as u16).map(|cell| vec![cell, 15]).collect())
            .unwrap()
    }

    #[test]
    fn duplicates_are_found_and_merged_as_by_comparing_all() {
        let rng = &mut Rng::seeded(4);
        for (tuples, images) in [(3, 8), (8, 8), (11, 8), (9, 4), (1, 8), (4, 8), (8, 1)] {
            let lookups = lookups(tuples, images);
            for most in [2, 5, 40, 1_000_000] {
                // Tuples have tables of their own.
                let mut index = |look: usize| (look % tuples * most + rng.below(most)) as u32;
                let indices: Vec<u32> = (0..tuples * images).map(&mut index).collect();
                check(&lookups, &indices);
            }
        }
    }

    fn check(lookups: &Lookups, indices: &[u32]) {
        let (mut once, mut counts, mut shares) = (Vec::new(), Vec::new(), Vec::new());
        for (look, index) in indices.iter().enumerate() {
            let first = !indices[..look].contains(index);
            shares.push(if first { 1.0 } else { 0.0 });
            if first {
                once.push(*index);
                counts.push(indices.iter().filter(|other| *other == index).count() as f32);
            }
        }
        let duplicates = once.len() < indices.len();
        let mut found = Vec::new();
        assert_eq!(lookups.has_duplicates(indices), duplicates);
        assert_eq!(lookups.mark_first_uses(indices, &mut found), duplicates);
        assert_eq!(found, if duplicates { shares } else { Vec::new() });
        if lookups.can_merge_duplicates() {
            let mut merged = indices.to_vec();
            lookups.merge_duplicates(&mut merged, &mut found, &mut Vec::new());
            assert_eq!(merged, once);
            let lanes = if duplicates { once.len().next_multiple_of(LANES) } else { 0 };
            assert_eq!(found.len(), lanes);
            found.truncate(once.len());
            assert_eq!(found, if duplicates { counts } else { Vec::new() });
        }
    }
}
