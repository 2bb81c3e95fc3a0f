//! Many states of one game, with the game type erased.

use crate::training::{OpenValue, open_shared};
use ludens_core::{Invalid, Move, Player, Rewards, Rng, TrainableGame, Turn, ValueFunction};
use ludens_learn::Value;
use serde::{Deserialize, Serialize};
use std::any::Any;
use std::sync::Arc;

/// Many states of one game; each operation applies to all of them in one call.
///
/// Chance events are drawn automatically, with a separate random stream per state, so that it is
/// always a player's turn, or the game is over.
pub trait Batch: Send {
    /// The number of states.
    fn len(&self) -> usize;

    /// Whether the batch is empty.
    fn is_empty(&self) -> bool {
        self.len() == 0
    }

    /// Adds `count` games at their beginning.
    fn add_starts(&mut self, count: usize);

    /// Adds `count` states on players' turns, met in random games.
    fn add_random(&mut self, count: usize);

    /// Adds the state that `text` describes.
    ///
    /// # Errors
    ///
    /// If it describes none.
    fn add(&mut self, text: &str) -> Result<(), Invalid>;

    /// The state with this index in one line.
    fn text(&self, index: usize) -> String;

    /// The turn in the state with this index.
    fn turn(&self, index: usize) -> Turn;

    /// Writes the cells of all states, as `pov` sees them; if none is named, as the player to move
    /// does, or the first one after the end.
    fn read_cells(&self, pov: Option<Player>, cells: &mut [u8]);

    /// Writes for all states and move ids whether the move is legal.
    fn read_legal(&self, legal: &mut [bool]);

    /// Plays one move in every state; where it is [`STAY`] or the game is over, nothing happens.
    ///
    /// Returns what each player gained, chance's reply included.
    ///
    /// # Errors
    ///
    /// If there are not as many moves as states, or one is not legal; nothing was played then.
    fn play(&mut self, moves: &[Move]) -> Result<Vec<Rewards>, Invalid>;

    /// Begins a new game in place of the state with this index, with the same random stream.
    fn restart(&mut self, index: usize);

    /// The states with these indices and their random streams, as another batch.
    fn select(&self, indices: &[usize]) -> Box<dyn Batch>;

    /// All random streams, to be saved.
    fn streams(&self) -> BatchStreams;

    /// Restores the random streams of as many states as there are.
    ///
    /// # Errors
    ///
    /// If there are more or fewer states.
    fn set_streams(&mut self, streams: BatchStreams) -> Result<(), Invalid>;

    /// An independent copy with the same random streams.
    fn fork(&self) -> Box<dyn Batch>;

    /// For those who know the type of the game.
    fn as_any(&self) -> &dyn Any;
}

/// Stands for no move: the state stays as it is.
pub const STAY: Move = Move(u32::MAX);

/// The random streams of a batch.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
pub struct BatchStreams {
    seed: u64,
    /// Random games begun so far.
    games: u64,
    /// The stream of each state.
    states: Vec<Rng>,
}

/// A learned value with the game type erased.
pub trait AnyValue: Send {
    /// Writes what each player expects to gain from each state on; nothing after the end.
    ///
    /// # Errors
    ///
    /// If these are states of another game.
    fn values(&mut self, batch: &dyn Batch, out: &mut [f32]) -> Result<(), Invalid>;

    /// Writes the value of each move id in each state for the player to move; NaN for illegal
    /// moves.
    ///
    /// # Errors
    ///
    /// If these are states of another game.
    fn move_values(&mut self, batch: &dyn Batch, out: &mut [f32]) -> Result<(), Invalid>;

    /// Another reader of the same weights, for another thread.
    fn fork(&self) -> Box<dyn AnyValue>;
}

/// Many states of a game whose type is known.
#[derive(Clone)]
pub(crate) struct StateBatch<G: TrainableGame> {
    game: G,
    states: Vec<(G::State, Rng)>,
    seed: u64,
    /// Random games begun so far.
    games: u64,
}

impl<G: TrainableGame> StateBatch<G> {
    pub(crate) fn new(game: G, seed: u64) -> StateBatch<G> {
        StateBatch { game, states: Vec::new(), seed, games: 0 }
    }

