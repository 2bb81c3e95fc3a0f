//! The result of a run.

use crate::metrics::{EvaluationLine, Metrics};
use crate::{Plan, draw_curve, game_name};
use ludens_arena::find_protocol;
use serde::Serialize;
use std::fmt::Write;

/// The result of a run. Nothing in it depends on the clock or on the machine.
#[derive(Clone, Debug, PartialEq, Serialize)]
pub struct Summary {
    /// The version of Ludens that wrote it.
    pub ludens: &'static str,
    /// The text that opens the game.
    pub game: String,
    /// The preset that the settings began with.
    pub preset: Option<String>,
    /// The random seed.
    pub seed: u64,
    /// Episodes learned.
    pub episodes: u64,
    /// Moves in all of them.
    pub moves: u64,
    /// Weights.
    pub weights: u64,
    /// The number of weights that changed, if known.
    pub touched: Option<u64>,
    /// The last evaluation.
    pub last: Option<EvaluationLine>,
    /// The highest evaluation, and after how many episodes it was first reached.
    pub best: Option<(u64, EvaluationLine)>,
    /// The file that holds the value of the highest evaluation, if it was kept.
    pub best_file: Option<String>,
    /// The last evaluation by each further protocol.
    #[serde(skip_serializing_if = "Vec::is_empty")]
    pub also: Vec<EvaluationLine>,
}

impl Summary {
    /// The result that a learning curve shows.
    pub(crate) fn new(plan: &Plan, curve: &[Metrics]) -> Summary {
        let last = curve.last();
        let mut best: Option<(u64, EvaluationLine)> = None;
        for (episode, found) in evaluations(curve) {
            if best.as_ref().is_none_or(|(_, best)| found.figure > best.figure) {
                best = Some((episode, found.clone()));
            }
        }
        Summary {
            ludens: env!("CARGO_PKG_VERSION"),
            game: plan.config.game.clone(),
            preset: plan.preset.clone(),
            seed: plan.seed,
            episodes: last.map_or(0, |line| line.episode),
            moves: curve.iter().map(|line| line.moves).sum(),
            weights: last.map_or(0, |line| line.weights),
            touched: last.and_then(|line| line.touched),
            last: evaluations(curve).last().map(|(_, found)| found.clone()),
            best,
            best_file: None,
            also: last.map_or(Vec::new(), |line| line.also.clone()),
        }
    }

    /// The result for people, with the learning curve drawn.
    pub(crate) fn to_text(&self, curve: &[Metrics]) -> String {
        let Summary { game, episodes, moves, seed, weights, .. } = self;
        let preset = self.preset.as_ref().map_or(String::new(), |name| format!(" ({name})"));
        let mut text = format!("{game}{preset}: {episodes} episodes, {moves} moves, seed {seed}\n");
        let touched = self.touched.map(|touched| format!(", {touched} of them touched"));
        let _ = writeln!(text, "{weights} weights{}", touched.unwrap_or_default());
        if let Some(last) = &self.last {
            let _ = writeln!(text, "\n{}", last.text);
            let _ = writeln!(text, "{}: {}", last.protocol, in_words(last));
            text += &self.yardsticks(last, curve);
        }
        if let (Some((episode, best)), Some(last)) = (&self.best, &self.last)
            && best.figure > last.figure
        {
            let file = self.best_file.as_ref().map(|file| format!("; kept in {file}"));
            let file = file.unwrap_or_default();
            let _ = writeln!(text, "highest after {episode} episodes: {}{file}", in_words(best));
        }
        for found in &self.also {
            let _ = writeln!(text, "\n{}", found.text);
            let _ = writeln!(text, "{}: {}", found.protocol, in_words(found));
        }
        text + &drawn(curve)
    }
}

impl Summary {
    /// The figure before training, and the best possible one.
    fn yardsticks(&self, last: &EvaluationLine, curve: &[Metrics]) -> String {
        let mut text = String::new();
        let untrained = curve.first().filter(|line| line.episode == 0);
        if let Some(found) = untrained.and_then(|line| line.evaluation.as_ref()) {
            let _ = writeln!(text, "untrained: {:.3}", found.figure);
        }
        let players = curve.last().map_or(0, |line| line.rewards.len());
        if let Ok(protocol) = find_protocol(&last.protocol, game_name(&self.game), players) {
            let _ = writeln!(text, "best possible: {}", protocol.best);
        }
        text
    }
}

/// A figure with its interval and its meaning.
fn in_words(found: &EvaluationLine) -> String {
    let interval = match (found.low, found.high) {
        (Some(low), Some(high)) => format!(" ({low:.3} to {high:.3})"),
        _ => String::new(),
    };
    format!("{:.3}{interval}, {}", found.figure, found.measures)
}

/// The evaluations as a curve; without any, the mean size of the errors.
fn drawn(curve: &[Metrics]) -> String {
    let found: Vec<_> = evaluations(curve).collect();
    let points: Vec<(f64, f64)> = found.iter().map(|(at, e)| (*at as f64, e.figure)).collect();
    if let [.., (_, last)] = &found[..]
        && points.len() > 1
    {
        let label = format!("{} ({})", last.measures, last.protocol);
        return format!("\n{}", draw_curve(&points, "episodes", &label));
    }
    let error = |line: &Metrics| Some((line.episode as f64, line.error?));
    let points: Vec<(f64, f64)> = curve.iter().filter_map(error).collect();
    if points.len() < 2 {
        return String::new();
    }
    format!("\n{}", draw_curve(&points, "episodes", "mean size of errors"))
}

/// The highest evaluation of a learning curve.
pub(crate) fn best_figure(curve: &[Metrics]) -> Option<f64> {
    evaluations(curve).map(|(_, found)| found.figure).reduce(f64::max)
}

fn evaluations(curve: &[Metrics]) -> impl Iterator<Item = (u64, &EvaluationLine)> {
    curve.iter().filter_map(|line| Some((line.episode, line.evaluation.as_ref()?)))
}
