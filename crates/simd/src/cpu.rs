//! Running code compiled for the instructions that this processor has.

/// Work compiled once per instruction set.
pub trait Kernel {
    /// Does the work; mark it `#[inline(always)]`, or it is compiled for the base instructions.
    fn run(self);
}

/// Proof that the processor has AVX2, BMI1, BMI2, LZCNT and POPCNT.
///
/// Invariant: only [`Avx2::detect`] makes one, after it has seen all of these features.
#[derive(Copy, Clone, Debug)]
pub struct Avx2(());

impl Avx2 {
    /// Returns the proof if this processor has the features.
    #[inline(always)]
    pub fn detect() -> Option<Avx2> {
        #[cfg(target_arch = "x86_64")]
        if std::arch::is_x86_feature_detected!("avx2")
            && std::arch::is_x86_feature_detected!("bmi1")
            && std::arch::is_x86_feature_detected!("bmi2")
            && std::arch::is_x86_feature_detected!("lzcnt")
            && std::arch::is_x86_feature_detected!("popcnt")
        {
            return Some(Avx2(()));
        }
        None
    }

    /// Runs the kernel compiled for all of these features.
    #[inline(always)]
    pub fn run(self, kernel: impl Kernel) {
        #[cfg(target_arch = "x86_64")]
        // SAFETY: `self` proves that the processor has the features.
        unsafe {
            run_avx2(kernel);
        }
        #[cfg(not(target_arch = "x86_64"))]
        kernel.run();
    }

    /// Runs the kernel compiled for BMI2 and POPCNT only.
    ///
    /// Without AVX2, compilers do not vectorise sums of scattered weights, which are faster left
    /// alone.
    #[inline(always)]
    pub fn run_with_bmi2(self, kernel: impl Kernel) {
        #[cfg(target_arch = "x86_64")]
        // SAFETY: `self` proves that the processor has the features.
        unsafe {
            run_bmi2(kernel);
        }
        #[cfg(not(target_arch = "x86_64"))]
        kernel.run();
    }
}

/// Runs the kernel with AVX2 where the processor has it; the results are the same.
#[inline(always)]
pub fn dispatch_simd(kernel: impl Kernel) {
    dispatch_with(Avx2::detect(), kernel);
}

/// Runs the kernel like [`dispatch_simd`], with an earlier answer of [`Avx2::detect`].
#[inline(always)]
pub fn dispatch_with(avx2: Option<Avx2>, kernel: impl Kernel) {
    match avx2 {
        Some(avx2) => avx2.run(kernel),
        None => run_portable(kernel),
    }
}

/// Not inlined, so that callers contain the dispatch only.
#[inline(never)]
fn run_portable(kernel: impl Kernel) {
    kernel.run();
}

/// A recursive function with every level compiled for the same instructions.
pub trait Recursive {
    /// The arguments of a level.
    type Input;
    /// The result of a level.
    type Output;

    /// Computes one level; deeper ones are `recurse.call(self, …)`. Mark it `#[inline(always)]`.
    fn level(&mut self, recurse: impl Recurse, input: Self::Input) -> Self::Output;
}

/// Calls a level of a [`Recursive`] function, compiled as its caller is.
pub trait Recurse: Copy {
    /// Computes the level.
    fn call<R: Recursive>(self, function: &mut R, input: R::Input) -> R::Output;
}

/// Calls a recursive function compiled for AVX2 where the processor has it.
#[inline(always)]
pub fn dispatch_recursive<R: Recursive>(function: &mut R, input: R::Input) -> R::Output {
    match Avx2::detect() {
        Some(avx2) => avx2.call(function, input),
        None => PortableCalls.call(function, input),
    }
}

impl Recurse for Avx2 {
    #[inline(always)]
    fn call<R: Recursive>(self, function: &mut R, input: R::Input) -> R::Output {
        #[cfg(target_arch = "x86_64")]
        // SAFETY: `self` proves that the processor has the features.
        unsafe {
            level_avx2(self, function, input)
        }
        #[cfg(not(target_arch = "x86_64"))]
        function.level(self, input)
    }
}

/// Calls with the instructions that every processor of the target has.
#[derive(Copy, Clone)]
struct PortableCalls;

impl Recurse for PortableCalls {
    fn call<R: Recursive>(self, function: &mut R, input: R::Input) -> R::Output {
        function.level(self, input)
    }
}

#[cfg(target_arch = "x86_64")]
#[target_feature(enable = "avx2,bmi1,bmi2,lzcnt,popcnt")]
fn level_avx2<R: Recursive>(avx2: Avx2, function: &mut R, input: R::Input) -> R::Output {
    function.level(avx2, input)
}

#[cfg(target_arch = "x86_64")]
#[target_feature(enable = "avx2,bmi1,bmi2,lzcnt,popcnt")]
fn run_avx2(kernel: impl Kernel) {
    kernel.run();
}

#[cfg(target_arch = "x86_64")]
#[target_feature(enable = "bmi2,popcnt")]
fn run_bmi2(kernel: impl Kernel) {
    kernel.run();
}

#[cfg(test)]
mod tests {
    use super::*;

    struct CountCalls<'a>(&'a mut usize);

    impl Kernel for CountCalls<'_> {
        #[inline(always)]
        fn run(self) {
            *self.0 += 1;
        }
    }

    #[test]
    fn every_dispatch_runs_the_kernel_once() {
        let mut runs = 0;
        dispatch_simd(CountCalls(&mut runs));
        dispatch_with(None, CountCalls(&mut runs));
        assert_eq!(runs, 2);
        if let Some(avx2) = Avx2::detect() {
            avx2.run(CountCalls(&mut runs));
            avx2.run_with_bmi2(CountCalls(&mut runs));
            assert_eq!(runs, 4);
        }
    }

    /// Computes Fibonacci numbers and counts the calls.
    struct Fibonacci(usize);

    impl Recursive for Fibonacci {
        type Input = u64;
        type Output = u64;

        #[inline(always)]
        fn level(&mut self, recurse: impl Recurse, n: u64) -> u64 {
            self.0 += 1;
            if n < 2 { n } else { recurse.call(self, n - 1) + recurse.call(self, n - 2) }
        }
    }

    #[test]
    fn recursive_functions_call_themselves() {
        let (mut best, mut portable) = (Fibonacci(0), Fibonacci(0));
        assert_eq!(dispatch_recursive(&mut best, 20), 6765);
        assert_eq!(PortableCalls.call(&mut portable, 20), 6765);
        assert_eq!((best.0, portable.0), (21_891, 21_891));
    }
}
