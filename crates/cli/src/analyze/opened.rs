//! The agents that answer, each opened once for many questions.

use super::question::{Position, QueryError};
use ludens_core::{Player, Turn};
use ludens_registry::LiveGame;

/// Agents that stay open; the one that was used longest ago makes room.
const MOST: usize = 4;

/// The agents of one thread, each at the board of its game.
#[derive(Default)]
pub(super) struct OpenedAgents {
    /// The latest last.
    boards: Vec<(OpenedKey, Box<dyn LiveGame>)>,
}

/// Which agent sits where.
#[derive(PartialEq)]
struct OpenedKey {
    game: String,
    agent: String,
    player: Option<Player>,
}

impl OpenedAgents {
    /// The position with its agent seated for the player to move.
    pub(super) fn seat(&mut self, position: Position) -> Result<&mut dyn LiveGame, QueryError> {
        let Position { game, agent, seed, live } = position;
        let player = match live.turn() {
            Turn::Player(player) => Some(player),
            Turn::Chance | Turn::Over => None,
        };
        let key = OpenedKey { game, agent, player };
        let board = match self.boards.iter().position(|(known, _)| *known == key) {
            Some(at) => self.boards.remove(at).1,
            None => opened(&*live, &key)?,
        };
        self.boards.push((key, board));
        if self.boards.len() > MOST {
            self.boards.remove(0);
        }
        let board = &mut self.boards.last_mut().expect("one was added").1;
        board.reseed(seed);
        board
            .replay(&live.record())
            .map_err(|e| QueryError { field: None, error: e.to_string() })?;
        Ok(&mut **board)
    }
}

/// A board of the same game with the agent seated.
fn opened(live: &dyn LiveGame, key: &OpenedKey) -> Result<Box<dyn LiveGame>, QueryError> {
    let mut board = live.fork();
    if let Some(player) = key.player {
        board.seat(player, &key.agent).map_err(|e| QueryError::field("agent", e))?;
    }
    Ok(board)
}
