//! Files and folders that are damaged, foreign, too new, or of another run.

use super::*;
use std::fs;

/// A short run in a new folder, and its value.
fn short_run(all: &Path, name: &str, game: &str) -> (PathBuf, PathBuf) {
    let run = all.join(name);
    printed(&["train", game, "--episodes", "40", "--eval", "none", "--out", text(&run)]);
    let value = run.join("value.safetensors");
    (run, value)
}

/// Replaces a text by another of the same length.
fn replaced(bytes: &[u8], from: &[u8], to: &[u8]) -> Vec<u8> {
    let at = bytes.windows(from.len()).position(|part| part == from).expect("it is in there");
    let mut bytes = bytes.to_vec();
    bytes[at..at + to.len()].copy_from_slice(to);
    bytes
}

/// What every command that opens a value tells of such a file.
fn assert_refused(value: &Path, reason: &str) {
    let file = text(value);
    let agent = format!("greedy:{file}");
    for arguments in [
        &["inspect", file][..],
        &["eval", file],
        &["measure", "tictactoe", &agent],
        &["match", "tictactoe", &agent, "random"],
    ] {
        let told = refused(arguments);
        assert!(told.contains(file) && told.contains(reason), "{arguments:?}: {told}");
        assert!(!told.contains("panicked"), "{told}");
    }
}

#[test]
fn damaged_foreign_and_newer_values_are_refused_with_the_reason() {
    let all = folder("damaged-values");
    let (_, good) = short_run(&all, "run", "tictactoe");
    let good = fs::read(good).unwrap();
    let value = all.join("value.safetensors");
    let mut flipped = good.clone();
    *flipped.last_mut().unwrap() ^= 1;
    let newer = replaced(&good, b"\"version\":\"3\"", b"\"version\":\"9\"");
    let foreign = replaced(&good, b"ludens-value", b"someone-else");
    for (bytes, reason) in [
        (&good[..good.len() / 2], "it ends before its numbers do"),
        (&good[..3], "no file of learned values"),
        (b"", "no file of learned values"),
        (b"# Not a value\n, but a text.\n", "no file of learned values"),
        (&flipped, "is damaged"),
        (&newer, "version 9"),
        (&foreign, "no file of learned values"),
    ] {
        fs::write(&value, bytes).unwrap();
        assert_refused(&value, reason);
    }
}

/// The checksum that files of version 2 had of their numbers.
fn old_checksum(numbers: &[u8]) -> String {
    const FACTOR: u64 = 0x9e37_79b9_7f4a_7c15;
    let mix = |hash: u64| hash.wrapping_mul(FACTOR) ^ hash.wrapping_mul(FACTOR) >> 32;
    let hash = numbers.chunks(8).fold(0, |hash, chunk| {
        let mut word = [0; 8];
        word[..chunk.len()].copy_from_slice(chunk);
        mix(hash ^ u64::from_le_bytes(word))
    });
    format!("{:016x}", mix(hash ^ numbers.len() as u64))
}

/// The same value as version 2 of the format had it.
fn as_version_2(file: &[u8]) -> Vec<u8> {
    let start = 8 + u64::from_le_bytes(file[..8].try_into().expect("a value file")) as usize;
    let mut header: Value = serde_json::from_slice(&file[8..start]).expect("a value file");
    let tensors = header.as_object().expect("a value file").clone().into_iter();
    let about = header["__metadata__"].as_object_mut().expect("a value file");
    about.retain(|key, _| !key.starts_with("crc32"));
    about.insert("version".into(), "2".into());
    for (name, tensor) in tensors.filter(|(name, _)| name != "__metadata__") {
        let [from, to] =
            [0, 1].map(|i| tensor["data_offsets"][i].as_u64().expect("a value file") as usize);
        let checksum = old_checksum(&file[start + from..start + to]);
        about.insert(format!("checksum:{name}"), checksum.into());
    }
    let text = header.to_string();
    [&(text.len() as u64).to_le_bytes(), text.as_bytes(), &file[start..]].concat()
}

#[test]
fn values_of_older_versions_are_read_with_one_note() {
    let all = folder("older-values");
    let (run, value) = short_run(&all, "run", "tictactoe");
    fs::write(&value, as_version_2(&fs::read(&value).unwrap())).unwrap();
    let (run, file) = (text(&run), text(&value));
    let agent = format!("greedy:{file}");
    for arguments in [
        &["inspect", file][..],
        &["eval", file],
        &["match", "tictactoe", &agent, &agent, "--games", "2"],
        &["train", "--resume", run, "--episodes", "60"],
    ] {
        let output = ludens(arguments);
        let told = String::from_utf8_lossy(&output.stderr);
        let note = format!("note: {file}: an older version of Ludens wrote it");
        assert!(output.status.success(), "{arguments:?}: {told}");
        assert_eq!(told.matches(&note).count(), 1, "{arguments:?}: {told}");
    }
}

