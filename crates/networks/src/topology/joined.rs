//! Links by the nodes that they join, and nodes by name.

use std::collections::HashSet;

use super::names::is_plain;
use super::{LinkId, NodeId, Topology};

impl Topology {
    /// The links from one node to another, in ascending order: several where cables are parallel.
    ///
    /// ```
    /// # use routebound_networks as routebound;
    /// let tree = routebound::topology::generate("ft(4,2)")?;
    /// assert_eq!(tree.links_between(0, 8), [0]);
    /// assert!(tree.links_between(0, 1).is_empty());
    /// # Ok::<(), Box<dyn std::error::Error>>(())
    /// ```
    #[must_use]
    pub fn links_between(&self, from: NodeId, to: NodeId) -> Vec<LinkId> {
        let leads_there = |link: &LinkId| self.ends(*link).is_some_and(|(_, head)| head == to);
        let mut links: Vec<LinkId> = self.links_from(from).filter(leads_there).collect();
        links.sort_unstable();
        links
    }

    /// The link from one node to another, of parallel ones the lowest; `None` where they are not joined.
    ///
    /// ```
    /// # use routebound_networks as routebound;
    /// let tree = routebound::topology::generate("ft(4,2)")?;
    /// let link = tree.link_between(8, 12).ok_or("not joined")?;
    /// assert_eq!(tree.link_name(link), "sw-1-0[3] -> sw-2-0[1]");
    /// # Ok::<(), Box<dyn std::error::Error>>(())
    /// ```
    #[must_use]
    pub fn link_between(&self, from: NodeId, to: NodeId) -> Option<LinkId> {
        self.links_between(from, to).first().copied()
    }

    /// The names of all nodes, if a list with `separator` between names can hold them: each belongs to one node, is not
    /// a number and has no separator, comma, quotation mark, control character, leading `#`, or blank at either end.
    #[must_use]
    pub fn plain_node_names(&self, separator: &str) -> Option<Vec<&str>> {
        let names: Vec<&str> =
            self.node_numbers().map(|node| self.node(node).name.as_str()).collect();
        let distinct = names.iter().collect::<HashSet<_>>().len() == names.len();
        let plain = |name: &&str| is_plain(name) && !name.contains(separator.trim());
        (distinct && names.iter().all(plain)).then_some(names)
    }
}
