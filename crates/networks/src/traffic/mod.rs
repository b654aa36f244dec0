//! Traffic: demands of SD pairs, permutations, and patterns from the literature.
//!
//! A pattern is traffic among *tasks*, which a placement puts on hosts (see `tasks`). One file per
//! family: to add one, add its file, its `mod` line and its line in [`KINDS`]. Patterns that are
//! defined only for some sizes refuse the others: with a rounded size the traffic would not be
//! the one requested.
//!
//! Regular traffic is never listed. All-to-all and what resembles it is a few products of sets of hosts
//! ([`ProductTraffic`]); what takes traffic takes a [`TrafficView`], a list or products, and a pattern that has
//! products says so in its entry (`regular`). Baseload, cuts and load factors follow from the sizes of the sets, loads
//! and contention from walking the pairs source by source. A list is made where a linear program or a certificate needs
//! one. `tests/memory` holds the engines to budgets per link and host.
//!
//! ```
//! # use routebound_networks as routebound;
//! use routebound::{rational::Rational, traffic::{Demand, TrafficMatrix, generate}};
//! let demand = |s, d| Demand { s, d, amount: Rational::ONE };
//! let own = TrafficMatrix::new(4, vec![demand(0, 1), demand(1, 2), demand(2, 3), demand(3, 0)])?;
//! assert_eq!(own.demands(), generate("shift(1)", 4)?.demands());
//! # Ok::<(), routebound::traffic::TrafficError>(())
//! ```

mod bintree;
mod bits;
mod cg;
mod clustered;
mod gravity;
mod hotspot;
mod hypercube;
mod jobs;
mod matrix;
mod mesh;
mod permutation;
mod prelude;
mod products;
mod rail;
mod random;
mod random_permutation;
mod ring;
mod samelast;
mod shift;
mod tasks;
mod uniform;
mod view;
mod wrf;

pub use matrix::TrafficMatrix;
pub use permutation::{Permutation, complete};
pub use products::{Product, ProductTraffic, Rows};
pub use routebound_proof::traffic::{Demand, PathRecord};
pub use tasks::Place;
pub use view::{Traffic, TrafficView};

use crate::limit::{TooLarge, within};
use crate::registry::{self, Kind, UnknownName};
use crate::spec::{Spec, SpecError};
use crate::topology::{Host, Topology};

/// Builds traffic among a given number of hosts from its spec.
pub type Build = fn(&Spec, usize) -> Result<TrafficMatrix, TrafficError>;

/// Builds traffic between the hosts of a network from its spec.
pub type BuildOn = fn(&Spec, &Topology) -> Result<TrafficMatrix, TrafficError>;

/// Builds the same as products of sets of hosts.
pub type BuildProducts = fn(&Spec, usize) -> Result<ProductTraffic, TrafficError>;

/// A pattern, and what holds of its traffic whatever the options and the number of hosts.
#[derive(Debug, Clone, Copy)]
pub struct Pattern {
    /// Builds the traffic.
    pub build: Build,
    /// Builds it without listing its demands, of which there may be one per SD pair.
    pub products: Option<BuildProducts>,
    /// Builds it between the hosts of a network, where more than their number matters.
    pub on_network: Option<BuildOn>,
    /// Every host sends to at most one host and receives from at most one.
    pub is_permutation: bool,
    /// Every host receives from another what it sends to it.
    pub is_symmetric: bool,
}

impl Pattern {
    /// Neither a permutation nor symmetric.
    const fn plain(build: Build) -> Self {
        let (products, on_network) = (None, None);
        Self { build, products, on_network, is_permutation: false, is_symmetric: false }
    }

    /// A pattern whose traffic consists of a few products.
    const fn regular(self, products: BuildProducts) -> Self {
        Self { products: Some(products), ..self }
    }

    /// A pattern that depends on the network.
    const fn on_network(self, build: BuildOn) -> Self {
        Self { on_network: Some(build), ..self }
    }

    /// A permutation, which need not be symmetric.
    const fn permutation(build: Build) -> Self {
        Self { is_permutation: true, ..Self::plain(build) }
    }

    /// Symmetric traffic.
    const fn symmetric(build: Build) -> Self {
        Self { is_symmetric: true, ..Self::plain(build) }
    }

    /// A permutation that is its own inverse.
    const fn symmetric_permutation(build: Build) -> Self {
        Self { is_symmetric: true, ..Self::permutation(build) }
    }
}

/// Every pattern. All examples fit 256 hosts.
pub const KINDS: &[Kind<Pattern>] = &[
    uniform::KIND,
    random::KIND,
    random_permutation::KIND,
    shift::SHIFT,
    shift::TORNADO,
    bits::REVERSAL,
    bits::SHUFFLE,
    bits::COMPLEMENT,
    ring::KIND,
    mesh::MESH2D,
    mesh::MESH3D,
    mesh::TORUS2D,
    mesh::TORUS3D,
    hypercube::KIND,
    bintree::KIND,
    clustered::KIND,
    jobs::KIND,
    rail::KIND,
    gravity::KIND,
    hotspot::GROUPS,
    hotspot::PERCENT,
    samelast::KIND,
    wrf::KIND,
    cg::KIND,
];

