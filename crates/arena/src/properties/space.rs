//! The number of states and of games.

use super::Property;
use super::sample::RandomGames;
use crate::statistics::{Estimate, Interval};
use ludens_core::{Event, Game, Move, Notation, Turn};
use std::collections::{HashMap, HashSet};

pub(super) fn properties<G: Notation>(
    game: &G,
    sampled: &RandomGames<G::State>,
    limit: usize,
) -> [Property; 2] {
    [states(game, sampled, limit), games(sampled)]
}

fn states<G: Notation>(game: &G, sampled: &RandomGames<G::State>, limit: usize) -> Property {
    if let Some(count) = enumerate(game, limit) {
        let exact = Estimate { mean: count as f64, interval: None, count: count as u64 };
        let verdict = match count {
            0..10_000 => "a table holds every state",
            10_000..10_000_000 => "a table is possible, generalisation learns faster",
            _ => "only a learner that generalises can meet its states",
        };
        return Property::new("states", exact, "exact, by enumeration", verdict);
    }
    let low = sampled_states(sampled);
    let high: f64 = game.layout().values.iter().map(|&v| f64::from(v)).product();
    let interval = Some(Interval { low, high: high.max(low) });
    let figure = Estimate { mean: low, interval, count: sampled.games.len() as u64 };
    let method = "at least, by the states that random games repeat (Chao 1984)";
    let verdict =
        format!("at most {high:.1e}, all combinations of cell values; a learner has to generalise");
    Property::new("states", figure, method, verdict)
}

/// The number of reachable states, unless there are more than `limit`.
pub(super) fn enumerate<G: Game>(game: &G, limit: usize) -> Option<usize> {
    let mut seen = HashSet::from([game.start()]);
    let mut open = vec![game.start()];
    let (mut moves, mut events): (Vec<Move>, Vec<(Event, f32)>) = (Vec::new(), Vec::new());
    while let Some(state) = open.pop() {
        moves.clear();
        events.clear();
        match game.turn(&state) {
            Turn::Over => {}
            Turn::Player(_) => game.legal_moves(&state, &mut moves),
            Turn::Chance => game.events(&state, &mut events),
        }
        let mut reach = |next: G::State| {
            if seen.insert(next.clone()) {
                open.push(next);
            }
        };
        for &mv in &moves {
            let mut next = state.clone();
            game.play(&mut next, mv);
            reach(next);
        }
        for &(event, _) in &events {
            let mut next = state.clone();
            game.resolve(&mut next, event);
            reach(next);
        }
        if seen.len() > limit {
            return None;
        }
    }
    Some(seen.len())
}

/// A lower bound of the number of states: for each number of turns, those met and those missed by
/// Chao's estimate from the states met once and twice.
fn sampled_states<S: Eq + std::hash::Hash>(sampled: &RandomGames<S>) -> f64 {
    let longest = sampled.games.iter().map(|g| g.states.len()).max().unwrap_or(0);
    let after = |turns: usize| {
        let mut met: HashMap<&S, u32> = HashMap::new();
        for state in sampled.games.iter().filter_map(|g| g.states.get(turns)) {
            *met.entry(state).or_default() += 1;
        }
        let times = |n: u32| met.values().filter(|&&count| count == n).count() as f64;
        let (once, twice) = (times(1), times(2));
        met.len() as f64 + once * (once - 1.0).max(0.0) / (2.0 * (twice + 1.0))
    };
    (0..longest).map(after).sum()
}

fn games<S>(sampled: &RandomGames<S>) -> Property {
    let lines: Vec<f64> = sampled.games.iter().map(|g| g.lines).collect();
    let most = lines.iter().copied().fold(f64::NEG_INFINITY, f64::max);
    // The products overflow, their ratios to the largest do not.
    let mean = lines.iter().map(|l| 10f64.powf(l - most)).sum::<f64>() / lines.len() as f64;
    let figure = Estimate { mean: most + mean.log10(), interval: None, count: lines.len() as u64 };
    Property::new(
        "games, power of ten",
        figure,
        "choices multiplied over random games (Knuth 1975)",
        "how many ways there are to play a whole game",
    )
}

#[cfg(test)]
mod tests {
    use super::super::{PropertiesPlan, sample::sample};
    use super::*;
    use crate::Workload;
    use ludens_games::TicTacToe;

    #[test]
    fn tictactoe_has_5478_states_and_255168_games() {
        assert_eq!(enumerate(&TicTacToe, 10_000), Some(5_478));
        assert_eq!(enumerate(&TicTacToe, 5_477), None);
        let plan = PropertiesPlan { games: 4_000, ..PropertiesPlan::default() };
        let sampled = sample(&TicTacToe, &plan, Workload::default());
        let games = 10f64.powf(games(&sampled).figure.mean);
        assert!((games / 255_168.0 - 1.0).abs() < 0.02, "{games}");
    }

    #[test]
    fn the_estimate_from_random_games_is_a_lower_bound_and_close() {
        let plan = PropertiesPlan { games: 4_000, ..PropertiesPlan::default() };
        let estimated = sampled_states(&sample(&TicTacToe, &plan, Workload::default()));
        assert!((4_800.0..5_600.0).contains(&estimated), "{estimated}");
    }
}
