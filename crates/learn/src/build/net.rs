//! Nets by name.

use super::size::{self, Count};
use crate::config::{
    ActivationName, Config, CountingName, InitConfig, LossName, NTupleConfig, OutputName,
    PlayersName, StepConfig, TransferName, TuplesConfig, ValueConfig,
};
use crate::{Reader, Scope};
use ludens_core::{CellFeatureKind, CellLayout, Invalid, Notation, Rng};
use ludens_values::linear::LinearSettings;
use ludens_values::mlp::{MlpSettings, Neuron};
use ludens_values::ntuple::{
    Lookups, NTuple, NTupleSettings, Repeats, lines, random_king_walks, random_points, random_walks,
};
use ludens_values::rbf::RbfSettings;
use ludens_values::stepsize::{
    Alap, AlphaBound, Autostep, Constant, Counting, Idbd, K1, Loss, Rprop, Tcl, Transfer,
};
use ludens_values::table::TableSettings;
use ludens_values::{Init, Linear, Mlp, Net, Output, Rbf, StepSize, Table};
use std::collections::HashMap;

/// A net, how it sees states, and whose weights it has.
pub(super) struct Built<G: Notation> {
    pub(super) net: Box<dyn Net>,
    pub(super) reader: Reader<G>,
    pub(super) players: PlayersName,
}

pub(super) fn build_net<G: Notation>(
    game: &G,
    config: &Config,
    scope: Scope,
    seed: u64,
    rng: &mut Rng,
    most: u64,
) -> Result<Built<G>, Invalid> {
    match &config.value {
        ValueConfig::Ntuple(ntuple) => build_ntuple(game, config, ntuple, scope, seed, rng, most),
        ValueConfig::Linear(linear) => {
            let reader = feature_reader(game, &linear.features)?;
            let settings = LinearSettings {
                inputs: reader.num_inputs(),
                bias: linear.bias,
                banks: num_banks(linear.players, game.num_players()) * scope.num_banks(),
                output: output(linear.output),
                init: init(linear.init),
                rate: config.learner.alpha.at(0, config.episodes),
            };
            let net = with_step(config, LinearMaker { settings, rng })?;
            Ok(Built { net, reader, players: linear.players })
        }
        ValueConfig::Mlp(mlp) => {
            let reader = feature_reader(game, &mlp.features)?;
            let settings = MlpSettings {
                inputs: reader.num_inputs(),
                hidden: mlp.hidden.clone(),
                bias: mlp.bias,
                neuron: match mlp.activation {
                    ActivationName::Sigmoid => Neuron::Sigmoid,
                    ActivationName::Tanh => Neuron::Tanh,
                },
                output: output(mlp.output),
                banks: num_banks(mlp.players, game.num_players()) * scope.num_banks(),
                init: init(mlp.init),
                rate: config.learner.alpha.at(0, config.episodes),
                shares: mlp.rates.clone(),
            };
            let weights = size::layers(settings.inputs, &mlp.hidden, mlp.bias);
            weights.times(settings.banks).check(most)?;
            let net = with_step(config, MlpMaker { settings, rng })?;
            Ok(Built { net, reader, players: mlp.players })
        }
        ValueConfig::Rbf(rbf) => {
            let reader = feature_reader(game, &rbf.features)?;
            let settings = RbfSettings {
                inputs: reader.num_inputs(),
                bells: rbf.centres,
                width: rbf.width,
                output: output(rbf.output),
                banks: num_banks(rbf.players, game.num_players()) * scope.num_banks(),
                centres: init(rbf.init),
                init: Init::Zero,
                rate: config.learner.alpha.at(0, config.episodes),
                centre_share: rbf.centre_share,
            };
            let bells = Count::of(settings.inputs + 1).times(rbf.centres);
            bells.plus(Count::of(1)).times(settings.banks).check(most)?;
            let net = with_step(config, RbfMaker { settings, rng })?;
            Ok(Built { net, reader, players: rbf.players })
        }
        ValueConfig::Table(table) => {
            let settings = TableSettings {
                banks: num_banks(table.players, game.num_players()) * scope.num_banks(),
                output: output(table.output),
                initial: 0.0,
                rate: config.learner.alpha.at(0, config.episodes),
            };
            let reader = Reader::States { numbers: HashMap::new() };
            let net = with_step(config, TableMaker { settings })?;
            Ok(Built { net, reader, players: table.players })
        }
    }
}

fn build_ntuple<G: Notation>(
    game: &G,
    config: &Config,
    ntuple: &NTupleConfig,
    scope: Scope,
    seed: u64,
    rng: &mut Rng,
    most: u64,
) -> Result<Built<G>, Invalid> {
    let mut layout = game.layout();
    // A symmetric board calls for the symmetric move, whose weights are other ones.
    if !ntuple.symmetries || matches!(scope, Scope::Moves { .. }) {
        layout.symmetries.truncate(1);
    }
    let tuples = tuples(&layout, ntuple, seed)?;
    let settings = NTupleSettings {
        banks: num_banks(ntuple.players, game.num_players()) * scope.num_banks(),
        output: output(ntuple.output),
        init: init(ntuple.init),
        rate: config.learner.alpha.at(0, config.episodes),
        repeats: if ntuple.move_repeats { Repeats::Each } else { Repeats::Once },
    };
    let lookups = Lookups::new(&layout, tuples)?;
    Count::of(lookups.bank_size()).times(settings.banks).check(most)?;
    let reader = Reader::for_lookups(&layout, &lookups);
    let maker = NTupleMaker { lookups, settings, rng };
    Ok(Built { net: with_step(config, maker)?, reader, players: ntuple.players })
}

