//! Where episodes begin.

use ludens_core::{Game, Rng, Turn};

/// Where episodes begin.
#[derive(Clone, Debug, PartialEq)]
pub enum Start<S> {
    /// At the usual start, or a share of the episodes some random moves later.
    Plies {
        /// The share that begins later.
        share: f32,
        /// Fewest random moves.
        min: u32,
        /// Most random moves; any number in between is as likely.
        max: u32,
    },
    /// In one of these states, each as likely.
    OneOf(Vec<S>),
}

impl<S> Start<S> {
    /// Always at the usual start.
    pub const USUAL: Start<S> = Start::Plies { share: 0.0, min: 0, max: 0 };

    /// Half of the episodes begin after one random move (GBG's choose-start-01).
    pub const START_01: Start<S> = Start::Plies { share: 0.5, min: 1, max: 1 };

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

/// The usual start, `plies` random moves later, unless the game is over by then.
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
