//! Where games begin.

use ludens_core::{Game, Rng, Turn};

/// Where games begin.
#[derive(Clone, Debug, PartialEq)]
pub enum Start<S> {
    /// At the start position, or a share of the games some random moves later.
    Plies {
        /// The share that begins later.
        share: f32,
        /// Fewest random moves.
        min: u32,
        /// Most random moves; all numbers in between are equally likely.
        max: u32,
    },
    /// In one of these states, each equally likely.
    OneOf(Vec<S>),
}

impl<S> Start<S> {
    /// A state to begin in, never one that is over.
    pub fn draw<G: Game<State = S>>(&self, game: &G, rng: &mut Rng) -> S
    where
        S: Clone,
    {
        match self {
            Start::OneOf(states) => states[rng.below(states.len())].clone(),
            Start::Plies { share, min, max } => {
                if *share == 0.0 || !rng.chance(*share) {
                    return game.start();
                }
                let plies = min + rng.below((max - min + 1) as usize) as u32;
                loop {
                    if let Some(state) = after_random_moves(game, plies, rng) {
                        return state;
                    }
                }
            }
        }
    }
}

/// The start position, `plies` random moves later, unless the game is over by then.
fn after_random_moves<G: Game>(game: &G, plies: u32, rng: &mut Rng) -> Option<G::State> {
    let (mut state, mut left, mut scratch) = (game.start(), plies, Vec::new());
    loop {
        match game.turn(&state) {
            Turn::Over => return None,
            Turn::Player(_) if left == 0 => return Some(state),
            Turn::Player(_) => {
                let mv = game.random_move(&state, rng, &mut scratch);
                game.play(&mut state, mv);
                left -= 1;
            }
            Turn::Chance => {
                let event = game.draw(&state, rng);
                game.resolve(&mut state, event);
            }
        }
    }
}
