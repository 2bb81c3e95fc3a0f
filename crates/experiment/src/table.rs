//! The experiments that come with Ludens.

use crate::Experiment;
use crate::runner::LONGEST_FILE;
use ludens_core::Invalid;
use ludens_files::read_text;
use std::path::Path;

/// An experiment that comes with Ludens: its name and its file.
#[derive(Copy, Clone, Debug, PartialEq, Eq)]
pub struct BundledExperiment {
    /// The name of the experiment.
    pub name: &'static str,
    /// Its file.
    pub text: &'static str,
}

macro_rules! included {
    ($name:literal) => {
        BundledExperiment {
            name: $name,
            text: include_str!(concat!(env!("EXPERIMENTS"), "/", $name, ".toml")),
        }
    };
}

/// Every experiment that comes with Ludens. A new one adds its line here, in alphabetical order.
pub static EXPERIMENTS: &[BundledExperiment] = &[
    included!("delayed-td-2048"),
    included!("delayed-td-connect4"),
    included!("delayed-td-othello"),
    included!("farl-2048"),
    included!("farl-connect4"),
    included!("farl-hex"),
    included!("farl-nim"),
    included!("farl-nim3p"),
    included!("farl-othello"),
    included!("farl-tictactoe"),
    included!("ghory-batch-tictactoe"),
    included!("ghory-ends-tictactoe"),
    included!("ghory-gamma-connect4"),
    included!("ghory-gamma-tictactoe"),
    included!("ghory-init-tictactoe"),
    included!("ghory-inverted-tictactoe"),
    included!("ghory-methods-tictactoe"),
    included!("ghory-output-tictactoe"),
    included!("ghory-random-tictactoe"),
    included!("ghory-repeat-connect4"),
    included!("ghory-reversed-tictactoe"),
    included!("ghory-sources-tictactoe"),
    included!("lambda-tictactoe"),
    included!("mcts-wrapper-connect4"),
    included!("networks-hex"),
    included!("nimm3-features"),
    included!("openings-nim3p"),
    included!("step-sizes-connect4"),
    included!("step-sizes-tictactoe"),
    included!("td-and-q-tictactoe"),
    included!("thill-connect4"),
    included!("thill-lambda-connect4"),
    included!("tuples-connect4"),
    included!("tuples-othello"),
    included!("values-tictactoe"),
];

impl BundledExperiment {
    /// The experiment.
    pub fn experiment(&self) -> Experiment {
        let read = Experiment::parse(self.name, self.text);
        read.expect("the tests read every experiment that comes with Ludens")
    }
}

/// An experiment that was opened by name or path.
#[derive(Clone, Debug)]
pub struct OpenedExperiment {
    /// The name of the experiment.
    pub name: String,
    /// Its file.
    pub text: String,
    /// The experiment.
    pub experiment: Experiment,
}

/// Opens an experiment: a file if the text ends with `.toml`, else one that comes with Ludens.
///
/// # Errors
///
/// If there is none, or the file is not as expected.
pub fn open_experiment(named: &str) -> Result<OpenedExperiment, Invalid> {
    let (name, text) = if named.ends_with(".toml") {
        let unread = |e| Invalid(format!("{named} cannot be read: {e}"));
        let text = read_text(Path::new(named), LONGEST_FILE).map_err(unread)?;
        let stem = Path::new(named).file_stem().unwrap_or_default();
        (stem.to_string_lossy().into_owned(), text)
    } else {
        let known = EXPERIMENTS.iter().map(|included| included.name);
        let found = EXPERIMENTS.iter().find(|included| included.name == named);
        let found = found.ok_or_else(|| Invalid::unknown("experiment", named, known))?;
        (found.name.into(), found.text.into())
    };
    let experiment = Experiment::parse(named, &text)?;
    Ok(OpenedExperiment { name, text, experiment })
}
