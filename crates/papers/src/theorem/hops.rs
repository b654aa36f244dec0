//! What a network carries, and how much of it the longest permutation takes up.

use super::TheoremError;
use crate::matching::weighted::maximum_weight;
use crate::optimum::shortest::{Adjacency, Tree};
use crate::progress::Progress;
use crate::rational::Rational;
use crate::topology::Topology;

/// The capacity of all links.
pub(crate) fn capacity(topology: &Topology) -> Rational {
    let links = topology.link_numbers().map(|link| topology.link(link).capacity.clone());
    links.fold(Rational::ZERO, |sum, link| &sum + &link)
}

/// The most hops that the pairs of a permutation of the hosts have together, on shortest paths.
pub(crate) fn most_hops(topology: &Topology, progress: &Progress) -> Result<u64, TheoremError> {
    let (network, lengths) = (Adjacency::new(topology), vec![1; topology.links()]);
    let mut tree = Tree::default();
    let mut rows = Vec::new();
    for host in topology.host_numbers() {
        progress.check()?;
        tree.search(&network, host, &lengths);
        let hops = topology.host_numbers().map(|other| tree.distance(other));
        rows.push(hops.map(|hops| hops.unwrap_or(0)).collect::<Vec<u64>>());
    }
    let hosts = topology.hosts();
    let weight = |row: usize, column: usize| rows[row][column];
    Ok(maximum_weight(hosts, hosts, &weight, progress)?.weight)
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::topology::generate;

    #[test]
    fn far_hosts_are_matched() {
        for (spec, hops) in
            [("torus(5)", 10), ("torus(4,2)", 64), ("hyperx(4,p=0)", 4), ("mesh(3)", 4)]
        {
            let topology = generate(spec).unwrap();
            assert_eq!(most_hops(&topology, &Progress::silent()).unwrap(), hops, "{spec}");
        }
    }
}
