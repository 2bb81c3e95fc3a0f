//! States met in random games, for measuring how fast a game does its parts.

use ludens_core::{Move, Player, Rng, TrainableGame, Turn};

/// Something that a game does again and again while learning and searching.
#[derive(Copy, Clone, Debug, PartialEq, Eq)]
pub enum Part {
    /// Lists the legal moves.
    LegalMoves,
    /// Copies the state and plays a move there.
    Play,
    /// Reads the cells.
    ReadCells,
    /// Reads the groups, if the game has some.
    ReadGroups,
}

impl Part {
    /// Every part.
    pub const ALL: [Part; 4] = [Part::LegalMoves, Part::Play, Part::ReadCells, Part::ReadGroups];

    /// The name on the command line.
    pub fn name(self) -> &'static str {
        match self {
            Part::LegalMoves => "legal-moves",
            Part::Play => "play",
            Part::ReadCells => "read-cells",
            Part::ReadGroups => "read-groups",
        }
    }
}

/// States met in random games.
pub trait Sample: Send {
    /// On how many states [`Sample::run`] works: none if the game has no such part.
    fn size(&self, part: Part) -> usize;

    /// Does one part with every state. The sum depends on every result, so that nothing is left
    /// out.
    fn run(&mut self, part: Part) -> u64;
}

pub(crate) struct SampledStates<G: TrainableGame> {
    game: G,
    states: Vec<(G::State, Move)>,
    moves: Vec<Move>,
    cells: Vec<u8>,
    groups: Vec<u8>,
}

impl<G: TrainableGame> SampledStates<G> {
    /// The states on players' turns of random games, until there are `size` of them.
    pub(crate) fn new(game: G, size: usize, seed: u64) -> SampledStates<G> {
        let layout = game.layout();
        let (cells, groups) = (vec![0; layout.num_cells()], vec![0; layout.groups.len()]);
        let mut sample =
            SampledStates { game, states: Vec::new(), moves: Vec::new(), cells, groups };
        for index in 0.. {
            let before = sample.states.len();
            sample.add_game(&mut Rng::derived(seed, "sample", index));
            if sample.states.len() >= size || sample.states.len() == before {
                break;
            }
        }
        sample.states.truncate(size);
        sample
    }

    fn add_game(&mut self, rng: &mut Rng) {
        let mut state = self.game.start();
        loop {
            match self.game.turn(&state) {
                Turn::Over => return,
                Turn::Chance => {
                    let event = self.game.draw(&state, rng);
                    self.game.resolve(&mut state, event);
                }
                Turn::Player(_) => {
                    let mv = self.game.random_move(&state, rng, &mut self.moves);
                    self.states.push((state.clone(), mv));
                    self.game.play(&mut state, mv);
                }
            }
        }
    }
}

impl<G: TrainableGame> Sample for SampledStates<G> {
    fn size(&self, part: Part) -> usize {
        let lacks_part = part == Part::ReadGroups && self.groups.is_empty();
        if lacks_part { 0 } else { self.states.len() }
    }

    fn run(&mut self, part: Part) -> u64 {
        if self.size(part) == 0 {
            return 0;
        }
        let SampledStates { game, states, moves, cells, groups } = self;
        let each = states.iter();
        match part {
            Part::LegalMoves => each.map(|(state, _)| legal_moves(game, state, moves)).sum(),
            Part::Play => each.map(|(state, mv)| play(game, state, *mv)).sum(),
            Part::ReadCells => {
                let read = |cells: &mut [u8], state| game.read_cells(state, Player(0), cells);
                each.map(|(state, _)| sum_after(cells, |cells| read(cells, state))).sum()
            }
            Part::ReadGroups => {
                let read = |groups: &mut [u8], state| game.read_groups(state, Player(0), groups);
                each.map(|(state, _)| sum_after(groups, |groups| read(groups, state))).sum()
            }
        }
    }
}

fn legal_moves<G: TrainableGame>(game: &G, state: &G::State, moves: &mut Vec<Move>) -> u64 {
    moves.clear();
    game.legal_moves(state, moves);
    moves.iter().map(|mv| u64::from(mv.0) + 1).sum()
}

fn play<G: TrainableGame>(game: &G, state: &G::State, mv: Move) -> u64 {
    let mut next = state.clone();
    game.play(&mut next, mv);
    u64::from(game.turn(&next) == Turn::Over)
}

fn sum_after(bytes: &mut [u8], write: impl FnOnce(&mut [u8])) -> u64 {
    write(bytes);
    bytes.iter().map(|&byte| u64::from(byte)).sum()
}
