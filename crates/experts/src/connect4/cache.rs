//! Solved positions on disk, for later runs and other processes.
//!
//! A file of fixed size: a head of 64 bytes, then buckets of four records of 16 bytes. A position
//! belongs to one bucket. Every record carries its own checksum, so one that two processes wrote
//! at once, or that a crash tore, counts as empty.
//!
//! ```text
//! word 0   63         15 14        0      word 1   63       48 47        42 41         0
//!         | key         | check low |             | check high | score + 22 | 7 moves   |
//! ```
//!
//! A move has six bits: its score + 22, or 0 if the column is full or was not asked for. Where only
//! outcomes are known, the score is 41, out of its range, and those of the moves are 1, 0 and -1.

use super::bits::WIDTH;
use super::position::Position;
use super::solver::MoveScores;
use std::fs::{self, File, OpenOptions};
use std::io::{self, Read, Seek, SeekFrom, Write};
use std::path::{Path, PathBuf};

/// The cached scores of a position.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct SolvedScores {
    /// The exact score.
    pub score: i8,
    /// The exact score of every move, if known.
    pub moves: Option<MoveScores>,
}

/// A bounded file of solved positions; a full bucket replaces old entries.
///
/// Any number of processes may use one file, each with its own `Cache`.
pub struct Cache {
    file: File,
    buckets: u64,
}

/// Stands for the score where only outcomes are known.
const OUTCOMES_ONLY: i8 = 41;

type Bucket = [u8; 64];
type CacheRecord = [u8; 16];

const TITLE: &[u8; 24] = b"ludens connect4 cache 1\n";
const SCORE_OFFSET: i8 = 22;
const CHECK_LOW_BITS: u32 = 15;

impl Cache {
    /// Opens the file, or makes it, with a size of at most `max_bytes` and at least 128.
    ///
    /// A cache of another size is copied into a new one, as far as it fits.
    ///
    /// # Errors
    ///
    /// If the file cannot be read and written, or holds something that is not such a cache; it is
    /// left as it is then.
    pub fn open(path: &Path, max_bytes: u64) -> io::Result<Self> {
        let bucket = size_of::<Bucket>() as u64;
        let buckets = (max_bytes / bucket).saturating_sub(1).max(1);
        let mut old = match OpenOptions::new().read(true).write(true).open(path) {
            Ok(file) if file.metadata()?.len() > 0 => Self::existing(file)?,
            Ok(_) => return Self::create(path, buckets),
            Err(error) if error.kind() == io::ErrorKind::NotFound => {
                return Self::create(path, buckets);
            }
            Err(error) => return Err(error),
        };
        if old.buckets == buckets { Ok(old) } else { old.copy_to(path, buckets) }
    }

    /// The cached scores of the position; `None` if the file cannot be read.
    pub fn get(&mut self, position: Position) -> Option<SolvedScores> {
        self.find(position).filter(|known| known.score != OUTCOMES_ONLY)
    }

    /// The cached outcome of each move: 1, 0 or -1; `None` if unknown.
    pub fn outcomes(&mut self, position: Position) -> Option<MoveScores> {
        let moves = self.find(position)?.moves?;
        Some(moves.map(|score| score.map(i8::signum)))
    }

    /// Caches the outcome of each move, unless its score is cached.
    ///
    /// # Errors
    ///
    /// If the file cannot be written.
    pub fn put_outcomes(&mut self, position: Position, outcomes: MoveScores) -> io::Result<()> {
        if self.outcomes(position).is_some() || self.get(position).is_some() {
            return Ok(());
        }
        self.put(position, SolvedScores { score: OUTCOMES_ONLY, moves: Some(outcomes) })
    }

    fn find(&mut self, position: Position) -> Option<SolvedScores> {
        let (key, mirrored) = canonical(position);
        let bucket = self.read(self.bucket_of(key)).ok()?;
        let records = bucket.as_chunks().0;
        let (_, known) = records.iter().filter_map(unpack).find(|&(found, _)| found == key)?;
        Some(if mirrored { known.mirrored() } else { known })
    }

