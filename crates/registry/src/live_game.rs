//! A game in progress.

use crate::Batch;
use crate::batch::StateBatch;
use crate::breakdown::{Breakdown, break_down};
use crate::seats::Seats;
use ludens_core::{
    Agent, Choice, Forfeit, Invalid, Move, Played, Player, Record, Rewards, Rng, Scene,
    TrainableGame, Turn, Violation, conformance_from,
};
use std::time::Duration;

/// A game in progress: its state, its history and its legal moves.
///
/// Chance events are drawn automatically: it is a player's turn, or the game is over.
pub trait LiveGame: Send {
    /// The current turn.
    fn turn(&self) -> Turn;

    /// The legal moves, ascending, with how players write them.
    fn legal(&self) -> Vec<(Move, String)>;

    /// Plays a move as players write it. Returns what each player gained, chance's reply included.
    ///
    /// # Errors
    ///
    /// If no legal move is written so; the game is as before.
    fn play(&mut self, text: &str) -> Result<Rewards, Invalid>;

    /// Takes back the last move and what chance replied. False if there is none.
    fn undo(&mut self) -> bool;

    /// Puts `text` on the board as a new start.
    ///
    /// # Errors
    ///
    /// If `text` is no state; the game is as before.
    fn set_state(&mut self, text: &str) -> Result<(), Invalid>;

    /// The state in one line.
    fn state_text(&self) -> String;

    /// The history in the notation of players; chance events are in brackets.
    fn history(&self) -> Vec<String>;

    /// The player of each move of the history; `None` for chance events.
    fn movers(&self) -> Vec<Option<Player>>;

    /// The total reward of each player so far.
    fn rewards(&self) -> Rewards;

    /// The scene to draw.
    fn scene(&self) -> Scene;

    /// Lets an agent, written as `name:key=value,...`, play for `player` from here on.
    ///
    /// # Errors
    ///
    /// If there is no such player or agent, or the agent cannot play this game.
    fn seat(&mut self, player: Player, agent: &str) -> Result<(), Invalid>;

    /// The move that the agent of the player to move would play. Does not play it.
    ///
    /// # Errors
    ///
    /// If the agent cannot go on, if nobody is seated there, or if the game is over.
    fn choose(&mut self) -> Result<Advice, Forfeit>;

    /// The agent's value of each legal move, in their order; `None` if the agent has no values or
    /// no agent is seated.
    fn move_values(&mut self) -> Option<Vec<f32>>;

    /// The agent's analysis of the state, with a line of at most `length` moves; `None` if no agent
    /// is seated.
    fn study(&mut self, length: usize) -> Option<Analysis>;

    /// The contributions to the learned value in a file: after the given move, or after the last
    /// move of the game.
    ///
    /// # Errors
    ///
    /// If the file holds no n-tuple network for this game, or there is no such move.
    fn breakdown(&self, path: &str, mv: Option<&str>) -> Result<Breakdown, Invalid>;

    /// The random stream of chance.
    fn chance_stream(&self) -> Rng;

    /// From now on chance draws from this stream.
    fn set_chance_stream(&mut self, stream: Rng);

    /// From now on chance and agents draw from `seed`, as in a new game.
    fn reseed(&mut self, seed: u64);

    /// Leaves the agent seated for `player` no more than this for each move from now on.
    fn limit_time(&mut self, player: Player, time: Option<Duration>);

    /// The record of the game, without the names of the game and of the players.
    fn record(&self) -> Record;

    /// Plays what a record says, from its start.
    ///
    /// # Errors
    ///
    /// If the start or something played is impossible, naming the field; the game is as before.
    fn replay(&mut self, record: &Record) -> Result<(), Invalid>;

    /// An independent copy with the same random stream and no agents.
    fn fork(&self) -> Box<dyn LiveGame>;

    /// The state alone, among as many more as one likes.
    fn batch(&self) -> Box<dyn Batch>;

    /// Checks the promises of the game's traits over one random game from here.
    ///
    /// # Errors
    ///
    /// The first promise found broken.
    fn conformance(&self, seed: u64) -> Result<(), Violation>;
}

/// The move that an agent would play, in the notation of players.
#[derive(Clone, Debug, PartialEq)]
pub struct Advice {
    /// The move as players write it.
    pub text: String,
    /// The move, with the agent's value.
    pub choice: Choice,
}

/// An agent's analysis of a state, in the notation of players.
#[derive(Clone, Debug, Default, PartialEq)]
pub struct Analysis {
    /// The value of each legal move for the player to move, if the agent has values.
    pub values: Option<Vec<f32>>,
    /// The visits of each legal move, if the agent counts them.
    pub visits: Option<Vec<u64>>,
    /// The expected line of play.
    pub line: Vec<String>,
    /// The search depth, if the agent searches.
    pub depth: Option<u32>,
}

