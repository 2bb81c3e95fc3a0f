use super::vectors::Arrays;
use super::*;
use crate::vector::{exp, exp_all};
use ludens_core::Rng;
use std::sync::atomic::Ordering;

#[test]
fn tables_of_every_size_hold_their_value() {
    for count in (0..300).chain([16_001, HUGE / 4 - 1, HUGE / 4]) {
        assert_eq!(table(count, 0.5f32), vec![0.5; count]);
    }
    assert_eq!(table(1_000, ()).len(), 1_000);
}

#[test]
fn tables_become_bits_and_tables_again_without_moving() {
    let table: Vec<[f32; 2]> = (0..100).map(|i| [i as f32, -0.5]).collect();
    let (expected, place) = (table.clone(), table.as_ptr() as usize);
    let bits = into_bits(table);
    assert_eq!((bits.len(), bits.as_ptr() as usize), (200, place));
    assert_eq!(f32::from_bits(bits[14].load(Ordering::Relaxed)), 7.0);
    assert_eq!(from_bits::<[f32; 2]>(bits), expected);
}

#[test]
fn weights_in_a_whole_table_are_read_by_the_bits_under_its_mask() {
    let Some(bits) = Wide::find() else { return };
    let weights: Vec<f32> = (0..16).map(|i| i as f32).collect();
    let (bank, mask) = (&weights[..], 0xf000_0000_0000_000f & !0x3000_0000_0000_0003);
    let table = Whole::new(&bank, mask);
    for word in [0, u64::MAX, mask, 0x8000_0000_0000_0004, 0x7fff_ffff_ffff_fff3] {
        let place = bits.extract(word, mask);
        assert_eq!(bits.look(&table, word), place as f32);
    }
    assert_eq!(bits.look(&table, u64::MAX), 15.0);
}

#[test]
#[should_panic(expected = "a place for each")]
fn a_table_with_too_few_places_is_refused() {
    Whole::new(&&[0.0f32; 15][..], 0b1111);
}

#[test]
fn rows_are_summed_up_if_every_index_has_its_weight() {
    let rows = Rows::new(vec![0, 1, 2, 3, 3, 3], 3);
    assert_eq!(rows.row(1), [3, 3, 3]);
    let weights = [1.0, 2.0, 4.0, 8.0];
    assert_eq!([rows.sum(0, &weights[..]), rows.sum(1, &weights[..])], [7.0, 24.0]);
}

#[test]
#[should_panic(expected = "a weight for each index")]
fn rows_beyond_the_last_weight_are_refused() {
    Rows::new(vec![0, 1, 2, 3], 2).sum(0, &[0.0f32; 3][..]);
}

#[test]
fn steps_are_added_wherever_the_indices_are_there() {
    let mut weights = vec![0.0; 10];
    for indices in [&[1, 1, 2, 3, 4, 5, 6, 7, 0][..], &[9, 6], &[]] {
        add_at(&mut weights, Places::new(indices), 0.5);
    }
    assert_eq!(weights, [0.5, 1.0, 0.5, 0.5, 0.5, 0.5, 1.0, 0.5, 0.0, 0.5]);
}

#[test]
#[should_panic(expected = "a weight for each index")]
fn an_index_beyond_the_last_is_refused() {
    add_at(&mut [0.0; 10], Places::new(&[3, 10]), 0.5);
}

#[test]
fn parts_of_places_are_places() {
    let (weights, indices) = ([1.0, 2.0, 4.0, 8.0], [3, 0, 1, 2, 3]);
    let sums = Places::new(&indices).chunks(2).map(|part| sum_at(&weights[..], part.indices()));
    assert_eq!(sums.collect::<Vec<_>>(), [9.0, 6.0, 8.0]);
}

/// Tells sums in different places apart.
fn spread([a, b, c]: [f32; 3]) -> f32 {
    a + 10.0 * b + 100.0 * c
}

