//! The page, served by a program in Python.

use crate::errors::{Failed, Invalid};
use crate::work::{InterruptCheck, detached, enter};
use ludens_web::{Server, Settings};
use pyo3::prelude::*;
use std::net::IpAddr;
use std::path::PathBuf;
use std::sync::Mutex;
use std::sync::atomic::{AtomicBool, Ordering};

/// The page of Ludens on a port of this machine.
#[pyclass(frozen, name = "Site", module = "ludens._ludens")]
pub(crate) struct PySite {
    server: Mutex<Option<Server>>,
    url: String,
    stop: AtomicBool,
}

#[pymethods]
impl PySite {
    /// Takes the port; with 0, any that is free.
    #[new]
    fn new(listen: &str, port: u16, runs: PathBuf) -> PyResult<PySite> {
        let listen: IpAddr = listen.parse().map_err(|_| {
            Invalid::new_err(format!("listen: expected an address such as 127.0.0.1: {listen:?}"))
        })?;
        let server = Server::bind(&Settings { listen, port, runs }).map_err(|e| {
            let hint = "port=0 takes any port that is free";
            Failed::new_err(format!("port {port} of {listen} cannot be used: {e}; {hint}"))
        })?;
        let url = server.url();
        Ok(PySite { server: Mutex::new(Some(server)), url, stop: AtomicBool::new(false) })
    }

    /// Where the page is, with the token if one is needed.
    #[getter]
    fn url(&self) -> &str {
        &self.url
    }

    /// Answers requests until it is stopped or somebody presses Ctrl-C.
    fn run(&self, py: Python<'_>) -> PyResult<()> {
        let ended = || Invalid::new_err("this page has been served already");
        let server = enter(&self.server, "page")?.take().ok_or_else(ended)?;
        let interrupts = InterruptCheck::new();
        let stop = || self.stop.load(Ordering::Relaxed) || interrupts.is_over();
        let served = detached(py, || server.run(&stop))?;
        interrupts.result()?;
        served.map_err(|e| Failed::new_err(e.to_string()))
    }

    /// Lets `run` come to its end.
    fn stop(&self) {
        self.stop.store(true, Ordering::Relaxed);
    }
}
