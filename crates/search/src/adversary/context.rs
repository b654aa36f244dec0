//! The context that all adversaries of an instance share: its link loads in integers, and a bound on optu.
//!
//! The optu of a permutation is bounded with certainty in one of three ways. On trees of full
//! bisection it is the baseload (\[OR\] Theorem 1), the same for all permutations. On other trees
//! it is the maximum load of a cut around a subtree ([`crate::optimum::optimal_cut`]); cut loads
//! are as linear in the traffic as link loads, so cuts are counters like links. Elsewhere the even
//! split over all shortest paths is a routing, so its max load is at least optu; if that is 1 for
//! every permutation, no counters are kept for it, see `even.rs`.

use super::AdversaryError;
use super::even::{self, EvenBound, EvenLoads};
use super::uses::{MAX_UNITS, Uses};
use crate::prelude::*;
use crate::rational::common_denominator;
use crate::routing::Routing;
use crate::shards::Units;

/// Maximum number of hosts that adversaries work on.
pub const MAX_HOSTS: u64 = 1 << 16;

/// An instance prepared for adversaries: the loads of all pairs in integers.
pub struct AttackContext<'i> {
    pub(super) instance: &'i Instance,
    pub(super) uses: Uses<'i>,
    pub(super) optu: Optu<'i>,
    /// Whether `optu` may be far above the optu of a permutation: good enough to guide a search,
    /// but not to report ratios.
    pub(super) is_rough: bool,
    /// Units in which restarts, samples and the like are done.
    pub(super) units: Units,
}

/// `load` ÷ the capacity of a link or a cut.
fn over(load: &Rational, capacity: &Rational) -> Rational {
    load.checked_div(capacity).expect("links have a capacity above 0")
}

/// Why division by a number of units succeeds.
const UNIT: &str = "a common unit is not 0";

/// An upper bound on the optu of permutations.
pub(super) enum Optu<'i> {
    /// No permutation has a greater optu.
    Constant(Rational),
    /// optu is exactly the maximum cut load.
    Cuts(Cuts<'i>),
    /// optu is at most the max load of the even split.
    Even(EvenLoads),
}

/// The cuts of all subtrees of a tree, each twice: out and in.
pub(super) struct Cuts<'i> {
    tree: &'i Xgft,
    /// Index of the first cut of every height.
    first: Vec<u32>,
    /// Load units per unit of traffic across a cut, for every height.
    unit: Vec<u64>,
    /// Units of an optu of 1.
    scale: u64,
}

impl<'i> Cuts<'i> {
    fn new(tree: &'i Xgft) -> Result<Self, AdversaryError> {
        let inverse = |cut: &Rational| over(&Rational::ONE, cut);
        let inverse: Vec<Rational> = tree.cuts().iter().map(inverse).collect();
        let scale = common_denominator(&inverse).ok_or(AdversaryError::DENOMINATORS)?;
        let most = MAX_UNITS / tree.hosts() as u128;
        let units = |one: &Rational| one.scaled(scale).filter(|units| u128::from(*units) <= most);
        let unit = inverse.iter().map(units).collect::<Option<_>>();
        let unit = unit.ok_or(AdversaryError::DENOMINATORS)?;
        let count =
            |height: usize| 2 * (tree.subtree_hosts(tree.height()) / tree.subtree_hosts(height));
        let mut first = vec![0];
        first.extend((0..tree.height()).scan(0, |sum, height| {
            *sum += count(height);
            Some(*sum)
        }));
        Ok(Self { tree, first, unit, scale })
    }

    /// Calls `visit(cut, units)` for every cut that the pair crosses.
    #[inline]
    pub(super) fn each(&self, s: Host, d: Host, mut visit: impl FnMut(u32, u64)) {
        for height in 0..self.tree.nca_level(s, d) {
            let (first, unit) = (self.first[height], self.unit[height]);
            visit(first + 2 * self.tree.subtree(s, height), unit);
            visit(first + 2 * self.tree.subtree(d, height) + 1, unit);
        }
    }
}

