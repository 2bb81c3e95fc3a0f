//! Lookups in tables that exceed the cache: prefetch all, then add up.
//!
//! For four or eight tuples on boards of eight images and one word, indices are counted within the
//! table of their tuple: masks and table pointers then stay in registers. Otherwise they are
//! features.

use super::NTuple;
use super::bitboard::{BitboardTuples, IMAGES};
use crate::step::StepSize;
use crate::weights::WeightStore;
use crate::{Evaluation, FusedBatch, FusedNetwork, Trace};
use ludens_core::{BOARDS_X4, BitboardX4};
use ludens_simd::{
    ExtractBits, Indices, Kernel, WeightCell, dispatch_with, prefetch, sum_at, sum_lanes, sum_rows,
    sum_tables,
};
use std::array;

/// The table indices of one board of `N` tuples.
type BoardIndices<const N: usize> = [[u32; N]; IMAGES];

/// The tables of `N` tuples. Together, so that they stay in registers.
struct Tables<'a, C, const N: usize> {
    masks: [u64; N],
    tables: [&'a [C]; N],
}

impl<'a, C: WeightCell, const N: usize> Tables<'a, C, N> {
    #[inline(always)]
    fn new(tuples: &BitboardTuples, weights: &'a [C]) -> Tables<'a, C, N> {
        let masks = array::from_fn(|i| tuples.tuples[i].mask);
        let tables = array::from_fn(|i| &weights[tuples.tuples[i].start as usize..]);
        Tables { masks, tables }
    }

    /// Writes the table index of each tuple on each image of up to four boards and prefetches it.
    #[inline(always)]
    fn prefetch(
        &self,
        images: &[BitboardX4; IMAGES],
        boards: &mut [BoardIndices<N>],
        bits: impl ExtractBits,
    ) {
        for (lane, rows) in boards.iter_mut().enumerate() {
            for (row, [firsts, _]) in rows.iter_mut().zip(images) {
                let word = firsts[lane % BOARDS_X4];
                for (i, found) in row.iter_mut().enumerate() {
                    let index = bits.extract(word, self.masks[i]) as usize;
                    // In this order: compilers delay prefetches otherwise and run out of registers.
                    prefetch(self.tables[i], index);
                    *found = index as u32;
                }
            }
        }
    }
}

impl BitboardTuples {
    /// Writes the sum of the weights of each successor.
    #[inline(always)]
    fn sum_successors<C: WeightCell>(&self, batch: &mut FusedBatch, weights: &[C]) {
        match self.register_tables() {
            4 => self.sum_in_registers::<C, 4>(batch, weights, sum_four),
            8 => self.sum_in_registers::<C, 8>(batch, weights, sum_lanes),
            _ => self.sum_any(batch, weights),
        }
    }

    #[inline(always)]
    fn sum_in_registers<C: WeightCell, const N: usize>(
        &self,
        batch: &mut FusedBatch,
        weights: &[C],
        add: impl Fn([f32; N]) -> f32,
    ) {
        let FusedBatch { count, bitboards, values, table_indices, .. } = batch;
        let Some(images) = bitboards.first_chunk() else { return };
        let needed = BOARDS_X4 * IMAGES * N;
        if table_indices.len() < needed {
            table_indices.resize(needed, 0);
        }
        let boards = &mut table_indices.as_chunks_mut::<N>().0.as_chunks_mut().0[..*count];
        let tables = Tables::new(self, weights);
        match self.avx2 {
            Some(avx2) => tables.prefetch(images, boards, avx2),
            None => tables.prefetch(images, boards, self.portable),
        }
        sum_tables(tables.tables, boards, add, values);
    }

