//! Runs that are killed, stopped, and short of room.

use super::*;
use std::io::{BufRead, BufReader};
use std::time::Duration;

#[test]
fn a_run_killed_at_any_moment_ends_as_if_it_had_not_been() {
    let all = folder("killed");
    let (whole, killed) = (all.join("whole"), all.join("killed"));
    assert!(begin(&whole).wait().unwrap().success());
    let nanos = std::time::SystemTime::now().duration_since(std::time::UNIX_EPOCH).unwrap();
    let mut child = begin(&killed);
    for i in 0..6 {
        let moment = 20 + (nanos.as_nanos() as u64 >> (7 * i)) % 130;
        std::thread::sleep(Duration::from_millis(moment));
        // On Unix this is SIGKILL.
        child.kill().unwrap();
        child.wait().unwrap();
        if killed.join("summary.json").exists() {
            break;
        }
        child = resume_or_begin(&killed);
    }
    let _ = child.wait();
    if !killed.join("summary.json").exists() {
        assert!(resume(&killed).wait().unwrap().success());
    }
    assert_same(&whole, &killed);
}

/// Goes on, or begins anew if it was killed before it began.
fn resume_or_begin(run: &Path) -> Child {
    if run.join("run.toml").exists() {
        return resume(run);
    }
    begin(run)
}

#[cfg(unix)]
fn signal(child: &Child, signal: &str) {
    let status = Command::new("kill").args([signal, &child.id().to_string()]).status();
    assert!(status.expect("there is a kill").success());
}

/// Begins a run and stops it once it was saved.
#[cfg(unix)]
fn stop_after_a_checkpoint(run: &Path, by: &str) -> String {
    let child = begin(run);
    while !run.join("checkpoint.safetensors").exists() {
        std::thread::sleep(Duration::from_millis(2));
    }
    signal(&child, by);
    let output = child.wait_with_output().expect("it ends");
    let told = String::from_utf8(output.stderr).expect("text");
    assert_eq!(output.status.code(), Some(130), "{told}");
    told
}

#[cfg(unix)]
#[test]
fn an_interrupt_stops_after_the_current_game_and_saves() {
    let all = folder("interrupted");
    let whole = all.join("whole");
    assert!(begin(&whole).wait().unwrap().success());
    // Ctrl-C, and what schedulers send before they kill.
    for by in ["-INT", "-TERM"] {
        let stopped = all.join(format!("stopped{by}"));
        let told = stop_after_a_checkpoint(&stopped, by);
        assert!(
            told.contains("Stopped after ")
                && !told.contains("error:")
                && told.contains("train --resume "),
            "{told}"
        );
        assert!(resume(&stopped).wait().unwrap().success());
        assert_same(&whole, &stopped);
    }
}

#[cfg(unix)]
#[test]
fn an_interrupt_ends_an_opponent_that_thinks_for_years() {
    let run = folder("thinking").join("run");
    let games = "games=[{from=\"opponent\",agent=\"maxn:depth=200\"}]";
    let options = ["--eval", "none", "--set", games, "--out", text(&run)];
    let mut command = command(&[&["train", "hex:size=9"][..], &options].concat());
    let child = command.stdout(Stdio::null()).stderr(Stdio::piped()).spawn().expect("it starts");
    while !run.join("times.jsonl").exists() {
        std::thread::sleep(Duration::from_millis(2));
    }
    signal(&child, "-INT");
    let output = child.wait_with_output().expect("it ends");
    let told = String::from_utf8(output.stderr).expect("text");
    assert_eq!(output.status.code(), Some(130), "{told}");
    assert!(told.contains("the last checkpoint is kept") && told.contains("--resume"), "{told}");
}

/// What a run with no room for checkpoints leaves behind, once it is interrupted.
#[cfg(unix)]
fn resume_without_room(run: &Path) -> String {
    // Files may have 16 or 32 kB, by the shell; a write beyond that fails, as on a full disk.
    let script = "trap '' XFSZ; ulimit -f 32; exec \"$0\" train --save-every 0.02 --resume \"$1\"";
    let mut child = Command::new("sh")
        .args(["-c", script, env!("CARGO_BIN_EXE_ludens"), text(run)])
        .stdout(Stdio::null())
        .stderr(Stdio::piped())
        .spawn()
        .expect("it starts");
    let mut told = String::new();
    let mut lines = BufReader::new(child.stderr.take().expect("it is piped")).lines();
    for line in lines.by_ref() {
        told += &(line.expect("text") + "\n");
        if told.contains("trying again in 10 seconds") {
            break;
        }
    }
    signal(&child, "-INT");
    lines.for_each(|line| told += &(line.expect("text") + "\n"));
    assert_eq!(child.wait().expect("it ends").code(), Some(1), "{told}");
    told
}

#[cfg(unix)]
#[test]
fn a_full_disk_loses_neither_the_old_checkpoint_nor_the_run() {
    let all = folder("full");
    let (whole, full) = (all.join("whole"), all.join("full"));
    assert!(begin(&whole).wait().unwrap().success());
    stop_after_a_checkpoint(&full, "-INT");
    let checkpoint = || std::fs::read(full.join("checkpoint.safetensors")).unwrap();
    let before = checkpoint();
    assert!(before.len() > 32_768, "{}", before.len());
    let told = resume_without_room(&full);
    assert!(
        told.contains("the run could not be saved: ") && told.contains("training continues"),
        "{told}"
    );
    assert!(checkpoint() == before, "the old checkpoint is lost");
    let left: Vec<_> = std::fs::read_dir(&full).unwrap().map(|e| e.unwrap().file_name()).collect();
    assert!(!left.iter().any(|name| name.to_string_lossy().contains("tmp")), "{left:?}");
    assert!(resume(&full).wait().unwrap().success());
    assert_same(&whole, &full);
}

