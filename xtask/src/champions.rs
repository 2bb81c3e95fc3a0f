//! `cargo xtask champions`: trains the champions again from their cards.

mod card;

use crate::command::{Program, workspace};
use card::{Card, Measured, Packed};
use serde_json::Value;
use std::fs;
use std::path::PathBuf;

pub(crate) const ABOUT: &str =
    "trains champions again from their cards and checks the figures; --replace keeps the new ones";

/// Built once, then run many times.
const BUILD: &str = "cargo build --quiet --package ludens --package ludens-bench";

/// What was asked for besides the names.
#[derive(Copy, Clone)]
struct Options {
    /// Whether new files and figures take the place of the old ones.
    replace: bool,
    /// Whether the programs of the tests do: they train more slowly.
    dev: bool,
}

pub(crate) fn run(args: &[String]) -> Result<(), String> {
    let has = |option: &str| args.iter().any(|arg| arg == option);
    let options = Options { replace: has("--replace"), dev: has("--dev") };
    let wanted: Vec<&String> = args.iter().filter(|arg| !arg.starts_with("--")).collect();
    let known = ["--replace", "--dev"];
    if let Some(unknown) = args.iter().find(|a| a.starts_with("--") && !known.contains(&&a[..])) {
        return Err(format!("unknown option {unknown}; known: {}", known.join(", ")));
    }
    let names = names()?;
    if let Some(unknown) = wanted.iter().find(|name| !names.contains(name)) {
        return Err(format!("no champion is called {unknown:?}; known: {}", names.join(", ")));
    }
    Program::new(BUILD).words(if options.dev { "" } else { "--release" }).run()?;
    let mut wrong = Vec::new();
    for name in names.iter().filter(|name| wanted.is_empty() || wanted.contains(name)) {
        wrong.extend(Champion::new(name, options).renew()?);
    }
    if wrong.is_empty() { Ok(()) } else { Err(wrong.join("\n")) }
}

/// The names of all cards.
fn names() -> Result<Vec<String>, String> {
    let folder = folder();
    let files = fs::read_dir(&folder).map_err(|e| format!("{}: {e}", folder.display()))?;
    let paths = files.filter_map(|file| Some(file.ok()?.path()));
    let cards = paths.filter(|path| path.extension().is_some_and(|ending| ending == "toml"));
    let mut names: Vec<String> =
        cards.filter_map(|path| Some(path.file_stem()?.to_str()?.to_owned())).collect();
    names.sort();
    Ok(names)
}

fn folder() -> PathBuf {
    workspace().join("crates/registry/champions")
}

/// A champion that is trained again.
struct Champion<'a> {
    name: &'a str,
    options: Options,
    /// Where the training run goes.
    run: PathBuf,
    /// The new file, before it takes the place of the old one.
    file: PathBuf,
}

impl Champion<'_> {
    fn new(name: &str, options: Options) -> Champion<'_> {
        let target = workspace().join("target/champions");
        let (run, file) = (target.join(name), target.join(format!("{name}.champion")));
        Champion { name, options, run, file }
    }

    /// Trains, packs and measures it; returns what differs from the card.
    fn renew(&self) -> Result<Vec<String>, String> {
        let path = folder().join(format!("{}.toml", self.name));
        let text = fs::read_to_string(&path).map_err(|e| format!("{}: {e}", path.display()))?;
        let card = Card::parse(&text).map_err(|e| format!("{}: {e}", path.display()))?;
        let cpu_seconds = self.train(&card)?;
        let packed = self.pack(&card)?;
        let results = card.results.iter().map(|result| self.measure(&card, result));
        let results = results.collect::<Result<Vec<Measured>, String>>()?;
        if self.options.replace {
            let text = card::written(&text, &packed, cpu_seconds, &results);
            fs::write(&path, text).map_err(|e| format!("{}: {e}", path.display()))?;
            let kept = folder().join(format!("{}.champion", self.name));
            fs::copy(&self.file, &kept).map_err(|e| format!("{}: {e}", kept.display()))?;
            println!("{}: replaced; build again to embed it", self.name);
            return Ok(Vec::new());
        }
        Ok(card.differences(self.name, &packed, &results))
    }

    fn program(&self, name: &str) -> Program {
        let folder = if self.options.dev { "debug" } else { "release" };
        Program::new(&format!("target/{folder}/{name}"))
    }

    /// Runs the command of the card and returns its CPU time in seconds. A run of the same command
    /// goes on where it was stopped.
    fn train(&self, card: &Card) -> Result<f64, String> {
        let (command, asked) = (self.run.with_extension("command"), format!("{card}\n"));
        println!("{}: {card}", self.name);
        if self.run.exists() && fs::read_to_string(&command).is_ok_and(|text| text == asked) {
            if !self.run.join("summary.json").exists() {
                let run = self.run.display().to_string();
                self.program("ludens train --resume").arg(&run).output()?;
            }
            return self.cpu_seconds();
        }
        let begin = || {
            if self.run.exists() {
                fs::remove_dir_all(&self.run)?;
            }
            fs::create_dir_all(command.parent().expect("it lies in a folder"))?;
            fs::write(&command, asked)
        };
        begin().map_err(|e| format!("{}: {e}", self.run.display()))?;
        let arguments =
            card.train.strip_prefix("ludens ").ok_or("train: expected `ludens train`")?;
        self.program("ludens")
            .words(arguments)
            .words(&format!("--seed {} --eval none --out", card.seed))
            .arg(&self.run.display().to_string())
            .output()?;
        self.cpu_seconds()
    }

    /// The CPU time of learning, as the run has noted it.
    fn cpu_seconds(&self) -> Result<f64, String> {
        let path = self.run.join("times.jsonl");
        let text = fs::read_to_string(&path).map_err(|e| format!("{}: {e}", path.display()))?;
        let seconds = |line: &str| serde_json::from_str::<Value>(line).ok()?["cpu"].as_f64();
        Ok(text.lines().filter_map(seconds).sum())
    }

    fn pack(&self, card: &Card) -> Result<Packed, String> {
        let value = self.run.join("value.safetensors");
        let facts = self
            .program("ludens-bench champion")
            .arg(&value.display().to_string())
            .arg(&self.file.display().to_string())
            .arg(&card.bits.to_string())
            .output()?;
        serde_json::from_str(&facts).map_err(|e| format!("{}: {e}", self.name))
    }

    fn measure(&self, card: &Card, result: &Measured) -> Result<Measured, String> {
        let games = result.games.map_or(String::new(), |games| format!("--games {games}"));
        let report = self
            .program("ludens measure")
            .arg(&card.game)
            .arg(&format!("greedy:{}", self.file.display()))
            .words(&format!("--protocol {} {games} --json", result.protocol))
            .output()?;
        let report: Value = serde_json::from_str(&report).map_err(|e| e.to_string())?;
        let measured = result.with(&report);
        let measured = measured.ok_or_else(|| format!("{}: an odd report", result.protocol))?;
        println!("{}: {measured}", self.name);
        Ok(measured)
    }
}
