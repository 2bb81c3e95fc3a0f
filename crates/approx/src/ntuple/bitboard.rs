//! Features read straight from bitboards.

use crate::Encoding;
use ludens_core::{CellLayout, Packing};
use ludens_simd::{Avx2, ExtractBits, FullTable, Kernel, PortableBits, WeightCell, sum_lanes};
use std::array;

/// The tuples of a network as bit masks over packed boards.
///
/// A tuple whose cells lie close together is read from one word: the board is looked at through
/// *windows* of 64 bits that begin every 16 bits. The features are the same numbers as those counted
/// digit by digit.
#[derive(Clone, Debug)]
pub(super) struct BitboardTuples {
    pub(super) tuples: Vec<TupleMask>,
    /// The tuples that are read from one window, ordered by window, and those that are not.
    one_window: Vec<TupleMask>,
    two_words: Vec<TupleMask>,
    /// Whether all cells lie in the first word.
    pub(super) first_word_only: bool,
    /// How many symmetric images a board has.
    pub(super) images: usize,
    pub(super) portable: PortableBits,
    pub(super) avx2: Option<Avx2>,
}

/// Where the cells of a tuple lie.
#[derive(Copy, Clone, Debug)]
pub(super) struct TupleMask {
    /// The bits of its cells in its window, or of those in the first word.
    pub(super) mask: u64,
    /// The bits of its cells in the second word, if no window holds all.
    second_mask: u64,
    /// Where its table starts.
    pub(super) start: u32,
    /// The window it is read from.
    window: usize,
}

/// Windows that are not empty, and how many bits apart they begin.
const WINDOWS: u32 = 5;
const WINDOW_STEP: u32 = 16;

/// The window that is the second word.
const SECOND_WORD: usize = 4;

/// Images that are processed side by side: the symmetries of a square.
pub(super) const IMAGES: usize = 8;

/// For each window, what each image shows through it. The last windows are empty, so that three
/// bits name one.
type Views = [[u64; IMAGES]; 8];

/// Boards that are summed up together: the views of each, and the sum of each of its images.
#[derive(Clone, Debug, Default)]
pub(crate) struct WindowBatch(Vec<(Views, [f32; IMAGES])>);

impl BitboardTuples {
    /// The tuples, each with its cells in ascending order, and where their tables start.
    pub(super) fn new(
        layout: &CellLayout,
        packing: Packing,
        tuples: &[Vec<u16>],
        starts: &[u32],
    ) -> BitboardTuples {
        let cells = layout.num_cells();
        let mask =
            |(tuple, &start): (&Vec<u16>, &u32)| TupleMask::new(cells, packing, tuple, start);
        let tuples: Vec<TupleMask> = tuples.iter().zip(starts).map(mask).collect();
        let first_word_only =
            tuples.iter().all(|tuple| tuple.window == 0 && tuple.second_mask == 0);
        let (mut one_window, two_words): (Vec<TupleMask>, _) =
            tuples.iter().partition(|tuple| tuple.second_mask == 0);
        one_window.sort_by_key(|tuple| tuple.window);
        let portable =
            PortableBits { bits: if packing.bit_planes { 1 } else { packing.bits_per_cell } };
        let (images, avx2) = (layout.symmetries.len(), Avx2::detect());
        BitboardTuples { tuples, one_window, two_words, first_word_only, images, portable, avx2 }
    }

    /// Writes the feature of each tuple on each image, image by image.
    #[inline]
    pub(super) fn features(&self, images: &[[u64; 2]], features: &mut [u32]) {
        match self.avx2 {
            Some(bits) => bits.run_with_bmi2(Features { tuples: self, images, features, bits }),
            None => self.write_features(images, features, self.portable),
        }
    }

    /// Appends the sum of the weights of each position; the same bits on every processor.
    ///
    /// Returns false if boards do not have eight images.
    #[inline]
    pub(super) fn sum_positions<C: WeightCell>(
        &self,
        positions: &[Encoding],
        weights: &[C],
        windows: &mut WindowBatch,
        sums: &mut Vec<f32>,
    ) -> bool {
        windows.0.clear();
        for position in positions {
            let Ok(images) = <&[[u64; 2]; IMAGES]>::try_from(&position.bitboards[..]) else {
                return false;
            };
            windows.0.push((views(images), [0.0; IMAGES]));
        }
        match self.avx2 {
            Some(bits) => bits.run_with_bmi2(Sums { tuples: self, windows, weights, bits }),
            None => self.add_windows(windows, weights, self.portable),
        }
        sums.extend(windows.0.iter().map(|(_, sums)| sum_lanes(*sums)));
        true
    }

    #[inline(always)]
    pub(super) fn write_features(
        &self,
        images: &[[u64; 2]],
        features: &mut [u32],
        bits: impl ExtractBits,
    ) {
        if let Ok(images) = images.try_into() {
            return self.write_features_by_tuple(images, features, bits);
        }
        for (image, features) in images.iter().zip(features.chunks_exact_mut(self.tuples.len())) {
            let windows = windows(image);
            for (feature, tuple) in features.iter_mut().zip(&self.tuples) {
                let window = windows[tuple.window & 7];
                *feature = tuple.start + tuple.index(window, image[1], bits);
            }
        }
    }

