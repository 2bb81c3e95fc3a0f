//! Alpha-beta search for two players without chance, where one gains what the other loses.

use crate::frontier::Frontier;
use crate::pick;
use crate::transposition::TranspositionTable;
use ludens_core::{
    Agent, Cancellation, Choice, Forfeit, Game, Move, Player, Rng, Study, Turn, ValueFunction,
};
use std::time::{Duration, Instant};

/// Looks ahead like full search, but skips what cannot matter (Knuth and Moore 1975).
///
/// Deepens move by move until `depth` is reached, the time is up or nothing is left to see; the
/// last depth searched in full decides. Finds exactly what [`MaxN`](crate::MaxN) of that depth
/// finds. For two players without chance only.
pub struct AlphaBeta<G: Game> {
    limits: SearchLimits,
    /// The time limit per move that the caller sets.
    allowed: Option<Duration>,
    frontier: Frontier<G>,
    table: TranspositionTable<G::State, AlphaBetaEntry>,
    moves: Vec<Move>,
    /// The number of cutoffs by each move of each player.
    history: [Vec<u32>; 2],
    clock: Deadline,
    /// The last depth searched in full.
    reached: u32,
}

/// The limits of an alpha-beta search.
#[derive(Copy, Clone, Debug)]
pub struct SearchLimits {
    /// The search depth, at least one.
    pub depth: u32,
    /// Time for one move.
    pub time: Option<Duration>,
}

/// The values still of interest: more than `low`, less than `high`.
#[derive(Copy, Clone)]
struct Window {
    low: f32,
    high: f32,
}

#[derive(Copy, Clone)]
struct AlphaBetaEntry {
    depth: u32,
    bounds: Window,
    best: Move,
    complete: bool,
}

/// The result of a search: exact inside the window, else a bound.
#[derive(Copy, Clone)]
struct AlphaBetaResult {
    value: f32,
    /// Every line ran to the end of the game: more depth finds the same.
    complete: bool,
}

/// The time is up, or the search cancelled.
struct TimeUp;

struct Deadline {
    deadline: Option<Instant>,
    ticks: u32,
}

const OPEN: Window = Window { low: f32::NEG_INFINITY, high: f32::INFINITY };

impl<G: Game> AlphaBeta<G> {
    /// Searches within these limits.
    pub fn new(limits: SearchLimits, value: Option<Box<dyn ValueFunction<G>>>) -> AlphaBeta<G> {
        AlphaBeta {
            limits,
            allowed: None,
            frontier: Frontier::new(value),
            table: TranspositionTable::new(),
            moves: Vec::new(),
            history: [Vec::new(), Vec::new()],
            clock: Deadline { deadline: None, ticks: 0 },
            reached: 0,
        }
    }

    /// Each legal move with its value for the player to move. Unless `all` is true, only the best
    /// moves have exact values, and the others a lower bound.
    fn evaluate_moves(&mut self, game: &G, state: &G::State, all: bool) -> Vec<(Move, f32)> {
        self.history.iter_mut().for_each(|h| {
            h.clear();
            h.resize(game.num_moves(), 0);
        });
        let mut legal = Vec::new();
        game.legal_moves(state, &mut legal);
        let mut root: Vec<_> = legal.into_iter().map(|mv| (mv, 0.0)).collect();
        let time = [self.limits.time, self.allowed].into_iter().flatten().min();
        let deadline = time.map(|time| Instant::now() + time);
        for depth in 1..=self.limits.depth.max(1) {
            // The first depth is always searched in full: something must be played.
            self.clock = Deadline { deadline: deadline.filter(|_| depth > 1), ticks: 0 };
            let mut deeper = root.clone();
            let Ok(complete) = self.search_to_depth(game, state, depth, all, &mut deeper) else {
                self.moves.clear();
                break;
            };
            (root, self.reached) = (deeper, depth);
            root.sort_by(|a, b| b.1.total_cmp(&a.1));
            if complete {
                break;
            }
        }
        root
    }