impl Optu<'_> {
    /// Number of counters.
    pub(super) fn counters(&self, topology: &Topology) -> usize {
        match self {
            Self::Constant(_) => 1,
            Self::Cuts(cuts) => cuts.first.last().map_or(1, |last| *last as usize),
            Self::Even(_) => topology.links(),
        }
    }

    /// Units of an optu of 1.
    pub(super) fn scale(&self) -> u64 {
        match self {
            Self::Constant(_) => 1,
            Self::Cuts(cuts) => cuts.scale,
            Self::Even(uses) => uses.scale(),
        }
    }
}

impl<'i> AttackContext<'i> {
    /// Prepares an instance. O(links) for single-path routings of trees, O(links between all
    /// pairs of switches with hosts) on other networks, O(N²·links of a pair) for multi-path
    /// routings. If the work is stopped, networks without labels get a weaker bound on optu.
    ///
    /// # Errors
    /// [`AdversaryError`] when the network is too large, its numbers have no common
    /// denominator, or the tabulation of a multi-path routing was stopped.
    pub fn new(instance: &'i Instance, progress: &Progress) -> Result<Self, AdversaryError> {
        let Instance { topology, routing, .. } = instance;
        let hosts = Some(topology.hosts() as u128);
        within("number of hosts", hosts, MAX_HOSTS, "attack a smaller network")?;
        let uses = Uses::new(topology, &**routing, progress)?;
        let (optu, is_rough) = match topology.tree() {
            Some(tree) if tree.full_bisection() => {
                (Optu::Constant(over(&Rational::ONE, &tree.cut(0))), false)
            }
            Some(tree) => (Optu::Cuts(Cuts::new(tree)?), false),
            None => over_even_split(topology, progress),
        };
        Ok(Self { instance, uses, optu, is_rough, units: Units::default() })
    }

    /// Shares its searches among several processes. What a search finds in the part of a
    /// shard is the best of that part.
    #[must_use]
    pub fn shared_by(self, units: Units) -> Self {
        Self { units, ..self }
    }

    /// The network.
    #[must_use]
    pub fn topology(&self) -> &'i Topology {
        &self.instance.topology
    }

    /// The routing under attack.
    #[must_use]
    pub fn routing(&self) -> &'i dyn Routing {
        &*self.instance.routing
    }

    /// Number of hosts.
    #[must_use]
    pub fn hosts(&self) -> usize {
        self.instance.topology.hosts()
    }

    /// Whether all permutations have the same bound on optu, so that adding pairs never lowers the
    /// ratio and the worst permutation may be assumed full.
    #[must_use]
    pub fn is_monotone(&self) -> bool {
        matches!(self.optu, Optu::Constant(_))
    }

    /// Whether the optu of every permutation has a bound good enough to divide by: exact on trees,
    /// that of the even split elsewhere. It is `false` where some pair has no path, the network is
    /// too large for the loads of the even split, or [`Self::new`] was stopped. What [`Self::judge`]
    /// says is certain in either case.
    ///
    /// ```
    /// # use routebound_search as routebound;
    /// use routebound::adversary::{AttackContext, IncrementalLoads};
    /// use routebound::progress::{Progress, Stop};
    /// use routebound::routing::{Instance, Routing};
    /// use routebound::{import, rational::Rational, topology::{Host, LinkId}};
    /// // A stand-in with one path per pair.
    /// struct Direct;
    /// impl Routing for Direct {
    ///     fn spec(&self) -> &str {
    ///         "direct"
    ///     }
    ///     fn for_each_path(
    ///         &self,
    ///         _: Host,
    ///         _: Host,
    ///         _: &mut Vec<LinkId>,
    ///         visit: &mut dyn FnMut(&Rational, &[LinkId]),
    ///     ) {
    ///         visit(&Rational::ONE, &[0]);
    ///     }
    /// }
    /// let topology = import::topology("instances/networks/examples/ring.csv", &Default::default())?;
    /// let instance = Instance::trusted(topology, Box::new(Direct) as Box<dyn Routing>);
    /// let stop = Stop::at(None);
    /// assert!(AttackContext::new(&instance, &Progress::silent())?.bounds_optu());
    /// stop.request();
    /// let context = AttackContext::new(&instance, &Progress::silent().stopped_by(stop))?;
    /// assert!(!context.bounds_optu());
    /// assert!(IncrementalLoads::new(&context).ratio().is_none());
    /// # Ok::<(), Box<dyn std::error::Error>>(())
    /// ```
    #[must_use]
    pub fn bounds_optu(&self) -> bool {
        !self.is_rough
    }

    /// Whether some permutation attains the oblivious ratio: on trees where every cut carries the
    /// traffic of a whole number of hosts, or only hosts limit the traffic, the extreme points are
    /// permutations.
    #[must_use]
    pub fn permutations_suffice(&self) -> bool {
        let whole = |tree: &Xgft| tree.cuts_in_units().is_some_and(|(units, _)| units[0] == 1);
        self.topology().tree().is_some_and(|tree| tree.full_bisection() || whole(tree))
    }

    /// A lower bound on the optu of any permutation on a tree: that of one pair.
    #[cfg(feature = "highs")]
    pub(super) fn least_optu(&self) -> Rational {
        let of_tree = |tree: &Xgft| over(&Rational::ONE, &tree.cut(0));
        self.topology().tree().map_or(Rational::ONE, of_tree)
    }

    /// Whether a pair loads a link.
    pub(super) fn crosses(
        &self,
        s: Host,
        d: Host,
        link: LinkId,
        scratch: &mut Vec<LinkId>,
    ) -> bool {
        let mut found = false;
        self.uses.each(s, d, scratch, |used, _| found |= used == link);
        found
    }

    /// load ÷ optu, from counters in units.
    pub(super) fn ratio(&self, value: Value) -> Rational {
        if value.load == 0 {
            return Rational::ZERO;
        }
        let load = Rational::new(value.load, self.uses.scale()).expect(UNIT);
        let optu = match &self.optu {
            Optu::Constant(optu) => optu * &Rational::from(value.optu),
            other => Rational::new(value.optu, other.scale()).expect(UNIT),
        };
        load.checked_div(&optu).expect("what loads a link of the routing loads any other too")
    }

    /// A remark on findings for which optu is not known well enough.
    pub(super) fn remark(&self) -> Option<String> {
        let text = "the optu of permutations is only bounded from above here, as the network is \
                    too large or the work was stopped: there is no mean and no curve, but the \
                    finding itself was evaluated separately";
        self.is_rough.then(|| text.to_string())
    }
}

