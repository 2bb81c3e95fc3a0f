//! Reports about one experiment, or about all of them.

use super::{runner, scale_named};
use crate::console::Console;
use crate::failure::Failure;
use crate::text_table::TextTable;
use ludens_experiment::{
    ClaimVerdict, EXPERIMENTS, ExperimentReport, ExperimentRunner, Index, Results, ScaleName,
    SeedStatistics, VariantResults, mean,
};
use std::io::Write;
use std::path::PathBuf;

#[derive(clap::Args)]
pub(super) struct ReportArgs {
    /// The experiment: its name, or a file
    #[arg(value_name = "NAME", required_unless_present = "all", conflicts_with = "all")]
    name: Option<String>,

    /// All experiments that come with Ludens, and a page about them
    #[arg(long)]
    all: bool,

    /// How much was run [default: quick; with --all, the largest that was run]
    #[arg(long, value_name = "SCALE",
          value_parser = clap::builder::PossibleValuesParser::new(["smoke", "quick", "full"]))]
    scale: Option<String>,

    /// Where the runs lie [default: results/NAME-SCALE; with --all, results]
    #[arg(long, value_name = "DIR")]
    out: Option<PathBuf>,

    /// With --all: where the pages go, without the runs; what lies there already is kept
    #[arg(long, value_name = "DIR", default_value = "results/pages", requires = "all")]
    into: PathBuf,

    /// Print the CPU minutes of learning, too, beside the published ones
    #[arg(long, conflicts_with_all = ["all", "json"])]
    minutes: bool,

    /// Print the results as one JSON document
    #[arg(long)]
    json: bool,
}

impl ReportArgs {
    pub(super) fn run(self, out: &mut Console) -> Result<(), Failure> {
        let Some(name) = &self.name else { return self.all(out) };
        let scale = self.scale.as_deref().map_or(ScaleName::Quick, scale_named);
        let usual = |usual: String| PathBuf::from("results").join(usual);
        let chosen = runner(name, scale, |name| self.out.unwrap_or_else(|| usual(name)))?;
        print_report(&chosen, self.json, out)?;
        if self.minutes { print_minutes(&chosen, out) } else { Ok(()) }
    }

    /// Writes the reports of all experiments that have been run, and the page about all.
    fn all(&self, out: &mut Console) -> Result<(), Failure> {
        let results = self.out.clone().unwrap_or_else(|| "results".into());
        for included in EXPERIMENTS {
            for scale in self.scales() {
                let chosen = runner(included.name, scale, |name| results.join(name))?;
                if !chosen.folder.exists() {
                    continue;
                }
                let found = Results::read(&chosen)?;
                if found.runs() > 0 {
                    ExperimentReport::new(&chosen, &found).write(&self.into.join(included.name))?;
                    break;
                }
            }
        }
        let index = match self.into.exists() {
            true => Index::gather(&self.into)?,
            false => Index::default(),
        };
        if index.entries.is_empty() {
            let hint = "ludens experiment run NAME runs one";
            return Err(Failure::failed("no run is finished yet").with_hint(hint));
        }
        let written = index.write(&self.into)?;
        if self.json {
            return out.json(&index.entries);
        }
        let mut table =
            TextTable::new(&["experiment", "scale", ">runs", ">holds", ">fails", ">undecided"]);
        for entry in &index.entries {
            let count = |verdict: ClaimVerdict| entry.count(verdict).to_string();
            let mut row = vec![entry.name.clone(), entry.scale.clone(), entry.runs.to_string()];
            row.extend(ClaimVerdict::ALL.map(count));
            table.row(row);
        }
        table.write(out)?;
        print_pages(&written, out)
    }

    /// The scales to try, the largest first.
    fn scales(&self) -> Vec<ScaleName> {
        match &self.scale {
            Some(name) => vec![scale_named(name)],
            None => ScaleName::ALL.into_iter().rev().collect(),
        }
    }
}

/// Writes the report, and prints the results and its location.
pub(crate) fn print_report(
    runner: &ExperimentRunner,
    json: bool,
    out: &mut Console,
) -> Result<(), Failure> {
    let results = Results::read(runner)?;
    if results.runs() == 0 {
        let hint = format!("{} runs it", runner.command);
        return Err(Failure::failed("no run is finished yet").with_hint(hint));
    }
    let written = ExperimentReport::new(runner, &results).write(&runner.folder.join("report"))?;
    if json {
        return out.json(&results);
    }
    for by in results.by_protocol() {
        if !results.also.is_empty() {
            writeln!(out, "{} ({})", by.protocol, by.measures)?;
        }
        print_results(&by.variants, out)?;
    }
    for finding in &results.findings {
        writeln!(out, "{}: {} ({})", finding.verdict.name(), finding.claim, finding.reason)?;
    }
    for missing in &results.missing {
        writeln!(out, "missing: {missing}")?;
    }
    print_pages(&written, out)
}

fn print_results(variants: &[VariantResults], out: &mut Console) -> Result<(), Failure> {
    let mut table = TextTable::new(&["variant", ">runs", "at the end", "over training"]);
    for of in variants {
        let spread = |spread: Option<SeedStatistics>| spread.map_or("-".into(), |s| s.to_string());
        let runs = of.curves.len().to_string();
        table.row(vec![of.variant.name.clone(), runs, spread(of.end), spread(of.area)]);
    }
    table.write(out)
}

/// Prints the CPU time of learning: minutes in all, and until the lines were crossed, beside the
/// published minutes.
fn print_minutes(runner: &ExperimentRunner, out: &mut Console) -> Result<(), Failure> {
    let results = Results::read(runner)?;
    let pairs = runner.pairs()?;
    let mut table =
        TextTable::new(&["variant", ">CPU minutes", ">to learn", ">published", ">to master"]);
    for of in &results.main.variants {
        let ours = || pairs.iter().filter(|pair| pair.variant == of.variant);
        let summary = |minutes: Vec<Option<f64>>| {
            let known: Vec<f64> = minutes.into_iter().flatten().collect();
            if known.is_empty() { "-".into() } else { format!("{:.1}", mean(&known)) }
        };
        let until = |times: &[Option<u64>]| {
            let at = |(pair, time): (_, &Option<u64>)| runner.minutes(pair, Some((*time)?));
            summary(ours().zip(times).map(at).collect())
        };
        let all = summary(ours().map(|pair| runner.minutes(pair, None)).collect());
        let published = of.variant.published_minutes.map_or("-".into(), |m| m.to_string());
        let name = of.variant.name.clone();
        table.row(vec![name, all, until(&of.learned), published, until(&of.mastered)]);
    }
    table.write(out)
}

fn print_pages(written: &[PathBuf], out: &mut Console) -> Result<(), Failure> {
    for path in written.iter().filter(|path| path.extension().is_some_and(|end| end == "html")) {
        writeln!(out, "report: {}", path.display())?;
    }
    Ok(())
}
