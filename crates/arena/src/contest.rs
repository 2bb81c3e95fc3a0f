//! Many games between the same contestants, in every role.

use crate::report::ContestReport;
use crate::statistics::{Sprt, SprtVerdict};
use crate::{GameSeeds, Opening, Openings, Seating, Workload, in_parallel, play, seatings};
use ludens_core::{Agent, Invalid, Notation, Player, Record};
use std::hash::{DefaultHasher, Hash, Hasher};
use std::sync::Arc;

/// Makes an agent; called once per thread and seat.
pub type Factory<G> = Arc<dyn Fn() -> Box<dyn Agent<G>> + Send + Sync>;

/// An agent by name, and how to make it.
#[derive(Clone)]
pub struct Contestant<G> {
    /// The name of the contestant in reports.
    pub name: String,
    /// Makes it.
    pub make: Factory<G>,
}

impl<G: Notation> Contestant<G> {
    /// A contestant from a closure that makes the agent.
    pub fn new<A: Agent<G> + 'static>(
        name: impl Into<String>,
        make: impl Fn() -> A + Send + Sync + 'static,
    ) -> Contestant<G> {
        Contestant { name: name.into(), make: Arc::new(move || Box::new(make())) }
    }
}

/// The plan of a contest.
#[derive(Clone, Debug, PartialEq)]
pub struct ContestPlan {
    /// The minimum number of games; rounds are always completed. By default, each opening is played
    /// once in every role, and random openings or the start [`DEFAULT_ROUNDS`] times.
    pub games: Option<usize>,
    /// The openings.
    pub openings: Openings,
    /// The only role of the first contestant, unless it is to play all of them.
    pub role: Option<Player>,
    /// The random seed.
    pub seed: u64,
    /// Stops the contest when its result is clear.
    pub sprt: Option<Sprt>,
    /// Whether the contest records its games.
    pub record: bool,
}

impl Default for ContestPlan {
    fn default() -> ContestPlan {
        ContestPlan {
            games: None,
            openings: Openings::Start,
            role: None,
            seed: 1,
            sprt: None,
            record: false,
        }
    }
}

impl ContestPlan {
    /// The same contest with every opening played so often in every role.
    ///
    /// # Errors
    ///
    /// If there are no openings, or the contestants do not fit the game.
    pub fn repeated<G: Notation>(
        self,
        game: &G,
        contestants: usize,
        times: usize,
    ) -> Result<ContestPlan, Invalid> {
        let rounds = self.openings.book(game)?.openings.len().max(1) * times;
        let games = rounds * self.seatings(contestants, game.num_players())?.len();
        Ok(ContestPlan { games: Some(games), ..self })
    }

    /// The seatings of a round.
    fn seatings(&self, contestants: usize, players: usize) -> Result<Vec<Seating>, Invalid> {
        let mut seatings = seatings(contestants, players)?;
        if let Some(role) = self.role {
            seatings.retain(|seating| seating.get(role.index()) == Some(&0));
        }
        if seatings.is_empty() {
            return Err(Invalid(format!("the game has {players} players, and no other role")));
        }
        let pairs = players == 2 && contestants == 2 && self.role.is_none();
        if self.sprt.is_some() && !pairs {
            let needed = "two contestants, two players and both roles";
            return Err(Invalid(format!("a sequential test needs {needed}")));
        }
        Ok(seatings)
    }
}

/// The default number of rounds.
pub const DEFAULT_ROUNDS: usize = 50;

/// The number of rounds between two checks of a sequential test.
const BATCH: usize = 64;

/// One game of a contest.
#[derive(Clone, Debug, PartialEq)]
pub struct GameResult {
    /// Games of a round have the same opening.
    pub round: usize,
    /// The contestants, in turn order.
    pub seating: Seating,
    /// The reward of each player.
    pub rewards: Vec<f32>,
    /// The player who forfeited, and the reason.
    pub forfeit: Option<(Player, String)>,
    /// Whether the game hit the turn limit.
    pub cut: bool,
    /// The number of moves and events.
    pub turns: usize,
    /// Equal for games that went alike.
    pub fingerprint: u64,
    /// The record of the game, if requested.
    pub record: Option<Record>,
}

