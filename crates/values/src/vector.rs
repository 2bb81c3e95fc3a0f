//! Loops over numbers, written so that every machine gets the same results.
//!
//! Sums are kept in a fixed number of lanes, products are never fused with sums, and the
//! exponential function is our own: compilers may vectorise all of it, but not change a bit.

use crate::hardware::{Vectors, Work, run_widely};
use ludens_core::SET_BITS;

/// Partial sums of a product: two vectors of four, or one of eight.
const LANES: usize = 8;

/// The sum of the products of `a` and `b`, which are of one length.
#[inline]
pub(crate) fn dot(a: &[f32], b: &[f32]) -> f32 {
    let (a_chunks, a_rest) = a.as_chunks::<LANES>();
    let (b_chunks, b_rest) = b.as_chunks::<LANES>();
    let mut sums = [0.0f32; LANES];
    for (a, b) in a_chunks.iter().zip(b_chunks) {
        for lane in 0..LANES {
            sums[lane] += a[lane] * b[lane];
        }
    }
    let rest: f32 = a_rest.iter().zip(b_rest).map(|(a, b)| a * b).sum();
    let [a, b, c, d, e, f, g, h] = sums;
    (((a + e) + (b + f)) + ((c + g) + (d + h))) + rest
}

/// The sum of all numbers.
#[inline]
pub(crate) fn sum(numbers: &[f32]) -> f32 {
    let (chunks, rest) = numbers.as_chunks::<LANES>();
    let mut sums = [0.0f32; LANES];
    for chunk in chunks {
        for lane in 0..LANES {
            sums[lane] += chunk[lane];
        }
    }
    let rest: f32 = rest.iter().sum();
    let [a, b, c, d, e, f, g, h] = sums;
    (((a + e) + (b + f)) + ((c + g) + (d + h))) + rest
}

/// Adds `factor` times `from` to `to`.
#[inline(always)]
pub(crate) fn add_scaled(to: &mut [f32], factor: f32, from: &[f32]) {
    for (to, from) in to.iter_mut().zip(from) {
        *to += factor * from;
    }
}

/// Lists the numbers that are not zero.
#[inline]
pub(crate) fn list_nonzero(numbers: &[f32], list: &mut Vec<u32>) {
    run_widely(Nonzero { numbers, list });
}

/// Lists where `new` is not `old`, which is as long.
#[inline]
pub(crate) fn list_changed(new: &[f32], old: &[f32], list: &mut Vec<u32>) {
    run_widely(Changed { new, old, list });
}

struct Nonzero<'a> {
    numbers: &'a [f32],
    list: &'a mut Vec<u32>,
}

impl Work for Nonzero<'_> {
    #[inline(always)]
    fn run(self) {
        let (eights, rest) = self.numbers.as_chunks();
        list_eights(eights.iter().copied(), rest.iter().copied(), self.list);
    }
}

struct Changed<'a> {
    new: &'a [f32],
    old: &'a [f32],
    list: &'a mut Vec<u32>,
}

impl Work for Changed<'_> {
    #[inline(always)]
    fn run(self) {
        let (news, new_rest) = self.new.as_chunks::<LANES>();
        let (olds, old_rest) = self.old.as_chunks::<LANES>();
        let eights = news.iter().zip(olds).map(|(new, old)| {
            let mut eight = *new;
            add_scaled(&mut eight, -1.0, old);
            eight
        });
        let rest = new_rest.iter().zip(old_rest).map(|(new, old)| new - old);
        list_eights(eights, rest, self.list);
    }
}

/// Lists what is not zero of all eights and of the rest after them.
///
/// Without a branch for each: which inputs are zero cannot be predicted.
#[inline(always)]
fn list_eights(
    eights: impl ExactSizeIterator<Item = [f32; LANES]>,
    rest: impl ExactSizeIterator<Item = f32>,
    list: &mut Vec<u32>,
) {
    let (mut count, from) = (0, eights.len() * LANES);
    list.resize(from + rest.len(), 0);
    let places = list.as_mut_slice();
    for (nth, eight) in eights.enumerate() {
        let bits: [u32; LANES] =
            std::array::from_fn(|lane| if eight[lane] != 0.0 { 1 << lane } else { 0 });
        let mask = bits.iter().fold(0, |mask, bit| mask | bit);
        let room = places[count..].first_chunk_mut().expect("one for each number so far");
        *room = SET_BITS[mask as usize].map(|bit| (nth * LANES) as u32 + u32::from(bit));
        count += mask.count_ones() as usize;
    }
    for (i, number) in rest.enumerate() {
        places[count] = (from + i) as u32;
        count += usize::from(number != 0.0);
    }
    list.truncate(count);
}

