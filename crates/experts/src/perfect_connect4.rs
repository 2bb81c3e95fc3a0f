//! The Connect-4 solver as an agent.

use crate::connect4::{BoundsTable, CELLS, Cache, OpeningBook, Position, Solver, Style, WIDTH};
use ludens_core::{
    Agent, Cancellation, CellBoard, Choice, Forfeit, Game, Invalid, Move, Player, Rng, Study, Turn,
};
use ludens_games::Connect4;
use std::io;
use std::sync::{Arc, Mutex};

/// Plays perfect Connect-4 on the standard board.
pub struct PerfectConnect4 {
    solver: Solver,
    style: Style,
}

/// One table for all players of this process: what one has searched, others need not.
static TABLE: Mutex<Option<Arc<BoundsTable>>> = Mutex::new(None);

const TABLE_BYTES: usize = 128 << 20;

impl PerfectConnect4 {
    /// A player of this game.
    ///
    /// # Errors
    ///
    /// If the board is not 7x6, or other than four stones make a line, or memory is short.
    pub fn new(game: &Connect4, style: Style) -> Result<PerfectConnect4, Invalid> {
        let usual = game.num_moves() == WIDTH && game.layout().num_cells() == CELLS;
        if !usual || !four_make_a_line(game) {
            return Err(Invalid("connect4 is solved for 7 columns, 6 rows and lines of 4".into()));
        }
        let mut shared = TABLE.lock().expect("nobody panics while holding the table");
        let table = match &*shared {
            Some(table) => table.clone(),
            None => {
                let table = BoundsTable::new(TABLE_BYTES).map(Arc::new);
                shared.insert(table.map_err(no_memory)?).clone()
            }
        };
        let mut solver = Solver::with_table(table).map_err(no_memory)?;
        // Without a book the solver is slower, and as exact.
        let _ = solver.use_book(OpeningBook::embedded());
        Ok(PerfectConnect4 { solver, style })
    }

    /// Keeps what took long in this cache.
    pub fn use_cache(&mut self, cache: Cache) {
        self.solver.use_cache(cache);
    }
}

fn no_memory(error: io::Error) -> Invalid {
    Invalid(format!("no memory to solve in: {error}"))
}

/// The first player's fourth stone in one column ends the game, and nothing before does.
fn four_make_a_line(game: &Connect4) -> bool {
    let mut state = game.start();
    for column in [0, 1, 0, 1, 0, 1, 0] {
        if game.turn(&state) == Turn::Over {
            return false;
        }
        game.play(&mut state, Move(column));
    }
    game.turn(&state) == Turn::Over
}

/// The position as the solver knows it: bits column by column, seven each, from the bottom up.
fn position(game: &Connect4, state: &<Connect4 as Game>::State) -> Position {
    let Turn::Player(mover) = game.turn(state) else {
        unreachable!("agents are asked on a player's turn only")
    };
    let stones = |player: Player| {
        let mut cells = [0; CELLS];
        game.read_cells(state, player, &mut cells);
        let bit = |i: usize| 1 << (i % WIDTH * WIDTH + (CELLS - 1 - i) / WIDTH);
        (0..CELLS).filter(|&i| cells[i] == 1).map(bit).sum()
    };
    let position = Position::from_stones(stones(mover), stones(mover.other()));
    position.expect("what the rules allow is a position")
}

impl Agent<Connect4> for PerfectConnect4 {
    fn choose(
        &mut self,
        game: &Connect4,
        state: &<Connect4 as Game>::State,
        rng: &mut Rng,
    ) -> Result<Choice, Forfeit> {
        let position = position(game, state);
        let scores = match self.style {
            Style::Ab => self.solver.move_outcomes(position),
            _ => self.solver.move_scores(position),
        };
        Cancellation::check()?;
        let column = self.style.choose(&scores, position.stones(), &mut |n| rng.below(n));
        let column = column.expect("a player to move has a move");
        let value = scores.iter().flatten().copied().max().map(|best| f32::from(best.signum()));
        Ok(Choice { mv: Move(column as u32), value, explored: false })
    }

    fn move_values(
        &mut self,
        game: &Connect4,
        state: &<Connect4 as Game>::State,
        _: &mut Rng,
    ) -> Option<Vec<f32>> {
        let outcomes = self.solver.move_outcomes(position(game, state));
        Cancellation::check().ok()?;
        Some(outcomes.iter().flatten().map(|&outcome| outcome.into()).collect())
    }

    fn study(
        &mut self,
        game: &Connect4,
        state: &<Connect4 as Game>::State,
        rng: &mut Rng,
    ) -> Study {
        let values = self.move_values(game, state, rng);
        let line = self.solver.principal_line(position(game, state));
        if Cancellation::requested() {
            return Study::default();
        }
        let line = line.into_iter().map(|column| Move(column as u32)).collect();
        Study { values, line, ..Study::default() }
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use ludens_core::{Notation, Params};

    fn connect4(text: &str) -> Connect4 {
        let chosen = text.parse::<Params>().unwrap().check(Connect4::SETTINGS).unwrap();
        Connect4::configure(&chosen).unwrap()
    }

    #[test]
    fn a_state_and_its_position_agree_stone_by_stone() {
        let (game, rng) = (connect4("connect4"), &mut Rng::seeded(1));
        for _ in 0..50 {
            let (mut state, mut columns) = (game.start(), String::new());
            loop {
                let mv = game.random_move(&state, rng, &mut Vec::new());
                game.play(&mut state, mv);
                if game.turn(&state) == Turn::Over {
                    break;
                }
                columns += &(mv.0 + 1).to_string();
                assert_eq!(position(&game, &state), Position::from_moves(&columns).unwrap());
            }
        }
    }

    #[test]
    fn threats_are_seen() {
        let game = connect4("connect4");
        let mut state = game.start();
        // First has three at the bottom from the second column on: both ends win.
        for column in [1, 1, 2, 2, 3, 3] {
            game.play(&mut state, Move(column));
        }
        let mut expert = PerfectConnect4::new(&game, Style::AbDl).unwrap();
        let rng = &mut Rng::seeded(1);
        let choice = expert.choose(&game, &state, rng).unwrap();
        assert!([Move(0), Move(4)].contains(&choice.mv) && choice.value == Some(1.0));
        let values = expert.move_values(&game, &state, rng).unwrap();
        assert_eq!((values.len(), values[0], values[4]), (7, 1.0, 1.0));
    }

    #[test]
    fn values_of_moves_are_the_signs_of_their_scores() {
        let (game, rng) = (connect4("connect4"), &mut Rng::seeded(2));
        let mut expert = PerfectConnect4::new(&game, Style::AbDl).unwrap();
        for _ in 0..30 {
            let mut state = game.start();
            while game.turn(&state) != Turn::Over {
                let position = position(&game, &state);
                if position.stones() >= 20 {
                    let scores = expert.solver.move_scores(position);
                    let signs = scores.iter().flatten().map(|s| f32::from(s.signum())).collect();
                    assert_eq!(expert.move_values(&game, &state, rng), Some(signs));
                }
                let mv = game.random_move(&state, rng, &mut Vec::new());
                game.play(&mut state, mv);
            }
        }
    }

    #[test]
    fn other_boards_are_refused() {
        for text in ["connect4:columns=6", "connect4:line=5", "connect4:line=3"] {
            let refused = PerfectConnect4::new(&connect4(text), Style::Ab).err().unwrap();
            assert!(refused.to_string().contains("lines of 4"), "{text}: {refused}");
        }
    }
}
