//! Statistics of the weights of a learned value.

use ludens_core::{Invalid, Tally};
use ludens_learn::config::StepRule;
use ludens_registry::{ValueFile, stored_config};
use serde::Serialize;

/// Statistics of the weights of a learned value.
#[derive(Clone, Debug, PartialEq, Serialize)]
pub struct WeightReport {
    /// The number of weights.
    pub count: u64,
    /// In how many sets.
    pub banks: usize,
    /// The number of non-zero weights; `None` if the weights were not initialised to zero.
    pub touched: Option<u64>,
    /// The distribution of the touched weights, or of all weights if `touched` is unknown.
    pub spread: WeightDistribution,
    /// The distribution of the temporal coherence |N| / A of the touched weights.
    pub coherence: Option<WeightDistribution>,
    /// The weights furthest from zero.
    pub largest: Vec<Largest>,
}

/// Summary statistics of a list of numbers.
#[derive(Clone, Debug, Default, PartialEq, Serialize)]
pub struct WeightDistribution {
    /// The smallest.
    pub least: f64,
    /// The largest.
    pub most: f64,
    /// The mean.
    pub mean: f64,
    /// The standard deviation.
    pub deviation: f64,
    /// A quarter, half and three quarters of them are smaller.
    pub quartiles: [f64; 3],
}

/// A weight far from zero.
#[derive(Copy, Clone, Debug, PartialEq, Serialize)]
pub struct Largest {
    /// The set it belongs to.
    pub bank: usize,
    /// Its number in the set.
    pub index: usize,
    /// The weight.
    pub weight: f32,
}

/// How many of the largest weights are reported.
const LARGEST: usize = 5;

/// Looks at all weights in a file.
///
/// # Errors
///
/// If the file is damaged.
pub fn inspect_weights(file: &mut ValueFile) -> Result<WeightReport, Invalid> {
    let config = stored_config(file)?;
    let weights = file.numbers("weights")?;
    let banks = file.shape("weights").and_then(|shape| shape.first().copied()).unwrap_or(1);
    let from_zero = config.value.starts_at_zero();
    let touched = |weight: &f32| !from_zero || *weight != 0.0;
    let kept: Vec<f64> = weights.iter().copied().filter(touched).map(f64::from).collect();
    let coherence = match config.step {
        StepRule::Tcl(tcl) => Some(coherences(&file.numbers("memory")?, tcl.initial)),
        _ => None,
    };
    Ok(WeightReport {
        count: weights.len() as u64,
        banks,
        touched: from_zero.then_some(kept.len() as u64),
        spread: WeightDistribution::of(kept),
        coherence: coherence.map(WeightDistribution::of),
        largest: largest(&weights, banks),
    })
}

/// |N| / A of every weight that was ever pushed.
fn coherences(memory: &[f32], start: f32) -> Vec<f64> {
    let pairs = memory.as_chunks::<2>().0.iter().filter(|[_, total]| *total > start);
    pairs.map(|[net, total]| f64::from((net / total).abs())).collect()
}

fn largest(weights: &[f32], banks: usize) -> Vec<Largest> {
    let mut top: Vec<usize> = Vec::new();
    for (i, weight) in weights.iter().enumerate() {
        let place = top.partition_point(|&j| weights[j].abs() >= weight.abs());
        if place < LARGEST && *weight != 0.0 {
            top.insert(place, i);
            top.truncate(LARGEST);
        }
    }
    let size = (weights.len() / banks.max(1)).max(1);
    let largest_weight = |i: usize| Largest { bank: i / size, index: i % size, weight: weights[i] };
    top.into_iter().map(largest_weight).collect()
}

impl WeightDistribution {
    /// Computes the statistics of these numbers.
    fn of(mut numbers: Vec<f64>) -> WeightDistribution {
        let tally: Tally = numbers.iter().copied().collect();
        if numbers.is_empty() {
            return WeightDistribution::default();
        }
        let last = numbers.len() - 1;
        let mut at =
            |quarter: usize| *numbers.select_nth_unstable_by(last * quarter / 4, f64::total_cmp).1;
        let quartiles = [at(1), at(2), at(3)];
        let (mean, deviation) = (tally.mean(), tally.deviation());
        WeightDistribution { least: tally.least, most: tally.most, mean, deviation, quartiles }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_spread_of_a_hundred_numbers() {
        let spread = WeightDistribution::of((0..=100).map(f64::from).collect());
        assert_eq!((spread.least, spread.mean, spread.most), (0.0, 50.0, 100.0));
        assert_eq!(spread.quartiles, [25.0, 50.0, 75.0]);
        assert_eq!(WeightDistribution::of(Vec::new()), WeightDistribution::default());
    }

    #[test]
    fn the_largest_weights_come_first() {
        let mut weights = vec![0.0; 20];
        (weights[3], weights[12], weights[19]) = (0.5, -2.0, 1.0);
        let found = largest(&weights, 2);
        let expected = [(1, 2, -2.0), (1, 9, 1.0), (0, 3, 0.5)];
        assert_eq!(found.iter().map(|l| (l.bank, l.index, l.weight)).collect::<Vec<_>>(), expected);
    }

    #[test]
    fn only_pushed_weights_have_a_coherence() {
        assert_eq!(coherences(&[0.0, 0.0, -1.0, 2.0, 3.0, 3.0], 0.0), [0.5, 1.0]);
    }
}
