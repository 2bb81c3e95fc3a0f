use super::*;
use crate::{Config, build_value};
use ludens_core::{Notation, Params, Rng};
use ludens_games::{Nim, TicTacToe};

fn config(game: &str, learner: &str) -> Config {
    let tuples = if game == "tictactoe" { "[[0, 1, 2, 4], [3, 4, 5]]" } else { "[[0, 1], [1, 2]]" };
    let text = format!(
        "game = \"{game}\"\nepisodes = 1\n[value.ntuple]\ntuples = {tuples}\n\
         init = {{ low = -0.5, high = 0.5 }}\n[learner]\n{learner}"
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
