//! One bank of weights, as loops read and change it.
//!
//! Loops get slices, not tables: where these lie is then known once and not asked for each weight.

use crate::hardware::{Places, add_at, add_to_bits, gather, gather_bits, scatter, scatter_bits};
use crate::stepsize::{LANES, Push, StepSize};
use crate::trace::Sparse;
use bytemuck::Zeroable;
use std::sync::atomic::{AtomicU32, Ordering};

/// How many weights are pushed in one go, and for how many less room is enough.
const BLOCK: usize = 128;
const SHORT: usize = 32;

/// Up to so many weights, lanes are not worth their while.
const FEW: usize = 2;

/// Whether so many weights are pushed side by side, all at once.
#[inline(always)]
pub(crate) fn fits_one_block(count: usize) -> bool {
    (FEW + 1..=BLOCK).contains(&count)
}

/// One bank of weights, to be read.
pub trait Bank: Copy {
    /// A weight as it is kept.
    type Kept;

    /// All weights.
    fn kept(&self) -> &[Self::Kept];

    /// The weight that is kept so.
    fn read(kept: &Self::Kept) -> f32;

    /// The weights from this index on.
    fn after(self, index: u32) -> Self;

    /// The weight with this index.
    #[inline(always)]
    fn value(self, index: u32) -> f32 {
        Self::read(&self.kept()[index as usize])
    }
}

impl Bank for &[f32] {
    type Kept = f32;

    #[inline(always)]
    fn kept(&self) -> &[f32] {
        self
    }

    #[inline(always)]
    fn read(kept: &f32) -> f32 {
        *kept
    }

    #[inline(always)]
    fn after(self, index: u32) -> Self {
        &self[index as usize..]
    }
}

impl Bank for &[AtomicU32] {
    type Kept = AtomicU32;

    #[inline(always)]
    fn kept(&self) -> &[AtomicU32] {
        self
    }

    #[inline(always)]
    fn read(kept: &AtomicU32) -> f32 {
        f32::from_bits(kept.load(Ordering::Relaxed))
    }

    #[inline(always)]
    fn after(self, index: u32) -> Self {
        &self[index as usize..]
    }
}

/// The sum of what `read` tells of each index: in eight lanes, so that it is the same everywhere.
#[inline(always)]
pub(crate) fn sum_by(indices: &[u32], read: impl Fn(u32) -> f32) -> f32 {
    let (chunks, rest) = indices.as_chunks::<LANES>();
    if let ([chunk], []) = (chunks, rest) {
        return add_lanes(chunk.map(read));
    }
    let mut sums = [0.0f32; LANES];
    for chunk in chunks {
        for lane in 0..LANES {
            sums[lane] += read(chunk[lane]);
        }
    }
    add_lanes(sums) + rest.iter().map(|&index| read(index)).sum::<f32>()
}

/// The sum of all lanes.
#[inline(always)]
pub(crate) fn add_lanes([a, b, c, d, e, f, g, h]: [f32; LANES]) -> f32 {
    ((a + e) + (b + f)) + ((c + g) + (d + h))
}

/// The same, and keeps each index with its weight; there is room.
#[inline(always)]
pub(crate) fn keep_near(bank: impl Bank, indices: &[u32], near: &mut [(u32, f32)]) -> f32 {
    let (chunks, rest) = indices.as_chunks::<LANES>();
    let (near_chunks, _) = near.as_chunks_mut::<LANES>();
    let mut sums = [0.0f32; LANES];
    for (chunk, near) in chunks.iter().zip(near_chunks) {
        for lane in 0..LANES {
            let weight = bank.value(chunk[lane]);
            near[lane] = (chunk[lane], weight);
            sums[lane] += weight;
        }
    }
    let from = indices.len() - rest.len();
    for (near, &index) in near[from..].iter_mut().zip(rest) {
        *near = (index, bank.value(index));
    }
    let rest: f32 = near[from..from + rest.len()].iter().map(|known| known.1).sum();
    add_lanes(sums) + rest
}

/// What weights that are pushed side by side do not share; nothing where they do. Counts, traces and
/// activities come in whole lanes.
#[derive(Copy, Clone, Debug, Default)]
pub struct Apart<'a> {
    /// How much of the step each of them moves; otherwise the whole.
    pub shares: &'a [f32],
    /// How often each of them is used; otherwise once.
    pub counts: &'a [f32],
    /// The trace of each of them; otherwise that of the push.
    pub traces: &'a [f32],
    /// The activity of each of them; there are as many as traces.
    pub inputs: &'a [f32],
}

