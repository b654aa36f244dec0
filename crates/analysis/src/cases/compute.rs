//! The values of a case.

use super::{Case, CaseProblem, Expected, Quantity};
use crate::assessment::{Assess, AssessOptimum};
use crate::bounds::{Bounds, Evidence};
use crate::import::traffic::Hosts;
use crate::import::{self, ImportOptions};
use crate::load::LinkLoads;
use crate::progress::Progress;
use crate::rational::Rational;
use crate::routing::{self, Instance, Routing};
use crate::topology::Topology;
use crate::traffic::Demand;

/// The value of a quantity, as far as it was found.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Value {
    /// Bounds with their evidence.
    Bounded(Bounds),
    /// A sum of demands on links, which needs no proof.
    Exact(Rational),
    /// There is none: a ratio of loads of traffic whose optimal load may be 0, or a quantity that
    /// was not computed.
    Absent,
}

impl Value {
    /// The value, when it is exact and proven.
    #[must_use]
    pub fn proven(&self) -> Option<&Rational> {
        match self {
            Self::Exact(value) => Some(value),
            Self::Bounded(bounds) if bounds.evidence == Evidence::Proven => bounds.exact(),
            Self::Bounded(_) | Self::Absent => None,
        }
    }

    /// Whether the value is proven to be as expected.
    #[must_use]
    pub fn proves(&self, expected: &Expected) -> bool {
        match self {
            Self::Exact(value) => expected.holds_between(value, value),
            Self::Bounded(Bounds { lower, upper, evidence: Evidence::Proven }) => {
                expected.holds_between(lower, upper)
            }
            Self::Bounded(_) | Self::Absent => false,
        }
    }
}

impl std::fmt::Display for Value {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        match self {
            Self::Bounded(bounds) => bounds.fmt(f),
            Self::Exact(value) => write!(f, "{value} (exact sum)"),
            Self::Absent => f.write_str("no value"),
        }
    }
}

/// The values that a case asks for, each of them, in the order of [`Quantity`].
///
/// # Errors
/// [`CaseProblem`] when the network, routing or traffic cannot be built, or the analysis fails or
/// is stopped.
pub fn compute(case: &Case, progress: &Progress) -> Result<Vec<(Quantity, Value)>, CaseProblem> {
    progress.check()?;
    let options = ImportOptions { unit_capacity: case.unit_capacity, ..ImportOptions::default() };
    let topology = import::topology(&case.topology, &options)?;
    let mut asked = case.asked();
    asked.sort_unstable();
    asked.dedup();
    let (by_traffic, by_routing): (Vec<_>, Vec<_>) =
        asked.into_iter().partition(|quantity| quantity.needs_traffic());
    let routing = case.routing.as_ref().map(|spec| routing::build(spec, &topology)).transpose()?;
    let mut values = Vec::new();
    if let Some(text) = case.traffic.as_ref().filter(|_| !by_traffic.is_empty()) {
        let matrix = import::traffic::open(text, Hosts::Of(&topology))?;
        let routing = routing.as_deref();
        values = traffic_values(&topology, routing, matrix.demands(), &by_traffic, progress)?;
    }
    if let Some(routing) = routing.filter(|_| !by_routing.is_empty()) {
        let instance = Instance::trusted(topology, routing);
        let all = routing_values(&instance, progress)?;
        let wanted = all.into_iter().filter(|(quantity, _)| by_routing.contains(quantity));
        values = wanted.chain(values).collect();
    }
    progress.check()?;
    Ok(values)
}

fn routing_values(
    instance: &Instance,
    progress: &Progress,
) -> Result<[(Quantity, Value); 3], CaseProblem> {
    let found = Assess::new().progress(progress).run(instance)?;
    Ok([
        (Quantity::ObliviousRatio, Value::Bounded(found.oblivious_ratio)),
        (Quantity::PermutationRatio, Value::Bounded(found.permutation_ratio)),
        (Quantity::WorstPermutationLoad, Value::Bounded(found.permutation_load)),
    ])
}

fn traffic_values(
    topology: &Topology,
    routing: Option<&dyn Routing>,
    demands: &[Demand],
    asked: &[Quantity],
    progress: &Progress,
) -> Result<Vec<(Quantity, Value)>, CaseProblem> {
    let load = routing.map(|routing| LinkLoads::of(topology, routing, demands, progress));
    let load = load.transpose()?.map(|loads| loads.max_load());
    let wants_optu = asked.iter().any(|quantity| *quantity != Quantity::MaxLoad);
    let assess = AssessOptimum::new().proven_if(false).progress(progress);
    let optu =
        wants_optu.then(|| assess.run(topology, demands)).transpose()?.map(|found| found.optu);
    let value = |quantity: &Quantity| match quantity {
        Quantity::MaxLoad => Some(Value::Exact(load.clone()?)),
        Quantity::Optu => Some(Value::Bounded(optu.clone()?)),
        _ => Some(Value::Bounded(quotient(load.as_ref()?, optu.as_ref()?)?)),
    };
    Ok(asked.iter().map(|quantity| (*quantity, value(quantity).unwrap_or(Value::Absent))).collect())
}

/// Bounds of load ÷ optu; `None` when optu may be zero.
fn quotient(load: &Rational, optu: &Bounds) -> Option<Bounds> {
    let lower = load.checked_div(&optu.upper)?;
    let upper = load.checked_div(&optu.lower)?;
    Some(Bounds { lower, upper, evidence: optu.evidence.clone() })
}
