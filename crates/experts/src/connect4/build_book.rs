//! Solves every opening of a book; can be stopped and continued at any time.

use super::book::OpeningBook;
use super::bounds_table::BoundsTable;
use super::position::Position;
use super::solver::{CENTRE_FIRST, Solver};
use ludens_files::OutFile;
use std::collections::{HashMap, HashSet};
use std::fs::File;
use std::io::{self, Read, Write};
use std::path::{Path, PathBuf};
use std::sync::atomic::{AtomicUsize, Ordering};
use std::sync::{Arc, Mutex, PoisonError};

/// The parameters of a book build.
#[derive(Clone, Debug)]
pub struct BuildBook {
    /// Number of stones of the positions to solve.
    pub stones: usize,
    /// Size of the table all threads share.
    pub table_bytes: usize,
    /// Number of positions solved at the same time.
    pub threads: usize,
    /// The progress file; a build that finds it resumes from there.
    ///
    /// Records of eight bytes, only ever appended: those of the book and a check byte. Damaged
    /// records are solved again.
    pub progress: PathBuf,
}

/// The progress of a book build.
#[derive(Clone, Copy, Debug)]
pub struct BuildProgress {
    /// Number of positions solved, in earlier runs too.
    pub solved: usize,
    /// Number of positions of the finished book.
    pub total: usize,
}

impl BuildBook {
    /// Solves what is missing and returns the whole book.
    ///
    /// `report` is called after every position, by any thread.
    ///
    /// # Errors
    ///
    /// If the progress file cannot be read or written, or there is not enough memory.
    pub fn run(&self, report: &(dyn Fn(BuildProgress) + Sync)) -> io::Result<OpeningBook> {
        self.run_on(&openings(self.stones), report)
    }

    fn run_on(
        &self,
        all: &[Position],
        report: &(dyn Fn(BuildProgress) + Sync),
    ) -> io::Result<OpeningBook> {
        let solved = self.solved()?;
        let missing: Vec<_> =
            all.iter().filter(|p| !solved.contains_key(&p.canonical_key())).copied().collect();
        let log = ProgressLog::append_to(&self.progress)?;
        let table = Arc::new(BoundsTable::new(self.table_bytes)?);
        let next = AtomicUsize::new(0);
        let done = AtomicUsize::new(all.len() - missing.len());
        let work = || -> io::Result<()> {
            let mut solver = Solver::with_table(Arc::clone(&table))?;
            while let Some(&position) = missing.get(next.fetch_add(1, Ordering::Relaxed)) {
                log.write(position, solver.score(position))?;
                let solved = done.fetch_add(1, Ordering::Relaxed) + 1;
                report(BuildProgress { solved, total: all.len() });
            }
            Ok(())
        };
        std::thread::scope(|scope| {
            let threads: Vec<_> = (0..self.threads.max(1)).map(|_| scope.spawn(work)).collect();
            threads.into_iter().try_for_each(|thread| thread.join().expect("no thread panics"))
        })?;
        self.so_far()
    }

    /// The book of the positions solved until now, without solving more.
    ///
    /// # Errors
    ///
    /// If the progress file cannot be read.
    pub fn so_far(&self) -> io::Result<OpeningBook> {
        let solved = self.solved()?;
        let of_key = |(key, score)| Position::from_key(key).map(|position| (position, score));
        Ok(OpeningBook::from_scores(self.stones, solved.into_iter().filter_map(of_key)))
    }

    fn solved(&self) -> io::Result<HashMap<u64, i8>> {
        let mut bytes = Vec::new();
        match File::open(&self.progress) {
            Ok(mut file) => file.read_to_end(&mut bytes)?,
            Err(error) if error.kind() == io::ErrorKind::NotFound => 0,
            Err(error) => return Err(error),
        };
        Ok(bytes.as_chunks().0.iter().filter_map(read_record).collect())
    }
}

/// The positions with this many stones and without an immediate win, one of each mirrored pair.
///
/// Neighbours in the list differ in few stones, so that table entries of one help the next.
pub fn openings(stones: usize) -> Vec<Position> {
    let mut found = Vec::new();
    collect(Position::default(), stones, &mut HashSet::new(), &mut found);
    found.retain(|position| !position.wins_at_once());
    found
}

