//! The one general loop that plays games and lets the learner learn from them.

use super::fused::play_fused;
use crate::algorithm::{Learner, Step};
use crate::{EpisodeLoop, Explore, Policy};
use ludens_core::{
    Agent, Bitboards, Choice, Forfeit, Game, Move, Played, Player, Rewards, Rng, Turn,
};

/// Who decides for one player.
pub enum Seat<'a, G: Game> {
    /// The learner itself.
    Learner,
    /// Another agent; the learner observes it.
    Agent(&'a mut dyn Agent<G>),
    /// The learner itself, searching deeper and without exploration.
    LookaheadSelf(&'a mut Policy),
}

/// Gets to know everything played, and whether it was exploratory.
pub type Observer<'a> = Option<&'a mut dyn FnMut(Played, bool)>;

/// The result of one game.
#[derive(Clone, Debug, Default, PartialEq)]
pub struct Episode {
    /// The total reward of each player.
    pub rewards: Rewards,
    /// How many moves were made.
    pub moves: u32,
}

/// A game in progress.
#[derive(Clone)]
pub(crate) struct Progress<S> {
    pub(crate) state: S,
    pub(crate) turn: Turn,
    /// The rewards since the last observed step.
    pub(crate) pending: Rewards,
    pub(crate) episode: Episode,
}

impl<S> Progress<S> {
    pub(crate) fn new<G: Game<State = S>>(game: &G, state: S) -> Progress<S> {
        let turn = game.turn(&state);
        Progress { state, turn, pending: Rewards::NONE, episode: Episode::default() }
    }

    /// Draws a chance event.
    #[inline(always)]
    pub(crate) fn draw<G: Game<State = S>>(
        &mut self,
        game: &G,
        rng: &mut Rng,
        notify: impl FnOnce(&S, Played),
    ) {
        let event = game.draw(&self.state, rng);
        notify(&self.state, Played::Event(event));
        self.pending += game.resolve(&mut self.state, event);
        self.turn = game.turn(&self.state);
    }
}

/// Plays one game: who plays, how, and who learns from it.
pub struct EpisodeRunner<'a, 'b, G: Bitboards> {
    /// The rules.
    pub game: &'a G,
    /// Who learns.
    pub learner: &'a mut dyn Learner<G>,
    /// How the learner chooses its moves.
    pub policy: &'a mut Policy,
    /// Who decides for each player.
    pub seats: &'a mut [Seat<'b, G>],
    /// How the learner explores.
    pub explore: Explore,
    /// Which loop plays the game.
    pub episode_loop: EpisodeLoop,
    /// Gets to know everything played.
    pub observer: Observer<'a>,
}

impl<G: Bitboards> EpisodeRunner<'_, '_, G> {
    /// Plays one game from `start` to its end.
    ///
    /// In games in which no player ever moves, each event counts as a step of the first player.
    ///
    /// # Errors
    ///
    /// If an agent cannot go on. What was observed so far has been learned.
    pub fn play(mut self, start: G::State, rng: &mut Rng) -> Result<Episode, Forfeit> {
        let game = self.game;
        self.learner.begin(game, &start);
        for seat in &mut *self.seats {
            if let Seat::Agent(agent) = seat {
                agent.begin(game, &start);
            }
        }
        let mut progress = Progress::new(game, start);
        let mut fused = self.episode_loop == EpisodeLoop::Fused;
        loop {
            match progress.turn {
                Turn::Over => {
                    self.learner.end(game, progress.pending);
                    progress.episode.rewards += progress.pending;
                    return Ok(progress.episode);
                }
                Turn::Chance => self.draw(&mut progress, rng),
                // It stops where a move may end the game; the general loop then goes on.
                Turn::Player(_) if std::mem::take(&mut fused) => {
                    play_fused(&mut self, &mut progress, rng);
                }
                Turn::Player(player) => _ = self.step(&mut progress, player, rng)?,
            }
        }
    }

    /// Lets `player` choose a move, plays it, and lets the learner learn from it. Returns the rewards
    /// since the step before.
    #[inline(always)]
    pub(crate) fn step(
        &mut self,
        progress: &mut Progress<G::State>,
        player: Player,
        rng: &mut Rng,
    ) -> Result<Rewards, Forfeit> {
        let (game, before) = (self.game, progress.state.clone());
        let (choice, own) = match &mut self.seats[player.index()] {
            Seat::Learner => (self.choose(&before, player, rng), true),
            Seat::Agent(agent) => (agent.choose(game, &before, rng)?, false),
            Seat::LookaheadSelf(policy) => {
                let value = self.learner.value();
                (policy.choose(value, game, &before, player, Explore::GREEDY, rng), false)
            }
        };
        let Choice { mv, explored, .. } = choice;
        self.notify(&before, Played::Move(mv), explored);
        progress.pending += game.play(&mut progress.state, mv);
        progress.turn = game.turn(&progress.state);
        let (rewards, over) = (std::mem::take(&mut progress.pending), progress.turn == Turn::Over);
        let (before, after) = (&before, &progress.state);
        let step = Step { player, before, mv, after, rewards, over, explored, own };
        self.learner.observe(game, &step);
        progress.episode.rewards += rewards;
        progress.episode.moves += 1;
        Ok(rewards)
    }

    /// Draws a move of the learner; again if it learns from the one drawn first.
    #[inline(always)]
    fn choose(&mut self, state: &G::State, player: Player, rng: &mut Rng) -> Choice {
        let (game, explore) = (self.game, self.explore);
        let drawn = self.policy.choose(self.learner.value(), game, state, player, explore, rng);
        match self.learner.learn_before_move(game, state, player, &drawn) {
            true => self.policy.choose(self.learner.value(), game, state, player, explore, rng),
            false => drawn,
        }
    }

    fn draw(&mut self, progress: &mut Progress<G::State>, rng: &mut Rng) {
        let before = progress.state.clone();
        progress.draw(self.game, rng, |state, played| self.notify(state, played, false));
        if self.game.num_moves() == 0 {
            let rewards = std::mem::take(&mut progress.pending);
            let (before, after, over) = (&before, &progress.state, progress.turn == Turn::Over);
            let (player, mv, explored, own) = (Player(0), Move(0), false, false);
            let step = Step { player, before, mv, after, rewards, over, explored, own };
            self.learner.observe(self.game, &step);
            progress.episode.rewards += rewards;
        }
    }

    /// Tells the observer and all agents what happens in `state`.
    #[inline]
    fn notify(&mut self, state: &G::State, played: Played, explored: bool) {
        if let Some(observer) = &mut self.observer {
            observer(played, explored);
        }
        for seat in &mut *self.seats {
            if let Seat::Agent(agent) = seat {
                agent.watch(self.game, state, played);
            }
        }
    }
}
