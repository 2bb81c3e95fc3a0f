//! The results of the finished runs of an experiment.

mod of_variant;
mod seed_statistics;

pub use of_variant::{VariantResults, median_time};
pub use seed_statistics::SeedStatistics;

use crate::learning_time::LearningCurve;
use crate::{
    Claim, Comparison, ExperimentRunner, FEWEST_SEEDS, Finding, RunKey, RunStatus, Variant, holm,
    mann_whitney,
};
use ludens_core::Invalid;
use ludens_lab::{EvaluationPlan, RunError, read_metrics};
use ludens_registry::ValueFile;
use of_variant::RunResults;
use serde::Serialize;

/// The results of the finished runs of an experiment. No field depends on the clock.
#[derive(Clone, Debug, PartialEq, Serialize)]
pub struct Results {
    /// By the protocol that counts.
    #[serde(flatten)]
    pub main: ProtocolResults,
    /// By each further protocol.
    #[serde(skip_serializing_if = "Vec::is_empty")]
    pub also: Vec<ProtocolResults>,
    /// The verdict on each claim.
    pub findings: Vec<Finding>,
    /// Runs that are not finished, with the reason if they failed.
    pub missing: Vec<String>,
}

/// The results by one protocol.
#[derive(Clone, Debug, Default, PartialEq, Serialize)]
pub struct ProtocolResults {
    /// The protocol.
    pub protocol: String,
    /// The name of the measured figure.
    pub measures: String,
    /// Each variant, in the order of the experiment.
    pub variants: Vec<VariantResults>,
    /// Every pair of variants, at the end and over training.
    pub comparisons: Vec<VariantComparison>,
}

/// Two variants compared.
#[derive(Clone, Debug, PartialEq, Serialize)]
pub struct VariantComparison {
    /// The one.
    pub one: String,
    /// The other.
    pub other: String,
    /// The compared figure: `at the end` or `over training`.
    pub when: &'static str,
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
        let evaluations = runner.experiment.evaluations(&runner.chosen_scale()?)?;
        let by = |evaluation: &EvaluationPlan| ProtocolResults {
            protocol: evaluation.protocol.clone(),
            ..ProtocolResults::default()
        };
        let mut protocols: Vec<ProtocolResults> = evaluations.iter().map(by).collect();
        let mut missing = Vec::new();
        for of_variant in pairs.chunk_by(|a, b| a.variant == b.variant) {
            let mut runs = Vec::new();
            for pair in of_variant {
                match runner.progress(pair) {
                    RunStatus::Finished => runs.push(run(runner, pair, &mut protocols)?),
                    other => missing.push(missing_run(pair, &other)),
                }
            }
            for (i, results) in protocols.iter_mut().enumerate() {
                let variant = by_protocol(&of_variant[0].variant, i, &results.protocol);
                let runs = runs.iter().map(|run| run.by_protocol(i)).collect();
                results.variants.push(VariantResults::new(&variant, runs, &runner.experiment));
            }
        }
        for results in &mut protocols {
            results.comparisons = compare(&results.variants);
        }
        let findings = evaluate_claims(&runner.experiment.claims, &protocols);
        let mut protocols = protocols.into_iter();
        let main = protocols.next().unwrap_or_default();
        Ok(Results { main, also: protocols.collect(), findings, missing })
    }

    /// The number of finished runs.
    pub fn runs(&self) -> usize {
        self.main.variants.iter().map(|of| of.curves.len()).sum()
    }

    /// The results by each protocol, the one that counts first.
    pub fn by_protocol(&self) -> impl Iterator<Item = &ProtocolResults> {
        std::iter::once(&self.main).chain(&self.also)
    }
}

/// The variant with what was published of it by this protocol.
fn by_protocol(variant: &Variant, place: usize, protocol: &str) -> Variant {
    if place == 0 {
        return variant.clone();
    }
    let published = variant.published_by.get(protocol).copied();
    Variant { published, published_time: None, published_minutes: None, ..variant.clone() }
}

/// The verdict on each claim, by the protocol that it names.
fn evaluate_claims(claims: &[Claim], protocols: &[ProtocolResults]) -> Vec<Finding> {
    let evaluate = |claim: &Claim| {
        let named = |results: &&ProtocolResults| {
            claim.protocol().is_none_or(|protocol| protocol == results.protocol)
        };
        // A scale may measure by other protocols, and then has no runs for this claim.
        let variants = protocols.iter().find(named).map_or(&[][..], |results| &results.variants);
        let named: Vec<(String, Vec<LearningCurve>)> =
            variants.iter().flat_map(named_curves).collect();
        claim.evaluate(&|name: &str| -> &[LearningCurve] {
            named.iter().find(|(known, _)| known == name).map_or(&[], |(_, curves)| curves)
        })
    };
    claims.iter().map(evaluate).collect()
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

/// The results of one finished run; fills in what the protocols measure.
fn run(
    runner: &ExperimentRunner,
    pair: &RunKey,
    protocols: &mut [ProtocolResults],
) -> Result<RunResults, RunError> {
    let players = runner.players_tried(pair)?;
    let weights = named_weights(runner, pair)?;
    Ok(RunResults { curves: curves(runner, pair, protocols)?, weights, players })
}

/// The figures of one run, by each protocol.
fn curves(
    runner: &ExperimentRunner,
    pair: &RunKey,
    protocols: &mut [ProtocolResults],
) -> Result<Vec<LearningCurve>, RunError> {
    let path = runner.run_folder(pair).metrics();
    let lines = read_metrics(&path)?;
    let curve = |results: &mut ProtocolResults| {
        let mut points = Vec::new();
        for line in &lines {
            let mut found = line.evaluations().filter(|found| found.protocol == results.protocol);
            if let Some(found) = found.next() {
                points.push((line.episode, found.figure));
                results.measures.clone_from(&found.measures);
            }
        }
        if points.is_empty() {
            let (path, protocol) = (path.display(), &results.protocol);
            return Err(Invalid(format!("{path} holds no evaluation by {protocol}")).into());
        }
        Ok(points)
    };
    protocols.iter_mut().map(curve).collect()
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

/// Takes a figure of each seed out of the results of a variant.
type FiguresOf = fn(&VariantResults) -> Vec<f64>;

/// Every pair of variants, at the end and over training.
fn compare(variants: &[VariantResults]) -> Vec<VariantComparison> {
    let variants: Vec<_> = variants.iter().filter(|of| of.curves.len() >= FEWEST_SEEDS).collect();
    let figures: [(&'static str, FiguresOf); 2] =
        [("at the end", VariantResults::ends), ("over training", VariantResults::areas)];
    let mut all = Vec::new();
    for (when, figures) in figures {
        for (i, other) in variants.iter().enumerate() {
            for one in &variants[i + 1..] {
                let found = mann_whitney(&figures(one), &figures(other));
                let [one, other] = [one, other].map(|of| of.variant.name.clone());
                let corrected = found.probability;
                all.push(VariantComparison { one, other, when, found, corrected });
            }
        }
    }
    let corrected = holm(&all.iter().map(|each| each.found.probability).collect::<Vec<f64>>());
    all.iter_mut().zip(corrected).for_each(|(each, corrected)| each.corrected = corrected);
    all
}
