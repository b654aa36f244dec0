//! The paths that routings may use, and the cheapest one of a pair.

use std::cell::RefCell;
use std::collections::{BTreeMap, HashMap};

use dashu_int::UBig;
use dashu_int::ops::{BitTest, Gcd};

#[cfg(feature = "names")]
use crate::certificate::Demand;
use crate::certificate::{AllowedPath, Among, LinkRecord};
use crate::rational::Rational;
use crate::topology::{Host, LinkId, NodeId};

use super::network::Network;
use super::routes::{Routes, check_pair};
use super::shortest::ShortestPaths;
use super::{Refusal, Result, parallel, sum};

/// Prices of links, for the pairs and links that have any.
pub(super) type Prices = BTreeMap<(Host, Host), BTreeMap<LinkId, Rational>>;

/// The allowed paths.
pub(super) enum Allowed<'c> {
    All,
    /// Paths with the fewest links.
    Shortest,
    /// Those of the routing.
    Own(&'c Routes<'c>),
    /// Sorted by pair, then link by link.
    Listed(Vec<&'c AllowedPath>),
}

impl<'c> Allowed<'c> {
    pub(super) fn open(
        network: &Network,
        among: &'c Among,
        routes: &'c Routes<'c>,
    ) -> Result<Self> {
        Ok(match among {
            Among::All => Self::All,
            Among::Shortest => Self::Shortest,
            // A split takes all shortest paths, which may be very many.
            Among::Own if matches!(routes, Routes::Split(_)) => Self::Shortest,
            Among::Own => Self::Own(routes),
            Among::Listed(paths) => {
                for AllowedPath { s, d, links } in paths {
                    network.go_on()?;
                    check_pair(network.hosts, *s, *d)?;
                    network.check_path(*s, *d, links)?;
                }
                let mut paths: Vec<&AllowedPath> = paths.iter().collect();
                paths.sort_by(|a, b| key(a).cmp(&key(b)));
                Self::Listed(paths)
            }
        })
    }

    /// Verifies that the paths of the routing are among them.
    pub(super) fn check_routing(&self, network: &Network, routes: &Routes<'_>) -> Result<()> {
        // A split takes shortest paths only, and may take very many.
        let is_shortest = matches!((self, routes), (Self::Shortest, Routes::Split(_)));
        if is_shortest || matches!(self, Self::All | Self::Own(_)) {
            return Ok(());
        }
        let mut ways = Ways::new(network);
        for s in network.host_numbers() {
            ways.start(network, self, s);
            for d in network.host_numbers().filter(|d| *d != s) {
                network.go_on()?;
                let fits = |links: &[LinkId]| match self {
                    Self::All | Self::Own(_) => true,
                    Self::Shortest => {
                        ways.hops.to(d).is_some_and(|hops| *hops as usize == links.len())
                    }
                    Self::Listed(_) => self.lists((s, d), links),
                };
                if !routes.all_paths(network, (s, d), fits)? {
                    return Err(Refusal::NotAllowed { s, d });
                }
            }
        }
        Ok(())
    }

    /// Whether a path is listed.
    pub(super) fn lists(&self, (s, d): (Host, Host), links: &[LinkId]) -> bool {
        let Self::Listed(paths) = self else { return false };
        paths.binary_search_by(|path| key(path).cmp(&(s, d, links))).is_ok()
    }

    /// The total cost of the cheapest allowed paths of all pairs.
    pub(super) fn paid(&self, network: &Network, prices: &Prices) -> Result<Rational> {
        let prices: Vec<_> = prices.iter().collect();
        let cost = |((s, d), prices): &(&(Host, Host), &BTreeMap<_, Rational>), scratch: &mut _| {
            let unit = common_denominator(prices.values())?;
            let integer = |price: &Rational| price.numerator() * (&unit / price.denominator());
            let prices = prices.iter().map(|(link, price)| (*link, integer(price))).collect();
            let least = self.cheapest(network, (*s, *d), &prices, scratch)?;
            Ok(Rational::from_big(least, unit).expect("a common denominator is not 0"))
        };
        self.total(network, &prices, |(pair, _)| pair.0, cost)
    }

