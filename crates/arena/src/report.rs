//! The report of a contest.

use crate::contest::GameResult;
use crate::report_builder::MOST_DISTINCT;
use crate::statistics::{Estimate, Interval, Sprt, SprtVerdict, elo_of_score, mean_interval};
use ludens_core::Tally;
use serde::Serialize;
use std::collections::BTreeMap;

/// The report of a contest: for each contestant, overall and per role.
#[derive(Clone, Debug, PartialEq, Serialize)]
pub struct ContestReport {
    /// The text that opens the game.
    pub game: String,
    /// The random seed.
    pub seed: u64,
    /// Games played.
    pub games: usize,
    /// Games that went differently from all before them. Where it is much smaller than `games`,
    /// the contestants repeat themselves and the intervals are too narrow. Counted up to a million.
    pub distinct: usize,
    /// Openings left out because they repeat another.
    pub openings_repeated: usize,
    /// Moves and events per game.
    pub turns: Estimate,
    /// Games that were cut off.
    pub cut: usize,
    /// Each contestant.
    pub contestants: Vec<ContestantReport>,
    /// The Elo difference of the first of two contestants, in two-player games.
    pub elo: Option<EloReport>,
    /// The sequential test, if one was made.
    pub sprt: Option<SprtReport>,
    /// The reasons of forfeits, with their counts.
    pub forfeits: BTreeMap<String, usize>,
}

/// The result of one contestant.
#[derive(Clone, Debug, PartialEq, Serialize)]
pub struct ContestantReport {
    /// The name of the contestant.
    pub name: String,
    /// All games. The mean is taken over rounds, since games of one round are not independent.
    pub overall: RoleReport,
    /// The games as each player.
    pub roles: Vec<RoleReport>,
}

/// The result of one contestant in some games.
#[derive(Copy, Clone, Debug, PartialEq, Serialize)]
pub struct RoleReport {
    /// Games, counted once for each seat that a contestant takes in it.
    pub games: u64,
    /// Games with the highest reward; none in games of one player, like draws and losses.
    pub wins: u64,
    /// Games with a shared highest reward.
    pub draws: u64,
    /// Games with a lower reward than another player's.
    pub losses: u64,
    /// Games that the contestant gave up; they are losses too.
    pub forfeits: u64,
    /// Wins per game.
    pub win_rate: Estimate,
    /// Mean reward.
    pub reward: Estimate,
}

/// A difference in strength.
#[derive(Copy, Clone, Debug, PartialEq, Serialize)]
pub struct EloReport {
    /// Points per game: 1 for a win, 1/2 for a draw.
    pub score: f64,
    /// Infinite, and then not a number in JSON, if all games were won or all lost.
    pub elo: f64,
    /// The 95 % confidence interval.
    pub interval: Option<Interval>,
}

/// The state of a sequential test.
#[derive(Copy, Clone, Debug, PartialEq, Serialize)]
pub struct SprtReport {
    /// The hypotheses of the test.
    pub test: Sprt,
    /// Pairs by what the first contestant scored in them, from 0 to 2 points in halves.
    pub pairs: [u64; 5],
    /// The logarithm of the likelihood ratio.
    pub log_ratio: f64,
    /// The bound at which the test is decided.
    pub bound: f64,
    /// The verdict.
    pub verdict: SprtVerdict,
}

/// Games summed up one by one.
#[derive(Copy, Clone, Debug, Default, PartialEq)]
pub struct ContestTotals {
    games: u64,
    /// Games with other players; nobody wins alone.
    compared: u64,
    wins: u64,
    draws: u64,
    forfeits: u64,
    rewards: Tally,
}

impl ContestTotals {
    /// Adds the result of `seat` in one game.
    pub fn add(&mut self, result: &GameResult, seat: usize) {
        let mine = result.rewards[seat];
        let others = result.rewards.iter().enumerate().filter(|(other, _)| *other != seat);
        self.games += 1;
        if let Some(best) = others.map(|(_, &reward)| reward).reduce(f32::max) {
            self.compared += 1;
            self.wins += u64::from(mine > best);
            self.draws += u64::from(mine == best);
        }
        let gave_up = result.forfeit.as_ref().is_some_and(|(p, _)| p.index() == seat);
        self.forfeits += u64::from(gave_up);
        self.rewards.add(mine.into());
    }

    /// The sum of it all, where a player's reward lies in `range`.
    pub fn report(&self, range: Option<(f32, f32)>) -> RoleReport {
        RoleReport {
            games: self.games,
            wins: self.wins,
            draws: self.draws,
            losses: self.compared - self.wins - self.draws,
            forfeits: self.forfeits,
            win_rate: Estimate::share(self.wins, self.compared),
            reward: possible(self.rewards.into(), range),
        }
    }
}

