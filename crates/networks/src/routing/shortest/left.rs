//! The shortest paths that remain where links are gone, in the network as it was.

use itertools::Itertools as _;

use super::{Gates, Routing, RoutingError, ShortestPaths, ShortestSplit};
use super::{UNREACHABLE, Way, links_by_node, search, within_entries, within_paths};
use crate::integer::index32;
use crate::topology::{Host, LinkId, Topology};

/// The split over the shortest paths of a network without links that are `gone`, ascending, for uses of pairs with some
/// destinations: no others, and no paths, may be asked for. A pair without a path has no uses. Links keep their
/// numbers. O(links · destinations).
///
/// # Errors
/// [`RoutingError::TooLarge`] as for the whole network: too many paths of a pair, or destinations times nodes.
///
/// ```
/// # use routebound_networks as routebound;
/// use routebound::routing::{ShortestSplit, UseScratch, split_without};
/// use routebound::topology;
/// let tree = topology::generate("ft(4,2)")?;
/// // From the first leaf to the first root.
/// let up = tree.links_from(8).find(|link| tree.ends(*link) == Some((8, 12))).ok_or("no such link")?;
/// let left = split_without(&tree, ShortestSplit::PerHop, &[up], &[7])?;
/// let mut links = 0;
/// left.for_each_use(0, 7, &mut UseScratch::default(), &mut |share, of_share| {
///     assert!(share.to_string() == "1" && !of_share.contains(&up));
///     links += of_share.len();
/// });
/// assert_eq!(links, 4);
/// # Ok::<(), Box<dyn std::error::Error>>(())
/// ```
pub fn split_without(
    topology: &Topology,
    split: ShortestSplit,
    gone: &[LinkId],
    destinations: &[Host],
) -> Result<Box<dyn Routing>, RoutingError> {
    let (mut gates, nodes) = (Gates::of(topology), topology.nodes());
    for (_, head) in gone.iter().filter_map(|link| topology.ends(*link)) {
        if let Some((_, cables)) = gates.of_host.get_mut(head as usize) {
            *cables = cables.saturating_sub(1);
        }
    }
    let numbers = destinations.iter().map(|d| gates.of_host[*d as usize].0);
    let needed = numbers.sorted_unstable().dedup().collect_vec();
    // Behind their rows is that of all other gates, from which no node has a way.
    for (number, _) in &mut gates.of_host {
        *number = index32(needed.binary_search(number).unwrap_or(needed.len()));
    }
    gates.nodes = needed.iter().map(|number| gates.nodes[*number as usize]).chain([0]).collect();
    within_entries(gates.nodes.len(), nodes)?;
    let mut way = vec![Way { distance: UNREACHABLE, total: 0 }; gates.nodes.len() * nodes];
    for (row, gate) in way.chunks_mut(nodes).zip(&gates.nodes[..needed.len()]) {
        let paths = search(topology, (*gate, gone), split, row);
        within_paths(paths[..topology.hosts()].iter().copied().max().unwrap_or(0))?;
    }
    let (first, links) = links_by_node(topology, gone);
    let spec = format!("{split:?} without {} links", gone.len());
    Ok(Box::new(ShortestPaths { spec, split, nodes, first, links, gates, way, single_path: false }))
}

#[cfg(test)]
mod tests {
    use std::collections::BTreeMap;

    use super::*;
    use crate::failure::{cables, damage};
    use crate::rational::Rational;
    use crate::routing::{UseScratch, build};
    use crate::topology::{generate, sd_pairs};

    fn uses(routing: &dyn Routing, (s, d): (Host, Host)) -> BTreeMap<LinkId, Rational> {
        let mut uses = BTreeMap::new();
        routing.for_each_use(s, d, &mut UseScratch::default(), &mut |share, links| {
            uses.extend(links.iter().map(|link| (*link, share.clone())));
        });
        uses
    }

    /// As on the damaged network itself, whichever two cables fail, those of hosts among them.
    #[test]
    fn uses_are_those_of_the_damaged_network() {
        let networks = ["ft(4,2)", "xgft(2;2,3;1,2)", "torus(3,2)", "xgft(2;2,2;2,2)"];
        for topology in networks.map(|spec| generate(spec).unwrap()) {
            let every: Vec<Host> = topology.host_numbers().collect();
            for failed in cables(&topology).into_iter().combinations(2) {
                let Ok(left) = damage(&topology, &failed) else { continue };
                let links = failed.iter().flat_map(|cable| cable.links.iter().copied());
                let gone = links.sorted().collect_vec();
                for (name, split) in
                    [("ecmp", ShortestSplit::PerHop), ("omrmn", ShortestSplit::PerPath)]
                {
                    let expected = build(name, &left.topology).unwrap();
                    let found = split_without(&topology, split, &gone, &every).unwrap();
                    let old: Vec<LinkId> = left.new_links().map(|(_, old)| old).collect();
                    for (s, d) in sd_pairs(left.hosts().len()) {
                        let [a, b] = [s, d].map(|host| left.hosts()[host as usize]);
                        let expected = uses(&*expected, (s, d)).into_iter();
                        let expected = expected.map(|(new, share)| (old[new as usize], share));
                        assert_eq!(uses(&*found, (a, b)), expected.collect(), "{failed:?} {a} {b}");
                    }
                }
            }
        }
    }
}
