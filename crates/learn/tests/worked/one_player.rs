//! TD-FARL for one player in several games, as pipelined self-play drives it.

use super::*;
use ludens_core::{PerPlayer, Player, Rewards};
use ludens_learn::{FastPaths, MoveReport, PerPlayerLearner, Step};

fn per_player(learner: &mut dyn Learner<Graph>) -> &mut dyn PerPlayerLearner<Graph> {
    let found = learner.fast_paths().and_then(FastPaths::per_player);
    found.expect("TD-FARL learns for one player")
}

/// A move of the first player.
fn step<'a>(before: &'a usize, after: &'a usize, rewards: Rewards) -> Step<'a, usize> {
    let (over, explored, own) = (false, false, true);
    Step { player: Player(0), before, mv: Move(0), after, rewards, over, explored, own }
}

#[test]
fn games_that_take_turns_do_not_mix() {
    let (game, mut learner) = (path(), learner(&path(), "[learner]"));
    let mut expected = weights(&mut *learner);
    let before = Before(expected.clone(), game.1.len());
    let gains = |first, second| PerPlayer([first, second, 0.0, 0.0]);
    per_player(&mut *learner).restrict_to(Player(0), 2);
    learner.begin(&game, &0);
    learner.observe(&game, &step(&0, &1, gains(1.0, 2.0)));
    per_player(&mut *learner).switch_game(1);
    learner.begin(&game, &0);
    // The first game goes on: the afterstate at node 1 is followed by 3 + 0.5 and node 3.
    per_player(&mut *learner).switch_game(0);
    let (player, rewards) = (Player(1), gains(3.0, -1.0));
    let report = MoveReport { player, rewards, over: false, explored: false };
    per_player(&mut *learner).observe_opponent(&report);
    learner.observe(&game, &step(&2, &3, gains(0.5, 1.0)));
    // The second game has no afterstate of the first player yet, so that nothing is learned.
    per_player(&mut *learner).switch_game(1);
    learner.observe(&game, &step(&0, &1, gains(1.0, 2.0)));
    expected[1] = mid(before.v(0, 1), 3.0 + 0.5 + 0.5 * before.v(0, 3));
    let found = weights(&mut *learner);
    let close = found.iter().zip(&expected).all(|(a, b)| (a - b).abs() < 1e-5);
    assert!(close, "{found:?} instead of {expected:?}");
}