#[test]
fn values_of_another_game_are_refused() {
    let all = folder("other-game");
    let (_, value) = short_run(&all, "nim", "nim");
    let told = refused(&["measure", "tictactoe", &format!("greedy:{}", text(&value))]);
    assert!(told.contains("was learned in nim, which is not the game here"), "{told}");
}

fn assert_not_resumed(run: &Path, reason: &str) {
    let told = refused(&["train", "--resume", text(run), "--episodes", "60"]);
    assert!(told.contains(reason), "{told}");
}

#[test]
fn damaged_run_folders_are_refused_with_the_reason() {
    let all = folder("damaged-runs");
    let (run, value) = short_run(&all, "run", "tictactoe");
    let (plan, bytes) = (run.join("run.toml"), fs::read(&value).unwrap());
    let good = fs::read_to_string(&plan).unwrap();
    let rewritten = |from: &str, to: &str| {
        assert!(good.contains(from), "{from} in {good}");
        fs::write(&plan, good.replacen(from, to, 1)).unwrap();
    };
    rewritten("seed = 1", "seed = ");
    assert_not_resumed(&run, "run.toml");
    rewritten("seed = 1", "seed = 2");
    assert_not_resumed(&run, "another seed");
    rewritten("gamma = 1.0", "gamma = 0.5");
    assert_not_resumed(&run, "was changed: learner.gamma was 1 and is 0.5");
    rewritten("sample = 1", "sample = 2");
    assert_not_resumed(&run, "was changed: sample was 1 and is 2");
    rewritten("preset = \"default\"", "preset = \"farl\"");
    assert_not_resumed(&run, "was changed or is damaged: the CRC-32");
    rewritten("episodes = 40", "episodes = 50");
    assert_not_resumed(&run, "was changed or is damaged: the CRC-32");
    let version = format!("ludens = \"{}\"", env!("CARGO_PKG_VERSION"));
    rewritten(&version, "ludens = \"99.0.0\"\nfrom-the-future = true");
    assert_not_resumed(&run, "was begun by ludens 99.0.0");
    fs::write(&plan, &good).unwrap();
    fs::write(&value, &bytes[..bytes.len() - 9]).unwrap();
    assert_not_resumed(&run, "it ends before its numbers do");
    let (_, other) = short_run(&all, "other", "nim");
    fs::copy(other, &value).unwrap();
    assert_not_resumed(&run, "was changed: game was ");
    fs::write(&value, &bytes).unwrap();
    printed(&["train", "--resume", text(&run), "--episodes", "60"]);
    fs::remove_file(&plan).unwrap();
    assert_not_resumed(&run, "holds no run: it has no run.toml");
}

/// Every bit of the header of a value is covered, whatever it says.
#[test]
fn flipped_bits_of_the_header_are_refused_by_whoever_plays() {
    let all = folder("flipped-header");
    let (_, good) = short_run(&all, "run", "tictactoe");
    let good = fs::read(good).unwrap();
    let value = all.join("value.safetensors");
    // The discount factor, a tuple and the number of episodes, among others.
    for (from, to) in [("gamma = 1", "gamma = 0"), ("[0,", "[1,"), ("\"40\"", "\"41\"")] {
        let known = good.windows(from.len()).any(|part| part == from.as_bytes());
        if known {
            fs::write(&value, replaced(&good, from.as_bytes(), to.as_bytes())).unwrap();
            assert_refused(&value, "it is damaged: its header is not the one written");
        }
    }
}

#[cfg(unix)]
#[test]
fn books_and_settings_that_are_missing_or_never_end_are_refused() {
    let told = refused(&["solve", "connect4", "--moves", "4444", "--book", "/nowhere/a.book"]);
    assert!(told.contains("--book /nowhere/a.book: the opening book cannot be read"), "{told}");
    let told = refused(&["solve", "connect4", "--moves", "4444", "--book", "/dev/zero"]);
    assert!(told.contains("not an opening book"), "{told}");
    let out = folder("endless").join("run");
    let told = refused(&["train", "nim", "--config", "/dev/zero", "--out", text(&out)]);
    assert!(told.contains("/dev/zero cannot be read: it is longer than"), "{told}");
}

#[test]
fn records_of_another_game_are_no_games_to_learn_from() {
    let all = folder("other-records");
    let (games, out) = (all.join("games.jsonl"), all.join("run"));
    // Moves of a small board are legal on a large one.
    let record = ["match", "hex:size=3", "random", "random", "--games", "4", "--record"];
    printed(&[&record[..], &[text(&games)]].concat());
    let set = format!("games=[{{from=\"records\",file=\"{}\",plies=2}}]", text(&games));
    let told = refused(&["train", "hex:size=4", "--set", &set, "--out", text(&out)]);
    assert!(told.contains("field game: this is a record of \"hex:size=3\""), "{told}");
}
