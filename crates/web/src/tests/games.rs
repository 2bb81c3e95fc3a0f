//! Playing and looking inside.

use super::server::TestServer;
use ludens_registry::GAMES;
use serde_json::{Value, json};

/// A position without the fields that only answers have.
fn position(reply: &Value) -> Value {
    let keys = ["game", "start", "played", "seed"];
    keys.map(|key| (key.to_owned(), reply[key].clone())).into_iter().collect()
}

fn with(mut position: Value, more: Value) -> Value {
    for (key, value) in more.as_object().unwrap() {
        position[key] = value.clone();
    }
    position
}

#[test]
fn every_game_is_played_to_its_end_by_moves_and_by_agents() {
    let server = TestServer::new();
    for entry in GAMES.iter().filter(|entry| entry.name != "2048") {
        let mut reply = server.reply("/api/position", &json!({ "game": entry.name, "seed": 3 }));
        let mut plies = 0;
        while reply["over"] == false {
            let before = position(&reply);
            reply = if plies % 2 == 0 {
                let text = reply["legal"][0]["text"].clone();
                server.reply("/api/play", &with(before.clone(), json!({ "move": text })))
            } else {
                let request = with(before.clone(), json!({ "agent": "random" }));
                server.reply("/api/choose", &request)["position"].take()
            };
            let (now, then) = (reply["played"].as_array().unwrap(), &before["played"]);
            assert!(now.starts_with(then.as_array().unwrap()), "{}: {reply}", entry.name);
            plies += 1;
        }
        let again = server.reply("/api/position", &position(&reply));
        assert_eq!(again, reply, "{}", entry.name);
        assert!(reply["outcome"].is_string() && reply["legal"] == json!([]), "{}", entry.name);
        let refused =
            server.post("/api/choose", &with(position(&reply), json!({ "agent": "random" })));
        assert_eq!((refused.status, refused.code().as_str()), (409, "conflict"));
    }
}

#[test]
fn chance_draws_by_itself_and_the_same_again() {
    let server = TestServer::new();
    let begun = server.reply("/api/position", &json!({ "game": "2048", "seed": 5 }));
    assert_eq!(begun["played"].as_array().unwrap().len(), 2, "{begun}");
    let request = with(position(&begun), json!({ "move": begun["legal"][0]["text"] }));
    let (once, twice) = (server.reply("/api/play", &request), server.reply("/api/play", &request));
    assert_eq!(once, twice);
    assert_eq!(once["played"].as_array().unwrap().len(), 4);
    assert_eq!(once["plies"][3]["player"], Value::Null);
    assert_eq!(once["plies"][2]["player"], 1);
}

