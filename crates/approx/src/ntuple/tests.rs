use super::bitboard::WindowBatch;
use super::*;
use crate::step::{AlphaBound, Constant};
use crate::testing::{self, KINDS, OUTPUTS, bitboards, tcl};
use crate::{
    BatchEvaluator, EncodedBatch, Encoding, FusedBatch, FusedNetwork, Network, Trace, TraceForm,
    TraceKind, TraceSettings, UniqueArc,
};
use ludens_core::{CellLayout, Packing, mirror_symmetries, square_symmetries};
use ludens_simd::sum_at;
use std::array;

fn layout() -> CellLayout {
    CellLayout::grid(3, 3, 3).with_symmetries(square_symmetries(3))
}

fn settings(output: Output) -> NTupleSettings {
    let init = Init { low: -0.1, high: 0.1 };
    let duplicates = DuplicateFeatures::Once;
    NTupleSettings { weight_sets: 2, output, init, alpha: 0.5, duplicates }
}

fn network<S: StepSize>(tuples: &[&[u16]], settings: NTupleSettings, rule: S) -> NTuple<S> {
    let tuples = tuples.iter().map(|tuple| tuple.to_vec()).collect();
    let lookups = Lookups::new(&layout(), None, tuples).unwrap();
    NTuple::new(lookups, settings, rule, &mut Rng::seeded(1))
}

fn random_board(rng: &mut Rng) -> Encoding {
    Encoding { cells: (0..9).map(|_| rng.below(3) as u8).collect(), ..Encoding::default() }
}

fn board(cells: &[u8]) -> Evaluation {
    let encoding = Encoding { cells: cells.to_vec(), ..Encoding::default() };
    Evaluation { encoding, ..Evaluation::default() }
}

#[test]
fn an_index_is_a_number_to_the_base_of_the_cell_values() {
    let network = network(&[&[0, 1, 4], &[5, 2]], settings(Output::Linear), Constant);
    assert_eq!((network.lookups.set_size(), network.lookups.len()), (27 + 9, 16));
    let mut evaluation = board(&[1, 2, 1, 0, 1, 2, 0, 0, 0]);
    network.reevaluate(&mut evaluation);
    assert_eq!(evaluation.features[..2], [1 + 2 * 3 + 9, 27 + 1 + 2 * 3]);
}

#[test]
fn indices_of_packed_boards_are_bits_and_their_tables_lie_a_cache_line_apart() {
    let layout = CellLayout::grid(3, 1, 4);
    // Cells 3 and 1: 3 + 4 * 1 as cells; as planes, both low bits, then both high bits.
    for (bit_planes, expected, size) in [(false, [7, 32 + 2], 52), (true, [0b111, 16 + 2], 20)] {
        let packing = Some(Packing { bits_per_cell: 2, bit_planes });
        let lookups = Lookups::new(&layout, packing, vec![vec![0, 1], vec![2]]).unwrap();
        let (mut features, cells) = (Vec::new(), vec![3, 1, 2]);
        lookups.features(&Encoding { cells, ..Encoding::default() }, &mut features);
        assert_eq!((&features[..], lookups.set_size()), (&expected[..], size));
    }
}

#[test]
fn symmetric_boards_have_the_same_value() {
    let network = network(&[&[0, 1, 4], &[2, 5]], settings(Output::Tanh), Constant);
    let cells = random_board(&mut Rng::seeded(5)).cells;
    let value = network.reevaluate(&mut board(&cells));
    for symmetry in &layout().symmetries {
        let mut image = cells.clone();
        (0..9).for_each(|i| image[usize::from(symmetry[i])] = cells[i]);
        assert!((network.reevaluate(&mut board(&image)) - value).abs() < 1e-6);
    }
}

#[test]
fn networks_pass_the_conformance_tests() {
    for output in OUTPUTS {
        // The gradient that finite differences approximate counts each use.
        let duplicates = DuplicateFeatures::Each;
        let settings = NTupleSettings { duplicates, ..settings(output) };
        testing::check_network(&network(&[&[0, 1, 4], &[2, 5]], settings, Constant), random_board);
        testing::check_saving(&network(&[&[0, 1]], settings, tcl()), 0, &random_board);
    }
    // More lookups than a byte can number.
    let many: Vec<[u16; 2]> = (0..40).map(|i| [i % 9, (i + 1) % 9]).collect();
    let many: Vec<&[u16]> = many.iter().map(|tuple| &tuple[..]).collect();
    let settings =
        NTupleSettings { duplicates: DuplicateFeatures::Each, ..settings(Output::Linear) };
    testing::check_network(&network(&many, settings, Constant), random_board);
}

