//! What a collective in an order of ranks, or all-to-all, puts on the links: exact.

use rayon::prelude::*;

use super::error::OrderError;
use super::order::{MAX_NODES, Order};
use super::sends::{Peers, all_to_all, demands};
use crate::jobs::Job;
use crate::jobs::collectives::Collective;
use crate::limit::within;
use crate::progress::{Progress, Stopped};
use crate::rational::Rational;
use crate::routing::{Instance, UseScratch};
use crate::sums::Sums;
use crate::topology::LinkId;
use crate::traffic::Demand;

/// Load of a phase on the links.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct PhaseLoad {
    /// Name of the phase.
    pub name: String,
    /// Size of every send, as a fraction of the message.
    pub size: Rational,
    /// The maximum load of a link, in units of one send at the rate of a host link.
    pub load: Rational,
    /// The first link with that load; `None` where nothing is sent.
    pub link: Option<LinkId>,
    /// Number of SD pairs of adapters.
    pub pairs: usize,
}

/// Cost of a collective in some order; costs compare by time first.
#[derive(Clone, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub struct Cost {
    /// Sum over the phases of size · load: the time that the most loaded links need, in units of a whole
    /// message at the rate of a host link. A message is what goes over one rail.
    pub time: Rational,
    /// The maximum load of any phase.
    pub most: Rational,
}

/// The loads of a collective in an order, phase by phase.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct OrderLoads {
    /// Loads of the phases.
    pub phases: Vec<PhaseLoad>,
    /// Cost of the phases.
    pub cost: Cost,
}

impl Cost {
    /// That of phases given by size and load.
    pub(super) fn of<'p>(phases: impl Iterator<Item = (&'p Rational, &'p Rational)>) -> Self {
        phases.fold(Self { time: Rational::ZERO, most: Rational::ZERO }, |sum, (size, load)| Self {
            time: &sum.time + &(size * load),
            most: sum.most.max(load.clone()),
        })
    }
}

impl OrderLoads {
    /// The loads of a collective when rank r is on node `order.nodes()[r]`: a send goes over every rail that
    /// both nodes have, with 1 unit on each. O(sends · rails · links of a pair + phases · links), on all
    /// threads; `progress` advances by the number of phases.
    ///
    /// # Errors
    /// [`OrderError`]: stopped, sizes that differ or are above [`MAX_NODES`], or nodes without a rail in common.
    ///
    /// ```
    /// # use routebound_analysis as routebound;
    /// use routebound::jobs::{Job, Nodes, collectives, orders::{Order, OrderLoads}};
    /// use routebound::{progress::Progress, routing::Instance};
    /// let instance = Instance::named("ft(4,2)", "dmodk")?;
    /// let all = Nodes::of(instance.topology()).nodes;
    /// let nodes = [0, 1, 2, 4].map(|host| all[host].clone()).to_vec();
    /// let (job, ring) = (Job { name: "four".into(), nodes }, collectives::generate("ring", 4)?);
    /// let of = |nodes| -> Result<_, Box<dyn std::error::Error>> {
    ///     Ok(OrderLoads::of(&instance, &job, &ring, &Order::new(nodes)?, &Progress::silent())?.cost)
    /// };
    /// // Hosts 0 and 1 are at one leaf; hosts 2 and 4 are reached from there over one root.
    /// assert_eq!(of(vec![0, 1, 2, 3])?.most.to_string(), "1");
    /// assert_eq!(of(vec![0, 2, 1, 3])?.most.to_string(), "2");
    /// # Ok::<(), Box<dyn std::error::Error>>(())
    /// ```
    pub fn of(
        instance: &Instance,
        job: &Job,
        collective: &Collective,
        order: &Order,
        progress: &Progress,
    ) -> Result<Self, OrderError> {
        check_sizes(job, collective)?;
        let of_phase = |phase| {
            let demands = demands(job, order, phase)?;
            let found = loads(instance, &demands, progress)?;
            progress.inc(1);
            let (link, load) =
                found.map_or((None, Rational::ZERO), |(link, load)| (Some(link), load));
            let (name, size) = (phase.name.clone(), phase.size.clone());
            Ok(PhaseLoad { name, size, load, link, pairs: demands.len() })
        };
        let phases = collective.phases.par_iter().map(of_phase);
        let phases: Vec<PhaseLoad> = phases.collect::<Result<_, OrderError>>()?;
        let cost = Cost::of(phases.iter().map(|phase| (&phase.size, &phase.load)));
        Ok(Self { phases, cost })
    }
}

/// Refuses a collective of another number of ranks, and jobs that are too large.
pub(super) fn check_sizes(job: &Job, collective: &Collective) -> Result<(), OrderError> {
    let nodes = job.nodes.len();
    within("number of nodes", Some(nodes as u128), MAX_NODES, "choose fewer nodes")?;
    let size = collective.ranks as usize;
    let error = OrderError::OtherSize { what: "the collective", size, nodes };
    if size == nodes { Ok(()) } else { Err(error) }
}

/// The loads of an all-to-all of a job, all at once, as one phase of size 1: its load is also the time of a message
/// that is divided among the peers. The order of ranks does not matter; see [`all_to_all`].
///
/// # Errors
/// [`OrderError`]: stopped, or too many SD pairs.
///
/// ```
/// # use routebound_analysis as routebound;
/// use routebound::jobs::{Job, Nodes, orders::{Peers, all_to_all_load}};
/// use routebound::{progress::Progress, routing::Instance};
/// let instance = Instance::named("ft(4,2)", "dmodk")?;
/// let job = Job { name: "all".into(), nodes: Nodes::of(instance.topology()).nodes };
/// let found = all_to_all_load(&instance, &job, Peers::SameRail, &Progress::silent())?;
/// assert_eq!((found.load.to_string(), found.pairs), ("1".into(), 56));
/// # Ok::<(), Box<dyn std::error::Error>>(())
/// ```
pub fn all_to_all_load(
    instance: &Instance,
    job: &Job,
    peers: Peers,
    progress: &Progress,
) -> Result<PhaseLoad, OrderError> {
    let demands = all_to_all(job, peers)?;
    let found = loads(instance, &demands, progress)?;
    let (link, load) = found.map_or((None, Rational::ZERO), |(link, load)| (Some(link), load));
    let name = match peers {
        Peers::SameRail => "all-to-all within rails",
        Peers::AllRails => "all-to-all of all adapters",
    };
    Ok(PhaseLoad { name: name.into(), size: Rational::ONE, load, link, pairs: demands.len() })
}

/// The first link of the maximum load under some traffic, and that load.
fn loads(
    instance: &Instance,
    demands: &[Demand],
    progress: &Progress,
) -> Result<Option<(LinkId, Rational)>, Stopped> {
    let (topology, routing) = (instance.topology(), instance.routing());
    let (mut sums, mut touched) = (Sums::new(topology.links()), Vec::new());
    let mut scratch = UseScratch::default();
    for demand in demands {
        progress.check()?;
        routing.for_each_use(demand.s, demand.d, &mut scratch, &mut |share, links| {
            sums.add(links.iter().copied(), &(&demand.amount * share));
            touched.extend_from_slice(links);
        });
    }
    touched.sort_unstable();
    touched.dedup();
    let loads = touched.into_iter().map(|link| (link, topology.load_of(link, &sums.get(link))));
    Ok(loads.reduce(|best, next| if next.1 > best.1 { next } else { best }))
}
