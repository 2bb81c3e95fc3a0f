//! Pipelined self-play: one thread for each player, and games that go around between them.
//!
//! Where each player has his own weight set, threads share nothing but the games, which go around in
//! a fixed order: no thread waits for cache lines that another has written, and the result does not
//! depend on timing.
//!
//! Measured: on two free cores two threads made 1.9 to 2.0 times the moves of one in Connect-4
//! (958 to 977 instead of 1,900 ns a move on an AMD Zen 4); on two cores that others use, too, 1.27.

use super::episode::Progress;
use super::hogwild::{Template, on_threads};
use super::waiting::WaitingThreads;
use super::{Episode, EpisodeRunner, Seat, SelfPlay, ThreadResult};
use crate::algorithm::{FastPaths, Learner, MoveReport, PerPlayerLearner};
use crate::build::{build_learner_of, explore_at, search_depth};
use crate::{EpisodeLoop, Explore, Policy, Value};
use ludens_approx::{Network, UniqueArc};
use ludens_core::{
    Bitboards, Game, MAX_PLAYERS, Notation, Played, Player, Rewards, Rng, TrainableGame, Turn,
};
use std::ops::Range;
use std::sync::Mutex;
use std::sync::atomic::{AtomicUsize, Ordering};

/// Games under way for each thread, so that threads rarely wait.
pub(crate) const GAMES_PER_THREAD: usize = 4;

/// Lets one thread for each player play and learn the moves of that player, in `slots` games at a
/// time. Where there are fewer cores than players, a thread serves several players: the result
/// depends neither on that nor on timing. Nothing if the network does not support it.
pub(crate) fn train_pipelined<G: TrainableGame>(
    selfplay: &SelfPlay<'_, G>,
    value: &mut Value<G>,
    episodes: Range<u64>,
    slots: usize,
    cores: usize,
) -> Option<Vec<ThreadResult>> {
    let players = selfplay.game.num_players();
    let (template, pipeline) = (Template::of(value), Pipeline::new(selfplay, episodes, slots));
    let serve = |seats: Vec<(Player, UniqueArc<dyn Network>)>| {
        let worker = |(player, network)| {
            PlayerWorker::new(&pipeline, player, template.with_network(network))
        };
        pipeline.run(seats.into_iter().map(worker).collect())
    };
    let mut results = Vec::new();
    value.network_mut().parallel()?.train_shared(players, &mut |networks| {
        let mut seats: Vec<_> = (0..cores.clamp(1, players)).map(|_| Vec::new()).collect();
        let threads = seats.len();
        for (player, network) in Player::all(players).zip(networks) {
            seats[player.index() % threads].push((player, network));
        }
        results = on_threads(seats, serve).into_iter().flatten().collect();
    });
    Some(results)
}

/// Games that go around between the players.
struct Pipeline<'a, G: Notation> {
    selfplay: &'a SelfPlay<'a, G>,
    episodes: Range<u64>,
    slots: Vec<GameSlot<G::State>>,
    waiting: WaitingThreads,
}

/// Where a game lies while it goes around; two cache lines, which processors fetch together.
#[repr(align(128))]
struct GameSlot<S> {
    /// The player whose thread holds the game.
    holder: AtomicUsize,
    game: Mutex<PipelinedGame<S>>,
}

/// A game that goes around.
struct PipelinedGame<S> {
    /// Its number; nothing if there are no more games.
    number: Option<u64>,
    alpha: f32,
    explore: Explore,
    rng: Rng,
    start: S,
    progress: Progress<S>,
    /// How many players have learned from its end.
    ended: usize,
    /// All moves so far.
    reports: Vec<MoveReport>,
}

impl<'a, G: TrainableGame> Pipeline<'a, G> {
    /// These games; at most `slots` are under way at a time.
    fn new(selfplay: &'a SelfPlay<'a, G>, episodes: Range<u64>, slots: usize) -> Pipeline<'a, G> {
        let game = || Mutex::new(PipelinedGame::idle(selfplay));
        let slot = |_| GameSlot { holder: AtomicUsize::new(0), game: game() };
        let slots = (0..slots).map(slot).collect();
        let waiting = WaitingThreads::new(selfplay.game.num_players());
        Pipeline { selfplay, episodes, slots, waiting }
    }

    /// Lets one thread play and learn all moves of these players.
    fn run(&self, mut workers: Vec<PlayerWorker<G>>) -> Vec<ThreadResult> {
        let _at_work = self.waiting.at_work(workers[0].player.index());
        while workers.iter().any(PlayerWorker::is_open) {
            workers.iter_mut().for_each(|worker| worker.visit_games(self));
        }
        workers.into_iter().map(PlayerWorker::result).collect()
    }
}

/// Who plays and learns the moves of one player.
struct PlayerWorker<G: Game> {
    player: Player,
    learner: Box<dyn Learner<G>>,
    policy: Policy,
    /// What the player has seen of the games in each slot.
    views: Vec<SlotView>,
    /// The first player begins games,
    next: Range<u64>,
    /// and keeps their results.
    played: Vec<Episode>,
}

impl<G: TrainableGame> PlayerWorker<G> {
    fn new(pipeline: &Pipeline<'_, G>, player: Player, value: Value<G>) -> PlayerWorker<G> {
        let SelfPlay { game, config, .. } = *pipeline.selfplay;
        let mut learner = build_learner_of(game, config, value).expect("the same was built before");
        per_player(&mut *learner).restrict_to(player, pipeline.slots.len());
        PlayerWorker {
            player,
            learner,
            policy: Policy::new(search_depth(config)),
            views: vec![SlotView::default(); pipeline.slots.len()],
            next: pipeline.episodes.clone(),
            played: Vec::new(),
        }
    }

