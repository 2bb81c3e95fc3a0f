//! Nets by name.

use crate::config::{
    Config, InitConfig, NTupleConfig, OutputName, PlayersName, StepConfig, TuplesConfig,
    ValueConfig,
};
use crate::{Reader, Scope};
use ludens_core::{CellLayout, Invalid, Notation, Rng};
use ludens_values::ntuple::{
    Lookups, NTuple, NTupleSettings, Repeats, random_points, random_walks,
};
use ludens_values::stepsize::{Constant, Counting, Tcl, Transfer};
use ludens_values::{Init, Net, Output, StepSize};

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
) -> Result<Built<G>, Invalid> {
    match &config.value {
        ValueConfig::Ntuple(ntuple) => build_ntuple(game, config, ntuple, scope, seed, rng),
        _ => Err(Invalid("only value.ntuple can be built so far".into())),
    }
}

fn build_ntuple<G: Notation>(
    game: &G,
    config: &Config,
    ntuple: &NTupleConfig,
    scope: Scope,
    seed: u64,
    rng: &mut Rng,
) -> Result<Built<G>, Invalid> {
    let mut layout = game.layout();
    // A symmetric board calls for the symmetric move, whose weights are other ones.
    if !ntuple.symmetries || matches!(scope, Scope::Moves { .. }) {
        layout.symmetries.truncate(1);
    }
    let reader = Reader::digits(&layout);
    let tuples = tuples(&layout, ntuple, seed)?;
    let settings = NTupleSettings {
        banks: num_banks(ntuple.players, game.num_players()) * scope.num_banks(),
        output: output(ntuple.output),
        init: init(ntuple.init),
        rate: config.learner.alpha.at(0, config.episodes),
        repeats: if ntuple.move_repeats { Repeats::Each } else { Repeats::Once },
    };
    let maker = NTupleMaker { lookups: Lookups::new(&layout, tuples)?, settings, rng };
    Ok(Built { net: with_step(&config.step, maker), reader, players: ntuple.players })
}

fn tuples(layout: &CellLayout, ntuple: &NTupleConfig, seed: u64) -> Result<Vec<Vec<u16>>, Invalid> {
    let NTupleConfig { count, length, tuple_seed, .. } = *ntuple;
    let rng = &mut Rng::derived(tuple_seed.unwrap_or(seed), "tuples", 0);
    match &ntuple.tuples {
        TuplesConfig::Listed(tuples) => Ok(tuples.clone()),
        TuplesConfig::Named(name) => match name.as_str() {
            "walk" => random_walks(layout, count, length, rng),
            "points" => random_points(layout, count, length, rng),
            _ => Err(Invalid::unknown("set of tuples", name, ["walk", "points"])),
        },
    }
}

/// Makes a net once the type of the step size is known.
trait NetMaker {
    fn make<S: StepSize>(self, rule: S) -> Box<dyn Net>;
}

struct NTupleMaker<'a> {
    lookups: Lookups,
    settings: NTupleSettings,
    rng: &'a mut Rng,
}

impl NetMaker for NTupleMaker<'_> {
    fn make<S: StepSize>(self, rule: S) -> Box<dyn Net> {
        Box::new(NTuple::new(self.lookups, self.settings, rule, self.rng))
    }
}

/// The one place that turns a named step size into its type.
fn with_step(step: &StepConfig, maker: impl NetMaker) -> Box<dyn Net> {
    use crate::config::{CountingName, TransferName};
    match *step {
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
    }
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
