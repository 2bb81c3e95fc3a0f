//! A progress line for long computations.

use crate::status_line::StatusLine;
use crate::words;
use std::sync::mpsc::{Receiver, RecvTimeoutError, Sender, channel};
use std::thread::JoinHandle;
use std::time::{Duration, Instant};

/// Shorter computations need no progress line.
const DELAY: Duration = Duration::from_secs(2);
const REDRAW: Duration = Duration::from_millis(250);

/// A progress line on standard error.
///
/// It appears after two seconds, on terminals only, and disappears when dropped.
pub(crate) struct ProgressLine {
    line: Option<(Sender<f64>, JoinHandle<()>)>,
}

impl ProgressLine {
    /// Begins to measure the time of `what`.
    pub(crate) fn new(what: impl ToString) -> ProgressLine {
        if !StatusLine::new().is_shown() {
            return ProgressLine { line: None };
        }
        let (sender, receiver) = channel();
        let what = what.to_string();
        ProgressLine { line: Some((sender, std::thread::spawn(move || draw(&what, &receiver)))) }
    }

    /// This share of the work, 0 to 1, is done.
    pub(crate) fn done(&self, share: f64) {
        if let Some((sender, _)) = &self.line {
            // The line stays until it is dropped here.
            let _ = sender.send(share);
        }
    }
}

impl Drop for ProgressLine {
    fn drop(&mut self) {
        if let Some((sender, thread)) = self.line.take() {
            drop(sender);
            let _ = thread.join();
        }
    }
}

fn draw(what: &str, shares: &Receiver<f64>) {
    let (start, mut share, mut drawn) = (Instant::now(), None, None::<Instant>);
    let mut line = StatusLine::new();
    loop {
        match shares.recv_timeout(REDRAW) {
            Ok(done) => share = Some(done),
            Err(RecvTimeoutError::Timeout) => {}
            Err(RecvTimeoutError::Disconnected) => break,
        }
        if start.elapsed() >= DELAY && drawn.is_none_or(|at| at.elapsed() >= REDRAW) {
            let percent = share.map_or(String::new(), |s| format!(" {:.0} %,", s * 100.0));
            line.draw(&[format!("{what}:{percent} {}", words::time(start.elapsed()))]);
            drawn = Some(Instant::now());
        }
    }
}
