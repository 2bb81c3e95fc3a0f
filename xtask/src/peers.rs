//! `cargo xtask peers`: the same games and positions in other systems, replayed and raced.

use crate::command::Program;
use crate::peers_search::{self, BIT_BULLY};
use crate::performance;
use serde_json::Value;

pub(crate) const ABOUT: &str =
    "replays our games in OpenSpiel, and compares the speed with it and BitBully";

pub(crate) const OPEN_SPIEL: &str = "2.0.2";

/// Games of each kind that are replayed.
const REPLAYED: u64 = 1000;

pub(crate) const VENV: &str = "target/peers-venv";
pub(crate) const BENCH: &str = "target/release/ludens-bench";

/// Takes the names of games; of all that OpenSpiel knows too, if none is named. The pages on speed
/// are written only then. `search` races search alone.
pub(crate) fn run(games: &[String]) -> Result<(), String> {
    set_up()?;
    if games == ["search"] {
        return peers_search::run();
    }
    println!("==> every legal move, turn, end and reward of {REPLAYED} random games");
    python(&format!("replay.py {BENCH} {REPLAYED}"), games).run()?;
    println!("==> random playouts per second of CPU time");
    let theirs = lines(&python("speed.py", games).output()?)?;
    let ours = lines(&measure(games, &theirs)?)?;
    print!("{}", performance::playouts_table(&ours, &theirs));
    println!("\n{}", performance::perft_table(&ours));
    if games.is_empty() {
        performance::write_page(&ours, &theirs)?;
        peers_search::run()?;
    }
    Ok(())
}

fn set_up() -> Result<(), String> {
    Program::new("cargo build --release --package ludens-bench").run()?;
    let check = format!(
        "import pyspiel, bitbully, importlib.metadata as m; \
         assert m.version('open_spiel') == '{OPEN_SPIEL}'; \
         assert m.version('bitbully') == '{BIT_BULLY}'"
    );
    if Program::new(&format!("{VENV}/bin/python -c")).arg(&check).succeeds() {
        return Ok(());
    }
    println!(
        "==> a Python environment with OpenSpiel {OPEN_SPIEL} and BitBully {BIT_BULLY} in {VENV}"
    );
    Program::new(&format!("python3 -m venv --clear {VENV}")).run()?;
    let packages = format!("open_spiel=={OPEN_SPIEL} bitbully=={BIT_BULLY}");
    Program::new(&format!("{VENV}/bin/python -m pip install --quiet {packages}")).run()
}

fn python(script: &str, games: &[String]) -> Program {
    let program = Program::new(&format!("{VENV}/bin/python xtask/peers/{script}"));
    games.iter().fold(program, |program, game| program.arg(game))
}

/// The speed of the named games, or of all and of those raced with other settings.
fn measure(games: &[String], theirs: &[Value]) -> Result<String, String> {
    let list = Program::new(&format!("{BENCH} list")).output()?;
    let mut all: Vec<String> =
        lines(&list)?.iter().chain(theirs).map(performance::game_of).collect();
    all.sort();
    all.dedup();
    let wanted = if games.is_empty() { &all } else { games };
    let program = Program::new(&format!("{BENCH} speed"));
    wanted.iter().fold(program, |program, game| program.arg(game)).output()
}

/// The values printed one a line.
pub(crate) fn lines(text: &str) -> Result<Vec<Value>, String> {
    let read = |line| serde_json::from_str(line).map_err(|e| format!("{e} in {line:?}"));
    text.lines().map(read).collect()
}
