//! How moves are picked while learning.

use crate::Rated;
use ludens_core::{Choice, Move, Rng};
use std::hint::select_unpredictable;

/// How a move is picked from those rated.
#[derive(Copy, Clone, Debug, PartialEq)]
pub enum Explore {
    /// Sometimes any legal move, otherwise the best (epsilon-greedy).
    Epsilon {
        /// How often any move.
        rate: f32,
    },
    /// The better, the likelier: e^(worth / temperature) (Gibbs).
    Softmax {
        /// The higher, the more alike all moves are; above zero.
        temperature: f32,
    },
    /// The best, after a share of the moves were rated at random from -1 to 1 (Ghory 2004).
    RandomRatings {
        /// Which share.
        share: f32,
    },
    /// The best of a random share of the moves (Ghory 2004); at least one is looked at.
    Sample {
        /// Which share.
        share: f32,
    },
}

impl Explore {
    /// Always the best.
    pub const GREEDY: Explore = Explore::Epsilon { rate: 0.0 };

    /// Whether the next move is to be drawn before any is rated.
    #[inline]
    pub fn draws_blindly(self, rng: &mut Rng) -> bool {
        matches!(self, Explore::Epsilon { rate } if rate > 0.0 && rng.chance(rate))
    }

    /// Picks one of the rated moves; ties are broken at random.
    #[inline]
    pub fn pick(self, rated: &mut [Rated], rng: &mut Rng) -> Choice {
        let best = match self {
            Explore::Epsilon { .. } => best_move(&*rated, rng),
            Explore::Softmax { temperature } => return softmax(rated, temperature, rng),
            Explore::RandomRatings { share } => {
                let mut explored = false;
                for rating in &mut *rated {
                    if rng.chance(share) {
                        rating.worth = rng.between(-1.0, 1.0);
                        explored = true;
                    }
                }
                let choice = best_move(&*rated, rng);
                return Choice { explored, ..choice };
            }
            Explore::Sample { share } => {
                rng.shuffle(rated);
                let looked_at = ((rated.len() as f32 * share).ceil() as usize).max(1);
                best_move(&rated[..looked_at.min(rated.len())], rng)
            }
        };
        Choice { explored: false, ..best }
    }
}

fn best_move(rated: &[Rated], rng: &mut Rng) -> Choice {
    let best = best(rated.iter().map(|rated| (rated.mv, rated.worth)), rng);
    let (mv, value) = best.map_or((Move(0), None), |(mv, worth)| (mv, Some(worth)));
    Choice { mv, value, explored: false }
}

/// The best of several with what they are worth, ties broken at random.
///
/// Which is the best nobody can foretell: without ties, the processor need not guess.
#[inline(always)]
pub(crate) fn best<T: Copy>(
    offers: impl Iterator<Item = (T, f32)> + Clone,
    rng: &mut Rng,
) -> Option<(T, f32)> {
    let (mut all, mut tied) = (offers.clone(), false);
    let (mut best, mut worth) = all.next()?;
    for (other, its_worth) in all {
        let better = its_worth > worth;
        tied |= its_worth == worth;
        best = select_unpredictable(better, other, best);
        worth = select_unpredictable(better, its_worth, worth);
    }
    if tied { best_of_equals(offers, rng) } else { Some((best, worth)) }
}

/// The same where often some are worth as much as the best before them.
#[inline]
pub(crate) fn best_of_equals<T>(
    mut offers: impl Iterator<Item = (T, f32)>,
    rng: &mut Rng,
) -> Option<(T, f32)> {
    // The first counts even if it is worth no number, as after weights have run wild.
    let ((mut best, mut worth), mut ties) = (offers.next()?, 1);
    for (other, its_worth) in offers {
        if its_worth > worth {
            (best, worth, ties) = (other, its_worth, 1);
        } else if its_worth == worth {
            ties += 1;
            if rng.below(ties) == 0 {
                best = other;
            }
        }
    }
    Some((best, worth))
}

/// Any, the better the likelier. A move that is not the best counts as explored.
fn softmax(rated: &[Rated], temperature: f32, rng: &mut Rng) -> Choice {
    let top = rated.iter().map(|r| r.worth).fold(f32::NEG_INFINITY, f32::max);
    let weight = |r: &Rated| ((r.worth - top) / temperature).exp();
    let mut left = rng.unit() * rated.iter().map(weight).sum::<f32>();
    let drawn = rated.iter().find(|r| {
        left -= weight(r);
        left < 0.0
    });
    let drawn = drawn.or(rated.last()).expect("a player to move has a legal move");
    Choice { mv: drawn.mv, value: Some(drawn.worth), explored: drawn.worth < top }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn rated(worths: &[f32]) -> Vec<Rated> {
        let rate = |(i, &worth): (usize, &f32)| Rated {
            mv: Move(i as u32),
            reward: 0.0,
            value: worth,
            over: false,
            worth,
        };
        worths.iter().enumerate().map(rate).collect()
    }

    fn shares(explore: Explore, worths: &[f32]) -> Vec<f32> {
        let (rng, mut counts) = (&mut Rng::seeded(1), vec![0.0; worths.len()]);
        for _ in 0..10_000 {
            counts[explore.pick(&mut rated(worths), rng).mv.0 as usize] += 1e-4;
        }
        counts
    }

    fn assert_shares(found: &[f32], expected: &[f32]) {
        let close = found.iter().zip(expected).all(|(a, b)| (a - b).abs() < 0.02);
        assert!(close, "{found:?} for {expected:?}");
    }

    #[test]
    fn ties_are_broken_evenly() {
        assert_shares(&shares(Explore::GREEDY, &[0.5, 0.1, 0.5, 0.5]), &[0.333, 0.0, 0.333, 0.333]);
    }

    #[test]
    fn softmax_prefers_better_moves_by_their_exponential() {
        // e^0 : e^-1 : e^-2 = 0.665 : 0.245 : 0.090.
        let found = shares(Explore::Softmax { temperature: 0.5 }, &[1.0, 0.5, 0.0]);
        assert_shares(&found, &[0.665, 0.245, 0.090]);
    }

    #[test]
    fn a_half_sample_finds_the_best_half_of_the_time() {
        let found = shares(Explore::Sample { share: 0.5 }, &[0.9, 0.5, 0.1, 0.0]);
        assert_shares(&found, &[0.5, 0.333, 0.167, 0.0]);
    }

    #[test]
    fn random_ratings_of_all_moves_are_a_lottery() {
        let found = shares(Explore::RandomRatings { share: 1.0 }, &[1.0, 0.0]);
        assert_shares(&found, &[0.5, 0.5]);
    }
}
