//! What a short training leaves behind, as one number for each setting.
//!
//! Optimisations must not change these numbers, or say why.

use ludens_speed::{SETTINGS, SpeedRun};

/// A setting, games learned, and the number.
const SIGNATURES: &[(&str, u64, u64)] = &[
    ("connect4-farl", 60, 0x2044_8eff_3afb_ec6c),
    ("connect4-tcl-rr", 60, 0x65b6_1d99_6f92_32e2),
    ("othello-lambda", 8, 0x425f_f297_e902_4887),
    ("hex", 60, 0x28ea_bd56_5bf1_f278),
    ("2048", 20, 0x57f9_4674_cd6a_ea6e),
    ("tictactoe", 500, 0x0ef1_0593_5b1f_5271),
    ("nim-three", 500, 0x28f2_ddbb_932a_9171),
];

#[test]
fn short_trainings_end_where_they_always_did() {
    let learned = |name: &str, games: u64| {
        let setting = SETTINGS.iter().find(|setting| setting.name == name).unwrap();
        let mut run = SpeedRun::open(setting.text, 1).unwrap();
        run.learn(games);
        run.signature()
    };
    let found: Vec<_> =
        SIGNATURES.iter().map(|&(name, games, _)| (name, games, learned(name, games))).collect();
    assert_eq!(found, SIGNATURES, "{found:#x?}");
}
