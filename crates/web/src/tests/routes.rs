//! Every route answers as its description says.

use super::schema::wrong;
use super::server::TestServer;
use serde_json::{Value, json};

/// One request for each operation: method, documented path, actual path, body.
fn requests() -> Vec<(&'static str, &'static str, &'static str, Value)> {
    let game = json!({ "game": "tictactoe", "played": ["b2"] });
    let and = |more: Value| {
        let mut all = game.clone();
        more.as_object().unwrap().iter().for_each(|(key, value)| all[key] = value.clone());
        all
    };
    let none = Value::Null;
    let contest =
        json!({ "kind": "tournament", "game": "nim", "agents": ["random", "perfect"], "games": 4 });
    let run = json!({ "game": "tictactoe", "episodes": 100, "name": "b", "evaluation": "none" });
    vec![
        ("get", "/api/openapi.json", "/api/openapi.json", none.clone()),
        ("get", "/api/about", "/api/about", none.clone()),
        ("get", "/api/games", "/api/games", none.clone()),
        ("get", "/api/games/{name}", "/api/games/hex", none.clone()),
        ("get", "/api/agents", "/api/agents?game=tictactoe", none.clone()),
        ("post", "/api/position", "/api/position", game.clone()),
        ("post", "/api/play", "/api/play", and(json!({ "move": "a1" }))),
        ("post", "/api/choose", "/api/choose", and(json!({ "agent": "perfect" }))),
        ("post", "/api/study", "/api/study", and(json!({ "agent": "mcts:iterations=20" }))),
        ("post", "/api/opinions", "/api/opinions", and(json!({ "agents": ["random", "perfect"] }))),
        ("post", "/api/review", "/api/review", game.clone()),
        ("post", "/api/tuples", "/api/tuples", and(json!({ "run": "a" }))),
        ("get", "/api/runs", "/api/runs", none.clone()),
        ("post", "/api/runs", "/api/runs", run),
        ("get", "/api/runs/events", "/api/runs/events", none.clone()),
        ("get", "/api/runs/{id}", "/api/runs/a", none.clone()),
        ("get", "/api/runs/{id}/events", "/api/runs/a/events?from=0", none.clone()),
        ("get", "/api/runs/{id}/games", "/api/runs/a/games?count=2", none.clone()),
        ("get", "/api/runs/{id}/weights", "/api/runs/a/weights", none.clone()),
        ("post", "/api/runs/{id}/resume", "/api/runs/a/resume", json!({ "episodes": 100_000_000 })),
        ("post", "/api/runs/{id}/stop", "/api/runs/a/stop", json!({})),
        ("get", "/api/settings", "/api/settings?run=a", none.clone()),
        ("get", "/api/curves", "/api/curves?run=a&y=length", none.clone()),
        ("get", "/api/curves.svg", "/api/curves.svg?run=a&y=length", none.clone()),
        ("get", "/api/presets", "/api/presets?game=nim", none.clone()),
        ("get", "/api/schema", "/api/schema", none.clone()),
        ("post", "/api/contests", "/api/contests", contest),
        ("get", "/api/contests", "/api/contests", none.clone()),
        ("get", "/api/contests/{number}", "/api/contests/1", none.clone()),
        ("get", "/api/contests/{number}/events", "/api/contests/1/events", none.clone()),
        ("get", "/api/contests/{number}/table.svg", "/api/contests/1/table.svg", none.clone()),
        ("post", "/api/contests/{number}/stop", "/api/contests/2/stop", json!({})),
        ("delete", "/api/contests/{number}", "/api/contests/1", none.clone()),
        ("get", "/api/pages", "/api/pages", none.clone()),
        ("get", "/api/pages/{id}", "/api/pages/games/hex", none.clone()),
        ("get", "/api/pictures/{name}", "/api/pictures/pictures/hex.svg", none),
    ]
}

/// A run to ask about, and two contests: one that ends and one that goes on.
fn prepare(server: &TestServer) {
    let run = json!({ "game": "tictactoe", "episodes": 100, "name": "a", "evaluation": "none" });
    server.reply("/api/runs", &run);
    server.listen("/api/runs/a/events", |text| text.contains("\"state\":\"finished\""));
    let short =
        json!({ "kind": "tournament", "game": "nim", "agents": ["random", "perfect"], "games": 4 });
    server.reply("/api/contests", &short);
    server.listen("/api/contests/1/events", |text| text.contains("\"state\":\"finished\""));
    let long = json!({ "kind": "match", "game": "othello", "games": 10_000,
                       "agents": ["mcts:iterations=3000", "random"] });
    server.reply("/api/contests", &long);
}

