//! Routings that see the pattern: the paths of a permutation, decided from the permutation.
//!
//! Such a scheme is not a [`Routing`](crate::routing::Routing), which does not see the traffic: it has no oblivious ratio
//! and no certificates. A *local*
//! scheme decides the paths of each source switch from the SD pairs of that switch alone (\[NB\] V);
//! it implements [`LocalScheme`], which is given nothing else, and [`EachSwitch`] makes a
//! [`PatternRouting`] of it. A *global* scheme sees the whole permutation, as a central controller
//! does; for traffic that is not a permutation it may be a [`TrafficRouting`] as well.
//!
//! One file per scheme. To add one, add its file, its `mod` line and its line in [`KINDS`].

mod coloured;
mod colouring;
mod each_switch;
mod nonblocking_adaptive;
mod numbering;
mod routed;
mod switch_use;
mod traffic_routing;
mod worst;

pub use each_switch::{EachSwitch, LocalScheme};
pub use numbering::{Numbering, Scratch};
pub use routed::{LinkCounts, Routed};
pub use switch_use::SwitchUse;
pub use traffic_routing::{RoutedTraffic, TrafficRouting};
pub use worst::{
    Destinations, Drawn, MAX_PATTERNS, WorstPattern, configuration_bounds, most_configurations,
    of_tree, patterns, sampled, worst,
};

pub use crate::destination_sets::{destination_sets, sets_up_to};

use crate::bounds::Bounds;
use crate::prelude::*;
use crate::rearrange::RearrangeError;
use crate::registry::{self, UnknownName};
use crate::spec::SpecError;
use crate::traffic::{Permutation, TrafficError};

/// Builds a scheme for a topology from its spec.
pub type Build = fn(&Spec, &Topology) -> Result<Box<dyn PatternRouting>, PatternError>;

/// Every scheme.
pub const KINDS: &[Kind<Build>] = &[nonblocking_adaptive::KIND, coloured::KIND];

/// Knowledge from which a scheme decides.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Scope {
    /// The SD pairs of the source switch.
    Local,
    /// The whole permutation.
    Global,
}

impl std::fmt::Display for Scope {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        f.write_str(match self {
            Self::Local => "local",
            Self::Global => "global",
        })
    }
}

/// A scheme that gives every SD pair of a permutation one path.
pub trait PatternRouting: Send + Sync {
    /// The canonical spec.
    fn spec(&self) -> &str;

    /// What it decides from.
    fn scope(&self) -> Scope;

    /// Writes a path of every pair of `pattern` into `routed`; what that held before is lost. The
    /// same permutation always gets the same paths.
    ///
    /// # Errors
    /// [`PatternError::Hosts`] for a permutation of other hosts, [`PatternError::TooFewSwitches`]
    /// where the network is too small for it, [`PatternError::Stopped`].
    fn route(
        &self,
        pattern: &Permutation,
        routed: &mut Routed,
        progress: &Progress,
    ) -> Result<(), PatternError>;

    /// Whether every permutation is routed without contention.
    ///
    /// # Errors
    /// [`PatternError::Stopped`].
    fn guarantee(&self, seed: u64, progress: &Progress) -> Result<Guarantee, PatternError>;

    /// This scheme for any traffic, where it takes more than permutations.
    fn traffic_routing(&self) -> Option<&dyn TrafficRouting> {
        None
    }

    /// The top switches that `routed` takes, for schemes that take them by configurations.
    fn switch_use(&self, _routed: &Routed) -> Option<SwitchUse> {
        None
    }
}

/// Guarantee of a scheme for all permutations of its network.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Guarantee {
    /// Whether it routes all of them, no two pairs over one link; `None` where that is open.
    pub nonblocking: Option<bool>,
    /// Max load of the permutations that it routes.
    pub load: Bounds,
    /// Maximum numbers of configurations and of top switches that a permutation needs, for schemes that have them.
    pub needs: Option<(Bounds, Bounds)>,
    /// A permutation that needs the lower bound of these.
    pub hardest: Option<Permutation>,
    /// Notes for the reader.
    pub notes: Vec<String>,
}

/// Why a pattern is not routed.
#[derive(Debug, Clone, PartialEq, Eq, thiserror::Error)]
#[non_exhaustive]
#[expect(missing_docs, reason = "the message is the documentation")]
pub enum PatternError {
    #[error(transparent)]
    Spec(#[from] SpecError),
    #[error("{0}")]
    Unknown(#[from] UnknownName),
    #[error("routing `{routing}` does not fit topology `{topology}`: {reason}")]
    DoesNotFit { routing: String, topology: String, reason: String },
    #[error(
        "the traffic has {found} hosts but the network has {hosts}: give traffic for the network"
    )]
    Hosts { hosts: usize, found: usize },
    #[error(
        "routing `{routing}` needs {needs} top switches for this permutation, in {configurations} \
         configurations, and the tree has {has}: use a tree with more"
    )]
    TooFewSwitches { routing: String, configurations: u64, needs: u64, has: u64 },
    #[error("{0}")]
    TooLarge(#[from] TooLarge),
    #[error("{0}")]
    Stopped(#[from] Stopped),
    #[error("{0}")]
    Traffic(TrafficError),
    #[error("{0}")]
    Rearrange(RearrangeError),
}

impl PatternError {
    fn does_not_fit(spec: &Spec, topology: &Topology, reason: impl Into<String>) -> Self {
        let (routing, topology) = (spec.to_string(), topology.spec().to_string());
        Self::DoesNotFit { routing, topology, reason: reason.into() }
    }
}

impl From<RearrangeError> for PatternError {
    fn from(error: RearrangeError) -> Self {
        match error {
            RearrangeError::Stopped(stopped) => stopped.into(),
            RearrangeError::Hosts { hosts, found } => Self::Hosts { hosts, found },
            other @ RearrangeError::Slimmed { .. } => Self::Rearrange(other),
        }
    }
}

/// Whether `text` names a scheme of [`KINDS`], whatever its arguments.
///
/// ```
/// # use routebound_simulate as routebound;
/// use routebound::simulation::adaptive::is_named;
/// assert!(is_named("Nonblocking-Adaptive") && !is_named("dmodk"));
/// ```
#[must_use]
pub fn is_named(text: &str) -> bool {
    Spec::parse(text).is_ok_and(|spec| KINDS.iter().any(|kind| kind.name == spec.name))
}

/// Builds the scheme that `spec` describes.
///
/// # Errors
/// [`PatternError`] when the name is unknown or the scheme does not fit the topology.
///
/// ```
/// # use routebound_simulate as routebound;
/// use routebound::progress::Progress;
/// use routebound::simulation::adaptive::{self, LinkCounts, Routed};
/// use routebound::{topology::generate, traffic::Permutation};
/// let tree = generate("ftree(4,48,16)")?;
/// let scheme = adaptive::build("nonblocking-adaptive", &tree)?;
/// let (mut routed, mut counts) = (Routed::default(), LinkCounts::new(tree.links()));
/// scheme.route(&Permutation::random(64, 1, 0), &mut routed, &Progress::silent())?;
/// assert_eq!(counts.most(&routed).0, 1);
/// # Ok::<(), Box<dyn std::error::Error>>(())
/// ```
pub fn build(spec: &str, topology: &Topology) -> Result<Box<dyn PatternRouting>, PatternError> {
    let (spec, kind) = registry::parse::<_, PatternError>(KINDS, "pattern routing", spec)?;
    (kind.build)(&spec, topology)
}
