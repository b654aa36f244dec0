//! Loads of many permutations, one after another, in integers.
//!
//! Sampling studies route thousands of permutations under one routing. Under a single-path routing
//! a permutation puts whole flows on links, so integer counters suffice, and they are reused.

use crate::integer::index32;
use crate::rational::Rational;
use crate::routing::{Instance, Routing};
use crate::topology::{Host, LinkId};

/// Counts the flows that permutations put on links; each thread needs its own.
pub struct PermutationLoads<'i> {
    routing: &'i dyn Routing,
    flows: Vec<u32>,
    scratch: Vec<LinkId>,
    /// The distinct capacities.
    capacities: Vec<Rational>,
    /// Index in `capacities` of every link's capacity; empty when there is only one.
    class: Vec<u32>,
}

impl<'i> PermutationLoads<'i> {
    /// Counters for the links of an instance; `None` when its routing splits pairs over
    /// several paths.
    #[must_use]
    #[expect(clippy::missing_panics_doc, reason = "it searches for what it inserted")]
    pub fn new(instance: &'i Instance) -> Option<Self> {
        let Instance { topology, routing, .. } = instance;
        let links = || topology.graph().edge_weights();
        let mut capacities: Vec<Rational> = links().map(|link| link.capacity.clone()).collect();
        capacities.sort_unstable();
        capacities.dedup();
        let class = |capacity: &Rational| {
            index32(capacities.binary_search(capacity).expect("all capacities are there"))
        };
        let several = capacities.len() > 1;
        let class = links().filter(|_| several).map(|link| class(&link.capacity)).collect();
        routing.is_single_path().then(|| Self {
            routing: &**routing,
            flows: vec![0; topology.links()],
            scratch: Vec::new(),
            capacities,
            class,
        })
    }

    /// Flows on every link under the permutation in which host s sends to `image[s]`; a host
    /// that is its own image is idle. O(hosts · path length + links), without allocation.
    /// Panics, as indexing does, when an image is not a host.
    ///
    /// ```
    /// # use routebound_analysis as routebound;
    /// use routebound::{load::PermutationLoads, rational::Rational, routing::Instance};
    /// let instance = Instance::named("ft(4,2)", "dmodk")?;
    /// let mut loads = PermutationLoads::new(&instance).ok_or("several paths")?;
    /// // Hosts 0 and 1 of one leaf send to the first hosts of two other leaves: through root 0.
    /// assert_eq!(loads.max_load(&[2, 4, 0, 3, 1, 5, 6, 7]), Rational::from(2));
    /// # Ok::<(), Box<dyn std::error::Error>>(())
    /// ```
    pub fn flows(&mut self, image: &[Host]) -> &[u32] {
        let Self { routing, flows, scratch, .. } = self;
        flows.fill(0);
        for (s, d) in (0..).zip(image).filter(|(s, d)| s != *d) {
            routing.for_each_path(s, *d, scratch, &mut |_, links| {
                for link in links {
                    flows[*link as usize] += 1;
                }
            });
        }
        &self.flows
    }

    /// The max load of the permutation, each host sending 1; see [`Self::flows`].
    ///
    /// # Panics
    /// As [`Self::flows`].
    pub fn max_load(&mut self, image: &[Host]) -> Rational {
        self.flows(image);
        // The most flows on a link of each capacity; a single capacity has no list of classes.
        let mut most = vec![0; self.capacities.len()];
        match most.as_mut_slice() {
            [only] => *only = self.flows.iter().copied().fold(0, u32::max),
            several => {
                for (flows, class) in self.flows.iter().zip(&self.class) {
                    several[*class as usize] = *flows.max(&several[*class as usize]);
                }
            }
        }
        let loads = most.into_iter().zip(&self.capacities).map(|(flows, capacity)| {
            let load = Rational::from(u64::from(flows)).checked_div(capacity);
            load.expect("`Topology::new` refuses links of capacity 0")
        });
        // Without links there is no load.
        loads.fold(Rational::ZERO, Rational::max)
    }
}
