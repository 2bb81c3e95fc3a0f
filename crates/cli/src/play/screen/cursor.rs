//! The place on the board that the human points at.

use ludens_core::scene::{Piece, SceneCell};
use ludens_core::{Move, Scene};

/// A direction of the cursor.
#[derive(Copy, Clone, Debug, PartialEq, Eq)]
pub(super) enum Direction {
    Left,
    Right,
    Up,
    Down,
}

impl Direction {
    /// The move of games that are played by directions.
    pub(super) fn word(self) -> &'static str {
        match self {
            Direction::Left => "left",
            Direction::Right => "right",
            Direction::Up => "up",
            Direction::Down => "down",
        }
    }

    /// The distance of `to` from `from` along this direction, and across it.
    fn distance(self, from: &SceneCell, to: &SceneCell) -> (f32, f32) {
        let (x, y) = (to.x - from.x, to.y - from.y);
        match self {
            Direction::Left => (-x, y.abs()),
            Direction::Right => (x, y.abs()),
            Direction::Up => (-y, x.abs()),
            Direction::Down => (y, x.abs()),
        }
    }
}

/// The cells that stand for a legal move, by their numbers.
///
/// Where several empty cells mean the same move, the lowest stands for it: a stone falls there.
pub(super) fn targets(scene: &Scene, legal: &[Move]) -> Vec<usize> {
    let cells = || scene.cells.iter().enumerate();
    let playable = |mv: Option<Move>| mv.is_some_and(|mv| legal.contains(&mv));
    let empty = |cell: &SceneCell| matches!(cell.piece, Piece::Empty(_));
    let stands = |(_, cell): &(usize, &SceneCell)| {
        let same = || cells().filter(|(_, other)| other.mv == cell.mv && empty(other));
        let lower = |(_, other): (usize, &SceneCell)| other.y > cell.y;
        playable(cell.mv) && (same().next().is_none() || empty(cell) && !same().any(lower))
    };
    cells().filter(stands).map(|(i, _)| i).collect()
}

/// The target nearest to the middle of the board.
pub(super) fn middle(scene: &Scene, targets: &[usize]) -> Option<usize> {
    let count = scene.cells.len().max(1) as f32;
    let x = scene.cells.iter().map(|cell| cell.x).sum::<f32>() / count;
    let y = scene.cells.iter().map(|cell| cell.y).sum::<f32>() / count;
    let distance = |i: &usize| (scene.cells[*i].x - x).hypot(scene.cells[*i].y - y);
    targets.iter().copied().min_by(|a, b| distance(a).total_cmp(&distance(b)))
}

/// The next target in a direction; the same if there is none.
pub(super) fn step(scene: &Scene, targets: &[usize], from: usize, to: Direction) -> usize {
    let here = &scene.cells[from];
    let cost = |i: &usize| {
        let (ahead, aside) = to.distance(here, &scene.cells[*i]);
        (ahead > 0.1 && aside <= 2.0 * ahead).then_some(ahead + 2.0 * aside)
    };
    let ahead = targets.iter().filter_map(|i| cost(i).map(|cost| (*i, cost)));
    ahead.min_by(|a, b| a.1.total_cmp(&b.1)).map_or(from, |(i, _)| i)
}

#[cfg(test)]
mod tests {
    use super::*;
    use ludens_registry::open_game;

    fn board(game: &str, moves: &str) -> (Scene, Vec<Move>) {
        let mut live = open_game(game).unwrap().live(1);
        moves.split_whitespace().for_each(|text| {
            live.play(text).unwrap();
        });
        (live.scene(), live.legal().into_iter().map(|(mv, _)| mv).collect())
    }

    #[test]
    fn a_stone_is_dropped_where_it_falls() {
        let (scene, legal) = board("connect4", "4 4 4 4 4 4 1");
        let targets = targets(&scene, &legal);
        assert_eq!(targets.len(), 6, "the fourth column is full");
        let rows: Vec<f32> = targets.iter().map(|i| scene.cells[*i].y).collect();
        assert_eq!(rows.iter().filter(|y| **y == 4.0).count(), 1);
        assert_eq!(rows.iter().filter(|y| **y == 5.0).count(), 5);
    }

    #[test]
    fn the_cursor_walks_over_what_is_legal() {
        let (scene, legal) = board("tictactoe", "b2");
        let targets = targets(&scene, &legal);
        assert_eq!(targets.len(), 8);
        let at = |i: usize| (scene.cells[i].x, scene.cells[i].y);
        let left = *targets.iter().find(|i| at(**i) == (0.0, 1.0)).unwrap();
        assert_eq!(at(step(&scene, &targets, left, Direction::Right)), (2.0, 1.0));
        assert_eq!(at(step(&scene, &targets, left, Direction::Up)), (0.0, 0.0));
        assert_eq!(step(&scene, &targets, left, Direction::Left), left);
    }
}
