//! Games that are handed from thread to thread, each of which plays and learns for one player.

use crate::build::{build_learner_of, explore_at};
use crate::episode::Table;
use crate::thread::Thread;
use crate::{Episode, Errors, Explore, Learner, News, Seat, Value};
use ludens_core::{Game, MAX_PLAYERS, Notation, Played, Player, Rewards, Rng, Turn};
use ludens_values::{Lent, Net, wait_while};
use std::ops::Range;
use std::sync::Mutex;
use std::sync::atomic::{AtomicBool, AtomicUsize, Ordering};

/// How many games are best under way for each thread, so that nobody waits for long.
pub(crate) const GAMES_EACH: usize = 4;

/// A run of games in which a thread for each player plays and learns all moves of that player.
///
/// Where each player has weights of his own, nobody else reads or writes them: threads share nothing
/// but the games, which go around in a fixed order. So what is learned does not depend on who is
/// faster.
pub(crate) struct Relay<'a, G: Notation> {
    plan: &'a Thread<'a, G>,
    episodes: Range<u64>,
    places: Vec<Place<G::State>>,
    /// Whether a thread has panicked.
    broken: AtomicBool,
}

/// Where a game lies while it goes around; two cache lines, which processors fetch together.
#[repr(align(128))]
struct Place<S> {
    /// Whose turn it is to look at the game.
    holder: AtomicUsize,
    game: Mutex<Baton<S>>,
}

/// A game that goes around.
struct Baton<S> {
    /// Its number; nothing if there are no more games.
    number: Option<u64>,
    /// Its learning rate.
    rate: f32,
    explore: Explore,
    rng: Rng,
    state: S,
    turn: Turn,
    start: S,
    /// How many players have learned from its end.
    ended: usize,
    /// Everything that happened.
    news: Vec<News>,
    episode: Episode,
}

/// What came of the games, as one thread saw it.
pub(crate) struct Share {
    /// The games that ended; the first thread tells all of them, the others none.
    pub(crate) played: Vec<Episode>,
    pub(crate) errors: Errors,
    pub(crate) evaluated: u64,
}

impl<'a, G: Notation> Relay<'a, G> {
    /// These games, about to begin; at most so many are under way at a time.
    pub(crate) fn new(
        plan: &'a Thread<'a, G>,
        episodes: Range<u64>,
        at_once: usize,
    ) -> Relay<'a, G> {
        let place = |_| Place { holder: AtomicUsize::new(0), game: Mutex::new(Baton::idle(plan)) };
        let places = (0..at_once).map(place).collect();
        Relay { plan, episodes, places, broken: AtomicBool::new(false) }
    }

    /// Plays and learns all moves of `player`. Returns what came of it, and the weights.
    pub(crate) fn run(&self, player: Player, value: Value<G>) -> (Share, Lent<dyn Net>) {
        let _alarm = Alarm(&self.broken);
        let learner = build_learner_of(self.plan.game, self.plan.config, value);
        let mut learner = learner.expect("the same was built before");
        assert!(learner.mind(player, self.places.len()), "who is asked can mind one player alone");
        let mut seen = vec![Seen::default(); self.places.len()];
        let (mut played, mut next) = (Vec::new(), self.episodes.clone());
        let mut open = self.places.len();
        while open > 0 {
            for (table, place) in self.places.iter().enumerate() {
                if seen[table].closed {
                    continue;
                }
                self.wait(place, player);
                let mut baton = place.game.lock().expect("nobody panics");
                if player == Player(0) && baton.is_over(self.plan.game) {
                    played.extend(baton.number.map(|_| std::mem::take(&mut baton.episode)));
                    baton.begin(self.plan, next.next());
                }
                learner.turn_to(table);
                seen[table].visit(self.plan, &mut *learner, player, &mut baton);
                open -= usize::from(seen[table].closed);
                drop(baton);
                let after = player.after(1, self.plan.game.num_players());
                place.holder.store(after.index(), Ordering::Release);
            }
        }
        let value = learner.value();
        let share = Share { played, errors: value.errors, evaluated: value.evaluated };
        (share, value.net.clone())
    }

    /// Returns once it is the player's turn to look at the game in this place.
    #[inline]
    fn wait(&self, place: &Place<G::State>, player: Player) {
        wait_while(|| {
            let waits = place.holder.load(Ordering::Acquire) != player.index();
            assert!(!(waits && self.broken.load(Ordering::Relaxed)), "another thread has panicked");
            waits
        });
    }
}

