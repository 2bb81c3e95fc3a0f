//! Experiments as files: many runs, honest statistics, generated reports.
//!
//! An [`Experiment`] is the content of a file. A [`Laboratory`] carries it out at one scale in a
//! folder, each run in a run folder of its own.

mod carry_out;
mod claim;
mod definition;
mod laboratory;
mod learning_time;
mod memory;
mod minutes;
mod players;
mod records;
mod report;
mod results;
mod statistics;
mod table;
mod variant;

pub use carry_out::Watcher;
pub use claim::{Claim, Finding, Verdict};
pub use definition::{Experiment, Players, Scale, ScaleName};
pub use laboratory::{Laboratory, Pair, Progress};
pub use learning_time::{Curve, Point, area, asymptote, first_crossing, last_crossing, smoothed};
pub use players::Tried;
pub use records::Records;
pub use report::{Beside, Entry, Index, Report};
pub use results::{Compared, Results, Spread, VariantResults, median_time};
pub use statistics::{
    Comparison, bootstrap, holm, interquartile_mean, mann_whitney, mean, quantile,
};
pub use table::{EXPERIMENTS, Included, Opened, open_experiment};
pub use variant::{Scan, Variant, expand};
