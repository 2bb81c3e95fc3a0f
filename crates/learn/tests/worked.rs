//! Each algorithm against numbers worked out by hand from its paper.
//!
//! The game: a pile of three, each player takes one, who takes the last wins. The piles left are
//! 2 (by the first player), 1 (by the second) and 0 (by the first, who gains 1). Values stand in a
//! table and start at zero; alpha = 0.5, gamma = 0.9.

use ludens_core::{Agent, Game, Invalid, Move, Notation, Params, Player, Turn, ValueFunction};
use ludens_games::Nimm3;
use ludens_learn::{Config, Trainer};

fn no_agent(text: &str) -> Result<Box<dyn Agent<Nimm3>>, Invalid> {
    Err(Invalid(format!("no agent {text}")))
}

fn trainer(rest: &str) -> Trainer<Nimm3> {
    let params: Params = "nimm3:pieces=3,take=1".parse().expect("a game");
    let game = Nimm3::configure(&params.check(Nimm3::SETTINGS).expect("settings")).expect("a game");
    let config = format!(
        "game = \"nimm3:pieces=3,take=1\"\nepisodes = 3\n[value.table]\noutput = \"none\"\n\
         [explore.epsilon]\nrate = 0.0\n{rest}\nalpha = 0.5\ngamma = 0.9"
    );
    let config: Config = toml::from_str(&config).expect("a config");
    Trainer::new(game, config, 1, &no_agent).expect("a trainer")
}

/// The values of the piles 3, 2, 1 and 0 to those who left them, after each of three games.
fn values(rest: &str) -> [[f32; 4]; 3] {
    let mut trainer = trainer(rest);
    [(); 3].map(|()| {
        trainer.step(None).expect("no agent forfeits");
        let game = trainer.game().clone();
        let mut state = game.start();
        [1, 0, 1, 0].map(|player| {
            let value = trainer.value().glance(&game, &state, Player(player));
            if game.turn(&state) != Turn::Over {
                game.play(&mut state, Move(0));
            }
            value
        })
    })
}

#[track_caller]
fn assert_close(found: [[f32; 4]; 3], expected: [[f32; 4]; 3]) {
    let pairs = found.iter().flatten().zip(expected.iter().flatten());
    assert!(pairs.clone().all(|(a, b)| (a - b).abs() < 1e-5), "{found:?}\nfor {expected:?}");
}

#[test]
fn td_corrects_each_pile_toward_the_next() {
    // Game 2: V(2) += 0.5 (0.9 * 0.5 - 0), V(1) += 0.5 (1 - 0.5).
    // Game 3: V(3) += 0.5 (0.9 * 0.225 - 0), V(2) += 0.5 (0.9 * 0.75 - 0.225), V(1) += 0.5 * 0.25.
    let expected = [[0.0, 0.0, 0.5, 0.0], [0.0, 0.225, 0.75, 0.0], [0.10125, 0.45, 0.875, 0.0]];
    assert_close(values("[learner]\nalgorithm = \"td\""), expected);
    assert_close(values("[learner]\nalgorithm = \"td-offline\""), expected);
}

#[test]
fn traces_carry_errors_back() {
    // gamma lambda = 0.45. Game 1: delta = 1 reaches piles 1, 2, 3 with 1, 0.45, 0.2025.
    // Game 2: delta = 0.10125 at pile 3; 0.225 at piles 2 and 3; 0.5 at all three.
    let found = values("[trace]\nlambda = 0.5\n[learner]\nalgorithm = \"td\"");
    assert_close(
        [found[0], found[1], [0.0; 4]],
        [[0.101_25, 0.225, 0.5, 0.0], [0.253_125, 0.45, 0.75, 0.0], [0.0; 4]],
    );
}

#[test]
fn q_learns_the_last_pile_too() {
    // Q of a move is the value of the pile it leaves. Game 2: Q(1) += 0.5 (0.9 * 0.5 - 0).
    let expected = [[0.0, 0.0, 0.0, 0.5], [0.0, 0.0, 0.225, 0.75], [0.0, 0.10125, 0.45, 0.875]];
    assert_close(values("[learner]\nalgorithm = \"q\""), expected);
}

#[test]
fn td_farl_goes_from_round_to_round() {
    // The second player's piles are 3 (the start) and 1; his end brings him -1.
    // Game 2: V2(3) += 0.5 (0.9 * -0.5 - 0). Game 3: V2(3) += 0.5 (0.9 * -0.75 + 0.225).
    let expected = [[0.0, 0.5, -0.5, 0.0], [-0.225, 0.75, -0.75, 0.0], [-0.45, 0.875, -0.875, 0.0]];
    assert_close(values("[learner]\nalgorithm = \"td-farl\""), expected);
}

#[test]
fn without_final_adaptation_the_loser_learns_nothing() {
    let expected = [[0.0, 0.5, 0.0, 0.0], [0.0, 0.75, 0.0, 0.0], [0.0, 0.875, 0.0, 0.0]];
    let off = "[learner]\nalgorithm = \"td-farl\"\nadapt-others = false\nadapt-last = false";
    assert_close(values(off), expected);
}

#[test]
fn monte_carlo_takes_the_outcome_as_it_is() {
    let expected = [[0.0, 0.5, -0.5, 0.0], [0.0, 0.75, -0.75, 0.0], [0.0, 0.875, -0.875, 0.0]];
    assert_close(values("[learner]\nalgorithm = \"monte-carlo\""), expected);
}

#[test]
fn values_of_moves_go_from_round_to_round() {
    // Q1 at piles 3 and 1, Q2 at pile 2. Game 2: Q1(3) += 0.5 (0.9 * 0.5 - 0).
    for algorithm in ["sarsa-farl", "q-farl"] {
        let mut trainer = trainer(&format!("[learner]\nalgorithm = \"{algorithm}\""));
        let found = [(); 3].map(|()| {
            trainer.step(None).expect("no agent forfeits");
            let game = trainer.game().clone();
            let mut state = game.start();
            [(); 3].map(|()| {
                let mut value = Vec::new();
                trainer.value().move_values(&game, &state, &[Move(0)], &mut value);
                game.play(&mut state, Move(0));
                value[0]
            })
        });
        let expected = [[0.0, -0.5, 0.5], [0.225, -0.75, 0.75], [0.45, -0.875, 0.875]];
        let pairs = found.iter().flatten().zip(expected.iter().flatten());
        assert!(pairs.clone().all(|(a, b)| (a - b).abs() < 1e-5), "{algorithm}: {found:?}");
    }
}

#[test]
fn a_lambda_of_one_is_monte_carlo() {
    // Where no state comes twice, the errors of a game telescope to what was gained, discounted:
    // the pile left k moves before the end goes toward 0.9^k.
    let found = values("[trace]\nlambda = 1.0\n[learner]\nalgorithm = \"td\"");
    assert_close(
        [found[0], [0.0; 4], [0.0; 4]],
        [[0.5 * 0.81, 0.5 * 0.9, 0.5, 0.0], [0.0; 4], [0.0; 4]],
    );
}
