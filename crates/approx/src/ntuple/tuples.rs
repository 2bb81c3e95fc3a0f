//! Choosing the cells of tuples.

use ludens_core::{AROUND, CellLayout, Invalid, Rng};
use std::collections::HashSet;

/// How often a duplicate is drawn again before giving up.
const TRIES: usize = 1_000;

/// `count` tuples of `length` cells, each a growing cluster of neighbours.
///
/// A walk starts at a random cell; then a random cell of the set so far gains a random unused
/// neighbour. No two tuples cover the same cells, nor a symmetric image of them.
///
/// # Errors
///
/// If the board has no so many different tuples.
pub fn random_walks(
    layout: &CellLayout,
    count: usize,
    length: usize,
    rng: &mut Rng,
) -> Result<Vec<Vec<u16>>, Invalid> {
    distinct(layout, count, length, || walk(layout, length, rng))
}

/// `count` tuples of `length` cells, each the way of a king who never returns to a cell.
///
/// Unlike clusters of orthogonal neighbours, such ways can follow diagonals. No two tuples cover the
/// same cells, nor a symmetric image of them (Thill and others 2014).
///
/// # Errors
///
/// If the board has no so many different tuples.
pub fn random_king_walks(
    layout: &CellLayout,
    count: usize,
    length: usize,
    rng: &mut Rng,
) -> Result<Vec<Vec<u16>>, Invalid> {
    let around = layout.clone().with_neighbours(&AROUND);
    distinct(layout, count, length, || king_walk(&around, length, rng))
}

/// Every straight line of `length` cells, modulo symmetry: rows, columns and diagonals.
///
/// # Errors
///
/// If no line is so long.
pub fn lines(layout: &CellLayout, length: usize) -> Result<Vec<Vec<u16>>, Invalid> {
    let (width, height) = (layout.width as isize, (layout.num_cells() / layout.width) as isize);
    let line = |x: isize, y: isize, (dx, dy): (isize, isize)| {
        let steps = 0..length as isize;
        let places = steps.map(|k| (x + k * dx, y + k * dy));
        let inside = |(x, y)| (0..width).contains(&x) && (0..height).contains(&y);
        let cell = |(x, y)| inside((x, y)).then_some((y * width + x) as u16);
        places.map(cell).collect::<Option<Vec<u16>>>()
    };
    let (mut seen, mut found) = (HashSet::new(), Vec::new());
    for direction in [(1, 0), (0, 1), (1, 1), (-1, 1)] {
        let places = (0..height).flat_map(|y| (0..width).map(move |x| (x, y)));
        let tuples = places.filter_map(|(x, y)| line(x, y, direction));
        found.extend(tuples.filter(|tuple| seen.insert(layout.canonical_tuple(tuple))));
    }
    match found.is_empty() || length == 0 {
        true => {
            Err(Invalid(format!("no line has {length} cells on a board of {width} x {height}")))
        }
        false => Ok(found),
    }
}

/// `count` tuples of `length` cells, anywhere on the board; no two alike modulo symmetry.
///
/// # Errors
///
/// If the board has no so many different tuples.
pub fn random_points(
    layout: &CellLayout,
    count: usize,
    length: usize,
    rng: &mut Rng,
) -> Result<Vec<Vec<u16>>, Invalid> {
    distinct(layout, count, length, || {
        let mut cells: Vec<u16> = (0..layout.num_cells() as u16).collect();
        rng.shuffle(&mut cells);
        cells.truncate(length);
        Some(cells)
    })
}

/// More tuples than any network of ours evaluates in time.
pub(super) const MAX_TUPLES: usize = 10_000;

fn distinct(
    layout: &CellLayout,
    count: usize,
    length: usize,
    mut draw: impl FnMut() -> Option<Vec<u16>>,
) -> Result<Vec<Vec<u16>>, Invalid> {
    let cells = layout.num_cells();
    if length == 0 || length > cells {
        return Err(Invalid(format!("a tuple of {length} cells on a board of {cells}")));
    }
    if !(1..=MAX_TUPLES).contains(&count) {
        return Err(Invalid(format!("expected 1 to {MAX_TUPLES} tuples, found {count}")));
    }
    let (mut seen, mut tuples) = (HashSet::new(), Vec::new());
    while tuples.len() < count {
        let fresh = (0..TRIES).find_map(|_| {
            let mut tuple = draw()?;
            tuple.sort_unstable();
            seen.insert(layout.canonical_tuple(&tuple)).then_some(tuple)
        });
        tuples.push(fresh.ok_or_else(|| {
            let found = tuples.len();
            Invalid(format!(
                "{count} different tuples of {length} cells were asked for; found {found}"
            ))
        })?);
    }
    Ok(tuples)
}