    /// Adds a state, with chance's reply.
    pub(crate) fn push(&mut self, mut state: G::State) {
        let mut rng = Rng::derived(self.seed, "batch", self.states.len() as u64);
        apply_chance(&self.game, &mut state, &mut rng);
        self.states.push((state, rng));
    }

    fn check_moves(&self, moves: &[Move]) -> Result<(), Invalid> {
        let (found, expected) = (moves.len(), self.states.len());
        if found != expected {
            return Err(Invalid(format!("expected {expected} moves, one a state, found {found}")));
        }
        let mut legal = Vec::new();
        for (index, (&mv, (state, _))) in moves.iter().zip(&self.states).enumerate() {
            legal.clear();
            self.game.legal_moves(state, &mut legal);
            if mv != STAY && !legal.is_empty() && legal.binary_search(&mv).is_err() {
                let known: Vec<_> = legal.iter().map(|mv| mv.0.to_string()).collect();
                let known = known.join(", ");
                let what = format!("move {} is not legal; legal: {known}", mv.0);
                return Err(Invalid(what).about(format_args!("state {index}")));
            }
        }
        Ok(())
    }
}

/// Lets chance draw until a player is to move or the game is over.
fn apply_chance<G: TrainableGame>(game: &G, state: &mut G::State, rng: &mut Rng) -> Rewards {
    let mut rewards = Rewards::NONE;
    while game.turn(state) == Turn::Chance {
        let event = game.draw(state, rng);
        rewards += game.resolve(state, event);
    }
    rewards
}

impl<G: TrainableGame> Batch for StateBatch<G> {
    fn len(&self) -> usize {
        self.states.len()
    }

    fn add_starts(&mut self, count: usize) {
        (0..count).for_each(|_| self.push(self.game.start()));
    }

    fn add_random(&mut self, count: usize) {
        let (mut left, mut scratch) = (count, Vec::new());
        while left > 0 {
            let rng = &mut Rng::derived(self.seed, "random states", self.games);
            self.games += 1;
            let mut state = self.game.start();
            apply_chance(&self.game, &mut state, rng);
            let before = left;
            while left > 0 && self.game.turn(&state) != Turn::Over {
                self.push(state.clone());
                left -= 1;
                let mv = self.game.random_move(&state, rng, &mut scratch);
                self.game.play(&mut state, mv);
                apply_chance(&self.game, &mut state, rng);
            }
            if left == before {
                return; // Chance alone plays this game.
            }
        }
    }

    fn add(&mut self, text: &str) -> Result<(), Invalid> {
        self.push(self.game.parse_state(text)?);
        Ok(())
    }

    fn text(&self, index: usize) -> String {
        self.game.state_text(&self.states[index].0)
    }

    fn turn(&self, index: usize) -> Turn {
        self.game.turn(&self.states[index].0)
    }

    fn read_cells(&self, pov: Option<Player>, cells: &mut [u8]) {
        let size = cells.len() / self.states.len().max(1);
        for ((state, _), cells) in self.states.iter().zip(cells.chunks_mut(size.max(1))) {
            let mover = || match self.game.turn(state) {
                Turn::Player(player) => player,
                Turn::Chance | Turn::Over => Player(0),
            };
            self.game.read_cells(state, pov.unwrap_or_else(mover), cells);
        }
    }

    fn read_legal(&self, legal: &mut [bool]) {
        let mut moves = Vec::new();
        let size = self.game.num_moves().max(1);
        for ((state, _), legal) in self.states.iter().zip(legal.chunks_mut(size)) {
            moves.clear();
            legal.fill(false);
            self.game.legal_moves(state, &mut moves);
            moves.iter().for_each(|mv| legal[mv.0 as usize] = true);
        }
    }

    fn play(&mut self, moves: &[Move]) -> Result<Vec<Rewards>, Invalid> {
        self.check_moves(moves)?;
        let game = &self.game;
        let play = |(&mv, (state, rng)): (&Move, &mut (G::State, Rng))| match game.turn(state) {
            Turn::Player(_) if mv != STAY => game.play(state, mv) + apply_chance(game, state, rng),
            _ => Rewards::NONE,
        };
        Ok(moves.iter().zip(&mut self.states).map(play).collect())
    }

