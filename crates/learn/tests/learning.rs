//! Every algorithm, network and source of games learns; a broken one does not.

mod common;

use common::{bits, greedy, legal_moves, trained, trainer};
use ludens_core::{Agent, Game, Move, Notation, Player, Rewards, Rng, Turn};
use ludens_games::{Game2048, Nim, Nimm3, RandomWalk, TicTacToe};
use ludens_learn::Trainer;
use std::collections::HashMap;

type State = <TicTacToe as Game>::State;

/// The worst that `trainer`, playing as `me`, gets from `state` on against anybody.
fn worst(
    trainer: &mut Trainer<TicTacToe>,
    me: Player,
    state: &State,
    seen: &mut HashMap<State, i32>,
) -> i32 {
    let Turn::Player(player) = TicTacToe.turn(state) else { return 0 };
    if let Some(&value) = seen.get(state) {
        return value;
    }
    let own = player == me;
    let moves = if own { vec![greedy(trainer, state)] } else { legal_moves(&TicTacToe, state) };
    let mut result = |mv: &Move| {
        let mut after = *state;
        let gained = TicTacToe.play(&mut after, *mv)[me] as i32;
        if gained != 0 { gained } else { worst(trainer, me, &after, seen) }
    };
    let value = moves.iter().map(&mut result).min().expect("there is a move");
    seen.insert(*state, value);
    value
}

/// Games won and lost of 500 against random play, each player in turn.
fn won_and_lost(trainer: &mut Trainer<TicTacToe>) -> (u32, u32) {
    let (mut won, mut lost, mut agent) = (0, 0, trainer.agent());
    for number in 0..500 {
        let (rng, me) = (&mut Rng::derived(3, "game", number), Player((number % 2) as u8));
        let (mut state, mut rewards) = (TicTacToe.start(), Rewards::NONE);
        while let Turn::Player(player) = TicTacToe.turn(&state) {
            let mv = match player == me {
                true => agent.choose(&TicTacToe, &state, rng).expect("it never forfeits").mv,
                false => TicTacToe.random_move(&state, rng, &mut Vec::new()),
            };
            rewards += TicTacToe.play(&mut state, mv);
        }
        won += u32::from(rewards[me] > 0.0);
        lost += u32::from(rewards[me] < 0.0);
    }
    (won, lost)
}

/// Nobody can beat what was learned, whoever begins, and random play is beaten.
#[track_caller]
fn assert_unbeatable(config: &str) {
    let mut trainer = trained("tictactoe", config);
    for me in [Player(0), Player(1)] {
        let result = worst(&mut trainer, me, &TicTacToe.start(), &mut HashMap::new());
        assert_eq!(result, 0, "it can be beaten as player {me}:\n{config}");
    }
    let (won, _) = won_and_lost(&mut trainer);
    assert!(won > 425, "it wins {won} of 500 against random play:\n{config}");
}

#[track_caller]
fn assert_loses_at_most(limit: u32, config: &str) {
    let (_, lost) = won_and_lost(&mut trained("tictactoe", config));
    assert!(lost <= limit, "it loses {lost} of 500, at most {limit} allowed:\n{config}");
}

const NTUPLE: &str = "[value.ntuple]\ntuples = 'board'\n[explore.epsilon]\nrate = 0.2\n";

#[test]
fn every_algorithm_becomes_unbeatable() {
    for algorithm in [
        "'td'\nlearn-from-random = 'if-over'",
        "'q'",
        "'td-farl'\nlearn-from-random = 'if-over'",
        "'sarsa-farl'",
        "'q-farl'",
        "'monte-carlo'",
    ] {
        assert_unbeatable(&format!(
            "episodes = 100000\n[value.ntuple]\ntuples = 'board'\n\
             [explore.epsilon]\nrate = {{ from = 1.0, to = 0.1 }}\n\
             [learner]\nalpha = 0.3\nalgorithm = {algorithm}"
        ));
    }
}

/// Values of positions are read off lines; which move is good takes the cells where lines cross.
#[test]
fn perceptrons_become_unbeatable_with_every_algorithm() {
    for (algorithm, features) in [
        ("td", "lines"),
        ("q", "lines"),
        ("td-farl", "lines"),
        ("sarsa-farl", "crossings"),
        ("q-farl", "crossings"),
    ] {
        assert_unbeatable(&format!(
            "episodes = 60000\n\
             [value.mlp]\nfeatures = '{features}'\nhidden = [20]\nactivation = 'tanh'\n\
             init = {{ low = -0.3, high = 0.3 }}\nplayers = 'each'\n\
             [explore.epsilon]\nrate = 0.3\n[start]\nshare = 0.5\nmin-plies = 1\nmax-plies = 3\n\
             [learner]\nalgorithm = '{algorithm}'\nlearn-from-random = 'always'\n\
             alpha = {{ from = 0.05, to = 0.0 }}"
        ));
    }
}

