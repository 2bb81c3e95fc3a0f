//! Counting move sequences: the classical test of rules, and of their speed.

use crate::{Event, Game, Move, Turn};

/// Counts the sequences of `depth` turns that start in `state`, chance's turns included.
///
/// Games that end earlier count for nothing.
pub fn perft<G: Game>(game: &G, state: &G::State, depth: u32) -> u64 {
    if depth == 0 {
        1
    } else {
        Perft { game, moves: Vec::new(), events: Vec::new() }.count(state, depth)
    }
}

/// The buffers serve as stacks: each level works above what it found.
struct Perft<'a, G> {
    game: &'a G,
    moves: Vec<Move>,
    events: Vec<(Event, f32)>,
}

impl<G: Game> Perft<'_, G> {
    /// `depth` is at least one. The last turn is counted, not played.
    fn count(&mut self, state: &G::State, depth: u32) -> u64 {
        match self.game.turn(state) {
            Turn::Over => 0,
            Turn::Player(_) => self.count_moves(state, depth),
            Turn::Chance => self.count_events(state, depth),
        }
    }

    fn count_moves(&mut self, state: &G::State, depth: u32) -> u64 {
        let base = self.moves.len();
        self.game.legal_moves(state, &mut self.moves);
        let end = self.moves.len();
        let mut total = (end - base) as u64;
        if depth > 1 {
            total = 0;
            for i in base..end {
                let mut next = state.clone();
                self.game.play(&mut next, self.moves[i]);
                total += self.count(&next, depth - 1);
            }
        }
        self.moves.truncate(base);
        total
    }

    fn count_events(&mut self, state: &G::State, depth: u32) -> u64 {
        let base = self.events.len();
        self.game.events(state, &mut self.events);
        let end = self.events.len();
        let mut total = (end - base) as u64;
        if depth > 1 {
            total = 0;
            for i in base..end {
                let mut next = state.clone();
                self.game.resolve(&mut next, self.events[i].0);
                total += self.count(&next, depth - 1);
            }
        }
        self.events.truncate(base);
        total
    }
}
