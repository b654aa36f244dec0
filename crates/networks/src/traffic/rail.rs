//! Traffic that stays in its rail: between adapters that are the same device of different nodes.

use super::ProductTraffic;
use super::clustered::all_to_all_in_groups;
use super::prelude::*;
use crate::integer::as_size;
use crate::topology::{Host, host_number};

pub(super) const KIND: Kind<super::Pattern> = Kind {
    name: "rail",
    usage: "rail(g=8)",
    about: "host i is adapter i mod g of its node: all-to-all of 1 unit between the same adapters of all nodes",
    reference: "Wang et al., Rail-only, HOTI 2024",
    examples: &["rail", "rail(g=2)"],
    build: super::Pattern::symmetric(|spec, hosts| build(spec, hosts)?.to_matrix()).regular(build),
};

#[derive(Deserialize)]
struct Options {
    g: u64,
}

fn build(spec: &Spec, hosts: usize) -> Result<ProductTraffic, TrafficError> {
    let Options { g } = spec.read()?;
    let all = hosts as u64;
    if g == 0 || g > all / 2 || !all.is_multiple_of(g) {
        let reason = format!("two nodes or more of {g} adapters are not that many hosts");
        return Err(TrafficError::does_not_fit(spec, hosts, reason));
    }
    let g = as_size(g);
    let in_order: Vec<Host> =
        (0..g).flat_map(|rail| (rail..hosts).step_by(g)).map(host_number).collect();
    Ok(all_to_all_in_groups(hosts, hosts / g, &in_order))
}

#[cfg(test)]
mod tests {
    use crate::traffic::generate;

    #[test]
    fn only_the_same_adapters_of_nodes_send_to_each_other() {
        let traffic = generate("rail(g=3)", 9).unwrap();
        let pairs: Vec<_> = traffic.demands().iter().map(|demand| (demand.s, demand.d)).collect();
        assert_eq!(pairs.len(), 9 * 2);
        assert!(pairs.iter().all(|(s, d)| s % 3 == d % 3 && s != d));
        for (spec, hosts) in
            [("rail(g=0)", 8), ("rail(g=3)", 8), ("rail(g=8)", 8), ("rail(g=8)", 12)]
        {
            let error = generate(spec, hosts).unwrap_err().to_string();
            assert!(error.contains("adapters are not that many hosts"), "{error}");
        }
    }
}
