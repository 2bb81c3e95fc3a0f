//! Games written in Python, as the other crates see them.
//!
//! Every question costs a call into Python, with the interpreter lock; what was answered once about
//! a state is kept with it. An exception unwinds to where Python called Ludens, and is raised there.

mod data;
mod notation;
mod state;

pub(crate) use data::{GAME_ENTRIES, add_rules, known_rules, list_rules, listed, rules_named};
pub(crate) use state::PythonState;

use crate::errors::Invalid;
use crate::shutdown;
use crate::work::throw;
use data::RuleData;
use ludens_core::{Event, Game, Move, Player, Rewards, Turn};
use ludens_registry::AnyGame;
use pyo3::call::PyCallArgs;
use pyo3::prelude::*;
use state::StateFacts;
use std::sync::Arc;

/// The rules of a game that is written in Python.
#[derive(Clone)]
pub(crate) struct PythonGame {
    book: Arc<RuleData>,
}

/// The object whose rules a game has, if it is written in Python.
pub(crate) fn rules_object(py: Python<'_>, game: &dyn AnyGame) -> Option<Py<PyAny>> {
    let game = game.typed().downcast_ref::<PythonGame>()?;
    Some(game.book.object.clone_ref(py))
}

impl PythonGame {
    /// Asks the rules for something; whatever they raise is thrown.
    fn ask<'py, T>(
        &self,
        py: Python<'py>,
        method: &str,
        args: impl PyCallArgs<'py>,
        read: impl FnOnce(Bound<'py, PyAny>) -> PyResult<T>,
    ) -> T {
        if shutdown::is_closing() {
            // The interpreter is shutting down, so no answer will come.
            std::panic::resume_unwind(Box::new("the program ends"));
        }
        let answer = self.book.object.bind(py).call_method1(method, args);
        let read = |answer: Bound<'py, PyAny>| {
            let kept = answer.clone();
            read(answer).map_err(|error| about(py, method, error, &kept))
        };
        answer.and_then(read).unwrap_or_else(|error| throw(error))
    }

    fn facts<'a>(&self, state: &'a PythonState) -> &'a StateFacts {
        state.facts(|py, object| {
            let turn = self.ask(py, "turn", (object.bind(py),), |turn| self.read_turn(&turn));
            let legal = match turn {
                Turn::Player(_) => self.ask(py, "legal_moves", (object.bind(py),), |legal| {
                    self.read_legal(object.bind(py), &legal)
                }),
                Turn::Chance | Turn::Over => Vec::new(),
            };
            StateFacts { turn, legal }
        })
    }

    /// The legal moves, ascending; what no agent could choose from is refused.
    fn read_legal(
        &self,
        state: &Bound<'_, PyAny>,
        legal: &Bound<'_, PyAny>,
    ) -> PyResult<Vec<Move>> {
        let read = |mv: PyResult<Bound<'_, PyAny>>| Ok(Move(mv?.extract()?));
        let mut moves = legal.try_iter()?.map(read).collect::<PyResult<Vec<Move>>>()?;
        moves.sort_unstable();
        moves.dedup();
        let known = |mv: &Move| (mv.0 as usize) < self.book.moves;
        if moves.last().is_some_and(known) {
            return Ok(moves);
        }
        let last = self.book.moves - 1;
        let expected = format!("one or more ids from 0 to {last}, or None as the turn");
        let found = format!("found {legal:?} in state {state:?}");
        Err(Invalid::new_err(format!("legal_moves: expected {expected}, {found}")))
    }

    fn read_turn(&self, turn: &Bound<'_, PyAny>) -> PyResult<Turn> {
        if turn.is_none() {
            return Ok(Turn::Over);
        }
        if turn.extract::<&str>().is_ok_and(|word| word == "chance") {
            return Ok(Turn::Chance);
        }
        let player = turn.extract::<u8>().ok().filter(|&p| usize::from(p) < self.book.players);
        player.map(|player| Turn::Player(Player(player))).ok_or_else(|| {
            let last = self.book.players - 1;
            let expected = format!("a player from 0 to {last}, ludens.CHANCE or None");
            Invalid::new_err(format!("turn: expected {expected}, found {turn:?}"))
        })
    }

    /// The state and the rewards that `method` returns.
    fn follow(&self, state: &PythonState, method: &str, number: u32) -> (PythonState, Rewards) {
        Python::attach(|py| {
            self.ask(py, method, (state.object().bind(py), number), |pair| {
                let wrong = |_| {
                    let expected = format!("{method}: expected the new state and the rewards");
                    Invalid::new_err(format!("{expected}, found {pair:?}"))
                };
                let (next, rewards): (Bound<'_, PyAny>, Bound<'_, PyAny>) =
                    pair.extract().map_err(wrong)?;
                Ok((PythonState::new(&next)?, self.read_rewards(method, &rewards)?))
            })
        })
    }

    fn read_rewards(&self, method: &str, rewards: &Bound<'_, PyAny>) -> PyResult<Rewards> {
        let mut read = Rewards::NONE;
        if rewards.is_none() {
            return Ok(read);
        }
        let players = self.book.players;
        let right =
            |found: &Vec<f32>| found.len() == players && found.iter().all(|r| r.is_finite());
        let found = rewards.extract::<Vec<f32>>().ok().filter(right).ok_or_else(|| {
            let expected = format!("one finite reward for each of {players} players, or None");
            Invalid::new_err(format!("{method}: expected {expected}, found {rewards:?}"))
        })?;
        read.0[..players].copy_from_slice(&found);
        Ok(read)
    }
}

