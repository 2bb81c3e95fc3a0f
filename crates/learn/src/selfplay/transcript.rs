//! Games that were played first and are learned afterwards.

use crate::algorithm::{Learner, Step};
use crate::selfplay::Episode;
use ludens_core::{Game, Played, Rewards, Turn};

/// A game that was played: where it began, and everything that happened.
#[derive(Clone, Debug, PartialEq)]
pub struct Transcript<S> {
    /// Where it began.
    pub start: S,
    /// Everything that happened, and whether it was exploratory.
    pub played: Vec<(Played, bool)>,
}

impl<S: Clone> Transcript<S> {
    /// Lets a learner see the whole game.
    ///
    /// A game that was broken off is learned as far as it goes, without an end.
    pub fn teach<G: Game<State = S>>(&self, game: &G, learner: &mut dyn Learner<G>) -> Episode {
        let (mut state, mut gained) = (self.start.clone(), Rewards::NONE);
        let mut episode = Episode::default();
        learner.begin(game, &state);
        for &(played, explored) in &self.played {
            match (played, game.turn(&state)) {
                (Played::Event(event), _) => gained += game.resolve(&mut state, event),
                (Played::Move(mv), Turn::Player(player)) => {
                    let before = state.clone();
                    gained += game.play(&mut state, mv);
                    let over = game.turn(&state) == Turn::Over;
                    let (before, after, own) = (&before, &state, false);
                    let rewards = std::mem::take(&mut gained);
                    let step = Step { player, before, mv, after, rewards, over, explored, own };
                    learner.observe(game, &step);
                    episode.moves += 1;
                    episode.rewards += rewards;
                }
                (Played::Move(_), _) => break,
            }
        }
        episode.rewards += gained;
        if game.turn(&state) == Turn::Over {
            learner.end(game, gained);
        }
        episode
    }
}
