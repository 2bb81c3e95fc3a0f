//! Each algorithm against numbers worked out by hand from its paper.
//!
//! The games are small graphs. A value of a node is one weight; alpha = gamma = 0.5, so that the
//! expected numbers are the update rules themselves, written with the weights before the game.

mod common;

use common::graph::{Graph, GraphNode, chance, learner, path, set_weights, settings};
use common::{config, play};
use ludens_core::{Event, Move, Played};
use ludens_learn::{
    EpisodeLoop, Explore, Learner, MonteCarlo, Transcript, build_learner, build_value,
};

/// A weight: its row and its node. Each weight set has a row for each point of view.
type Weight = (usize, usize);

/// The weights before a game, from which the expected ones are computed.
struct Before(Vec<f32>, usize);

impl Before {
    fn v(&self, row: usize, node: usize) -> f32 {
        self.0[row * self.1 + node]
    }
}

fn weights(learner: &mut dyn Learner<Graph>) -> Vec<f32> {
    learner.value().network.tensors()[0].data.to_vec()
}

/// The first move four times; `explored` tells which are exploratory.
fn moves(explored: [bool; 4]) -> Vec<(Played, bool)> {
    explored.map(|explored| (Played::Move(Move(0)), explored)).into()
}

const GREEDY: [bool; 4] = [false; 4];

/// Teaches a game twice; after each, exactly the expected weights have changed.
#[track_caller]
fn assert_teaches<const N: usize>(
    game: &Graph,
    learner: &mut dyn Learner<Graph>,
    played: &[(Played, bool)],
    expected: impl Fn(&Before) -> [(Weight, f32); N],
) {
    for round in 1..=2 {
        let before = Before(weights(learner), game.1.len());
        let mut all = before.0.clone();
        for ((row, node), value) in expected(&before) {
            all[row * game.1.len() + node] = value;
        }
        Transcript { start: 0, played: played.to_vec() }.teach(game, learner);
        let found = weights(learner);
        let close = found.iter().zip(&all).all(|(a, b)| (a - b).abs() < 1e-5);
        assert!(close, "game {round}:\n{found:?} instead of\n{all:?} after\n{:?}", before.0);
    }
}

#[track_caller]
fn assert_path<const N: usize>(
    rest: &str,
    explored: [bool; 4],
    expected: impl Fn(&Before) -> [(Weight, f32); N],
) {
    assert_teaches(&path(), &mut *learner(&path(), rest), &moves(explored), expected);
}

#[track_caller]
fn assert_chance<const N: usize>(
    rest: &str,
    events: [u32; 2],
    expected: impl Fn(&Before) -> [(Weight, f32); N],
) {
    let [first, second] = events.map(|number| (Played::Event(Event(number)), false));
    let mv = (Played::Move(Move(0)), false);
    let played = [mv, first, mv, second];
    assert_teaches(&chance(), &mut *learner(&chance(), rest), &played, expected);
}

/// A value after an update toward `target` with a step size of 0.5.
fn mid(value: f32, target: f32) -> f32 {
    value + 0.5 * (target - value)
}

#[test]
fn td_updates_each_afterstate_toward_the_next() {
    let expected = |w: &Before| {
        [
            ((2, 0), mid(w.v(2, 0), 1.0 + 0.5 * w.v(0, 1))),
            ((0, 1), mid(w.v(0, 1), 3.0 + 0.5 * w.v(2, 2))),
            ((2, 2), mid(w.v(2, 2), 0.5 + 0.5 * w.v(0, 3))),
            ((0, 3), mid(w.v(0, 3), -2.0)),
        ]
    };
    for algorithm in ["td", "td-offline", "td-directed"] {
        assert_path(&format!("[learner]\nalgorithm = '{algorithm}'"), GREEDY, expected);
    }
    assert_path("[learner]\nalgorithm = 'td'\nbootstrap-terminal = true", GREEDY, |w| {
        let [a, b, c, d] = expected(w);
        [a, b, c, d, ((2, 4), mid(w.v(2, 4), -2.0))]
    });
    assert_path("[learner]\nalgorithm = 'td'\nrewards = 'chance'", GREEDY, |w| {
        let [a, b, c, _] = expected(w);
        [a, b, c, ((0, 3), mid(w.v(0, 3), (-2.0 + 1.0) / 2.0))]
    });
}

