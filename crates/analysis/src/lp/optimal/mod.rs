//! The best oblivious routing of a network.
//!
//! The least worst case over all multi-path routings: minimise θ such that no traffic with
//! optu ≤ 1 loads a link more than θ (Azar, Cohen, Fiat, Kaplan and Räcke, STOC 2003). Stated in
//! one piece, this is a linear program of about links·(links + N²) columns (Applegate and Cohen,
//! SIGCOMM 2003). Here it is solved from both sides: a master over paths and the traffic known so
//! far ([`master`]), and the linear program of one link ([`super::worst_demand`]) that finds the
//! worst-case traffic for the master's routing. Both are warm-started.
//!
//! The traffic is generated not at the master's routing alone but between it and the best routing
//! so far: the master's successive answers jump about, the best one does not (the in-out method of
//! Ben-Ameur and Neto, Networks 49(1), 2007, <https://doi.org/10.1002/net.20137>).
//!
//! The routing returned has exact shares. Its worst case is the upper bound; the lower bound is
//! evaluated in exact arithmetic from the master's duals and traffic in exact amounts.
//!
//! Only the part of the routing that determines the rest is optimised (`reduction.rs`). What is left is first solved
//! in one piece, approximately and, where it is small, to a vertex (`compact.rs`): often that is all. Where it is too
//! large for that, the optimum is approached by steps along smoothed loads (`smooth.rs`).

pub mod adaptive;
mod allowed;
mod best;
mod blocks;
mod compact;
mod demands;
mod exact;
mod floor;
mod flows;
mod gradient;
pub mod master;
mod orbits;
mod reduction;
mod search;
mod separation;
mod smooth;
mod streams;
mod vertex;

use std::time::Duration;

use crate::bounds::DualDemand;
use crate::certificate::Quantity;
use crate::limit::{TooLarge, within};
use crate::lp::program::SolveError;
use crate::optimum::shortest::Adjacency;
use crate::progress::{Progress, Stopped};
use crate::rational::Rational;
use crate::routing::Routing;
use crate::symmetry::{Images, generators};
use crate::topology::{Host, Topology, TopologyError, sd_pairs};
use crate::traffic::PathRecord;
use allowed::{Allowed, all_reachable};
use demands::Demands;
use reduction::{Reduction, Simplify};
use search::RoutingSearch;
use separation::Separation;

/// Maximum number of SD pairs.
pub const MAX_PAIRS: u64 = 1 << 15;

/// Maximum of SD pairs × links.
pub const MAX_USES: u64 = 1 << 24;

/// Maximum of SD pairs × links of networks whose automorphisms are used: what a checker spreads prices over.
const MAX_SYMMETRIC_USES: u64 = 1 << 22;

/// Time allowed after a stop for what comes before the first routing.
const PREPARING: Duration = Duration::from_millis(150);

/// Number of link linear programs solved in parallel.
const LANES: usize = 8;

/// A cut violated by less than this fraction of θ counts as satisfied.
const TOLERANCE: f64 = 1e-8;

/// Paths that a routing may use.
#[derive(Clone, Copy, Default)]
#[non_exhaustive]
pub enum Paths<'r> {
    /// All paths.
    #[default]
    All,
    /// Paths with the fewest links.
    Shortest,
    /// Paths of a routing, whatever their shares.
    Of(&'r dyn Routing),
}

/// Options of an optimisation.
#[derive(Clone, Copy)]
pub struct Options<'r> {
    /// Paths that the routing may use.
    pub paths: Paths<'r>,
    /// What is minimised: it says against which traffic.
    pub quantity: Quantity,
    /// Automorphisms that take allowed paths to allowed paths: [`automorphisms`], or some of them.
    pub automorphisms: &'r [Images],
}

impl Default for Options<'_> {
    fn default() -> Self {
        Self { paths: Paths::All, quantity: Quantity::ObliviousRatio, automorphisms: &[] }
    }
}

