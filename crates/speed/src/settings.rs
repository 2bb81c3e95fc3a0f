//! The settings that are measured.

/// Settings whose speed is measured.
#[derive(Copy, Clone, Debug)]
pub struct SpeedSetting {
    /// The name.
    pub name: &'static str,
    /// What is learned, and how.
    pub about: &'static str,
    /// The configuration in TOML.
    pub text: &'static str,
    /// Games learned before measuring, so that games last as long as they usually do.
    pub warm_up: u64,
}

/// All settings, in the order they are shown.
pub const SETTINGS: &[SpeedSetting] = &[
    SpeedSetting {
        name: "connect4-farl",
        about: "Connect-4, TD-FARL, 70 8-tuples, TC-EXP",
        text: include_str!("../settings/connect4-farl.toml"),
        warm_up: 20_000,
    },
    SpeedSetting {
        name: "connect4-tcl-rr",
        about: "Connect-4, TCL [rr], lambda 0.8, 70 8-tuples",
        text: include_str!("../settings/connect4-tcl-rr.toml"),
        warm_up: 80_000,
    },
    SpeedSetting {
        name: "connect4-tcl",
        about: "Connect-4, TCL without traces, 70 8-tuples",
        text: include_str!("../settings/connect4-tcl.toml"),
        warm_up: 80_000,
    },
    SpeedSetting {
        name: "othello-lambda",
        about: "Othello, TD-FARL, 50 6-tuples, lambda 0.5, horizon 7",
        text: include_str!("../settings/othello-lambda.toml"),
        warm_up: 500,
    },
    SpeedSetting {
        name: "othello",
        about: "Othello, TD-FARL, 50 6-tuples, lambda 0",
        text: include_str!("../settings/othello.toml"),
        warm_up: 500,
    },
    SpeedSetting {
        name: "hex",
        about: "Hex 6x6, TD-FARL, 25 6-tuples",
        text: include_str!("../settings/hex.toml"),
        warm_up: 20_000,
    },
    SpeedSetting {
        name: "2048",
        about: "2048, four 6-tuples, TD(0)",
        text: include_str!("../settings/2048.toml"),
        warm_up: 3_000,
    },
    SpeedSetting {
        name: "2048-tcl",
        about: "2048, four 6-tuples, TCL",
        text: include_str!("../settings/2048-tcl.toml"),
        warm_up: 1_500,
    },
    SpeedSetting {
        name: "2048-eight",
        about: "2048, eight 6-tuples, TD(0)",
        text: include_str!("../settings/2048-eight.toml"),
        warm_up: 3_000,
    },
    SpeedSetting {
        name: "tictactoe",
        about: "TicTacToe, one 9-tuple",
        text: include_str!("../settings/tictactoe.toml"),
        warm_up: 100_000,
    },
    SpeedSetting {
        name: "nim-three",
        about: "Nim of three players, 3 heaps of 5",
        text: include_str!("../settings/nim-three.toml"),
        warm_up: 100_000,
    },
];
