//! `cargo xtask results`: tables in the documentation, from data.

use crate::command::workspace;
use std::fs;
use toml::Table;

pub(crate) const ABOUT: &str = "writes the tables of README.md and docs/papers.md from data";

/// The description of the step of `cargo xtask test`.
pub(crate) const CHECKED: &str = "the tables of README.md and docs/papers.md are those of the data";

/// A part of a page that is written from data.
struct Generated {
    file: &'static str,
    begin: &'static str,
    end: &'static str,
    text: fn() -> Result<String, String>,
}

const GENERATED: &[Generated] = &[
    Generated {
        file: "docs/papers.md",
        begin: "<!-- results: written by `cargo xtask results` -->\n",
        end: "<!-- end of results -->\n",
        text: tables,
    },
    Generated {
        file: "README.md",
        begin: "<!-- champions: written by `cargo xtask results` -->\n",
        end: "<!-- end of champions -->\n",
        text: champions,
    },
];

pub(crate) fn run(_: &[String]) -> Result<(), String> {
    for part in GENERATED {
        let path = workspace().join(part.file);
        fs::write(path, part.written()?.1).map_err(|e| format!("{}: {e}", part.file))?;
    }
    Ok(())
}

/// Refuses pages whose tables are not those of the data.
pub(crate) fn check() -> Result<(), String> {
    for part in GENERATED {
        let (now, wanted) = part.written()?;
        if now != wanted {
            return Err(format!("{} differs from the data; cargo xtask results", part.file));
        }
    }
    Ok(())
}

impl Generated {
    /// The page as it is, and with the text between the marks.
    fn written(&self) -> Result<(String, String), String> {
        let path = workspace().join(self.file);
        let now = fs::read_to_string(path).map_err(|e| format!("{}: {e}", self.file))?;
        let missing = || format!("{} has no place for {:?}", self.file, self.begin);
        let (before, rest) = now.split_once(self.begin).ok_or_else(missing)?;
        let (_, after) = rest.split_once(self.end).ok_or_else(missing)?;
        let (begin, end) = (self.begin, self.end);
        let wanted = format!("{before}{begin}\n{}\n{end}{after}", (self.text)()?);
        Ok((now, wanted))
    }
}

/// The games that have champions: card, page, players and chance.
const GAMES: &[(&str, &str, &str)] = &[
    ("connect4", "[Connect Four](docs/games/connect4.md)", "2"),
    ("othello", "[Othello](docs/games/othello.md)", "2"),
    ("hex", "[Hex](docs/games/hex.md) 6 x 6", "2"),
    ("2048", "[2048](docs/games/2048.md)", "1, chance"),
    ("tictactoe", "[TicTacToe](docs/games/tictactoe.md)", "2"),
    ("nim", "[Nim](docs/games/nim.md)", "2"),
    ("nim3p", "[Nim](docs/games/nim.md) for three", "3"),
    ("nimm3", "[Nimm-3](docs/games/nimm3.md)", "2"),
];

/// The games, and what their champions reach without search, from their cards.
fn champions() -> Result<String, String> {
    let mut out = String::from("| game | players | its champion, without search |\n");
    out += "| --- | --- | --- |\n";
    for (card, game, players) in GAMES {
        let path = workspace().join(format!("crates/registry/champions/{card}.toml"));
        let text = fs::read_to_string(&path).map_err(|e| format!("{}: {e}", path.display()))?;
        let table: Table = text.parse().map_err(|e| format!("{}: {e}", path.display()))?;
        let first = table.get("results").and_then(|results| results.get(0)?.get("text")?.as_str());
        let result = first.ok_or_else(|| format!("{} has no result", path.display()))?;
        out += &format!("| {game} | {players} | {result} |\n");
    }
    Ok(out)
}

fn tables() -> Result<String, String> {
    let overview = table(
        "overview.csv",
        &["experiment", "about", "scale", "runs", "holds", "fails", "undecided"],
    )?;
    let beside =
        table("published.csv", &["experiment", "variant", "measure", "ours", "published"])?;
    Ok(format!(
        "{overview}\nOurs beside what was published, where the papers have numbers:\n\n{beside}"
    ))
}

/// These columns of a file as a table; experiments lead to their pages.
fn table(file: &str, columns: &[&str]) -> Result<String, String> {
    let path = workspace().join("docs/results").join(file);
    let text = fs::read_to_string(&path).map_err(|e| format!("{}: {e}", path.display()))?;
    let mut lines = text.lines().map(fields);
    let heading = lines.next().ok_or_else(|| format!("{file} is empty"))?;
    let place = |name: &&str| heading.iter().position(|known| known == name);
    let places: Option<Vec<usize>> = columns.iter().map(place).collect();
    let places = places.ok_or_else(|| format!("{file} lacks one of {columns:?}"))?;
    let mut out = format!("| {} |\n|{}\n", columns.join(" | "), " --- |".repeat(columns.len()));
    for line in lines {
        let cell = |&place: &usize| match (line.get(place), heading[place].as_str()) {
            (Some(name), "experiment") => format!("[{name}](results/{name}/summary.md)"),
            (text, _) => text.cloned().unwrap_or_default().replace('|', "\\|"),
        };
        let cells: Vec<String> = places.iter().map(cell).collect();
        out += &format!("| {} |\n", cells.join(" | "));
    }
    Ok(out)
}

/// The fields of a line; commas within quotes belong to the field.
fn fields(line: &str) -> Vec<String> {
    let (mut fields, mut quoted) = (vec![String::new()], false);
    let mut letters = line.chars().peekable();
    while let Some(letter) = letters.next() {
        let field = fields.last_mut().expect("there is always a last one");
        match letter {
            '"' if quoted && letters.peek() == Some(&'"') => {
                letters.next();
                field.push('"');
            }
            '"' => quoted = !quoted,
            ',' if !quoted => fields.push(String::new()),
            _ => field.push(letter),
        }
    }
    fields
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn quoted_fields_keep_their_commas() {
        assert_eq!(fields("a,\"b, c\",\"say \"\"d\"\"\",,e"), ["a", "b, c", "say \"d\"", "", "e"]);
    }

    #[test]
    fn the_pages_show_the_results_that_are_there() {
        check().unwrap();
    }
}