#[test]
fn positions_are_set_up_and_taken_back() {
    let server = TestServer::new();
    let reply =
        server.reply("/api/position", &json!({ "game": "tictactoe", "played": ["b2", "a1"] }));
    let state = reply["state"].as_str().unwrap();
    let set_up = server.reply("/api/position", &json!({ "game": "tictactoe", "start": state }));
    assert_eq!((&set_up["state"], &set_up["turn"]), (&reply["state"], &json!(1)));
    let wrong = json!({ "game": "tictactoe", "played": ["b2", "b2"] });
    let refused = server.post("/api/position", &wrong);
    assert_eq!(refused.status, 422);
    assert_eq!(refused.value()["error"]["field"], "played[1]");
    let svg = reply["svg"].as_str().unwrap();
    assert!(svg.contains(r#"data-cell="4" data-x="1" data-y="1" data-move="4" data-piece="x""#));
    assert_eq!(svg.matches("data-last").count(), 1);
}

#[test]
fn the_values_of_all_moves_are_told() {
    let server = TestServer::new();
    let request = json!({ "game": "tictactoe", "played": ["a1", "b2", "b1"], "agent": "perfect" });
    let reply = server.reply("/api/study", &request);
    assert_eq!((&reply["best"], &reply["value"]), (&json!("c1"), &json!(0.0)));
    assert_eq!(reply["moves"].as_array().unwrap().len(), 6);
    let lost = reply["moves"].as_array().unwrap().iter().filter(|mv| mv["value"] == -1.0).count();
    assert_eq!(lost, 5, "{reply}");
    let adviser = server.reply("/api/study", &json!({ "game": "tictactoe" }));
    assert_eq!(adviser["agent"], "perfect");
    let request = json!({ "game": "connect4", "agent": "mcts:iterations=300", "line": 3 });
    let tried = server.reply("/api/study", &request);
    assert_eq!(tried["visits"], 300);
    assert!(tried["depth"].as_u64().unwrap() > 1 && tried["values"][1].is_number(), "{tried}");
    let request = json!({ "game": "nim:players=3", "agent": "maxn:depth=3" });
    assert_eq!(server.reply("/api/study", &request)["depth"], 3);
}

#[test]
fn agents_think_no_longer_than_they_may() {
    let server = TestServer::new();
    for agent in ["alphabeta:depth=40", "maxn:depth=40", "mcts:iterations=200000"] {
        let begun = std::time::Instant::now();
        let request = json!({ "game": "othello", "agent": agent, "seconds": 0.2 });
        let reply = server.reply("/api/choose", &request);
        assert!(reply["move"].is_string());
        assert!(begun.elapsed().as_secs_f64() < 10.0, "{agent}: {:?}", begun.elapsed());
    }
}

#[test]
fn opinions_are_laid_side_by_side() {
    let server = TestServer::new();
    let agents = json!(["perfect", "mcts:iterations=50"]);
    let request = json!({ "game": "tictactoe", "played": ["a1"], "agents": agents });
    let reply = server.reply("/api/opinions", &request);
    assert_eq!(reply["opinions"].as_array().unwrap().len(), 2);
    assert_eq!(reply["moves"].as_array().unwrap().len(), 8);
    assert!(reply["moves"][0]["spread"].is_number() && reply["agree"].is_boolean());
    let alone = with(request, json!({ "agents": ["perfect"] }));
    assert_eq!(server.post("/api/opinions", &alone).value()["error"]["field"], "agents");
}

#[test]
fn the_mistakes_of_a_game_are_marked() {
    let server = TestServer::new();
    // The second move loses, the third lets the other off.
    let played = json!(["b2", "b1", "a2", "c2", "a1", "c3", "a3"]);
    let reply = server.reply("/api/review", &json!({ "game": "tictactoe", "played": played }));
    assert_eq!((&reply["judge"], &reply["exact"]), (&json!("perfect"), &json!(true)));
    assert_eq!(reply["points"].as_array().unwrap().len(), 8);
    assert_eq!(reply["moves"][1]["mark"], "blunder", "{reply}");
    assert_eq!(reply["points"][0]["values"], json!([0.0, 0.0]));
    assert_eq!(reply["complete"], true);
    let last = reply["points"].as_array().unwrap().last().unwrap();
    assert_eq!(last["values"], json!([1.0, -1.0]));
}

#[test]
fn agents_are_listed_with_reasons_why_not() {
    let server = TestServer::new();
    let reply = server.get("/api/agents?game=nim%3Aplayers%3D3").json();
    let of = |name: &str| {
        let agents = reply["agents"].as_array().unwrap();
        agents.iter().find(|agent| agent["name"] == name).unwrap().clone()
    };
    assert_eq!(of("alphabeta")["fits"], false);
    assert!(of("alphabeta")["reason"].as_str().unwrap().contains("two players"));
    assert_eq!((&of("mcts")["fits"], &of("gtp")["fits"]), (&json!(true), &json!(false)));
    assert_eq!(reply["adviser"], "perfect");
    assert!(reply["levels"].as_array().unwrap().len() >= 5);
}

#[test]
fn champions_take_every_seat_from_the_first_start() {
    let server = TestServer::new();
    for game in ["2048", "connect4", "tictactoe"] {
        let reply = server.get(&format!("/api/agents?game={game}")).json();
        let levels = reply["levels"].as_array().unwrap();
        let agent = |title: &str| {
            let level = levels.iter().find(|level| level["title"] == title);
            level.unwrap()["agent"].clone()
        };
        assert_eq!(agent("Champion"), "champion", "{game}");
        let casual = agent("Casual (champion at level 5)");
        assert_eq!(casual, "level:strength=5,agent=champion", "{game}");
    }
}
