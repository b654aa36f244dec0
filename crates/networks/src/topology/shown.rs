//! Levels as reports show them.
//!
//! The levels of nodes and links are distances from the nearest host: by them trees are recognised, and GUIDs
//! chosen. An operator means something else, see [`Levels`]. Nothing but what is shown depends on those.

use super::level::direction;
use super::{Direction, Levels, LinkId, NodeId, NodeKind, Topology};

impl Topology {
    /// The levels of the network as a tree. They are found once, in O(links + Σ over switches of their neighbours²);
    /// what a failure leaves of a network has the levels of the whole.
    ///
    /// ```
    /// # use routebound_networks as routebound;
    /// use routebound::{rational::Rational, topology::NetworkBuilder};
    /// let mut network = NetworkBuilder::new();
    /// let [left, right, spine] = ["left", "right", "spine"].map(|name| network.switch(name));
    /// for (name, switch) in [("a", left), ("b", left), ("c", right), ("d", right), ("manager", spine)] {
    ///     let host = network.host(name);
    ///     network.cable(host, switch, Rational::ONE);
    /// }
    /// network.cable(left, spine, Rational::ONE);
    /// network.cable(right, spine, Rational::ONE);
    /// let network = network.build("a host on a spine")?.recognised();
    /// // The host at number 4 is at no leaf switch, and the spine at number 7 is none.
    /// assert_eq!(network.levels().all()[4..], [None, Some(1), Some(1), Some(2)]);
    /// assert_eq!((network.node(7).level, network.shown_level(7)), (1, 2));
    /// # Ok::<(), routebound::topology::TopologyError>(())
    /// ```
    #[must_use]
    pub fn levels(&self) -> &Levels {
        self.found_levels.get_or_init(|| Levels::of(self))
    }

    /// [`Self::levels`] where they say more than the network itself: a generated one knows its levels, and so do a
    /// labelled tree and what a failure leaves of a generated network.
    fn levels_that_differ(&self) -> Option<&Levels> {
        (self.is_read() && self.tree().is_none()).then(|| self.levels())
    }

    /// The level of a node as reports show it: that of the tree in networks that were read
    /// ([`Levels::shown`]), else [`Node::level`](super::Node::level). Panics when there is no such node.
    #[must_use]
    pub fn shown_level(&self, node: NodeId) -> u8 {
        self.levels_that_differ().map_or_else(|| self.node(node).level, |levels| levels.shown(node))
    }

    /// The level and direction of a link as reports show them. Host links have level 1 wherever the host is; links
    /// of switches that stand aside lead across. Panics when there is no such link.
    #[must_use]
    pub fn shown_place(&self, link: LinkId) -> (u8, Direction) {
        let own = self.place(link);
        let Some((levels, (from, to))) = self.levels_that_differ().zip(self.ends(link)) else {
            return own;
        };
        if [from, to].into_iter().any(|node| self.node(node).kind == NodeKind::Host) {
            return own;
        }
        let (a, b) = (levels.shown(from), levels.shown(to));
        let aside = levels.level(from).is_none() || levels.level(to).is_none();
        (a.max(b), if aside { Direction::Flat } else { direction(a, b) })
    }
}
