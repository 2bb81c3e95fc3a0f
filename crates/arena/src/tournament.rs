//! Everybody against everybody.

mod export;

use crate::Workload;
use crate::contest::{ContestPlan, Contestant, GameResult, contest};
use crate::rating::{
    BradleyTerry, GlickoRating, PairResult, Rating, elo_ratings, glicko_ratings, pair_results, rate,
};
use crate::statistics::Estimate;
use ludens_core::{Invalid, Notation, Rng, Tally};
use serde::Serialize;

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
    let mut games = Vec::new();
    for (i, group) in groups.iter().enumerate() {
        let entrants: Vec<_> = group.iter().map(|&c| contestants[c].clone()).collect();
        let seed = Rng::derived(plan.seed, "pairing", i as u64).bits();
        let plan = ContestPlan { seed, sprt: None, ..plan.clone() };
        let (_, results) = contest(game, spec, &entrants, &plan, workload)?;
        games.extend(results.into_iter().map(|mut result| {
            result.seating.iter_mut().for_each(|c| *c = group[*c]);
            result
        }));
    }
    let names: Vec<String> = contestants.iter().map(|c| c.name.clone()).collect();
    let report = TournamentReport::new(spec, plan.seed, &names, &games)?;
    Ok((report, games))
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

/// Results of two, round by round. Who plays alone is compared with the others of its round.
fn results_of_two(games: &[GameResult]) -> Vec<PairResult> {
    let alone = games.first().is_some_and(|game| game.seating.len() == 1);
    if !alone {
        return games.iter().flat_map(|g| pair_results(&g.seating, &g.rewards)).collect();
    }
    let of_round = |round: &[GameResult]| {
        let seating: Vec<usize> = round.iter().map(|g| g.seating[0]).collect();
        let rewards: Vec<f32> = round.iter().map(|g| g.rewards[0]).collect();
        pair_results(&seating, &rewards)
    };
    games.chunk_by(|a, b| a.round == b.round).flat_map(of_round).collect()
}

impl TournamentReport {
    fn new(
        spec: &str,
        seed: u64,
        names: &[String],
        games: &[GameResult],
    ) -> Result<TournamentReport, Invalid> {
        let results = results_of_two(games);
        let BradleyTerry { ratings, draws } = rate(names.len(), &results)?;
        let cross = cross_table(names.len(), &results);
        let rewards = rewards(names.len(), games);
        let (elo, glicko) =
            (elo_ratings(names.len(), &results), glicko_ratings(names.len(), &results));
        let mut order: Vec<usize> = (0..names.len()).collect();
        order.sort_by(|&a, &b| ratings[b].elo.total_cmp(&ratings[a].elo));
        let place = |&i: &usize| {
            let met = || cross[i].iter().flatten();
            TournamentStanding {
                name: names[i].clone(),
                results: met().map(|m| m.games).sum(),
                points: met().map(|m| m.wins as f64 + m.draws as f64 / 2.0).sum(),
                reward: rewards[i].into(),
                rating: ratings[i],
                elo: elo[i],
                glicko: glicko[i],
            }
        };
        let row = |&i: &usize| order.iter().map(|&j| cross[i][j]).collect();
        Ok(TournamentReport {
            game: spec.into(),
            seed,
            games: games.len(),
            standings: order.iter().map(place).collect(),
            cross: order.iter().map(row).collect(),
            draws,
        })
    }
}

fn cross_table(contestants: usize, results: &[PairResult]) -> Vec<Vec<Option<HeadToHead>>> {
    let mut cross = vec![vec![None; contestants]; contestants];
    for PairResult { pair: [a, b], points } in results {
        cross[*a][*b].get_or_insert_with(HeadToHead::default).add(*points);
        cross[*b][*a].get_or_insert_with(HeadToHead::default).add(2 - *points);
    }
    cross
}

fn rewards(contestants: usize, games: &[GameResult]) -> Vec<Tally> {
    let mut tallies = vec![Tally::default(); contestants];
    for game in games {
        for (&contestant, &reward) in game.seating.iter().zip(&game.rewards) {
            tallies[contestant].add(reward.into());
        }
    }
    tallies
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