/// The errors of TD along the path, with the trace decay gamma lambda = 0.4.
fn td_errors(w: &Before) -> [f32; 4] {
    let (v0, v1, v2, v3) = (w.v(2, 0), w.v(0, 1), w.v(2, 2), w.v(0, 3));
    [1.0 + 0.5 * v1 - v0, 3.0 + 0.5 * v2 - v1, 0.5 + 0.5 * v3 - v2, -2.0 - v3]
}

#[test]
fn traces_of_td_carry_errors_back() {
    let td = "lambda = 0.8\n[learner]\nalgorithm = 'td'";
    assert_path(&format!("[trace]\n{td}"), GREEDY, |w| {
        let [a, b, c, d] = td_errors(w);
        [
            ((2, 0), w.v(2, 0) + 0.5 * (a + 0.4 * b + 0.16 * c + 0.064 * d)),
            ((0, 1), w.v(0, 1) + 0.5 * (b + 0.4 * c + 0.16 * d)),
            ((2, 2), w.v(2, 2) + 0.5 * (c + 0.4 * d)),
            ((0, 3), w.v(0, 3) + 0.5 * d),
        ]
    });
    let third = [false, false, true, false];
    assert_path(&format!("[trace]\n{td}"), third, |w| {
        let [a, b, _, d] = td_errors(w);
        [
            ((2, 0), w.v(2, 0) + 0.5 * (a + 0.4 * b + 0.064 * d)),
            ((0, 1), w.v(0, 1) + 0.5 * (b + 0.16 * d)),
            ((2, 2), w.v(2, 2) + 0.5 * 0.4 * d),
            ((0, 3), w.v(0, 3) + 0.5 * d),
        ]
    });
    assert_path(&format!("[trace]\nreset = true\n{td}"), third, |w| {
        let [a, b, _, d] = td_errors(w);
        [
            ((2, 0), w.v(2, 0) + 0.5 * (a + 0.4 * b)),
            ((0, 1), w.v(0, 1) + 0.5 * b),
            ((0, 3), w.v(0, 3) + 0.5 * d),
        ]
    });
}

/// TD-FARL on the path, with the rows of both players: each gets his rewards from round to round.
fn td_farl(w: &Before, rows: [usize; 2]) -> [(Weight, f32); 5] {
    let [first, second] = rows;
    [
        ((second, 0), mid(w.v(second, 0), 2.0 - 1.0 + 0.5 * w.v(second, 2))),
        ((first, 1), mid(w.v(first, 1), 3.0 + 0.5 + 0.5 * w.v(first, 3))),
        ((second, 2), mid(w.v(second, 2), 1.0 + 4.0)),
        ((first, 3), mid(w.v(first, 3), -2.0)),
        ((second, 4), mid(w.v(second, 4), 0.0)),
    ]
}

#[test]
fn td_farl_goes_from_round_to_round_and_adapts_at_the_end() {
    assert_path("[learner]", GREEDY, |w| td_farl(w, [0, 2]));
    assert_path("players = 'shared'\n[learner]", GREEDY, |w| td_farl(w, [0, 1]));
    assert_path("[learner]\nadapt-others = false", GREEDY, |w| {
        let [a, b, c, _, e] = td_farl(w, [0, 2]);
        [a, b, c, e]
    });
    assert_path("[learner]\nadapt-last = false", GREEDY, |w| {
        let [a, b, c, d, _] = td_farl(w, [0, 2]);
        [a, b, c, d]
    });
}

