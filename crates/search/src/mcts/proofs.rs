//! Proven returns: MCTS-Solver (Winands, Bjornsson and Saito 2008).

use super::{Mcts, Tree};
use ludens_core::{Game, Move, Player, Turn};

impl<G: Game> Mcts<G> {
    /// What a win brings, if returns are proven.
    pub(super) fn win(&self, game: &G) -> Option<f32> {
        let provable = self.settings.proves && game.num_players() == 2 && !game.has_chance();
        let (low, high) = game.reward_range().filter(|_| provable)?;
        (low == -high).then_some(high)
    }

    pub(super) fn is_solved(&self, game: &G) -> bool {
        self.win(game).is_some_and(|win| self.tree.proven_best(Tree::ROOT, win).is_some())
    }

    /// Proves what the line in `path` settles, from its end to its beginning; `is_over` tells
    /// whether its last move ended the game.
    pub(super) fn prove_line(&mut self, win: f32, is_over: bool) {
        for (nth, step) in self.path.iter().enumerate().rev() {
            if self.tree.proven(step.edge).is_some() {
                continue;
            }
            let future = match self.tree.child(step.edge) {
                None if is_over && nth + 1 == self.path.len() => 0.0,
                None => return,
                Some(child) => {
                    let Some(best) = self.tree.proven_best(child, win) else { return };
                    let is_own = self.tree.turn(child) == Turn::Player(step.player);
                    if is_own { best } else { -best }
                }
            };
            self.tree.prove(step.edge, step.reward + future);
        }
    }

    /// Proves the moves of a new node that end the game.
    pub(super) fn prove_last_moves(
        &mut self,
        game: &G,
        state: &G::State,
        mover: Player,
        node: usize,
    ) {
        for edge in self.tree.edge_ids(node) {
            let mut after = state.clone();
            let rewards = game.play(&mut after, Move(self.tree.id(edge)));
            if game.turn(&after) == Turn::Over {
                self.tree.prove(edge, rewards[mover]);
            }
        }
    }
}