#[test]
fn every_route_answers_as_described() {
    let server = TestServer::new();
    prepare(&server);
    let whole = server.get("/api/openapi.json").json();
    let requests = requests();
    for (path, operations) in whole["paths"].as_object().unwrap() {
        for method in operations.as_object().unwrap().keys() {
            let request =
                requests.iter().any(|(m, described, ..)| m == method && described == path);
            assert!(request, "nobody tries {method} {path}");
        }
    }
    for (method, described, request, body) in &requests {
        let operation = &whole["paths"][*described][*method];
        let (status, reply) = operation["responses"].as_object().unwrap().iter().next().unwrap();
        let content = &reply["content"];
        if content["text/event-stream"].is_object() {
            let received = server.listen(request, |text| text.contains("event: "));
            assert!(received.contains("content-type: text/event-stream"), "{request}: {received}");
            continue;
        }
        let reply = match *method {
            "post" => server.post(request, body),
            _ => server.ask(&method.to_ascii_uppercase(), request, &[], ""),
        };
        assert_eq!(reply.status.to_string(), *status, "{request}: {}", reply.body);
        if content["image/svg+xml"].is_object() {
            assert!(
                reply.head.contains("image/svg+xml") && reply.body.contains("<svg"),
                "{request}"
            );
        } else if content.is_object() {
            let schema = &content["application/json"]["schema"];
            assert!(reply.head.contains("content-type: application/json"), "{request}");
            assert_eq!(wrong(&whole, schema, &reply.json(), request), None, "{method} {request}");
        }
    }
}

#[test]
fn refusals_are_described_too() {
    let server = TestServer::new();
    let whole = server.get("/api/openapi.json").json();
    let schema =
        &whole["components"]["responses"]["Refusal"]["content"]["application/json"]["schema"];
    for reply in [
        server.get("/api/games/chess"),
        server.get("/api/none"),
        server.ask("POST", "/api/play", &[], ""),
        server.ask("PUT", "/api/play", &[], ""),
        server.ask("GET", "/api/games", &["host: x"], ""),
    ] {
        assert!(reply.status >= 400);
        assert_eq!(wrong(&whole, schema, &reply.value(), "refusal"), None);
    }
}

#[test]
fn requests_are_described_as_they_are_read() {
    let server = TestServer::new();
    let whole = server.get("/api/openapi.json").json();
    for (method, described, _, body) in requests().iter().filter(|(m, ..)| *m == "post") {
        let schema = &whole["paths"][*described][*method]["requestBody"]["content"]["application/json"]
            ["schema"];
        assert_eq!(wrong(&whole, schema, body, described), None);
    }
    let agents = &whole["paths"]["/api/agents"]["get"]["parameters"][0];
    assert_eq!(
        (&agents["name"], &agents["in"], &agents["required"]),
        (&json!("game"), &json!("query"), &json!(true))
    );
}

#[test]
fn the_page_and_what_there_is_to_read_come_along() {
    let server = TestServer::new();
    let page = server.get("/");
    assert!(page.head.contains("text/html") && page.body.contains("<html"), "{}", page.head);
    let tag = page.head.split("etag: ").nth(1).unwrap().split("\r\n").next().unwrap();
    let again = server.ask("GET", "/", &[&format!("if-none-match: {tag}")], "");
    assert_eq!((again.status, again.body.as_str()), (304, ""));
    let pages = server.get("/api/pages").json();
    let ids: Vec<&str> =
        pages["pages"].as_array().unwrap().iter().filter_map(|page| page["id"].as_str()).collect();
    for entry in ludens_registry::GAMES {
        let id = format!("games/{}", entry.name);
        assert!(ids.contains(&id.as_str()), "{id}");
        let html = server.get(&format!("/api/pages/{id}")).json()["html"].clone();
        assert!(html.as_str().unwrap().contains("<h1>"), "{id}");
    }
    let report = server.runs.join("lambda/report");
    std::fs::create_dir_all(&report).unwrap();
    std::fs::write(report.join("summary.md"), "# Lambda\n\n![curves](curves.svg)").unwrap();
    std::fs::write(report.join("curves.svg"), "<svg/>").unwrap();
    let reply = server.get("/api/pages/reports/lambda").json();
    assert_eq!((&reply["title"], &reply["kind"]), (&json!("Lambda"), &json!("report")));
    let picture = reply["html"].as_str().unwrap().split("src=\"").nth(1).unwrap();
    let picture = picture.split('"').next().unwrap();
    assert_eq!(server.get(picture).body, "<svg/>");
}
