//! The contributions to a learned value in one state.

use crate::training::open_shared;
use ludens_core::{CellLayout, Invalid, Move, Notation, Player, Turn};
use ludens_learn::config::{TuplesConfig, ValueConfig};
use ludens_learn::{Config, Scope, Value};
use ludens_values::Active;

/// The contributions to a learned value in one state.
#[derive(Clone, Debug, PartialEq)]
pub struct Breakdown {
    /// The player who moved to the state.
    pub player: Player,
    /// The value for that player.
    pub value: f32,
    /// The sum of all addends.
    pub sum: f32,
    /// All look-ups of the network.
    pub addends: Vec<Addend>,
}

/// The contribution of one tuple on one symmetric image of the board.
#[derive(Clone, Debug, PartialEq)]
pub struct Addend {
    /// The number of the tuple.
    pub tuple: usize,
    /// The cells that it reads.
    pub cells: Vec<u16>,
    /// The weight that the tuple adds.
    pub weight: f32,
}

/// Takes apart what the value in a file says of `mv` in the state `before`.
pub(crate) fn break_down<G: Notation>(
    game: &G,
    path: &str,
    before: &G::State,
    mv: Move,
) -> Result<Breakdown, Invalid> {
    let (value, config) = open_shared(game, path)?;
    let lookups = lookups(&config, &game.layout())
        .ok_or_else(|| Invalid(format!("{path}: only n-tuple networks can be taken apart")))?;
    let Turn::Player(player) = game.turn(before) else {
        return Err(Invalid("no player is to move".into()));
    };
    let (mut value, mut active) = (value.fork(), Active::default());
    value.perspective.inverted ^= value.reversed && player == Player(1);
    evaluate(&mut value, game, before, (player, mv), &mut active)?;
    let for_player = value.perspective.sign(player) * value.rewards.outcome(active.value);
    let weights = value.net.addends(&active);
    let addend = |((tuple, cells), weight)| Addend { tuple, cells, weight };
    let addends = lookups.into_iter().zip(weights).map(addend).collect();
    Ok(Breakdown { player, value: for_player, sum: active.sum, addends })
}

fn evaluate<G: Notation>(
    value: &mut Value<G>,
    game: &G,
    before: &G::State,
    (player, mv): (Player, Move),
    active: &mut Active,
) -> Result<(), Invalid> {
    if let Scope::Moves { .. } = value.scope {
        value.look_at_move(game, before, player, mv, active);
        return Ok(());
    }
    let mut after = before.clone();
    game.play(&mut after, mv);
    if game.turn(&after) == Turn::Over && value.scope == Scope::Afterstates && !value.judge_ends {
        return Err(Invalid("the game is over after this move: the rules tell its value".into()));
    }
    value.look(game, &after, player, active);
    Ok(())
}

/// The tuple and the cells of each look-up, image by image.
fn lookups(config: &Config, layout: &CellLayout) -> Option<Vec<(usize, Vec<u16>)>> {
    let ValueConfig::Ntuple(ntuple) = &config.value else { return None };
    let TuplesConfig::Listed(tuples) = &ntuple.tuples else { return None };
    let images = if ntuple.symmetries { layout.symmetries.len() } else { 1 };
    let on = |symmetry: &Vec<u16>| {
        let carried = |cells: &Vec<u16>| cells.iter().map(|&c| symmetry[usize::from(c)]).collect();
        tuples.iter().map(carried).enumerate().collect::<Vec<_>>()
    };
    Some(layout.symmetries[..images].iter().flat_map(on).collect())
}
