//! Routings: which paths every SD pair uses, and the share of its traffic on each.
//!
//! A [`Routing`] does not know the traffic; that is what makes it oblivious. Schemes that see
//! traffic (adaptive routing) are not a `Routing`. On trees of the XGFT family a routing is a rule
//! for the up-digits W1..WL of a pair ([`tree::UpDigits`]); other networks use forwarding tables
//! or explicit paths.
//!
//! One file per family. To add one, add its file, its `mod` line and its line in [`KINDS`].
//!
//! # What analyses rely on
//!
//! - [`Instance::new`] checks the paths of every SD pair, so that analyses may index by link and add shares up. What
//!   [`build`] built for the same tree is known to keep these promises, and so is a split over all shortest paths that
//!   it built for the same links ([`Instance::shortest_split`]).
//! - A name is not evidence: anyone may write a [`Routing`] that calls itself `dmodk`. Only what [`build`] built for a
//!   tree with the same labels, recognised by its type, counts as built from its spec ([`Instance::is_by_spec`]): for
//!   others no shape is inferred, and certificates hold their paths.
//! - Named routings of trees take shortest paths, and bounds by the shape of a tree rest on that. One with detours,
//!   such as `ksp` or `ecmp` by lengths that differ, says so ([`Routing::has_detours`]): nothing follows from its name,
//!   and certificates hold its paths.
//! - Bulk loops do arithmetic. On trees the links of a path follow from labels, without allocation or a walk in the
//!   graph for each SD pair. Work on all pairs asks for the paths from a source to some hundred destinations at a time
//!   ([`Routing::paths_from`]): no call and no closure per pair; or, where links are counted in fixed steps, for the
//!   numbers of the ancestors alone ([`Routing::ancestors_from`]). Forwarding tables are walked once for all sources
//!   that enter at the same switch (`tails.rs`), or tell their next links ([`Routing::next_links`]). Work per link asks
//!   which share of a pair crosses which links ([`Routing::for_each_use`]), as there may be a great many paths.
//!
//! # A new routing
//!
//! Its entry says why it has no digit rules, and that it is not `defined`: certificates then hold its paths. One that
//! certificates name, which makes them smaller, is defined in `NAMES.md`, for a stranger to make the same, and in
//! `tests/second_checker`, with an instance in `tests/certificates/format/second.rs`; its digit rules, which analyses
//! of the largest trees need, are also in the table of `FORMAT.md` and in `tests/second_checker/product.py`. No test
//! says whether `synth` should try it (`synth/known.rs`). It is tested on the members of all families without being listed.
//! Counts of instances in `results/theorems.md` then grow: `routebound verify --adversaries --save-markdown
//! results/theorems.md` writes them again, and `routebound study adversaries` the table of that study, which has every
//! routing that fits its trees.
//!
//! # Example
//!
//! ```
//! # use routebound_networks as routebound;
//! use routebound::{routing::{self, Instance}, topology};
//! let tree = topology::generate("ft(4,2)")?;
//! let routing = routing::build("dmodk", &tree)?;
//! let instance = Instance::new(tree, routing)?;
//! let mut paths = 0;
//! instance.routing().for_each_path(0, 7, &mut Vec::new(), &mut |share, links| {
//!     paths += 1;
//!     assert_eq!((share.to_string(), links.len()), ("1".to_string(), 4));
//! });
//! assert_eq!(paths, 1);
//! # Ok::<(), Box<dyn std::error::Error>>(())
//! ```

pub mod forwarding;
pub mod lid_tables;
pub mod table;
pub mod tree;

mod built;
mod by_nodes;
mod by_plane;
mod by_tables;
mod digits;
mod disjoint;
mod dmodk;
mod dor;
mod ecmp;
mod ecmp_hash;
mod even;
mod far;
mod grid;
mod hash;
mod instance;
mod ival;
mod kpath;
mod ksp;
mod lattice;
mod layers;
mod lengths;
mod lft;
mod listed;
mod minhop;
mod mlid;
mod next_hops;
mod omrmn;
mod osrm2;
mod osrm3;
mod pair_table;
mod part;
mod path_set;
mod paths;
mod racke;
mod random;
mod rnca;
mod romm;
mod shortest;
mod smodk;
mod tails;
mod two_phase;
mod two_turn;
mod ugal;
mod uses;
mod valiant;
mod validity;
mod weighted;
mod wsr;
mod yuan;

pub use built::{built_from, digit_rules_of, numbered_tree};
pub use by_nodes::NodePathError;
pub use by_plane::each_plane;
pub use by_tables::ByTables;
pub use digits::{DigitRule, DigitRules, Digits, MAX_PORTS, digit_rules, may_have_digit_rules};
pub use instance::{Instance, InstanceError};
pub use listed::Listed;
pub use paths::Paths;
pub use shortest::{ShortestSplit, split_without};
pub use uses::UseScratch;
pub use validity::{InvalidPair, PathProblem};

use std::any::Any;

use crate::advice::Advice;
use crate::limit::TooLarge;
use crate::rational::Rational;
use crate::registry::{self, Kind, UnknownName};
use crate::spec::{Spec, SpecError};
use crate::topology::{Host, LinkId, NodeId, Topology};

