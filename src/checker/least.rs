//! That no routing over the allowed paths is better: weighted traffic against links.
//!
//! With weights on traffic against links every pair has a price on every link, Σ weight·demand ÷
//! capacity. A routing pays at least the distance of every pair under its prices, and
//! at most Σ weight times its worst case.

use std::cmp::Reverse;
use std::collections::{BTreeMap, BinaryHeap, HashMap, VecDeque};

use dashu_int::UBig;
use dashu_int::ops::{BitTest, Gcd};
use rayon::prelude::*;

use crate::certificate::{Against, AllowedPath, Among, Claim, Least, Quantity};
use crate::limit::within;
use crate::ratio::Ratio;
use crate::topology::{Host, LinkId, NodeId};

use super::network::Network;
use super::routes::Routes;
use super::{Accepted, Refusal, flow, sum, witness};

/// Most SD pairs times links: some minutes.
const MAX_STEPS: u64 = 1 << 31;

/// Prices of links, for the pairs and links that have any.
type Prices = BTreeMap<(Host, Host), BTreeMap<LinkId, Ratio>>;

/// Verifies a bound on all routings over the allowed paths. Its upper side is that of the claim on
/// this routing, which is one of them.
pub(super) fn check(
    network: &Network,
    routes: &Routes<'_>,
    least: &Least,
    claims: &[Claim],
) -> Result<Accepted, Refusal> {
    let Least { quantity, lower, .. } = least;
    let name = Least::name(*quantity);
    let claim = claims.iter().find(|claim| claim.quantity == *quantity);
    let claim = claim.filter(|_| *quantity != Quantity::PermutationLoad);
    let claim = claim.ok_or(Refusal::LeastOfNothing(quantity.name()))?;
    if *lower > claim.upper {
        return Err(Refusal::EmptyClaim { quantity: name });
    }
    let steps = (network.hosts as u128).pow(2) * network.links.len() as u128;
    within("number of SD pairs times links", Some(steps), MAX_STEPS, "check a smaller instance")?;
    let allowed = Allowed::open(network, &least.among)?;
    allowed.check_routing(network, routes)?;
    let accepted = Accepted { quantity: name, lower: lower.clone(), upper: claim.upper.clone() };
    if *quantity == Quantity::ObliviousRatio && *lower <= Ratio::ONE && least.against.is_empty() {
        // A max load is never below optu.
        return Ok(accepted);
    }
    let prices = prices(network, least)?;
    let total = sum::total(least.against.iter().map(|(weight, _)| weight))?;
    let paid = prices.par_iter().map(|(pair, prices)| {
        network.go_on()?;
        allowed.distance(network, *pair, prices)
    });
    let paid = sum::total(&paid.collect::<Result<Vec<Ratio>, Refusal>>()?)?;
    if paid < lower * &total || (total.is_zero() && !lower.is_zero()) {
        let proven = paid.checked_div(&total).unwrap_or(Ratio::ZERO);
        return Err(Refusal::LeastTooLow { quantity: name, proven, lower: lower.clone() });
    }
    Ok(accepted)
}

/// The price of every pair on every link, after verifying that the traffic counts.
fn prices(network: &Network, least: &Least) -> Result<Prices, Refusal> {
    let mut prices = Prices::new();
    for (weight, Against { link, demands, flow }) in &least.against {
        let ends = network.links.get(*link as usize);
        let (_, _, capacity) = ends.ok_or(Refusal::AgainstNoLink(*link))?;
        match (least.quantity, flow) {
            (Quantity::HoseLoad, Some(_)) => return Err(Refusal::AgainstRouted(*link)),
            (Quantity::HoseLoad, None) => {
                flow::check_demands(network, demands)?;
                witness::check_hose(network, demands)?;
            }
            (_, None) => return Err(Refusal::AgainstUnrouted(*link)),
            (_, Some(flow)) => {
                let traffic = flow::traffic(network, demands, flow)?;
                flow::check_most(network, &traffic, &Ratio::ONE)?;
            }
        }
        let unit = weight.checked_div(capacity).unwrap_or(Ratio::ZERO);
        for demand in demands {
            let of_pair = prices.entry((demand.s, demand.d)).or_default();
            let price = of_pair.entry(*link).or_insert(Ratio::ZERO);
            sum::add(price, &(&unit * &demand.amount))?;
        }
    }
    Ok(prices)
}

/// The allowed paths, so that a pair's cheapest is found quickly.
enum Allowed<'c> {
    All,
    /// Hops between all nodes, by source and by node; `None` where there is no path.
    Shortest(Vec<Vec<Option<u32>>>),
    Listed(HashMap<(Host, Host), Vec<&'c [LinkId]>>),
}

