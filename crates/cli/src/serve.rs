//! `ludens serve`: the page.

use crate::console::Console;
use crate::failure::Failure;
use crate::interrupt::stop_on_interrupt;
use ludens_web::{Server, Settings};
use std::io::Write;
use std::net::{IpAddr, Ipv4Addr};
use std::path::PathBuf;
use std::process::{Command, Stdio};
use std::sync::atomic::Ordering;

/// Opens the page in the browser: play, analyse, train, compare, read.
#[derive(clap::Args)]
#[command(after_help = "Examples:
  ludens serve
  ludens serve --port 8080 --runs experiments/runs --no-open
  ludens serve --listen 0.0.0.0

Only this machine can reach the page, unless --listen says otherwise; then a token is needed, which
is printed once as part of the address. Ctrl-C ends it; runs begun from the page are saved.")]
pub(crate) struct ServeArgs {
    #[command(flatten)]
    place: ListenArgs,

    /// The folder that holds the runs
    #[arg(long, value_name = "DIR", default_value = "runs")]
    runs: PathBuf,
}

/// Where the page is, and whether it is opened.
#[derive(Clone, clap::Args)]
pub(crate) struct ListenArgs {
    /// The port of the page; 0 takes any that is free
    #[arg(long, value_name = "N", default_value_t = 7200)]
    port: u16,

    /// The address to listen on; others than 127.0.0.1 ask for a token
    #[arg(long, value_name = "ADDR", default_value_t = IpAddr::V4(Ipv4Addr::LOCALHOST))]
    listen: IpAddr,

    /// Do not open a browser
    #[arg(long)]
    no_open: bool,
}

impl ServeArgs {
    pub(crate) fn run(self, out: &mut Console) -> Result<(), Failure> {
        serve(&self.place, self.runs, "", out)
    }
}

/// Shows the page at `route` until Ctrl-C.
pub(crate) fn serve(
    place: &ListenArgs,
    runs: PathBuf,
    route: &str,
    out: &mut Console,
) -> Result<(), Failure> {
    let server = place.bind(runs)?;
    let stop = stop_on_interrupt();
    place.announce(&server, route, out)?;
    server.run(&|| stop.load(Ordering::Relaxed)).map_err(Failure::failed)
}

impl ListenArgs {
    /// Takes the port.
    pub(crate) fn bind(&self, runs: PathBuf) -> Result<Server, Failure> {
        let ListenArgs { port, listen, .. } = *self;
        Server::bind(&Settings { listen, port, runs }).map_err(|e| {
            let what = format!("port {port} of {listen} cannot be used: {e}");
            Failure::failed(what).with_hint("--port 0 takes any port that is free")
        })
    }

    /// Says where the page is, and opens it.
    pub(crate) fn announce(
        &self,
        server: &Server,
        route: &str,
        out: &mut Console,
    ) -> Result<(), Failure> {
        let url = server.url() + route;
        writeln!(out, "The page is at {}", out.bold(&url))?;
        writeln!(out, "{}", out.dim("Ctrl-C ends it."))?;
        out.flush()?;
        if !self.no_open {
            open(&url);
        }
        Ok(())
    }
}

/// Opens an address in the browser that people usually use; without one the address is enough.
fn open(url: &str) {
    let program = match std::env::consts::OS {
        "macos" => "open",
        "windows" => "explorer",
        _ => "xdg-open",
    };
    let mut command = Command::new(program);
    command.arg(url).stdin(Stdio::null()).stdout(Stdio::null()).stderr(Stdio::null());
    let _ = command.spawn();
}
