//! Files that grow line by line.

use crate::RunError;
use std::fs::{File, OpenOptions};
use std::io::{Seek, SeekFrom, Write};
use std::path::{Path, PathBuf};

/// A file that grows line by line. Lines that find no room on the disk wait in memory.
#[derive(Debug)]
pub(crate) struct Log {
    path: PathBuf,
    file: File,
    /// The number of bytes already written to the file.
    written: u64,
    waiting: Vec<u8>,
}

impl Log {
    /// Opens a file and truncates it to `length` bytes.
    ///
    /// # Errors
    ///
    /// If the file cannot be written, or is shorter.
    pub(crate) fn open(path: &Path, length: u64) -> Result<Log, RunError> {
        let wrong = RunError::file(path);
        let open = OpenOptions::new().write(true).create(true).truncate(false).open(path);
        let mut file = open.map_err(&wrong)?;
        let found = file.metadata().map_err(&wrong)?.len();
        if found < length {
            return Err(RunError::Stuck(format!(
                "{} is shorter than when the run was saved: {found} bytes, not {length}",
                path.display()
            )));
        }
        file.set_len(length).map_err(&wrong)?;
        file.seek(SeekFrom::Start(length)).map_err(&wrong)?;
        Ok(Log { path: path.into(), file, written: length, waiting: Vec::new() })
    }

    /// The length of the file, pending lines included.
    pub(crate) fn length(&self) -> u64 {
        self.written + self.waiting.len() as u64
    }

    /// Adds a line that ends with a line break.
    ///
    /// # Errors
    ///
    /// If it cannot be written now; it waits.
    pub(crate) fn add(&mut self, line: &[u8]) -> Result<(), RunError> {
        self.waiting.extend_from_slice(line);
        self.write_waiting()
    }

    /// Makes sure that all lines are on the disk.
    ///
    /// # Errors
    ///
    /// If they cannot be written now; they wait.
    pub(crate) fn sync(&mut self) -> Result<(), RunError> {
        self.write_waiting()?;
        self.file.sync_data().map_err(RunError::file(&self.path))
    }

    fn write_waiting(&mut self) -> Result<(), RunError> {
        let result = self.file.write_all(&self.waiting);
        if let Err(error) = result {
            // Half a line is no line.
            let _ = self.file.set_len(self.written);
            let _ = self.file.seek(SeekFrom::Start(self.written));
            return Err(RunError::file(&self.path)(error));
        }
        self.written += self.waiting.len() as u64;
        self.waiting.clear();
        Ok(())
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn lines_after_the_saved_length_are_forgotten() {
        let path = std::env::temp_dir().join(format!("ludens-log-{}", std::process::id()));
        std::fs::write(&path, "one\ntwo\nthr").unwrap();
        let mut log = Log::open(&path, 8).unwrap();
        log.add(b"three\n").unwrap();
        log.sync().unwrap();
        assert_eq!(std::fs::read_to_string(&path).unwrap(), "one\ntwo\nthree\n");
        assert_eq!(log.length(), 14);
        let shorter = Log::open(&path, 99).unwrap_err().to_string();
        assert!(shorter.contains("14 bytes, not 99"), "{shorter}");
    }

    #[cfg(target_os = "linux")]
    #[test]
    fn lines_wait_while_the_disk_is_full() {
        // Opening works, writing never does.
        let file = OpenOptions::new().write(true).open("/dev/full").unwrap();
        let mut log = Log { path: "/dev/full".into(), file, written: 0, waiting: Vec::new() };
        assert!(log.add(b"one\n").is_err());
        assert!(log.add(b"two\n").is_err());
        assert_eq!((log.length(), &log.waiting[..]), (8, &b"one\ntwo\n"[..]));
    }
}
