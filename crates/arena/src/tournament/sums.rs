//! The report of a tournament, built game by game.

use super::{HeadToHead, TournamentReport, TournamentStanding};
use crate::contest::GameResult;
use crate::rating::{
    BradleyTerry, EloTable, MeetingTable, PairResult, glicko_rating, pair_results,
};
use crate::report::possible;
use ludens_core::{Invalid, Tally};

/// The sums of a tournament, in memory that does not grow with the games.
pub(super) struct TournamentSums {
    games: usize,
    cross: Vec<Vec<Option<HeadToHead>>>,
    rewards: Vec<Tally>,
    meetings: MeetingTable,
    elo: EloTable,
    /// Who plays alone is compared with the others of its round: contestants and rewards so far.
    round: Option<(usize, Vec<usize>, Vec<f32>)>,
}

impl TournamentSums {
    pub(super) fn new(contestants: usize) -> TournamentSums {
        TournamentSums {
            games: 0,
            cross: vec![vec![None; contestants]; contestants],
            rewards: vec![Tally::default(); contestants],
            meetings: MeetingTable::new(contestants),
            elo: EloTable::new(contestants),
            round: None,
        }
    }

    /// Adds the next game; its seating counts the contestants of the tournament.
    pub(super) fn add(&mut self, game: &GameResult) {
        self.games += 1;
        for (&contestant, &reward) in game.seating.iter().zip(&game.rewards) {
            self.rewards[contestant].add(reward.into());
        }
        if game.seating.len() > 1 {
            return self.add_results(&game.seating, &game.rewards);
        }
        if self.round.as_ref().is_some_and(|(round, ..)| *round != game.round) {
            self.end_round();
        }
        let (_, seating, rewards) = self.round.get_or_insert((game.round, vec![], vec![]));
        seating.push(game.seating[0]);
        rewards.push(game.rewards[0]);
    }

    fn end_round(&mut self) {
        if let Some((_, seating, rewards)) = self.round.take() {
            self.add_results(&seating, &rewards);
        }
    }

    fn add_results(&mut self, seating: &[usize], rewards: &[f32]) {
        for result in pair_results(seating, rewards) {
            let PairResult { pair: [a, b], points } = result;
            self.cross[a][b].get_or_insert_with(HeadToHead::default).add(points);
            self.cross[b][a].get_or_insert_with(HeadToHead::default).add(2 - points);
            self.meetings.add(result);
            self.elo.add(result);
        }
    }

    /// The standings of the contestants with these names, in a game whose rewards lie in `range`.
    pub(super) fn report(
        mut self,
        spec: &str,
        seed: u64,
        names: &[String],
        range: Option<(f32, f32)>,
    ) -> Result<TournamentReport, Invalid> {
        self.end_round();
        let TournamentSums { games, cross, rewards, meetings, elo, .. } = self;
        let BradleyTerry { ratings, draws } = meetings.rate()?;
        let elo = elo.ratings();
        let mut order: Vec<usize> = (0..names.len()).collect();
        order.sort_by(|&a, &b| ratings[b].elo.total_cmp(&ratings[a].elo));
        let place = |&i: &usize| {
            let met = || cross[i].iter().flatten();
            let results = met().map(|m| m.games).sum();
            let points = met().map(|m| m.wins as f64 + m.draws as f64 / 2.0).sum();
            TournamentStanding {
                name: names[i].clone(),
                results,
                points,
                reward: possible(rewards[i].into(), range),
                rating: ratings[i],
                elo: elo[i],
                glicko: glicko_rating(results, points),
            }
        };
        let row = |&i: &usize| order.iter().map(|&j| cross[i][j]).collect();
        Ok(TournamentReport {
            game: spec.into(),
            seed,
            games,
            standings: order.iter().map(place).collect(),
            cross: order.iter().map(row).collect(),
            draws,
        })
    }
}
