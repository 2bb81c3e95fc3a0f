//! The server as its clients see it, on a port of its own.

mod games;
mod guard;
mod hostile;
mod limits;
mod routes;
mod runs;
mod schema;
mod server;
mod streams;
