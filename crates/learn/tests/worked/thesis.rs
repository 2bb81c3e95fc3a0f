//! What Ghory's thesis and the program of Thill and others add, worked out by hand.

use super::*;

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
fn a_region_is_updated_toward_the_value_after_its_move() {
    // The value of node 1 is 0.4, the weight of the only input but the regions.
    let moves = |to, gain| vec![(to, [gain, 0.0, 0.0]), (to, [0.0; 3])];
    let nodes = vec![GraphNode::Player(0, moves(1, 1.0)), GraphNode::Player(0, moves(2, 0.0))];
    let game = Graph(1, [nodes, vec![GraphNode::Over]].concat());
    let rest = "[value.linear]\nbias = false\noutput = 'none'\n[learner]\nalgorithm = 'td'\n\
                regions = 2\nalpha = 0.5";
    let mut learner = build_learner(&game, &config("graph", rest), 1).expect(rest);
    learner.value().network_mut().tensors_mut()[0].data.copy_from_slice(&[0.4, 0.1, 0.2]);
    // Nothing is learned from the second move, which is exploratory.
    let played = vec![(Played::Move(Move(0)), false), (Played::Move(Move(1)), true)];
    Transcript { start: 0, played }.teach(&game, &mut *learner);
    assert_eq!(weights(&mut *learner), [0.4, mid(0.1, 1.0 + 0.4), 0.2]);
}
