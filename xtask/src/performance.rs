//! The page on speed, `docs/performance-games.md`.

use crate::command::{Program, workspace};
use crate::peers::OPEN_SPIEL;
use serde_json::Value;
use std::fmt::Write;
use std::fs;

const PAGE: &str = "docs/performance-games.md";

/// The name of the game that a measurement is about.
pub(crate) fn game_of(measured: &Value) -> String {
    measured["game"].as_str().unwrap_or_default().into()
}

/// Random playouts, compared with other programs.
pub(crate) fn playouts_table(ours: &[Value], theirs: &[Value]) -> String {
    let mut table =
        format!("| game | Ludens | OpenSpiel {OPEN_SPIEL} from Python | ratio | as |\n");
    table += "| --- | ---: | ---: | ---: | --- |\n";
    for our in ours {
        let speed = number(&our["playouts"]);
        let same = theirs.iter().find(|their| their["game"] == our["game"]);
        let (their_speed, ratio, name) = same.map_or(Default::default(), |their| {
            let other = number(&their["playouts"]);
            let name = their["theirs"].as_str().unwrap_or_default();
            (thousands(other), format!("{:.0}", speed / other), format!("`{name}`"))
        });
        let game = game_of(our);
        let _ =
            writeln!(table, "| {game} | {} | {their_speed} | {ratio} | {name} |", thousands(speed));
    }
    table
}

/// Counted sequences, ours.
pub(crate) fn perft_table(ours: &[Value]) -> String {
    let mut table = String::from("| game | depth | million sequences per second |\n");
    table += "| --- | ---: | ---: |\n";
    for our in ours {
        let (game, speed) = (game_of(our), number(&our["perft"]) / 1e6);
        let _ = writeln!(table, "| {game} | {} | {speed:.0} |", our["perft_depth"]);
    }
    table
}

/// Writes the page.
pub(crate) fn write_page(ours: &[Value], theirs: &[Value]) -> Result<(), String> {
    let mapped = |their: &Value| -> String {
        let list = their["differences"].as_array().map_or(&[][..], Vec::as_slice);
        let line = |text: &Value| {
            format!("| {} | {} |\n", game_of(their), text.as_str().unwrap_or_default())
        };
        list.iter().map(line).collect()
    };
    let page = format!(
        "<!-- Written by `cargo xtask peers`. Change that, not this. -->\n\
         # How fast Ludens plays\n\n\
         Measured on {} on one core of {}, in games or sequences per second of CPU time; the best \
         of seven windows of 0.4 s each. `cargo xtask peers` measures again. Other pages tell how \
         fast Ludens [learns](performance.md), [searches](performance-search.md) and [answers the \
         page](performance-web.md).\n\n\
         ## Random games from start to end, per second\n\n\
         Moves are drawn evenly from the legal ones. OpenSpiel is called from Python, game by game, \
         as its users do; part of the ratio is therefore Python's.\n\n{}\n\
         ## Sequences of turns counted (perft)\n\n\
         The last turn is counted, not played.\n\n{}\n\
         ## Where OpenSpiel's rules or names differ\n\n\
         The same command replays 1,000 random games of each kind in both systems and compares \
         legal moves, turns, ends and rewards. These differences are mapped:\n\n\
         | game | OpenSpiel |\n| --- | --- |\n{}",
        date()?,
        processor(),
        playouts_table(ours, theirs),
        perft_table(ours),
        theirs.iter().map(mapped).collect::<String>()
    );
    let (path, temporary) = (workspace().join(PAGE), workspace().join(format!("{PAGE}.tmp")));
    let written = fs::write(&temporary, page).and_then(|()| fs::rename(&temporary, &path));
    written.map_err(|e| format!("{PAGE}: {e}"))?;
    println!("wrote {PAGE}");
    Ok(())
}

pub(crate) fn date() -> Result<String, String> {
    Ok(Program::new("date -u +%F").output()?.trim().into())
}

/// The name of the processor.
pub(crate) fn processor() -> String {
    let info = fs::read_to_string("/proc/cpuinfo").unwrap_or_default();
    let named = info.lines().find_map(|line| line.strip_prefix("model name")?.split_once(':'));
    named.map_or("an unnamed processor".into(), |(_, name)| name.trim().into())
}

fn number(value: &Value) -> f64 {
    value.as_f64().unwrap_or(f64::NAN)
}

/// The number rounded, with commas between the thousands.
fn thousands(number: f64) -> String {
    let digits = format!("{number:.0}");
    let mut grouped = String::new();
    for (i, digit) in digits.chars().enumerate() {
        if i > 0 && (digits.len() - i).is_multiple_of(3) {
            grouped.push(',');
        }
        grouped.push(digit);
    }
    grouped
}

#[cfg(test)]
mod tests {
    use super::*;
    use serde_json::json;

    #[test]
    fn thousands_are_grouped() {
        assert_eq!([999.4, 1000.0, 1_234_567.0].map(thousands), ["999", "1,000", "1,234,567"]);
    }

    #[test]
    fn a_game_without_a_peer_stands_alone() {
        let ours = [json!({"game": "a", "playouts": 2000.0}), json!({"game": "b", "playouts": 10})];
        let theirs = [json!({"game": "a", "playouts": 100, "theirs": "A"})];
        let table = playouts_table(&ours, &theirs);
        assert!(table.contains("| a | 2,000 | 100 | 20 | `A` |\n| b | 10 |  |  |  |\n"), "{table}");
    }
}
