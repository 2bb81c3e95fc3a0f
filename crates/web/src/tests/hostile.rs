//! Whatever a client sends, the server answers with a reason, and goes on.

use super::server::TestServer;
use proptest::collection::vec;
use proptest::prelude::*;
use proptest::sample::select;
use serde_json::{Value, json};

/// Routes that read a body.
const POSTS: &[&str] = &[
    "/api/position",
    "/api/play",
    "/api/choose",
    "/api/study",
    "/api/opinions",
    "/api/review",
    "/api/tuples",
    "/api/runs",
    "/api/contests",
    "/api/runs/a/stop",
    "/api/contests/1/stop",
];

/// Routes that read a path or a query.
const GETS: &[&str] = &[
    "/api/runs/",
    "/api/games/",
    "/api/pages/",
    "/api/pages/reports/",
    "/api/pictures/reports/",
    "/api/contests/",
    "/api/agents?game=",
    "/api/curves?run=",
    "/api/settings?run=",
    "/",
];

/// The names of fields that mean something.
const FIELDS: &[&str] = &[
    "game",
    "agent",
    "agents",
    "played",
    "move",
    "start",
    "seed",
    "seconds",
    "line",
    "kind",
    "games",
    "openings",
    "config",
    "set",
    "episodes",
    "every",
    "name",
    "evaluation",
    "run",
];

/// Texts that mean something, or nearly.
fn text() -> impl Strategy<Value = String> {
    let known = select(vec![
        "tictactoe",
        "hex:size=8",
        "nim:heaps=99",
        "random",
        "match",
        "start",
        "file:/etc/passwd",
        "../../etc/passwd",
        "..",
        ".",
        "a/../b",
        "%2e%2e",
        "decay:agent=random",
        "-1",
        "1e999",
        "greedy:/etc/passwd",
        "learner.batch=4000000000",
        "search.depth=4000000000",
        "a\0b",
    ]);
    prop_oneof![
        4 => known.prop_map(str::to_owned),
        1 => "\\PC{0,20}",
        1 => (select(vec!["decay:agent=(", "(", "[", "a", "."]), 0..10_000usize)
            .prop_map(|(piece, count)| piece.repeat(count)),
    ]
}

fn value() -> impl Strategy<Value = Value> {
    let number = select(vec![0.0, -1.0, 0.5, 1.0, 7.0, 9.3e18, 1.9e19, 1e300]);
    let leaf = prop_oneof![
        4 => text().prop_map(Value::from),
        2 => number.prop_map(Value::from),
        1 => any::<u64>().prop_map(Value::from),
        1 => Just(Value::Null),
        1 => any::<bool>().prop_map(Value::from),
    ];
    leaf.prop_recursive(3, 12, 4, |inner| {
        prop_oneof![
            vec(inner.clone(), 0..4).prop_map(Value::from),
            vec((select(FIELDS), inner), 0..4)
                .prop_map(|pairs| pairs.into_iter().map(|(k, v)| (k.to_owned(), v)).collect()),
        ]
    })
}

/// A body with a game that exists, some fields, and no long computations.
fn body() -> impl Strategy<Value = Value> {
    vec((select(FIELDS), value()), 0..6).prop_map(|pairs| {
        let mut body = json!({ "game": "tictactoe", "agent": "random" });
        pairs.into_iter().for_each(|(key, value)| body[key] = value);
        // Trainings and contests that are fine would only take time.
        if body.get("kind").is_some() || body.get("episodes").is_some() {
            body["seed"] = json!("none");
        }
        body
    })
}

/// The text as part of an address, every byte escaped or not.
fn in_address(text: &str, escaped: bool) -> String {
    let plain = |byte: &u8| byte.is_ascii_graphic() && !escaped && *byte != b'#';
    let part = |byte: u8| {
        if plain(&byte) { char::from(byte).to_string() } else { format!("%{byte:02x}") }
    };
    text.bytes().take(2000).map(part).collect()
}

/// No answer is a bug, and every refusal has a reason.
fn check(status: u16, body: &str, request: &str) {
    assert!((200..500).contains(&status) && status != 408, "{request}: {status} {body}");
    if status >= 400 && body.starts_with('{') {
        let refusal: Value = serde_json::from_str(body).unwrap();
        assert!(refusal["error"]["reason"].is_string(), "{request}: {body}");
    }
}

#[test]
fn any_body_is_answered_with_a_reason() {
    let server = TestServer::new();
    let config = ProptestConfig { cases: 200, failure_persistence: None, ..Default::default() };
    proptest!(config, |(path in select(POSTS), body in body())| {
        let reply = server.post(path, &body);
        check(reply.status, &reply.body, &format!("{path} {body}"));
    });
    assert_eq!(server.get("/api/about").status, 200);
}

#[test]
fn any_address_is_answered_with_a_reason() {
    let server = TestServer::new();
    let config = ProptestConfig { cases: 200, failure_persistence: None, ..Default::default() };
    proptest!(config, |(path in select(GETS), text in text(), escaped in any::<bool>())| {
        let path = format!("{path}{}", in_address(&text, escaped));
        let reply = server.get(&path);
        check(reply.status, &reply.body, &path);
        prop_assert!(!reply.body.contains("root:"), "{}", path);
    });
    assert_eq!(server.get("/api/about").status, 200);
}
