//! Solved positions as table, CSV or JSON.

use crate::console::Console;
use crate::failure::Failure;
use crate::text_table::TextTable;
use crate::words;
use ludens_registry::connect4::{MoveScores, WIDTH, final_stones};
use serde::Serialize;
use std::io::Write;
use std::time::Duration;

/// What is told about each position, and how.
#[derive(clap::Args)]
pub(crate) struct AnswerArgs {
    /// Print comma-separated values: moves,s1,...,s7
    #[arg(long, conflicts_with = "json")]
    csv: bool,

    /// Print one JSON object for each position, on a line of its own
    #[arg(long)]
    json: bool,

    /// Also print how many positions were searched, and the time
    #[arg(long)]
    stats: bool,

    /// Also print the best moves of both players to the end of the game
    #[arg(long)]
    pub(super) line: bool,
}

/// The form of the answers.
enum AnswerFormat {
    /// For people; written when all is known, since columns line up.
    Table(TextTable),
    /// A line for each position, written immediately.
    Csv,
    /// The same.
    Json,
}

/// The solution of one position.
pub(super) struct SolveAnswer {
    pub(super) moves: String,
    pub(super) stones: usize,
    pub(super) scores: MoveScores,
    pub(super) nodes: u64,
    pub(super) time: Duration,
    pub(super) line: Option<Vec<usize>>,
}

/// The JSON form of an answer.
#[derive(Serialize)]
struct SolveDocument<'a> {
    moves: &'a str,
    player: usize,
    score: Option<i8>,
    scores: MoveScores,
    #[serde(skip_serializing_if = "Option::is_none")]
    line: Option<String>,
    #[serde(skip_serializing_if = "Option::is_none")]
    nodes: Option<u64>,
    #[serde(skip_serializing_if = "Option::is_none")]
    seconds: Option<f64>,
}

/// Writes answers.
pub(super) struct AnswerWriter<'a> {
    arguments: &'a AnswerArgs,
    format: AnswerFormat,
    out: &'a mut Console,
    begun: bool,
}

impl<'a> AnswerWriter<'a> {
    pub(super) fn new(arguments: &'a AnswerArgs, out: &'a mut Console) -> AnswerWriter<'a> {
        let format = match arguments {
            AnswerArgs { csv: true, .. } => AnswerFormat::Csv,
            AnswerArgs { json: true, .. } => AnswerFormat::Json,
            _ => AnswerFormat::Table(TextTable::new(&arguments.head())),
        };
        AnswerWriter { arguments, format, out, begun: false }
    }

    /// Writes an answer; immediately, unless it is a row of a table.
    pub(super) fn write(&mut self, answer: &SolveAnswer) -> Result<(), Failure> {
        let first = !std::mem::replace(&mut self.begun, true);
        match &mut self.format {
            AnswerFormat::Table(table) => table.row(self.arguments.row(answer)),
            AnswerFormat::Csv => {
                if first {
                    writeln!(self.out, "{}", self.arguments.csv_head())?;
                }
                writeln!(self.out, "{}", self.arguments.csv(answer))?;
                self.out.flush()?;
            }
            AnswerFormat::Json => {
                let line = serde_json::to_string(&self.arguments.document(answer));
                writeln!(self.out, "{}", line.map_err(Failure::failed)?)?;
                self.out.flush()?;
            }
        }
        Ok(())
    }

    /// Writes the table, if it is one.
    pub(super) fn finish(self) -> Result<(), Failure> {
        match self.format {
            AnswerFormat::Table(table) => table.write(self.out),
            AnswerFormat::Csv | AnswerFormat::Json => Ok(()),
        }
    }
}