pub(crate) struct TypedLiveGame<G: TrainableGame> {
    game: G,
    now: HistoryEntry<G::State>,
    past: Vec<HistoryEntry<G::State>>,
    rng: Rng,
    seats: Seats<G>,
}

/// A state, what led to it, and what had been gained by then.
#[derive(Clone)]
struct HistoryEntry<S> {
    state: S,
    last: Option<(Played, String)>,
    rewards: Rewards,
}

impl<G: TrainableGame> TypedLiveGame<G> {
    pub(crate) fn new(game: G, seed: u64) -> TypedLiveGame<G> {
        let now = HistoryEntry { state: game.start(), last: None, rewards: Rewards::NONE };
        let seats = Seats::new(seed);
        let mut live = TypedLiveGame { game, now, past: Vec::new(), rng: Rng::seeded(seed), seats };
        live.draw_events();
        live
    }

    /// Seats an agent for every player.
    pub(crate) fn seat_all(&mut self, make: impl FnMut() -> Box<dyn Agent<G>>) {
        self.seats.seat_all(make);
        self.notify_agents();
    }

    fn advance(&mut self, played: Played, text: String) {
        let mut next = self.now.clone();
        next.rewards += match played {
            Played::Move(mv) => self.game.play(&mut next.state, mv),
            Played::Event(event) => self.game.resolve(&mut next.state, event),
        };
        next.last = Some((played, text));
        self.seats.watch(&self.game, &self.now.state, played);
        self.past.push(std::mem::replace(&mut self.now, next));
    }

    /// Tells everybody seated how the game went so far.
    fn notify_agents(&mut self) {
        let moments: Vec<_> = self.past.iter().chain([&self.now]).collect();
        self.seats.begin(&self.game, &moments[0].state);
        for pair in moments.windows(2) {
            if let Some((played, _)) = &pair[1].last {
                self.seats.watch(&self.game, &pair[0].state, *played);
            }
        }
    }

    /// Plays what a record names: a move, or an event in brackets.
    fn advance_by(&mut self, text: &str) -> Result<(), Invalid> {
        let state = &self.now.state;
        let event = text.strip_prefix('(').and_then(|rest| rest.strip_suffix(')'));
        let played = match event {
            Some(event) => Played::Event(self.game.parse_event(state, event)?),
            None => Played::Move(self.game.parse_move(state, text)?),
        };
        self.advance(played, text.to_owned());
        Ok(())
    }

    fn replay_on_board(&mut self, record: &Record) -> Result<(), Invalid> {
        // What is played on this board has no name.
        if !record.game.is_empty() {
            record.check_game(&self.game)?;
        }
        let state = match &record.start {
            Some(text) => self.game.parse_state(text).map_err(|e| e.about("field start"))?,
            None => self.game.start(),
        };
        self.now = HistoryEntry { state, last: None, rewards: Rewards::NONE };
        self.past.clear();
        for (i, text) in record.played.iter().enumerate() {
            self.advance_by(text).map_err(|e| e.about(format_args!("field played[{i}]")))?;
        }
        self.draw_events();
        Ok(())
    }

    /// The last move, and the state that it was made in.
    fn last_move(&self) -> Option<(&G::State, Move)> {
        let mut after = &self.now;
        self.past.iter().rev().find_map(|before| match std::mem::replace(&mut after, before).last {
            Some((Played::Move(mv), _)) => Some((&before.state, mv)),
            _ => None,
        })
    }

    fn draw_events(&mut self) {
        while self.game.turn(&self.now.state) == Turn::Chance {
            let event = self.game.draw(&self.now.state, &mut self.rng);
            let text = format!("({})", self.game.event_text(&self.now.state, event));
            self.advance(Played::Event(event), text);
        }
    }
}

impl<G: TrainableGame> LiveGame for TypedLiveGame<G> {
    fn turn(&self) -> Turn {
        self.game.turn(&self.now.state)
    }

    fn legal(&self) -> Vec<(Move, String)> {
        let mut legal = Vec::new();
        self.game.legal_moves(&self.now.state, &mut legal);
        legal.into_iter().map(|mv| (mv, self.game.move_text(&self.now.state, mv))).collect()
    }

    fn play(&mut self, text: &str) -> Result<Rewards, Invalid> {
        let mv = self.game.parse_move(&self.now.state, text)?;
        let written = self.game.move_text(&self.now.state, mv);
        let before = self.now.rewards;
        self.advance(Played::Move(mv), written);
        self.draw_events();
        let gained = std::array::from_fn(|i| self.now.rewards.0[i] - before.0[i]);
        Ok(ludens_core::PerPlayer(gained))
    }

