//! Counting move sequences: the classical test of rules, and of their speed.

use crate::{Cancellation, Event, Game, Move, Rewards, Turn};

/// Counts the sequences of `depth` turns from `state`, chance's turns included.
///
/// Games that end earlier are not counted. What a cancelled count returns is meaningless.
pub fn perft<G: Game>(game: &G, state: &G::State, depth: u32) -> u64 {
    if depth == 0 {
        1
    } else {
        let (moves, events, scratch) = (Vec::new(), Vec::new(), Vec::new());
        Perft { game, moves, events, scratch }.count(state, depth)
    }
}

/// The same as [`perft`], but reports its progress, from 0 to 1, to `watch`.
pub fn perft_in_parts<G: Game>(
    game: &G,
    state: &G::State,
    depth: u32,
    watch: &mut dyn FnMut(f64),
) -> u64 {
    if depth < 3 {
        return perft(game, state, depth);
    }
    let firsts = successors(game, state);
    let mut total = 0;
    for (i, first) in firsts.iter().enumerate() {
        let seconds = successors(game, first);
        for (j, second) in seconds.iter().enumerate() {
            total += perft(game, second, depth - 2);
            let share = (j + 1) as f64 / seconds.len() as f64;
            watch((i as f64 + share) / firsts.len() as f64);
        }
    }
    total
}

/// The states that one turn can lead to.
fn successors<G: Game>(game: &G, state: &G::State) -> Vec<G::State> {
    let (mut moves, mut events) = (Vec::new(), Vec::new());
    game.legal_moves(state, &mut moves);
    game.events(state, &mut events);
    let after = |change: &dyn Fn(&mut G::State) -> Rewards| {
        let mut next = state.clone();
        change(&mut next);
        next
    };
    let played = moves.into_iter().map(|mv| after(&|next| game.play(next, mv)));
    let drawn = events.into_iter().map(|(event, _)| after(&|next| game.resolve(next, event)));
    played.chain(drawn).collect()
}

/// Counts of fewer turns take no time worth cancelling.
const CANCELLABLE: u32 = 3;

/// The buffers serve as stacks: each level works above the entries it finds.
struct Perft<'a, G> {
    game: &'a G,
    moves: Vec<Move>,
    events: Vec<(Event, f32)>,
    scratch: Vec<Move>,
}

impl<G: Game> Perft<'_, G> {
    /// `depth` is at least one. The last turn is counted, not played.
    fn count(&mut self, state: &G::State, depth: u32) -> u64 {
        if depth >= CANCELLABLE && Cancellation::requested() {
            return 0;
        }
        match self.game.turn(state) {
            Turn::Over => 0,
            Turn::Player(_) => self.count_moves(state, depth),
            Turn::Chance => self.count_events(state, depth),
        }
    }

    fn count_moves(&mut self, state: &G::State, depth: u32) -> u64 {
        if depth == 1 {
            return self.game.count_legal_moves(state, &mut self.scratch) as u64;
        }
        let base = self.moves.len();
        self.game.legal_moves(state, &mut self.moves);
        let end = self.moves.len();
        let mut total = 0;
        for i in base..end {
            let mut next = state.clone();
            self.game.play(&mut next, self.moves[i]);
            total += self.count(&next, depth - 1);
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
