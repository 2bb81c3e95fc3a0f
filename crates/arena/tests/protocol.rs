//! Protocols applied to agents of known strength.

use ludens_arena::{Contestant, Details, ProtocolRequest, Workload, find_protocol};
use ludens_core::{Invalid, RandomAgent};
use ludens_games::TicTacToe;
use ludens_search::{EndgameRandom, MaxN};

fn resolve(text: &str) -> Result<Contestant<TicTacToe>, Invalid> {
    match text {
        "maxn:depth=200" | "perfect" => Ok(Contestant::new(text, || MaxN::new(200, None))),
        "endgame-random" => Ok(Contestant::new(text, EndgameRandom::default)),
        "random" => Ok(Contestant::new(text, RandomAgent::default)),
        _ => Err(Invalid::unknown("agent", text, ["perfect"])),
    }
}

fn measured(protocol: &str, agent: &str, games: Option<usize>) -> (f64, Details) {
    measured_with(protocol, agent, games, true)
}

fn measured_with(
    protocol: &str,
    agent: &str,
    games: Option<usize>,
    with_perfect: bool,
) -> (f64, Details) {
    let request = ProtocolRequest {
        game: &TicTacToe,
        spec: "tictactoe",
        agent: &resolve(agent).expect("agents of these tests are known"),
        resolve: &resolve,
        games,
        seed: 1,
        with_perfect,
        workload: Workload::default(),
    };
    let protocol_found = find_protocol(protocol, "tictactoe", 2).expect("it is in the table");
    let report = protocol_found.run(&request).expect("it fits the game");
    assert!(report.to_string().contains(&format!("{protocol}: ")), "{report}");
    (report.figure.mean, report.details)
}

#[test]
fn perfect_play_draws_against_max_n_from_every_start() {
    let (figure, details) = measured("max-n", "perfect", None);
    let Details::Contest(report) = details else { panic!("a contest") };
    // Ten starts, two roles, ten times.
    assert_eq!((figure, report.games), (0.0, 200));
    assert!(measured("max-n", "random", None).0 < -0.6);
}

#[test]
fn ghory_counts_games_won_of_a_thousand() {
    let (figure, details) = measured("ghory", "perfect", None);
    let Details::Contest(report) = details else { panic!("a contest") };
    let perfect = report.contestants[0].overall;
    assert_eq!((perfect.games, perfect.losses), (1_000, 0));
    // Draws do not count.
    assert_eq!(figure, perfect.wins as f64 / 1_000.0);
    assert!(perfect.draws > 0 && measured("ghory", "random", None).0 < figure - 0.3);
}

#[test]
fn every_protocol_tells_perfect_from_random_play() {
    for (protocol, games) in [("random", 200), ("decay", 100), ("solved", 20)] {
        let [perfect, random] = ["perfect", "random"].map(|a| measured(protocol, a, Some(games)).0);
        assert!(perfect > random + 0.05, "{protocol}: {perfect} {random}");
    }
}

#[test]
fn the_perfect_curve_stands_beside_if_it_is_wanted() {
    let curves = |with_perfect| {
        let (figure, details) = measured_with("decay", "random", Some(20), with_perfect);
        let Details::Decay(report) = details else { panic!("a curve") };
        (figure, report.curves.into_iter().map(|curve| curve.name).collect::<Vec<_>>())
    };
    let (figure, names) = curves(true);
    assert_eq!(names, ["random", "perfect"]);
    assert_eq!(curves(false), (figure, vec!["random".to_owned()]));
}
