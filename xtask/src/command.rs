//! Programs that chores start.

use std::path::PathBuf;
use std::process::{Command, Stdio};

/// A program to run in the workspace's folder, and how a person would type it.
pub(crate) struct Program {
    command: Command,
    typed: String,
}

impl Program {
    /// The words of `line`, split at blanks.
    pub(crate) fn new(line: &str) -> Program {
        let mut words = line.split_whitespace();
        let mut command = Command::new(words.next().expect("a program has a name"));
        command.args(words).current_dir(workspace()).stdin(Stdio::null());
        Program { command, typed: line.into() }
    }

    /// The same with one more argument, which may contain blanks.
    pub(crate) fn arg(mut self, arg: &str) -> Program {
        self.command.arg(arg);
        self.typed = format!("{} {arg}", self.typed);
        self
    }

    /// The same with these further arguments, split at blanks outside of single quotes.
    pub(crate) fn words(mut self, words: &str) -> Program {
        self.command.args(split(words));
        self.typed = format!("{} {words}", self.typed);
        self
    }

    /// The same with a variable in its environment.
    pub(crate) fn env(mut self, key: &str, value: &str) -> Program {
        self.command.env(key, value);
        self.typed = format!("{key}={value:?} {}", self.typed);
        self
    }

    /// The same without a variable that the caller may have set.
    pub(crate) fn without(mut self, key: &str) -> Program {
        self.command.env_remove(key);
        self
    }

    /// Runs it and shows what it says.
    ///
    /// The error names the command to run again.
    pub(crate) fn run(mut self) -> Result<(), String> {
        let status = self.command.status().map_err(|e| format!("{}: {e}", self.typed))?;
        if status.success() { Ok(()) } else { Err(format!("{status}; again: {}", self.typed)) }
    }

    /// Runs it and returns what it says on its standard output.
    pub(crate) fn output(mut self) -> Result<String, String> {
        self.command.stderr(Stdio::inherit());
        let output = self.command.output().map_err(|e| format!("{}: {e}", self.typed))?;
        if !output.status.success() {
            return Err(format!("{}; again: {}", output.status, self.typed));
        }
        String::from_utf8(output.stdout).map_err(|e| format!("{}: {e}", self.typed))
    }

    /// Whether the program succeeds; discards its output.
    pub(crate) fn succeeds(mut self) -> bool {
        let quiet = self.command.stdout(Stdio::null()).stderr(Stdio::null());
        quiet.status().is_ok_and(|status| status.success())
    }
}

/// The words of a line as a shell splits them, where single quotes enclose whole words.
fn split(line: &str) -> Vec<&str> {
    let mut words = Vec::new();
    for (i, part) in line.split('\'').enumerate() {
        match i % 2 {
            0 => words.extend(part.split_whitespace()),
            _ => words.push(part),
        }
    }
    words
}

/// The folder of the workspace.
pub(crate) fn workspace() -> PathBuf {
    let here = PathBuf::from(env!("CARGO_MANIFEST_DIR"));
    here.parent().expect("xtask is a folder of the workspace").into()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn quoted_words_stay_whole_and_lose_their_quotes() {
        assert_eq!(split("a --set 'b={c = 1}' d"), ["a", "--set", "b={c = 1}", "d"]);
    }
}
