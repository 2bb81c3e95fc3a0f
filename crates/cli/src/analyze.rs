//! `ludens analyze`: questions in, answers out, each one line of JSON.

mod answer;
mod opened;
mod question;

use crate::agent_arg::agent_text;
use crate::console::Console;
use crate::failure::Failure;
use crate::usage::whole;
use ludens_core::bounded_lines;
use opened::OpenedAgents;
use question::QueryDefaults;
use std::io::Write;
use std::sync::Mutex;
use std::sync::mpsc::{Receiver, Sender, SyncSender, channel, sync_channel};

/// Analyses positions for other programs, in lines of JSON.
#[derive(clap::Args)]
#[command(after_help = "Examples:
  ludens analyze --agent mcts:iterations=5000 --threads 2 < questions.jsonl > answers.jsonl
  echo '{\"id\":\"a\",\"moves\":\"b2 a1\"}' | ludens analyze --game tictactoe --agent perfect

A question is a JSON object on one line. Its fields: id (any text or number), game, state (default:
the start), moves (a text or a list), agent, limits (iterations, depth, or time in seconds), line
(the longest expected line to print) and seed. Only game is required, unless --game names it.

An answer has the same id, the state, the player to move, the best move, the value of every legal
move (and its visits, if the agent counts them), and the expected line. If a question is invalid,
the answer has its id, the error, and the wrong field. Answers come in the order of the questions;
with several threads, as soon as they are found.")]
pub(crate) struct AnalyzeArgs {
    /// The game of questions that name none
    #[arg(long, value_name = "GAME")]
    game: Option<String>,

    /// The agent of questions that name none
    #[arg(long, value_name = "AGENT", value_parser = agent_text(), default_value = "mcts")]
    agent: String,

    /// Questions answered in parallel
    #[arg(long, value_name = "T", default_value_t = 1, value_parser = whole(1..=1024))]
    threads: u64,
}

/// Longer lines hold no question.
const LONGEST_LINE: usize = 16 << 20;

impl AnalyzeArgs {
    pub(crate) fn run(self, out: &mut Console) -> Result<(), Failure> {
        let defaults = QueryDefaults { game: self.game, agent: self.agent };
        let threads = self.threads as usize;
        let (queries, pending) = sync_channel::<String>(threads);
        let (replies, results) = channel::<String>();
        let (errors, ended) = channel();
        let pending = Mutex::new(pending);
        std::thread::scope(|scope| {
            for _ in 0..threads {
                let replies = replies.clone();
                scope.spawn(|| answer_all(&pending, &defaults, replies));
            }
            drop(replies);
            // Not scoped: no thread has to wait for a reader of unread input.
            std::thread::spawn(move || errors.send(read_all(&queries)));
            write_all(&results, out)
        })?;
        // Nobody has read to the end if the answers ended before.
        let read = ended.try_recv().unwrap_or(Ok(()));
        read.map_err(|e| Failure::failed(format_args!("cannot read: {e}")))
    }
}

fn read_all(queries: &SyncSender<String>) -> std::io::Result<()> {
    for line in bounded_lines(std::io::stdin().lock(), LONGEST_LINE) {
        let line = String::from_utf8_lossy(&line?).trim().to_owned();
        if !line.is_empty() && queries.send(line).is_err() {
            break;
        }
    }
    Ok(())
}

fn answer_all(
    pending: &Mutex<Receiver<String>>,
    defaults: &QueryDefaults,
    replies: Sender<String>,
) {
    let mut opened = OpenedAgents::default();
    loop {
        let next = pending.lock().expect("nobody panics while waiting").recv();
        let Ok(line) = next else { return };
        if replies.send(answer::answer(&line, defaults, &mut opened)).is_err() {
            return;
        }
    }
}

fn write_all(results: &Receiver<String>, out: &mut Console) -> Result<(), Failure> {
    for answer in results {
        writeln!(out, "{answer}")?;
        out.flush()?;
    }
    Ok(())
}

/// Reads a question and sets up its position, unless its agent would start or read something.
#[cfg(fuzzing)]
pub(crate) fn check_query(line: &str) {
    let defaults = QueryDefaults { game: Some("tictactoe".into()), agent: "random".into() };
    let Ok(query) = question::AnalysisQuery::parse(line) else { return };
    if query.agent(&defaults).is_ok_and(|agent| !ludens_registry::accesses_system(&agent)) {
        let _ = query.position(&defaults);
    }
}
