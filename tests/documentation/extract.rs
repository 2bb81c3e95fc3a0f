//! Finds commands and their outputs in pages and in help texts.

/// A command that a document shows.
pub(crate) struct Shown {
    /// The page and line, or the help text.
    pub(crate) place: String,
    pub(crate) command: String,
    /// The output that stands below the command, in `console` blocks.
    output: Option<String>,
}

impl Shown {
    /// Compares what was printed with what the document shows, and returns the difference.
    pub(crate) fn compare(&self, printed: &str) -> Result<(), String> {
        let Some(expected) = &self.output else { return Ok(()) };
        let expected: Vec<&str> = expected.trim_end().lines().collect();
        let printed: Vec<&str> = printed.trim_end().lines().collect();
        if lines_match(&expected, &printed) {
            return Ok(());
        }
        Err(format!("shown:\n{}\nprinted:\n{}", expected.join("\n"), printed.join("\n")))
    }
}

/// Whether lines are as expected; the line `...` stands for any number of lines.
fn lines_match(expected: &[&str], printed: &[&str]) -> bool {
    match expected.split_first() {
        None => printed.is_empty(),
        Some((&"...", rest)) => (0..=printed.len()).any(|n| lines_match(rest, &printed[n..])),
        Some((first, rest)) => printed.split_first().is_some_and(|(line, others)| {
            line_matches(first.trim_end(), line.trim_end()) && lines_match(rest, others)
        }),
    }
}

/// Whether a line is as expected; `[..]` stands for any text.
fn line_matches(expected: &str, line: &str) -> bool {
    let Some((before, after)) = expected.split_once("[..]") else { return expected == line };
    let Some(rest) = line.strip_prefix(before) else { return false };
    let ends = rest.char_indices().map(|(at, _)| at).chain([rest.len()]);
    ends.into_iter().any(|at| line_matches(after, &rest[at..]))
}

/// A fenced block of a page: the line it begins at, its language and its lines.
struct Block<'a> {
    line: usize,
    language: &'a str,
    lines: Vec<&'a str>,
}

fn blocks(text: &str) -> Vec<Block<'_>> {
    let mut blocks: Vec<Block<'_>> = Vec::new();
    let mut inside = false;
    for (i, line) in text.lines().enumerate() {
        if let Some(language) = line.strip_prefix("```") {
            inside = !inside;
            if inside {
                blocks.push(Block { line: i + 1, language, lines: Vec::new() });
            }
        } else if let (true, Some(block)) = (inside, blocks.last_mut()) {
            block.lines.push(line);
        }
    }
    blocks
}

/// The commands of the `sh` and `console` blocks of a page.
pub(crate) fn commands_of_page(path: &str, text: &str) -> Vec<Shown> {
    let mut commands = Vec::new();
    for block in blocks(text) {
        let place = format!("{path}:{}", block.line);
        match block.language {
            "sh" => commands.extend(commands_of_script(&place, &block.lines)),
            "console" => commands.extend(commands_of_session(&place, &block.lines)),
            _ => {}
        }
    }
    commands
}

/// The commands of a block for the shell; a whole script is one command.
fn commands_of_script(place: &str, lines: &[&str]) -> Vec<Shown> {
    let shown = |command: String| Shown { place: place.into(), command, output: None };
    if lines.first().is_some_and(|line| line.starts_with("#!")) {
        return vec![shown(lines[0].into())];
    }
    let mut commands: Vec<String> = Vec::new();
    let mut unfinished = String::new();
    for line in lines {
        unfinished += without_comment(line);
        if let Some(begun) = unfinished.strip_suffix('\\') {
            unfinished = begun.trim_end().to_owned() + " ";
        } else if unfinished.matches('\'').count() % 2 == 1 {
            unfinished.push('\n');
        } else if !unfinished.is_empty() {
            commands.push(unfinished.split_off(0));
        }
    }
    commands.into_iter().map(shown).collect()
}

fn without_comment(line: &str) -> &str {
    line.split_once(" #").map_or(line, |(command, _)| command).trim()
}

