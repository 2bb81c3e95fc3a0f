//! Games of one player by weights that are far: choosing, chance and learning in one loop.

use crate::explore::best;
use crate::{Episode, Explore, LearnFromRandom, Value};
use ludens_core::{ABREAST, CellBoard, Game, Move, Played, Player, Rewards, Rng, Turn};
use ludens_values::{Active, Sights, Work};

/// A game of one player that goes on.
pub struct Solo<'a, G: Game> {
    /// The rules.
    pub game: &'a G,
    /// Where it stands.
    pub state: G::State,
    /// Whose turn it is.
    pub turn: Turn,
    /// What was gained since the last observed step.
    pub gained: Rewards,
    /// What came of it so far.
    pub episode: Episode,
    /// How moves are picked.
    pub explore: Explore,
    /// Hears of everything played.
    pub watch: &'a mut dyn FnMut(Played, bool),
}

/// What is learned from a game of one player.
pub(crate) struct Lesson<'a> {
    /// The latest position; worth nothing before the first move.
    pub(crate) latest: &'a mut Box<Active>,
    /// Whether there was a move before.
    pub(crate) moved: &'a mut bool,
    /// What was gained since.
    pub(crate) pending: &'a mut f32,
    /// Whether positions before exploratory moves are corrected.
    pub(crate) random: LearnFromRandom,
}

/// Playing on.
pub(crate) struct PlayOn<'a, 'b, G: CellBoard> {
    pub(crate) solo: &'a mut Solo<'b, G>,
    pub(crate) value: &'a mut Value<G>,
    /// Nothing if nothing is learned.
    pub(crate) lesson: Option<Lesson<'a>>,
    pub(crate) rng: &'a mut Rng,
}

/// The ways on from a state.
struct Ways<S> {
    count: usize,
    moves: [Move; ABREAST],
    states: [S; ABREAST],
    /// What each of them gains.
    gained: [f32; ABREAST],
}

impl<S: Clone> Ways<S> {
    fn new(state: &S) -> Ways<S> {
        let states = std::array::from_fn(|_| state.clone());
        Ways { count: 0, moves: [Move(0); ABREAST], states, gained: [0.0; ABREAST] }
    }

    /// Finds all; tells whether there are some, and none ends the game.
    #[inline(always)]
    fn find<G: Game<State = S>>(&mut self, game: &G, state: &S, scratch: &mut Vec<Move>) -> bool {
        let (mut count, mut ends) = (0, false);
        game.each_afterstate(state, scratch, |after| {
            if count < ABREAST {
                self.moves[count] = after.mv;
                self.states[count].clone_from(after.state);
                self.gained[count] = after.rewards[Player(0)];
            }
            ends |= after.turn == Turn::Over;
            count += 1;
        });
        self.count = count;
        !ends && (1..=ABREAST).contains(&count)
    }

    /// Reads the boards they lead to.
    #[inline(always)]
    fn read<G>(&self, game: &G, pov: Player, images: usize, sights: &mut Sights)
    where
        G: CellBoard<State = S>,
    {
        sights.count = self.count;
        let Sights { images: rows, scratch, .. } = sights;
        game.read_images_abreast(&self.states, pov, &mut rows[..images], scratch);
    }
}

impl<G: CellBoard> Work for PlayOn<'_, '_, G> {
    #[inline(always)]
    fn run(self) {
        let PlayOn { solo, value, mut lesson, rng } = self;
        let (game, player) = (solo.game, Player(0));
        let terms = value.terms(player);
        let worth = value.worth(value.perspective.sign(player));
        let view = value.rewards;
        let pov = terms.pov;
        let images = value.reader.num_images();
        let mut scratch = Vec::new();
        let Value { net, course, errors, evaluated, .. } = value;
        let course = &mut **course;
        course.bank = terms.bank();
        let mut ways = Ways::new(&solo.state);
        let mut state = solo.state.clone();
        let mut gained = solo.gained[player];
        let mut total = 0.0;
        let mut moves = 0;
        course.next.images.resize(course.next.images.len().max(images), Default::default());
        if let Some(lesson) = &mut lesson {
            std::mem::swap(lesson.latest, &mut course.latest);
        }
        let mut turn = solo.turn;
        while matches!(turn, Turn::Player(_)) && ways.find(game, &state, &mut scratch) {
            ways.read(game, pov, images, &mut course.next);
            net.look_on(course);
            *evaluated += ways.count as u64;
            let blind = solo.explore.draws_blindly(rng);
            let (rewards, known) = (&ways.gained[..ways.count], &course.values[..ways.count]);
            let nth = if blind {
                let mv = game.random_move(&state, rng, &mut scratch);
                ways.moves.iter().position(|other| *other == mv).unwrap_or(0)
            } else {
                let offers = rewards.iter().zip(known);
                let worths = offers.map(|(&reward, &value)| worth.tell(view.see(reward, false), value));
                best(worths.enumerate(), rng).unwrap_or_default().0
            };
            (solo.watch)(Played::Move(ways.moves[nth]), blind);
            state.clone_from(&ways.states[nth]);
            let reward = gained + rewards[nth];
            gained = 0.0;
            total += reward;
            moves += 1;
            if let Some(Lesson { moved, pending, random, .. }) = &mut lesson {
                let target = **pending + view.see(reward, false) + worth.discount * known[nth];
                let allowed = **moved && (!blind || *random == LearnFromRandom::Always);
                let net = net.get_mut().expect("forks are gone when weights change");
                let error = net.go_on(course, nth, allowed.then_some(target));
                if allowed {
                    errors.count(error);
                }
                (**moved, **pending) = (true, 0.0);
            }
            turn = game.turn(&state);
            while turn == Turn::Chance {
                let event = game.draw(&state, rng);
                (solo.watch)(Played::Event(event), false);
                gained += game.resolve(&mut state, event)[player];
                turn = game.turn(&state);
            }
        }
        if let Some(lesson) = &mut lesson {
            std::mem::swap(lesson.latest, &mut course.latest);
        }
        (solo.state, solo.turn) = (state, turn);
        solo.gained[player] = gained;
        solo.episode.rewards[player] += total;
        solo.episode.moves += moves;
    }
}