/// An error about the return value of a method.
fn about(py: Python<'_>, method: &str, error: PyErr, answer: &Bound<'_, PyAny>) -> PyErr {
    let what = error.value(py).to_string();
    let known = what.starts_with(method);
    if known { error } else { Invalid::new_err(format!("{method}: {what}; found {answer:?}")) }
}

impl Game for PythonGame {
    type State = PythonState;

    fn num_players(&self) -> usize {
        self.book.players
    }

    fn num_moves(&self) -> usize {
        self.book.moves
    }

    fn start(&self) -> PythonState {
        Python::attach(|py| self.ask(py, "start", (), |start| PythonState::new(&start)))
    }

    fn turn(&self, state: &PythonState) -> Turn {
        self.facts(state).turn
    }

    fn legal_moves(&self, state: &PythonState, out: &mut Vec<Move>) {
        out.extend_from_slice(&self.facts(state).legal);
    }

    fn play(&self, state: &mut PythonState, mv: Move) -> Rewards {
        let (next, rewards) = state.after(mv, |state| self.follow(state, "play", mv.0));
        *state = next;
        rewards
    }

    fn has_chance(&self) -> bool {
        self.book.chance
    }

    fn events(&self, state: &PythonState, out: &mut Vec<(Event, f32)>) {
        if self.turn(state) != Turn::Chance {
            return;
        }
        let events: Vec<(u32, f32)> = Python::attach(|py| {
            self.ask(py, "events", (state.object().bind(py),), |events| {
                let found = events.try_iter()?.map(|event| event?.extract());
                let found = found.collect::<PyResult<Vec<(u32, f32)>>>()?;
                let sum: f32 = found.iter().map(|(_, probability)| probability).sum();
                if (sum - 1.0).abs() < 1e-3 && found.iter().all(|(_, p)| *p >= 0.0) {
                    return Ok(found);
                }
                let expected = "events: expected probabilities that add up to 1";
                let what = format!("{expected}, found {events:?} in state {state:?}");
                Err(Invalid::new_err(what))
            })
        });
        out.extend(events.into_iter().map(|(event, probability)| (Event(event), probability)));
    }

    fn resolve(&self, state: &mut PythonState, event: Event) -> Rewards {
        let (next, rewards) = self.follow(state, "resolve", event.0);
        *state = next;
        rewards
    }
}
