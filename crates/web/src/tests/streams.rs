//! Contests, and streams of events.

use super::server::TestServer;
use crate::limits::LIMITS;
use serde_json::{Value, json};
use std::io::{Read, Write};
use std::time::{Duration, Instant};

fn begin(server: &TestServer, plan: &Value) -> u64 {
    let reply = server.post("/api/contests", plan);
    assert_eq!(reply.status, 201, "{}", reply.body);
    reply.value()["contest"].as_u64().unwrap()
}

fn endless() -> Value {
    let agents = ["mcts:iterations=2000", "mcts:iterations=1999"];
    json!({ "kind": "match", "game": "othello", "agents": agents, "games": 10_000 })
}

#[test]
fn a_match_is_played_and_reported() {
    let server = TestServer::new();
    let agents = ["perfect", "random"];
    let plan = json!({ "kind": "match", "game": "tictactoe", "agents": agents, "games": 40 });
    let number = begin(&server, &plan);
    let path = format!("/api/contests/{number}/events");
    let received = server.listen(&path, |text| text.contains("\"state\":\"finished\""));
    assert!(received.contains("event: contest"), "{received}");
    let reply = server.get(&format!("/api/contests/{number}")).json();
    assert_eq!((&reply["done"], &reply["expected"]), (&json!(40), &json!(40)));
    assert_eq!(reply["report"]["contestants"][0]["overall"]["losses"], 0);
    assert_eq!(server.get(&format!("/api/contests/{number}/table.svg")).status, 409);
    assert_eq!(server.post(&format!("/api/contests/{number}/stop"), &json!({})).status, 409);
    let list = server.get("/api/contests").json();
    assert_eq!(
        (&list["contests"][0]["contest"], &list["contests"][0]["report"]),
        (&json!(number), &Value::Null)
    );
    assert_eq!(server.ask("DELETE", &format!("/api/contests/{number}"), &[], "").status, 204);
    assert_eq!(server.get(&format!("/api/contests/{number}")).status, 404);
}

#[test]
fn a_tournament_has_a_cross_table() {
    let server = TestServer::new();
    let agents = ["random", "endgame-random", "perfect"];
    let plan = json!({ "kind": "tournament", "game": "tictactoe", "agents": agents, "games": 20 });
    let number = begin(&server, &plan);
    let path = format!("/api/contests/{number}/events");
    server.listen(&path, |text| text.contains("\"state\":\"finished\""));
    let reply = server.get(&format!("/api/contests/{number}")).json();
    assert_eq!(reply["report"]["standings"][0]["name"], "perfect");
    assert_eq!(reply["report"]["cross"].as_array().unwrap().len(), 3);
    assert_eq!((&reply["done"], &reply["expected"]), (&json!(60), &json!(60)));
    let picture = server.get(&format!("/api/contests/{number}/table.svg"));
    assert!(picture.body.starts_with("<svg"), "{}", picture.body);
}

#[test]
fn contests_are_stopped_and_bounded() {
    let server = TestServer::new();
    let numbers = [begin(&server, &endless()), begin(&server, &endless())];
    let refused = server.post("/api/contests", &endless());
    assert_eq!((refused.status, refused.code().as_str()), (429, "too-many"));
    for number in numbers {
        assert_eq!(server.post(&format!("/api/contests/{number}/stop"), &json!({})).status, 202);
        let path = format!("/api/contests/{number}/events");
        server.listen(&path, |text| text.contains("\"state\":\"stopped\""));
    }
    let file = "file:/etc/passwd";
    for (plan, field) in [
        (json!({ "kind": "match", "game": "nim", "agents": [] }), "agents"),
        (json!({ "kind": "match", "game": "nim", "agents": ["gtp:command=sh"] }), "agents[0]"),
        (json!({ "kind": "match", "game": "nim", "agents": ["random"], "games": 0 }), "games"),
        (
            json!({ "kind": "match", "game": "nim", "agents": ["random"], "openings": file }),
            "openings",
        ),
    ] {
        let reply = server.post("/api/contests", &plan);
        assert_eq!(reply.value()["error"]["field"], field, "{}", reply.body);
    }
}

#[test]
fn streams_are_bounded_and_free_again_when_nobody_listens() {
    let server = TestServer::new();
    let open = || {
        let mut stream = server.connect();
        stream.write_all(server.request("GET", "/api/runs/events", &[], "").as_bytes()).unwrap();
        let mut first = [0; 12];
        stream.read_exact(&mut first).unwrap();
        (String::from_utf8_lossy(&first).into_owned(), stream)
    };
    let streams: Vec<_> = (0..LIMITS.streams).map(|_| open()).collect();
    assert!(streams.iter().all(|(status, _)| status.ends_with("200")));
    assert!(open().0.ends_with("429"));
    assert_eq!(server.get("/api/games").status, 200);
    drop(streams);
    let begun = Instant::now();
    while !open().0.ends_with("200") {
        assert!(begun.elapsed() < Duration::from_secs(40), "places stay taken");
        std::thread::sleep(Duration::from_millis(200));
    }
}
