//! Counted instructions, and how they differ from the kept ones.

use std::fmt::Write;
use std::fs;
use std::path::Path;

/// Instructions that one kind of work takes for each thing it does.
#[derive(Clone, Debug, PartialEq)]
pub(crate) struct InstructionCount {
    pub(crate) game: String,
    pub(crate) kind: String,
    pub(crate) instructions: f64,
}

/// Counts of every game and kind of work.
#[derive(Clone, Debug, PartialEq)]
pub(crate) struct InstructionCounts(pub(crate) Vec<InstructionCount>);

/// Changes below this share are not pointed at.
const NOTABLE: f64 = 0.03;

const HEADER: &str = "game,work,instructions";

impl InstructionCounts {
    /// The counts kept in a file; none if there is no file.
    pub(crate) fn read(path: &Path) -> Result<InstructionCounts, String> {
        let text = fs::read_to_string(path).unwrap_or_else(|_| HEADER.into());
        let read = |line: &str| {
            let fields: Vec<&str> = line.split(',').collect();
            match fields[..] {
                [game, kind, count] => Some(InstructionCount {
                    game: game.into(),
                    kind: kind.into(),
                    instructions: count.parse().ok()?,
                }),
                _ => None,
            }
        };
        let wrong = |line| format!("{}: expected {HEADER}, found {line:?}", path.display());
        let lines = text.lines().skip(1);
        let counts = lines.map(|line| read(line).ok_or_else(|| wrong(line)));
        Ok(InstructionCounts(counts.collect::<Result<_, _>>()?))
    }

    pub(crate) fn write(&self, path: &Path) -> Result<(), String> {
        let line = |c: &InstructionCount| format!("{},{},{:.1}\n", c.game, c.kind, c.instructions);
        let text = format!("{HEADER}\n{}", self.0.iter().map(line).collect::<String>());
        let temporary = path.with_extension("tmp");
        let written = fs::write(&temporary, text).and_then(|()| fs::rename(&temporary, path));
        written.map_err(|e| format!("{}: {e}", path.display()))
    }

    /// A table that compares these counts with the `kept` ones.
    pub(crate) fn compare(&self, kept: &InstructionCounts) -> String {
        let mut table =
            format!("{:<16}{:<14}{:>12}{:>12}{:>9}\n", "game", "work", "kept", "now", "change");
        let mut notable = 0;
        for InstructionCount { game, kind, instructions: now } in &self.0 {
            let same = kept.0.iter().find(|old| old.game == *game && old.kind == *kind);
            let (before, change, mark) = match same.map(|old| old.instructions) {
                None => ("-".into(), "new".into(), ""),
                Some(old) => {
                    let change = now / old - 1.0;
                    let mark = if change.abs() > NOTABLE { "  <==" } else { "" };
                    notable += usize::from(!mark.is_empty());
                    (format!("{old:.1}"), format!("{:+.1} %", 100.0 * change), mark)
                }
            };
            let _ = writeln!(table, "{game:<14}{kind:<14}{before:>12}{now:>12.1}{change:>9}{mark}");
        }
        let _ = writeln!(table, "{notable} changed by more than {:.0} %", 100.0 * NOTABLE);
        table
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn counts(instructions: f64) -> InstructionCounts {
        InstructionCounts(vec![InstructionCount {
            game: "nim".into(),
            kind: "perft".into(),
            instructions,
        }])
    }

    #[test]
    fn changes_over_three_percent_are_pointed_at() {
        assert!(counts(104.0).compare(&counts(100.0)).contains("+4.0 %  <==\n1 changed"));
        assert!(counts(102.0).compare(&counts(100.0)).contains("+2.0 %\n0 changed"));
        assert!(counts(102.0).compare(&InstructionCounts(vec![])).contains("new\n0 changed"));
    }

    #[test]
    fn kept_counts_are_read_back() {
        let path = std::env::temp_dir().join(format!("ludens-counts-{}.csv", std::process::id()));
        counts(12.5).write(&path).unwrap();
        assert_eq!(InstructionCounts::read(&path).unwrap(), counts(12.5));
        fs::write(&path, "header\nnim,perft\n").unwrap();
        assert!(
            InstructionCounts::read(&path).unwrap_err().contains("expected game,work,instructions")
        );
        fs::remove_file(&path).unwrap();
    }
}