#[test]
fn traces_of_td_farl_end_with_the_game_and_with_exploration() {
    let errors = |w: &Before| {
        [(2, 0), (0, 1), (2, 2), (0, 3), (2, 4)].map(|(row, node)| {
            let found = td_farl(w, [0, 2]).into_iter().find(|(weight, _)| *weight == (row, node));
            2.0 * (found.expect("five weights").1 - w.v(row, node))
        })
    };
    assert_path("[trace]\nlambda = 0.8\n[learner]", GREEDY, |w| {
        let [a, b, c, d, e] = errors(w);
        [
            ((2, 0), w.v(2, 0) + 0.5 * (a + 0.4 * c + 0.16 * e)),
            ((0, 1), w.v(0, 1) + 0.5 * (b + 0.4 * d)),
            ((2, 2), w.v(2, 2) + 0.5 * (c + 0.4 * e)),
            ((0, 3), w.v(0, 3) + 0.5 * d),
            ((2, 4), w.v(2, 4) + 0.5 * e),
        ]
    });
    let reset = "[trace]\nlambda = 0.8\nreset = true\n[learner]\nlearn-from-random = 'always'";
    assert_path(reset, [false, false, false, true], |w| {
        let [a, b, (c, to_c), d, (e, to_e)] = td_farl(w, [0, 2]);
        [a, b, (c, to_c + 0.4 * (to_e - w.v(2, 4))), d, (e, to_e)]
    });
}

#[test]
fn the_residual_gradient_moves_the_next_position_too() {
    // phi = 0.25, so that the next position moves by -phi gamma = -0.125 of the step.
    assert_path("[learner]\nalgorithm = 'td'\nresidual = 0.25", GREEDY, |w| {
        let first = 1.0 + 0.5 * w.v(0, 1) - w.v(2, 0);
        let v1 = w.v(0, 1) - 0.5 * 0.125 * first;
        let second = 3.0 + 0.5 * w.v(2, 2) - v1;
        let v2 = w.v(2, 2) - 0.5 * 0.125 * second;
        let third = 0.5 + 0.5 * w.v(0, 3) - v2;
        let v3 = w.v(0, 3) - 0.5 * 0.125 * third;
        [
            ((2, 0), w.v(2, 0) + 0.5 * first),
            ((0, 1), v1 + 0.5 * second),
            ((2, 2), v2 + 0.5 * third),
            ((0, 3), v3 + 0.5 * (-2.0 - v3)),
        ]
    });
    let traced = "[trace]\nlambda = 0.8\n[learner]\nalgorithm = 'td'\nresidual = 0.25";
    assert_path(traced, GREEDY, |w| {
        let nodes = [(2, 0), (0, 1), (2, 2), (0, 3)];
        let mut v = nodes.map(|(row, node)| w.v(row, node));
        let (mut trace, mut next) = ([1.0, 0.0, 0.0, 0.0], [0.0; 4]);
        for (at, reward) in [1.0, 3.0, 0.5, -2.0].into_iter().enumerate() {
            next = next.map(|y| 0.4 * y);
            next.get_mut(at + 1).into_iter().for_each(|y| *y += 1.0);
            let error = reward + 0.5 * v.get(at + 1).unwrap_or(&0.0) - v[at];
            for i in 0..4 {
                v[i] += 0.5 * error * (trace[i] - 0.125 * next[i]);
            }
            trace = trace.map(|e| 0.4 * e);
            trace.get_mut(at + 1).into_iter().for_each(|e| *e += 1.0);
        }
        [0, 1, 2, 3].map(|i| (nodes[i], v[i]))
    });
}

