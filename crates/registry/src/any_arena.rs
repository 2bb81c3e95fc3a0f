//! Games between agents, with the game type erased.

use crate::any_game::NamedGame;
use crate::{Hooks, open_agent};
use ludens_arena::{
    ContestPlan, ContestReport, Contestant, DecayPlan, DecayReport, GameResult, PropertiesPlan,
    PropertiesReport, ProtocolReport, ProtocolRequest, TournamentReport, Workload, contest,
    decay_curve, default_protocol, find_protocol, properties, sgf, tournament,
};
use ludens_core::{Agent, Choice, Forfeit, Game, Invalid, Record, Rng, TrainableGame};
use std::sync::Mutex;

/// Games between agents. Agents are given as text, as [`open_agent`] reads it.
pub trait AnyArena {
    /// Plays a contest: many games in every role.
    ///
    /// # Errors
    ///
    /// If an agent cannot be opened, or the contest cannot be held.
    fn contest(
        &self,
        agents: &[String],
        plan: &ContestPlan,
        workload: Workload<'_>,
    ) -> Result<(ContestReport, Vec<GameResult>), Invalid>;

    /// Plays a tournament: everybody against everybody.
    ///
    /// # Errors
    ///
    /// If an agent cannot be opened, or the tournament cannot be held.
    fn tournament(
        &self,
        agents: &[String],
        plan: &ContestPlan,
        workload: Workload<'_>,
    ) -> Result<(TournamentReport, Vec<GameResult>), Invalid>;

    /// Measures the random-decay curves of agents, and the perfect player's if one is known.
    ///
    /// # Errors
    ///
    /// If an agent cannot be opened, or the game has one player only.
    fn decay(
        &self,
        agents: &[String],
        opponent: &str,
        plan: &DecayPlan,
        workload: Workload<'_>,
    ) -> Result<DecayReport, Invalid>;

    /// Measures what makes the game easy or hard to learn.
    ///
    /// # Errors
    ///
    /// If the perfect player of the game does not value moves.
    fn properties(
        &self,
        plan: &PropertiesPlan,
        workload: Workload<'_>,
    ) -> Result<PropertiesReport, Invalid>;

    /// Measures an agent by a protocol; by the game's standard protocol unless named.
    ///
    /// # Errors
    ///
    /// If the protocol is unknown or does not fit, or an agent cannot be opened.
    fn measure(&self, agent: &str, by: &MeasureOptions<'_>) -> Result<ProtocolReport, Invalid>;

    /// The record of a game as SGF.
    ///
    /// # Errors
    ///
    /// If SGF has no place for this game, or for its start.
    fn sgf(&self, record: &Record) -> Result<String, Invalid>;
}

/// Options of a measurement.
#[derive(Copy, Clone)]
pub struct MeasureOptions<'a> {
    /// The name of the protocol; `None` for the game's standard protocol.
    pub protocol: Option<&'a str>,
    /// Games, if not as many as the protocol says.
    pub games: Option<usize>,
    /// The random seed.
    pub seed: u64,
    /// Whether the report includes the perfect player, if the protocol has one.
    pub with_perfect: bool,
    /// The threads and the progress observer.
    pub workload: Workload<'a>,
}

impl<G: TrainableGame> AnyArena for NamedGame<G> {
    fn contest(
        &self,
        agents: &[String],
        plan: &ContestPlan,
        workload: Workload<'_>,
    ) -> Result<(ContestReport, Vec<GameResult>), Invalid> {
        contest(&self.game, &self.spec, &self.contestants(agents)?, plan, workload)
    }

    fn tournament(
        &self,
        agents: &[String],
        plan: &ContestPlan,
        workload: Workload<'_>,
    ) -> Result<(TournamentReport, Vec<GameResult>), Invalid> {
        tournament(&self.game, &self.spec, &self.contestants(agents)?, plan, workload)
    }

    fn decay(
        &self,
        agents: &[String],
        opponent: &str,
        plan: &DecayPlan,
        workload: Workload<'_>,
    ) -> Result<DecayReport, Invalid> {
        let opponent = contestant(&self.game, opponent)?;
        let perfect = contestant(&self.game, "perfect").ok();
        let measured = self.contestants(agents)?.into_iter().chain(perfect);
        let curve = |agent: Contestant<G>| {
            decay_curve(&self.game, &self.spec, [&agent, &opponent], plan, workload)
        };
        Ok(DecayReport {
            game: self.spec.clone(),
            opponent: opponent.name.clone(),
            curves: measured.map(curve).collect::<Result<_, _>>()?,
        })
    }

    fn properties(
        &self,
        plan: &PropertiesPlan,
        workload: Workload<'_>,
    ) -> Result<PropertiesReport, Invalid> {
        let perfect = contestant(&self.game, "perfect").ok();
        properties(&self.game, &self.spec, perfect.as_ref(), plan, workload)
    }

    fn measure(&self, agent: &str, by: &MeasureOptions<'_>) -> Result<ProtocolReport, Invalid> {
        measure(&self.game, &self.spec, &contestant(&self.game, agent)?, by)
    }

    fn sgf(&self, record: &Record) -> Result<String, Invalid> {
        sgf(&self.game, record)
    }
}

impl<G: TrainableGame> NamedGame<G> {
    fn contestants(&self, agents: &[String]) -> Result<Vec<Contestant<G>>, Invalid> {
        agents.iter().map(|text| contestant(&self.game, text)).collect()
    }
}

/// Measures a contestant by a protocol.
pub(crate) fn measure<G: TrainableGame>(
    game: &G,
    spec: &str,
    agent: &Contestant<G>,
    by: &MeasureOptions<'_>,
) -> Result<ProtocolReport, Invalid> {
    let players = game.num_players();
    let usual = || default_protocol(G::NAME, players);
    let protocol = find_protocol(by.protocol.unwrap_or_else(usual), G::NAME, players)?;
    protocol.run(&ProtocolRequest {
        game,
        spec,
        agent,
        resolve: &|text| contestant(game, text),
        games: by.games,
        seed: by.seed,
        with_perfect: by.with_perfect,
        workload: by.workload,
    })
}

/// An agent that every thread can create again.
///
/// The first instance opens immediately, so that errors appear before the first game.
fn contestant<G: TrainableGame>(game: &G, text: &str) -> Result<Contestant<G>, Invalid> {
    let first = Mutex::new(Some(open_agent(text, game, &Hooks::NONE)?));
    let (game, owned) = (game.clone(), text.to_owned());
    Ok(Contestant::new(text, move || -> Box<dyn Agent<G>> {
        let first = first.lock().expect("nobody panics while taking it").take();
        first.unwrap_or_else(|| match open_agent(&owned, &game, &Hooks::NONE) {
            Ok(agent) => agent,
            Err(reason) => Box::new(UnavailableAgent(reason)),
        })
    }))
}

/// Stands in for an agent that could be opened once but not again, such as an engine that died.
struct UnavailableAgent(Invalid);

impl<G: Game> Agent<G> for UnavailableAgent {
    fn choose(&mut self, _: &G, _: &G::State, _: &mut Rng) -> Result<Choice, Forfeit> {
        Err(Forfeit(self.0.to_string()))
    }
}
