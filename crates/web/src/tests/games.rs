//! Playing and looking inside.

use super::site::TestServer;
use ludens_registry::GAMES;
use serde_json::{Value, json};

/// A position without the fields that only answers have.
fn position(told: &Value) -> Value {
    let keys = ["game", "start", "played", "seed"];
    keys.map(|key| (key.to_owned(), told[key].clone())).into_iter().collect()
}

fn with(mut position: Value, more: Value) -> Value {
    for (key, value) in more.as_object().unwrap() {
        position[key] = value.clone();
    }
    position
}

#[test]
fn every_game_is_played_to_its_end_by_moves_and_by_agents() {
    let site = TestServer::new();
    for entry in GAMES.iter().filter(|entry| entry.name != "2048") {
        let mut told = site.told("/api/position", &json!({ "game": entry.name, "seed": 3 }));
        let mut plies = 0;
        while told["over"] == false {
            let before = position(&told);
            told = if plies % 2 == 0 {
                let text = told["legal"][0]["text"].clone();
                site.told("/api/play", &with(before.clone(), json!({ "move": text })))
            } else {
                let asked = with(before.clone(), json!({ "agent": "random" }));
                site.told("/api/choose", &asked)["position"].take()
            };
            let (now, then) = (told["played"].as_array().unwrap(), &before["played"]);
            assert!(now.starts_with(then.as_array().unwrap()), "{}: {told}", entry.name);
            plies += 1;
        }
        let again = site.told("/api/position", &position(&told));
        assert_eq!(again, told, "{}", entry.name);
        assert!(told["outcome"].is_string() && told["legal"] == json!([]), "{}", entry.name);
        let refused =
            site.post("/api/choose", &with(position(&told), json!({ "agent": "random" })));
        assert_eq!((refused.status, refused.code().as_str()), (409, "conflict"));
    }
}

#[test]
fn chance_draws_by_itself_and_the_same_again() {
    let site = TestServer::new();
    let begun = site.told("/api/position", &json!({ "game": "2048", "seed": 5 }));
    assert_eq!(begun["played"].as_array().unwrap().len(), 2, "{begun}");
    let asked = with(position(&begun), json!({ "move": begun["legal"][0]["text"] }));
    let (once, twice) = (site.told("/api/play", &asked), site.told("/api/play", &asked));
    assert_eq!(once, twice);
    assert_eq!(once["played"].as_array().unwrap().len(), 4);
    assert_eq!(once["plies"][3]["player"], Value::Null);
    assert_eq!(once["plies"][2]["player"], 1);
}

#[test]
fn positions_are_set_up_and_taken_back() {
    let site = TestServer::new();
    let told = site.told("/api/position", &json!({ "game": "tictactoe", "played": ["b2", "a1"] }));
    let state = told["state"].as_str().unwrap();
    let set_up = site.told("/api/position", &json!({ "game": "tictactoe", "start": state }));
    assert_eq!((&set_up["state"], &set_up["turn"]), (&told["state"], &json!(1)));
    let wrong = json!({ "game": "tictactoe", "played": ["b2", "b2"] });
    let refused = site.post("/api/position", &wrong);
    assert_eq!(refused.status, 422);
    assert_eq!(refused.value()["error"]["field"], "played[1]");
    let svg = told["svg"].as_str().unwrap();
    assert!(svg.contains(r#"data-cell="4" data-x="1" data-y="1" data-move="4" data-piece="x""#));
    assert_eq!(svg.matches("data-last").count(), 1);
}

#[test]
fn the_values_of_all_moves_are_told() {
    let site = TestServer::new();
    let asked = json!({ "game": "tictactoe", "played": ["a1", "b2", "b1"], "agent": "perfect" });
    let told = site.told("/api/study", &asked);
    assert_eq!((&told["best"], &told["value"]), (&json!("c1"), &json!(0.0)));
    assert_eq!(told["moves"].as_array().unwrap().len(), 6);
    let lost = told["moves"].as_array().unwrap().iter().filter(|mv| mv["value"] == -1.0).count();
    assert_eq!(lost, 5, "{told}");
    let adviser = site.told("/api/study", &json!({ "game": "tictactoe" }));
    assert_eq!(adviser["agent"], "perfect");
    let asked = json!({ "game": "connect4", "agent": "mcts:iterations=300", "line": 3 });
    let tried = site.told("/api/study", &asked);
    assert_eq!(tried["visits"], 300);
    assert!(tried["depth"].as_u64().unwrap() > 1 && tried["values"][1].is_number(), "{tried}");
    let asked = json!({ "game": "nim:players=3", "agent": "maxn:depth=3" });
    assert_eq!(site.told("/api/study", &asked)["depth"], 3);
}

#[test]
fn agents_think_no_longer_than_they_may() {
    let site = TestServer::new();
    for agent in ["alphabeta:depth=40", "maxn:depth=40", "mcts:iterations=200000"] {
        let begun = std::time::Instant::now();
        let asked = json!({ "game": "othello", "agent": agent, "seconds": 0.2 });
        let told = site.told("/api/choose", &asked);
        assert!(told["move"].is_string());
        assert!(begun.elapsed().as_secs_f64() < 10.0, "{agent}: {:?}", begun.elapsed());
    }
}

#[test]
fn opinions_are_laid_side_by_side() {
    let site = TestServer::new();
    let agents = json!(["perfect", "mcts:iterations=50"]);
    let asked = json!({ "game": "tictactoe", "played": ["a1"], "agents": agents });
    let told = site.told("/api/opinions", &asked);
    assert_eq!(told["opinions"].as_array().unwrap().len(), 2);
    assert_eq!(told["moves"].as_array().unwrap().len(), 8);
    assert!(told["moves"][0]["spread"].is_number() && told["agree"].is_boolean());
    let alone = with(asked, json!({ "agents": ["perfect"] }));
    assert_eq!(site.post("/api/opinions", &alone).value()["error"]["field"], "agents");
}

#[test]
fn the_mistakes_of_a_game_are_marked() {
    let site = TestServer::new();
    // The second move loses, the third lets the other off.
    let played = json!(["b2", "b1", "a2", "c2", "a1", "c3", "a3"]);
    let told = site.told("/api/review", &json!({ "game": "tictactoe", "played": played }));
    assert_eq!((&told["judge"], &told["exact"]), (&json!("perfect"), &json!(true)));
    assert_eq!(told["points"].as_array().unwrap().len(), 8);
    assert_eq!(told["moves"][1]["mark"], "blunder", "{told}");
    assert_eq!(told["points"][0]["values"], json!([0.0, 0.0]));
    assert_eq!(told["complete"], true);
    let last = told["points"].as_array().unwrap().last().unwrap();
    assert_eq!(last["values"], json!([1.0, -1.0]));
}

#[test]
fn agents_are_listed_with_reasons_why_not() {
    let site = TestServer::new();
    let told = site.get("/api/agents?game=nim%3Aplayers%3D3").json();
    let of = |name: &str| {
        let agents = told["agents"].as_array().unwrap();
        agents.iter().find(|agent| agent["name"] == name).unwrap().clone()
    };
    assert_eq!(of("alphabeta")["fits"], false);
    assert!(of("alphabeta")["reason"].as_str().unwrap().contains("two players"));
    assert_eq!((&of("mcts")["fits"], &of("gtp")["fits"]), (&json!(true), &json!(false)));
    assert_eq!(told["adviser"], "perfect");
    assert!(told["levels"].as_array().unwrap().len() >= 5);
}
