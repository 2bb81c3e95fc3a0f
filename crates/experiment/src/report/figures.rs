//! The pictures of a report.

use crate::{
    ExperimentRunner, FEWEST_SEEDS, ProtocolResults, Results, VariantResults, mann_whitney,
};
use ludens_arena::figure::{Bar, BarChart, BoxPlot, BoxSample, ChartLine, HeatMap, LineChart};
use ludens_arena::statistics::Interval;

/// A picture.
pub(super) struct Figure {
    /// The name of its files without their ends.
    pub(super) name: String,
    /// The caption.
    pub(super) caption: String,
    /// The picture itself.
    pub(super) svg: String,
    /// The same.
    pub(super) png: Vec<u8>,
}

/// Makes a figure of anything that can be drawn.
macro_rules! figure {
    ($name:expr, $caption:expr, $chart:expr) => {{
        let chart = $chart;
        Figure {
            name: $name.into(),
            caption: $caption.into(),
            svg: chart.to_svg(),
            png: chart.to_png(),
        }
    }};
}

/// Everything that can be shown of the results.
pub(super) fn figures(runner: &ExperimentRunner, results: &Results) -> Vec<Figure> {
    if results.runs() == 0 {
        return Vec::new();
    }
    let mut figures = Vec::new();
    for by in results.by_protocol() {
        let (end, protocol) = (super::file_end(results, by), &by.protocol);
        let caption = format!("Learning curves by {protocol}: means over seeds with 95 % CI.");
        figures.push(figure!(format!("curves{end}"), caption, curves(runner, by)));
        let caption = format!("At the end by {protocol}: means over seeds with 95 % CI.");
        figures.push(figure!(format!("end{end}"), caption, ends(runner, by)));
    }
    let results = &results.main;
    let experiment = &runner.experiment;
    let learned = experiment.learned.map(|line| {
        let caption =
            format!("Episodes until the smoothed curve crosses {line} for the last time.");
        let times = |of: &VariantResults| (of.learned.clone(), of.variant.published_time);
        figure!("learned", caption, times_plot(results, format!("Episodes to {line}"), &times))
    });
    let mastered = experiment.mastered.map(|line| {
        let caption =
            format!("Episodes until the smoothed curve crosses {line} for the first time.");
        let times = |of: &VariantResults| (of.mastered.clone(), None);
        let title = format!("Episodes to {line}, first crossing");
        figure!("mastered", caption, times_plot(results, title, &times))
    });
    let scan = scan_line(runner, results)
        .map(|chart| figure!("scan", "At the end, over the setting that was varied.", chart));
    let grid = grid(runner, results)
        .map(|map| figure!("grid", "At the end, over the two settings that were varied.", map));
    let players = players(runner, results)
        .map(|chart| figure!("players", "What other players make of what was learned.", chart));
    let weights = weights(runner, results)
        .map(|chart| figure!("weights", "What the weights have become, with 95 % CI.", chart));
    let compared = compared(results).map(|map| {
        let caption = "P(A > B): how often a run of the row ends higher than a run of the column.";
        figure!("compared", caption, map)
    });
    let more = [learned, mastered, scan, grid, players, weights, compared];
    figures.extend(more.into_iter().flatten());
    figures
}

fn curves(runner: &ExperimentRunner, results: &ProtocolResults) -> LineChart {
    let line = |of: &VariantResults| {
        let curve = of.mean_curve();
        ChartLine {
            name: of.variant.name.clone(),
            points: curve.iter().map(|&(at, mean, _)| (at as f64, mean)).collect(),
            intervals: curve.iter().filter_map(|(_, _, ends)| both_ends(*ends)).collect(),
        }
    };
    line_chart(
        runner.experiment.title.clone(),
        ["episodes", &results.measures],
        runner.experiment.log,
        results.variants.iter().map(line).collect(),
    )
}

fn both_ends(interval: Option<Interval>) -> Option<(f64, f64)> {
    interval.map(|interval| (interval.low, interval.high))
}

/// Lines over an axis that holds all of them, and zero.
fn line_chart(title: String, [x, y]: [&str; 2], x_log: bool, lines: Vec<ChartLine>) -> LineChart {
    let points = || lines.iter().flat_map(|line| line.points.iter().map(|point| point.1));
    let ends = || lines.iter().flat_map(|line| line.intervals.iter().flat_map(|i| [i.0, i.1]));
    let all = || points().chain(ends());
    let (low, high) = (all().fold(0.0, f64::min), all().fold(0.0, f64::max));
    let y_range = (low, if high > low { high } else { low + 1.0 });
    LineChart { title, x_label: x.into(), y_label: y.into(), x_log, y_range, lines }
}

fn ends(runner: &ExperimentRunner, results: &ProtocolResults) -> BarChart {
    let bar = |(index, of): (usize, &VariantResults)| {
        let (mean, interval) = of.end.map_or((0.0, None), |end| (end.mean, end.interval));
        Bar {
            name: of.variant.name.clone(),
            index,
            number: mean,
            interval: both_ends(interval),
            published: of.variant.published,
        }
    };
    BarChart {
        title: format!("{}: at the end", runner.experiment.title),
        label: results.measures.clone(),
        bars: results.variants.iter().enumerate().map(bar).collect(),
    }
}

type Times<'a> = &'a dyn Fn(&VariantResults) -> (Vec<Option<u64>>, Option<f64>);

