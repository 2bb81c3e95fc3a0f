//! Monte Carlo tree search: what pays is tried more often.

mod proofs;
mod settings;
#[cfg(test)]
mod tests;
mod tree;

pub use settings::{FinalMoveRule, MctsSettings};

use crate::frontier::Frontier;
use crate::pick;
use ludens_core::{
    Agent, Cancellation, Choice, Event, Forfeit, Game, Move, Played, Player, Rewards, Rng, Study,
    Turn, ValueFunction,
};
use std::time::{Duration, Instant};
use tree::{EdgeId, EdgeStatistics, Tree};

/// Monte Carlo tree search.
///
/// Without a value this is UCT (Kocsis and Szepesvari 2006): simulations end with random rollouts,
/// and selection maximises the mean plus `c * sqrt(ln(N + 1) / n)`. With a value it is PUCT as
/// Scheiermann and Konen (2022) wrap an agent: a simulation ends at a leaf with the value of its
/// best move, and selection maximises `Q + c * P * sqrt(N) / (1 + n)`, where `P` is the softmax of
/// the move values and `Q` is 0 before the first visit.
///
/// In games that are won or lost, the search can prove returns (MCTS-Solver, Winands and others
/// 2008): a move that ends the game has a proven return, and so has one whose replies prove what
/// the opponent gains. Proven moves are not searched further.
///
/// If returns exceed one, `c` is scaled by half the range between the best and the worst
/// simulation.
pub struct Mcts<G: Game> {
    settings: MctsSettings,
    /// The time limit per move that the caller sets.
    allowed: Option<Duration>,
    frontier: Frontier<G>,
    tree: Tree,
    root: Option<G::State>,
    path: Vec<PathStep>,
    /// Most moves of a line inside the tree.
    deepest: u32,
    range: ReturnRange,
    moves: Vec<Move>,
    events: Vec<(Event, f32)>,
    /// `sqrt(ln(n + 1))` for small `n`.
    roots_of_logs: Vec<f32>,
}

/// A move on the current line, who made it, and what that player had gained before and by it.
#[derive(Copy, Clone)]
struct PathStep {
    edge: EdgeId,
    player: Player,
    before: f32,
    reward: f32,
}

/// The worst and the best line seen.
#[derive(Copy, Clone)]
struct ReturnRange {
    low: f32,
    high: f32,
}

/// Simulations between two reads of the clock.
const BATCH: u64 = 64;

/// Random moves between two looks whether the search is cancelled.
const ROLLOUT_CHECK: u32 = 1024;

impl<G: Game> Mcts<G> {
    /// Works by these settings, with a learned value if there is one.
    pub fn new(settings: MctsSettings, value: Option<Box<dyn ValueFunction<G>>>) -> Mcts<G> {
        Mcts {
            settings,
            allowed: None,
            frontier: Frontier::new(value),
            tree: Tree::default(),
            root: None,
            path: Vec::new(),
            deepest: 0,
            range: ReturnRange::NONE,
            moves: Vec::new(),
            events: Vec::new(),
            roots_of_logs: (0..1024).map(root_of_log).collect(),
        }
    }

    /// Tries lines from `state` until iterations or time are used up, or it is cancelled.
    pub fn search(&mut self, game: &G, state: &G::State, rng: &mut Rng) {
        if !self.settings.reuse || self.root.as_ref() != Some(state) {
            self.tree.clear();
        }
        self.root = Some(state.clone());
        (self.range, self.deepest) = (ReturnRange::NONE, 0);
        if self.tree.is_empty() {
            self.expand(game, state);
        }
        let time = [self.settings.time, self.allowed].into_iter().flatten().min();
        let deadline = time.map(|time| Instant::now() + time);
        let mut left = if self.is_solved(game) { 0 } else { self.settings.iterations };
        while left > 0 {
            let batch = left.min(BATCH);
            for _ in 0..batch {
                self.try_line(game, state.clone(), rng);
                if self.is_solved(game) || Cancellation::requested() {
                    return;
                }
            }
            left -= batch;
            if deadline.is_some_and(|deadline| Instant::now() >= deadline) {
                break;
            }
        }
    }

