//! The results of the runs of one variant.

use super::SeedStatistics;
use crate::learning_time::{
    CurvePoint, LearningCurve, area, asymptote, first_crossing, last_crossing,
};
use crate::{Experiment, FEWEST_SEEDS, PlayerScore, Variant, bootstrap, mean, quantile};
use ludens_arena::statistics::Interval;
use ludens_core::Rng;
use serde::Serialize;

/// The results of the runs of one variant.
#[derive(Clone, Debug, PartialEq, Serialize)]
pub struct VariantResults {
    /// The variant.
    pub variant: Variant,
    /// The learning curve of each finished run.
    pub curves: Vec<LearningCurve>,
    /// The mean figure at the end, with its interval.
    pub end: Option<SeedStatistics>,
    /// The same over the last quarter of the episodes.
    pub asymptote: Option<SeedStatistics>,
    /// The mean height of the curves.
    pub area: Option<SeedStatistics>,
    /// Episodes to the last crossing of the line of learning, run by run; nothing for never.
    pub learned: Vec<Option<u64>>,
    /// Episodes to the first crossing of the line of mastery, run by run; nothing for never.
    pub mastered: Vec<Option<u64>>,
    /// The weights that have names, run by run.
    pub weights: Vec<Vec<f64>>,
    /// The score of each player with each parameter, run by run.
    pub players: Vec<Vec<PlayerScore>>,
}

/// The results of one finished run.
pub(super) struct RunResults {
    /// One for each protocol.
    pub(super) curves: Vec<LearningCurve>,
    pub(super) weights: Vec<f64>,
    pub(super) players: Vec<PlayerScore>,
}

impl RunResults {
    /// The results by one protocol alone; weights and players belong to the first.
    pub(super) fn by_protocol(&self, place: usize) -> RunResults {
        let curves = vec![self.curves[place].clone()];
        if place > 0 {
            return RunResults { curves, weights: Vec::new(), players: Vec::new() };
        }
        RunResults { curves, weights: self.weights.clone(), players: self.players.clone() }
    }
}

impl VariantResults {
    pub(super) fn new(
        variant: &Variant,
        runs: Vec<RunResults>,
        experiment: &Experiment,
    ) -> VariantResults {
        let (mut curves, mut weights, mut players) = (Vec::new(), Vec::new(), Vec::new());
        for run in runs {
            curves.extend(run.curves);
            weights.push(run.weights);
            players.push(run.players);
        }
        let spread = |figure: &dyn Fn(&[CurvePoint]) -> f64| {
            SeedStatistics::of(&curves.iter().map(|curve| figure(curve)).collect::<Vec<f64>>())
        };
        let times = |line: Option<f64>, crossing: fn(&[CurvePoint], f64) -> Option<u64>| match line
        {
            Some(line) => curves.iter().map(|curve| crossing(curve, line)).collect(),
            None => Vec::new(),
        };
        VariantResults {
            variant: variant.clone(),
            end: spread(&|curve| curve.last().map_or(f64::NAN, |point| point.1)),
            asymptote: spread(&asymptote),
            area: spread(&area),
            learned: times(experiment.learned, last_crossing),
            mastered: times(experiment.mastered, first_crossing),
            curves,
            weights,
            players,
        }
    }

    /// The figure of every run at the end.
    pub fn ends(&self) -> Vec<f64> {
        self.curves.iter().filter_map(|curve| Some(curve.last()?.1)).collect()
    }

    /// The mean over training of every run.
    pub fn areas(&self) -> Vec<f64> {
        self.curves.iter().map(|curve| area(curve)).collect()
    }

    /// The mean curve with its 95 % CI, if there are enough seeds, at each episode that all runs
    /// measured.
    pub fn mean_curve(&self) -> Vec<(u64, f64, Option<Interval>)> {
        let Some(first) = self.curves.first() else { return Vec::new() };
        let shortest = self.curves.iter().map(Vec::len).min().unwrap_or(0);
        let at = |i: usize| {
            let figures: Vec<f64> = self.curves.iter().map(|curve| curve[i].1).collect();
            let rng = &mut Rng::derived(1, "curve", i as u64);
            let enough = figures.len() >= FEWEST_SEEDS;
            let interval = enough.then(|| bootstrap(&[&figures], |s| mean(&s[0]), rng));
            (first[i].0, mean(&figures), interval)
        };
        (0..shortest).map(at).collect()
    }

    /// The median of times, in words: `> 400,000` if half of the runs ended before they got there.
    pub fn time_in_words(&self, times: &[Option<u64>]) -> String {
        let ended = self.curves.iter().filter_map(|curve| Some(curve.last()?.0)).min();
        match (median_time(times), ended) {
            (Some(time), _) => with_commas(time.round() as u64),
            (None, Some(ended)) => format!("> {}", with_commas(ended)),
            (None, None) => "-".into(),
        }
    }

    /// The mean figure of the players at each number, with its interval.
    pub fn players_curve(&self) -> Vec<(u64, SeedStatistics)> {
        let Some(first) = self.players.first() else { return Vec::new() };
        let at = |(i, tried): (usize, &PlayerScore)| {
            let figures: Vec<f64> =
                self.players.iter().filter_map(|run| Some(run.get(i)?.figure)).collect();
            Some((tried.number, SeedStatistics::of(&figures)?))
        };
        first.iter().enumerate().filter_map(at).collect()
    }
}

/// The median of times; nothing if half of them are never.
pub fn median_time(times: &[Option<u64>]) -> Option<f64> {
    let never = |time: &Option<u64>| time.map_or(f64::INFINITY, |time| time as f64);
    let mut times: Vec<f64> = times.iter().map(never).collect();
    times.sort_by(f64::total_cmp);
    (!times.is_empty()).then(|| quantile(&times, 0.5)).filter(|time| time.is_finite())
}

/// A number with commas between thousands.
fn with_commas(number: u64) -> String {
    let digits = number.to_string();
    let mut text = String::new();
    for (i, digit) in digits.chars().enumerate() {
        if i > 0 && (digits.len() - i).is_multiple_of(3) {
            text.push(',');
        }
        text.push(digit);
    }
    text
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_time_beyond_the_end_of_the_runs_is_told_as_such() {
        let curve: LearningCurve = vec![(0, 0.1), (400_000, 0.5)];
        let experiment = Experiment { learned: Some(0.8), ..Experiment::default() };
        let run =
            || RunResults { curves: vec![curve.clone()], weights: Vec::new(), players: Vec::new() };
        let of = VariantResults::new(&Variant::default(), vec![run(), run()], &experiment);
        assert_eq!(of.time_in_words(&of.learned), "> 400,000");
        assert_eq!(of.time_in_words(&[Some(1_234_567), Some(1_234_567)]), "1,234,567");
        assert_eq!(of.time_in_words(&[Some(999)]), "999");
    }

    #[test]
    fn the_median_time_counts_never_as_later_than_all() {
        assert_eq!(median_time(&[Some(30), None, Some(10)]), Some(30.0));
        assert_eq!(median_time(&[None, None, Some(10)]), None);
        assert_eq!(median_time(&[]), None);
    }
}
