//! Agents that play one specific game.

use super::{AgentTable, OpenResult};
use ludens_core::{Agent, CellBoard, Chosen, Game, Invalid, Notation, TrainableGame};
use ludens_experts::connect4::{Style, default_cache};
use ludens_experts::{BENCH, Exhaustive, HEUR, Multiples, NimSum, PerfectConnect4, Positional};
use ludens_games::{Connect4, Nim, Nimm3, Othello, TicTacToe};
use std::any::Any;

/// The maximum number of states of a three-player game that exhaustive search visits.
const MOST_STATES: usize = 1_000_000;

pub(super) fn bench<G: TrainableGame>(_: &Chosen, table: &AgentTable<'_, G>) -> OpenResult<G> {
    positional(table, &BENCH)
}

pub(super) fn heur<G: TrainableGame>(_: &Chosen, table: &AgentTable<'_, G>) -> OpenResult<G> {
    positional(table, &HEUR)
}

pub(super) fn perfect<G: TrainableGame>(
    chosen: &Chosen,
    table: &AgentTable<'_, G>,
) -> OpenResult<G> {
    let style = match chosen.choice("style") {
        "ab" => Style::Ab,
        "thill" => Style::Thill,
        _ => Style::AbDl,
    };
    let game = table.game;
    let opened = known(game, |game: &TicTacToe| Ok(Box::new(Exhaustive::new(game))))
        .or_else(|| known(game, |_: &Nimm3| Ok(Box::new(Multiples))))
        .or_else(|| known(game, nim))
        .or_else(|| known(game, |game| connect4(game, style)));
    opened.unwrap_or_else(|| {
        let known = [Connect4::NAME, Nim::NAME, Nimm3::NAME, TicTacToe::NAME].join(", ");
        Err(Invalid(format!("nobody plays {} perfectly; solved are {known}", G::NAME)))
    })
}

pub(super) fn ab<G: TrainableGame>(_: &Chosen, table: &AgentTable<'_, G>) -> OpenResult<G> {
    solver(table, Style::Ab)
}

pub(super) fn ab_dl<G: TrainableGame>(chosen: &Chosen, table: &AgentTable<'_, G>) -> OpenResult<G> {
    solver(table, if chosen.choice("as") == "gbg" { Style::AbDlGbg } else { Style::AbDl })
}

pub(super) fn exact<G: TrainableGame>(_: &Chosen, table: &AgentTable<'_, G>) -> OpenResult<G> {
    solver(table, Style::AbDl)
}

pub(super) fn thill<G: TrainableGame>(chosen: &Chosen, table: &AgentTable<'_, G>) -> OpenResult<G> {
    solver(table, if chosen.choice("as") == "c4gpf" { Style::ThillC4gpf } else { Style::Thill })
}

fn solver<G: TrainableGame>(table: &AgentTable<'_, G>, style: Style) -> OpenResult<G> {
    let opened = known(table.game, |game| connect4(game, style));
    opened.unwrap_or_else(|| Err(Invalid(format!("it plays connect4, not {}", G::NAME))))
}

fn connect4(game: &Connect4, style: Style) -> OpenResult<Connect4> {
    let mut player = PerfectConnect4::new(game, style)?;
    if let Some(cache) = default_cache() {
        player.use_cache(cache);
    }
    Ok(Box::new(player))
}

fn nim(game: &Nim) -> OpenResult<Nim> {
    if game.num_players() == 2 {
        return Ok(Box::new(NimSum::new(game)?));
    }
    let states: usize = game.layout().values.iter().map(|&values| usize::from(values)).product();
    if states > MOST_STATES {
        return Err(Invalid(format!("{states} states are too many to look at one by one")));
    }
    Ok(Box::new(Exhaustive::new(game)))
}

fn positional<G: TrainableGame>(
    table: &AgentTable<'_, G>,
    weights: &'static [i16; 64],
) -> OpenResult<G> {
    let opened = known(table.game, |game: &Othello| Ok(Box::new(Positional::new(game, weights)?)));
    opened.unwrap_or_else(|| Err(Invalid(format!("it plays othello, not {}", G::NAME))))
}

/// The agent that `make` makes if `game` is a game of the type it knows.
fn known<G: TrainableGame, H: TrainableGame>(
    game: &G,
    make: impl FnOnce(&H) -> OpenResult<H>,
) -> Option<OpenResult<G>> {
    let same = (game as &dyn Any).downcast_ref::<H>()?;
    Some(make(same).map(|agent| {
        let agent: Box<dyn Any> = Box::new(agent);
        *agent.downcast::<Box<dyn Agent<G>>>().expect("both are the same game")
    }))
}