    /// Remembers a position, in place of another one if its bucket is full.
    ///
    /// # Errors
    ///
    /// If the file cannot be written.
    pub fn put(&mut self, position: Position, known: SolvedScores) -> io::Result<()> {
        let (key, mirrored) = canonical(position);
        self.put_record(key, if mirrored { known.mirrored() } else { known })
    }

    fn put_record(&mut self, key: u64, known: SolvedScores) -> io::Result<()> {
        let index = self.bucket_of(key);
        let bucket = self.read(index)?;
        let keys: [Option<u64>; 4] =
            std::array::from_fn(|i| unpack(&bucket.as_chunks().0[i]).map(|(key, _)| key));
        let slot =
            [Some(key), None].iter().find_map(|wanted| keys.iter().position(|k| k == wanted));
        let slot = slot.unwrap_or(mix(key) as usize % keys.len());
        let offset = offset(index) + (slot * size_of::<CacheRecord>()) as u64;
        self.file.seek(SeekFrom::Start(offset))?;
        self.file.write_all(&pack(key, known))
    }

    fn existing(mut file: File) -> io::Result<Self> {
        let mut head = [0; size_of::<Bucket>()];
        let length = read_up_to(&mut file, &mut head)?;
        let number = head[TITLE.len()..].first_chunk().map(|bytes| u64::from_le_bytes(*bytes));
        match number {
            Some(buckets) if length == head.len() && head.starts_with(TITLE) && buckets > 0 => {
                Ok(Self { file, buckets })
            }
            _ => Err(io::Error::new(io::ErrorKind::InvalidData, "not a Connect-4 cache")),
        }
    }

    /// Creates an empty cache under a temporary name and renames it when it is complete.
    fn create(path: &Path, buckets: u64) -> io::Result<Self> {
        let (cache, draft) = Self::draft(path, buckets)?;
        fs::rename(draft, path)?;
        Ok(cache)
    }

    fn draft(path: &Path, buckets: u64) -> io::Result<(Self, PathBuf)> {
        let draft = path.with_extension(format!("draft-{}", std::process::id()));
        let mut file =
            OpenOptions::new().read(true).write(true).create(true).truncate(true).open(&draft)?;
        file.write_all(TITLE)?;
        file.write_all(&buckets.to_le_bytes())?;
        file.set_len(offset(buckets))?;
        Ok((Self { file, buckets }, draft))
    }

    fn copy_to(&mut self, path: &Path, buckets: u64) -> io::Result<Self> {
        let (mut new, draft) = Self::draft(path, buckets)?;
        let whole = self.file.metadata()?.len() / size_of::<Bucket>() as u64;
        for index in 0..self.buckets.min(whole) {
            let bucket = self.read(index)?;
            for (key, known) in bucket.as_chunks().0.iter().filter_map(unpack) {
                new.put_record(key, known)?;
            }
        }
        fs::rename(draft, path)?;
        Ok(new)
    }

    fn bucket_of(&self, key: u64) -> u64 {
        mix(key) % self.buckets
    }

    /// Reads a bucket; bytes beyond the end of the file are zero.
    fn read(&mut self, index: u64) -> io::Result<Bucket> {
        let mut bucket = [0; size_of::<Bucket>()];
        self.file.seek(SeekFrom::Start(offset(index)))?;
        read_up_to(&mut self.file, &mut bucket)?;
        Ok(bucket)
    }
}

impl SolvedScores {
    fn mirrored(mut self) -> Self {
        if let Some(moves) = &mut self.moves {
            moves.reverse();
        }
        self
    }
}

/// The offset of a bucket, after the header.
fn offset(bucket: u64) -> u64 {
    (bucket + 1) * size_of::<Bucket>() as u64
}

/// Canonical key, and whether it is that of the mirror image.
fn canonical(position: Position) -> (u64, bool) {
    let key = position.canonical_key();
    (key, key != position.key())
}