#[test]
fn long_games_pay_less() {
    // Four moves at 0.1 each leave 0.6 of the final reward; other rewards are as they are.
    assert_path("[learner]\nalgorithm = 'td'\nlength-penalty = 0.1", GREEDY, |w| {
        [
            ((2, 0), mid(w.v(2, 0), 1.0 + 0.5 * w.v(0, 1))),
            ((0, 1), mid(w.v(0, 1), 3.0 + 0.5 * w.v(2, 2))),
            ((2, 2), mid(w.v(2, 2), 0.5 + 0.5 * w.v(0, 3))),
            ((0, 3), mid(w.v(0, 3), -2.0 * 0.6)),
        ]
    });
    assert_path("[learner]\nlength-penalty = 0.1", GREEDY, |w| {
        let [a, b, _, _, e] = td_farl(w, [0, 2]);
        let second = mid(w.v(2, 2), 1.0 + 4.0 * 0.6);
        [a, b, ((2, 2), second), ((0, 3), mid(w.v(0, 3), -2.0 * 0.6)), e]
    });
    // Chance ends the game after two moves.
    assert_chance("[learner]\nlength-penalty = 0.1", [1, 0], |w| {
        [((0, 1), mid(w.v(0, 1), 4.0 + 0.5 + 0.5 * w.v(0, 4))), ((0, 4), mid(w.v(0, 4), 8.0 * 0.8))]
    });
}

#[test]
fn a_region_is_updated_toward_the_move_made_in_it() {
    // Inputs: the node (0 at the start), then one for each region, here one for each move.
    let moves = vec![(1, [1.0, 0.0, 0.0]), (1, [0.0; 3])];
    let game = Graph(1, vec![GraphNode::Player(0, moves), GraphNode::Over]);
    let rest = "[value.linear]\nbias = false\noutput = 'none'\n[learner]\nalgorithm = 'td'\n\
                regions = 2\nalpha = 0.5";
    let mut learner = build_learner(&game, &config("graph", rest), 1).expect(rest);
    let before = [0.4, 0.1, 0.2];
    learner.value().network_mut().tensors_mut()[0].data.copy_from_slice(&before);
    // The second region scores more, although the first move would pay more.
    let (_, played) = play(&game, &mut *learner, Explore::GREEDY, EpisodeLoop::General, 1);
    assert_eq!(played, [(Played::Move(Move(1)), false)]);
    assert_eq!(weights(&mut *learner), [0.4, 0.1, mid(0.2, 0.0)]);
    // Now they score the same. A game with the first move makes its region the better one.
    let played = vec![(Played::Move(Move(0)), false)];
    Transcript { start: 0, played }.teach(&game, &mut *learner);
    assert_eq!(weights(&mut *learner), [0.4, mid(0.1, 1.0), 0.1]);
}

#[test]
fn q_looks_at_the_best_reply_whatever_is_played() {
    // At node 1 the second player's best reply is move 1 to node 4: the smaller value.
    let expected = |w: &Before| {
        [
            ((0, 1), mid(w.v(0, 1), 1.0 + 0.5 * w.v(2, 2).min(w.v(2, 4)))),
            ((2, 2), mid(w.v(2, 2), 3.0 + 0.5 * w.v(0, 3).max(w.v(0, 4)))),
            (
                (0, 3),
                mid(
                    w.v(0, 3),
                    0.5 + 0.5 * w.v(2, 4).min(mid(w.v(2, 2), 3.0 + 0.5 * w.v(0, 3).max(w.v(0, 4)))),
                ),
            ),
            ((2, 4), mid(w.v(2, 4), -2.0)),
        ]
    };
    assert_path("[learner]\nalgorithm = 'q'", GREEDY, expected);
    assert_path("[learner]\nalgorithm = 'q'", [true; 4], expected);
}

/// SARSA-FARL on the path; `next` is what the first player's second action is worth.
fn action_farl(w: &Before, next: [f32; 2]) -> [(Weight, f32); 4] {
    [
        ((0, 0), mid(w.v(0, 0), 1.0 + 3.0 + 0.5 * next[0])),
        ((4, 1), mid(w.v(4, 1), -1.0 + 1.0 + 0.5 * next[1])),
        ((0, 2), mid(w.v(0, 2), 0.5 - 2.0)),
        ((4, 3), mid(w.v(4, 3), 4.0)),
    ]
}