/// Plays a contest. `spec` is the text that opens the game.
///
/// A round is one opening played in every seating. The result depends on the seed and not on the
/// number of threads.
///
/// # Errors
///
/// If it was stopped, the number of contestants does not fit the game, there are no openings, or a
/// sequential test is asked for other than between two contestants of a game of two in both roles.
pub fn contest<G: Notation>(
    game: &G,
    spec: &str,
    contestants: &[Contestant<G>],
    contest: &ContestPlan,
    workload: Workload<'_>,
) -> Result<(ContestReport, Vec<GameResult>), Invalid> {
    let seatings = contest.seatings(contestants.len(), game.num_players())?;
    let book = contest.openings.book(game)?;
    let rounds = match contest.games {
        Some(games) => games.div_ceil(seatings.len()).max(1),
        None if book.openings.len() > 1 => book.openings.len(),
        None => DEFAULT_ROUNDS,
    };
    let openings = book.rounds(game, contest.seed, rounds);
    let context = ContestContext { game, spec, contestants, seatings, openings, contest };
    workload.progress.expect(rounds * context.seatings.len());
    let results = context.play_rounds(workload);
    workload.check()?;
    let report = ContestReport::new(&context.names(), spec, contest, &results);
    Ok((report.with_repeated(book.repeated), results))
}

/// All that the games of a contest share.
struct ContestContext<'a, G: Notation> {
    game: &'a G,
    spec: &'a str,
    contestants: &'a [Contestant<G>],
    seatings: Vec<Seating>,
    openings: Vec<Opening<G::State>>,
    contest: &'a ContestPlan,
}

/// Agents at rest, by contestant. Each thread has its own.
type AgentPool<G> = Vec<Vec<Box<dyn Agent<G>>>>;

impl<G: Notation> ContestContext<'_, G> {
    fn names(&self) -> Vec<String> {
        self.contestants.iter().map(|c| c.name.clone()).collect()
    }

    fn play_rounds(&self, workload: Workload<'_>) -> Vec<GameResult> {
        let Some(sprt) = &self.contest.sprt else {
            return self.play_range(workload, 0..self.openings.len());
        };
        let (mut results, mut pairs) = (Vec::new(), [0; 5]);
        for from in (0..self.openings.len()).step_by(BATCH) {
            let range = from..(from + BATCH).min(self.openings.len());
            for pair in self.play_range(workload, range).chunks(2) {
                results.extend_from_slice(pair);
                pairs[pair_points(pair)] += 1;
                if sprt.verdict(&pairs) != SprtVerdict::Open {
                    return results;
                }
            }
        }
        results
    }

    fn play_range(
        &self,
        workload: Workload<'_>,
        rounds: std::ops::Range<usize>,
    ) -> Vec<GameResult> {
        let each = self.seatings.len();
        let games = rounds.start * each..rounds.end * each;
        let new_pool = || self.contestants.iter().map(|_| Vec::new()).collect::<AgentPool<G>>();
        in_parallel(workload, games, new_pool, |pool, number| self.play_one(pool, number))
    }

    fn play_one(&self, pool: &mut AgentPool<G>, number: usize) -> GameResult {
        let (round, seating) = (number / self.seatings.len(), number % self.seatings.len());
        let seating = &self.seatings[seating];
        let seated = |&c: &usize| pool[c].pop().unwrap_or_else(|| (self.contestants[c].make)());
        let mut agents: Vec<_> = seating.iter().map(seated).collect();
        let seeds = GameSeeds::of(self.contest.seed, round as u64, number as u64);
        let finished = play(self.game, &self.openings[round], &mut agents, seeds);
        // The last seated goes back first, so that copies keep their seats.
        for (&contestant, agent) in seating.iter().zip(agents).rev() {
            pool[contestant].push(agent);
        }
        let mut hasher = DefaultHasher::new();
        (seating, &finished.played, &finished.start).hash(&mut hasher);
        let record = self.contest.record.then(|| {
            let names: Vec<_> = seating.iter().map(|&c| self.contestants[c].name.clone()).collect();
            let record = finished.record(self.game, self.spec, &names);
            Record { seed: Some(self.contest.seed), ..record }
        });
        GameResult {
            round,
            seating: seating.clone(),
            rewards: finished.rewards.first(seating.len()).to_vec(),
            forfeit: finished.forfeit.map(|(player, reason)| (player, reason.0)),
            cut: finished.cut,
            turns: finished.played.len(),
            fingerprint: hasher.finish(),
            record,
        }
    }
}

/// The score of the first contestant in two games, in half points from 0 to 4.
pub(crate) fn pair_points(pair: &[GameResult]) -> usize {
    let points = |result: &GameResult| {
        let seat = result.seating.iter().position(|&c| c == 0).expect("everybody plays");
        match result.rewards[seat].total_cmp(&result.rewards[1 - seat]) {
            std::cmp::Ordering::Less => 0,
            std::cmp::Ordering::Equal => 1,
            std::cmp::Ordering::Greater => 2,
        }
    };
    pair.iter().map(points).sum()
}
