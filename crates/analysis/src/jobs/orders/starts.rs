//! Orders at which searches start.

use super::bundles::Bundles;
use super::order::Order;
use crate::jobs::Node;
use crate::jobs::collectives::Collective;
use crate::matching::weighted::maximum_weight;
use crate::progress::{Progress, Stopped};
use crate::topology::{Host, NodeId, Topology};

/// Maximum number of links for each of which a ring begins with a maximum matching.
const LINKS: usize = 16;

/// Maximum number of steps of all these matchings, of which each takes nodes³.
const MATCHING_STEPS: u64 = 1 << 31;

/// The name of a start of a search, and its order.
pub(super) type Start = (String, Order);

/// The nodes leaf by leaf: by the switches of their adapters, rail by rail.
pub(super) fn by_leaf(bundles: &Bundles<'_>) -> Order {
    let topology = bundles.instance().topology();
    let leaves = |node: &Node| -> Vec<Option<NodeId>> {
        node.adapters.iter().map(|host| leaf(topology, (*host)?)).collect()
    };
    let mut nodes = Order::listed(bundles.nodes()).nodes().to_vec();
    nodes.sort_by_cached_key(|node| leaves(&bundles.job().nodes[*node as usize]));
    Order::new(nodes).unwrap_or_else(|_| Order::listed(bundles.nodes()))
}

/// The switch of a host, the first of several.
fn leaf(topology: &Topology, host: Host) -> Option<NodeId> {
    topology.links_from(host).filter_map(|link| Some(topology.ends(link)?.1)).min()
}

/// Whether some phase is a ring in the order of the ranks.
pub(super) fn has_ring(collective: &Collective) -> bool {
    let next = |rank: u32| (rank + 1) % collective.ranks;
    collective.phases.iter().any(|phase| {
        let mut sends = phase.sends.clone();
        sends.sort_unstable();
        sends.into_iter().eq((0..collective.ranks).map(|rank| (rank, next(rank))))
    })
}

/// Rings with as much as possible on one link: for the links that may carry most, the permutation of the
/// nodes that loads the link most, completed to a ring. O(links of all sends + links · nodes³).
pub(super) fn matched(bundles: &Bundles<'_>, progress: &Progress) -> Result<Vec<Start>, Stopped> {
    let bounds = bounds(bundles, progress)?;
    let mut order: Vec<usize> = (0..bounds.len()).collect();
    order.sort_by_key(|place| (std::cmp::Reverse(bounds[*place]), *place));
    let cube = (bundles.nodes() as u64).pow(3);
    let count = order.len().min(LINKS).min(usize::try_from(MATCHING_STEPS / cube).unwrap_or(LINKS));
    let mut starts = Vec::new();
    for place in order.into_iter().take(count) {
        let weights = weights(bundles, place);
        let weight = |a: usize, b: usize| weights[a * bundles.nodes() + b];
        let found = maximum_weight(bundles.nodes(), bundles.nodes(), &weight, progress)?;
        let next: Vec<Option<u32>> =
            found.column.iter().map(|column| u32::try_from((*column)?).ok()).collect();
        if let Ok(ring) = Order::ring_of(&next) {
            let link = bundles.instance().topology().link_name(bundles.links()[place]);
            starts.push((format!("the maximum matching of link {link}"), ring));
        }
    }
    Ok(starts)
}

/// What sends from a node to another, row by row, put on the link at a place.
fn weights(bundles: &Bundles<'_>, place: usize) -> Vec<u64> {
    let nodes = || Order::listed(bundles.nodes());
    let mut weights = Vec::with_capacity(bundles.nodes().pow(2));
    for a in nodes().nodes() {
        for b in nodes().nodes() {
            let on_link = bundles.send(*a, *b).find(|(at, _)| *at as usize == place);
            weights.push(on_link.map_or(0, |(_, units)| units));
        }
    }
    weights
}

/// For every link, by place: no permutation of the nodes puts more on it than the sum over all sources, or over
/// all destinations, of the maximum load of one of their sends.
fn bounds(bundles: &Bundles<'_>, progress: &Progress) -> Result<Vec<u64>, Stopped> {
    let sum = |send: &dyn Fn(u32, u32) -> (u32, u32)| -> Result<Vec<u64>, Stopped> {
        let (nodes, mut sums) = (Order::listed(bundles.nodes()), vec![0; bundles.links().len()]);
        let mut most = sums.clone();
        for a in nodes.nodes() {
            progress.check()?;
            most.fill(0);
            for b in nodes.nodes() {
                let (from, to) = send(*a, *b);
                for (place, units) in bundles.send(from, to) {
                    let most = &mut most[place as usize];
                    *most = units.max(*most);
                }
            }
            sums.iter_mut().zip(&most).for_each(|(sum, most)| *sum += most);
        }
        Ok(sums)
    };
    let (out, into) = (sum(&|a, b| (a, b))?, sum(&|a, b| (b, a))?);
    Ok(out.into_iter().zip(into).map(|(out, into)| out.min(into)).collect())
}