#[cfg(unix)]
#[test]
fn a_run_under_nohup_survives_the_hang_up() {
    let all = folder("nohup");
    let (whole, run) = (all.join("whole"), all.join("run"));
    assert!(begin(&whole).wait().unwrap().success());
    let script = "trap '' HUP; exec \"$0\" \"$@\"";
    let arguments = ["train", "tictactoe", "--save-every", "0.02", "--out", text(&run)];
    let mut child = Command::new("sh")
        .args(["-c", script, env!("CARGO_BIN_EXE_ludens")])
        .args(arguments)
        .args(LONG)
        .stdout(Stdio::null())
        .spawn()
        .expect("it starts");
    while !run.join("checkpoint.safetensors").exists() && !run.join("summary.json").exists() {
        std::thread::sleep(Duration::from_millis(2));
    }
    signal(&child, "-HUP");
    assert!(child.wait().unwrap().success(), "the hang-up was ignored when it started");
    assert_same(&whole, &run);
}

#[cfg(unix)]
#[test]
fn a_limit_on_the_size_of_files_is_told_and_not_a_silent_death() {
    let run = folder("file-size").join("run");
    // No file may have more than 512 or 1024 bytes, by the shell.
    let script = "ulimit -f 1; exec \"$0\" \"$@\"";
    let arguments = ["train", "tictactoe", "--episodes", "100", "--eval", "none", "--out"];
    let output = Command::new("sh")
        .args(["-c", script, env!("CARGO_BIN_EXE_ludens")])
        .args(arguments)
        .arg(&run)
        .output()
        .expect("it starts");
    let told = String::from_utf8_lossy(&output.stderr);
    assert_eq!(output.status.code(), Some(1), "{told}");
    assert!(told.contains("run.toml: File too large"), "{told}");
}

#[test]
fn a_run_killed_before_it_began_begins_anew_in_the_same_folder() {
    let run = folder("unbegun").join("run");
    std::fs::create_dir_all(&run).unwrap();
    std::fs::write(run.join(".lock"), "").unwrap();
    std::fs::write(run.join(".run.toml.00112233445566aa.tmp"), "ludens = \"0").unwrap();
    assert!(begin(&run).wait().unwrap().success());
}

#[cfg(unix)]
#[test]
fn a_second_process_is_refused_even_if_the_lock_file_was_deleted() {
    let run = folder("two").join("run");
    let mut child = begin(&run);
    while !run.join("run.toml").exists() {
        std::thread::sleep(Duration::from_millis(2));
    }
    signal(&child, "-STOP");
    std::fs::remove_file(run.join(".lock")).unwrap();
    let told = ludens(&["train", "--resume", text(&run)]);
    signal(&child, "-CONT");
    let told = String::from_utf8_lossy(&told.stderr).into_owned();
    assert!(told.contains("another ludens is at work in "), "{told}");
    assert!(child.wait().unwrap().success());
}

#[cfg(unix)]
#[test]
fn a_deleted_folder_ends_the_run_with_the_reason() {
    let all = folder("deleted");
    let run = all.join("run");
    let child = begin(&run);
    while !run.join("checkpoint.safetensors").exists() {
        std::thread::sleep(Duration::from_millis(2));
    }
    signal(&child, "-STOP");
    std::fs::rename(&run, all.join("elsewhere")).unwrap();
    signal(&child, "-CONT");
    let output = child.wait_with_output().expect("it ends");
    let told = String::from_utf8_lossy(&output.stderr);
    assert_eq!(output.status.code(), Some(1), "{told}");
    assert!(told.contains("is gone: it was deleted or renamed"), "{told}");
    assert!(!told.contains("trying again"), "{told}");
}

/// Trains with so many kilobytes of address space; false if that was not enough.
#[cfg(target_os = "linux")]
fn train_within(kilobytes: u64, run: &Path) -> bool {
    let _ = std::fs::remove_dir_all(run);
    let script = format!("ulimit -c 0; ulimit -v {kilobytes}; exec \"$0\" \"$@\"");
    let mut shell = Command::new("sh");
    shell.args(["-c", &script, env!("CARGO_BIN_EXE_ludens"), "train", "connect4", "--force"]);
    // Perfect play needs tables when it is first asked, long after the run has begun.
    shell.args(["--episodes", "60", "--eval", "random:4,thill:2", "--every", "20"]);
    shell.args(["--save-every", "0", "--set", "value.ntuple.count=2", "--out", text(run)]);
    shell.output().expect("a shell").status.success()
}

#[cfg(target_os = "linux")]
#[test]
fn a_run_survives_allocations_that_fail() {
    let all = folder("allocations");
    let (whole, starved) = (all.join("whole"), all.join("starved"));
    let plenty = 4 << 20;
    assert!(train_within(plenty, &whole));
    let (mut short, mut enough) = (4_096, plenty);
    while enough - short > 1_024 {
        let middle = u64::midpoint(short, enough);
        *(if train_within(middle, &starved) { &mut enough } else { &mut short }) = middle;
    }
    let mut begun = 0;
    for step in 1..=30 {
        let had_enough = train_within(short - step * short / 40, &starved);
        if !had_enough && starved.join("run.toml").exists() {
            assert!(resume(&starved).wait().unwrap().success(), "{step} of 40 below {short} kB");
            assert_same(&whole, &starved);
            begun += 1;
        }
    }
    assert!(begun > 5, "only {begun} runs had begun before an allocation failed");
}
