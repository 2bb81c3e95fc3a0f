//! The page of Ludens, and the server behind it.
//!
//! A [`Server`] answers on one port of this machine: the page at `/`, and a small API below `/api`
//! that `/api/openapi.json` describes. Positions come with every request, so that nothing is lost
//! when a tab, a connection or the server goes away; see `docs/web.md`.

mod agents;
mod contests;
mod desk;
mod feed;
mod games;
mod guard;
mod input;
mod lane;
mod limits;
mod openapi;
mod page;
mod play;
mod position;
mod problem;
mod reading;
mod review;
mod routes;
mod runs;
mod server;
mod settings;
mod shared;
mod shelf;
mod study;
mod table;
mod trainings;
mod tuples;

pub use desk::{Desk, Watched};
pub use server::{Server, Settings};

#[cfg(test)]
mod tests;
