//! Weights that are always used together.

use super::NTuple;
use super::book::Book;
use crate::bank::{Bank, BankMut, sum_by};
use crate::stepsize::{LANES, StepSize};
use crate::store::Store;
use std::sync::Arc;

/// The weights of boards that share all of them or none.
///
/// All symmetric images of a board that a tuple covers use the same weights, and each of them as
/// often. Such weights are pushed alike: if they are alike once, one of them tells all.
#[derive(Clone, Debug, Default)]
pub(super) struct Orbits {
    /// For each board, its orbit.
    places: Arc<[u32]>,
    /// For each board, one of its weights.
    firsts: Vec<u32>,
    orbits: Vec<Orbit>,
    /// The weights of all orbits, one after the other.
    weights: Vec<u32>,
}

/// Weights that are always used together.
#[derive(Copy, Clone, Debug)]
struct Orbit {
    /// Where they begin and end.
    from: u32,
    to: u32,
    /// How often each of them is used.
    times: u32,
}

impl Orbits {
    /// The orbits of boards with these look-ups, a row for each board, if they are such.
    pub(super) fn new(indices: &[u32], looks: usize) -> Option<Orbits> {
        let most = *indices.iter().max().filter(|_| looks <= MOST)? as usize;
        let (mut known, mut rows) = (vec![None; most + 1], Vec::<Vec<u32>>::new());
        let (mut orbits, mut places, mut row) = (Orbits::default(), Vec::new(), Vec::new());
        for board in indices.chunks_exact(looks) {
            row.clear();
            row.extend_from_slice(board);
            row.sort_unstable();
            let first = row[0];
            let place = match known[first as usize] {
                Some(place) => place,
                None => {
                    orbits.add(&row)?;
                    rows.push(row.clone());
                    rows.len() - 1
                }
            };
            let new = |weight: &u32| known[*weight as usize].is_none_or(|known| known == place);
            if rows[place] != row || !row.iter().all(new) {
                return None;
            }
            row.iter().for_each(|&weight| known[weight as usize] = Some(place));
            places.push(place as u32);
            orbits.firsts.push(first);
        }
        Some(Orbits { places: places.into(), ..orbits })
    }

    /// Adds the orbit of these weights, in ascending order, if each is there as often.
    fn add(&mut self, row: &[u32]) -> Option<()> {
        let mut weights = row.to_vec();
        weights.dedup();
        let times = row.len() / weights.len();
        let even = row.chunks(times).map(|chunk| (chunk[0], chunk[chunk.len() - 1]));
        if !even.eq(weights.iter().map(|&weight| (weight, weight))) {
            return None;
        }
        let from = self.weights.len() as u32;
        self.weights.extend_from_slice(&weights);
        self.orbits.push(Orbit { from, to: self.weights.len() as u32, times: times as u32 });
        Some(())
    }

    /// How many there are.
    #[inline]
    pub(super) fn len(&self) -> usize {
        self.orbits.len()
    }

    /// The orbit of each board.
    #[inline]
    pub(super) fn places(&self) -> Arc<[u32]> {
        Arc::clone(&self.places)
    }

    /// The orbit of a board.
    pub(super) fn place(&self, board: u32) -> u32 {
        self.places[board as usize]
    }

    fn weights_of(&self, orbit: Orbit) -> &[u32] {
        &self.weights[orbit.from as usize..orbit.to as usize]
    }

    /// The weights of each, each once, and how often a board uses each of them.
    pub(super) fn all(&self) -> impl Iterator<Item = (&[u32], u32)> {
        self.orbits.iter().map(|&orbit| (self.weights_of(orbit), orbit.times))
    }

    /// The weight of a board, if all of its weights are alike.
    #[inline(always)]
    pub(super) fn weight(&self, board: u32, bank: impl Bank) -> f32 {
        bank.value(self.firsts[board as usize])
    }
}

/// Most look-ups of boards with orbits.
const MOST: usize = 256;

/// The sum of so many weights that are all this one, rounded as that of any.
#[inline(always)]
pub(super) fn sum_alike(looks: usize, weight: f32) -> f32 {
    match looks {
        8 => sum_by(&[0; 8], |_| weight),
        12 => sum_by(&[0; 12], |_| weight),
        _ => sum_by(&[0; MOST][..looks], |_| weight),
    }
}

/// Puts the sum of so many weights alike in the place of each of several weights.
#[inline(always)]
pub(super) fn sum_each_alike(looks: usize, weights: &mut [f32; LANES]) {
    match looks {
        8 => sum_lanes::<8>(weights),
        12 => sum_lanes::<12>(weights),
        _ => weights.iter_mut().for_each(|weight| *weight = sum_alike(looks, *weight)),
    }
}

#[inline(always)]
fn sum_lanes<const N: usize>(weights: &mut [f32; LANES]) {
    for weight in weights {
        *weight = sum_by(&[0; N], |_| *weight);
    }
}

impl<S: StepSize, W: Store<S>> NTuple<S, W> {
    /// The orbits, if the weights of each are known to be alike.
    #[inline]
    pub(super) fn orbits(&self) -> Option<&Orbits> {
        self.lookups.book().filter(|_| self.alike == Some(true))?.orbits()
    }

