//! The one loop that lets learners and agents play.

use crate::{Explore, Learner, Step};
use ludens_core::{Agent, Forfeit, Game, Played, Rewards, Rng, Turn};

/// Who decides for one player.
pub enum Seat<'a, G: Game> {
    /// The learner itself.
    Learner,
    /// Somebody else; the learner looks on.
    Agent(&'a mut dyn Agent<G>),
}

/// What came of one episode.
#[derive(Clone, Debug, Default, PartialEq)]
pub struct Episode {
    /// What each player gained.
    pub rewards: Rewards,
    /// Moves made.
    pub moves: u32,
}

/// Plays one game from `state` to its end and lets the learner learn from it.
///
/// `seats` has an entry for each player; `watch` hears of everything played.
///
/// # Errors
///
/// If an agent cannot go on. What was observed so far has been learned.
pub fn play_episode<G: Game>(
    game: &G,
    learner: &mut dyn Learner<G>,
    seats: &mut [Seat<'_, G>],
    mut state: G::State,
    explore: Explore,
    rng: &mut Rng,
    watch: &mut dyn FnMut(Played),
) -> Result<Episode, Forfeit> {
    let (mut episode, mut gained) = (Episode::default(), Rewards::NONE);
    let mut turn = game.turn(&state);
    learner.begin(game, &state);
    loop {
        match turn {
            Turn::Over => {
                learner.end(game, gained);
                episode.rewards += gained;
                return Ok(episode);
            }
            Turn::Chance => {
                let event = game.draw(&state, rng);
                watch(Played::Event(event));
                gained += game.resolve(&mut state, event);
                turn = game.turn(&state);
            }
            Turn::Player(player) => {
                let choice = match &mut seats[player.index()] {
                    Seat::Learner => learner.choose(game, &state, player, explore, rng),
                    Seat::Agent(agent) => agent.choose(game, &state, rng)?,
                };
                let before = state.clone();
                watch(Played::Move(choice.mv));
                gained += game.play(&mut state, choice.mv);
                turn = game.turn(&state);
                let step = Step {
                    player,
                    before: &before,
                    mv: choice.mv,
                    after: &state,
                    rewards: gained,
                    over: turn == Turn::Over,
                    explored: choice.explored,
                };
                learner.observe(game, &step);
                episode.moves += 1;
                episode.rewards += gained;
                gained = Rewards::NONE;
            }
        }
    }
}
