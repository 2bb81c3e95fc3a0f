//! Every route answers as its description says.

use super::schema::wrong;
use super::site::TestServer;
use serde_json::{Value, json};

/// One request for each operation: method, path as described, path as asked, body.
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
fn prepare(site: &TestServer) {
    let run = json!({ "game": "tictactoe", "episodes": 100, "name": "a", "evaluation": "none" });
    site.told("/api/runs", &run);
    site.listen("/api/runs/a/events", |text| text.contains("\"state\":\"finished\""));
    let short =
        json!({ "kind": "tournament", "game": "nim", "agents": ["random", "perfect"], "games": 4 });
    site.told("/api/contests", &short);
    site.listen("/api/contests/1/events", |text| text.contains("\"state\":\"finished\""));
    let long = json!({ "kind": "match", "game": "othello", "games": 10_000,
                       "agents": ["mcts:iterations=3000", "random"] });
    site.told("/api/contests", &long);
}

#[test]
fn every_route_answers_as_described() {
    let site = TestServer::new();
    prepare(&site);
    let whole = site.get("/api/openapi.json").json();
    let requests = requests();
    for (path, operations) in whole["paths"].as_object().unwrap() {
        for method in operations.as_object().unwrap().keys() {
            let asked = requests.iter().any(|(m, described, ..)| m == method && described == path);
            assert!(asked, "nobody tries {method} {path}");
        }
    }
    for (method, described, asked, body) in &requests {
        let operation = &whole["paths"][*described][*method];
        let (status, reply) = operation["responses"].as_object().unwrap().iter().next().unwrap();
        let content = &reply["content"];
        if content["text/event-stream"].is_object() {
            let heard = site.listen(asked, |text| text.contains("event: "));
            assert!(heard.contains("content-type: text/event-stream"), "{asked}: {heard}");
            continue;
        }
        let told = match *method {
            "post" => site.post(asked, body),
            _ => site.ask(&method.to_ascii_uppercase(), asked, &[], ""),
        };
        assert_eq!(told.status.to_string(), *status, "{asked}: {}", told.body);
        if content["image/svg+xml"].is_object() {
            assert!(told.head.contains("image/svg+xml") && told.body.contains("<svg"), "{asked}");
        } else if content.is_object() {
            let schema = &content["application/json"]["schema"];
            assert!(told.head.contains("content-type: application/json"), "{asked}");
            assert_eq!(wrong(&whole, schema, &told.json(), asked), None, "{method} {asked}");
        }
    }
}

#[test]
fn refusals_are_described_too() {
    let site = TestServer::new();
    let whole = site.get("/api/openapi.json").json();
    let schema =
        &whole["components"]["responses"]["Refusal"]["content"]["application/json"]["schema"];
    for told in [
        site.get("/api/games/chess"),
        site.get("/api/none"),
        site.ask("POST", "/api/play", &[], ""),
        site.ask("PUT", "/api/play", &[], ""),
        site.ask("GET", "/api/games", &["host: x"], ""),
    ] {
        assert!(told.status >= 400);
        assert_eq!(wrong(&whole, schema, &told.value(), "refusal"), None);
    }
}

#[test]
fn requests_are_described_as_they_are_read() {
    let site = TestServer::new();
    let whole = site.get("/api/openapi.json").json();
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
    let site = TestServer::new();
    let page = site.get("/");
    assert!(page.head.contains("text/html") && page.body.contains("<html"), "{}", page.head);
    let tag = page.head.split("etag: ").nth(1).unwrap().split("\r\n").next().unwrap();
    let again = site.ask("GET", "/", &[&format!("if-none-match: {tag}")], "");
    assert_eq!((again.status, again.body.as_str()), (304, ""));
    let pages = site.get("/api/pages").json();
    let ids: Vec<&str> =
        pages["pages"].as_array().unwrap().iter().filter_map(|page| page["id"].as_str()).collect();
    for entry in ludens_registry::GAMES {
        let id = format!("games/{}", entry.name);
        assert!(ids.contains(&id.as_str()), "{id}");
        let html = site.get(&format!("/api/pages/{id}")).json()["html"].clone();
        assert!(html.as_str().unwrap().contains("<h1>"), "{id}");
    }
    let report = site.runs.join("lambda/report");
    std::fs::create_dir_all(&report).unwrap();
    std::fs::write(report.join("summary.md"), "# Lambda\n\n![curves](curves.svg)").unwrap();
    std::fs::write(report.join("curves.svg"), "<svg/>").unwrap();
    let told = site.get("/api/pages/reports/lambda").json();
    assert_eq!((&told["title"], &told["kind"]), (&json!("Lambda"), &json!("report")));
    let picture = told["html"].as_str().unwrap().split("src=\"").nth(1).unwrap();
    let picture = picture.split('"').next().unwrap();
    assert_eq!(site.get(picture).body, "<svg/>");
}