/// A family of routings.
#[derive(Clone, Copy, Debug)]
pub struct Family {
    /// Builds a member.
    pub build: Build,
    /// The digits of a pair that decide its up-digits, where one does.
    pub digits: Digits,
    /// Whether `NAMES.md` defines its members, so that certificates may name them; what is not defined there is
    /// written out. A family with digit rules must be.
    pub defined: bool,
}

/// Builds a routing of a topology from its spec.
pub type Build = fn(&Spec, &Topology) -> Result<Box<dyn Routing>, RoutingError>;

/// Every family of routings.
pub const KINDS: &[Kind<Family>] = &[
    dmodk::KIND,
    smodk::KIND,
    random::KIND,
    rnca::UP,
    rnca::DOWN,
    osrm2::KIND,
    osrm3::KIND,
    omrmn::KIND,
    ecmp::KIND,
    hash::KIND,
    ecmp_hash::KIND,
    minhop::KIND,
    kpath::KIND,
    ksp::KIND,
    disjoint::KIND,
    racke::KIND,
    ugal::KIND,
    mlid::KIND,
    wsr::KIND,
    yuan::KIND,
    grid::KIND,
    dor::KIND,
    valiant::KIND,
    romm::KIND,
    ival::KIND,
    two_turn::KIND,
    lft::KIND,
    far::KIND,
    table::KIND,
    by_plane::KIND,
];

/// A visitor of shares of a pair's traffic, each with links that carry it.
pub type Visit<'v> = &'v mut dyn FnMut(&Rational, &[LinkId]);

/// A routing r = {MP, f} (\[OR\] II.A): per SD pair its paths and the share of traffic on each.
///
/// A path is the list of its links from s to d. The shares of a pair are positive and sum
/// to 1. Implementations neither allocate per pair nor traverse a graph where arithmetic gives
/// the links.
///
/// Anyone may implement it, and nothing is concluded from what [`Self::spec`] returns: certificates
/// about such a routing hold its paths. Routings created by [`build`] are recognised by their type.
pub trait Routing: Any + Send + Sync {
    /// The canonical spec.
    fn spec(&self) -> &str;

    /// Whether every SD pair has one path.
    fn is_single_path(&self) -> bool {
        true
    }

    /// Calls `visit(share, links)` for every path of the SD pair (s,d), s ≠ d, both hosts of
    /// the topology that the routing was built for. `links` is scratch space: its contents on
    /// entry and return are meaningless.
    fn for_each_path(&self, s: Host, d: Host, links: &mut Vec<LinkId>, visit: Visit<'_>);

    /// Calls `visit(share, links)` such that every link that carries traffic of the SD pair (s,d)
    /// is in exactly one of the calls, with the share that crosses it over all paths of the
    /// pair. The links of a call need not form a path. The contents of `scratch` on entry and
    /// return are meaningless.
    ///
    /// Bulk work on links calls this; a multi-path routing overrides it where it knows the links
    /// without listing the paths. A single-path routing has nothing to gain.
    fn for_each_use(&self, s: Host, d: Host, scratch: &mut UseScratch, visit: Visit<'_>) {
        let UseScratch { links, shares, .. } = scratch;
        if self.is_single_path() {
            return self.for_each_path(s, d, links, visit);
        }
        shares.clear();
        self.for_each_path(s, d, links, &mut |share, links| {
            shares.extend(links.iter().map(|link| (*link, share.clone())));
        });
        uses::merge(shares);
        for (link, share) in shares.iter() {
            visit(share, &[*link]);
        }
    }

    /// Whether [`Self::for_each_use`] visits the links of a pair in an order in which traffic can
    /// pass them: none before all those that lead to its sending node.
    fn uses_in_order(&self) -> bool {
        false
    }

    /// Writes the path of `s` to each of `destinations` into `paths`, an empty one for `s` itself.
    /// What `paths` held before is lost. Only for single-path routings.
    ///
    /// Work on all pairs calls this for some hundred destinations at a time: a routing overrides it
    /// where it saves a call, or a search, per pair.
    fn paths_from(&self, s: Host, destinations: &[Host], paths: &mut Paths) {
        paths.write_each(s, destinations, |d, paths, scratch| {
            self.for_each_path(s, d, scratch, &mut |_, links| paths.extend(links));
        });
    }

    /// The node to which the only link of `s` leads, if the routing has one path per pair and all sources with the same
    /// node share their paths from there on, as those of forwarding tables do. Work on all pairs then looks at the paths
    /// of one or two of them. `None` where that is not known, or no other source enters there.
    fn enters_at(&self, _s: Host) -> Option<NodeId> {
        None
    }

    /// Writes, for each of `destinations`, the number of the nearest common ancestor through which the only path of
    /// `s` leads: its up-digits read as one number, W1 most significant; anything for `s` itself. Returns whether it
    /// did: only routings by the labels of a tree do, with one shortest path per pair.
    ///
    /// A number takes a fraction of the time of a path, whose links follow from it ([`Xgft`](crate::topology::Xgft)).
    fn ancestors_from(&self, _s: Host, _destinations: &[Host], _ancestors: &mut [u32]) -> bool {
        false
    }

    /// The next links of all nodes, where the routing is by forwarding tables that were followed from every source.
    fn next_links(&self) -> Option<&dyn ByDestination> {
        None
    }

    /// Whether paths may have more links than shortest ones although no file was read: then nothing
    /// follows from the name, not even on a tree, and certificates hold the paths. Of routings from
    /// files nothing is concluded anyway.
    fn has_detours(&self) -> bool {
        false
    }

    /// Whether a path may visit a node more than once. A link that it passes twice carries its share twice.
    fn may_revisit(&self) -> bool {
        false
    }

    /// How it divides the traffic of every pair among all shortest paths, by number of links, where it was
    /// made of all links of this very network. Two hosts that are joined alike to the same switch, and to
    /// nothing else, then have the same shares. Nothing is concluded from it for routings that
    /// [`build`] did not make ([`Instance::shortest_split`]).
    fn shortest_split(&self, _topology: &Topology) -> Option<ShortestSplit> {
        None
    }

    /// The number of hosts of the networks that it is defined on, where it knows; pairs of other
    /// hosts are never requested.
    fn hosts(&self) -> Option<usize> {
        None
    }

    /// Number of SD pairs that a failure has left without a path ([`crate::failure::remaining`]). Everything else has a
    /// path for every pair, and only the worst case, loads and comparisons know what to do with one that has not.
    fn lost_pairs(&self) -> u64 {
        0
    }

    /// Notes for readers of results on how this routing was built, one per line:
    /// which LIDs were used, whether a group size is proven least, and the like.
    fn notes(&self) -> Vec<String> {
        Vec::new()
    }
}

/// Next links by destination: paths to a destination that meet leave by the same link.
pub trait ByDestination: Sync {
    /// The link by which `node` sends to `d` and the node that it leads to, or `None` where no path to `d` passes.
    /// Panics, as indexing does, when there is no such node or host.
    fn next(&self, node: NodeId, d: Host) -> Option<(LinkId, NodeId)>;