    /// The same tuple by tuple, so that each mask is read once for all images.
    #[inline(always)]
    fn write_features_by_tuple(
        &self,
        images: &[[u64; 2]; IMAGES],
        features: &mut [u32],
        bits: impl ExtractBits,
    ) {
        let (views, mut rows) = (views(images), features.chunks_exact_mut(self.tuples.len()));
        let mut rows: [&mut [u32]; IMAGES] = array::from_fn(|_| rows.next().unwrap_or_default());
        for (nth, tuple) in self.tuples.iter().enumerate() {
            let view = &views[tuple.window & 7];
            let mut found = [0; IMAGES];
            if tuple.second_mask == 0 {
                for lane in 0..IMAGES {
                    found[lane] = bits.extract(view[lane], tuple.mask) as u32;
                }
            } else {
                for lane in 0..IMAGES {
                    found[lane] = tuple.index(view[lane], views[SECOND_WORD][lane], bits);
                }
            }
            for (row, index) in rows.iter_mut().zip(found) {
                row[nth] = tuple.start + index;
            }
        }
    }

    /// Adds the weights of all tuples to the sums of all boards, a few tuples at a time: weights that
    /// boards share are then still in the first-level cache.
    #[inline(always)]
    fn add_windows<C: WeightCell>(
        &self,
        windows: &mut WindowBatch,
        weights: &[C],
        bits: impl ExtractBits,
    ) {
        for same in self.one_window.chunk_by(|one, other| one.window == other.window) {
            let (fours, rest) = same.as_chunks::<4>();
            let (twos, rest) = rest.as_chunks::<2>();
            fours.iter().for_each(|tuples| windows.add(tuples, weights, bits));
            twos.iter().for_each(|tuples| windows.add(tuples, weights, bits));
            rest.iter().for_each(|tuple| windows.add(&[*tuple], weights, bits));
        }
        for tuple in &self.two_words {
            windows.add_two_words(tuple, weights, bits);
        }
    }
}

impl WindowBatch {
    /// Adds the weights of `T` tuples of one window on each image to the sum of that image.
    #[inline(always)]
    fn add<C: WeightCell, const T: usize>(
        &mut self,
        tuples: &[TupleMask; T],
        weights: &[C],
        bits: impl ExtractBits,
    ) {
        let tables =
            tuples.map(|tuple| FullTable::new(&weights[tuple.start as usize..], tuple.mask));
        for (views, sums) in &mut self.0 {
            let view = &views[tuples[0].window & 7];
            for (&word, sum) in view.iter().zip(sums) {
                *sum = tables.iter().fold(*sum, |sum, table| sum + bits.lookup(table, word));
            }
        }
    }

    /// The same for a tuple that reads the second word besides its window.
    #[inline(always)]
    fn add_two_words<C: WeightCell>(
        &mut self,
        tuple: &TupleMask,
        weights: &[C],
        bits: impl ExtractBits,
    ) {
        let table = &weights[tuple.start as usize..];
        for (views, sums) in &mut self.0 {
            let (view, seconds) = (&views[tuple.window & 7], &views[SECOND_WORD]);
            for lane in 0..IMAGES {
                sums[lane] += table[tuple.index(view[lane], seconds[lane], bits) as usize].load();
            }
        }
    }
}

impl TupleMask {
    fn new(cells: usize, packing: Packing, tuple: &[u16], start: u32) -> TupleMask {
        let bits = tuple.iter().flat_map(|&c| (0..packing.bits_per_cell).map(move |bit| (c, bit)));
        let index = |(cell, bit): (u16, u32)| packing.bit_index(cells, usize::from(cell), bit);
        let all = bits.fold(0u128, |all, bit| all | 1 << index(bit));
        let holds = |window: &u32| {
            let from = window * WINDOW_STEP;
            all >> from << from == all && all >> from <= u128::from(u64::MAX)
        };
        let window = (0..WINDOWS).find(holds);
        let mask = (all >> (window.unwrap_or(0) * WINDOW_STEP)) as u64;
        let second_mask = if window.is_some() { 0 } else { (all >> 64) as u64 };
        TupleMask { mask, second_mask, start, window: window.unwrap_or(0) as usize }
    }

    /// The index in the tuple's table, read from its window and the second word.
    #[inline(always)]
    fn index(&self, window: u64, second: u64, bits: impl ExtractBits) -> u32 {
        let index = bits.extract(window, self.mask);
        if self.second_mask == 0 {
            return index as u32;
        }
        (index | bits.extract(second, self.second_mask) << self.mask.count_ones()) as u32
    }
}

/// Each window of each image.
#[inline(always)]
fn views(images: &[[u64; 2]; IMAGES]) -> Views {
    let mut views = [[0; IMAGES]; 8];
    for (lane, image) in images.iter().enumerate() {
        for (view, window) in views.iter_mut().zip(windows(image)) {
            view[lane] = window;
        }
    }
    views
}

#[inline(always)]
fn windows(&[first, second]: &[u64; 2]) -> [u64; 8] {
    let at = |bits: u32| first >> bits | second << (64 - bits);
    let (one, two, three) = (at(WINDOW_STEP), at(2 * WINDOW_STEP), at(3 * WINDOW_STEP));
    [first, one, two, three, second, 0, 0, 0]
}

/// Writes the features of one board.
struct Features<'a> {
    tuples: &'a BitboardTuples,
    images: &'a [[u64; 2]],
    features: &'a mut [u32],
    bits: Avx2,
}

impl Kernel for Features<'_> {
    #[inline(always)]
    fn run(self) {
        self.tuples.write_features(self.images, self.features, self.bits);
    }
}

/// Adds up the weights of several boards.
struct Sums<'a, C> {
    tuples: &'a BitboardTuples,
    windows: &'a mut WindowBatch,
    weights: &'a [C],
    bits: Avx2,
}

impl<C: WeightCell> Kernel for Sums<'_, C> {
    #[inline(always)]
    fn run(self) {
        self.tuples.add_windows(self.windows, self.weights, self.bits);
    }
}