    fn try_line(&mut self, game: &G, mut state: G::State, rng: &mut Rng) {
        self.path.clear();
        let mut gained = Rewards::NONE;
        let mut node = Tree::ROOT;
        let stretch = self.range.half();
        let is_over = loop {
            let (edge, tried) = match self.tree.turn(node) {
                Turn::Player(player) => {
                    let edge = self.select(node, stretch, rng);
                    let before = gained[player];
                    if let Some(proven) = self.tree.proven(edge) {
                        self.path.push(PathStep { edge, player, before, reward: proven });
                        gained += Rewards::zero_sum(player, proven);
                        break false;
                    }
                    let rewards = game.play(&mut state, Move(self.tree.id(edge)));
                    gained += rewards;
                    self.path.push(PathStep { edge, player, before, reward: rewards[player] });
                    (edge, self.tree.visits(edge) > 0)
                }
                _ => {
                    let event = game.draw(&state, rng);
                    gained += game.resolve(&mut state, event);
                    self.tree.draw(node, event.0)
                }
            };
            let grown = match self.tree.child(edge) {
                Some(child) => Some((child, None)),
                None => self.grow(game, &state, edge, tried),
            };
            match grown {
                Some((child, None)) => node = child,
                Some((_, Some(value))) => {
                    gained += value;
                    break false;
                }
                None => {
                    let is_over = game.turn(&state) == Turn::Over;
                    gained += self.roll_out(game, state, rng);
                    break is_over;
                }
            }
        };
        if let Some(win) = self.win(game) {
            self.prove_line(win, is_over);
        }
        self.learn(gained);
    }

    #[inline]
    fn select(&mut self, node: usize, stretch: f32, rng: &mut Rng) -> EdgeId {
        let tries = self.tree.visit(node);
        if !self.frontier.has_value() && self.tree.untried(node) > 0 {
            return self.tree.select_untried(node, rng);
        }
        let weight = if self.frontier.has_value() {
            // The small offset lets the prior decide the first simulation.
            (tries as f32 + 1e-8).sqrt()
        } else {
            let known = self.roots_of_logs.get(tries as usize).copied();
            known.unwrap_or_else(|| root_of_log(tries))
        };
        self.tree.select(node, self.settings.c * stretch * weight)
    }

    /// A new node for `state`, which the simulation has reached over `edge`, if it should be added.
    fn grow(
        &mut self,
        game: &G,
        state: &G::State,
        edge: EdgeId,
        tried: bool,
    ) -> Option<(usize, Option<Rewards>)> {
        let deep = self.path.len() >= self.settings.depth as usize;
        let due = self.frontier.has_value() || tried && !deep;
        if !due || self.tree.is_full() || game.turn(state) == Turn::Over {
            return None;
        }
        let (child, value) = self.expand(game, state);
        self.tree.set_child(edge, child);
        Some((child, value))
    }

    /// Adds a node for `state`. Also returns its value, if there is a learned value and it is a
    /// player's turn.
    fn expand(&mut self, game: &G, state: &G::State) -> (usize, Option<Rewards>) {
        let turn = game.turn(state);
        let Turn::Player(mover) = turn else {
            self.events.clear();
            game.events(state, &mut self.events);
            let edges = self.events.iter().map(|(event, _)| (event.0, 0.0));
            return (self.tree.add(turn, edges, 0.0), None);
        };
        self.moves.clear();
        game.legal_moves(state, &mut self.moves);
        let middle = self.range.middle();
        let value = self.frontier.expect(game, state, mover, &self.moves);
        let node = if value.is_some() {
            let priors = self.frontier.priors(self.settings.temperature);
            let edges = self.moves.iter().zip(priors).map(|(mv, prior)| (mv.0, *prior));
            let node = self.tree.add(turn, edges, middle);
            if self.win(game).is_some() {
                self.prove_last_moves(game, state, mover, node);
            }
            node
        } else {
            self.tree.add(turn, self.moves.iter().map(|mv| (mv.0, 0.0)), middle)
        };
        (node, value)
    }

    #[inline]
    fn roll_out(&mut self, game: &G, mut state: G::State, rng: &mut Rng) -> Rewards {
        let (mut gained, mut left) = (Rewards::NONE, self.settings.rollout);
        loop {
            match game.turn(&state) {
                Turn::Player(_) if left > 0 => {
                    if left.is_multiple_of(ROLLOUT_CHECK) && Cancellation::requested() {
                        return gained;
                    }
                    let mv = game.random_move(&state, rng, &mut self.moves);
                    gained += game.play(&mut state, mv);
                    left -= 1;
                }
                Turn::Chance => {
                    let event = game.draw(&state, rng);
                    gained += game.resolve(&mut state, event);
                }
                _ => return gained,
            }
        }
    }

