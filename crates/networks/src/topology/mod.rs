//! Networks as data.
//!
//! A [`Topology`] is a petgraph digraph of hosts and switches whose directed links carry a
//! capacity and a level; generated trees and imported fabrics are represented alike. A tree
//! of the XGFT family also keeps its labels ([`Xgft`]), from which links follow by arithmetic.
//!
//! One file per family: each turns a spec into a network, most via the parameters of an [`Xgft`].
//! To add a family, add its file, its `mod` line and its line in [`KINDS`].
//!
//! # What holds for every network
//!
//! - It is data: every analysis works on all. Hosts are the first nodes, links are numbered and may be parallel, ports
//!   and levels are consistent; [`Topology::new`] checks it, [`NetworkBuilder`] provides it. It need not be connected,
//!   and every node forwards: in a backbone each router is a host. Labels ([`Xgft`]) are an extra that speeds things
//!   up, never the only way.
//! - An imported tree is a tree: [`Topology::recognised`] finds the labels and puts switches and links in their order,
//!   but hosts keep their numbers. Code asks for digits, subtrees and positions of a host and never computes them from
//!   its number. Certificates hold such a network link by link; only `synth` proves something about its shape, and says
//!   so.
//! - Levels of networks that were read are only shown. [`Node::level`] is a distance, by which trees are recognised and
//!   GUIDs chosen. What is printed, drawn or exported asks [`Topology::shown_level`] and [`Topology::shown_place`],
//!   which know that a host on a spine makes no leaf switch of it; results and certificates do not.
//! - The statements of the papers are about plain trees. Labels carry a capacity for every step, and cuts of subtrees
//!   are capacities, never link counts ([`Xgft::cut`]). Counting arguments, published bounds and statements assume
//!   links of capacity 1 and no parallel cables: they ask [`Topology::plain_tree`].
//! - Only labelled trees are named in certificates ([`Topology::is_named_tree`]). Every other network is written out,
//!   `universal` included. The checker also accepts a name that somebody wrote by hand, of any family that `NAMES.md`
//!   defines ([`Family::is_defined`]).
//! - Coordinates are recorded where a network is generated ([`Topology::coordinates`]), as labels are; nothing is guessed
//!   from a name.
//!
//! # A family that is not a plain tree
//!
//! Its [`Family::members`] is empty, since statements about every tree are tested on members. `NAMES.md` and the second
//! checker need its nodes, links and routings written down, as they know trees only; a family that is not there is
//! [`Construction::WrittenOut`]. Without a file, only `omrmn`, `ecmp`, `hash`, `minhop` and `ksp` fit every network.
//! Switches that are joined by a graph and have the same number of hosts are made by `direct.rs`; `facts.rs` counts,
//! measures and finds automorphisms for tests.
//!
//! # Example
//!
//! ```
//! # use routebound_networks as routebound;
//! use routebound::{rational::Rational, topology::NetworkBuilder};
//! let mut network = NetworkBuilder::new();
//! let [aachen, bonn] = ["Aachen", "Bonn"].map(|name| network.host(name));
//! network.cable(aachen, bonn, Rational::from(10));
//! let network = network.build("two cities")?;
//! assert_eq!((network.hosts(), network.links()), (2, 2));
//! assert_eq!(network.link_name(0), "Aachen[1] -> Bonn[1]");
//! # Ok::<(), routebound::topology::TopologyError>(())
//! ```

mod address;
mod bcube;
mod bft;
mod builder;
mod check;
mod coordinates;
mod direct;
mod dragonfly;
mod dring;
mod eft2;
mod error;
#[cfg(test)]
mod facts;
mod fatclique;
mod ft;
mod ftree;
mod galois;
mod guid;
mod hypercube;
mod hyperx;
mod jellyfish;
mod joined;
mod kary;
mod level;
mod levels;
mod load;
mod merge;
mod mesh;
mod names;
mod nbclos;
mod network;
mod numbers;
mod pairs;
mod planes;
mod polarfly;
mod prelude;
mod properties;
mod rails;
mod recognise;
mod shown;
mod slimfly;
mod torus;
mod tree_shape;
mod universal;
mod weights;
mod xgft;
mod xpander;

