//! Weights of which each thread has a copy, and tells the others what it changes.

use crate::bank::BankMut;
use crate::hardware::{Places, Work, add_at, run_widely};
use crate::stepsize::{Push, StepSize};
use crate::store::Store;
use crate::{Tensor, TensorMut, wait_while};
use std::sync::atomic::{AtomicBool, AtomicU64, Ordering};
use std::sync::{Arc, Mutex};

/// Changes that are told together.
const ROUND: usize = 64;

/// So many rounds later others hear of them: who is a little slower keeps nobody waiting.
const LAG: u64 = 8;

/// Rounds that are kept until all have heard them.
const KEPT: usize = 16;

// Otherwise all would wait for each other.
const _: () = assert!(KEPT as u64 > LAG);

/// One thread's copy of the weights.
///
/// Threads that share weights wait for lines of memory that others have written; here each has all
/// to itself, and changes them for the others too. Changes are told in rounds of as many, which all
/// hear in the same order: what is learned does not depend on who is faster. For steps that depend on
/// nothing that is remembered.
///
/// A copy that is dropped hears all others out first, and goes home.
#[derive(Debug)]
pub(crate) struct Echo<S: StepSize> {
    values: Vec<f32>,
    rule: S,
    voices: Arc<[Voice]>,
    /// Whose copy it is.
    me: usize,
    /// What was changed in the current round.
    round: Round,
}

/// What one thread lets the others know. Two cache lines at least, which processors fetch together.
#[derive(Debug, Default)]
#[repr(align(128))]
pub(crate) struct Voice {
    /// How many rounds it has told.
    told: AtomicU64,
    /// How many rounds of the others it has heard.
    heard: AtomicU64,
    /// Whether it tells nothing more.
    ended: AtomicBool,
    /// Whether it hears nothing more, because it has panicked.
    gone: AtomicBool,
    rounds: [Mutex<Round>; KEPT],
    /// Its copy, in the end.
    home: Mutex<Vec<f32>>,
}

/// Changes, in their order.
#[derive(Debug, Default)]
struct Round {
    /// The weights of all changes, one after the other.
    indices: Vec<u32>,
    /// How many weights each of them moves, and how far.
    steps: Vec<(u32, f32)>,
}

impl<S: StepSize> Echo<S> {
    /// A copy for each thread.
    pub(crate) fn for_threads(copies: Vec<Vec<f32>>, rule: &S) -> (Vec<Echo<S>>, Arc<[Voice]>) {
        let voices: Arc<[Voice]> = copies.iter().map(|_| Voice::default()).collect();
        let echo = |(me, values)| {
            let (rule, voices, round) = (rule.clone(), Arc::clone(&voices), Round::default());
            Echo { values, rule, voices, me, round }
        };
        (copies.into_iter().enumerate().map(echo).collect(), voices)
    }

    /// Moves these weights, counted from `from`, alike.
    #[inline(always)]
    fn shift(&mut self, from: usize, places: Places<'_>, step: f32) {
        add_at(&mut self.values[from..], places, step);
        let Round { indices, steps } = &mut self.round;
        indices.extend(places.indices().iter().map(|index| from as u32 + index));
        steps.push((places.indices().len() as u32, step));
        if steps.len() == ROUND {
            self.exchange();
        }
    }

    /// Tells what was changed in the round, and hears an earlier round of the others.
    #[inline(never)]
    fn exchange(&mut self) {
        let number = self.tell();
        if let Some(number) = number.checked_sub(LAG) {
            self.hear(number);
        }
    }

    /// Tells what was changed in the round. Returns its number.
    fn tell(&mut self) -> u64 {
        let voice = &self.voices[self.me];
        let number = voice.told();
        for other in others(&self.voices, self.me) {
            wait_while(|| !other.gone() && other.heard() + KEPT as u64 <= number);
        }
        let kept = &voice.rounds[number as usize % KEPT];
        std::mem::swap(&mut *kept.lock().expect("nobody panics here"), &mut self.round);
        voice.told.store(number + 1, Ordering::Release);
        self.round.indices.clear();
        self.round.steps.clear();
        number
    }

