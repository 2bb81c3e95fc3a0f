//! The runs in the folder: what they learn, how, and how far they are.

mod curves;
mod games;
mod live;
mod read;
mod start;
mod view;
mod weights;

pub(crate) use curves::{curves, curves_picture};
pub(crate) use games::games;
pub(crate) use live::{events, list_events};
pub(crate) use read::run_id;
pub(crate) use start::{presets, resume, schema, start, stop};
pub(crate) use view::{RunSummary, all, list, one, settings, values_of};
pub(crate) use weights::weights;

use schemars::JsonSchema;
use serde::Deserialize;

/// Which run.
#[derive(Deserialize, JsonSchema)]
#[serde(rename = "OfRun", deny_unknown_fields)]
pub(crate) struct RunQuery {
    /// The run: its folder below the folder of all runs.
    id: String,
}
