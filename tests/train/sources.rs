//! Games from elsewhere than self-play.

use super::*;

/// Learns TicTacToe from these games, and tells what it gains against random play.
fn learned_from(run: &Path, games: &str) -> f64 {
    let set = format!("games=[{games}]");
    // A twin needs an algorithm with one player who minimises.
    let algorithm = if games.contains("twin") { "td" } else { "td-farl" };
    let algorithm = format!("learner.algorithm={algorithm}");
    let start = ["train", "tictactoe", "--episodes", "8000", "--set", &set, "--set", &algorithm];
    printed(&[&start[..], &["--eval", "none", "--out", text(run)]].concat());
    let measure = ["eval", text(run), "--protocol", "random", "--games", "400", "--json"];
    let document: Value = serde_json::from_str(&printed(&measure)).expect("it is as told");
    document["figure"]["mean"].as_f64().expect("it is as told")
}

#[test]
fn opponents_in_any_seat_files_and_mixtures_are_learned_from() {
    let all = folder("sources");
    let file = all.join("games.jsonl");
    let record = ["match", "tictactoe", "random", "random", "--games", "2000", "--record"];
    printed(&[&record[..], &[text(&file)]].concat());
    let file = format!("file=\"{}\"", text(&file));
    for (name, games) in [
        ("opponent", "{from=\"opponent\",agent=\"maxn\"}".into()),
        ("first", "{from=\"opponent\",agent=\"maxn\",player=1},{weight=1.0}".into()),
        ("second", "{from=\"opponent\",agent=\"random\",player=2},{weight=1.0}".into()),
        ("random", "{from=\"random\"}".to_owned()),
        ("twin", "{from=\"twin\"}".into()),
        ("records", format!("{{from=\"records\",{file}}}")),
        ("beginnings", format!("{{from=\"records\",{file},plies=3}}")),
        ("mixture", format!("{{weight=2.0}},{{from=\"random\"}},{{from=\"records\",{file}}}")),
    ] {
        let score = learned_from(&all.join(name), &games);
        assert!(score > 0.7, "{name}: {score}");
    }
}

#[test]
fn sample_games_tell_who_played() {
    let all = folder("players");
    for (name, games, players) in [
        ("opponent", "{from=\"opponent\",agent=\"maxn:depth=2\"}", ["maxn:depth=2", "learner"]),
        ("second", "{from=\"opponent\",agent=\"random\",player=2}", ["learner", "random"]),
        ("twin", "{from=\"twin\"}", ["twin", "learner"]),
        ("self-play", "{weight=1.0}", ["learner", "learner"]),
    ] {
        let (out, set) = (all.join(name), format!("games=[{games}]"));
        let algorithm = "learner.algorithm=td";
        let run = ["train", "tictactoe", "--episodes", "20", "--eval", "none", "--set", algorithm];
        printed(&[&run[..], &["--set", &set, "--out", text(&out)]].concat());
        let sample = std::fs::read_to_string(out.join("games.jsonl")).expect("there is a sample");
        let first: Value = serde_json::from_str(sample.lines().next().unwrap()).unwrap();
        assert_eq!(first["players"], serde_json::json!(players), "{name}");
    }
}

#[test]
fn sources_that_make_no_sense_are_refused_with_the_reason() {
    let out = folder("no-sources").join("run");
    let told = |games: &str| {
        let set = format!("games=[{games}]");
        refused(&["train", "tictactoe", "--set", &set, "--out", text(&out)])
    };
    assert!(told("").contains("games"));
    assert!(told("{from=\"opponent\"}").contains("need agent = "));
    assert!(told("{from=\"opponent\",agent=\"nobody\"}").contains("nobody"));
    assert!(told("{from=\"opponent\",agent=\"random\",player=3}").contains("players are 1 to 2"));
    assert!(told("{from=\"records\"}").contains("need file = "));
    assert!(told("{from=\"records\",file=\"/nowhere\"}").contains("cannot read /nowhere"));
    assert!(told("{weight=-1.0}").contains("weights are not negative"));
    assert!(told("{agent=\"random\"}").contains("agent goes with games from \"opponent\" only"));
    assert!(told("{plies=3}").contains("plies goes with games from \"records\" only"));
    assert!(!out.exists());
}