fn read_up_to(file: &mut File, buffer: &mut Bucket) -> io::Result<usize> {
    let mut filled = 0;
    while filled < buffer.len() {
        match file.read(&mut buffer[filled..])? {
            0 => break,
            count => filled += count,
        }
    }
    Ok(filled)
}

fn pack(key: u64, known: SolvedScores) -> CacheRecord {
    let digit = |score: i8| (score + SCORE_OFFSET) as u64;
    let moves = known.moves.unwrap_or([None; WIDTH]);
    let moves = moves.iter().rev().fold(0, |word, mv| word << 6 | mv.map_or(0, digit));
    let content = digit(known.score) << 42 | moves;
    let check = check(key, content);
    let words = [key << CHECK_LOW_BITS | check & 0x7FFF, content | check >> CHECK_LOW_BITS << 48];
    let mut record = [0; 16];
    record[..8].copy_from_slice(&words[0].to_le_bytes());
    record[8..].copy_from_slice(&words[1].to_le_bytes());
    record
}

fn unpack(record: &CacheRecord) -> Option<(u64, SolvedScores)> {
    let number = u128::from_le_bytes(*record);
    let words = [number as u64, (number >> 64) as u64];
    let (key, content) = (words[0] >> CHECK_LOW_BITS, words[1] & ((1 << 48) - 1));
    let check_found = words[0] & 0x7FFF | words[1] >> 48 << CHECK_LOW_BITS;
    if check_found != check(key, content) {
        return None;
    }
    let score = |digit: u64| (digit != 0).then(|| digit as i8 - SCORE_OFFSET);
    let moves: MoveScores = std::array::from_fn(|i| score(content >> (6 * i) & 63));
    let moves = moves.iter().any(Option::is_some).then_some(moves);
    Some((key, SolvedScores { score: score(content >> 42)?, moves }))
}

/// 31 bits, for a record of zeros not zero.
fn check(key: u64, content: u64) -> u64 {
    mix(mix(key) ^ content.wrapping_add(1)) >> 33
}

/// Spreads every bit over the word: the finaliser of Stafford's thirteenth variant.
fn mix(word: u64) -> u64 {
    let word = (word ^ word >> 30).wrapping_mul(0xBF58_476D_1CE4_E5B9);
    let word = (word ^ word >> 27).wrapping_mul(0x94D0_49BB_1331_11EB);
    word ^ word >> 31
}

#[cfg(test)]
mod tests {
    use super::*;

    /// A file of its own for a test, gone when the test is over.
    struct TempFile(PathBuf);

    impl TempFile {
        fn new(name: &str) -> Self {
            let path = std::env::temp_dir();
            Self(path.join(format!("ludens-cache-{name}-{}", std::process::id())))
        }
    }

    impl Drop for TempFile {
        fn drop(&mut self) {
            let _ = fs::remove_file(&self.0);
        }
    }

    fn position(moves: &str) -> Position {
        Position::from_moves(moves).unwrap()
    }

    fn known(score: i8) -> SolvedScores {
        let moves = [Some(score), None, Some(-21), Some(0), None, Some(-3), Some(-4)];
        SolvedScores { score, moves: Some(moves) }
    }

    #[test]
    fn answers_outlive_the_process_and_are_mirrored() {
        let scratch = TempFile::new("outlive");
        let mut cache = Cache::open(&scratch.0, 1 << 16).unwrap();
        cache.put(position("1123"), known(5)).unwrap();
        cache.put(position("112"), SolvedScores { score: -21, moves: None }).unwrap();
        drop(cache);
        let mut cache = Cache::open(&scratch.0, 1 << 16).unwrap();
        assert_eq!(cache.get(position("1123")), Some(known(5)));
        assert_eq!(cache.get(position("7765")), Some(known(5).mirrored()));
        assert_eq!(cache.get(position("112")), Some(SolvedScores { score: -21, moves: None }));
        assert_eq!(cache.get(position("1124")), None);
    }

