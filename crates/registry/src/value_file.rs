//! Files that hold what was learned.
//!
//! The format is safetensors: eight bytes with the length of a header, the header (JSON: the
//! name, type, shape and place of each tensor, and texts about the whole), then the numbers. It is
//! read and written here rather than by a library: the numbers go straight from the file to where
//! they are used, nothing is allocated before the length of the file has been compared with what
//! the header promises, and the same content always has the same bytes.
//!
//! The text `crc32` of the header is the CRC-32 of the whole file, its own eight digits taken as
//! zeros. The header also has the CRC-32 of each tensor. A CRC of a whole is computed from those of
//! its parts, so that opening a file checks the header, and reading a tensor checks its numbers.
//!
//! Most weights of a large network are never updated. Files are as long as the format demands, but
//! blocks of zeros are holes that take no room on the disk.

mod checksum;
mod compact;
mod crc;
mod header;
mod start;
mod write;

pub(crate) use compact::unpack;
pub use compact::{CompactOptions, pack};
pub use write::{Content, TensorData, write_value};

use crate::notes::give_note;
use header::{Header, TensorSpan};
use ludens_core::Invalid;
use std::collections::BTreeMap;
use std::fs::File;
use std::io::{self, Cursor, Read, Seek, SeekFrom};
use std::path::{Path, PathBuf};

/// The value of the key `format` in every file.
const FORMAT: &str = "ludens-value";

/// The newest version of the format that can be read, and the one that is written.
const VERSION: u32 = CHANGES_VERSION;

/// The version of files in which numbers are stored as changes from a start.
const CHANGES_VERSION: u32 = 4;

/// The first version whose files have a checksum of everything.
const CHECKSUM_VERSION: u64 = 3;

/// Longer headers are refused, as by other readers of the format.
const LONGEST_HEADER: u64 = 100_000_000;

/// The size of a read or a write in bytes.
const PIECE: usize = 1 << 16;

/// The numbers of a piece that splits no row of the last dimension, if rows are short.
fn row_length(row: usize) -> usize {
    let most = PIECE / size_of::<f32>();
    // Even, because old checksums take eight bytes at a time.
    let rows = 2 * row.max(1);
    if rows <= most { most / rows * rows } else { most }
}

/// An open file that holds what was learned.
#[derive(Debug)]
pub struct ValueFile {
    path: PathBuf,
    source: Box<dyn Source>,
    header: Header,
    /// The offset of the tensor data.
    start: u64,
}

/// Where the bytes of a file come from: the disk, or memory if the file was compact.
trait Source: Read + Seek + Send + std::fmt::Debug {}

impl<T: Read + Seek + Send + std::fmt::Debug> Source for T {}

/// The file of a learned value, given that file or the folder of a run.
///
/// # Errors
///
/// If the folder holds none yet.
pub fn value_path(path: &Path) -> Result<PathBuf, Invalid> {
    if !path.is_dir() {
        return Ok(path.into());
    }
    let files = ["value.safetensors", "checkpoint.safetensors"].map(|name| path.join(name));
    let none = || Invalid(format!("{} holds no learned value", path.display()));
    files.into_iter().find(|file| file.exists()).ok_or_else(none)
}

impl ValueFile {
    /// Opens a file and checks everything but the numbers themselves.
    ///
    /// A compact file, such as that of a champion, is unpacked into memory. The folder of a run
    /// stands for its value.
    ///
    /// # Errors
    ///
    /// If the file cannot be read, is damaged, was written by another program, or is too new.
    pub fn open(path: impl AsRef<Path>) -> Result<ValueFile, Invalid> {
        let path = value_path(path.as_ref())?;
        let file = ValueFile::open_unnamed(&path).map_err(|e| e.about(path.display()))?;
        if let Some(note) = file.note() {
            give_note(format!("{}: {note}", path.display()));
        }
        Ok(file)
    }

    /// Reads a compact file that is in memory; `name` stands for its path in errors.
    pub(crate) fn unpack(name: &str, bytes: &[u8]) -> Result<ValueFile, Invalid> {
        ValueFile::unpack_unnamed(Path::new(name), bytes).map_err(|e| e.about(name))
    }

    fn unpack_unnamed(path: &Path, bytes: &[u8]) -> Result<ValueFile, Invalid> {
        let mut unpacked = Cursor::new(unpack(bytes)?);
        let length = unpacked.get_ref().len() as u64;
        let start = start_of(&mut unpacked)?;
        ValueFile::read_header(path, Box::new(unpacked), start, length)
    }

    fn open_unnamed(path: &Path) -> Result<ValueFile, Invalid> {
        let mut file = File::open(path).map_err(|e| unreadable(&e))?;
        let length = file.metadata().map_err(|e| unreadable(&e))?.len();
        let start = start_of(&mut file)?;
        if start == compact::MAGIC {
            if length > compact::LONGEST {
                return Err(damaged("it is longer than any compact file"));
            }
            let bytes = std::fs::read(path).map_err(|e| unreadable(&e))?;
            return ValueFile::unpack_unnamed(path, &bytes);
        }
        ValueFile::read_header(path, Box::new(file), start, length)
    }