    /// Whether the weights of each orbit are alike, and what is remembered of them too.
    pub(super) fn is_alike(&mut self) -> bool {
        let size = self.lookups.bank_size();
        let Some(orbits) = self.lookups.book().and_then(Book::orbits) else { return false };
        (0..self.banks).all(|bank| {
            let from = bank * size;
            let values = self.weights.bank(from, size);
            let alike = |a: u32, b: u32| values.value(a).to_bits() == values.value(b).to_bits();
            let same = orbits.all().all(|(orbit, _)| orbit.iter().all(|&i| alike(i, orbit[0])));
            let memory = self.weights.bank_mut(from, size);
            same && orbits.all().all(|(orbit, _)| {
                let first = memory.memory(orbit[0]);
                let first = bytemuck::bytes_of(&first);
                orbit.iter().all(|&index| bytemuck::bytes_of(&memory.memory(index)) == first)
            })
        })
    }
}

#[cfg(test)]
mod tests {
    use crate::ntuple::{Lookups, NTuple, NTupleSettings, Repeats};
    use crate::stepsize::{AlphaBound, Constant, Counting, StepSize, Tcl, Transfer};
    use crate::{Active, Init, Net, Output, Sight, TraceForm, TraceKind, TraceSettings};
    use ludens_core::{CellLayout, Rng, square_symmetries};

    fn lookups(tuples: &[&[u16]]) -> Lookups {
        let layout = CellLayout::grid(2, 2, 3).with_symmetries(square_symmetries(2));
        Lookups::new(&layout, tuples.iter().map(|tuple| tuple.to_vec()).collect()).unwrap()
    }

    #[test]
    fn boards_share_all_weights_or_none_if_each_tuple_covers_them() {
        let has_orbits = |tuples| lookups(tuples).book().unwrap().orbits().is_some();
        assert!(has_orbits(&[&[0, 1, 2, 3]]) && has_orbits(&[&[0, 1, 2, 3], &[3, 1, 0, 2]]));
        assert!(!has_orbits(&[&[0, 1, 2]]) && !has_orbits(&[&[0, 1, 2, 3], &[0, 1]]));
    }

    /// Learns on nets that differ only in whether they know that weights are alike.
    fn assert_learns_the_same<S: StepSize>(rule: S, repeats: Repeats, trace: TraceSettings) {
        let (output, init) = (Output::Tanh, Init::Zero);
        let settings = NTupleSettings { banks: 2, output, init, rate: 0.7, repeats };
        let all = lookups(&[&[0, 1, 2, 3], &[3, 1, 0, 2], &[2, 0, 1, 3]]);
        let mut alike = NTuple::new(all, settings, rule, &mut Rng::seeded(1));
        let mut other = NTuple { alike: Some(false), ..alike.clone() };
        let mut traces = [alike.new_trace(&trace).unwrap(), other.new_trace(&trace).unwrap()];
        let (mut seen, mut seen_otherwise) = (Active::default(), Active::default());
        let rng = &mut Rng::seeded(5);
        for _ in 0..300 {
            let digits = (0..4).map(|_| rng.below(3) as u8).collect();
            let (sight, bank) = (Sight { digits, ..Sight::default() }, rng.below(2));
            alike.activate(&sight, bank, &mut seen);
            other.activate(&sight, bank, &mut seen_otherwise);
            assert_eq!(seen, seen_otherwise);
            let (target, [a, b]) = (rng.between(-1.0, 1.0), &mut traces);
            let error = alike.correct(&mut seen, a, target);
            assert_eq!(error, other.correct(&mut seen_otherwise, b, target));
        }
        assert!(alike.orbits().is_some());
        assert_eq!(alike.tensors(), other.tensors());
        assert!(alike.is_alike());
    }

    #[test]
    fn knowing_one_weight_of_those_alike_is_knowing_all() {
        let (transfer, counting) = (Transfer::Exponential { beta: 2.7 }, Counting::Change);
        let tcl = Tcl { transfer, counting, start: 0.1 };
        let forms = [TraceForm::Horizon { steps: 1 }, TraceForm::Horizon { steps: 3 }];
        for form in forms.into_iter().chain([TraceForm::Sparse, TraceForm::Dense]) {
            for kind in [TraceKind::Accumulating, TraceKind::Replacing] {
                for repeats in [Repeats::Once, Repeats::Each] {
                    let trace = TraceSettings { decay: 0.6, kind, form };
                    assert_learns_the_same(Constant, repeats, trace);
                    assert_learns_the_same(tcl, repeats, trace);
                    assert_learns_the_same(AlphaBound, repeats, trace);
                }
            }
        }
    }

    #[test]
    fn weights_that_were_set_one_by_one_are_looked_at_again() {
        let settings = NTupleSettings {
            banks: 1,
            output: Output::Linear,
            init: Init::Zero,
            rate: 1.0,
            repeats: Repeats::Once,
        };
        let lookups = lookups(&[&[0, 1, 2, 3]]);
        let mut net = NTuple::new(lookups, settings, Constant, &mut Rng::seeded(1));
        let mut trace = net.new_trace(&TraceSettings::LATEST).unwrap();
        let sight = Sight { digits: vec![1, 2, 0, 0], ..Sight::default() };
        let mut active = Active::default();
        net.activate(&sight, 0, &mut active);
        net.correct(&mut active, &mut trace, 0.5);
        assert_eq!(net.alike, Some(true));
        let index = net.indices(&active)[0] as usize;
        net.tensors_mut()[0].data[index] += 1.0;
        assert_eq!(net.refresh(&mut active), 1.5);
        net.correct(&mut active, &mut trace, 1.5);
        assert_eq!(net.alike, Some(false));
    }
}
