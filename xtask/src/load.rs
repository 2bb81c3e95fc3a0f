//! `cargo xtask load`: two hundred games at once against the server, as a page of the docs.

mod client;
mod page;
mod players;

use crate::command::{Program, workspace};
use client::Client;
use players::{LoadResult, SimulatedPlayers};
use std::io::{BufRead, BufReader};
use std::path::{Path, PathBuf};
use std::process::{Child, Command, Stdio};
use std::time::Duration;

pub(crate) const ABOUT: &str = "plays 200 games at once on the server, for docs/performance-web.md";

const BUILD: &str = "cargo build --release --quiet --bin ludens";

/// The games, and the number of training episodes of each.
const GAMES: [(&str, u32); 3] = [("connect4", 3_000), ("othello", 300), ("tictactoe", 3_000)];

/// Games at the same time.
const GAMES_AT_ONCE: usize = 200;

pub(crate) fn run(args: &[String]) -> Result<(), String> {
    let program = match args {
        [] => {
            Program::new(BUILD).run()?;
            workspace().join("target/release/ludens")
        }
        [path] => PathBuf::from(path),
        _ => return Err(format!("expected at most a program, found {}", args.join(" "))),
    };
    let runs = std::env::temp_dir().join(format!("ludens-load-{}", std::process::id()));
    let measured = learn(&program, &runs).and_then(|()| measure(&program, &runs));
    let _ = std::fs::remove_dir_all(&runs);
    page::write(&program, &measured?)
}

/// Learns what the agents of the server play by.
fn learn(program: &Path, runs: &Path) -> Result<(), String> {
    for (game, episodes) in GAMES {
        let out = runs.join(game);
        let line = format!(
            "{} train {game} --episodes {episodes} --eval none --out {} --json",
            program.display(),
            out.display()
        );
        Program::new(&line).output()?;
    }
    Ok(())
}

fn measure(program: &Path, runs: &Path) -> Result<Vec<LoadResult>, String> {
    let server = ServerProcess::start(program, runs)?;
    // Files are read and buffers grow once.
    SimulatedPlayers { games: 20, rounds: 1, pause: Duration::ZERO }.play(&server)?;
    let people =
        SimulatedPlayers { games: GAMES_AT_ONCE, rounds: 1, pause: Duration::from_secs(1) };
    let rush = SimulatedPlayers { games: GAMES_AT_ONCE, rounds: 10, pause: Duration::ZERO };
    [people, rush].iter().map(|crowd| crowd.play(&server)).collect()
}

/// A server in a process of its own.
struct ServerProcess {
    child: Child,
    address: String,
}

impl ServerProcess {
    fn start(program: &Path, runs: &Path) -> Result<ServerProcess, String> {
        let mut command = Command::new(program);
        command.args(["serve", "--port", "0", "--no-open", "--runs"]).arg(runs);
        let mut child = command.stdout(Stdio::piped()).spawn().map_err(|e| e.to_string())?;
        let out = child.stdout.take().ok_or("the server says nothing")?;
        let mut line = String::new();
        BufReader::new(out).read_line(&mut line).map_err(|e| e.to_string())?;
        let address = line.split("http://").nth(1).and_then(|rest| rest.split('/').next());
        let address = address.ok_or_else(|| format!("no address in {line:?}"))?.to_owned();
        Ok(ServerProcess { child, address })
    }

    fn client(&self) -> Result<Client, String> {
        Client::connect(&self.address)
    }

    /// The server's memory in megabytes, if known.
    fn memory(&self) -> Option<f64> {
        let path = format!("/proc/{}/status", self.child.id());
        let status = std::fs::read_to_string(path).ok()?;
        let line = status.lines().find_map(|line| line.strip_prefix("VmRSS:"))?;
        let kilobytes: f64 = line.trim().split(' ').next()?.parse().ok()?;
        Some(kilobytes / 1024.0)
    }
}

impl Drop for ServerProcess {
    fn drop(&mut self) {
        let _ = self.child.kill();
        let _ = self.child.wait();
    }
}
