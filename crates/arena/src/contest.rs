//! Many games between the same contestants, in every role.

use crate::parallel::in_order;
use crate::report::ContestReport;
use crate::report_builder::ReportBuilder;
use crate::statistics::Sprt;
use crate::{GameSeeds, OpeningSchedule, Openings, Seating, Workload, play, seatings};
use ludens_core::{Agent, Invalid, Notation, Player, Record};
use std::hash::{DefaultHasher, Hash, Hasher};
use std::ops::ControlFlow;
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

/// Plays a contest, and returns its games if the plan records them. `spec` is the text that opens
/// the game.
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
    let mut kept = Vec::new();
    let report = contest_observed(game, spec, contestants, contest, workload, |result| {
        if contest.record {
            kept.push(result);
        }
    })?;
    Ok((report, kept))
}

/// Plays a contest, and hands on each game in order. Memory does not grow with their number.
pub(crate) fn contest_observed<G: Notation>(
    game: &G,
    spec: &str,
    contestants: &[Contestant<G>],
    contest: &ContestPlan,
    workload: Workload<'_>,
    mut observe: impl FnMut(GameResult) + Send,
) -> Result<ContestReport, Invalid> {
    let seatings = contest.seatings(contestants.len(), game.num_players())?;
    let book = contest.openings.book(game)?;
    let rounds = match contest.games {
        Some(games) => games.div_ceil(seatings.len()).max(1),
        None if book.openings.len() > 1 => book.openings.len(),
        None => DEFAULT_ROUNDS,
    };
    let repeated = book.repeated;
    let openings = book.schedule(contest.seed, rounds);
    let context = ContestContext { game, spec, contestants, seatings, openings, contest };
    let games = rounds * context.seatings.len();
    workload.progress.expect(games);
    let mut builder = ReportBuilder::new(&context.names(), spec, contest);
    let new_pool = || contestants.iter().map(|_| Vec::new()).collect::<AgentPool<G>>();
    let play_one = |pool: &mut AgentPool<G>, number: usize| context.play_one(pool, number);
    in_order(workload, 0..games, new_pool, play_one, |result| {
        builder.add(&result);
        observe(result);
        if builder.is_decided() { ControlFlow::Break(()) } else { ControlFlow::Continue(()) }
    });
    workload.check()?;
    Ok(builder.report(repeated, game.reward_range()))
}

/// All that the games of a contest share.
struct ContestContext<'a, G: Notation> {
    game: &'a G,
    spec: &'a str,
    contestants: &'a [Contestant<G>],
    seatings: Vec<Seating>,
    openings: OpeningSchedule<G::State>,
    contest: &'a ContestPlan,
}

/// Agents at rest, by contestant. Each thread has its own.
type AgentPool<G> = Vec<Vec<Box<dyn Agent<G>>>>;

impl<G: Notation> ContestContext<'_, G> {
    fn names(&self) -> Vec<String> {
        self.contestants.iter().map(|c| c.name.clone()).collect()
    }

    fn play_one(&self, pool: &mut AgentPool<G>, number: usize) -> GameResult {
        let (round, seating) = (number / self.seatings.len(), number % self.seatings.len());
        let seating = &self.seatings[seating];
        let seated = |&c: &usize| pool[c].pop().unwrap_or_else(|| (self.contestants[c].make)());
        let mut agents: Vec<_> = seating.iter().map(seated).collect();
        let seeds = GameSeeds::of(self.contest.seed, round as u64, number as u64);
        let opening = self.openings.opening(self.game, round);
        let finished = play(self.game, &opening, &mut agents, seeds);
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

/// The score of the first contestant in one game against a second, in half points from 0 to 2.
pub(crate) fn half_points(result: &GameResult) -> usize {
    let seat = result.seating.iter().position(|&c| c == 0).expect("everybody plays");
    match result.rewards[seat].total_cmp(&result.rewards[1 - seat]) {
        std::cmp::Ordering::Less => 0,
        std::cmp::Ordering::Equal => 1,
        std::cmp::Ordering::Greater => 2,
    }
}
