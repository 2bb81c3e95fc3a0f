//! Runs are started, monitored, stopped, resumed and compared.

use super::server::TestServer;
use serde_json::{Value, json};
use std::time::{Duration, Instant};

fn small(seed: u64) -> Value {
    json!({ "game": "tictactoe", "episodes": 300, "seed": seed, "every": 100,
            "evaluation": "none" })
}

fn long(seed: u64) -> Value {
    json!({ "game": "tictactoe", "episodes": 50_000_000, "seed": seed, "evaluation": "none" })
}

fn wait(server: &TestServer, id: &str, state: &str) -> Value {
    let begun = Instant::now();
    loop {
        let reply = server.get(&format!("/api/runs/{id}")).json();
        if reply["state"] == state {
            return reply;
        }
        assert!(begun.elapsed() < Duration::from_secs(60), "{reply}");
        std::thread::sleep(Duration::from_millis(50));
    }
}

fn begin(server: &TestServer, wanted: &Value) -> String {
    let reply = server.post("/api/runs", wanted);
    assert_eq!(reply.status, 201, "{}", reply.body);
    reply.value()["run"].as_str().unwrap().into()
}

#[test]
fn a_run_is_begun_watched_and_played_against() {
    let server = TestServer::new();
    let id = begin(&server, &small(1));
    assert_eq!(id, "tictactoe-default-1");
    let path = format!("/api/runs/{id}/events");
    let received = server.listen(&path, |text| text.contains("\"state\":\"finished\""));
    assert_eq!(received.matches("event: line").count(), 4, "{received}");
    assert!(received.contains("id: 3") && received.contains("event: state"), "{received}");
    let reply = wait(&server, &id, "finished");
    assert_eq!((&reply["episode"], &reply["has_value"]), (&json!(300), &json!(true)));
    assert_eq!(reply["metrics"].as_array().unwrap().len(), 4);
    let known = server.listen(&format!("{path}?from=2"), |text| text.contains("finished"));
    assert_eq!(known.matches("event: line").count(), 2);
    let games = server.get(&format!("/api/runs/{id}/games?from=1&count=2")).json();
    assert_eq!(
        (&games["games"][0]["number"], games["games"].as_array().unwrap().len()),
        (&json!(1), 2)
    );
    let sample = &games["games"][0];
    let (game, start, played) = (&sample["game"], &sample["start"], &sample["played"]);
    let request = json!({ "game": game, "start": start, "played": played });
    let replayed = server.reply("/api/position", &request);
    assert_eq!(replayed["over"], true);
    let agents = server.get("/api/agents?game=tictactoe").json();
    let agent = agents["values"][0]["agent"].as_str().unwrap();
    for _ in 0..3 {
        let request = json!({ "game": "tictactoe", "agent": agent });
        assert!(server.reply("/api/choose", &request)["value"].is_number());
    }
    let request = json!({ "game": "tictactoe", "run": id, "move": "b2", "count": 3 });
    let tuples = server.reply("/api/tuples", &request);
    assert_eq!(tuples["tuples"].as_array().unwrap().len(), 3, "{tuples}");
    assert!(tuples["tuples"][0]["cells"].as_array().unwrap().len() > 1, "{tuples}");
    let weights = server.get(&format!("/api/runs/{id}/weights")).json();
    assert!(weights["weights"]["counts"].as_array().unwrap().len() > 1, "{weights}");
}

#[test]
fn a_run_is_stopped_and_goes_on() {
    let server = TestServer::new();
    let id = begin(&server, &long(1));
    server.listen(&format!("/api/runs/{id}/events"), |text| text.contains("event: progress"));
    let again = server.post(&format!("/api/runs/{id}/resume"), &json!({}));
    assert_eq!((again.status, again.code().as_str()), (409, "conflict"));
    assert_eq!(server.post(&format!("/api/runs/{id}/stop"), &json!({})).status, 202);
    let stopped = wait(&server, &id, "stopped");
    assert_eq!(stopped["has_value"], true);
    assert_eq!(server.post(&format!("/api/runs/{id}/stop"), &json!({})).status, 409);
    assert_eq!(server.post(&format!("/api/runs/{id}/resume"), &json!({})).status, 202);
    let reply = wait(&server, &id, "learning");
    assert!(reply["episode"].as_u64() >= stopped["episode"].as_u64());
    server.post(&format!("/api/runs/{id}/stop"), &json!({}));
    wait(&server, &id, "stopped");
    let done = begin(&server, &small(7));
    wait(&server, &done, "finished");
    assert_eq!(server.post(&format!("/api/runs/{done}/resume"), &json!({})).status, 409);
    let more = json!({ "episodes": 400 });
    assert_eq!(server.post(&format!("/api/runs/{done}/resume"), &more).status, 202);
    assert_eq!(wait(&server, &done, "finished")["episode"], 400);
}

