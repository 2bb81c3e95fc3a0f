//! Several threads that play and learn at once.

use super::Trainer;
use crate::build::learns_afterwards;
use crate::config::{Algorithm, PlayersName, StepConfig, ValueConfig};
use crate::relay::{GAMES_EACH, Relay, Share};
use crate::thread::Thread;
use crate::{Config, Episode, Source};
use ludens_core::{Invalid, Notation, Player};
use ludens_values::{Lent, Net};
use std::sync::Mutex;
use std::sync::atomic::{AtomicU64, Ordering};

impl<G: Notation> Trainer<G> {
    /// Lets `threads` threads play and learn `episodes` games at once. Returns what came of each game.
    ///
    /// Where a thread for each player can play with weights of his own, games go around, and what is
    /// learned is always the same; so it is where each thread has a copy of the weights and tells the
    /// others what it changes. Otherwise threads share all weights without locks: no run is like
    /// another.
    ///
    /// # Errors
    ///
    /// If the run learns after playing, has games from elsewhere than self-play, or a value whose
    /// weights cannot be shared.
    pub fn step_shared(&mut self, episodes: u64, threads: usize) -> Result<Vec<Episode>, Invalid> {
        if learns_afterwards(&self.config) || !self.sources.iter().all(Source::is_plain) {
            return Err(Invalid(
                "threads can share weights only in self-play that is learned while it is played: \
                 leave learner.batch, learner.repeats and learner.inverted as they are"
                    .into(),
            ));
        }
        let shares = match self.plays_apart(threads) {
            true => self.step_apart(episodes, threads * GAMES_EACH)?,
            false => self.step_together(episodes, threads)?,
        };
        self.episode += episodes;
        let (mut all, value) = (Vec::new(), self.learner.value());
        for share in shares {
            all.extend(share.played);
            value.errors.add(share.errors);
            value.evaluated += share.evaluated;
        }
        Ok(all)
    }

    /// Whether each of `threads` threads plays a player of its own, with weights of his own, so that
    /// what they learn is always the same.
    pub fn plays_apart(&self, threads: usize) -> bool {
        let Config { value, learner, step, .. } = &self.config;
        let own = matches!(value, ValueConfig::Ntuple(net) if net.players == PlayersName::Each);
        // A bound is for all weights together.
        own && learner.algorithm == Algorithm::TdFarl
            && *step != StepConfig::AlphaBound
            && threads == self.game.num_players()
            && threads > 1
            && !self.game.has_chance()
    }

    /// Whether each of `threads` threads has a copy of the weights and tells the others what it changes,
    /// so that what they learn is always the same.
    pub fn echoes(&mut self, threads: usize) -> bool {
        !self.plays_apart(threads) && self.learner.value().net.echoes(threads)
    }

    /// Lets a thread for each player play; they hand the games around, of which `at_once` are under way.
    fn step_apart(&mut self, episodes: u64, at_once: usize) -> Result<Vec<Share>, Invalid> {
        let plan =
            Thread { game: &self.game, config: &self.config, seed: self.seed, start: &self.start };
        let (value, shares) = (self.learner.value(), Mutex::new(Vec::new()));
        let games = self.episode..self.episode + episodes;
        let relay = Relay::new(&plan, games, at_once);
        let frame = Mutex::new(value.frame().of_one_player());
        let work = |player: usize, net: Lent<dyn Net>| {
            let value = frame.lock().expect("copying does not panic").with_net(net);
            let (share, net) = relay.run(Player(player as u8), value);
            shares.lock().expect("threads do not panic").push((player, share));
            net
        };
        value.net_mut().divide(&work)?;
        Ok(in_order(shares))
    }

    /// Lets threads share all weights. Where each has a copy, they take games in turn; otherwise who is
    /// ready takes the next one, so that all end together.
    fn step_together(&mut self, episodes: u64, threads: usize) -> Result<Vec<Share>, Invalid> {
        let plan =
            Thread { game: &self.game, config: &self.config, seed: self.seed, start: &self.start };
        let (value, shares) = (self.learner.value(), Mutex::new(Vec::new()));
        let (first, next, frame) = (self.episode, AtomicU64::new(0), Mutex::new(value.frame()));
        let in_turn = value.net.echoes(threads);
        let work = |thread: usize, net: Lent<dyn Net>| {
            let value = frame.lock().expect("copying does not panic").with_net(net);
            let mut mine = (thread as u64..).step_by(threads);
            let take = || {
                if in_turn { mine.next() } else { Some(next.fetch_add(1, Ordering::Relaxed)) }
            };
            let games = std::iter::from_fn(take).take_while(|number| *number < episodes);
            let share = plan.learn_all(value, games.map(|number| first + number));
            shares.lock().expect("threads do not panic").push((thread, share));
        };
        value.net_mut().share(threads, &work)?;
        Ok(in_order(shares))
    }
}

/// What came of the games of each thread, in the order of their numbers.
fn in_order(shares: Mutex<Vec<(usize, Share)>>) -> Vec<Share> {
    let mut shares = shares.into_inner().expect("threads do not panic");
    shares.sort_by_key(|(thread, _)| *thread);
    shares.into_iter().map(|(_, share)| share).collect()
}

#[cfg(test)]
mod tests {
    use super::*;
    use ludens_core::Params;
    use ludens_games::{Game2048, Nim, Othello, TicTacToe};

