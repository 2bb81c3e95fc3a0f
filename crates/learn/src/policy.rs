//! Policies: how moves are chosen from their scores.

use crate::algorithm::lookahead::score_by_search;
use crate::{ScoredMove, Value};
use ludens_core::{Bitboards, Choice, Move, Player, Rng};
use std::hint::select_unpredictable;

/// How the learner explores.
#[derive(Copy, Clone, Debug, PartialEq)]
pub enum Explore {
    /// Epsilon-greedy: any legal move with this probability, otherwise the best.
    Epsilon {
        /// The probability of an exploratory move.
        rate: f32,
    },
    /// Softmax (Gibbs): probabilities proportional to e^(score / temperature).
    Softmax {
        /// Above zero; higher temperatures make all moves more alike.
        temperature: f32,
    },
    /// The best move, after a share of the scores were replaced by random ones (Ghory 2004, section
    /// 14.5). Moves that end the game keep theirs. A random score that wins is exploratory.
    RandomRatings {
        /// The share.
        share: f32,
    },
    /// The best of a random share of the moves, at least of one (Ghory 2004).
    Sample {
        /// The share.
        share: f32,
    },
}

impl Explore {
    /// Always the best move.
    pub const GREEDY: Explore = Explore::Epsilon { rate: 0.0 };

    /// Whether the next move is exploratory, drawn before any is scored.
    #[inline]
    pub fn explores(self, rng: &mut Rng) -> bool {
        matches!(self, Explore::Epsilon { rate } if rate > 0.0 && rng.chance(rate))
    }

    /// Chooses one of the scored moves; ties are broken at random.
    #[inline]
    pub fn choose(self, scored: &mut [ScoredMove], rng: &mut Rng) -> Choice {
        match self {
            Explore::Epsilon { .. } => best_move(scored, rng),
            Explore::Softmax { temperature } => softmax(scored, temperature, rng),
            Explore::RandomRatings { share } => {
                let mut rated = Vec::new();
                for scored in scored.iter_mut().filter(|scored| !scored.over) {
                    if rng.chance(share) {
                        scored.score = rng.between(-1.0, 1.0);
                        rated.push(scored.mv);
                    }
                }
                let choice = best_move(scored, rng);
                Choice { explored: rated.contains(&choice.mv), ..choice }
            }
            Explore::Sample { share } => {
                rng.shuffle(scored);
                let sampled = ((scored.len() as f32 * share).ceil() as usize).max(1);
                best_move(&scored[..sampled.min(scored.len())], rng)
            }
        }
    }
}

/// Chooses moves by a value; holds the buffers for it.
#[derive(Clone, Debug)]
pub struct Policy {
    depth: u32,
    legal: Vec<Move>,
    scored: Vec<ScoredMove>,
}

impl Policy {
    /// Looks `depth` moves ahead, the move itself included; more than one only for values whose
    /// owner is the first player.
    pub fn new(depth: u32) -> Policy {
        Policy { depth, legal: Vec::new(), scored: Vec::new() }
    }

    /// Chooses a move for `player` in `state`.
    #[inline]
    pub fn choose<G: Bitboards>(
        &mut self,
        value: &mut Value<G>,
        game: &G,
        state: &G::State,
        player: Player,
        explore: Explore,
        rng: &mut Rng,
    ) -> Choice {
        if explore.explores(rng) {
            let mv = game.random_move(state, rng, &mut self.legal);
            return Choice { mv, value: None, explored: true };
        }
        if value.spec.regions > 0 {
            self.score_best_region(value, game, state, player, rng);
        } else {
            self.score(value, game, state, player);
        }
        explore.choose(&mut self.scored, rng)
    }

    /// Scores the legal moves of the best region only (a partial decision).
    fn score_best_region<G: Bitboards>(
        &mut self,
        value: &mut Value<G>,
        game: &G,
        state: &G::State,
        player: Player,
        rng: &mut Rng,
    ) {
        let Policy { legal, scored, .. } = self;
        legal.clear();
        game.legal_moves(state, legal);
        let best = value.best_region(game, state, player, legal, rng);
        legal.retain(|mv| Some(value.spec.region(game.num_moves(), *mv)) == best);
        value.score_moves(game, state, player, legal, scored);
    }

    /// Scores all legal moves of `player` in `state`.
    pub fn score<G: Bitboards>(
        &mut self,
        value: &mut Value<G>,
        game: &G,
        state: &G::State,
        player: Player,
    ) -> &[ScoredMove] {
        let Policy { depth, legal, scored } = self;
        if *depth > 1 {
            legal.clear();
            game.legal_moves(state, legal);
            score_by_search(value, game, state, player, legal, *depth, scored);
        } else {
            value.score_all(game, state, player, legal, scored);
        }
        scored
    }
}

fn best_move(scored: &[ScoredMove], rng: &mut Rng) -> Choice {
    let best = best_of(scored.iter().map(|scored| (scored.mv, scored.score)), rng);
    let (mv, value) = best.map_or((Move(0), None), |(mv, score)| (mv, Some(score)));
    Choice { mv, value, explored: false }
}

/// The best of several candidates with their scores; ties are broken at random.
///
/// Without a branch for each: the processor cannot predict which is best, and ties are rare.
#[inline(always)]
pub(crate) fn best_of<T: Copy>(
    candidates: impl Iterator<Item = (T, f32)> + Clone,
    rng: &mut Rng,
) -> Option<(T, f32)> {
    let (mut all, mut tied) = (candidates.clone(), false);
    let (mut best, mut score) = all.next()?;
    for (other, its_score) in all {
        let better = its_score > score;
        tied |= its_score == score;
        best = select_unpredictable(better, other, best);
        score = select_unpredictable(better, its_score, score);
    }
    if tied { best_with_ties(candidates, rng) } else { Some((best, score)) }
}

