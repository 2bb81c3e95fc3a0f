//! Pipelined self-play learns what one thread learns, in any number of runs.

use super::{Episode, SelfPlay, train_pipelined};
use crate::build::build_start;
use crate::{Config, EpisodeLoop, Errors, Trainer, build_value};
use ludens_approx::Tensor;
use ludens_core::{Bitboards, Invalid, Notation, Params};
use ludens_games::{Connect4, Nim, Othello, TicTacToe};
use proptest::prelude::*;
use proptest::sample::select;

/// What was learned and played: all numbers as bits, the errors, and the games.
type Learned = (Vec<u32>, u64, Vec<Episode>);

fn bits(tensors: &[Tensor<'_>]) -> Vec<u32> {
    tensors.iter().flat_map(|tensor| tensor.data.iter().map(|number| number.to_bits())).collect()
}

/// A run of which `slots` games are under way at a time; by the general loop if there are none.
fn learn<G: Notation + Bitboards>(config: &Config, slots: usize, cores: usize) -> Learned {
    let params: Params = config.game.parse().expect("a game");
    let game = G::configure(&params.check(G::SETTINGS).expect("settings")).expect("settings");
    if slots == 0 {
        let open = |_: &str| Err(Invalid("nobody else plays".into()));
        let mut trainer = Trainer::new(game, config.clone(), 7, &open).expect("a trainer");
        let games = (0..config.episodes).map(|_| trainer.step(None).expect("nobody forfeits"));
        let games = games.collect();
        let value = trainer.value();
        return (bits(&value.network.tensors()), value.errors.count, games);
    }
    let start = &build_start(&game, &config.start).expect("a start");
    let episode_loop = EpisodeLoop::General;
    let selfplay = SelfPlay { game: &game, config, seed: 7, start, episode_loop };
    let mut value = build_value(&game, config, 7, 1 << 20).expect("a value");
    let results = train_pipelined(&selfplay, &mut value, 0..config.episodes, slots, cores);
    let (mut errors, mut games) = (Errors::default(), Vec::new());
    for result in results.expect("an n-tuple network") {
        errors.add(result.errors);
        games.extend(result.played);
    }
    (bits(&value.network.tensors()), errors.count, games)
}

fn learn_any(config: &Config, slots: usize, cores: usize) -> Learned {
    match config.game.split(':').next() {
        Some("nim") => learn::<Nim>(config, slots, cores),
        Some("othello") => learn::<Othello>(config, slots, cores),
        Some("connect4") => learn::<Connect4>(config, slots, cores),
        _ => learn::<TicTacToe>(config, slots, cores),
    }
}

const GAMES: [&str; 4] =
    ["tictactoe", "nim:players=3", "othello:size=4", "connect4:columns=4,rows=4"];

proptest! {
    #![proptest_config(ProptestConfig {
        cases: 12, failure_persistence: None, ..ProptestConfig::default()
    })]

    #[test]
    fn pipelined_games_are_learned_as_by_one_thread(
        game in select(GAMES.to_vec()),
        lambda in select(vec![0.0, 0.7]),
        step in select(vec!["", "[step.tcl]\n"]),
        random in select(vec!["never", "always", "if-won"]),
        (reset, others, last) in any::<(bool, bool, bool)>(),
        slots in 2_usize..9,
    ) {
        let text = format!(
            "game = '{game}'\nepisodes = 40\n[value.ntuple]\ncount = 1\nlength = 3\n{step}\
             [trace]\nlambda = {lambda:?}\nreset = {reset}\n[explore.epsilon]\nrate = 0.2\n\
             [start]\nshare = 0.5\nmin-plies = 1\nmax-plies = 2\n\
             [learner]\nadapt-others = {others}\nadapt-last = {last}\n\
             learn-from-random = '{random}'\nalpha = {{ from = 0.5, to = 0.1 }}"
        );
        let config: Config = toml::from_str(&text).expect("a configuration");
        let alone = learn_any(&config, 0, 1);
        prop_assert!(learn_any(&config, 1, 2) == alone, "one game at a time");
        let several = learn_any(&config, slots, 3);
        for cores in 1..4 {
            let again = learn_any(&config, slots, cores);
            prop_assert!(several == again, "{} games at a time on {} cores", slots, cores);
        }
        prop_assert_eq!(several.2.len(), 40);
    }
}
