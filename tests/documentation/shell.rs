//! A shell in a folder of its own, in which `ludens` is the program under test.

use std::fs;
use std::io::{BufRead, BufReader};
use std::path::PathBuf;
use std::process::{Command, Stdio};

/// Files that examples read: their paths and contents.
const FILES: &[(&str, &str)] = &[
    ("mine.toml", "[learner]\nalpha = 0.1\n"),
    ("moves.txt", "b2\na1\n"),
    ("positions.csv", "44455554221\n44444411111122,1\n"),
    ("questions.jsonl", "{\"id\":1,\"game\":\"connect4\",\"moves\":\"4455\"}\n"),
];

/// Folders that a user's home has.
const FOLDERS: &[&str] =
    &[".local/share/bash-completion/completions", ".zfunc", ".config/fish/completions"];

/// The exit code of a training that was stopped.
const INTERRUPTED: i32 = 130;

pub(crate) struct Shell {
    folder: PathBuf,
}

impl Shell {
    /// A shell in a new folder with this name.
    pub(crate) fn new(name: &str) -> Shell {
        let folder = PathBuf::from(env!("CARGO_TARGET_TMPDIR")).join("documentation").join(name);
        let _ = fs::remove_dir_all(&folder);
        for path in FOLDERS.iter().chain(&["bin"]) {
            fs::create_dir_all(folder.join(path)).unwrap();
        }
        for (path, text) in FILES {
            fs::write(folder.join(path), text).unwrap();
        }
        let program = env!("CARGO_BIN_EXE_ludens");
        std::os::unix::fs::symlink(program, folder.join("bin/ludens")).unwrap();
        Shell { folder }
    }

    fn command(&self, line: &str) -> Command {
        let path = std::env::var("PATH").unwrap_or_default();
        let mut command = Command::new("sh");
        command.args(["-c", line]).current_dir(&self.folder).env("HOME", &self.folder);
        command.env("PATH", format!("{}/bin:{path}", self.folder.display()));
        command.env("LUDENS_CACHE", "off").stdin(Stdio::null());
        command
    }

    /// Runs a command to its end and returns what it prints.
    pub(crate) fn output(&self, line: &str) -> Result<String, String> {
        let output = self.command(line).output().map_err(|e| e.to_string())?;
        if !output.status.success() {
            return Err(format!("{}\n{}", output.status, String::from_utf8_lossy(&output.stderr)));
        }
        String::from_utf8(output.stdout).map_err(|e| e.to_string())
    }

    /// Starts a server, waits until it tells its address, interrupts it and waits for its end.
    pub(crate) fn serve(&self, line: &str) -> Result<String, String> {
        let mut command = self.command(&format!("exec {line}"));
        command.stdout(Stdio::piped()).stderr(Stdio::null());
        let mut child = command.spawn().map_err(|e| e.to_string())?;
        let printed = BufReader::new(child.stdout.take().unwrap());
        let mut lines = printed.lines().map_while(Result::ok);
        let told = lines.find(|line| line.contains("http://"));
        let pid = child.id().to_string();
        Command::new("kill").args(["-INT", &pid]).status().map_err(|e| e.to_string())?;
        lines.for_each(drop);
        let status = child.wait().map_err(|e| e.to_string())?;
        match told {
            Some(address) if status.success() || status.code() == Some(INTERRUPTED) => Ok(address),
            Some(_) => Err(format!("interrupted, it ends with {status}")),
            None => Err(format!("it tells no address, and ends with {status}")),
        }
    }
}