impl AnswerArgs {
    fn head(&self) -> Vec<&'static str> {
        let mut head = vec!["moves", ">1", ">2", ">3", ">4", ">5", ">6", ">7", "result"];
        if self.stats {
            head.extend([">nodes", ">time"]);
        }
        if self.line {
            head.push("line");
        }
        head
    }

    fn row(&self, answer: &SolveAnswer) -> Vec<String> {
        let score = |score: &Option<i8>| score.map_or("-".into(), |score| score.to_string());
        let mut row = vec![answer.moves.clone()];
        row.extend(answer.scores.iter().map(score));
        row.push(answer.result());
        if self.stats {
            row.extend([answer.nodes.to_string(), words::time(answer.time)]);
        }
        row.extend(answer.line_text());
        row
    }

    fn csv_head(&self) -> String {
        let scores: Vec<String> = (1..=WIDTH).map(|column| format!("s{column}")).collect();
        let stats = if self.stats { ",nodes,seconds" } else { "" };
        let line = if self.line { ",line" } else { "" };
        format!("moves,{}{stats}{line}", scores.join(","))
    }

    fn csv(&self, answer: &SolveAnswer) -> String {
        let score = |score: &Option<i8>| score.map_or(String::new(), |score| score.to_string());
        let mut cells = vec![answer.moves.clone()];
        cells.extend(answer.scores.iter().map(score));
        if self.stats {
            cells.extend([answer.nodes.to_string(), format!("{:.6}", answer.time.as_secs_f64())]);
        }
        cells.extend(answer.line_text());
        cells.join(",")
    }

    fn document<'a>(&self, answer: &'a SolveAnswer) -> SolveDocument<'a> {
        SolveDocument {
            moves: &answer.moves,
            player: 1 + answer.stones % 2,
            score: answer.score(),
            scores: answer.scores,
            line: answer.line_text(),
            nodes: self.stats.then_some(answer.nodes),
            seconds: self.stats.then_some(answer.time.as_secs_f64()),
        }
    }
}

impl SolveAnswer {
    fn score(&self) -> Option<i8> {
        self.scores.iter().flatten().copied().max()
    }

    /// The winner and the number of stones, in words.
    fn result(&self) -> String {
        let mover = self.stones % 2;
        match self.score() {
            None => "the board is full".into(),
            Some(0) => "draw".into(),
            Some(score) => {
                let winner = if score > 0 { mover } else { 1 - mover } + 1;
                let stone = final_stones(score, self.stones);
                format!("player {winner} wins with stone {stone}")
            }
        }
    }

    fn line_text(&self) -> Option<String> {
        let text = |line: &Vec<usize>| line.iter().map(|column| (column + 1).to_string()).collect();
        self.line.as_ref().map(text)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn answer(stones: usize, scores: MoveScores) -> SolveAnswer {
        let (nodes, time) = (7, Duration::from_millis(2));
        SolveAnswer { moves: "44".into(), stones, scores, nodes, time, line: Some(vec![3, 0]) }
    }

    #[test]
    fn a_full_column_is_an_empty_cell() {
        let scores = [Some(1), None, Some(-21), Some(0), Some(18), Some(2), None];
        let all = AnswerArgs { csv: true, json: false, stats: true, line: true };
        assert_eq!(all.csv_head(), "moves,s1,s2,s3,s4,s5,s6,s7,nodes,seconds,line");
        assert_eq!(all.csv(&answer(2, scores)), "44,1,,-21,0,18,2,,7,0.002000,41");
        let few = AnswerArgs { csv: false, json: true, stats: false, line: false };
        let json = serde_json::to_string(&few.document(&answer(2, scores))).unwrap();
        assert!(json.contains("\"scores\":[1,null,-21,0,18,2,null]") && !json.contains("nodes"));
    }

    #[test]
    fn results_are_told_in_words() {
        let result =
            |stones, best| answer(stones, [Some(best), None, None, None, None, None, None]);
        assert_eq!(result(6, 18).result(), "player 1 wins with stone 7");
        assert_eq!(result(7, -1).result(), "player 1 wins with stone 41");
        assert_eq!(result(8, 0).result(), "draw");
        assert_eq!(answer(42, [None; WIDTH]).result(), "the board is full");
    }
}
