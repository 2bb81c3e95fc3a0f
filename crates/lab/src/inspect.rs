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

/// Looks at all weights in a file, piece by piece: memory is needed for the touched ones only.
///
/// # Errors
///
/// If the file is damaged.
pub fn inspect_weights(file: &mut ValueFile) -> Result<WeightReport, Invalid> {
    let config = stored_config(file)?;
    let banks = file.shape("weights").and_then(|shape| shape.first().copied()).unwrap_or(1);
    let from_zero = config.value.starts_at_zero();
    let (mut count, mut kept, mut largest) = (0, Vec::new(), LargestWeights::default());
    file.each_piece_of("weights", &mut |weights| {
        kept.extend(weights.iter().copied().filter(|weight| !from_zero || *weight != 0.0));
        weights.iter().enumerate().for_each(|(i, weight)| largest.add(count + i, *weight));
        count += weights.len();
    })?;
    let touched = from_zero.then_some(kept.len() as u64);
    let spread = WeightDistribution::of(kept);
    let coherence = match config.step {
        StepRule::Tcl(tcl) => {
            let mut found = Vec::new();
            let mut add = |memory: &[f32]| found.extend(coherences(memory, tcl.initial));
            file.each_piece_of("memory", &mut add)?;
            Some(WeightDistribution::of(found))
        }
        _ => None,
    };
    let largest = largest.in_banks(count, banks);
    Ok(WeightReport { count: count as u64, banks, touched, spread, coherence, largest })
}

/// |N| / A of every weight that was ever pushed.
fn coherences(memory: &[f32], start: f32) -> impl Iterator<Item = f32> {
    let pairs = memory.as_chunks::<2>().0.iter().filter(move |[_, total]| *total > start);
    pairs.map(|[net, total]| (net / total).abs())
}

/// The weights furthest from zero, with their places; the first of equal ones.
#[derive(Default)]
struct LargestWeights(Vec<(usize, f32)>);

impl LargestWeights {
    fn add(&mut self, at: usize, weight: f32) {
        let least = self.0.get(LARGEST - 1).map_or(0.0, |(_, weight)| weight.abs());
        // Not for NaN either, which is less than nothing.
        if weight.abs() > least {
            let place = self.0.partition_point(|(_, larger)| larger.abs() >= weight.abs());
            self.0.insert(place, (at, weight));
            self.0.truncate(LARGEST);
        }
    }

    fn in_banks(self, count: usize, banks: usize) -> Vec<Largest> {
        let size = (count / banks.max(1)).max(1);
        let largest = |(i, weight)| Largest { bank: i / size, index: i % size, weight };
        self.0.into_iter().map(largest).collect()
    }
}

impl WeightDistribution {
    /// Computes the statistics of these numbers.
    fn of(mut numbers: Vec<f32>) -> WeightDistribution {
        let tally: Tally = numbers.iter().copied().map(f64::from).collect();
        if numbers.is_empty() {
            return WeightDistribution::default();
        }
        let last = numbers.len() - 1;
        let mut at = |quarter: usize| {
            f64::from(*numbers.select_nth_unstable_by(last * quarter / 4, f32::total_cmp).1)
        };
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
        let spread = WeightDistribution::of((0..=100u8).map(f32::from).collect());
        assert_eq!((spread.least, spread.mean, spread.most), (0.0, 50.0, 100.0));
        assert_eq!(spread.quartiles, [25.0, 50.0, 75.0]);
        assert_eq!(WeightDistribution::of(Vec::new()), WeightDistribution::default());
    }

    #[test]
    fn the_largest_weights_come_first() {
        let mut weights = [0.0; 20];
        (weights[3], weights[12], weights[19]) = (0.5, -2.0, 1.0);
        let mut largest = LargestWeights::default();
        weights.iter().enumerate().for_each(|(i, weight)| largest.add(i, *weight));
        let found = largest.in_banks(20, 2);
        let expected = [(1, 2, -2.0), (1, 9, 1.0), (0, 3, 0.5)];
        assert_eq!(found.iter().map(|l| (l.bank, l.index, l.weight)).collect::<Vec<_>>(), expected);
    }

    #[test]
    fn of_equal_weights_the_first_are_the_largest() {
        let mut largest = LargestWeights::default();
        [1.0, 3.0, -1.0, 3.0, 1.0, 2.0, 1.0]
            .iter()
            .enumerate()
            .for_each(|(i, w)| largest.add(i, *w));
        let found = largest.in_banks(7, 1);
        assert_eq!(found.iter().map(|l| l.index).collect::<Vec<_>>(), [1, 3, 5, 0, 2]);
    }

    #[test]
    fn only_pushed_weights_have_a_coherence() {
        let found: Vec<f32> = coherences(&[0.0, 0.0, -1.0, 2.0, 3.0, 3.0], 0.0).collect();
        assert_eq!(found, [0.5, 1.0]);
    }
}
