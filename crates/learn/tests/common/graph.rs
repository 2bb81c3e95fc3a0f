//! A game given by a graph, so that tests choose every move, reward and probability.

use super::config;
use ludens_core::{
    Bitboards, CellBoard, CellLayout, Chosen, Event, Game, Invalid, Move, Notation, PerPlayer,
    Played, Player, Rewards, Scene, Setting, Turn,
};
use ludens_learn::{Learner, build_learner};

/// A game: a number of players and nodes, of which the first is the start.
#[derive(Clone, Debug)]
pub(crate) struct Graph(pub(crate) usize, pub(crate) Vec<GraphNode>);

/// Rewards of up to three players.
pub(crate) type Gains = [f32; 3];

#[derive(Clone, Debug)]
pub(crate) enum GraphNode {
    /// The player to move, and where each move leads.
    Player(u8, Vec<(usize, Gains)>),
    /// Where each event leads, with its probability.
    Chance(Vec<(usize, f32, Gains)>),
    Over,
}

fn rewards([first, second, third]: Gains) -> Rewards {
    PerPlayer([first, second, third, 0.0])
}

impl Game for Graph {
    type State = usize;

    fn num_players(&self) -> usize {
        self.0
    }

    fn num_moves(&self) -> usize {
        let moves =
            |node: &GraphNode| if let GraphNode::Player(_, moves) = node { moves.len() } else { 0 };
        self.1.iter().map(moves).max().unwrap_or(0)
    }

    fn start(&self) -> usize {
        0
    }

    fn turn(&self, state: &usize) -> Turn {
        match &self.1[*state] {
            GraphNode::Player(player, _) => Turn::Player(Player(*player)),
            GraphNode::Chance(_) => Turn::Chance,
            GraphNode::Over => Turn::Over,
        }
    }

    fn legal_moves(&self, state: &usize, out: &mut Vec<Move>) {
        if let GraphNode::Player(_, moves) = &self.1[*state] {
            out.extend((0..moves.len() as u32).map(Move));
        }
    }

    fn play(&self, state: &mut usize, mv: Move) -> Rewards {
        let GraphNode::Player(_, moves) = &self.1[*state] else { panic!("{mv:?} in {state}") };
        let (next, gains) = moves[mv.0 as usize];
        *state = next;
        rewards(gains)
    }

    fn has_chance(&self) -> bool {
        self.1.iter().any(|node| matches!(node, GraphNode::Chance(_)))
    }

    fn events(&self, state: &usize, out: &mut Vec<(Event, f32)>) {
        if let GraphNode::Chance(events) = &self.1[*state] {
            out.extend(events.iter().zip(0..).map(|(event, number)| (Event(number), event.1)));
        }
    }

    fn resolve(&self, state: &mut usize, event: Event) -> Rewards {
        let GraphNode::Chance(events) = &self.1[*state] else { panic!("{event:?} in {state}") };
        let (next, _, gains) = events[event.0 as usize];
        *state = next;
        rewards(gains)
    }
}

/// One cell tells the node and who looks at it.
impl CellBoard for Graph {
    fn layout(&self) -> CellLayout {
        CellLayout::grid(1, 1, (self.0 * self.1.len()) as u8)
    }

    fn read_cells(&self, state: &usize, pov: Player, cells: &mut [u8]) {
        cells[0] = (pov.index() * self.1.len() + state) as u8;
    }

    fn map_move(&self, _: usize, mv: Move) -> Move {
        mv
    }
}

impl Bitboards for Graph {}

impl Notation for Graph {
    const NAME: &'static str = "graph";
    const TITLE: &'static str = "Graph";
    const ABOUT: &'static str = "Whatever a test needs";
    const SETTINGS: &'static [Setting] = &[];

    fn configure(_: &Chosen) -> Result<Graph, Invalid> {
        Err(Invalid("tests build graphs themselves".into()))
    }

    fn move_text(&self, _: &usize, mv: Move) -> String {
        mv.0.to_string()
    }

    fn state_text(&self, state: &usize) -> String {
        state.to_string()
    }

    fn parse_state(&self, text: &str) -> Result<usize, Invalid> {
        text.parse().map_err(|_| Invalid(text.into()))
    }

    fn scene(&self, _: &usize, _: Option<Played>) -> Scene {
        Scene::default()
    }
}

/// Two players move in turn along nodes 0 to 4; every other move leads elsewhere.
pub(crate) fn path() -> Graph {
    let player = |player, moves: [(usize, [f32; 3]); 2]| GraphNode::Player(player, moves.into());
    Graph(
        2,
        vec![
            player(0, [(1, [1.0, 2.0, 0.0]), (4, [0.0; 3])]),
            player(1, [(2, [3.0, -1.0, 0.0]), (4, [5.0, 6.0, 0.0])]),
            player(0, [(3, [0.5, 1.0, 0.0]), (4, [0.0; 3])]),
            player(1, [(4, [-2.0, 4.0, 0.0]), (2, [0.0; 3])]),
            GraphNode::Over,
        ],
    )
}

/// One player; chance acts at nodes 1 and 4 and may end the game.
pub(crate) fn chance() -> Graph {
    let player = |moves: &[(usize, f32)]| {
        GraphNode::Player(0, moves.iter().map(|&(next, gain)| (next, [gain, 0.0, 0.0])).collect())
    };
    Graph(
        1,
        vec![
            player(&[(1, 1.0), (5, 0.0)]),
            GraphNode::Chance(vec![(2, 0.25, [0.0; 3]), (3, 0.75, [4.0, 0.0, 0.0])]),
            player(&[(4, 0.5), (5, 3.0)]),
            player(&[(4, 0.5), (5, 1.0)]),
            GraphNode::Chance(vec![(5, 0.25, [8.0, 0.0, 0.0]), (6, 0.75, [0.0; 3])]),
            GraphNode::Over,
            player(&[(5, -1.0)]),
        ],
    )
}

pub(crate) fn settings(rest: &str) -> String {
    let value = "[value.ntuple]\ntuples = [[0]]\noutput = 'none'\n";
    format!("{value}{rest}\nalpha = 0.5\ngamma = 0.5")
}

/// A learner in which node `n` of row `r` has the value 0.5 - 0.1 n + 0.1 r.
pub(crate) fn learner(game: &Graph, rest: &str) -> Box<dyn Learner<Graph>> {
    let mut learner = build_learner(game, &config("graph", &settings(rest)), 1).expect(rest);
    set_weights(&mut *learner, game.1.len());
    learner
}

pub(crate) fn set_weights(learner: &mut dyn Learner<Graph>, nodes: usize) {
    let mut tensors = learner.value().network_mut().tensors_mut();
    for (index, weight) in tensors[0].data.iter_mut().enumerate() {
        *weight = 0.5 - 0.1 * (index % nodes) as f32 + 0.1 * (index / nodes) as f32;
    }
}
