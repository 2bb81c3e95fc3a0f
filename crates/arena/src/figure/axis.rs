//! From numbers to places along an axis.

/// The numbers along an axis, from one end to the other.
#[derive(Copy, Clone, Debug, PartialEq)]
pub(super) struct Axis {
    low: f64,
    high: f64,
    log: bool,
}

/// About so many marks along an axis.
const STEPS: f64 = 8.0;

impl Axis {
    /// An axis with these ends. It is logarithmic only if all numbers are above zero.
    pub(super) fn new((low, high): (f64, f64), log: bool) -> Axis {
        Axis { low, high, log: log && low > 0.0 }
    }

    /// An axis that all numbers lie on, and zero too if they are close to it.
    pub(super) fn around(numbers: impl Iterator<Item = f64>, log: bool) -> Axis {
        let ends = |(low, high): (f64, f64), number: f64| (low.min(number), high.max(number));
        let (low, high) = numbers.fold((f64::INFINITY, f64::NEG_INFINITY), ends);
        match () {
            () if low > high => Axis::new((0.0, 1.0), false),
            () if log && low > 0.0 => {
                Axis::new((low, if high > low { high } else { 10.0 * low }), true)
            }
            () if low == high => Axis::new((low.min(0.0), high.max(low + 1.0)), false),
            () => Axis::new((low.min(0.0), high.max(0.0)), false),
        }
    }

    /// The position of a number along the axis: 0 at its beginning, 1 at its end.
    pub(super) fn share(&self, number: f64) -> f64 {
        if self.log {
            (number / self.low).ln() / (self.high / self.low).ln().max(1e-9)
        } else {
            (number - self.low) / (self.high - self.low).max(1e-9)
        }
    }

    /// Round numbers on the axis.
    pub(super) fn ticks(&self) -> Vec<f64> {
        if self.high <= self.low {
            return vec![self.low];
        }
        if self.log { self.log_ticks() } else { self.even_ticks() }
    }

    /// Multiples of 1, 2 or 5 times a power of ten.
    fn even_ticks(&self) -> Vec<f64> {
        let rough = (self.high - self.low) / STEPS;
        let power = 10f64.powf(rough.log10().floor());
        let step =
            power * [1.0, 2.0, 5.0, 10.0].into_iter().find(|m| m * power >= rough).unwrap_or(10.0);
        let (first, last) =
            ((self.low / step).ceil() as i64, (self.high / step + 1e-9).floor() as i64);
        (first..=last).map(|i| i as f64 * step).collect()
    }

    /// Powers of ten; on a short axis their double and fivefold, too.
    fn log_ticks(&self) -> Vec<f64> {
        let (first, last) = (self.low.log10().floor() as i32, self.high.log10().ceil() as i32);
        let within = |number: &f64| (self.low * 0.999..=self.high * 1.001).contains(number);
        let multiples: &[f64] = if last - first > 4 { &[1.0] } else { &[1.0, 2.0, 5.0] };
        let power = |power: i32| multiples.iter().map(move |m| m * 10f64.powi(power));
        (first..=last).flat_map(power).filter(within).collect()
    }
}

/// A short form of a number, with k for thousands and M for millions.
pub(super) fn short(number: f64) -> String {
    match number.abs() {
        size if size >= 1e6 => trimmed(number / 1e6, 2) + "M",
        size if size >= 1e4 => trimmed(number / 1e3, 1) + "k",
        size if size < 0.01 => trimmed(number, 4),
        size if size < 0.1 => trimmed(number, 3),
        _ => trimmed(number, 2),
    }
}

fn trimmed(number: f64, digits: usize) -> String {
    let text = format!("{number:.digits$}");
    let short = match text.contains('.') {
        true => text.trim_end_matches('0').trim_end_matches('.'),
        false => &text,
    };
    if short == "-0" { "0".into() } else { short.into() }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn ticks_are_round_numbers_within_the_range() {
        let ticks = |low, high| Axis::new((low, high), false).ticks();
        assert_eq!(ticks(0.0, 1.0), [0.0, 0.2, 0.4, 0.6000000000000001, 0.8, 1.0]);
        assert_eq!(ticks(-0.89, 0.0).first(), Some(&-0.8));
        assert_eq!(ticks(0.0, 5000.0), [0.0, 1000.0, 2000.0, 3000.0, 4000.0, 5000.0]);
        assert_eq!(ticks(3.0, 3.0), [3.0]);
    }

    #[test]
    fn logarithmic_ticks_multiply() {
        let ticks = |low, high| Axis::new((low, high), true).ticks();
        assert_eq!(ticks(1.0, 100.0), [1.0, 2.0, 5.0, 10.0, 20.0, 50.0, 100.0]);
        assert_eq!(ticks(1.0, 1e6), [1.0, 10.0, 100.0, 1e3, 1e4, 1e5, 1e6]);
        assert_eq!(Axis::new((1.0, 100.0), true).share(10.0), 0.5);
        assert_eq!(Axis::new((0.0, 100.0), true).share(50.0), 0.5, "zero has no logarithm");
    }

    #[test]
    fn numbers_are_written_short() {
        let texts = [0.5, 10.0, -0.001, 0.015, 5000.0, 20_000.0, 1.5e6, 0.0].map(short);
        assert_eq!(texts, ["0.5", "10", "-0.001", "0.015", "5000", "20k", "1.5M", "0"]);
    }

    #[test]
    fn an_axis_around_numbers_begins_at_zero() {
        let around = |numbers: &[f64]| Axis::around(numbers.iter().copied(), false);
        assert_eq!(around(&[0.3, 0.6]), Axis::new((0.0, 0.6), false));
        assert_eq!(around(&[-0.3, -0.1]), Axis::new((-0.3, 0.0), false));
        assert_eq!(around(&[]), Axis::new((0.0, 1.0), false));
        assert_eq!(around(&[0.0]), Axis::new((0.0, 1.0), false));
    }
}
