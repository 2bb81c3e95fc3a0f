//! Exact scores of openings, looked up instead of searched.
//!
//! A book file is a few lines of text and then sorted records of seven bytes:
//!
//! ```text
//! ludens connect4 book 1
//! made-by ludens solve --build-book
//! stones 8
//! entries 77715
//! checksum 0123456789abcdef
//!
//! 55          7 6          0      (bits of a record, the highest byte first)
//! | key        | score + 64 |
//! ```
//!
//! The key is [`Position::canonical_key`]. Positions that are missing, or in which the player to
//! move wins at once, are searched: a smaller book is slower, never wrong.

use super::bits::CELLS;
use super::position::Position;
use ludens_files::replace_file;
use std::borrow::Cow;
use std::io::{self, Read};
use std::path::Path;
use std::{fmt, fs};

/// Number of stones of the positions in the book that comes with the program.
pub const STONES: usize = 8;

/// Scores of positions that all have the same number of stones.
pub struct OpeningBook {
    stones: usize,
    records: Cow<'static, [u8]>,
}

/// Why a book cannot be used; the solver also works without one.
#[derive(Debug)]
pub enum BookError {
    /// The file cannot be read.
    Unreadable(io::Error),
    /// The text at the start is not that of a book this version knows.
    NotABook {
        /// The line that was expected.
        expected: &'static str,
    },
    /// The records are not those that were written.
    Damaged {
        /// The checksum the file names.
        expected: u64,
        /// The checksum of what is there.
        found: u64,
    },
}

const TITLE: &str = "ludens connect4 book 1";
const RECORD: usize = 7;
/// Longer title lines are none of ours.
const LONGEST_TITLE: u64 = 4096;
const SCORE_BITS: u32 = 7;
const SCORE_OFFSET: i64 = 1 << (SCORE_BITS - 1);

static EMBEDDED: &[u8] = include_bytes!("../../data/connect4-8.book");

impl OpeningBook {
    /// The book that comes with the program.
    ///
    /// # Errors
    ///
    /// If the program was built with a damaged book.
    pub fn embedded() -> Result<Self, BookError> {
        let (stones, records) = Self::parse(EMBEDDED)?;
        Ok(Self { stones, records: Cow::Borrowed(records) })
    }

    /// Reads a book file.
    ///
    /// # Errors
    ///
    /// If it cannot be read, is no book, or is damaged.
    pub fn open(path: &Path) -> Result<Self, BookError> {
        Self::from_bytes(&read_book(path)?)
    }

    /// Makes a book of positions with so many stones and their scores; others are left out.
    pub fn from_scores(stones: usize, scores: impl IntoIterator<Item = (Position, i8)>) -> Self {
        let mut records: Vec<_> = scores
            .into_iter()
            .filter(|(position, _)| position.stones() == stones)
            .map(|(position, score)| record(position.canonical_key(), score))
            .collect();
        records.sort_unstable();
        records.dedup();
        Self { stones, records: Cow::Owned(records.concat()) }
    }

    /// Reads the bytes of a book file.
    ///
    /// # Errors
    ///
    /// If they are no book, or damaged.
    pub fn from_bytes(bytes: &[u8]) -> Result<Self, BookError> {
        let (stones, records) = Self::parse(bytes)?;
        Ok(Self { stones, records: Cow::Owned(records.to_vec()) })
    }

    /// Writes the book to a new file, which takes the place of an old one when it is complete.
    ///
    /// # Errors
    ///
    /// If the file cannot be written.
    pub fn save(&self, path: &Path, made_by: &str) -> io::Result<()> {
        let (stones, entries) = (self.stones, self.len());
        replace_file(path, |file| {
            writeln!(file, "{TITLE}\nmade-by {made_by}\nstones {stones}\nentries {entries}")?;
            writeln!(file, "checksum {:016x}\n", checksum(&self.records))?;
            file.write_all(&self.records)
        })
    }

    /// Number of stones of its positions.
    pub fn stones(&self) -> usize {
        self.stones
    }

