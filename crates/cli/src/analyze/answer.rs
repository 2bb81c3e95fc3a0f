//! The replies of `ludens analyze`.

use super::opened::OpenedAgents;
use super::question::{AnalysisQuery, QueryDefaults, QueryError};
use ludens_core::{Move, Turn};
use ludens_registry::Analysis;
use serde::Serialize;
use serde_json::Value;
use std::time::Instant;

/// The answer to a question.
#[derive(Serialize)]
struct AnalysisReply {
    id: Value,
    state: String,
    /// The player to move, counted from one; `None` if the game is over.
    player: Option<u8>,
    #[serde(rename = "move")]
    mv: Option<String>,
    value: Option<f32>,
    visits: Option<u64>,
    /// The best first.
    moves: Vec<MoveAnalysis>,
    line: Vec<String>,
    seconds: f64,
}

/// A legal move with the agent's value.
#[derive(Serialize)]
struct MoveAnalysis {
    #[serde(rename = "move")]
    mv: String,
    value: Option<f32>,
    visits: Option<u64>,
}

/// The reply to an invalid query.
#[derive(Serialize)]
struct AnalysisRefusal {
    id: Value,
    error: String,
    #[serde(skip_serializing_if = "Option::is_none")]
    field: Option<String>,
}

/// The answer to one line, as one line.
pub(super) fn answer(line: &str, defaults: &QueryDefaults, opened: &mut OpenedAgents) -> String {
    let written = match study(line, defaults, opened) {
        Ok(answer) => serde_json::to_string(&answer),
        Err(QueryError { field, error }) => {
            serde_json::to_string(&AnalysisRefusal { id: id_of(line), error, field })
        }
    };
    written.expect("texts and numbers can be written")
}

/// The id of a question that may be wrong otherwise.
fn id_of(line: &str) -> Value {
    let whole: Option<Value> = serde_json::from_str(line).ok();
    whole.and_then(|question| question.get("id").cloned()).unwrap_or_default()
}

fn study(
    line: &str,
    defaults: &QueryDefaults,
    opened: &mut OpenedAgents,
) -> Result<AnalysisReply, QueryError> {
    let question = AnalysisQuery::parse(line)?;
    let start = Instant::now();
    let live = opened.seat(question.position(defaults)?)?;
    let legal = live.legal();
    let opinion = live.study(question.line.max(1));
    let player = match live.turn() {
        Turn::Player(player) => Some(player.0 + 1),
        _ => None,
    };
    let Analysis { values, visits, mut line, .. } = opinion.unwrap_or_default();
    if line.is_empty() && player.is_some() {
        let advice = live.choose().map_err(|e| QueryError { field: None, error: e.to_string() })?;
        line.push(advice.text);
    }
    let moves = judged(legal, values.as_deref(), visits.as_deref());
    let best = line.first().cloned();
    let chosen = moves.iter().find(|judged| Some(&judged.mv) == best.as_ref());
    Ok(AnalysisReply {
        id: question.id,
        state: live.state_text(),
        player,
        value: chosen.and_then(|judged| judged.value),
        mv: best,
        visits: visits.map(|visits| visits.iter().sum()),
        moves,
        line,
        seconds: start.elapsed().as_secs_f64(),
    })
}

/// The legal moves with what the agent says of them, the best first.
fn judged(
    legal: Vec<(Move, String)>,
    values: Option<&[f32]>,
    visits: Option<&[u64]>,
) -> Vec<MoveAnalysis> {
    let judged = |(i, (_, mv)): (usize, (_, String))| MoveAnalysis {
        mv,
        value: values.map(|values| values[i]),
        visits: visits.map(|visits| visits[i]),
    };
    let mut moves: Vec<MoveAnalysis> = legal.into_iter().enumerate().map(judged).collect();
    let of = |judged: &MoveAnalysis| judged.value.unwrap_or(0.0);
    moves.sort_by(|a, b| of(b).total_cmp(&of(a)).then(b.visits.cmp(&a.visits)));
    moves
}

#[cfg(test)]
mod tests {
    use super::*;
    use ludens_registry::champions;

    fn reply(line: &str) -> Value {
        reply_of(line, &mut OpenedAgents::default())
    }