#[test]
fn weights_are_summed_up_by_their_place_wherever_the_indices_are_there() {
    let weights = [0.0, 1.0, 2.0, 3.0, 4.0, 5.0, 6.0];
    let added = |rows: [u32; 6]| sum_boards::<_, 3, 2>(&weights[..], Places::new(&rows), spread);
    assert_eq!(added([1, 2, 3, 0, 0, 1]), 421.0);
    assert_eq!(sum_at(&weights[..], &[1; 9]), 9.0);
}

#[test]
fn each_place_may_have_a_table_of_its_own() {
    let weights = [0.0, 1.0, 2.0, 3.0, 4.0, 5.0, 6.0];
    let tables = [&weights[..], &weights[1..], &weights[2..]];
    let added = |rows: &[[u32; 3]; 2]| {
        let mut sums = [0.0; 2];
        sum_tables(tables, &[[[0; 3]; 2], *rows], spread, &mut sums);
        sums
    };
    assert_eq!(added(&[[1, 2, 3], [0, 0, 1]]), [420.0, 841.0]);
    // The bits of 2 and 4 together are 6, more than the last index: each is looked at then.
    assert_eq!(added(&[[2, 4, 4], [0, 0, 0]]), [420.0, 862.0]);
}

#[test]
#[should_panic(expected = "index out of bounds")]
fn a_row_beyond_the_last_weight_is_refused() {
    let weights = [0.0f32; 8];
    sum_tables([&weights[..], &weights[1..]], &[[[3, 7]]], |[a, b]| a + b, &mut [0.0]);
}

#[test]
#[should_panic(expected = "a weight for each index")]
fn a_board_beyond_the_last_weight_is_refused() {
    sum_boards::<_, 2, 1>(&[0.0f32; 8][..], Places::new(&[3, 8]), |[a, b]| a + b);
}

#[test]
fn what_is_remembered_is_gathered_and_scattered() {
    let (mut weights, mut memory) = ([0.0; 12], [[0.0; 2]; 12]);
    let indices = [11, 0, 3, 4, 5, 6, 7, 8, 9];
    let (memories, steps): (Vec<_>, Vec<_>) = (1..10).map(|i| ([i as f32; 2], 0.5)).unzip();
    scatter((&mut weights, &mut memory), Places::new(&indices), &memories, &steps);
    let mut found = [[0.0; 2]; 16];
    gather(&memory, Places::new(&indices), &mut found);
    assert_eq!(found[..9], memories);
    assert_eq!((weights[11], weights[1], memory[11], memory[1]), (0.5, 0.0, [1.0; 2], [0.0; 2]));
}

#[test]
#[should_panic(expected = "a place for each index")]
fn nothing_is_gathered_from_beyond_the_last_place() {
    gather(&[0.0f32; 8], Places::new(&[3, 8]), &mut [0.0; 8]);
}

#[test]
#[should_panic(expected = "a place for each index")]
fn nothing_is_scattered_beyond_the_last_place() {
    scatter((&mut [0.0; 9], &mut [0.0; 8]), Places::new(&[8]), &[1.0], &[1.0]);
}

#[test]
fn what_threads_remember_together_is_gathered_and_scattered() {
    let (weights, memory) = (into_bits(vec![0.0f32; 12]), into_bits(vec![[0.0f32; 2]; 12]));
    let places = Places::new(&[11, 0, 3, 4, 5, 6, 7, 8, 9]);
    let (memories, steps): (Vec<_>, Vec<_>) = (1..10).map(|i| ([i as f32; 2], 0.5)).unzip();
    scatter_bits((&weights, &memory), places, &memories, &steps);
    add_to_bits(&weights[11], 0.25);
    let mut found = [[0.0; 2]; 16];
    gather_bits(&memory, places, &mut found);
    assert_eq!(found[..9], memories);
    // Step sizes without a memory have steps all the same.
    scatter_bits((&weights, &[]), Places::new(&[2]), &[[0.0f32; 0]], &[0.75]);
    gather_bits(&[], Places::new(&[2]), &mut [[0.0f32; 0]]);
    let (weights, memory) = (from_bits::<f32>(weights), from_bits::<[f32; 2]>(memory));
    assert_eq!((weights[11], weights[1], weights[2]), (0.75, 0.0, 0.75));
    assert_eq!((memory[11], memory[1]), ([1.0; 2], [0.0; 2]));
}

