//! The game that an engine plays, as the Go Text Protocol sees it.

use ludens_core::{Invalid, Params, Player, Turn};
use ludens_registry::{AnyGame, GAMES, GameInfo, LiveGame, gtp_words, open_game};

/// A two-player game, and the agent that plays for the requested player.
pub(super) struct GtpBoard {
    game: Box<dyn AnyGame>,
    live: Box<dyn LiveGame>,
    agent: String,
    seated: [bool; 2],
    seed: u64,
}

impl GtpBoard {
    /// Opens the agent once, so that errors appear immediately.
    pub(super) fn new(
        game: Box<dyn AnyGame>,
        agent: String,
        seed: u64,
    ) -> Result<GtpBoard, Invalid> {
        check(game.info())?;
        let live = game.live(seed);
        let mut board = GtpBoard { game, live, agent, seated: [false; 2], seed };
        board.take_seat(Player(0))?;
        Ok(board)
    }

    pub(super) fn info(&self) -> &GameInfo {
        self.game.info()
    }

    pub(super) fn live(&mut self) -> &mut dyn LiveGame {
        &mut *self.live
    }

    pub(super) fn clear(&mut self) {
        self.seed = self.seed.wrapping_add(1);
        self.live = self.game.live(self.seed);
        self.seated = [false; 2];
    }

    /// Plays `game` from now on; nothing changes if that cannot be.
    pub(super) fn set_game(&mut self, game: &str) -> Result<(), Invalid> {
        *self = GtpBoard::new(open_game(game)?, self.agent.clone(), self.seed)?;
        Ok(())
    }

    /// The same game on a board of this size, if it has such boards.
    pub(super) fn set_size(&mut self, width: usize, height: usize) -> Result<(), Invalid> {
        let info = self.info();
        if (info.width, info.height) == (width, height) {
            self.clear();
            return Ok(());
        }
        let mut params: Params = info.spec.parse()?;
        let sizes = [("size", width), ("columns", width), ("rows", height)];
        let settings = GAMES.iter().find(|entry| entry.name == params.name);
        let settings = settings.map(|entry| entry.settings).unwrap_or_default();
        for (key, size) in sizes.iter().filter(|(key, _)| settings.iter().any(|s| s.key == *key)) {
            params.pairs.retain(|(k, _)| k != key);
            params.pairs.push(((*key).to_owned(), size.to_string()));
        }
        let game = open_game(&params.to_string())?;
        if (game.info().width, game.info().height) != (width, height) {
            return Err(Invalid(format!("{} has no such board", info.title)));
        }
        self.set_game(&params.to_string())
    }

    /// Lets `player` be the one to move, passing for the other who cannot but pass.
    pub(super) fn turn_to(&mut self, player: Player) -> Result<(), Invalid> {
        match self.live.turn() {
            Turn::Player(mover) if mover == player => Ok(()),
            Turn::Player(mover) => {
                let legal = self.live.legal();
                match legal.as_slice() {
                    [(_, only)] if only == "pass" => self.live.play("pass").map(|_| ()),
                    _ => Err(Invalid(format!("it is the turn of {}", gtp_words::colour(mover)))),
                }
            }
            _ => Err(Invalid("the game is over".into())),
        }
    }

    /// Plays a move as the other program writes it.
    pub(super) fn play(&mut self, text: &str) -> Result<(), Invalid> {
        let mut readings = gtp_words::readings(text).map(|reading| self.live.play(&reading));
        let first = readings.next().expect("there is one reading at least");
        first.or_else(|error| readings.find_map(Result::ok).ok_or(error)).map(|_| ())
    }

    /// Seats the agent for `player`, once a game.
    pub(super) fn take_seat(&mut self, player: Player) -> Result<(), Invalid> {
        if !self.seated[player.index()] {
            self.live.seat(player, &self.agent)?;
            self.seated[player.index()] = true;
        }
        Ok(())
    }
}

/// The games that the protocol can play, by the names people use.
pub(super) fn playable() -> impl Iterator<Item = (&'static str, &'static str)> {
    let fits = |name: &str| open_game(name).is_ok_and(|game| check(game.info()).is_ok());
    GAMES.iter().filter(move |e| fits(e.name)).map(|e| (e.name, e.title))
}

fn check(info: &GameInfo) -> Result<(), Invalid> {
    if info.players == 2 && !info.chance {
        return Ok(());
    }
    let what = "the Go Text Protocol plays games of two players without chance";
    Err(Invalid(format!("{what}; {} is none", info.title)))
}
