//! The state of the screen, and the handling of keys.

use super::super::command::PlayerCommand;
use super::super::played_game::{PlayedGame, advise};
use super::cursor::{self, Direction};
use super::pace::Pace;
use crate::game_arg::entry_of;
use ludens_core::{Forfeit, Move, Scene};
use ludens_registry::{Advice, Analysis};
use ratatui::crossterm::event::{KeyCode, KeyEvent, KeyModifiers};
use std::sync::mpsc::{Receiver, TryRecvError, channel};
use std::time::{Duration, Instant};

/// A game on the screen.
pub(super) struct App {
    /// `None` while an agent is thinking.
    played_game: Option<PlayedGame>,
    pub(super) shown: Snapshot,
    thinking: Option<Receiver<(PlayedGame, Result<Advice, Forfeit>)>>,
    /// The pending analysis of the state in the first field.
    advising: Option<Receiver<(String, Result<Analysis, String>)>>,
    pub(super) opinion: Option<Analysis>,
    pub(super) values_wanted: bool,
    hint_wanted: bool,
    since: Instant,
    pub(super) cursor: Option<usize>,
    pub(super) input: String,
    pub(super) message: String,
    pub(super) help: bool,
    pub(super) color: bool,
    /// The pace of a game without humans.
    pub(super) pace: Option<Pace>,
    /// An agent has forfeited.
    given_up: bool,
    left: bool,
}

/// The data that is drawn while an agent has the board.
#[derive(Default)]
pub(super) struct Snapshot {
    pub(super) title: String,
    pub(super) players: Vec<String>,
    pub(super) mover: Option<usize>,
    pub(super) human: bool,
    pub(super) scene: Scene,
    pub(super) legal: Vec<(Move, String)>,
    pub(super) targets: Vec<usize>,
    pub(super) history: Vec<String>,
    pub(super) gains: Vec<f32>,
    state: String,
    farewell: String,
}

/// How long to wait for an agent when the human quits: it may own another process.
const QUIT_TIMEOUT: Duration = Duration::from_secs(2);

impl App {
    pub(super) fn new(played_game: PlayedGame, seed: u64, color: bool) -> App {
        let message = match played_game.offer() {
            Some(offer) => format!("{offer} Press ? for help."),
            None => format!("Seed {seed}. Press ? for help."),
        };
        let mut app = App {
            shown: Snapshot::of(&played_game),
            played_game: Some(played_game),
            thinking: None,
            advising: None,
            opinion: None,
            values_wanted: false,
            hint_wanted: false,
            since: Instant::now(),
            cursor: None,
            input: String::new(),
            message,
            help: false,
            color,
            pace: None,
            given_up: false,
            left: false,
        };
        app.place_cursor();
        app
    }

    /// The same with so much time between the moves of agents.
    pub(super) fn with_pace(self, between_moves: Duration) -> App {
        App { pace: Some(Pace::new(between_moves)), message: String::new(), ..self }
    }

    /// How long to wait for keys, at most.
    pub(super) fn wait(&self, at_most: Duration) -> Duration {
        let idle = self.thinking.is_some() || self.shown.mover.is_none();
        self.pace.as_ref().filter(|_| !idle).map_or(at_most, |pace| pace.wait(at_most))
    }

    /// Closes the screen.
    pub(super) fn leave(&mut self) {
        self.left = true;
    }

    pub(super) fn is_left(&self) -> bool {
        self.left
    }

    /// The text to print after the screen is closed.
    pub(super) fn farewell(mut self) -> String {
        if let Some(thinking) = self.thinking.take() {
            let _ = thinking.recv_timeout(QUIT_TIMEOUT);
        }
        match &self.played_game {
            Some(played_game) if played_game.mover().is_none() => played_game.result(),
            _ => self.shown.farewell,
        }
    }

    /// How long the agent has been thinking, if it is.
    pub(super) fn thinking(&self) -> Option<Duration> {
        self.thinking.is_some().then(|| self.since.elapsed())
    }

    /// Whether an analysis is pending.
    pub(super) fn advising(&self) -> bool {
        self.advising.is_some()
    }

    /// Processes finished computations and starts the next ones.
    pub(super) fn advance(&mut self) {
        self.take_move();
        self.take_advice();
        let Some(played_game) = &self.played_game else { return };
        if played_game.mover().is_none() || self.given_up {
            return;
        }
        if !played_game.awaits_human() {
            if self.pace.as_mut().is_none_or(Pace::allows_move) {
                self.ask_agent();
            }
        } else if (self.values_wanted || self.hint_wanted) && self.opinion.is_none() {
            self.ask_advisor();
        }
    }

