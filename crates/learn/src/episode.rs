//! The one loop that lets learners and agents play.

use crate::{Explore, Learner, Picker, Step};
use ludens_core::{Agent, CellBoard, Forfeit, Game, Move, Played, Player, Rewards, Rng, Turn};

/// Who decides for one player.
pub enum Seat<'a, G: Game> {
    /// The learner itself.
    Learner,
    /// Somebody else; the learner looks on.
    Agent(&'a mut dyn Agent<G>),
    /// The learner itself, looking further ahead and exploring nothing.
    Twin(&'a mut Picker),
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
/// In games in which nobody ever moves, each event counts as a step of the first player.
///
/// `seats` has an entry for each player; `watch` hears of everything played, and
/// whether it was exploratory.
///
/// # Errors
///
/// If an agent cannot go on. What was observed so far has been learned.
pub fn play_episode<G: CellBoard>(
    game: &G,
    learner: &mut dyn Learner<G>,
    seats: &mut [Seat<'_, G>],
    mut state: G::State,
    explore: Explore,
    rng: &mut Rng,
    watch: &mut dyn FnMut(Played, bool),
) -> Result<Episode, Forfeit> {
    let (mut episode, mut gained) = (Episode::default(), Rewards::NONE);
    let mut turn = game.turn(&state);
    learner.begin(game, &state);
    for seat in &mut *seats {
        if let Seat::Agent(agent) = seat {
            agent.begin(game, &state);
        }
    }
    loop {
        match turn {
            Turn::Over => {
                learner.end(game, gained);
                episode.rewards += gained;
                return Ok(episode);
            }
            Turn::Chance => {
                let event = game.draw(&state, rng);
                watch(Played::Event(event), false);
                tell(game, seats, &state, Played::Event(event));
                let before = state.clone();
                gained += game.resolve(&mut state, event);
                turn = game.turn(&state);
                if game.num_moves() == 0 {
                    learner.observe(game, &drift(&before, &state, gained, turn));
                    episode.rewards += gained;
                    gained = Rewards::NONE;
                }
            }
            Turn::Player(player) => {
                let choice = match &mut seats[player.index()] {
                    Seat::Learner => learner.choose(game, &state, player, explore, rng),
                    Seat::Agent(agent) => agent.choose(game, &state, rng)?,
                    Seat::Twin(picker) => {
                        picker.choose(learner.value(), game, &state, player, Explore::GREEDY, rng)
                    }
                };
                let before = state.clone();
                watch(Played::Move(choice.mv), choice.explored);
                tell(game, seats, &state, Played::Move(choice.mv));
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

/// A step of chance alone, in a game in which nobody ever moves.
fn drift<'a, S>(before: &'a S, after: &'a S, rewards: Rewards, turn: Turn) -> Step<'a, S> {
    let (player, mv, over) = (Player(0), Move(0), turn == Turn::Over);
    Step { player, before, mv, after, rewards, over, explored: false }
}

/// Tells all agents what happened.
fn tell<G: Game>(game: &G, seats: &mut [Seat<'_, G>], before: &G::State, played: Played) {
    for seat in seats {
        if let Seat::Agent(agent) = seat {
            agent.watch(game, before, played);
        }
    }
}