    /// Number of positions.
    pub fn len(&self) -> usize {
        self.records.len() / RECORD
    }

    /// Whether the book is empty.
    pub fn is_empty(&self) -> bool {
        self.records.is_empty()
    }

    /// The exact score of a position, if the book has it.
    pub fn score(&self, position: Position) -> Option<i8> {
        if position.stones() != self.stones {
            return None;
        }
        let key = position.canonical_key();
        let (mut start, mut end) = (0, self.len());
        while start < end {
            let middle = (start + end) / 2;
            let (found, score) = self.entry(middle);
            match found.cmp(&key) {
                std::cmp::Ordering::Less => start = middle + 1,
                std::cmp::Ordering::Greater => end = middle,
                std::cmp::Ordering::Equal => return Some(score),
            }
        }
        None
    }

    /// All canonical keys with their scores, in ascending order.
    pub fn entries(&self) -> impl Iterator<Item = (u64, i8)> {
        (0..self.len()).map(|i| self.entry(i))
    }

    fn entry(&self, i: usize) -> (u64, i8) {
        let mut bytes = [0; 8];
        bytes[1..].copy_from_slice(&self.records[i * RECORD..][..RECORD]);
        let number = u64::from_be_bytes(bytes);
        let score = (number & ((1 << SCORE_BITS) - 1)) as i64 - SCORE_OFFSET;
        (number >> SCORE_BITS, score as i8)
    }

    /// The number of stones and the records of a book file.
    fn parse(bytes: &[u8]) -> Result<(usize, &[u8]), BookError> {
        let expected = "an empty line after the title lines";
        let end = bytes.windows(2).position(|two| two == b"\n\n");
        let end = end.ok_or(BookError::NotABook { expected })?;
        let title = String::from_utf8_lossy(&bytes[..end]);
        let records = &bytes[end + 2..];
        let field = |name: &'static str| {
            let line = title.lines().find_map(|line| line.strip_prefix(name));
            line.map(str::trim).ok_or(BookError::NotABook { expected: name })
        };
        if title.lines().next() != Some(TITLE) {
            return Err(BookError::NotABook { expected: TITLE });
        }
        let stones = field("stones")?.parse().ok().filter(|stones| *stones < CELLS);
        let stones = stones.ok_or(BookError::NotABook { expected: "stones" })?;
        let sum = u64::from_str_radix(field("checksum")?, 16);
        let expected = sum.map_err(|_| BookError::NotABook { expected: "checksum" })?;
        let found = checksum(records);
        let entries = field("entries")?.parse().ok();
        let whole = entries.and_then(|count: usize| count.checked_mul(RECORD));
        if found == expected && whole == Some(records.len()) {
            Ok((stones, records))
        } else {
            Err(BookError::Damaged { expected, found })
        }
    }
}

impl fmt::Display for BookError {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Self::Unreadable(error) => write!(f, "the opening book cannot be read: {error}"),
            Self::NotABook { expected } => {
                write!(f, "not an opening book: expected {expected:?} in its title lines")
            }
            Self::Damaged { expected, found } => write!(
                f,
                "the opening book is damaged: its checksum should be {expected:016x}, \
                 but is {found:016x}"
            ),
        }
    }
}

impl std::error::Error for BookError {}

/// The bytes of a book file, and at most one more: a device may go on forever.
fn read_book(path: &Path) -> Result<Vec<u8>, BookError> {
    let mut file = fs::File::open(path).map_err(BookError::Unreadable)?;
    let mut bytes = Vec::new();
    let mut read = |bytes: &mut Vec<u8>, most: u64| {
        Read::take(&mut file, most).read_to_end(bytes).map_err(BookError::Unreadable)
    };
    read(&mut bytes, LONGEST_TITLE)?;
    let end = bytes.windows(2).position(|two| two == b"\n\n");
    let end = end.ok_or(BookError::NotABook { expected: "an empty line after the title lines" })?;
    let title = String::from_utf8_lossy(&bytes[..end]);
    let entries = title.lines().find_map(|line| line.strip_prefix("entries"));
    let entries = entries.and_then(|count| count.trim().parse::<u64>().ok());
    let length = entries.and_then(|count| count.checked_mul(RECORD as u64));
    let length = length.ok_or(BookError::NotABook { expected: "entries" })?;
    let missing = (end as u64 + 2 + length).saturating_sub(bytes.len() as u64);
    read(&mut bytes, missing.saturating_add(1))?;
    Ok(bytes)
}