#[test]
fn action_values_go_from_round_to_round() {
    // Rows 0 and 2 are the moves of the first player, 4 and 6 those of the second.
    let sarsa = |w: &Before| action_farl(w, [w.v(0, 2), w.v(4, 3)]);
    let q = |w: &Before| action_farl(w, [w.v(0, 2).max(w.v(2, 2)), w.v(4, 3).max(w.v(6, 3))]);
    assert_path("[learner]\nalgorithm = 'sarsa-farl'", GREEDY, sarsa);
    assert_path("[learner]\nalgorithm = 'q-farl'", GREEDY, q);
    assert_path("[learner]\nalgorithm = 'q-farl'", [true; 4], q);
    assert_path("[learner]\nalgorithm = 'sarsa-farl'", [false, false, true, true], |w| {
        let [_, _, c, d] = sarsa(w);
        [c, d]
    });
    // The second player ends the game: without final adaptation the first one learns from it,
    // because he would move next (algorithm 5, line 10).
    for (algorithm, expected) in [("sarsa-farl", &sarsa as &dyn Fn(&Before) -> _), ("q-farl", &q)] {
        let rest = format!("[learner]\nalgorithm = '{algorithm}'\nadapt-others = false");
        assert_path(&rest, GREEDY, |w| {
            let [a, b, c, _]: [(Weight, f32); 4] = expected(w);
            [a, b, c]
        });
    }
    let traced = "lambda = 0.8\n[learner]\nalgorithm = 'sarsa-farl'";
    assert_path(&format!("[trace]\n{traced}"), GREEDY, |w| {
        let [(a, to_a), (b, to_b), (c, to_c), (d, to_d)] = sarsa(w);
        let (to_a, to_b) = (to_a + 0.4 * (to_c - w.v(0, 2)), to_b + 0.4 * (to_d - w.v(4, 3)));
        [(a, to_a), (b, to_b), (c, to_c), (d, to_d)]
    });
    let reset = format!("[trace]\nreset = true\n{traced}\nlearn-from-random = 'always'");
    assert_path(&reset, [false, false, false, true], |w| {
        let [a, (b, to_b), c, (d, to_d)] = sarsa(w);
        [a, (b, to_b + 0.4 * (to_d - w.v(4, 3))), c, (d, to_d)]
    });
}

/// One player; a move may come back to the start or end the game.
fn circle() -> Graph {
    let moves = vec![(0, [-2.0, 0.0, 0.0]), (1, [1.0, 0.0, 0.0])];
    Graph(1, vec![GraphNode::Player(0, moves), GraphNode::Over])
}

#[test]
fn a_move_that_is_drawn_anew_follows_the_update() {
    // Each move has a row of two nodes: Q(0, first) = 0.7 and Q(0, second) = 0.6. The first move
    // costs 2, so that the update after it makes the second move the better one.
    for (algorithm, redraw, moves) in [
        ("sarsa-farl", true, [0, 1].as_slice()),
        ("q-farl", true, &[0, 1]),
        ("sarsa-farl", false, &[0, 0, 1]),
    ] {
        let rest = format!("[learner]\nalgorithm = '{algorithm}'\nredraw = {redraw}");
        let mut learner = learner(&circle(), &rest);
        learner.value().network_mut().tensors_mut()[0].data.copy_from_slice(&[0.7, 0.0, 0.6, 0.0]);
        let general = EpisodeLoop::General;
        let (_, played) = play(&circle(), &mut *learner, Explore::GREEDY, general, 1);
        let numbers = played.iter().map(|(played, _)| match played {
            Played::Move(mv) => mv.0,
            Played::Event(_) => panic!("there is no chance"),
        });
        assert_eq!(numbers.collect::<Vec<_>>(), moves, "{algorithm}, redraw = {redraw}");
        let first = mid(0.7, -2.0 + 0.5 * 0.7);
        let first = if redraw { first } else { mid(first, -2.0 + 0.5 * 0.6) };
        let found = weights(&mut *learner);
        let expected = [first, 0.0, mid(0.6, 1.0), 0.0];
        let close = found.iter().zip(&expected).all(|(a, b)| (a - b).abs() < 1e-5);
        assert!(close, "{algorithm}, redraw = {redraw}: {found:?} instead of {expected:?}");
    }
}

