//! Learning curves, with bands over seeds.

use super::read;
use super::view::check_several;
use crate::app_state::AppState;
use crate::problem::Problem;
use crate::routes::ImageReply;
use ludens_core::Rng;
use ludens_experiment::{bootstrap, mean};
use ludens_lab::{EvaluationLine, Metrics, Plan, differences};
use ludens_registry::arena::figure::{ChartLine, LineChart};
use schemars::JsonSchema;
use serde::{Deserialize, Serialize};
use std::collections::BTreeMap;
use std::sync::Arc;

/// Which curves of which runs.
#[derive(Deserialize, JsonSchema)]
#[serde(rename = "OfCurves", deny_unknown_fields)]
pub(crate) struct CurvesQuery {
    run: Vec<String>,
    /// What is drawn upwards.
    y: Option<CurveMeasure>,
    /// The protocol of the figures; by default the one that counts.
    protocol: Option<String>,
}

/// What a learning curve shows.
#[derive(Copy, Clone, Debug, Default, PartialEq, Eq, Serialize, Deserialize, JsonSchema)]
#[serde(rename = "Measure", rename_all = "snake_case")]
pub(crate) enum CurveMeasure {
    /// The last evaluation.
    #[default]
    Figure,
    /// The mean size of errors.
    Error,
    /// Moves per episode.
    Length,
    /// Weights that are no longer as they were.
    Touched,
    /// The learning rate.
    Alpha,
    /// How much is explored.
    Explore,
    /// Episodes per second.
    PerSecond,
}

/// Curves over episodes.
#[derive(Serialize, JsonSchema)]
pub(crate) struct Curves {
    y: CurveMeasure,
    /// What is drawn upwards, in words.
    label: String,
    /// The protocols by which the runs were measured, the ones that count first.
    protocols: Vec<String>,
    /// Runs that differ only in their seed are one group.
    groups: Vec<CurveGroup>,
}

/// Runs that differ only in their seed.
#[derive(Serialize, JsonSchema)]
#[serde(rename = "Group")]
struct CurveGroup {
    name: String,
    runs: Vec<String>,
    points: Vec<BandPoint>,
}

/// The mean of a group after so many episodes.
#[derive(Serialize, JsonSchema)]
#[serde(rename = "Point")]
struct BandPoint {
    episode: u64,
    mean: f64,
    /// The interval over the seeds; of a single run, that of its evaluation.
    low: Option<f64>,
    high: Option<f64>,
    /// How many runs.
    count: usize,
}

/// A number and, if known, where it may lie.
#[derive(Copy, Clone)]
struct CurveValue {
    value: f64,
    ends: Option<(f64, f64)>,
}

/// `GET /api/curves`
pub(crate) fn curves(app: &Arc<AppState>, request: CurvesQuery) -> Result<Curves, Problem> {
    check_several(&request.run)?;
    let (y, protocol) = (request.y.unwrap_or_default(), request.protocol.as_deref());
    let (mut label, mut protocols) = (None, Vec::new());
    let mut groups: Vec<(Plan, CurveGroup, BTreeMap<u64, Vec<CurveValue>>)> = Vec::new();
    for id in request.run {
        let folder = app.folder(&id)?;
        let plan = folder.read_plan()?;
        let metrics = read::metrics(&folder);
        let meant = metrics.iter().find_map(|line| evaluation(line, protocol));
        label = label.or_else(|| meant.map(|found| found.measures.clone()));
        for found in metrics.last().iter().flat_map(|line| line.evaluations()) {
            if !protocols.contains(&found.protocol) {
                protocols.push(found.protocol.clone());
            }
        }
        let speeds = read::times(&folder).into_iter();
        let speeds = speeds.filter_map(|time| Some((time.episode, time.episodes_per_second?)));
        let speeds: BTreeMap<u64, f64> = speeds.collect();
        let at = groups.iter().position(|(other, ..)| other.config == plan.config);
        let at = at.unwrap_or_else(|| {
            let name = name_of(&plan, groups.first().map(|(first, ..)| first));
            groups.push((
                plan,
                CurveGroup { name, runs: Vec::new(), points: Vec::new() },
                BTreeMap::new(),
            ));
            groups.len() - 1
        });
        groups[at].1.runs.push(id);
        for line in &metrics {
            let seen = y.of(line, protocol, &speeds);
            groups[at].2.entry(line.episode).or_default().extend(seen);
        }
    }
    let groups =
        groups.into_iter().map(|(_, group, seen)| CurveGroup { points: points(seen), ..group });
    Ok(Curves { y, label: y.label(label), protocols, groups: groups.collect() })
}

