//! Each algorithm against numbers worked out by hand from its paper.
//!
//! The games are small graphs. A value of a node is one weight; alpha = gamma = 0.5, so that the
//! expected numbers are the update rules themselves, written with the weights before the game.

mod action_values;
#[path = "../common/mod.rs"]
mod common;
mod delayed;
mod one_player;
mod thesis;

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
    assert_chance("[learner]\nalgorithm = 'td-mu'\nmu = 9.0", [1, 0], expected);
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
fn reversed_colours_change_who_moves_where_but_not_what_is_learned() {
    // At node 1 the second player gains 6 by the second move. To give the first player as little as
    // possible he would make the first move: 3 + 0.5 * 0.5 instead of 5.
    let mut learner = learner(&path(), "[learner]\nalgorithm = 'td'\nreversed = true");
    let mut expected = weights(&mut *learner);
    let before = Before(expected.clone(), 5);
    let (_, played) = play(&path(), &mut *learner, Explore::GREEDY, EpisodeLoop::General, 1);
    assert_eq!(played, [(Played::Move(Move(0)), false), (Played::Move(Move(1)), false)]);
    expected[10] = mid(before.v(2, 0), 1.0 + 0.5 * before.v(0, 1));
    expected[1] = mid(before.v(0, 1), 5.0);
    let found = weights(&mut *learner);
    let close = found.iter().zip(&expected).all(|(a, b)| (a - b).abs() < 1e-5);
    assert!(close, "{found:?} instead of {expected:?}");
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
    // One move deeper the rewards of two moves come before the leaf. From node 2 the best line ends
    // the game for 0.
    let rest = "[search]\ndepth = 3\n[learner]\nalgorithm = 'td-leaf'";
    assert_path(rest, GREEDY, |w| {
        let p0 = 1.0 + 0.5 * (3.0 + 0.5 * w.v(2, 2));
        let p1 = 3.0 + 0.5 * (0.5 + 0.5 * w.v(0, 3));
        [
            ((2, 2), w.v(2, 2) + 0.5 * (1.0 + 0.5 * p1 - p0)),
            ((0, 3), w.v(0, 3) + 0.5 * (3.0 + 0.5 * 0.0 - p1)),
        ]
    });
}

#[test]
fn td_leaf_takes_the_first_of_equally_good_lines() {
    let player = |player, moves: &[(usize, f32)]| {
        GraphNode::Player(player, moves.iter().map(|&(to, gain)| (to, [gain, 0.0, 0.0])).collect())
    };
    let nodes =
        vec![player(0, &[(1, 0.0), (2, 0.0)]), player(1, &[(3, 1.0)]), player(1, &[(3, 1.0)])];
    let game = Graph(2, [nodes, vec![GraphNode::Over]].concat());
    let mut learner = learner(&game, "[learner]\nalgorithm = 'td-leaf'");
    learner.value().network_mut().tensors_mut()[0].data.fill(0.4);
    let played = vec![(Played::Move(Move(0)), false); 2];
    Transcript { start: 0, played }.teach(&game, &mut *learner);
    let found = weights(&mut *learner);
    let moved: Vec<_> = found.iter().enumerate().filter(|(_, weight)| **weight != 0.4).collect();
    assert!(matches!(moved[..], [(1, value)] if (value - 0.55).abs() < 1e-5), "{moved:?}");
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
