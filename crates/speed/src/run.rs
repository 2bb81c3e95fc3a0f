//! Learning runs with their games forgotten.

use ludens_core::{Invalid, Params, Rng, TrainableGame};
use ludens_games::{Connect4, Game2048, Hex, Nim, Othello, TicTacToe};
use ludens_learn::{Config, Episode, Trainer, Transcript};

/// A learning run whose game is forgotten.
pub trait SpeedRun {
    /// Learns from so many games more.
    fn learn(&mut self, games: u64) -> GamesPlayed;

    /// The same with several threads on the same weights.
    fn learn_shared(&mut self, games: u64, threads: usize) -> GamesPlayed;

    /// The same in batches, whose games are played by several threads and then learned in order;
    /// the settings must ask for batches.
    fn learn_batches(&mut self, games: u64, threads: usize) -> GamesPlayed;

    /// Plays so many games by what was learned, always the best moves, and learns nothing.
    fn play(&mut self, games: u64) -> GamesPlayed;

    /// Everything learned, folded into one number: the same weights give the same number.
    fn signature(&mut self) -> u64;

    /// How many weights there are.
    fn weights(&mut self) -> usize;

    /// Bytes of the weights and of what is remembered of each.
    fn bytes(&mut self) -> usize;
}

/// How much was played.
#[derive(Copy, Clone, Debug, Default, PartialEq, Eq)]
pub struct GamesPlayed {
    /// Games.
    pub games: u64,
    /// Moves in all of them.
    pub moves: u64,
}

impl<G: TrainableGame> SpeedRun for Trainer<G> {
    fn learn(&mut self, games: u64) -> GamesPlayed {
        let mut step = || self.step(None).expect("a learner never forfeits").moves;
        let moves = (0..games).map(|_| u64::from(step())).sum();
        GamesPlayed { games, moves }
    }

    fn learn_shared(&mut self, games: u64, threads: usize) -> GamesPlayed {
        let episodes = self.step_parallel(games, threads).expect("n-tuple networks can be shared");
        let moves = episodes.iter().map(|episode| u64::from(episode.moves)).sum();
        GamesPlayed { games, moves }
    }

    fn learn_batches(&mut self, games: u64, threads: usize) -> GamesPlayed {
        let mut played = GamesPlayed::default();
        while played.games < games {
            let mut hear = |_: u64, _: &Transcript<G::State>, episode: &Episode| {
                played.games += 1;
                played.moves += u64::from(episode.moves);
            };
            self.step_batch(threads, &mut hear).expect("self-play in batches");
        }
        played
    }

    fn play(&mut self, games: u64) -> GamesPlayed {
        let mut play = |number| self.play_greedily(&mut Rng::derived(1, "play", number)).moves;
        let moves = (0..games).map(|number| u64::from(play(number))).sum();
        GamesPlayed { games, moves }
    }

    fn signature(&mut self) -> u64 {
        let tensors = self.value().network.tensors();
        let numbers = tensors.iter().flat_map(|tensor| tensor.data);
        // The hash of Fowler, Noll and Vo, by words instead of bytes.
        numbers.fold(0xcbf2_9ce4_8422_2325, |hash, number| {
            (hash ^ u64::from(number.to_bits())).wrapping_mul(0x0100_0000_01b3)
        })
    }

    fn weights(&mut self) -> usize {
        self.value().network.tensors()[0].data.len()
    }

    fn bytes(&mut self) -> usize {
        let tensors = self.value().network.tensors();
        tensors.iter().map(|tensor| size_of_val(tensor.data)).sum()
    }
}

/// The run that a configuration in TOML describes.
///
/// # Errors
///
/// If the text is no such configuration, or its game has no place in the suite.
pub fn open(text: &str, seed: u64) -> Result<Box<dyn SpeedRun>, Invalid> {
    let config: Config = toml::from_str(text).map_err(|e| Invalid(e.to_string()))?;
    let params: Params = config.game.parse()?;
    match params.name.as_str() {
        "2048" => run::<Game2048>(&params, config, seed),
        "connect4" => run::<Connect4>(&params, config, seed),
        "hex" => run::<Hex>(&params, config, seed),
        "nim" => run::<Nim>(&params, config, seed),
        "othello" => run::<Othello>(&params, config, seed),
        "tictactoe" => run::<TicTacToe>(&params, config, seed),
        name => Err(Invalid::unknown(
            "game",
            name,
            ["2048", "connect4", "hex", "nim", "othello", "tictactoe"],
        )),
    }
}

fn run<G: TrainableGame>(
    params: &Params,
    config: Config,
    seed: u64,
) -> Result<Box<dyn SpeedRun>, Invalid> {
    let game = G::configure(&params.check(G::SETTINGS)?)?;
    let nobody = |name: &str| Err(Invalid(format!("{name:?} is not needed to learn by self-play")));
    Ok(Box::new(Trainer::new(game, config, seed, &nobody)?))
}
