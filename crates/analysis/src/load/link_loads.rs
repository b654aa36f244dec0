//! The load that traffic puts on every link under a routing.

use std::cmp::Reverse;
use std::collections::BTreeMap;

use rayon::prelude::*;
use serde::Serialize;

use super::product_loads::product_loads;
use crate::progress::{Progress, Stopped};
use crate::rational::Rational;
use crate::routing::{Routing, UseScratch};
use crate::sums::{Sums, first_max};
use crate::topology::{Direction, LinkId, Topology};
use crate::traffic::{Demand, TrafficView};

/// The loads of all links (MLOAD(r,TM) of \[OR\] II.A is the largest).
#[derive(Clone, Debug)]
pub struct LinkLoads<'t> {
    topology: &'t Topology,
    traffic: Sums,
    /// By place there.
    flows: Vec<u64>,
}

/// Links of one level and direction with the same load.
#[derive(Clone, Debug, PartialEq, Eq, Serialize)]
pub struct LoadCount {
    /// Level of the links; host links have level 1.
    pub level: u8,
    /// Up, down or flat.
    pub direction: Direction,
    /// Traffic ÷ capacity.
    pub load: Rational,
    /// Number of links.
    pub links: usize,
}

/// The links of one level and direction.
#[derive(Clone, Debug, PartialEq, Eq, Serialize)]
pub struct LevelLoads {
    /// Level of the links; host links have level 1.
    pub level: u8,
    /// Up, down or flat.
    pub direction: Direction,
    /// Number of links.
    pub links: usize,
    /// Number of them that carry no traffic.
    pub idle: usize,
    /// Least load.
    pub least: Rational,
    /// Sum of loads ÷ links.
    pub mean: Rational,
    /// Greatest load.
    pub most: Rational,
}

