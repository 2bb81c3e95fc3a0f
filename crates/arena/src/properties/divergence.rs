//! The difference between the boards after one move.

use super::Property;
use super::sample::RandomGames;
use ludens_core::{CellBoard, Move, Player, Tally};

/// Ghory's divergence rate: half the mean number of cells in which two boards derived from the
/// same state differ. One is the least possible where moves do not undo each other.
pub(super) fn property<G: CellBoard>(game: &G, sampled: &RandomGames<G::State>) -> Property {
    let cells = game.layout().num_cells();
    let rates = sampled.games.iter().filter_map(|g| divergence(game, &g.pick, cells));
    let rates: Tally = rates.collect();
    let verdict = match rates.mean() {
        mean if mean <= 1.05 => "a move changes as little as it can: errors of a value cancel",
        mean if mean <= 3.0 => "a move changes little",
        _ => "a move changes much of the board: hard to generalise",
    };
    Property::new("divergence rate", rates, "cells, one state of each random game", verdict)
}

/// Nothing if there are fewer than two moves to compare.
fn divergence<G: CellBoard>(game: &G, state: &G::State, num_cells: usize) -> Option<f64> {
    let mut legal: Vec<Move> = Vec::new();
    game.legal_moves(state, &mut legal);
    let board = |mv: &Move| {
        let (mut next, mut cells) = (state.clone(), vec![0; num_cells]);
        game.play(&mut next, *mv);
        game.read_cells(&next, Player(0), &mut cells);
        cells
    };
    let boards: Vec<Vec<u8>> = legal.iter().map(board).collect();
    let mut distances = Tally::default();
    for (i, first) in boards.iter().enumerate() {
        for second in &boards[..i] {
            distances.add(distance(first, second) as f64);
        }
    }
    (distances.count > 0).then(|| distances.mean() / 2.0)
}

/// In how many cells two boards differ.
pub(super) fn distance(a: &[u8], b: &[u8]) -> usize {
    a.iter().zip(b).filter(|(x, y)| x != y).count()
}

#[cfg(test)]
mod tests {
    use super::*;
    use ludens_core::Game;
    use ludens_games::TicTacToe;

    #[test]
    fn one_stone_per_move_diverges_at_the_least_rate() {
        assert_eq!(divergence(&TicTacToe, &TicTacToe.start(), 9), Some(1.0));
    }
}