#[test]
fn learning_after_the_game_learns() {
    for learner in [
        "algorithm = 'td-offline'",
        "algorithm = 'td'\nbatch = 5",
        "algorithm = 'td'\nrepeats = 5",
        "algorithm = 'td'\ninverted = true",
        "algorithm = 'td-farl'\nbatch = 10",
    ] {
        let learner = format!("[learner]\nalpha = 0.5\n{learner}");
        assert_loses_at_most(0, &format!("episodes = 30000\n{NTUPLE}{learner}"));
    }
}

#[test]
fn looking_ahead_while_learning_learns() {
    for algorithm in ["td-leaf", "td-directed"] {
        let learner = format!("[learner]\nalgorithm = '{algorithm}'\nalpha = 0.5");
        assert_loses_at_most(0, &format!("episodes = 6000\n{NTUPLE}{learner}"));
    }
}

#[test]
fn games_of_others_are_learned_from() {
    for (limit, algorithm, games) in [
        (2, "q", "from = 'random'"),
        (2, "q", "from = 'opponent'\nagent = 'random'"),
        (0, "td", "from = 'twin'"),
        (0, "q", "from = 'random'\nweight = 0.3\n[[games]]\nfrom = 'self-play'\nweight = 0.7"),
    ] {
        let learner = format!("[learner]\nalgorithm = '{algorithm}'\nalpha = 0.3");
        let games = format!("{learner}\n[[games]]\n{games}");
        assert_loses_at_most(limit, &format!("episodes = 30000\n{NTUPLE}{games}"));
    }
}

#[test]
fn bad_moves_of_others_are_skipped() {
    let learner = "[learner]\nalgorithm = 'td-mu'\nalpha = 0.5\nlearn-from-random = 'if-over'";
    let games = "[[games]]\nfrom = 'opponent'\nagent = 'random'";
    assert_loses_at_most(3, &format!("episodes = 30000\n{NTUPLE}{learner}\n{games}"));
}

#[test]
fn every_other_network_learns_tictactoe() {
    for (limit, config) in [
        (
            110,
            "episodes = 20000\n[value.rbf]\ncentres = 100\nwidth = 2.0\nplayers = 'each'\n\
             [explore.epsilon]\nrate = { from = 0.3, to = 0.1 }\n[learner]\nalpha = 0.02",
        ),
        (
            10,
            "episodes = 20000\n[value.linear]\nfeatures = 'lines'\n\
             [explore.epsilon]\nrate = { from = 0.3, to = 0.05 }\n[learner]\nalpha = 0.02",
        ),
        (
            0,
            "episodes = 60000\n[value.table]\n[explore.epsilon]\nrate = 0.3\n\
             [learner]\nalpha = 0.3",
        ),
    ] {
        assert_loses_at_most(limit, config);
    }
}

#[test]
fn divisibility_by_four_is_found_to_be_what_counts() {
    let config = "episodes = 20000\n\
        [value.linear]\nfeatures = 'divisibility'\noutput = 'none'\nplayers = 'shared'\n\
        [explore.epsilon]\nrate = 0.3\n[learner]\nalpha = { from = 0.05, to = 0.001 }";
    let weights = bits(&mut trained::<Nimm3>("nimm3", config));
    // The weights of g_2, g_3, g_4, ...; the bias comes last.
    let weights: Vec<f32> = weights.into_iter().map(f32::from_bits).collect();
    let largest = (0..weights.len() - 1).max_by(|&a, &b| weights[a].total_cmp(&weights[b]));
    assert_eq!(largest, Some(2), "{weights:?}");
    assert!(weights[2] > 0.5, "{weights:?}");
}

