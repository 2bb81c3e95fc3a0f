//! `ludens playouts`: statistics of random games.

use crate::console::Console;
use crate::failure::Failure;
use crate::game_arg::GameArg;
use crate::progress::ProgressLine;
use crate::text_table::TextTable;
use crate::usage::whole;
use crate::words;
use ludens_core::{Player, Rng, Tally};
use ludens_registry::{self as registry, AnyGame};
use serde::Serialize;
use std::io::Write;
use std::time::{Duration, Instant};

/// Plays random games: how long they last, who wins, how fast they are played.
#[derive(clap::Args)]
#[command(after_help = "Examples:
  ludens playouts tictactoe
  ludens playouts tictactoe --games 1000000 --seed 7 --json")]
pub(crate) struct PlayoutsArgs {
    #[command(flatten)]
    game: GameArg,

    /// How many games to play
    #[arg(long, value_name = "N", default_value_t = 10_000,
          value_parser = whole(1..=u64::MAX))]
    games: u64,

    /// Random seed; the same seed plays the same games
    #[arg(long, value_name = "S", default_value_t = 1,
          allow_hyphen_values = true, value_parser = whole(0..=u64::MAX))]
    seed: u64,

    /// Print one JSON document
    #[arg(long)]
    json: bool,
}

/// Games between two progress reports. Each batch has its own random stream.
const BATCH: u64 = 1000;

#[derive(Serialize)]
struct PlayoutsReport {
    game: String,
    games: u64,
    seed: u64,
    seconds: f64,
    moves: u64,
    length: MeanWithRange,
    players: Vec<PlayerReport>,
    draws: Option<Proportion>,
}

#[derive(Serialize)]
struct PlayerReport {
    player: u8,
    wins: Option<Proportion>,
    gain: MeanWithRange,
}

/// A part of all games, and the interval in which its probability lies with 95 %.
#[derive(Serialize)]
struct Proportion {
    count: u64,
    share: f64,
    low: f64,
    high: f64,
}

/// A mean and half the width of its 95 % interval, and the extremes.
#[derive(Serialize)]
struct MeanWithRange {
    mean: f64,
    margin: f64,
    least: f64,
    most: f64,
}

impl From<&Tally> for MeanWithRange {
    fn from(tally: &Tally) -> MeanWithRange {
        let (mean, margin) = (tally.mean(), tally.margin());
        MeanWithRange { mean, margin, least: tally.least, most: tally.most }
    }
}

impl PlayoutsArgs {
    pub(crate) fn run(self, out: &mut Console) -> Result<(), Failure> {
        let game = self.game.open()?;
        let start = Instant::now();
        let played = self.play(&*game);
        let time = start.elapsed();
        let (spec, players) = (game.info().spec.clone(), game.info().players);
        if self.json {
            return out.json(&self.report(spec, players, &played, time));
        }
        let registry::Playouts { games, moves, length, .. } = played;
        writeln!(out, "{games} random games of {spec}, seed {}\n", self.seed)?;
        let (least, most) = (length.least, length.most);
        writeln!(out, "length  {} moves, from {least} to {most}", mean(&length))?;
        if let Some(draws) = draws(&played, players) {
            writeln!(out, "draws   {draws}")?;
        }
        write!(out, "speed   {} games/s", words::per_second(games, time))?;
        if moves > 0 {
            write!(out, ", {} moves/s", words::per_second(moves, time))?;
        }
        writeln!(out, "\n")?;
        table(&played, players).write(out)?;
        writeln!(out, "{}", out.dim("Brackets and \u{b1} tell 95 % intervals."))?;
        Ok(())
    }

    fn play(&self, game: &dyn AnyGame) -> registry::Playouts {
        let progress = ProgressLine::new("playing");
        let mut all = registry::Playouts::default();
        while all.games < self.games {
            let batch = BATCH.min(self.games - all.games);
            let seed = Rng::derived(self.seed, "playouts", all.games / BATCH).bits();
            all += game.playouts(batch, seed);
            progress.done(all.games as f64 / self.games as f64);
        }
        all
    }