    /// The sum, over demands sorted by source, of the amount times the length of the shortest allowed path.
    #[cfg(feature = "names")]
    pub(super) fn carried(
        &self,
        network: &Network,
        demands: &[Demand],
        lengths: &[u64],
    ) -> Result<Rational> {
        let long = (0..).zip(lengths).filter(|(_, length)| **length > 0);
        let long = long.map(|(link, length)| (link, UBig::from(*length))).collect();
        let cost = |Demand { s, d, amount }: &Demand, scratch: &mut _| {
            let least = self.cheapest(network, (*s, *d), &long, scratch)?;
            Ok(amount * &Rational::from_big(least, UBig::ONE).expect("1 is not 0"))
        };
        self.total(network, demands, |demand| demand.s, cost)
    }

    /// The total cost of what is sorted by source.
    fn total<T: Sync>(
        &self,
        network: &Network,
        all: &[T],
        source: impl Fn(&T) -> Host + Sync,
        cost: impl Fn(&T, &mut Scratch) -> Result<Rational> + Sync,
    ) -> Result<Rational> {
        let sources: Vec<_> = all.chunk_by(|a, b| source(a) == source(b)).collect();
        let paid = parallel::map_with(
            &sources,
            || (Ways::new(network), ShortestPaths::new(network)),
            |scratch, of_source| {
                scratch.0.start(network, self, source(&of_source[0]));
                let mut paid = Rational::ZERO;
                for one in *of_source {
                    network.go_on()?;
                    sum::add(&mut paid, &cost(one, scratch)?)?;
                }
                Ok(paid)
            },
        );
        // The refusal for the lowest source.
        sum::total(&paid.into_iter().collect::<Result<Vec<_>>>()?)
    }

    /// The cost of the cheapest allowed path of a pair.
    fn cheapest(
        &self,
        network: &Network,
        (s, d): (Host, Host),
        prices: &HashMap<LinkId, UBig>,
        (ways, costs): &mut Scratch,
    ) -> Result<UBig> {
        // Links without a price cost nothing.
        let behind = |link: LinkId, reach: &UBig| {
            prices.get(&link).map_or_else(|| reach.clone(), |price| reach + price)
        };
        let cost =
            |links: &[LinkId]| -> UBig { links.iter().filter_map(|link| prices.get(link)).sum() };
        let least = match self {
            Self::All => {
                costs.search(network, s, Some(d), |link, reach| Some(behind(link, reach)));
                costs.to(d).cloned()
            }
            Self::Shortest => {
                ways.mark(network, d);
                costs.search(network, s, Some(d), |link, reach| {
                    ways.is_on(network, link).then(|| behind(link, reach))
                });
                costs.to(d).cloned()
            }
            Self::Own(routes) => {
                let least = RefCell::new(None);
                routes.all_paths(network, (s, d), |links| {
                    let cost = cost(links);
                    let mut least = least.borrow_mut();
                    if least.as_ref().is_none_or(|least| cost < *least) {
                        *least = Some(cost);
                    }
                    true
                })?;
                least.into_inner()
            }
            Self::Listed(paths) => {
                let first = paths.partition_point(|path| (path.s, path.d) < (s, d));
                let own = paths[first..].iter().take_while(|path| (path.s, path.d) == (s, d));
                own.map(|path| cost(&path.links)).min()
            }
        };
        least.ok_or(Refusal::Unroutable { s, d })
    }
}

/// What searches from one source after another need.
type Scratch = (Ways, ShortestPaths<UBig>);

/// The sort key of listed paths.
fn key(path: &AllowedPath) -> (Host, Host, &[LinkId]) {
    (path.s, path.d, &path.links)
}

/// Shortest paths from one source by number of links.
struct Ways {
    hops: ShortestPaths<u32>,
    /// Whether a shortest path to the destination passes a node, and the nodes where it does.
    is_passed: Vec<bool>,
    passed: Vec<NodeId>,
}

impl Ways {
    fn new(network: &Network) -> Self {
        let (hops, is_passed) = (ShortestPaths::new(network), vec![false; network.nodes]);
        Self { hops, is_passed, passed: Vec::new() }
    }