fn collect(start: Position, stones: usize, seen: &mut HashSet<u64>, found: &mut Vec<Position>) {
    if !seen.insert(start.canonical_key()) {
        return;
    }
    if start.stones() == stones {
        found.push(start);
        return;
    }
    for column in CENTRE_FIRST {
        if start.can_play(column) && !start.wins_with(column) {
            collect(start.after(column), stones, seen, found);
        }
    }
}

/// The progress file, open for appending.
struct ProgressLog {
    file: Mutex<OutFile>,
}

impl ProgressLog {
    /// Cuts off what a killed run may have left of its last record.
    fn append_to(path: &Path) -> io::Result<Self> {
        let mut file = OutFile::open(path)?;
        let length = file.length()?;
        file.truncate(length - length % 8)?;
        Ok(Self { file: Mutex::new(file) })
    }

    fn write(&self, position: Position, score: i8) -> io::Result<()> {
        let record = write_record(position.canonical_key(), score);
        self.file.lock().unwrap_or_else(PoisonError::into_inner).write_all(&record)
    }
}

/// Key, score + 64 and check byte, from the highest bit down.
fn write_record(key: u64, score: i8) -> [u8; 8] {
    let content = key << 7 | (i64::from(score) + 64) as u64;
    (content << 8 | check(content)).to_be_bytes()
}

fn read_record(bytes: &[u8; 8]) -> Option<(u64, i8)> {
    let number = u64::from_be_bytes(*bytes);
    let content = number >> 8;
    let score = (content & 127) as i64 - 64;
    (check(content) == number & 255).then_some((content >> 7, score as i8))
}

/// Not 0 for a record of zeros, which a file system may leave after a crash.
fn check(content: u64) -> u64 {
    (content ^ 0xA5).wrapping_mul(0x9E37_79B9_7F4A_7C15) >> 56
}

#[cfg(test)]
mod tests {
    use super::*;
    use std::fs;

    /// An open pair in the bottom row: solved in no time.
    fn easy() -> Vec<Position> {
        let moves = ["31471771", "31477171", "37417117", "31471177", "45171771"];
        moves.map(|moves| Position::from_moves(moves).unwrap()).to_vec()
    }

    fn build(name: &str) -> BuildBook {
        let progress = std::env::temp_dir().join(format!("ludens-{name}-{}", std::process::id()));
        let _ = fs::remove_file(&progress);
        BuildBook { stones: 8, table_bytes: 1 << 20, threads: 2, progress }
    }

    fn scores(book: &OpeningBook) -> Vec<Option<i8>> {
        easy().into_iter().map(|position| book.score(position)).collect()
    }

    #[test]
    fn a_book_holds_the_scores_of_the_solver() {
        let build = build("whole");
        let book = build.run_on(&easy(), &|_| ()).unwrap();
        let mut solver = Solver::new(1 << 20).unwrap();
        let solved: Vec<_> = easy().into_iter().map(|p| Some(solver.score(p))).collect();
        assert_eq!(scores(&book), solved);
        fs::remove_file(&build.progress).unwrap();
    }

    #[test]
    fn a_killed_build_goes_on_where_it_was() {
        let build = build("killed");
        build.run_on(&easy()[..3], &|_| ()).unwrap();
        let mut bytes = fs::read(&build.progress).unwrap();
        bytes[3] ^= 1;
        bytes.extend_from_slice(&[1, 2, 3]);
        fs::write(&build.progress, bytes).unwrap();
        let solved = Mutex::new(Vec::new());
        let book = build.run_on(&easy(), &|progress| {
            solved.lock().unwrap().push(progress.solved);
        });
        solved.lock().unwrap().sort_unstable();
        assert_eq!(*solved.lock().unwrap(), [3, 4, 5], "two were kept, the damaged one was not");
        assert!(scores(&book.unwrap()).iter().all(Option::is_some));
        fs::remove_file(&build.progress).unwrap();
    }

    #[test]
    fn there_are_as_many_openings_as_others_counted() {
        // Before mirroring, wins included: 1, 7, 49, 238, 1120 (OEIS A212693).
        let with_mirrors = |stones| {
            let distinct = |p: Position| if p == p.mirrored() { 1 } else { 2 };
            openings(stones).into_iter().map(distinct).sum::<usize>()
        };
        assert_eq!([0, 1, 2, 3, 4].map(with_mirrors), [1, 7, 49, 238, 1120]);
    }
}
