//! One constructor per agent, from its settings.

use super::{AgentTable, OpenResult};
use crate::champions::CHAMPION;
use crate::plugins;
use crate::training::open_value;
use ludens_core::{Chosen, Invalid, Params, RandomAgent, TrainableGame, ValueFunction};
use ludens_search::{
    AlphaBeta, Decay, EndgameRandom, FinalMoveRule, Greedy, Gtp, GtpSettings, Level, MaxN, Mcts,
    MctsSettings, SearchLimits,
};
use std::time::Duration;

/// Deeper than any game lasts that can be searched.
const NO_END: u32 = 1000;

pub(super) fn alphabeta<G: TrainableGame>(
    chosen: &Chosen,
    table: &AgentTable<'_, G>,
) -> OpenResult<G> {
    if table.game.has_chance() {
        let what = format!("alphabeta plays games without chance; chance acts in {}", G::NAME);
        return Err(Invalid(format!("{what}; expectimax looks ahead there")));
    }
    let players = table.game.num_players();
    if players != 2 {
        let what = format!("alphabeta plays games of two players; {} has {players}", G::NAME);
        return Err(Invalid(format!("{what}; maxn looks ahead there")));
    }
    let time = chosen.maybe_number("time").map(Duration::from_secs_f64);
    let depth = chosen.maybe_integer("depth").map(|depth| depth as u32);
    let depth = depth.unwrap_or(if time.is_some() { NO_END } else { 6 });
    Ok(Box::new(AlphaBeta::new(SearchLimits { depth, time }, maybe_value(chosen, table)?)))
}

pub(super) fn champion<G: TrainableGame>(_: &Chosen, table: &AgentTable<'_, G>) -> OpenResult<G> {
    Ok(Box::new(Greedy::new(open_value(table.game, CHAMPION)?)))
}

pub(super) fn decay<G: TrainableGame>(chosen: &Chosen, table: &AgentTable<'_, G>) -> OpenResult<G> {
    Ok(Box::new(Decay::new(chosen.number("p") as f32, nested(chosen, table)?)))
}

pub(super) fn endgame_random<G: TrainableGame>(
    chosen: &Chosen,
    _: &AgentTable<'_, G>,
) -> OpenResult<G> {
    Ok(Box::new(EndgameRandom::new(chosen.count("depth") as u32)))
}

pub(super) fn epsilon<G: TrainableGame>(
    chosen: &Chosen,
    table: &AgentTable<'_, G>,
) -> OpenResult<G> {
    Ok(Box::new(Decay::new(chosen.number("epsilon") as f32, nested(chosen, table)?)))
}

pub(super) fn expectimax<G: TrainableGame>(
    chosen: &Chosen,
    table: &AgentTable<'_, G>,
) -> OpenResult<G> {
    Ok(Box::new(MaxN::new(chosen.count("depth") as u32, maybe_value(chosen, table)?)))
}

pub(super) fn greedy<G: TrainableGame>(
    chosen: &Chosen,
    table: &AgentTable<'_, G>,
) -> OpenResult<G> {
    let value = maybe_value(chosen, table)?.ok_or_else(|| {
        Invalid("greedy: expected a file, such as greedy:value=runs/a/value.safetensors".into())
    })?;
    Ok(Box::new(Greedy::new(value)))
}

pub(super) fn gtp<G: TrainableGame>(chosen: &Chosen, table: &AgentTable<'_, G>) -> OpenResult<G> {
    let timeout = Duration::from_secs_f64(chosen.number("timeout"));
    let command = chosen.text("command").unwrap_or_default().to_owned();
    let engine = Gtp::start(GtpSettings { command, timeout }, table.game);
    Ok(Box::new(engine.map_err(|e| e.about("gtp"))?))
}

