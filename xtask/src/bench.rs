//! `cargo xtask bench`: times, and instructions counted under Valgrind.

use crate::command::{Program, workspace};
use crate::instructions::{InstructionCount, InstructionCounts};
use crate::peers::lines;
use crate::performance::game_of;

pub(crate) const ABOUT: &str =
    "times, and instructions against the kept counts; --keep keeps the new ones";

const BENCH: &str = "target/profiling/ludens-bench";

/// Learns games and says how many moves that were.
const LEARN: &str = "target/profiling/examples/learn";

/// Settings of `ludens bench` whose moves are counted, and games of each; those with tables of
/// gigabytes are left out.
const LEARNED: &[(&str, u32)] = &[
    ("connect4-farl", 60),
    ("connect4-tcl-rr", 60),
    ("connect4-tcl", 60),
    ("othello-lambda", 10),
    ("othello", 10),
    ("hex", 60),
    ("2048", 20),
    ("tictactoe", 2000),
    ("nim-three", 2000),
];

/// Rounds of work that are counted.
const ROUNDS: &str = "3";

pub(crate) fn run(args: &[String]) -> Result<(), String> {
    let keep = match args {
        [] => false,
        [flag] if flag == "--keep" => true,
        _ => return Err(format!("expected nothing or --keep, found {}", args.join(" "))),
    };
    println!("==> times");
    Program::new("cargo bench --package ludens-bench --bench games").run()?;
    println!("==> instructions for one random game, counted sequence, state or learned move");
    Program::new("cargo build --profile profiling --package ludens-bench").run()?;
    Program::new("cargo build --profile profiling --package ludens-speed --example learn").run()?;
    install_valgrind()?;
    let counted = count_all()?;
    let path = workspace().join("crates/bench/instructions.csv");
    print!("{}", counted.compare(&InstructionCounts::read(&path)?));
    if keep {
        counted.write(&path)?;
        println!("kept in {}", path.display());
    }
    Ok(())
}

/// Installs Valgrind from the packages of Debian, unless it is there.
pub(crate) fn install_valgrind() -> Result<(), String> {
    if Program::new("valgrind --version").succeeds() {
        return Ok(());
    }
    Program::new("apt-get update --quiet").run()?;
    Program::new("apt-get install --quiet --yes valgrind").run()
}

fn count_all() -> Result<InstructionCounts, String> {
    let mut counts = Vec::new();
    for line in lines(&Program::new(&format!("{BENCH} list")).output()?)? {
        let game = game_of(&line);
        let kinds = line["kinds"].as_array().map_or(&[][..], Vec::as_slice);
        for kind in kinds.iter().filter_map(|kind| kind.as_str()) {
            let instructions = count(&format!("{BENCH} work {game} {kind} {ROUNDS}"))?;
            counts.push(InstructionCount { game: game.clone(), kind: kind.into(), instructions });
        }
    }
    for (setting, games) in LEARNED {
        let instructions = count(&format!("{LEARN} {setting} {games}"))?;
        counts.push(InstructionCount {
            game: (*setting).into(),
            kind: "learn".into(),
            instructions,
        });
    }
    Ok(InstructionCounts(counts))
}

/// Instructions for each thing done, set-up not included.
fn count(program: &str) -> Result<f64, String> {
    let valgrind = "valgrind --tool=callgrind --callgrind-out-file=/dev/null \
                    --toggle-collect=*counted_rounds* --log-fd=1";
    let said = Program::new(&format!("{valgrind} {program}")).output()?;
    let after = |mark: &str| -> Option<f64> {
        let rest = said.split_once(mark)?.1;
        let digits = rest.trim_start().split(|c: char| !c.is_ascii_digit()).next()?;
        digits.parse().ok()
    };
    match (after("Collected :"), after("\"done\":")) {
        (Some(instructions), Some(done)) if done > 0.0 => Ok(instructions / done),
        _ => Err(format!("no count of {program} in what Valgrind said:\n{said}")),
    }
}