    /// Reads the header of a file of `length` bytes whose first eight are `start`.
    fn read_header(
        path: &Path,
        mut source: Box<dyn Source>,
        start: [u8; 8],
        length: u64,
    ) -> Result<ValueFile, Invalid> {
        let size = u64::from_le_bytes(start);
        if size > LONGEST_HEADER {
            return Err(foreign("it does not begin with a header"));
        }
        if size > length - 8 {
            return Err(damaged("it ends before its header does"));
        }
        let mut text = vec![0; size as usize];
        source.read_exact(&mut text).map_err(|e| unreadable(&e))?;
        let header = Header::parse(&text)?;
        let start = 8 + size;
        match start + header.length() {
            promised if promised == length => {}
            promised if promised > length => return Err(damaged("it ends before its numbers do")),
            _ => return Err(damaged("something follows its numbers")),
        }
        let found = ValueFile { path: path.into(), source, header, start };
        found.check_format()?;
        if !found.has_old_checksums()? {
            crc::check(&text, &found.header)?;
        }
        Ok(found)
    }

    /// Whether the file was written when only the numbers had checksums.
    fn has_old_checksums(&self) -> Result<bool, Invalid> {
        // A damaged version number must not switch the checksum off.
        let has_crc = self.header.about.contains_key(crc::WHOLE);
        Ok(self.number("version")? < CHECKSUM_VERSION && !has_crc)
    }

