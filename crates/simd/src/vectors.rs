//! Eight numbers at a time, where compilers do not vectorise well by themselves.

/// Numbers per vector, and partial sums per total.
pub const LANES: usize = 8;

/// Arithmetic on eight numbers at a time; every lane equals the scalar result.
///
/// Vectors may keep their lanes in an order of their own, the same for all of them.
pub trait Vectors: Copy {
    /// Eight numbers.
    type F32x8: Copy;

    /// Repeats a number in all lanes.
    fn splat(self, number: f32) -> Self::F32x8;

    /// Reads eight numbers.
    fn load(self, numbers: &[f32; LANES]) -> Self::F32x8;

    /// Writes eight numbers.
    fn store(self, vector: Self::F32x8, into: &mut [f32; LANES]);

    /// Reads the first numbers of eight pairs, and the second.
    fn deinterleave(self, pairs: &[[f32; 2]; LANES]) -> (Self::F32x8, Self::F32x8);

    /// Writes eight pairs.
    fn interleave(self, first: Self::F32x8, second: Self::F32x8, into: &mut [[f32; 2]; LANES]);

    /// Computes a + b.
    fn add(self, a: Self::F32x8, b: Self::F32x8) -> Self::F32x8;

    /// Computes a - b.
    fn sub(self, a: Self::F32x8, b: Self::F32x8) -> Self::F32x8;

    /// Computes a * b.
    fn mul(self, a: Self::F32x8, b: Self::F32x8) -> Self::F32x8;

    /// Computes a / b.
    fn div(self, a: Self::F32x8, b: Self::F32x8) -> Self::F32x8;

    /// Computes |a|.
    fn abs(self, a: Self::F32x8) -> Self::F32x8;

    /// Clamps every lane; NaN stays NaN.
    fn clamp(self, a: Self::F32x8, min: f32, max: f32) -> Self::F32x8;

    /// Computes 2^n for the signed integer n in the lowest eight bits.
    fn power_of_two(self, a: Self::F32x8) -> Self::F32x8;

    /// Selects `a` where `condition` is greater than zero, elsewhere `b`.
    fn select_positive(self, condition: Self::F32x8, a: Self::F32x8, b: Self::F32x8)
    -> Self::F32x8;
}

/// Work on vectors, compiled once per instruction set.
pub trait VectorKernel {
    /// Does the work; mark it `#[inline(always)]`.
    fn run<V: Vectors>(self, v: V);
}

/// Runs the kernel with AVX2 where the processor has it; the results are the same.
#[inline(always)]
pub fn dispatch_vectors(kernel: impl VectorKernel) {
    #[cfg(target_arch = "x86_64")]
    if std::arch::is_x86_feature_detected!("avx2") {
        // SAFETY: the processor has AVX2.
        return unsafe { avx2::run(kernel) };
    }
    run_portable(kernel);
}

/// Not inlined, so that callers contain the dispatch only.
#[inline(never)]
fn run_portable(kernel: impl VectorKernel) {
    kernel.run(Portable);
}

/// Vectors for any processor.
#[derive(Copy, Clone, Debug)]
pub struct Portable;

/// Methods that apply an operator lane by lane.
macro_rules! lanewise {
    ($($name:ident: $operator:tt;)*) => {$(
        #[inline(always)]
        fn $name(self, a: [f32; LANES], b: [f32; LANES]) -> [f32; LANES] {
            std::array::from_fn(|i| a[i] $operator b[i])
        }
    )*};
}

impl Vectors for Portable {
    type F32x8 = [f32; LANES];

    lanewise! { add: +; sub: -; mul: *; div: /; }

    #[inline(always)]
    fn splat(self, number: f32) -> [f32; LANES] {
        [number; LANES]
    }

    #[inline(always)]
    fn load(self, numbers: &[f32; LANES]) -> [f32; LANES] {
        *numbers
    }

    #[inline(always)]
    fn store(self, vector: [f32; LANES], into: &mut [f32; LANES]) {
        *into = vector;
    }

