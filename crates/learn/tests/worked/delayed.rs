//! Delayed TD(lambda): truncated lambda-returns worked out by hand, lambda = 0.8 and gamma = 0.5.

use super::*;
use common::cases;
use proptest::prelude::*;

fn delayed(horizon: usize, learner: &str) -> String {
    format!("[trace]\nlambda = 0.8\nform = 'delayed'\nhorizon = {horizon}\n{learner}")
}

/// What an afterstate moves toward: reward + gamma ((1 - lambda) next + lambda later).
fn link(reward: f32, next: f32, later: f32) -> f32 {
    reward + 0.5 * (0.2 * next + 0.8 * later)
}

const NODES: [Weight; 4] = [(2, 0), (0, 1), (2, 2), (0, 3)];
const REWARDS: [f32; 4] = [1.0, 3.0, 0.5, -2.0];

/// TD along the path: the return of each afterstate over at most `horizon` links, cut where `cuts`
/// says that the link after an afterstate does not count for those before.
fn returns(w: &Before, horizon: usize, cuts: [bool; 4]) -> [(Weight, f32); 4] {
    let values = NODES.map(|(row, node)| w.v(row, node));
    let value = |at: usize| values.get(at).copied().unwrap_or(0.0);
    std::array::from_fn(|at| {
        let uncut = (at + 1..4).take_while(|nth| !cuts[*nth]).count();
        let last = at + uncut.min(horizon - 1);
        let target = (at..=last)
            .rev()
            .fold(value(last + 1), |later, nth| link(REWARDS[nth], value(nth + 1), later));
        (NODES[at], mid(values[at], target))
    })
}

#[test]
fn td_moves_each_afterstate_once_toward_its_truncated_return() {
    for horizon in [2, 3, 4, 9] {
        let rest = delayed(horizon, "[learner]\nalgorithm = 'td'");
        assert_path(&rest, GREEDY, |w| returns(w, horizon, [false; 4]));
    }
    // The same with numbers instead of a formula: values 0.7, 0.4, 0.5, 0.2 before the game.
    let mut learner = learner(&path(), &delayed(2, "[learner]\nalgorithm = 'td'"));
    let before = Before(weights(&mut *learner), 5);
    assert_eq!(NODES.map(|(row, node)| (10.0 * before.v(row, node)).round()), [7.0, 4.0, 5.0, 2.0]);
    Transcript { start: 0, played: moves(GREEDY) }.teach(&path(), &mut *learner);
    let after = Before(weights(&mut *learner), 5);
    // 1 + 0.5 (0.08 + 0.8 (3 + 0.25)) = 2.34, of which half the way from 0.7.
    assert!((after.v(2, 0) - 1.52).abs() < 1e-5, "{}", after.v(2, 0));
}

#[test]
fn exploratory_moves_end_the_returns_before_them() {
    let third = [false, false, true, false];
    let rest = delayed(9, "[learner]\nalgorithm = 'td'");
    assert_path(&rest, third, |w| {
        // The afterstate before the exploratory move is not updated, and bootstraps the earlier ones.
        let [a, b, _, d] = returns(w, 9, [false, false, true, false]);
        [a, b, d]
    });
    let reset = "reset = true\n[learner]\nalgorithm = 'td'\nlearn-from-random = 'always'";
    assert_path(&delayed(9, reset), third, |w| returns(w, 9, [false, false, true, false]));
    let always = "[learner]\nalgorithm = 'td'\nlearn-from-random = 'always'";
    assert_path(&delayed(9, always), third, |w| returns(w, 9, [false; 4]));
}

