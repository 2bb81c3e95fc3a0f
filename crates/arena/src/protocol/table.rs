//! The table of protocols.

use super::{Headline, Protocol, ProtocolKind};
use ludens_core::Player;

/// Deep enough for every game that can be searched to its end.
const MAX_N: &str = "maxn:depth=200";

/// Every protocol. A new one adds its lines here, in alphabetical order.
pub static PROTOCOLS: &[Protocol] = &[
    Protocol {
        name: "ab",
        about: "As first player against perfect play that takes any losing move for as good.",
        best: "1: the first player wins every game (Konen and Bagheri 2020 print half of it)",
        games: &["connect4"],
        measure: ProtocolKind::Contest {
            opponent: "ab",
            openings: "start",
            role: Some(Player(0)),
            times: 40,
            headline: Headline::Points,
        },
    },
    Protocol {
        name: "ab-dl",
        about: "As first player against perfect play that delays its loss.",
        best: "1: the first player wins every game (Konen and Bagheri 2020 print half of it)",
        games: &["connect4"],
        measure: ProtocolKind::Contest {
            opponent: "ab-dl",
            openings: "start",
            role: Some(Player(0)),
            times: 40,
            headline: Headline::Points,
        },
    },
    Protocol {
        name: "ab-dl-gbg",
        about: "As first player against AB-DL as the program of the FARL paper plays it.",
        best: "1: the first player wins every game (Konen and Bagheri 2020 print half of it)",
        games: &["connect4"],
        measure: ProtocolKind::Contest {
            opponent: "ab-dl:as=gbg",
            openings: "start",
            role: Some(Player(0)),
            times: 40,
            headline: Headline::Points,
        },
    },
    Protocol {
        name: "bench-4ply",
        about: "From all sequences of four moves, in both roles, against a positional player.",
        best: "1: every game is won",
        games: &["othello"],
        measure: ProtocolKind::Contest {
            opponent: "bench",
            openings: "sequences:4",
            role: None,
            times: 1,
            headline: Headline::Points,
        },
    },
    Protocol {
        name: "decay",
        about: "Games won against endgame-random while more and more moves are random.",
        best: "the area of the perfect player's curve, which is shown beside where one is known",
        games: &[],
        measure: ProtocolKind::Decay { opponent: "endgame-random", perfect: "perfect" },
    },
    Protocol {
        name: "ghory",
        about: "Games won against endgame-random in a thousand games (Ghory 2004, section 14).",
        best: "what the perfect player wins; draws do not count, and 1 is out of reach in most games",
        games: &[],
        measure: ProtocolKind::Contest {
            opponent: "endgame-random",
            openings: "start",
            role: None,
            times: 500,
            headline: Headline::Won,
        },
    },
    Protocol {
        name: "max-n",
        about: "In every role against full search, which plays perfectly here.",
        best: "what perfect play gains: 0 for two players taken together, 0.4 for three",
        games: &["nim", "nimm3"],
        measure: ProtocolKind::Contest {
            opponent: MAX_N,
            openings: "start",
            role: None,
            times: 50,
            headline: Headline::Reward,
        },
    },
    Protocol {
        name: "max-n",
        about: "From the empty board and every first move against full search, which is perfect.",
        best: "0: every game is a draw",
        games: &["tictactoe"],
        measure: ProtocolKind::Contest {
            opponent: MAX_N,
            openings: "within:1",
            role: None,
            times: 10,
            headline: Headline::Reward,
        },
    },
    Protocol {
        name: "max-n-drawn",
        about: "From ten starts, drawn as the FARL paper's program does, against full search.",
        best: "what perfect play gains from these starts: 0 for two players taken together",
        games: &["nim"],
        measure: ProtocolKind::Contest {
            opponent: MAX_N,
            openings: "random-within:1",
            role: None,
            times: 10,
            headline: Headline::Reward,
        },
    },
    Protocol {
        name: "mcts-10000",
        about: "From every start of at most one stone, in both roles, against Monte Carlo search.",
        best: "1: every game is won",
        games: &["hex"],
        measure: ProtocolKind::Contest {
            opponent: "mcts:iterations=10000",
            openings: "unlike:1",
            role: None,
            times: 3,
            headline: Headline::Points,
        },
    },
    Protocol {
        name: "mcts-5000",
        about: "In every role against Monte Carlo search of 5,000 iterations.",
        best: "at most the reward of perfect play against this opponent; 1 is the largest reward",
        games: &["nim"],
        measure: ProtocolKind::Contest {
            opponent: "mcts:iterations=5000",
            openings: "start",
            role: None,
            times: 50,
            headline: Headline::Reward,
        },
    },
    Protocol {
        name: "random",
        about: "In every role against random play.",
        best: "the largest reward of the game, where skill can always beat chance",
        games: &[],
        measure: ProtocolKind::Contest {
            opponent: "random",
            openings: "start",
            role: None,
            times: 500,
            headline: Headline::Reward,
        },
    },
    Protocol {
        name: "rhino",
        about: "From all sequences of four moves, in both roles, against the program Rhino.",
        best: "1: every game is won",
        games: &["othello"],
        measure: ProtocolKind::Contest {
            opponent: "gtp:command=gtp-rhino",
            openings: "sequences:4",
            role: None,
            times: 1,
            headline: Headline::Points,
        },
    },
    Protocol {
        name: "score",
        about: "The mean score of games played alone.",
        best: "unknown in most games; more is better",
        games: &[],
        measure: ProtocolKind::Score { games: 1_000 },
    },
    Protocol {
        name: "score",
        about: "The mean score of games played alone, and the largest tile of each.",
        // All tiles from 4 to 131072, grown from as many 2s as can be.
        best: "3932156 on 4x4 if chance helps to the end; the best expected score is unknown",
        games: &["2048"],
        measure: ProtocolKind::Score { games: 1_000 },
    },
    Protocol {
        name: "solved",
        about: "How often the chosen move keeps the value, where moves differ and none wins.",
        best: "1: every move is optimal",
        games: &[],
        measure: ProtocolKind::Solved { perfect: "perfect", states: 100, from: 0 },
    },
    Protocol {
        name: "solved",
        about: "How often the chosen move keeps the value after twelve moves and more.",
        best: "1: every move is optimal",
        games: &["connect4"],
        measure: ProtocolKind::Solved { perfect: "perfect", states: 100, from: 12 },
    },
    Protocol {
        name: "thill",
        about: "As first player against perfect play that may lose at random but not early.",
        best: "1: the first player wins every game",
        games: &["connect4"],
        measure: ProtocolKind::Contest {
            opponent: "thill",
            openings: "start",
            role: Some(Player(0)),
            times: 200,
            headline: Headline::Points,
        },
    },
    Protocol {
        name: "thill-c4gpf",
        about: "As first player against the perfect player of the 2014 program.",
        best: "1: the first player wins every game",
        games: &["connect4"],
        measure: ProtocolKind::Contest {
            opponent: "thill:as=c4gpf",
            openings: "start",
            role: Some(Player(0)),
            times: 200,
            headline: Headline::Points,
        },
    },
];
