//! 2048 until a tile of 32 has been made: a game of one player in which moves end the game.

use ludens_core::{
    CellBoard, CellLayout, Chosen, Event, Game, Invalid, Move, Notation, Played, Player, Rewards,
    Scene, Setting, Turn,
};
use ludens_games::Game2048;

/// The exponent of the tile that ends the game.
const LAST: u8 = 5;

#[derive(Clone, Debug, Default)]
pub(super) struct Short(Game2048);

type State = <Game2048 as Game>::State;

impl Game for Short {
    type State = State;

    fn num_players(&self) -> usize {
        self.0.num_players()
    }

    fn num_moves(&self) -> usize {
        self.0.num_moves()
    }

    fn start(&self) -> State {
        self.0.start()
    }

    fn turn(&self, state: &State) -> Turn {
        let mut cells = [0; 16];
        self.read_cells(state, Player(0), &mut cells);
        if cells.iter().any(|cell| *cell >= LAST) { Turn::Over } else { self.0.turn(state) }
    }

    fn legal_moves(&self, state: &State, out: &mut Vec<Move>) {
        self.0.legal_moves(state, out);
    }

    fn play(&self, state: &mut State, mv: Move) -> Rewards {
        self.0.play(state, mv)
    }

    fn has_chance(&self) -> bool {
        true
    }

    fn events(&self, state: &State, out: &mut Vec<(Event, f32)>) {
        self.0.events(state, out);
    }

    fn resolve(&self, state: &mut State, event: Event) -> Rewards {
        self.0.resolve(state, event)
    }
}

impl CellBoard for Short {
    fn layout(&self) -> CellLayout {
        self.0.layout()
    }

    fn read_cells(&self, state: &State, pov: Player, cells: &mut [u8]) {
        self.0.read_cells(state, pov, cells);
    }

    fn read_images(&self, state: &State, pov: Player, images: &mut [[u64; 2]]) {
        self.0.read_images(state, pov, images);
    }

    fn map_move(&self, symmetry: usize, mv: Move) -> Move {
        self.0.map_move(symmetry, mv)
    }
}

impl Notation for Short {
    const NAME: &'static str = "short";
    const TITLE: &'static str = "Short";
    const ABOUT: &'static str = "2048 until a tile of 32 has been made";
    const SETTINGS: &'static [Setting] = &[];

    fn configure(_: &Chosen) -> Result<Short, Invalid> {
        Ok(Short::default())
    }

    fn move_text(&self, state: &State, mv: Move) -> String {
        self.0.move_text(state, mv)
    }

    fn state_text(&self, state: &State) -> String {
        self.0.state_text(state)
    }

    fn parse_state(&self, text: &str) -> Result<State, Invalid> {
        self.0.parse_state(text)
    }

    fn scene(&self, state: &State, last: Option<Played>) -> Scene {
        self.0.scene(state, last)
    }
}
