//! TD-FARL: temporal differences from round to round, for any number of players.

use crate::picker::player_before;
use crate::solo::{Lesson, PlayOn};
use crate::{Explore, LearnFromRandom, Learner, News, Picker, Solo, Step, Value};
use ludens_core::{CellBoard, Choice, Invalid, Move, Player, Rewards, Rng};
use ludens_values::{Active, Trace, TraceSettings, run_widely};

/// TD(lambda) with final adaptation for N players (Konen and Bagheri 2020, algorithm 2).
///
/// Each player corrects the value of his last afterstate toward what he gained since and the value
/// of his new one. At the end every other player corrects his last afterstate toward what the end
/// brought him, and the value of the last afterstate of all goes toward what came after it.
pub struct TdFarl<G: CellBoard> {
    value: Value<G>,
    settings: TdFarlSettings,
    seats: Vec<Memory>,
    latest: Option<Latest>,
    /// The only player who learns, if not all do.
    minded: Option<Player>,
    /// What belongs to the games on other tables; nothing in the place of the one at hand.
    tables: Vec<Table>,
    /// The number of the table at hand.
    table: usize,
    /// Boxed, because it changes places with a player's last one at each move.
    next: Box<Active>,
    picker: Picker,
}

/// What can be chosen about TD-FARL.
#[derive(Copy, Clone, Debug, PartialEq)]
pub struct TdFarlSettings {
    /// How errors reach earlier afterstates.
    pub trace: TraceSettings,
    /// Whether an exploratory move clears the traces.
    pub reset: bool,
    /// Whether states before exploratory moves are corrected.
    pub random: LearnFromRandom,
    /// Whether the other players learn from the end.
    pub adapt_others: bool,
    /// Whether the value of the last afterstate goes toward what came after it.
    pub adapt_last: bool,
}

/// The latest step of the game.
#[derive(Copy, Clone)]
struct Latest {
    player: Player,
    over: bool,
}

/// What a player remembers of his last afterstate.
struct Memory {
    trace: Trace,
    last: Box<Active>,
    moved: bool,
    /// What he gained since.
    pending: f32,
}

/// What belongs to one of several games.
struct Table {
    seats: Vec<Memory>,
    latest: Option<Latest>,
    bases: Vec<Active>,
}

impl<G: CellBoard> TdFarl<G> {
    /// A learner of `value`, whose perspective must be the mover's.
    ///
    /// # Errors
    ///
    /// If the net cannot keep such a trace.
    pub fn new(game: &G, value: Value<G>, settings: TdFarlSettings) -> Result<TdFarl<G>, Invalid> {
        let seats = seats(&value, &settings, game.num_players())?;
        let (next, picker) = Default::default();
        Ok(TdFarl {
            value,
            settings,
            seats,
            latest: None,
            minded: None,
            tables: Vec::new(),
            table: 0,
            next,
            picker,
        })
    }

    fn gain(&mut self, rewards: Rewards, over: bool) {
        let seen = self.value.rewards.seen(rewards, over);
        for (memory, reward) in self.seats.iter_mut().zip(seen.0) {
            memory.pending += reward;
        }
    }

    /// Whether `player` learns here.
    #[inline]
    fn minds(&self, player: Player) -> bool {
        self.minded.is_none_or(|minded| minded == player)
    }

    /// Corrects the last afterstate of `player` toward `target`.
    fn correct(&mut self, player: Player, target: f32) {
        let Memory { last, trace, .. } = &mut self.seats[player.index()];
        self.value.correct(last, trace, target);
    }
}

/// What the players remember at the beginning.
fn seats<G: CellBoard>(
    value: &Value<G>,
    settings: &TdFarlSettings,
    players: usize,
) -> Result<Vec<Memory>, Invalid> {
    let memory = |_| {
        let trace = value.net.new_trace(&settings.trace)?;
        Ok(Memory { trace, last: Box::default(), moved: false, pending: 0.0 })
    };
    (0..players).map(memory).collect()
}