    fn reply_of(line: &str, opened: &mut OpenedAgents) -> Value {
        let defaults = QueryDefaults { game: None, agent: "maxn:depth=9".into() };
        serde_json::from_str(&answer(line, &defaults, opened)).unwrap()
    }

    #[test]
    fn a_value_is_read_once_for_many_questions() {
        let file = std::env::temp_dir().join(format!("ludens-once-{}.value", std::process::id()));
        let champion = champions().iter().find(|champion| champion.name == "tictactoe").unwrap();
        std::fs::write(&file, champion.bytes).unwrap();
        let agent = format!("greedy:{}", file.display());
        let line = format!(r#"{{"game":"tictactoe","agent":"{agent}","moves":"a1 b2"}}"#);
        let opened = &mut OpenedAgents::default();
        let first = reply_of(&line, opened);
        std::fs::remove_file(&file).unwrap();
        assert!(first["value"].is_number(), "{first}");
        assert_eq!(reply_of(&line, opened)["moves"], first["moves"]);
    }

    #[test]
    fn questions_do_not_depend_on_those_before() {
        let line = |moves| {
            format!(r#"{{"game":"connect4","agent":"mcts:iterations=200","moves":"{moves}"}}"#)
        };
        let opened = &mut OpenedAgents::default();
        for moves in ["44", "4455", "443355", "44"] {
            let (after_others, alone) = (reply_of(&line(moves), opened), reply(&line(moves)));
            assert_eq!(after_others["moves"], alone["moves"], "{moves}");
        }
    }

    #[test]
    fn every_legal_move_is_judged_the_best_first() {
        let reply = reply(r#"{"id":7,"game":"tictactoe","moves":["a1","b2","b1"],"line":3}"#);
        assert_eq!(
            (&reply["id"], &reply["player"], &reply["move"]),
            (&7.into(), &2.into(), &"c1".into())
        );
        assert_eq!(reply["moves"].as_array().unwrap().len(), 6);
        assert_eq!(reply["moves"][0]["move"], "c1");
        assert_eq!(reply["line"].as_array().unwrap().len(), 3);
        assert!(reply["visits"].is_null());
    }

    #[test]
    fn tries_are_counted_and_limited() {
        let line = r#"{"id":"x","game":"connect4","moves":"4455","agent":"mcts",
                       "limits":{"iterations":300}}"#;
        let reply = reply(&line.replace('\n', " "));
        assert_eq!(reply["visits"], 300);
        let best: u64 = reply["moves"][0]["visits"].as_u64().unwrap();
        assert!(best > 0 && !reply["line"].as_array().unwrap().is_empty(), "{reply}");
    }

    #[test]
    fn a_game_that_is_over_has_no_moves() {
        let reply = reply(r#"{"id":1,"game":"tictactoe","moves":"a1 a2 b1 b2 c1"}"#);
        assert!(reply["player"].is_null() && reply["move"].is_null());
        assert_eq!(reply["moves"], Value::Array(Vec::new()));
    }

    #[test]
    fn errors_name_the_field_and_keep_the_id() {
        for (line, field) in [
            (r#"{"id":"q","moves":[]}"#, "game"),
            (r#"{"id":"q","game":"chess"}"#, "game"),
            (r#"{"id":"q","game":"tictactoe","moves":["a1","a1"]}"#, "moves[1]"),
            (r#"{"id":"q","game":"tictactoe","state":"?"}"#, "state"),
            (r#"{"id":"q","game":"tictactoe","agent":"mxn"}"#, "agent"),
            (r#"{"id":"q","game":"tictactoe","limits":{"time":1}}"#, "limits.time"),
            (r#"{"id":"q","game":"tictactoe","limits":{"depth":"x"}}"#, "limits.depth"),
            (r#"{"id":"q","game":"tictactoe","move":"a1"}"#, "move"),
        ] {
            let reply = reply(line);
            assert_eq!((&reply["id"], &reply["field"]), (&"q".into(), &field.into()), "{reply}");
            assert!(!reply["error"].as_str().unwrap().is_empty());
        }
        assert!(reply("no json")["id"].is_null());
    }
}