#[test]
fn monte_carlo_takes_the_discounted_return() {
    assert_path("[learner]\nalgorithm = 'monte-carlo'", GREEDY, |w| {
        [
            ((0, 1), mid(w.v(0, 1), 3.0 + 0.5 + 0.5 * -2.0)),
            ((2, 2), mid(w.v(2, 2), 1.0 + 4.0)),
            ((0, 3), mid(w.v(0, 3), -2.0)),
        ]
    });
    let config = config("graph", &settings("[learner]\nalgorithm = 'td'"));
    let value = build_value(&path(), &config, 1, 1 << 10).expect("a value");
    let mut learner = MonteCarlo::new(value);
    set_weights(&mut learner, path().1.len());
    assert_teaches(&path(), &mut learner, &moves(GREEDY), |w| {
        [
            ((0, 1), mid(w.v(0, 1), 3.0 + 0.5 * 0.5 + 0.25 * -2.0)),
            ((2, 2), mid(w.v(2, 2), 0.5 + 0.5 * -2.0)),
            ((0, 3), mid(w.v(0, 3), -2.0)),
        ]
    });
}

#[test]
fn rewards_of_chance_count_for_the_move_before() {
    let expected = |w: &Before| {
        [((0, 1), mid(w.v(0, 1), 4.0 + 0.5 + 0.5 * w.v(0, 4))), ((0, 4), mid(w.v(0, 4), 8.0))]
    };
    assert_chance("[learner]", [1, 0], expected);
    assert_chance("[learner]\nalgorithm = 'td'", [1, 0], expected);
    assert_chance("[learner]\nadapt-last = false", [1, 0], |w| [expected(w)[0]]);
    assert_chance("[learner]\nalgorithm = 'monte-carlo'", [1, 0], |w| {
        [((0, 1), mid(w.v(0, 1), 4.0 + 0.5 + 0.5 * 8.0)), ((0, 4), mid(w.v(0, 4), 8.0))]
    });
    assert_chance("[learner]\nalgorithm = 'q'", [0, 0], |w| {
        [
            ((0, 1), mid(w.v(0, 1), 1.0 + 0.5 * w.v(0, 4).max(w.v(0, 5)))),
            ((0, 4), mid(w.v(0, 4), 0.5 + 8.0)),
        ]
    });
    assert_chance("[learner]\nalgorithm = 'sarsa-farl'", [0, 0], |w| {
        [((0, 0), mid(w.v(0, 0), 1.0 + 0.5 * w.v(0, 2))), ((0, 2), mid(w.v(0, 2), 0.5 + 8.0))]
    });
}

#[test]
fn states_after_chance_are_learned() {
    for algorithm in ["td", "td-farl"] {
        let rest = format!("[learner]\nafterstates = false\nalgorithm = '{algorithm}'");
        assert_chance(&rest, [0, 0], |w| {
            [((0, 2), mid(w.v(0, 2), 0.5 + 0.5 * w.v(0, 4))), ((0, 4), mid(w.v(0, 4), 8.0))]
        });
    }
}

