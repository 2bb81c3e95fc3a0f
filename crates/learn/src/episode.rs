//! The one loop that lets learners and agents play.

use crate::{Explore, Learner, Picker, Solo, Step};
use ludens_core::{
    Agent, CellBoard, Choice, Forfeit, Game, Move, Played, Player, Rewards, Rng, Turn,
};

/// Who decides for one player.
pub enum Seat<'a, G: Game> {
    /// The learner itself.
    Learner,
    /// Somebody else; the learner looks on.
    Agent(&'a mut dyn Agent<G>),
    /// The learner itself, looking further ahead and exploring nothing.
    Twin(&'a mut Picker),
}

/// Who hears of everything played, and whether it was exploratory, if anybody does.
pub type Watch<'a> = Option<&'a mut dyn FnMut(Played, bool)>;

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
    state: G::State,
    explore: Explore,
    rng: &mut Rng,
    watch: Watch<'_>,
) -> Result<Episode, Forfeit> {
    let mut episode = Episode::default();
    learner.begin(game, &state);
    let mut watched = false;
    for seat in &mut *seats {
        if let Seat::Agent(agent) = seat {
            agent.begin(game, &state);
            watched = true;
        }
    }
    let mut alone = game.num_players() == 1 && matches!(seats, [Seat::Learner, ..]);
    // Who hears lives longer than this game: said anew, so that it need not.
    let watch: Watch<'_> = watch.map(|watch| watch as &mut dyn FnMut(Played, bool));
    let mut table = Table { watched, ..Table::new(game, seats, state, watch) };
    loop {
        match table.turn {
            Turn::Over => {
                learner.end(game, table.gained);
                episode.rewards += table.gained;
                return Ok(episode);
            }
            Turn::Chance => {
                let before = table.state.clone();
                table.draw(rng);
                if game.num_moves() == 0 {
                    let gained = std::mem::take(&mut table.gained);
                    learner.observe(game, &drift(&before, &table.state, gained, table.turn));
                    episode.rewards += gained;
                }
            }
            Turn::Player(_) if alone => {
                table.play_on(learner, &mut episode, explore, rng);
                alone = false;
            }
            Turn::Player(player) => {
                episode.rewards += table.move_on(learner, player, explore, rng)?;
                episode.moves += 1;
            }
        }
    }
}

/// A game being played.
pub(crate) struct Table<'a, 'b, G: Game> {
    game: &'a G,
    seats: &'a mut [Seat<'b, G>],
    pub(crate) state: G::State,
    pub(crate) turn: Turn,
    /// What was gained since the last observed step.
    gained: Rewards,
    /// Whether agents want to be told what happens.
    watched: bool,
    watch: Watch<'a>,
}

impl<'a, 'b, G: CellBoard> Table<'a, 'b, G> {
    /// A game in `state`, in which no agent takes part.
    #[inline]
    pub(crate) fn new(
        game: &'a G,
        seats: &'a mut [Seat<'b, G>],
        state: G::State,
        watch: Watch<'a>,
    ) -> Table<'a, 'b, G> {
        let (turn, gained) = (game.turn(&state), Rewards::NONE);
        Table { game, seats, state, turn, gained, watched: false, watch }
    }

    /// Lets chance speak.
    #[inline]
    fn draw(&mut self, rng: &mut Rng) {
        let event = self.game.draw(&self.state, rng);
        self.note(Played::Event(event), false);
        self.gained += self.game.resolve(&mut self.state, event);
        self.turn = self.game.turn(&self.state);
    }

    /// Lets the learner play on by itself for as long as it can.
    fn play_on(
        &mut self,
        learner: &mut dyn Learner<G>,
        episode: &mut Episode,
        explore: Explore,
        rng: &mut Rng,
    ) {
        let mut solo = Solo {
            game: self.game,
            state: self.state.clone(),
            turn: self.turn,
            gained: self.gained,
            episode: std::mem::take(episode),
            explore,
            watch: self.watch.take(),
        };
        learner.play_on(&mut solo, rng);
        (self.state, self.turn, self.gained) = (solo.state, solo.turn, solo.gained);
        self.watch = solo.watch;
        *episode = solo.episode;
    }

    /// Lets `player` move and the learner learn from it. Returns what was gained.
    #[inline(always)]
    pub(crate) fn move_on(
        &mut self,
        learner: &mut dyn Learner<G>,
        player: Player,
        explore: Explore,
        rng: &mut Rng,
    ) -> Result<Rewards, Forfeit> {
        let (game, before) = (self.game, self.state.clone());
        let choice = match &mut self.seats[player.index()] {
            Seat::Learner => learner.choose(game, &before, player, explore, rng),
            Seat::Agent(agent) => agent.choose(game, &before, rng)?,
            Seat::Twin(picker) => {
                picker.choose(learner.value(), game, &before, player, Explore::GREEDY, rng)
            }
        };
        let Choice { mv, explored, .. } = choice;
        self.note(Played::Move(mv), explored);
        // Nothing is foreseen where chance never speaks.
        let foreseen = if game.has_chance() { learner.chosen(&before, mv) } else { None };
        if let Some((after, rewards)) = foreseen {
            self.state.clone_from(after);
            self.gained += rewards;
        } else {
            self.gained += game.play(&mut self.state, mv);
        }
        self.turn = game.turn(&self.state);
        let (after, over) = (self.state.clone(), self.turn == Turn::Over);
        let rewards = std::mem::take(&mut self.gained);
        // Chance speaks before the move is learned, so that what comes next can be fetched meanwhile.
        while self.turn == Turn::Chance {
            self.draw(rng);
            if let Turn::Player(next) = self.turn {
                learner.foresee(game, &self.state, next);
            }
        }
        let step = Step { player, before: &before, mv, after: &after, rewards, over, explored };
        learner.observe(game, &step);
        Ok(rewards)
    }

    /// Tells all who want to know what is about to happen.
    #[inline]
    fn note(&mut self, played: Played, explored: bool) {
        if let Some(watch) = &mut self.watch {
            watch(played, explored);
        }
        if self.watched {
            tell(self.game, self.seats, &self.state, played);
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