    fn search_to_depth(
        &mut self,
        game: &G,
        state: &G::State,
        depth: u32,
        all: bool,
        root: &mut [(Move, f32)],
    ) -> Result<bool, TimeUp> {
        let mover = mover(game, state);
        if depth == 1 && self.frontier.has_value() {
            let legal: Vec<_> = root.iter().map(|(mv, _)| *mv).collect();
            let values = self.frontier.move_values(game, state, &legal);
            let values = values.expect("there is a value").iter();
            root.iter_mut().zip(values).for_each(|((_, score), value)| *score = *value);
            return Ok(false);
        }
        let (mut window, mut complete) = (OPEN, true);
        for (mv, score) in root.iter_mut() {
            let found = self.follow(game, state, mover, *mv, depth, window)?;
            *score = found.value;
            complete &= found.complete;
            if !all {
                // Slightly below the best value, so that rounding does not confuse ties with
                // bounds.
                window.low = window.low.max(found.value - 1e-4 * found.value.abs().max(1.0));
            }
        }
        Ok(complete)
    }

    /// The value of `mv` for `mover`, with `depth` moves left including `mv`.
    fn follow(
        &mut self,
        game: &G,
        state: &G::State,
        mover: Player,
        mv: Move,
        depth: u32,
        window: Window,
    ) -> Result<AlphaBetaResult, TimeUp> {
        let mut next = state.clone();
        let gained = game.play(&mut next, mv)[mover];
        let after = window.shifted(-gained);
        let AlphaBetaResult { value, complete } = match game.turn(&next) {
            Turn::Over => AlphaBetaResult { value: 0.0, complete: true },
            Turn::Player(_) if depth == 1 => AlphaBetaResult { value: 0.0, complete: false },
            Turn::Player(again) if again == mover => {
                self.search(game, &next, again, depth - 1, after)?
            }
            Turn::Player(other) => {
                let found = self.search(game, &next, other, depth - 1, after.turned())?;
                AlphaBetaResult { value: -found.value, ..found }
            }
            Turn::Chance => unreachable!("alpha-beta plays games without chance"),
        };
        Ok(AlphaBetaResult { value: gained + value, complete })
    }

    fn search(
        &mut self,
        game: &G,
        state: &G::State,
        mover: Player,
        depth: u32,
        window: Window,
    ) -> Result<AlphaBetaResult, TimeUp> {
        self.clock.tick()?;
        let known = self.table.get(state);
        if let Some(found) = known.and_then(|known| known.answer(depth, window)) {
            return Ok(found);
        }
        let base = self.moves.len();
        game.legal_moves(state, &mut self.moves);
        if depth == 1
            && let Some(values) = self.frontier.move_values(game, state, &self.moves[base..])
        {
            let value = values.iter().copied().fold(f32::NEG_INFINITY, f32::max);
            self.moves.truncate(base);
            return Ok(AlphaBetaResult { value, complete: false });
        }
        self.order(mover, base, known.map(|known| known.best));
        let (found, best) = self.best_of(game, state, mover, depth, window, base)?;
        self.moves.truncate(base);
        let bounds = found.bounds(window);
        self.table.insert(
            state.clone(),
            AlphaBetaEntry { depth, bounds, best, complete: found.complete },
        );
        Ok(found)
    }

    fn best_of(
        &mut self,
        game: &G,
        state: &G::State,
        mover: Player,
        depth: u32,
        mut window: Window,
        base: usize,
    ) -> Result<(AlphaBetaResult, Move), TimeUp> {
        let mut best =
            (AlphaBetaResult { value: f32::NEG_INFINITY, complete: true }, self.moves[base]);
        let mut complete = true;
        for i in base..self.moves.len() {
            let mv = self.moves[i];
            let found = self.follow(game, state, mover, mv, depth, window)?;
            complete &= found.complete;
            if found.value > best.0.value {
                best = (found, mv);
            }
            if found.value >= window.high {
                self.history[mover.index()][mv.0 as usize] += depth * depth;
                return Ok((found, mv));
            }
            window.low = window.low.max(found.value);
        }
        Ok((AlphaBetaResult { complete, ..best.0 }, best.1))
    }