    #[test]
    fn outcomes_are_kept_until_scores_are_known() {
        let scratch = TempFile::new("outcomes");
        let mut cache = Cache::open(&scratch.0, 1 << 16).unwrap();
        let outcomes = [Some(1), None, Some(-1), Some(0), None, Some(-1), Some(-1)];
        cache.put_outcomes(position("1123"), outcomes).unwrap();
        assert_eq!(cache.get(position("1123")), None, "outcomes are no scores");
        assert_eq!(cache.outcomes(position("1123")), Some(outcomes));
        cache.put(position("1123"), known(5)).unwrap();
        cache.put_outcomes(position("1123"), outcomes).unwrap();
        assert_eq!(cache.get(position("1123")), Some(known(5)));
        assert_eq!(cache.outcomes(position("1123")), Some(outcomes));
    }

    #[test]
    fn two_open_caches_see_each_others_answers() {
        let scratch = TempFile::new("two");
        let mut one = Cache::open(&scratch.0, 1 << 16).unwrap();
        let mut two = Cache::open(&scratch.0, 1 << 16).unwrap();
        one.put(position("44"), known(1)).unwrap();
        two.put(position("45"), known(2)).unwrap();
        assert_eq!(two.get(position("44")), Some(known(1)));
        assert_eq!(one.get(position("45")), Some(known(2)));
    }

    #[test]
    fn the_file_keeps_its_size_and_forgets() {
        let scratch = TempFile::new("bounded");
        let mut cache = Cache::open(&scratch.0, 256).unwrap();
        for i in 0..100 {
            let moves: String = format!("{i:03}").chars().map(digit_to_column).collect();
            cache.put(position(&moves), known(3)).unwrap();
            assert_eq!(cache.get(position(&moves)), Some(known(3)), "the newest is there");
        }
        assert_eq!(fs::metadata(&scratch.0).unwrap().len(), 256);
    }

    fn digit_to_column(c: char) -> char {
        char::from(b'1' + (c as u8 - b'0') % 7)
    }

    #[test]
    fn any_damaged_bit_makes_a_record_empty() {
        let record = pack(position("1123").canonical_key(), known(5));
        assert!(unpack(&record).is_some());
        for bit in 0..128 {
            let mut damaged = record;
            damaged[bit / 8] ^= 1 << (bit % 8);
            assert_eq!(unpack(&damaged), None, "bit {bit}");
        }
        assert_eq!(unpack(&[0; 16]), None);
        assert_eq!(unpack(&[255; 16]), None);
    }

    #[test]
    fn a_cut_file_is_an_emptier_cache() {
        let scratch = TempFile::new("cut");
        let mut cache = Cache::open(&scratch.0, 1 << 16).unwrap();
        cache.put(position("1123"), known(5)).unwrap();
        OpenOptions::new().write(true).open(&scratch.0).unwrap().set_len(64).unwrap();
        assert_eq!(cache.get(position("1123")), None);
        cache.put(position("1123"), known(6)).unwrap();
        let mut cache = Cache::open(&scratch.0, 1 << 16).unwrap();
        assert_eq!(cache.get(position("1123")), Some(known(6)));
    }

    #[test]
    fn a_foreign_file_is_refused_and_kept() {
        let scratch = TempFile::new("foreign");
        fs::write(&scratch.0, "somebody's letters").unwrap();
        assert!(Cache::open(&scratch.0, 1 << 16).is_err());
        assert_eq!(fs::read(&scratch.0).unwrap(), b"somebody's letters");
    }

    #[test]
    fn another_size_keeps_the_answers() {
        let scratch = TempFile::new("resize");
        let mut cache = Cache::open(&scratch.0, 1 << 14).unwrap();
        cache.put(position("1123"), known(5)).unwrap();
        let mut cache = Cache::open(&scratch.0, 1 << 16).unwrap();
        assert_eq!(cache.get(position("1123")), Some(known(5)));
        assert_eq!(fs::metadata(&scratch.0).unwrap().len(), 1 << 16);
    }
}
