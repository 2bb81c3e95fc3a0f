//! Which games there are.

use crate::agents::adviser;
use crate::app_state::AppState;
use crate::position::mover;
use crate::problem::Problem;
use crate::routes::NoInput;
use crate::settings::SettingView;
use ludens_core::{Invalid, Params, Rng};
use ludens_lab::presets_of;
use ludens_registry::{AnyGame, GAMES, GameEntry, PluginGame, listed_games, open_game};
use schemars::JsonSchema;
use serde::{Deserialize, Serialize};
use std::sync::Arc;

/// Every game.
#[derive(Serialize, JsonSchema)]
#[serde(rename = "Games")]
pub(crate) struct GamesView {
    games: Vec<GameDetails>,
}

/// Which game.
#[derive(Deserialize, JsonSchema)]
#[serde(rename = "Named", deny_unknown_fields)]
pub(crate) struct GameByName {
    /// The name of the game; with settings, they are left aside.
    name: String,
}

/// A game, with a picture of its board.
#[derive(Serialize, JsonSchema)]
#[serde(rename = "GameTold")]
pub(crate) struct GameDetails {
    name: String,
    title: String,
    about: String,
    players: usize,
    chance: bool,
    moves: usize,
    board: BoardSize,
    settings: Vec<SettingView>,
    /// The board at the start.
    svg: String,
    /// The board in the midst of a game.
    picture: String,
    /// The state at the start.
    state: String,
    /// The page about it, if there is one.
    page: Option<String>,
    /// Whether somebody plays it without error.
    perfect: bool,
    /// Settings for learning it that have a name.
    presets: Vec<String>,
}

/// Cells in a row, and rows.
#[derive(Serialize, JsonSchema)]
#[serde(rename = "Board")]
struct BoardSize {
    width: usize,
    height: usize,
}

/// Longest game that a picture is taken from.
const LONGEST: usize = 120;

/// `GET /api/games`
pub(crate) fn list(_: &Arc<AppState>, _: NoInput) -> Result<GamesView, Problem> {
    let ours = GAMES.iter().map(of_table);
    let games = ours.chain(listed_games().into_iter().map(from_plugin));
    Ok(GamesView { games: games.collect::<Result<_, _>>()? })
}

/// `GET /api/games/{name}`
pub(crate) fn one(
    _: &Arc<AppState>,
    GameByName { name }: GameByName,
) -> Result<GameDetails, Problem> {
    let params: Option<Params> = name.parse().ok();
    let named = |entry: &&GameEntry| params.as_ref().is_some_and(|p| p.name == entry.name);
    if let Some(entry) = GAMES.iter().find(named) {
        return of_table(entry);
    }
    let spec = open_game(&name).map(|game| game.info().spec.clone()).ok();
    let listed = listed_games().into_iter().find(|listed| Some(&listed.spec) == spec.as_ref());
    let listed = listed.ok_or_else(|| {
        let Invalid(reason) = Invalid::unknown("game", &name, GAMES.iter().map(|e| e.name));
        Problem::unknown(reason)
    })?;
    from_plugin(listed)
}

fn of_table(entry: &GameEntry) -> Result<GameDetails, Problem> {
    let details = describe(&*open_game(entry.name)?, entry.about)?;
    Ok(GameDetails {
        name: entry.name.into(),
        settings: entry.settings.iter().map(SettingView::from).collect(),
        page: Some(format!("games/{}", entry.name)),
        presets: presets_of(entry.name).map(|preset| preset.name.into()).collect(),
        ..details
    })
}

fn from_plugin(PluginGame { spec, about }: PluginGame) -> Result<GameDetails, Problem> {
    describe(&*open_game(&spec)?, &about)
}

fn describe(game: &dyn AnyGame, about: &str) -> Result<GameDetails, Problem> {
    let (info, (scene, state)) = (game.info(), game.start());
    Ok(GameDetails {
        name: info.spec.clone(),
        title: info.title.clone(),
        about: about.into(),
        players: info.players,
        chance: info.chance,
        moves: info.moves,
        board: BoardSize { width: info.width, height: info.height },
        settings: Vec::new(),
        svg: scene.to_svg(),
        picture: picture(game)?,
        state,
        page: None,
        perfect: adviser(game) == "perfect",
        presets: Vec::new(),
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
