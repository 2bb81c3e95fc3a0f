//! Responses to command lines that request help or are invalid.

use crate::Cli;
use crate::failure::Failure;
use clap::CommandFactory;
use clap::error::{Error, ErrorKind};
use ludens_core::parse_count;
use std::ops::RangeInclusive;
use std::process::ExitCode;

/// Prints help if requested; otherwise prints the error in one line, and a hint.
pub(crate) fn answer(answer: &Error) -> ExitCode {
    let helps = matches!(
        answer.kind(),
        ErrorKind::DisplayHelp
            | ErrorKind::DisplayVersion
            | ErrorKind::DisplayHelpOnMissingArgumentOrSubcommand
    );
    if helps {
        // A closed pipe while printing help is no failure.
        let _ = answer.print();
        return ExitCode::from(if answer.use_stderr() { 2 } else { 0 });
    }
    let (what, hint) = shortened(&answer.to_string());
    let help = || {
        let is_command = |name: &String| Cli::command().find_subcommand(name).is_some();
        let named = crate::typed().into_iter().nth(1).filter(is_command);
        let command = named.map_or("ludens".into(), |name| format!("ludens {name}"));
        format!("`{command} --help` tells what can be given")
    };
    Failure::impossible(what).with_hint(hint.unwrap_or_else(help)).report()
}

/// The error, and a tip or else the usage, from the paragraphs of clap's message.
fn shortened(message: &str) -> (String, Option<String>) {
    let mut paragraphs = message.split("\n\n").map(joined);
    let what = paragraphs.next().unwrap_or_default();
    let advice: Vec<String> = paragraphs.collect();
    let find = |start| advice.iter().find_map(|text: &String| text.strip_prefix(start));
    let usage = || find("Usage: ").map(|usage| format!("usage: {usage}"));
    // No option of ours takes other options as values.
    let tip = find("tip: ").filter(|tip| !tip.starts_with("to pass"));
    (what.trim_start_matches("error: ").into(), tip.map(Into::into).or_else(usage))
}

/// Reads whole numbers within `range`, such as `5000`, `100k`, `2M` or `1e5`.
pub(crate) fn whole(range: RangeInclusive<u64>) -> impl Fn(&str) -> Result<u64, String> + Clone {
    move |text| {
        let number = parse_count(text).filter(|number| range.contains(number));
        let (from, to) = (range.start(), range.end());
        number.ok_or_else(|| match range.end() {
            &u64::MAX => format!("expected a whole number from {from}"),
            _ => format!("expected a whole number from {from} to {to}"),
        })
    }
}

fn joined(paragraph: &str) -> String {
    paragraph.lines().map(str::trim).collect::<Vec<_>>().join(" ")
}

#[cfg(test)]
mod tests {
    use super::*;
    use clap::Parser;

    fn message_and_hint(arguments: &str) -> (String, Option<String>) {
        let error = Cli::try_parse_from(arguments.split(' ')).err().unwrap();
        shortened(&error.to_string())
    }

    #[test]
    fn mistakes_are_told_in_one_line_and_a_hint() {
        assert_eq!(
            message_and_hint("ludens perfft"),
            (
                "unrecognized subcommand 'perfft'".into(),
                Some("a similar subcommand exists: 'perft'".into())
            )
        );
        assert_eq!(
            message_and_hint("ludens perft tictactoe"),
            (
                "the following required arguments were not provided: <DEPTH>".into(),
                Some("usage: ludens perft <GAME> <DEPTH>".into())
            )
        );
    }
}