#[test]
fn alpha_of_one_removes_the_whole_error_of_a_linear_network() {
    let mut network = network(&[&[0, 1, 3]], settings(Output::Linear), Constant);
    network.set_step_size(1.0);
    // Images share weights: each moves once, and the value with all that use it.
    let mut evaluation = board(&[0, 1, 2, 0, 1, 2, 1, 1, 2]);
    let mut trace = network.new_trace(&TraceSettings::TD0).unwrap();
    let error = network.update(&mut evaluation, &mut trace, 1.0);
    assert!(error != 0.0 && (network.reevaluate(&mut evaluation) - 1.0).abs() < 1e-5);
}

#[test]
fn duplicate_features_are_counted_but_move_a_weight_once() {
    let settings = NTupleSettings { init: Init::ZERO, ..settings(Output::Linear) };
    // The centre is its own image eight times: each time, a step of 0.5 / 8 * 0.8 = 0.05.
    for (duplicates, moved) in [(DuplicateFeatures::Once, 0.05), (DuplicateFeatures::Each, 0.4)] {
        let mut network = network(&[&[4]], NTupleSettings { duplicates, ..settings }, tcl());
        let mut trace = network.new_trace(&TraceSettings::TD0).unwrap();
        network.update(&mut board(&[0; 9]), &mut trace, 0.8);
        let tensors = network.tensors();
        assert!((tensors[0].data[0] - moved).abs() < 1e-7);
        assert!((tensors[1].data[1] - 8.0 * 0.8).abs() < 1e-5);
    }
}

/// The two weights of a tuple of one cell after updates toward these errors. Boards are two cells
/// that mirror each other: 11, 10 and 00. Each step is 1/2 * error * trace.
fn mirrored<S: StepSize>(
    rule: S,
    duplicates: DuplicateFeatures,
    (kind, form): (TraceKind, TraceForm),
    errors: [f32; 3],
) -> Vec<f32> {
    let layout = CellLayout::grid(2, 1, 2).with_symmetries(mirror_symmetries(2, 1));
    let lookups = Lookups::new(&layout, None, vec![vec![0]]).unwrap();
    let settings =
        NTupleSettings { init: Init::ZERO, alpha: 1.0, duplicates, ..settings(Output::Linear) };
    let mut network = NTuple::new(lookups, settings, rule, &mut Rng::seeded(1));
    let mut trace = network.new_trace(&TraceSettings { decay: 0.5, kind, form }).unwrap();
    for (cells, error) in [[1, 1], [1, 0], [0, 0]].into_iter().zip(errors) {
        let mut evaluation = board(&cells);
        network.reevaluate(&mut evaluation);
        network.accumulate(&evaluation, &mut trace);
        network.update_trace(&trace, error);
    }
    network.tensors()[0].data[..2].to_vec()
}

#[test]
fn repeated_features_replace_or_add_to_their_trace() {
    use {DuplicateFeatures::*, TraceKind::*};
    // The traces of weights 0 and 1 after each position:
    let expected = [
        (Once, Replacing, [1.0, 1.25]),      // 0 1, 1 1, 1 0.5
        (Each, Replacing, [1.5, 1.75]),      // 0 2, 1 1, 2 0.5
        (Once, Accumulating, [1.25, 1.625]), // 0 1, 1 1.5, 1.5 0.75
        (Each, Accumulating, [1.75, 2.5]),   // 0 2, 1 2, 2.5 1
    ];
    for (duplicates, kind, weights) in expected {
        for form in [TraceForm::Horizon { steps: 3 }, TraceForm::Sparse, TraceForm::Dense] {
            let found = mirrored(Constant, duplicates, (kind, form), [1.0; 3]);
            assert_eq!(found, weights, "{duplicates:?} {kind:?} {form:?}");
        }
    }
    // Cut after two positions: the first one does not move weight 1 by 1/2 * 0.25 at the end.
    let cut = (Accumulating, TraceForm::Horizon { steps: 2 });
    assert_eq!(mirrored(Constant, Once, cut, [1.0; 3]), [1.25, 1.5]);
}

#[test]
fn a_horizon_records_each_use_of_a_weight_and_other_traces_one_step() {
    let kind = TraceKind::Replacing;
    let weights = |form| mirrored(tcl(), DuplicateFeatures::Once, (kind, form), [1.0, -1.0, 1.0]);
    // Weight 1: N, A = 1, 1, then 0, 2: a factor of 0 at last.
    assert_eq!(weights(TraceForm::Sparse), [0.0, 0.0]);
    assert_eq!(weights(TraceForm::Dense), [0.0, 0.0]);
    // Weight 1: N, A = 2, 2, then 1, 3: a factor of 1/3, and 1/2 * 1/3 * 0.5 = 1/12.
    assert_eq!(weights(TraceForm::Horizon { steps: 3 }), [0.0, 1.0 / 12.0]);
}

