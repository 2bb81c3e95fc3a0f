//! Measuring one setting.

use crate::{Clock, GamesPlayed, SpeedRun, SpeedSetting};
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
    /// How much slower the slowest window was, as a share of the best.
    pub spread: f64,
    /// How many weights there are.
    pub weights: usize,
    /// Bytes of the weights and of what is remembered of each.
    pub bytes: usize,
}

/// Measures how fast a setting is learned. The games are always the same.
///
/// # Errors
///
/// If the setting cannot be opened.
pub fn measure(setting: &SpeedSetting, effort: &Effort) -> Result<Speed, Invalid> {
    let mut measured = Measured::begin(setting, effort)?;
    (0..effort.windows.max(1)).for_each(|_| measured.take_window());
    Ok(measured.end())
}

/// Measures several settings, a window of each in turn: work of others that slows the machine for a
/// while then does not slow all windows of one setting.
///
/// # Errors
///
/// If a setting cannot be opened.
pub fn measure_all(settings: &[SpeedSetting], effort: &Effort) -> Result<Vec<Speed>, Invalid> {
    let begin = |setting| Measured::begin(setting, effort);
    let mut all = settings.iter().map(begin).collect::<Result<Vec<_>, _>>()?;
    for _ in 0..effort.windows.max(1) {
        all.iter_mut().for_each(Measured::take_window);
    }
    Ok(all.into_iter().map(Measured::end).collect())
}

/// A setting that is being measured.
struct Measured<'a> {
    setting: &'a SpeedSetting,
    run: SpeedRun,
    /// Games that fill a window.
    games: u64,
    windows: Vec<(GamesPlayed, f64)>,
}

impl Measured<'_> {
    fn begin<'a>(setting: &'a SpeedSetting, effort: &Effort) -> Result<Measured<'a>, Invalid> {
        let mut run = SpeedRun::open(setting.text, 1)?;
        run.learn((setting.warm_up as f64 * effort.warm_up) as u64);
        let games = games_a_window(&mut run, effort.seconds);
        Ok(Measured { setting, run, games, windows: Vec::new() })
    }

    fn take_window(&mut self) {
        self.windows.push(window(&mut self.run, self.games));
    }

    fn end(self) -> Speed {
        let Measured { setting, mut run, windows, .. } = self;
        let speed = |(played, seconds): &(GamesPlayed, f64)| played.moves as f64 / seconds;
        let best = windows.iter().max_by(|a, b| speed(a).total_cmp(&speed(b)));
        let (played, seconds) = best.expect("there is a window");
        let slowest = windows.iter().map(speed).fold(f64::INFINITY, f64::min);
        let (games, moves) = (played.games as f64 / seconds, played.moves as f64 / seconds);
        Speed {
            name: setting.name,
            about: setting.about,
            games,
            moves,
            spread: 1.0 - slowest / moves,
            weights: run.weights(),
            bytes: run.bytes(),
        }
    }
}

/// As many games as fill a window.
fn games_a_window(run: &mut SpeedRun, seconds: f64) -> u64 {
    let mut games = 1;
    loop {
        let (_, took) = window(run, games);
        if took >= seconds / 4.0 {
            return ((games as f64 * seconds / took) as u64).max(1);
        }
        games *= 2;
    }
}

fn window(run: &mut SpeedRun, games: u64) -> (GamesPlayed, f64) {
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
            assert!(speed.games > 0.0 && speed.bytes > 0 && speed.spread >= 0.0, "{speed:?}");
        }
    }
}
