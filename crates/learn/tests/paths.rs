//! Every fast path plays and learns the same bits as the general loop on one thread.

mod common;

use common::{bits, cases, config, play, train_until, trainer};
use ludens_approx::TraceSettings;
use ludens_core::{
    Bitboards, CellBoard, CellLayout, Event, Game, Move, Notation, Packing, Player, Rewards, Turn,
};
use ludens_games::{Connect4, Game2048, TicTacToe};
use ludens_learn::{
    Config, DelayedTd, Encoder, Episode, EpisodeLoop, Explore, GreedyActor, LearnFromRandom,
    Learner, LearnerSettings, TdFarl, Trainer, Value, build_value,
};
use proptest::prelude::*;
use proptest::sample::select;

/// 2048 until a tile of 32 has been made: a game of one player in which moves end the game.
#[derive(Clone, Debug, Default)]
struct Short(Game2048);

type State = <Game2048 as Game>::State;

impl Game for Short {
    type State = State;

    fn num_players(&self) -> usize {
        1
    }

    fn num_moves(&self) -> usize {
        4
    }

    fn start(&self) -> State {
        self.0.start()
    }

    fn turn(&self, state: &State) -> Turn {
        let mut cells = [0; 16];
        self.read_cells(state, Player(0), &mut cells);
        if cells.iter().any(|cell| *cell >= 5) { Turn::Over } else { self.0.turn(state) }
    }

    fn legal_moves(&self, state: &State, out: &mut Vec<Move>) {
        self.0.legal_moves(state, out);
    }

    fn play(&self, state: &mut State, mv: Move) -> Rewards {
        self.0.play(state, mv)
    }

    fn has_chance(&self) -> bool {
        true
    }

    fn events(&self, state: &State, out: &mut Vec<(Event, f32)>) {
        self.0.events(state, out);
    }

    fn resolve(&self, state: &mut State, event: Event) -> Rewards {
        self.0.resolve(state, event)
    }
}

impl CellBoard for Short {
    fn layout(&self) -> CellLayout {
        self.0.layout()
    }

    fn read_cells(&self, state: &State, pov: Player, cells: &mut [u8]) {
        self.0.read_cells(state, pov, cells);
    }

    fn map_move(&self, symmetry: usize, mv: Move) -> Move {
        self.0.map_move(symmetry, mv)
    }
}

impl Bitboards for Short {
    fn packing(&self) -> Option<Packing> {
        self.0.packing()
    }

    fn write_bitboards(&self, state: &State, pov: Player, images: &mut [[u64; 2]]) {
        self.0.write_bitboards(state, pov, images);
    }
}

/// A value for a game with the board of 2048.
fn value<G: Bitboards>(config: &Config) -> Value<G> {
    let value = build_value(&Game2048::default(), config, 1, 1 << 32).expect("a value");
    assert!(value.network.fused().is_some(), "the tables are too small");
    Value::new(value.network, Encoder::Bitboards { images: 8 }, value.spec)
}

/// TD-FARL, or with a delay the same by truncated lambda-returns.
fn learner<G: Bitboards>(
    game: &G,
    value: Value<G>,
    settings: LearnerSettings,
    delay: usize,
) -> Box<dyn Learner<G>> {
    match delay {
        0 => Box::new(TdFarl::new(game, value, settings).expect("a learner")),
        _ => Box::new(DelayedTd::new(game, value, settings, 0.6, delay).expect("a learner")),
    }
}

/// Learns, then plays without learning, by both loops.
fn check_fused<G: Bitboards>(
    game: &G,
    config: &Config,
    settings: LearnerSettings,
    (rate, delay): (f32, usize),
) {
    let explore = Explore::Epsilon { rate };
    let [mut fused, mut general] = [(); 2].map(|()| learner(game, value(config), settings, delay));
    assert!(fused.fast_paths().is_some_and(|paths| paths.fused().is_some()), "no fused loop");
    let found = play(game, &mut *fused, explore, EpisodeLoop::Fused, 5);
    assert!(found == play(game, &mut *general, explore, EpisodeLoop::General, 5), "other games");
    let (fused, general) = (fused.value(), general.value());
    assert_eq!(fused.errors, general.errors);
    for (a, b) in fused.network.tensors().iter().zip(general.network.tensors()) {
        let same = a.data.iter().zip(b.data).all(|(a, b)| a.to_bits() == b.to_bits());
        assert!(same && a.data.len() == b.data.len(), "other {}", a.name);
    }
    let actor =
        |episode_loop| play(game, &mut GreedyActor::new(fused.fork(), 1), explore, episode_loop, 5);
    assert!(actor(EpisodeLoop::Fused) == actor(EpisodeLoop::General), "other games when greedy");
}

const ONE: &str = "[[0, 1, 2, 4, 5, 6]]";
const FOUR: &str = "[[0, 1, 2, 4, 5], [1, 2, 5, 6, 9], [0, 1, 5, 6, 7], [4, 5, 6, 9, 10]]";
const EIGHT: &str = "[[0, 1, 2, 4, 5], [1, 2, 5, 6, 9], [0, 1, 5, 6, 7], [4, 5, 6, 9, 10], \
    [0, 1, 2, 3, 4], [1, 2, 3, 5, 7], [5, 6, 9, 10, 11], [2, 3, 6, 7, 11]]";

