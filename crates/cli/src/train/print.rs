//! The output before, during and after training.

use crate::console::Console;
use crate::failure::Failure;
use crate::words;
use ludens_lab::{Metrics, Run, Summary, differences, find_preset};
use ludens_learn::Config;
use ludens_registry::open_game;
use std::io::Write;

/// Tells what is going to be done, how much memory and how much time it takes.
pub(super) fn begin(run: &mut Run, threads: usize, out: &mut Console) -> Result<(), Failure> {
    let plan = run.plan().clone();
    let preset = plan.preset.as_deref().and_then(|name| find_preset(plan.game_name(), name).ok());
    let title = plan.preset.as_ref().map_or(String::new(), |name| format!(", preset {name}"));
    writeln!(out, "{}", out.bold(&format!("{}{title}", plan.config.game)))?;
    if let Some(preset) = preset {
        writeln!(out, "{}", preset.about())?;
    }
    let plain = Config { game: plan.config.game.clone(), ..Config::default() };
    for (key, _, value) in differences(&plain, &plan.config) {
        if let Some(value) = value {
            writeln!(out, "  {key} = {value}")?;
        }
    }
    let size = run.training().size();
    let memory = words::bytes(size.bytes);
    writeln!(out, "weights   {} in {} weight sets, {memory}", size.weights, size.banks)?;
    let evaluations: Vec<String> = plan.evaluations().map(ToString::to_string).collect();
    if !evaluations.is_empty() {
        let named = evaluations.join(", ");
        writeln!(out, "strength  {named} every {} episodes", plan.every)?;
    }
    writeln!(out, "games     {}", plan.config.episodes)?;
    writeln!(out, "seed      {}", plan.seed)?;
    let execution = run.training().plan(threads, plan.shared)?;
    writeln!(out, "plan      {execution}")?;
    writeln!(out, "folder    {}", run.folder().path.display())?;
    Ok(out.flush()?)
}

/// Tells a line of the learning curve.
pub(super) fn line(line: &Metrics, out: &mut Console) -> Result<(), Failure> {
    let episode = line.episode;
    write!(out, "{episode:>10} episodes")?;
    if let Some(error) = line.error {
        write!(out, "  error {error:.4}  length {:.1}", line.length)?;
    }
    for found in line.evaluations() {
        write!(out, "  {} {:.3}", found.protocol, found.figure)?;
    }
    writeln!(out)?;
    Ok(out.flush()?)
}

/// Prints the results and the next commands.
pub(super) fn end(run: &Run, summary: &Summary, out: &mut Console) -> Result<(), Failure> {
    let folder = run.folder();
    let text = std::fs::read_to_string(folder.summary_text()).unwrap_or_default();
    write!(out, "\n{text}")?;
    let (game, value) = (&run.plan().config.game, folder.value().display().to_string());
    let longer = 2 * run.plan().config.episodes;
    writeln!(out, "\n{}", out.bold("What next:"))?;
    let alone = open_game(game).is_ok_and(|game| game.info().players == 1);
    let meet = if alone { "watch" } else { "play" };
    let against = if alone { "" } else { "--against " };
    writeln!(out, "  ludens {meet} {game} {against}greedy:{value}")?;
    writeln!(out, "  ludens inspect {value}")?;
    writeln!(out, "  ludens eval {value}")?;
    if let (Some((_, best)), Some(last), Some(_)) =
        (&summary.best, &summary.last, &summary.best_file)
        && best.figure > last.figure
    {
        let best = folder.best().display().to_string();
        writeln!(out, "  ludens play {game} --against greedy:{best}")?;
    }
    writeln!(out, "  ludens train --resume {} --episodes {longer}", folder.path.display())?;
    Ok(())
}

/// Prints how to resume a stopped run.
pub(super) fn stopped(run: &Run, episode: u64) -> Failure {
    let what = format!("Stopped after {episode} games; everything is saved.");
    Failure::interrupted(what).with_hint(how_to_resume(run))
}

/// What is told after a Ctrl-C in the middle of a long game or measurement.
pub(super) fn cancelled(run: &Run) -> Failure {
    let what = "Stopped in the middle of a game or measurement; the last checkpoint is kept.";
    Failure::interrupted(what).with_hint(how_to_resume(run))
}

fn how_to_resume(run: &Run) -> String {
    format!("`ludens train --resume {}` continues the training", run.folder().path.display())
}
