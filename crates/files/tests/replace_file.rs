//! Files that are replaced while others are killed, or replace them too.

#![allow(clippy::unwrap_used)]

use ludens_files::{PendingFile, replace_file, replace_file_later};
use std::fs::{self, File};
use std::path::{Path, PathBuf};

fn folder(name: &str) -> PathBuf {
    let path = std::env::temp_dir().join(format!("ludens-{}-{name}", std::process::id()));
    fs::create_dir_all(&path).unwrap();
    path
}

fn names(folder: &Path) -> Vec<String> {
    let entries = fs::read_dir(folder).unwrap();
    let mut names: Vec<String> =
        entries.map(|entry| entry.unwrap().file_name().into_string().unwrap()).collect();
    names.sort();
    names
}

#[test]
fn drafts_of_the_dead_are_removed_and_those_of_the_living_kept() {
    let folder = folder("drafts");
    let draft = |number: u64| folder.join(format!(".report.csv.{number:016x}.tmp"));
    fs::write(draft(1), "half a repo").unwrap();
    let living = File::create(draft(2)).unwrap();
    living.lock().unwrap();
    // Names that look like drafts of this file, and are not.
    let others = [".report.csv.bak.0123456789abcdef.tmp", ".report.csv.tmp", "report.csv.tmp"];
    others.iter().for_each(|name| fs::write(folder.join(name), "kept").unwrap());
    replace_file(&folder.join("report.csv"), |out| out.write_all(b"whole")).unwrap();
    let kept = [".report.csv.0000000000000002.tmp", "report.csv"];
    let mut expected = [&kept[..], &others].concat();
    expected.sort_unstable();
    assert_eq!(names(&folder), expected);
    assert_eq!(fs::read(folder.join("report.csv")).unwrap(), b"whole");
    fs::remove_dir_all(&folder).unwrap();
}

#[test]
fn many_replace_a_file_at_once_and_none_fails() {
    let folder = folder("many");
    let path = folder.join("index.html");
    let replace = || replace_file(&path, |out| out.write_all(b"whole")).unwrap();
    std::thread::scope(|scope| {
        for _ in 0..4 {
            scope.spawn(|| (0..50).for_each(|_| replace()));
        }
    });
    assert_eq!(names(&folder), ["index.html"]);
    assert_eq!(fs::read(path).unwrap(), b"whole");
    fs::remove_dir_all(&folder).unwrap();
}

/// Bytes with runs of zeros of every kind: at blocks and across them, at the start and at the end.
fn with_zeros(block: usize, length: usize) -> Vec<u8> {
    (0..length).map(|i| if i / block % 3 == 1 { (i % 251) as u8 } else { 0 }).collect()
}

#[test]
fn zeros_are_read_back_wherever_they_are() {
    let folder = folder("zeros");
    let path = folder.join("value");
    for length in [0, 1, 4095, 4096, 4097, 65_535, 65_536, 65_537, 300_000] {
        for block in [1, 1000, 4096, 20_000, 70_000, 1 << 20] {
            for pieces in [1, 777, 65_536, 1 << 20] {
                let bytes = with_zeros(block, length);
                let write = |out: &mut dyn std::io::Write| {
                    bytes.chunks(pieces).try_for_each(|piece| out.write_all(piece))
                };
                if pieces == 1 && length > 5000 {
                    continue;
                }
                replace_file(&path, write).unwrap();
                assert!(fs::read(&path).unwrap() == bytes, "{length} {block} {pieces}");
            }
        }
    }
    fs::remove_dir_all(&folder).unwrap();
}

#[cfg(target_os = "linux")]
#[test]
fn zeros_take_no_room_where_files_may_have_holes() {
    use std::os::unix::fs::MetadataExt;
    let folder = folder("holes");
    let path = folder.join("value");
    let probe = File::create(folder.join("probe")).unwrap();
    probe.set_len(1 << 24).unwrap();
    let zeros = vec![0; 1 << 24];
    replace_file(&path, |out| out.write_all(b"begin").and_then(|()| out.write_all(&zeros)))
        .unwrap();
    let room = |metadata: fs::Metadata| metadata.blocks() * 512;
    let found = fs::metadata(&path).unwrap();
    assert_eq!(found.len(), 5 + (1 << 24));
    let of_a_hole = room(probe.metadata().unwrap());
    assert!(of_a_hole > 1 << 20 || room(found) < 1 << 20, "the zeros have been written");
    fs::remove_dir_all(&folder).unwrap();
}

#[test]
fn a_pending_file_is_there_when_it_was_waited_for() {
    let folder = folder("pending");
    let path = folder.join("value");
    let mut content = b"one".to_vec();
    let pending = replace_file_later(&path, |out| out.write_all(&content)).unwrap();
    content[0] = b'x';
    pending.wait().unwrap();
    assert_eq!(fs::read(&path).unwrap(), b"one", "what it was made of may change at once");
    drop(replace_file_later(&path, |out| out.write_all(b"two")).unwrap());
    assert_eq!(fs::read(&path).unwrap(), b"two", "dropping waits, too");
    let failed = replace_file_later(&path, |_| Err(std::io::Error::other("no")));
    assert_eq!(failed.unwrap_err().to_string(), "no");
    let gone = folder.join("a folder");
    fs::create_dir(&gone).unwrap();
    let pending = replace_file_later(&gone, |out| out.write_all(b"three")).unwrap();
    assert!(pending.wait().is_err(), "a file cannot take the place of a folder");
    assert_eq!(names(&folder), ["a folder", "value"], "no draft is left");
    fs::remove_dir_all(&folder).unwrap();
}

#[cfg(feature = "faults")]
#[test]
fn what_waits_for_the_disk_suffers_the_faults_of_who_began_it() {
    use ludens_files::faults::{Fault, inject};
    let folder = folder("later");
    let path = folder.join("value");
    let work =
        || replace_file_later(&path, |out| out.write_all(b"new")).and_then(PendingFile::wait);
    let (ended, operations) = inject(u64::MAX, Fault::Fail, work);
    ended.unwrap();
    assert!(operations >= 5, "made, written, synced, renamed, and the folder synced: {operations}");
    for fault in [Fault::Fail, Fault::FailForever, Fault::Die, Fault::Tear, Fault::PowerCut] {
        for nth in 1..=operations {
            fs::write(&path, b"old").unwrap();
            let (ended, reached) = inject(nth, fault, work);
            assert!(reached >= nth && ended.is_err(), "{fault:?} {nth}");
            let found = fs::read(&path).unwrap();
            assert!(found == b"old" || found == b"new", "{fault:?} {nth}: {found:?}");
        }
    }
    fs::remove_dir_all(&folder).unwrap();
}