#[test]
fn no_more_runs_learn_at_once_than_allowed() {
    let server = TestServer::new();
    let ids = [begin(&server, &long(1)), begin(&server, &long(2))];
    let refused = server.post("/api/runs", &long(3));
    assert_eq!((refused.status, refused.code().as_str()), (429, "too-many"));
    assert_eq!(std::fs::read_dir(&server.runs).unwrap().count(), 2);
    for id in &ids {
        server.post(&format!("/api/runs/{id}/stop"), &json!({}));
        wait(&server, id, "stopped");
    }
    begin(&server, &small(3));
}

#[test]
fn the_whole_configuration_of_a_preset_can_be_sent_back() {
    let server = TestServer::new();
    let presets = server.get("/api/presets?game=tictactoe").json();
    let preset = &presets["presets"][0];
    let mut config = preset["config"].clone();
    assert!(config["games"][0]["file"].is_null(), "{config}");
    config["learner"]["gamma"] = json!(0.9);
    let wanted = json!({ "game": "tictactoe", "preset": preset["name"], "config": config,
                         "episodes": 50, "evaluation": "none" });
    let id = begin(&server, &wanted);
    assert_eq!(wait(&server, &id, "finished")["config"]["learner"]["gamma"], 0.9);
}

#[test]
fn wishes_that_cannot_be_met_leave_nothing_behind() {
    let server = TestServer::new();
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
        let reply = server.post("/api/runs", &wanted);
        let found = (reply.status, reply.value()["error"]["field"].clone());
        assert_eq!(found, (status, json!(field)), "{wanted}: {}", reply.body);
    }
    assert_eq!(std::fs::read_dir(&server.runs).unwrap().count(), 0);
}

#[test]
fn runs_are_compared_and_seeds_form_a_band() {
    let server = TestServer::new();
    let measured = |seed: u64, alpha: &str| {
        let set = [format!("learner.alpha={alpha}")];
        json!({ "game": "tictactoe", "episodes": 200, "seed": seed, "every": 100, "set": set,
                "evaluation": "random:20,max-n:20" })
    };
    let wanted = [measured(1, "0.1"), measured(2, "0.1"), measured(3, "0.3")];
    let mut ids = Vec::new();
    for wanted in &wanted {
        ids.push(begin(&server, wanted));
        wait(&server, ids.last().unwrap(), "finished");
    }
    let query = ids.iter().map(|id| format!("run={id}")).collect::<Vec<_>>().join("&");
    let curves = server.get(&format!("/api/curves?{query}&y=figure")).json();
    let groups = curves["groups"].as_array().unwrap();
    assert_eq!(groups.len(), 2, "{curves}");
    assert_eq!(groups[0]["runs"], json!(ids[..2]));
    assert_eq!(groups[0]["points"][0]["count"], 2);
    assert!(groups[0]["points"][0]["low"].is_number());
    assert!(groups[1]["name"].as_str().unwrap().contains("learner.alpha=0.3"), "{curves}");
    let perfect = server.get(&format!("/api/curves?{query}&y=figure&protocol=max-n")).json();
    assert_eq!(
        (&perfect["protocols"], &perfect["label"]),
        (&json!(["random", "max-n"]), &"mean reward".into())
    );
    let by = |curves: &Value| curves["groups"][0]["points"][0]["mean"].clone();
    assert_ne!(by(&perfect), by(&curves), "each protocol has its curve");
    let runs = server.get("/api/runs").json();
    assert_eq!(runs["runs"][0]["also"][0]["protocol"], "max-n", "{runs}");
    for y in ["error", "length", "touched", "alpha", "explore", "per_second"] {
        let reply = server.get(&format!("/api/curves?{query}&y={y}")).json();
        assert!(!reply["groups"][0]["points"].as_array().unwrap().is_empty(), "{y}: {reply}");
    }
    let picture = server.get(&format!("/api/curves.svg?{query}"));
    assert!(picture.head.contains("image/svg+xml") && picture.body.contains("<polyline"));
    let settings = server.get(&format!("/api/settings?{query}")).json();
    let all = settings["settings"].as_array().unwrap();
    let alpha = all.iter().find(|setting| setting["key"] == "learner.alpha").unwrap();
    assert_eq!((&alpha["differs"], alpha["values"].as_array().unwrap().len()), (&json!(true), 3));
    let list = server.listen("/api/runs/events", |text| text.contains("\n\n"));
    assert!(list.contains("event: runs"), "{list}");
}
