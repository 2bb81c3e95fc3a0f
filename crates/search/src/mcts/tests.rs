//! What the search proves is what full search finds.

use super::*;
use crate::MaxN;
use ludens_core::{Notation, Params};
use ludens_games::{Connect4, Hex, Nim, Othello, TicTacToe};

/// Values by what a state looks like, in order to guide the search anywhere.
struct Hashed;

impl<G: Game> ValueFunction<G> for Hashed {
    fn values(&mut self, game: &G, state: &G::State) -> Rewards {
        use std::hash::{DefaultHasher, Hash, Hasher};
        let mut hasher = DefaultHasher::new();
        state.hash(&mut hasher);
        let over = game.turn(state) == Turn::Over;
        let value = if over { 0.0 } else { (hasher.finish() % 101) as f32 / 100.0 - 0.5 };
        Rewards::zero_sum(Player(0), value)
    }

    fn move_values(&mut self, game: &G, state: &G::State, legal: &[Move], out: &mut Vec<f32>) {
        let Turn::Player(mover) = game.turn(state) else { unreachable!() };
        out.extend(legal.iter().map(|mv| {
            let mut next = state.clone();
            let gained = game.play(&mut next, *mv);
            (gained + self.values(game, &next))[mover]
        }));
    }
}

fn searcher<G: Game>(iterations: u64, guided: bool) -> Mcts<G> {
    let plays = if guided { FinalMoveRule::Visits } else { FinalMoveRule::Value };
    let settings = MctsSettings { iterations, plays, proves: true, ..MctsSettings::default() };
    Mcts::new(settings, guided.then(|| Box::new(Hashed) as Box<dyn ValueFunction<G>>))
}

/// Searches in the states of random games and compares what is proven with full search. Returns how
/// many moves were proven, and in how many states the best move was.
fn compare<G: Notation>(name: &str, plies: u32, iterations: u64) -> (usize, usize) {
    let params = name.parse::<Params>().unwrap().check(G::SETTINGS).unwrap();
    let game = G::configure(&params).unwrap();
    let (mut judge, mut moves, mut states) = (MaxN::new(200, None), 0, 0);
    for seed in 0..12 {
        let rng = &mut Rng::derived(seed, name, 0);
        let mut agent = searcher(1 + rng.below(iterations as usize) as u64, seed % 2 == 0);
        let (mut state, mut ply) = (game.start(), 0);
        while let Turn::Player(_) = game.turn(&state) {
            if ply >= plies {
                let exact = judge.move_values(&game, &state, rng).unwrap();
                let choice = agent.choose(&game, &state, rng).unwrap();
                let mut legal = Vec::new();
                game.legal_moves(&state, &mut legal);
                let results = agent.tree.root_results();
                for (result, exact) in results.zip(&exact).filter(|(result, _)| result.proven) {
                    assert_eq!(result.mean, *exact, "move {} in {state:?}", result.id);
                    moves += 1;
                }
                if agent.is_solved(&game) {
                    let best = exact.iter().copied().fold(f32::NEG_INFINITY, f32::max);
                    let chosen = legal.iter().position(|mv| *mv == choice.mv).unwrap();
                    assert_eq!(exact[chosen], best, "{:?} in {state:?}", choice.mv);
                    states += 1;
                }
            }
            let mv = game.random_move(&state, rng, &mut Vec::new());
            game.play(&mut state, mv);
            ply += 1;
        }
    }
    (moves, states)
}

#[test]
fn proven_returns_are_those_of_full_search() {
    let found = [
        compare::<TicTacToe>("tictactoe", 1, 3_000),
        compare::<Connect4>("connect4:columns=4,rows=4", 6, 2_000),
        compare::<Hex>("hex:size=3", 1, 3_000),
        compare::<Nim>("nim:heaps=3,size=3", 0, 2_000),
        // Players pass, so that one may move twice.
        compare::<Othello>("othello:size=4", 4, 2_000),
    ];
    for (moves, states) in found {
        assert!(moves > 30 && states > 10, "{found:?}");
    }
}

#[test]
fn a_solved_position_ends_the_search() {
    let game = TicTacToe;
    let mut agent = searcher::<TicTacToe>(1_000_000_000, true);
    let choice = agent.choose(&game, &game.start(), &mut Rng::seeded(1)).unwrap();
    assert_eq!(choice.value, Some(0.0));
    assert!(agent.is_solved(&game));
}

#[test]
fn without_proofs_every_simulation_is_made() {
    let mut agent = searcher::<TicTacToe>(5_000, true);
    agent.settings.proves = false;
    agent.search(&TicTacToe, &TicTacToe.start(), &mut Rng::seeded(1));
    assert_eq!(agent.tree.root_results().map(|result| result.visits).sum::<u32>(), 5_000);
    assert!(agent.tree.root_results().all(|result| !result.proven));
}
