use super::*;
use crate::{Config, Explore, build_value};
use ludens_core::{Notation, Params, Rng};
use ludens_games::{Game2048, Nim, TicTacToe};
use ludens_values::TraceSettings;

fn config(game: &str, learner: &str) -> Config {
    let tuples = if game == "tictactoe" { "[[0, 1, 2, 4], [3, 4, 5]]" } else { "[[0, 1], [1, 2]]" };
    config_of(game, learner, &format!("{tuples}\ninit = {{ low = -0.5, high = 0.5 }}"))
}

/// A run with these tuples, and whatever else is told of the net after them.
fn config_of(game: &str, learner: &str, tuples: &str) -> Config {
    let text = format!(
        "game = \"{game}\"\nepisodes = 1\n[value.ntuple]\ntuples = {tuples}\n\
         [learner]\n{learner}"
    );
    toml::from_str(&text).expect("a valid description")
}

/// Rates the moves of many states together and one by one, and compares what is recalled with what
/// is looked at.
fn assert_rates_the_same<G: Notation>(game: &G, config: &Config) {
    let mut value = build_value(game, config, 1, 1 << 20).unwrap();
    assert!(matches!(value.reader, Reader::Boards));
    let (mut by_heart, mut one_by_one, mut legal) = (Vec::new(), Vec::new(), Vec::new());
    let (mut recalled, mut looked_at) = (Active::default(), Active::default());
    let rng = &mut Rng::seeded(3);
    for round in 0..200 {
        value.perspective.inverted = value.reversed && round % 3 == 0;
        let mut state = game.start();
        while let Turn::Player(player) = game.turn(&state) {
            value.rate_all(game, &state, player, &mut legal, &mut by_heart);
            let mv = by_heart[rng.below(by_heart.len())].mv;
            let before = state.clone();
            let rewards = game.play(&mut state, mv);
            let over = game.turn(&state) == Turn::Over;
            let (before, after) = (&before, &state);
            let step = Step { player, before, mv, after, rewards, over, explored: false };
            let told = value.look_after(game, &step, &mut recalled);
            assert_eq!(told, value.look(game, &state, player, &mut looked_at));
            assert_eq!((recalled.board, recalled.bank), (looked_at.board, looked_at.bank));
            assert_eq!((recalled.sum, recalled.slope), (looked_at.sum, looked_at.slope));
            legal.clear();
            game.legal_moves(before, &mut legal);
            value.rate_moves(game, before, player, &legal, &mut one_by_one);
            assert_eq!(by_heart, one_by_one);
        }
    }
}

/// Learns from random games by weights that are merged, and compares each choice with the best of
/// all moves, evaluated one by one.
fn assert_chooses_the_best<G: Notation>(game: &G, config: &Config) {
    let mut value = build_value(game, config, 1, 1 << 20).unwrap();
    let mut trace = value.net.new_trace(&TraceSettings::LATEST).unwrap();
    let (mut legal, mut rated, mut last) = (Vec::new(), Vec::new(), Active::default());
    let rng = &mut Rng::seeded(3);
    for _ in 0..300 {
        let mut state = game.start();
        while let Turn::Player(player) = game.turn(&state) {
            value.rate_all(game, &state, player, &mut legal, &mut rated);
            let seed = rng.below(1 << 20) as u64;
            let choice = value.choose_known(game, &state, player, &mut Rng::seeded(seed)).unwrap();
            legal.clear();
            game.legal_moves(&state, &mut legal);
            value.rate_moves(game, &state, player, &legal, &mut rated);
            let expected = Explore::GREEDY.pick(&mut rated, &mut Rng::seeded(seed));
            assert_eq!(choice, expected);
            game.play(&mut state, rated[rng.below(rated.len())].mv);
            value.look(game, &state, player, &mut last);
            value.correct(&mut last, &mut trace, rng.between(-1.0, 1.0));
            assert!(value.net.board_values(0).is_some(), "the weights are merged");
        }
    }
}

#[test]
fn the_best_move_known_by_heart_is_the_best_of_all_evaluated() {
    let learner = "algorithm = \"td-farl\"";
    let whole = "[[0, 1, 2, 3, 4, 5, 6, 7, 8]]";
    assert_chooses_the_best(&TicTacToe, &config_of("tictactoe", learner, whole));
    let three = "nim:heaps=3,size=4,players=3";
    let params: Params = three.parse().unwrap();
    let nim = Nim::configure(&params.check(Nim::SETTINGS).unwrap()).unwrap();
    assert_chooses_the_best(&nim, &config_of(three, learner, "[[0, 1, 2]]"));
}

#[test]
fn moves_known_by_heart_are_rated_as_the_rules_say() {
    let learners = ["algorithm = \"td-farl\"", "algorithm = \"td\"\nreversed = true"];
    for learner in learners {
        assert_rates_the_same(&TicTacToe, &config("tictactoe", learner));
    }
    let three = "nim:heaps=3,size=4,players=3";
    let params: Params = three.parse().unwrap();
    let nim = Nim::configure(&params.check(Nim::SETTINGS).unwrap()).unwrap();
    assert_rates_the_same(&nim, &config(three, learners[0]));
}

/// Foresees moves of random games, and compares what is chosen, what it leads to and what is recalled
/// with what the rules and the net say of each move alone.
#[test]
fn moves_read_ahead_are_chosen_and_recalled_as_if_looked_at_one_by_one() {
    let game = Game2048::default();
    let tuple = "[[0, 1, 2, 4, 5, 6]]\ninit = { low = -0.5, high = 0.5 }";
    let config = config_of("2048", "algorithm = \"td-farl\"", tuple);
    let mut value = build_value(&game, &config, 1, 1 << 26).unwrap();
    assert!(value.looks_ahead());
    let (mut legal, mut rated, rng) = (Vec::new(), Vec::new(), &mut Rng::seeded(3));
    let (mut recalled, mut looked_at) = (Active::default(), Active::default());
    for _ in 0..3 {
        let mut state = game.start();
        while game.turn(&state) != Turn::Over {
            let Turn::Player(player) = game.turn(&state) else {
                let event = game.draw(&state, rng);
                game.resolve(&mut state, event);
                continue;
            };
            value.foresee(&game, &state, player, &mut legal);
            let (before, seed) = (state, rng.below(1 << 20) as u64);
            assert!(value.choose_foreseen(&game.start(), player, rng).is_none());
            let choice = value.choose_foreseen(&before, player, &mut Rng::seeded(seed)).unwrap();
            let rewards = game.play(&mut state, choice.mv);
            assert_eq!(value.chosen(&before, choice.mv), Some((&state, rewards)));
            let (before, after, mv) = (&before, &state, choice.mv);
            let step = Step { player, before, mv, after, rewards, over: false, explored: false };
            let told = value.look_after(&game, &step, &mut recalled);
            assert_eq!(told, value.look(&game, after, player, &mut looked_at));
            assert_eq!(recalled.indices, looked_at.indices);
            legal.clear();
            game.legal_moves(before, &mut legal);
            value.rate_moves(&game, before, player, &legal, &mut rated);
            assert_eq!(choice, Explore::GREEDY.pick(&mut rated, &mut Rng::seeded(seed)));
            for Rated { mv, reward, value: told, .. } in rated.clone() {
                let mut after = *before;
                assert_eq!(reward, game.play(&mut after, mv)[player]);
                assert!((told - value.glance(&game, &after, player)).abs() < 1e-5);
            }
        }
    }
}
