//! The table of agents.

mod experts;
mod open;

use crate::champions::CHAMPION;
use crate::plugins;
use crate::training::open_value;
use ludens_core::{Agent, Chosen, Invalid, Kind, Params, Setting, TrainableGame, ValueFunction};
use ludens_games::TicTacToe;

/// A line of the table of agents, for one game.
pub struct AgentEntry<G: TrainableGame> {
    /// The name on the command line.
    pub name: &'static str,
    /// How the agent plays, in one sentence.
    pub about: &'static str,
    /// The settings of the agent.
    pub settings: &'static [Setting],
    open: fn(&Chosen, &AgentTable<'_, G>) -> OpenResult<G>,
}

/// The name and the settings of an agent, independent of the game.
#[derive(Copy, Clone, Debug)]
pub struct AgentInfo {
    /// The name on the command line.
    pub name: &'static str,
    /// How the agent plays, in one sentence.
    pub about: &'static str,
    /// The settings of the agent.
    pub settings: &'static [Setting],
}

/// Callbacks for agents that need more than the registry provides.
pub struct Hooks<'a, G: TrainableGame> {
    /// Opens the learned value kept in a file.
    pub value: &'a ValueSource<'a, G>,
    /// Creates an agent that asks a human, where one is present.
    pub human: Option<&'a dyn Fn() -> Box<dyn Agent<G>>>,
}

/// Turns a path into the learned value kept there.
pub type ValueSource<'a, G> = dyn Fn(&G, &str) -> Result<Box<dyn ValueFunction<G>>, Invalid> + 'a;

type OpenResult<G> = Result<Box<dyn Agent<G>>, Invalid>;

/// The table with what its lines need to open an agent.
struct AgentTable<'a, G: TrainableGame> {
    game: &'a G,
    hooks: &'a Hooks<'a, G>,
}

const DEPTH: Setting = Setting::integer("depth", 6, (1, 200), "moves to look ahead");
const VALUE: Setting =
    Setting::text("value", None, "file with a learned value, or champion: the one that ships");
const AGENT: Setting = Setting::text("agent", None, "the other agent");
const TIME: Setting = Setting::new(
    "time",
    Kind::Number { default: None, min: 0.001, max: 1e6 },
    "seconds for one move",
);

const GTP: &[Setting] = &[
    Setting::text("command", None, "the program and its options").keyless(),
    Setting::number("timeout", 60.0, (0.001, 1e6), "seconds to wait for an answer"),
];

const MCTS: &[Setting] = &[
    Setting::new(
        "iterations",
        Kind::Integer { default: None, min: 1, max: 1_000_000_000_000 },
        "simulations per move; 1000, or as many as the time allows",
    ),
    TIME,
    VALUE,
    Setting::new(
        "c",
        Kind::Number { default: None, min: 0.0, max: 1e6 },
        "exploration constant c; sqrt(2), or 1 with a value",
    ),
    Setting::integer("rollout", 200, (0, 1_000_000), "most random moves of a playout"),
    Setting::new(
        "tree-depth",
        Kind::Integer { default: None, min: 1, max: 1_000_000 },
        "depth limit of the tree; no limit if unset",
    ),
    Setting::flag("reuse", false, "keep the tree from move to move"),
    Setting::choice("plays", "auto", &["auto", "value", "visits"], "by best mean or most visits"),
    Setting::choice(
        "prove",
        "auto",
        &["auto", "on", "off"],
        "back up proven wins and losses exactly; auto: with a value",
    ),
    Setting::number(
        "temperature",
        1.0,
        (1e-6, 1e6),
        "prior temperature: how evenly a value spreads the first visits",
    ),
];

