//! Fixed amounts of work, whose instructions are counted.

use crate::number;
use ludens_registry::{AnyGame, GAMES, Part, Sample, open_game};
use serde_json::json;

/// Random games that one round plays.
const GAMES_A_ROUND: u64 = 10;

/// States that one round works on.
const STATES: usize = 200;

/// Sequences that one round counts at most.
const SEQUENCES: u64 = 20_000;

/// What one round does.
enum Work {
    Playouts(Box<dyn AnyGame>),
    Perft(Box<dyn AnyGame>, u32),
    Part(Box<dyn Sample>, Part),
}

impl Work {
    /// Every kind of work that this game can do, with its name.
    fn all(spec: &str) -> Result<Vec<(&'static str, Work)>, String> {
        let open = || open_game(spec).map_err(|e| e.to_string());
        let depth = perft_depth(&*open()?);
        let mut all =
            vec![("playouts", Work::Playouts(open()?)), ("perft", Work::Perft(open()?, depth))];
        for part in Part::ALL {
            let sample = open()?.sample(STATES, 1);
            if sample.size(part) > 0 {
                all.push((part.name(), Work::Part(sample, part)));
            }
        }
        Ok(all)
    }

    /// Does one round, and tells how many things it did.
    fn round(&mut self) -> u64 {
        match self {
            Work::Playouts(game) => game.playouts(GAMES_A_ROUND, 1).games,
            Work::Perft(game, depth) => game.perft(*depth),
            Work::Part(sample, part) => {
                std::hint::black_box(sample.run(*part));
                sample.size(*part) as u64
            }
        }
    }
}

/// The greatest depth that a round has time for.
fn perft_depth(game: &dyn AnyGame) -> u32 {
    let fits = |depth: &u32| (1..=SEQUENCES).contains(&game.perft(*depth));
    (1..32).take_while(fits).last().unwrap_or(1)
}

/// Prints the name of every game and its kinds of work.
pub(crate) fn list() -> Result<(), String> {
    for entry in GAMES {
        let kinds: Vec<_> = Work::all(entry.name)?.into_iter().map(|(kind, _)| kind).collect();
        println!("{}", json!({ "game": entry.name, "kinds": kinds }));
    }
    Ok(())
}

/// Does `rounds` rounds of one kind of work and prints how many things were done.
pub(crate) fn run(spec: &str, kind: &str, rounds: &str) -> Result<(), String> {
    let rounds = number(rounds)?;
    let found = Work::all(spec)?.into_iter().find(|(name, _)| *name == kind);
    let (_, mut work) = found.ok_or_else(|| format!("{spec} has no work called {kind:?}"))?;
    println!("{}", json!({ "done": counted_rounds(&mut work, rounds) }));
    Ok(())
}

/// The work alone: what is counted starts and ends with this function, found by its name.
#[inline(never)]
fn counted_rounds(work: &mut Work, rounds: u64) -> u64 {
    (0..rounds).map(|_| work.round()).sum()
}