#[test]
#[should_panic(expected = "a place for each index")]
fn nothing_is_gathered_from_beyond_the_last_bits() {
    gather_bits(&into_bits(vec![0.0f32; 15]), Places::new(&[3, 7]), &mut [[0.0f32; 2]; 2]);
}

#[test]
#[should_panic(expected = "a place for each index")]
fn nothing_is_scattered_beyond_the_last_bits() {
    let (weights, memory) = (into_bits(vec![0.0f32; 9]), into_bits(vec![[0.0f32; 2]; 8]));
    scatter_bits((&weights, &memory), Places::new(&[8]), &[[1.0f32; 2]], &[1.0]);
}

#[test]
fn tables_of_nothing_have_no_bits() {
    assert!(into_bits(vec![[0.0f32; 0]; 9]).is_empty());
    assert!(from_bits::<[f32; 0]>(Vec::new()).is_empty());
}

#[test]
fn what_is_marked_less_is_moved_to_the_front() {
    for count in [0, 1, 7, 8, 9, 16, 250] {
        for seed in 0..50u32 {
            let mark = |at: u32| (at * 7 + seed * at * at) as i32 % 13;
            let marks: Vec<i32> = (0..count).map(mark).collect();
            let expected: Vec<u32> = (0..count).filter(|&at| mark(at) < 9).collect();
            let (mut indices, mut beside) =
                ((0..count).collect::<Vec<u32>>(), vec![0.0; marks.len()]);
            let kept = keep_below(9, &marks, &mut indices, &mut beside);
            assert_eq!(indices[..kept], expected);
            let more: Vec<f32> = expected.iter().map(|&at| 1.0 + mark(at) as f32).collect();
            assert_eq!(beside[..kept], more);
        }
    }
}

#[test]
#[should_panic(expected = "a mark for each")]
fn nothing_is_moved_that_has_no_mark() {
    keep_below(1, &[0; 8], &mut [0; 9], &mut [0.0; 9]);
}

/// The exponentials of the first numbers of pairs, and of the second; elsewhere than where the
/// first is positive, what is loaded takes the place of the first.
struct Exponentials<'a> {
    pairs: &'a mut [[f32; 2]; EIGHT],
    numbers: &'a mut [f32; EIGHT],
}

impl VectorWork for Exponentials<'_> {
    #[inline(always)]
    fn run<V: Vectors>(self, v: V) {
        let (first, second) = v.split(self.pairs);
        let first = v.where_positive(first, first, v.load(self.numbers));
        let mut both = [first, second];
        exp_all(v, &mut both);
        v.join(both[0], both[1], self.pairs);
        v.store(v.div(v.abs(v.sub(both[0], both[1])), v.add(first, second)), self.numbers);
    }
}

#[test]
fn vectors_reckon_as_single_numbers_do() {
    let rng = &mut Rng::seeded(5);
    for size in [0.1, 1.0, 30.0, 1000.0] {
        let mut random = |_| rng.between(-size, size);
        let numbers: [f32; EIGHT] = std::array::from_fn(&mut random);
        let pairs: [[f32; 2]; EIGHT] = std::array::from_fn(|i| [random(i), random(i)]);
        let (mut found, mut plain) = ((pairs, numbers), (pairs, numbers));
        run_in_vectors(Exponentials { pairs: &mut found.0, numbers: &mut found.1 });
        Exponentials { pairs: &mut plain.0, numbers: &mut plain.1 }.run(Arrays);
        assert_eq!(found, plain);
        for (i, [first, second]) in pairs.into_iter().enumerate() {
            let first = if first > 0.0 { first } else { numbers[i] };
            let (a, b) = (exp(first), exp(second));
            assert_eq!((plain.0[i], plain.1[i]), ([a, b], (a - b).abs() / (first + second)));
        }
    }
}
