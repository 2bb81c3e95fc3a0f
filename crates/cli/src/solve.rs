//! `ludens solve`: exact scores of every move.

mod answer;
mod book;

use crate::console::Console;
use crate::failure::Failure;
use crate::game_arg::GameArg;
use crate::progress::ProgressLine;
use crate::usage::whole;
use answer::{AnswerWriter, SolveAnswer};
use ludens_core::{Params, bounded_lines};
use ludens_registry::connect4::{
    BoundsTable, OpeningBook, Position, Solver, SolverPool, default_cache,
};
use std::io::{BufRead, BufReader};
use std::path::PathBuf;
use std::sync::Arc;
use std::time::Instant;

/// Solves positions: the exact score of every move, and how the game ends.
#[derive(clap::Args)]
#[command(after_help = "Examples:
  ludens solve connect4 --moves 444444 --line
  ludens solve connect4 --file positions.csv --csv > scores.csv
  echo 44455554221 | ludens solve connect4 - --json --stats
  ludens solve connect4 --build-book --plies 8 --out connect4-8.book

A score is 22 minus the stones the winner has on the board at the end, if both win as soon and lose
as late as they can: positive if the player to move wins, negative if it loses, 0 for a draw. A full
column has no score. Positions are the columns played, 1 to 7; files and streams have one on each
line, and text after a comma is ignored. Answers that took long to compute are cached in the folder
LUDENS_CACHE (default: ~/.cache/ludens); LUDENS_CACHE=off turns the cache off.")]
pub(crate) struct SolveArgs {
    #[command(flatten)]
    game: GameArg,

    /// The position after these moves, such as 4455; the empty board if there are none
    #[arg(long, value_name = "MOVES", conflicts_with_all = ["file", "stream", "build_book"])]
    moves: Option<String>,

    /// All positions of a file
    #[arg(long, value_name = "FILE", conflicts_with_all = ["stream", "build_book"])]
    file: Option<PathBuf>,

    /// The positions that come from the standard input, answered one by one
    #[arg(value_name = "-", value_parser = ["-"], conflicts_with = "build_book")]
    stream: Option<String>,

    #[command(flatten)]
    answers: answer::AnswerArgs,

    /// Size of the transposition table in MiB
    #[arg(long, value_name = "MIB", default_value_t = 128, value_parser = whole(1..=65_536))]
    table: u64,

    /// Moves solved in parallel
    #[arg(long, value_name = "T", default_value_t = 1, value_parser = whole(1..=1024))]
    threads: u64,

    /// Search openings too instead of looking them up
    #[arg(long, conflicts_with = "book")]
    no_book: bool,

    /// Look openings up in this book instead of the built-in one
    #[arg(long, value_name = "FILE", conflicts_with = "build_book")]
    book: Option<PathBuf>,

    /// Neither read nor write the cache on disk
    #[arg(long)]
    no_cache: bool,

    #[command(flatten)]
    build: book::BuildArgs,
}

/// Longer lines hold no position.
const LONGEST_LINE: usize = 1 << 20;

impl SolveArgs {
    pub(crate) fn run(self, out: &mut Console) -> Result<(), Failure> {
        check(&self.game.open()?.info().spec)?;
        if self.build.wanted() {
            return self.build.run(self.table, self.threads, out);
        }
        let mut pool = self.pool()?;
        let mut writer = AnswerWriter::new(&self.answers, out);
        if self.stream.is_some() {
            return self.answer_all(std::io::stdin().lock(), &mut pool, writer);
        }
        if let Some(path) = &self.file {
            let unreadable = |e| Failure::failed(format_args!("{}: {e}", path.display()));
            let file = std::fs::File::open(path).map_err(unreadable)?;
            return self.answer_all(BufReader::new(file), &mut pool, writer);
        }
        let moves = self.moves.as_deref().unwrap_or_default();
        let position = parse(moves).map_err(|e| Failure::impossible(format!("--moves: {e}")))?;
        writer.write(&self.answer(moves, position, &mut pool))?;
        writer.finish()
    }

    fn answer_all(
        &self,
        lines: impl BufRead,
        pool: &mut SolverPool,
        mut writer: AnswerWriter<'_>,
    ) -> Result<(), Failure> {
        for (number, line) in (1..).zip(bounded_lines(lines, LONGEST_LINE)) {
            let line = line.map_err(|e| Failure::failed(format_args!("cannot read: {e}")))?;
            let line = String::from_utf8_lossy(&line);
            let Some(moves) = moves_of(&line) else { continue };
            let position = parse(moves)
                .map_err(|e| Failure::impossible(format_args!("line {number}: {e}")))?;
            writer.write(&self.answer(moves, position, pool))?;
        }
        writer.finish()
    }

    fn answer(&self, moves: &str, position: Position, pool: &mut SolverPool) -> SolveAnswer {
        let progress = ProgressLine::new(format_args!("solving {moves:?}"));
        let (start, nodes) = (Instant::now(), pool.nodes());
        let scores = pool.move_scores(position);
        let (time, nodes) = (start.elapsed(), pool.nodes() - nodes);
        let line = self.answers.line.then(|| pool.first().principal_line(position));
        drop(progress);
        SolveAnswer { moves: moves.into(), stones: position.stones(), scores, time, nodes, line }
    }

    /// The book of openings: the one asked for, or the built-in one.
    fn opening_book(&self) -> Result<Option<OpeningBook>, Failure> {
        if self.no_book {
            return Ok(None);
        }
        if let Some(path) = &self.book {
            let refused = |e| Failure::impossible(format_args!("--book {}: {e}", path.display()));
            let hint = "--no-book searches openings instead";
            return OpeningBook::open(path).map(Some).map_err(|e| refused(e).with_hint(hint));
        }
        OpeningBook::embedded().map(Some).map_err(Failure::failed)
    }

    fn pool(&self) -> Result<SolverPool, Failure> {
        let no_memory = |e| Failure::failed(format_args!("{} MiB are too many: {e}", self.table));
        let table = Arc::new(BoundsTable::new((self.table as usize) << 20).map_err(no_memory)?);
        let book = self.opening_book()?.map(Arc::new);
        let solver = || {
            let mut solver = Solver::with_table(Arc::clone(&table)).map_err(no_memory)?;
            if let Some(book) = &book {
                solver.use_book(Ok(Arc::clone(book)));
            }
            if let Some(cache) = (!self.no_cache).then(default_cache).flatten() {
                solver.use_cache(cache);
            }
            Ok(solver)
        };
        let solvers = (0..self.threads).map(|_| solver()).collect::<Result<_, Failure>>()?;
        Ok(SolverPool::new(solvers))
    }
}

/// The moves on a line; none on empty lines, comments and the head of a table.
fn moves_of(line: &str) -> Option<&str> {
    let line = line.trim();
    if line.is_empty() || line.starts_with('#') || line.starts_with("moves") {
        return None;
    }
    Some(line.split(',').next().unwrap_or_default().trim())
}

fn parse(moves: &str) -> Result<Position, String> {
    Position::from_moves(moves).map_err(|e| e.to_string())
}

/// Checks that the game is Connect-4 on the standard board.
fn check(spec: &str) -> Result<(), Failure> {
    let params: Params = spec.parse()?;
    let usual = params.pairs.iter().all(|(key, _)| key == "cells");
    if params.name == "connect4" && usual {
        return Ok(());
    }
    let what = format!("expected connect4 on 7 columns and 6 rows, found {spec}");
    let hint = "`ludens analyze` tells what agents, such as perfect, think of other games";
    Err(Failure::impossible(what).with_hint(hint))
}
