//! The file layer: everything that Ludens writes to disk goes through here.
//!
//! [`replace_file`] makes files that are whole or not there, with holes for zeros,
//! [`replace_file_later`] lets another thread wait for the disk, [`OutFile`] makes files that grow,
//! [`FolderLock`] keeps others out of a folder, and [`read_text`] refuses what never ends. With the
//! feature `faults`, a test chooses the n-th operation and what goes wrong there.

#[cfg(feature = "faults")]
pub mod faults;
#[cfg(not(feature = "faults"))]
mod no_faults;
#[cfg(not(feature = "faults"))]
use no_faults as faults;

mod lock;
mod out_file;
mod read;
mod replace;
mod sparse;

pub use lock::{FolderLock, LockError, is_locked};
pub use out_file::{OutFile, remove_file, rename, sync_folder};
pub use read::read_text;
pub use replace::{PendingFile, discard_file, is_draft_name, replace_file, replace_file_later};