    fn ask_agent(&mut self) {
        let Some(mut played_game) = self.played_game.take() else { return };
        let (sender, receiver) = channel();
        std::thread::spawn(move || {
            let chosen = played_game.live.choose();
            // The receiver is gone if the human has quit.
            let _ = sender.send((played_game, chosen));
        });
        (self.thinking, self.since) = (Some(receiver), Instant::now());
    }

    fn take_move(&mut self) {
        let Some((played_game, chosen)) =
            self.thinking.as_ref().and_then(|receiver| receiver.try_recv().ok())
        else {
            return;
        };
        self.thinking = None;
        let player = self.shown.mover.unwrap_or(0) + 1;
        self.played_game = Some(played_game);
        match chosen {
            Ok(Advice { text, choice }) => {
                let value = choice.value.map_or(String::new(), |v| format!(", expecting {v:+.2}"));
                self.message = format!("Player {player} plays {text}{value}.");
                self.play(&text);
            }
            Err(reason) => {
                self.given_up = true;
                self.message = format!("Player {player} gives up and loses: {reason}.");
            }
        }
    }

    fn ask_advisor(&mut self) {
        if self.advising.is_some() {
            return;
        }
        let Some(played_game) = &self.played_game else { return };
        let (state, board) = (self.shown.state.clone(), played_game.advice());
        let (sender, receiver) = channel();
        std::thread::spawn(move || {
            let advised =
                board.map_err(|e| e.to_string()).and_then(|mut board| advise(&mut *board));
            let _ = sender.send((state, advised));
        });
        self.advising = Some(receiver);
    }

    fn take_advice(&mut self) {
        let Some(receiver) = &self.advising else { return };
        let advised = match receiver.try_recv() {
            Ok((state, advised)) if state == self.shown.state => Some(advised),
            Err(TryRecvError::Empty) => return,
            _ => None,
        };
        self.advising = None;
        match advised {
            Some(Ok(opinion)) => {
                if std::mem::take(&mut self.hint_wanted) {
                    self.message = format!("Hint: {}.", opinion.line.join(", then "));
                    self.point_at(opinion.line.first());
                }
                self.opinion = Some(opinion);
            }
            Some(Err(reason)) => {
                (self.hint_wanted, self.values_wanted) = (false, false);
                self.message = format!("There is no hint: {reason}.");
            }
            None => {}
        }
    }

    /// A key was pressed.
    pub(super) fn press(&mut self, key: KeyEvent) {
        if self.pace.is_some() {
            return self.press_watching(key);
        }
        let control = key.modifiers.contains(KeyModifiers::CONTROL);
        if self.help && !control {
            self.help = false;
            return;
        }
        match key.code {
            KeyCode::Char('c' | 'q') if control => self.left = true,
            KeyCode::Char('z') if control => self.command(PlayerCommand::Undo),
            KeyCode::Char(_) if control => {}
            KeyCode::Left => self.go(Direction::Left),
            KeyCode::Right => self.go(Direction::Right),
            KeyCode::Up => self.go(Direction::Up),
            KeyCode::Down => self.go(Direction::Down),
            KeyCode::Char('?') => self.help = true,
            KeyCode::Char('!') if self.input.is_empty() => self.command(PlayerCommand::Hint),
            KeyCode::Tab => self.command(PlayerCommand::Values),
            KeyCode::Backspace if self.input.is_empty() => self.command(PlayerCommand::Undo),
            KeyCode::Backspace => drop(self.input.pop()),
            KeyCode::Esc => self.input.clear(),
            KeyCode::Char(letter) => self.input.push(letter),
            KeyCode::Enter => self.enter(),
            _ => {}
        }
    }

    /// Plays what was typed, or where the cursor is.
    fn enter(&mut self) {
        let typed = std::mem::take(&mut self.input);
        let known =
            |text: &str| self.shown.legal.iter().any(|(_, legal)| legal.eq_ignore_ascii_case(text));
        let command = match PlayerCommand::read(&typed, known) {
            PlayerCommand::Nothing => {
                self.pointed_at().map_or(PlayerCommand::Nothing, PlayerCommand::Play)
            }
            command => command,
        };
        self.command(command);
    }

