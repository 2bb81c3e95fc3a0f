//! Properties of games about which they are known.

use ludens_arena::{Contestant, PropertiesPlan, PropertiesReport, Property, Workload, properties};
use ludens_core::{Notation, Params};
use ludens_games::{Nim, RandomWalk, TicTacToe};
use ludens_search::MaxN;

fn found<'a>(report: &'a PropertiesReport, name: &str) -> &'a Property {
    let all = &report.properties;
    all.iter().find(|p| p.name == name).unwrap_or_else(|| panic!("{name} is missing: {report}"))
}

fn measured<G: Notation>(text: &str, perfect: bool, threads: usize) -> PropertiesReport {
    let chosen = text.parse::<Params>().and_then(|params| params.check(G::SETTINGS));
    let game = G::configure(&chosen.expect("a game")).expect("a game");
    let perfect = perfect.then(|| Contestant::new("maxn", || MaxN::new(200, None)));
    let plan = PropertiesPlan { games: 500, ..PropertiesPlan::default() };
    let workload = Workload { threads, ..Workload::default() };
    properties(&game, text, perfect.as_ref(), &plan, workload).expect("it can be measured")
}

#[test]
fn tictactoe_is_as_it_is_known_to_be() {
    let report = measured::<TicTacToe>("tictactoe", true, 1);
    assert_eq!(found(&report, "states").figure.mean, 5_478.0);
    assert_eq!(found(&report, "divergence rate").figure.mean, 1.0);
    assert_eq!(found(&report, "value of the start").figure.mean, 0.0);
    assert!(found(&report, "first player's lead").verdict.contains("favours the first"));
    let drawn = found(&report, "draw rate").figure.interval.unwrap();
    // Random play draws 46,080 / 362,880 of all games.
    assert!((drawn.low..drawn.high).contains(&0.127), "{report}");
}

#[test]
fn the_number_of_threads_changes_nothing() {
    let [one, four] = [1, 4].map(|threads| measured::<Nim>("nim:players=3", true, threads));
    assert_eq!(one, four);
}

#[test]
fn chance_forces_exploration() {
    let report = measured::<RandomWalk>("random-walk", false, 1);
    let exploration = found(&report, "forced exploration");
    assert!(exploration.verdict.contains("chance"), "{report}");
    assert!(exploration.figure.mean > 0.0);
    assert!(report.properties.iter().all(|p| p.name != "draw rate"));
}
