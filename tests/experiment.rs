//! Experiments and sweeps as people run them: killed, resumed, reported.

#![allow(clippy::unwrap_used)]

use std::collections::BTreeMap;
use std::path::{Path, PathBuf};
use std::process::{Command, Output, Stdio};
use std::time::Duration;

fn folder(name: &str) -> PathBuf {
    let path = PathBuf::from(env!("CARGO_TARGET_TMPDIR")).join("experiment").join(name);
    let _ = std::fs::remove_dir_all(&path);
    std::fs::create_dir_all(&path).expect("tests may write into their folder");
    path
}

fn command(arguments: &[&str], out: &Path) -> Command {
    let mut command = Command::new(env!("CARGO_BIN_EXE_ludens"));
    command.args(arguments).arg("--out").arg(out);
    command
}

fn told(arguments: &[&str], out: &Path) -> String {
    let Output { status, stdout, stderr } = command(arguments, out).output().unwrap();
    assert!(status.success(), "{}", String::from_utf8_lossy(&stderr));
    String::from_utf8(stdout).unwrap()
}

/// The files of a report: names and contents.
fn report(out: &Path) -> BTreeMap<PathBuf, Vec<u8>> {
    let files = std::fs::read_dir(out.join("report")).unwrap().map(|file| file.unwrap().path());
    files.map(|path| (path.file_name().unwrap().into(), std::fs::read(&path).unwrap())).collect()
}

#[test]
fn an_experiment_killed_at_any_moment_ends_with_the_same_report() {
    let all = folder("killed");
    let (whole, killed) = (all.join("whole"), all.join("killed"));
    let run = ["experiment", "run", "farl-tictactoe", "--scale", "smoke", "--jobs", "2"];
    told(&run, &whole);
    let nanos = std::time::SystemTime::now().duration_since(std::time::UNIX_EPOCH).unwrap();
    for i in 0..5 {
        let mut child = command(&run, &killed).stdout(Stdio::null()).spawn().unwrap();
        let moment = 20 + (nanos.as_nanos() as u64 >> (7 * i)) % 300;
        std::thread::sleep(Duration::from_millis(moment));
        // On Unix this is SIGKILL.
        child.kill().unwrap();
        child.wait().unwrap();
    }
    told(&run, &killed);
    let (whole, killed) = (report(&whole), report(&killed));
    let differs = |name: &&PathBuf| whole.get(*name) != killed.get(*name);
    let different: Vec<&PathBuf> = whole.keys().chain(killed.keys()).filter(differs).collect();
    assert!(different.is_empty(), "the reports differ in {different:?}");
}

#[test]
fn a_sweep_is_an_experiment_with_a_map_of_its_results() {
    let out = folder("sweep");
    let scans = ["--scan", "trace.lambda", "0,0.5", "--scan", "learner.alpha", "0.1,1"];
    let length = ["--seeds", "2", "--episodes", "20", "--eval", "random:4"];
    let sweep = [&["sweep", "tictactoe"][..], &scans, &length].concat();
    let first = told(&sweep, &out);
    assert!(first.contains("lambda 0.5, alpha 1 "), "{first}");
    assert_eq!(told(&sweep, &out), first, "nothing is left to do");
    let files = report(&out);
    for name in ["grid.svg", "grid.png", "index.html", "results.csv"] {
        assert!(files.contains_key(Path::new(name)), "{name} is missing");
    }
    let file = out.join("sweep.toml");
    let again = told(&["experiment", "status", file.to_str().unwrap()], &out);
    assert_eq!(again.matches("finished").count(), 8, "{again}");
}

#[test]
fn a_script_for_slurm_survives_any_file_name() {
    let out = folder("it's here");
    let file = out.join("it's mine.toml");
    std::fs::copy("experiments/nimm3-features.toml", &file).unwrap();
    let sbatch = ["experiment", "sbatch", file.to_str().unwrap(), "--scale", "smoke"];
    let script = told(&sbatch, &out);
    assert!(script.contains("--job-name=ludens-it-s-mine\n"), "{script}");
    assert!(script.contains(r"it'\''s mine.toml' --scale smoke --out '"), "{script}");
    assert!(script.contains(r"it'\''s here' --index "), "{script}");
}

#[test]
fn one_page_tells_of_all_experiments() {
    let all = folder("all");
    let results = all.join("results");
    told(
        &["experiment", "run", "nimm3-features", "--scale", "smoke"],
        &results.join("nimm3-features-smoke"),
    );
    let pages = all.join("pages");
    let report = ["experiment", "report", "--all", "--into", pages.to_str().unwrap()];
    let table = told(&report, &results);
    assert!(table.contains("nimm3-features  smoke"), "{table}");
    for file in ["index.html", "README.md", "overview.csv", "nimm3-features/weights.png"] {
        assert!(pages.join(file).exists(), "{file} is missing");
    }
}