    const PLAIN: &str = "[learner]\nalpha = 0.5\n[explore.epsilon]\nrate = 0.1";
    const TRACED: &str = "[trace]\nlambda = 0.7\nreset = true\n[step.tcl]\n[learner]\n\
        alpha = { from = 0.5, to = 0.1 }\nadapt-last = false\n[explore.epsilon]\nrate = 0.2";

    fn trainer<G: Notation>(game: &str, settings: &str) -> Trainer<G> {
        let value = "[value.ntuple]\ncount = 1\nlength = 3";
        let config = format!("game = \"{game}\"\nepisodes = 200\n{value}\n{settings}");
        let params: Params = game.parse().expect("a game");
        let game = G::configure(&params.check(G::SETTINGS).expect("settings")).expect("settings");
        let open = |_: &str| Err(Invalid("nobody else plays".into()));
        Trainer::new(game, toml::from_str(&config).expect("a config"), 7, &open).expect("a trainer")
    }

    fn bits<G: Notation>(trainer: &mut Trainer<G>) -> Vec<u32> {
        let tensors = trainer.value().net.tensors();
        tensors.iter().flat_map(|tensor| tensor.data.iter().map(|n| n.to_bits())).collect()
    }

    /// One game at a time, handed around, is the same as one game at a time.
    fn assert_same_as_alone<G: Notation>(game: &str) {
        for settings in [PLAIN, TRACED] {
            let (mut around, mut alone) =
                (trainer::<G>(game, settings), trainer::<G>(game, settings));
            let players = around.game.num_players();
            assert!(around.plays_apart(players) && !around.plays_apart(players + 1), "{game}");
            let shares = around.step_apart(200, 1).expect("each player has weights of his own");
            let step = |_| alone.step(None).expect("nobody forfeits");
            let expected: Vec<Episode> = (0..200).map(step).collect();
            assert_eq!(bits(&mut around), bits(&mut alone), "{game}");
            let corrected: u64 = shares.iter().map(|share| share.errors.count).sum();
            assert_eq!(corrected, alone.value().errors.count, "{game}");
            let played: Vec<Episode> = shares.into_iter().flat_map(|share| share.played).collect();
            assert_eq!(played, expected, "{game}");
        }
    }

    #[test]
    fn one_game_that_goes_around_is_learned_as_by_one_thread() {
        assert_same_as_alone::<TicTacToe>("tictactoe");
        assert_same_as_alone::<Nim>("nim:players=3");
        assert_same_as_alone::<Othello>("othello:size=4");
    }

    #[test]
    fn what_is_learned_does_not_depend_on_who_is_faster() {
        let learned = |_| {
            let mut trainer = trainer::<Nim>("nim:players=3", TRACED);
            assert_eq!(trainer.step_shared(150, 3).expect("n-tuples").len(), 150);
            assert_eq!(trainer.step_shared(50, 3).expect("n-tuples").len(), 50);
            (bits(&mut trainer), trainer.value().errors, trainer.episode())
        };
        let mut found = (0..5).map(learned);
        let first = found.next().expect("five");
        assert!(found.all(|other| other == first));
        assert_eq!(first.2, 200);
    }

    /// Weights that are far, so that threads have copies.
    const FAR: &str = "game = \"2048\"\nepisodes = 200\n[value.ntuple]\noutput = \"none\"\n\
        tuples = [[0, 1, 2, 4, 5], [1, 2, 5, 6, 9], [0, 1, 5, 6, 7], [4, 5, 6, 9, 10]]\n\
        [learner]\nalpha = 0.1";

    fn far_trainer() -> Trainer<Game2048> {
        let open = |_: &str| Err(Invalid("nobody else plays".into()));
        let config = toml::from_str(FAR).expect("a config");
        Trainer::new(Game2048::default(), config, 7, &open).expect("a trainer")
    }

    #[test]
    fn threads_that_tell_each_other_learn_always_the_same() {
        let learned = |_| {
            let mut trainer = far_trainer();
            assert!(trainer.echoes(2) && trainer.echoes(3) && !trainer.echoes(1));
            let mut played = trainer.step_shared(60, 2).expect("n-tuples");
            trainer.step(None).expect("nobody forfeits");
            played.extend(trainer.step_shared(40, 3).expect("n-tuples"));
            (bits(&mut trainer), trainer.value().errors, trainer.episode(), played)
        };
        let (first, second) = (learned(0), learned(1));
        assert!(first == second);
        assert_eq!((first.2, first.3.len()), (101, 100));
    }

    #[test]
    fn threads_that_tell_each_other_learn_as_much_as_one() {
        let mean = |games: &[Episode]| {
            let scores = games.iter().map(|game| f64::from(game.rewards[Player(0)]));
            scores.sum::<f64>() / games.len() as f64
        };
        let mut told = far_trainer();
        let before = mean(&told.step_shared(40, 2).expect("n-tuples"));
        told.step_shared(1_000, 2).expect("n-tuples");
        let two = mean(&told.step_shared(200, 2).expect("n-tuples"));
        let mut alone = far_trainer();
        let mut step = |_| alone.step(None).expect("nobody forfeits");
        let games: Vec<Episode> = (0..1_240).map(&mut step).collect();
        let one = mean(&games[1_040..]);
        assert!(two > 1.4 * before, "{two} after {before}");
        assert!((0.85..1.2).contains(&(two / one)), "{two} beside {one}");
    }
}