    #[inline(always)]
    fn deinterleave(self, pairs: &[[f32; 2]; LANES]) -> ([f32; LANES], [f32; LANES]) {
        (pairs.map(|pair| pair[0]), pairs.map(|pair| pair[1]))
    }

    #[inline(always)]
    fn interleave(self, first: [f32; LANES], second: [f32; LANES], into: &mut [[f32; 2]; LANES]) {
        *into = std::array::from_fn(|i| [first[i], second[i]]);
    }

    #[inline(always)]
    fn abs(self, a: [f32; LANES]) -> [f32; LANES] {
        a.map(f32::abs)
    }

    #[inline(always)]
    fn clamp(self, a: [f32; LANES], min: f32, max: f32) -> [f32; LANES] {
        a.map(|a| a.clamp(min, max))
    }

    #[inline(always)]
    fn power_of_two(self, a: [f32; LANES]) -> [f32; LANES] {
        a.map(|a| f32::from_bits((a.to_bits() << 23).wrapping_add(1.0f32.to_bits())))
    }

    #[inline(always)]
    fn select_positive(
        self,
        condition: [f32; LANES],
        a: [f32; LANES],
        b: [f32; LANES],
    ) -> [f32; LANES] {
        std::array::from_fn(|i| if condition[i] > 0.0 { a[i] } else { b[i] })
    }
}

#[cfg(target_arch = "x86_64")]
mod avx2 {
    use super::{LANES, VectorKernel, Vectors};
    use std::arch::x86_64::*;

    #[target_feature(enable = "avx2")]
    pub(super) fn run(kernel: impl VectorKernel) {
        kernel.run(Proof(()));
    }

    /// Proof that the processor has AVX2.
    ///
    /// Lanes 2 and 3 are swapped with lanes 4 and 5: pairs are cheapest to deinterleave so.
    ///
    /// Invariant: only [`run`] makes one, which needs AVX2.
    #[derive(Copy, Clone, Debug)]
    struct Proof(());

    /// Swaps the middle quarters of a vector.
    const SWAP: i32 = 0b11_01_10_00;

    /// Evaluates intrinsics that do not access memory.
    macro_rules! avx2 {
        ($value:expr) => {
            // SAFETY: `Proof` exists only where the processor has AVX2.
            unsafe { $value }
        };
    }

    /// Methods that are one intrinsic of two vectors.
    macro_rules! intrinsics {
        ($($name:ident: $intrinsic:ident;)*) => {$(
            #[inline(always)]
            fn $name(self, a: __m256, b: __m256) -> __m256 {
                avx2!($intrinsic(a, b))
            }
        )*};
    }

    impl Vectors for Proof {
        type F32x8 = __m256;

        intrinsics! { add: _mm256_add_ps; sub: _mm256_sub_ps; }
        intrinsics! { mul: _mm256_mul_ps; div: _mm256_div_ps; }

        #[inline(always)]
        fn splat(self, number: f32) -> __m256 {
            avx2!(_mm256_set1_ps(number))
        }

        #[inline(always)]
        fn load(self, numbers: &[f32; LANES]) -> __m256 {
            // SAFETY: as for `avx2!`; eight numbers are read, and no alignment is needed.
            let quarters = unsafe { _mm256_loadu_pd(numbers.as_ptr().cast()) };
            avx2!(_mm256_castpd_ps(_mm256_permute4x64_pd::<SWAP>(quarters)))
        }

        #[inline(always)]
        fn store(self, vector: __m256, into: &mut [f32; LANES]) {
            let quarters = avx2!(_mm256_permute4x64_pd::<SWAP>(_mm256_castps_pd(vector)));
            // SAFETY: as for `avx2!`; eight numbers are written, and no alignment is needed.
            unsafe { _mm256_storeu_pd(into.as_mut_ptr().cast(), quarters) };
        }

