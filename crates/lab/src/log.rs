//! Files that grow line by line.

use crate::RunError;
use crc32fast::Hasher;
use ludens_files::OutFile;
use std::io::{Read, Write};
use std::path::Path;

/// A file that grows line by line. Lines that find no room on the disk wait in memory.
#[derive(Debug)]
pub(crate) struct Log {
    file: OutFile,
    /// The number of bytes already written to the file.
    written: u64,
    waiting: Vec<u8>,
    /// The checksum of everything, pending lines included.
    checksum: Hasher,
    /// Whether the last attempt to write failed.
    failing: bool,
}

/// How much of a log counts.
#[derive(Copy, Clone, Debug, PartialEq, Eq)]
pub(crate) struct LogEnd {
    /// Its length in bytes.
    pub(crate) length: u64,
    /// The CRC-32 of these bytes, if it was kept.
    pub(crate) checksum: Option<u32>,
}

impl LogEnd {
    /// Nothing counts.
    pub(crate) const START: LogEnd = LogEnd { length: 0, checksum: None };
}

impl Log {
    /// Opens a file and cuts it off at its end.
    ///
    /// # Errors
    ///
    /// If the file cannot be written, is shorter, or holds other bytes up to there.
    pub(crate) fn open(path: &Path, end: LogEnd) -> Result<Log, RunError> {
        let wrong = RunError::file(path);
        let mut file = OutFile::open(path).map_err(&wrong)?;
        let (found, length) = (file.length().map_err(&wrong)?, end.length);
        if found < length {
            return Err(RunError::Stuck(format!(
                "{} is shorter than when the run was saved: {found} bytes, not {length}",
                path.display()
            )));
        }
        let checksum = checksum_of(&mut file, length).map_err(&wrong)?;
        let found = checksum.clone().finalize();
        if let Some(saved) = end.checksum.filter(|saved| *saved != found) {
            return Err(RunError::Stuck(format!(
                "{} is damaged: the CRC-32 of its first {length} bytes is {found:08x}, and was \
                 {saved:08x} when the run was saved",
                path.display()
            )));
        }
        file.truncate(length).map_err(&wrong)?;
        Ok(Log { file, written: length, waiting: Vec::new(), checksum, failing: false })
    }

    /// The end of the file, pending lines included.
    pub(crate) fn end(&self) -> LogEnd {
        let length = self.written + self.waiting.len() as u64;
        LogEnd { length, checksum: Some(self.checksum.clone().finalize()) }
    }

    /// Adds a line that ends with a line break.
    ///
    /// # Errors
    ///
    /// If it cannot be written now and could be before; it waits, as those after it do silently.
    pub(crate) fn add(&mut self, line: &[u8]) -> Result<(), RunError> {
        self.waiting.extend_from_slice(line);
        self.checksum.update(line);
        let failed_before = self.failing;
        self.write_waiting().or_else(|e| if failed_before { Ok(()) } else { Err(e) })
    }

    /// Makes sure that all lines are on the disk.
    ///
    /// # Errors
    ///
    /// If they cannot be written now; they wait.
    pub(crate) fn sync(&mut self) -> Result<(), RunError> {
        self.write_waiting()?;
        self.file.sync().map_err(RunError::file(self.file.path()))
    }

    fn write_waiting(&mut self) -> Result<(), RunError> {
        let result = self.file.write_all(&self.waiting);
        self.failing = result.is_err();
        if let Err(error) = result {
            // Half a line is no line.
            let _ = self.file.truncate(self.written);
            return Err(RunError::file(self.file.path())(error));
        }
        self.written += self.waiting.len() as u64;
        self.waiting.clear();
        Ok(())
    }
}

/// The checksum of the first bytes.
fn checksum_of(file: &mut OutFile, length: u64) -> std::io::Result<Hasher> {
    let (mut checksum, mut piece, mut left) = (Hasher::new(), vec![0; 1 << 16], length);
    while left > 0 {
        let wanted = left.min(piece.len() as u64) as usize;
        file.read_exact(&mut piece[..wanted])?;
        checksum.update(&piece[..wanted]);
        left -= wanted as u64;
    }
    Ok(checksum)
}

#[cfg(test)]
mod tests {
    use super::*;

    fn file(name: &str, text: &str) -> std::path::PathBuf {
        let path = std::env::temp_dir().join(format!("ludens-log-{name}-{}", std::process::id()));
        std::fs::write(&path, text).unwrap();
        path
    }

    #[test]
    fn lines_after_the_saved_length_are_forgotten() {
        let path = file("forgotten", "one\ntwo\nthr");
        let mut log = Log::open(&path, LogEnd { length: 8, checksum: None }).unwrap();
        log.add(b"three\n").unwrap();
        log.sync().unwrap();
        assert_eq!(std::fs::read_to_string(&path).unwrap(), "one\ntwo\nthree\n");
        let checksum = Some(crc32fast::hash(b"one\ntwo\nthree\n"));
        assert_eq!(log.end(), LogEnd { length: 14, checksum });
        let longer = LogEnd { length: 99, checksum: None };
        let shorter = Log::open(&path, longer).unwrap_err().to_string();
        assert!(shorter.contains("14 bytes, not 99"), "{shorter}");
        std::fs::remove_file(path).unwrap();
    }

    #[test]
    fn every_changed_byte_of_a_saved_log_is_noticed() {
        let text = "{\"episode\":100}\n{\"episode\":200}\n";
        let path = file("changed", text);
        let end = Log::open(&path, LogEnd { length: text.len() as u64, checksum: None });
        let end = end.unwrap().end();
        for at in 0..text.len() {
            let mut changed = text.as_bytes().to_vec();
            changed[at] ^= 1;
            std::fs::write(&path, changed).unwrap();
            let refused = Log::open(&path, end).unwrap_err().to_string();
            assert!(refused.contains("is damaged: the CRC-32"), "{refused}");
        }
        std::fs::remove_file(path).unwrap();
    }

    #[cfg(target_os = "linux")]
    #[test]
    fn lines_wait_while_the_disk_is_full_and_one_warning_is_enough() {
        // Opening works, writing never does.
        let file = OutFile::open(Path::new("/dev/full")).unwrap();
        let (waiting, checksum) = (Vec::new(), Hasher::new());
        let mut log = Log { file, written: 0, waiting, checksum, failing: false };
        assert!(log.add(b"one\n").is_err());
        assert!(log.add(b"two\n").is_ok(), "the first error said it all");
        assert!(log.sync().is_err(), "a checkpoint must not count on them");
        assert_eq!((log.end().length, &log.waiting[..]), (8, &b"one\ntwo\n"[..]));
    }
}
