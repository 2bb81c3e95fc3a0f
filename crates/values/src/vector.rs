//! Loops over numbers, written so that every machine gets the same results.
//!
//! Sums are kept in a fixed number of lanes, products are never fused with sums, and the
//! exponential function is our own: compilers may vectorise all of it, but not change a bit.

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

/// Adds `factor` times `from` to `to`.
#[inline]
pub(crate) fn add_scaled(to: &mut [f32], factor: f32, from: &[f32]) {
    for (to, from) in to.iter_mut().zip(from) {
        *to += factor * from;
    }
}

#[cfg(test)]
mod tests {
    use super::*;

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
}
