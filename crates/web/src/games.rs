//! Which games there are.

use crate::agents::adviser;
use crate::position::mover;
use crate::problem::Problem;
use crate::routes::Plain;
use crate::settings::SettingTold;
use crate::shared::Shared;
use ludens_core::{Invalid, Rng};
use ludens_lab::presets_of;
use ludens_registry::{AnyGame, GAMES, GameEntry, open_game};
use schemars::JsonSchema;
use serde::{Deserialize, Serialize};
use std::sync::Arc;

/// Every game.
#[derive(Serialize, JsonSchema)]
pub(crate) struct Games {
    games: Vec<GameTold>,
}

/// Which game.
#[derive(Deserialize, JsonSchema)]
#[serde(deny_unknown_fields)]
pub(crate) struct Named {
    /// The name of the game.
    name: String,
}

/// A game, with a picture of its board.
#[derive(Serialize, JsonSchema)]
pub(crate) struct GameTold {
    name: String,
    title: String,
    about: String,
    players: usize,
    chance: bool,
    moves: usize,
    board: Board,
    settings: Vec<SettingTold>,
    /// The board at the start.
    svg: String,
    /// The board in the midst of a game.
    picture: String,
    /// The state at the start.
    state: String,
    /// The page about it.
    page: String,
    /// Whether somebody plays it without error.
    perfect: bool,
    /// Settings for learning it that have a name.
    presets: Vec<String>,
}

/// Cells in a row, and rows.
#[derive(Serialize, JsonSchema)]
struct Board {
    width: usize,
    height: usize,
}

/// Longest game that a picture is taken from.
const LONGEST: usize = 120;

/// `GET /api/games`
pub(crate) fn list(_: &Arc<Shared>, _: Plain) -> Result<Games, Problem> {
    let games = GAMES.iter().map(describe).collect::<Result<_, _>>()?;
    Ok(Games { games })
}

/// `GET /api/games/{name}`
pub(crate) fn one(_: &Arc<Shared>, Named { name }: Named) -> Result<GameTold, Problem> {
    let known = GAMES.iter().find(|entry| entry.name == name);
    let known = known.ok_or_else(|| {
        let Invalid(reason) = Invalid::unknown("game", &name, GAMES.iter().map(|e| e.name));
        Problem::unknown(reason)
    })?;
    describe(known)
}

fn describe(entry: &GameEntry) -> Result<GameTold, Problem> {
    let game = open_game(entry.name)?;
    let (info, (scene, state)) = (game.info(), game.start());
    Ok(GameTold {
        name: entry.name.into(),
        title: entry.title.into(),
        about: entry.about.into(),
        players: info.players,
        chance: info.chance,
        moves: info.moves,
        board: Board { width: info.width, height: info.height },
        settings: entry.settings.iter().map(SettingTold::from).collect(),
        svg: scene.to_svg(),
        picture: picture(&*game)?,
        state,
        page: format!("games/{}", entry.name),
        perfect: adviser(&*game) == "perfect",
        presets: presets_of(entry.name).map(|preset| preset.name.into()).collect(),
    })
}

/// The board after about a third of a random game.
fn picture(game: &dyn AnyGame) -> Result<String, Problem> {
    let mut live = game.live(1);
    let mut rng = Rng::seeded(1);
    while mover(&*live).is_some() && live.history().len() < LONGEST {
        let legal = live.legal();
        live.play(&legal[rng.below(legal.len())].1)?;
    }
    let moves = live.movers().iter().flatten().count();
    for _ in moves / 3..moves {
        live.undo();
    }
    Ok(live.scene().to_svg())
}