    fn sum_any<C: WeightCell>(&self, batch: &mut FusedBatch, weights: &[C]) {
        let FusedBatch { count, bitboards, values, table_indices, scratch, .. } = batch;
        let lookups = self.images * self.tuples.len();
        table_indices.resize(*count * lookups, 0);
        for (board, features) in table_indices.chunks_exact_mut(lookups).enumerate() {
            scratch.clear();
            scratch.extend(bitboards.iter().map(|row| row.map(|words| words[board])));
            self.features(scratch, features);
            features.iter().for_each(|&feature| prefetch(weights, feature as usize));
        }
        for (features, sum) in table_indices.chunks_exact(lookups).zip(values) {
            *sum = sum_at(weights, features);
        }
    }

    /// The sum of the weights of one board whose features are known.
    #[inline(always)]
    pub(super) fn sum_features<C: WeightCell>(&self, features: Indices<'_>, weights: &[C]) -> f32 {
        match self.register_tables() {
            4 => sum_rows::<C, 4, IMAGES>(weights, features, sum_four),
            8 => sum_rows::<C, 8, IMAGES>(weights, features, sum_lanes),
            _ => sum_at(weights, features.as_slice()),
        }
    }

    /// Writes the features of the `nth` successor.
    #[inline(always)]
    fn take_features(&self, table_indices: &[u32], nth: usize, features: &mut Vec<u32>) {
        let lookups = self.images * self.tuples.len();
        let indices = &table_indices[nth * lookups..][..lookups];
        features.resize(lookups, 0);
        match self.register_tables() {
            4 => self.add_starts::<4>(indices, features),
            8 => self.add_starts::<8>(indices, features),
            _ => features.copy_from_slice(indices),
        }
    }

    #[inline(always)]
    fn add_starts<const N: usize>(&self, indices: &[u32], features: &mut [u32]) {
        let starts: [u32; N] = array::from_fn(|i| self.tuples[i].start);
        let rows = features.as_chunks_mut::<N>().0.first_chunk_mut::<IMAGES>();
        let indices = indices.as_chunks::<N>().0.first_chunk::<IMAGES>();
        let (Some(rows), Some(indices)) = (rows, indices) else { return };
        *rows = indices.map(|row| array::from_fn(|i| starts[i] + row[i]));
    }

    /// How many tables are kept in registers; zero if boards are not of that kind.
    #[inline(always)]
    fn register_tables(&self) -> usize {
        let simple = self.first_word_only && self.images == IMAGES;
        if simple { self.tuples.len() } else { 0 }
    }
}

#[inline(always)]
fn sum_four([a, b, c, d]: [f32; 4]) -> f32 {
    (a + c) + (b + d)
}

impl<S: StepSize, W: WeightStore<S>> FusedNetwork for NTuple<S, W> {
    fn is_td0(&self, trace: &Trace) -> bool {
        matches!(trace, Trace::Horizon(horizon) if self.updates_alone(horizon))
    }

    fn evaluate_successors(&self, batch: &mut FusedBatch) {
        let Some(tuples) = &self.lookups.bitboards else { return };
        dispatch_with(tuples.avx2, SumSuccessors { network: self, tuples, batch });
    }

    fn take_successor(&self, batch: &FusedBatch, nth: usize, out: &mut Evaluation) {
        let Some(tuples) = &self.lookups.bitboards else { return };
        out.weight_set = batch.weight_set;
        tuples.take_features(&batch.table_indices, nth, &mut out.features);
        self.weights.prefetch_memory(self.offset(batch.weight_set), &out.features);
    }
}

/// Evaluates all successors of a state.
struct SumSuccessors<'a, S: StepSize, W: WeightStore<S>> {
    network: &'a NTuple<S, W>,
    tuples: &'a BitboardTuples,
    batch: &'a mut FusedBatch,
}

impl<S: StepSize, W: WeightStore<S>> Kernel for SumSuccessors<'_, S, W> {
    #[inline(always)]
    fn run(self) {
        let SumSuccessors { network, tuples, batch } = self;
        if batch.values.len() < batch.count {
            batch.values.resize(batch.count, 0.0);
        }
        tuples.sum_successors(batch, network.set(batch.weight_set));
        network.output.value_all(&mut batch.values[..batch.count]);
    }
}