    /// Changes what the others changed in this round. Tells whether anybody came so far.
    fn hear(&mut self, number: u64) -> bool {
        let mut any = false;
        for other in others(&self.voices, self.me) {
            // Who has ended has told all before.
            wait_while(|| !other.ended() && other.told() <= number);
            if other.told() > number {
                let kept = other.rounds[number as usize % KEPT].lock().expect("nobody panics here");
                run_widely(Hearing { values: &mut self.values, round: &kept });
                any = true;
            }
        }
        self.voices[self.me].heard.store(number + 1, Ordering::Release);
        any
    }
}

/// A copy that has nobody to tell.
impl<S: StepSize> Clone for Echo<S> {
    fn clone(&self) -> Echo<S> {
        let voices = Arc::new([Voice::default()]);
        let (values, rule, round) = (self.values.clone(), self.rule.clone(), Round::default());
        Echo { values, rule, voices, me: 0, round }
    }
}

impl<S: StepSize> Drop for Echo<S> {
    fn drop(&mut self) {
        if std::thread::panicking() {
            let voice = &self.voices[self.me];
            voice.gone.store(true, Ordering::Release);
            return voice.ended.store(true, Ordering::Release);
        }
        if !self.round.steps.is_empty() {
            self.tell();
        }
        self.voices[self.me].ended.store(true, Ordering::Release);
        let mut number = self.voices[self.me].heard();
        while self.hear(number) {
            number += 1;
        }
        let home = self.voices[self.me].home.lock();
        *home.expect("nobody panics here") = std::mem::take(&mut self.values);
    }
}

impl Voice {
    fn told(&self) -> u64 {
        self.told.load(Ordering::Acquire)
    }

    fn heard(&self) -> u64 {
        self.heard.load(Ordering::Acquire)
    }

    fn ended(&self) -> bool {
        self.ended.load(Ordering::Acquire)
    }

    fn gone(&self) -> bool {
        self.gone.load(Ordering::Acquire)
    }

    /// The copy of its thread, which has ended.
    pub(crate) fn take_home(&self) -> Vec<f32> {
        std::mem::take(&mut self.home.lock().expect("nobody panics here"))
    }
}

/// All voices but that of `me`.
fn others(voices: &[Voice], me: usize) -> impl Iterator<Item = &Voice> {
    voices.iter().enumerate().filter(move |(who, _)| *who != me).map(|(_, voice)| voice)
}

/// Changing what another has changed.
struct Hearing<'a> {
    values: &'a mut [f32],
    round: &'a Round,
}

impl Work for Hearing<'_> {
    #[inline(always)]
    fn run(self) {
        let Hearing { values, round: Round { indices, steps } } = self;
        // Nothing is fetched before: the processor runs several changes ahead here by itself.
        let mut rest = Places::new(indices);
        for &(count, step) in steps {
            let (these, others) = rest.split_at(count as usize);
            add_at(values, these, step);
            rest = others;
        }
    }
}

impl<S: StepSize> Store<S> for Echo<S> {
    fn len(&self) -> usize {
        self.values.len()
    }

    #[inline]
    fn rule(&self) -> &S {
        &self.rule
    }

    type Bank<'a> = &'a [f32];

    #[inline]
    fn bank(&self, from: usize, size: usize) -> &[f32] {
        &self.values[from..from + size]
    }

    type BankMut<'a> = Telling<'a, S>;

    #[inline]
    fn bank_mut(&mut self, from: usize, _: usize) -> Telling<'_, S> {
        Telling { echo: self, from }
    }

    fn measure_one(&mut self, _: usize, _: &Push) -> f32 {
        unreachable!("plain steps are not measured")
    }

    fn conclude(&mut self, _: f32) -> f32 {
        unreachable!("plain steps are not measured")
    }

    fn push(&mut self, index: usize, push: &Push, measured: f32) {
        let step = self.rule.step(&mut self.rule.start(), push, measured);
        self.shift(index, Places::new(&[0]), step);
    }

    fn note(&mut self, _: usize, _: &Push, _: f32) {}

    fn settle(&mut self) {}

    fn tensors(&self, _: usize) -> Vec<Tensor<'_>> {
        Vec::new()
    }

    fn tensors_mut(&mut self, _: usize) -> Vec<TensorMut<'_>> {
        Vec::new()
    }
}

