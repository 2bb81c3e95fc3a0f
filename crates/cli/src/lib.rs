//! The `ludens` command, one file per subcommand.
//!
//! Only the registry and the lab are visible from here: games are opened by name and their types
//! forgotten. Every subcommand is a struct of its arguments with a `run` that writes to an
//! `Console`; what went wrong is a `Failure`, which knows its exit code.

mod agent_arg;
mod agents;
mod analyze;
mod arena_args;
mod bench;
mod champions;
mod check;
mod completions;
mod config_settings;
mod console;
mod contest;
mod decay;
mod doctor;
mod eval;
mod experiment;
mod failure;
mod file;
#[cfg(fuzzing)]
pub mod fuzzing;
mod game_arg;
mod games;
mod gtp;
mod inspect;
mod interrupt;
mod man;
mod measure;
mod perft;
mod play;
mod playouts;
mod position_args;
mod presets;
mod progress;
mod properties;
mod schema;
mod serve;
mod settings;
mod show;
mod solve;
mod status_line;
mod sweep;
mod text_table;
mod tournament;
mod train;
mod usage;
mod value_arg;
mod words;

use clap::{Parser, Subcommand};
use console::Console;
use failure::Failure;
use std::io::Write;
use std::panic;
use std::process::ExitCode;
use std::sync::{Mutex, PoisonError};

#[derive(Parser)]
#[command(
    name = "ludens",
    version,
    about = "Trains strong board-game players by self-play, measures them, and plays them.",
    after_help = "Examples:
  ludens games                         list the games
  ludens play connect4                 play against its champion
  ludens watch 2048                    watch a champion play
  ludens train connect4                train a player
  ludens serve                         do all of this in the browser
  ludens show tictactoe --moves b2     draw a position

A game is written as name or name:key=value,... Exit codes: 0 success, 1 failure, 2 invalid
usage, 70 a bug in Ludens, 130 interrupted. Colours appear on terminals only, and never if NO_COLOR
is set.",
    subcommand_required = true,
    arg_required_else_help = true,
    max_term_width = 100
)]
struct Cli {
    #[command(subcommand)]
    command: Command,
}

#[derive(Subcommand)]
enum Command {
    Games(games::GamesArgs),
    Agents(agents::AgentsArgs),
    Champions(champions::ChampionsArgs),
    Show(show::ShowArgs),
    Play(Box<play::PlayArgs>),
    Watch(Box<play::WatchArgs>),
    Serve(serve::ServeArgs),
    Train(Box<train::TrainArgs>),
    Presets(presets::PresetsArgs),
    Preset(presets::ShowPresetArgs),
    Settings(config_settings::SettingsArgs),
    Schema(schema::SchemaArgs),
    Inspect(inspect::InspectArgs),
    Eval(eval::EvalArgs),
    Experiment(experiment::ExperimentArgs),
    Sweep(Box<sweep::SweepArgs>),
    Gtp(gtp::GtpArgs),
    Analyze(analyze::AnalyzeArgs),
    Solve(Box<solve::SolveArgs>),
    Playouts(playouts::PlayoutsArgs),
    Bench(bench::BenchArgs),
    Match(contest::MatchArgs),
    Tournament(tournament::TournamentArgs),
    Measure(measure::MeasureArgs),
    Decay(decay::DecayArgs),
    Properties(properties::PropertiesArgs),
    Perft(perft::PerftArgs),
    Check(check::CheckArgs),
    Doctor(doctor::DoctorArgs),
    Completions(completions::CompletionsArgs),
    Man(man::ManArgs),
}

impl Command {
    fn run(self, out: &mut Console) -> Result<(), Failure> {
        match self {
            Command::Games(games) => games.run(out),
            Command::Agents(agents) => agents.run(out),
            Command::Champions(champions) => champions.run(out),
            Command::Show(show) => show.run(out),
            Command::Play(play) => play.run(out),
            Command::Watch(watch) => watch.run(out),
            Command::Serve(serve) => serve.run(out),
            Command::Train(train) => train.run(out),
            Command::Presets(presets) => presets.run(out),
            Command::Preset(preset) => preset.run(out),
            Command::Settings(settings) => settings.run(out),
            Command::Schema(schema) => schema.run(out),
            Command::Inspect(inspect) => inspect.run(out),
            Command::Eval(eval) => eval.run(out),
            Command::Experiment(experiment) => experiment.run(out),
            Command::Sweep(sweep) => sweep.run(out),
            Command::Gtp(gtp) => gtp.run(out),
            Command::Analyze(analyze) => analyze.run(out),
            Command::Solve(solve) => solve.run(out),
            Command::Playouts(playouts) => playouts.run(out),
            Command::Bench(bench) => bench.run(out),
            Command::Match(contest) => contest.run(out),
            Command::Tournament(tournament) => tournament.run(out),
            Command::Measure(measure) => measure.run(out),
            Command::Decay(decay) => decay.run(out),
            Command::Properties(properties) => properties.run(out),
            Command::Perft(perft) => perft.run(out),
            Command::Check(check) => check.run(out),
            Command::Doctor(doctor) => doctor.run(out),
            Command::Completions(completions) => completions.run(out),
            Command::Man(man) => man.run(out),
        }
    }
}

/// The command line, if it differs from the arguments of the process.
static TYPED: Mutex<Option<Vec<String>>> = Mutex::new(None);

/// The command line that the caller passed, the name of the program first, if any.
fn given_arguments() -> Option<Vec<String>> {
    TYPED.lock().unwrap_or_else(PoisonError::into_inner).clone()
}

/// The command line, the name of the program first; what is no text, such as in names of files, is
/// replaced.
fn typed() -> Vec<String> {
    let as_text = |word: std::ffi::OsString| word.to_string_lossy().into_owned();
    given_arguments().unwrap_or_else(|| std::env::args_os().map(as_text).collect())
}

/// The same as [`main`] for a process that has other arguments of its own, such as Python's.
pub fn main_with(arguments: Vec<String>) -> ExitCode {
    *TYPED.lock().unwrap_or_else(PoisonError::into_inner) = Some(arguments);
    main()
}

/// Runs the command line.
pub fn main() -> ExitCode {
    panic::set_hook(Box::new(failure::report_bug));
    interrupt::survive_file_size_limit();
    ludens_registry::set_note_listener(|note| eprintln!("note: {note}"));
    // A panic unwinds, so that no engine is left running.
    panic::catch_unwind(run).unwrap_or(ExitCode::from(failure::BUG))
}

fn parsed() -> Result<Cli, clap::Error> {
    // Names of files need not be text where the system hands them over.
    given_arguments().map_or_else(Cli::try_parse, Cli::try_parse_from)
}

fn run() -> ExitCode {
    let cli = match parsed() {
        Ok(cli) => cli,
        Err(answer) => return usage::answer(&answer),
    };
    let mut out = Console::stdout();
    match cli.command.run(&mut out).and_then(|()| Ok(out.flush()?)) {
        Ok(()) => ExitCode::SUCCESS,
        Err(failure) => {
            let _ = out.flush();
            failure.report()
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use clap::CommandFactory;

    #[test]
    fn the_arguments_are_well_formed() {
        Cli::command().debug_assert();
    }

    #[test]
    fn every_subcommand_shows_examples() {
        for command in Cli::command().get_subcommands() {
            let help = command.get_after_help().map(ToString::to_string).unwrap_or_default();
            assert!(help.starts_with("Examples:\n  ludens "), "{}", command.get_name());
        }
    }
}