/// The even split as a bound, and whether it is rough. If it is not known, the bound is one that
/// always holds: all hosts send over one link.
fn over_even_split<'i>(topology: &Topology, progress: &Progress) -> (Optu<'i>, bool) {
    match even::bound(topology, progress) {
        Some(EvenBound::Constant(most)) => {
            let is_rough = most != Rational::ONE;
            (Optu::Constant(most), is_rough)
        }
        Some(EvenBound::Loads(loads)) => (Optu::Even(loads), false),
        None => {
            let links = topology.link_numbers();
            let thinnest = links.map(|link| topology.link(link).capacity.clone()).min();
            let hosts = Rational::from(topology.hosts() as u64);
            let thinnest = thinnest.unwrap_or(Rational::ONE);
            (Optu::Constant(over(&hosts, &thinnest)), true)
        }
    }
}

/// Load and optu in units, compared by load ÷ optu. If the bound on optu is a constant, `optu`
/// counts the permutations that the traffic consists of.
#[derive(Clone, Copy, Debug, Default, Serialize, Deserialize)]
pub(super) struct Value {
    pub(super) load: u64,
    pub(super) optu: u64,
}

impl Value {
    /// Whether it can be that of traffic: what loads a link has an optu.
    pub(super) fn is_possible(self) -> bool {
        self.load == 0 || self.optu > 0
    }

    fn cross(self, other: Self) -> [u128; 2] {
        let (mine, theirs) = (self.optu.max(1), other.optu.max(1));
        [u128::from(self.load) * u128::from(theirs), u128::from(other.load) * u128::from(mine)]
    }
}

impl Ord for Value {
    fn cmp(&self, other: &Self) -> std::cmp::Ordering {
        let [mine, theirs] = self.cross(*other);
        mine.cmp(&theirs)
    }
}

impl PartialOrd for Value {
    fn partial_cmp(&self, other: &Self) -> Option<std::cmp::Ordering> {
        Some(self.cmp(other))
    }
}

impl PartialEq for Value {
    fn eq(&self, other: &Self) -> bool {
        self.cmp(other).is_eq()
    }
}

impl Eq for Value {}
