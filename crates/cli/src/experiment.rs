//! `ludens experiment`: many runs compared, and reports about them.

mod carry_out;
mod display;
mod report;
mod sbatch;

pub(crate) use carry_out::carry_out;
pub(crate) use report::print_report;

use crate::arena_args::cores;
use crate::console::Console;
use crate::failure::Failure;
use crate::text_table::TextTable;
use crate::usage::whole;
use ludens_experiment::{
    BundledExperiment, EXPERIMENTS, ExperimentRunner, OpenedExperiment, RunKey, RunStatus,
    ScaleName, open_experiment,
};
use serde::Serialize;
use std::io::Write;
use std::path::{Path, PathBuf};

/// Compares settings over many runs, and writes reports about them.
#[derive(clap::Args)]
#[command(after_help = "Examples:
  ludens experiment list
  ludens experiment run farl-tictactoe --scale smoke
  ludens experiment status farl-tictactoe --scale smoke
  ludens experiment report farl-tictactoe --scale smoke
  ludens experiment report --all --into pages")]
pub(crate) struct ExperimentArgs {
    #[command(subcommand)]
    what: ExperimentAction,
}

#[derive(clap::Subcommand)]
enum ExperimentAction {
    /// Lists the experiments that come with Ludens
    List {
        /// Print one JSON document
        #[arg(long)]
        json: bool,
    },
    /// Prints an experiment as a file
    Show {
        /// The experiment: its name, or a file
        #[arg(value_name = "NAME")]
        name: String,
    },
    /// Runs what is not finished, and writes the report
    Run(RunArgs),
    /// Tells how far the runs have come
    Status {
        #[command(flatten)]
        chosen: ExperimentSelection,

        /// Print one JSON document
        #[arg(long)]
        json: bool,
    },
    /// Writes the report about what is finished
    Report(report::ReportArgs),
    /// Writes a script that spreads the runs over a Slurm cluster
    Sbatch {
        #[command(flatten)]
        chosen: ExperimentSelection,
    },
}

/// Which experiment, how much of it, and where.
#[derive(clap::Args)]
struct ExperimentSelection {
    /// The experiment: its name, or a file
    #[arg(value_name = "NAME")]
    name: String,

    /// How much is run
    #[arg(long, value_name = "SCALE", default_value = "quick",
          value_parser = clap::builder::PossibleValuesParser::new(["smoke", "quick", "full"]))]
    scale: String,

    /// Where runs and reports go [default: results/NAME-SCALE]
    #[arg(long, value_name = "DIR")]
    out: Option<PathBuf>,
}

#[derive(clap::Args)]
struct RunArgs {
    #[command(flatten)]
    chosen: ExperimentSelection,

    /// Runs in parallel; fewer if memory is short [default: as many as there are cores]
    #[arg(long, value_name = "N", value_parser = whole(1..=1024))]
    jobs: Option<u64>,

    /// Start even if it needs more memory than there is
    #[arg(long)]
    force: bool,

    /// Only the run with this number, counted from 0, without a report
    #[arg(long, value_name = "K", value_parser = whole(0..=u64::MAX))]
    index: Option<u64>,
}

#[derive(Serialize)]
struct ExperimentDescription {
    name: &'static str,
    title: String,
    source: String,
    about: String,
    variants: Vec<String>,
}

impl ExperimentArgs {
    pub(crate) fn run(self, out: &mut Console) -> Result<(), Failure> {
        match self.what {
            ExperimentAction::List { json } => list(json, out),
            ExperimentAction::Show { name } => Ok(out.write_all(open(&name)?.text.as_bytes())?),
            ExperimentAction::Run(args) => run(&args, out),
            ExperimentAction::Status { chosen, json } => status(&chosen.runner()?, json, out),
            ExperimentAction::Report(args) => args.run(out),
            ExperimentAction::Sbatch { chosen } => {
                sbatch::write(&chosen.runner()?, &chosen.name, out)
            }
        }
    }
}

/// Opens an experiment by its name or file.
fn open(name: &str) -> Result<OpenedExperiment, Failure> {
    open_experiment(name).map_err(|e| match Failure::from(e) {
        wrong_file if name.ends_with(".toml") => wrong_file,
        unknown => unknown.with_hint("`ludens experiment list` lists them; a file ends with .toml"),
    })
}

