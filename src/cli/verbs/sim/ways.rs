//! Ways of packets: by a routing, by a scheme that sees the traffic, or by a choice at every switch.

use anyhow::{Result, bail};

use super::Sim;
use crate::cli::{Context, Traffic};
use crate::load::{LinkLoads, credit_loop};
use crate::progress::Progress;
use crate::rational::Rational;
use crate::registry::Kind;
use crate::routing::Instance;
use crate::simulation::adaptive::{self, PatternRouting, Routed};
use crate::simulation::packet::select::{self, Selection};
use crate::simulation::packet::{Routes, Spread};
use crate::topology::Topology;
use crate::traffic::{PathRecord, TrafficMatrix};

/// A network and the ways on it.
pub(super) enum Ways {
    Oblivious(Instance),
    /// The paths of the pairs of some traffic, and the scheme that gave them.
    Pattern(Topology, Vec<PathRecord>, String),
    Adaptive(Topology, &'static Kind<&'static dyn Selection>),
}

/// The paths that a scheme gives the demands of a matrix.
fn paths(
    scheme: &dyn PatternRouting,
    matrix: &TrafficMatrix,
    name: &str,
    progress: &Progress,
) -> Result<Vec<PathRecord>> {
    if let Some(permutation) = matrix.permutation() {
        let mut routed = Routed::default();
        scheme.route(&permutation, &mut routed, progress)?;
        let record = |((s, d), links): ((_, _), &[_])| {
            let (share, links) = (Rational::ONE, links.to_vec());
            PathRecord { s, d, share, links }
        };
        return Ok(routed.paths().map(record).collect());
    }
    let Some(routing) = scheme.traffic_routing() else {
        bail!(
            "routing `{}` routes permutations, in which each host sends the same amount to at most one \
             host and receives from at most one; traffic `{name}` is not a permutation",
            scheme.spec()
        );
    };
    Ok(routing.route_traffic(matrix, progress)?.paths)
}

/// Refuses paths that form a credit loop.
fn refuse_credit_loops(instance: &Instance, context: &Context) -> Result<()> {
    let progress = context.progress(instance.topology().hosts() as u64, "hosts");
    credit_loop(instance, &progress)?.map_or(Ok(()), |found| Err(found.into()))
}

impl Ways {
    /// Opens network and routing. Schemes that see the traffic get the sum of all `traffic`.
    pub(super) fn open(sim: &Sim, traffic: &[&str], context: &Context) -> Result<Self> {
        let Sim { topology, routing, network, .. } = sim;
        if select::is_named(routing) {
            let topology = network.open_topology(topology, context)?;
            return Ok(Self::Adaptive(topology, select::find(routing)?));
        }
        if !adaptive::is_named(routing) {
            let instance = network.open(topology, routing, context)?;
            refuse_credit_loops(&instance, context)?;
            return Ok(Self::Oblivious(instance));
        }
        let topology = network.open_topology(topology, context)?;
        if traffic.is_empty() {
            bail!(
                "routing `{routing}` must see all traffic in advance, which a trace or program does not give"
            );
        }
        let (mut demands, mut names) = (Vec::new(), Vec::new());
        for text in traffic {
            let Traffic { spec, demands: of, .. } = Traffic::open(text, &topology, context)?;
            demands.extend(of.into_matrix()?.into_demands());
            names.push(spec);
        }
        let matrix = TrafficMatrix::new(topology.hosts(), demands)?;
        let scheme = adaptive::build(routing, &topology)?;
        let progress = context.progress(matrix.len() as u64, "demands");
        let records = paths(&*scheme, &matrix, &names.join(", "), &progress)?;
        Ok(Self::Pattern(topology, records, scheme.spec().to_string()))
    }

    pub(super) fn topology(&self) -> &Topology {
        match self {
            Self::Oblivious(instance) => instance.topology(),
            Self::Pattern(topology, ..) | Self::Adaptive(topology, _) => topology,
        }
    }

    pub(super) fn spec(&self) -> String {
        match self {
            Self::Oblivious(instance) => instance.routing().spec().to_string(),
            Self::Pattern(_, _, spec) => spec.clone(),
            Self::Adaptive(_, kind) => kind.name.to_string(),
        }
    }

    pub(super) fn notes(&self) -> Vec<String> {
        match self {
            Self::Oblivious(instance) => instance.notes(),
            Self::Pattern(topology, ..) | Self::Adaptive(topology, _) => topology.notes().to_vec(),
        }
    }

    pub(super) fn has_several_paths(&self) -> bool {
        matches!(self, Self::Oblivious(instance) if !instance.routing().is_single_path())
    }

    pub(super) fn routes(&self, spread: Spread) -> Routes<'_> {
        match self {
            Self::Oblivious(instance) => Routes::Oblivious(instance.routing(), spread),
            Self::Pattern(_, records, _) => Routes::Listed(records),
            Self::Adaptive(_, kind) => Routes::Adaptive(kind.build),
        }
    }

    /// The max load of traffic ÷ the traffic that the busiest host sends; `None` where switches choose.
    pub(super) fn max_load(
        &self,
        traffic: &Traffic,
        progress: &Progress,
    ) -> Result<Option<Rational>> {
        let most = traffic.demands.sent().into_iter().max().unwrap_or_default();
        let loads = match self {
            Self::Oblivious(instance) => {
                let (topology, routing) = (instance.topology(), instance.routing());
                LinkLoads::of(topology, routing, &traffic.demands, progress)?.max_load()
            }
            Self::Pattern(topology, records, _) => {
                let matrix = traffic.demands.clone().into_matrix()?;
                let amount = |record: &PathRecord| matrix.amount(record.s, record.d);
                let amounts: Vec<Rational> = records.iter().map(amount).collect();
                let paths = amounts.iter().zip(records);
                let paths = paths.map(|(amount, record)| (amount, &record.links[..]));
                LinkLoads::of_paths(topology, paths).max_load()
            }
            Self::Adaptive(..) => return Ok(None),
        };
        Ok(loads.checked_div(&most))
    }
}
