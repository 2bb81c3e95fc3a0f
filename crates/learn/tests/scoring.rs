//! How moves are scored and chosen, and where games begin.

mod common;

use common::graph::{Gains, Graph, GraphNode, chance, learner, path};
use ludens_approx::{Evaluation, TraceSettings};
use ludens_core::{
    Cancellation, Game, Move, Notation, PerPlayer, Player, Rng, TrainableGame, Turn,
};
use ludens_games::{Connect4, Hex, Othello, TicTacToe};
use ludens_learn::{Policy, ScoredMove, Start, Value, build_learner};

/// What the moves of a state are worth to the player who is to move.
#[track_caller]
fn assert_scores(game: &Graph, rest: &str, state: usize, expected: &[f32]) {
    let mut learner = learner(game, rest);
    let GraphNode::Player(player, _) = game.1[state] else { panic!("nobody moves") };
    let mut policy = Policy::new(1);
    let scored = policy.score(learner.value(), game, &state, Player(player));
    let scores: Vec<f32> = scored.iter().map(|scored| scored.score).collect();
    let close = scores.iter().zip(expected).all(|(a, b)| (a - b).abs() < 1e-5);
    assert!(close && scores.len() == expected.len(), "{scores:?} instead of {expected:?}");
}

#[test]
fn moves_are_scored_by_reward_and_discounted_value() {
    // GraphNode n of row r has the value 0.5 - 0.1 n + 0.1 r.
    for (rest, state, expected) in [
        ("[learner]", 0, [1.0 + 0.5 * 0.4, 0.0]),
        ("[learner]", 1, [-1.0 + 0.5 * 0.5, 6.0]),
        ("players = 'shared'\n[learner]", 1, [-1.0 + 0.5 * 0.4, 6.0]),
        ("[learner]\nalgorithm = 'td'", 0, [1.0 + 0.5 * 0.4, 0.0]),
        ("[learner]\nalgorithm = 'td'", 1, [-3.0 - 0.5 * 0.5, -5.0]),
        (
            "[learner]\nalgorithm = 'td'\nbootstrap-terminal = true",
            1,
            [-3.0 - 0.5 * 0.5, -0.5 * 0.3],
        ),
        // The second player takes the place of the first: his row 1, his rewards, no sign.
        ("[learner]\nalgorithm = 'td'\nreversed = true", 1, [-1.0 + 0.5 * 0.4, 6.0]),
        ("[learner]\nalgorithm = 'td'\nreversed = true", 0, [1.0 + 0.5 * 0.4, 0.0]),
        ("[learner]\nalgorithm = 'q'", 0, [0.4, 0.1]),
        ("[learner]\nalgorithm = 'q'", 1, [-0.5, -0.3]),
        ("[learner]\nalgorithm = 'sarsa-farl'", 1, [0.8, 1.0]),
        ("[learner]\nalgorithm = 'td'\nreward-scale = 2.0", 1, [-6.0 - 0.5 * 0.5, -10.0]),
    ] {
        assert_scores(&path(), rest, state, &expected);
    }
}

#[test]
fn chance_is_averaged_by_its_probabilities() {
    // GraphNode 2 has the value 0.3, node 3 has 0.2 and its event brings 4; node 6 has -0.1.
    let average = 0.25 * 0.3 + 0.75 * (4.0 + 0.2);
    let rest = "[learner]\nafterstates = false";
    assert_scores(&chance(), rest, 0, &[1.0 + 0.5 * average, 0.0]);
    assert_scores(&chance(), rest, 2, &[0.5 + 0.5 * (0.25 * 8.0 + 0.75 * -0.1), 3.0]);
    assert_scores(&chance(), "[learner]", 2, &[0.5 + 0.5 * 0.1, 3.0]);
}

/// A random game of two players and chance in which all edges lead forward.
fn random_graph(rng: &mut Rng) -> Graph {
    let mut nodes = vec![GraphNode::Player(0, (1..5).map(|to| (to, [0.0; 3])).collect())];
    for at in 1..30 {
        let mut edge = || {
            let gain = if rng.chance(0.5) { 0.0 } else { rng.between(-1.0, 1.0) };
            let gains: Gains = [gain, -gain, 0.0];
            (at + 1 + rng.below(4), gains)
        };
        let [first, second, third] = [edge(), edge(), edge()];
        nodes.push(match rng.below(6) {
            0 => GraphNode::Over,
            1 => GraphNode::Chance(vec![(first.0, 0.25, first.1), (second.0, 0.75, second.1)]),
            kind => GraphNode::Player(kind as u8 % 2, vec![first, second, third]),
        });
    }
    nodes.extend([const { GraphNode::Over }; 4]);
    Graph(2, nodes)
}

