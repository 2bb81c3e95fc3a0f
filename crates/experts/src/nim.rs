//! Perfect Nim between two.

use crate::pick;
use ludens_core::{Agent, CellBoard, Choice, Forfeit, Game, Invalid, Move, Player, Rng};
use ludens_games::Nim;

/// Plays to a nim-sum of zero (Bouton 1901).
///
/// If at most `take` pieces may be taken at once, a heap counts modulo `take + 1`.
#[derive(Clone, Debug)]
pub struct NimSum {
    take: u8,
    heaps: Vec<u8>,
}

impl NimSum {
    /// A player of this game.
    ///
    /// # Errors
    ///
    /// If more than two play: the nim-sum decides between two.
    pub fn new(game: &Nim) -> Result<NimSum, Invalid> {
        if game.num_players() != 2 {
            let players = game.num_players();
            return Err(Invalid(format!("the nim-sum decides between two players, not {players}")));
        }
        let heaps = game.layout().num_cells();
        Ok(NimSum { take: (game.num_moves() / heaps) as u8, heaps: vec![0; heaps] })
    }

    /// The value of each legal move: 1 if it leaves a nim-sum of zero, else -1.
    fn evaluate_moves(
        &mut self,
        game: &Nim,
        state: &<Nim as Game>::State,
    ) -> (Vec<Move>, Vec<f32>) {
        let mut legal = Vec::new();
        game.legal_moves(state, &mut legal);
        let value = |&mv: &Move| {
            let mut next = *state;
            game.play(&mut next, mv);
            game.read_cells(&next, Player(0), &mut self.heaps);
            let sum = self.heaps.iter().fold(0, |sum, heap| sum ^ (heap % (self.take + 1)));
            if sum == 0 { 1.0 } else { -1.0 }
        };
        let values = legal.iter().map(value).collect();
        (legal, values)
    }
}

impl Agent<Nim> for NimSum {
    fn choose(
        &mut self,
        game: &Nim,
        state: &<Nim as Game>::State,
        rng: &mut Rng,
    ) -> Result<Choice, Forfeit> {
        let (legal, values) = self.evaluate_moves(game, state);
        Ok(pick::best(&legal, &values, rng))
    }

    fn move_values(
        &mut self,
        game: &Nim,
        state: &<Nim as Game>::State,
        _: &mut Rng,
    ) -> Option<Vec<f32>> {
        Some(self.evaluate_moves(game, state).1)
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::Exhaustive;
    use ludens_core::{Notation, Params, Turn};

    fn nim(text: &str) -> Nim {
        Nim::configure(&text.parse::<Params>().unwrap().check(Nim::SETTINGS).unwrap()).unwrap()
    }

    #[test]
    fn every_value_met_in_random_games_is_what_exhaustive_search_finds() {
        for text in ["nim", "nim:heaps=4,size=4,take=3", "nim:heaps=2,size=9,take=2"] {
            let (game, rng) = (nim(text), &mut Rng::seeded(1));
            let (mut expert, mut truth) = (NimSum::new(&game).unwrap(), Exhaustive::new(&game));
            for _ in 0..50 {
                let mut state = game.start();
                while game.turn(&state) != Turn::Over {
                    let found = expert.move_values(&game, &state, rng);
                    assert_eq!(found, truth.move_values(&game, &state, rng));
                    let mv = game.random_move(&state, rng, &mut Vec::new());
                    game.play(&mut state, mv);
                }
            }
        }
    }

    #[test]
    fn three_players_are_refused() {
        let refused = NimSum::new(&nim("nim:players=3")).unwrap_err().to_string();
        assert_eq!(refused, "the nim-sum decides between two players, not 3");
    }
}
