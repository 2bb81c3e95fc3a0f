//! Random play that neither misses a win nor walks into a loss.

use ludens_core::{Agent, Choice, Forfeit, Game, Move, Player, Rewards, Rng, Turn};

/// Wins at once if it can, avoids moves that let the next player win at once, else plays anything:
/// the opponent that needs no knowledge of the game (Ghory 2004).
///
/// To win at once is to end the game by a move that gains something.
#[derive(Clone, Debug, Default)]
pub struct EndgameRandom {
    legal: Vec<Move>,
    replies: Vec<Move>,
    safe: Vec<Move>,
}

impl EndgameRandom {
    fn allows_a_win<G: Game>(&mut self, game: &G, state: &G::State, me: Player, mv: Move) -> bool {
        let mut next = state.clone();
        game.play(&mut next, mv);
        let Turn::Player(other) = game.turn(&next) else { return false };
        self.replies.clear();
        game.legal_moves(&next, &mut self.replies);
        other != me && self.replies.iter().any(|reply| wins(game, &next, other, *reply))
    }
}

fn wins<G: Game>(game: &G, state: &G::State, mover: Player, mv: Move) -> bool {
    let mut next = state.clone();
    let gained: Rewards = game.play(&mut next, mv);
    gained[mover] > 0.0 && game.turn(&next) == Turn::Over
}

impl<G: Game> Agent<G> for EndgameRandom {
    fn choose(&mut self, game: &G, state: &G::State, rng: &mut Rng) -> Result<Choice, Forfeit> {
        let Turn::Player(me) = game.turn(state) else {
            unreachable!("agents are asked on a player's turn only")
        };
        let mut legal = std::mem::take(&mut self.legal);
        legal.clear();
        game.legal_moves(state, &mut legal);
        self.safe.clear();
        self.safe.extend(legal.iter().filter(|mv| wins(game, state, me, **mv)));
        if self.safe.is_empty() {
            for mv in &legal {
                if !self.allows_a_win(game, state, me, *mv) {
                    self.safe.push(*mv);
                }
            }
        }
        let from = if self.safe.is_empty() { &legal } else { &self.safe };
        let mv = from[rng.below(from.len())];
        self.legal = legal;
        Ok(Choice::plain(mv))
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use ludens_core::Notation;
    use ludens_games::TicTacToe;
    use std::collections::BTreeSet;

    fn played_in(text: &str) -> String {
        let state = TicTacToe.parse_state(text).unwrap();
        let (mut agent, mut rng) = (EndgameRandom::default(), Rng::seeded(1));
        let mut text = || {
            let mv = agent.choose(&TicTacToe, &state, &mut rng).unwrap().mv;
            TicTacToe.move_text(&state, mv)
        };
        (0..200).map(|_| text()).collect::<BTreeSet<_>>().into_iter().collect::<Vec<_>>().join(" ")
    }

    #[test]
    fn an_immediate_win_is_taken() {
        assert_eq!(played_in("xx./oo./..."), "c1");
    }

    #[test]
    fn an_immediate_loss_is_avoided() {
        assert_eq!(played_in("x../oo./x.."), "c2");
    }

    #[test]
    fn otherwise_anything_is_played() {
        assert_eq!(played_in("x../.../..o"), "a2 a3 b1 b2 b3 c1 c2");
    }
}
