//! The results of the finished runs of an experiment.

mod of_variant;
mod seed_statistics;

pub use of_variant::{VariantResults, median_time};
pub use seed_statistics::SeedStatistics;

use crate::learning_time::LearningCurve;
use crate::{Comparison, ExperimentRunner, Finding, RunKey, RunStatus, holm, mann_whitney};
use ludens_core::Invalid;
use ludens_lab::{RunError, read_metrics};
use ludens_registry::ValueFile;
use of_variant::RunResults;
use serde::Serialize;

/// The results of the finished runs of an experiment. No field depends on the clock.
#[derive(Clone, Debug, PartialEq, Serialize)]
pub struct Results {
    /// The name of the measured figure.
    pub measures: String,
    /// Each variant, in the order of the experiment.
    pub variants: Vec<VariantResults>,
    /// Each variant against the first, by the figures at the end.
    pub comparisons: Vec<VariantComparison>,
    /// The verdict on each claim.
    pub findings: Vec<Finding>,
    /// Runs that are not finished, with the reason if they failed.
    pub missing: Vec<String>,
}

/// Two variants compared.
#[derive(Clone, Debug, PartialEq, Serialize)]
pub struct VariantComparison {
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
    pub fn read(runner: &ExperimentRunner) -> Result<Results, RunError> {
        let pairs = runner.pairs()?;
        let mut measures = String::new();
        let mut missing = Vec::new();
        let mut variants = Vec::new();
        for of_variant in pairs.chunk_by(|a, b| a.variant == b.variant) {
            let mut runs = Vec::new();
            for pair in of_variant {
                match runner.progress(pair) {
                    RunStatus::Finished => runs.push(run(runner, pair, &mut measures)?),
                    other => missing.push(missing_run(pair, &other)),
                }
            }
            let variant = &of_variant[0].variant;
            variants.push(VariantResults::new(variant, runs, &runner.experiment));
        }
        let comparisons = compare(&variants);
        let named: Vec<(String, Vec<LearningCurve>)> =
            variants.iter().flat_map(named_curves).collect();
        let of = |name: &str| -> &[LearningCurve] {
            named.iter().find(|(known, _)| known == name).map_or(&[], |(_, curves)| curves)
        };
        let claims = &runner.experiment.claims;
        let findings = claims.iter().map(|claim| claim.evaluate(&of)).collect();
        Ok(Results { measures, variants, comparisons, findings, missing })
    }

    /// The number of finished runs.
    pub fn runs(&self) -> usize {
        self.variants.iter().map(|of| of.curves.len()).sum()
    }
}

/// The curves that claims can name: a variant, and each of its players as `VARIANT with NUMBER`.
fn named_curves(of: &VariantResults) -> Vec<(String, Vec<LearningCurve>)> {
    let name = &of.variant.name;
    let mut named = vec![(name.clone(), of.curves.clone())];
    for (i, tried) in of.players.first().into_iter().flatten().enumerate() {
        let figures = of.players.iter().filter_map(|run| Some(run.get(i)?.figure));
        let curves = figures.map(|figure| vec![(0, figure)]).collect();
        named.push((format!("{name} with {}", tried.number), curves));
    }
    named
}

/// The results of one finished run.
fn run(
    runner: &ExperimentRunner,
    pair: &RunKey,
    measures: &mut String,
) -> Result<RunResults, RunError> {
    let players = runner.players_tried(pair)?;
    let weights = named_weights(runner, pair)?;
    Ok(RunResults { curve: curve(runner, pair, measures)?, weights, players })
}

/// The figures of one run.
fn curve(
    runner: &ExperimentRunner,
    pair: &RunKey,
    measures: &mut String,
) -> Result<LearningCurve, RunError> {
    let path = runner.run_folder(pair).metrics();
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

/// The weights that have names.
fn named_weights(runner: &ExperimentRunner, pair: &RunKey) -> Result<Vec<f64>, RunError> {
    let names = pair.variant.weights.len();
    if names == 0 {
        return Ok(Vec::new());
    }
    let path = runner.run_folder(pair).value();
    let weights = ValueFile::open(&path)?.numbers("weights")?;
    if weights.len() < names {
        let found = weights.len();
        return Err(Invalid(format!("{names} weights have names, but there are {found}"))
            .about(path.display())
            .into());
    }
    Ok(weights.into_iter().take(names).map(f64::from).collect())
}

fn missing_run(pair: &RunKey, progress: &RunStatus) -> String {
    let name = format!("{}, seed {}", pair.variant.name, pair.seed);
    match progress {
        RunStatus::Failed(reason) => format!("{name}: {reason}"),
        _ => name,
    }
}

/// Each variant against the first.
fn compare(variants: &[VariantResults]) -> Vec<VariantComparison> {
    let Some((first, others)) = variants.split_first() else { return Vec::new() };
    let others: Vec<_> = others.iter().filter(|other| !other.curves.is_empty()).collect();
    if first.curves.is_empty() {
        return Vec::new();
    }
    let found: Vec<Comparison> =
        others.iter().map(|other| mann_whitney(&other.ends(), &first.ends())).collect();
    let corrected = holm(&found.iter().map(|found| found.probability).collect::<Vec<f64>>());
    let named =
        |((other, found), corrected): ((&&VariantResults, Comparison), f64)| VariantComparison {
            one: other.variant.name.clone(),
            other: first.variant.name.clone(),
            found,
            corrected,
        };
    others.iter().zip(found).zip(corrected).map(named).collect()
}