/// The learning times of the variants, on a logarithmic axis if they differ widely.
fn times_plot(results: &ProtocolResults, title: String, times: Times<'_>) -> BoxPlot {
    let sample = |of: &VariantResults| {
        let (times, published) = times(of);
        let numbers: Vec<f64> = times.iter().flatten().map(|&time| time as f64).collect();
        let never = times.len() - numbers.len();
        let note = match never {
            0 => String::new(),
            _ => format!("{never} of {} not yet", times.len()),
        };
        BoxSample { name: of.variant.name.clone(), numbers, note, published }
    };
    let samples: Vec<BoxSample> = results.variants.iter().map(sample).collect();
    let all = || samples.iter().flat_map(|sample| sample.numbers.iter().copied());
    let (low, high) = (all().fold(f64::INFINITY, f64::min), all().fold(0.0, f64::max));
    BoxPlot { title, label: "episodes".into(), log: high > 20.0 * low, samples }
}

/// The figure at the end over the one setting that takes several numbers.
fn scan_line(runner: &ExperimentRunner, results: &ProtocolResults) -> Option<LineChart> {
    let experiment = &runner.experiment;
    let [scan] = &experiment.scan[..] else { return None };
    let numbers: Vec<f64> =
        scan.values.iter().map(|value| value.parse().ok()).collect::<Option<_>>()?;
    let names: Vec<&str> = match &experiment.variants[..] {
        [] => vec![""],
        variants => variants.iter().map(|variant| &variant.name[..]).collect(),
    };
    let lines = names.iter().zip(results.variants.chunks(numbers.len())).map(|(name, of)| {
        let found = numbers.iter().zip(of).filter_map(|(&number, of)| Some((number, of.end?)));
        let found: Vec<_> = found.collect();
        ChartLine {
            name: if name.is_empty() { scan.key.clone() } else { (*name).to_owned() },
            points: found.iter().map(|(number, end)| (*number, end.mean)).collect(),
            intervals: found.iter().filter_map(|(_, end)| both_ends(end.interval)).collect(),
        }
    });
    let title = format!("{}: at the end", experiment.title);
    Some(line_chart(title, [&scan.key, &results.measures], false, lines.collect()))
}

/// The figure at the end over the two settings that take several values.
fn grid(runner: &ExperimentRunner, results: &ProtocolResults) -> Option<HeatMap> {
    let experiment = &runner.experiment;
    let [down, across] = &experiment.scan[..] else { return None };
    if !experiment.variants.is_empty() {
        return None;
    }
    let word = |key: &str| key.rsplit('.').next().unwrap_or(key).to_owned();
    let names = |scan: &crate::Scan| -> Vec<String> {
        scan.values.iter().map(|value| format!("{} {value}", word(&scan.key))).collect()
    };
    let ends = results.variants.iter().map(|of| of.end.map(|end| end.mean));
    let ends: Vec<Option<f64>> = ends.collect();
    Some(HeatMap {
        title: format!("{}: {} at the end", experiment.title, results.measures),
        rows: names(down),
        columns: names(across),
        values: ends.chunks(across.values.len()).map(<[_]>::to_vec).collect(),
        shares: false,
    })
}

/// The scores of other players, compared with the value alone.
fn players(runner: &ExperimentRunner, results: &ProtocolResults) -> Option<LineChart> {
    let players = runner.experiment.players.as_ref()?;
    let mut lines = Vec::new();
    for of in &results.variants {
        let curve = of.players_curve();
        let line =
            |name: String, at: &dyn Fn(&(u64, crate::SeedStatistics)) -> crate::SeedStatistics| {
                ChartLine {
                    name,
                    points: curve.iter().map(|point| (point.0 as f64, at(point).mean)).collect(),
                    intervals: curve
                        .iter()
                        .filter_map(|point| both_ends(at(point).interval))
                        .collect(),
                }
            };
        lines.push(line(of.variant.name.clone(), &|point| point.1));
        let alone = of.end?;
        lines.push(line(format!("{}, value alone", of.variant.name), &|_| alone));
    }
    let title = format!("{}: players", runner.experiment.title);
    Some(line_chart(title, [&players.over, &results.measures], true, lines))
}

/// The weights that have names, as means over the seeds.
fn weights(runner: &ExperimentRunner, results: &ProtocolResults) -> Option<BarChart> {
    let several = results.variants.iter().filter(|of| !of.variant.weights.is_empty()).count() > 1;
    let mut bars = Vec::new();
    for (index, of) in results.variants.iter().enumerate() {
        for (i, name) in of.variant.weights.iter().enumerate() {
            let weights: Vec<f64> = of.weights.iter().map(|weights| weights[i]).collect();
            let spread = crate::SeedStatistics::of(&weights)?;
            bars.push(Bar {
                name: if several { format!("{}: {name}", of.variant.name) } else { name.clone() },
                index,
                number: spread.mean,
                interval: both_ends(spread.interval),
                published: None,
            });
        }
    }
    let title = format!("{}: weights", runner.experiment.title);
    (!bars.is_empty()).then(|| BarChart { title, label: "weight".into(), bars })
}

/// The probability that a run of the row ends higher than a run of the column, if there is much to
/// compare.
fn compared(results: &ProtocolResults) -> Option<HeatMap> {
    let of: Vec<&VariantResults> =
        results.variants.iter().filter(|of| !of.curves.is_empty()).collect();
    if of.len() < 3 || of.iter().any(|of| of.curves.len() < FEWEST_SEEDS) {
        return None;
    }
    let names: Vec<String> = of.iter().map(|of| of.variant.name.clone()).collect();
    let share =
        |i: usize, j: usize| (i != j).then(|| mann_whitney(&of[i].ends(), &of[j].ends()).effect);
    let row = |i: usize| (0..of.len()).map(|j| share(i, j)).collect();
    Some(HeatMap {
        title: "How often the row ends higher than the column".into(),
        rows: names.clone(),
        columns: names,
        values: (0..of.len()).map(row).collect(),
        shares: true,
    })
}