/// The effort of a search.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct Stats {
    /// Solves of linear programs of the routing, the whole one or the master, also those that a stop ended.
    pub rounds: u64,
    /// Cuts of the linear program at the end.
    pub cuts: usize,
    /// Paths of the linear program at the end.
    pub paths: usize,
    /// Columns of the largest linear program of the routing: the whole one, or the master at the end.
    pub columns: usize,
    /// Iterations of the solver on these programs.
    pub iterations: u64,
    /// Time for linear programs: those of the routing, and of the worst traffic of every link.
    pub solving: Duration,
    /// Time in the solver, or in gradient steps in its place, also of solves that a stop ended: the sum over all threads.
    pub solver: Duration,
    /// The last failure on the whole program, after which another method went on.
    pub failure: Option<SolveError>,
}

impl Stats {
    /// Counts a solve of the whole program, finished or not.
    fn attempt(&mut self, time: Duration) {
        self.rounds += 1;
        self.solving += time;
    }
}

/// An optimal oblivious routing, or the best one found, and how good any routing can be.
#[derive(Clone, Debug)]
pub struct OptimalRouting {
    /// Explicit paths of all SD pairs.
    pub paths: Vec<PathRecord>,
    /// No routing over the allowed paths has a smaller worst case: exact, from [`Self::dual_demands`].
    pub lower: Rational,
    /// Evidence for `lower`: traffic against links, and its weights.
    pub dual_demands: Vec<(Rational, DualDemand)>,
    /// The worst case of `paths`, in solver floats.
    pub claimed: f64,
    /// Against all traffic with optu ≤ 1: for every link, prices of all links that bound its load
    /// under `paths`, in floats.
    pub prices: Vec<Vec<f64>>,
    /// The traffic that loads `paths` most, approximately.
    pub worst: Option<DualDemand>,
    /// Whether the search ran to completion.
    pub complete: bool,
    /// The effort of the search.
    pub stats: Stats,
}

