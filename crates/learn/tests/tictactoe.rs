//! Every algorithm learns TicTacToe; a broken one does not.

use ludens_core::{Agent, Game, Invalid, Move, Player, Rewards, Rng, Turn, ValueFunction};
use ludens_games::TicTacToe;
use ludens_learn::{Config, Trainer};
use std::collections::HashMap;

type State = <TicTacToe as Game>::State;

fn no_agent(text: &str) -> Result<Box<dyn Agent<TicTacToe>>, Invalid> {
    Err(Invalid(format!("no agent {text}")))
}

fn trained(config: &str, seed: u64) -> Trainer<TicTacToe> {
    let config: Config = toml::from_str(config).expect("a config");
    let mut trainer = Trainer::new(TicTacToe, config, seed, &no_agent).expect("a trainer");
    while trainer.episode() < trainer.config().episodes {
        trainer.step(None).expect("no agent to forfeit");
    }
    trainer
}

fn legal(state: &State) -> Vec<Move> {
    let mut legal = Vec::new();
    TicTacToe.legal_moves(state, &mut legal);
    legal
}

fn greedy(trainer: &mut Trainer<TicTacToe>, state: &State) -> Move {
    let (legal, mut values) = (legal(state), Vec::new());
    trainer.value().move_values(&TicTacToe, state, &legal, &mut values);
    let best = (0..legal.len()).max_by(|&a, &b| values[a].total_cmp(&values[b]));
    legal[best.expect("a player to move has a legal move")]
}

/// What perfect play gains for the player to move.
fn solve(state: &State, known: &mut HashMap<State, i32>) -> i32 {
    if let Some(&value) = known.get(state) {
        return value;
    }
    let value = legal(state).iter().map(|&mv| worth(state, mv, known)).max().unwrap_or(0);
    known.insert(*state, value);
    value
}

fn worth(state: &State, mv: Move, known: &mut HashMap<State, i32>) -> i32 {
    let Turn::Player(me) = TicTacToe.turn(state) else { unreachable!() };
    let mut after = *state;
    let gained = TicTacToe.play(&mut after, mv)[me] as i32;
    if gained > 0 { gained } else { -solve(&after, known) }
}

/// The worst that `trainer`, playing as `me`, gets from `state` on against anybody.
fn worst(
    trainer: &mut Trainer<TicTacToe>,
    me: Player,
    state: &State,
    seen: &mut HashMap<State, i32>,
) -> i32 {
    if let Some(&value) = seen.get(state) {
        return value;
    }
    let value = match TicTacToe.turn(state) {
        Turn::Player(player) => {
            let moves = if player == me { vec![greedy(trainer, state)] } else { legal(state) };
            let mut result = |mv: &Move| {
                let mut after = *state;
                let gained = TicTacToe.play(&mut after, *mv)[me] as i32;
                if gained != 0 { gained } else { worst(trainer, me, &after, seen) }
            };
            moves.iter().map(&mut result).min().expect("there is a move")
        }
        _ => 0,
    };
    seen.insert(*state, value);
    value
}

/// Asserts that nobody can beat what was learned, whoever begins.
fn assert_unbeatable(name: &str, trainer: &mut Trainer<TicTacToe>) {
    for me in [Player(0), Player(1)] {
        let result = worst(trainer, me, &TicTacToe.start(), &mut HashMap::new());
        assert_eq!(result, 0, "{name} can be beaten as player {me}");
    }
}

/// The share of games won against random play.
fn won(trainer: &mut Trainer<TicTacToe>) -> f32 {
    let mut won = 0;
    for game in 0..500 {
        let (rng, me) = (&mut Rng::derived(3, "game", game), Player((game % 2) as u8));
        let (mut state, mut total) = (TicTacToe.start(), Rewards::NONE);
        while let Turn::Player(player) = TicTacToe.turn(&state) {
            let mv = if player == me {
                greedy(trainer, &state)
            } else {
                TicTacToe.random_move(&state, rng, &mut Vec::new())
            };
            total += TicTacToe.play(&mut state, mv);
        }
        won += u32::from(total[me] > 0.0);
    }
    won as f32 / 500.0
}

fn ntuple(algorithm: &str, rest: &str) -> String {
    format!(
        "episodes = 100000\n\
         [value.ntuple]\ntuples = [[0, 1, 2, 3, 4, 5, 6, 7, 8]]\n\
         [explore.epsilon]\nrate = {{ from = 1.0, to = 0.1 }}\n\
         [learner]\nalgorithm = \"{algorithm}\"\nalpha = 0.3\n{rest}"
    )
}

#[test]
fn every_algorithm_becomes_unbeatable() {
    let cases = [
        ("td", "learn-from-random = \"if-over\""),
        ("q", ""),
        ("td-farl", "learn-from-random = \"if-over\""),
        ("sarsa-farl", ""),
        ("q-farl", ""),
        ("monte-carlo", ""),
    ];
    for (algorithm, rest) in cases {
        let mut trainer = trained(&ntuple(algorithm, rest), 1);
        assert_unbeatable(algorithm, &mut trainer);
        let won = won(&mut trainer);
        assert!(won > 0.85, "{algorithm} wins {won} against random play");
    }
}

/// Values of positions are read off lines; which move is good takes the cells where lines cross.
fn network(algorithm: &str, features: &str) -> String {
    format!(
        "episodes = 60000\n\
         [value.mlp]\nfeatures = \"{features}\"\nhidden = [20]\nactivation = \"tanh\"\n\
         init = {{ low = -0.3, high = 0.3 }}\nplayers = \"each\"\n\
         [explore.epsilon]\nrate = 0.3\n[start]\nshare = 0.5\nmin-plies = 1\nmax-plies = 3\n\
         [learner]\nalgorithm = \"{algorithm}\"\nlearn-from-random = \"always\"\n\
         alpha = {{ from = 0.05, to = 0.0 }}"
    )
}

#[test]
fn networks_become_unbeatable_with_every_algorithm() {
    let cases = [
        ("td", "lines"),
        ("q", "lines"),
        ("td-farl", "lines"),
        ("sarsa-farl", "crossings"),
        ("q-farl", "crossings"),
    ];
    for (algorithm, features) in cases {
        let mut trainer = trained(&network(algorithm, features), 1);
        assert_unbeatable(algorithm, &mut trainer);
        let won = won(&mut trainer);
        assert!(won > 0.85, "{algorithm} wins {won} against random play");
    }
}

#[test]
fn perfect_play_of_tictactoe_is_a_draw() {
    assert_eq!(solve(&TicTacToe.start(), &mut HashMap::new()), 0);
}
