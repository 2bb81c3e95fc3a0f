//! `ludens sweep`: a grid of settings from the command line.

use crate::arena_args::cores;
use crate::console::Console;
use crate::experiment::{carry_out, print_report};
use crate::failure::Failure;
use crate::file;
use crate::game_arg;
use crate::usage::whole;
use ludens_experiment::{Experiment, ExperimentRunner, Scale, ScaleName, Scan};
use ludens_lab::{EvaluationPlan, default_evaluations, folder_name};
use ludens_registry::AnyGame;
use std::collections::BTreeMap;
use std::path::{Path, PathBuf};

/// Trains with every combination of some settings, each with several seeds.
#[derive(clap::Args)]
#[command(after_help = "Examples:
  ludens sweep tictactoe --scan trace.lambda 0,0.2,0.4,0.6,0.8 --episodes 5000
  ludens sweep nim --scan learner.alpha 0.1,1 --scan learner.gamma 0.9,1 --seeds 10
  ludens sweep connect4 --preset thill-tcl-et --scan trace.lambda 0.4,0.6 --seeds 2 --jobs 2

Type the same command again to continue a sweep that was stopped. The folder holds a run folder for
each combination and seed, the report, and sweep.toml: the sweep as a file for `ludens experiment`.")]
pub(crate) struct SweepArgs {
    /// The game: name or name:key=value,...
    #[arg(value_name = "GAME")]
    game: String,

    /// Begin with the settings of this preset [default: default]
    #[arg(long, value_name = "NAME")]
    preset: Option<String>,

    /// Then those of this file
    #[arg(long, value_name = "FILE")]
    config: Option<PathBuf>,

    /// Then this one, such as learner.alpha=0.1; may be given several times
    #[arg(long = "set", value_name = "KEY=VALUE", allow_hyphen_values = true)]
    set: Vec<String>,

    /// A setting and its values, such as trace.lambda 0,0.5,1; of several, all combinations
    #[arg(long, value_names = ["KEY", "VALUES"], num_args = 2, required = true,
          allow_hyphen_values = true, action = clap::ArgAction::Append)]
    scan: Vec<String>,

    /// Runs of each combination
    #[arg(long, value_name = "N", default_value_t = 3, value_parser = whole(1..=100_000))]
    seeds: u64,

    /// Training games (episodes), such as 5000 or 100k [default: as in the settings]
    #[arg(long, value_name = "N", value_parser = whole(1..=u64::MAX))]
    episodes: Option<u64>,

    /// How strength is measured: protocol or protocol:games [default: the game's standard protocol]
    #[arg(long, value_name = "PROTOCOL")]
    eval: Option<String>,

    /// Episodes from one measurement to the next [default: a twentieth of all]
    #[arg(long, value_name = "N", value_parser = whole(1..=u64::MAX))]
    every: Option<u64>,

    /// Runs in parallel; fewer if memory is short [default: as many as there are cores]
    #[arg(long, value_name = "N", value_parser = whole(1..=1024))]
    jobs: Option<u64>,

    /// Start even if it needs more memory than there is
    #[arg(long)]
    force: bool,

    /// Where runs and the report go [default: results/sweep-GAME-PRESET-SETTINGS]
    #[arg(long, value_name = "DIR")]
    out: Option<PathBuf>,

    /// Print the results as one JSON document
    #[arg(long)]
    json: bool,
}

impl SweepArgs {
    pub(crate) fn run(self, out: &mut Console) -> Result<(), Failure> {
        let runner = self.runner()?;
        runner.check_plans()?;
        let runs = runner.pairs()?.len();
        let jobs = self.jobs.map_or_else(cores, |jobs| jobs as usize);
        let wrong = |e| Failure::failed(format!("{}: {e}", runner.folder.display()));
        std::fs::create_dir_all(&runner.folder).map_err(wrong)?;
        let text = runner.experiment.to_text();
        file::write(&runner.folder.join("sweep.toml"), &text)?;
        carry_out(&runner, &(0..runs).collect::<Vec<_>>(), jobs, self.force)?;
        print_report(&runner, self.json, out)
    }

    /// The requested protocols, or the game's.
    fn evaluation(&self, game: &dyn AnyGame) -> Result<Vec<String>, Failure> {
        if let Some(text) = &self.eval {
            return Ok(text.split(',').map(|text| text.trim().to_owned()).collect());
        }
        let usual = default_evaluations(game);
        if usual.is_empty() {
            let none = format!("--eval: {} has no standard protocol", self.game);
            return Err(Failure::impossible(none));
        }
        Ok(usual.iter().map(ToString::to_string).collect())
    }

