//! A child process that answers line by line, and never outlives us.

use super::group::ProcessGroup;
use ludens_core::{Cancellation, Forfeit};
use std::io::{BufRead, BufReader, Read, Write};
use std::path::{Path, PathBuf};
use std::process::{Command, Stdio};
use std::sync::mpsc::{Receiver, RecvTimeoutError, SyncSender, sync_channel};
use std::time::{Duration, Instant};

/// A running engine. Dropping it ends the process.
pub(super) struct Process {
    command: String,
    timeout: Duration,
    group: ProcessGroup,
    answers: Receiver<String>,
    errors: Receiver<String>,
}

/// Longest line that is read; what is beyond counts as a line of its own.
const LONGEST_LINE: u64 = 1 << 16;

/// Longest answer, in bytes.
const LONGEST_ANSWER: usize = 1 << 20;

/// The time between two looks whether the answer is still wanted.
const CANCELLATION_CHECK: Duration = Duration::from_millis(50);

/// The folder of games on Debian, which is not on every path.
const GAMES: &str = "/usr/games";

impl Process {
    pub(super) fn start(command: &str, timeout: Duration) -> Result<Process, Forfeit> {
        let words = words(command);
        let Some((program, options)) = words.split_first() else {
            return Err(Forfeit("expected command=..., such as gtp:command=gtp-rhino".into()));
        };
        let mut engine = Command::new(find(program));
        engine.args(options);
        engine.stdin(Stdio::piped()).stdout(Stdio::piped()).stderr(Stdio::piped());
        let spawned = ProcessGroup::spawn(&mut engine);
        let mut group =
            spawned.map_err(|error| Forfeit(format!("`{command}` does not start: {error}")))?;
        let answers = listen(group.leader.stdout.take().expect("it is piped"), SyncSender::send);
        // The error output matters only after a failure; lines beyond the capacity are dropped.
        let keep = |to: &SyncSender<String>, line| {
            let _ = to.try_send(line);
            Ok(())
        };
        let errors = listen(group.leader.stderr.take().expect("it is piped"), keep);
        Ok(Process { command: command.into(), timeout, group, answers, errors })
    }

    /// Sends a command and returns the answer, which must not be a refusal.
    pub(super) fn expect(&mut self, command: &str) -> Result<String, Forfeit> {
        let answer = self.ask(command)?;
        answer.map_err(|reason| self.forfeit(&format!("refuses `{command}`: {reason}")))
    }

    /// Sends a command and returns the answer, or the reason why the command is refused.
    pub(super) fn ask(&mut self, command: &str) -> Result<Result<String, String>, Forfeit> {
        self.send(command)?;
        let deadline = Instant::now() + self.timeout;
        let mut answer = loop {
            let line = self.line(command, deadline)?;
            if line.starts_with(['=', '?']) {
                break line;
            }
        };
        loop {
            let line = self.line(command, deadline)?;
            if line.trim().is_empty() {
                break;
            }
            if answer.len() + line.len() > LONGEST_ANSWER {
                let what = format!("answers `{command}` with more than {LONGEST_ANSWER} bytes");
                return Err(self.forfeit(&what));
            }
            answer.push('\n');
            answer.push_str(&line);
        }
        let refused = answer.starts_with('?');
        let answer = answer[1..].trim_start_matches(|c: char| c.is_ascii_digit()).trim();
        Ok(if refused { Err(answer.to_owned()) } else { Ok(answer.to_owned()) })
    }

    /// Says what is wrong with the engine.
    pub(super) fn forfeit(&self, what: &str) -> Forfeit {
        Forfeit(format!("`{}` {what}", self.command))
    }

    fn send(&mut self, command: &str) -> Result<(), Forfeit> {
        let input = self.group.leader.stdin.as_mut().expect("it is piped");
        let sent = input.write_all(format!("{command}\n").as_bytes()).and_then(|()| input.flush());
        sent.map_err(|_| self.ended(command))
    }

    fn line(&mut self, command: &str, deadline: Instant) -> Result<String, Forfeit> {
        loop {
            let left = deadline.saturating_duration_since(Instant::now());
            match self.answers.recv_timeout(left.min(CANCELLATION_CHECK)) {
                Ok(line) => return Ok(line),
                Err(RecvTimeoutError::Disconnected) => return Err(self.ended(command)),
                Err(RecvTimeoutError::Timeout) if left.is_zero() => {
                    let seconds = self.timeout.as_secs_f64();
                    let what = format!("gives no answer to `{command}` within {seconds} s");
                    return Err(self.forfeit(&what));
                }
                Err(RecvTimeoutError::Timeout) => Cancellation::check()?,
            }
        }
    }

    fn ended(&mut self, command: &str) -> Forfeit {
        let status = self.group.end().map_or_else(|e| e.to_string(), |status| status.to_string());
        let said = self.errors.recv_timeout(Duration::from_millis(100)).ok();
        let said = said.into_iter().chain(self.errors.try_iter()).last();
        let said = said.map(|line| format!(": {line}")).unwrap_or_default();
        self.forfeit(&format!("ended at `{command}` ({status}){said}"))
    }
}

/// Forwards the lines of `from` until it ends or the receiver is dropped.
fn listen<R: Read + Send + 'static>(
    from: R,
    hand_on: fn(&SyncSender<String>, String) -> Result<(), std::sync::mpsc::SendError<String>>,
) -> Receiver<String> {
    let (to, lines) = sync_channel(64);
    std::thread::spawn(move || {
        let mut from = BufReader::new(from);
        let mut line = Vec::new();
        while let Ok(1..) = from.by_ref().take(LONGEST_LINE).read_until(b'\n', &mut line) {
            let text = String::from_utf8_lossy(&line).trim_end().to_owned();
            if hand_on(&to, text).is_err() {
                return;
            }
            line.clear();
        }
    });
    lines
}

/// Splits a command into words; quotes keep words together.
fn words(command: &str) -> Vec<String> {
    let (mut words, mut quote, mut word) = (Vec::new(), None, None::<String>);
    for letter in command.chars() {
        match quote {
            Some(open) if open == letter => quote = None,
            None if letter == '"' || letter == '\'' => {
                quote = Some(letter);
                word.get_or_insert_default();
            }
            None if letter.is_whitespace() => words.extend(word.take()),
            _ => word.get_or_insert_default().push(letter),
        }
    }
    words.extend(word);
    words
}

/// The program itself, or the one of this name among the games of the system.
fn find(program: &str) -> PathBuf {
    let is_there = |folder: PathBuf| folder.join(program).is_file();
    let path = std::env::var_os("PATH").unwrap_or_default();
    let among_games = Path::new(GAMES).join(program);
    let on_path = program.contains('/') || std::env::split_paths(&path).any(is_there);
    if !on_path && among_games.is_file() { among_games } else { program.into() }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn quotes_keep_words_together() {
        assert_eq!(words("engine --level 3"), ["engine", "--level", "3"]);
        assert_eq!(words(r#" 'my engine' -x "a 'b'" '' "#), ["my engine", "-x", "a 'b'", ""]);
    }
}
