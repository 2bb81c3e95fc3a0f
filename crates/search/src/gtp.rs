//! External engines that speak the Go Text Protocol, version 2.

mod group;
mod process;

use crate::gtp_words::{colour, readings};
use ludens_core::{
    Agent, Choice, Forfeit, Game, Invalid, Move, Notation, Played, Player, Rng, Turn,
};
use process::Process;
use std::time::Duration;

/// Plays the moves of an engine in a separate process.
///
/// An engine that hangs, crashes, resigns or answers an illegal move forfeits. The next request
/// restarts it. The process ends with the agent.
pub struct Gtp<G: Notation> {
    settings: GtpSettings,
    engine: Option<EngineConnection>,
    now: G::State,
    /// Every move from the start of the game to `now`, in the notation of the engine.
    line: Vec<String>,
}

/// The command and the timeout of an engine.
#[derive(Clone, Debug)]
pub struct GtpSettings {
    /// The program with its options. Quotes keep words together.
    pub command: String,
    /// Longest wait for one answer.
    pub timeout: Duration,
}

struct EngineConnection {
    process: Process,
    /// The number of moves sent to the engine; `None` before `clear_board`.
    sent_moves: Option<usize>,
    /// The move that the engine generated beyond the sent moves.
    ahead: Option<String>,
}

/// The maximum number of moves between two states to reconstruct, and of states to visit.
const FURTHEST: u32 = 6;
const MAX_VISITED_STATES: u32 = 100_000;

impl<G: Notation> Gtp<G> {
    /// Starts the engine and agrees with it on the game.
    ///
    /// # Errors
    ///
    /// If it cannot be started, does not support version 2 or does not play this game.
    pub fn start(settings: GtpSettings, game: &G) -> Result<Gtp<G>, Invalid> {
        if game.num_players() != 2 || game.has_chance() {
            let what = format!("gtp plays games of two players without chance; {}", G::NAME);
            return Err(Invalid(format!("{what} is none")));
        }
        let mut agent = Gtp { settings, engine: None, now: game.start(), line: Vec::new() };
        agent.engine(game).map_err(|forfeit| Invalid(forfeit.0))?;
        Ok(agent)
    }

    fn engine(&mut self, game: &G) -> Result<&mut EngineConnection, Forfeit> {
        if self.engine.is_none() {
            let process = Process::start(&self.settings.command, self.settings.timeout)?;
            let mut engine = EngineConnection { process, sent_moves: None, ahead: None };
            engine.agree(game)?;
            self.engine = Some(engine);
        }
        Ok(self.engine.as_mut().expect("it has just been started"))
    }

    /// Follows `state`, which may lie a few moves ahead, or be a new start.
    fn follow(&mut self, game: &G, state: &G::State) -> Result<(), Forfeit> {
        if self.now == *state {
            return Ok(());
        }
        if let Some(moves) = path(game, &self.now, state) {
            moves.into_iter().for_each(|mv| self.record(game, mv));
            return Ok(());
        }
        let moves = path(game, &game.start(), state)
            .ok_or_else(|| Forfeit("the engine cannot be told how this state came about".into()))?;
        self.restart(game);
        moves.into_iter().for_each(|mv| self.record(game, mv));
        Ok(())
    }

    fn restart(&mut self, game: &G) {
        self.now = game.start();
        self.line.clear();
        if let Some(engine) = &mut self.engine {
            (engine.sent_moves, engine.ahead) = (None, None);
        }
    }

    fn record(&mut self, game: &G, mv: Move) {
        let Turn::Player(player) = game.turn(&self.now) else { return };
        let text = game.move_text(&self.now, mv);
        if let Some(engine) = &mut self.engine
            && let Some(ahead) = engine.ahead.take()
        {
            let as_played = engine.sent_moves == Some(self.line.len()) && ahead == text;
            engine.sent_moves = as_played.then_some(self.line.len() + 1);
        }
        self.line.push(format!("{} {text}", colour(player)));
        game.play(&mut self.now, mv);
    }

    fn ask(&mut self, game: &G, player: Player) -> Result<String, Forfeit> {
        let line = std::mem::take(&mut self.line);
        let answer = self.engine(game).and_then(|engine| engine.genmove(&line, player));
        self.line = line;
        answer
    }

