//! Notes about files that are opened, for whoever runs the program.

use std::collections::BTreeSet;
use std::sync::{Mutex, PoisonError};

/// Who gets the notes, and those that were given.
struct Notes {
    listener: fn(&str),
    given: BTreeSet<String>,
}

/// If a program opens more files with notes, only so many notes are printed.
const MOST: usize = 1_000;

static NOTES: Mutex<Notes> = Mutex::new(Notes { listener: |_| {}, given: BTreeSet::new() });

/// Passes each note about an opened file to `listener`, once, from now on.
///
/// Such a file is sound but not as files are written today. Nobody gets the notes unless a program
/// asks for them.
pub fn set_note_listener(listener: fn(&str)) {
    NOTES.lock().unwrap_or_else(PoisonError::into_inner).listener = listener;
}

/// Gives a note, if it is new.
pub(crate) fn give_note(note: String) {
    let mut notes = NOTES.lock().unwrap_or_else(PoisonError::into_inner);
    let listener = notes.listener;
    let is_new = notes.given.len() < MOST && notes.given.insert(note.clone());
    // The listener may open files itself.
    drop(notes);
    if is_new {
        listener(&note);
    }
}
