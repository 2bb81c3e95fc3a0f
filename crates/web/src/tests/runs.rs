//! Runs begun, watched, stopped, resumed and compared.

use super::site::TestServer;
use serde_json::{Value, json};
use std::time::{Duration, Instant};

fn small(seed: u64) -> Value {
    json!({ "game": "tictactoe", "episodes": 300, "seed": seed, "every": 100,
            "evaluation": "none" })
}

fn long(seed: u64) -> Value {
    json!({ "game": "tictactoe", "episodes": 50_000_000, "seed": seed, "evaluation": "none" })
}

fn wait(site: &TestServer, id: &str, state: &str) -> Value {
    let begun = Instant::now();
    loop {
        let told = site.get(&format!("/api/runs/{id}")).json();
        if told["state"] == state {
            return told;
        }
        assert!(begun.elapsed() < Duration::from_secs(60), "{told}");
        std::thread::sleep(Duration::from_millis(50));
    }
}

fn begin(site: &TestServer, wanted: &Value) -> String {
    let told = site.post("/api/runs", wanted);
    assert_eq!(told.status, 201, "{}", told.body);
    told.value()["run"].as_str().unwrap().into()
}

#[test]
fn a_run_is_begun_watched_and_played_against() {
    let site = TestServer::new();
    let id = begin(&site, &small(1));
    assert_eq!(id, "tictactoe-default-1");
    let path = format!("/api/runs/{id}/events");
    let heard = site.listen(&path, |text| text.contains("\"state\":\"finished\""));
    assert_eq!(heard.matches("event: line").count(), 4, "{heard}");
    assert!(heard.contains("id: 3") && heard.contains("event: state"), "{heard}");
    let told = wait(&site, &id, "finished");
    assert_eq!((&told["episode"], &told["has_value"]), (&json!(300), &json!(true)));
    assert_eq!(told["metrics"].as_array().unwrap().len(), 4);
    let known = site.listen(&format!("{path}?from=2"), |text| text.contains("finished"));
    assert_eq!(known.matches("event: line").count(), 2);
    let games = site.get(&format!("/api/runs/{id}/games?from=1&count=2")).json();
    assert_eq!(
        (&games["games"][0]["number"], games["games"].as_array().unwrap().len()),
        (&json!(1), 2)
    );
    let sample = &games["games"][0];
    let (game, start, played) = (&sample["game"], &sample["start"], &sample["played"]);
    let asked = json!({ "game": game, "start": start, "played": played });
    let replayed = site.told("/api/position", &asked);
    assert_eq!(replayed["over"], true);
    let agents = site.get("/api/agents?game=tictactoe").json();
    let agent = agents["values"][0]["agent"].as_str().unwrap();
    for _ in 0..3 {
        let asked = json!({ "game": "tictactoe", "agent": agent });
        assert!(site.told("/api/choose", &asked)["value"].is_number());
    }
    let asked = json!({ "game": "tictactoe", "run": id, "move": "b2", "count": 3 });
    let tuples = site.told("/api/tuples", &asked);
    assert_eq!(tuples["tuples"].as_array().unwrap().len(), 3, "{tuples}");
    assert!(tuples["tuples"][0]["cells"].as_array().unwrap().len() > 1, "{tuples}");
    let weights = site.get(&format!("/api/runs/{id}/weights")).json();
    assert!(weights["weights"]["counts"].as_array().unwrap().len() > 1, "{weights}");
}

#[test]
fn a_run_is_stopped_and_goes_on() {
    let site = TestServer::new();
    let id = begin(&site, &long(1));
    site.listen(&format!("/api/runs/{id}/events"), |text| text.contains("event: progress"));
    let again = site.post(&format!("/api/runs/{id}/resume"), &json!({}));
    assert_eq!((again.status, again.code().as_str()), (409, "conflict"));
    assert_eq!(site.post(&format!("/api/runs/{id}/stop"), &json!({})).status, 202);
    let stopped = wait(&site, &id, "stopped");
    assert_eq!(stopped["has_value"], true);
    assert_eq!(site.post(&format!("/api/runs/{id}/stop"), &json!({})).status, 409);
    assert_eq!(site.post(&format!("/api/runs/{id}/resume"), &json!({})).status, 202);
    let told = wait(&site, &id, "learning");
    assert!(told["episode"].as_u64() >= stopped["episode"].as_u64());
    site.post(&format!("/api/runs/{id}/stop"), &json!({}));
    wait(&site, &id, "stopped");
    let done = begin(&site, &small(7));
    wait(&site, &done, "finished");
    assert_eq!(site.post(&format!("/api/runs/{done}/resume"), &json!({})).status, 409);
    let more = json!({ "episodes": 400 });
    assert_eq!(site.post(&format!("/api/runs/{done}/resume"), &more).status, 202);
    assert_eq!(wait(&site, &done, "finished")["episode"], 400);
}

