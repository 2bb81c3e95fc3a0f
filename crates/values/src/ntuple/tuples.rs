//! Drawing tuples at random.

use ludens_core::{CellLayout, Invalid, Rng};
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
    let (mut seen, mut tuples) = (HashSet::new(), Vec::new());
    while tuples.len() < count {
        let fresh = (0..TRIES).find_map(|_| {
            let mut tuple = draw()?;
            tuple.sort_unstable();
            seen.insert(canonical(layout, &tuple)).then_some(tuple)
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

/// The smallest of the tuple's symmetric images, cells sorted.
fn canonical(layout: &CellLayout, tuple: &[u16]) -> Vec<u16> {
    let image = |symmetry: &Vec<u16>| {
        let mut cells: Vec<u16> = tuple.iter().map(|&c| symmetry[usize::from(c)]).collect();
        cells.sort_unstable();
        cells
    };
    layout.symmetries.iter().map(image).min().expect("the identity is a symmetry")
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

#[cfg(test)]
mod tests {
    use super::*;
    use ludens_core::square_symmetries;

    fn board() -> CellLayout {
        CellLayout::grid(4, 4, 3).with_symmetries(square_symmetries(4))
    }

    #[test]
    fn walks_are_connected_and_differ_modulo_symmetry() {
        let layout = board();
        let tuples = random_walks(&layout, 30, 5, &mut Rng::seeded(1)).unwrap();
        let images: HashSet<_> = tuples.iter().map(|t| canonical(&layout, t)).collect();
        assert_eq!((tuples.len(), images.len()), (30, 30));
        for tuple in &tuples {
            let touches =
                |&c: &u16| layout.neighbours[usize::from(c)].iter().any(|n| tuple.contains(n));
            assert!(tuple.iter().all(touches), "{tuple:?}");
        }
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