fn record(key: u64, score: i8) -> [u8; RECORD] {
    let score = (i64::from(score) + SCORE_OFFSET) as u64;
    let bytes = (key << SCORE_BITS | score).to_be_bytes();
    std::array::from_fn(|i| bytes[i + 1])
}

/// Fowler, Noll and Vo's hash (FNV-1a, 64 bits).
fn checksum(bytes: &[u8]) -> u64 {
    let start = 0xCBF2_9CE4_8422_2325;
    bytes.iter().fold(start, |sum, &byte| (sum ^ u64::from(byte)).wrapping_mul(0x100_0000_01B3))
}

#[cfg(test)]
mod tests {
    use super::*;

    fn position(moves: &str) -> Position {
        Position::from_moves(moves).unwrap()
    }

    fn file(book: &OpeningBook, name: &str) -> Vec<u8> {
        let path = std::env::temp_dir().join(format!("ludens-book-{name}-{}", std::process::id()));
        book.save(&path, "a test").unwrap();
        let bytes = fs::read(&path).unwrap();
        fs::remove_file(&path).unwrap();
        bytes
    }

    fn small() -> OpeningBook {
        let scores = [("44444412", -2), ("12345671", 0), ("11223367", 21), ("44", 1)];
        OpeningBook::from_scores(STONES, scores.map(|(moves, score)| (position(moves), score)))
    }

    #[test]
    fn a_saved_book_knows_its_positions_and_their_mirror_images() {
        let bytes = file(&small(), "saved");
        let (stones, records) = OpeningBook::parse(&bytes).unwrap();
        let book = OpeningBook { stones, records: Cow::Owned(records.to_vec()) };
        assert_eq!(book.len(), 3, "only positions with eight stones");
        assert_eq!(book.score(position("44444412")), Some(-2));
        assert_eq!(book.score(position("44444476")), Some(-2));
        assert_eq!(book.score(position("11223367")), Some(21));
        assert_eq!(book.score(position("12345672")), None);
        assert_eq!(book.score(position("44")), None);
    }

    #[test]
    fn every_damaged_record_byte_is_noticed() {
        let bytes = file(&small(), "damaged");
        let start = bytes.len() - 3 * RECORD;
        for i in start..bytes.len() {
            let mut damaged = bytes.clone();
            damaged[i] ^= 1;
            assert!(
                matches!(OpeningBook::parse(&damaged), Err(BookError::Damaged { .. })),
                "byte {i}"
            );
        }
        for end in 0..bytes.len() {
            assert!(OpeningBook::parse(&bytes[..end]).is_err(), "cut at {end}");
        }
    }

    #[test]
    fn other_files_are_no_books() {
        for text in ["", "\n\n", "a\n\nb", "ludens connect4 book 2\nstones 8\nchecksum 0\n\n"] {
            assert!(matches!(OpeningBook::parse(text.as_bytes()), Err(BookError::NotABook { .. })));
        }
        assert!(matches!(
            OpeningBook::open(Path::new("/nowhere/at/all")),
            Err(BookError::Unreadable(_))
        ));
    }

    #[cfg(unix)]
    #[test]
    fn devices_that_never_end_are_no_books() {
        let endless = OpeningBook::open(Path::new("/dev/zero"));
        assert!(matches!(endless, Err(BookError::NotABook { .. })));
    }

    #[test]
    fn the_embedded_book_is_whole() {
        assert!(OpeningBook::embedded().is_ok());
    }
}
