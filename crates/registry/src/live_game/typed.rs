//! The game in progress whose type is known.

use super::{Advice, Analysis, LiveGame};
use crate::Batch;
use crate::batch::StateBatch;
use crate::breakdown::{Breakdown, break_down};
use crate::seats::Seats;
use ludens_core::{
    Agent, Forfeit, Invalid, Move, PerPlayer, Played, Player, Record, Rewards, Rng, Scene,
    TrainableGame, Turn, Violation, conformance_from,
};
use std::time::Duration;

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
    last: Option<Played>,
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

    fn advance(&mut self, played: Played) {
        let mut next = self.now.clone();
        next.rewards += match played {
            Played::Move(mv) => self.game.play(&mut next.state, mv),
            Played::Event(event) => self.game.resolve(&mut next.state, event),
        };
        next.last = Some(played);
        self.seats.watch(&self.game, &self.now.state, played);
        self.past.push(std::mem::replace(&mut self.now, next));
    }

    /// Tells everybody seated how the game went so far.
    fn notify_agents(&mut self) {
        let moments: Vec<_> = self.past.iter().chain([&self.now]).collect();
        self.seats.begin(&self.game, &moments[0].state);
        for pair in moments.windows(2) {
            if let Some(played) = pair[1].last {
                self.seats.watch(&self.game, &pair[0].state, played);
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
        self.advance(played);
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
            Some(Played::Move(mv)) => Some((&before.state, mv)),
            _ => None,
        })
    }

    fn draw_events(&mut self) {
        while self.game.turn(&self.now.state) == Turn::Chance {
            let event = self.game.draw(&self.now.state, &mut self.rng);
            self.advance(Played::Event(event));
        }
    }

    /// Plays a legal move, and what chance replies. Returns what each player gained.
    fn play_legal(&mut self, mv: Move) -> Rewards {
        let before = self.now.rewards;
        self.advance(Played::Move(mv));
        self.draw_events();
        PerPlayer(std::array::from_fn(|i| self.now.rewards.0[i] - before.0[i]))
    }

    /// What was played in a state, as players write it; events are in brackets.
    fn played_text(&self, state: &G::State, played: Played) -> String {
        match played {
            Played::Move(mv) => self.game.move_text(state, mv),
            Played::Event(event) => format!("({})", self.game.event_text(state, event)),
        }
    }
}

impl<G: TrainableGame> LiveGame for TypedLiveGame<G> {
    fn turn(&self) -> Turn {
        self.game.turn(&self.now.state)
    }

    fn legal(&self) -> Vec<(Move, String)> {
        let text = |mv| (mv, self.game.move_text(&self.now.state, mv));
        self.legal_ids().into_iter().map(text).collect()
    }

    fn legal_ids(&self) -> Vec<Move> {
        let mut legal = Vec::new();
        self.game.legal_moves(&self.now.state, &mut legal);
        legal
    }

    fn read_legal(&self, legal: &mut [bool]) {
        legal.fill(false);
        self.legal_ids().into_iter().for_each(|mv| legal[mv.0 as usize] = true);
    }

    fn read_cells(&self, pov: Option<Player>, cells: &mut [u8]) {
        let mover = match self.turn() {
            Turn::Player(player) => player,
            Turn::Chance | Turn::Over => Player(0),
        };
        self.game.read_cells(&self.now.state, pov.unwrap_or(mover), cells);
    }

    fn play(&mut self, text: &str) -> Result<Rewards, Invalid> {
        let mv = self.game.parse_move(&self.now.state, text)?;
        Ok(self.play_legal(mv))
    }

    fn play_id(&mut self, mv: Move) -> Result<Rewards, Invalid> {
        let legal = self.legal_ids();
        if legal.binary_search(&mv).is_err() {
            let known: Vec<_> = legal.iter().map(|mv| mv.0.to_string()).collect();
            let known = known.join(" ");
            return Err(Invalid(format!("move id {} is not legal here; legal: {known}", mv.0)));
        }
        Ok(self.play_legal(mv))
    }

    fn undo(&mut self) -> bool {
        let is_move = |m: &HistoryEntry<_>| matches!(m.last, Some(Played::Move(_)));
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
        let after = self.past.iter().skip(1).chain([&self.now]);
        let pairs = self.past.iter().zip(after);
        let text = |(before, after): (&HistoryEntry<_>, &HistoryEntry<_>)| {
            after.last.map(|played| self.played_text(&before.state, played))
        };
        pairs.filter_map(text).collect()
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
        self.game.scene(&self.now.state, self.now.last)
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