impl<G: CellBoard> Learner<G> for TdFarl<G> {
    /// In games without chance the start state counts as an afterstate of the player before the
    /// one to move.
    fn begin(&mut self, game: &G, state: &G::State) {
        for memory in &mut self.seats {
            memory.trace.clear();
            (memory.moved, memory.pending) = (false, 0.0);
        }
        self.latest = None;
        if let Some(before) = player_before(game, state).filter(|before| self.minds(*before)) {
            let memory = &mut self.seats[before.index()];
            self.value.look(game, state, before, &mut memory.last);
            memory.moved = true;
        }
    }

    fn choose(
        &mut self,
        game: &G,
        state: &G::State,
        player: Player,
        explore: Explore,
        rng: &mut Rng,
    ) -> Choice {
        self.picker.choose(&mut self.value, game, state, player, explore, rng)
    }

    fn chosen(&self, before: &G::State, mv: Move) -> Option<(&G::State, Rewards)> {
        self.value.chosen(before, mv)
    }

    fn foresee(&mut self, game: &G, state: &G::State, player: Player) {
        self.picker.foresee(&mut self.value, game, state, player);
    }

    fn observe(&mut self, game: &G, step: &Step<'_, G::State>) {
        self.gain(step.rewards, step.over);
        let player = step.player;
        let value = self.value.look_after(game, step, &mut self.next);
        if step.explored && self.settings.reset {
            self.seats.iter_mut().for_each(|memory| memory.trace.clear());
        }
        let memory = &mut self.seats[player.index()];
        if memory.moved && self.settings.random.allows(step) {
            let future = if step.over { 0.0 } else { value };
            let target = memory.pending + self.value.discount * future;
            self.value.correct(&mut memory.last, &mut memory.trace, target);
        }
        std::mem::swap(&mut memory.last, &mut self.next);
        (memory.moved, memory.pending) = (true, 0.0);
        self.latest = Some(Latest { player, over: step.over });
    }

    fn play_on(&mut self, solo: &mut Solo<'_, G>, rng: &mut Rng) {
        let (value, random) = (&mut self.value, self.settings.random);
        let [Memory { trace, last, moved, pending }] = &mut self.seats[..] else { return };
        if self.minded.is_none() && value.net.answers_alone(trace) && value.plays_on(solo.explore) {
            let lesson = Some(Lesson { latest: last, moved, pending, random });
            run_widely(PlayOn { solo, value, lesson, rng });
            self.latest = moved.then_some(Latest { player: Player(0), over: false });
        }
    }

    fn mind(&mut self, player: Player, tables: usize) -> bool {
        let table = |_| {
            let seats = seats(&self.value, &self.settings, self.seats.len()).ok()?;
            Some(Table { seats, latest: None, bases: self.value.new_bases() })
        };
        let tables: Option<Vec<Table>> = (0..tables).map(table).collect();
        (self.minded, self.table) = (Some(player), 0);
        self.tables = tables.unwrap_or_default();
        !self.tables.is_empty()
    }

    fn turn_to(&mut self, table: usize) {
        for table in [self.table, table] {
            let Table { seats, latest, bases } = &mut self.tables[table];
            std::mem::swap(&mut self.seats, seats);
            std::mem::swap(&mut self.latest, latest);
            self.value.swap_bases(bases);
        }
        self.table = table;
    }

    fn hear(&mut self, news: &News) {
        self.gain(news.rewards, news.over);
        if news.explored && self.settings.reset {
            self.seats.iter_mut().for_each(|memory| memory.trace.clear());
        }
        self.latest = Some(Latest { player: news.player, over: news.over });
    }

    fn end(&mut self, game: &G, rewards: Rewards) {
        let Some(latest) = self.latest else { return };
        if !latest.over {
            self.gain(rewards, true);
        }
        for player in Player::all(game.num_players()) {
            let wanted = if player == latest.player {
                self.settings.adapt_last
            } else {
                self.settings.adapt_others && self.seats[player.index()].moved
            };
            if wanted && self.minds(player) {
                self.correct(player, self.seats[player.index()].pending);
            }
        }
    }

    fn value(&mut self) -> &mut Value<G> {
        &mut self.value
    }
}

#[cfg(test)]
mod tests;
