//! The report of a contest, built game by game.

use crate::contest::{ContestPlan, GameResult, half_points};
use crate::report::{
    ContestReport, ContestTotals, ContestantReport, RoleReport, SprtReport, elo, possible,
};
use crate::statistics::SprtVerdict;
use ludens_core::Tally;
use std::collections::{BTreeMap, HashSet};

/// Different games are counted up to this number, so that memory stays flat.
pub(crate) const MOST_DISTINCT: usize = 1_000_000;

/// Reasons of forfeits that are listed; the rest are counted together.
const MOST_REASONS: usize = 100;

/// The report of a contest, built game by game in memory that does not grow.
pub(crate) struct ReportBuilder<'a> {
    spec: &'a str,
    plan: &'a ContestPlan,
    contestants: Vec<ContestantSums>,
    games: usize,
    fingerprints: HashSet<u64>,
    turns: Tally,
    cut: usize,
    forfeits: BTreeMap<String, usize>,
    /// The round that is being added.
    round: Option<usize>,
    /// Pairs of games by the half points of the first contestant.
    pairs: [u64; 5],
    /// The half points in the first game of a pair.
    half_pair: Option<usize>,
    /// Whether the games are pairs of two contestants in both roles.
    in_pairs: bool,
}

/// The sums of one contestant.
#[derive(Default)]
struct ContestantSums {
    name: String,
    overall: ContestTotals,
    roles: Vec<ContestTotals>,
    /// The mean rewards of rounds.
    rounds: Tally,
    /// The rewards in the round that is being added.
    round: Tally,
}

impl<'a> ReportBuilder<'a> {
    pub(crate) fn new(names: &[String], spec: &'a str, plan: &'a ContestPlan) -> ReportBuilder<'a> {
        let sums = |name: &String| ContestantSums { name: name.clone(), ..Default::default() };
        ReportBuilder {
            spec,
            plan,
            contestants: names.iter().map(sums).collect(),
            games: 0,
            fingerprints: HashSet::new(),
            turns: Tally::default(),
            cut: 0,
            forfeits: BTreeMap::new(),
            round: None,
            pairs: [0; 5],
            half_pair: None,
            in_pairs: false,
        }
    }

    /// Adds the next game.
    pub(crate) fn add(&mut self, result: &GameResult) {
        if self.round != Some(result.round) {
            self.end_round();
            self.round = Some(result.round);
        }
        let two = self.contestants.len() == 2 && self.plan.role.is_none();
        self.in_pairs = two && result.rewards.len() == 2;
        self.games += 1;
        self.turns.add(result.turns as f64);
        self.cut += usize::from(result.cut);
        if self.fingerprints.len() < MOST_DISTINCT {
            self.fingerprints.insert(result.fingerprint);
        }
        if let Some((player, reason)) = &result.forfeit {
            self.add_forfeit(format!("player {player}: {reason}"));
        }
        for (seat, &contestant) in result.seating.iter().enumerate() {
            self.contestants[contestant].add(result, seat);
        }
        if self.in_pairs {
            let points = half_points(result);
            match self.half_pair.take() {
                Some(first) => self.pairs[first + points] += 1,
                None => self.half_pair = Some(points),
            }
        }
    }

    fn add_forfeit(&mut self, reason: String) {
        let known = self.forfeits.len() < MOST_REASONS || self.forfeits.contains_key(&reason);
        let reason = if known { reason } else { "other reasons".into() };
        *self.forfeits.entry(reason).or_default() += 1;
    }

    fn end_round(&mut self) {
        if self.round.is_some() {
            for sums in &mut self.contestants {
                sums.rounds.add(std::mem::take(&mut sums.round).mean());
            }
        }
    }

    /// Whether a sequential test has its verdict, and the last pair is complete.
    pub(crate) fn is_decided(&self) -> bool {
        let decided =
            |test: crate::statistics::Sprt| test.verdict(&self.pairs) != SprtVerdict::Open;
        self.half_pair.is_none() && self.plan.sprt.is_some_and(decided)
    }

    /// The report, with so many openings left out because they repeat another, of a game whose
    /// rewards lie in `range`.
    pub(crate) fn report(
        mut self,
        openings_repeated: usize,
        range: Option<(f32, f32)>,
    ) -> ContestReport {
        self.end_round();
        let pairs = self.pairs;
        ContestReport {
            game: self.spec.into(),
            seed: self.plan.seed,
            games: self.games,
            distinct: self.fingerprints.len(),
            openings_repeated,
            turns: self.turns.into(),
            cut: self.cut,
            elo: self.in_pairs.then(|| elo(&pairs)),
            contestants: self.contestants.into_iter().map(|sums| sums.report(range)).collect(),
            sprt: self.plan.sprt.map(|test| SprtReport {
                test,
                pairs,
                log_ratio: test.log_ratio(&pairs),
                bound: test.bound(),
                verdict: test.verdict(&pairs),
            }),
            forfeits: self.forfeits,
        }
    }
}

impl ContestantSums {
    fn add(&mut self, result: &GameResult, seat: usize) {
        self.roles.resize(result.rewards.len().max(self.roles.len()), ContestTotals::default());
        self.overall.add(result, seat);
        self.roles[seat].add(result, seat);
        self.round.add(result.rewards[seat].into());
    }

    fn report(self, range: Option<(f32, f32)>) -> ContestantReport {
        let reward = possible(self.rounds.into(), range);
        ContestantReport {
            name: self.name,
            overall: RoleReport { reward, ..self.overall.report(range) },
            roles: self.roles.iter().map(|totals| totals.report(range)).collect(),
        }
    }
}