    fn command(&mut self, command: PlayerCommand) {
        match command {
            PlayerCommand::Quit => return self.left = true,
            PlayerCommand::Help => return self.help = true,
            PlayerCommand::Values => return self.values_wanted = !self.values_wanted,
            PlayerCommand::Nothing | PlayerCommand::Board => return,
            _ => {}
        }
        let Some(played_game) = &mut self.played_game else {
            return self.message = "Wait until the other player has moved.".into();
        };
        let done = match command {
            PlayerCommand::Undo if played_game.take_back() => Ok("Taken back."),
            PlayerCommand::Undo => Ok("You have not played yet."),
            PlayerCommand::Side => played_game.change_sides().map(|()| "You have changed sides."),
            PlayerCommand::Save(path) => {
                played_game.save(&path).map(|()| "The game is written down.")
            }
            PlayerCommand::Load(path) => played_game.load(&path).map(|()| "The game continues."),
            PlayerCommand::Moves => return self.message = played_game.legal_texts().join(" "),
            PlayerCommand::State => return self.message = played_game.live.state_text(),
            PlayerCommand::Hint => return self.hint_wanted = played_game.awaits_human(),
            PlayerCommand::Play(text) => return self.play_human(&text),
            _ => return,
        };
        self.message = done.map_or_else(|failure| failure.to_string(), Into::into);
        self.given_up = false;
        self.refresh();
    }

    fn play_human(&mut self, text: &str) {
        if self.played_game.as_ref().is_some_and(|played_game| !played_game.awaits_human()) {
            return;
        }
        self.message.clear();
        self.play(text);
    }

    fn play(&mut self, text: &str) {
        let Some(played_game) = &mut self.played_game else { return };
        let before = played_game.live.history().len();
        match played_game.live.play(text) {
            Ok(_) => {
                let drawn = played_game.live.history().split_off(before + 1).join(" ");
                if !drawn.is_empty() {
                    self.message += &format!(" Chance draws {}.", drawn.replace(['(', ')'], ""));
                }
            }
            Err(reason) => self.message = reason.to_string(),
        }
        self.refresh();
    }

    /// Shows what has become of the board.
    fn refresh(&mut self) {
        let Some(played_game) = &self.played_game else { return };
        let before = std::mem::replace(&mut self.shown, Snapshot::of(played_game));
        if before.state != self.shown.state {
            (self.opinion, self.hint_wanted) = (None, false);
        }
        if played_game.mover().is_none() {
            let keys = if self.pace.is_some() { "q" } else { "Backspace takes back, Ctrl-C" };
            self.message = format!("{} {keys} leaves.", played_game.result());
        }
        if self.cursor.is_none_or(|at| !self.shown.targets.contains(&at)) {
            self.place_cursor();
        }
    }

    /// Moves the cursor, or plays where moves are directions.
    fn go(&mut self, direction: Direction) {
        let word = direction.word();
        if let Some(cursor) = self.cursor {
            let Snapshot { scene, targets, .. } = &self.shown;
            self.cursor = Some(cursor::step(scene, targets, cursor, direction));
        } else if self.shown.legal.iter().any(|(_, text)| text == word) {
            self.command(PlayerCommand::Play(word.into()));
        }
    }

    /// Near to where it was, or in the middle.
    fn place_cursor(&mut self) {
        let Snapshot { scene, targets, .. } = &self.shown;
        let near = self.cursor.and_then(|at| scene.cells.get(at)).map(|cell| (cell.x, cell.y));
        let distance =
            |i: &usize, (x, y): (f32, f32)| (scene.cells[*i].x - x).hypot(scene.cells[*i].y - y);
        self.cursor = match near {
            Some(at) => {
                targets.iter().copied().min_by(|a, b| distance(a, at).total_cmp(&distance(b, at)))
            }
            None => cursor::middle(scene, targets),
        };
    }

    fn pointed_at(&self) -> Option<String> {
        let mv = self.shown.scene.cells.get(self.cursor?)?.mv?;
        self.shown.legal.iter().find(|(legal, _)| *legal == mv).map(|(_, text)| text.clone())
    }

    fn point_at(&mut self, text: Option<&String>) {
        let Snapshot { scene, targets, legal, .. } = &self.shown;
        let mv = legal.iter().find(|(_, legal)| Some(legal) == text).map(|(mv, _)| *mv);
        let target = targets.iter().copied().find(|i| scene.cells[*i].mv == mv);
        self.cursor = target.or(self.cursor);
    }
}

impl Snapshot {
    fn of(played_game: &PlayedGame) -> Snapshot {
        let scene = played_game.live.scene();
        let legal = played_game.live.legal();
        let human = played_game.awaits_human();
        let moves: Vec<Move> = legal.iter().map(|(mv, _)| *mv).collect();
        let targets = if human { cursor::targets(&scene, &moves) } else { Vec::new() };
        Snapshot {
            title: entry_of(&*played_game.game).title.into(),
            players: played_game.seats.iter().map(ToString::to_string).collect(),
            mover: played_game.mover().map(ludens_core::Player::index),
            human,
            targets,
            scene,
            legal,
            history: played_game.live.history(),
            gains: played_game.live.rewards().first(played_game.seats.len()).to_vec(),
            state: played_game.live.state_text(),
            farewell: played_game.farewell(),
        }
    }
}
