//! Experiments as files: many runs, honest statistics, generated reports.
//!
//! An [`Experiment`] is the content of a file. An [`ExperimentRunner`] executes it at one scale, with
//! a run folder for each run.

mod carry_out;
mod claim;
mod definition;
mod learning_time;
mod memory;
mod minutes;
mod players;
mod records;
mod report;
mod results;
mod runner;
mod statistics;
mod table;
mod variant;

pub use carry_out::ExperimentObserver;
pub use claim::{Claim, ClaimVerdict, Finding};
pub use definition::{Experiment, Players, Scale, ScaleName};
pub use learning_time::{
    CurvePoint, LearningCurve, area, asymptote, first_crossing, last_crossing, smoothed,
};
pub use players::PlayerScore;
pub use records::Records;
pub use report::{ExperimentReport, Index, IndexEntry, PaperComparison};
pub use results::{
    ProtocolResults, Results, SeedStatistics, VariantComparison, VariantResults, median_time,
};
pub use runner::{ExperimentRunner, RunKey, RunStatus};
pub use statistics::{
    Comparison, FEWEST_SEEDS, bootstrap, holm, interquartile_mean, mann_whitney, mean, quantile,
};
pub use table::{BundledExperiment, EXPERIMENTS, OpenedExperiment, open_experiment};
pub use variant::{Scan, Variant, expand};
