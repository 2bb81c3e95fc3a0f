//! Perfect play in small games, by looking at every state once.

use crate::pick;
use ludens_core::{Agent, Cancellation, Choice, Forfeit, Game, Move, Rewards, Rng, Turn};
use std::collections::HashMap;

/// Knows the value of every state for every player.
///
/// Each player maximises its own rewards and plays the first of equal moves. For games without
/// chance and without repeated states, and with few states.
#[derive(Clone, Debug)]
pub struct Exhaustive<G: Game> {
    known: HashMap<G::State, Rewards>,
    ticks: u32,
    /// Whether the search was cancelled; its results are then invalid.
    cancelled: bool,
}

impl<G: Game> Exhaustive<G> {
    /// Looks at every state that can be reached.
    pub fn new(game: &G) -> Exhaustive<G> {
        let mut expert = Exhaustive { known: HashMap::new(), ticks: 0, cancelled: false };
        expert.value(game, &game.start());
        expert
    }

    /// The reward of each player from `state` on.
    pub fn value(&mut self, game: &G, state: &G::State) -> Rewards {
        let Turn::Player(mover) = game.turn(state) else { return Rewards::NONE };
        if let Some(known) = self.known.get(state) {
            return *known;
        }
        if self.is_cancelled() {
            return Rewards::NONE;
        }
        let mut legal = Vec::new();
        game.legal_moves(state, &mut legal);
        let mut best: Option<Rewards> = None;
        for &mv in &legal {
            let value = self.move_value(game, state, mv);
            if best.is_none_or(|best| value[mover] > best[mover]) {
                best = Some(value);
            }
        }
        let best = best.expect("a player to move has a move");
        if !self.cancelled {
            self.known.insert(state.clone(), best);
        }
        best
    }

    fn is_cancelled(&mut self) -> bool {
        self.ticks = self.ticks.wrapping_add(1);
        self.cancelled |= self.ticks.is_multiple_of(256) && Cancellation::requested();
        self.cancelled
    }

    fn move_value(&mut self, game: &G, state: &G::State, mv: Move) -> Rewards {
        let mut next = state.clone();
        let gained = game.play(&mut next, mv);
        gained + self.value(game, &next)
    }

    fn evaluate_moves(&mut self, game: &G, state: &G::State) -> (Vec<Move>, Vec<f32>) {
        let Turn::Player(mover) = game.turn(state) else {
            unreachable!("agents are asked on a player's turn only")
        };
        self.cancelled = false;
        let mut legal = Vec::new();
        game.legal_moves(state, &mut legal);
        let values = legal.iter().map(|&mv| self.move_value(game, state, mv)[mover]).collect();
        (legal, values)
    }
}

impl<G: Game> Agent<G> for Exhaustive<G> {
    fn choose(&mut self, game: &G, state: &G::State, rng: &mut Rng) -> Result<Choice, Forfeit> {
        let (legal, values) = self.evaluate_moves(game, state);
        Cancellation::check()?;
        Ok(pick::best(&legal, &values, rng))
    }

    fn move_values(&mut self, game: &G, state: &G::State, _: &mut Rng) -> Option<Vec<f32>> {
        let values = self.evaluate_moves(game, state).1;
        Cancellation::check().is_ok().then_some(values)
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use ludens_core::{Notation, Params, Player};
    use ludens_games::{Nim, TicTacToe};

    #[test]
    fn tictactoe_is_a_draw_and_has_4520_states_with_a_move() {
        let mut expert = Exhaustive::new(&TicTacToe);
        assert_eq!(expert.value(&TicTacToe, &TicTacToe.start()).first(2), [0.0, 0.0]);
        // 5,478 states, of which 958 are over.
        assert_eq!(expert.known.len(), 4_520);
    }

    #[test]
    fn three_players_share_one_and_a_fifth() {
        let chosen = "nim:players=3".parse::<Params>().unwrap().check(Nim::SETTINGS).unwrap();
        let game = Nim::configure(&chosen).unwrap();
        let value = Exhaustive::new(&game).value(&game, &game.start());
        let sum: f32 = Player::all(3).map(|player| value[player]).sum();
        assert!((sum - 1.2).abs() < 1e-6, "{value:?}");
    }
}