/// A mean reward with its interval cut to the possible range.
pub(crate) fn possible(reward: Estimate, range: Option<(f32, f32)>) -> Estimate {
    range.map_or(reward, |(low, high)| reward.within(low.into(), high.into()))
}

pub(crate) fn elo(pairs: &[u64; 5]) -> EloReport {
    let mut scores = Tally::default();
    for (points, &count) in pairs.iter().enumerate() {
        (0..count).for_each(|_| scores.add(points as f64 / 4.0));
    }
    let interval = mean_interval(&scores).map(|i| i.map(|s| elo_of_score(s.clamp(0.0, 1.0))));
    EloReport { score: scores.mean(), elo: elo_of_score(scores.mean()), interval }
}

/// The width of a column of names; longer names stick out. Formatting refuses 65,536 and more.
pub(crate) fn name_width<'a>(names: impl Iterator<Item = &'a str>) -> usize {
    const LEAST: usize = 10;
    const MOST: usize = 1000;
    names.map(str::len).max().unwrap_or(0).clamp(LEAST, MOST)
}

/// A table for people.
impl std::fmt::Display for ContestReport {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        let least = if self.distinct == MOST_DISTINCT { "at least " } else { "" };
        writeln!(f, "{}: {} games, {least}{} different", self.game, self.games, self.distinct)?;
        writeln!(f, "moves and events per game {:.1}, seed {}", self.turns, self.seed)?;
        write_contestants(f, &self.contestants)?;
        if let Some(EloReport { score, elo, interval }) = self.elo {
            let range =
                interval.map_or(String::new(), |i| format!(" [{:.0}, {:.0}]", i.low, i.high));
            let name = &self.contestants[0].name;
            writeln!(
                f,
                "{name} scores {:.1} % of the points: {elo:+.0}{range} Elo",
                100.0 * score
            )?;
        }
        if let Some(sprt) = &self.sprt {
            writeln!(f, "{sprt}")?;
        }
        for (reason, games) in &self.forfeits {
            writeln!(f, "forfeited {games} games: {reason}")?;
        }
        if self.cut > 0 {
            writeln!(f, "{} games were cut off for their length", self.cut)?;
        }
        Ok(())
    }
}

/// The table of contestants. Nobody wins alone, so games of one player have rewards only.
fn write_contestants(
    f: &mut std::fmt::Formatter<'_>,
    contestants: &[ContestantReport],
) -> std::fmt::Result {
    let width = name_width(contestants.iter().map(|c| c.name.as_str()));
    if contestants.iter().all(|c| c.roles.len() == 1) {
        writeln!(f, "{:width$}   games  mean reward", "contestant")?;
        for ContestantReport { name, overall, .. } in contestants {
            writeln!(f, "{name:width$}  {:>6}  {}", overall.games, overall.reward)?;
        }
        return Ok(());
    }
    writeln!(
        f,
        "{:width$}  role  games   won drawn  lost  win rate             mean reward",
        "contestant"
    )?;
    for c in contestants {
        row(f, width, &c.name, "all", &c.overall)?;
        for (i, role) in c.roles.iter().enumerate().filter(|(_, role)| role.games > 0) {
            row(f, width, "", &(i + 1).to_string(), role)?;
        }
    }
    Ok(())
}

fn row(
    f: &mut std::fmt::Formatter<'_>,
    width: usize,
    name: &str,
    role: &str,
    r: &RoleReport,
) -> std::fmt::Result {
    let rate = r.win_rate.to_string();
    writeln!(
        f,
        "{name:width$}  {role:>4} {:>6} {:>5} {:>5} {:>5}  {rate:20} {}",
        r.games, r.wins, r.draws, r.losses, r.reward
    )
}

impl std::fmt::Display for SprtReport {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        let Sprt { elo0, elo1, .. } = self.test;
        let words = match self.verdict {
            SprtVerdict::Better => format!("better: {elo1} rather than {elo0} Elo"),
            SprtVerdict::NotBetter => format!("not better: {elo0} rather than {elo1} Elo"),
            SprtVerdict::Open => "undecided: more games are needed".into(),
        };
        let pairs: u64 = self.pairs.iter().sum();
        let (ratio, bound) = (self.log_ratio, self.bound);
        write!(f, "{words} (log ratio {ratio:.2}, bound {bound:.2}, {pairs} pairs)")
    }
}
