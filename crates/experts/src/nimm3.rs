//! Perfect Nimm-3.

use crate::pick;
use ludens_core::{Agent, CellBoard, Choice, Forfeit, Game, Move, Player, Rng};
use ludens_games::Nimm3;

/// Leaves a multiple of one more than may be taken at once.
#[derive(Clone, Debug, Default)]
pub struct Multiples;

impl Multiples {
    /// The value of each legal move: 1 if it leaves such a multiple, else -1.
    fn evaluate_moves(game: &Nimm3, state: &<Nimm3 as Game>::State) -> (Vec<Move>, Vec<f32>) {
        let mut legal = Vec::new();
        game.legal_moves(state, &mut legal);
        let value = |&mv: &Move| {
            let (mut next, mut left) = (*state, [0]);
            game.play(&mut next, mv);
            game.read_cells(&next, Player(0), &mut left);
            let multiple = usize::from(left[0]).is_multiple_of(game.num_moves() + 1);
            if multiple { 1.0 } else { -1.0 }
        };
        let values = legal.iter().map(value).collect();
        (legal, values)
    }
}

impl Agent<Nimm3> for Multiples {
    fn choose(
        &mut self,
        game: &Nimm3,
        state: &<Nimm3 as Game>::State,
        rng: &mut Rng,
    ) -> Result<Choice, Forfeit> {
        let (legal, values) = Self::evaluate_moves(game, state);
        Ok(pick::best(&legal, &values, rng))
    }

    fn move_values(
        &mut self,
        game: &Nimm3,
        state: &<Nimm3 as Game>::State,
        _: &mut Rng,
    ) -> Option<Vec<f32>> {
        Some(Self::evaluate_moves(game, state).1)
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::Exhaustive;
    use ludens_core::{Notation, Params};

    #[test]
    fn every_value_is_what_exhaustive_search_finds() {
        for text in ["nimm3", "nimm3:pieces=50,take=4", "nimm3:pieces=7,take=9"] {
            let chosen = text.parse::<Params>().unwrap().check(Nimm3::SETTINGS).unwrap();
            let game = Nimm3::configure(&chosen).unwrap();
            let (mut truth, rng) = (Exhaustive::new(&game), &mut Rng::seeded(1));
            let mut state = game.start();
            // Taking one piece at a time meets every size of the pile.
            while let Some(found) =
                Multiples.move_values(&game, &state, rng).filter(|f| !f.is_empty())
            {
                assert_eq!(Some(found), truth.move_values(&game, &state, rng));
                game.play(&mut state, Move(0));
            }
        }
    }
}