impl<G: TrainableGame> AgentEntry<G> {
    /// Every agent. A new one adds its lines here, in alphabetical order.
    pub const ALL: &'static [AgentEntry<G>] = &[
        AgentEntry {
            name: "ab",
            about: "Plays Connect-4 perfectly; picks a random move when lost.",
            settings: &[],
            open: experts::ab,
        },
        AgentEntry {
            name: "ab-dl",
            about: "Plays Connect-4 perfectly; wins as soon and loses as late as possible.",
            settings: &[Setting::choice(
                "as",
                "exact",
                &["exact", "gbg"],
                "exact distances, or those of Konen and Bagheri's program GBG",
            )],
            open: experts::ab_dl,
        },
        AgentEntry {
            name: "alphabeta",
            about: "Alpha-beta search, for games of two players without chance.",
            settings: &[
                Setting::new(
                    "depth",
                    Kind::Integer { default: None, min: 1, max: 200 },
                    "moves to look ahead; 6, or as far as the time allows",
                ),
                VALUE,
                TIME,
            ],
            open: open::alphabeta,
        },
        AgentEntry {
            name: "bench",
            about: "Plays Othello by cell weights: BENCH of van der Ree and Wiering.",
            settings: &[],
            open: experts::bench,
        },
        AgentEntry {
            name: "champion",
            about: "Plays by the trained value that ships with Ludens; `ludens champions` lists them.",
            settings: &[],
            open: open::champion,
        },
        AgentEntry {
            name: "decay",
            about: "Replaces a share of another agent's moves by random ones.",
            settings: &[Setting::number("p", 0.1, (0.0, 1.0), "share of random moves"), AGENT],
            open: open::decay,
        },
        AgentEntry {
            name: "endgame-random",
            about: "Sees the end of the game a move ahead, else plays any legal move.",
            settings: &[Setting::integer("depth", 1, (1, 200), "moves to look ahead")],
            open: open::endgame_random,
        },
        AgentEntry {
            name: "epsilon",
            about: "Plays like another agent, but sometimes a random move.",
            settings: &[
                Setting::number("epsilon", 0.1, (0.0, 1.0), "share of random moves"),
                AGENT,
            ],
            open: open::epsilon,
        },
        AgentEntry {
            name: "expectimax",
            about: "Expectimax search: averages over chance.",
            settings: &[Setting::integer("depth", 2, (1, 200), "moves to look ahead"), VALUE],
            open: open::expectimax,
        },
        AgentEntry {
            name: "greedy",
            about: "Plays the move with the best learned value.",
            settings: &[VALUE.keyless()],
            open: open::greedy,
        },
        AgentEntry {
            name: "gtp",
            about: "Runs another program as an engine, by the Go Text Protocol (GTP).",
            settings: GTP,
            open: open::gtp,
        },
        AgentEntry {
            name: "heur",
            about: "Plays Othello by cell weights: HEUR of van der Ree and Wiering.",
            settings: &[],
            open: experts::heur,
        },
        AgentEntry {
            name: "human",
            about: "Asks a person for each move.",
            settings: &[],
            open: open::human,
        },
        AgentEntry {
            name: "level",
            about: "Plays weaker than another agent: prefers good moves, but not always the best.",
            settings: &[
                Setting::number(
                    "strength",
                    5.0,
                    (0.0, 10.0),
                    "0 plays at random, 10 always plays the best move",
                ),
                AGENT,
            ],
            open: open::level,
        },
        AgentEntry {
            name: "maxn",
            about: "Max-n search: each player maximises its own reward.",
            settings: &[DEPTH, VALUE],
            open: open::maxn,
        },
        AgentEntry {
            name: "mcts",
            about: "Monte Carlo tree search (MCTS).",
            settings: MCTS,
            open: open::mcts,
        },
        AgentEntry {
            name: "perfect",
            about: "Plays perfectly, in games that are solved.",
            settings: &[Setting::choice(
                "style",
                "ab-dl",
                &["ab", "ab-dl", "thill"],
                "in connect4: all best moves alike, or the latest loss, or late ones at random",
            )],
            open: experts::perfect,
        },
        AgentEntry {
            name: "random",
            about: "Plays a random legal move.",
            settings: &[],
            open: open::random,
        },
        AgentEntry {
            name: "solver",
            about: "Plays Connect-4 by exact scores: another name of ab-dl.",
            settings: &[],
            open: experts::exact,
        },
        AgentEntry {
            name: "thill",
            about: "Plays Connect-4 perfectly; varies lost openings (Thill 2014).",
            settings: &[Setting::choice(
                "as",
                "paper",
                &["paper", "c4gpf"],
                "as the paper says, or as the authors' program C4GPF plays",
            )],
            open: experts::thill,
        },
    ];
}

/// Every agent, whatever the game.
pub fn agent_list() -> impl Iterator<Item = AgentInfo> {
    let info = |e: &AgentEntry<_>| AgentInfo { name: e.name, about: e.about, settings: e.settings };
    AgentEntry::<TicTacToe>::ALL.iter().map(info)
}

/// Opens the agent written as `name` or `name:key=value,...`, to play `game`.
///
/// # Errors
///
/// On unknown names and settings, with what is known; and if the agent cannot play this game.
pub fn open_agent<G: TrainableGame>(
    text: &str,
    game: &G,
    hooks: &Hooks<'_, G>,
) -> Result<Box<dyn Agent<G>>, Invalid> {
    AgentTable { game, hooks }.open(text)
}

/// Whether this agent starts a program or reads a file that the user chooses.
///
/// Check this before opening an agent from untrusted text, such as a web request.
pub fn accesses_system(text: &str) -> bool {
    let Ok(params) = text.parse::<Params>() else { return false };
    let inside = |(key, value): &(String, String)| {
        (key == "value" && value != CHAMPION) || accesses_system(value)
    };
    ["gtp", "greedy"].contains(&params.name.as_str()) || params.pairs.iter().any(inside)
}

impl<G: TrainableGame> Hooks<'_, G> {
    /// Reads values from files and offers no human player.
    pub const NONE: Hooks<'static, G> =
        Hooks { value: &|game, path| open_value(game, path), human: None };
}

impl<G: TrainableGame> AgentTable<'_, G> {
    fn open(&self, text: &str) -> OpenResult<G> {
        let params: Params = text.parse()?;
        let table = AgentEntry::<G>::ALL;
        let Some(entry) = table.iter().find(|e| e.name == params.name) else {
            let unknown = || Invalid::unknown("agent", &params.name, table.iter().map(|e| e.name));
            return plugins::agent(text).ok_or_else(unknown);
        };
        (entry.open)(&params.check(entry.settings)?, self)
    }
}
