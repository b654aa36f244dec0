//! Whether allowed paths are all that visit no node twice: then a sender who knows the traffic routes it as well as
//! anybody.
//!
//! A path that is not listed leaves those listed with the same beginning at some node. So no path is missing where, at
//! every node of every listed path, the links by which none of those continues lead to nodes from which no way to the
//! destination avoids the nodes before. That takes one search per link of a listed path, however many paths there are.

use crate::certificate::AllowedPath;
use crate::topology::{LinkId, NodeId};

use super::Refusal;
use super::allowed::Allowed;
use super::network::Network;

/// Maximum number of links of listed paths times links of the network: of more it is not known whether they are all.
const MAX_STEPS: u128 = 1 << 31;

/// Whether every pair has all its paths that visit no node twice. O(links of the paths · links).
pub(super) fn are_all(network: &Network, allowed: &Allowed<'_>) -> Result<bool, Refusal> {
    let paths = match allowed {
        Allowed::All => return Ok(true),
        Allowed::Shortest | Allowed::Own(_) => return Ok(false),
        Allowed::Listed(paths) => paths,
    };
    let steps: u128 = paths.iter().map(|path| path.links.len() as u128).sum();
    let of_pairs: Vec<_> = paths.chunk_by(|a, b| (a.s, a.d) == (b.s, b.d)).collect();
    let pairs = network.hosts * network.hosts.saturating_sub(1);
    if steps * network.links.len() as u128 > MAX_STEPS || of_pairs.len() < pairs {
        return Ok(false);
    }
    for own in of_pairs {
        if !are_all_of_pair(network, own)? {
            return Ok(false);
        }
    }
    Ok(true)
}

/// Whether none is missing among the paths of a pair, which are sorted.
fn are_all_of_pair(network: &Network, own: &[&AllowedPath]) -> Result<bool, Refusal> {
    let own: Vec<&AllowedPath> =
        own.iter().copied().filter(|path| is_simple(network, path)).collect();
    for (number, path) in own.iter().enumerate() {
        network.go_on()?;
        // What the path shares with the one before has been looked at.
        let before = number.checked_sub(1).map(|number| &own[number].links);
        let shared = |before: &Vec<LinkId>| {
            path.links.iter().zip(before).take_while(|(link, known)| link == known).count() + 1
        };
        for at in before.map_or(0, shared)..path.links.len() {
            if leaves_out(network, &own[number..], at) {
                return Ok(false);
            }
        }
    }
    Ok(!own.is_empty())
}

fn is_simple(network: &Network, path: &AllowedPath) -> bool {
    let heads = path.links.iter().map(|link| network.links[*link as usize].to);
    let mut nodes: Vec<NodeId> = heads.chain([path.s]).collect();
    nodes.sort_unstable();
    nodes.windows(2).all(|two| two[0] != two[1])
}

/// Whether a path that is not listed begins with the first `at` links of the first of these paths. All that begin with
/// them follow it.
fn leaves_out(network: &Network, paths: &[&AllowedPath], at: usize) -> bool {
    let AllowedPath { s, d, links } = paths[0];
    let mut closed = vec![false; network.nodes];
    let mut node = *s;
    for link in &links[..at] {
        closed[node as usize] = true;
        node = network.links[*link as usize].to;
    }
    closed[node as usize] = true;
    let same = paths.iter().take_while(|path| path.links.starts_with(&links[..at]));
    let mut taken: Vec<LinkId> = same.filter_map(|path| path.links.get(at).copied()).collect();
    taken.dedup();
    let mut others =
        network.leaving[node as usize].iter().filter(|link| taken.binary_search(link).is_err());
    let leading = leading_to(network, *d, &closed);
    others.any(|link| leading[network.links[*link as usize].to as usize])
}

/// The nodes from which a way leads to `d` that passes no closed node.
fn leading_to(network: &Network, d: NodeId, closed: &[bool]) -> Vec<bool> {
    let mut leading = vec![false; network.nodes];
    leading[d as usize] = true;
    let mut open = vec![d];
    while let Some(node) = open.pop() {
        for link in &network.entering[node as usize] {
            let tail = network.links[*link as usize].from as usize;
            if !closed[tail] && !leading[tail] {
                leading[tail] = true;
                open.push(network.links[*link as usize].from);
            }
        }
    }
    leading
}
