//! What several tests of training need.
#![allow(dead_code, reason = "each test file uses some of it")]

pub(crate) mod graph;

use ludens_core::{
    Agent, Bitboards, Game, Invalid, MAX_PLAYERS, Move, Notation, Params, Played, RandomAgent, Rng,
    ValueFunction,
};
use ludens_learn::{
    Config, Episode, EpisodeLoop, EpisodeRunner, Explore, Learner, Observer, Policy, Seat, Trainer,
};
use proptest::test_runner::Config as ProptestConfig;

/// Opens the only agent that tests need.
pub(crate) fn open<G: Game>(text: &str) -> Result<Box<dyn Agent<G>>, Invalid> {
    match text {
        "random" => Ok(Box::new(RandomAgent::default())),
        _ => Err(Invalid(format!("no agent {text}"))),
    }
}

pub(crate) fn game<G: Notation>(text: &str) -> G {
    let params: Params = text.parse().expect("a game");
    G::configure(&params.check(G::SETTINGS).expect("settings")).expect("settings")
}

pub(crate) fn config(game: &str, rest: &str) -> Config {
    toml::from_str(&format!("game = '{game}'\n{rest}")).expect(rest)
}

/// A run at its beginning, with seed 1.
pub(crate) fn trainer<G: Notation + Bitboards>(text: &str, rest: &str) -> Trainer<G> {
    Trainer::new(game(text), config(text, rest), 1, &open::<G>).expect(rest)
}

/// Why a run is refused.
pub(crate) fn refusal<G: Notation + Bitboards>(text: &str, rest: &str) -> String {
    let refused = Trainer::<G>::new(game(text), config(text, rest), 1, &open::<G>).err();
    refused.unwrap_or_else(|| panic!("{rest} is accepted")).to_string()
}

/// Plays the games of a run up to number `episode`.
pub(crate) fn train_until<G: Notation + Bitboards>(trainer: &mut Trainer<G>, episode: u64) {
    while trainer.episode() < episode {
        trainer.step(None).expect("no agent forfeits");
    }
}

/// A run at its end.
pub(crate) fn trained<G: Notation + Bitboards>(text: &str, rest: &str) -> Trainer<G> {
    let mut trainer = trainer(text, rest);
    let episodes = trainer.config().episodes;
    train_until(&mut trainer, episodes);
    trainer
}

/// The bits of all that was learned.
pub(crate) fn bits<G: Notation + Bitboards>(trainer: &mut Trainer<G>) -> Vec<u32> {
    let tensors = trainer.value().network.tensors();
    tensors.iter().flat_map(|tensor| tensor.data.iter().map(|number| number.to_bits())).collect()
}

pub(crate) fn legal_moves<G: Game>(game: &G, state: &G::State) -> Vec<Move> {
    let mut legal = Vec::new();
    game.legal_moves(state, &mut legal);
    legal
}

pub(crate) fn move_values<G: Notation + Bitboards>(
    trainer: &mut Trainer<G>,
    state: &G::State,
) -> (Vec<Move>, Vec<f32>) {
    let (game, mut values) = (trainer.game().clone(), Vec::new());
    let legal = legal_moves(&game, state);
    trainer.value().move_values(&game, state, &legal, &mut values);
    (legal, values)
}

/// The move with the largest value; the last of several.
pub(crate) fn greedy<G: Notation + Bitboards>(trainer: &mut Trainer<G>, state: &G::State) -> Move {
    let (legal, values) = move_values(trainer, state);
    let best = (0..legal.len()).max_by(|&a, &b| values[a].total_cmp(&values[b]));
    legal[best.expect("a player to move has a legal move")]
}

/// The results of some games of the learner against itself, and everything that happened in them.
pub(crate) fn play<G: Bitboards>(
    game: &G,
    learner: &mut dyn Learner<G>,
    explore: Explore,
    episode_loop: EpisodeLoop,
    games: u64,
) -> (Vec<Episode>, Vec<(Played, bool)>) {
    let (policy, mut played) = (&mut Policy::new(1), Vec::new());
    let mut episode = |number| {
        let seats: &mut [_; MAX_PLAYERS] = &mut std::array::from_fn(|_| Seat::Learner);
        let observer: Observer<'_> = Some(&mut |what, explored| played.push((what, explored)));
        let runner =
            EpisodeRunner { game, learner, policy, seats, explore, episode_loop, observer };
        runner.play(game.start(), &mut Rng::derived(5, "game", number)).expect("nobody forfeits")
    };
    ((0..games).map(&mut episode).collect(), played)
}

/// So many random cases, without a file of failures.
pub(crate) fn cases(cases: u32) -> ProptestConfig {
    ProptestConfig { cases, failure_persistence: None, ..ProptestConfig::default() }
}
