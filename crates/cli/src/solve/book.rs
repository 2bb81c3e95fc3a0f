//! `ludens solve --build-book`: all openings, once and for all.

use crate::console::Console;
use crate::failure::Failure;
use crate::progress::ProgressLine;
use crate::usage::whole;
use crate::words;
use ludens_registry::connect4::{BOOK_STONES, BuildBook};
use std::io::Write;
use std::path::PathBuf;
use std::sync::Mutex;
use std::time::Instant;

/// What book is built.
#[derive(clap::Args)]
pub(crate) struct BuildArgs {
    /// Solve every opening and write a book; it can be stopped and continued at any time
    #[arg(long)]
    build_book: bool,

    /// How many stones the openings of the book have
    #[arg(long, value_name = "N", default_value_t = BOOK_STONES as u64, requires = "build_book",
          value_parser = whole(1..=16))]
    plies: u64,

    /// Where the book is written [default: connect4-N.book]
    #[arg(long, value_name = "FILE", requires = "build_book")]
    out: Option<PathBuf>,

    /// Write a book of the openings solved so far, and solve no more
    #[arg(long, requires = "build_book")]
    so_far: bool,
}

impl BuildArgs {
    pub(super) fn wanted(&self) -> bool {
        self.build_book
    }

    /// Builds the book, `table` mebibytes and `threads` threads working.
    pub(super) fn run(self, table: u64, threads: u64, out: &mut Console) -> Result<(), Failure> {
        let usual = || PathBuf::from(format!("connect4-{}.book", self.plies));
        let path = self.out.clone().unwrap_or_else(usual);
        let build = BuildBook {
            stones: self.plies as usize,
            table_bytes: (table as usize) << 20,
            threads: threads as usize,
            progress: path.with_extension("progress"),
        };
        let start = Instant::now();
        let failed = |e| Failure::failed(format_args!("{}: {e}", build.progress.display()));
        let book = if self.so_far {
            build.so_far()
        } else {
            // Threads report in any order, and the line on the terminal is not theirs to share.
            let line = Mutex::new(ProgressLine::new("solving openings"));
            build.run(&|done| {
                let share = done.solved as f64 / done.total as f64;
                line.lock().expect("no thread panics").done(share);
            })
        };
        let book = book.map_err(failed)?;
        let made_by = format!("ludens solve connect4 --build-book --plies {}", self.plies);
        book.save(&path, &made_by)
            .map_err(|e| Failure::failed(format_args!("{}: {e}", path.display())))?;
        let (count, time) = (book.len(), words::time(start.elapsed()));
        Ok(writeln!(out, "{} openings in {}, after {time}.", count, path.display())?)
    }
}
