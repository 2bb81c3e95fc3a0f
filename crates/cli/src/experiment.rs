//! `ludens experiment`: many runs compared, and reports about them.

mod carry_out;
mod display;
mod report;
mod sbatch;

pub(crate) use carry_out::carry_out;
pub(crate) use report::tell;

use crate::arena_args::cores;
use crate::failure::Failure;
use crate::output::Output;
use crate::table::Table;
use crate::usage::whole;
use ludens_experiment::{
    EXPERIMENTS, Included, Laboratory, Opened, Pair, Progress, ScaleName, open_experiment,
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
pub(crate) struct Experiment {
    #[command(subcommand)]
    what: What,
}

#[derive(clap::Subcommand)]
enum What {
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
        chosen: Chosen,

        /// Print one JSON document
        #[arg(long)]
        json: bool,
    },
    /// Writes the report about what is finished
    Report(report::ReportArgs),
    /// Writes a script that spreads the runs over a Slurm cluster
    Sbatch {
        #[command(flatten)]
        chosen: Chosen,
    },
}

/// Which experiment, how much of it, and where.
#[derive(clap::Args)]
struct Chosen {
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
    chosen: Chosen,

    /// Most runs at a time; fewer if memory is short [default: as many as there are cores]
    #[arg(long, value_name = "N", value_parser = whole(1..=1024))]
    jobs: Option<u64>,

    /// Only the run with this number, counted from 0, without a report
    #[arg(long, value_name = "K", value_parser = whole(0..=u64::MAX))]
    index: Option<u64>,
}

#[derive(Serialize)]
struct Description {
    name: &'static str,
    title: String,
    source: String,
    about: String,
    variants: Vec<String>,
}

impl Experiment {
    pub(crate) fn run(self, out: &mut Output) -> Result<(), Failure> {
        match self.what {
            What::List { json } => list(json, out),
            What::Show { name } => Ok(out.write_all(open(&name)?.text.as_bytes())?),
            What::Run(args) => run(&args, out),
            What::Status { chosen, json } => status(&chosen.laboratory()?, json, out),
            What::Report(args) => args.run(out),
            What::Sbatch { chosen } => sbatch::write(&chosen.laboratory()?, &chosen.name, out),
        }
    }
}

/// Opens an experiment by its name or file.
fn open(name: &str) -> Result<Opened, Failure> {
    open_experiment(name).map_err(|e| match Failure::from(e) {
        wrong_file if name.ends_with(".toml") => wrong_file,
        unknown => unknown.with_hint("`ludens experiment list` lists them; a file ends with .toml"),
    })
}

impl Chosen {
    fn laboratory(&self) -> Result<Laboratory, Failure> {
        let scale = scale_named(&self.scale);
        let out = self.out.clone();
        laboratory(&self.name, scale, |usual| out.unwrap_or(Path::new("results").join(usual)))
    }
}

/// The scale of a name that the parser has let pass.
fn scale_named(name: &str) -> ScaleName {
    let scale = ScaleName::ALL.into_iter().find(|scale| scale.name() == name);
    scale.expect("the parser knows the scales")
}

/// An experiment at a scale, in the folder that is made of its usual name.
fn laboratory(
    named: &str,
    scale: ScaleName,
    folder: impl FnOnce(String) -> PathBuf,
) -> Result<Laboratory, Failure> {
    let Opened { name, experiment, .. } = open(named)?;
    experiment.scale(scale).map_err(|e| e.about(&name))?;
    let folder = folder(format!("{name}-{}", scale.name()));
    let command = format!("ludens experiment run {named} --scale {}", scale.name());
    Ok(Laboratory { name, experiment, scale, folder, command })
}

fn list(json: bool, out: &mut Output) -> Result<(), Failure> {
    if json {
        let describe = |included: &Included| {
            let experiment = included.experiment();
            Description {
                name: included.name,
                variants: experiment.all_variants().into_iter().map(|v| v.name).collect(),
                title: experiment.title,
                source: experiment.source,
                about: experiment.about,
            }
        };
        return out.json(&EXPERIMENTS.iter().map(describe).collect::<Vec<_>>());
    }
    let mut table = Table::new(&["name", "about", "source"]);
    for included in EXPERIMENTS {
        let experiment = included.experiment();
        table.row(vec![included.name.into(), experiment.title, experiment.source]);
    }
    table.write(out)
}

fn run(args: &RunArgs, out: &mut Output) -> Result<(), Failure> {
    let laboratory = args.chosen.laboratory()?;
    let pairs = laboratory.pairs()?;
    let indices: Vec<usize> = match args.index {
        None => (0..pairs.len()).collect(),
        Some(index) if (index as usize) < pairs.len() => vec![index as usize],
        Some(index) => {
            let last = pairs.len() - 1;
            let what = format!("--index: expected 0 to {last}, found {index}");
            return Err(Failure::impossible(what));
        }
    };
    let jobs = args.jobs.map_or_else(cores, |jobs| jobs as usize);
    carry_out(&laboratory, &indices, jobs)?;
    if args.index.is_some() {
        return Ok(());
    }
    tell(&laboratory, false, out)
}

#[derive(Serialize)]
struct RunStatus {
    index: usize,
    variant: String,
    seed: u64,
    progress: &'static str,
    reason: Option<String>,
    folder: PathBuf,
}

impl RunStatus {
    fn new(laboratory: &Laboratory, index: usize, pair: Pair) -> RunStatus {
        let folder = laboratory.run_folder(&pair).path;
        let (progress, reason) = match laboratory.progress(&pair) {
            Progress::Waiting => ("waiting", None),
            Progress::Begun => ("begun", None),
            Progress::Failed(reason) => ("failed", Some(reason)),
            Progress::Finished => ("finished", None),
        };
        RunStatus { index, variant: pair.variant.name, seed: pair.seed, progress, reason, folder }
    }
}

fn status(laboratory: &Laboratory, json: bool, out: &mut Output) -> Result<(), Failure> {
    let pairs = laboratory.pairs()?.into_iter().enumerate();
    let runs: Vec<_> = pairs.map(|(index, pair)| RunStatus::new(laboratory, index, pair)).collect();
    if json {
        return out.json(&runs);
    }
    let mut table = Table::new(&[">index", "variant", ">seed", "progress"]);
    for RunStatus { index, variant, seed, progress, reason, .. } in runs {
        let progress = match reason {
            Some(reason) => format!("{progress}: {reason}"),
            None => progress.into(),
        };
        table.row(vec![index.to_string(), variant, seed.to_string(), progress]);
    }
    table.write(out)
}
