//! From values of moves to a choice.

use ludens_core::{Choice, Move, Rng};

/// One of the best moves, all alike.
pub(crate) fn best(legal: &[Move], values: &[f32], rng: &mut Rng) -> Choice {
    let most = values.iter().copied().fold(f32::NEG_INFINITY, f32::max);
    let ties = || values.iter().enumerate().filter(|(_, value)| **value == most);
    let chosen = ties().nth(rng.below(ties().count())).expect("a player to move has a move").0;
    Choice { mv: legal[chosen], value: Some(most), explored: false }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn equal_moves_are_chosen_alike() {
        let (legal, mut rng) = ([Move(3), Move(5), Move(8)], Rng::seeded(1));
        let mut chosen = || best(&legal, &[1.0, 0.0, 1.0], &mut rng);
        let threes = (0..1_000).filter(|_| chosen().mv == Move(3)).count();
        assert!((450..550).contains(&threes), "{threes}");
        assert_eq!(chosen().value, Some(1.0));
    }
}