/// What the first player gains by an edge: as a chance of winning, it counts only at the end.
fn gain(value: &Value<Graph>, game: &Graph, to: usize, gains: Gains) -> f32 {
    let is_final = matches!(game.1[to], GraphNode::Over);
    value.spec.reward(PerPlayer([gains[0], gains[1], gains[2], 0.0]), is_final, Player(0))
}

/// The value of a state that `mover` moved into, by search without pruning.
fn minimax(value: &mut Value<Graph>, game: &Graph, state: usize, mover: u8, depth: u32) -> f32 {
    let discount = value.spec.discount;
    match &game.1[state] {
        GraphNode::Over => 0.0,
        _ if depth == 0 => value.evaluate_state(game, &state, Player(mover)),
        GraphNode::Chance(events) => {
            let mut expect = |&(to, p, gains): &(usize, f32, Gains)| {
                p * (gain(value, game, to, gains) + minimax(value, game, to, mover, depth))
            };
            events.iter().map(&mut expect).sum()
        }
        GraphNode::Player(player, moves) => {
            let mut worth = |&(to, gains): &(usize, Gains)| {
                gain(value, game, to, gains)
                    + discount * minimax(value, game, to, *player, depth - 1)
            };
            let values = moves.iter().map(&mut worth);
            let best = if *player == 0 { values.reduce(f32::max) } else { values.reduce(f32::min) };
            best.expect("there is a move")
        }
    }
}

#[test]
fn a_search_with_pruning_scores_moves_like_one_without() {
    let rng = &mut Rng::seeded(7);
    for round in 0..200 {
        let (game, depth) = (random_graph(rng), 2 + round % 4);
        let rewards = if round % 2 == 0 { "scaled" } else { "chance" };
        let rest = format!("[learner]\nalgorithm = 'td-directed'\nrewards = '{rewards}'");
        let mut learner = learner(&game, &rest);
        let value = learner.value();
        value.network_mut().tensors_mut()[0].data.fill_with(|| rng.between(-1.0, 1.0));
        value.spec.discount = if round % 3 == 0 { 0.5 } else { 1.0 };
        for (state, node) in game.1.iter().enumerate() {
            let GraphNode::Player(player, moves) = node else { continue };
            let mut policy = Policy::new(depth);
            let scored = policy.score(value, &game, &state, Player(*player)).to_vec();
            assert_eq!(scored.len(), moves.len());
            for (&(to, gains), scored) in moves.iter().zip(scored) {
                let future = minimax(value, &game, to, *player, depth - 1);
                let reward = gain(value, &game, to, gains);
                let expected = reward + value.spec.discount * future;
                let expected = if *player == 0 { expected } else { -expected };
                assert!((scored.score - expected).abs() < 1e-5, "round {round}, node {state}");
                assert!(scored.reward == reward && (scored.value - future).abs() < 1e-5);
                assert_eq!(scored.over, matches!(game.1[to], GraphNode::Over));
            }
        }
    }
}

#[test]
fn a_search_leaves_out_moves_that_cannot_matter() {
    // Node 5 is worth 0 and node 4 is worth 0.1, so that the second player never moves to node 3.
    // Its second move leads to a node that is not there: whoever looks at it panics.
    let player = |player, to: &[usize]| {
        GraphNode::Player(player, to.iter().map(|&to| (to, [0.0; 3])).collect())
    };
    let nodes = vec![
        player(0, &[1]),
        player(1, &[2, 3]),
        player(0, &[5]),
        player(0, &[4, 99]),
        player(1, &[6]),
        player(1, &[6]),
        GraphNode::Over,
    ];
    let game = Graph(2, nodes);
    let mut learner = learner(&game, "[learner]\nalgorithm = 'td-directed'");
    learner.value().spec.discount = 1.0;
    let mut policy = Policy::new(3);
    let scored = policy.score(learner.value(), &game, &0, Player(0));
    assert!(scored[0].score.abs() < 1e-5, "{scored:?}");
}

#[test]
fn a_search_ends_soon_after_it_is_cancelled() {
    let game = common::game::<Connect4>("connect4");
    let config = common::config("connect4", "[learner]\nalgorithm = 'td-directed'");
    let mut learner = build_learner(&game, &config, 1).expect("a learner");
    let token = Cancellation::new();
    token.cancel();
    let mut policy = Policy::new(42);
    let moves =
        token.scope(|| policy.score(learner.value(), &game, &game.start(), Player(0)).len());
    assert_eq!(moves, 7);
}

/// Plays so many random moves first.
fn plies<S>(plies: u32) -> Start<S> {
    Start::Plies { share: 1.0, min: plies, max: plies }
}