    fn undo(&mut self) -> bool {
        let is_move = |m: &HistoryEntry<_>| matches!(m.last, Some((Played::Move(_), _)));
        if !is_move(&self.now) && !self.past.iter().any(is_move) {
            return false;
        }
        loop {
            let found = is_move(&self.now);
            self.now = self.past.pop().expect("a move has a state before it");
            if found {
                self.notify_agents();
                return true;
            }
        }
    }

    fn set_state(&mut self, text: &str) -> Result<(), Invalid> {
        let state = self.game.parse_state(text)?;
        self.now = HistoryEntry { state, last: None, rewards: Rewards::NONE };
        self.past.clear();
        self.seats.begin(&self.game, &self.now.state);
        self.draw_events();
        Ok(())
    }

    fn state_text(&self) -> String {
        self.game.state_text(&self.now.state)
    }

    fn history(&self) -> Vec<String> {
        let moments = self.past.iter().chain([&self.now]);
        moments.filter_map(|m| m.last.as_ref().map(|(_, text)| text.clone())).collect()
    }

    fn movers(&self) -> Vec<Option<Player>> {
        let mover = |before: &HistoryEntry<G::State>| match self.game.turn(&before.state) {
            Turn::Player(player) => Some(player),
            Turn::Chance | Turn::Over => None,
        };
        self.past.iter().map(mover).collect()
    }

    fn rewards(&self) -> Rewards {
        self.now.rewards
    }

    fn scene(&self) -> Scene {
        self.game.scene(&self.now.state, self.now.last.as_ref().map(|(played, _)| *played))
    }

    fn seat(&mut self, player: Player, agent: &str) -> Result<(), Invalid> {
        self.seats.seat(&self.game, player, agent)?;
        self.notify_agents();
        Ok(())
    }

    fn choose(&mut self) -> Result<Advice, Forfeit> {
        let choice = self.seats.choose(&self.game, &self.now.state)?;
        Ok(Advice { text: self.game.move_text(&self.now.state, choice.mv), choice })
    }

    fn move_values(&mut self) -> Option<Vec<f32>> {
        self.seats.move_values(&self.game, &self.now.state)
    }

    fn study(&mut self, length: usize) -> Option<Analysis> {
        let study = self.seats.study(&self.game, &self.now.state, length)?;
        let line = Seats::texts(&self.game, &self.now.state, &study.line);
        let ludens_core::Study { values, visits, depth, .. } = study;
        Some(Analysis { values, visits, line, depth })
    }

    fn breakdown(&self, path: &str, mv: Option<&str>) -> Result<Breakdown, Invalid> {
        let (before, mv) = match mv {
            Some(text) => (&self.now.state, self.game.parse_move(&self.now.state, text)?),
            None => self.last_move().ok_or_else(|| Invalid("nobody has moved yet".into()))?,
        };
        break_down(&self.game, path, before, mv)
    }

    fn chance_stream(&self) -> Rng {
        self.rng.clone()
    }

    fn set_chance_stream(&mut self, stream: Rng) {
        self.rng = stream;
    }

    fn reseed(&mut self, seed: u64) {
        self.rng = Rng::seeded(seed);
        self.seats.reseed(seed);
    }

    fn limit_time(&mut self, player: Player, time: Option<Duration>) {
        self.seats.limit_time(player, time);
    }

    fn record(&self) -> Record {
        let first = &self.past.first().unwrap_or(&self.now).state;
        Record {
            start: (*first != self.game.start()).then(|| self.game.state_text(first)),
            played: self.history(),
            rewards: self.now.rewards.first(self.game.num_players()).to_vec(),
            ..Record::default()
        }
    }

    fn replay(&mut self, record: &Record) -> Result<(), Invalid> {
        let before = (self.now.clone(), self.past.clone());
        let replayed = self.replay_on_board(record);
        if replayed.is_err() {
            (self.now, self.past) = before;
        }
        self.notify_agents();
        replayed
    }

    fn fork(&self) -> Box<dyn LiveGame> {
        Box::new(TypedLiveGame {
            game: self.game.clone(),
            now: self.now.clone(),
            past: self.past.clone(),
            rng: self.rng.clone(),
            seats: self.seats.without_agents(),
        })
    }

    fn batch(&self) -> Box<dyn Batch> {
        let mut row = StateBatch::new(self.game.clone(), 0);
        row.push(self.now.state.clone());
        Box::new(row)
    }

    fn conformance(&self, seed: u64) -> Result<(), Violation> {
        conformance_from(&self.game, &self.now.state, seed)
    }
}
