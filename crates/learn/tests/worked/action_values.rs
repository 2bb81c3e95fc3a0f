//! Action values: Q, SARSA-FARL and Q-FARL, worked out by hand.

use super::*;
use ludens_core::{Choice, PerPlayer, Player};
use ludens_learn::Step;

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
    // Traces end only where a move explores and `reset` says so.
    let always = "learn-from-random = 'always'";
    for (reset, explored) in [(true, GREEDY), (false, [false, false, false, true])] {
        assert_path(&format!("[trace]\nreset = {reset}\n{traced}\n{always}"), explored, |w| {
            let [(a, to_a), (b, to_b), (c, to_c), (d, to_d)] = sarsa(w);
            let (to_a, to_b) = (to_a + 0.4 * (to_c - w.v(0, 2)), to_b + 0.4 * (to_d - w.v(4, 3)));
            [(a, to_a), (b, to_b), (c, to_c), (d, to_d)]
        });
    }
    let reset = format!("[trace]\nreset = true\n{traced}\n{always}");
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
    for (algorithm, redraw, penalty, moves) in [
        ("sarsa-farl", true, 0.0, [0, 1].as_slice()),
        ("q-farl", true, 0.0, &[0, 1]),
        ("sarsa-farl", true, 0.1, &[0, 1]),
        ("sarsa-farl", false, 0.0, &[0, 0, 1]),
    ] {
        let rest = format!(
            "[learner]\nalgorithm = '{algorithm}'\nredraw = {redraw}\nlength-penalty = {penalty:?}"
        );
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
        let expected = [first, 0.0, mid(0.6, 1.0 - 2.0 * penalty), 0.0];
        let close = found.iter().zip(&expected).all(|(a, b)| (a - b).abs() < 1e-5);
        assert!(close, "{algorithm}, redraw = {redraw}: {found:?} instead of {expected:?}");
    }
}

#[test]
fn an_exploratory_move_that_is_drawn_anew_teaches_only_as_set() {
    // Q(0, first) = 0.7 and Q(0, second) = 0.6. After the first move the second one is drawn.
    for (exploration, explored, first) in [
        ("never", false, mid(0.7, -2.0 + 0.5 * 0.6)),
        ("never", true, 0.7),
        ("always", true, mid(0.7, -2.0 + 0.5 * 0.6)),
    ] {
        let rest = format!(
            "[learner]\nalgorithm = 'sarsa-farl'\nredraw = true\nlearn-from-random = '{exploration}'"
        );
        let (game, mut learner) = (circle(), learner(&circle(), &rest));
        learner.value().network_mut().tensors_mut()[0].data.copy_from_slice(&[0.7, 0.0, 0.6, 0.0]);
        let player = Player(0);
        learner.begin(&game, &0);
        let rewards = PerPlayer([-2.0, 0.0, 0.0, 0.0]);
        let (over, own) = (false, true);
        let (before, after) = (&0, &0);
        let step = Step { player, before, mv: Move(0), after, rewards, over, explored: false, own };
        learner.observe(&game, &step);
        let drawn = Choice { mv: Move(1), value: None, explored };
        assert!(learner.learn_before_move(&game, &0, player, &drawn), "the move is drawn anew");
        let found = weights(&mut *learner)[0];
        assert!((found - first).abs() < 1e-5, "{exploration}: {found} instead of {first}");
    }
}