    fn is_open(&self) -> bool {
        self.views.iter().any(|view| !view.closed)
    }

    /// Waits for each game that goes around, works on it, and passes it on.
    fn visit_games(&mut self, pipeline: &Pipeline<'_, G>) {
        let (player, players) = (self.player, pipeline.selfplay.game.num_players());
        for (nth, slot) in pipeline.slots.iter().enumerate() {
            if self.views[nth].closed {
                continue;
            }
            let is_own = || slot.holder.load(Ordering::Acquire) == player.index();
            pipeline.waiting.wait(player.index(), is_own);
            let mut current = slot.game.lock().expect("nobody panics");
            if player == Player(0) && current.ended == players {
                let episode = std::mem::take(&mut current.progress.episode);
                self.played.extend(current.number.map(|_| episode));
                current.begin(pipeline.selfplay, self.next.next());
            }
            let PlayerWorker { learner, policy, views, .. } = &mut *self;
            per_player(&mut **learner).switch_game(nth);
            views[nth].visit(pipeline.selfplay, &mut **learner, policy, player, &mut current);
            drop(current);
            let next = player.after(1, players).index();
            slot.holder.store(next, Ordering::Release);
            pipeline.waiting.ready(next);
        }
    }

    fn result(mut self) -> ThreadResult {
        let Value { errors, evaluated, .. } = *self.learner.value();
        ThreadResult { played: self.played, errors, evaluated }
    }
}

fn per_player<G: Bitboards>(learner: &mut dyn Learner<G>) -> &mut dyn PerPlayerLearner<G> {
    let found = learner.fast_paths().and_then(FastPaths::per_player);
    found.expect("the plan asked for learners of one player")
}

impl<S: Clone> PipelinedGame<S> {
    /// An empty slot.
    fn idle<G: Notation<State = S>>(selfplay: &SelfPlay<'_, G>) -> PipelinedGame<S> {
        let start = selfplay.game.start();
        PipelinedGame {
            number: None,
            alpha: 0.0,
            explore: Explore::GREEDY,
            rng: Rng::seeded(0),
            progress: Progress::new(selfplay.game, start.clone()),
            start,
            ended: selfplay.game.num_players(),
            reports: Vec::new(),
        }
    }

    /// Begins the game with this number, if there is one.
    fn begin<G>(&mut self, selfplay: &SelfPlay<'_, G>, number: Option<u64>)
    where
        G: TrainableGame<State = S>,
    {
        self.number = number;
        let Some(number) = number else { return };
        (self.rng, self.start) = selfplay.begin(number);
        (self.alpha, self.explore) = (selfplay.alpha(number), explore_at(selfplay.config, number));
        self.progress = Progress::new(selfplay.game, self.start.clone());
        self.ended = 0;
        self.reports.clear();
    }
}

/// What a player has seen of the games in one slot.
#[derive(Clone, Default)]
struct SlotView {
    /// The number of the latest game.
    number: Option<u64>,
    /// How many of its moves are known.
    observed: usize,
    /// Whether its end has been learned.
    ended: bool,
    /// Whether there are no more games.
    closed: bool,
}

impl SlotView {
    /// Learns what has happened, and plays while it is the player's turn.
    fn visit<G: TrainableGame>(
        &mut self,
        selfplay: &SelfPlay<'_, G>,
        learner: &mut dyn Learner<G>,
        policy: &mut Policy,
        player: Player,
        current: &mut PipelinedGame<G::State>,
    ) {
        if current.number.is_none() {
            self.closed = true;
            return;
        }
        learner.value().network_mut().set_step_size(current.alpha);
        if self.number != current.number {
            learner.begin(selfplay.game, &current.start);
            *self = SlotView { number: current.number, ..SlotView::default() };
        }
        if self.ended {
            return;
        }
        let reports = current.reports[self.observed..].iter();
        reports.for_each(|report| per_player(learner).observe_opponent(report));
        if current.progress.turn == Turn::Player(player) {
            play_turn(selfplay, learner, policy, player, current);
        }
        self.observed = current.reports.len();
        if current.progress.turn == Turn::Over {
            learner.end(selfplay.game, Rewards::NONE);
            self.ended = true;
            current.ended += 1;
        }
    }
}

/// Plays while it is the player's turn.
fn play_turn<G: TrainableGame>(
    selfplay: &SelfPlay<'_, G>,
    learner: &mut dyn Learner<G>,
    policy: &mut Policy,
    player: Player,
    current: &mut PipelinedGame<G::State>,
) {
    let mut seats: [Seat<'_, G>; MAX_PLAYERS] = std::array::from_fn(|_| Seat::Learner);
    let PipelinedGame { progress, rng, reports, explore, .. } = current;
    while progress.turn == Turn::Player(player) {
        let mut explored = false;
        let mut observer = |_: Played, random: bool| explored = random;
        let mut runner = EpisodeRunner {
            game: selfplay.game,
            learner,
            policy,
            seats: &mut seats,
            explore: *explore,
            episode_loop: EpisodeLoop::General,
            observer: Some(&mut observer),
        };
        let rewards = runner.step(progress, player, rng).expect("a learner never forfeits");
        let over = progress.turn == Turn::Over;
        reports.push(MoveReport { player, rewards, over, explored });
    }
}