#[test]
fn no_more_runs_learn_at_once_than_allowed() {
    let site = TestServer::new();
    let ids = [begin(&site, &long(1)), begin(&site, &long(2))];
    let refused = site.post("/api/runs", &long(3));
    assert_eq!((refused.status, refused.code().as_str()), (429, "too-many"));
    assert_eq!(std::fs::read_dir(&site.runs).unwrap().count(), 2);
    for id in &ids {
        site.post(&format!("/api/runs/{id}/stop"), &json!({}));
        wait(&site, id, "stopped");
    }
    begin(&site, &small(3));
}

#[test]
fn the_whole_configuration_of_a_preset_can_be_sent_back() {
    let site = TestServer::new();
    let presets = site.get("/api/presets?game=tictactoe").json();
    let preset = &presets["presets"][0];
    let mut config = preset["config"].clone();
    assert!(config["games"][0]["file"].is_null(), "{config}");
    config["learner"]["gamma"] = json!(0.9);
    let wanted = json!({ "game": "tictactoe", "preset": preset["name"], "config": config,
                         "episodes": 50, "evaluation": "none" });
    let id = begin(&site, &wanted);
    assert_eq!(wait(&site, &id, "finished")["config"]["learner"]["gamma"], 0.9);
}

#[test]
fn wishes_that_cannot_be_met_leave_nothing_behind() {
    let site = TestServer::new();
    let from = |source: Value| json!({ "game": "nim", "config": { "games": [source] } });
    for (wanted, status, field) in [
        (json!({ "game": "chess" }), 422, "game"),
        (json!({ "game": "nim", "preset": "x" }), 422, "preset"),
        (json!({ "game": "nim", "set": ["learner.alfa=1"] }), 422, "set"),
        (json!({ "game": "nim", "config": { "learner": { "alpha": "x" } } }), 422, "config"),
        (json!({ "game": "nim", "evaluation": "x" }), 422, "evaluation"),
        (json!({ "game": "nim", "every": 0 }), 422, "every"),
        (from(json!({ "from": "opponent", "agent": "gtp:command=sh" })), 403, "config"),
        (from(json!({ "from": "records", "file": "/etc/passwd" })), 403, "config"),
    ] {
        let told = site.post("/api/runs", &wanted);
        let found = (told.status, told.value()["error"]["field"].clone());
        assert_eq!(found, (status, json!(field)), "{wanted}: {}", told.body);
    }
    assert_eq!(std::fs::read_dir(&site.runs).unwrap().count(), 0);
}

#[test]
fn runs_are_compared_and_seeds_form_a_band() {
    let site = TestServer::new();
    let measured = |seed: u64, alpha: &str| {
        let set = [format!("learner.alpha={alpha}")];
        json!({ "game": "tictactoe", "episodes": 200, "seed": seed, "every": 100, "set": set,
                "evaluation": "random:20" })
    };
    let wanted = [measured(1, "0.1"), measured(2, "0.1"), measured(3, "0.3")];
    let mut ids = Vec::new();
    for wanted in &wanted {
        ids.push(begin(&site, wanted));
        wait(&site, ids.last().unwrap(), "finished");
    }
    let query = ids.iter().map(|id| format!("run={id}")).collect::<Vec<_>>().join("&");
    let curves = site.get(&format!("/api/curves?{query}&y=figure")).json();
    let groups = curves["groups"].as_array().unwrap();
    assert_eq!(groups.len(), 2, "{curves}");
    assert_eq!(groups[0]["runs"], json!(ids[..2]));
    assert_eq!(groups[0]["points"][0]["count"], 2);
    assert!(groups[0]["points"][0]["low"].is_number());
    assert!(groups[1]["name"].as_str().unwrap().contains("learner.alpha=0.3"), "{curves}");
    for y in ["error", "length", "touched", "alpha", "explore", "per_second"] {
        let told = site.get(&format!("/api/curves?{query}&y={y}")).json();
        assert!(!told["groups"][0]["points"].as_array().unwrap().is_empty(), "{y}: {told}");
    }
    let picture = site.get(&format!("/api/curves.svg?{query}"));
    assert!(picture.head.contains("image/svg+xml") && picture.body.contains("<polyline"));
    let settings = site.get(&format!("/api/settings?{query}")).json();
    let all = settings["settings"].as_array().unwrap();
    let alpha = all.iter().find(|setting| setting["key"] == "learner.alpha").unwrap();
    assert_eq!((&alpha["differs"], alpha["values"].as_array().unwrap().len()), (&json!(true), 3));
    let list = site.listen("/api/runs/events", |text| text.contains("\n\n"));
    assert!(list.contains("event: runs"), "{list}");
}
