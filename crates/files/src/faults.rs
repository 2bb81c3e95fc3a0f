//! Injected faults, as SQLite tests its file layer: the n-th operation goes wrong.
//!
//! Faults are those of one thread and of what it leaves to others, so that tests may run side by
//! side.

use std::cell::RefCell;
use std::collections::HashMap;
use std::path::{Path, PathBuf};
use std::sync::{Arc, Mutex, PoisonError};
use std::thread::JoinHandle;
use std::{fs, io};

/// What goes wrong.
#[derive(Copy, Clone, Debug, PartialEq, Eq)]
pub enum Fault {
    /// The operation fails, and later ones work: no room for a moment.
    Fail,
    /// The operation and all later ones fail: the disk stays full.
    FailForever,
    /// The process dies before the operation.
    Die,
    /// A write puts down half of its bytes, and the process dies.
    Tear,
    /// The power goes out before the operation, and whatever was not synced is lost.
    PowerCut,
}

/// What an operation does.
pub(crate) enum Extent {
    Whole,
    Half,
}

#[derive(Default)]
struct State {
    chosen: Option<(u64, Fault)>,
    reached: u64,
    /// Nothing works any more.
    dead: bool,
    /// How many bytes of each open file a power cut leaves.
    synced: HashMap<PathBuf, u64>,
    /// Names that changed since the last sync of a folder, with what lay there before.
    unsynced_names: Vec<(PathBuf, Option<Vec<u8>>)>,
}

thread_local! {
    static STATE: RefCell<Arc<Mutex<State>>> = RefCell::default();
}

/// Runs `work` with a fault at the `nth` operation, counted from one. Also returns how many
/// operations were reached; fewer than `nth` if nothing went wrong.
pub fn inject<T>(nth: u64, fault: Fault, work: impl FnOnce() -> T) -> (T, u64) {
    let state = State { chosen: Some((nth, fault)), ..State::default() };
    STATE.set(Arc::new(Mutex::new(state)));
    let result = work();
    let reached = with_state(|state| state.reached);
    STATE.take();
    (result, reached)
}

fn with_state<T>(work: impl FnOnce(&mut State) -> T) -> T {
    STATE.with_borrow(|state| work(&mut state.lock().unwrap_or_else(PoisonError::into_inner)))
}

/// Works in a thread that suffers the faults of this one.
pub(crate) fn spawn<T: Send + 'static>(
    work: impl FnOnce() -> T + Send + 'static,
) -> io::Result<JoinHandle<T>> {
    let state = STATE.with_borrow(Arc::clone);
    let work = move || {
        STATE.set(state);
        work()
    };
    std::thread::Builder::new().spawn(work)
}

/// Counts an operation, and lets it fail if it is the chosen one.
pub(crate) fn reach() -> io::Result<Extent> {
    with_state(|state| {
        let Some((nth, fault)) = state.chosen else { return Ok(Extent::Whole) };
        state.reached += 1;
        if state.dead {
            return Err(io::Error::other("injected: the process is dead"));
        }
        let full = || Err(io::Error::new(io::ErrorKind::StorageFull, "injected: no space left"));
        match fault {
            Fault::FailForever if state.reached >= nth => full(),
            _ if state.reached != nth => Ok(Extent::Whole),
            Fault::Fail | Fault::FailForever => full(),
            Fault::Tear => {
                state.dead = true;
                Ok(Extent::Half)
            }
            Fault::Die => {
                state.dead = true;
                Err(io::Error::other("injected: the process dies"))
            }
            Fault::PowerCut => {
                state.dead = true;
                state.lose_unsynced();
                Err(io::Error::other("injected: the power is cut"))
            }
        }
    })
}

impl State {
    /// Leaves on disk only what was synced.
    fn lose_unsynced(&mut self) {
        for (path, length) in &self.synced {
            if let Ok(file) = fs::OpenOptions::new().write(true).open(path)
                && file.metadata().is_ok_and(|about| about.len() > *length)
            {
                let _ = file.set_len(*length);
            }
        }
        for (path, before) in self.unsynced_names.drain(..).rev() {
            let _ = match before {
                Some(bytes) => fs::write(path, bytes),
                None => fs::remove_file(path),
            };
        }
    }
}

fn while_chosen(change: impl FnOnce(&mut State)) {
    with_state(|state| {
        if state.chosen.is_some() && !state.dead {
            change(state);
        }
    });
}

/// A name is about to appear, to disappear, or to mean another file.
pub(crate) fn changes_name(path: &Path) {
    while_chosen(|state| state.unsynced_names.push((path.into(), fs::read(path).ok())));
}

/// A file was opened with so many bytes in it.
pub(crate) fn opened(path: &Path, length: u64) {
    while_chosen(|state| {
        state.synced.insert(path.into(), length);
    });
}

/// A file of so many bytes was synced.
pub(crate) fn synced(path: &Path, length: u64) {
    opened(path, length);
}

/// A file has another name.
pub(crate) fn renamed(from: &Path, to: &Path) {
    while_chosen(|state| {
        if let Some(length) = state.synced.remove(from) {
            state.synced.insert(to.into(), length);
        }
    });
}

/// Names last from now on.
pub(crate) fn folder_synced() {
    while_chosen(|state| state.unsynced_names.clear());
}
