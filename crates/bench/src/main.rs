//! Measures how fast Ludens plays, and writes games for others to replay.
//!
//! `cargo xtask bench`, `cargo xtask peers` and `cargo xtask champions` run it; it prints JSON, one value a line.

mod champion;
mod games;
mod search;
mod speed;
mod work;

use std::process::ExitCode;

const USAGE: &str = "usage: ludens-bench games <game> <how many> <seed>
       ludens-bench speed <game>...
       ludens-bench solve <how many> <stones>...
       ludens-bench mcts
       ludens-bench work <game> <kind> <rounds>
       ludens-bench list
       ludens-bench champion <learned value> <file to write> <bits>";

fn main() -> ExitCode {
    let args: Vec<String> = std::env::args().skip(1).collect();
    let words: Vec<&str> = args.iter().map(String::as_str).collect();
    let done = match words[..] {
        ["games", game, count, seed] => games::write(game, count, seed),
        ["speed", ref games @ ..] => speed::measure(games),
        ["solve", count, ref stones @ ..] => search::solve(count, stones),
        ["mcts"] => search::mcts(),
        ["work", game, kind, rounds] => work::run(game, kind, rounds),
        ["champion", from, to, bits] => champion::pack(from, to, bits),
        ["list"] => work::list(),
        _ => Err(USAGE.into()),
    };
    match done {
        Ok(()) => ExitCode::SUCCESS,
        Err(message) => {
            eprintln!("{message}");
            ExitCode::from(2)
        }
    }
}

/// The whole number written as `text`.
fn number(text: &str) -> Result<u64, String> {
    text.parse().map_err(|_| format!("expected a whole number, found {text:?}"))
}
