//! Training runs whose speed is measured.

use ludens_core::Invalid;
use ludens_learn::Config;
use ludens_registry::{Training, open_game};

/// A training run as the command `train` executes it, without files and evaluations.
pub struct SpeedRun {
    training: Box<dyn Training>,
}

/// How much was played.
#[derive(Copy, Clone, Debug, Default, PartialEq, Eq)]
pub struct GamesPlayed {
    /// Games.
    pub games: u64,
    /// Moves in all of them.
    pub moves: u64,
}

impl SpeedRun {
    /// The run that a configuration in TOML describes.
    ///
    /// # Errors
    ///
    /// If the text is no such configuration.
    pub fn open(text: &str, seed: u64) -> Result<SpeedRun, Invalid> {
        let config: Config = toml::from_str(text).map_err(|e| Invalid(e.to_string()))?;
        let training = open_game(&config.game)?.train(&config, seed)?;
        Ok(SpeedRun { training })
    }

    /// Trains on so many more games.
    pub fn learn(&mut self, games: u64) -> GamesPlayed {
        self.training.run(games, &mut || true).expect("a learner never forfeits");
        self.played()
    }

    /// The same with several threads on the same weights.
    pub fn learn_shared(&mut self, games: u64, threads: usize) -> GamesPlayed {
        self.training.step_parallel(games, threads).expect("n-tuple networks can be shared");
        self.played()
    }

    /// The same in batches, whose games are played by several threads and then learned in order;
    /// the settings must ask for batches.
    pub fn learn_batches(&mut self, games: u64, threads: usize) -> GamesPlayed {
        let last = self.training.episode() + games;
        while self.training.episode() < last {
            self.training.step_batch(threads, u64::MAX).expect("self-play in batches");
        }
        self.played()
    }

    /// Plays so many games by what was learned, always the best moves, and learns nothing.
    pub fn play(&mut self, games: u64) -> GamesPlayed {
        GamesPlayed { games, moves: self.training.play_greedily(games, 1) }
    }

    /// Everything learned, folded into one number: the same weights give the same number.
    pub fn signature(&mut self) -> u64 {
        let tensors = self.training.tensors();
        let numbers = tensors.iter().flat_map(|tensor| tensor.data);
        // The hash of Fowler, Noll and Vo, by words instead of bytes.
        numbers.fold(0xcbf2_9ce4_8422_2325, |hash, number| {
            (hash ^ u64::from(number.to_bits())).wrapping_mul(0x0100_0000_01b3)
        })
    }

    /// The number of weights.
    pub fn weights(&mut self) -> usize {
        self.training.weights().len()
    }

    /// Bytes of the weights and of the state of the step sizes.
    pub fn bytes(&mut self) -> usize {
        self.training.tensors().iter().map(|tensor| size_of_val(tensor.data)).sum()
    }

    fn played(&mut self) -> GamesPlayed {
        let statistics = self.training.take_statistics();
        GamesPlayed { games: statistics.episodes, moves: statistics.moves }
    }
}
