//! Statistics of the weights of a run.

use super::RunQuery;
use crate::app_state::AppState;
use crate::problem::Problem;
use ludens_core::Invalid;
use ludens_lab::{inspect_weights, value_path};
use ludens_learn::config::StepRule;
use ludens_registry::{ValueFile, stored_config};
use schemars::JsonSchema;
use serde::Serialize;
use serde_json::Value;
use std::sync::Arc;

/// What the weights of a run are like.
#[derive(Serialize, JsonSchema)]
#[serde(rename = "WeightsTold")]
pub(crate) struct WeightsView {
    count: u64,
    banks: usize,
    touched: Option<u64>,
    /// Least, most, mean, deviation and quartiles of those touched.
    spread: Value,
    /// Those touched, by size.
    weights: Histogram,
    /// The step sizes of those touched, for rules that have one for each.
    rates: Option<Histogram>,
    /// What the rates are.
    rates_of: Option<String>,
}

/// How many numbers lie between each two edges.
#[derive(Clone, Debug, PartialEq, Serialize, JsonSchema)]
struct Histogram {
    edges: Vec<f64>,
    counts: Vec<u64>,
}

/// The maximum number of weights to read.
const MOST: usize = 50_000_000;
const BARS: usize = 40;

/// `GET /api/runs/{id}/weights`
pub(crate) fn weights(
    app: &Arc<AppState>,
    RunQuery { id }: RunQuery,
) -> Result<WeightsView, Problem> {
    let path = value_path(&app.folder(&id)?.path)?;
    let mut file = ValueFile::open(&path)?;
    let count = file.shape("weights").unwrap_or_default().iter().product::<usize>();
    if count > MOST {
        return Err(Problem::invalid(format!("{count} weights are too many to look at here")));
    }
    let report = inspect_weights(&mut file)?;
    let numbers = file.numbers("weights")?;
    let touched: Vec<f64> = numbers.iter().filter(|w| **w != 0.0).map(|w| f64::from(*w)).collect();
    let rates = rates(&mut file, &numbers)?;
    let (rates_of, rates) = rates.map(|(of, rates)| (of.to_owned(), histogram(&rates))).unzip();
    Ok(WeightsView {
        count: report.count,
        banks: report.banks,
        touched: report.touched,
        spread: serde_json::to_value(&report.spread).unwrap_or_default(),
        weights: histogram(&touched),
        rates,
        rates_of,
    })
}

/// The step size of each touched weight, from the state of its step-size rule.
fn rates(
    file: &mut ValueFile,
    weights: &[f32],
) -> Result<Option<(&'static str, Vec<f64>)>, Invalid> {
    let (what, rate): (_, fn(&[f32]) -> f32) = match stored_config(file)?.step {
        StepRule::Tcl(_) => ("coherence", |kept| (kept[0] / kept[1]).abs()),
        StepRule::Idbd(_) => ("step size", |kept| kept[0].exp()),
        StepRule::K1(_) => ("variance", |kept| kept[0].exp()),
        StepRule::Autostep(_) => ("step size", |kept| kept[0]),
        _ => return Ok(None),
    };
    let memory = file.numbers("memory")?;
    let width = memory.len() / weights.len().max(1);
    if width == 0 {
        return Ok(None);
    }
    let kept = memory.chunks_exact(width).zip(weights).filter(|(_, weight)| **weight != 0.0);
    let rates = kept.map(|(kept, _)| f64::from(rate(kept))).filter(|rate| rate.is_finite());
    Ok(Some((what, rates.collect())))
}

/// Forty bars of the same width.
fn histogram(numbers: &[f64]) -> Histogram {
    let low = numbers.iter().copied().fold(f64::INFINITY, f64::min);
    let high = numbers.iter().copied().fold(f64::NEG_INFINITY, f64::max);
    if numbers.is_empty() {
        return Histogram { edges: vec![0.0, 1.0], counts: vec![0] };
    }
    let width = ((high - low) / BARS as f64).max(f64::MIN_POSITIVE);
    let mut counts = vec![0; BARS];
    for number in numbers {
        counts[(((number - low) / width) as usize).min(BARS - 1)] += 1;
    }
    let edges = (0..=BARS).map(|i| low + width * i as f64).collect();
    Histogram { edges, counts }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn every_number_is_counted_once() {
        let bars = histogram(&[0.0, 0.5, 1.0, 1.0]);
        assert_eq!((bars.edges.len(), bars.counts.len()), (BARS + 1, BARS));
        assert_eq!(bars.counts.iter().sum::<u64>(), 4);
        assert_eq!((bars.counts[0], bars.counts[BARS - 1]), (1, 2));
        assert_eq!(histogram(&[3.0, 3.0]).counts.iter().sum::<u64>(), 2);
        assert_eq!(histogram(&[]).counts, [0]);
    }
}