impl<S: Clone> Baton<S> {
    /// A place for games.
    fn idle<G: Notation<State = S>>(plan: &Thread<'_, G>) -> Baton<S> {
        let state = plan.game.start();
        Baton {
            number: None,
            rate: 0.0,
            explore: Explore::GREEDY,
            rng: Rng::seeded(0),
            start: state.clone(),
            state,
            turn: Turn::Over,
            ended: plan.game.num_players(),
            news: Vec::new(),
            episode: Episode::default(),
        }
    }

    /// Whether all players have learned from the end.
    fn is_over(&self, game: &impl Game) -> bool {
        self.ended == game.num_players()
    }

    /// Begins the game with this number, if there is one.
    fn begin<G: Notation<State = S>>(&mut self, plan: &Thread<'_, G>, number: Option<u64>) {
        self.number = number;
        let Some(number) = number else { return };
        (self.rng, self.start) = plan.begin(number);
        (self.rate, self.explore) = (plan.rate(number), explore_at(plan.config, number));
        self.state = self.start.clone();
        self.turn = plan.game.turn(&self.state);
        self.ended = 0;
        self.news.clear();
    }
}

/// What a player has seen of the games in one place.
#[derive(Clone, Default)]
struct Seen {
    /// The number of the latest game.
    number: Option<u64>,
    /// How many of its news are known.
    heard: usize,
    /// Whether its end has been learned.
    ended: bool,
    /// Whether there are no more games.
    closed: bool,
}

impl Seen {
    /// Learns what has happened, and plays while it is the player's turn.
    fn visit<G: Notation>(
        &mut self,
        plan: &Thread<'_, G>,
        learner: &mut dyn Learner<G>,
        player: Player,
        baton: &mut Baton<G::State>,
    ) {
        if baton.number.is_none() {
            self.closed = true;
            return;
        }
        if learner.value().net.rate() != baton.rate {
            learner.value().net_mut().set_rate(baton.rate);
        }
        if self.number != baton.number {
            learner.begin(plan.game, &baton.start);
            *self = Seen { number: baton.number, ..Seen::default() };
        }
        if self.ended {
            return;
        }
        baton.news[self.heard..].iter().for_each(|news| learner.hear(news));
        if baton.turn == Turn::Player(player) {
            play(plan.game, learner, player, baton);
        }
        self.heard = baton.news.len();
        if baton.turn == Turn::Over {
            learner.end(plan.game, Rewards::NONE);
            self.ended = true;
            baton.ended += 1;
        }
    }
}

/// Plays while it is the player's turn.
fn play<G: Notation>(
    game: &G,
    learner: &mut dyn Learner<G>,
    player: Player,
    baton: &mut Baton<G::State>,
) {
    let mut explored = false;
    let mut seats: [Seat<'_, G>; MAX_PLAYERS] = std::array::from_fn(|_| Seat::Learner);
    while baton.turn == Turn::Player(player) {
        let watch = &mut |_: Played, random: bool| explored = random;
        let mut table = Table::new(game, &mut seats, baton.state.clone(), Some(watch));
        let rewards = table.move_on(learner, player, baton.explore, &mut baton.rng);
        let rewards = rewards.expect("a learner never forfeits");
        (baton.turn, baton.state) = (table.turn, table.state);
        let over = baton.turn == Turn::Over;
        baton.news.push(News { player, rewards, over, explored });
        baton.episode.rewards += rewards;
        baton.episode.moves += 1;
    }
}

/// Tells the others if its thread panics.
struct Alarm<'a>(&'a AtomicBool);

impl Drop for Alarm<'_> {
    fn drop(&mut self) {
        if std::thread::panicking() {
            self.0.store(true, Ordering::Relaxed);
        }
    }
}
