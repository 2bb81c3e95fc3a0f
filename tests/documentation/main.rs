//! Every command that the documentation shows is run, and its output compared.
//!
//! Commands come from the `sh` and `console` blocks of README.md and docs, and from the examples of
//! `--help`. They run in order in a folder of their own, unless `exceptions.rs` says otherwise.
//! Commands inside sentences are only parsed.

#![cfg(unix)]
#![allow(clippy::unwrap_used)]

mod exceptions;
mod extract;
mod shell;

use exceptions::Treatment;
use extract::Shown;
use shell::Shell;
use std::collections::BTreeSet;
use std::fs;
use std::path::Path;

/// Programs that an example may start without a word in the table of exceptions.
const PROGRAMS: [&str; 4] = ["ludens", "echo", "printf", "python3"];

/// The pages that experiments write.
const RESULTS: &str = "docs/results";

/// The README and the pages below docs: their paths and texts.
fn pages() -> Vec<(String, String)> {
    let mut paths = vec!["README.md".to_owned()];
    collect_pages(Path::new("docs"), &mut paths);
    paths.sort();
    let read = |path: String| {
        let text = fs::read_to_string(&path).unwrap();
        (path, text)
    };
    paths.into_iter().map(read).collect()
}

fn collect_pages(folder: &Path, paths: &mut Vec<String>) {
    for entry in fs::read_dir(folder).unwrap() {
        let path = entry.unwrap().path();
        if path.is_dir() {
            collect_pages(&path, paths);
        } else if path.extension().is_some_and(|ending| ending == "md") {
            paths.push(path.to_str().unwrap().into());
        }
    }
}

/// The help of `ludens` and of every subcommand: what is typed to see it, and the text.
fn help_texts() -> Vec<(String, String)> {
    let mut texts = Vec::new();
    collect_help(&Shell::new("help-texts"), "ludens", &mut texts);
    texts
}

fn collect_help(shell: &Shell, command: &str, texts: &mut Vec<(String, String)>) {
    let text = shell.output(&format!("{command} --help")).unwrap();
    let subcommands = extract::subcommands(&text);
    texts.push((format!("{command} --help"), text));
    for name in subcommands {
        collect_help(shell, &format!("{command} {name}"), texts);
    }
}

/// Runs what is shown, and tells what went wrong.
fn failure_of(shell: &Shell, shown: &Shown) -> Option<String> {
    let typed = shown.command.as_str();
    let outcome = match exceptions::find(typed) {
        None if !may_run(typed) => Err("the table of exceptions must say what to do".into()),
        None => shell.output(typed),
        Some(Treatment::Instead(shorter)) => shell.output(shorter),
        Some(Treatment::Server(shorter)) => shell.serve(shorter),
        Some(Treatment::Parsed(_)) => shell.output(&format!("{typed} --help")),
        Some(Treatment::Skipped(_)) => return None,
    };
    let checked = outcome.and_then(|printed| shown.compare(&printed));
    checked.err().map(|reason| format!("{}: {typed}\n{reason}", shown.place))
}

fn may_run(typed: &str) -> bool {
    typed.split_whitespace().next().is_some_and(|program| PROGRAMS.contains(&program))
}

fn check(shell: &Shell, commands: &[Shown]) {
    assert!(!commands.is_empty());
    let failures: Vec<_> = commands.iter().filter_map(|one| failure_of(shell, one)).collect();
    assert!(failures.is_empty(), "{}", failures.join("\n\n"));
}

#[test]
fn commands_of_the_pages_run() {
    let by_hand = |(path, _): &(String, String)| !path.starts_with(RESULTS);
    for (path, text) in pages().into_iter().filter(by_hand) {
        let commands = extract::commands_of_page(&path, &text);
        if !commands.is_empty() {
            check(&Shell::new(&path.replace('/', "-")), &commands);
        }
    }
}

#[test]
fn commands_of_published_results_run_at_the_smallest_scale() {
    let published = pages().into_iter().filter(|(path, _)| path.starts_with(RESULTS));
    let mut commands: Vec<Shown> =
        published.flat_map(|(path, text)| extract::commands_of_page(&path, &text)).collect();
    for shown in &mut commands {
        for scale in ["--scale quick", "--scale full"] {
            shown.command = shown.command.replace(scale, "--scale smoke");
        }
    }
    check(&Shell::new("results"), &commands);
}

#[test]
fn examples_of_the_help_run() {
    let examples = help_texts().into_iter();
    let commands: Vec<Shown> =
        examples.flat_map(|(place, text)| extract::examples_of_help(&place, &text)).collect();
    check(&Shell::new("help"), &commands);
}

#[test]
fn commands_inside_sentences_parse() {
    let shell = Shell::new("sentences");
    let mut failures = Vec::new();
    for (place, text) in pages().into_iter().chain(help_texts()) {
        for command in extract::commands_in_sentences(&text) {
            if let Err(reason) = shell.output(&format!("{command} --help")) {
                failures.push(format!("{place}: {command}\n{reason}"));
            }
        }
    }
    assert!(failures.is_empty(), "{}", failures.join("\n\n"));
}

#[test]
fn commands_stand_in_blocks_that_are_run() {
    for (path, text) in pages() {
        for line in extract::lines_of_plain_blocks(&text) {
            let is_typed = line.starts_with("$ ") || line.starts_with("ludens ");
            let is_run = is_typed || line.contains("| ludens ");
            assert!(!is_run, "{path}: make it a `sh` or `console` block: {line}");
        }
    }
}

#[test]
fn every_exception_is_about_a_command_that_is_shown() {
    let of_pages = pages().into_iter().flat_map(|(at, text)| extract::commands_of_page(&at, &text));
    let of_help =
        help_texts().into_iter().flat_map(|(at, text)| extract::examples_of_help(&at, &text));
    let shown: BTreeSet<String> = of_pages.chain(of_help).map(|one| one.command).collect();
    for (command, _) in exceptions::EXCEPTIONS {
        assert!(shown.contains(*command), "nobody shows `{command}`");
    }
}