    fn start(&mut self, network: &Network, allowed: &Allowed<'_>, source: Host) {
        if matches!(allowed, Allowed::Shortest) {
            self.hops.search(network, source, None, |_, hops| Some(hops + 1));
        }
    }

    /// Whether a link leads one link farther from the source.
    fn leads_away(&self, network: &Network, link: LinkId) -> bool {
        let LinkRecord { from: tail, to: head, .. } = network.links[link as usize];
        self.hops.to(tail).is_some_and(|hops| self.hops.to(head) == Some(&(hops + 1)))
    }

    /// Marks the nodes on shortest paths to a destination.
    fn mark(&mut self, network: &Network, d: Host) {
        for node in self.passed.drain(..) {
            self.is_passed[node as usize] = false;
        }
        self.passed.push(d);
        self.is_passed[d as usize] = true;
        let mut at = 0;
        while at < self.passed.len() {
            for link in &network.entering[self.passed[at] as usize] {
                let tail = network.links[*link as usize].from;
                if !self.is_passed[tail as usize] && self.leads_away(network, *link) {
                    self.is_passed[tail as usize] = true;
                    self.passed.push(tail);
                }
            }
            at += 1;
        }
    }

    /// Whether a link is on a shortest path to the destination.
    fn is_on(&self, network: &Network, link: LinkId) -> bool {
        self.is_passed[network.links[link as usize].to as usize] && self.leads_away(network, link)
    }
}

/// The least common denominator of prices, limited in length like that of a sum.
fn common_denominator<'a>(prices: impl Iterator<Item = &'a Rational>) -> Result<UBig> {
    let mut unit = UBig::ONE;
    for price in prices {
        let denominator = price.denominator();
        unit = &unit / (&unit).gcd(denominator) * denominator;
        sum::check_bits(unit.bit_len())?;
    }
    Ok(unit)
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::certificate::{EmbeddedNetwork, NetworkForm, PathRecord, RoutingForm, Split};

    fn ratio(numerator: u64, denominator: u64) -> Rational {
        Rational::new(numerator, denominator).unwrap()
    }

    #[test]
    fn the_common_denominator_is_the_least() {
        let of = |prices: &[Rational]| common_denominator(prices.iter()).unwrap();
        assert_eq!(of(&[ratio(1, 6), ratio(3, 4)]), UBig::from(12_u32));
        assert_eq!(of(&[ratio(1, 2), ratio(1, 3), ratio(1, 6)]), UBig::from(6_u32));
    }

    /// Hosts 0, 1, 2 in a line, links 0 and 1 there and 2 and 3 back. From 0 to 2 the links cost
    /// 2/3 + 1/4, from 2 to 0 the first one 1/4: together 7/6.
    #[test]
    fn prices_of_different_denominators_add_up_along_a_path() {
        let ends = [(0, 1), (1, 2), (2, 1), (1, 0)];
        let links = ends.map(|(from, to)| LinkRecord::new(from, to, Rational::ONE)).to_vec();
        let form = NetworkForm::Embedded(EmbeddedNetwork { hosts: 3, nodes: 3, links });
        let network = Network::open(&form).unwrap();
        let there = BTreeMap::from([(0, ratio(2, 3)), (1, ratio(1, 4))]);
        let back = BTreeMap::from([(2, ratio(1, 4))]);
        let prices = Prices::from([((0, 2), there), ((2, 0), back)]);
        let path = |s, d, links: &[LinkId]| AllowedPath { s, d, links: links.to_vec() };
        let listed = Among::Listed(vec![path(0, 2, &[0, 1]), path(2, 0, &[2, 3])]);
        let own = [(0, 2, vec![0, 1]), (2, 0, vec![2, 3])].map(|(s, d, links)| PathRecord {
            s,
            d,
            share: Rational::ONE,
            links,
        });
        let own = RoutingForm::Paths(own.to_vec());
        for routing in [&own, &RoutingForm::Split(Split::Hops)] {
            let routes = Routes::open(&network, routing).unwrap();
            for among in [&Among::All, &Among::Shortest, &Among::Own, &listed] {
                let allowed = Allowed::open(&network, among, &routes).unwrap();
                assert_eq!(allowed.paid(&network, &prices), Ok(ratio(7, 6)), "{among:?}");
            }
        }
    }
}
