//! The contributions to a learned value in one state.

use crate::training::open_shared;
use ludens_approx::Evaluation;
use ludens_core::{CellLayout, Invalid, Move, Player, TrainableGame, Turn};
use ludens_learn::config::{TuplesConfig, ValueConfig};
use ludens_learn::{Config, Value, ValueKind};

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
pub(crate) fn break_down<G: TrainableGame>(
    game: &G,
    path: &str,
    before: &G::State,
    mv: Move,
) -> Result<Breakdown, Invalid> {
    let opened = open_shared(game, path)?;
    let lookups = lookups(&opened.config, &game.layout())
        .ok_or_else(|| Invalid(format!("{path}: only n-tuple networks can be taken apart")))?;
    let Turn::Player(player) = game.turn(before) else {
        return Err(Invalid("no player is to move".into()));
    };
    let (mut value, mut evaluation) = (opened.value.fork(), Evaluation::default());
    value.spec.swapped ^= value.spec.reversed && player == Player(1);
    evaluate(&mut value, game, before, (player, mv), &mut evaluation)?;
    let for_player = value.spec.sign(player) * value.spec.rewards.outcome(evaluation.value);
    let tensors = value.network.tensors();
    let set_size = tensors[0].shape[1];
    let set = &tensors[0].data[evaluation.weight_set * set_size..][..set_size];
    let weights = evaluation.features.iter().map(|&feature| set[feature as usize]);
    let addend = |((tuple, cells), weight)| Addend { tuple, cells, weight };
    let addends = lookups.into_iter().zip(weights).map(addend).collect();
    Ok(Breakdown { player, value: for_player, sum: evaluation.sum, addends })
}

fn evaluate<G: TrainableGame>(
    value: &mut Value<G>,
    game: &G,
    before: &G::State,
    (player, mv): (Player, Move),
    out: &mut Evaluation,
) -> Result<(), Invalid> {
    if let ValueKind::Action { .. } = value.spec.kind {
        value.evaluate_action(game, before, player, mv, out);
        return Ok(());
    }
    let mut after = before.clone();
    game.play(&mut after, mv);
    let by_rules = value.spec.kind == ValueKind::Afterstate && !value.spec.bootstrap_terminal;
    if game.turn(&after) == Turn::Over && by_rules {
        return Err(Invalid("the game is over after this move: the rules tell its value".into()));
    }
    value.evaluate(game, &after, player, out);
    Ok(())
}

/// The tuple and the cells of each lookup, image by image.
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