        #[inline(always)]
        fn deinterleave(self, pairs: &[[f32; 2]; LANES]) -> (__m256, __m256) {
            let start = pairs.as_ptr().cast::<f32>();
            // SAFETY: as for `avx2!`; 16 numbers are read, and no alignment is needed.
            let (a, b) = unsafe { (_mm256_loadu_ps(start), _mm256_loadu_ps(start.add(LANES))) };
            avx2!((
                _mm256_shuffle_ps::<0b10_00_10_00>(a, b),
                _mm256_shuffle_ps::<0b11_01_11_01>(a, b)
            ))
        }

        #[inline(always)]
        fn interleave(self, first: __m256, second: __m256, into: &mut [[f32; 2]; LANES]) {
            let start = into.as_mut_ptr().cast::<f32>();
            // SAFETY: as for `avx2!`; 16 numbers are written, and no alignment is needed.
            unsafe {
                _mm256_storeu_ps(start, _mm256_unpacklo_ps(first, second));
                _mm256_storeu_ps(start.add(LANES), _mm256_unpackhi_ps(first, second));
            }
        }

        #[inline(always)]
        fn abs(self, a: __m256) -> __m256 {
            avx2!(_mm256_andnot_ps(_mm256_set1_ps(-0.0), a))
        }

        #[inline(always)]
        fn clamp(self, a: __m256, min: f32, max: f32) -> __m256 {
            // These return the second operand if one of the two is NaN.
            avx2!(_mm256_min_ps(_mm256_set1_ps(max), _mm256_max_ps(_mm256_set1_ps(min), a)))
        }

        #[inline(always)]
        fn power_of_two(self, a: __m256) -> __m256 {
            avx2!({
                let exponents = _mm256_slli_epi32::<23>(_mm256_castps_si256(a));
                let one = _mm256_castps_si256(_mm256_set1_ps(1.0));
                _mm256_castsi256_ps(_mm256_add_epi32(exponents, one))
            })
        }

        #[inline(always)]
        fn select_positive(self, condition: __m256, a: __m256, b: __m256) -> __m256 {
            avx2!({
                let positive = _mm256_cmp_ps::<_CMP_GT_OQ>(condition, _mm256_setzero_ps());
                _mm256_blendv_ps(b, a, positive)
            })
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::math::{exp, exp_all};
    use ludens_core::Rng;

    /// Uses every method once.
    struct EveryMethod<'a> {
        pairs: &'a mut [[f32; 2]; LANES],
        numbers: &'a mut [f32; LANES],
    }

    impl VectorKernel for EveryMethod<'_> {
        #[inline(always)]
        fn run<V: Vectors>(self, v: V) {
            let (first, second) = v.deinterleave(self.pairs);
            let first = v.select_positive(first, first, v.load(self.numbers));
            let mut both = [first, second];
            exp_all(v, &mut both);
            v.interleave(both[0], both[1], self.pairs);
            let difference = v.abs(v.sub(both[0], both[1]));
            v.store(v.div(difference, v.add(first, second)), self.numbers);
        }
    }

    #[test]
    fn vectors_compute_what_scalars_do() {
        let rng = &mut Rng::seeded(5);
        for size in [0.1, 1.0, 30.0, 1000.0] {
            let mut random = |_| rng.between(-size, size);
            let numbers: [f32; LANES] = std::array::from_fn(&mut random);
            let pairs: [[f32; 2]; LANES] = std::array::from_fn(|i| [random(i), random(i)]);
            let (mut found, mut portable) = ((pairs, numbers), (pairs, numbers));
            dispatch_vectors(EveryMethod { pairs: &mut found.0, numbers: &mut found.1 });
            run_portable(EveryMethod { pairs: &mut portable.0, numbers: &mut portable.1 });
            assert_eq!(found, portable);
            for (i, [first, second]) in pairs.into_iter().enumerate() {
                let first = if first > 0.0 { first } else { numbers[i] };
                let (a, b) = (exp(first), exp(second));
                assert_eq!(found.0[i], [a, b]);
                assert_eq!(found.1[i], (a - b).abs() / (first + second));
            }
        }
    }
}
