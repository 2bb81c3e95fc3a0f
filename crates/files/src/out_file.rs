//! Files that are written, one operation at a time.

use crate::faults::{self, Extent};
use std::fs::{self, File, OpenOptions};
use std::io::{self, Read, Seek, SeekFrom, Write};
use std::path::{Path, PathBuf};

/// A file that is written.
#[derive(Debug)]
pub struct OutFile {
    path: PathBuf,
    file: File,
}

impl OutFile {
    /// Makes an empty file in the place of any old one.
    ///
    /// # Errors
    ///
    /// If it cannot be made.
    pub fn create(path: &Path) -> io::Result<OutFile> {
        OutFile::open_with(path, OpenOptions::new().write(true).create(true).truncate(true))
    }

    /// Opens a file with what it holds, and makes it if it is missing. The position is its start.
    ///
    /// # Errors
    ///
    /// If it cannot be opened.
    pub fn open(path: &Path) -> io::Result<OutFile> {
        let mut options = OpenOptions::new();
        OutFile::open_with(path, options.read(true).write(true).create(true).truncate(false))
    }

    fn open_with(path: &Path, options: &OpenOptions) -> io::Result<OutFile> {
        faults::reach()?;
        if !path.exists() {
            faults::changes_name(path);
        }
        let file = options.open(path)?;
        faults::opened(path, file.metadata()?.len());
        Ok(OutFile { path: path.into(), file })
    }

    /// The path that the file was opened with.
    pub fn path(&self) -> &Path {
        &self.path
    }

    /// The file itself, for locks.
    pub(crate) fn file(&self) -> &File {
        &self.file
    }

    /// The number of bytes in the file.
    ///
    /// # Errors
    ///
    /// If the system does not tell.
    pub fn length(&self) -> io::Result<u64> {
        Ok(self.file.metadata()?.len())
    }

    /// Cuts the file off after so many bytes and goes on there.
    ///
    /// # Errors
    ///
    /// If it cannot be cut.
    pub fn truncate(&mut self, length: u64) -> io::Result<()> {
        faults::reach()?;
        self.file.set_len(length)?;
        self.file.seek(SeekFrom::Start(length))?;
        Ok(())
    }

    /// Goes on so many bytes later; what lies between is zero and takes no room.
    ///
    /// The file reaches as far only when something follows, or by [`OutFile::truncate`].
    ///
    /// # Errors
    ///
    /// If the system does not allow it.
    pub(crate) fn skip(&mut self, bytes: usize) -> io::Result<()> {
        self.file.seek(SeekFrom::Current(bytes as i64)).map(drop)
    }

    /// Waits until all bytes are on the disk.
    ///
    /// # Errors
    ///
    /// If they cannot be written.
    pub fn sync(&self) -> io::Result<()> {
        faults::reach()?;
        self.file.sync_all()?;
        faults::synced(&self.path, self.length()?);
        Ok(())
    }
}

impl Read for OutFile {
    fn read(&mut self, bytes: &mut [u8]) -> io::Result<usize> {
        self.file.read(bytes)
    }
}

impl Write for OutFile {
    fn write(&mut self, bytes: &[u8]) -> io::Result<usize> {
        match faults::reach()? {
            Extent::Whole => self.file.write(bytes),
            Extent::Half => self.file.write(&bytes[..bytes.len() / 2]),
        }
    }

    fn flush(&mut self) -> io::Result<()> {
        self.file.flush()
    }
}

/// Gives a file another name, in the place of any file of that name.
///
/// # Errors
///
/// If that is not possible; both are as before then.
pub fn rename(from: &Path, to: &Path) -> io::Result<()> {
    faults::reach()?;
    faults::changes_name(to);
    fs::rename(from, to)?;
    faults::renamed(from, to);
    Ok(())
}

/// Removes a file.
///
/// # Errors
///
/// If that is not possible.
pub fn remove_file(path: &Path) -> io::Result<()> {
    faults::reach()?;
    faults::changes_name(path);
    fs::remove_file(path)
}

/// Makes the names in a folder last, where folders can be synced.
///
/// # Errors
///
/// If that is not possible.
pub fn sync_folder(folder: &Path) -> io::Result<()> {
    faults::reach()?;
    if cfg!(unix) {
        File::open(folder)?.sync_all()?;
    }
    faults::folder_synced();
    Ok(())
}
