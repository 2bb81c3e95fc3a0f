//! Statistics of training.

use ludens_approx::Network;
use ludens_core::{MAX_PLAYERS, PerPlayer, Player};
use ludens_learn::{Episode, Errors};

/// Statistics of a number of episodes.
#[derive(Clone, Debug, Default, PartialEq)]
pub struct Statistics {
    /// The number of episodes.
    pub episodes: u64,
    /// Moves made in all of them.
    pub moves: u64,
    /// Most moves in one of them.
    pub longest: u64,
    /// The total reward of each player.
    pub rewards: PerPlayer<f64>,
    /// Games in which this player gained more than every other.
    pub wins: PerPlayer<u64>,
    /// The number of draws.
    pub draws: u64,
    /// The size of the corrected errors.
    pub errors: Errors,
}

impl Statistics {
    pub(super) fn add(&mut self, players: usize, episode: &Episode) {
        let moves = u64::from(episode.moves);
        self.episodes += 1;
        self.moves += moves;
        self.longest = self.longest.max(moves);
        let rewards = episode.rewards;
        let beats_all = |player: &Player| {
            let beats = |other: Player| other == *player || rewards[other] < rewards[*player];
            Player::all(players).all(beats)
        };
        match Player::all(players).find(beats_all) {
            Some(winner) => self.wins[winner] += 1,
            None => self.draws += 1,
        }
        for player in Player::all(players) {
            self.rewards[player] += f64::from(rewards[player]);
        }
    }

    /// Moves in one episode, on average.
    pub fn mean_length(&self) -> f64 {
        self.moves as f64 / self.episodes.max(1) as f64
    }

    /// The mean reward of each player per episode.
    pub fn mean_rewards(&self, players: usize) -> Vec<f64> {
        let each = |player| self.rewards[player] / self.episodes.max(1) as f64;
        Player::all(players).map(each).collect()
    }

    /// The mean size of the errors that were corrected; nothing if none was.
    pub fn mean_error(&self) -> Option<f64> {
        (self.errors.count > 0).then(|| self.errors.sum / self.errors.count as f64)
    }

    /// All of it as numbers, for saving.
    pub(super) fn to_numbers(&self) -> Vec<f64> {
        let Statistics { episodes, moves, longest, rewards, wins, draws, errors } = self;
        let counts = [*episodes, *moves, *longest, *draws, errors.count].map(|n| n as f64);
        let mut numbers = counts.to_vec();
        numbers.push(errors.sum);
        numbers.extend(rewards.0);
        numbers.extend(wins.0.map(|n| n as f64));
        numbers
    }

    /// The reverse of [`Statistics::to_numbers`]; nothing if these are not as many as they were.
    pub(super) fn from_numbers(numbers: &[f64]) -> Option<Statistics> {
        let (head, players) = numbers.split_at_checked(6)?;
        let (rewards, wins) = players.split_at_checked(MAX_PLAYERS)?;
        let wins: [f64; MAX_PLAYERS] = wins.try_into().ok()?;
        Some(Statistics {
            episodes: head[0] as u64,
            moves: head[1] as u64,
            longest: head[2] as u64,
            draws: head[3] as u64,
            errors: Errors { count: head[4] as u64, sum: head[5] },
            rewards: PerPlayer(rewards.try_into().ok()?),
            wins: PerPlayer(wins.map(|n| n as u64)),
        })
    }
}

/// The size of a learned value.
#[derive(Copy, Clone, Debug, PartialEq, Eq)]
pub struct ValueSize {
    /// Sets of weights.
    pub banks: usize,
    /// Weights in all of them.
    pub weights: u64,
    /// The number of weights that changed; `None` if unknown.
    pub touched: Option<u64>,
    /// The bytes of the weights and of the state of the step sizes.
    pub bytes: u64,
}

impl ValueSize {
    pub(super) fn of(network: &dyn Network, weight_sets: usize, starts_at_zero: bool) -> ValueSize {
        let tensors = network.tensors();
        let weights = tensors.iter().find(|tensor| tensor.name == "weights");
        let weights = weights.map_or(&[][..], |tensor| tensor.data);
        let touched = || weights.iter().filter(|weight| **weight != 0.0).count() as u64;
        ValueSize {
            banks: weight_sets,
            weights: weights.len() as u64,
            touched: starts_at_zero.then(touched),
            bytes: tensors.iter().map(|tensor| size_of_val(tensor.data) as u64).sum(),
        }
    }
}
