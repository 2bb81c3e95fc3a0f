//! Networks by configuration.

use super::size::{self, WeightCount};
use crate::config::{Config, NTupleConfig, TuplesConfig, ValueConfig};
use crate::{Encoder, ValueKind, ValueSpec};
use ludens_approx::linear::LinearSettings;
use ludens_approx::mlp::MlpSettings;
use ludens_approx::ntuple::{
    DuplicateFeatures, Lookups, NTupleSettings, lines, random_king_walks, random_points,
    random_walks,
};
use ludens_approx::rbf::RbfSettings;
use ludens_approx::table::TableSettings;
use ludens_approx::{Init, Network, NetworkSpec, StepRule, build_network};
use ludens_core::{CellFeatureKind, CellLayout, Invalid, Notation, Rng, TrainableGame};
use std::collections::HashMap;

/// The network of a configuration, and how it reads states.
pub(super) fn build<G: TrainableGame>(
    game: &G,
    config: &Config,
    spec: &ValueSpec,
    seed: u64,
    max_weights: u64,
) -> Result<(Box<dyn Network>, Encoder<G>), Invalid> {
    let Described { network, encoder, .. } = describe(game, config, spec, seed, max_weights)?;
    let rng = &mut Rng::derived(seed, "weights", 0);
    Ok((build_network(network, step_rule(config), rng)?, encoder))
}

/// The bytes of the weights and of what the step-size rule remembers of them.
pub(super) fn bytes<G: TrainableGame>(
    game: &G,
    config: &Config,
    spec: &ValueSpec,
    seed: u64,
    max_weights: u64,
) -> Result<u64, Invalid> {
    let weights = describe(game, config, spec, seed, max_weights)?.weights;
    let each = size_of::<f32>() + step_rule(config).memory_bytes();
    Ok(weights.saturating_mul(each as u64))
}

/// A network that takes no memory yet.
struct Described<G: TrainableGame> {
    network: NetworkSpec,
    encoder: Encoder<G>,
    weights: u64,
}

/// Describes the network of a configuration; refuses more than `max_weights`.
fn describe<G: TrainableGame>(
    game: &G,
    config: &Config,
    spec: &ValueSpec,
    seed: u64,
    max_weights: u64,
) -> Result<Described<G>, Invalid> {
    let weight_sets = spec.num_weight_sets(game.num_players());
    let alpha = config.learner.alpha.at(0, config.episodes);
    let output = config.value.output();
    let (network, encoder, weights) = match &config.value {
        ValueConfig::Ntuple(ntuple) => {
            let mut layout = game.layout();
            if !ntuple.symmetries {
                layout.symmetries.truncate(1);
            }
            let mut lookups =
                Lookups::new(&layout, game.packing(), tuples(&layout, ntuple, seed)?)?;
            if spec.kind == (ValueKind::Action { sets: 1 }) {
                lookups = lookups.with_copies(game.num_moves())?;
            }
            let weights = WeightCount::of(lookups.set_size());
            let duplicates = match ntuple.count_duplicate_features {
                true => DuplicateFeatures::Each,
                false => DuplicateFeatures::Once,
            };
            let settings =
                NTupleSettings { weight_sets, output, init: ntuple.init, alpha, duplicates };
            let encoder = Encoder::for_tuples(game, &layout);
            (NetworkSpec::NTuple(Box::new(lookups), settings), encoder, weights)
        }
        ValueConfig::Linear(linear) => {
            let encoder = feature_encoder(game, config, &linear.features)?;
            let (inputs, init, bias) = (encoder.num_inputs(), linear.init, linear.bias);
            let settings = LinearSettings { inputs, bias, weight_sets, output, init, alpha };
            let weights = WeightCount::of(inputs).plus(WeightCount::of(bias.into()));
            (NetworkSpec::Linear(settings), encoder, weights)
        }
        ValueConfig::Mlp(mlp) => {
            let encoder = feature_encoder(game, config, &mlp.features)?;
            let settings = MlpSettings {
                inputs: encoder.num_inputs(),
                hidden: mlp.hidden.clone(),
                bias: mlp.bias,
                activation: mlp.activation,
                output,
                weight_sets,
                init: mlp.init,
                alpha,
                layer_factors: mlp.rates.clone(),
            };
            let weights = size::layers(settings.inputs, &mlp.hidden, mlp.bias);
            (NetworkSpec::Mlp(settings), encoder, weights)
        }
        ValueConfig::Rbf(rbf) => {
            let encoder = feature_encoder(game, config, &rbf.features)?;
            let settings = RbfSettings {
                inputs: encoder.num_inputs(),
                centres: rbf.centres,
                width: rbf.width,
                output,
                weight_sets,
                centre_init: rbf.init,
                init: Init::ZERO,
                alpha,
                centre_factor: rbf.centre_share,
            };
            let centres = WeightCount::of(settings.inputs + 1).times(rbf.centres);
            (NetworkSpec::Rbf(settings), encoder, centres.plus(WeightCount::of(1)))
        }
        ValueConfig::Table(_) => {
            let settings = TableSettings { weight_sets, output, initial: 0.0, alpha };
            let encoder = Encoder::States { rows: HashMap::new() };
            (NetworkSpec::Table(settings), encoder, WeightCount::of(0))
        }
    };
    let weights = weights.times(weight_sets).check(max_weights)?;
    Ok(Described { network, encoder, weights })
}