#[test]
fn td_farl_delays_from_round_to_round_and_adapts_at_the_end() {
    // Rewards from round to round: 1 and 5 for the second player, 3.5 and -2 for the first.
    let expected = |w: &Before| {
        [
            ((2, 0), mid(w.v(2, 0), link(1.0, w.v(2, 2), 5.0))),
            ((0, 1), mid(w.v(0, 1), link(3.5, w.v(0, 3), -2.0))),
            ((2, 2), mid(w.v(2, 2), 5.0)),
            ((0, 3), mid(w.v(0, 3), -2.0)),
            ((2, 4), mid(w.v(2, 4), 0.0)),
        ]
    };
    assert_path(&delayed(2, "[learner]"), GREEDY, expected);
    assert_path(&delayed(2, "[learner]\nadapt-others = false"), GREEDY, |w| {
        let [a, _, c, _, e] = expected(w);
        [a, ((0, 1), mid(w.v(0, 1), 3.5 + 0.5 * w.v(0, 3))), c, e]
    });
    assert_path(&delayed(2, "[learner]\nadapt-last = false"), GREEDY, |w| {
        let [a, b, c, d, _] = expected(w);
        [a, b, c, d]
    });
}

#[test]
fn a_game_that_chance_ends_is_learned_to_its_end() {
    let after = |w: &Before| (w.v(0, 1), w.v(0, 4));
    // Event 1 leads on with a reward of 4, event 0 ends the game with 8.
    assert_chance(&delayed(3, "[learner]"), [1, 0], |w| {
        let (first, second) = after(w);
        let later = 8.0;
        [((0, 1), mid(first, link(4.5, second, later))), ((0, 4), mid(second, later))]
    });
}

/// The forward view: the average of the n-step returns, n from 1 to `links`, weighted by lambda.
fn forward(values: &[f32], rewards: &[f32], lambda: f32, links: usize) -> f32 {
    let n_step = |n: usize| {
        let rewards = rewards.iter().take(n).zip(0..).map(|(r, i)| r * 0.5_f32.powi(i));
        let bootstrap = values.get(n).copied().unwrap_or(0.0);
        rewards.sum::<f32>() + 0.5_f32.powi(n as i32) * bootstrap
    };
    let shorter: f32 = (1..links).map(|n| lambda.powi(n as i32 - 1) * n_step(n)).sum();
    (1.0 - lambda) * shorter + lambda.powi(links as i32 - 1) * n_step(links)
}

proptest! {
    #![proptest_config(cases(200))]

    #[test]
    fn updates_equal_the_forward_view(
        moves in prop::collection::vec((-2.0_f32..2.0, any::<bool>()), 1..12),
        lambda in 0.05_f32..1.0,
        horizon in 1_usize..9,
        reset in any::<bool>(),
    ) {
        let count = moves.len();
        let node = |at: usize| {
            let gains = [moves[at].0, -moves[at].0, 0.0];
            GraphNode::Player((at % 2) as u8, vec![(at + 1, gains)])
        };
        let game = Graph(2, (0..count).map(node).chain([GraphNode::Over]).collect());
        let learning = if reset { "always" } else { "never" };
        let rest = format!(
            "[trace]\nlambda = {lambda}\nform = 'delayed'\nhorizon = {horizon}\nreset = {reset}\n\
             [learner]\nalgorithm = 'td'\nlearn-from-random = '{learning}'"
        );
        let mut learner = learner(&game, &rest);
        let before = Before(weights(&mut *learner), count + 1);
        let played = moves.iter().map(|(_, explored)| (Played::Move(Move(0)), *explored)).collect();
        Transcript { start: 0, played }.teach(&game, &mut *learner);
        let after = Before(weights(&mut *learner), count + 1);
        // The first row is that of the first player's weights, the third that of the second's.
        let row = |at: usize| if at % 2 == 1 { 0 } else { 2 };
        let values: Vec<f32> = (0..count).map(|at| before.v(row(at), at)).collect();
        let rewards: Vec<f32> = moves.iter().map(|(reward, _)| *reward).collect();
        for at in 0..count {
            let uncut = (at + 1..count).take_while(|nth| !moves[*nth].1).count();
            let links = (uncut + 1).min(horizon);
            let learns = reset || !moves[at].1;
            let target = forward(&values[at..], &rewards[at..], lambda, links);
            let expected = if learns { mid(values[at], target) } else { values[at] };
            let found = after.v(row(at), at);
            prop_assert!((found - expected).abs() < 1e-4, "{at}: {found}, expected {expected}");
        }
    }
}