/// A cluster of neighbours, or nothing if it can grow no further.
fn walk(layout: &CellLayout, length: usize, rng: &mut Rng) -> Option<Vec<u16>> {
    let mut cells = vec![rng.below(layout.num_cells()) as u16];
    while cells.len() < length {
        let grows = |from: u16| {
            let near = layout.neighbours[usize::from(from)].iter();
            near.copied().filter(|c| !cells.contains(c)).collect::<Vec<u16>>()
        };
        let sources: Vec<u16> = cells.iter().copied().filter(|&c| !grows(c).is_empty()).collect();
        let from = *sources.get(rng.below(sources.len().max(1)))?;
        let near = grows(from);
        cells.push(near[rng.below(near.len())]);
    }
    Some(cells)
}

/// The way of a king from a random cell, or nothing if it ends in a trap.
fn king_walk(around: &CellLayout, length: usize, rng: &mut Rng) -> Option<Vec<u16>> {
    let mut at = rng.below(around.num_cells()) as u16;
    let mut cells = vec![at];
    while cells.len() < length {
        let near = around.neighbours[usize::from(at)].iter();
        let free: Vec<u16> = near.copied().filter(|cell| !cells.contains(cell)).collect();
        at = *free.get(rng.below(free.len().max(1)))?;
        cells.push(at);
    }
    Some(cells)
}

#[cfg(test)]
mod tests {
    use super::*;
    use ludens_core::{mirror_symmetries, square_symmetries};

    fn board() -> CellLayout {
        CellLayout::grid(4, 4, 3).with_symmetries(square_symmetries(4))
    }

    #[test]
    fn walks_are_connected_and_differ_modulo_symmetry() {
        let layout = board();
        let tuples = random_walks(&layout, 30, 5, &mut Rng::seeded(1)).unwrap();
        let images: HashSet<_> = tuples.iter().map(|t| layout.canonical_tuple(t)).collect();
        assert_eq!((tuples.len(), images.len()), (30, 30));
        for tuple in &tuples {
            let touches =
                |&c: &u16| layout.neighbours[usize::from(c)].iter().any(|n| tuple.contains(n));
            assert!(tuple.iter().all(touches), "{tuple:?}");
        }
    }

    #[test]
    fn king_walks_follow_diagonals_and_differ_modulo_symmetry() {
        let layout = board();
        let tuples = random_king_walks(&layout, 40, 4, &mut Rng::seeded(1)).unwrap();
        let images: HashSet<_> = tuples.iter().map(|t| layout.canonical_tuple(t)).collect();
        assert_eq!((tuples.len(), images.len()), (40, 40));
        let apart = |tuple: &&Vec<u16>| {
            let orthogonal = |&c: &u16| {
                layout.neighbours[usize::from(c)].iter().any(|near| tuple.contains(near))
            };
            !tuple.iter().all(orthogonal)
        };
        assert!(tuples.iter().find(apart).is_some(), "some cells only touch by their corners");
    }

    #[test]
    fn lines_are_counted_once_modulo_symmetry() {
        // Ten lines of four on a 4 x 4 board: an outer row, an inner row and a diagonal differ.
        assert_eq!(lines(&board(), 4).unwrap().len(), 3);
        // Connect-4 has 69 lines of four; those of the middle column mirror themselves.
        let connect4 = CellLayout::grid(7, 6, 3).with_symmetries(mirror_symmetries(7, 6));
        let found = lines(&connect4, 4).unwrap();
        assert_eq!(found.len(), (69 + 3) / 2);
        assert!(found.contains(&vec![0, 8, 16, 24]), "a diagonal: {found:?}");
        assert!(lines(&board(), 5).is_err() && lines(&board(), 0).is_err());
    }

    #[test]
    fn the_same_seed_draws_the_same_tuples() {
        let draw = |seed| random_points(&board(), 5, 4, &mut Rng::seeded(seed)).unwrap();
        assert_eq!(draw(3), draw(3));
        assert_ne!(draw(3), draw(4));
    }

    #[test]
    fn too_many_or_too_long_tuples_are_refused() {
        let draw = |count, length| random_walks(&board(), count, length, &mut Rng::seeded(1));
        assert!(draw(4, 1).unwrap_err().to_string().contains("found 3"));
        assert!(draw(1, 17).is_err() && draw(1, 0).is_err());
    }
}