#[test]
fn the_states_of_the_random_walk_get_the_values_of_the_theory() {
    for learner in [
        "[learner]\nalgorithm = 'td'",
        "[trace]\nlambda = 0.8\n[learner]\nalgorithm = 'td'",
        "[learner]\nalgorithm = 'td-farl'",
        "[learner]\nalgorithm = 'monte-carlo'",
    ] {
        let config = format!(
            "episodes = 20000\n\
             [value.linear]\nbias = false\noutput = 'none'\nplayers = 'shared'\n\
             {learner}\nalpha = {{ from = 0.1, to = 0.0002, shape = 'exponential' }}"
        );
        let mut trainer = trained::<RandomWalk>("random-walk", &config);
        let values = bits(&mut trainer).into_iter().map(f32::from_bits);
        let wrong = values.zip(1..=5).find(|(value, i)| (value - *i as f32 / 6.0).abs() > 0.03);
        assert_eq!(wrong, None, "with {learner}");
    }
}

type NimState = <Nim as Game>::State;

/// What everybody gains after `mv` if all play for themselves. What a player gains tells who took
/// the last piece, so that it does not matter how ties are broken.
fn outcome(
    nim: &Nim,
    state: &NimState,
    mv: Move,
    known: &mut HashMap<NimState, Rewards>,
) -> Rewards {
    let mut after = *state;
    let gained = nim.play(&mut after, mv);
    let Turn::Player(next) = nim.turn(&after) else { return gained };
    if let Some(&found) = known.get(&after) {
        return found;
    }
    let legal = legal_moves(nim, &after);
    let outcomes = legal.iter().map(|&mv| outcome(nim, &after, mv, known));
    let best = outcomes.max_by(|a, b| a[next].total_cmp(&b[next])).expect("there is a move");
    known.insert(after, best);
    best
}

#[test]
fn nim_is_played_perfectly_by_two_and_by_three() {
    for (text, config) in [
        (
            "nim",
            "episodes = 20000\n[value.ntuple]\ntuples = 'board'\n[explore.epsilon]\nrate = 0.3\n\
             [start]\nshare = 0.7\nmax-plies = 4\n[learner]\nalpha = 0.5",
        ),
        (
            "nim:players=3",
            "episodes = 150000\n[value.ntuple]\ntuples = 'board'\nplayers = 'shared'\n\
             [explore.epsilon]\nrate = { from = 0.3, to = 0.0 }\n\
             [start]\nshare = 0.9\nmax-plies = 6\n[learner]\nalpha = { from = 0.3, to = 0.01 }",
        ),
    ] {
        let mut trainer = trained::<Nim>(text, config);
        let (nim, known) = (trainer.game().clone(), &mut HashMap::new());
        for heaps in (1..216).map(|i| [i / 36, i / 6 % 6, i % 6]) {
            let [a, b, c] = heaps;
            let state = nim.parse_state(&format!("{a} {b} {c} player 1")).expect("a state");
            let mut gain = |mv| outcome(&nim, &state, mv, known)[Player(0)];
            let best = legal_moves(&nim, &state).into_iter().map(&mut gain).reduce(f32::max);
            assert_eq!(Some(gain(greedy(&mut trainer, &state))), best, "{text}: {heaps:?}");
        }
    }
}

#[test]
fn the_score_of_2048_is_multiplied() {
    let config = "episodes = 500\n[value.ntuple]\noutput = 'none'\n\
        tuples = [[0, 1, 2, 3], [4, 5, 6, 7], [0, 1, 4, 5], [1, 2, 5, 6], [5, 6, 9, 10]]\n\
        [step.tcl]\nstart = 1e-4\n[explore.epsilon]\nrate = 0.0\n\
        [learner]\nalpha = 1.0\nreward-scale = 0.001";
    let score = |trainer: &mut Trainer<Game2048>| {
        let mut game =
            |n| trainer.play_greedily(&mut Rng::derived(5, "game", n)).rewards[Player(0)];
        (0..50).map(&mut game).sum::<f32>()
    };
    let before = score(&mut trainer("2048", config));
    let after = score(&mut trained("2048", config));
    assert!(after > 6.0 * before, "{after} instead of {before}");
}

#[test]
fn threads_that_share_weights_learn() {
    let config = format!("episodes = 30000\n{NTUPLE}[learner]\nalpha = 0.5");
    let mut trainer = trainer("tictactoe", &config);
    assert!(won_and_lost(&mut trainer).1 > 100, "nothing is learned yet");
    while trainer.episode() < 30_000 {
        let played = trainer.step_parallel(5_000, 3).expect("weights that can be shared");
        assert_eq!(played.len(), 5_000);
    }
    // Who comes first is left to chance: none is lost in most runs, up to ten in some.
    let (_, lost) = won_and_lost(&mut trainer);
    assert!(lost <= 50, "it loses {lost} of 500");
}
