//! Runs that can be trusted and resumed.
//!
//! What is chosen comes in [`Layers`]: a [`Preset`], a file, single settings. A [`Run`] learns in a
//! folder of its own, which holds everything needed to repeat it or to go on after a stop; see
//! `docs/runs.md`. Games are seen without their types, as the registry shows them.

mod curve;
mod error;
mod folder;
mod inspect;
mod layers;
mod log;
mod machine;
mod memory;
mod metrics;
mod plan;
mod presets;
mod run;
mod setting_list;
mod summary;

pub use curve::draw_curve;
pub use error::RunError;
pub use folder::{RunFolder, folder_name, interrupted_run, new_folder, new_folder_in};
pub use inspect::{Largest, WeightDistribution, WeightReport, inspect_weights};
pub use layers::{Layers, differences};
pub use ludens_registry::value_path;
pub use machine::Machine;
pub use memory::{check_memory, free_memory};
pub use metrics::{EvaluationLine, Metrics, read_metrics};
pub use plan::{Early, EvaluationPlan, Plan, default_evaluations, game_name, set_game};
pub use presets::{PRESETS, Preset, find_preset, presets_of};
pub use run::{Ended, Observer, PreparedRun, RemoteActors, Run, RunOptions, TrainingProgress};
pub use setting_list::{ConfigSetting, config_settings};
pub use summary::Summary;