pub use address::Address;
pub use builder::{NetworkBuilder, NodeKey};
pub use coordinates::Coordinates;
pub use error::{Inconsistency, TopologyError};
pub use levels::Levels;
pub(crate) use names::suggestion;
pub use names::{HostNames, NoHost, adapter, is_number, quoted};
pub use network::{Direction, Link, Node, NodeKind, Topology, Whole};
pub use numbers::{host_number, link_number, node_number};
pub use pairs::sd_pairs;
pub use planes::{Plane, PlanesError};
pub use properties::{LevelSummary, Summary};
pub use recognise::NoTree;
pub use routebound_proof::topology::{Host, LinkId, MAX_LINKS, NodeId};
pub use tree_shape::{Parameters, TreeShape};
pub use universal::UniversalShape;
pub use xgft::{FromSource, LinkPlace, MAX_HEIGHT, Xgft};

use itertools::Itertools as _;

use crate::registry::{self, Kind};
use crate::spec::Spec;

/// Builds a network from its spec.
pub type Build = fn(&Spec) -> Result<Topology, TopologyError>;

/// Gives the m and w of a tree from its spec.
pub type GiveParameters = fn(&Spec) -> Result<Parameters, TopologyError>;

/// A family of generated topologies.
#[derive(Debug, Clone, Copy)]
pub struct Family {
    /// The construction of its members.
    pub construction: Construction,
    /// Specs of members with 2 to this many hosts, smallest first: the networks on which statements
    /// about every tree are tested. Of several specs of one tree, the first in the order of
    /// [`KINDS`] counts. Empty for a family that these statements are not about.
    pub members: fn(usize) -> Vec<String>,
}

/// The construction of the members of a family.
#[derive(Debug, Clone, Copy)]
pub enum Construction {
    /// As trees with labels, which their m and w define.
    Tree(GiveParameters),
    /// As networks that are more than their m and w.
    Network(Build),
    /// As networks that `NAMES.md` does not define, so that certificates always write them out.
    WrittenOut(Build),
}

impl Family {
    /// Whether `NAMES.md` defines its members, so that certificates may name them.
    #[must_use]
    pub const fn is_defined(&self) -> bool {
        !matches!(self.construction, Construction::WrittenOut(_))
    }

    /// Builds a member from its spec.
    ///
    /// # Errors
    /// As [`generate`].
    pub fn build(&self, spec: &Spec) -> Result<Topology, TopologyError> {
        match self.construction {
            Construction::Tree(parameters) => {
                let tree = Xgft::new(spec, &parameters(spec)?)?;
                Ok(Topology::from_tree(spec.to_string(), tree)?)
            }
            Construction::Network(build) | Construction::WrittenOut(build) => build(spec),
        }
    }
}

/// Every family of generated topologies.
pub const KINDS: &[Kind<Family>] = &[
    ft::KIND,
    eft2::KIND,
    ftree::KIND,
    planes::KIND,
    kary::KIND,
    nbclos::KIND,
    xgft::KIND,
    bft::KIND,
    universal::KIND,
    torus::KIND,
    mesh::KIND,
    hypercube::KIND,
    dragonfly::KIND,
    hyperx::KIND,
    slimfly::KIND,
    polarfly::KIND,
    jellyfish::KIND,
    xpander::KIND,
    fatclique::KIND,
    dring::KIND,
    bcube::KIND,
    rails::KIND,
];

/// The names of the families of trees with labels, for messages.
#[must_use]
pub fn tree_families() -> String {
    let trees =
        KINDS.iter().filter(|kind| matches!(kind.build.construction, Construction::Tree(_)));
    trees.map(|kind| kind.name).join(", ")
}

/// Builds the topology that `spec` describes.
///
/// # Errors
/// [`TopologyError`] when the name is unknown, the arguments do not fit, or the network
/// would be larger than [`Topology::MAX_LINKS`] links.
///
/// ```
/// # use routebound_networks as routebound;
/// let tree = routebound::topology::generate("FT(8, 3)")?;
/// assert_eq!((tree.spec(), tree.hosts(), tree.links()), ("ft(8,3)", 128, 768));
/// # Ok::<(), routebound::topology::TopologyError>(())
/// ```
pub fn generate(spec: &str) -> Result<Topology, TopologyError> {
    let (spec, kind) = registry::parse::<_, TopologyError>(KINDS, "topology", spec)?;
    kind.build.build(&spec)
}
