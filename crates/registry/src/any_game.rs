//! A game with its type erased.

use crate::batch::{LoadedValue, StateBatch};
use crate::live_game::TypedLiveGame;
use crate::sample::SampledStates;
use crate::training::TrainingRun;
use crate::{AnyArena, AnyValue, Batch, LiveGame, Sample, Training};
use ludens_core::{
    CellLayout, Invalid, MAX_PLAYERS, PerPlayer, Player, Rewards, Rng, Scene, Tally, TrainableGame,
    Turn, Violation, conformance, perft, perft_in_parts, playthrough,
};
use ludens_learn::Config;
use std::any::Any;
use std::sync::OnceLock;

/// A game with its type erased, for the command line, the web page and Python.
pub trait AnyGame: Send + Sync {
    /// The name and the properties of the game.
    fn info(&self) -> &GameInfo;

    /// The shape of the board.
    fn layout(&self) -> CellLayout;

    /// The position before the first turn, and its text.
    fn start(&self) -> (Scene, String);

    /// A game to play. Chance draws from `seed`.
    fn live(&self, seed: u64) -> Box<dyn LiveGame>;

    /// No state yet, and room for many. Chance draws from `seed`.
    fn batch(&self, seed: u64) -> Box<dyn Batch>;

    /// The learned value in a file.
    ///
    /// # Errors
    ///
    /// If the file cannot be read, is damaged, or was learned in another game.
    fn value(&self, path: &str) -> Result<Box<dyn AnyValue>, Invalid>;

    /// A run of learning at its beginning. All random numbers are drawn from `seed`.
    ///
    /// # Errors
    ///
    /// If the choices in `config`, each possible by itself, do not go together or with this game.
    fn train(&self, config: &Config, seed: u64) -> Result<Box<dyn Training>, Invalid>;

    /// The bytes that [`AnyGame::train`] would take for the learned value, without taking them.
    ///
    /// # Errors
    ///
    /// If the choices in `config`, each possible by itself, do not go together or with this game.
    fn training_bytes(&self, config: &Config, seed: u64) -> Result<u64, Invalid>;

    /// The number of sequences of `depth` turns.
    fn perft(&self, depth: u32) -> u64;

    /// Like [`AnyGame::perft`], and reports the completed share to `watch`.
    fn perft_with_progress(&self, depth: u32, watch: &mut dyn FnMut(f64)) -> u64;

    /// One random game written out.
    fn playthrough(&self, seed: u64) -> String;

    /// Checks the promises of the game's traits over `games` random games.
    ///
    /// # Errors
    ///
    /// The first promise found broken.
    fn conformance(&self, games: u64) -> Result<(), Violation>;

    /// Games between agents.
    fn arena(&self) -> &dyn AnyArena;

    /// Plays `games` random games to the end, as fast as it can.
    fn playouts(&self, games: u64, seed: u64) -> Playouts;

    /// The first `size` states on players' turns in random games, to measure with.
    fn sample(&self, size: usize, seed: u64) -> Box<dyn Sample>;

    /// The typed game, for plugins that look for their own.
    fn typed(&self) -> &dyn Any;
}

/// The name and the properties of a game.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct GameInfo {
    /// The shortest text that opens this game with these settings.
    pub spec: String,
    /// The name people use.
    pub title: String,
    /// The number of players.
    pub players: usize,
    /// Whether the game has chance events.
    pub chance: bool,
    /// One more than the largest move id.
    pub moves: usize,
    /// Cells in one row.
    pub width: usize,
    /// Rows of cells.
    pub height: usize,
    /// The maximum number of values of a cell.
    pub values: u8,
    /// The number of symmetries, the identity included.
    pub symmetries: usize,
}

/// Statistics of random games.
#[derive(Copy, Clone, Debug, Default, PartialEq)]
pub struct Playouts {
    /// Games played.
    pub games: u64,
    /// Moves made in all of them.
    pub moves: u64,
    /// Moves in one game.
    pub length: Tally,
    /// The reward of each player per game.
    pub gains: PerPlayer<Tally>,
    /// Games in which this player gained more than every other.
    pub wins: PerPlayer<u64>,
}

impl Playouts {
    fn add_game(&mut self, players: usize, moves: u64, rewards: Rewards) {
        self.games += 1;
        self.moves += moves;
        self.length.add(moves as f64);
        for player in Player::all(players) {
            self.gains[player].add(rewards[player].into());
            let beaten = |other| other == player || rewards[other] < rewards[player];
            self.wins[player] += u64::from(Player::all(players).all(beaten));
        }
    }
}

