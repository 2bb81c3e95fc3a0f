//! What the finished runs of an experiment show.

use crate::learning_time::{Curve, Point, area, asymptote, first_crossing, last_crossing};
use crate::{
    Comparison, Finding, Laboratory, Pair, Progress, Variant, bootstrap, holm, interquartile_mean,
    mann_whitney, mean, quantile,
};
use ludens_arena::statistics::Interval;
use ludens_core::{Invalid, Rng};
use ludens_lab::{RunError, read_metrics};
use serde::Serialize;
use std::fmt::{Display, Formatter};

/// What the finished runs of an experiment show. Nothing in it depends on clocks.
#[derive(Clone, Debug, PartialEq, Serialize)]
pub struct Results {
    /// What the figures mean.
    pub measures: String,
    /// Each variant, in the order of the experiment.
    pub variants: Vec<VariantResults>,
    /// Each variant against the first, by the figures at the end.
    pub comparisons: Vec<Compared>,
    /// What became of each claim.
    pub findings: Vec<Finding>,
    /// Runs that are not finished, with the reason if they failed.
    pub missing: Vec<String>,
}

/// What the runs of one variant show.
#[derive(Clone, Debug, PartialEq, Serialize)]
pub struct VariantResults {
    /// What is tried.
    pub variant: Variant,
    /// The learning curve of each finished run.
    pub curves: Vec<Curve>,
    /// The mean figure at the end, with its interval.
    pub end: Option<Spread>,
    /// The same over the last quarter of the episodes.
    pub asymptote: Option<Spread>,
    /// The mean height of the curves.
    pub area: Option<Spread>,
    /// Episodes to the last crossing of the line; nothing for runs that never cross it.
    pub last_crossing: Vec<Option<u64>>,
    /// Episodes to the first crossing of the line.
    pub first_crossing: Vec<Option<u64>>,
}

/// A mean with its interval, and the mean of the middle half.
#[derive(Copy, Clone, Debug, PartialEq, Serialize)]
pub struct Spread {
    /// The mean.
    pub mean: f64,
    /// The mean of the middle half.
    pub interquartile_mean: f64,
    /// The 95 % interval of the mean of the middle half, by drawing seeds again.
    pub interval: Interval,
}

/// Two variants compared.
#[derive(Clone, Debug, PartialEq, Serialize)]
pub struct Compared {
    /// The one.
    pub one: String,
    /// The other.
    pub other: String,
    /// By Mann and Whitney's test.
    pub found: Comparison,
    /// The probability corrected for all comparisons (Holm).
    pub corrected: f64,
}

impl Results {
    /// Reads what has been finished so far.
    ///
    /// # Errors
    ///
    /// If a file of a finished run cannot be read.
    pub fn read(laboratory: &Laboratory) -> Result<Results, RunError> {
        let pairs = laboratory.pairs()?;
        let line = laboratory.experiment.learned;
        let mut measures = String::new();
        let mut missing = Vec::new();
        let mut variants = Vec::new();
        for of_variant in pairs.chunk_by(|a, b| a.variant == b.variant) {
            let mut curves = Vec::new();
            for pair in of_variant {
                match laboratory.progress(pair) {
                    Progress::Finished => {
                        curves.push(curve(laboratory, pair, &mut measures)?);
                    }
                    other => missing.push(told(pair, &other)),
                }
            }
            variants.push(VariantResults::new(&of_variant[0].variant, curves, line));
        }
        let comparisons = compare(&variants);
        let of = |name: &str| -> &[Curve] {
            let named = variants.iter().find(|results| results.variant.name == name);
            named.map_or(&[], |results| &results.curves)
        };
        let claims = &laboratory.experiment.claims;
        let findings = claims.iter().map(|claim| claim.weigh(&of)).collect();
        Ok(Results { measures, variants, comparisons, findings, missing })
    }
}

/// The figures of one run.
fn curve(laboratory: &Laboratory, pair: &Pair, measures: &mut String) -> Result<Curve, RunError> {
    let path = laboratory.run_folder(pair).metrics();
    let mut points = Vec::new();
    for line in read_metrics(&path)? {
        if let Some(found) = line.evaluation {
            points.push((line.episode, found.figure));
            *measures = found.measures;
        }
    }
    if points.is_empty() {
        return Err(Invalid(format!("{} holds no evaluation", path.display())).into());
    }
    Ok(points)
}