/// The evaluation by this protocol, or the one that counts.
fn evaluation<'a>(line: &'a Metrics, protocol: Option<&str>) -> Option<&'a EvaluationLine> {
    match protocol {
        Some(protocol) => line.evaluations().find(|found| found.protocol == protocol),
        None => line.evaluation.as_ref(),
    }
}

/// The game and preset, and what differs from the first group.
fn name_of(plan: &Plan, first: Option<&Plan>) -> String {
    let preset = plan.preset.as_deref().unwrap_or("own settings");
    let plain = format!("{} {preset}", plan.config.game);
    let Some(first) =
        first.filter(|first| first.preset == plan.preset && first.config.game == plan.config.game)
    else {
        return plain;
    };
    let changed = differences(&first.config, &plan.config).into_iter().take(3);
    let changed = changed.map(|(key, _, now)| format!("{key}={}", now.unwrap_or_default()));
    format!("{plain} {}", changed.collect::<Vec<_>>().join(" "))
}

fn points(seen: BTreeMap<u64, Vec<CurveValue>>) -> Vec<BandPoint> {
    let point = |(episode, seen): (u64, Vec<CurveValue>)| {
        let values: Vec<f64> = seen.iter().map(|seen| seen.value).collect();
        let ends = match seen[..] {
            [] => return None,
            [one] => one.ends,
            _ => {
                let rng = &mut Rng::derived(1, "band", episode);
                let band = bootstrap(&[&values], |strata| mean(&strata[0]), rng);
                Some((band.low, band.high))
            }
        };
        let (low, high) = ends.unzip();
        Some(BandPoint { episode, mean: mean(&values), low, high, count: values.len() })
    };
    seen.into_iter().filter_map(point).collect()
}

impl CurveMeasure {
    fn of(
        self,
        line: &Metrics,
        protocol: Option<&str>,
        speeds: &BTreeMap<u64, f64>,
    ) -> Option<CurveValue> {
        let plain = |value: f64| Some(CurveValue { value, ends: None });
        match self {
            CurveMeasure::Figure => {
                let found = evaluation(line, protocol)?;
                Some(CurveValue { value: found.figure, ends: found.low.zip(found.high) })
            }
            CurveMeasure::Error => plain(line.error?),
            CurveMeasure::Length => plain(line.length).filter(|_| line.episodes > 0),
            CurveMeasure::Touched => plain(line.touched? as f64),
            CurveMeasure::Alpha => plain(line.alpha.into()),
            CurveMeasure::Explore => plain(line.explore.into()),
            CurveMeasure::PerSecond => {
                plain(*speeds.get(&line.episode)?).filter(|_| line.episodes > 0)
            }
        }
    }

    fn label(self, figure: Option<String>) -> String {
        match self {
            CurveMeasure::Figure => figure.unwrap_or_else(|| "not measured".into()),
            CurveMeasure::Error => "mean size of errors".into(),
            CurveMeasure::Length => "moves per episode".into(),
            CurveMeasure::Touched => "weights touched".into(),
            CurveMeasure::Alpha => "learning rate".into(),
            CurveMeasure::Explore => "exploration".into(),
            CurveMeasure::PerSecond => "episodes per second".into(),
        }
    }
}

/// `GET /api/curves.svg`
pub(crate) fn curves_picture(
    app: &Arc<AppState>,
    request: CurvesQuery,
) -> Result<ImageReply, Problem> {
    let Curves { label, groups, .. } = curves(app, request)?;
    let line = |CurveGroup { name, points, .. }: CurveGroup| {
        let intervals: Option<Vec<_>> = points.iter().map(|p| Some((p.low?, p.high?))).collect();
        let points = points.iter().map(|p| (p.episode as f64, p.mean)).collect();
        ChartLine { name, points, intervals: intervals.unwrap_or_default() }
    };
    let lines: Vec<ChartLine> =
        groups.into_iter().map(line).filter(|l| !l.points.is_empty()).collect();
    let means = lines.iter().flat_map(|line| line.points.iter().map(|point| point.1));
    let ends = lines.iter().flat_map(|line| line.intervals.iter().flat_map(|i| [i.0, i.1]));
    let (low, high) = means
        .chain(ends)
        .fold((0.0f64, 0.0f64), |(low, high), number| (low.min(number), high.max(number)));
    let y_range = (low, if high > low { high } else { low + 1.0 });
    let x_label = "episodes".into();
    let (title, y_label) = (String::new(), label);
    let chart = LineChart { title, x_label, y_label, x_log: false, y_range, lines };
    Ok(ImageReply::svg(chart.to_svg()))
}