impl std::ops::AddAssign for Playouts {
    fn add_assign(&mut self, more: Playouts) {
        self.games += more.games;
        self.moves += more.moves;
        self.length += more.length;
        for player in Player::all(MAX_PLAYERS) {
            self.gains[player] += more.gains[player];
            self.wins[player] += more.wins[player];
        }
    }
}

/// A game and the text that opens it.
pub(crate) struct NamedGame<G> {
    pub(crate) spec: String,
    pub(crate) game: G,
    /// Made when it is first asked for: the layout of a board takes its time.
    info: OnceLock<GameInfo>,
}

impl<G: TrainableGame> NamedGame<G> {
    pub(crate) fn new(spec: String, game: G) -> NamedGame<G> {
        NamedGame { spec, game, info: OnceLock::new() }
    }

    fn describe(&self) -> GameInfo {
        let layout = self.game.layout();
        GameInfo {
            spec: self.spec.clone(),
            title: self.game.title(),
            players: self.game.num_players(),
            chance: self.game.has_chance(),
            moves: self.game.num_moves(),
            width: layout.width,
            height: layout.num_cells() / layout.width,
            values: layout.values.iter().copied().max().unwrap_or(0),
            symmetries: layout.symmetries.len(),
        }
    }
}

impl<G: TrainableGame> AnyGame for NamedGame<G> {
    fn info(&self) -> &GameInfo {
        self.info.get_or_init(|| self.describe())
    }

    fn layout(&self) -> CellLayout {
        self.game.layout()
    }

    fn start(&self) -> (Scene, String) {
        let start = self.game.start();
        (self.game.scene(&start, None), self.game.state_text(&start))
    }

    fn live(&self, seed: u64) -> Box<dyn LiveGame> {
        Box::new(TypedLiveGame::new(self.game.clone(), seed))
    }

    fn batch(&self, seed: u64) -> Box<dyn Batch> {
        Box::new(StateBatch::new(self.game.clone(), seed))
    }

    fn value(&self, path: &str) -> Result<Box<dyn AnyValue>, Invalid> {
        Ok(Box::new(LoadedValue::open(&self.game, path)?))
    }

    fn train(&self, config: &Config, seed: u64) -> Result<Box<dyn Training>, Invalid> {
        Ok(Box::new(TrainingRun::new(&self.game, &self.spec, config, seed)?))
    }

    fn training_bytes(&self, config: &Config, seed: u64) -> Result<u64, Invalid> {
        ludens_learn::training_bytes(&self.game, config, seed)
    }

    fn perft(&self, depth: u32) -> u64 {
        perft(&self.game, &self.game.start(), depth)
    }

    fn perft_with_progress(&self, depth: u32, watch: &mut dyn FnMut(f64)) -> u64 {
        perft_in_parts(&self.game, &self.game.start(), depth, watch)
    }

    fn playthrough(&self, seed: u64) -> String {
        playthrough(&self.game, seed)
    }

    fn conformance(&self, games: u64) -> Result<(), Violation> {
        conformance(&self.game, games)
    }

    fn sample(&self, size: usize, seed: u64) -> Box<dyn Sample> {
        Box::new(SampledStates::new(self.game.clone(), size, seed))
    }

    fn typed(&self) -> &dyn Any {
        &self.game
    }

    fn arena(&self) -> &dyn AnyArena {
        self
    }

    fn playouts(&self, games: u64, seed: u64) -> Playouts {
        let (game, mut scratch) = (&self.game, Vec::new());
        let rng = &mut Rng::seeded(seed);
        let mut all = Playouts::default();
        for _ in 0..games {
            let (mut state, mut moves, mut rewards) = (game.start(), 0, Rewards::NONE);
            loop {
                match game.turn(&state) {
                    Turn::Over => break,
                    Turn::Chance => {
                        let event = game.draw(&state, rng);
                        rewards += game.resolve(&mut state, event);
                    }
                    Turn::Player(_) => {
                        let mv = game.random_move(&state, rng, &mut scratch);
                        rewards += game.play(&mut state, mv);
                        moves += 1;
                    }
                }
            }
            all.add_game(game.num_players(), moves, rewards);
        }
        all
    }
}
