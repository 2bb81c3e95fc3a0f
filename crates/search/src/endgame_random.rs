//! Random play that sees the end of the game a few moves ahead.

use crate::MaxN;
use ludens_core::{Agent, Choice, Forfeit, Game, Rng};

/// Takes a win and avoids a loss that it sees within `depth` moves, else plays a random move: the
/// opponent that needs no knowledge of the game (Ghory 2004).
///
/// Depth one sees its own move only: it wins at once if it can, and makes no move that loses at
/// once. That is the player of section 14 and appendix A.9; section 13.2 leaves the depth open.
/// Depth two also blocks what the next player threatens.
pub struct EndgameRandom<G: Game> {
    /// Without a learned value, every line that does not end is worth the same.
    search: MaxN<G>,
}

impl<G: Game> EndgameRandom<G> {
    /// Looks `depth` moves ahead, at least one.
    pub fn new(depth: u32) -> EndgameRandom<G> {
        EndgameRandom { search: MaxN::new(depth, None) }
    }
}

/// Looks one move ahead, as in the thesis.
impl<G: Game> Default for EndgameRandom<G> {
    fn default() -> EndgameRandom<G> {
        EndgameRandom::new(1)
    }
}

impl<G: Game> Agent<G> for EndgameRandom<G> {
    /// The values of moves are not shown: all but a few are unknown, not zero.
    fn choose(&mut self, game: &G, state: &G::State, rng: &mut Rng) -> Result<Choice, Forfeit> {
        self.search.choose(game, state, rng).map(|choice| Choice::plain(choice.mv))
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use ludens_core::{Notation, Turn};
    use ludens_games::TicTacToe;
    use std::collections::BTreeSet;

    fn played_in(text: &str, depth: u32) -> String {
        let state = TicTacToe.parse_state(text).unwrap();
        let (mut agent, mut rng) = (EndgameRandom::new(depth), Rng::seeded(1));
        let mut text = || {
            let mv = agent.choose(&TicTacToe, &state, &mut rng).unwrap().mv;
            TicTacToe.move_text(&state, mv)
        };
        (0..200).map(|_| text()).collect::<BTreeSet<_>>().into_iter().collect::<Vec<_>>().join(" ")
    }

    #[test]
    fn an_immediate_win_is_taken() {
        assert_eq!(played_in("xx./oo./...", 1), "c1");
        assert_eq!(played_in("xx./oo./...", 2), "c1");
    }

    #[test]
    fn a_threat_is_seen_by_two_plies_and_not_by_one() {
        assert_eq!(played_in("x../oo./x..", 2), "c2");
        assert_eq!(played_in("x../oo./x..", 1), "b1 b3 c1 c2 c3");
    }

    #[test]
    fn otherwise_anything_is_played() {
        assert_eq!(played_in("x../.../..o", 1), "a2 a3 b1 b2 b3 c1 c2");
    }

    #[test]
    fn one_ply_plays_as_full_search_of_one_ply_does() {
        let (mut one, mut other) = (EndgameRandom::default(), MaxN::new(1, None));
        let rng = &mut Rng::seeded(3);
        for seed in 0..200 {
            let mut state = TicTacToe.start();
            while TicTacToe.turn(&state) != Turn::Over {
                let mv = |agent: &mut dyn Agent<TicTacToe>| {
                    agent.choose(&TicTacToe, &state, &mut Rng::seeded(seed)).unwrap().mv
                };
                assert_eq!(mv(&mut one), mv(&mut other));
                let mv = TicTacToe.random_move(&state, rng, &mut Vec::new());
                TicTacToe.play(&mut state, mv);
            }
        }
    }
}
