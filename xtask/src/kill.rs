//! `cargo xtask kill`: signals at random moments, after which everything ends with the same bytes.

mod compare;
mod scenario;

use crate::command::{Program, workspace};
use scenario::{SCENARIOS, Scenario};
use std::path::{Path, PathBuf};
use std::process::{Child, Command, Stdio};
use std::time::{Duration, Instant};

pub(crate) const ABOUT: &str = "200 signals at random moments to commands that go on afterwards";

/// Most are the kind that nobody can handle.
const SIGNALS: [&str; 5] = ["KILL", "KILL", "KILL", "TERM", "INT"];

/// The folder that a command writes into, below one of its own.
const RESULTS: &str = "results";

/// Takes the number of signals and the random seed.
pub(crate) fn run(args: &[String]) -> Result<(), String> {
    let number = |i: usize, usual: u64| match args.get(i) {
        None => Ok(usual),
        Some(text) => text.parse().map_err(|_| format!("expected a number, found {text:?}")),
    };
    let (signals, seed) = (number(0, 200)?, number(1, now())?);
    // The binary as the tests have built it.
    Program::new("cargo test --workspace --test limits --no-run").run()?;
    let all = workspace().join("target/kill");
    let _ = std::fs::remove_dir_all(&all);
    println!("seed {seed}");
    let mut rng = Rng(seed | 1);
    let each = signals.div_ceil(SCENARIOS.len() as u64);
    for scenario in SCENARIOS {
        let folder = all.join(scenario.name);
        std::fs::create_dir_all(&folder).map_err(|e| format!("{}: {e}", folder.display()))?;
        let ended = Killer { scenario, folder, rng: &mut rng }.run(each)?;
        println!("{:<12} {each} signals, {ended} runs ended with the same bytes", scenario.name);
    }
    std::fs::remove_dir_all(&all).map_err(|e| e.to_string())
}

fn now() -> u64 {
    let since = std::time::SystemTime::now().duration_since(std::time::UNIX_EPOCH);
    since.map_or(1, |since| since.as_nanos() as u64)
}

/// Marsaglia's xorshift: signals need no better randomness.
struct Rng(u64);

impl Rng {
    fn below(&mut self, end: u64) -> u64 {
        self.0 ^= self.0 << 13;
        self.0 ^= self.0 >> 7;
        self.0 ^= self.0 << 17;
        self.0 % end.max(1)
    }
}

/// One scenario that is run again and again.
struct Killer<'a> {
    scenario: &'static Scenario,
    folder: PathBuf,
    rng: &'a mut Rng,
}

impl Killer<'_> {
    /// Sends so many signals. Returns how many runs were ended after some.
    fn run(&mut self, signals: u64) -> Result<u64, String> {
        let whole = self.folder.join("whole").join(RESULTS);
        let begun = Instant::now();
        self.finish(&whole)?;
        let longest = begun.elapsed();
        let (mut left, mut ended) = (signals, 0);
        while left > 0 {
            let alone = self.folder.join(format!("killed-{ended}"));
            let killed = alone.join(RESULTS);
            while left > 0 && self.disturb(&killed, longest)? {
                left -= 1;
            }
            self.finish(&killed)?;
            (self.scenario.compare)(&whole, &killed)
                .map_err(|e| format!("{} in {}: {e}", self.scenario.name, killed.display()))?;
            let _ = std::fs::remove_dir_all(&alone);
            ended += 1;
        }
        Ok(ended)
    }

    /// Sends a signal at a random moment; false if the command ended before.
    fn disturb(&mut self, folder: &Path, longest: Duration) -> Result<bool, String> {
        let mut child = self.start(folder)?;
        // The first moments of a process are tried as often as all others.
        let most = if self.rng.below(2) == 0 { 60 } else { longest.as_millis() as u64 * 6 / 10 };
        let until = Instant::now() + Duration::from_millis(self.rng.below(most));
        while Instant::now() < until {
            if child.try_wait().map_err(|e| e.to_string())?.is_some() {
                return Ok(false);
            }
            std::thread::sleep(Duration::from_millis(1));
        }
        let signal = SIGNALS[self.rng.below(SIGNALS.len() as u64) as usize];
        let sent = Command::new("kill")
            .args([format!("-{signal}"), child.id().to_string()])
            .stderr(Stdio::null())
            .status();
        let sent = sent.is_ok_and(|status| status.success());
        child.wait().map_err(|e| e.to_string())?;
        Ok(sent)
    }

    /// Lets the command end.
    fn finish(&self, folder: &Path) -> Result<(), String> {
        if (self.scenario.is_finished)(folder) {
            return Ok(());
        }
        let mut child = self.start(folder)?;
        while child.try_wait().map_err(|e| e.to_string())?.is_none() {
            if self.scenario.endless && (self.scenario.is_finished)(folder) {
                child.kill().map_err(|e| e.to_string())?;
                child.wait().map_err(|e| e.to_string())?;
                return Ok(());
            }
            std::thread::sleep(Duration::from_millis(5));
        }
        let status = child.wait().map_err(|e| e.to_string())?;
        if status.success() {
            return Ok(());
        }
        let told = std::fs::read_to_string(stderr_of(folder)).unwrap_or_default();
        Err(format!("{} in {}: {status}: {told}", self.scenario.name, folder.display()))
    }

    fn start(&self, folder: &Path) -> Result<Child, String> {
        let beside = folder.parent().unwrap_or(folder);
        std::fs::create_dir_all(beside).map_err(|e| e.to_string())?;
        let told = std::fs::File::create(stderr_of(folder)).map_err(|e| e.to_string())?;
        // In the background, shells have signals ignored that are sent here.
        Command::new("env")
            .arg("--default-signal=INT,HUP")
            .arg(workspace().join("target/debug/ludens"))
            .args((self.scenario.arguments)(folder))
            .current_dir(beside)
            .stdin(Stdio::null())
            .stdout(Stdio::null())
            .stderr(told)
            .spawn()
            .map_err(|e| e.to_string())
    }
}

/// Beside the folder, which must hold nothing but what the command writes.
fn stderr_of(folder: &Path) -> PathBuf {
    folder.with_extension("stderr")
}
