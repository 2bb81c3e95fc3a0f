//! Measuring one setting.

use crate::{Clock, Limit, Played, Run, Setting, open};
use ludens_core::Invalid;
use serde::Serialize;

/// How long is measured.
#[derive(Copy, Clone, Debug)]
pub struct Effort {
    /// Windows; the best counts, because other work on the machine only ever slows.
    pub windows: usize,
    /// Length of a window in seconds of CPU time.
    pub seconds: f64,
    /// The share of the games that a setting wants to learn before it is measured.
    pub warm_up: f64,
}

/// How fast one setting is learned, per second of CPU time.
#[derive(Clone, Debug, Serialize)]
pub struct Speed {
    /// The name of the setting.
    pub name: &'static str,
    /// What is learned, and how.
    pub about: &'static str,
    /// Games.
    pub games: f64,
    /// Moves.
    pub moves: f64,
    /// Weights that evaluating each position in full would look up.
    pub looks: f64,
    /// How much slower the slowest window was, as a share of the best.
    pub spread: f64,
    /// How many weights there are.
    pub weights: usize,
    /// Bytes of the weights and of what is remembered of each.
    pub bytes: usize,
    /// What the machine allows with as many weights.
    pub limit: Limit,
    /// Look-ups as a share of the reads that the machine allows.
    pub share: f64,
    /// The system that it is compared with.
    pub peer: &'static str,
    /// What that reaches: games, or moves where the setting compares moves.
    pub peer_speed: f64,
    /// How many times as fast we are.
    pub ratio: f64,
}

/// Measures how fast a setting is learned. The games are always the same.
///
/// # Errors
///
/// If the setting cannot be opened.
pub fn measure(setting: &Setting, effort: &Effort) -> Result<Speed, Invalid> {
    let mut run = open(setting.text, 1)?;
    run.learn((setting.warm_up as f64 * effort.warm_up) as u64);
    let games = games_a_window(&mut *run, effort.seconds);
    let windows: Vec<_> = (0..effort.windows.max(1)).map(|_| window(&mut *run, games)).collect();
    let speed = |(played, seconds): &(Played, f64)| played.moves as f64 / seconds;
    let best = windows.iter().max_by(|a, b| speed(a).total_cmp(&speed(b)));
    let (played, seconds) = best.expect("there is a window");
    let slowest = windows.iter().map(speed).fold(f64::INFINITY, f64::min);
    let (weights, bytes, looks) = (run.weights(), run.bytes(), run.looks());
    drop(run);
    let limit = Limit::measure(weights, effort.windows);
    let (games, moves) = (played.games as f64 / seconds, played.moves as f64 / seconds);
    let looks = played.evaluated as f64 * looks as f64 / seconds;
    let compared = if setting.by_moves { moves } else { games };
    Ok(Speed {
        name: setting.name,
        about: setting.about,
        games,
        moves,
        looks,
        spread: 1.0 - slowest / moves,
        weights,
        bytes,
        limit,
        share: looks / limit.reads,
        peer: setting.peer.name,
        peer_speed: setting.peer.speed,
        ratio: compared / setting.peer.speed,
    })
}

/// As many games as fill a window.
fn games_a_window(run: &mut dyn Run, seconds: f64) -> u64 {
    let mut games = 1;
    loop {
        let (_, took) = window(run, games);
        if took >= seconds / 4.0 {
            return ((games as f64 * seconds / took) as u64).max(1);
        }
        games *= 2;
    }
}

fn window(run: &mut dyn Run, games: u64) -> (Played, f64) {
    let clock = Clock::start();
    let played = run.learn(games);
    (played, clock.seconds())
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::SETTINGS;

    #[test]
    fn every_setting_opens_and_small_ones_can_be_measured() {
        let effort = Effort { windows: 1, seconds: 0.01, warm_up: 0.001 };
        for setting in SETTINGS.iter().filter(|setting| !setting.name.starts_with("2048")) {
            let speed = measure(setting, &effort).unwrap();
            assert!(speed.games > 0.0 && speed.share > 0.0 && speed.spread >= 0.0, "{speed:?}");
        }
    }
}
