//! How fast Ludens learns.
//!
//! [`SETTINGS`] are those of published systems, so that speeds can be compared with theirs. A
//! [`SpeedRun`] learns one of them, and [`measure`] tells how fast. [`PLAYS`] are games played
//! without learning, and steps of networks.

mod clock;
mod measure;
mod network;
mod play;
mod run;
mod settings;

pub use clock::Clock;
pub use measure::{Effort, Speed, measure, measure_all};
pub use play::{PLAYS, Pace, Play, measure_play};
pub use run::{GamesPlayed, SpeedRun};
pub use settings::{SETTINGS, SpeedSetting};
