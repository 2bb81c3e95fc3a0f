//! The page of Ludens, and the server behind it.
//!
//! A [`Server`] answers on one port of this machine: the page at `/`, and a small API below `/api`
//! that `/api/openapi.json` describes. Positions come with every request, so that nothing is lost
//! when a tab, a connection or the server goes away; see `docs/web.md`.

mod agent_cache;
mod agents;
mod app_state;
mod connections;
mod contests;
mod event_stream;
#[cfg(fuzzing)]
pub mod fuzzing;
mod games;
mod guard;
mod input;
mod job_queue;
mod limits;
mod monitor;
mod openapi;
mod page;
mod play;
mod position;
mod problem;
mod reading;
mod review;
mod route_table;
mod routes;
mod runs;
mod runs_root;
mod server;
mod settings;
mod study;
mod trainings;
mod tuples;

pub use monitor::{MonitoredTraining, TrainingMonitor};
pub use server::{Server, Settings};

#[cfg(test)]
mod tests;