/// Updates one weight set with random boards.
fn train(network: &mut dyn Network, seed: usize, weight_set: usize) {
    for kind in KINDS {
        for form in [TraceForm::Sparse, TraceForm::Horizon { steps: 1 }] {
            let trace = TraceSettings { decay: 0.5, kind, form };
            let (rng, mut trace) =
                (&mut Rng::seeded(seed as u64), network.new_trace(&trace).unwrap());
            for _ in 0..20 {
                let encoding = random_board(rng);
                let evaluation = &mut Evaluation { weight_set, encoding, ..Evaluation::default() };
                network.reevaluate(evaluation);
                network.update(evaluation, &mut trace, rng.between(-1.0, 1.0));
            }
        }
    }
}

#[test]
fn threads_that_keep_to_their_weight_sets_train_as_one_thread() {
    let mut together = network(&[&[0, 1, 4], &[2, 5]], settings(Output::Tanh), tcl());
    let mut apart = together.clone();
    (0..2).for_each(|set| train(&mut together, set, set));
    assert_ne!(together.tensors(), apart.tensors());
    let parallel = apart.parallel().unwrap();
    assert!(parallel.sets_are_independent());
    parallel.train_shared(2, &mut |networks: Vec<UniqueArc<dyn Network>>| {
        std::thread::scope(|scope| {
            for (set, mut network) in networks.into_iter().enumerate() {
                scope.spawn(move || train(network.get_mut().expect("the only owner"), set, set));
            }
        });
    });
    assert_eq!(together.tensors(), apart.tensors());
    let mut bound = network(&[&[4]], settings(Output::Tanh), AlphaBound);
    assert!(!bound.parallel().unwrap().sets_are_independent());
}

#[test]
fn one_hogwild_thread_trains_as_the_owner_of_the_weights() {
    fn check<S: StepSize>(rule: S) {
        let mut owned = network(&[&[0, 1, 4], &[2, 5], &[4]], settings(Output::Tanh), rule);
        let mut shared = owned.clone();
        train(&mut owned, 3, 1);
        shared.parallel().unwrap().train_shared(1, &mut |mut networks| {
            train(networks[0].get_mut().expect("the only owner"), 3, 1);
        });
        assert_eq!(owned.tensors(), shared.tensors());
    }
    check(Constant);
    check(tcl());
    check(AlphaBound);
}

/// A random board as cells, and packed.
fn packed_board(layout: &CellLayout, packing: Packing, rng: &mut Rng) -> (Encoding, Encoding) {
    let cells: Vec<u8> = layout.values.iter().map(|&v| rng.below(usize::from(v)) as u8).collect();
    let bitboards = bitboards(layout, packing, &cells);
    (Encoding { cells, ..Encoding::default() }, Encoding { bitboards, ..Encoding::default() })
}

#[test]
fn bitboards_have_the_features_and_sums_of_their_cells_on_every_processor() {
    let shapes = [(4, 4, 4), (8, 2, 6), (4, 2, 3)].into_iter();
    for (shape, bit_planes) in shapes.flat_map(|shape| [(shape, false), (shape, true)]) {
        let ((side, bits_per_cell, length), rng) = (shape, &mut Rng::seeded(3));
        let layout = CellLayout::grid(side, side, 1 << bits_per_cell)
            .with_symmetries(square_symmetries(side));
        let packing = Packing { bits_per_cell, bit_planes };
        let mut tuples = random_walks(&layout, 7, length, rng).unwrap();
        tuples.push(vec![0, (side * side - 1) as u16]);
        let lookups = Lookups::new(&layout, Some(packing), tuples).unwrap();
        let bitboards = lookups.bitboards.as_ref().unwrap();
        let mut portable = bitboards.clone();
        portable.avx2 = None;
        let weights: Vec<f32> = (0..lookups.set_size()).map(|i| (i as f32).sin()).collect();
        for _ in 0..50 {
            let (cells, packed) = packed_board(&layout, packing, rng);
            let boards = [packed_board(&layout, packing, rng).1, packed.clone()];
            let mut expected = Vec::new();
            lookups.features(&cells, &mut expected);
            let sums = [bitboards, &portable].map(|tuples| {
                let (mut found, mut sums) = (vec![0; lookups.len()], Vec::new());
                tuples.features(&packed.bitboards, &mut found);
                assert_eq!(found, expected);
                let windows = &mut WindowBatch::default();
                assert!(tuples.sum_positions(&boards, &weights, windows, &mut sums));
                sums
            });
            assert_eq!(sums[0], sums[1]);
            assert!((sums[0][1] - sum_at(&weights, &expected)).abs() < 1e-4);
        }
    }
}

