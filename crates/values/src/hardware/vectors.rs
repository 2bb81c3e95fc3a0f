//! Eight numbers at a time, where compilers do not find the best way by themselves.

/// How many numbers a vector has.
pub(crate) const EIGHT: usize = 8;

/// Sums and products of eight numbers at a time; each is what it is for one number alone.
///
/// Vectors may keep their numbers in an order of their own, the same for all of them.
pub(crate) trait Vectors: Copy {
    /// Eight numbers.
    type Eight: Copy;

    /// The same number eight times.
    fn splat(self, number: f32) -> Self::Eight;

    /// These numbers.
    fn load(self, numbers: &[f32; EIGHT]) -> Self::Eight;

    /// Writes the numbers.
    fn store(self, eight: Self::Eight, into: &mut [f32; EIGHT]);

    /// The first numbers of these pairs, and the second.
    fn split(self, pairs: &[[f32; 2]; EIGHT]) -> (Self::Eight, Self::Eight);

    /// Writes pairs of these numbers.
    fn join(self, first: Self::Eight, second: Self::Eight, into: &mut [[f32; 2]; EIGHT]);

    /// a + b.
    fn add(self, a: Self::Eight, b: Self::Eight) -> Self::Eight;

    /// a - b.
    fn sub(self, a: Self::Eight, b: Self::Eight) -> Self::Eight;

    /// a * b.
    fn mul(self, a: Self::Eight, b: Self::Eight) -> Self::Eight;

    /// a / b.
    fn div(self, a: Self::Eight, b: Self::Eight) -> Self::Eight;

    /// |a|.
    fn abs(self, a: Self::Eight) -> Self::Eight;

    /// Cuts each number to what lies between the limits; what is no number stays so.
    fn clamp(self, a: Self::Eight, least: f32, most: f32) -> Self::Eight;

    /// Two to the power of what the lowest eight bits of each number say, less than 128 either way.
    fn power_of_two(self, a: Self::Eight) -> Self::Eight;

    /// `a` where `condition` is greater than zero, elsewhere `b`.
    fn where_positive(self, condition: Self::Eight, a: Self::Eight, b: Self::Eight) -> Self::Eight;
}

/// Work on vectors. `run` must be compiled into its caller.
pub(crate) trait VectorWork {
    /// Does it.
    fn run<V: Vectors>(self, vectors: V);
}

/// Does the work with the vectors of the processor where it is known to have them (AVX2). The
/// result is the same.
#[inline(always)]
pub(crate) fn run_in_vectors(work: impl VectorWork) {
    #[cfg(target_arch = "x86_64")]
    if std::arch::is_x86_feature_detected!("avx2") {
        // SAFETY: the processor has AVX2.
        return unsafe { wide::run(work) };
    }
    run_in_arrays(work);
}

/// Apart, so that the question alone is compiled into callers.
#[inline(never)]
fn run_in_arrays(work: impl VectorWork) {
    work.run(Arrays);
}

/// Vectors for any processor.
#[derive(Copy, Clone, Debug)]
pub(crate) struct Arrays;

impl Vectors for Arrays {
    type Eight = [f32; EIGHT];

    #[inline(always)]
    fn splat(self, number: f32) -> [f32; EIGHT] {
        [number; EIGHT]
    }

    #[inline(always)]
    fn load(self, numbers: &[f32; EIGHT]) -> [f32; EIGHT] {
        *numbers
    }

    #[inline(always)]
    fn store(self, eight: [f32; EIGHT], into: &mut [f32; EIGHT]) {
        *into = eight;
    }

    #[inline(always)]
    fn split(self, pairs: &[[f32; 2]; EIGHT]) -> ([f32; EIGHT], [f32; EIGHT]) {
        (pairs.map(|pair| pair[0]), pairs.map(|pair| pair[1]))
    }

    #[inline(always)]
    fn join(self, first: [f32; EIGHT], second: [f32; EIGHT], into: &mut [[f32; 2]; EIGHT]) {
        *into = std::array::from_fn(|i| [first[i], second[i]]);
    }

    #[inline(always)]
    fn add(self, a: [f32; EIGHT], b: [f32; EIGHT]) -> [f32; EIGHT] {
        std::array::from_fn(|i| a[i] + b[i])
    }

    #[inline(always)]
    fn sub(self, a: [f32; EIGHT], b: [f32; EIGHT]) -> [f32; EIGHT] {
        std::array::from_fn(|i| a[i] - b[i])
    }

    #[inline(always)]
    fn mul(self, a: [f32; EIGHT], b: [f32; EIGHT]) -> [f32; EIGHT] {
        std::array::from_fn(|i| a[i] * b[i])
    }

    #[inline(always)]
    fn div(self, a: [f32; EIGHT], b: [f32; EIGHT]) -> [f32; EIGHT] {
        std::array::from_fn(|i| a[i] / b[i])
    }

    #[inline(always)]
    fn abs(self, a: [f32; EIGHT]) -> [f32; EIGHT] {
        a.map(f32::abs)
    }

