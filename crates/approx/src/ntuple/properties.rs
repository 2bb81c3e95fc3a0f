//! Random networks and games: all that is fast computes what [`ReferenceNetwork`] computes.

use super::*;
use crate::network::update_in_steps;
use crate::reference::{Feature, ReferenceNetwork};
use crate::step::{
    Accumulate, Alap, AlphaBound, Autostep, Idbd, K1, Loss, StepRule, Tcl, Transfer, with_step_rule,
};
use crate::testing::{KINDS, OUTPUTS, bitboards};
use crate::{EncodedBatch, Encoding, Network, TraceForm, TraceSettings};
use ludens_core::{CellGroup, CellLayout, Packing, Rng, mirror_symmetries, square_symmetries};
use proptest::prelude::*;
use proptest::sample::select;
use std::collections::HashMap;

/// A network, and the seed of the games that train it.
#[derive(Clone, Debug)]
struct Case {
    layout: CellLayout,
    packing: Option<Packing>,
    tuples: Vec<Vec<u16>>,
    settings: NTupleSettings,
    trace: TraceSettings,
    seed: u64,
    moves: usize,
}

/// One move of a game.
struct Move {
    weight_set: usize,
    accumulator: usize,
    parent: Encoding,
    successors: Vec<Board>,
    chosen: usize,
    target: f32,
    alpha: f32,
    /// Whether a game begins: the trace is empty, and there is nothing to update.
    begins: bool,
    /// Whether the update is made step by step.
    in_steps: bool,
}

/// A board by its cells, and as networks read it.
#[derive(Clone)]
struct Board {
    digits: Vec<u8>,
    cells: Vec<u8>,
    encoding: Encoding,
}

/// Columns that are filled from below: no piece lies above an empty cell.
fn columns(width: usize, height: usize, values: u8) -> Vec<CellGroup> {
    let base = usize::from(values);
    let state = |n: usize| (0..height as u32).map(|i| (n / base.pow(i) % base) as u8).collect();
    let all = (0..base.pow(height as u32)).map(state);
    let is_filled = |s: &Vec<u8>| s.windows(2).all(|pair| pair[0] > 0 || pair[1] == 0);
    let states: Vec<Vec<u8>> = all.filter(is_filled).collect();
    let cells = |column| (0..height).map(|row| (row * width + column) as u16).collect();
    (0..width).map(|column| CellGroup { cells: cells(column), states: states.clone() }).collect()
}

fn layouts() -> impl Strategy<Value = (CellLayout, Option<Packing>)> {
    let values = select(vec![2u8, 3, 4, 4]);
    let packing = (any::<bool>(), any::<bool>());
    let shapes = (select(vec![2usize, 3, 4, 8]), 2usize..=4, values, 0..7, packing);
    shapes.prop_map(|(width, height, values, kind, (packed, bit_planes))| {
        let layout = match kind {
            0 => CellLayout::grid(width, height, values),
            1 | 2 => CellLayout::grid(width, height, values)
                .with_symmetries(mirror_symmetries(width, height)),
            _ => CellLayout::grid(width, width, values).with_symmetries(square_symmetries(width)),
        };
        if kind == 2 {
            return (CellLayout { groups: columns(width, height, values), ..layout }, None);
        }
        let packing = Packing { bits_per_cell: values.ilog2(), bit_planes };
        (layout, Some(packing).filter(|_| packed && values.is_power_of_two()))
    })
}

fn traces() -> impl Strategy<Value = TraceSettings> {
    let horizons = [1, 1, 2, 4].map(|steps| TraceForm::Horizon { steps });
    let forms = [&horizons[..], &[TraceForm::Sparse, TraceForm::Dense]].concat();
    (select(vec![0.0, 0.5, 0.8]), select(KINDS.to_vec()), select(forms))
        .prop_map(|(decay, kind, form)| TraceSettings { decay, kind, form })
}

fn settings() -> impl Strategy<Value = NTupleSettings> {
    let duplicates = vec![DuplicateFeatures::Once, DuplicateFeatures::Each];
    (1usize..=2, select(OUTPUTS.to_vec()), 0.02f32..0.2, select(duplicates)).prop_map(
        |(weight_sets, output, alpha, duplicates)| {
            let init = Init { low: -0.05, high: 0.05 };
            NTupleSettings { weight_sets, output, init, alpha, duplicates }
        },
    )
}

