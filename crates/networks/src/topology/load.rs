//! Capacities of hosts, and traffic relative to link capacity.

use super::{Host, LinkId, Topology};
use crate::rational::Rational;

impl Topology {
    /// Sum of the capacities of the links out of a host (if `outgoing`) or into it.
    #[must_use]
    pub fn host_capacity(&self, host: Host, outgoing: bool) -> Rational {
        if let Some(tree) = self.tree() {
            return tree.cut(0);
        }
        let sum = |links: &mut dyn Iterator<Item = LinkId>| {
            links.fold(Rational::ZERO, |mut total, link| {
                total += self.capacity(link);
                total
            })
        };
        if outgoing { sum(&mut self.links_from(host)) } else { sum(&mut self.links_to(host)) }
    }

    /// The load of a link that carries `traffic`, which is `traffic` divided by its capacity.
    ///
    /// # Panics
    /// As [`Self::link`].
    ///
    /// ```
    /// # use routebound_networks as routebound;
    /// use routebound::{rational::Rational, topology};
    /// let tree = topology::generate("ft(4,2)")?;
    /// assert_eq!(tree.load_of(0, &Rational::from(3)), Rational::from(3));
    /// # Ok::<(), topology::TopologyError>(())
    /// ```
    #[must_use]
    pub fn load_of(&self, link: LinkId, traffic: &Rational) -> Rational {
        let capacity = self.capacity(link);
        if *capacity == Rational::ONE {
            return traffic.clone();
        }
        let load = traffic.checked_div(capacity);
        load.expect("`Topology::new` refuses links of capacity 0")
    }

    /// The load when all of `traffic` is on one link of least capacity: as long as no path crosses
    /// a link twice, the most that it puts on any link, however it is routed. `None` when there are
    /// no links. O(links), O(height) for labelled trees.
    ///
    /// ```
    /// # use routebound_networks as routebound;
    /// use routebound::{rational::Rational, topology};
    /// let tree = topology::generate("ft(4,2)")?;
    /// assert_eq!(tree.load_on_narrowest(&Rational::from(8)), Some(Rational::from(8)));
    /// # Ok::<(), topology::TopologyError>(())
    /// ```
    #[must_use]
    pub fn load_on_narrowest(&self, traffic: &Rational) -> Option<Rational> {
        let links = self.links_alike();
        let narrowest = links.iter().min_by_key(|links| self.capacity(links.start))?;
        Some(self.load_of(narrowest.start, traffic))
    }
}
