//! Which configuration gets which execution plan, and why not a faster one.

mod common;

use common::trainer;
use ludens_core::{Bitboards, Invalid, Notation};
use ludens_games::{Connect4, Game2048, Hex, Nim, Othello, RandomWalk, TicTacToe};

/// The plan of a run, as `ludens train` prints it.
fn plan<G: Notation + Bitboards>(
    game: &str,
    config: &str,
    threads: usize,
    parallel: bool,
) -> String {
    match trainer::<G>(game, config).plan(threads, parallel) {
        Ok(plan) => plan.to_string(),
        Err(Invalid(refusal)) => format!("refused: {refusal}"),
    }
}

fn plan_of(game: &str, config: &str, threads: usize, parallel: bool) -> String {
    match game.split(':').next().expect("a name") {
        "2048" => plan::<Game2048>(game, config, threads, parallel),
        "connect4" => plan::<Connect4>(game, config, threads, parallel),
        "hex" => plan::<Hex>(game, config, threads, parallel),
        "nim" => plan::<Nim>(game, config, threads, parallel),
        "othello" => plan::<Othello>(game, config, threads, parallel),
        "random-walk" => plan::<RandomWalk>(game, config, threads, parallel),
        _ => plan::<TicTacToe>(game, config, threads, parallel),
    }
}

/// An n-tuple network for 2048 whose tables exceed the cache.
const LARGE: &str = "[value.ntuple]\ntuples = [[0, 1, 2, 4, 5, 6]]\noutput = \"none\"\n";
const SMALL: &str = "[value.ntuple]\ntuples = [[0, 1], [1, 2]]\n";

#[test]
fn one_thread_uses_the_fused_loop_where_it_can_and_says_why_it_cannot() {
    let fused = "fused loop, one thread";
    let general = |reason: &str| format!("general loop ({reason}), one thread");
    let table = [
        ("2048", LARGE.to_owned(), fused.to_owned()),
        ("2048", format!("{LARGE}[step.tcl]"), fused.to_owned()),
        ("2048", format!("{LARGE}count-duplicate-features = true"), fused.to_owned()),
        ("2048", SMALL.to_owned(), general("tables that fit the cache")),
        (
            "2048",
            format!("{LARGE}[trace]\nlambda = 0.5"),
            general("traces or a step size that need more than the last position"),
        ),
        ("2048", format!("{LARGE}[trace]\nlambda = 0.5\nform = \"delayed\""), fused.to_owned()),
        (
            "2048",
            format!("{LARGE}[step.autostep]"),
            general("traces or a step size that need more than the last position"),
        ),
        (
            "2048",
            format!("{LARGE}[learner]\nalgorithm = \"td\""),
            general("an algorithm other than TD-FARL"),
        ),
        (
            "2048",
            format!("{LARGE}[learner]\nafterstates = false"),
            general("values of actions or of states after chance"),
        ),
        (
            "2048",
            format!("{SMALL}[learner]\nalgorithm = \"sarsa-farl\""),
            general("values of actions or of states after chance"),
        ),
        (
            "2048",
            format!("{LARGE}[explore.softmax]\ntemperature = 1.0"),
            general("exploration that scores all moves"),
        ),
        (
            "2048",
            format!("{LARGE}[learner]\nalgorithm = \"td-directed\""),
            general("moves chosen by a search"),
        ),
        (
            "2048",
            format!("{LARGE}[[games]]\nfrom = \"random\""),
            general("games that are not from self-play"),
        ),
        ("2048", "[value.linear]".to_owned(), general("a network that does not read bitboards")),
        (
            "random-walk",
            "[value.table]".to_owned(),
            general("a network that does not read bitboards"),
        ),
        ("connect4", SMALL.to_owned(), general("several players")),
        ("othello", SMALL.to_owned(), general("several players")),
        ("hex:size=4", SMALL.to_owned(), general("several players")),
        ("tictactoe", SMALL.to_owned(), general("several players")),
        ("nim:players=3", SMALL.to_owned(), general("several players")),
    ];
    for (game, config, expected) in table {
        assert_eq!(plan_of(game, &config, 1, false), expected, "{game}\n{config}");
    }
}

#[test]
fn several_threads_are_pipelined_where_each_player_has_his_own_weights() {
    let loop_of = "general loop (several players), ";
    let pipelined = |threads: usize| {
        format!("{loop_of}pipelined: {threads} threads, one for each player, reproducible")
    };
    let hogwild = |threads: usize| {
        format!("{loop_of}Hogwild: {threads} threads share the weights, not reproducible")
    };
    let table = [
        ("connect4", SMALL.to_owned(), 2, pipelined(2)),
        ("connect4", format!("{SMALL}[step.tcl]\n[trace]\nlambda = 0.8"), 2, pipelined(2)),
        ("nim:players=3", SMALL.to_owned(), 3, pipelined(3)),
        ("connect4", SMALL.to_owned(), 3, hogwild(3)),
        ("connect4", format!("{SMALL}players = \"shared\""), 2, hogwild(2)),
        ("connect4", format!("{SMALL}[step.alpha-bound]"), 2, hogwild(2)),
        ("connect4", format!("{SMALL}[learner]\nalgorithm = \"td\""), 2, hogwild(2)),
        ("connect4", format!("{SMALL}[trace]\nlambda = 0.8\nform = \"delayed\""), 2, hogwild(2)),
        ("connect4", format!("{SMALL}[learner]\nalgorithm = \"td-mu\"\nmu = 0.1"), 2, hogwild(2)),
    ];
    for (game, config, threads, expected) in table {
        assert_eq!(plan_of(game, &config, threads, true), expected, "{game}\n{config}");
    }
    let fused = plan_of("2048", LARGE, 2, true);
    assert_eq!(fused, "fused loop, Hogwild: 2 threads share the weights, not reproducible");
    assert_eq!(plan_of("connect4", SMALL, 2, false), format!("{loop_of}one thread"));
}

#[test]
fn batches_are_reproducible_with_any_number_of_threads() {
    let batch = format!("{SMALL}[learner]\nbatch = 32");
    let expected = "general loop (several players), batches of 32 games by 2 threads, reproducible";
    assert_eq!(plan_of("connect4", &batch, 2, false), expected);
    let fused = plan_of("2048", &format!("{LARGE}[learner]\nbatch = 8"), 1, false);
    assert_eq!(fused, "fused loop, batches of 8 games by 1 thread, reproducible");
}

#[test]
fn threads_that_cannot_help_are_refused_with_the_reason() {
    let refusal = |config: &str| plan_of("tictactoe", config, 2, true);
    let perceptron = refusal("[value.mlp]\nhidden = [5]");
    assert!(perceptron.contains("only n-tuple networks"), "{perceptron}");
    let offline = refusal(&format!("{SMALL}[learner]\nalgorithm = \"td-offline\""));
    assert!(offline.contains("learner.batch lets several play"), "{offline}");
    let opponent = refusal(&format!("{SMALL}[[games]]\nfrom = \"opponent\"\nagent = \"random\""));
    assert!(opponent.contains("games of self-play only"), "{opponent}");
}
