//! Learned values taken apart.

use ludens_learn::Config;
use ludens_learn::config::{NTupleConfig, ValueConfig};
use ludens_registry::{LiveGame, open_game, replace_file, write_value};

fn learned(game: &str, episodes: u64) -> (std::path::PathBuf, Box<dyn LiveGame>) {
    // TicTacToe has few tuples that differ.
    let value = ValueConfig::Ntuple(NTupleConfig { count: 4, ..NTupleConfig::default() });
    let config = Config { game: game.into(), value, ..Config::default() };
    let game = open_game(game).unwrap();
    let mut training = game.train(&config, 1).unwrap();
    training.run(episodes, &mut || true).unwrap();
    let name = format!("ludens-breakdown-{}-{}", std::process::id(), game.info().title);
    let path = std::env::temp_dir().join(name);
    replace_file(&path, |out| write_value(out, &training.content())).unwrap();
    (path, game.live(1))
}

#[test]
fn the_addends_of_a_value_are_its_sum_and_see_their_cells_only() {
    for (game, moves) in [("connect4", ["4", "3"]), ("2048", ["left", "up"])] {
        let (path, live) = learned(game, 30);
        let path_text = path.to_str().unwrap();
        let moves: Vec<String> = match game {
            "2048" => live.legal().into_iter().map(|(_, text)| text).take(2).collect(),
            _ => moves.map(String::from).into(),
        };
        let told: Vec<_> =
            moves.iter().map(|mv| live.breakdown(path_text, Some(mv)).unwrap()).collect();
        for breakdown in &told {
            let sum: f32 = breakdown.addends.iter().map(|addend| addend.weight).sum();
            assert!((sum - breakdown.sum).abs() < 1e-3, "{game}: {sum}");
            assert!(breakdown.addends.len() >= 8);
        }
        // Boards that agree on the cells of a look-up have the same addend there.
        if game == "connect4" {
            let (a, b) = (&told[0].addends, &told[1].addends);
            for (a, b) in a.iter().zip(b).filter(|(a, _)| !a.cells.iter().any(changed)) {
                assert_eq!((a.weight, &a.cells), (b.weight, &b.cells));
            }
        }
        let _ = std::fs::remove_file(path);
    }
}

/// Whether a first stone in the third or fourth column of Connect-4 changes this cell: it lies there,
/// and the next one can lie above it.
fn changed(cell: &u16) -> bool {
    [30, 31, 37, 38].contains(cell)
}

#[test]
fn the_last_move_is_meant_unless_another_is_named() {
    let (path, mut live) = learned("tictactoe", 50);
    let path_text = path.to_str().unwrap();
    let refused = live.breakdown(path_text, None).unwrap_err();
    assert_eq!(refused.to_string(), "nobody has moved yet");
    let named = live.breakdown(path_text, Some("b2")).unwrap();
    live.play("b2").unwrap();
    assert_eq!(live.breakdown(path_text, None).unwrap(), named);
    let _ = std::fs::remove_file(path);
}