/// Room for a block of weights that are pushed side by side; it holds nothing of worth.
///
/// Aligned, so that no vector lies in two cache lines.
#[derive(Debug)]
#[repr(align(32))]
pub struct Room<M, const N: usize> {
    memory: [M; N],
    steps: [f32; N],
}

impl<M: Zeroable + Copy, const N: usize> Room<M, N> {
    #[inline(always)]
    fn new() -> Room<M, N> {
        Room { memory: [M::zeroed(); N], steps: [0.0; N] }
    }
}

/// These numbers, and ones.
#[inline(always)]
fn filled_up(numbers: &[f32]) -> [f32; BLOCK] {
    let mut filled = [1.0; BLOCK];
    filled[..numbers.len()].copy_from_slice(numbers);
    filled
}

/// One bank of weights with what is remembered of each, to be changed.
pub trait BankMut<S: StepSize> {
    /// What is remembered of the weight with this index.
    fn memory(&self, index: u32) -> S::Memory;

    /// Moves the weight with this index.
    fn shift(&mut self, index: u32, step: f32);

    /// Moves the weights in these places alike.
    #[inline(always)]
    fn shift_all(&mut self, places: Places<'_>, step: f32) {
        places.indices().iter().for_each(|&index| self.shift(index, step));
    }

    /// Moves the weight with this index, and remembers this of it.
    fn change(&mut self, index: u32, memory: S::Memory, step: f32);

    /// Puts this in the place of the weight with this index, and of what is remembered of it.
    fn put(&mut self, index: u32, memory: S::Memory, weight: f32);

    /// Pushes one weight; `share` tells how much of the step it moves.
    #[inline(always)]
    fn push(&mut self, rule: &S, index: u32, push: &Push, share: f32) {
        let mut memory = self.memory(index);
        let step = rule.step(&mut memory, push, 0.0);
        self.change(index, memory, share * step);
    }

    /// Pushes as many weights side by side as there is room for; none may occur twice.
    ///
    /// Three passes over a block: gathering, reckoning and scattering each become simple loops.
    #[inline(always)]
    fn push_block<const N: usize>(
        &mut self,
        rule: &S,
        places: Places<'_>,
        apart: &Apart<'_>,
        push: &Push,
        room: &mut Room<S::Memory, N>,
    ) {
        let Room { memory, steps } = room;
        let whole = places.indices().len().next_multiple_of(LANES);
        self.memories(places, memory);
        rule.step_block(&mut memory[..whole], push, apart, &mut steps[..whole]);
        for (step, share) in steps.iter_mut().zip(apart.shares) {
            *step *= share;
        }
        self.change_block(places, memory, steps);
    }