/// The same, drawing among equals.
#[inline]
fn best_with_ties<T>(
    mut candidates: impl Iterator<Item = (T, f32)>,
    rng: &mut Rng,
) -> Option<(T, f32)> {
    // The first counts even if its score is NaN, as after weights have diverged.
    let ((mut best, mut score), mut ties) = (candidates.next()?, 1);
    for (other, its_score) in candidates {
        if its_score > score {
            (best, score, ties) = (other, its_score, 1);
        } else if its_score == score {
            ties += 1;
            if rng.below(ties) == 0 {
                best = other;
            }
        }
    }
    Some((best, score))
}

/// Draws by softmax. A move that is not the best counts as exploratory.
fn softmax(scored: &[ScoredMove], temperature: f32, rng: &mut Rng) -> Choice {
    let top = scored.iter().map(|scored| scored.score).fold(f32::NEG_INFINITY, f32::max);
    let weight = |scored: &ScoredMove| ((scored.score - top) / temperature).exp();
    let mut left = rng.unit() * scored.iter().map(weight).sum::<f32>();
    let drawn = scored.iter().find(|scored| {
        left -= weight(scored);
        left < 0.0
    });
    let drawn = drawn.or(scored.last()).expect("a player to move has a legal move");
    Choice { mv: drawn.mv, value: Some(drawn.score), explored: drawn.score < top }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn scored(scores: &[f32]) -> Vec<ScoredMove> {
        let score = |(i, &score): (usize, &f32)| ScoredMove {
            mv: Move(i as u32),
            reward: 0.0,
            value: score,
            over: false,
            score,
        };
        scores.iter().enumerate().map(score).collect()
    }

    /// How often each move is chosen, within two percent.
    fn assert_shares(explore: Explore, scores: &[f32], expected: &[f32]) {
        let (rng, mut found) = (&mut Rng::seeded(1), vec![0.0; scores.len()]);
        for _ in 0..10_000 {
            found[explore.choose(&mut scored(scores), rng).mv.0 as usize] += 1e-4;
        }
        let close = found.iter().zip(expected).all(|(a, b): (&f32, &f32)| (a - b).abs() < 0.02);
        assert!(close, "{found:?} for {expected:?}");
    }

    #[test]
    fn ties_are_broken_evenly() {
        assert_shares(Explore::GREEDY, &[0.5, 0.1, 0.5, 0.5], &[0.333, 0.0, 0.333, 0.333]);
        assert_shares(Explore::GREEDY, &[0.5, 0.5], &[0.5, 0.5]);
    }

    #[test]
    fn softmax_prefers_better_moves_by_their_exponential() {
        // e^0 : e^-1 : e^-2 = 0.665 : 0.245 : 0.090; e^200 is beyond the range of f32.
        let softmax = Explore::Softmax { temperature: 0.5 };
        assert_shares(softmax, &[101.0, 100.5, 100.0], &[0.665, 0.245, 0.090]);
    }

    #[test]
    fn a_half_sample_finds_the_best_half_of_the_time() {
        let sample = Explore::Sample { share: 0.5 };
        assert_shares(sample, &[0.9, 0.5, 0.1, 0.0], &[0.5, 0.333, 0.167, 0.0]);
    }

    #[test]
    fn random_ratings_are_drawn_from_minus_one_to_one() {
        assert_shares(Explore::RandomRatings { share: 1.0 }, &[1.0, 0.0], &[0.5, 0.5]);
        // The second move wins half of the time if its score is replaced.
        assert_shares(Explore::RandomRatings { share: 0.5 }, &[0.0, -2.0], &[0.75, 0.25]);
    }

    #[test]
    fn final_boards_are_never_rated_at_random() {
        let rng = &mut Rng::seeded(1);
        for _ in 0..100 {
            let mut scored = scored(&[1.0, -1.0]);
            scored[0].over = true;
            let choice = Explore::RandomRatings { share: 1.0 }.choose(&mut scored, rng);
            assert_eq!((choice.mv, choice.value, choice.explored), (Move(0), Some(1.0), false));
        }
    }

    #[test]
    fn only_exploration_makes_a_choice_exploratory() {
        let rng = &mut Rng::seeded(1);
        assert!(!Explore::GREEDY.explores(rng) && Explore::Epsilon { rate: 1.0 }.explores(rng));
        for (share, explored) in [(0.0, false), (1.0, true)] {
            let choice = Explore::RandomRatings { share }.choose(&mut scored(&[1.0, 0.0]), rng);
            assert_eq!(choice.explored, explored);
        }
        // A move that wins by its own score is not exploratory, whatever happened to the others.
        for _ in 0..100 {
            let ratings = Explore::RandomRatings { share: 0.5 };
            let choice = ratings.choose(&mut scored(&[0.9, -2.0]), rng);
            assert!(choice.mv == Move(0) || choice.explored, "{choice:?}");
            assert_eq!(choice.explored, choice.value != Some(0.9), "{choice:?}");
        }
        let softmax = Explore::Softmax { temperature: 1.0 };
        for _ in 0..100 {
            let choice = softmax.choose(&mut scored(&[1.0, 0.0]), rng);
            assert_eq!(choice.explored, choice.mv == Move(1));
        }
    }
}