#[test]
fn a_swapped_game_is_learned_by_the_weights_of_the_other_player() {
    let mut learner = learner(&path(), "[learner]\nalgorithm = 'td'");
    learner.value().spec.swapped = true;
    assert_teaches(&path(), &mut *learner, &moves(GREEDY), |w| {
        [
            ((1, 0), mid(w.v(1, 0), 2.0 + 0.5 * w.v(3, 1))),
            ((3, 1), mid(w.v(3, 1), -1.0 + 0.5 * w.v(1, 2))),
            ((1, 2), mid(w.v(1, 2), 1.0 + 0.5 * w.v(3, 3))),
            ((3, 3), mid(w.v(3, 3), 4.0)),
        ]
    });
}

#[test]
fn td_leaf_moves_the_leaf_of_the_best_line() {
    // The best line from each node is the path itself; after node 3 the game ends, without a leaf.
    let predicted =
        |w: &Before| [1.0 + 0.5 * w.v(0, 1), 3.0 + 0.5 * w.v(2, 2), 0.5 + 0.5 * w.v(0, 3)];
    assert_path("[learner]\nalgorithm = 'td-leaf'", GREEDY, |w| {
        let [p0, p1, p2] = predicted(w);
        [
            ((0, 1), w.v(0, 1) + 0.5 * (1.0 + 0.5 * p1 - p0)),
            ((2, 2), w.v(2, 2) + 0.5 * (3.0 + 0.5 * p2 - p1)),
            ((0, 3), w.v(0, 3) + 0.5 * (0.5 + 0.5 * -2.0 - p2)),
        ]
    });
}

#[test]
fn exploratory_moves_are_learned_from_as_set() {
    let drawn = {
        let mut game = path();
        game.1[3] = GraphNode::Player(1, vec![(4, [0.0; 3])]);
        game
    };
    for (name, after_win, after_draw) in
        [("never", 0, 0), ("always", 4, 4), ("if-over", 1, 1), ("if-won", 1, 0)]
    {
        for (game, expected) in [(path(), after_win), (drawn.clone(), after_draw)] {
            let rest = format!("[learner]\nalgorithm = 'td'\nlearn-from-random = '{name}'");
            let mut learner = learner(&game, &rest);
            Transcript { start: 0, played: moves([true; 4]) }.teach(&game, &mut *learner);
            assert_eq!(learner.value().errors.count, expected, "{name}");
        }
    }
}

#[test]
fn td_mu_skips_moves_that_are_worse_by_more_than_the_tolerance() {
    // With weights of zero the first move scores 1, the second 0 and ends the game.
    for (mu, updates) in [(0.9, 0), (1.0, 1)] {
        let mut learner = learner(&path(), &format!("[learner]\nalgorithm = 'td-mu'\nmu = {mu}"));
        learner.value().network_mut().tensors_mut()[0].data.fill(0.0);
        let played = vec![(Played::Move(Move(1)), false)];
        Transcript { start: 0, played }.teach(&path(), &mut *learner);
        assert_eq!(learner.value().errors.count, updates, "mu = {mu}");
    }
}

#[test]
fn three_players_learn_from_round_to_round() {
    let player = |number: u8, next| {
        let gain = 10.0 * f32::from(number);
        GraphNode::Player(number % 3, vec![(next, [1.0 + gain, 2.0 + gain, 3.0 + gain])])
    };
    let nodes = vec![player(0, 1), player(1, 2), player(2, 3), player(3, 4), GraphNode::Over];
    let game = Graph(3, nodes);
    assert_teaches(&game, &mut *learner(&game, "[learner]"), &moves(GREEDY), |w| {
        [
            ((6, 0), mid(w.v(6, 0), 3.0 + 13.0 + 23.0 + 0.5 * w.v(6, 3))),
            ((0, 1), mid(w.v(0, 1), 11.0 + 21.0 + 31.0)),
            ((3, 2), mid(w.v(3, 2), 22.0 + 32.0)),
            ((6, 3), mid(w.v(6, 3), 33.0)),
            ((0, 4), mid(w.v(0, 4), 0.0)),
        ]
    });
}
