//! The page on the speed of the server, `docs/performance-web.md`.

use super::players::LoadResult;
use crate::command::workspace;
use crate::performance::{date, processor};
use std::fmt::Write;
use std::fs;
use std::path::Path;

const PAGE: &str = "docs/performance-web.md";

pub(super) fn write(program: &Path, measured: &[LoadResult]) -> Result<(), String> {
    let cores = std::thread::available_parallelism().map_or(1, usize::from);
    let optimised = program.components().any(|part| part.as_os_str() == "release");
    let build = if optimised { "a release build" } else { "a development build" };
    let page = format!(
        "<!-- Written by `cargo xtask load`. Change that, not this. -->\n\
         # How fast the server of the page answers\n\n\
         Measured on {} on {cores} cores of {}, which the server, {build}, and its players share. Players sit at \
         Connect Four, Othello and TicTacToe against `greedy` agents that learned them; each has a \
         connection of its own for every game. A game counts as finished if every move arrived and \
         the server, asked again, tells the same end. `cargo xtask load` measures again.\n\n{}\n\
         Memory is that of the server after a tenth of the time, at the end, and at most.\n",
        date()?,
        processor(),
        table(measured)
    );
    let path = workspace().join(PAGE);
    let temporary = path.with_extension("tmp");
    let written = fs::write(&temporary, page).and_then(|()| fs::rename(&temporary, &path));
    written.map_err(|e| format!("{PAGE}: {e}"))?;
    print!("{}", table(measured));
    println!("wrote {PAGE}");
    Ok(())
}

fn table(measured: &[LoadResult]) -> String {
    let mut table = String::from(
        "| games at once | a move takes | games finished | requests | per second | median | 99 % within | slowest | memory |\n\
         | ---: | --- | ---: | ---: | ---: | ---: | ---: | ---: | --- |\n",
    );
    for one in measured {
        let LoadResult { games, finished, waits, .. } = one;
        let (count, per_second) = (waits.len(), waits.len() as f64 / one.seconds);
        let pause = match one.pause.as_secs_f64() {
            0.0 => "no time".into(),
            seconds => format!("{seconds} s"),
        };
        let [median, most, slowest] = [0.5, 0.99, 1.0].map(|share| milliseconds(waits, share));
        let memory = one.memory.map_or("-".into(), |[early, late, most]| {
            format!("{early:.0}, {late:.0}, {most:.0} MB")
        });
        let _ = writeln!(
            table,
            "| {games} | {pause} | {finished} | {count} | {per_second:.0} | {median} | {most} | {slowest} | {memory} |"
        );
    }
    table
}

/// The time within which this share of all answers came.
fn milliseconds(waits: &[f64], share: f64) -> String {
    let at = ((waits.len() as f64 * share).ceil() as usize).clamp(1, waits.len().max(1)) - 1;
    waits.get(at).map_or("-".into(), |seconds| format!("{:.1} ms", 1e3 * seconds))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn most_answers_come_within_the_time_told() {
        let waits: Vec<f64> = (1..=200).map(|i| f64::from(i) / 1e3).collect();
        assert_eq!(milliseconds(&waits, 0.5), "100.0 ms");
        assert_eq!(milliseconds(&waits, 0.99), "198.0 ms");
        assert_eq!(milliseconds(&waits, 1.0), "200.0 ms");
        assert_eq!(milliseconds(&[], 0.5), "-");
    }
}