fn cases() -> impl Strategy<Value = Case> {
    let counts = select(vec![1, 2, 3, 4, 5, 8, 8, 11, 17, 33]);
    (layouts(), counts, settings(), traces(), any::<u64>(), 30usize..60).prop_map(
        |((layout, packing), count, settings, trace, seed, moves)| {
            let rng = &mut Rng::seeded(seed);
            let tuple = |_| {
                let mut cells: Vec<u16> = (0..layout.num_cells() as u16).collect();
                rng.shuffle(&mut cells);
                cells.truncate(1 + rng.below(4));
                cells.sort_unstable();
                cells
            };
            let tuples = (0..count).map(tuple).collect();
            Case { layout, packing, tuples, settings, trace, seed, moves }
        },
    )
}

impl Case {
    fn lookups(&self) -> usize {
        self.tuples.len() * self.layout.symmetries.len()
    }

    fn alpha_per_lookup(&self) -> f32 {
        self.settings.alpha / self.lookups() as f32
    }

    fn network<S: StepSize>(&self, rule: S) -> NTuple<S> {
        let lookups = Lookups::new(&self.layout, self.packing, self.tuples.clone()).unwrap();
        NTuple::new(lookups, self.settings, rule, &mut Rng::seeded(self.seed))
    }

    fn reference<S: StepSize>(&self, rule: S) -> ReferenceNetwork<S> {
        let NTupleSettings { output, alpha, duplicates, .. } = self.settings;
        let (layout, tuples, trace) = (self.layout.clone(), self.tuples.clone(), self.trace);
        let (weights, memory, eligibility, positions) = Default::default();
        ReferenceNetwork {
            layout,
            tuples,
            output,
            alpha,
            duplicates,
            trace,
            rule,
            weights,
            memory,
            eligibility,
            positions,
        }
    }

    /// A board with `changes` other digits: cells, or joint states of groups.
    fn board(&self, digits: &[u8], changes: usize, rng: &mut Rng) -> Board {
        let (CellLayout { groups, values, .. }, mut digits) = (&self.layout, digits.to_vec());
        for _ in 0..changes {
            let digit = rng.below(digits.len());
            let group = groups.get(digit).map(|group| group.states.len());
            digits[digit] = rng.below(group.unwrap_or(usize::from(values[0]))) as u8;
        }
        let mut cells = if groups.is_empty() { digits.clone() } else { vec![0; values.len()] };
        for (group, &state) in groups.iter().zip(&digits) {
            for (&cell, &value) in group.cells.iter().zip(&group.states[usize::from(state)]) {
                cells[usize::from(cell)] = value;
            }
        }
        let encoding = match self.packing {
            Some(packing) => {
                let bitboards = bitboards(&self.layout, packing, &cells);
                Encoding { bitboards, ..Encoding::default() }
            }
            None => Encoding { cells: digits.clone(), ..Encoding::default() },
        };
        Board { digits, cells, encoding }
    }

    fn game(&self) -> Vec<Move> {
        let rng = &mut Rng::seeded(self.seed);
        let digits = match self.layout.groups.len() {
            0 => self.layout.num_cells(),
            groups => groups,
        };
        let mut state = self.board(&vec![0; digits], digits, rng);
        let next_move = |nth| {
            let changes = [1, 1, 1, 0, 2, 5];
            let parent = self.board(&state.digits, changes[rng.below(6)], rng);
            let mut successor = |_| self.board(&parent.digits, changes[rng.below(6)], rng);
            let successors: Vec<Board> = (0..1 + nth % 4).map(&mut successor).collect();
            let chosen = rng.below(successors.len());
            state = successors[chosen].clone();
            Move {
                weight_set: rng.below(self.settings.weight_sets),
                accumulator: rng.below(2),
                parent: if rng.chance(0.2) { Encoding::default() } else { parent.encoding },
                successors,
                chosen,
                target: rng.between(-1.0, 1.0),
                alpha: self.settings.alpha * rng.between(0.5, 1.0),
                begins: nth == 0 || rng.chance(0.1),
                in_steps: rng.chance(0.2),
            }
        };
        (0..self.moves).map(next_move).collect()
    }
}

