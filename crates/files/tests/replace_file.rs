//! Files that are replaced while others are killed, or replace them too.

#![allow(clippy::unwrap_used)]

use ludens_files::replace_file;
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