impl ExperimentSelection {
    fn runner(&self) -> Result<ExperimentRunner, Failure> {
        let scale = scale_named(&self.scale);
        let out = self.out.clone();
        runner(&self.name, scale, |usual| out.unwrap_or(Path::new("results").join(usual)))
    }
}

/// The scale of a name that the parser has accepted.
fn scale_named(name: &str) -> ScaleName {
    let scale = ScaleName::ALL.into_iter().find(|scale| scale.name() == name);
    scale.expect("the parser knows the scales")
}

/// An experiment at a scale, in a folder derived from its default name.
fn runner(
    named: &str,
    scale: ScaleName,
    folder: impl FnOnce(String) -> PathBuf,
) -> Result<ExperimentRunner, Failure> {
    let OpenedExperiment { name, experiment, .. } = open(named)?;
    experiment.scale(scale).map_err(|e| e.about(&name))?;
    let folder = folder(format!("{name}-{}", scale.name()));
    let command = format!("ludens experiment run {named} --scale {}", scale.name());
    Ok(ExperimentRunner { name, experiment, scale, folder, command })
}

fn list(json: bool, out: &mut Console) -> Result<(), Failure> {
    if json {
        let describe = |included: &BundledExperiment| {
            let experiment = included.experiment();
            ExperimentDescription {
                name: included.name,
                variants: experiment.all_variants().into_iter().map(|v| v.name).collect(),
                title: experiment.title,
                source: experiment.source,
                about: experiment.about,
            }
        };
        return out.json(&EXPERIMENTS.iter().map(describe).collect::<Vec<_>>());
    }
    let mut table = TextTable::new(&["name", "about", "source"]);
    for included in EXPERIMENTS {
        let experiment = included.experiment();
        table.row(vec![included.name.into(), experiment.title, experiment.source]);
    }
    table.write(out)
}

fn run(args: &RunArgs, out: &mut Console) -> Result<(), Failure> {
    let runner = args.chosen.runner()?;
    let pairs = runner.pairs()?;
    let indices: Vec<usize> = match args.index {
        None => (0..pairs.len()).collect(),
        Some(index) if (index as usize) < pairs.len() => vec![index as usize],
        Some(index) => {
            let last = pairs.len() - 1;
            let what = format!("--index: expected 0 to {last}, found {index}");
            return Err(Failure::impossible(what));
        }
    };
    runner.check_plans()?;
    let jobs = args.jobs.map_or_else(cores, |jobs| jobs as usize);
    carry_out(&runner, &indices, jobs, args.force)?;
    if args.index.is_some() {
        return Ok(());
    }
    print_report(&runner, false, out)
}

#[derive(Serialize)]
struct RunStatusLine {
    index: usize,
    variant: String,
    seed: u64,
    progress: &'static str,
    reason: Option<String>,
    folder: PathBuf,
}

impl RunStatusLine {
    fn new(runner: &ExperimentRunner, index: usize, pair: RunKey) -> RunStatusLine {
        let folder = runner.run_folder(&pair).path;
        let (progress, reason) = match runner.progress(&pair) {
            RunStatus::Waiting => ("waiting", None),
            RunStatus::Begun => ("begun", None),
            RunStatus::Failed(reason) => ("failed", Some(reason)),
            RunStatus::Finished => ("finished", None),
        };
        RunStatusLine {
            index,
            variant: pair.variant.name,
            seed: pair.seed,
            progress,
            reason,
            folder,
        }
    }
}

fn status(runner: &ExperimentRunner, json: bool, out: &mut Console) -> Result<(), Failure> {
    let pairs = runner.pairs()?.into_iter().enumerate();
    let runs: Vec<_> = pairs.map(|(index, pair)| RunStatusLine::new(runner, index, pair)).collect();
    if json {
        return out.json(&runs);
    }
    let mut table = TextTable::new(&[">index", "variant", ">seed", "progress"]);
    for RunStatusLine { index, variant, seed, progress, reason, .. } in runs {
        let progress = match reason {
            Some(reason) => format!("{progress}: {reason}"),
            None => progress.into(),
        };
        table.row(vec![index.to_string(), variant, seed.to_string(), progress]);
    }
    table.write(out)
}