    fn answer(&mut self, game: &G, state: &G::State) -> Result<Move, Forfeit> {
        let Turn::Player(player) = game.turn(state) else {
            unreachable!("agents are asked on a player's turn only")
        };
        self.follow(game, state)?;
        let text = self.ask(game, player)?;
        if text.eq_ignore_ascii_case("resign") {
            return Err(Forfeit("the engine resigns".into()));
        }
        let mv = read_move(game, state, &text).map_err(|invalid| {
            Forfeit(format!("`{}` answered {text:?}: {invalid}", self.settings.command))
        })?;
        let written = game.move_text(state, mv);
        self.engine.as_mut().expect("it has just answered").ahead = Some(written);
        Ok(mv)
    }
}

impl<G: Notation> Agent<G> for Gtp<G> {
    fn choose(&mut self, game: &G, state: &G::State, _: &mut Rng) -> Result<Choice, Forfeit> {
        let answer = self.answer(game, state);
        if answer.is_err() {
            // Whatever is wrong with the engine, the next game gets a new one.
            self.engine = None;
        }
        answer.map(Choice::plain)
    }

    fn begin(&mut self, game: &G, _: &G::State) {
        self.restart(game);
    }

    fn watch(&mut self, game: &G, before: &G::State, played: Played) {
        // The moves after an unknown start are reconstructed when the engine has to move.
        if let Played::Move(mv) = played
            && self.follow(game, before).is_ok()
        {
            self.record(game, mv);
        }
    }
}

impl EngineConnection {
    fn agree<G: Notation>(&mut self, game: &G) -> Result<(), Forfeit> {
        let version = self.process.expect("protocol_version")?;
        if version.trim() != "2" {
            let what = format!("speaks version {version:?} of the protocol, not 2");
            return Err(self.process.forfeit(&what));
        }
        let known = self.process.expect("list_commands")?;
        if known.lines().any(|command| command.trim() == "set_game") {
            self.process.expect(&format!("set_game {}", G::TITLE))?;
        }
        let layout = game.layout();
        let (width, height) = (layout.width, layout.num_cells() / layout.width);
        let size = if width == height { width.to_string() } else { format!("{width} {height}") };
        self.process.expect(&format!("boardsize {size}")).map(|_| ())
    }

    fn genmove(&mut self, line: &[String], player: Player) -> Result<String, Forfeit> {
        let sent_moves = match self.sent_moves.filter(|_| self.ahead.is_none()) {
            Some(sent_moves) => sent_moves,
            None => {
                self.process.expect("clear_board")?;
                0
            }
        };
        self.ahead = None;
        for mv in &line[sent_moves..] {
            let command = format!("play {mv}");
            if mv.ends_with(" pass") {
                // Engines that pass by themselves know no such move.
                let _ = self.process.ask(&command)?;
            } else {
                self.process.expect(&command)?;
            }
        }
        self.sent_moves = Some(line.len());
        Ok(self.process.expect(&format!("genmove {}", colour(player)))?.trim().to_owned())
    }
}

fn read_move<G: Notation>(game: &G, state: &G::State, text: &str) -> Result<Move, Invalid> {
    let mut readings = readings(text).map(|reading| game.parse_move(state, &reading));
    let first = readings.next().expect("there is one reading at least");
    first.or_else(|error| readings.find_map(Result::ok).ok_or(error))
}

/// Moves that lead from one state to another, if few do.
fn path<G: Game>(game: &G, from: &G::State, to: &G::State) -> Option<Vec<Move>> {
    let mut visits_left = MAX_VISITED_STATES;
    (0..=FURTHEST).find_map(|depth| {
        let mut moves = Vec::new();
        reaches(game, from, to, depth, &mut moves, &mut visits_left).then(|| {
            moves.reverse();
            moves
        })
    })
}

fn reaches<G: Game>(
    game: &G,
    from: &G::State,
    to: &G::State,
    depth: u32,
    moves: &mut Vec<Move>,
    visits_left: &mut u32,
) -> bool {
    if depth == 0 || *visits_left == 0 {
        return from == to;
    }
    *visits_left -= 1;
    let mut legal = Vec::new();
    game.legal_moves(from, &mut legal);
    legal.into_iter().any(|mv| {
        let mut next = from.clone();
        game.play(&mut next, mv);
        let found = reaches(game, &next, to, depth - 1, moves, visits_left);
        if found {
            moves.push(mv);
        }
        found
    })
}