impl<'c> Allowed<'c> {
    fn open(network: &Network, among: &'c Among) -> Result<Self, Refusal> {
        Ok(match among {
            Among::All => Self::All,
            Among::Shortest => {
                let all = (0..network.nodes as NodeId).into_par_iter();
                Self::Shortest(all.map(|node| hops(network, node)).collect())
            }
            Among::Listed(paths) => {
                let mut by_pair: HashMap<_, Vec<&[LinkId]>> = HashMap::new();
                for AllowedPath { s, d, links } in paths {
                    if let Some(host) = [*s, *d].into_iter().find(|h| *h as usize >= network.hosts)
                    {
                        return Err(Refusal::RouteOfNobody(host));
                    }
                    if s == d {
                        return Err(Refusal::SelfPair(*s));
                    }
                    network.check_path(*s, *d, links)?;
                    by_pair.entry((*s, *d)).or_default().push(links);
                }
                Self::Listed(by_pair)
            }
        })
    }

    /// Verifies that the paths of the routing are among them.
    fn check_routing(&self, network: &Network, routes: &Routes<'_>) -> Result<(), Refusal> {
        if matches!(self, Self::All) {
            return Ok(());
        }
        for s in 0..network.hosts as Host {
            network.go_on()?;
            for d in (0..network.hosts as Host).filter(|d| *d != s) {
                let fits = |links: &[LinkId]| match self {
                    Self::All => true,
                    Self::Shortest(hops) => {
                        hops[s as usize][d as usize] == u32::try_from(links.len()).ok()
                    }
                    Self::Listed(paths) => {
                        paths.get(&(s, d)).is_some_and(|known| known.contains(&links))
                    }
                };
                if !routes.all_paths(network, (s, d), fits)? {
                    return Err(Refusal::NotAllowed { s, d });
                }
            }
        }
        Ok(())
    }

    /// What the cheapest allowed path of a pair costs.
    fn distance(
        &self,
        network: &Network,
        (s, d): (Host, Host),
        prices: &BTreeMap<LinkId, Ratio>,
    ) -> Result<Ratio, Refusal> {
        let unit = common_denominator(prices.values())?;
        let integer = |price: &Ratio| price.numerator() * (&unit / price.denominator());
        let prices: HashMap<LinkId, UBig> =
            prices.iter().map(|(link, price)| (*link, integer(price))).collect();
        let cost = |links: &[LinkId]| links.iter().filter_map(|link| prices.get(link)).sum();
        let least = match self {
            Self::All => cheapest(network, (s, d), &prices, |_| true),
            Self::Shortest(hops) => {
                let (from_s, whole) = (&hops[s as usize], hops[s as usize][d as usize]);
                cheapest(network, (s, d), &prices, |link| {
                    let (tail, head, _) = network.links[link as usize];
                    let way = (from_s[tail as usize], hops[head as usize][d as usize]);
                    matches!(way, (Some(a), Some(b)) if Some(a + 1 + b) == whole)
                })
            }
            Self::Listed(paths) => {
                paths.get(&(s, d)).and_then(|paths| paths.iter().map(|links| cost(links)).min())
            }
        };
        let least = least.ok_or(Refusal::Unroutable { s, d })?;
        Ok(Ratio::from_big(least, unit).unwrap_or(Ratio::ZERO))
    }
}

/// The least common denominator of prices, which is no longer than that of their sum may be.
fn common_denominator<'a>(prices: impl Iterator<Item = &'a Ratio>) -> Result<UBig, Refusal> {
    let mut unit = UBig::ONE;
    for price in prices {
        let denominator = price.denominator();
        unit = &unit / (&unit).gcd(denominator) * denominator;
        sum::check_bits(unit.bit_len())?;
    }
    Ok(unit)
}

/// Number of links from a node to all others. Breadth-first search.
fn hops(network: &Network, from: NodeId) -> Vec<Option<u32>> {
    let mut hops = vec![None; network.nodes];
    let mut queue = VecDeque::from([(from, 0)]);
    hops[from as usize] = Some(0);
    while let Some((node, reach)) = queue.pop_front() {
        for link in &network.leaving[node as usize] {
            let head = network.links[*link as usize].1;
            if hops[head as usize].is_none() {
                hops[head as usize] = Some(reach + 1);
                queue.push_back((head, reach + 1));
            }
        }
    }
    hops
}

/// Cost of the cheapest path over open links; links without a price cost nothing. Dijkstra's
/// algorithm.
fn cheapest(
    network: &Network,
    (s, d): (Host, Host),
    prices: &HashMap<LinkId, UBig>,
    open: impl Fn(LinkId) -> bool,
) -> Option<UBig> {
    let mut done = vec![false; network.nodes];
    let mut queue: BinaryHeap<Reverse<(UBig, NodeId)>> = BinaryHeap::new();
    queue.push(Reverse((UBig::ZERO, s)));
    while let Some(Reverse((reach, node))) = queue.pop() {
        if node == d {
            return Some(reach);
        }
        if std::mem::replace(&mut done[node as usize], true) {
            continue;
        }
        for link in network.leaving[node as usize].iter().filter(|link| open(**link)) {
            let head = network.links[*link as usize].1;
            if !done[head as usize] {
                let price = prices.get(link).map_or_else(|| reach.clone(), |price| &reach + price);
                queue.push(Reverse((price, head)));
            }
        }
    }
    None
}
