//! Look-ups that meet in the same weight.

use super::Lookups;
use crate::hardware::keep_below;
use crate::stepsize::LANES;

impl Lookups {
    /// Writes one for each index, but zero for those that an earlier image has met already.
    /// Nothing, if there are none; tells whether there are any.
    #[inline(always)]
    pub fn mark_firsts(&self, indices: &[u32], firsts: &mut Vec<f32>) -> bool {
        let tuples = self.num_tuples();
        firsts.clear();
        let rows = indices.len() == IMAGES * tuples;
        match tuples {
            1 if rows => return mark_rows::<1>(indices, firsts),
            4 if rows => return mark_rows::<4>(indices, firsts),
            8 if rows => return mark_rows::<8>(indices, firsts),
            _ if !self.has_repeats(indices) => return false,
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

    /// Whether two images meet in one weight.
    #[inline(always)]
    pub fn has_repeats(&self, indices: &[u32]) -> bool {
        let tuples = self.num_tuples();
        match indices.len() {
            8 => meet_in_circle::<8>(indices, tuples),
            32 => meet_in_circle::<32>(indices, tuples),
            64 => meet_in_circle::<64>(indices, tuples),
            _ => meet(indices, tuples),
        }
    }

    /// Whether there are so many images and tuples that merging repeats pays.
    #[inline]
    pub fn merges_repeats(&self) -> bool {
        self.num_tuples() >= LANES && self.len() == IMAGES * self.num_tuples()
    }

    /// Leaves each index once, and writes how often it was there, in whole lanes; nothing if none was
    /// there twice. Only if this [pays](Lookups::merges_repeats).
    ///
    /// `met` holds nothing of worth.
    #[inline(always)]
    pub fn merge_repeats(&self, indices: &mut Vec<u32>, counts: &mut Vec<f32>, met: &mut Vec<i32>) {
        let (tuples, looks) = (self.num_tuples(), indices.len());
        counts.clear();
        met.resize(looks, 0);
        for from in (0..tuples).step_by(LANES) {
            // The last block reaches back into the one before.
            let from = from.min(tuples - LANES);
            let mut block = Met::new(|image| &indices[image * tuples + from..]);
            block.count();
            for (image, counts) in block.counts.iter().enumerate() {
                met[image * tuples + from..][..LANES].copy_from_slice(counts);
            }
        }
        if met.iter().fold(0, |any, met| any | met) == 0 {
            return;
        }
        counts.resize(looks.next_multiple_of(LANES), 1.0);
        let kept = keep_below(EARLIER, met, indices, &mut counts[..looks]);
        indices.truncate(kept);
        counts.truncate(kept.next_multiple_of(LANES));
    }
}

/// What is counted for a later image that meets the same weight, and for an earlier one.
const LATER: i32 = 1;
const EARLIER: i32 = 1 << 16;

/// Images that are compared all at once.
const IMAGES: usize = 8;

/// Some tuples on all images.
struct Met {
    indices: [[u32; LANES]; IMAGES],
    counts: [[i32; LANES]; IMAGES],
}

impl Met {
    #[inline(always)]
    fn new<'a>(row: impl Fn(usize) -> &'a [u32]) -> Met {
        let mut indices = [[0; LANES]; IMAGES];
        for (image, indices) in indices.iter_mut().enumerate() {
            indices.copy_from_slice(&row(image)[..LANES]);
        }
        Met { indices, counts: [[0; LANES]; IMAGES] }
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

/// The same for eight images of `T` tuples, each compared with all before it.
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

/// Whether two images, each of so many indices, have the same in the same place.
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

/// The same for `N` indices: each image is compared with the half of the others that follow it, the
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

    /// Look-ups of so many tuples, on as many images as there are symmetries.
    fn lookups(tuples: usize, images: usize) -> Lookups {
        let symmetries = square_symmetries(4)[..images].to_vec();
        let layout = CellLayout::grid(4, 4, 3).with_symmetries(symmetries);
        Lookups::new(&layout, (0..tuples as u16).map(|cell| vec![cell, 15]).collect()).unwrap()
    }

    #[test]
    fn repeats_are_found_and_merged_as_by_looking_at_each() {
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
        let repeats = once.len() < indices.len();
        let mut found = Vec::new();
        assert_eq!(lookups.has_repeats(indices), repeats);
        assert_eq!(lookups.mark_firsts(indices, &mut found), repeats);
        assert_eq!(found, if repeats { shares } else { Vec::new() });
        if lookups.merges_repeats() {
            let mut merged = indices.to_vec();
            lookups.merge_repeats(&mut merged, &mut found, &mut Vec::new());
            assert_eq!(merged, once);
            let lanes = if repeats { once.len().next_multiple_of(LANES) } else { 0 };
            assert_eq!(found.len(), lanes);
            found.truncate(once.len());
            assert_eq!(found, if repeats { counts } else { Vec::new() });
        }
    }
}