/// The commands of a session, each with the lines up to the next.
fn commands_of_session(place: &str, lines: &[&str]) -> Vec<Shown> {
    let mut commands: Vec<Shown> = Vec::new();
    for line in lines {
        let unfinished = commands.last_mut().filter(|last| last.command.ends_with('\\'));
        if let Some(last) = unfinished {
            last.command.pop();
            last.command += line.trim();
        } else if let Some(command) = line.strip_prefix("$ ") {
            let output = Some(String::new());
            commands.push(Shown { place: place.into(), command: command.into(), output });
        } else if let Some(output) = commands.last_mut().and_then(|last| last.output.as_mut()) {
            *output += &format!("{line}\n");
        }
    }
    commands
}

/// The lines of blocks that are neither run nor in another language.
pub(crate) fn lines_of_plain_blocks(text: &str) -> Vec<&str> {
    let plain = |block: &Block<'_>| ["", "text", "bash", "shell"].contains(&block.language);
    blocks(text).into_iter().filter(plain).flat_map(|block| block.lines).collect()
}

/// The commands between backquotes outside of blocks, with values for their placeholders.
pub(crate) fn commands_in_sentences(text: &str) -> Vec<String> {
    let mut inside = false;
    let is_prose = |line: &&str| {
        let fence = line.starts_with("```");
        inside ^= fence;
        !inside && !fence
    };
    let prose: Vec<&str> = text.lines().filter(is_prose).collect();
    let prose = prose.join("\n");
    let paragraphs = prose.split("\n\n");
    let spans = paragraphs.flat_map(|paragraph| paragraph.split('`').skip(1).step_by(2));
    spans.filter(|span| span.starts_with("ludens ")).map(with_values).collect()
}

/// The command with values in place of placeholders; `ludens help train` is `ludens train`.
fn with_values(command: &str) -> String {
    let value = |word| match word {
        "GAME" => "tictactoe",
        "K" | "N" => "1",
        "S" => "smoke",
        "..." => "",
        _ => word,
    };
    let command = command.replace("ludens help", "ludens");
    command.split_whitespace().map(value).collect::<Vec<_>>().join(" ")
}

/// The names of subcommands in a help text.
pub(crate) fn subcommands(help: &str) -> Vec<String> {
    let list = help.lines().skip_while(|line| *line != "Commands:").skip(1);
    let list = list.take_while(|line| !line.is_empty());
    let name = |line: &str| line.strip_prefix("  ")?.split(' ').next().map(str::to_owned);
    list.filter_map(name).filter(|name| !name.is_empty() && name != "help").collect()
}

/// The examples of a help text; what follows three blanks explains them.
pub(crate) fn examples_of_help(place: &str, help: &str) -> Vec<Shown> {
    let list = help.lines().skip_while(|line| *line != "Examples:").skip(1);
    let list = list.take_while(|line| !line.is_empty());
    let command = |line: &str| line.trim().split("   ").next().unwrap_or_default().to_owned();
    let shown = |line| Shown { place: place.into(), command: command(line), output: None };
    list.map(shown).collect()
}

#[test]
fn outputs_may_have_wildcards() {
    let shown = |output: &str| Shown {
        place: String::new(),
        command: String::new(),
        output: Some(output.into()),
    };
    assert!(shown("a [..] c\n...\nz").compare("a b c\nx\ny\nz\n").is_ok());
    assert!(shown("a [..] c").compare("a b d\n").is_err());
    assert!(shown("a").compare("a\nb\n").is_err());
}

#[test]
fn comments_and_broken_lines_are_understood() {
    let page =
        "```sh\na 1   # one\nb \\\n  2\nc 'x\ny'\n```\n```console\n$ d\nout\n$ e \\\n  3\n```\n";
    let commands: Vec<String> =
        commands_of_page("page", page).into_iter().map(|one| one.command).collect();
    assert_eq!(commands, ["a 1", "b 2", "c 'x\ny'", "d", "e 3"]);
}