/// Compares fused with general evaluation; returns the values.
fn check_fused<S: StepSize>(network: &NTuple<S>, boards: &[Encoding]) -> Vec<f32> {
    let (mut batch, [mut expected, mut found]) = (EncodedBatch::default(), Default::default());
    batch.begin(1, 0);
    boards.iter().for_each(|board| batch.push().copy_from(board));
    network.evaluate(&mut batch);
    let word = |lane: usize, image: usize| boards[lane.min(boards.len() - 1)].bitboards[image];
    let row = |image| array::from_fn(|w| array::from_fn(|lane| word(lane, image)[w]));
    let bitboards = (0..boards[0].bitboards.len()).map(row).collect();
    let (fused, count) = (network.fused().unwrap(), boards.len());
    let mut successors = FusedBatch { weight_set: 1, count, bitboards, ..FusedBatch::default() };
    fused.evaluate_successors(&mut successors);
    assert_eq!(successors.values, batch.values);
    for nth in 0..count {
        network.take(&mut batch, nth, &mut expected);
        fused.take_successor(&successors, nth, &mut found);
        assert_eq!((&found.features, found.weight_set), (&expected.features, 1));
        assert_eq!(network.reevaluate(&mut found), batch.values[nth]);
        assert_eq!((found.sum, found.slope), (expected.sum, expected.slope));
    }
    batch.values
}

#[test]
fn fused_evaluation_is_evaluation_bit_for_bit() {
    // Four and eight tables in registers, boards of two words, and boards of two images.
    let shapes = [(4, 4, 8, 4, 5), (4, 4, 8, 8, 5), (8, 2, 8, 2, 11), (4, 4, 2, 4, 5)].into_iter();
    for (shape, bit_planes) in shapes.flat_map(|shape| [(shape, false), (shape, true)]) {
        let ((side, bits_per_cell, images, tuples, length), rng) = (shape, &mut Rng::seeded(3));
        let symmetries = square_symmetries(side)[..images].to_vec();
        let layout = CellLayout::grid(side, side, 1 << bits_per_cell).with_symmetries(symmetries);
        let packing = Packing { bits_per_cell, bit_planes };
        let tuples = random_points(&layout, tuples, length, rng).unwrap();
        let lookups = Lookups::new(&layout, Some(packing), tuples).unwrap();
        let mut network = NTuple::new(lookups, settings(Output::Sigmoid), Constant, rng);
        for count in 1..=4 {
            let board = |_| packed_board(&layout, packing, rng).1;
            let boards: Vec<Encoding> = (0..count).map(board).collect();
            let values = check_fused(&network, &boards);
            let tuples = network.lookups.bitboards.as_mut().unwrap();
            let avx2 = tuples.avx2.take();
            assert_eq!(check_fused(&network, &boards), values);
            network.lookups.bitboards.as_mut().unwrap().avx2 = avx2;
        }
    }
}

#[test]
fn a_network_is_fused_only_where_updates_need_no_trace() {
    let tuples: Vec<[u16; 1]> = (0..8).map(|cell| [cell]).collect();
    let tuples: Vec<&[u16]> = tuples.iter().map(|tuple| &tuple[..]).collect();
    let td0 = |form| TraceSettings { form, ..TraceSettings::TD0 };
    let is_td0 = |network: &dyn FusedNetwork, form| network.is_td0(&Trace::new(&td0(form), 1));
    let (constant, settings) =
        (network(&tuples, settings(Output::Tanh), Constant), settings(Output::Tanh));
    assert!(is_td0(&constant, TraceForm::Horizon { steps: 1 }) && constant.fused().is_none());
    assert!(!is_td0(&constant, TraceForm::Horizon { steps: 2 }));
    assert!(!is_td0(&constant, TraceForm::Sparse));
    // Duplicates are merged on the trace, or counted there.
    let one = TraceForm::Horizon { steps: 1 };
    assert!(!is_td0(&network(&tuples, settings, tcl()), one));
    assert!(is_td0(&network(&tuples[1..], settings, tcl()), one));
    assert!(!is_td0(&network(&tuples, settings, AlphaBound), one));
}

#[test]
fn sizes_that_overflow_are_refused() {
    // 2^32, 2^64 and 3^64 weights.
    let powers = [(8, 1, 16), (16, 1, 16), (8, 8, 3)];
    for (width, height, values) in powers {
        let layout = CellLayout::grid(width, height, values);
        let tuple = (0..layout.num_cells() as u16).collect();
        let refused = Lookups::new(&layout, None, vec![tuple]).err().unwrap().to_string();
        assert!(refused.contains("more than 4294967295 weights"), "{refused}");
    }
    let layout = CellLayout::grid(2, 2, 2);
    assert!(Lookups::new(&layout, None, vec![]).is_err());
    assert!(Lookups::new(&layout, None, vec![vec![0]; 10_001]).is_err());
}
