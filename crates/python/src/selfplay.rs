//! Games of an agent against itself, as arrays to learn from.

use crate::errors::{Failed, Invalid, raised};
use crate::game::PyGame;
use crate::work::{GameCounter, InterruptCheck, supervised};
use ludens_core::{Forfeit, Player, Record, Rewards, Rng, Turn};
use ludens_registry::arena::{Workload, in_parallel};
use ludens_registry::{AnyGame, LiveGame};
use numpy::{PyArray1, PyArrayMethods};
use pyo3::prelude::*;
use pyo3::types::PyDict;
use std::sync::{Mutex, PoisonError};

/// The settings of self-play.
#[derive(FromPyObject)]
#[pyo3(from_item_all)]
pub(crate) struct SelfPlaySettings {
    agent: String,
    games: usize,
    seed: u64,
    threads: usize,
}

/// The positions of one or more games, one after the other.
#[derive(Default)]
struct Positions {
    cells: Vec<u8>,
    masks: Vec<bool>,
    moves: Vec<i64>,
    players: Vec<i8>,
    values: Vec<f32>,
    outcomes: Vec<f32>,
    games: Vec<i64>,
    rewards: Vec<f32>,
}

/// Lets an agent play against itself, and returns what it met as a dictionary of arrays.
#[pyfunction]
pub(crate) fn selfplay<'py>(
    py: Python<'py>,
    game: &PyGame,
    wish: SelfPlaySettings,
    progress: Option<Py<PyAny>>,
) -> PyResult<Bound<'py, PyDict>> {
    let rules = &*game.rules;
    // Refuses an agent that cannot play, and keeps what all games share in memory.
    let _shared = raised(seated(rules, &wish.agent))?;
    let interrupts = InterruptCheck::new();
    let count = GameCounter::new(&interrupts, progress.as_ref());
    let forfeit = Mutex::new(None);
    let games = supervised(py, || {
        let workload = Workload { threads: wish.threads, progress: &count };
        workload.progress.expect(wish.games);
        let worker = || seated(rules, &wish.agent);
        in_parallel(workload, 0..wish.games, worker, |worker, index| {
            let live = worker.as_mut().ok()?;
            let played = play_game(rules, &mut **live, wish.seed, index);
            let note =
                |reason| *forfeit.lock().unwrap_or_else(PoisonError::into_inner) = Some(reason);
            played.map_err(note).ok()
        })
    })?;
    interrupts.result()?;
    if let Some(Forfeit(reason)) = forfeit.into_inner().unwrap_or_else(PoisonError::into_inner) {
        return Err(Failed::new_err(reason));
    }
    joined(games.into_iter().flatten()).into_arrays(py, rules)
}

/// A game with the agent seated for every player.
fn seated(rules: &dyn AnyGame, agent: &str) -> Result<Box<dyn LiveGame>, ludens_core::Invalid> {
    let mut live = rules.live(0);
    Player::all(rules.info().players).try_for_each(|player| live.seat(player, agent))?;
    Ok(live)
}

fn play_game(
    rules: &dyn AnyGame,
    live: &mut dyn LiveGame,
    seed: u64,
    index: usize,
) -> Result<Positions, Forfeit> {
    let info = rules.info();
    live.reseed(Rng::derived(seed, "self-play", index as u64).bits());
    live.replay(&Record::default()).map_err(|e| Forfeit(e.to_string()))?;
    let (mut found, mut gained) = (Positions::default(), Vec::new());
    while let Turn::Player(player) = live.turn() {
        found.read(&*live, info.width * info.height, info.moves);
        let advice = live.choose()?;
        found.players.push(player.0 as i8);
        found.moves.push(i64::from(advice.choice.mv.0));
        found.values.push(advice.choice.value.unwrap_or(f32::NAN));
        found.games.push(index as i64);
        gained.push((player, live.rewards()));
        live.play(&advice.text).map_err(|e| Forfeit(e.to_string()))?;
    }
    let end = live.rewards();
    let outcome = |(player, before): &(Player, Rewards)| end[*player] - before[*player];
    found.outcomes = gained.iter().map(outcome).collect();
    found.rewards = end.first(info.players).to_vec();
    Ok(found)
}

fn joined(games: impl Iterator<Item = Positions>) -> Positions {
    games.fold(Positions::default(), |mut all, game| {
        all.cells.extend(game.cells);
        all.masks.extend(game.masks);
        all.moves.extend(game.moves);
        all.players.extend(game.players);
        all.values.extend(game.values);
        all.outcomes.extend(game.outcomes);
        all.games.extend(game.games);
        all.rewards.extend(game.rewards);
        all
    })
}

impl Positions {
    /// Adds the cells and the legal moves of the current state.
    fn read(&mut self, live: &dyn LiveGame, cells: usize, moves: usize) {
        let (first_cell, first_move) = (self.cells.len(), self.masks.len());
        self.cells.resize(first_cell + cells, 0);
        self.masks.resize(first_move + moves, false);
        live.read_cells(None, &mut self.cells[first_cell..]);
        live.read_legal(&mut self.masks[first_move..]);
    }

    fn into_arrays<'py>(
        self,
        py: Python<'py>,
        rules: &dyn AnyGame,
    ) -> PyResult<Bound<'py, PyDict>> {
        let info = rules.info();
        let count = self.moves.len();
        if count == 0 {
            return Err(Invalid::new_err(format!("nobody moves in {}", info.spec)));
        }
        let arrays = PyDict::new(py);
        let cells = PyArray1::from_vec(py, self.cells);
        arrays.set_item("cells", cells.reshape([count, info.height, info.width])?)?;
        let masks = PyArray1::from_vec(py, self.masks);
        arrays.set_item("masks", masks.reshape([count, info.moves])?)?;
        arrays.set_item("moves", PyArray1::from_vec(py, self.moves))?;
        arrays.set_item("players", PyArray1::from_vec(py, self.players))?;
        arrays.set_item("values", PyArray1::from_vec(py, self.values))?;
        arrays.set_item("outcomes", PyArray1::from_vec(py, self.outcomes))?;
        arrays.set_item("games", PyArray1::from_vec(py, self.games))?;
        let games = self.rewards.len() / info.players;
        let rewards = PyArray1::from_vec(py, self.rewards);
        arrays.set_item("rewards", rewards.reshape([games, info.players])?)?;
        Ok(arrays)
    }
}
