//! `ludens doctor`: what this machine offers, and what would make Ludens faster.

use crate::arena_args::cores;
use crate::console::{Console, color_wanted};
use crate::failure::Failure;
use crate::words;
use ludens_lab::{Machine, free_memory};
use ludens_registry::connect4::{BOOK_STONES, cache_folder};
use ratatui::crossterm::terminal;
use serde::Serialize;
use std::io::{IsTerminal, Write};
use std::path::Path;

/// Checks what this machine offers, and tells what would make Ludens faster.
#[derive(clap::Args)]
#[command(after_help = "Examples:
  ludens doctor
  ludens doctor --json")]
pub(crate) struct DoctorArgs {
    /// Print one JSON document
    #[arg(long)]
    json: bool,
}

impl DoctorArgs {
    pub(crate) fn run(self, out: &mut Console) -> Result<(), Failure> {
        let checks = checks();
        if self.json {
            return out.json(&checks);
        }
        for check in &checks {
            writeln!(out, "{:<14}{}", check.name, check.found)?;
        }
        let advice: Vec<&str> = checks.iter().filter_map(|check| check.advice.as_deref()).collect();
        writeln!(out)?;
        if advice.is_empty() {
            return Ok(writeln!(out, "Nothing to improve.")?);
        }
        writeln!(out, "{}", out.bold("To improve:"))?;
        for line in advice {
            writeln!(out, "  {line}")?;
        }
        Ok(())
    }
}

/// One thing that was looked at.
#[derive(Serialize)]
struct HealthCheck {
    name: &'static str,
    found: String,
    /// What would be better, if anything.
    #[serde(skip_serializing_if = "Option::is_none")]
    advice: Option<String>,
}

fn fine(name: &'static str, found: impl ToString) -> HealthCheck {
    HealthCheck { name, found: found.to_string(), advice: None }
}

impl HealthCheck {
    fn advise(mut self, wrong: bool, advice: impl ToString) -> HealthCheck {
        self.advice = wrong.then(|| advice.to_string());
        self
    }
}

fn checks() -> Vec<HealthCheck> {
    vec![
        build(),
        processor(),
        instructions(),
        threads(),
        memory(),
        huge_pages(),
        cache(),
        book(),
        screen(),
    ]
}

fn build() -> HealthCheck {
    let found = match cfg!(debug_assertions) {
        true => "debug",
        false => "release",
    };
    let found = format!("{}, {found} build", env!("CARGO_PKG_VERSION"));
    let slow = "A release build is much faster: `cargo build --release`.";
    fine("ludens", found).advise(cfg!(debug_assertions), slow)
}

fn processor() -> HealthCheck {
    let machine = Machine::this();
    fine("processor", format!("{}, {}", machine.cpu, machine.os))
}

/// The instruction sets that training uses where they exist.
fn instructions() -> HealthCheck {
    let found = instruction_sets();
    let missing: Vec<&str> =
        found.iter().filter(|(_, there)| !there).map(|(name, _)| *name).collect();
    let listed = |wanted: bool| {
        let names = found.iter().filter(|(_, there)| *there == wanted).map(|(name, _)| *name);
        names.collect::<Vec<_>>().join(", ")
    };
    let shown = match (missing.is_empty(), listed(true)) {
        (true, all) => all,
        (false, some) if some.is_empty() => "none of AVX2, BMI2, FMA".into(),
        (false, some) => format!("{some}; not {}", listed(false)),
    };
    let advice = "Without AVX2 and BMI2 the portable code is used, which trains more slowly.";
    fine("instructions", shown).advise(!missing.is_empty(), advice)
}

#[cfg(target_arch = "x86_64")]
fn instruction_sets() -> [(&'static str, bool); 3] {
    [
        ("AVX2", is_x86_feature_detected!("avx2")),
        ("BMI2", is_x86_feature_detected!("bmi2")),
        ("FMA", is_x86_feature_detected!("fma")),
    ]
}

#[cfg(not(target_arch = "x86_64"))]
fn instruction_sets() -> [(&'static str, bool); 3] {
    [("AVX2", false), ("BMI2", false), ("FMA", false)]
}

fn threads() -> HealthCheck {
    fine("threads", format!("{} (cores that this process may use)", cores()))
}

/// Less free memory than this is tight for 2048, whose default network and step sizes take 0.8 GB.
const TIGHT: u64 = 1 << 30;

fn memory() -> HealthCheck {
    let free = free_memory();
    let found = free.map_or("unknown".into(), |free| format!("{} free", words::bytes(free)));
    let advice = "Large networks, such as that of 2048, need about 1 GB of free memory.";
    fine("memory", found).advise(free.is_some_and(|free| free < TIGHT), advice)
}

fn huge_pages() -> HealthCheck {
    let path = Path::new("/sys/kernel/mm/transparent_hugepage/enabled");
    let text = std::fs::read_to_string(path).unwrap_or_default();
    let mode = text.split_once('[').and_then(|(_, rest)| Some(rest.split_once(']')?.0));
    let advice = format!("Huge pages speed up 2048: `echo madvise | sudo tee {}`.", path.display());
    fine("huge pages", mode.unwrap_or("unknown")).advise(mode == Some("never"), advice)
}

fn cache() -> HealthCheck {
    let Some(folder) = cache_folder() else {
        let advice = "Unset LUDENS_CACHE to keep solved Connect Four positions between commands.";
        return fine("cache", "off").advise(true, advice);
    };
    let shown = folder.display().to_string();
    let writable = std::fs::create_dir_all(&folder).is_ok()
        && std::fs::metadata(&folder).is_ok_and(|folder| !folder.permissions().readonly());
    let solved = std::fs::metadata(folder.join("connect4.cache")).map_or(0, |file| file.len());
    let found = match writable {
        false => format!("{shown}, not writable"),
        true => format!("{shown}, {} of solved Connect Four positions", words::bytes(solved)),
    };
    let advice = format!("Make {shown} writable, or set LUDENS_CACHE to another folder.");
    fine("cache", found).advise(!writable, advice)
}

/// The opening book is a part of the program; it answers the first moves of perfect play at once.
fn book() -> HealthCheck {
    fine("opening book", format!("Connect Four, up to {BOOK_STONES} stones, built in"))
}

fn screen() -> HealthCheck {
    if !std::io::stdout().is_terminal() {
        return fine("terminal", "none: plain text");
    }
    let size = terminal::size().map_or("unknown size".into(), |(w, h)| format!("{w} x {h}"));
    let color = if color_wanted() { "colours" } else { "no colours" };
    fine("terminal", format!("{size}, {color}"))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn every_check_finds_something() {
        for check in checks() {
            assert!(!check.found.is_empty(), "{}", check.name);
        }
    }
}