/// Why traffic could not be built.
#[derive(Debug, Clone, PartialEq, Eq, thiserror::Error)]
#[non_exhaustive]
#[expect(missing_docs, reason = "the message is the documentation")]
pub enum TrafficError {
    #[error(transparent)]
    Spec(#[from] SpecError),
    #[error("{0}")]
    Unknown(#[from] UnknownName),
    #[error("{0}")]
    TooLarge(#[from] TooLarge),
    #[error("traffic `{pattern}` does not fit {hosts} hosts: {reason}")]
    DoesNotFit { pattern: String, hosts: usize, reason: String },
    #[error("there is no traffic among {hosts} hosts: at least 2 are needed")]
    NoPairs { hosts: usize },
    #[error("the traffic has {tasks} tasks, but there are {hosts} hosts: use a larger network")]
    TooFewHosts { tasks: usize, hosts: usize },
    #[error("there is no host {host}: the {hosts} hosts are numbered from 0")]
    NoSuchHost { host: Host, hosts: usize },
    #[error("host {host} is a source twice: in a permutation it sends to one destination")]
    TwiceSource { host: Host },
    #[error("host {host} is a destination twice: in a permutation it receives from one source")]
    TwiceDestination { host: Host },
}

impl TrafficError {
    /// The error that `spec` is not defined for a number of hosts.
    fn does_not_fit(spec: &Spec, hosts: usize, reason: impl Into<String>) -> Self {
        Self::DoesNotFit { pattern: spec.to_string(), hosts, reason: reason.into() }
    }
}

/// Builds the traffic that `spec` describes, among `hosts` hosts.
///
/// # Errors
/// [`TrafficError`] when the name is unknown, the pattern is not defined for this number of hosts,
/// or the matrix would be larger than [`TrafficMatrix::MAX_ENTRIES`].
///
/// ```
/// # use routebound_networks as routebound;
/// use routebound::traffic;
/// let reversal = traffic::generate("bitrev", 8)?;
/// // 000, 010, 101 and 111 are their own reversals.
/// assert_eq!((reversal.len(), reversal.self_demands()), (4, 4));
/// assert_eq!((reversal.demands()[0].s, reversal.demands()[0].d), (1, 4));
/// # Ok::<(), traffic::TrafficError>(())
/// ```
pub fn generate(spec: &str, hosts: usize) -> Result<TrafficMatrix, TrafficError> {
    let (spec, kind) = pattern(spec, hosts)?;
    (kind.build.build)(&spec, hosts)
}

/// Generates traffic between the hosts of a network, which matters to some patterns, such as `gravity`.
///
/// # Errors
/// As [`generate`].
pub fn generate_on(spec: &str, topology: &Topology) -> Result<TrafficMatrix, TrafficError> {
    let (spec, kind) = pattern(spec, topology.hosts())?;
    match kind.build.on_network {
        Some(build) => build(&spec, topology),
        None => (kind.build.build)(&spec, topology.hosts()),
    }
}

/// The traffic that `spec` describes as products of sets of hosts; `None` for patterns without such a form. The number of
/// demands is not limited.
///
/// # Errors
/// As [`generate`], except for the number of demands.
pub fn regular(spec: &str, hosts: usize) -> Result<Option<ProductTraffic>, TrafficError> {
    let (spec, kind) = pattern(spec, hosts)?;
    kind.build.products.map(|products| products(&spec, hosts)).transpose()
}

/// Other names of patterns, and theirs.
const ALIASES: &[(&str, &str)] = &[("all-to-all", "uniform"), ("alltoall", "uniform")];

/// The name of the pattern that `name` means, which may be another name of it.
#[must_use]
pub fn name_of(name: &str) -> &str {
    ALIASES.iter().find(|(alias, _)| *alias == name).map_or(name, |(_, name)| name)
}

fn parse(spec: &str) -> Result<(Spec, &'static Kind<Pattern>), TrafficError> {
    let named = Spec::parse(spec).map(|mut spec| {
        spec.name = name_of(&spec.name).to_string();
        spec.to_string()
    });
    registry::parse(KINDS, "traffic", named.as_deref().unwrap_or(spec))
}

/// A spec and its pattern, once both and the number of hosts are known to be right.
fn pattern(spec: &str, hosts: usize) -> Result<(Spec, &'static Kind<Pattern>), TrafficError> {
    let (spec, kind) = parse(spec)?;
    let most = TrafficMatrix::MAX_HOSTS;
    within("number of hosts", Some(hosts as u128), most, "use fewer hosts")?;
    if hosts < 2 {
        return Err(TrafficError::NoPairs { hosts });
    }
    Ok((spec, kind))
}

/// The canonical form of `spec`, with the seed if the traffic depends on one.
///
/// # Errors
/// [`TrafficError`] when the spec is malformed or the name is unknown.
///
/// ```
/// # use routebound_networks as routebound;
/// use routebound::traffic::canonical;
/// assert_eq!(canonical("Random( p=0.5 )")?, "random(p=0.5,seed=1)");
/// assert_eq!(canonical("ring")?, "ring");
/// assert_eq!(canonical("alltoall")?, "uniform");
/// # Ok::<(), routebound::traffic::TrafficError>(())
/// ```
pub fn canonical(spec: &str) -> Result<String, TrafficError> {
    let (mut spec, kind) = parse(spec)?;
    if !kind.takes("place") || spec.option("place") == Some("random") {
        spec.show("seed");
    }
    if spec.option("total").is_none() {
        spec.show("baseload");
    }
    Ok(spec.to_string())
}