    /// The principal variation from `state` after `first`, as far as the table has exact entries.
    fn line(&self, game: &G, state: &G::State, first: Move) -> Vec<Move> {
        let (mut line, mut state) = (vec![first], state.clone());
        game.play(&mut state, first);
        while let Some(known) = self.table.get(&state)
            && known.bounds.low == known.bounds.high
            && line.len() < self.limits.depth as usize
        {
            line.push(known.best);
            game.play(&mut state, known.best);
        }
        line
    }

    /// Puts first what was best before, then what often cut a search short.
    fn order(&mut self, mover: Player, base: usize, first: Option<Move>) {
        let history = &self.history[mover.index()];
        let rank = |mv: &Move| (Some(*mv) != first, u32::MAX - history[mv.0 as usize]);
        self.moves[base..].sort_by_key(rank);
    }
}

fn mover<G: Game>(game: &G, state: &G::State) -> Player {
    match game.turn(state) {
        Turn::Player(player) => player,
        _ => unreachable!("agents are asked on a player's turn only"),
    }
}

impl Window {
    fn shifted(self, by: f32) -> Window {
        Window { low: self.low + by, high: self.high + by }
    }

    /// The same window as the other player sees it.
    fn turned(self) -> Window {
        Window { low: -self.high, high: -self.low }
    }
}

impl AlphaBetaResult {
    fn bounds(&self, window: Window) -> Window {
        let low = if self.value > window.low { self.value } else { f32::NEG_INFINITY };
        let high = if self.value < window.high { self.value } else { f32::INFINITY };
        Window { low, high }
    }
}

impl AlphaBetaEntry {
    fn answer(&self, depth: u32, window: Window) -> Option<AlphaBetaResult> {
        let applies = self.depth == depth || (self.complete && self.depth < depth);
        let Window { low, high } = self.bounds;
        let value = if low == high || low >= window.high {
            low
        } else if high <= window.low {
            high
        } else {
            return None;
        };
        applies.then_some(AlphaBetaResult { value, complete: self.complete })
    }
}

impl Deadline {
    fn tick(&mut self) -> Result<(), TimeUp> {
        self.ticks = self.ticks.wrapping_add(1);
        // Asking for the time at every state would cost more than the search.
        let due = self.ticks.is_multiple_of(256);
        let passed = |deadline| Instant::now() >= deadline;
        if due && (Cancellation::requested() || self.deadline.is_some_and(passed)) {
            return Err(TimeUp);
        }
        Ok(())
    }
}

impl<G: Game> Agent<G> for AlphaBeta<G> {
    fn choose(&mut self, game: &G, state: &G::State, rng: &mut Rng) -> Result<Choice, Forfeit> {
        let root = self.evaluate_moves(game, state, false);
        Cancellation::check()?;
        let values: Vec<_> = root.iter().map(|(_, value)| *value).collect();
        let best = pick::best(&values, rng);
        Ok(Choice { mv: root[best].0, value: Some(values[best]), explored: false })
    }

    fn move_values(&mut self, game: &G, state: &G::State, _: &mut Rng) -> Option<Vec<f32>> {
        let mut root = self.evaluate_moves(game, state, true);
        Cancellation::check().ok()?;
        root.sort_by_key(|(mv, _)| *mv);
        Some(root.into_iter().map(|(_, value)| value).collect())
    }

    fn study(&mut self, game: &G, state: &G::State, _: &mut Rng) -> Study {
        let mut root = self.evaluate_moves(game, state, true);
        if Cancellation::requested() {
            return Study::default();
        }
        let line = self.line(game, state, root[0].0);
        root.sort_by_key(|(mv, _)| *mv);
        let values = root.into_iter().map(|(_, value)| value).collect();
        Study { values: Some(values), visits: None, line, depth: Some(self.reached) }
    }

    fn limit_time(&mut self, time: Option<Duration>) {
        self.allowed = time;
    }

    /// Clears entries that depend on a value, which may have changed.
    fn begin(&mut self, _: &G, _: &G::State) {
        if self.frontier.has_value() {
            self.table.clear();
        }
    }
}
