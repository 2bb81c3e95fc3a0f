//! Loops over numbers that compilers may vectorise without changing a bit.

use crate::cpu::{Kernel, dispatch_simd};

/// Numbers per vector, and partial sums per total.
pub const LANES: usize = 8;

/// Computes the dot product of two slices of one length.
#[inline]
pub fn dot(a: &[f32], b: &[f32]) -> f32 {
    let (a_chunks, a_rest) = a.as_chunks::<LANES>();
    let (b_chunks, b_rest) = b.as_chunks::<LANES>();
    let mut sums = [0.0f32; LANES];
    for (a, b) in a_chunks.iter().zip(b_chunks) {
        for lane in 0..LANES {
            sums[lane] += a[lane] * b[lane];
        }
    }
    sum_lanes(sums) + a_rest.iter().zip(b_rest).map(|(a, b)| a * b).sum::<f32>()
}

/// Sums what `read` returns for each index.
#[inline(always)]
pub(crate) fn sum_by(indices: &[u32], read: impl Fn(u32) -> f32) -> f32 {
    let (chunks, rest) = indices.as_chunks::<LANES>();
    if let ([chunk], []) = (chunks, rest) {
        return sum_lanes(chunk.map(read));
    }
    let mut sums = [0.0f32; LANES];
    for chunk in chunks {
        for lane in 0..LANES {
            sums[lane] += read(chunk[lane]);
        }
    }
    sum_lanes(sums) + rest.iter().map(|&index| read(index)).sum::<f32>()
}

/// Sums the lanes of a vector, in the order in which AVX halves it.
#[inline(always)]
pub fn sum_lanes([a, b, c, d, e, f, g, h]: [f32; LANES]) -> f32 {
    ((a + e) + (b + f)) + ((c + g) + (d + h))
}

/// Adds `factor * from` to `to`.
#[inline(always)]
pub fn add_scaled(to: &mut [f32], factor: f32, from: &[f32]) {
    for (to, from) in to.iter_mut().zip(from) {
        *to += factor * from;
    }
}

/// Adding it rounds to the nearest integer, which the lowest bits then contain.
const ROUND: f32 = 12_582_912.0;

/// ln(2) in two parts; the product of the first with any exponent n is exact.
const LN_2: [f32; 2] = [0.693_359_4, -2.121_944_4e-4];

/// Arguments whose exponential is a normal number.
const MIN: f32 = -87.0;
const MAX: f32 = 88.0;

/// The Taylor series of e^r, from its seventh power down.
const SERIES: [f32; 8] =
    [1.0 / 5040.0, 1.0 / 720.0, 1.0 / 120.0, 1.0 / 24.0, 1.0 / 6.0, 0.5, 1.0, 1.0];

/// Computes e^x within two units in the last place, for x clamped to -87..88.
///
/// e^x = 2^n e^r with |r| <= ln(2) / 2, and the Taylor series of e^r up to its seventh power.
#[inline(always)]
pub fn exp(x: f32) -> f32 {
    let x = x.clamp(MIN, MAX);
    let shifted = x * std::f32::consts::LOG2_E + ROUND;
    let n = shifted - ROUND;
    let r = (x - n * LN_2[0]) - n * LN_2[1];
    let mut series = SERIES[0];
    for &coefficient in &SERIES[1..] {
        series = series * r + coefficient;
    }
    let exponent = shifted.to_bits().wrapping_sub(ROUND.to_bits()).wrapping_add(127);
    series * f32::from_bits(exponent << 23)
}

/// Computes tanh(x) within four units in the last place.
///
/// Near zero by Lambert's continued fraction, which is exact for small numbers; else by e^2x.
#[inline(always)]
pub fn tanh(x: f32) -> f32 {
    let square = x * x;
    let above = ((21.0 * square + 1260.0) * square + 10395.0) * x;
    let below = ((square + 210.0) * square + 4725.0) * square + 10395.0;
    let far = 1.0 - 2.0 / (1.0 + exp(2.0 * x.abs()));
    if square < 0.5 { above / below } else { far.copysign(x) }
}

/// Replaces each x by the sigmoid 1 / (1 + e^-x).
#[inline]
pub fn sigmoid_all(numbers: &mut [f32]) {
    dispatch_simd(Sigmoids(numbers));
}

struct Sigmoids<'a>(&'a mut [f32]);

impl Kernel for Sigmoids<'_> {
    #[inline(always)]
    fn run(self) {
        for x in self.0 {
            *x = 1.0 / (1.0 + exp(-*x));
        }
    }
}

/// Replaces each x by tanh(x), less exact near zero than [`tanh`].
#[inline]
pub fn tanh_all(numbers: &mut [f32]) {
    dispatch_simd(Tanhs(numbers));
}

struct Tanhs<'a>(&'a mut [f32]);

impl Kernel for Tanhs<'_> {
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

    #[test]
    fn sums_and_products_of_any_length_are_taken() {
        for length in [0u32, 1, 7, 8, 9, 31] {
            let indices: Vec<u32> = (1..=length).collect();
            let numbers: Vec<f32> = indices.iter().map(|&i| i as f32).collect();
            let total = (length * (length + 1) / 2) as f32;
            assert_eq!(sum_by(&indices, |i| i as f32), total);
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
    fn exp_is_within_two_units_in_the_last_place() {
        for i in -8700..=8800 {
            let x = i as f32 / 100.0;
            let expected = f64::from(x).exp();
            let error = (f64::from(exp(x)) - expected).abs() / expected;
            assert!(error < 2.4e-7, "e^{x} is off by {error}");
        }
        assert_eq!(exp(0.0), 1.0);
        assert!(exp(1e30).is_finite() && exp(f32::INFINITY).is_finite());
        assert!(exp(-1e30) > 0.0 && exp(f32::NEG_INFINITY) > 0.0);
    }

    #[test]
    fn tanh_is_within_four_units_in_the_last_place() {
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