impl<'t> LinkLoads<'t> {
    /// Puts traffic on the links of `topology` by a routing made for it. O(demands · links used by a
    /// pair); on all threads and without a list of demands for products. `progress` advances by the
    /// number of demands.
    ///
    /// # Errors
    /// [`Stopped`] when `progress` requests a stop.
    ///
    /// ```
    /// # use routebound_analysis as routebound;
    /// use routebound::{load::LinkLoads, progress::Progress, rational::Rational, routing::Instance, traffic::Demand};
    /// let instance = Instance::named("ft(4,2)", "dmodk")?;
    /// // Both sources are under the first leaf, both destinations have M1 = 0: root 0.
    /// let demands = [(0, 2), (1, 4)].map(|(s, d)| Demand { s, d, amount: Rational::ONE });
    /// let (topology, routing) = (instance.topology(), instance.routing());
    /// let loads = LinkLoads::of(topology, routing, &demands, &Progress::silent())?;
    /// assert_eq!(loads.max(), Some((16, Rational::from(2))));
    /// assert_eq!(topology.link_name(16), "sw-1-0[3] -> sw-2-0[1]");
    /// # Ok::<(), Box<dyn std::error::Error>>(())
    /// ```
    pub fn of<'a>(
        topology: &'t Topology,
        routing: &dyn Routing,
        traffic: impl Into<TrafficView<'a>>,
        progress: &Progress,
    ) -> Result<Self, Stopped> {
        match traffic.into() {
            TrafficView::Listed(demands) => Self::of_listed(topology, routing, demands, progress),
            // Fewer demands than there are links are listed more cheaply.
            TrafficView::Products(products) if products.len() < topology.links() as u64 => {
                let demands: Vec<Demand> = products.demands().collect();
                Self::of_listed(topology, routing, &demands, progress)
            }
            TrafficView::Products(products) => {
                let (traffic, flows) = product_loads(topology, routing, products, progress)?;
                Ok(Self { topology, traffic, flows })
            }
        }
    }

    fn of_listed(
        topology: &'t Topology,
        routing: &dyn Routing,
        demands: &[Demand],
        progress: &Progress,
    ) -> Result<Self, Stopped> {
        let (mut traffic, mut flows) = (Sums::new(topology.links()), vec![0; topology.links()]);
        let mut scratch = UseScratch::default();
        for demand in demands {
            progress.check()?;
            routing.for_each_use(demand.s, demand.d, &mut scratch, &mut |share, links| {
                let links = links.iter().copied();
                if *share == Rational::ONE {
                    traffic.add(links.clone(), &demand.amount);
                } else {
                    traffic.add(links.clone(), &(&demand.amount * share));
                }
                links.for_each(|link| flows[link as usize] += 1);
            });
            progress.inc(1);
        }
        Ok(Self { topology, traffic, flows })
    }

    /// The loads of traffic on given paths: an amount with the links that it crosses. O(links of the
    /// paths).
    #[must_use]
    pub fn of_paths<'p>(
        topology: &'t Topology,
        paths: impl IntoIterator<Item = (&'p Rational, &'p [LinkId])>,
    ) -> Self {
        let (mut traffic, mut flows) = (Sums::new(topology.links()), vec![0; topology.links()]);
        for (amount, links) in paths {
            traffic.add(links.iter().copied(), amount);
            for link in links {
                flows[*link as usize] += 1;
            }
        }
        Self { topology, traffic, flows }
    }

    /// The bottlenecks of the demands that these are the loads of: of the links that carry a demand, that of highest
    /// load, the first of several. O(demands · links used by a pair / threads). `progress` advances by the number of
    /// demands.
    ///
    /// # Errors
    /// [`Stopped`] when `progress` requests a stop.
    ///
    /// # Panics
    /// Where the routing is not that of the loads, and a demand uses no link.
    ///
    /// ```
    /// # use routebound_analysis as routebound;
    /// use routebound::{load::LinkLoads, progress::Progress, rational::Rational, routing::Instance, traffic::Demand};
    /// let instance = Instance::named("ft(4,2)", "dmodk")?;
    /// // The first two share the link from their leaf to root 0; the third has the first link of its path.
    /// let demands = [(0, 2), (1, 4), (5, 7)].map(|(s, d)| Demand { s, d, amount: Rational::ONE });
    /// let (topology, routing) = (instance.topology(), instance.routing());
    /// let loads = LinkLoads::of(topology, routing, &demands, &Progress::silent())?;
    /// assert_eq!(loads.bottlenecks(routing, &demands, &Progress::silent())?, [16, 16, 5]);
    /// # Ok::<(), Box<dyn std::error::Error>>(())
    /// ```
    pub fn bottlenecks(
        &self,
        routing: &dyn Routing,
        demands: &[Demand],
        progress: &Progress,
    ) -> Result<Vec<LinkId>, Stopped> {
        let loads: Vec<Rational> = self.links().map(|link| self.load(link)).collect();
        let key = |link: &LinkId| (&loads[*link as usize], Reverse(*link));
        let of = |scratch: &mut UseScratch, demand: &Demand| {
            progress.check()?;
            let mut found = None;
            routing.for_each_use(demand.s, demand.d, scratch, &mut |_, links| {
                found = links.iter().copied().chain(found).max_by_key(key);
            });
            progress.inc(1);
            Ok(found.expect("a demand uses links"))
        };
        demands.par_iter().map_init(UseScratch::default, of).collect()
    }

    /// Traffic on a link, in units of what a link of capacity 1 carries.
    #[must_use]
    pub fn traffic(&self, link: LinkId) -> Rational {
        self.traffic.get(link)
    }

    /// Load of a link: traffic ÷ capacity.
    #[must_use]
    pub fn load(&self, link: LinkId) -> Rational {
        self.topology.load_of(link, &self.traffic(link))
    }

    /// The network.
    #[must_use]
    pub fn topology(&self) -> &'t Topology {
        self.topology
    }

    /// Number of demands that cross a link, wholly or in part.
    #[must_use]
    pub fn flows(&self, link: LinkId) -> u64 {
        self.flows[self.traffic.place(link)]
    }

    /// Ids of all links.
    pub fn links(&self) -> impl Iterator<Item = LinkId> + use<> {
        self.topology.link_numbers()
    }

    /// Links beside each other with the same traffic, capacity and place, as the first of them and their number.
    fn runs(&self) -> impl Iterator<Item = (LinkId, u32)> {
        self.topology.links_alike().into_iter().flat_map(move |mut links| {
            std::iter::from_fn(move || {
                let first = links.next()?;
                links.start = self.traffic.run(first).end.min(links.end);
                while links.start < links.end && self.traffic.are_same(first, links.start) {
                    links.start = self.traffic.run(links.start).end.min(links.end);
                }
                Some((first, links.start - first))
            })
        })
    }

    /// The largest load and the first link that has it; `None` when there are no links.
    #[must_use]
    pub fn max(&self) -> Option<(LinkId, Rational)> {
        let loads = self.runs().map(|(first, _)| (first, self.load(first)));
        loads.reduce(|best, next| if next.1 > best.1 { next } else { best })
    }

    /// The largest load; 0 when there are no links.
    #[must_use]
    pub fn max_load(&self) -> Rational {
        self.max().map_or(Rational::ZERO, |(_, load)| load)
    }

    /// The largest number of demands that cross a link, and the first link that has it; `None`
    /// when there are no links.
    #[must_use]
    pub fn most_flows(&self) -> Option<(LinkId, u64)> {
        let (place, flows) = first_max(self.flows.iter().copied())?;
        Some((self.traffic.start(place as usize), flows))
    }

    /// Number of links that carry no traffic.
    #[must_use]
    pub fn idle(&self) -> usize {
        let mut idle = 0;
        for (place, _) in self.flows.iter().enumerate().filter(|(_, flows)| **flows == 0) {
            idle += self.traffic.run(self.traffic.start(place)).len();
        }
        idle
    }

    /// Links counted by level, direction and load; the heaviest loads of a level come first.
    /// O(links·log links).
    #[must_use]
    pub fn histogram(&self) -> Vec<LoadCount> {
        let mut counts: BTreeMap<_, usize> = BTreeMap::new();
        for (first, links) in self.runs() {
            let (level, direction) = self.topology.shown_place(first);
            *counts.entry((level, direction, Reverse(self.load(first)))).or_default() +=
                links as usize;
        }
        let count = |((level, direction, load), links): ((_, _, Reverse<Rational>), _)| LoadCount {
            level,
            direction,
            load: load.0,
            links,
        };
        counts.into_iter().map(count).collect()
    }
}

/// Summarises a histogram level by level.
#[must_use]
pub fn by_level(histogram: &[LoadCount]) -> Vec<LevelLoads> {
    let groups = histogram.chunk_by(|a, b| (a.level, a.direction) == (b.level, b.direction));
    groups.filter_map(level_loads).collect()
}

fn level_loads(counts: &[LoadCount]) -> Option<LevelLoads> {
    let (first, last) = (counts.first()?, counts.last()?);
    let links: usize = counts.iter().map(|count| count.links).sum();
    let weighted = |count: &LoadCount| &count.load * &Rational::from(count.links as u64);
    let total = counts.iter().fold(Rational::ZERO, |sum, count| &sum + &weighted(count));
    Some(LevelLoads {
        level: first.level,
        direction: first.direction,
        links,
        idle: if last.load.is_zero() { last.links } else { 0 },
        least: last.load.clone(),
        mean: total.checked_div(&Rational::from(links as u64))?,
        most: first.load.clone(),
    })
}
