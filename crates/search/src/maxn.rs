//! Full search: every player makes the most of its own rewards, chance is averaged.

use crate::frontier::Frontier;
use crate::pick;
use crate::transposition::TranspositionTable;
use ludens_core::{
    Agent, Cancellation, Choice, Event, Forfeit, Game, Move, Player, Rewards, Rng, Study, Turn,
    ValueFunction,
};
use std::time::{Duration, Instant};

/// Full-width search of `depth` moves: Max-N (Luckhardt and Irani 1986), and expectimax in games
/// with chance.
///
/// Each player maximises its own rewards and plays the first of equal moves. Events do not count as
/// moves. A learned value evaluates the last move of each line, so that depth one plays like the
/// value alone; without one, no rewards are expected after that move.
///
/// Under a time limit it deepens iteratively, and the last completed depth decides.
pub struct MaxN<G: Game> {
    depth: u32,
    /// The time limit per move that the caller sets.
    allowed: Option<Duration>,
    deadline: Option<Instant>,
    ticks: u32,
    /// Whether the search ran out of time or was cancelled; its results are then invalid.
    late: bool,
    /// The last depth searched in full.
    reached: u32,
    frontier: Frontier<G>,
    table: TranspositionTable<G::State, MaxNEntry>,
    moves: Vec<Move>,
    events: Vec<(Event, f32)>,
}

#[derive(Copy, Clone)]
struct MaxNEntry {
    depth: u32,
    found: MaxNResult,
}

#[derive(Copy, Clone)]
struct MaxNResult {
    values: Rewards,
    /// Every line ran to the end of the game: more depth finds the same.
    complete: bool,
}

const OVER: MaxNResult = MaxNResult { values: Rewards::NONE, complete: true };
const UNSEEN: MaxNResult = MaxNResult { values: Rewards::NONE, complete: false };

impl<G: Game> MaxN<G> {
    /// Looks `depth` moves ahead, at least one.
    pub fn new(depth: u32, value: Option<Box<dyn ValueFunction<G>>>) -> MaxN<G> {
        MaxN {
            depth: depth.max(1),
            allowed: None,
            deadline: None,
            ticks: 0,
            late: false,
            reached: 0,
            frontier: Frontier::new(value),
            table: TranspositionTable::new(),
            moves: Vec::new(),
            events: Vec::new(),
        }
    }

    /// The legal moves with their values for the player to move.
    fn evaluate_moves(&mut self, game: &G, state: &G::State) -> (Vec<Move>, Vec<f32>) {
        (self.deadline, self.late) = (None, false);
        let Some(time) = self.allowed else {
            self.reached = self.depth;
            return self.search_to_depth(game, state, self.depth);
        };
        let end = Instant::now() + time;
        // The first depth is always searched in full: something must be played.
        let mut found = self.search_to_depth(game, state, 1);
        self.reached = 1;
        self.deadline = Some(end);
        for depth in 2..=self.depth {
            let deeper = self.search_to_depth(game, state, depth);
            if self.late {
                break;
            }
            (found, self.reached) = (deeper, depth);
        }
        found
    }

    /// Whether the time is up or the search cancelled. Reads the clock only once in many calls,
    /// because that costs more than a search step.
    fn is_late(&mut self) -> bool {
        self.ticks = self.ticks.wrapping_add(1);
        if self.ticks.is_multiple_of(256) {
            self.late |= Cancellation::requested();
            self.late |= self.deadline.is_some_and(|deadline| Instant::now() >= deadline);
        }
        self.late
    }

    fn search_to_depth(&mut self, game: &G, state: &G::State, depth: u32) -> (Vec<Move>, Vec<f32>) {
        let Turn::Player(mover) = game.turn(state) else {
            unreachable!("agents are asked on a player's turn only")
        };
        let mut legal = Vec::new();
        game.legal_moves(state, &mut legal);
        if depth == 1
            && let Some(values) = self.frontier.move_values(game, state, &legal)
        {
            let values = values.to_vec();
            return (legal, values);
        }
        let value = |mv: &Move| {
            let mut next = state.clone();
            let gained = game.play(&mut next, *mv);
            gained[mover] + self.search(game, &next, depth - 1).values[mover]
        };
        let values = legal.iter().map(value).collect();
        (legal, values)
    }

    fn search(&mut self, game: &G, state: &G::State, depth: u32) -> MaxNResult {
        match game.turn(state) {
            Turn::Over => OVER,
            _ if depth == 0 || self.is_late() => UNSEEN,
            Turn::Chance => self.average(game, state, depth),
            Turn::Player(mover) => {
                let known = self.table.get(state).filter(|known| known.answers(depth));
                known.map_or_else(|| self.maximise(game, state, mover, depth), |known| known.found)
            }
        }
    }

    fn average(&mut self, game: &G, state: &G::State, depth: u32) -> MaxNResult {
        let base = self.events.len();
        game.events(state, &mut self.events);
        let mut all = OVER;
        for i in base..self.events.len() {
            let (event, probability) = self.events[i];
            let mut next = state.clone();
            let gained = game.resolve(&mut next, event);
            let found = self.search(game, &next, depth);
            let value = gained + found.values;
            let weighted = all.values.0.iter_mut().zip(value.0);
            weighted.for_each(|(sum, value)| *sum += probability * value);
            all.complete &= found.complete;
        }
        self.events.truncate(base);
        all
    }

    fn maximise(&mut self, game: &G, state: &G::State, mover: Player, depth: u32) -> MaxNResult {
        let base = self.moves.len();
        game.legal_moves(state, &mut self.moves);
        let found = if depth == 1 && self.frontier.has_value() {
            let values = self.frontier.expect(game, state, mover, &self.moves[base..]);
            MaxNResult { values: values.expect("there is a value"), complete: false }
        } else {
            self.best_of(game, state, mover, depth, base)
        };
        self.moves.truncate(base);
        if !self.late {
            self.table.insert(state.clone(), MaxNEntry { depth, found });
        }
        found
    }

    fn best_of(
        &mut self,
        game: &G,
        state: &G::State,
        mover: Player,
        depth: u32,
        base: usize,
    ) -> MaxNResult {
        let mut best: Option<MaxNResult> = None;
        let mut complete = true;
        for i in base..self.moves.len() {
            let mut next = state.clone();
            let gained = game.play(&mut next, self.moves[i]);
            let found = self.search(game, &next, depth - 1);
            complete &= found.complete;
            let values = gained + found.values;
            if best.is_none_or(|best| values[mover] > best.values[mover]) {
                best = Some(MaxNResult { values, complete });
            }
        }
        MaxNResult { complete, ..best.expect("a player to move has a move") }
    }
}

impl MaxNEntry {
    fn answers(&self, depth: u32) -> bool {
        self.depth == depth || (self.found.complete && self.depth < depth)
    }
}

impl<G: Game> Agent<G> for MaxN<G> {
    fn choose(&mut self, game: &G, state: &G::State, rng: &mut Rng) -> Result<Choice, Forfeit> {
        let (legal, values) = self.evaluate_moves(game, state);
        Cancellation::check()?;
        let best = pick::best(&values, rng);
        Ok(Choice { mv: legal[best], value: Some(values[best]), explored: false })
    }

    fn move_values(&mut self, game: &G, state: &G::State, _: &mut Rng) -> Option<Vec<f32>> {
        let values = self.evaluate_moves(game, state).1;
        Cancellation::check().is_ok().then_some(values)
    }

    fn study(&mut self, game: &G, state: &G::State, rng: &mut Rng) -> Study {
        let values = self.move_values(game, state, rng);
        Study { values, depth: Some(self.reached), ..Study::default() }
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
