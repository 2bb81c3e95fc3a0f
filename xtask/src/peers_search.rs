//! The part of `cargo xtask peers` that races search: solving Connect-4, and trying lines.

use crate::command::{Program, workspace};
use crate::peers::{BENCH, OPEN_SPIEL, VENV, lines};
use crate::performance::{date, processor};
use serde_json::Value;
use std::fmt::Write;
use std::fs;

pub(crate) const BIT_BULLY: &str = "0.0.79";

const PAGE: &str = "docs/performance-search.md";
const POSITIONS: &str = "target/peers-positions.jsonl";

/// Positions solved of each number of stones.
const COUNT: u64 = 200;
const STONES: &str = "8 12 16 20 24";

/// Times both on the same positions, and writes the page.
pub(crate) fn run() -> Result<(), String> {
    println!("==> {COUNT} random positions of Connect-4 with {STONES} stones, without a book");
    let solved = Program::new(&format!("{BENCH} solve {COUNT} {STONES}")).output()?;
    fs::write(workspace().join(POSITIONS), &solved).map_err(|e| format!("{POSITIONS}: {e}"))?;
    let ours = lines(&solved)?;
    let script = format!("{VENV}/bin/python xtask/peers/search.py {POSITIONS}");
    let mut theirs = lines(&Program::new(&script).output()?)?;
    let their_tries = theirs.pop().ok_or("search.py says nothing")?;
    let our_tries = lines(&Program::new(&format!("{BENCH} mcts")).output()?)?;
    let our_tries = our_tries.first().ok_or("ludens-bench says nothing")?;
    let tables = [solver_table(&ours, &theirs), mcts_table(our_tries, &their_tries)];
    println!("{}\n{}", tables[0], tables[1]);
    write_page(&tables)
}

fn solver_table(ours: &[Value], theirs: &[Value]) -> String {
    let mut table = format!(
        "| stones | Ludens, mean / median ms | BitBully {BIT_BULLY}, mean / median ms | ratio | \
         million nodes/s | different scores |\n| ---: | ---: | ---: | ---: | ---: | ---: |\n"
    );
    for (our, their) in ours.iter().zip(theirs) {
        let both = |side: &Value| format!("{:.3} / {:.3}", of(side, "mean"), of(side, "median"));
        let ratio = of(their, "mean") / of(our, "mean");
        let _ = writeln!(
            table,
            "| {} | {} | {} | {ratio:.2} | {:.1} | {} |",
            our["stones"],
            both(our),
            both(their),
            of(our, "nodes") / 1e6,
            their["different"]
        );
    }
    table
}

fn mcts_table(ours: &Value, theirs: &Value) -> String {
    let (our, their) = (of(ours, "iterations"), of(theirs, "iterations"));
    format!(
        "| Ludens | OpenSpiel {OPEN_SPIEL} (C++) | ratio |\n| ---: | ---: | ---: |\n\
         | {our:.0} | {their:.0} | {:.2} |\n",
        our / their
    )
}

fn of(value: &Value, key: &str) -> f64 {
    value[key].as_f64().unwrap_or(f64::NAN)
}

fn write_page([solver, mcts]: &[String; 2]) -> Result<(), String> {
    let page = format!(
        "<!-- Written by `cargo xtask peers search`. Change that, not this. -->\n\
         # How fast Ludens searches\n\n\
         Measured on {} on one core of {}, in CPU time. `cargo xtask peers search` measures \
         again.\n\n\
         ## Solving Connect-4\n\n\
         The exact score of {COUNT} random positions of each number of stones, in which nobody \
         wins at once, without book and cache. Both solve the same positions; scores are \
         compared.\n\n{solver}\n\
         ## Monte Carlo tree search\n\n\
         Lines tried per second from the empty board of Connect-4, 100,000 for one move, the best \
         of five searches. OpenSpiel's C++ search is called from Python, once for each \
         search.\n\n{mcts}",
        date()?,
        processor(),
    );
    let (path, temporary) = (workspace().join(PAGE), workspace().join(format!("{PAGE}.tmp")));
    let written = fs::write(&temporary, page).and_then(|()| fs::rename(&temporary, &path));
    written.map_err(|e| format!("{PAGE}: {e}"))?;
    println!("wrote {PAGE}");
    Ok(())
}
