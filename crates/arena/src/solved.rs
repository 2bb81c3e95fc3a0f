//! The share of optimal moves, for games with a perfect player.

use crate::contest::Contestant;
use crate::statistics::Estimate;
use crate::{Workload, in_parallel};
use ludens_core::{Agent, Game, Invalid, Move, Notation, Rng, Turn};
use serde::Serialize;
use std::collections::HashSet;

/// Which states to ask about.
#[derive(Copy, Clone, Debug, PartialEq, Eq)]
pub struct SolvedPlan {
    /// States after each number of moves, at most.
    pub states: usize,
    /// The least number of moves made before.
    pub from: usize,
    /// The random seed of the states and of the agent.
    pub seed: u64,
}

/// How often the chosen move keeps the value, by the number of moves made before.
///
/// Counted are only states in which moves differ in value and no move wins at once: in others
/// everybody is right.
#[derive(Clone, Debug, PartialEq, Serialize)]
pub struct SolvedReport {
    /// The text that opens the game.
    pub game: String,
    /// The name of the agent.
    pub name: String,
    /// All states.
    pub overall: Estimate,
    /// The expected result of random moves in the same states.
    pub chance_level: f64,
    /// The states after each number of moves, as far as there are any.
    pub by_moves: Vec<(usize, Estimate)>,
    /// States in which the agent gave up; counted as wrong.
    pub forfeits: u64,
}

/// Values that differ by less are the same.
const SAME: f32 = 1e-4;

/// The number of random games to sample states from, per requested state.
const GAMES_PER_STATE: usize = 20;

/// A state with the values of its moves.
struct SolvedPosition<S> {
    moves: usize,
    state: S,
    keeping: Vec<Move>,
    legal: usize,
}

/// Measures how often a contestant keeps the value of states met in random games.
///
/// The states depend on the plan and not on the contestant.
///
/// # Errors
///
/// If chance acts in the game, or `perfect` does not value moves.
pub fn solved<G: Notation>(
    game: &G,
    spec: &str,
    [contestant, perfect]: [&Contestant<G>; 2],
    plan: &SolvedPlan,
    workload: Workload<'_>,
) -> Result<SolvedReport, Invalid> {
    if game.has_chance() {
        return Err(Invalid(format!("only games without chance are solved; {spec} has chance")));
    }
    let states = sample(game, plan);
    workload.progress.expect(2 * states.len());
    let ask = |agent: &mut Box<dyn Agent<G>>, i: usize| question(game, agent, &states[i]);
    let questions = in_parallel(workload, 0..states.len(), || (perfect.make)(), ask);
    workload.check()?;
    let questions: Vec<Option<SolvedPosition<G::State>>> =
        questions.into_iter().collect::<Result<_, _>>()?;
    let questions: Vec<_> = questions.into_iter().flatten().collect();
    let answer = |agent: &mut Box<dyn Agent<G>>, i: usize| {
        let SolvedPosition { state, keeping, .. } = &questions[i];
        let mut rng = Rng::derived(plan.seed, "answer", i as u64);
        agent.begin(game, state);
        agent.choose(game, state, &mut rng).ok().map(|choice| keeping.contains(&choice.mv))
    };
    let answers = in_parallel(workload, 0..questions.len(), || (contestant.make)(), answer);
    workload.check()?;
    Ok(report(spec, contestant, &questions, &answers))
}

fn report<G: Notation>(
    spec: &str,
    contestant: &Contestant<G>,
    questions: &[SolvedPosition<G::State>],
    answers: &[Option<bool>],
) -> SolvedReport {
    let right = |moves: Option<usize>| {
        let asked = |q: &SolvedPosition<_>| moves.is_none_or(|moves| moves == q.moves);
        let answers = questions.iter().zip(answers).filter(|(q, _)| asked(q));
        let kept = answers.clone().filter(|(_, a)| **a == Some(true)).count() as u64;
        Estimate::share(kept, answers.count() as u64)
    };
    let by_chance: f64 = questions.iter().map(|q| q.keeping.len() as f64 / q.legal as f64).sum();
    let longest = questions.iter().map(|q| q.moves).max().unwrap_or(0);
    let by_moves = (0..=longest).map(|moves| (moves, right(Some(moves))));
    SolvedReport {
        game: spec.into(),
        name: contestant.name.clone(),
        overall: right(None),
        chance_level: by_chance / (questions.len() as f64).max(1.0),
        by_moves: by_moves.filter(|(_, e)| e.count > 0).collect(),
        forfeits: answers.iter().filter(|a| a.is_none()).count() as u64,
    }
}