/// Trains a network; returns all values, slopes and errors.
fn play(network: &mut dyn Network, case: &Case, trace: &TraceSettings, game: &[Move]) -> Vec<f32> {
    let mut trace = network.new_trace(trace).unwrap();
    let (mut batch, mut log) = (EncodedBatch::default(), Vec::new());
    let [mut taken, mut previous, mut fresh] = [(); 3].map(|()| Evaluation::default());
    for next in game {
        network.set_step_size(next.alpha);
        batch.begin(next.weight_set, next.accumulator);
        batch.parent.copy_from(&next.parent);
        next.successors.iter().for_each(|board| batch.push().copy_from(&board.encoding));
        network.evaluate(&mut batch);
        network.take(&mut batch, next.chosen, &mut taken);
        fresh.begin(next.weight_set).copy_from(&next.successors[next.chosen].encoding);
        network.reevaluate(&mut fresh);
        assert_eq!(taken.features, fresh.features);
        // Few lookups and packed boards without eight images are always summed in one order.
        let is_packed = case.packing.is_some();
        if case.lookups() <= 16 && !is_packed || is_packed && case.layout.symmetries.len() < 8 {
            assert_eq!((taken.value, taken.slope), (fresh.value, fresh.slope));
        }
        log.append(&mut batch.values);
        log.extend([taken.value, taken.slope]);
        if next.begins {
            trace.clear();
        } else if next.in_steps {
            log.push(update_in_steps(network, &mut previous, &mut trace, next.target));
        } else {
            log.push(network.update(&mut previous, &mut trace, next.target));
        }
        std::mem::swap(&mut taken, &mut previous);
    }
    log
}

/// The same with the reference.
fn play_reference<S: StepSize>(network: &mut ReferenceNetwork<S>, game: &[Move]) -> Vec<f32> {
    let (mut log, mut previous) = (Vec::new(), (0, &game[0].successors[0].cells));
    for next in game {
        network.alpha = next.alpha;
        let evaluate = |board: &Board| network.evaluate(next.weight_set, &board.cells);
        let found: Vec<(f32, f32)> = next.successors.iter().map(evaluate).collect();
        log.extend(found.iter().map(|found| found.0));
        log.extend([found[next.chosen].0, found[next.chosen].1]);
        if next.begins {
            network.clear_trace();
        } else {
            log.push(network.update(previous.0, previous.1, next.target));
        }
        previous = (next.weight_set, &next.successors[next.chosen].cells);
    }
    log
}

/// The number of each weight that a game uses, and that no two features share one.
fn weight_numbers<S: StepSize>(
    network: &NTuple<S>,
    reference: &ReferenceNetwork<S>,
    game: &[Move],
) -> HashMap<Feature, usize> {
    let (mut numbers, mut features, mut found) = (HashMap::new(), HashMap::new(), Vec::new());
    for next in game {
        for board in &next.successors {
            network.lookups.features(&board.encoding, &mut found);
            let of_board = reference.features(next.weight_set, &board.cells);
            for (feature, &index) in of_board.into_iter().zip(&found) {
                let number = network.offset(next.weight_set) + index as usize;
                assert_eq!(*numbers.entry(feature.clone()).or_insert(number), number);
                assert_eq!(features.entry(number).or_insert(feature.clone()), &feature);
            }
        }
    }
    numbers
}

/// Values, errors and weights are compared with numbers from 0.1 on; what step sizes sum up, from 1.
const VALUES: f32 = 0.1;
const MEMORY: f32 = 1.0;

fn assert_close(expected: &[f32], found: &[f32], least: f32) {
    assert_eq!(expected.len(), found.len());
    for (nth, (a, b)) in expected.iter().zip(found).enumerate() {
        assert!((a - b).abs() <= 1e-4 * a.abs().max(least), "{a} {b} at {nth}");
    }
}