/// A bank whose changes are told to others.
#[derive(Debug)]
pub(crate) struct Telling<'a, S: StepSize> {
    echo: &'a mut Echo<S>,
    from: usize,
}

impl<S: StepSize> BankMut<S> for Telling<'_, S> {
    fn memory(&self, _: u32) -> S::Memory {
        self.echo.rule.start()
    }

    #[inline(always)]
    fn shift(&mut self, index: u32, step: f32) {
        self.shift_all(Places::new(&[index]), step);
    }

    #[inline(always)]
    fn shift_all(&mut self, places: Places<'_>, step: f32) {
        self.echo.shift(self.from, places, step);
    }

    fn change(&mut self, index: u32, _: S::Memory, step: f32) {
        self.shift(index, step);
    }

    fn put(&mut self, index: u32, _: S::Memory, weight: f32) {
        let now = self.echo.values[self.from + index as usize];
        self.shift(index, weight - now);
    }

    fn memories(&self, _: Places<'_>, _: &mut [S::Memory]) {}

    fn change_block(&mut self, places: Places<'_>, _: &[S::Memory], steps: &[f32]) {
        places.indices().iter().zip(steps).for_each(|(&index, &step)| self.shift(index, step));
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::stepsize::Constant;
    use ludens_core::Rng;

    /// What each of so many threads has in the end, after it made so many changes.
    fn learn(changes: &[usize]) -> Vec<Vec<f32>> {
        let copies = changes.iter().map(|_| vec![0.0; 50]).collect();
        let (echoes, voices) = Echo::for_threads(copies, &Constant);
        std::thread::scope(|scope| {
            for (mut echo, &count) in echoes.into_iter().zip(changes) {
                scope.spawn(move || {
                    let rng = &mut Rng::seeded(count as u64);
                    for _ in 0..count {
                        let indices: [u32; 7] = std::array::from_fn(|_| rng.below(40) as u32);
                        let mut bank = echo.bank_mut(10, 40);
                        bank.shift_all(Places::new(&indices), rng.below(9) as f32 - 4.0);
                        bank.shift(indices[0], 1.0);
                    }
                });
            }
        });
        voices.iter().map(Voice::take_home).collect()
    }

    #[test]
    fn all_have_changed_the_same_in_the_end() {
        for changes in [&[1_000, 1_000][..], &[500], &[10, 700, 300], &[0, 2_000], &[32, 64, 33, 1]]
        {
            let copies = learn(changes);
            let alone: Vec<Vec<f32>> = changes.iter().flat_map(|count| learn(&[*count])).collect();
            let sum: Vec<f32> = (0..50).map(|i| alone.iter().map(|copy| copy[i]).sum()).collect();
            assert!(copies.iter().all(|copy| *copy == sum), "{changes:?}");
        }
    }

    #[test]
    fn nobody_waits_for_who_has_panicked() {
        let (echoes, voices) = Echo::for_threads(vec![vec![0.0; 3]; 2], &Constant);
        let work = |mut echo: Echo<Constant>| {
            for _ in 0..10 * KEPT * ROUND {
                assert!(echo.me == 1 || echo.voices[0].told() < 2, "enough is told");
                echo.shift(0, Places::new(&[2]), 1.0);
            }
        };
        let ended = std::thread::scope(|scope| {
            let threads: Vec<_> =
                echoes.into_iter().map(|echo| scope.spawn(move || work(echo))).collect();
            threads.into_iter().map(|thread| thread.join().is_ok()).collect::<Vec<_>>()
        });
        assert_eq!(ended, [false, true]);
        let told = (10 * KEPT * ROUND + 2 * ROUND) as f32;
        assert_eq!(voices[1].take_home(), [0.0, 0.0, told]);
    }
}
