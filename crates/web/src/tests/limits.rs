//! Oversized, slow and broken requests do no harm.

use super::server::{TestServer, read};
use crate::limits::LIMITS;
use serde_json::{Value, json};
use std::io::Write;
use std::time::{Duration, Instant};

#[test]
fn broken_requests_are_refused_with_a_reason() {
    let server = TestServer::new();
    let json_type = "content-type: application/json";
    let post = |path: &str, body: &str| {
        let reply = server.ask("POST", path, &[json_type], body);
        (reply.status, reply.code(), reply.value()["error"]["field"].clone())
    };
    let refused = |status, code: &str, field: Value| (status, code.to_owned(), field);
    let none = Value::Null;
    assert_eq!(post("/api/play", "{"), refused(400, "malformed", none.clone()));
    assert_eq!(post("/api/play", "[1]"), refused(400, "malformed", none.clone()));
    assert_eq!(post("/api/play", "{}"), refused(422, "invalid", none.clone()));
    let unknown = r#"{"game":"nim","move":"a1","mvoe":1}"#;
    assert_eq!(post("/api/play", unknown).0, 422);
    let wrong = r#"{"game":"nim","move":7}"#;
    assert_eq!(post("/api/play", wrong), refused(422, "invalid", json!("move")));
    assert_eq!(
        post("/api/position", r#"{"game":"chess"}"#),
        refused(422, "invalid", json!("game"))
    );
    assert_eq!(post("/api/games", "{}"), refused(405, "method", none.clone()));
    assert_eq!(post("/api/nothing", "{}").0, 404);
    assert_eq!(server.get("/api/nothing").code(), "unknown");
    assert_eq!(server.get("/api/runs/none").code(), "unknown");
    assert_eq!(server.get("/api/contests/x").status, 422);
    assert_eq!(server.get("/api/runs/none/games?from=x").code(), "malformed");
    assert_eq!(server.get("/api/games?what=1").code(), "invalid");
}

#[test]
fn what_is_too_large_is_refused() {
    let server = TestServer::new();
    let large = json!({ "game": "x".repeat(LIMITS.body) });
    assert_eq!(server.post("/api/position", &large).code(), "too-large");
    let long = json!({ "game": "nim", "played": vec!["a"; LIMITS.plies + 1] });
    assert_eq!(server.post("/api/position", &long).value()["error"]["field"], "played");
    for (agent, status) in [
        ("mcts:iterations=1000000000", 422),
        ("level:agent=(mcts:iterations=1000000000)", 422),
        ("mcts:time=1000", 422),
        ("mcts:rollout=1000000", 422),
        ("gtp:command=(touch /tmp/x)", 403),
        ("decay:agent=(gtp:command=sh)", 403),
        ("human", 403),
        ("greedy:/etc/passwd", 422),
        ("greedy:value=../../etc", 422),
        ("mcts:value=/etc/passwd", 422),
    ] {
        let reply = server.post("/api/choose", &json!({ "game": "tictactoe", "agent": agent }));
        assert_eq!(reply.status, status, "{agent}: {}", reply.body);
        assert_eq!(reply.value()["error"]["field"], "agent", "{agent}");
    }
    let slow = json!({ "game": "nim", "agent": "random", "seconds": 1e9 });
    assert_eq!(server.post("/api/choose", &slow).value()["error"]["field"], "seconds");
}

#[test]
fn no_path_leads_out_of_the_runs() {
    let server = TestServer::new();
    let secret = server.runs.parent().unwrap().join("ludens-web-secret");
    std::fs::create_dir_all(&secret).unwrap();
    std::fs::write(secret.join("run.toml"), "secret = 1").unwrap();
    for id in ["..%2Fludens-web-secret", "%2Fetc", "..", "a%2F..%2F..%2Fludens-web-secret"] {
        for rest in ["", "/games", "/weights"] {
            let reply = server.get(&format!("/api/runs/{id}{rest}"));
            assert_eq!(reply.status, 404, "{id}: {}", reply.body);
        }
    }
    for path in ["/api/pages/reports/../../etc/passwd", "/api/pictures/../../Cargo.toml"] {
        assert_eq!(server.get(path).status, 404, "{path}");
    }
    for path in ["/../Cargo.toml", "/%2e%2e/Cargo.toml", "//etc/passwd"] {
        assert_eq!(server.get(path).status, 404, "{path}");
    }
}

#[test]
fn slow_and_broken_clients_do_no_harm() {
    let server = TestServer::new();
    let mut half = Vec::new();
    for _ in 0..20 {
        let mut stream = server.connect();
        stream.write_all(b"POST /api/play HTTP/1.1\r\nhost: 127.0.0.1\r\ncont").unwrap();
        half.push(stream);
    }
    // Promises a body and goes away.
    let mut gone = server.connect();
    let head = "POST /api/play HTTP/1.1\r\nhost: 127.0.0.1\r\ncontent-type: application/json\r\n";
    gone.write_all(format!("{head}content-length: 100\r\n\r\n{{").as_bytes()).unwrap();
    drop(gone);
    let mut nonsense = server.connect();
    nonsense.write_all(b"\x16\x03\x01 what is this\r\n\r\n").unwrap();
    assert_eq!(read(&mut nonsense).status, 400);
    let begun = Instant::now();
    assert_eq!(server.get("/api/games").status, 200);
    assert!(begun.elapsed() < Duration::from_secs(5));
    drop(half);
}

#[test]
fn who_goes_away_while_an_agent_thinks_stops_nobody_else() {
    let server = TestServer::new();
    let long = json!({ "game": "hex", "agent": "mcts:iterations=200000", "seconds": 2 });
    for _ in 0..6 {
        let mut stream = server.connect();
        let json_type = "content-type: application/json";
        let request = server.request("POST", "/api/choose", &[json_type], &long.to_string());
        stream.write_all(request.as_bytes()).unwrap();
    }
    // Those who only look need not wait for those who think.
    let begun = Instant::now();
    assert_eq!(server.reply("/api/position", &json!({ "game": "nim" }))["turn"], 1);
    assert!(begun.elapsed() < Duration::from_secs(2), "{:?}", begun.elapsed());
    let reply = server.reply("/api/choose", &json!({ "game": "nim", "agent": "random" }));
    assert!(reply["move"].is_string());
}

#[test]
fn a_flood_of_moves_is_answered_in_full() {
    let server = TestServer::new();
    let request = json!({ "game": "tictactoe", "played": ["b2"], "move": "a1" }).to_string();
    let all: Vec<u16> = std::thread::scope(|scope| {
        let one = || {
            let json_type = "content-type: application/json";
            (0..40)
                .map(|_| server.ask("POST", "/api/play", &[json_type], &request).status)
                .collect()
        };
        let threads: Vec<_> = (0..8).map(|_| scope.spawn(one)).collect();
        threads.into_iter().flat_map(|thread| -> Vec<u16> { thread.join().unwrap() }).collect()
    });
    assert_eq!(all, vec![200; 320]);
}

#[test]
fn agents_nested_too_deep_are_refused_wherever_they_are_named() {
    let server = TestServer::new();
    for agent in [
        format!("{}random{}", "decay:agent=(".repeat(4000), ")".repeat(4000)),
        format!("{}random", "decay:agent=".repeat(4000)),
    ] {
        let position = json!({ "game": "tictactoe", "agent": agent });
        for path in ["/api/choose", "/api/study"] {
            assert_eq!(server.post(path, &position).status, 422, "{path}");
        }
        let both = json!({ "game": "tictactoe", "agents": [agent, "random"] });
        assert_eq!(server.post("/api/opinions", &both).status, 422);
        let contest = json!({ "kind": "match", "game": "nim", "agents": [agent, "random"] });
        assert_eq!(server.post("/api/contests", &contest).status, 422);
        let games = json!([{ "from": "opponent", "agent": agent }]);
        let run = json!({ "game": "tictactoe", "config": { "games": games } });
        assert_eq!(server.post("/api/runs", &run).status, 422);
    }
    let nested = format!("{{\"game\":{}{}}}", "[".repeat(50_000), "]".repeat(50_000));
    let json_type = ["content-type: application/json"];
    assert_eq!(server.ask("POST", "/api/position", &json_type, &nested).code(), "malformed");
    assert_eq!(server.get("/api/about").status, 200, "the server is still there");
}

/// Asks again until the answer is as expected.
fn await_reply(what: &str, mut as_expected: impl FnMut() -> bool) {
    let begun = Instant::now();
    while !as_expected() {
        assert!(begun.elapsed() < Duration::from_secs(60), "{what}");
        std::thread::sleep(Duration::from_millis(20));
    }
}

#[test]
fn contests_end_their_threads_when_they_are_stopped_or_forgotten() {
    let server = TestServer::new();
    let agents = ["maxn:depth=200", "decay:p=0,agent=(maxn:depth=200)"];
    let endless = json!({ "kind": "match", "game": "hex:size=8", "agents": agents });
    let start = || server.post("/api/contests", &endless);
    for _ in 0..LIMITS.contests {
        assert_eq!(start().status, 201);
    }
    assert_eq!(start().code(), "too-many");
    server.reply("/api/contests/1/stop", &json!({}));
    let state = || server.get("/api/contests/1").json()["state"].clone();
    await_reply("the stopped contest ends", || state() == "stopped");
    assert_eq!(start().status, 201);
    // A contest that is forgotten counts until its threads have ended.
    for number in 2..12 {
        let path = format!("/api/contests/{number}");
        assert_eq!(server.ask("DELETE", &path, &[], "").status, 204);
        assert_eq!(server.get(&path).status, 404);
        await_reply("the forgotten contest ends", || start().status == 201);
    }
}

#[test]
fn a_training_whose_opponent_thinks_for_ever_can_be_stopped() {
    let server = TestServer::new();
    let games = json!([{ "from": "opponent", "agent": "maxn:depth=200" }]);
    let config = json!({ "games": games });
    let run = json!({ "game": "hex:size=8", "config": config, "evaluation": "none", "name": "a" });
    assert_eq!(server.post("/api/runs", &run).status, 201);
    server.reply("/api/runs/a/stop", &json!({}));
    let state = || server.get("/api/runs/a").json()["state"].clone();
    await_reply("the training ends", || state() != "learning");
    assert_eq!(server.reply("/api/runs/a/resume", &json!({}))["state"], "learning");
}

#[test]
fn silent_connections_delay_nobody() {
    let server = TestServer::new();
    let silent: Vec<_> = (0..crate::limits::CONNECTIONS + 8)
        .map(|_| {
            let mut stream = server.connect();
            stream.write_all(b"GET /api/about HTTP/1.1\r\nhost: loc").unwrap();
            stream
        })
        .collect();
    let begun = Instant::now();
    assert_eq!(server.get("/api/about").status, 200);
    assert!(begun.elapsed() < crate::limits::REQUEST_TIMEOUT / 2, "{:?}", begun.elapsed());
    drop(silent);
}

#[test]
fn run_names_are_bounded_and_visible() {
    let server = TestServer::new();
    let start = |name: &str| {
        let wanted = json!({ "game": "nim", "episodes": 1, "evaluation": "none", "name": name });
        server.post("/api/runs", &wanted)
    };
    assert_eq!(start(&"a".repeat(300)).status, 422);
    for (name, id) in [("..", "--"), (".hidden", "-hidden"), ("a/../b", "a-..-b")] {
        await_reply("there is a place", || {
            let reply = start(name);
            reply.status == 201 && reply.json()["run"] == id
        });
    }
}
