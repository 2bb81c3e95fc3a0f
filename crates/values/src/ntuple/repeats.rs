//! Look-ups that meet in the same weight.

use super::Lookups;
use crate::stepsize::LANES;

impl Lookups {
    /// Writes one for each index, but zero for those that an earlier image has met already.
    /// Nothing, if there are none; tells whether there are any.
    ///
    /// `met` holds nothing of worth.
    #[inline(always)]
    pub fn mark_repeats(&self, indices: &[u32], shares: &mut Vec<f32>, met: &mut Vec<u32>) -> bool {
        let tuples = self.num_tuples();
        shares.clear();
        match indices.len() {
            8 => return share_out::<8, 16>(indices, tuples, shares),
            32 => return share_out::<32, 64>(indices, tuples, shares),
            64 => return share_out::<64, 128>(indices, tuples, shares),
            _ if !self.count_met(indices, met) => return false,
            _ => {}
        }
        shares.extend(met.iter().map(|&met| if met < EARLIER { 1.0 } else { 0.0 }));
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

    /// Leaves each index once, and writes how often it was there, in whole lanes; nothing if none was
    /// there twice.
    ///
    /// `met` holds nothing of worth.
    #[inline(always)]
    pub fn merge_repeats(&self, indices: &mut Vec<u32>, counts: &mut Vec<f32>, met: &mut Vec<u32>) {
        counts.clear();
        if !self.count_met(indices, met) {
            return;
        }
        let looks = indices.len();
        counts.resize(looks.next_multiple_of(LANES), 1.0);
        let (places, uses, met) = (&mut indices[..], &mut counts[..looks], &met[..looks]);
        let mut kept = 0;
        for look in 0..looks {
            (places[kept], uses[kept]) = (places[look], 1.0 + (met[look] as i32) as f32);
            kept += usize::from(met[look] < EARLIER);
        }
        indices.truncate(kept);
        counts.truncate(kept.next_multiple_of(LANES));
    }

    /// Counts for each look-up the images that meet it in the same weight; tells whether any does.
    #[inline(always)]
    fn count_met(&self, indices: &[u32], met: &mut Vec<u32>) -> bool {
        let (tuples, looks) = (self.num_tuples(), indices.len());
        met.clear();
        met.resize(looks, 0);
        if tuples >= LANES && looks == IMAGES * tuples {
            for from in (0..tuples).step_by(LANES) {
                // The last block reaches back into the one before.
                let from = from.min(tuples - LANES);
                let mut block = Met::new(|image| &indices[image * tuples + from..]);
                block.count();
                for (image, counts) in block.counts.iter().enumerate() {
                    met[image * tuples + from..][..LANES].copy_from_slice(counts);
                }
            }
        } else {
            for from in (tuples..looks).step_by(tuples) {
                for look in from..looks {
                    let same = u32::from(indices[look] == indices[look - from]);
                    met[look] += EARLIER * same;
                    met[look - from] += LATER * same;
                }
            }
        }
        met.iter().fold(0, |any, met| any | met) != 0
    }
}

/// What is counted for a later image that meets the same weight, and for an earlier one.
const LATER: u32 = 1;
const EARLIER: u32 = 1 << 16;

/// Images that are compared all at once.
const IMAGES: usize = 8;

/// Some tuples on all images.
struct Met {
    indices: [[u32; LANES]; IMAGES],
    counts: [[u32; LANES]; IMAGES],
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
                    self.counts[earlier][lane] += LATER * u32::from(same);
                    self.counts[later][lane] += EARLIER * u32::from(same);
                }
            }
        }
    }
}

/// Writes the shares of `N` indices if an image meets an earlier one; tells whether it does.
///
/// Each image is compared with all before it, eight indices at a time; before the first there are
/// `N` that never occur: no bank is so large.
#[inline(always)]
fn share_out<const N: usize, const TWICE: usize>(
    indices: &[u32],
    tuples: usize,
    shares: &mut Vec<f32>,
) -> bool {
    let (mut padded, mut met) = ([u32::MAX; TWICE], [0u32; N]);
    padded[N..].copy_from_slice(indices);
    let Some(indices) = indices.first_chunk::<N>() else { return false };
    for from in (tuples..N).step_by(tuples) {
        let Some(earlier) = padded[N - from..].first_chunk::<N>() else { break };
        for i in 0..N {
            met[i] |= u32::from(earlier[i] == indices[i]);
        }
    }
    if met.iter().fold(0, |any, met| any | met) == 0 {
        return false;
    }
    shares.extend(met.map(|met| 1.0 - met as f32));
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
                let index =
                    |look: usize, rng: &mut Rng| (look % tuples * most + rng.below(most)) as u32;
                let indices: Vec<u32> = (0..tuples * images).map(|look| index(look, rng)).collect();
                let (mut once, mut counts) = (Vec::new(), Vec::new());
                let mut shares = Vec::new();
                for (look, index) in indices.iter().enumerate() {
                    let first = !indices[..look].contains(index);
                    shares.push(if first { 1.0 } else { 0.0 });
                    if first {
                        once.push(*index);
                        counts.push(indices.iter().filter(|other| *other == index).count() as f32);
                    }
                }
                let repeats = once.len() < indices.len();
                let (mut found, mut met) = (Vec::new(), Vec::new());
                assert_eq!(lookups.has_repeats(&indices), repeats);
                assert_eq!(lookups.mark_repeats(&indices, &mut found, &mut met), repeats);
                assert_eq!(found, if repeats { shares } else { Vec::new() });
                let mut merged = indices.clone();
                lookups.merge_repeats(&mut merged, &mut found, &mut met);
                assert_eq!(merged, once);
                let lanes = if repeats { once.len().next_multiple_of(LANES) } else { 0 };
                assert_eq!(found.len(), lanes);
                found.truncate(once.len());
                assert_eq!(found, if repeats { counts } else { Vec::new() });
            }
        }
    }
}