    fn report(
        &self,
        game: String,
        players: usize,
        played: &registry::Playouts,
        time: Duration,
    ) -> PlayoutsReport {
        let of = |player: Player| PlayerReport {
            player: player.0 + 1,
            wins: (players > 1).then(|| Proportion::of(played.wins[player], played.games)),
            gain: (&played.gains[player]).into(),
        };
        PlayoutsReport {
            game,
            games: played.games,
            seed: self.seed,
            seconds: time.as_secs_f64(),
            moves: played.moves,
            length: (&played.length).into(),
            players: Player::all(players).map(of).collect(),
            draws: draws(played, players),
        }
    }
}

/// Games without a unique winner. Single-player games have no draws.
fn draws(played: &registry::Playouts, players: usize) -> Option<Proportion> {
    let won: u64 = Player::all(players).map(|player| played.wins[player]).sum();
    (players > 1).then(|| Proportion::of(played.games - won, played.games))
}

fn table(played: &registry::Playouts, players: usize) -> TextTable {
    let mut table = TextTable::new(&["player", ">wins", ">mean gain", ">least", ">most"]);
    for player in Player::all(players) {
        let (gain, wins) = (&played.gains[player], played.wins[player]);
        table.row(vec![
            player.to_string(),
            if players > 1 { Proportion::of(wins, played.games).to_string() } else { "-".into() },
            mean(gain),
            gain.least.to_string(),
            gain.most.to_string(),
        ]);
    }
    table
}

/// The mean and its margin, with as many digits as the margin deserves.
fn mean(tally: &Tally) -> String {
    let (mean, margin) = (tally.mean(), tally.margin());
    let digits = if margin > 0.0 { (1.0 - margin.log10().floor()).clamp(0.0, 6.0) } else { 2.0 };
    let digits = digits as usize;
    let mean = format!("{mean:.digits$}");
    // A number that rounds to zero has no sign.
    let zero = mean.bytes().all(|b| matches!(b, b'-' | b'0' | b'.'));
    format!("{} \u{b1} {margin:.digits$}", if zero { mean.trim_start_matches('-') } else { &mean })
}

impl Proportion {
    /// With the 95 % interval of Wilson (1927), which holds near 0 and 1 too.
    fn of(count: u64, games: u64) -> Proportion {
        let (n, z) = (games as f64, 1.96f64);
        let share = count as f64 / n;
        let centre = (share + z * z / (2.0 * n)) / (1.0 + z * z / n);
        let spread = share * (1.0 - share) / n + z * z / (4.0 * n * n);
        let margin = z / (1.0 + z * z / n) * spread.sqrt();
        Proportion {
            count,
            share,
            low: (centre - margin).max(0.0),
            high: (centre + margin).min(1.0),
        }
    }
}

impl std::fmt::Display for Proportion {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        let percent = |share: f64| share * 100.0;
        let (low, high) = (percent(self.low), percent(self.high));
        write!(f, "{:.1} % ({low:.1} to {high:.1})", percent(self.share))
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn shares_of_all_and_of_none_keep_a_doubt() {
        assert_eq!(Proportion::of(0, 100).to_string(), "0.0 % (0.0 to 3.7)");
        assert_eq!(Proportion::of(100, 100).to_string(), "100.0 % (96.3 to 100.0)");
        assert_eq!(Proportion::of(50, 100).to_string(), "50.0 % (40.4 to 59.6)");
    }

    #[test]
    fn means_have_the_digits_that_their_margin_deserves() {
        let fair: Tally = (0..10_000).map(|i| f64::from(i % 2) - 0.500_01).collect();
        assert_eq!(mean(&fair), "0.0000 \u{b1} 0.0098");
        let same: Tally = [3.0; 5].into_iter().collect();
        assert_eq!(mean(&same), "3.00 \u{b1} 0.00");
    }
}
