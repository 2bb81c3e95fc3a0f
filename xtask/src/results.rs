//! `cargo xtask results`: the tables of results in README.md, from the data in docs/results.

use crate::command::workspace;
use std::fs;

pub(crate) const ABOUT: &str = "writes the result tables of README.md from docs/results";

/// The description of the step of `cargo xtask test`.
pub(crate) const CHECKED: &str = "the result tables of README.md are those of docs/results";

const BEGIN: &str = "<!-- results: written by `cargo xtask results` -->\n";
const END: &str = "<!-- end of results -->\n";

pub(crate) fn run(_: &[String]) -> Result<(), String> {
    let (path, text) = readme()?;
    fs::write(&path, with_tables(&text)?).map_err(|e| format!("{path}: {e}"))
}

/// Refuses a README whose tables are not those of the data.
pub(crate) fn check() -> Result<(), String> {
    let (_, text) = readme()?;
    match with_tables(&text)? == text {
        true => Ok(()),
        false => Err("README.md has other results than docs/results; cargo xtask results".into()),
    }
}

fn readme() -> Result<(String, String), String> {
    let path = workspace().join("README.md").display().to_string();
    let text = fs::read_to_string(&path).map_err(|e| format!("{path}: {e}"))?;
    Ok((path, text))
}

/// The text with the tables between the marks.
fn with_tables(text: &str) -> Result<String, String> {
    let missing = || "README.md has no place for results".to_owned();
    let (before, rest) = text.split_once(BEGIN).ok_or_else(missing)?;
    let (_, after) = rest.split_once(END).ok_or_else(missing)?;
    Ok(format!("{before}{BEGIN}\n{}\n{END}{after}", tables()?))
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
            (Some(name), "experiment") => format!("[{name}](docs/results/{name}/summary.md)"),
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
    fn the_readme_shows_the_results_that_are_there() {
        check().unwrap();
    }
}
