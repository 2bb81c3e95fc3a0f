//! Othello players with a static evaluation by cell weights.

use crate::pick;
use ludens_core::{Agent, CellBoard, Choice, Forfeit, Game, Invalid, Move, Player, Rng, Turn};
use ludens_games::Othello;

const CELLS: usize = 64;

/// Plays the move that maximises the weights of its own cells minus the opponent's.
///
/// It does not search, not even for the end of the game; it breaks ties at random.
#[derive(Clone, Debug)]
pub struct Positional {
    weights: &'static [i16; CELLS],
}

/// Weights of the player BENCH of van der Ree and Wiering (2013), row by row.
pub const BENCH: [i16; CELLS] = [
    80, -26, 24, -1, -5, 28, -18, 76, //
    -23, -39, -18, -9, -6, -8, -39, -1, //
    46, -16, 4, 1, -3, 6, -20, 52, //
    -13, -5, 2, -1, 4, 3, -12, -2, //
    -5, -6, 1, -2, -3, 0, -9, -5, //
    48, -13, 12, 5, 0, 5, -24, 41, //
    -27, -53, -11, -1, -11, -16, -58, -15, //
    87, -25, 27, -1, 5, 36, -3, 100,
];

/// Weights of the player HEUR of van der Ree and Wiering (2013), row by row.
pub const HEUR: [i16; CELLS] = {
    let quadrant = [[100, -25, 10, 5], [-25, -25, 2, 2], [10, 2, 5, 1], [5, 2, 1, 2]];
    let mut weights = [0; CELLS];
    let mut i = 0;
    while i < CELLS {
        let (x, y) = (i % 8, i / 8);
        weights[i] = quadrant[if y < 4 { y } else { 7 - y }][if x < 4 { x } else { 7 - x }];
        i += 1;
    }
    weights
};

impl Positional {
    /// A player with these weights.
    ///
    /// # Errors
    ///
    /// If the board has another size.
    pub fn new(game: &Othello, weights: &'static [i16; CELLS]) -> Result<Positional, Invalid> {
        let side = game.layout().width;
        if side * side != CELLS {
            let what = "the cells are weighed for a board of 8x8";
            return Err(Invalid(format!("{what}, not of {side}x{side}")));
        }
        Ok(Positional { weights })
    }

    fn evaluate_moves(
        &self,
        game: &Othello,
        state: &<Othello as Game>::State,
    ) -> (Vec<Move>, Vec<f32>) {
        let Turn::Player(mover) = game.turn(state) else {
            unreachable!("agents are asked on a player's turn only")
        };
        let mut legal = Vec::new();
        game.legal_moves(state, &mut legal);
        let value = |&mv: &Move| {
            let mut next = *state;
            game.play(&mut next, mv);
            self.value(game, &next, mover)
        };
        let values = legal.iter().map(value).collect();
        (legal, values)
    }

    fn value(&self, game: &Othello, state: &<Othello as Game>::State, pov: Player) -> f32 {
        let mut cells = [0; CELLS];
        game.read_cells(state, pov, &mut cells);
        let signed = |(&cell, &weight): (&u8, &i16)| match cell {
            1 => weight,
            2 => -weight,
            _ => 0,
        };
        cells.iter().zip(self.weights).map(signed).sum::<i16>().into()
    }
}

/// Reports no move values: sums of cell weights are no rewards.
impl Agent<Othello> for Positional {
    fn choose(
        &mut self,
        game: &Othello,
        state: &<Othello as Game>::State,
        rng: &mut Rng,
    ) -> Result<Choice, Forfeit> {
        let (legal, values) = self.evaluate_moves(game, state);
        Ok(Choice::plain(pick::best(&legal, &values, rng).mv))
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use ludens_core::{Notation, Params};

    fn othello(text: &str) -> Othello {
        let chosen = text.parse::<Params>().unwrap().check(Othello::SETTINGS).unwrap();
        Othello::configure(&chosen).unwrap()
    }

    #[test]
    fn heur_is_symmetric_and_weighs_corners_most() {
        assert_eq!([HEUR[0], HEUR[7], HEUR[56], HEUR[63]], [100; 4]);
        assert_eq!((HEUR[1], HEUR[9], HEUR[18], HEUR[27]), (-25, -25, 5, 2));
        assert_eq!((BENCH[0], BENCH[63], BENCH[54]), (80, 100, -58));
    }

    #[test]
    fn the_worth_after_a_move_is_own_minus_others_weights() {
        let game = othello("othello");
        let mut state = game.start();
        let mv = game.parse_move(&state, "d3").unwrap();
        game.play(&mut state, mv);
        let expert = Positional::new(&game, &BENCH).unwrap();
        // Black: d3 d4 e4 d5, worth 1 - 1 + 4 - 2; white: e5, worth -3.
        let expected = 5i16;
        assert_eq!(expert.value(&game, &state, Player(0)), f32::from(expected));
        assert_eq!(expert.value(&game, &state, Player(1)), -f32::from(expected));
    }

    #[test]
    fn a_corner_is_taken() {
        let game = othello("othello");
        let state = game.parse_state(
            ".oox..../......../......../...ox.../...xo.../......../......../........ x",
        );
        let mut expert = Positional::new(&game, &HEUR).unwrap();
        let choice = expert.choose(&game, &state.unwrap(), &mut Rng::seeded(1)).unwrap();
        assert_eq!(choice.mv, Move(0));
    }

    #[test]
    fn other_sizes_are_refused() {
        let refused = Positional::new(&othello("othello:size=6"), &HEUR).unwrap_err();
        assert_eq!(refused.to_string(), "the cells are weighed for a board of 8x8, not of 6x6");
    }
}