    /// The sweep as an experiment that has a single scale.
    fn runner(&self) -> Result<ExperimentRunner, Failure> {
        let game = game_arg::open(&self.game)?;
        let scan = self.scans()?;
        let evaluation = self.evaluation(&*game)?;
        for text in &evaluation {
            EvaluationPlan::parse(text).map_err(|e| e.about("--eval"))?;
        }
        let preset = Some(self.preset.clone().unwrap_or_else(|| "default".to_owned()));
        let name = self.name(preset.as_deref(), &scan);
        let mut runner = ExperimentRunner {
            folder: self.out.clone().unwrap_or_else(|| Path::new("results").join(&name)),
            name,
            experiment: Experiment {
                title: format!("Sweep of {}", self.game),
                source: "the command line".into(),
                about: format!("Every combination of {}.", listed(&scan)),
                game: self.game.clone(),
                preset,
                config: self.config.clone(),
                evaluation,
                set: self.set.clone(),
                scan,
                ..Experiment::default()
            },
            scale: ScaleName::Quick,
            command: crate::typed().join(" "),
        };
        let scale = Scale { seeds: self.seeds, ..Scale::default() };
        runner.experiment.scales = BTreeMap::from([(ScaleName::Quick, scale)]);
        self.set_length(&mut runner)?;
        runner.experiment.check().map_err(|e| e.about("--scan"))?;
        Ok(runner)
    }

    /// Sets how long the runs are: as typed, or as the settings say.
    fn set_length(&self, runner: &mut ExperimentRunner) -> Result<(), Failure> {
        let hint = "`ludens settings` lists all settings";
        let said = runner.settings(&runner.pairs()?[0]);
        let said = said.map_err(|e| Failure::from(e).with_hint(hint))?.episodes;
        let episodes = self.episodes.unwrap_or(said);
        for scale in runner.experiment.scales.values_mut() {
            scale.episodes = episodes;
            scale.every = self.every.unwrap_or(episodes.div_ceil(20).max(1));
        }
        Ok(())
    }

    fn scans(&self) -> Result<Vec<Scan>, Failure> {
        let scan = |typed: &[String; 2]| {
            let [key, values] = typed;
            let values = split(values);
            if values.iter().any(String::is_empty) {
                let what = format!("--scan {key}: expected values such as 0,0.5,1");
                return Err(Failure::impossible(what));
            }
            Ok(Scan { key: key.clone(), values })
        };
        self.scan.as_chunks().0.iter().map(scan).collect()
    }

    fn name(&self, preset: Option<&str>, scan: &[Scan]) -> String {
        let stem = self.config.as_ref().and_then(|path| path.file_stem());
        let stem = stem.map(|stem| stem.to_string_lossy().into_owned());
        let settings = preset.map(String::from).or(stem).unwrap_or_default();
        let keys: Vec<&str> = scan.iter().map(|scan| &scan.key[..]).collect();
        folder_name(&format!("sweep-{}-{settings}-{}", self.game, keys.join("-")))
    }
}

fn listed(scan: &[Scan]) -> String {
    let described = |scan: &Scan| format!("{} ({})", scan.key, scan.values.join(", "));
    scan.iter().map(described).collect::<Vec<_>>().join(" and ")
}

/// The values between commas; those within brackets do not count.
fn split(text: &str) -> Vec<String> {
    let (mut values, mut depth) = (vec![String::new()], 0);
    for letter in text.chars() {
        match letter {
            '[' | '{' => depth += 1,
            ']' | '}' => depth -= 1,
            ',' if depth == 0 => {
                values.push(String::new());
                continue;
            }
            _ => {}
        }
        values.last_mut().expect("there is always a last one").push(letter);
    }
    values.into_iter().map(|value| value.trim().to_owned()).collect()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn values_are_split_at_commas_outside_of_brackets() {
        assert_eq!(split("0, 0.5,1"), ["0", "0.5", "1"]);
        assert_eq!(split("{ from = 1, to = 0 },2"), ["{ from = 1, to = 0 }", "2"]);
        assert_eq!(split("1,,2"), ["1", "", "2"]);
    }
}
