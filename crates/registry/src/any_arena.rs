//! Games between agents, with the type of the game forgotten.

use crate::any_game::Named;
use crate::{Hooks, open_agent};
use ludens_arena::{
    Contest, ContestReport, Contestant, DecayPlan, DecayReport, GameResult, PropertiesPlan,
    PropertiesReport, ProtocolReport, Request, TournamentReport, Workload, contest, decay_curve,
    default_protocol, find_protocol, properties, sgf, tournament,
};
use ludens_core::{Agent, Choice, Forfeit, Game, Invalid, Notation, Record, Rng};
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
        plan: &Contest,
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
        plan: &Contest,
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

    /// Measures an agent by a protocol, the game's usual one unless named.
    ///
    /// # Errors
    ///
    /// If the protocol is unknown or does not fit, or an agent cannot be opened.
    fn measure(&self, agent: &str, by: &Measuring<'_>) -> Result<ProtocolReport, Invalid>;

    /// The record of a game as SGF.
    ///
    /// # Errors
    ///
    /// If SGF has no place for this game, or for its start.
    fn sgf(&self, record: &Record) -> Result<String, Invalid>;
}

/// How to measure an agent.
#[derive(Copy, Clone)]
pub struct Measuring<'a> {
    /// The name of a protocol, unless the game's usual one is meant.
    pub protocol: Option<&'a str>,
    /// Games, if not as many as the protocol says.
    pub games: Option<usize>,
    /// What all random numbers are drawn from.
    pub seed: u64,
    /// How many threads work.
    pub workload: Workload<'a>,
}

impl<G: Notation> AnyArena for Named<G> {
    fn contest(
        &self,
        agents: &[String],
        plan: &Contest,
        workload: Workload<'_>,
    ) -> Result<(ContestReport, Vec<GameResult>), Invalid> {
        contest(&self.game, &self.spec, &self.contestants(agents)?, plan, workload)
    }

    fn tournament(
        &self,
        agents: &[String],
        plan: &Contest,
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

    fn measure(&self, agent: &str, by: &Measuring<'_>) -> Result<ProtocolReport, Invalid> {
        measure(&self.game, &self.spec, &contestant(&self.game, agent)?, by)
    }

    fn sgf(&self, record: &Record) -> Result<String, Invalid> {
        sgf(&self.game, record)
    }
}

impl<G: Notation> Named<G> {
    fn contestants(&self, agents: &[String]) -> Result<Vec<Contestant<G>>, Invalid> {
        agents.iter().map(|text| contestant(&self.game, text)).collect()
    }
}

/// Measures a contestant by a protocol.
pub(crate) fn measure<G: Notation>(
    game: &G,
    spec: &str,
    agent: &Contestant<G>,
    by: &Measuring<'_>,
) -> Result<ProtocolReport, Invalid> {
    let players = game.num_players();
    let usual = || default_protocol(G::NAME, players);
    let protocol = find_protocol(by.protocol.unwrap_or_else(usual), G::NAME, players)?;
    protocol.run(&Request {
        game,
        spec,
        agent,
        resolve: &|text| contestant(game, text),
        games: by.games,
        seed: by.seed,
        workload: by.workload,
    })
}

/// An agent that can be made again for every thread.
///
/// The first one is opened at once, so that mistakes are found before anybody plays.
fn contestant<G: Notation>(game: &G, text: &str) -> Result<Contestant<G>, Invalid> {
    let first = Mutex::new(Some(open_agent(text, game, &Hooks::NONE)?));
    let (game, owned) = (game.clone(), text.to_owned());
    Ok(Contestant::new(text, move || -> Box<dyn Agent<G>> {
        let first = first.lock().expect("nobody panics while taking it").take();
        first.unwrap_or_else(|| match open_agent(&owned, &game, &Hooks::NONE) {
            Ok(agent) => agent,
            Err(reason) => Box::new(Absent(reason)),
        })
    }))
}

/// Stands in for an agent that could be opened once but not again, such as an engine that died.
struct Absent(Invalid);

impl<G: Game> Agent<G> for Absent {
    fn choose(&mut self, _: &G, _: &G::State, _: &mut Rng) -> Result<Choice, Forfeit> {
        Err(Forfeit(self.0.to_string()))
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::{AnyGame, open_game};
    use ludens_arena::{Openings, PROTOCOLS};

    fn opened(text: &str) -> Box<dyn AnyGame> {
        open_game(text).unwrap()
    }

    fn names(agents: &[&str]) -> Vec<String> {
        agents.iter().map(ToString::to_string).collect()
    }

    #[test]
    fn agents_are_opened_for_a_contest_by_name() {
        let game = opened("tictactoe");
        let plan = Contest { games: Some(20), ..Contest::default() };
        let agents = names(&["perfect", "random"]);
        let (report, _) = game.arena().contest(&agents, &plan, Workload::default()).unwrap();
        assert_eq!(report.contestants[0].overall.losses, 0);
        let unknown = names(&["perfekt", "random"]);
        let refused = game.arena().contest(&unknown, &plan, Workload::default()).unwrap_err();
        assert!(refused.to_string().contains("did you mean \"perfect\"?"));
    }

    #[test]
    fn perfect_players_of_three_reach_the_best_result() {
        let by = Measuring { protocol: None, games: None, seed: 1, workload: Workload::default() };
        let report = opened("nim:players=3").arena().measure("perfect", &by).unwrap();
        assert_eq!(report.protocol, "max-n");
        assert!((report.figure.mean - 0.4).abs() < 0.1, "{report}");
    }

    #[test]
    fn there_are_244_sequences_of_four_moves_in_othello() {
        let game = opened("othello");
        let plan = Contest { openings: Openings::Sequences(4), ..Contest::default() };
        let agents = names(&["bench", "random"]);
        let (report, _) = game.arena().contest(&agents, &plan, Workload::default()).unwrap();
        assert_eq!(report.games, 488);
        let distinct = Contest { openings: Openings::All(4), ..Contest::default() };
        let (report, _) = game.arena().contest(&agents, &distinct, Workload::default()).unwrap();
        assert_eq!((report.games, report.openings_repeated), (472, 8));
        assert!(report.contestants[0].overall.win_rate.mean > 0.6, "{report}");
    }

    #[test]
    fn the_opponents_of_all_protocols_are_known() {
        for protocol in PROTOCOLS {
            let ludens_arena::Measure::Contest { opponent, .. } = protocol.measure else {
                continue;
            };
            // Engines of other authors may be missing on this machine.
            if opponent.starts_with("gtp") {
                continue;
            }
            let game = protocol.games.first().unwrap_or(&"tictactoe");
            let mut live = opened(game).live(1);
            live.seat(ludens_core::Player(0), opponent).unwrap();
        }
    }

    #[test]
    fn games_of_othello_and_hex_are_written_in_sgf() {
        for (text, begins) in
            [("othello", "(;FF[4]GM[2]SZ[8]"), ("hex:size=4", "(;FF[4]GM[11]SZ[4]")]
        {
            let game = opened(text);
            let plan = Contest { games: Some(2), record: true, ..Contest::default() };
            let agents = names(&["random", "random"]);
            let (_, games) = game.arena().contest(&agents, &plan, Workload::default()).unwrap();
            let sgf = game.arena().sgf(games[0].record.as_ref().unwrap()).unwrap();
            assert!(sgf.starts_with(begins), "{sgf}");
            assert_eq!(sgf.matches(";B[").count() + sgf.matches(";W[").count(), games[0].turns);
        }
    }
}