#[test]
fn games_begin_after_as_many_random_moves_as_set() {
    let mut counts = [0_u32; 6];
    let start = Start::Plies { share: 0.75, min: 2, max: 4 };
    for number in 0..4_000 {
        let state = start.draw(&TicTacToe, &mut Rng::derived(1, "start", number));
        let text = TicTacToe.state_text(&state);
        counts[text.chars().filter(|mark| "xo".contains(*mark)).count()] += 1;
    }
    let far = |(count, expected): (&u32, u32)| count.abs_diff(expected) > expected / 10;
    let expected = [1_000, 0, 1_000, 1_000, 1_000, 0];
    assert!(!counts.iter().zip(expected).any(far), "{counts:?}");
    // Chance acts until a player is to move, and games that are over are drawn again.
    let (rng, states) = (&mut Rng::seeded(1), Start::OneOf(vec![1, 3]));
    assert_eq!([(); 50].map(|()| plies(1).draw(&path(), rng)), [1; 50]);
    assert!((0..50).all(|_| [2, 3].contains(&plies(1).draw(&chance(), rng))));
    let drawn = [(); 50].map(|()| states.draw(&path(), rng));
    assert!(drawn.contains(&1) && drawn.contains(&3) && !drawn.contains(&0));
}

/// A state after random moves, and what it becomes under a symmetry.
fn mirrored_pair<G: TrainableGame>(game: &G, symmetry: usize, rng: &mut Rng) -> [G::State; 2] {
    let (mut state, mut image) = (game.start(), game.map_start(symmetry));
    for _ in 0..4 {
        let mv = game.random_move(&state, rng, &mut Vec::new());
        game.play(&mut state, mv);
        game.play(&mut image, game.map_move(symmetry, mv));
    }
    [state, image]
}

fn assert_symmetric_action_values<G: TrainableGame>(name: &str, tuples: &str) {
    let (game, rng) = (common::game::<G>(name), &mut Rng::seeded(3));
    for algorithm in ["sarsa-farl", "q-farl"] {
        let value = format!("[value.ntuple]\ntuples = {tuples}\noutput = 'tanh'");
        let config =
            common::config(name, &format!("{value}\n[learner]\nalgorithm = '{algorithm}'"));
        let mut learner = build_learner(&game, &config, 1).expect("a learner");
        let value = learner.value();
        value.network_mut().tensors_mut()[0].data.fill_with(|| rng.between(-0.1, 0.1));
        for symmetry in 0..game.layout().symmetries.len() {
            let [state, image] = mirrored_pair(&game, symmetry, rng);
            let Turn::Player(player) = game.turn(&state) else { panic!("the game is over") };
            let mut policy = Policy::new(1);
            let scored = policy.score(value, &game, &state, player).to_vec();
            let images = policy.score(value, &game, &image, player).to_vec();
            for ScoredMove { mv, score, .. } in scored {
                let carried = game.map_move(symmetry, mv);
                let other = images.iter().find(|other| other.mv == carried).expect("it is legal");
                assert!((other.score - score).abs() < 1e-5, "{name}, symmetry {symmetry}, {mv:?}");
            }
        }
    }
}

#[test]
fn symmetric_moves_on_symmetric_boards_have_the_same_value() {
    assert_symmetric_action_values::<TicTacToe>("tictactoe", "[[0, 1, 3, 4], [1, 2, 5]]");
    assert_symmetric_action_values::<Connect4>("connect4", "[[0, 1, 8, 9], [5, 6, 20]]");
    assert_symmetric_action_values::<Othello>("othello", "[[0, 1, 2, 3], [9, 18, 20]]");
    assert_symmetric_action_values::<Hex>("hex:size=4", "[[0, 1, 4], [5, 6, 11]]");
}

/// TicTacToe with one tuple of the first cell: a move in the centre of an empty board.
#[test]
fn one_update_moves_the_weights_of_all_symmetric_moves() {
    let text = "[value.ntuple]\ntuples = [[0]]\noutput = 'none'\n[learner]\nalpha = 0.5\n\
                algorithm = 'sarsa-farl'";
    let mut learner = build_learner(&TicTacToe, &common::config("tictactoe", text), 1).unwrap();
    let start = TicTacToe.start();
    let value = learner.value();
    let mut evaluation = Evaluation::default();
    let trace = &mut value.network.new_trace(&TraceSettings::TD0).unwrap();
    value.evaluate_action(&TicTacToe, &start, Player(0), Move(1), &mut evaluation);
    value.update(&mut evaluation, trace, 1.0);
    // Moves 1, 3, 5 and 7 are each the image of move 1 under two of eight symmetries. Half of the
    // error is divided among eight lookups; each of the four weights moves once and counts twice.
    let mut policy = Policy::new(1);
    let scored = policy.score(value, &TicTacToe, &start, Player(0));
    let scores: Vec<f32> = scored.iter().map(|scored| scored.score).collect();
    let edge = 8.0 * 0.5 / 8.0;
    assert_eq!(scores, [0.0, edge, 0.0, edge, 0.0, edge, 0.0, edge, 0.0]);
}
