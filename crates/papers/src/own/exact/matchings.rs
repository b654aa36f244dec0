//! The throughput bound of Namyar et al. (SIGCOMM 2021): capacity over the longest permutation, in hops.

use super::cases::{Case, Quantity, Sends};
use crate::matching::weighted::maximum_weight;
use crate::optimum::shortest::{Adjacency, Tree};
use crate::progress::Progress;
use crate::rational::Rational;
use crate::study::StudyError;
use crate::topology::Topology;

pub(super) const HEADS: [&str; 7] = [
    "network",
    "each host sends",
    "capacity",
    "most hops of a permutation",
    "throughput at most",
    "best oblivious routing",
    "bound over it",
];

/// The row of a network on which the least hose load is `load`; none where hosts send different amounts.
pub(super) fn cells(case: &Case, load: &Rational) -> Result<Option<Vec<String>>, StudyError> {
    let Quantity::Hose(sends) = case.quantity else { return Ok(None) };
    let topology = case.network.topology()?;
    let own = topology.host_capacity(0, true);
    let amount = match sends {
        Sends::Each(units) => Rational::from(units),
        Sends::Links if alike(&topology) => own,
        Sends::Links => return Ok(None),
    };
    let links = topology.link_numbers().map(|link| topology.link(link).capacity.clone());
    let capacity = links.fold(Rational::ZERO, |sum, link| &sum + &link);
    let hops = most_hops(&topology)?;
    let bound = capacity.checked_div(&(&amount * &Rational::from(hops)));
    let reached = Rational::ONE.checked_div(load);
    let (Some(bound), Some(reached)) = (bound, reached) else { return Ok(None) };
    let over = bound.checked_div(&reached).map_or_else(|| "-".to_string(), |over| over.to_string());
    let [network, _, _, sends] = case.names();
    let numbers = [capacity.to_string(), hops.to_string(), bound.to_string(), reached.to_string()];
    Ok(Some([network, sends].into_iter().chain(numbers).chain([over]).collect()))
}

/// Whether all hosts have the same capacity.
fn alike(topology: &Topology) -> bool {
    let own = topology.host_capacity(0, true);
    topology.host_numbers().all(|host| topology.host_capacity(host, true) == own)
}

/// The most hops that the pairs of a permutation of the hosts have together, on shortest paths.
fn most_hops(topology: &Topology) -> Result<u64, StudyError> {
    let (network, lengths) = (Adjacency::new(topology), vec![1; topology.links()]);
    let mut tree = Tree::default();
    let mut rows = Vec::new();
    for host in topology.host_numbers() {
        tree.search(&network, host, &lengths);
        let hops = topology.host_numbers().map(|other| tree.distance(other));
        rows.push(hops.map(|hops| hops.unwrap_or(0)).collect::<Vec<u64>>());
    }
    let hosts = topology.hosts();
    let weight = |row: usize, column: usize| rows[row][column];
    Ok(maximum_weight(hosts, hosts, &weight, &Progress::silent())?.weight)
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
            assert_eq!(most_hops(&generate(spec).unwrap()).unwrap(), hops, "{spec}");
        }
    }
}
