//! Clustered traffic (\[OR\] VI): jobs with all-to-all communication on scattered hosts.

use super::permutation::shuffled;
use super::prelude::*;
use super::{Product, ProductTraffic};
use crate::integer::as_size;
use crate::rational::Rational;
use crate::topology::Host;

pub(super) const KIND: Kind<super::Pattern> = Kind {
    name: "clustered",
    usage: "clustered(size=8,seed=1)",
    about: "all hosts in random groups of equal size; all-to-all of 1 unit within every group",
    reference: "[OR] VI",
    examples: &["clustered", "clustered(size=2,seed=7)", "clustered(size=32)"],
    build: super::Pattern::symmetric(|spec, hosts| build(spec, hosts)?.to_matrix()).regular(build),
};

#[derive(Deserialize)]
struct Options {
    size: u64,
    seed: u64,
}

fn build(spec: &Spec, hosts: usize) -> Result<ProductTraffic, TrafficError> {
    let Options { size, seed } = spec.read()?;
    let all = hosts as u64;
    if size < 2 || size > all || !all.is_multiple_of(size) {
        let divisors: Vec<String> =
            (2..=all).filter(|n| all.is_multiple_of(*n)).take(8).map(|n| n.to_string()).collect();
        let reason = format!("groups of {size} do not divide them; sizes: {}", divisors.join(", "));
        return Err(TrafficError::does_not_fit(spec, hosts, reason));
    }
    Ok(all_to_all_in_groups(hosts, as_size(size), &shuffled(hosts, seed, 0)))
}

/// Traffic of 1 unit between all members of every group of `size` consecutive hosts in `order`.
pub(super) fn all_to_all_in_groups(hosts: usize, size: usize, order: &[Host]) -> ProductTraffic {
    let among = |group: &[Host]| {
        let (sources, destinations) = (group.to_vec(), group.to_vec());
        Product { sources, destinations, amount: Rational::ONE }
    };
    ProductTraffic::new(hosts, order.chunks(size).map(among))
}