/// An error from [`optimal`].
#[derive(Debug, Clone, PartialEq, Eq, thiserror::Error)]
#[non_exhaustive]
#[expect(missing_docs, reason = "the message is the documentation")]
pub enum OptimalError {
    #[error(
        "no path leads from host {} to host {}: add what joins them, or remove the hosts that are cut off",
        .called[0], .called[1]
    )]
    Unreachable { s: Host, d: Host, called: Box<[String; 2]> },
    #[error("the network has only one host: there is nothing to route")]
    OneHost,
    #[error("{0}")]
    TooLarge(#[from] TooLarge),
    #[error(transparent)]
    Topology(#[from] TopologyError),
    #[error(transparent)]
    Solve(#[from] SolveError),
    #[error("{0}")]
    Stopped(#[from] Stopped),
}

/// A listener to a search: after every round it gets the worst case of the best routing so far, in floats, and what
/// makes that routing.
pub type KeepRouting<'k> = dyn FnMut(f64, &dyn Fn() -> OptimalRouting) + 'k;

/// Checks that the network is within the limits.
///
/// # Errors
/// [`OptimalError`] with the limit that is exceeded.
pub fn check_size(topology: &Topology) -> Result<(), OptimalError> {
    let (hosts, links) = (topology.hosts() as u128, topology.links() as u128);
    if hosts < 2 {
        return Err(OptimalError::OneHost);
    }
    let remedy = "route a smaller network";
    within("number of SD pairs", Some(hosts * (hosts - 1)), MAX_PAIRS, remedy)?;
    within("number of SD pairs times links", Some(hosts * hosts * links), MAX_USES, remedy)?;
    Ok(())
}

/// Finds a best oblivious routing of `topology`. When `progress` is cancelled, returns the best one
/// so far, with the known lower bound.
///
/// # Errors
/// [`OptimalError`] when a pair has no path, the network is too large or the solver fails.
///
/// ```
/// # use routebound_analysis as routebound;
/// use routebound::{lp::optimal::{Options, optimal}, progress::Progress, topology};
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
) -> Result<OptimalRouting, OptimalError> {
    optimal_keeping(topology, options, progress, &mut |_, _| {})
}

/// Automorphisms of the network that take allowed paths to allowed paths: some best routing is its own image under all
/// of them, so that fewer pairs have to be optimised ([`Options::automorphisms`]). None where that would take too much
/// memory; what a stop leaves is what was found.
///
/// # Errors
/// [`OptimalError`] where the given paths have too many links.
pub fn automorphisms(
    topology: &Topology,
    paths: Paths<'_>,
    progress: &Progress,
) -> Result<Vec<Images>, OptimalError> {
    let (hosts, links) = (topology.hosts() as u128, topology.links() as u128);
    if within("", Some(hosts * hosts * links), MAX_SYMMETRIC_USES, "").is_err() {
        return Ok(Vec::new());
    }
    let pairs: Vec<_> = sd_pairs(topology.hosts()).collect();
    let mut found = if let Paths::Of(routing) = paths {
        let allowed = Allowed::of(routing, &pairs)?;
        let mut found = generators(topology, Some(routing), progress);
        found.retain(|images| allowed.is_kept_by(&pairs, images));
        found
    } else {
        generators(topology, None, progress)
    };
    let mut orbits = orbits::Union::new(&pairs, topology.links());
    found.retain(|images| !progress.cancelled() && orbits.join(&orbits::Action::of(images)));
    Ok(found)
}

/// Optimises a routing; `keep` learns of the best routing so far after every round of the search, whether it is a
/// better one or not.
///
/// # Errors
/// As [`optimal`].
pub fn optimal_keeping(
    topology: &Topology,
    options: Options<'_>,
    progress: &Progress,
    keep: &mut KeepRouting<'_>,
) -> Result<OptimalRouting, OptimalError> {
    check_size(topology)?;
    let network = Adjacency::new(topology);
    let pairs: Vec<_> = sd_pairs(topology.hosts()).collect();
    // Without these there is nothing to return: a stop leaves them a little time.
    let first = progress.afterwards(PREPARING);
    all_reachable(topology, &network, &pairs, &first)?;
    let allowed = match options.paths {
        Paths::All => Allowed::All,
        Paths::Shortest => Allowed::shortest(topology, &network, &pairs, &first)?,
        Paths::Of(routing) => Allowed::of(routing, &pairs)?,
    };
    let is_listed = matches!(options.paths, Paths::Of(_));
    let simplify = Simplify {
        is_listed,
        blocks: !is_listed && options.quantity == Quantity::ObliviousRatio,
        automorphisms: options.automorphisms,
    };
    let reduction = Reduction::new(topology, &network, pairs.clone(), simplify);
    let own = allowed.only(&pairs, &reduction.pairs).unwrap_or(allowed);
    let demands = Demands::of(topology, options.quantity)?;
    let (network, reduction, demands) = (&network, &reduction, &demands);
    let (known, solving) = (vec![Vec::new(); topology.links()], Duration::ZERO);
    let separation =
        Separation { topology, network, reduction, demands, progress, known, solving, solver: 0.0 };
    let search = RoutingSearch { separation, pairs, allowed: &own, cuts: Vec::new() };
    search.run(keep)
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::{routing, topology};

    /// The even split over the given paths has ratio 1: no linear program of the routing is solved.
    #[test]
    fn an_even_split_with_ratio_1_ends_the_search() {
        let tree = topology::generate("xgft(2;4,4;1,5)").unwrap();
        let routing = routing::build("omrmn", &tree).unwrap();
        let options = Options { paths: Paths::Of(routing.as_ref()), ..Options::default() };
        let best = optimal(&tree, options, &Progress::silent()).unwrap();
        assert!(best.complete && best.lower == Rational::ONE && best.dual_demands.is_empty());
        assert_eq!((best.stats.rounds, best.paths.len()), (0, 4 * 12 + 12 * 16 * 5));
        let fifth = Rational::new(1, 5).unwrap();
        assert!(best.paths.iter().all(|path| path.share == Rational::ONE || path.share == fifth));
    }
}