pub(super) fn human<G: TrainableGame>(_: &Chosen, table: &AgentTable<'_, G>) -> OpenResult<G> {
    let seat = table.hooks.human.ok_or_else(|| Invalid("a human plays in `ludens play`".into()))?;
    Ok(seat())
}

pub(super) fn level<G: TrainableGame>(chosen: &Chosen, table: &AgentTable<'_, G>) -> OpenResult<G> {
    let agent = nested(chosen, table)?;
    let text = chosen.text("agent").unwrap_or_default();
    if !reports_move_values(text) {
        let what = format!("level: {text} does not tell what each move is worth");
        return Err(Invalid(format!(
            "{what}; known: alphabeta, champion, expectimax, greedy, maxn, mcts"
        )));
    }
    Ok(Box::new(Level::new(chosen.number("strength") as f32, agent)))
}

pub(super) fn maxn<G: TrainableGame>(chosen: &Chosen, table: &AgentTable<'_, G>) -> OpenResult<G> {
    if table.game.has_chance() {
        let what = format!("maxn plays games without chance; chance acts in {}", G::NAME);
        return Err(Invalid(format!("{what}; expectimax looks ahead there")));
    }
    expectimax(chosen, table)
}

pub(super) fn mcts<G: TrainableGame>(chosen: &Chosen, table: &AgentTable<'_, G>) -> OpenResult<G> {
    let value = maybe_value(chosen, table)?;
    let time = chosen.maybe_number("time").map(Duration::from_secs_f64);
    let plain = MctsSettings::default();
    let usual = if time.is_some() { u64::MAX } else { plain.iterations };
    let guided = value.is_some();
    let settings = MctsSettings {
        iterations: chosen.maybe_integer("iterations").map_or(usual, |n| n as u64),
        time,
        c: chosen.maybe_number("c").map_or(if guided { 1.0 } else { plain.c }, |c| c as f32),
        rollout: chosen.count("rollout") as u32,
        depth: chosen.maybe_integer("tree-depth").map_or(plain.depth, |depth| depth as u32),
        reuse: chosen.flag("reuse"),
        plays: match chosen.choice("plays") {
            "visits" => FinalMoveRule::Visits,
            "auto" if guided => FinalMoveRule::Visits,
            _ => FinalMoveRule::Value,
        },
        temperature: chosen.number("temperature") as f32,
        proves: match chosen.choice("prove") {
            "auto" => guided,
            choice => choice == "on",
        },
    };
    Ok(Box::new(Mcts::new(settings, value)))
}

pub(super) fn random<G: TrainableGame>(_: &Chosen, _: &AgentTable<'_, G>) -> OpenResult<G> {
    Ok(Box::new(RandomAgent::default()))
}

/// Whether the agent, or the agent that it wraps, reports move values.
fn reports_move_values(text: &str) -> bool {
    let Ok(params) = text.parse::<Params>() else { return false };
    match params.get("agent") {
        Some(inner) => reports_move_values(inner),
        None => !["random", "endgame-random", "gtp", "human"].contains(&params.name.as_str()),
    }
}

fn nested<G: TrainableGame>(chosen: &Chosen, table: &AgentTable<'_, G>) -> OpenResult<G> {
    let name = chosen.name();
    let text = chosen.text("agent").ok_or_else(|| {
        Invalid(format!("{name}: expected agent=..., such as {name}:agent=random"))
    })?;
    table.open(text).map_err(|e| e.about(name))
}

fn maybe_value<G: TrainableGame>(
    chosen: &Chosen,
    table: &AgentTable<'_, G>,
) -> Result<Option<Box<dyn ValueFunction<G>>>, Invalid> {
    let open = |path| {
        let opened = match path {
            CHAMPION => open_value(table.game, CHAMPION),
            _ => match plugins::value(path) {
                Some(value) => Ok(value),
                None => (table.hooks.value)(table.game, path),
            },
        };
        opened.map_err(|e| e.about(chosen.name()))
    };
    chosen.text("value").map(open).transpose()
}
