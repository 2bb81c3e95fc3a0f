//! The game that is played: the board and who sits at it.

use super::controller::Controller;
use super::opponents::{Opponents, described};
use crate::failure::Failure;
use crate::file;
use crate::words;
use ludens_core::{Invalid, Player, Record, Turn};
use ludens_registry::{Analysis, AnyGame, LiveGame};
use std::path::Path;

/// The game that is played: the board and who sits at it.
pub(super) struct PlayedGame {
    pub(super) game: Box<dyn AnyGame>,
    pub(super) live: Box<dyn LiveGame>,
    pub(super) seats: Vec<Controller>,
    /// The agent that gives hints, if the user chose one.
    pub(super) advisor: Option<String>,
}

/// Asked one after the other for who gives hints.
const ADVISORS: [&str; 2] = ["perfect", "mcts:iterations=3000"];

/// Most moves of a line that is shown.
const LINE: usize = 8;

impl PlayedGame {
    /// Lets the agents take their seats.
    pub(super) fn seat_agents(&mut self) -> Result<(), Failure> {
        for (player, seat) in Player::all(self.seats.len()).zip(&self.seats) {
            if let Controller::Agent(agent) = seat {
                self.live.seat(player, agent).map_err(|e| {
                    let hint = "`ludens agents` lists all agents and their settings";
                    Failure::from(e.about("--against")).with_hint(hint)
                })?;
            }
        }
        Ok(())
    }

    /// The player to move, if the game is not over.
    pub(super) fn mover(&self) -> Option<Player> {
        match self.live.turn() {
            Turn::Player(player) => Some(player),
            Turn::Over => None,
            Turn::Chance => unreachable!("chance draws by itself"),
        }
    }

    /// Whether a human is to move.
    pub(super) fn awaits_human(&self) -> bool {
        self.mover().is_some_and(|player| self.seats[player.index()] == Controller::Human)
    }

    pub(super) fn is_legal(&self, text: &str) -> bool {
        self.legal_texts().iter().any(|legal| legal.eq_ignore_ascii_case(text))
    }

    pub(super) fn legal_texts(&self) -> Vec<String> {
        self.live.legal().into_iter().map(|(_, text)| text).collect()
    }

    /// Goes back to where a human last moved. False if none has.
    pub(super) fn take_back(&mut self) -> bool {
        let (mut earlier, mut moves) = (self.live.fork(), 0);
        while earlier.undo() {
            moves += 1;
            if let Turn::Player(player) = earlier.turn()
                && self.seats[player.index()] == Controller::Human
            {
                return (0..moves).all(|_| self.live.undo());
            }
        }
        false
    }

    /// Everybody takes the seat of the next player.
    pub(super) fn change_sides(&mut self) -> Result<(), Failure> {
        self.seats.rotate_right(1);
        self.seat_agents()
    }

    /// A copy of the board with an advisor seated for the player to move.
    pub(super) fn advice(&self) -> Result<Box<dyn LiveGame>, Invalid> {
        let player = self.mover().ok_or_else(|| Invalid("the game is over".into()))?;
        let mut board = self.live.fork();
        if let Some(advisor) = &self.advisor {
            board.seat(player, advisor).map_err(|e| e.about("--hints"))?;
            return Ok(board);
        }
        let mut refused = Invalid(String::new());
        for advisor in ADVISORS {
            match board.seat(player, advisor) {
                Ok(()) => return Ok(board),
                Err(reason) => refused = reason,
            }
        }
        Err(refused)
    }

    /// Writes the game to a file that [`PlayedGame::load`] reads.
    pub(super) fn save(&self, path: &Path) -> Result<(), Failure> {
        let record = Record {
            game: self.game.info().spec.clone(),
            players: self.seats.iter().map(ToString::to_string).collect(),
            ..self.live.record()
        };
        file::write(path, &record.to_line())
    }

    /// Goes on with a saved game, or with the first game of a record; seats stay as they are.
    pub(super) fn load(&mut self, path: &Path) -> Result<(), Failure> {
        let at = |reason: String| Failure::impossible(format_args!("{}: {reason}", path.display()));
        let text = file::read("the saved game", path)?;
        let record = Record::parse(text.lines().next().unwrap_or_default());
        let record = record.map_err(|e| at(e.to_string()))?;
        let spec = &self.game.info().spec;
        if record.game != *spec {
            return Err(at(format!("field game: expected {spec}, found {}", record.game)));
        }
        self.live.replay(&record).map_err(|e| at(e.to_string()))
    }

    /// The result of the game, for the human players.
    pub(super) fn result(&self) -> String {
        if self.live.history().is_empty() {
            return "This game had already ended.".into();
        }
        let players = self.seats.len();
        let is_human = |player: &Player| self.seats[player.index()] == Controller::Human;
        let humans: Vec<Player> = Player::all(players).filter(is_human).collect();
        words::outcome(self.live.rewards(), players, &humans)
    }

    /// The command that continues this game later.
    pub(super) fn farewell(&self) -> String {
        let state = self.live.state_text();
        format!("You left the game. To go on: {} --state \"{state}\"", self.again())
    }

    /// Who plays, in words.
    pub(super) fn players_in_words(&self) -> String {
        let name = |(i, seat): (usize, &Controller)| {
            let who = match seat {
                Controller::Human => "you".into(),
                Controller::Agent(agent) => described(agent),
            };
            format!("{} {} is {who}", if i == 0 { "Player" } else { "player" }, i + 1)
        };
        self.seats.iter().enumerate().map(name).collect::<Vec<_>>().join(", ")
    }

    /// How to choose other opponents, if the usual ones play.
    pub(super) fn offer(&self) -> Option<String> {
        let opponents = Opponents::of(&*self.game);
        let usual = Controller::Agent(opponents.usual.clone());
        self.seats.contains(&usual).then(|| opponents.offer())
    }

    /// The command that leads to the same seats.
    fn again(&self) -> String {
        let spec = &self.game.info().spec;
        if !self.seats.contains(&Controller::Human) {
            let agents = self.seats.iter().map(|agent| format!(" \"{agent}\""));
            return format!("ludens watch {spec}{}", agents.collect::<String>());
        }
        let mut command = format!("ludens play {spec}");
        let (mut humans, mut agents) = (Vec::new(), Vec::new());
        for (number, seat) in (1..).zip(&self.seats) {
            match seat {
                Controller::Human => humans.push(format!("{number}")),
                Controller::Agent(agent) => agents.push(agent.as_str()),
            }
        }
        if humans != ["1"] {
            command += &format!(" --as {}", humans.join(","));
        }
        // The last one is repeated for all who are left.
        while agents.len() > 1 && agents[agents.len() - 2] == agents[agents.len() - 1] {
            agents.pop();
        }
        if !agents.is_empty() && agents != [Opponents::of(&*self.game).usual] {
            agents.iter().for_each(|agent| command += &format!(" --against \"{agent}\""));
        }
        command
    }
}

/// The analysis of the advisor on this board.
pub(super) fn advise(board: &mut dyn LiveGame) -> Result<Analysis, String> {
    let opinion = board.study(LINE).ok_or("the game is over")?;
    if opinion.line.is_empty() {
        let advice = board.choose().map_err(|e| e.to_string())?;
        return Ok(Analysis { line: vec![advice.text], ..opinion });
    }
    Ok(opinion)
}