/// Adding it rounds to the next integer, which then stands in the lowest bits.
const ROUND: f32 = 12_582_912.0;

/// ln(2) in two parts; the product of the first with any n is exact.
const LN_2: [f32; 2] = [0.693_359_4, -2.121_944_4e-4];

/// What has a normal exponential.
const LEAST: f32 = -87.0;
const MOST: f32 = 88.0;

/// The power series of e^r, from its seventh power down.
const SERIES: [f32; 8] =
    [1.0 / 5040.0, 1.0 / 720.0, 1.0 / 120.0, 1.0 / 24.0, 1.0 / 6.0, 0.5, 1.0, 1.0];

/// e^x, within two units of the last place; x is cut to what has a normal result.
///
/// e^x = 2^n e^r with |r| <= ln(2) / 2, and the power series of e^r up to its seventh power.
#[inline(always)]
pub(crate) fn exp(x: f32) -> f32 {
    let x = x.clamp(LEAST, MOST);
    let shifted = x * std::f32::consts::LOG2_E + ROUND;
    let n = shifted - ROUND;
    let r = (x - n * LN_2[0]) - n * LN_2[1];
    let mut series = SERIES[0];
    for &inverse in &SERIES[1..] {
        series = series * r + inverse;
    }
    let exponent = shifted.to_bits().wrapping_sub(ROUND.to_bits()).wrapping_add(127);
    series * f32::from_bits(exponent << 23)
}

/// The same for `K` vectors. They take turns with each operation: none waits for the one before,
/// and constants are read once for all.
#[inline(always)]
pub(crate) fn exp_all<V: Vectors, const K: usize>(v: V, numbers: &mut [V::Eight; K]) {
    let (mut powers, mut series) = (*numbers, [v.splat(SERIES[0]); K]);
    for k in 0..K {
        let x = v.clamp(numbers[k], LEAST, MOST);
        let shifted = v.add(v.mul(x, v.splat(std::f32::consts::LOG2_E)), v.splat(ROUND));
        let n = v.sub(shifted, v.splat(ROUND));
        let r = v.sub(x, v.mul(n, v.splat(LN_2[0])));
        numbers[k] = v.sub(r, v.mul(n, v.splat(LN_2[1])));
        powers[k] = v.power_of_two(shifted);
    }
    for &inverse in &SERIES[1..] {
        for k in 0..K {
            series[k] = v.add(v.mul(series[k], numbers[k]), v.splat(inverse));
        }
    }
    for k in 0..K {
        numbers[k] = v.mul(series[k], powers[k]);
    }
}

/// tanh(x), within four units of the last place.
///
/// Near zero by Lambert's continued fraction, which keeps small numbers exact; elsewhere by e^2x.
#[inline(always)]
pub(crate) fn tanh(x: f32) -> f32 {
    let square = x * x;
    let above = ((21.0 * square + 1260.0) * square + 10395.0) * x;
    let below = ((square + 210.0) * square + 4725.0) * square + 10395.0;
    let far = 1.0 - 2.0 / (1.0 + exp(2.0 * x.abs()));
    if square < 0.5 { above / below } else { far.copysign(x) }
}

/// Puts 1 / (1 + e^-x) in the place of each x.
#[inline]
pub(crate) fn sigmoid_all(numbers: &mut [f32]) {
    run_widely(Sigmoids(numbers));
}

struct Sigmoids<'a>(&'a mut [f32]);

impl Work for Sigmoids<'_> {
    #[inline(always)]
    fn run(self) {
        for x in self.0 {
            *x = 1.0 / (1.0 + exp(-*x));
        }
    }
}