/// Different states of random games, at most so many after each number of moves.
fn sample<G: Game>(game: &G, plan: &SolvedPlan) -> Vec<(usize, G::State)> {
    let (mut seen, mut counts, mut states) = (HashSet::new(), Vec::new(), Vec::new());
    let mut scratch = Vec::new();
    for number in 0..plan.states * GAMES_PER_STATE {
        let rng = &mut Rng::derived(plan.seed, "solved", number as u64);
        let (mut state, mut moves) = (game.start(), 0);
        while game.turn(&state) != Turn::Over {
            counts.resize(counts.len().max(moves + 1), 0);
            let wanted = moves >= plan.from && counts[moves] < plan.states;
            if wanted && seen.insert(state.clone()) {
                counts[moves] += 1;
                states.push((moves, state.clone()));
            }
            let mv = game.random_move(&state, rng, &mut scratch);
            game.play(&mut state, mv);
            moves += 1;
        }
        if counts.iter().skip(plan.from).all(|&count| count == plan.states) {
            break;
        }
    }
    states.sort_by_key(|(moves, _)| *moves);
    states
}

/// The state with its move values, unless all moves are equally good or one wins immediately.
fn question<G: Notation>(
    game: &G,
    perfect: &mut Box<dyn Agent<G>>,
    (moves, state): &(usize, G::State),
) -> Result<Option<SolvedPosition<G::State>>, Invalid> {
    let Turn::Player(mover) = game.turn(state) else { return Ok(None) };
    let mut legal = Vec::new();
    game.legal_moves(state, &mut legal);
    let wins = |mv: &Move| {
        let mut next = state.clone();
        game.play(&mut next, *mv)[mover] > 0.0 && game.turn(&next) == Turn::Over
    };
    if legal.len() < 2 || legal.iter().any(wins) {
        return Ok(None);
    }
    perfect.begin(game, state);
    let values = perfect
        .move_values(game, state, &mut Rng::seeded(0))
        .ok_or_else(|| Invalid("the perfect player does not value moves".into()))?;
    let best = values.iter().copied().fold(f32::NEG_INFINITY, f32::max);
    let kept = legal.iter().zip(&values).filter(|(_, v)| best - **v < SAME);
    let keeping: Vec<Move> = kept.map(|(mv, _)| *mv).collect();
    let poses = keeping.len() < legal.len();
    let legal = legal.len();
    Ok(poses.then(|| SolvedPosition { moves: *moves, state: state.clone(), keeping, legal }))
}

/// The overall share, and a line for each number of moves.
impl std::fmt::Display for SolvedReport {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        let SolvedReport { name, overall, chance_level, .. } = self;
        let states = overall.count;
        writeln!(f, "{name} keeps the value in {overall} of {states} states")?;
        writeln!(f, "random moves would in {chance_level:.3}; the best possible is 1")?;
        for (moves, share) in &self.by_moves {
            writeln!(f, "after {moves:>3} moves: {share} of {}", share.count)?;
        }
        if self.forfeits > 0 {
            writeln!(f, "in {} states it gave up", self.forfeits)?;
        }
        Ok(())
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use ludens_core::RandomAgent;
    use ludens_games::TicTacToe;
    use ludens_search::MaxN;

    fn ask(contestant: &Contestant<TicTacToe>) -> SolvedReport {
        let perfect = Contestant::new("perfect", || MaxN::new(9, None));
        let plan = SolvedPlan { states: 50, from: 0, seed: 1 };
        let both = [contestant, &perfect];
        solved(&TicTacToe, "tictactoe", both, &plan, Workload::default()).unwrap()
    }

    #[test]
    fn perfect_play_keeps_every_value() {
        let report = ask(&Contestant::new("maxn", || MaxN::new(9, None)));
        assert_eq!(report.overall.mean, 1.0);
        assert!(report.overall.count > 50, "{report}");
    }

    #[test]
    fn random_play_reaches_the_chance_level() {
        let report = ask(&Contestant::new("random", RandomAgent::default));
        let interval = report.overall.interval.unwrap();
        assert!((interval.low..interval.high).contains(&report.chance_level), "{report}");
    }

    #[test]
    fn whoever_values_nothing_is_not_taken_for_perfect() {
        let random = Contestant::new("random", RandomAgent::default);
        let plan = SolvedPlan { states: 5, from: 0, seed: 1 };
        let refused = solved(&TicTacToe, "t", [&random, &random], &plan, Workload::default());
        assert!(refused.unwrap_err().to_string().contains("does not value moves"));
    }
}