    /// Writes what [`Self::next`] has for each of some nodes into `ways`. What that held before is lost.
    fn next_of(&self, nodes: &[NodeId], d: Host, ways: &mut Vec<Option<(LinkId, NodeId)>>) {
        ways.clear();
        ways.extend(nodes.iter().map(|node| self.next(*node, d)));
    }
}

/// Why a routing could not be built.
#[derive(Debug, Clone, PartialEq, Eq, thiserror::Error)]
#[non_exhaustive]
#[expect(missing_docs, reason = "the message is the documentation")]
pub enum RoutingError {
    #[error(transparent)]
    Spec(#[from] SpecError),
    #[error("{0}")]
    Unknown(#[from] UnknownName),
    #[error("routing `{routing}` does not fit topology `{topology}`: {reason}")]
    DoesNotFit {
        routing: String,
        topology: String,
        reason: String,
        #[source]
        advice: Option<Advice>,
    },
    #[error(
        "routing `{routing}` declares no rules by digits, which the analysis by digits needs: {reason}"
    )]
    NoDigitRules { routing: String, reason: &'static str },
    #[error("{0}")]
    TooLarge(#[from] TooLarge),
    #[error("{0}")]
    Tables(String),
}

impl RoutingError {
    /// The error that `spec` is not defined on `topology`.
    #[must_use]
    pub fn does_not_fit(spec: &Spec, topology: &Topology, reason: impl Into<String>) -> Self {
        Self::unfit(spec, topology.spec(), reason)
    }

    /// The error with the advice that its reason ends with.
    fn advising(mut self, words: Option<Advice>) -> Self {
        if let Self::DoesNotFit { advice, .. } = &mut self {
            *advice = words;
        }
        self
    }

    /// The error for a topology of this name.
    fn unfit(spec: &Spec, topology: &str, reason: impl Into<String>) -> Self {
        let (routing, topology) = (spec.to_string(), topology.to_string());
        Self::DoesNotFit { routing, topology, reason: reason.into(), advice: None }
    }
}

/// Builds the routing that `spec` describes.
///
/// # Errors
/// [`RoutingError`] when the name is unknown or the routing does not fit the topology.
///
/// ```
/// # use routebound_networks as routebound;
/// use routebound::{routing, topology};
/// let tree = topology::generate("ft(4,2)")?;
/// let routing = routing::build("D-mod-k".replace('-', "").as_str(), &tree)?;
/// let mut hops = 0;
/// routing.for_each_path(0, 7, &mut Vec::new(), &mut |_, links| hops = links.len());
/// assert_eq!(hops, 4);
/// # Ok::<(), Box<dyn std::error::Error>>(())
/// ```
pub fn build(spec: &str, topology: &Topology) -> Result<Box<dyn Routing>, RoutingError> {
    let (spec, kind) = registry::parse::<_, RoutingError>(KINDS, "routing", spec)?;
    let routing = (kind.build.build)(&spec, topology)?;
    Ok(Box::new(built::Built::new(&spec, topology, routing, kind.build.defined)))
}
