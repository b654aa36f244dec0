//! The best oblivious routing of a network.
//!
//! Over all multi-path routings, the least worst case: minimise θ such that no traffic with
//! optu ≤ 1 loads a link more than θ (Azar, Cohen, Fiat, Kaplan and Räcke, STOC 2003). Stated in
//! one piece this is a programme of about links·(links + N²) columns (Applegate and Cohen,
//! SIGCOMM 2003). Here it is solved from both sides: a master over paths and the traffic known so
//! far ([`master`]), and the programme of one link ([`super::worst_demand`]) that finds the
//! traffic that hurts the master's routing most. Both begin where they were.
//!
//! Traffic is asked for not at the master's routing alone but between it and the best routing
//! so far: the master's last answer jumps about, the best one does not (the in-out method of
//! Ben-Ameur and Neto, Networks 49(1), 2007, <https://doi.org/10.1002/net.20137>).
//!
//! The routing returned has exact shares. Its worst case is the upper bound; the lower is
//! evaluated in exact arithmetic from the master's duals and traffic in exact amounts.

mod allowed;
mod demands;
mod exact;
pub mod master;
mod search;
mod vertex;

use crate::bounds::DualDemand;
use crate::limit::{TooLarge, within};
use crate::lp::programme::SolveError;
use crate::optimum::shortest::Adjacency;
use crate::progress::Progress;
use crate::ratio::Ratio;
use crate::routing::Routing;
use crate::topology::{Host, Topology, TopologyError, sd_pairs};
use crate::traffic::PathRecord;
use allowed::Allowed;
use demands::Demands;
use search::Search;

/// Most SD pairs.
pub const MAX_PAIRS: u64 = 1 << 15;

/// Most SD pairs × links.
pub const MAX_USES: u64 = 1 << 24;

/// Parallel programmes of links.
const LANES: usize = 8;

/// Paths that a routing may use.
#[derive(Clone, Copy, Default)]
pub enum Paths<'r> {
    /// All.
    #[default]
    All,
    /// Those of fewest links.
    Shortest,
    /// Those of a routing, whatever their shares.
    Of(&'r dyn Routing),
}

/// What is asked for.
#[derive(Clone, Copy, Default)]
pub struct Options<'r> {
    /// Paths that the routing may use.
    pub paths: Paths<'r>,
    /// Against all traffic that hosts can send and receive (the hose set), instead of all
    /// traffic with optu ≤ 1.
    pub hose: bool,
}

/// What the work took.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct Stats {
    /// Solves of the master.
    pub rounds: u64,
    /// Its cuts and paths at the end.
    pub cuts: usize,
    /// Its paths.
    pub paths: usize,
    /// Iterations of the solver on the master.
    pub iterations: u64,
}

/// A routing, and how good any routing can be.
#[derive(Clone, Debug)]
pub struct Optimal {
    /// Explicit paths of all SD pairs.
    pub paths: Vec<PathRecord>,
    /// No routing over the same paths has a smaller worst case: exact, from [`Self::against`].
    pub lower: Ratio,
    /// Evidence for `lower`: traffic against links, and its weights.
    pub against: Vec<(Ratio, DualDemand)>,
    /// The worst case of `paths` in the floats of the solver.
    pub claimed: f64,
    /// Against all traffic with optu ≤ 1: prices of links, link by link, that bound the load of
    /// `paths` there, in floats.
    pub prices: Vec<Vec<f64>>,
    /// The traffic that loads `paths` about as much as any.
    pub worst: Option<DualDemand>,
    /// Whether the work went to its end.
    pub complete: bool,
    /// What it took.
    pub stats: Stats,
}

/// Why there is no routing.
#[derive(Debug, Clone, PartialEq, Eq, thiserror::Error)]
pub enum ObliviousError {
    /// A pair without a path.
    #[error("no path leads from host {s} to host {d}: a routing needs a connected network")]
    Unreachable {
        /// Source.
        s: Host,
        /// Destination.
        d: Host,
    },
    /// A host alone.
    #[error("the network has one host only: there is nothing to route")]
    OneHost,
    /// Larger than a limit.
    #[error("{0}")]
    TooLarge(#[from] TooLarge),
    /// A host that cannot send or receive has no hose.
    #[error("{0}")]
    Topology(#[from] TopologyError),
    /// The solver.
    #[error("{0}")]
    Solve(#[from] SolveError),
}

/// Finds a best oblivious routing of `topology`. When `progress` is cancelled, the best one so
/// far, with the lower bound that is known.
///
/// # Errors
/// [`ObliviousError`] when a pair has no path, the network is too large or the solver fails.
///
/// ```
/// use routebound::{lp::oblivious::{Options, optimal}, progress::Progress, topology};
/// // A tree of full bisection: the even split over all shortest paths has ratio 1.
/// let tree = topology::generate("ft(4,2)")?;
/// let best = optimal(&tree, Options::default(), &Progress::silent())?;
/// assert_eq!(best.lower.to_string(), "1");
/// # Ok::<(), Box<dyn std::error::Error>>(())
/// ```
pub fn optimal(
    topology: &Topology,
    options: Options<'_>,
    progress: &Progress,
) -> Result<Optimal, ObliviousError> {
    let (hosts, links) = (topology.hosts() as u128, topology.links() as u128);
    if hosts < 2 {
        return Err(ObliviousError::OneHost);
    }
    let remedy = "route a smaller network";
    within("number of SD pairs", Some(hosts * (hosts - 1)), MAX_PAIRS, remedy)?;
    within("number of SD pairs times links", Some(hosts * hosts * links), MAX_USES, remedy)?;
    let network = Adjacency::new(topology);
    let pairs: Vec<_> = sd_pairs(topology.hosts()).collect();
    let shortest = Allowed::shortest(&network, &pairs)?;
    let allowed = match options.paths {
        Paths::All => Allowed::All,
        Paths::Shortest => shortest,
        Paths::Of(routing) => Allowed::of(routing, &pairs)?,
    };
    let demands =
        if options.hose { Demands::hose(topology)? } else { Demands::new(topology.clone()) };
    let search = Search {
        topology,
        network: &network,
        pairs,
        demands: &demands,
        progress,
        known: vec![Vec::new(); LANES],
        cuts: Vec::new(),
    };
    search.run(&allowed)
}
