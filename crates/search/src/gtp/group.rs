//! An engine with all its children, which end together and never outlive us.

use std::io;
use std::process::{Child, Command, ExitStatus};

/// A child process that leads a process group of its own.
///
/// Dropping it ends the whole group. If Ludens itself is killed, a watchdog ends the group: a shell
/// that waits on a pipe which only this process holds, so that it also notices `kill -9`. Unlike a
/// parent-death signal, that reaches the children of the engine, and it does not depend on the
/// thread that started the engine.
pub(super) struct ProcessGroup {
    pub(super) leader: Child,
    watchdog: Option<Child>,
}

impl ProcessGroup {
    /// Starts the command as the leader of a new group.
    pub(super) fn spawn(command: &mut Command) -> io::Result<ProcessGroup> {
        lead_group(command);
        let leader = command.spawn()?;
        let watchdog = watchdog(leader.id());
        Ok(ProcessGroup { leader, watchdog })
    }

    /// Ends the group and returns how its leader ended.
    pub(super) fn end(&mut self) -> io::Result<ExitStatus> {
        kill_group(&mut self.leader);
        self.leader.wait()
    }
}

impl Drop for ProcessGroup {
    fn drop(&mut self) {
        let _ = self.end();
        if let Some(watchdog) = &mut self.watchdog {
            let _ = watchdog.kill();
            let _ = watchdog.wait();
        }
    }
}

#[cfg(unix)]
fn lead_group(command: &mut Command) {
    use std::os::unix::process::CommandExt;
    command.process_group(0);
}

#[cfg(not(unix))]
fn lead_group(_: &mut Command) {}

/// Starts the watchdog of a group. It has a group of its own, which Ctrl-C does not reach.
#[cfg(unix)]
fn watchdog(group: u32) -> Option<Child> {
    use std::process::Stdio;
    const WAIT_AND_KILL: &str = r#"read -r _ || kill -s KILL -- "-$1""#;
    let mut command = Command::new("/bin/sh");
    command.args(["-c", WAIT_AND_KILL, "ludens-watchdog", &group.to_string()]);
    command.stdin(Stdio::piped()).stdout(Stdio::null()).stderr(Stdio::null());
    lead_group(&mut command);
    command.spawn().ok()
}

#[cfg(not(unix))]
fn watchdog(_: u32) -> Option<Child> {
    None
}

/// Kills the group of a leader that has not been waited for, or was the last to end.
#[cfg(unix)]
fn kill_group(leader: &mut Child) {
    use rustix::process::{Pid, Signal, kill_process_group};
    let group = i32::try_from(leader.id()).ok().and_then(Pid::from_raw);
    if let Some(group) = group {
        let _ = kill_process_group(group, Signal::KILL);
    }
    let _ = leader.kill();
}

#[cfg(not(unix))]
fn kill_group(leader: &mut Child) {
    let _ = leader.kill();
}
