//! Every clever search finds what a plain search finds.

#![allow(clippy::unwrap_used)]

use ludens_core::{Agent, Game, Move, Player, Rewards, Rng, Turn, ValueFunction};
use ludens_games::text_tree::TextTreeShape;
use ludens_games::{TextTree, TicTacToe};
use ludens_search::{AlphaBeta, MaxN, SearchLimits};
use std::hash::{DefaultHasher, Hash, Hasher};

/// A value without sense: each state is worth what its hash says.
struct Hashed {
    zero_sum: bool,
}

impl<G: Game> ValueFunction<G> for Hashed {
    fn values(&mut self, game: &G, state: &G::State) -> Rewards {
        if game.turn(state) == Turn::Over {
            return Rewards::NONE;
        }
        let mut hasher = DefaultHasher::new();
        state.hash(&mut hasher);
        let bits = hasher.finish();
        let mut values = Rewards::NONE;
        for player in Player::all(game.num_players()) {
            values[player] = (bits >> (8 * player.0) & 7) as f32 - 3.0;
        }
        if self.zero_sum { Rewards::zero_sum(Player(0), values[Player(0)]) } else { values }
    }

    fn move_values(&mut self, game: &G, state: &G::State, legal: &[Move], out: &mut Vec<f32>) {
        let Turn::Player(mover) = game.turn(state) else { unreachable!() };
        out.extend(legal.iter().map(|mv| {
            let mut next = state.clone();
            let gained = game.play(&mut next, *mv);
            (gained + self.values(game, &next))[mover]
        }));
    }
}

/// What every player gets from `state` on, if all see `depth` moves ahead.
fn plain<G: Game>(game: &G, state: &G::State, depth: u32, value: &mut Option<Hashed>) -> Rewards {
    match game.turn(state) {
        Turn::Over => Rewards::NONE,
        _ if depth == 0 => value.as_mut().map_or(Rewards::NONE, |v| v.values(game, state)),
        Turn::Chance => {
            let (mut events, mut sum) = (Vec::new(), Rewards::NONE);
            game.events(state, &mut events);
            for (event, probability) in events {
                let mut next = state.clone();
                let worth = game.resolve(&mut next, event) + plain(game, &next, depth, value);
                sum += ludens_core::PerPlayer(worth.0.map(|x| x * probability));
            }
            sum
        }
        Turn::Player(mover) => {
            let (_, worths) = plain_moves(game, state, depth, value);
            let better = |best: Rewards, w: Rewards| if w[mover] > best[mover] { w } else { best };
            worths.into_iter().reduce(better).unwrap()
        }
    }
}

fn plain_moves<G: Game>(
    game: &G,
    state: &G::State,
    depth: u32,
    value: &mut Option<Hashed>,
) -> (Vec<Move>, Vec<Rewards>) {
    let mut legal = Vec::new();
    game.legal_moves(state, &mut legal);
    let mut worth = |mv: &Move| {
        let mut next = state.clone();
        game.play(&mut next, *mv) + plain(game, &next, depth - 1, value)
    };
    let worths = legal.iter().map(&mut worth).collect();
    (legal, worths)
}

/// Compares the agent with plain search in every state of one random game.
fn compare<G: Game>(
    game: &G,
    depth: u32,
    make: impl Fn() -> Option<Hashed>,
    agent: &mut dyn Agent<G>,
    rng: &mut Rng,
) {
    let mut state = game.start();
    loop {
        match game.turn(&state) {
            Turn::Over => return,
            Turn::Chance => {
                let event = game.draw(&state, rng);
                game.resolve(&mut state, event);
            }
            Turn::Player(mover) => {
                let (legal, worths) = plain_moves(game, &state, depth, &mut make());
                let plain: Vec<_> = worths.iter().map(|w| w[mover]).collect();
                let best = plain.iter().copied().fold(f32::NEG_INFINITY, f32::max);
                let choice = agent.choose(game, &state, rng).unwrap();
                let chosen = legal.iter().position(|mv| *mv == choice.mv).unwrap();
                assert_eq!(
                    (plain[chosen], choice.value),
                    (best, Some(best)),
                    "{state:?} {plain:?}"
                );
                assert_eq!(agent.move_values(game, &state, rng).unwrap(), plain, "{state:?}");
                let mv = legal[rng.below(legal.len())];
                game.play(&mut state, mv);
            }
        }
    }
}

fn boxed<G: Game>(value: Option<Hashed>) -> Option<Box<dyn ValueFunction<G>>> {
    value.map(|v| Box::new(v) as Box<dyn ValueFunction<G>>)
}

fn hashed(valued: bool, zero_sum: bool) -> Option<Hashed> {
    valued.then_some(Hashed { zero_sum })
}

#[test]
fn full_search_with_memory_equals_plain_search() {
    for seed in 0..600 {
        let rng = &mut Rng::derived(seed, "maxn", 0);
        let players = 1 + rng.below(4);
        let chance = if rng.chance(0.5) { 0.3 } else { 0.0 };
        let shape = TextTreeShape { players, depth: 6, branches: 3, chance, zero_sum: false };
        let tree = TextTree::random(&shape, rng);
        let (depth, valued) = (1 + rng.below(7) as u32, rng.chance(0.5));
        let mut agent = MaxN::new(depth, boxed(hashed(valued, false)));
        compare(&tree, depth, || hashed(valued, false), &mut agent, rng);
    }
}

#[test]
fn alpha_beta_equals_plain_search() {
    for seed in 0..600 {
        let rng = &mut Rng::derived(seed, "alphabeta", 0);
        let shape =
            TextTreeShape { players: 2, depth: 7, branches: 3, chance: 0.0, zero_sum: true };
        let tree = TextTree::random(&shape, rng);
        let (depth, valued) = (1 + rng.below(8) as u32, rng.chance(0.5));
        let limits = SearchLimits { depth, time: None };
        let mut agent = AlphaBeta::new(limits, boxed(hashed(valued, true)));
        compare(&tree, depth, || hashed(valued, true), &mut agent, rng);
    }
}

#[test]
fn both_equal_plain_search_in_tictactoe() {
    for seed in 0..12 {
        let rng = &mut Rng::derived(seed, "tictactoe", 0);
        let (depth, valued) = (1 + seed as u32 % 4, seed % 2 == 0);
        let value = || hashed(valued, true);
        compare(&TicTacToe, depth, value, &mut MaxN::new(depth, boxed(value())), rng);
        let limits = SearchLimits { depth, time: None };
        compare(&TicTacToe, depth, value, &mut AlphaBeta::new(limits, boxed(value())), rng);
    }
}