/// Puts tanh(x) in the place of each x.
#[inline]
pub(crate) fn tanh_all(numbers: &mut [f32]) {
    run_widely(Tanhs(numbers));
}

struct Tanhs<'a>(&'a mut [f32]);

impl Work for Tanhs<'_> {
    #[inline(always)]
    fn run(self) {
        for x in self.0 {
            *x = 1.0 - 2.0 / (1.0 + exp(2.0 * *x));
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use ludens_core::Rng;

    #[test]
    fn a_product_of_any_length_is_summed_up() {
        for length in [0, 1, 7, 8, 9, 31] {
            let numbers: Vec<f32> = (1..=length).map(|i| i as f32).collect();
            let squares = (length * (length + 1) * (2 * length + 1) / 6) as f32;
            assert_eq!(dot(&numbers, &numbers), squares);
        }
    }

    #[test]
    fn scaled_numbers_are_added() {
        let mut to = [1.0, 2.0];
        add_scaled(&mut to, 0.5, &[4.0, 8.0]);
        assert_eq!(to, [3.0, 6.0]);
    }

    #[test]
    fn numbers_that_are_not_zero_or_changed_are_listed() {
        for (length, seed) in [0, 1, 7, 8, 9, 31, 200].into_iter().zip(1..) {
            let rng = &mut Rng::seeded(seed);
            let mut draw =
                || -> Vec<f32> { (0..length).map(|_| rng.below(3) as f32 - 1.0).collect() };
            let (new, old, mut list) = (draw(), draw(), vec![7; 9]);
            let places = |listed: &dyn Fn(usize) -> bool| -> Vec<u32> {
                (0..length).filter(|&at| listed(at)).map(|at| at as u32).collect()
            };
            list_nonzero(&new, &mut list);
            assert_eq!(list, places(&|at| new[at] != 0.0));
            list_changed(&new, &old, &mut list);
            assert_eq!(list, places(&|at| new[at] != old[at]));
        }
    }

    #[test]
    fn the_exponential_function_is_right_to_two_units_of_the_last_place() {
        for i in -8700..=8800 {
            let x = i as f32 / 100.0;
            let expected = f64::from(x).exp();
            let error = (f64::from(exp(x)) - expected).abs() / expected;
            assert!(error < 2.4e-7, "e^{x} is off by {error}");
        }
        assert_eq!(exp(0.0), 1.0);
    }

    #[test]
    fn the_hyperbolic_tangent_is_right_to_four_units_of_the_last_place() {
        for i in -4000..=4000 {
            for x in [i as f32 / 300.0, i as f32 * 1e-9] {
                let expected = f64::from(x).tanh();
                let error = (f64::from(tanh(x)) - expected).abs();
                assert!(error <= 4.8e-7 * expected.abs(), "tanh({x}) is off by {error}");
            }
        }
        assert_eq!((tanh(0.0), tanh(100.0), tanh(-100.0)), (0.0, 1.0, -1.0));
        assert!(tanh(f32::NAN).is_nan());
    }

    #[test]
    fn sums_of_any_length_are_taken() {
        for length in [0, 1, 7, 8, 9, 31] {
            let numbers: Vec<f32> = (1..=length).map(|i| i as f32).collect();
            assert_eq!(sum(&numbers), (length * (length + 1) / 2) as f32);
        }
    }

    #[test]
    fn extreme_numbers_have_finite_exponentials() {
        assert!(exp(1e30).is_finite() && exp(f32::INFINITY).is_finite());
        assert!(exp(-1e30) > 0.0 && exp(f32::NEG_INFINITY) > 0.0);
    }

    #[test]
    fn squashed_numbers_are_close_to_their_limits() {
        let mut numbers = [-100.0, 0.0, 0.5, 100.0];
        sigmoid_all(&mut numbers);
        assert!(numbers[0] < 1e-30 && numbers[1] == 0.5 && numbers[3] == 1.0);
        let mut numbers = [-100.0, 0.0, 0.5, 100.0];
        tanh_all(&mut numbers);
        assert!(numbers[0] == -1.0 && numbers[1] == 0.0 && numbers[3] == 1.0);
        assert!((numbers[2] - 0.5f32.tanh()).abs() < 1e-7);
    }
}