proptest! {
    #![proptest_config(cases(16))]

    #[test]
    fn the_fused_loop_is_the_general_loop(
        tuples in select(vec![ONE, FOUR, EIGHT]),
        step in select(vec!["", "[step.tcl]\n", "[step.tcl]\ntransfer = 'exponential'\n"]),
        output in select(vec!["none", "tanh"]),
        low in select(vec![0.0, -0.5]),
        (duplicates, adapt_last, short) in any::<(bool, bool, bool)>(),
        exploration in select(vec![
            LearnFromRandom::Never, LearnFromRandom::Always, LearnFromRandom::IfOver,
        ]),
        gamma in select(vec![1.0, 0.9]),
        rate in select(vec![0.0, 0.2]),
        (delay, reset) in (0_usize..4, any::<bool>()),
    ) {
        let config = config("2048", &format!(
            "[value.ntuple]\ntuples = {tuples}\noutput = '{output}'\n\
             init = {{ low = {low:?}, high = 0.0 }}\ncount-duplicate-features = {duplicates}\n\
             {step}[learner]\nalpha = 0.3\ngamma = {gamma:?}\nreward-scale = 0.01"
        ));
        let (trace, adapt_others) = (TraceSettings::TD0, true);
        let settings = LearnerSettings {
            trace,
            reset,
            exploration,
            adapt_others,
            adapt_last,
            redraw: false,
            residual: 0.0,
        };
        match short {
            true => check_fused(&Short::default(), &config, settings, (rate, delay)),
            false => check_fused(&Game2048::default(), &config, settings, (rate, delay)),
        }
    }
}

/// A run in one go and another way to its end learn the same bits.
fn assert_same<G: Notation + Bitboards>(
    game: &str,
    config: &str,
    other: impl Fn(&mut Trainer<G>) -> Vec<Episode>,
) {
    let (mut one, mut two) = (trainer::<G>(game, config), trainer::<G>(game, config));
    let expected = play_on(&mut one);
    let found = other(&mut two);
    assert!(bits(&mut one) == bits(&mut two), "{game} {config}");
    assert!(expected.ends_with(&found) && !found.is_empty(), "{game} {config}");
    let all = found.len() == expected.len();
    assert!(!all || one.value().errors.count == two.value().errors.count, "{game} {config}");
}

fn play_on<G: Notation + Bitboards>(trainer: &mut Trainer<G>) -> Vec<Episode> {
    let left = trainer.episode()..trainer.config().episodes;
    left.map(|_| trainer.step(None).expect("nobody forfeits")).collect()
}

/// Goes on from the weights of a run that was stopped after so many games.
fn resume<G: Notation + Bitboards>(
    trainer: &mut Trainer<G>,
    stopped: &mut Trainer<G>,
    at: u64,
) -> Vec<Episode> {
    train_until(stopped, at);
    let (to, from) = (trainer.value().network_mut(), stopped.value().network.tensors());
    let pairs = to.tensors_mut().into_iter().zip(from);
    pairs.for_each(|(to, from)| to.data.copy_from_slice(from.data));
    trainer.set_episode(at).expect("nobody forfeits");
    play_on(trainer)
}

/// The same checks for three games.
macro_rules! assert_same_in {
    ($game:expr, $config:expr, $other:expr) => {
        match $game {
            "tictactoe" => assert_same::<TicTacToe>($game, $config, $other),
            "2048" => assert_same::<Game2048>($game, $config, $other),
            game => assert_same::<Connect4>(game, $config, $other),
        }
    };
}

const GAMES: [&str; 3] = ["tictactoe", "2048", "connect4:columns=4,rows=4"];

/// A short run; `learner` goes into the table of the learner.
fn run(game: &str, step: &str, learner: &str) -> String {
    let (episodes, tuples) = if game == "2048" { (5, FOUR) } else { (60, "'walk'\ncount = 4") };
    format!(
        "episodes = {episodes}\n[value.ntuple]\ntuples = {tuples}\n{step}\
         [explore.epsilon]\nrate = {{ from = 0.3, to = 0.1 }}\n\
         [learner]\nalpha = {{ from = 0.5, to = 0.1 }}\n{learner}"
    )
}

const STEPS: [&str; 3] = ["", "[step.tcl]\n", "[trace]\nlambda = 0.7\nreset = true\n[step.tcl]\n"];

proptest! {
    #![proptest_config(cases(12))]

    #[test]
    fn hogwild_by_one_thread_is_one_thread(
        game in select(GAMES.to_vec()),
        step in select(STEPS[..2].to_vec()),
        algorithm in select(vec!["td-farl", "td"]),
    ) {
        let config = run(game, step, &format!("algorithm = '{algorithm}'"));
        assert_same_in!(game, &config, |trainer| {
            let mut played = trainer.step_parallel(4, 1).expect("n-tuples");
            played.extend(play_on(trainer));
            played
        });
    }

    #[test]
    fn a_batch_by_any_number_of_threads_is_a_batch_by_one(
        game in select(GAMES.to_vec()),
        step in select(STEPS.to_vec()),
        (batch, threads) in (2_u32..9, 1_usize..4),
    ) {
        let config = run(game, step, &format!("batch = {batch}"));
        assert_same_in!(game, &config, |trainer| {
            let mut played = Vec::new();
            while trainer.episode() < trainer.config().episodes {
                let mut observer = |_, _: &_, episode: &Episode| played.push(episode.clone());
                trainer.step_batch(threads, &mut observer).expect("batches");
            }
            played
        });
    }

    #[test]
    fn a_run_that_was_stopped_goes_on_as_if_it_had_not_been(
        game in select(GAMES[..2].to_vec()),
        step in select(STEPS.to_vec()),
        (batch, at) in (0_u32..5, 1_u64..5),
    ) {
        let config = run(game, step, &format!("batch = {batch}"));
        assert_same_in!(game, &config, |run| resume(run, &mut trainer(game, &config), at));
    }
}
