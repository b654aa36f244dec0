//! Trees of the XGFT family among networks that were read.
//!
//! A file lists nodes and cables and says nothing of labels. This finds them, or says why there
//! are none: [`steps`] brings the links of both directions together as cables and counts parents
//! and children, [`labels`] finds the digits of every node, [`check`] numbers nodes and links in
//! the order of the labels. There every link is compared with the arithmetic of [`Xgft`], so that
//! labels are right whatever came before. O(links · log(links) + hosts · height).
//!
//! Several labellings fit a tree. The one taken follows the network:
//!
//! - **Hosts keep their numbers.** The subtrees of a subtree are in the order of their first
//!   hosts, and so are the hosts of a leaf switch. Where the network numbers its hosts subtree by
//!   subtree, these are the numbers that the labels would give.
//! - **Up-digits follow ports.** Above the first host, parent W is the one at the W-th lowest port;
//!   the labels of all other switches follow from these.
//! - Switches are numbered level by level and links in the order of [`Xgft`], whatever the file
//!   says; names, addresses and ports stay with their nodes and links.
//!
//! Parallel cables to top switches become links of their own, see [`Xgft::cables_to_top`].
//! All links of a step have to have one capacity, which the labels keep ([`Xgft::capacity`]).

mod check;
mod labels;
mod steps;

use petgraph::graph::DiGraph;

use super::{Link, Node, Topology, Xgft};
use crate::ratio::Ratio;
use labels::Labels;
use steps::Steps;

/// Why a network is no tree of the XGFT family.
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
pub enum NoTree {
    /// Hosts that are joined directly forward.
    #[error("there is no switch")]
    NoSwitch,
    /// One host only.
    #[error("there is one host only")]
    OneHost,
    /// Too high.
    #[error("it has {0} levels of switches, and a tree has at most 16")]
    TooHigh(u8),
    /// A link that does not join neighbouring levels.
    #[error("the link {link} joins levels {from} and {to}, not neighbours")]
    Sideways {
        /// Name of the link.
        link: String,
        /// Level of its sender.
        from: u8,
        /// Level of its receiver.
        to: u8,
    },
    /// Links of one step, or the two directions of a cable, have different capacities.
    #[error(
        "the link {link} has capacity {} and {other}, between the same levels, {}, where a tree has \
         one capacity (`--unit-capacity` takes all as 1)", capacities[0], capacities[1]
    )]
    Capacity {
        /// Name of the link.
        link: String,
        /// Name of the first link of the step.
        other: String,
        /// Their capacities.
        capacities: Box<[Ratio; 2]>,
    },
    /// A link without one back.
    #[error("not as many links lead from `{from}` to `{to}` as back")]
    OneWay {
        /// Name of the lower node.
        from: String,
        /// Name of the upper node.
        to: String,
    },
    /// Nodes of one level differ.
    #[error("`{node}` has {found} {what}, `{other}` of the same level has {wanted}")]
    Uneven {
        /// Name of a node.
        node: String,
        /// Its number.
        found: usize,
        /// Of what: switches above, nodes below.
        what: &'static str,
        /// Name of the first node of the level.
        other: String,
        /// Its number.
        wanted: usize,
    },
    /// Joined by different numbers of parallel cables.
    #[error(
        "{found} parallel cables join `{child}` and `{parent}`, and {wanted} the first two nodes \
         of these levels"
    )]
    Bundles {
        /// Name of the lower node.
        child: String,
        /// Name of the upper node.
        parent: String,
        /// Cables between them.
        found: usize,
        /// Cables between others.
        wanted: usize,
    },
    /// Parallel cables where labels have no room for them.
    #[error(
        "{cables} parallel cables join `{child}` and `{parent}`; labels have room for parallel \
         cables to the top switches only, since from others paths go on over shared links \
         (`--merge-cables` reads parallel cables as one link with their capacities together)"
    )]
    BundlesBelow {
        /// Name of the lower node.
        child: String,
        /// Name of the upper node.
        parent: String,
        /// Cables between them.
        cables: usize,
    },
    /// The counts of neighbours are those of a larger or smaller tree.
    #[error("its numbers of neighbours are those of {shape}, which has other numbers of nodes")]
    Size {
        /// The shape.
        shape: String,
    },
    /// What is joined below a level has the wrong size.
    #[error(
        "the switches up to level {level} join `{host}` to {found} hosts, in a tree with these \
         numbers of neighbours to {wanted}"
    )]
    Subtree {
        /// Level.
        level: usize,
        /// Name of the first host of the subtree.
        host: String,
        /// Hosts in it.
        found: usize,
        /// Hosts that a subtree of this height has.
        wanted: u64,
    },
    /// The switches above a node are not wired as in the other subtrees.
    #[error("the switches above `{node}` do not go together: they are wired otherwise elsewhere")]
    Wiring {
        /// Name of the node.
        node: String,
    },
    /// Cables were taken out of a tree.
    #[error("cables are taken out")]
    Damaged,
}

impl Topology {
    /// The network with labels where it is a tree of the XGFT family, or with the reason why it is
    /// none ([`Self::no_tree`]). Switches and links get the numbers of the labels; hosts keep
    /// theirs, and everything keeps its names, addresses and ports.
    ///
    /// ```
    /// use routebound::import::{ImportOptions, topology};
    /// let file = "instances/fabrics/ft8x3/ftree/ibnetdiscover.out.gz";
    /// let fabric = topology(file, &ImportOptions::default())?;
    /// let tree = fabric.tree().ok_or("no labels")?;
    /// assert_eq!(tree.shape(), "xgft(3;4,4,8;1,4,4)");
    /// assert!(!fabric.is_named_tree());
    /// # Ok::<(), Box<dyn std::error::Error>>(())
    /// ```
    #[must_use]
    pub fn recognised(self) -> Self {
        match recognise(&self) {
            Ok((graph, tree)) => self.with_labels(graph, tree),
            Err(reason) => self.without_labels(reason),
        }
    }
}

fn recognise(topology: &Topology) -> Result<(DiGraph<Node, Link>, Xgft), NoTree> {
    let steps = Steps::of(topology)?;
    let labels = Labels::of(topology, &steps)?;
    check::renumbered(topology, &steps, labels)
}
