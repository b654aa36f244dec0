//! The exact worst case of a routing over all traffic, link by link.
//!
//! Traffic with baseload ≤ 1 is all that hosts can send and receive; when all host links are equal,
//! it forms the doubly sub-stochastic matrices, whose extreme points are partial permutations
//! (Birkhoff–von Neumann). So the most that such traffic puts on a link is a maximum matching of
//! the link's SD pairs with their shares (Towles and Dally, SPAA 2002): a maximum-cardinality one
//! for single-path routings (\[OR\] Definition 3, mds), a maximum-weight one for multi-path
//! routings, and a transportation problem when host links differ. Each comes with its dual, a cover
//! of the link's pairs.
//!
//! Since optu ≥ baseload, the largest cover bounds the oblivious ratio from above on every
//! network. The traffic that attains it bounds the ratio from below by its load ÷ optu, which
//! is the same number wherever an even split over all shortest paths carries that traffic with
//! max load 1: on all trees of full bisection (\[OR\] Theorem 1).

mod alike_links;
mod bad_permutations;
mod builder;
mod by_class;
mod by_cuts;
mod candidate_cuts;
mod cardinality;
mod class_covers;
mod class_cuts;
mod class_prices;
mod class_problem;
mod classes;
mod cut_flow;
mod highest;
mod histogram;
mod host_links;
mod laminar;
mod link_ratios;
mod links;
mod method;
mod mixture;
mod one_ended;
mod one_link;
mod permutation;
mod problem;
mod proof;
mod rerouted;
mod room;
mod rounded;
mod shape;
mod shared;
mod side;
mod subtrees;
mod transport;
mod weight;
mod witness;

pub use bad_permutations::{
    BadPermutation, BadPermutationError, bad_permutations, diverse_permutations, links_by_ratio,
    worst_links,
};
pub use builder::{Analyse, Scope, analyse};
pub use by_cuts::under_cuts;
pub use highest::{HighestLoad, highest_load};
pub use histogram::{Bin, histogram, histogram_of_bounds};
pub use link_ratios::{LinkRatio, link_ratios};
pub use method::Method;
pub use one_link::{MostOnLink, most_on_link};
pub use permutation::{PermutationRatio, optu_values, permutation_ratio};
pub use proof::{Proof, prove, prove_by};
pub use rerouted::rerouted;
pub use witness::{carried, witness};

use std::sync::Arc;

use serde::{Deserialize, Serialize};

use crate::advice::Advice;
use crate::certificate::{Cover, Quantity};
use crate::limit::{TooLarge, within};
use crate::progress::Progress;
use crate::rational::Rational;
use crate::routing::Instance;
use crate::shards::Units;
use crate::symmetry::Symmetry;
use crate::topology::{Host, LinkId, NodeId, Topology, link_number};
use crate::traffic::Demand;
use host_links::host_links;
use problem::LinkSolver;
pub(crate) use proof::{BY_SHAPE, BY_SHAPE_AND_COUNT, no_cover_bound};
pub(crate) use shape::{PathsOfPair, ShapeBounds};

/// The worst case of one link over traffic with baseload ≤ 1, or over permutations.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct LinkBound {
    /// No such traffic loads the link more.
    pub load: Rational,
    /// Whether some such traffic attains `load`; false only when the link was not fully solved.
    pub attained: bool,
    /// Proof of `load`. Elsewhere, so that links without a bound take little memory.
    pub cover: Box<Cover>,
}

