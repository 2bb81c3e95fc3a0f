//! Games of one player by weights that are far: choosing, learning and chance in one loop.

use crate::explore::best;
use crate::value::Worth;
use crate::{Episode, Explore, LearnFromRandom, RewardView, Value, Watch};
use ludens_core::{ABREAST, CellBoard, Game, Move, Played, Player, Rewards, Rng, Turn};
use ludens_values::{Active, Sights, Work};

/// The only player.
const ALONE: Player = Player(0);

/// A game of one player that is under way.
pub struct Solo<'a, G: Game> {
    /// The rules.
    pub game: &'a G,
    /// Where it stands.
    pub state: G::State,
    /// Whether it goes on.
    pub turn: Turn,
    /// What was gained since the last observed step.
    pub gained: Rewards,
    /// What came of it so far.
    pub episode: Episode,
    /// How moves are picked.
    pub explore: Explore,
    /// Who hears of everything played.
    pub watch: Watch<'a>,
}

impl<G: Game> Solo<'_, G> {
    /// Makes a move that leads to `after` and gains `reward`. Returns what was gained since the step
    /// before.
    #[inline(always)]
    fn make(&mut self, mv: Move, blind: bool, after: &G::State, reward: f32) -> f32 {
        if let Some(watch) = &mut self.watch {
            watch(Played::Move(mv), blind);
        }
        self.state.clone_from(after);
        self.turn = self.game.turn(&self.state);
        let reward = std::mem::take(&mut self.gained[ALONE]) + reward;
        self.episode.rewards[ALONE] += reward;
        self.episode.moves += 1;
        reward
    }

    /// Lets chance speak for as long as it is its turn.
    #[inline(always)]
    fn draw(&mut self, rng: &mut Rng) {
        while self.turn == Turn::Chance {
            let event = self.game.draw(&self.state, rng);
            if let Some(watch) = &mut self.watch {
                watch(Played::Event(event), false);
            }
            self.gained += self.game.resolve(&mut self.state, event);
            self.turn = self.game.turn(&self.state);
        }
    }
}

/// What is learned from a game of one player: each position alone answers for its error.
pub(crate) struct Lesson<'a> {
    /// The latest position.
    pub(crate) latest: &'a mut Box<Active>,
    /// Whether there is one.
    pub(crate) moved: &'a mut bool,
    /// What was gained since.
    pub(crate) pending: &'a mut f32,
    /// Whether positions before exploratory moves are corrected.
    pub(crate) random: LearnFromRandom,
}

impl Lesson<'_> {
    /// What the latest position is to be corrected toward, if it is, after a move that gained
    /// `reward` and led to one that is worth `future`.
    #[inline(always)]
    fn target(&mut self, reward: f32, future: f32, blind: bool) -> Option<f32> {
        let target = std::mem::take(self.pending) + reward + future;
        let allowed = !blind || self.random == LearnFromRandom::Always;
        (std::mem::replace(self.moved, true) && allowed).then_some(target)
    }
}

/// The ways on from a state.
struct Ways<S> {
    count: usize,
    moves: [Move; ABREAST],
    states: [S; ABREAST],
    rewards: [f32; ABREAST],
}

impl<S: Clone> Ways<S> {
    fn new(state: &S) -> Ways<S> {
        let states = std::array::from_fn(|_| state.clone());
        Ways { count: 0, moves: [Move(0); ABREAST], states, rewards: [0.0; ABREAST] }
    }

    /// Finds all. Tells whether there are any, there is room for them, and none ends the game.
    #[inline(always)]
    fn find<G: Game<State = S>>(&mut self, game: &G, state: &S, scratch: &mut Vec<Move>) -> bool {
        let (mut count, mut ends) = (0, false);
        game.each_afterstate(state, scratch, |after| {
            if count < ABREAST {
                self.moves[count] = after.mv;
                self.states[count].clone_from(after.state);
                self.rewards[count] = after.rewards[ALONE];
            }
            ends |= after.turn == Turn::Over;
            count += 1;
        });
        self.count = count;
        !ends && (1..=ABREAST).contains(&count)
    }

    /// Reads the boards they lead to; there is room for their images.
    #[inline(always)]
    fn read<G: CellBoard<State = S>>(&self, game: &G, pov: Player, sights: &mut Sights) {
        let Sights { count, images, scratch, .. } = sights;
        *count = self.count;
        game.read_images_abreast(&self.states, pov, images, scratch);
    }

    /// The best, if this is what they lead to; ties are broken at random.
    #[inline(always)]
    fn best(&self, values: &[f32], worth: Worth, view: RewardView, rng: &mut Rng) -> usize {
        let offers = self.rewards[..self.count].iter().zip(values);
        let worths = offers.map(|(&reward, &value)| worth.tell(view.see(reward, false), value));
        best(worths.enumerate(), rng).map_or(0, |(nth, _)| nth)
    }

    /// The one that begins with this move.
    fn nth(&self, mv: Move) -> usize {
        self.moves[..self.count].iter().position(|other| *other == mv).unwrap_or(0)
    }
}

/// Playing on, until the game ends or a move may end it.
pub(crate) struct PlayOn<'a, 'b, G: CellBoard> {
    pub(crate) solo: &'a mut Solo<'b, G>,
    /// Its weights are far.
    pub(crate) value: &'a mut Value<G>,
    /// Nothing if nothing is learned.
    pub(crate) lesson: Option<Lesson<'a>>,
    pub(crate) rng: &'a mut Rng,
}

impl<G: CellBoard> Work for PlayOn<'_, '_, G> {
    #[inline(always)]
    fn run(self) {
        let PlayOn { solo, value, mut lesson, rng } = self;
        let (terms, view, game) = (value.terms(ALONE), value.rewards, solo.game);
        let worth = value.worth(value.perspective.sign(ALONE));
        let (mut ways, mut scratch) = (Ways::new(&solo.state), Vec::new());
        let Value { net, reader, course, errors, evaluated, .. } = value;
        course.bank = terms.bank();
        course.next.images.resize(reader.num_images(), Default::default());
        if let Some(lesson) = &mut lesson {
            std::mem::swap(lesson.latest, &mut course.latest);
        }
        while solo.turn == Turn::Player(ALONE) && ways.find(game, &solo.state, &mut scratch) {
            ways.read(game, terms.pov, &mut course.next);
            net.look_on(course);
            *evaluated += ways.count as u64;
            let blind = solo.explore.draws_blindly(rng);
            let nth = if blind {
                ways.nth(game.random_move(&solo.state, rng, &mut scratch))
            } else {
                ways.best(&course.values, worth, view, rng)
            };
            let reward = solo.make(ways.moves[nth], blind, &ways.states[nth], ways.rewards[nth]);
            if let Some(lesson) = &mut lesson {
                let future = worth.discount * course.values[nth];
                let target = lesson.target(view.see(reward, false), future, blind);
                let net = net.get_mut().expect("forks are gone when weights change");
                let error = net.go_on(course, nth, target);
                target.inspect(|_| errors.count(error));
            }
            solo.draw(rng);
        }
        if let Some(lesson) = &mut lesson {
            std::mem::swap(lesson.latest, &mut course.latest);
        }
    }
}

#[cfg(test)]
mod tests;
