//! A game with its type forgotten.

use crate::LiveGame;
use crate::live_game::Live;
use ludens_core::{Breach, Notation, Player, Rewards, Rng, Turn, conformance, perft, playthrough};

/// A game with its type forgotten: what the command line, the web page and Python hold.
pub trait AnyGame: Send + Sync {
    /// What it is called and what it is like.
    fn info(&self) -> GameInfo;

    /// A game to play. Chance draws from `seed`.
    fn live(&self, seed: u64) -> Box<dyn LiveGame>;

    /// How many sequences of `depth` turns there are.
    fn perft(&self, depth: u32) -> u64;

    /// One random game written out.
    fn playthrough(&self, seed: u64) -> String;

    /// Checks the promises of the game's traits over `games` random games.
    ///
    /// # Errors
    ///
    /// The first promise found broken.
    fn conformance(&self, games: u64) -> Result<(), Breach>;

    /// Plays `games` random games to the end, as fast as it can.
    fn playouts(&self, games: u64, seed: u64) -> Playouts;
}

/// What a game is called and what it is like.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct GameInfo {
    /// The shortest text that opens this game with these settings.
    pub spec: String,
    /// The name people use.
    pub title: &'static str,
    /// How many players.
    pub players: usize,
    /// Whether chance acts.
    pub chance: bool,
    /// One more than the largest move id.
    pub moves: usize,
    /// Cells in one row.
    pub width: usize,
    /// Rows of cells.
    pub height: usize,
    /// How many values the cells can take at most.
    pub values: u8,
    /// How many symmetries, the identity included.
    pub symmetries: usize,
}

/// What came of many random games.
#[derive(Copy, Clone, Debug, Default, PartialEq)]
pub struct Playouts {
    /// Games played.
    pub games: u64,
    /// Moves made in all of them.
    pub moves: u64,
    /// What each player gained in all of them.
    pub rewards: Rewards,
}

/// A game and the text that opens it.
pub(crate) struct Named<G> {
    pub(crate) spec: String,
    pub(crate) game: G,
}

impl<G: Notation> AnyGame for Named<G> {
    fn info(&self) -> GameInfo {
        let layout = self.game.layout();
        GameInfo {
            spec: self.spec.clone(),
            title: G::TITLE,
            players: self.game.num_players(),
            chance: self.game.has_chance(),
            moves: self.game.num_moves(),
            width: layout.width,
            height: layout.num_cells() / layout.width,
            values: layout.values.iter().copied().max().unwrap_or(0),
            symmetries: layout.symmetries.len(),
        }
    }

    fn live(&self, seed: u64) -> Box<dyn LiveGame> {
        Box::new(Live::new(self.game.clone(), seed))
    }

    fn perft(&self, depth: u32) -> u64 {
        perft(&self.game, &self.game.start(), depth)
    }

    fn playthrough(&self, seed: u64) -> String {
        playthrough(&self.game, seed)
    }

    fn conformance(&self, games: u64) -> Result<(), Breach> {
        conformance(&self.game, games)
    }

    fn playouts(&self, games: u64, seed: u64) -> Playouts {
        let (game, mut scratch) = (&self.game, Vec::new());
        let rng = &mut Rng::seeded(seed);
        let mut sum = Playouts { games, ..Playouts::default() };
        for _ in 0..games {
            let mut state = game.start();
            loop {
                match game.turn(&state) {
                    Turn::Over => break,
                    Turn::Chance => {
                        let event = game.draw(&state, rng);
                        sum.rewards += game.resolve(&mut state, event);
                    }
                    Turn::Player(Player(_)) => {
                        let mv = game.random_move(&state, rng, &mut scratch);
                        sum.rewards += game.play(&mut state, mv);
                        sum.moves += 1;
                    }
                }
            }
        }
        sum
    }
}