/// The worst case of a routing, as far as it was worked out.
#[derive(Clone, Debug)]
pub struct WorstCase {
    /// The quantity that was maximised.
    pub quantity: Quantity,
    /// The method used.
    pub method: Method,
    /// The most that every host sends and receives, when that is the same for all.
    pub unit: Option<Rational>,
    /// Sets of nodes that the covers refer to.
    pub cuts: Vec<Vec<NodeId>>,
    /// Per link; `None` when the work was stopped before the link's pairs were known.
    pub links: Vec<Option<LinkBound>>,
    /// The link with the largest attained load, the first one found among equals.
    pub worst: LinkId,
    /// Traffic that attains it.
    pub demands: Vec<Demand>,
    /// Whether all sources of a link's pairs, or all destinations, are the cover of a link whose
    /// bound has an empty one.
    pub by_ends: bool,
    /// Classes of hosts that are alike, if the analysis was by class. Covers then name the first host of
    /// a class for all of it.
    pub classes: Vec<Vec<Host>>,
    /// Why a link was not solved although nothing was stopped; if several, the first one's reason.
    pub unsolved: Option<WorstCaseError>,
    /// Bounds known for trees without looking at pairs.
    shape: Option<ShapeBounds>,
    /// Classes of links of which only the lowest link is solved.
    symmetry: Option<Arc<Symmetry>>,
    /// By classes of hosts: the load of every link that its ends allow.
    ends: Vec<Option<Rational>>,
}

/// An error from [`analyse`].
#[derive(Debug, Clone, PartialEq, Eq, thiserror::Error)]
#[non_exhaustive]
#[expect(missing_docs, reason = "the message is the documentation")]
pub enum WorstCaseError {
    /// Capacities that are not integers below 2^40 in units of a common denominator.
    #[error("the link capacities have no sufficiently small common denominator: {0}")]
    Denominators(#[source] Advice),
    /// Shares that are not integers of at most 2^40 in units of a common denominator.
    #[error(
        "the shares of the pairs on link {0} have no sufficiently small common denominator: \
         round them, for example to thousandths"
    )]
    Shares(LinkId),
    #[error("{0}")]
    TooLarge(#[from] TooLarge),
}

impl WorstCaseError {
    pub(crate) const DENOMINATORS: Self = Self::Denominators(Advice::CAPACITY_1);
}

/// Maximum number of SD pairs whose paths are followed.
pub const MAX_PAIRS: u64 = 1 << 32;

fn analyse_with(
    instance: &Instance,
    quantity: Quantity,
    symmetry: Option<&Arc<Symmetry>>,
    method: Method,
    solver: &dyn LinkSolver,
    units: &Units,
    progress: &Progress,
) -> Result<WorstCase, WorstCaseError> {
    let topology = &instance.topology;
    let mut worst = WorstCase::new(instance, quantity, method)?;
    worst.cuts = solver.cuts();
    worst.symmetry = symmetry.filter(|_| topology.tree().is_none()).cloned();
    worst.start(topology);
    worst.solve(instance, solver, units, progress);
    worst.complete_classes();
    Ok(worst)
}

/// The (out, in) capacities of all hosts.
fn host_capacities(topology: &Topology) -> Vec<[Rational; 2]> {
    let hosts = topology.host_numbers();
    hosts.map(|host| [true, false].map(|way| topology.host_capacity(host, way))).collect()
}

fn unit(topology: &Topology, quantity: Quantity) -> Option<Rational> {
    if quantity == Quantity::PermutationLoad {
        return Some(Rational::ONE);
    }
    let capacities = host_capacities(topology);
    let mut all = capacities.iter().flatten();
    let first = all.next()?;
    all.all(|capacity| capacity == first).then(|| first.clone())
}

fn choose(
    instance: &Instance,
    quantity: Quantity,
    unit: Option<Rational>,
) -> Result<(Method, Box<dyn LinkSolver>), WorstCaseError> {
    let tree = instance.topology.tree().filter(|tree| !tree.full_bisection());
    if let Some(tree) = tree.filter(|_| quantity == Quantity::ObliviousRatio) {
        return Ok((Method::Laminar, Box::new(laminar::Solver::new(&instance.topology, tree)?)));
    }
    by_baseload(instance, unit)
}

/// The method where only hosts limit the traffic.
fn by_baseload(
    instance: &Instance,
    unit: Option<Rational>,
) -> Result<(Method, Box<dyn LinkSolver>), WorstCaseError> {
    Ok(match (instance.routing.is_single_path(), unit) {
        (true, Some(unit)) => (Method::Cardinality, Box::new(cardinality::Solver { unit })),
        (false, Some(unit)) => (Method::Weight, Box::new(weight::Solver::new(unit))),
        (_, None) => {
            let capacities = host_capacities(&instance.topology);
            (Method::Transport, Box::new(transport::Solver::new(&capacities)?))
        }
    })
}

