use super::*;
use crate::Sights;
use crate::ntuple::{Lookups, random_walks};
use ludens_core::{Rng, square_symmetries};

/// A random board of this layout, cell by cell and packed.
fn board(layout: &CellLayout, rng: &mut Rng) -> (Sight, Sight) {
    let values = usize::from(layout.values[0]);
    let digits: Vec<u8> = layout.values.iter().map(|_| rng.below(values) as u8).collect();
    let pack = |symmetry: &Vec<u16>| {
        let mut words = [0u64; 2];
        for (cell, &from) in symmetry.iter().enumerate() {
            for bit in 0..layout.bits {
                let at = layout.packed_bit(cell, bit);
                let set = digits[usize::from(from)] >> bit & 1;
                words[at / 64] |= u64::from(set) << (at % 64);
            }
        }
        words
    };
    let images = layout.symmetries.iter().map(pack).collect();
    (Sight { digits, ..Sight::default() }, Sight { images, ..Sight::default() })
}

/// A board as the second of six; the others are the other.
fn beside(images: &[[u64; 2]], other: &[[u64; 2]]) -> Sights {
    let mut sights = Sights { count: 6, ..Sights::default() };
    for block in 0..2 {
        let row = |(image, other): (&[u64; 2], &[u64; 2])| {
            let pick = |lane: usize| if block == 0 && lane == 1 { image } else { other };
            array::from_fn(|word| array::from_fn(|lane| pick(lane)[word]))
        };
        sights.images.extend(images.iter().zip(other).map(row));
    }
    sights
}

#[test]
fn packed_boards_have_the_indices_of_their_cells_on_every_processor() {
    let shapes = [(4, 4, 4), (8, 2, 6), (4, 2, 3)];
    for ((side, bits, length), planes) in shapes.into_iter().flat_map(|s| [(s, false), (s, true)]) {
        let layout = CellLayout::grid(side, side, 1 << bits)
            .with_symmetries(square_symmetries(side))
            .with_packing(bits);
        let layout = CellLayout { planes, ..layout };
        let rng = &mut Rng::seeded(3);
        let tuples = random_walks(&layout, 4, length, rng).unwrap();
        let lookups = Lookups::new(&layout, tuples).unwrap();
        let packed = lookups.packed.as_ref().unwrap();
        let sines: Vec<f32> = (0..lookups.bank_size()).map(|i| (i as f32).sin()).collect();
        for _ in 0..50 {
            let (cells, words) = board(&layout, rng);
            let (mut expected, mut found) = (Vec::new(), Vec::new());
            lookups.fill(&cells, &mut expected);
            lookups.fill(&words, &mut found);
            assert_eq!(found, expected);
            packed.fill_piece_by_piece(&words.images, &mut found);
            assert_eq!(found, expected);
            let sum = packed.sum(&words.images, &sines[..]);
            assert_eq!(packed.sum_piece_by_piece(&words.images, &sines[..]), sum);
            let (mut sums, mut boards) = (Vec::new(), Boards::default());
            packed.sum_each(&[words.clone(), words.clone()], &sines[..], &mut boards, &mut sums);
            assert_eq!(sums, [sum; 2]);
            // Where windows differ, those that are announced are added up in another order.
            let mut sights = beside(&words.images, &[[0; 2]; 8]);
            packed.announce(&mut sights, &sines[..]);
            packed.recall(&sights.places, 1, &mut found);
            assert_eq!(found, expected);
            packed.sum_announced(&sights.places, &sines[..], &mut sums);
            assert!((sums[1] - sum).abs() < 1e-5, "{} is not {sum}", sums[1]);
        }
    }
}