    /// What a reader should know about this file, if it is not as files are written today.
    pub fn note(&self) -> Option<&'static str> {
        let old = self.has_old_checksums().unwrap_or(true);
        old.then_some("an older version of Ludens wrote it; damage to its header goes unnoticed")
    }

    fn check_format(&self) -> Result<(), Invalid> {
        if self.header.about.get("format").is_none_or(|format| format != FORMAT) {
            return Err(foreign("its header does not name our format"));
        }
        let version = self.number("version")?;
        if version > u64::from(VERSION) {
            let by = self.header.about.get("ludens").map_or("a newer ludens", String::as_str);
            return Err(Invalid(format!(
                "its format has version {version}, written by {by}; this ludens ({}) reads \
                 versions up to {VERSION}",
                env!("CARGO_PKG_VERSION")
            )));
        }
        Ok(())
    }

    /// The path of the file.
    pub fn path(&self) -> &Path {
        &self.path
    }

    /// All texts about the whole.
    pub fn about(&self) -> &BTreeMap<String, String> {
        &self.header.about
    }

    /// The text about the whole with this name.
    ///
    /// # Errors
    ///
    /// If there is none.
    pub fn text(&self, name: &str) -> Result<&str, Invalid> {
        let text = self.header.about.get(name).map(String::as_str);
        text.ok_or_else(|| damaged(format_args!("its header has no {name:?}")))
    }

    /// The text about the whole with this name, which must be a whole number.
    ///
    /// # Errors
    ///
    /// If there is none.
    pub fn number(&self, name: &str) -> Result<u64, Invalid> {
        let text = self.text(name)?;
        text.parse().map_err(|_| {
            damaged(format_args!("{name} in its header is {text:?}, not a whole number"))
        })
    }

    /// The names of the tensors, in order.
    pub fn names(&self) -> impl Iterator<Item = &str> {
        self.header.tensors.keys().map(String::as_str)
    }

    /// The size of a tensor in each dimension; nothing if there is no such tensor.
    pub fn shape(&self, name: &str) -> Option<&[usize]> {
        self.header.tensors.get(name).map(|span| &span.shape[..])
    }

    /// Reads a tensor of this shape.
    ///
    /// Zeros are written only where `out` has others, so that untouched memory remains so.
    ///
    /// # Errors
    ///
    /// If it is missing, has another type or shape, or its numbers are damaged.
    pub fn read(&mut self, name: &str, shape: &[usize], out: &mut [f32]) -> Result<(), Invalid> {
        let (span, _) = self.span_of_numbers(name)?;
        if span.shape != shape || span.length() != size_of_val(out) as u64 {
            let found = &span.shape;
            return Err(Invalid(format!("{name} has shape {found:?}, expected {shape:?}"))
                .about(self.path.display()));
        }
        let mut rest = out;
        self.each_piece_of(name, &mut |piece| {
            let (out, after) = std::mem::take(&mut rest).split_at_mut(piece.len());
            let is_zero = |numbers: &[f32]| numbers.iter().all(|number| number.to_bits() == 0);
            if !is_zero(piece) || !is_zero(out) {
                out.copy_from_slice(piece);
            }
            rest = after;
        })
    }

    /// Reads a whole tensor of numbers of 32 bits.
    ///
    /// # Errors
    ///
    /// As for [`ValueFile::read`].
    pub fn numbers(&mut self, name: &str) -> Result<Vec<f32>, Invalid> {
        let (span, _) = self.span_of_numbers(name)?;
        let mut numbers = vec![0.0; (span.length() / 4) as usize];
        self.read(name, &span.shape, &mut numbers)?;
        Ok(numbers)
    }

    /// Hands on the numbers of a tensor piece by piece, short rows of the last dimension unsplit.
    ///
    /// # Errors
    ///
    /// If it is missing or its numbers are damaged: that is known only after the last piece.
    pub fn each_piece_of(
        &mut self,
        name: &str,
        take: &mut dyn FnMut(&[f32]),
    ) -> Result<(), Invalid> {
        let (span, start) = self.span_of_numbers(name)?;
        let row = span.shape.last().copied().unwrap_or(1);
        let mut numbers = Vec::new();
        self.each_piece(name, &span, size_of::<f32>() * row_length(row), &mut |bytes| {
            let words = bytes.as_chunks().0.iter().map(|bytes| u32::from_le_bytes(*bytes));
            numbers.clear();
            let changed = words.zip(start.iter().cycle());
            numbers.extend(changed.map(|(word, start)| f32::from_bits(word ^ start)));
            take(&numbers);
        })
    }

    /// Reads a whole tensor of numbers of 64 bits.
    ///
    /// # Errors
    ///
    /// As for [`ValueFile::read`].
    pub fn exact_numbers(&mut self, name: &str) -> Result<Vec<f64>, Invalid> {
        let span = self.span(name, "F64")?;
        let bytes = self.read_bytes(name, &span)?;
        Ok(bytes.as_chunks().0.iter().map(|bytes| f64::from_le_bytes(*bytes)).collect())
    }

    /// Reads a whole tensor of bytes.
    ///
    /// # Errors
    ///
    /// As for [`ValueFile::read`].
    pub fn bytes(&mut self, name: &str) -> Result<Vec<u8>, Invalid> {
        let span = self.span(name, "U8")?;
        self.read_bytes(name, &span)
    }

    /// Where numbers of 32 bits are, and the bits that each row of the last dimension was at the
    /// start.
    fn span_of_numbers(&self, name: &str) -> Result<(TensorSpan, Vec<u32>), Invalid> {
        let Ok(span) = self.span(name, "U32") else {
            return self.span(name, "F32").map(|span| (span, vec![0]));
        };
        let start = start::parse(self.text(&start::key(name))?);
        let start = start.filter(|start| span.shape.last() == Some(&start.len()));
        let wrong = || damaged(format_args!("the start of {name} does not fit its shape"));
        let start = start.ok_or_else(|| wrong().about(self.path.display()))?;
        Ok((span, start))
    }

    fn span(&self, name: &str, kind: &str) -> Result<TensorSpan, Invalid> {
        let span = self.header.tensors.get(name).ok_or_else(|| {
            let known = self.names().collect::<Vec<_>>().join(", ");
            Invalid(format!("it has no tensor {name:?}; it has {known}")).about(self.path.display())
        })?;
        if span.kind != kind {
            let found = &span.kind;
            return Err(Invalid(format!("{name} consists of {found}, expected {kind}"))
                .about(self.path.display()));
        }
        Ok(span.clone())
    }

    fn read_bytes(&mut self, name: &str, span: &TensorSpan) -> Result<Vec<u8>, Invalid> {
        let mut bytes = Vec::with_capacity(span.length() as usize);
        self.each_piece(name, span, PIECE, &mut |piece| bytes.extend_from_slice(piece))?;
        Ok(bytes)
    }

    /// Hands on the bytes of a tensor in pieces of this size, and checks them.
    fn each_piece(
        &mut self,
        name: &str,
        span: &TensorSpan,
        size: usize,
        take: &mut dyn FnMut(&[u8]),
    ) -> Result<(), Invalid> {
        let old = self.has_old_checksums()?;
        let mut read = || -> io::Result<String> {
            self.source.seek(SeekFrom::Start(self.start + span.from))?;
            let (mut crc, mut checksum) = (crc32fast::Hasher::new(), checksum::Checksum::default());
            let (mut left, mut buffer) = (span.length(), vec![0; size]);
            while left > 0 {
                let piece = &mut buffer[..left.min(size as u64) as usize];
                self.source.read_exact(piece)?;
                if old {
                    checksum.add(piece);
                } else {
                    crc.update(piece);
                }
                take(piece);
                left -= piece.len() as u64;
            }
            Ok(if old { checksum.to_text() } else { crc::text(crc.finalize()) })
        };
        let found = read().map_err(|e| unreadable(&e).about(self.path.display()))?;
        let key = if old { checksum::key(name) } else { crc::key(name) };
        if self.text(&key)? != found {
            return Err(damaged(format_args!("the numbers of {name} are not those written"))
                .about(self.path.display()));
        }
        Ok(())
    }
}

fn start_of(source: &mut impl Read) -> Result<[u8; 8], Invalid> {
    let mut start = [0; 8];
    source.read_exact(&mut start).map_err(|_| foreign("it is too short"))?;
    Ok(start)
}

fn unreadable(error: &io::Error) -> Invalid {
    Invalid(format!("it cannot be read: {error}"))
}

fn damaged(how: impl std::fmt::Display) -> Invalid {
    Invalid(format!("it is damaged: {how}"))
}

fn foreign(how: impl std::fmt::Display) -> Invalid {
    Invalid(format!("it is no file of learned values: {how}"))
}