/// How many symmetric images of a board share weights.
pub(super) fn num_images<G: TrainableGame>(game: &G, config: &Config) -> usize {
    match &config.value {
        ValueConfig::Ntuple(ntuple) if ntuple.symmetries => game.layout().symmetries.len(),
        _ => 1,
    }
}

/// The encoder for the feature set of this name, with the regions of partial decisions.
fn feature_encoder<G: Notation>(
    game: &G,
    config: &Config,
    name: &str,
) -> Result<Encoder<G>, Invalid> {
    let state = state_encoder(game, name)?;
    Ok(match config.learner.regions {
        0 => state,
        regions => Encoder::Regions { state: Box::new(state), regions },
    })
}

fn state_encoder<G: Notation>(game: &G, name: &str) -> Result<Encoder<G>, Invalid> {
    if let Some((_, kind)) = CellFeatureKind::NAMED.iter().find(|(known, _)| *known == name) {
        return Ok(Encoder::cell_inputs(game, &game.layout(), *kind));
    }
    let sets = G::features();
    match sets.iter().find(|set| set.name == name) {
        Some(set) => Ok(Encoder::Features { count: (set.len)(game), read: set.read }),
        None => {
            let cells = CellFeatureKind::NAMED.iter().map(|(known, _)| *known);
            let known = cells.chain(sets.iter().map(|set| set.name));
            Err(Invalid::unknown("feature set", name, known))
        }
    }
}

/// The same configuration with every tuple listed, so that it means the same wherever it is read.
///
/// # Errors
///
/// If the tuples cannot be drawn.
pub fn list_tuples<G: Notation>(game: &G, config: &Config, seed: u64) -> Result<Config, Invalid> {
    let mut listed = config.clone();
    if let ValueConfig::Ntuple(ntuple) = &mut listed.value {
        let mut layout = game.layout();
        if !ntuple.symmetries {
            layout.symmetries.truncate(1);
        }
        ntuple.tuples = TuplesConfig::Listed(tuples(&layout, ntuple, seed)?);
    }
    Ok(listed)
}

fn tuples(layout: &CellLayout, ntuple: &NTupleConfig, seed: u64) -> Result<Vec<Vec<u16>>, Invalid> {
    let NTupleConfig { count, length, tuple_seed, .. } = *ntuple;
    let rng = &mut Rng::derived(tuple_seed.unwrap_or(seed), "tuples", 0);
    match &ntuple.tuples {
        TuplesConfig::Listed(tuples) => Ok(tuples.clone()),
        TuplesConfig::Named(name) => match name.as_str() {
            "walk" => random_walks(layout, count, length, rng),
            "king-walk" => random_king_walks(layout, count, length, rng),
            "points" => random_points(layout, count, length, rng),
            "lines" => lines(layout, length),
            "board" => Ok(vec![(0..layout.num_cells() as u16).collect()]),
            _ => tuple_set(layout, name),
        },
    }
}

/// The tuples that the game itself names so.
fn tuple_set(layout: &CellLayout, name: &str) -> Result<Vec<Vec<u16>>, Invalid> {
    let sets = &layout.tuple_sets;
    let found = sets.iter().find(|set| set.name == name).map(|set| set.tuples.clone());
    found.ok_or_else(|| {
        let drawn = ["walk", "king-walk", "points", "lines", "board"];
        let known = drawn.into_iter().chain(sets.iter().map(|set| set.name));
        Invalid::unknown("set of tuples", name, known)
    })
}

/// The step-size rule of a configuration.
fn step_rule(config: &Config) -> StepRule {
    let mut rule = config.step.clone();
    if let StepRule::Idbd(idbd) = &mut rule {
        idbd.max_slope = config.value.output().max_slope();
    }
    rule
}
