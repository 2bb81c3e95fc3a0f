//! `ludens games`: which games there are.

use crate::console::Console;
use crate::failure::Failure;
use crate::game_arg;
use crate::settings::{self, SettingDescription};
use crate::text_table::TextTable;
use crate::words::yes_no;
use ludens_registry::{AnyGame, GAMES};
use serde::Serialize;
use std::io::Write;

/// Lists all games, or describes one.
#[derive(clap::Args)]
#[command(after_help = "Examples:
  ludens games
  ludens games tictactoe
  ludens games --json")]
pub(crate) struct GamesArgs {
    /// Describe this game: name or name:key=value,...
    #[arg(value_name = "NAME")]
    name: Option<String>,

    /// Print one JSON document
    #[arg(long)]
    json: bool,
}

#[derive(Serialize)]
struct GameList {
    games: Vec<GameDescription>,
}

#[derive(Serialize)]
struct GameDescription {
    name: &'static str,
    game: String,
    title: &'static str,
    about: &'static str,
    players: usize,
    chance: bool,
    moves: usize,
    board: BoardDescription,
    symmetries: usize,
    settings: Vec<SettingDescription>,
}

#[derive(Serialize)]
struct BoardDescription {
    width: usize,
    height: usize,
    values: u8,
}

impl GamesArgs {
    pub(crate) fn run(self, out: &mut Console) -> Result<(), Failure> {
        match (self.name, self.json) {
            (Some(name), false) => print(&*game_arg::open(&name)?, out),
            (Some(name), true) => out.json(&describe(&*game_arg::open(&name)?)),
            (None, false) => list()?.write(out),
            (None, true) => {
                let games = all()?.iter().map(|game| describe(&**game)).collect();
                out.json(&GameList { games })
            }
        }
    }
}

fn all() -> Result<Vec<Box<dyn AnyGame>>, Failure> {
    GAMES.iter().map(|entry| game_arg::open(entry.name)).collect()
}

fn list() -> Result<TextTable, Failure> {
    let mut table = TextTable::new(&[
        "name",
        "title",
        ">players",
        "chance",
        "board",
        ">symmetries",
        "settings",
    ]);
    for game in all()? {
        let (info, entry) = (game.info(), game_arg::entry_of(&*game));
        let mut settings = entry.settings.iter().map(settings::brief);
        table.row(vec![
            entry.name.into(),
            entry.title.into(),
            info.players.to_string(),
            yes_no(info.chance).into(),
            format!("{} x {}", info.width, info.height),
            info.symmetries.to_string(),
            settings.next().unwrap_or_else(|| "-".into()),
        ]);
        for setting in settings {
            let mut row = vec![String::new(); 6];
            row.push(setting);
            table.row(row);
        }
    }
    Ok(table)
}

fn print(game: &dyn AnyGame, out: &mut Console) -> Result<(), Failure> {
    let (info, entry) = (game.info(), game_arg::entry_of(game));
    writeln!(out, "{}  {}", out.bold(&info.spec), entry.title)?;
    writeln!(out, "{}\n", entry.about)?;
    writeln!(out, "players     {}", info.players)?;
    writeln!(out, "chance      {}", yes_no(info.chance))?;
    writeln!(out, "board       {} x {} cells of {} values", info.width, info.height, info.values)?;
    writeln!(out, "symmetries  {}", info.symmetries)?;
    writeln!(out, "moves       {}", info.moves)?;
    if !entry.settings.is_empty() {
        writeln!(out)?;
        settings::table(entry.settings).write(out)?;
    }
    let (scene, text) = game.start();
    out.draw(&scene)?;
    writeln!(out, "start       {text}")?;
    Ok(())
}

fn describe(game: &dyn AnyGame) -> GameDescription {
    let (info, entry) = (game.info(), game_arg::entry_of(game));
    GameDescription {
        name: entry.name,
        game: info.spec.clone(),
        title: entry.title,
        about: entry.about,
        players: info.players,
        chance: info.chance,
        moves: info.moves,
        board: BoardDescription { width: info.width, height: info.height, values: info.values },
        symmetries: info.symmetries,
        settings: entry.settings.iter().map(SettingDescription::from).collect(),
    }
}
