//! Which n-tuples make up what a learned value says.

use crate::app_state::AppState;
use crate::position::{number, position_request};
use crate::problem::Problem;
use ludens_core::scene::Shape;
use ludens_registry::{AnyGame, Breakdown};
use schemars::JsonSchema;
use serde::Serialize;
use std::sync::Arc;

position_request! {
    /// What a learned value consists of is wanted.
    TuplesRequest {
        /// The run that learned it.
        run: String,
        /// The move whose value is meant; else the last one played.
        r#move: Option<String>,
        /// How many of the largest.
        count: Option<usize>,
    }
}

/// What a learned value consists of.
#[derive(Serialize, JsonSchema)]
pub(crate) struct Tuples {
    run: String,
    /// What it is worth to the player who moved there.
    value: f32,
    /// The sum before the output function.
    sum: f32,
    /// How many tuples were looked up, symmetric images included.
    of: usize,
    player: u8,
    /// The largest contributions first.
    tuples: Vec<TupleView>,
}

/// One contribution.
#[derive(Serialize, JsonSchema)]
#[serde(rename = "TupleTold")]
struct TupleView {
    tuple: usize,
    /// The places of the board that it reads.
    cells: Vec<u16>,
    weight: f32,
    /// Its part of all contributions, regardless of sign.
    share: f32,
}

/// The default and the maximum number of contributions.
const COUNT: usize = 10;
const MOST: usize = 200;

/// `POST /api/tuples`
pub(crate) fn tuples(app: &Arc<AppState>, mut request: TuplesRequest) -> Result<Tuples, Problem> {
    let position = request.position();
    let folder = app.folder(&request.run).map_err(|p| Problem::invalid(p.reason).of("run"))?;
    let path = ludens_lab::value_path(&folder.path)?;
    let game = position.open()?;
    let live = position.live(&*game)?;
    let path = path.display().to_string();
    let Breakdown { player, value, sum, mut addends } =
        live.breakdown(&path, request.r#move.as_deref())?;
    let of = addends.len();
    let all: f32 = addends.iter().map(|addend| addend.weight.abs()).sum();
    addends.sort_by(|a, b| b.weight.abs().total_cmp(&a.weight.abs()));
    addends.truncate(request.count.unwrap_or(COUNT).min(MOST));
    let drawn = has_place_for_each_cell(&*game);
    let view = |addend: ludens_registry::Addend| TupleView {
        tuple: addend.tuple,
        cells: if drawn { addend.cells } else { Vec::new() },
        weight: addend.weight,
        share: addend.weight.abs() / all.max(f32::MIN_POSITIVE),
    };
    let tuples = addends.into_iter().map(view).collect();
    Ok(Tuples { run: request.run, value, sum, of, player: number(player), tuples })
}

/// Whether the drawn cells are the cells of the learned value.
fn has_place_for_each_cell(game: &dyn AnyGame) -> bool {
    let (info, (scene, _)) = (game.info(), game.start());
    let places = scene.cells.iter().filter(|cell| cell.shape != Shape::None).count();
    places == info.width * info.height
}
