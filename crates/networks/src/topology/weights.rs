//! Weights of links: what a link costs a path, where a file says so.
//!
//! They are data for routings, as those of OSPF and IS-IS: no load, capacity or optu depends on them.
//! Generated networks have none.
//!
//! All links have one, or none. No certificate has them: a routing that uses them is written out path by path, which
//! the checkers verify as any other.

use super::{LinkId, Topology};
use crate::rational::Rational;

impl Topology {
    /// The weight of a link, by which a routing may measure paths: positive, and given for every link
    /// or for none. Panics, as indexing does, when there is no such link.
    ///
    /// ```
    /// # use routebound_networks as routebound;
    /// use routebound::{rational::Rational, topology::NetworkBuilder};
    /// let mut network = NetworkBuilder::new();
    /// let [a, b] = ["a", "b"].map(|name| network.host(name));
    /// network.cable(a, b, Rational::ONE);
    /// network.weigh(Rational::from(7));
    /// let network = network.build("two routers")?;
    /// assert_eq!(network.weight(0), Some(&Rational::from(7)));
    /// # Ok::<(), routebound::topology::TopologyError>(())
    /// ```
    #[must_use]
    pub fn weight(&self, link: LinkId) -> Option<&Rational> {
        if self.is_named_tree() { None } else { self.link(link).weight.as_deref() }
    }

    /// The minimum and the maximum weight of a link; `None` where links have no weights, in O(1). O(links).
    #[must_use]
    pub fn weights(&self) -> Option<(&Rational, &Rational)> {
        // All have one, or none.
        self.link_numbers().next().and_then(|first| self.weight(first))?;
        let weights = || self.link_numbers().filter_map(|link| self.weight(link));
        weights().min().zip(weights().max())
    }

    /// Whether the weights of links differ, so that shortest paths by weight need not be those by hops.
    /// O(links).
    #[must_use]
    pub fn weights_differ(&self) -> bool {
        self.weights().is_some_and(|(least, most)| least != most)
    }
}