fn told(pair: &Pair, progress: &Progress) -> String {
    let name = format!("{}, seed {}", pair.variant.name, pair.seed);
    match progress {
        Progress::Failed(reason) => format!("{name}: {reason}"),
        _ => name,
    }
}

impl VariantResults {
    fn new(variant: &Variant, curves: Vec<Curve>, line: Option<f64>) -> VariantResults {
        let spread = |figure: &dyn Fn(&[Point]) -> f64| {
            Spread::of(&curves.iter().map(|curve| figure(curve)).collect::<Vec<f64>>())
        };
        let crossings = |crossing: fn(&[Point], f64) -> Option<u64>| match line {
            Some(line) => curves.iter().map(|curve| crossing(curve, line)).collect(),
            None => Vec::new(),
        };
        VariantResults {
            variant: variant.clone(),
            end: spread(&|curve| curve.last().map_or(f64::NAN, |point| point.1)),
            asymptote: spread(&asymptote),
            area: spread(&area),
            last_crossing: crossings(last_crossing),
            first_crossing: crossings(first_crossing),
            curves,
        }
    }

    /// The figure of every run at the end.
    pub fn ends(&self) -> Vec<f64> {
        self.curves.iter().filter_map(|curve| Some(curve.last()?.1)).collect()
    }

    /// The mean curve with its interval at each episode that all runs measured.
    pub fn mean_curve(&self) -> Vec<(u64, f64, Interval)> {
        let Some(first) = self.curves.first() else { return Vec::new() };
        let shortest = self.curves.iter().map(Vec::len).min().unwrap_or(0);
        let at = |i: usize| {
            let figures: Vec<f64> = self.curves.iter().map(|curve| curve[i].1).collect();
            let rng = &mut Rng::derived(1, "curve", i as u64);
            (first[i].0, mean(&figures), bootstrap(&[&figures], |s| mean(&s[0]), rng))
        };
        (0..shortest).map(at).collect()
    }

    /// The median number of episodes to the last crossing; nothing if half the runs never do.
    pub fn median_time(&self) -> Option<f64> {
        let never = |time: &Option<u64>| time.map_or(f64::INFINITY, |time| time as f64);
        let mut times: Vec<f64> = self.last_crossing.iter().map(never).collect();
        times.sort_by(f64::total_cmp);
        (!times.is_empty()).then(|| quantile(&times, 0.5)).filter(|time| time.is_finite())
    }
}

impl Display for Spread {
    fn fmt(&self, f: &mut Formatter<'_>) -> std::fmt::Result {
        write!(f, "{:.3} ({:.3} to {:.3})", self.mean, self.interval.low, self.interval.high)
    }
}

impl Spread {
    fn of(figures: &[f64]) -> Option<Spread> {
        if figures.is_empty() {
            return None;
        }
        let rng = &mut Rng::derived(1, "spread", 0);
        Some(Spread {
            mean: mean(figures),
            interquartile_mean: interquartile_mean(figures),
            interval: bootstrap(&[figures], |s| interquartile_mean(&s[0]), rng),
        })
    }
}

/// Each variant against the first.
fn compare(variants: &[VariantResults]) -> Vec<Compared> {
    let Some((first, others)) = variants.split_first() else { return Vec::new() };
    let others: Vec<_> = others.iter().filter(|other| !other.curves.is_empty()).collect();
    if first.curves.is_empty() {
        return Vec::new();
    }
    let found: Vec<Comparison> =
        others.iter().map(|other| mann_whitney(&other.ends(), &first.ends())).collect();
    let corrected = holm(&found.iter().map(|found| found.probability).collect::<Vec<f64>>());
    let named = |((other, found), corrected): ((&&VariantResults, Comparison), f64)| Compared {
        one: other.variant.name.clone(),
        other: first.variant.name.clone(),
        found,
        corrected,
    };
    others.iter().zip(found).zip(corrected).map(named).collect()
}
