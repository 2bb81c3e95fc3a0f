//! The score of an agent that plays alone.

use crate::contest::Contestant;
use crate::report::possible;
use crate::statistics::Estimate;
use crate::{GameSeeds, Opening, Workload, in_parallel, play};
use ludens_core::{Agent, Invalid, Notation, Player, Tally};
use serde::Serialize;
use std::collections::BTreeMap;

/// The scores of an agent in a single-player game.
#[derive(Clone, Debug, PartialEq, Serialize)]
pub struct ScoreReport {
    /// The text that opens the game.
    pub game: String,
    /// The name of the agent.
    pub name: String,
    /// The reward of a game.
    pub score: Estimate,
    /// The smallest and the largest.
    pub range: (f64, f64),
    /// Moves and events of a game.
    pub turns: Estimate,
    /// The number of games by largest final cell value: in 2048, the exponent of the largest tile.
    pub largest_cells: BTreeMap<u8, usize>,
    /// Games that the agent gave up, with the reward it had by then.
    pub forfeits: usize,
}

/// Plays so many games of one player.
///
/// # Errors
///
/// If the game has more players.
pub fn score<G: Notation>(
    game: &G,
    spec: &str,
    contestant: &Contestant<G>,
    (games, seed): (usize, u64),
    workload: Workload<'_>,
) -> Result<ScoreReport, Invalid> {
    if game.num_players() != 1 {
        let players = game.num_players();
        return Err(Invalid(format!("a score is measured alone; {spec} has {players} players")));
    }
    workload.progress.expect(games);
    let (opening, cells) = (Opening::start(game), game.layout().num_cells());
    let job = |agents: &mut [Box<dyn Agent<G>>; 1], i: usize| {
        let finished = play(game, &opening, agents, GameSeeds::of(seed, i as u64, i as u64));
        let mut cells = vec![0; cells];
        game.read_cells(&finished.end, Player(0), &mut cells);
        let largest = cells.into_iter().max().unwrap_or(0);
        (finished.rewards[Player(0)], finished.played.len(), largest, finished.forfeit.is_some())
    };
    let results = in_parallel(workload, 0..games, || [(contestant.make)()], job);
    workload.check()?;
    let scores: Tally = results.iter().map(|r| f64::from(r.0)).collect();
    let mut largest_cells = BTreeMap::new();
    results.iter().for_each(|r| *largest_cells.entry(r.2).or_default() += 1);
    Ok(ScoreReport {
        game: spec.into(),
        name: contestant.name.clone(),
        score: possible(scores.into(), game.reward_range()),
        range: (scores.least, scores.most),
        turns: results.iter().map(|r| r.1 as f64).collect::<Tally>().into(),
        largest_cells,
        forfeits: results.iter().filter(|r| r.3).count(),
    })
}

/// The mean, and how often each largest cell was reached.
impl std::fmt::Display for ScoreReport {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        let (least, most) = self.range;
        let (name, games) = (&self.name, self.score.count);
        writeln!(f, "{name} scores {:.1} in {games} games, from {least} to {most}", self.score)?;
        writeln!(f, "moves and events per game {:.1}", self.turns)?;
        let mut left = games as usize;
        for (value, count) in &self.largest_cells {
            let share = 100.0 * left as f64 / games as f64;
            writeln!(
                f,
                "largest cell {value:>3}: {count:>6} games; at least this in {share:.1} %"
            )?;
            left -= count;
        }
        Ok(())
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use ludens_core::{Params, RandomAgent};
    use ludens_games::{RandomWalk, TicTacToe};

    #[test]
    fn a_random_walk_ends_well_as_often_as_not() {
        let chosen = "random-walk".parse::<Params>().unwrap().check(RandomWalk::SETTINGS).unwrap();
        let game = RandomWalk::configure(&chosen).unwrap();
        let random = Contestant::new("random", RandomAgent::default);
        let play = |threads| {
            let workload = Workload { threads, ..Workload::default() };
            score(&game, "random-walk", &random, (500, 1), workload).unwrap()
        };
        let report = play(1);
        assert_eq!(report, play(4));
        assert_eq!(report.largest_cells.values().sum::<usize>(), 500);
        assert_eq!(report.score.count, 500);
    }

    #[test]
    fn games_of_two_have_no_score() {
        let random = Contestant::new("random", RandomAgent::default);
        let refused = score(&TicTacToe, "tictactoe", &random, (1, 1), Workload::default());
        assert!(refused.unwrap_err().to_string().contains("has 2 players"));
    }
}
