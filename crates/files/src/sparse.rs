//! Files with holes: blocks of zeros are skipped, and read as zeros all the same.

use crate::OutFile;
use std::io::{self, Write};

/// A buffered writer of a new file that leaves holes for blocks of zeros.
pub(crate) struct SparseWriter {
    file: OutFile,
    buffer: Vec<u8>,
    /// Bytes of the file before the buffer: whole buffers, so that blocks are those of the disk.
    before: u64,
}

const BUFFER: usize = 1 << 16;

/// What most file systems give out at once.
const BLOCK: usize = 1 << 12;

static ZEROS: [u8; BLOCK] = [0; BLOCK];

impl SparseWriter {
    /// Writes an empty file from its start.
    pub(crate) fn new(file: OutFile) -> SparseWriter {
        SparseWriter { file, buffer: Vec::with_capacity(BUFFER), before: 0 }
    }

    /// Writes what is left, and returns the file with its full length.
    pub(crate) fn finish(mut self) -> io::Result<OutFile> {
        let length = self.before + self.buffer.len() as u64;
        self.put_down()?;
        if self.file.length()? < length {
            self.file.truncate(length)?;
        }
        Ok(self.file)
    }

    /// Writes the buffer without its blocks of zeros.
    fn put_down(&mut self) -> io::Result<()> {
        let is_zero = |block: &[u8]| *block == ZEROS[..block.len()];
        let mut rest = &self.buffer[..];
        while !rest.is_empty() {
            let zeros = run(rest, is_zero);
            self.file.skip(zeros)?;
            rest = &rest[zeros..];
            let data = run(rest, |block| !is_zero(block));
            self.file.write_all(&rest[..data])?;
            rest = &rest[data..];
        }
        self.before += self.buffer.len() as u64;
        self.buffer.clear();
        Ok(())
    }
}

/// The number of bytes in the blocks at the start that are all so.
fn run(bytes: &[u8], is_so: impl Fn(&[u8]) -> bool) -> usize {
    bytes.chunks(BLOCK).take_while(|block| is_so(block)).map(<[u8]>::len).sum()
}

impl Write for SparseWriter {
    fn write(&mut self, bytes: &[u8]) -> io::Result<usize> {
        if self.buffer.len() == BUFFER {
            self.put_down()?;
        }
        let taken = bytes.len().min(BUFFER - self.buffer.len());
        self.buffer.extend_from_slice(&bytes[..taken]);
        Ok(taken)
    }

    /// Does nothing: what counts is [`SparseWriter::finish`].
    fn flush(&mut self) -> io::Result<()> {
        Ok(())
    }
}
