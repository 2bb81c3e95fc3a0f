//! Games of one player and of three are learned, and not only a little.

use ludens_core::{
    Agent, Game, Invalid, Move, Notation, Params, Player, Rewards, Rng, Turn, ValueFunction,
};
use ludens_games::{Game2048, Nim};
use ludens_learn::{Config, Trainer};
use std::collections::HashMap;

fn open<G: Notation>(text: &str) -> Result<Box<dyn Agent<G>>, Invalid> {
    Err(Invalid(format!("no agent {text}")))
}

fn trained<G: Notation>(text: &str, config: &str) -> Trainer<G> {
    let params: Params = text.parse().expect("a game");
    let game = G::configure(&params.check(G::SETTINGS).expect("settings")).expect("settings");
    let config: Config = toml::from_str(config).expect("a config");
    let mut trainer = Trainer::new(game, config, 1, &open::<G>).expect("a trainer");
    while trainer.episode() < trainer.config().episodes {
        trainer.step(None).expect("no agent forfeits");
    }
    trainer
}

fn greedy<G: Notation>(trainer: &mut Trainer<G>, state: &G::State) -> Move {
    let (game, mut legal, mut values) = (trainer.game().clone(), Vec::new(), Vec::new());
    game.legal_moves(state, &mut legal);
    trainer.value().move_values(&game, state, &legal, &mut values);
    let best = (0..legal.len()).max_by(|&a, &b| values[a].total_cmp(&values[b]));
    legal[best.expect("a player to move has a legal move")]
}

type NimState = <Nim as Game>::State;

/// What everybody gains after `mv` if all play for themselves. What a player gains tells who took
/// the last piece, so that it does not matter how ties are broken.
fn outcome(
    nim: &Nim,
    state: &NimState,
    mv: Move,
    known: &mut HashMap<NimState, Rewards>,
) -> Rewards {
    let mut after = *state;
    let gained = nim.play(&mut after, mv);
    let Turn::Player(next) = nim.turn(&after) else { return gained };
    if let Some(&found) = known.get(&after) {
        return found;
    }
    let mut legal = Vec::new();
    nim.legal_moves(&after, &mut legal);
    let outcomes = legal.iter().map(|&mv| outcome(nim, &after, mv, known));
    let best = outcomes.max_by(|a, b| a[next].total_cmp(&b[next])).expect("there is a move");
    known.insert(after, best);
    best
}

#[test]
fn nim_of_three_players_is_played_perfectly() {
    let config = "game = \"nim:players=3\"\nepisodes = 150000\n\
        [value.ntuple]\ntuples = [[0, 1, 2]]\nplayers = \"shared\"\n\
        [explore.epsilon]\nrate = { from = 0.3, to = 0.0 }\n\
        [start]\nshare = 0.9\nmin-plies = 0\nmax-plies = 6\n\
        [learner]\nalgorithm = \"td-farl\"\nalpha = { from = 0.3, to = 0.01 }";
    let mut trainer = trained::<Nim>("nim:players=3", config);
    let (nim, known) = (trainer.game().clone(), &mut HashMap::new());
    for heaps in (1..216).map(|i| [i / 36, i / 6 % 6, i % 6]) {
        let text = heaps.map(|heap| heap.to_string()).join(" ") + " player 1";
        let state = nim.parse_state(&text).expect("a state");
        let mut legal = Vec::new();
        nim.legal_moves(&state, &mut legal);
        let mut gain = |mv| outcome(&nim, &state, mv, known)[Player(0)];
        let best = legal.iter().map(|&mv| gain(mv)).fold(0.0, f32::max);
        assert_eq!(gain(greedy(&mut trainer, &state)), best, "{text}");
    }
}

/// The mean score of 50 games, played by what was learned or at random.
fn mean_score(game: &Game2048, learned: Option<&mut Trainer<Game2048>>) -> f32 {
    let (mut learned, mut sum) = (learned, 0.0);
    for number in 0..50 {
        let rng = &mut Rng::derived(5, "game", number);
        let mut state = game.start();
        loop {
            sum += match game.turn(&state) {
                Turn::Over => break,
                Turn::Chance => {
                    let event = game.draw(&state, rng);
                    game.resolve(&mut state, event)
                }
                Turn::Player(_) => {
                    let mv = match &mut learned {
                        Some(trainer) => greedy(trainer, &state),
                        None => game.random_move(&state, rng, &mut Vec::new()),
                    };
                    game.play(&mut state, mv)
                }
            }[Player(0)];
        }
    }
    sum / 50.0
}

#[test]
fn the_score_of_2048_is_multiplied() {
    let config = "game = \"2048\"\nepisodes = 500\n\
        [value.ntuple]\noutput = \"none\"\n\
        tuples = [[0, 1, 2, 3], [4, 5, 6, 7], [0, 1, 4, 5], [1, 2, 5, 6], [5, 6, 9, 10]]\n\
        [step.tcl]\nstart = 1e-4\n[explore.epsilon]\nrate = 0.0\n\
        [learner]\nalgorithm = \"td-farl\"\nalpha = 1.0\nreward-scale = 0.001";
    let mut trainer = trained::<Game2048>("2048", config);
    let game = trainer.game().clone();
    let (random, learned) = (mean_score(&game, None), mean_score(&game, Some(&mut trainer)));
    assert!(learned > 6.0 * random, "{learned} instead of {random}");
}