    fn restart(&mut self, index: usize) {
        let (state, rng) = &mut self.states[index];
        *state = self.game.start();
        apply_chance(&self.game, state, rng);
    }

    fn select(&self, indices: &[usize]) -> Box<dyn Batch> {
        let states = indices.iter().map(|&index| self.states[index].clone()).collect();
        let (game, seed, games) = (self.game.clone(), self.seed, self.games);
        Box::new(StateBatch { game, states, seed, games })
    }

    fn streams(&self) -> BatchStreams {
        let states = self.states.iter().map(|(_, rng)| rng.clone()).collect();
        BatchStreams { seed: self.seed, games: self.games, states }
    }

    fn set_streams(&mut self, streams: BatchStreams) -> Result<(), Invalid> {
        let (found, expected) = (streams.states.len(), self.states.len());
        if found != expected {
            return Err(Invalid(format!("expected {expected} random streams, found {found}")));
        }
        (self.seed, self.games) = (streams.seed, streams.games);
        let slots = self.states.iter_mut().map(|(_, rng)| rng);
        slots.zip(streams.states).for_each(|(slot, rng)| *slot = rng);
        Ok(())
    }

    fn fork(&self) -> Box<dyn Batch> {
        Box::new(self.clone())
    }

    fn as_any(&self) -> &dyn Any {
        self
    }
}

/// The learned value in a file.
pub(crate) struct LoadedValue<G: TrainableGame> {
    game: G,
    value: Value<G>,
    /// Keeps the shared weights alive while they are in use.
    all: Arc<OpenValue<G>>,
}

impl<G: TrainableGame> LoadedValue<G> {
    pub(crate) fn open(game: &G, path: &str) -> Result<LoadedValue<G>, Invalid> {
        let all = open_shared(game, path)?;
        Ok(LoadedValue { game: game.clone(), value: all.value.fork(), all })
    }

    fn states<'a>(&self, batch: &'a dyn Batch) -> Result<&'a [(G::State, Rng)], Invalid> {
        let row = batch.as_any().downcast_ref::<StateBatch<G>>();
        let same = |row: &&StateBatch<G>| {
            let shape = |game: &G| (game.num_players(), game.num_moves());
            shape(&row.game) == shape(&self.game) && row.game.layout() == self.game.layout()
        };
        let row = row.filter(same).ok_or_else(|| {
            let title = self.game.title();
            Invalid(format!("these states are not of the {title} that was learned"))
        })?;
        Ok(&row.states)
    }
}

impl<G: TrainableGame> AnyValue for LoadedValue<G> {
    fn values(&mut self, batch: &dyn Batch, out: &mut [f32]) -> Result<(), Invalid> {
        let players = self.game.num_players();
        for ((state, _), out) in self.states(batch)?.iter().zip(out.chunks_mut(players)) {
            out.copy_from_slice(self.value.values(&self.game, state).first(players));
        }
        Ok(())
    }

    fn move_values(&mut self, batch: &dyn Batch, out: &mut [f32]) -> Result<(), Invalid> {
        let (mut legal, mut values) = (Vec::new(), Vec::new());
        let size = self.game.num_moves().max(1);
        for ((state, _), out) in self.states(batch)?.iter().zip(out.chunks_mut(size)) {
            legal.clear();
            values.clear();
            self.game.legal_moves(state, &mut legal);
            out.fill(f32::NAN);
            if !legal.is_empty() {
                self.value.move_values(&self.game, state, &legal, &mut values);
            }
            legal.iter().zip(&values).for_each(|(mv, value)| out[mv.0 as usize] = *value);
        }
        Ok(())
    }

    fn fork(&self) -> Box<dyn AnyValue> {
        let (game, all) = (self.game.clone(), Arc::clone(&self.all));
        Box::new(LoadedValue { game, value: all.value.fork(), all })
    }
}