impl WorstCase {
    /// Nothing but the links that join a host to its only neighbour.
    fn new(
        instance: &Instance,
        quantity: Quantity,
        method: Method,
    ) -> Result<Self, WorstCaseError> {
        let topology = &instance.topology;
        let hosts = topology.hosts() as u128;
        let pairs = Some(hosts * (hosts - 1));
        within("number of SD pairs", pairs, MAX_PAIRS, "analyse a smaller network")?;
        Ok(Self {
            quantity,
            method,
            unit: unit(topology, quantity),
            cuts: Vec::new(),
            // They are known without a search where every pair has a path.
            links: match instance.routing.lost_pairs() {
                0 => host_links(topology, quantity),
                _ => vec![None; topology.links()],
            },
            worst: 0,
            demands: Vec::new(),
            by_ends: false,
            classes: Vec::new(),
            unsolved: None,
            shape: ShapeBounds::of(instance, quantity),
            symmetry: None,
            ends: Vec::new(),
        })
    }

    /// The largest attained load, that of [`Self::demands`].
    #[must_use]
    pub fn lower(&self) -> &Rational {
        static ZERO: Rational = Rational::ZERO;
        let bound = self.links.get(self.worst as usize).and_then(Option::as_ref);
        let bound = bound.filter(|bound| bound.attained && !self.demands.is_empty());
        bound.map_or(&ZERO, |bound| &bound.load)
    }

    /// The largest load that the covers allow; `None` where a link has no cover because the work
    /// was stopped: the covers of the other links then give no upper bound.
    #[must_use]
    pub fn upper(&self) -> Option<Rational> {
        let most = Some(Rational::ZERO);
        self.links.iter().fold(most, |most, link| Some(most?.max(link.as_ref()?.load.clone())))
    }

    /// For every link, the load that no traffic with optu at most 1 exceeds; `None` where it is not known.
    #[must_use]
    pub fn upper_by_link(&self) -> Vec<Option<Rational>> {
        let load = |bound: &Option<LinkBound>| bound.as_ref().map(|bound| bound.load.clone());
        self.links.iter().map(load).collect()
    }

    /// As [`Self::upper`], with the bounds from the tree's shape for links without a cover.
    fn upper_by_shape(&self, topology: &Topology) -> Option<Rational> {
        let shape = self.shape.as_ref()?;
        let links = self.links.iter().enumerate();
        let of_link = |(link, bound): (usize, &Option<LinkBound>)| match bound {
            Some(bound) => Some(bound.load.clone()),
            None => shape.most_of_level(topology.link(link_number(link)).level).cloned(),
        };
        links.map(of_link).try_fold(Rational::ZERO, |most, load| Some(most.max(load?)))
    }

    /// Whether every link has a cover, so that there is an upper bound.
    #[must_use]
    pub fn is_covered(&self) -> bool {
        self.links.iter().all(Option::is_some)
    }

    /// Whether the evidence also proves the worst permutation load: hosts send and receive at
    /// most 1, as in a permutation.
    #[must_use]
    pub fn proves_permutation_load(&self) -> bool {
        let over_baseload =
            !matches!(self.method, Method::Laminar | Method::Cuts | Method::Program);
        self.unit == Some(Rational::ONE) && over_baseload
    }

    /// Whether the worst case is exact. Between classes of hosts, links that cannot be the worst one may
    /// have no more than a bound.
    #[must_use]
    pub fn is_complete(&self) -> bool {
        let is_less = |bound: &LinkBound| !self.classes.is_empty() && bound.load <= *self.lower();
        let is_known = |bound: &LinkBound| bound.attained || is_less(bound);
        self.links.iter().all(|link| link.as_ref().is_some_and(is_known))
    }

    /// Whether every link's load is exact.
    #[must_use]
    pub fn is_exact_by_link(&self) -> bool {
        self.links.iter().all(|link| link.as_ref().is_some_and(|bound| bound.attained))
    }
}
