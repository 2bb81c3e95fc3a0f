//! Networks by description. Every network is instantiated here and nowhere else.

use crate::linear::{Linear, LinearSettings};
use crate::mlp::{Mlp, MlpSettings};
use crate::ntuple::{Lookups, NTuple, NTupleSettings};
use crate::rbf::{Rbf, RbfSettings};
use crate::step::with_step_rule;
use crate::table::{Table, TableSettings};
use crate::{Network, StepRule};
use ludens_core::{Invalid, Rng};

/// A description of a network.
#[derive(Clone, Debug)]
pub enum NetworkSpec {
    /// An n-tuple network.
    NTuple(Box<Lookups>, NTupleSettings),
    /// A linear function.
    Linear(LinearSettings),
    /// A multilayer perceptron.
    Mlp(MlpSettings),
    /// A network of radial basis functions.
    Rbf(RbfSettings),
    /// A table with one weight for each state.
    Table(TableSettings),
}

/// The network that `spec` describes, with step sizes by `rule`. `rng` draws initial weights.
///
/// This function has no type parameter, so that other crates do not compile networks again.
///
/// # Errors
///
/// If the settings contradict each other.
pub fn build_network(
    spec: NetworkSpec,
    rule: StepRule,
    rng: &mut Rng,
) -> Result<Box<dyn Network>, Invalid> {
    with_step_rule!(rule, rule => Ok(match spec {
        NetworkSpec::NTuple(lookups, settings) => {
            Box::new(NTuple::new(*lookups, settings, rule, rng))
        }
        NetworkSpec::Linear(settings) => Box::new(Linear::new(settings, rule, rng)),
        NetworkSpec::Mlp(settings) => Box::new(Mlp::new(settings, rule, rng)?),
        NetworkSpec::Rbf(settings) => Box::new(Rbf::new(settings, rule, rng)?),
        NetworkSpec::Table(settings) => Box::new(Table::new(settings, rule)),
    }))
}
