//! Random games, and what is kept of them.

use super::PropertiesPlan;
use crate::{Workload, in_parallel};
use ludens_core::{Event, Game, Move, Rewards, Rng, Tally, Turn};

/// Random games, and what is kept of them.
pub(super) struct RandomGames<S> {
    pub(super) games: Vec<GameSample<S>>,
}

/// The recorded data of one random game.
pub(super) struct GameSample<S> {
    /// Moves made.
    pub(super) moves: usize,
    /// Legal moves on each player's turn.
    pub(super) legal: Tally,
    /// Turns with one legal move.
    pub(super) forced: usize,
    /// Bits of chance in all events.
    pub(super) surprise: f64,
    /// The number of choices of every turn multiplied, as a logarithm to the base ten.
    pub(super) lines: f64,
    /// The reward of each player.
    pub(super) rewards: Vec<f32>,
    /// Every state, from the start on.
    pub(super) states: Vec<S>,
    /// One of them in which a player is to move, all alike.
    pub(super) pick: S,
}

pub(super) fn sample<G: Game>(
    game: &G,
    plan: &PropertiesPlan,
    workload: Workload<'_>,
) -> RandomGames<G::State> {
    let one = |_: &mut (), i: usize| {
        Playout::new(game, Rng::derived(plan.seed, "properties", i as u64)).run()
    };
    RandomGames { games: in_parallel(workload, 0..plan.games, || (), one) }
}

struct Playout<'a, G: Game> {
    game: &'a G,
    rng: Rng,
    state: G::State,
    kept: GameSample<G::State>,
    legal: Vec<Move>,
    events: Vec<(Event, f32)>,
    rewards: Rewards,
}

impl<G: Game> Playout<'_, G> {
    fn new(game: &G, rng: Rng) -> Playout<'_, G> {
        let kept = GameSample {
            moves: 0,
            legal: Tally::default(),
            forced: 0,
            surprise: 0.0,
            lines: 0.0,
            rewards: Vec::new(),
            states: Vec::new(),
            pick: game.start(),
        };
        let (legal, events) = (Vec::new(), Vec::new());
        Playout { game, rng, state: game.start(), kept, legal, events, rewards: Rewards::NONE }
    }

    fn run(mut self) -> GameSample<G::State> {
        loop {
            self.kept.states.push(self.state.clone());
            match self.game.turn(&self.state) {
                Turn::Over => break,
                Turn::Chance => self.draw(),
                Turn::Player(_) => self.play(),
            }
        }
        self.kept.rewards = self.rewards.first(self.game.num_players()).to_vec();
        self.kept
    }

    fn draw(&mut self) {
        self.events.clear();
        self.game.events(&self.state, &mut self.events);
        let bits = |&(_, p): &(Event, f32)| f64::from(p) * -f64::from(p).log2();
        self.kept.surprise += self.events.iter().filter(|e| e.1 > 0.0).map(bits).sum::<f64>();
        self.kept.lines += (self.events.len() as f64).log10();
        let event = self.game.draw(&self.state, &mut self.rng);
        self.rewards += self.game.resolve(&mut self.state, event);
    }

    fn play(&mut self) {
        self.legal.clear();
        self.game.legal_moves(&self.state, &mut self.legal);
        let choices = self.legal.len();
        self.kept.moves += 1;
        self.kept.legal.add(choices as f64);
        self.kept.forced += usize::from(choices == 1);
        self.kept.lines += (choices as f64).log10();
        // The n-th state replaces the pick with probability 1/n: each is picked alike in the end.
        if self.rng.below(self.kept.moves) == 0 {
            self.kept.pick = self.state.clone();
        }
        let mv = self.legal[self.rng.below(choices)];
        self.rewards += self.game.play(&mut self.state, mv);
    }
}