/// Compares values, errors, weights and memory with the reference; portable code and atomic weights
/// compute the same bits.
fn check_against_reference<S: StepSize>(rule: S, case: &Case) {
    let (mut network, game) = (case.network(rule.clone()), case.game());
    let (mut portable, mut atomic) = (network.clone(), network.clone());
    let mut reference = case.reference(rule);
    let numbers = weight_numbers(&network, &reference, &game);
    let mut weights = network.weights.values.clone();
    let initial = numbers.iter().map(|(feature, &number)| (feature.clone(), weights[number]));
    reference.weights.extend(initial);
    let log = play(&mut network, case, &case.trace, &game);
    assert_close(&play_reference(&mut reference, &game), &log, VALUES);
    let tensors = network.tensors();
    numbers.iter().for_each(|(feature, &number)| weights[number] = reference.weights[feature]);
    assert_close(&weights, tensors[0].data, VALUES);
    for (feature, memory) in &reference.memory {
        let memory: &[f32] = bytemuck::cast_slice(std::slice::from_ref(memory));
        let (from, all) = (numbers[feature] * memory.len(), tensors.get(1));
        let found = all.map_or(&[][..], |all| &all.data[from..][..memory.len()]);
        assert_close(memory, found, MEMORY);
    }
    if let Some(bitboards) = &mut portable.lookups.bitboards {
        bitboards.avx2 = None;
        assert_eq!(play(&mut portable, case, &case.trace, &game), log);
        assert_eq!(portable.tensors(), tensors);
    }
    let mut atomic_log = Vec::new();
    atomic.parallel().unwrap().train_shared(1, &mut |mut networks| {
        let network = networks[0].get_mut().expect("the only owner");
        atomic_log = play(network, case, &case.trace, &game);
    });
    assert_eq!((atomic_log, atomic.tensors()), (log, tensors));
}

/// Step sizes that normalise see each weight once, so that all forms of a trace teach the same.
fn check_forms<S: StepSize>(rule: S, case: &Case) {
    let (network, game) = (case.network(rule), case.game());
    let learn = |form| {
        let mut network = network.clone();
        let log = play(&mut network, case, &TraceSettings { form, ..case.trace }, &game);
        (log, network)
    };
    let dense = learn(TraceForm::Dense);
    let horizon = (case.trace.decay == 0.0).then_some(TraceForm::Horizon { steps: 1 });
    for form in horizon.into_iter().chain([TraceForm::Sparse]) {
        let other = learn(form);
        assert_close(&dense.0, &other.0, VALUES);
        for (expected, found) in dense.1.tensors().into_iter().zip(other.1.tensors()) {
            assert_close(expected.data, found.data, MEMORY);
        }
    }
}

/// Rules that do not normalise; those that ignore alpha begin with a tenth of it and do not diverge.
fn rules(case: &Case) -> [StepRule; 8] {
    let alpha = 0.1 * case.alpha_per_lookup();
    let tcl = |transfer, accumulate, initial| {
        StepRule::Tcl(Tcl { transfer, accumulate, initial, ..Tcl::default() })
    };
    let idbd = |loss| {
        let (initial_log_alpha, meta_step) = (alpha.ln(), 0.1);
        StepRule::Idbd(Idbd { initial_log_alpha, meta_step, loss, ..Idbd::default() })
    };
    [
        StepRule::Constant,
        tcl(Transfer::Identity, Accumulate::RecommendedChange, 0.0),
        tcl(Transfer::Identity, Accumulate::Error, 0.1),
        tcl(Transfer::Exponential, Accumulate::RecommendedChange, 0.0),
        tcl(Transfer::Exponential, Accumulate::Error, 0.0),
        idbd(Loss::Squared),
        idbd(Loss::CrossEntropy),
        StepRule::Alap(Alap { initial_alpha: alpha, meta_step: 0.002, decay: 0.9 }),
    ]
}

fn config() -> ProptestConfig {
    ProptestConfig { failure_persistence: None, ..ProptestConfig::default() }
}

proptest! {
    #![proptest_config(config())]

    #[test]
    fn networks_learn_what_the_reference_learns(case in cases(), rule in 0..8usize) {
        with_step_rule!(rules(&case)[rule].clone(), rule => check_against_reference(rule, &case));
    }

    #[test]
    fn all_traces_teach_step_sizes_that_normalise_the_same(case in cases(), rule in 0..3usize) {
        let initial_alpha = 0.1 * case.alpha_per_lookup();
        let initial_log_variance = initial_alpha.ln();
        match rule {
            0 => check_forms(AlphaBound, &case),
            1 => check_forms(Autostep { initial_alpha, meta_step: 0.01, tau: 100.0 }, &case),
            _ => {
                let noise_variance = 1.0;
                check_forms(K1 { initial_log_variance, meta_step: 0.01, noise_variance }, &case);
            }
        }
    }
}