    #[inline(always)]
    fn clamp(self, a: [f32; EIGHT], least: f32, most: f32) -> [f32; EIGHT] {
        a.map(|a| a.clamp(least, most))
    }

    #[inline(always)]
    fn power_of_two(self, a: [f32; EIGHT]) -> [f32; EIGHT] {
        a.map(|a| f32::from_bits((a.to_bits() << 23).wrapping_add(1.0f32.to_bits())))
    }

    #[inline(always)]
    fn where_positive(
        self,
        condition: [f32; EIGHT],
        a: [f32; EIGHT],
        b: [f32; EIGHT],
    ) -> [f32; EIGHT] {
        std::array::from_fn(|i| if condition[i] > 0.0 { a[i] } else { b[i] })
    }
}

#[cfg(target_arch = "x86_64")]
mod wide {
    use super::{EIGHT, VectorWork, Vectors};
    use std::arch::x86_64::*;

    #[target_feature(enable = "avx2")]
    pub(super) fn run(work: impl VectorWork) {
        work.run(Wide(()));
    }

    /// Proof that the processor has AVX2. The third and fourth number change places with the fifth
    /// and sixth, as pairs are split and joined most easily.
    ///
    /// Invariant: only [`run`] makes one, which needs AVX2.
    #[derive(Copy, Clone, Debug)]
    struct Wide(());

    /// The middle quarters change places.
    const SWAP: i32 = 0b11_01_10_00;

    // SAFETY of all below: `self` exists only where the processor has AVX2, and what is read and
    // written lies within the arrays, for which no alignment is asked.
    impl Vectors for Wide {
        type Eight = __m256;

        #[inline(always)]
        fn splat(self, number: f32) -> __m256 {
            unsafe { _mm256_set1_ps(number) }
        }

        #[inline(always)]
        fn load(self, numbers: &[f32; EIGHT]) -> __m256 {
            unsafe {
                let quarters = _mm256_loadu_pd(numbers.as_ptr().cast());
                _mm256_castpd_ps(_mm256_permute4x64_pd::<SWAP>(quarters))
            }
        }

        #[inline(always)]
        fn store(self, eight: __m256, into: &mut [f32; EIGHT]) {
            unsafe {
                let quarters = _mm256_permute4x64_pd::<SWAP>(_mm256_castps_pd(eight));
                _mm256_storeu_pd(into.as_mut_ptr().cast(), quarters);
            }
        }

        #[inline(always)]
        fn split(self, pairs: &[[f32; 2]; EIGHT]) -> (__m256, __m256) {
            unsafe {
                let start = pairs.as_ptr().cast::<f32>();
                let (a, b) = (_mm256_loadu_ps(start), _mm256_loadu_ps(start.add(EIGHT)));
                (_mm256_shuffle_ps::<0b10_00_10_00>(a, b), _mm256_shuffle_ps::<0b11_01_11_01>(a, b))
            }
        }

        #[inline(always)]
        fn join(self, first: __m256, second: __m256, into: &mut [[f32; 2]; EIGHT]) {
            unsafe {
                let start = into.as_mut_ptr().cast::<f32>();
                _mm256_storeu_ps(start, _mm256_unpacklo_ps(first, second));
                _mm256_storeu_ps(start.add(EIGHT), _mm256_unpackhi_ps(first, second));
            }
        }

        #[inline(always)]
        fn add(self, a: __m256, b: __m256) -> __m256 {
            unsafe { _mm256_add_ps(a, b) }
        }

        #[inline(always)]
        fn sub(self, a: __m256, b: __m256) -> __m256 {
            unsafe { _mm256_sub_ps(a, b) }
        }

        #[inline(always)]
        fn mul(self, a: __m256, b: __m256) -> __m256 {
            unsafe { _mm256_mul_ps(a, b) }
        }

        #[inline(always)]
        fn div(self, a: __m256, b: __m256) -> __m256 {
            unsafe { _mm256_div_ps(a, b) }
        }

        #[inline(always)]
        fn abs(self, a: __m256) -> __m256 {
            unsafe { _mm256_andnot_ps(_mm256_set1_ps(-0.0), a) }
        }

        #[inline(always)]
        fn clamp(self, a: __m256, least: f32, most: f32) -> __m256 {
            // The second of two is the result if one of them is no number.
            unsafe {
                let a = _mm256_max_ps(_mm256_set1_ps(least), a);
                _mm256_min_ps(_mm256_set1_ps(most), a)
            }
        }

        #[inline(always)]
        fn power_of_two(self, a: __m256) -> __m256 {
            unsafe {
                let exponents = _mm256_slli_epi32::<23>(_mm256_castps_si256(a));
                let one = _mm256_castps_si256(_mm256_set1_ps(1.0));
                _mm256_castsi256_ps(_mm256_add_epi32(exponents, one))
            }
        }

        #[inline(always)]
        fn where_positive(self, condition: __m256, a: __m256, b: __m256) -> __m256 {
            unsafe {
                let positive = _mm256_cmp_ps::<_CMP_GT_OQ>(condition, _mm256_setzero_ps());
                _mm256_blendv_ps(b, a, positive)
            }
        }
    }
}
