//! Traffic: demands of SD pairs, permutations, and the patterns of the literature.
//!
//! A pattern is traffic among *tasks*, which a placement puts on hosts (see `tasks`). One file a
//! family: add one by its file, its `mod` line and its line in [`KINDS`]. Patterns that are
//! defined for some sizes only refuse the others: rounding a size would be other traffic than
//! the one asked for.

mod bintree;
mod bits;
mod cg;
mod clustered;
mod demand;
mod hotspot;
mod hypercube;
mod matrix;
mod mesh;
mod path_record;
mod permutation;
mod random;
mod random_permutation;
mod ring;
mod samelast;
mod shift;
mod tasks;
mod uniform;
mod wrf;

pub use demand::Demand;
pub use matrix::TrafficMatrix;
pub use path_record::PathRecord;
pub use permutation::{Permutation, complete};
pub use tasks::{is_random, seed};

use crate::limit::{TooLarge, within};
use crate::registry::{self, Kind, UnknownName};
use crate::spec::{Spec, SpecError};
use crate::topology::Host;

/// Makes traffic among a number of hosts from its spec.
pub type Build = fn(&Spec, usize) -> Result<TrafficMatrix, TrafficError>;

/// Every pattern. All examples fit 256 hosts.
pub const KINDS: &[Kind<Build>] = &[
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
    hypercube::KIND,
    bintree::KIND,
    clustered::KIND,
    hotspot::GROUPS,
    hotspot::PERCENT,
    samelast::KIND,
    wrf::KIND,
    cg::KIND,
];

/// Why there is no such traffic.
#[derive(Debug, Clone, PartialEq, Eq, thiserror::Error)]
pub enum TrafficError {
    /// The spec is malformed or its arguments do not fit.
    #[error("{0}")]
    Spec(#[from] SpecError),
    /// No pattern of that name.
    #[error("{0}")]
    Unknown(#[from] UnknownName),
    /// Larger than a limit.
    #[error("{0}")]
    TooLarge(#[from] TooLarge),
    /// The pattern is not defined for this number of hosts.
    #[error("traffic `{pattern}` does not fit {hosts} hosts: {reason}")]
    DoesNotFit {
        /// Spec of the pattern.
        pattern: String,
        /// Number of hosts.
        hosts: usize,
        /// What it needs, and the remedy.
        reason: String,
    },
    /// A network of one host has no traffic.
    #[error("there is no traffic among {hosts} hosts: at least 2 are needed")]
    NoPairs {
        /// Number of hosts, 0 or 1.
        hosts: usize,
    },
    /// A matrix of more tasks than the network has hosts.
    #[error("the traffic has {tasks} tasks, but there are {hosts} hosts: use a larger network")]
    TooFewHosts {
        /// Hosts of the matrix.
        tasks: usize,
        /// Hosts of the network.
        hosts: usize,
    },
    /// A demand of or to a host that does not exist.
    #[error("there is no host {host}: the hosts of {hosts} are numbered from 0")]
    NoSuchHost {
        /// The number.
        host: Host,
        /// Number of hosts.
        hosts: usize,
    },
    /// A host that sends to two destinations in a permutation.
    #[error("host {host} is twice a source: in a permutation it sends to one destination")]
    TwiceSource {
        /// The host.
        host: Host,
    },
    /// A host that receives from two sources in a permutation.
    #[error("host {host} is twice a destination: in a permutation it receives from one source")]
    TwiceDestination {
        /// The host.
        host: Host,
    },
}

impl TrafficError {
    /// The error that `spec` is not defined for a number of hosts.
    fn does_not_fit(spec: &Spec, hosts: usize, reason: impl Into<String>) -> Self {
        Self::DoesNotFit { pattern: spec.to_string(), hosts, reason: reason.into() }
    }
}

/// Makes the traffic that `spec` describes, among `hosts` hosts.
///
/// # Errors
/// [`TrafficError`] when the name is unknown, the pattern is not defined for so many hosts, or
/// the matrix would be larger than [`TrafficMatrix::MAX_ENTRIES`].
///
/// ```
/// use routebound::traffic;
/// let reversal = traffic::generate("bitrev", 8)?;
/// // 000, 010, 101 and 111 are their own reversals.
/// assert_eq!((reversal.len(), reversal.self_demands()), (4, 4));
/// assert_eq!((reversal.demands()[0].s, reversal.demands()[0].d), (1, 4));
/// # Ok::<(), traffic::TrafficError>(())
/// ```
pub fn generate(spec: &str, hosts: usize) -> Result<TrafficMatrix, TrafficError> {
    let spec = Spec::parse(spec)?;
    let kind = registry::find(KINDS, "traffic", &spec.name)?;
    let most = TrafficMatrix::MAX_HOSTS;
    within("number of hosts", Some(hosts as u128), most, "use fewer hosts")?;
    if hosts < 2 {
        return Err(TrafficError::NoPairs { hosts });
    }
    if spec.path.is_some() {
        return Err(spec.bad(kind.usage, "a pattern takes no `:` and path").into());
    }
    (kind.build)(&spec, hosts)
}

/// The canonical form of `spec`: with the seed, where the traffic depends on one.
///
/// # Errors
/// [`TrafficError`] when the spec is malformed or the name is unknown.
///
/// ```
/// use routebound::traffic::canonical;
/// assert_eq!(canonical("Random( p=0.5 )")?, "random(p=0.5,seed=1)");
/// assert_eq!(canonical("ring")?, "ring");
/// # Ok::<(), routebound::traffic::TrafficError>(())
/// ```
pub fn canonical(spec: &str) -> Result<String, TrafficError> {
    let mut spec = Spec::parse(spec)?;
    let kind = registry::find(KINDS, "traffic", &spec.name)?;
    let placed = kind.usage.contains("place=");
    if kind.usage.contains("seed=") && (!placed || spec.option("place") == Some("random")) {
        spec.set_default("seed", "1");
    }
    Ok(spec.to_string())
}