/// How a net sees the features of this name.
fn feature_reader<G: Notation>(game: &G, name: &str) -> Result<Reader<G>, Invalid> {
    if let Some((_, kind)) = CellFeatureKind::NAMED.iter().find(|(known, _)| *known == name) {
        return Ok(Reader::cell_inputs(&game.layout(), *kind));
    }
    let sets = G::features();
    match sets.iter().find(|set| set.name == name) {
        Some(set) => Ok(Reader::Features { count: (set.len)(game), read: set.read }),
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

/// Makes a net once the type of the step size is known.
trait NetMaker {
    fn make<S: StepSize>(self, rule: S) -> Result<Box<dyn Net>, Invalid>;
}

struct NTupleMaker<'a> {
    lookups: Lookups,
    settings: NTupleSettings,
    rng: &'a mut Rng,
}

impl NetMaker for NTupleMaker<'_> {
    fn make<S: StepSize>(self, rule: S) -> Result<Box<dyn Net>, Invalid> {
        Ok(Box::new(NTuple::new(self.lookups, self.settings, rule, self.rng)))
    }
}

struct LinearMaker<'a> {
    settings: LinearSettings,
    rng: &'a mut Rng,
}

impl NetMaker for LinearMaker<'_> {
    fn make<S: StepSize>(self, rule: S) -> Result<Box<dyn Net>, Invalid> {
        Ok(Box::new(Linear::new(self.settings, rule, self.rng)))
    }
}

struct MlpMaker<'a> {
    settings: MlpSettings,
    rng: &'a mut Rng,
}

impl NetMaker for MlpMaker<'_> {
    fn make<S: StepSize>(self, rule: S) -> Result<Box<dyn Net>, Invalid> {
        Ok(Box::new(Mlp::new(self.settings, rule, self.rng)?))
    }
}

struct RbfMaker<'a> {
    settings: RbfSettings,
    rng: &'a mut Rng,
}

impl NetMaker for RbfMaker<'_> {
    fn make<S: StepSize>(self, rule: S) -> Result<Box<dyn Net>, Invalid> {
        Ok(Box::new(Rbf::new(self.settings, rule, self.rng)?))
    }
}

struct TableMaker {
    settings: TableSettings,
}

impl NetMaker for TableMaker {
    fn make<S: StepSize>(self, rule: S) -> Result<Box<dyn Net>, Invalid> {
        Ok(Box::new(Table::new(self.settings, rule)))
    }
}

/// The one place that turns a named step size into its type.
fn with_step(config: &Config, maker: impl NetMaker) -> Result<Box<dyn Net>, Invalid> {
    let steepest = steepest_slope(&config.value);
    match config.step {
        StepConfig::Constant => maker.make(Constant),
        StepConfig::Tcl { transfer, beta, counting, start } => {
            let transfer = match transfer {
                TransferName::Identity => Transfer::Identity,
                TransferName::Exponential => Transfer::Exponential { beta },
            };
            let counting = match counting {
                CountingName::Change => Counting::Change,
                CountingName::Error => Counting::Error,
            };
            maker.make(Tcl { transfer, counting, start })
        }
        StepConfig::Idbd { start, meta, loss } => {
            let loss = match loss {
                LossName::Squared => Loss::Squared,
                LossName::CrossEntropy => Loss::CrossEntropy { steepest },
            };
            maker.make(Idbd { start, meta, loss })
        }
        StepConfig::Autostep { start, meta, time } => maker.make(Autostep { start, meta, time }),
        StepConfig::K1 { start, meta, noise } => maker.make(K1 { start, meta, noise }),
        StepConfig::Alap { start, meta, memory } => maker.make(Alap { start, meta, memory }),
        StepConfig::AlphaBound => maker.make(AlphaBound),
        StepConfig::Rprop { start } => maker.make(Rprop { start, ..Rprop::default() }),
    }
}

/// The largest slope of the output function.
fn steepest_slope(value: &ValueConfig) -> f32 {
    let output = match value {
        ValueConfig::Ntuple(ntuple) => ntuple.output,
        ValueConfig::Linear(linear) => linear.output,
        ValueConfig::Mlp(mlp) => mlp.output,
        ValueConfig::Rbf(rbf) => rbf.output,
        ValueConfig::Table(table) => table.output,
    };
    if output == OutputName::Sigmoid { 0.25 } else { 1.0 }
}

fn num_banks(players: PlayersName, count: usize) -> usize {
    match players {
        PlayersName::Each => count,
        PlayersName::Shared => 1,
    }
}

fn output(name: OutputName) -> Output {
    match name {
        OutputName::None => Output::Linear,
        OutputName::Tanh => Output::Tanh,
        OutputName::Sigmoid => Output::Sigmoid,
    }
}

fn init(InitConfig { low, high }: InitConfig) -> Init {
    if low == 0.0 && high == 0.0 { Init::Zero } else { Init::Uniform { low, high } }
}
