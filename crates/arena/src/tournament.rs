//! Everybody against everybody.

mod export;
mod sums;

use crate::Workload;
use crate::contest::{ContestPlan, Contestant, GameResult, contest_observed};
use crate::rating::{GlickoRating, Rating};
use crate::statistics::Estimate;
use ludens_core::{Invalid, Notation, Rng};
use serde::Serialize;
use sums::TournamentSums;

/// The report of a tournament.
#[derive(Clone, Debug, PartialEq, Serialize)]
pub struct TournamentReport {
    /// The text that opens the game.
    pub game: String,
    /// The random seed.
    pub seed: u64,
    /// Games played.
    pub games: usize,
    /// The contestants, the strongest first.
    pub standings: Vec<TournamentStanding>,
    /// The result of each contestant against each other, in the order of the standings; `None` on
    /// the diagonal.
    pub cross: Vec<Vec<Option<HeadToHead>>>,
    /// The odds of a draw between equals, relative to either win.
    pub draws: f64,
}

/// The result of one contestant.
#[derive(Clone, Debug, PartialEq, Serialize)]
pub struct TournamentStanding {
    /// The name of the contestant.
    pub name: String,
    /// Results against one other; a game of three has two of each player.
    pub results: u64,
    /// 1 for each win, 1/2 for each draw.
    pub points: f64,
    /// The mean reward per game.
    pub reward: Estimate,
    /// The most likely strength, the mean of all being zero.
    pub rating: Rating,
    /// Elo's rating after all games in order.
    pub elo: f64,
    /// The rating of Glicko-2.
    pub glicko: GlickoRating,
}

/// The result of one contestant against another.
#[derive(Copy, Clone, Debug, Default, PartialEq, Eq, Serialize)]
pub struct HeadToHead {
    /// Results.
    pub games: u64,
    /// Gained more than the other.
    pub wins: u64,
    /// Gained the same.
    pub draws: u64,
}

impl HeadToHead {
    /// The share of the points.
    pub fn score(&self) -> f64 {
        (self.wins as f64 + self.draws as f64 / 2.0) / self.games as f64
    }

    fn add(&mut self, points: u8) {
        self.games += 1;
        self.wins += u64::from(points == 2);
        self.draws += u64::from(points == 1);
    }
}

/// Plays a tournament: every group of contestants that fills the game plays the same contest.
/// Returns the games, too, if the plan records them.
///
/// In single-player games all contestants play the same rounds, and the higher reward wins a round.
/// Each contest has its own seed, derived from that of the plan.
///
/// # Errors
///
/// If there are fewer contestants than players, or fewer than two, or two with the same name, or if
/// a contest fails.
pub fn tournament<G: Notation>(
    game: &G,
    spec: &str,
    contestants: &[Contestant<G>],
    plan: &ContestPlan,
    workload: Workload<'_>,
) -> Result<(TournamentReport, Vec<GameResult>), Invalid> {
    let players = game.num_players();
    check_contestants(contestants, players.max(2))?;
    let groups = if players == 1 {
        vec![(0..contestants.len()).collect()]
    } else {
        groups(contestants.len(), players)
    };
    let (mut sums, mut games) = (TournamentSums::new(contestants.len()), Vec::new());
    for (i, group) in groups.iter().enumerate() {
        let entrants: Vec<_> = group.iter().map(|&c| contestants[c].clone()).collect();
        let seed = Rng::derived(plan.seed, "pairing", i as u64).bits();
        let plan = ContestPlan { seed, sprt: None, ..plan.clone() };
        contest_observed(game, spec, &entrants, &plan, workload, |mut result| {
            result.seating.iter_mut().for_each(|c| *c = group[*c]);
            sums.add(&result);
            if plan.record {
                games.push(result);
            }
        })?;
    }
    let names: Vec<String> = contestants.iter().map(|c| c.name.clone()).collect();
    Ok((sums.report(spec, plan.seed, &names, game.reward_range())?, games))
}

fn check_contestants<G>(contestants: &[Contestant<G>], least: usize) -> Result<(), Invalid> {
    if contestants.len() < least {
        let found = contestants.len();
        return Err(Invalid(format!("expected at least {least} contestants, found {found}")));
    }
    let name = |i: usize| contestants[i].name.as_str();
    match (1..contestants.len()).find(|&i| (0..i).any(|j| name(i) == name(j))) {
        Some(i) => Err(Invalid(format!("two contestants are called {:?}", name(i)))),
        None => Ok(()),
    }
}

/// Every choice of `size` out of `all`, each in ascending order.
fn groups(all: usize, size: usize) -> Vec<Vec<usize>> {
    if size == 0 {
        return vec![Vec::new()];
    }
    let ending_with = |last: usize| {
        groups(last, size - 1).into_iter().map(move |mut group| {
            group.push(last);
            group
        })
    };
    (size - 1..all).flat_map(ending_with).collect()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn every_group_meets_once() {
        assert_eq!(groups(4, 2).len(), 6);
        assert_eq!(groups(3, 2), [[0, 1], [0, 2], [1, 2]]);
        assert_eq!(groups(5, 3).len(), 10);
        assert!(groups(2, 3).is_empty());
    }
}
