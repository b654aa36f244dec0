//! Networks as data.
//!
//! A [`Topology`] is a petgraph digraph of hosts and switches whose directed links carry a
//! capacity and a level; generated trees and imported fabrics are represented alike. A tree
//! of the XGFT family also keeps its labels ([`Xgft`]), from which links follow by arithmetic.
//!
//! One file per family: each turns a spec into a network, most via the parameters of an [`Xgft`].
//! To add a family, add its file, its `mod` line and its line in [`KINDS`].

mod address;
mod bft;
mod builder;
mod check;
mod eft2;
mod error;
mod ft;
mod ftree;
mod guid;
mod kary;
mod level;
mod levels;
mod load;
mod merge;
mod names;
mod nbclos;
mod network;
mod numbers;
mod pairs;
mod properties;
mod recognise;
mod shown;
mod tree_shape;
mod universal;
mod weights;
mod xgft;

pub use address::Address;
pub use builder::{NetworkBuilder, NodeKey};
pub use error::{Inconsistency, TopologyError};
pub use levels::Levels;
pub(crate) use names::is_number;
pub use names::{HostNames, NoHost, quoted};
pub use network::{Direction, Link, Node, NodeKind, Topology};
pub use numbers::{Host, LinkId, MAX_LINKS, NodeId, host_number, link_number, node_number};
pub use pairs::sd_pairs;
pub use properties::{LevelSummary, Summary};
pub use recognise::NoTree;
pub use tree_shape::{Parameters, TreeShape};
pub use universal::UniversalShape;
pub use xgft::{FromSource, MAX_HEIGHT, Xgft};

use crate::registry::{self, Kind};
use crate::spec::{Spec, SpecError};

/// Builds a network from its spec.
pub type Build = fn(&Spec) -> Result<Topology, TopologyError>;

/// Gives the m and w of a tree from its spec.
pub type GiveParameters = fn(&Spec) -> Result<Parameters, TopologyError>;

/// A family of generated topologies.
#[derive(Debug, Clone, Copy)]
pub struct Family {
    /// Builds a member.
    pub build: Build,
    /// The m and w of a member, without building it; `None` where a member is more than its m and w.
    pub parameters: Option<GiveParameters>,
    /// Specs of members with 2 to this many hosts, smallest first: the networks on which statements
    /// about every tree are tested. Of several specs of one tree, the first in the order of
    /// [`KINDS`] counts. Empty for a family that these statements are not about.
    pub members: fn(usize) -> Vec<String>,
}

/// Every family of generated topologies.
pub const KINDS: &[Kind<Family>] = &[
    ft::KIND,
    eft2::KIND,
    ftree::KIND,
    kary::KIND,
    nbclos::KIND,
    xgft::KIND,
    bft::KIND,
    universal::KIND,
];

/// Builds the topology that `spec` describes.
///
/// # Errors
/// [`TopologyError`] when the name is unknown, the arguments do not fit, or the network
/// would be larger than [`Topology::MAX_LINKS`] links.
///
/// ```
/// let tree = routebound::topology::generate("FT(8, 3)")?;
/// assert_eq!((tree.spec(), tree.hosts(), tree.links()), ("ft(8,3)", 128, 768));
/// # Ok::<(), routebound::topology::TopologyError>(())
/// ```
pub fn generate(spec: &str) -> Result<Topology, TopologyError> {
    let spec = Spec::parse(spec)?;
    let kind = registry::find(KINDS, "topology", &spec.name)?;
    (kind.build.build)(&spec)
}

/// The network with the labels of an [`Xgft`].
fn labelled(
    spec: &Spec,
    usage: &'static str,
    parameters: &Parameters,
) -> Result<Topology, TopologyError> {
    Ok(Topology::from_tree(spec.to_string(), Xgft::new(spec, usage, parameters)?)?)
}

/// The two or more integers of a spec such as `ft(m,n)`, each at least 1.
fn positive_arguments(
    spec: &Spec,
    count: usize,
    usage: &'static str,
) -> Result<Vec<u64>, SpecError> {
    let numbers = spec.arguments(count, &[], usage)?;
    match numbers.iter().find(|number| **number == 0) {
        Some(_) => Err(spec.bad(usage, "every number must be at least 1")),
        None => Ok(numbers.to_vec()),
    }
}
