//! Contests, protocols and records with types forgotten.

use ludens_arena::{ContestPlan, Workload};
use ludens_arena::{Openings, PROTOCOLS};
use ludens_registry::MeasureOptions;
use ludens_registry::{AnyGame, open_game};

fn opened(text: &str) -> Box<dyn AnyGame> {
    open_game(text).unwrap()
}

fn names(agents: &[&str]) -> Vec<String> {
    agents.iter().map(ToString::to_string).collect()
}

#[test]
fn agents_are_opened_for_a_contest_by_name() {
    let game = opened("tictactoe");
    let plan = ContestPlan { games: Some(20), ..ContestPlan::default() };
    let agents = names(&["perfect", "random"]);
    let (report, _) = game.arena().contest(&agents, &plan, Workload::default()).unwrap();
    assert_eq!(report.contestants[0].overall.losses, 0);
    let unknown = names(&["perfekt", "random"]);
    let refused = game.arena().contest(&unknown, &plan, Workload::default()).unwrap_err();
    assert!(refused.to_string().contains("did you mean \"perfect\"?"));
}

#[test]
fn perfect_players_of_three_reach_the_best_result() {
    let workload = Workload::default();
    let by = MeasureOptions { protocol: None, games: None, seed: 1, with_perfect: true, workload };
    let report = opened("nim:players=3").arena().measure("perfect", &by).unwrap();
    assert_eq!(report.protocol, "max-n");
    assert!((report.figure.mean - 0.4).abs() < 0.1, "{report}");
}

#[test]
fn there_are_244_sequences_of_four_moves_in_othello() {
    let game = opened("othello");
    let plan = ContestPlan { openings: Openings::Sequences(4), ..ContestPlan::default() };
    let agents = names(&["bench", "random"]);
    let (report, _) = game.arena().contest(&agents, &plan, Workload::default()).unwrap();
    assert_eq!(report.games, 488);
    let distinct = ContestPlan { openings: Openings::All(4), ..ContestPlan::default() };
    let (report, _) = game.arena().contest(&agents, &distinct, Workload::default()).unwrap();
    assert_eq!((report.games, report.openings_repeated), (472, 8));
    assert!(report.contestants[0].overall.win_rate.mean > 0.6, "{report}");
}

#[test]
fn the_opponents_of_all_protocols_are_known() {
    for protocol in PROTOCOLS {
        let ludens_arena::ProtocolKind::Contest { opponent, .. } = protocol.measure else {
            continue;
        };
        // Engines of other authors may be missing on this machine.
        if opponent.starts_with("gtp") {
            continue;
        }
        let game = protocol.games.first().unwrap_or(&"tictactoe");
        let mut live = opened(game).live(1);
        live.seat(ludens_core::Player(0), opponent).unwrap();
    }
}

#[test]
fn games_of_othello_and_hex_are_written_in_sgf() {
    for (text, begins) in [("othello", "(;FF[4]GM[2]SZ[8]"), ("hex:size=4", "(;FF[4]GM[11]SZ[4]")] {
        let game = opened(text);
        let plan = ContestPlan { games: Some(2), record: true, ..ContestPlan::default() };
        let agents = names(&["random", "random"]);
        let (_, games) = game.arena().contest(&agents, &plan, Workload::default()).unwrap();
        let sgf = game.arena().sgf(games[0].record.as_ref().unwrap()).unwrap();
        assert!(sgf.starts_with(begins), "{sgf}");
        assert_eq!(sgf.matches(";B[").count() + sgf.matches(";W[").count(), games[0].turns);
    }
}
