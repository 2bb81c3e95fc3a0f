//! Stopping a contest as soon as its result is clear.

use super::score_of_elo;
use ludens_core::Invalid;
use serde::Serialize;

/// Wald's sequential test of two strengths against each other.
///
/// The data are the mean scores of pairs of games with roles exchanged: 0, 1/4, 1/2, 3/4 or 1.
/// Their distribution is estimated twice, with the mean that each hypothesis asks for, and the
/// logarithm of the likelihood ratio of the two estimates is compared with Wald's bounds.
#[derive(Copy, Clone, Debug, PartialEq, Serialize)]
pub struct Sprt {
    /// The strength, in Elo, that the first contestant has if it is no better.
    pub elo0: f64,
    /// The strength that it has if it is better; more than `elo0`.
    pub elo1: f64,
    /// The accepted chance of each of the two errors.
    pub error: f64,
}

/// The verdict of a sequential test.
#[derive(Copy, Clone, Debug, PartialEq, Eq, Serialize)]
#[serde(rename_all = "kebab-case")]
pub enum SprtVerdict {
    /// The strength is `elo1` rather than `elo0`.
    Better,
    /// The strength is `elo0` rather than `elo1`.
    NotBetter,
    /// The games did not suffice.
    Open,
}

/// The pseudo-count of an outcome that never occurred, so that no probability is zero.
const UNSEEN: f64 = 1e-3;

/// The mean scores that a pair of games can have.
const PAIR_SCORES: [f64; 5] = [0.0, 0.25, 0.5, 0.75, 1.0];

impl Sprt {
    /// A test with errors of 5 %, written as `elo0,elo1`.
    ///
    /// # Errors
    ///
    /// If the text is not two ascending numbers.
    pub fn parse(text: &str) -> Result<Sprt, Invalid> {
        let wrong = || Invalid(format!("expected elo0,elo1 such as 0,10, found {text:?}"));
        let (low, high) = text.split_once(',').ok_or_else(wrong)?;
        let number = |text: &str| text.trim().parse::<f64>().ok().filter(|x| x.is_finite());
        let (elo0, elo1) = (number(low).ok_or_else(wrong)?, number(high).ok_or_else(wrong)?);
        if elo0 < elo1 { Ok(Sprt { elo0, elo1, error: 0.05 }) } else { Err(wrong()) }
    }

    /// The likelihood ratio, as a logarithm, at which the test is decided either way.
    pub fn bound(&self) -> f64 {
        ((1.0 - self.error) / self.error).ln()
    }

    /// The logarithm of the likelihood ratio of `elo1` to `elo0`.
    ///
    /// `pairs` counts the pairs with each of the five mean scores, from 0 to 1.
    pub fn log_ratio(&self, pairs: &[u64; 5]) -> f64 {
        let counts = pairs.map(|n| (n as f64).max(UNSEEN));
        let total: f64 = counts.iter().sum();
        let shares = counts.map(|n| n / total);
        let of = |elo| with_mean(&shares, score_of_elo(elo));
        let (p0, p1) = (of(self.elo0), of(self.elo1));
        (0..5).map(|i| counts[i] * (p1[i] / p0[i]).ln()).sum()
    }

    /// The verdict after these pairs.
    pub fn verdict(&self, pairs: &[u64; 5]) -> SprtVerdict {
        match self.log_ratio(pairs) {
            ratio if ratio >= self.bound() => SprtVerdict::Better,
            ratio if ratio <= -self.bound() => SprtVerdict::NotBetter,
            _ => SprtVerdict::Open,
        }
    }
}

/// The most likely probabilities of the pair scores, given their shares and their mean.
///
/// These are `share / (1 + t (score - mean))` with the `t` that gives the mean; the sum over which
/// `t` is sought falls as `t` grows, so it is found by halving.
fn with_mean(shares: &[f64; 5], mean: f64) -> [f64; 5] {
    let of = |t: f64| {
        let probability = |i: usize| shares[i] / (1.0 + t * (PAIR_SCORES[i] - mean));
        std::array::from_fn::<f64, 5, _>(probability)
    };
    let (mut low, mut high) = (-1.0 / (1.0 - mean), 1.0 / mean);
    for _ in 0..100 {
        let middle = f64::midpoint(low, high);
        let excess: f64 = (0..5).map(|i| of(middle)[i] * (PAIR_SCORES[i] - mean)).sum();
        if excess > 0.0 { low = middle } else { high = middle }
    }
    of(f64::midpoint(low, high))
}

#[cfg(test)]
mod tests {
    use super::*;
    use ludens_core::Rng;

    /// Computed once with SciPy 1.17.1 (`brentq` for the same equation).
    #[test]
    fn the_ratio_agrees_with_an_independent_computation() {
        let ratio =
            |elo0, elo1, pairs: &[u64; 5]| Sprt { elo0, elo1, error: 0.05 }.log_ratio(pairs);
        let first = ratio(0.0, 10.0, &[10, 40, 100, 60, 20]);
        assert!((first - 2.016_504_909_474).abs() < 1e-9, "{first}");
        let second = ratio(0.0, 50.0, &[0, 3, 20, 9, 0]);
        assert!((second - 1.110_933_208_564).abs() < 1e-9, "{second}");
    }

    #[test]
    fn the_bound_is_walds() {
        let sprt = Sprt::parse("0,10").unwrap();
        assert!((sprt.bound() - 2.944_438_979_166_44).abs() < 1e-12);
        assert_eq!(sprt.verdict(&[0; 5]), SprtVerdict::Open);
    }

    #[test]
    fn texts_that_are_no_test_are_refused() {
        for text in ["", "5", "10,0", "0,x", "0,inf", "3,3"] {
            assert!(Sprt::parse(text).unwrap_err().to_string().contains("elo0,elo1"), "{text}");
        }
    }

    /// Plays pairs with draws until the test is decided.
    fn decide(sprt: &Sprt, elo: f64, rng: &mut Rng) -> SprtVerdict {
        let win = score_of_elo(elo) - 0.15;
        let mut pairs = [0; 5];
        for _ in 0..20_000 {
            let points = |rng: &mut Rng| match f64::from(rng.unit()) {
                u if u < win => 2,
                u if u < win + 0.3 => 1,
                _ => 0,
            };
            pairs[points(rng) + points(rng)] += 1;
            let verdict = sprt.verdict(&pairs);
            if verdict != SprtVerdict::Open {
                return verdict;
            }
        }
        SprtVerdict::Open
    }

    #[test]
    fn both_errors_occur_in_at_most_about_5_of_100_tests() {
        let (sprt, rng) = (Sprt { elo0: 0.0, elo1: 60.0, error: 0.05 }, &mut Rng::seeded(5));
        let mut count = |elo, wrong| (0..400).filter(|_| decide(&sprt, elo, rng) == wrong).count();
        let (false_alarms, misses) =
            (count(0.0, SprtVerdict::Better), count(60.0, SprtVerdict::NotBetter));
        // Three standard errors above 20.
        assert!(false_alarms <= 33 && misses <= 33, "{false_alarms} {misses}");
    }
}