    /// Writes what is remembered of the weights in these places.
    fn memories(&self, places: Places<'_>, memory: &mut [S::Memory]);

    /// Moves each of these weights, and remembers what belongs to it.
    fn change_block(&mut self, places: Places<'_>, memory: &[S::Memory], steps: &[f32]);

    /// Pushes the weights in these places, with the same trace; none may occur twice, unless steps are
    /// plain.
    #[inline(always)]
    fn push_alike(&mut self, rule: &S, places: Places<'_>, apart: &Apart<'_>, push: &Push) {
        let indices = places.indices();
        if S::PLAIN {
            let step = push.rate * push.error * push.trace;
            if apart.shares.is_empty() {
                self.shift_all(places, step);
            }
            for (&index, share) in indices.iter().zip(apart.shares) {
                self.shift(index, share * step);
            }
            return;
        }
        if indices.len() <= FEW && apart.counts.is_empty() {
            for (i, &index) in indices.iter().enumerate() {
                self.push(rule, index, push, apart.shares.get(i).map_or(1.0, |share| *share));
            }
            return;
        }
        if indices.len() <= SHORT {
            return self.push_block(rule, places, apart, push, &mut Room::<_, SHORT>::new());
        }
        let mut room = Room::<_, BLOCK>::new();
        let (mut shares, mut counts) = (apart.shares.chunks(BLOCK), apart.counts.chunks(BLOCK));
        for block in places.chunks(BLOCK) {
            let shares = shares.next().unwrap_or_default();
            let counts = counts.next().unwrap_or_default();
            let apart = Apart { shares, counts, ..Apart::default() };
            self.push_block(rule, block, &apart, push, &mut room);
        }
    }

    /// Corrects every weight used lately; for step sizes that do not measure.
    #[inline(always)]
    fn learn_sparse(&mut self, rule: &S, trace: &Sparse, error: f32, rate: f32) {
        let push = Push { rate, error, trace: 0.0, input: 0.0, slope: trace.slope };
        let (used, traces, inputs) = trace.parts();
        let mut room = Room::<_, BLOCK>::new();
        for from in (0..used.len()).step_by(BLOCK) {
            let to = (from + BLOCK).min(used.len());
            let (used, traces, inputs) = (&used[from..to], &traces[from..to], &inputs[from..to]);
            let places = Places::new(used);
            // Without leaving early, so that compilers look at several at a time.
            if traces.iter().fold(0, |any, trace| any | u32::from(*trace == 0.0)) != 0 {
                self.push_traced(rule, used, traces, inputs, push);
            } else if traces.len() % LANES == 0 {
                let apart = Apart { traces, inputs, ..Apart::default() };
                self.push_block(rule, places, &apart, &push, &mut room);
            } else {
                let (traces, inputs) = (&filled_up(traces), &filled_up(inputs));
                let apart = Apart { traces, inputs, ..Apart::default() };
                self.push_block(rule, places, &apart, &push, &mut room);
            }
        }
    }

    /// Pushes each of these weights whose trace is not zero.
    fn push_traced(&mut self, rule: &S, used: &[u32], traces: &[f32], inputs: &[f32], push: Push) {
        for ((&index, &trace), &input) in used.iter().zip(traces).zip(inputs) {
            if trace != 0.0 {
                self.push(rule, index, &Push { trace, input, ..push }, 1.0);
            }
        }
    }
}

/// A bank that nobody else changes.
#[derive(Debug)]
pub struct Own<'a, M> {
    /// The weights.
    pub values: &'a mut [f32],
    /// What is remembered of each; as many.
    pub memory: &'a mut [M],
}

impl<S: StepSize> BankMut<S> for Own<'_, S::Memory> {
    #[inline(always)]
    fn memory(&self, index: u32) -> S::Memory {
        self.memory[index as usize]
    }

    #[inline(always)]
    fn shift(&mut self, index: u32, step: f32) {
        self.values[index as usize] += step;
    }

    #[inline(always)]
    fn shift_all(&mut self, places: Places<'_>, step: f32) {
        add_at(self.values, places, step);
    }

    #[inline(always)]
    fn change(&mut self, index: u32, memory: S::Memory, step: f32) {
        self.memory[index as usize] = memory;
        self.values[index as usize] += step;
    }

    fn put(&mut self, index: u32, memory: S::Memory, weight: f32) {
        self.memory[index as usize] = memory;
        self.values[index as usize] = weight;
    }

    #[inline(always)]
    fn memories(&self, places: Places<'_>, memory: &mut [S::Memory]) {
        gather(self.memory, places, memory);
    }

    #[inline(always)]
    fn change_block(&mut self, places: Places<'_>, memory: &[S::Memory], steps: &[f32]) {
        scatter((&mut *self.values, &mut *self.memory), places, memory, steps);
    }
}

/// A bank that others may change at the same time: numbers as their bits.
#[derive(Copy, Clone, Debug)]
pub struct Common<'a> {
    /// The weights.
    pub values: &'a [AtomicU32],
    /// What is remembered of each; as many numbers for each as the step size wants.
    pub memory: &'a [AtomicU32],
}

impl<S: StepSize> BankMut<S> for Common<'_> {
    #[inline(always)]
    fn memory(&self, index: u32) -> S::Memory {
        let mut memory = [S::Memory::zeroed()];
        gather_bits(self.memory, Places::new(&[index]), &mut memory);
        memory[0]
    }

    #[inline(always)]
    fn change(&mut self, index: u32, memory: S::Memory, step: f32) {
        scatter_bits((self.values, self.memory), Places::new(&[index]), &[memory], &[step]);
    }

    fn put(&mut self, index: u32, memory: S::Memory, weight: f32) {
        BankMut::<S>::change(self, index, memory, 0.0);
        self.values[index as usize].store(weight.to_bits(), Ordering::Relaxed);
    }

    #[inline(always)]
    fn shift(&mut self, index: u32, step: f32) {
        add_to_bits(&self.values[index as usize], step);
    }

    #[inline(always)]
    fn memories(&self, places: Places<'_>, memory: &mut [S::Memory]) {
        gather_bits(self.memory, places, memory);
    }

    #[inline(always)]
    fn change_block(&mut self, places: Places<'_>, memory: &[S::Memory], steps: &[f32]) {
        scatter_bits((self.values, self.memory), places, memory, steps);
    }
}
