//! Measuring by protocol.

use super::in_words::in_words;
use super::{Headline, Protocol, ProtocolKind};
use crate::contest::{ContestPlan, Contestant, contest};
use crate::decay::{DecayPlan, DecayReport, decay_curve};
use crate::report::ContestReport;
use crate::score::{ScoreReport, score};
use crate::solved::{SolvedPlan, SolvedReport, solved};
use crate::statistics::Estimate;
use crate::{Openings, Workload};
use ludens_core::{Invalid, Notation};
use serde::Serialize;

/// The result of a protocol.
#[derive(Clone, Debug, PartialEq, Serialize)]
pub struct ProtocolReport {
    /// The name of the protocol.
    pub protocol: &'static str,
    /// The text that opens the game.
    pub game: String,
    /// The name of the agent.
    pub agent: String,
    /// The meaning of the figure.
    pub headline: Headline,
    /// The figure that counts.
    pub figure: Estimate,
    /// What the figure means, in one sentence about the agent, with yardsticks.
    pub text: String,
    /// The best possible result, in words.
    pub best: &'static str,
    /// All of it.
    pub details: Details,
}

/// All that a protocol found.
#[derive(Clone, Debug, PartialEq, Serialize)]
#[serde(untagged)]
pub enum Details {
    /// Of games against an opponent.
    Contest(Box<ContestReport>),
    /// Of games alone.
    Score(Box<ScoreReport>),
    /// Of the random-decay benchmark.
    Decay(Box<DecayReport>),
    /// Of states whose value is to be kept.
    Solved(Box<SolvedReport>),
}

/// The arguments of a protocol.
pub struct ProtocolRequest<'a, G: Notation> {
    /// The rules.
    pub game: &'a G,
    /// The text that opens the game.
    pub spec: &'a str,
    /// The agent to measure.
    pub agent: &'a Contestant<G>,
    /// Turns the opponents' texts into opponents.
    pub resolve: &'a dyn Fn(&str) -> Result<Contestant<G>, Invalid>,
    /// Games against an opponent or alone, states of each kind, or games at each rate, if not as
    /// the protocol says.
    pub games: Option<usize>,
    /// The random seed.
    pub seed: u64,
    /// Whether the report includes the perfect player, if the protocol has one.
    pub with_perfect: bool,
    /// The threads and the progress observer.
    pub workload: Workload<'a>,
}

impl Protocol {
    /// Measures an agent.
    ///
    /// # Errors
    ///
    /// If the protocol does not fit the game, or the opponent does not play it.
    pub fn run<G: Notation>(
        &self,
        request: &ProtocolRequest<'_, G>,
    ) -> Result<ProtocolReport, Invalid> {
        let (headline, figure, details) = match self.measure {
            ProtocolKind::Contest { .. } => self.run_contest(request)?,
            ProtocolKind::Score { games } => {
                let games = (request.games.unwrap_or(games), request.seed);
                let ProtocolRequest { game, spec, agent, workload, .. } = *request;
                let report = score(game, spec, agent, games, workload)?;
                (Headline::Reward, report.score, Details::Score(Box::new(report)))
            }
            ProtocolKind::Decay { opponent, perfect } => {
                let report = run_decay(request, opponent, perfect)?;
                (Headline::Area, report.curves[0].area, Details::Decay(Box::new(report)))
            }
            ProtocolKind::Solved { perfect, states, from } => {
                let states = request.games.unwrap_or(states);
                let plan = SolvedPlan { states, from, seed: request.seed };
                let both = [request.agent, &(request.resolve)(perfect)?];
                let report = solved(request.game, request.spec, both, &plan, request.workload)?;
                (Headline::Kept, report.overall, Details::Solved(Box::new(report)))
            }
        };
        Ok(ProtocolReport {
            protocol: self.name,
            game: request.spec.into(),
            agent: request.agent.name.clone(),
            headline,
            figure,
            text: in_words(&self.measure, headline, figure, &details),
            best: self.best,
            details,
        })
    }

    fn run_contest<G: Notation>(
        &self,
        request: &ProtocolRequest<'_, G>,
    ) -> Result<(Headline, Estimate, Details), Invalid> {
        let ProtocolKind::Contest { opponent, openings, role, times, headline } = self.measure
        else {
            unreachable!("called for contests only")
        };
        if request.game.num_players() < 2 {
            let (name, spec) = (self.name, request.spec);
            return Err(Invalid(format!("{name} needs an opponent; {spec} has one player")));
        }
        let opponent = (request.resolve)(opponent)?;
        let plan = ContestPlan {
            openings: Openings::parse(openings)?,
            role,
            seed: request.seed,
            ..ContestPlan::default()
        };
        let plan = match request.games {
            Some(_) => ContestPlan { games: request.games, ..plan },
            None => plan.repeated(request.game, 2, times)?,
        };
        let both = [request.agent.clone(), opponent];
        let (report, _) = contest(request.game, request.spec, &both, &plan, request.workload)?;
        let overall = report.contestants[0].overall;
        let figure = match headline {
            Headline::Points => overall.reward.map(to_points).within(0.0, 1.0),
            Headline::Won => overall.win_rate,
            _ => overall.reward,
        };
        Ok((headline, figure, Details::Contest(Box::new(report))))
    }
}

fn to_points(reward: f64) -> f64 {
    f64::midpoint(reward, 1.0).clamp(0.0, 1.0)
}

fn run_decay<G: Notation>(
    request: &ProtocolRequest<'_, G>,
    opponent: &str,
    perfect: &str,
) -> Result<DecayReport, Invalid> {
    let ProtocolRequest { game, spec, agent, .. } = *request;
    let usual = DecayPlan::default();
    let games = request.games.unwrap_or(usual.games);
    let plan = DecayPlan { games, seed: request.seed, ..usual };
    let opponent = (request.resolve)(opponent)?;
    // Most games have no perfect player, and the curve of one is a luxury.
    let perfect = request.with_perfect.then(|| (request.resolve)(perfect).ok()).flatten();
    let curve = |who| decay_curve(game, spec, [who, &opponent], &plan, request.workload);
    let curves = [Some(agent), perfect.as_ref()].into_iter().flatten().map(curve);
    Ok(DecayReport {
        game: spec.into(),
        opponent: opponent.name.clone(),
        curves: curves.collect::<Result<_, _>>()?,
    })
}

/// The figure, then the rest.
impl std::fmt::Display for ProtocolReport {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        let ProtocolReport { protocol, agent, text, headline, figure, best, .. } = self;
        writeln!(f, "{agent}: {text}")?;
        writeln!(f, "{protocol}: {figure} ({headline}); best possible: {best}\n")?;
        match &self.details {
            Details::Contest(report) => report.fmt(f),
            Details::Score(report) => report.fmt(f),
            Details::Decay(report) => report.fmt(f),
            Details::Solved(report) => report.fmt(f),
        }
    }
}