    /// Every player learns what it has gained from its moves on.
    fn learn(&mut self, gained: Rewards) {
        let guided = self.frontier.has_value();
        self.deepest = self.deepest.max(self.path.len() as u32);
        if let Some(first) = self.path.first() {
            self.range.include(gained[first.player] - first.before);
        }
        for step in &self.path {
            self.tree.learn(step.edge, gained[step.player] - step.before, guided);
        }
    }

    /// The value of each legal move after the search; an unknown one has at most the worst value.
    fn values(&self) -> Vec<f32> {
        let is_known = |result: &EdgeStatistics| result.visits > 0 || result.proven;
        let known = self.tree.root_results().filter(is_known);
        let worst = known.map(|result| result.mean).fold(f32::INFINITY, f32::min);
        let value = |result| if is_known(&result) { result.mean } else { worst };
        self.tree.root_results().map(value).collect()
    }

    /// The score of a move by which the final move is selected.
    ///
    /// A proven win comes first. By visits, a proven loss comes last, the most visited one before
    /// others: it took longest to refute.
    fn merit(&self, result: EdgeStatistics) -> f32 {
        let EdgeStatistics { mean, visits, proven, .. } = result;
        match self.settings.plays {
            _ if proven && mean > 0.0 => f32::MAX,
            FinalMoveRule::Visits if proven && mean < 0.0 => -1.0 / (visits as f32 + 1.0),
            FinalMoveRule::Visits => visits as f32,
            FinalMoveRule::Value if visits > 0 || proven => mean,
            FinalMoveRule::Value => f32::NEG_INFINITY,
        }
    }

    fn decide(&self, rng: &mut Rng) -> Choice {
        let merits: Vec<_> = self.tree.root_results().map(|result| self.merit(result)).collect();
        let best = pick::best(&merits, rng);
        let result = self.tree.root_results().nth(best).expect("a player to move has a move");
        Choice { mv: Move(result.id), value: Some(result.mean), explored: false }
    }
}

fn root_of_log(tries: u32) -> f32 {
    (tries as f32 + 1.0).ln().sqrt()
}

impl ReturnRange {
    const NONE: ReturnRange = ReturnRange { low: f32::INFINITY, high: f32::NEG_INFINITY };

    fn include(&mut self, gained: f32) {
        self.low = self.low.min(gained);
        self.high = self.high.max(gained);
    }

    fn is_small(&self) -> bool {
        self.low >= -1.0 && self.high <= 1.0
    }

    /// Half of what separates best and worst; one where rewards stay within one.
    fn half(&self) -> f32 {
        if self.is_small() { 1.0 } else { ((self.high - self.low) / 2.0).max(1.0) }
    }

    /// Half way from worst to best; nothing where rewards stay within one.
    fn middle(&self) -> f32 {
        if self.is_small() { 0.0 } else { f32::midpoint(self.low, self.high) }
    }
}

impl<G: Game> Agent<G> for Mcts<G> {
    fn choose(&mut self, game: &G, state: &G::State, rng: &mut Rng) -> Result<Choice, Forfeit> {
        self.search(game, state, rng);
        Cancellation::check()?;
        Ok(self.decide(rng))
    }

    fn move_values(&mut self, game: &G, state: &G::State, rng: &mut Rng) -> Option<Vec<f32>> {
        self.search(game, state, rng);
        Cancellation::check().is_ok().then(|| self.values())
    }

    fn study(&mut self, game: &G, state: &G::State, rng: &mut Rng) -> Study {
        self.search(game, state, rng);
        if Cancellation::requested() {
            return Study::default();
        }
        let visits = self.tree.root_results().map(|result| result.visits.into()).collect();
        let line = self.tree.line(|result| self.merit(result));
        let depth = Some(self.deepest);
        Study { values: Some(self.values()), visits: Some(visits), line, depth }
    }

    fn limit_time(&mut self, time: Option<Duration>) {
        self.allowed = time;
    }

    fn begin(&mut self, _: &G, _: &G::State) {
        self.root = None;
    }

    fn watch(&mut self, game: &G, before: &G::State, played: Played) {
        if !self.settings.reuse || self.root.as_ref() != Some(before) {
            return;
        }
        let mut next = before.clone();
        let id = match played {
            Played::Move(mv) => {
                game.play(&mut next, mv);
                mv.0
            }
            Played::Event(event) => {
                game.resolve(&mut next, event);
                event.0
            }
        };
        self.root = self.tree.descend(id).then_some(next);
    }
}
