//! Recognising trees of the XGFT family among networks that were read.
//!
//! A file lists nodes and cables but no labels. This module finds them, or tells why there are
//! none: [`steps`] pairs the links of both directions into cables and counts parents and children,
//! [`labels`] finds the digits of every node, [`check`] numbers nodes and links in the order of the
//! labels. There every link is compared with the arithmetic of [`Xgft`], so the labels are right
//! whatever the earlier steps did. O(links · log(links) + hosts · height).
//!
//! Several labellings fit a tree. The one chosen follows the network:
//!
//! - **Hosts keep their numbers.** The subtrees of a subtree are in the order of their first
//!   hosts, and so are the hosts of a leaf switch. Where the network numbers its hosts subtree by
//!   subtree, these are the numbers that the labels would give.
//! - **Up-digits follow ports.** Above the first host, parent W is the one at the W-th lowest port;
//!   the labels of all other switches follow from these.
//! - Switches are numbered level by level and links in the order of [`Xgft`], whatever the file
//!   says; names, addresses and ports stay with their nodes and links.
//!
//! Parallel cables to top switches become separate links, see [`Xgft::cables_to_top`].
//! All links of a step must have the same capacity, which the labels keep ([`Xgft::capacity`]).

mod check;
mod labels;
mod steps;

use petgraph::graph::DiGraph;

use super::{Link, Node, Topology, Xgft};
use crate::advice::Advice;
use crate::rational::Rational;
use labels::Labels;
use steps::Steps;

/// Why a network is not a tree of the XGFT family.
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
#[non_exhaustive]
#[expect(missing_docs, reason = "the message is the documentation")]
pub enum NoTree {
    #[error("there is no switch")]
    NoSwitch,
    #[error("there is only one host")]
    OneHost,
    #[error("it has {0} levels of switches, but a tree has at most 16")]
    TooHigh(u8),
    #[error("the link {link} joins levels {from} and {to}, which are not neighbours")]
    Sideways { link: String, from: u8, to: u8 },
    #[error(
        "the link {link} has capacity {}, but {other}, between the same levels, has {}; a tree has \
         one capacity there: make them equal, or {advice}", capacities[0], capacities[1]
    )]
    Capacity {
        link: String,
        other: String,
        capacities: Box<[Rational; 2]>,
        #[source]
        advice: Advice,
    },
    #[error("the numbers of links from `{from}` to `{to}` and back differ")]
    OneWay { from: String, to: String },
    #[error("`{node}` has {found} {what}, but `{other}` of the same level has {wanted}")]
    Uneven {
        node: String,
        found: usize,
        /// What is counted: switches above or neighbours below.
        what: &'static str,
        other: String,
        wanted: usize,
    },
    #[error(
        "{found} parallel cables join `{child}` and `{parent}`, but {wanted} join the first two \
         nodes of these levels"
    )]
    Bundles { child: String, parent: String, found: usize, wanted: usize },
    /// Parallel cables where labels have no room for them.
    #[error(
        "{cables} parallel cables join `{child}` and `{parent}`; labels have room for parallel \
         cables only to the top switches, since from others paths continue over shared links: {advice}"
    )]
    BundlesBelow {
        child: String,
        parent: String,
        cables: usize,
        #[source]
        advice: Advice,
    },
    #[error("its neighbour counts are those of {shape}, whose node counts differ")]
    Size { shape: String },
    #[error(
        "the switches up to level {level} join {found} hosts, `{host}` among them, but {wanted} in \
         a tree with these neighbour counts"
    )]
    Subtree { level: usize, host: String, found: usize, wanted: u64 },
    #[error("the switches above `{node}` do not match: elsewhere they are wired differently")]
    Wiring { node: String },
    #[error("cables have been removed")]
    Damaged,
}

impl Topology {
    /// The network with labels if it is a tree of the XGFT family, otherwise with the reason why it
    /// is not ([`Self::no_tree`]). Switches and links are renumbered by the labels; hosts keep
    /// their numbers, and everything keeps its names, addresses and ports.
    ///
    /// ```
    /// # use routebound_networks as routebound;
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
    // Levels are distances only as long as no cable has been removed.
    if topology.no_tree() == Some(&NoTree::Damaged) {
        return Err(NoTree::Damaged);
    }
    let steps = Steps::of(topology)?;
    let labels = Labels::of(topology, &steps)?;
    check::renumbered(topology, &steps, labels)
}
