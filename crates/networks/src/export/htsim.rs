//! Topology files of the simulator htsim, `.topo`, which are fat-trees of two or three tiers.
//!
//! ```text
//! Nodes 32
//! Tiers 2
//! Podsize 32
//!
//! Tier 0                     leaf switches
//! Downlink_speed_Gbps 100
//! Radix_Down 8
//! Radix_Up 2
//! Downlink_Latency_ns 1000
//! Switch_Latency_ns 0
//! Oversubscribed 4
//! ```
//!
//! htsim wires a tree by these numbers alone, so that only whole trees fit: of capacity 1, with one cable for every
//! host, and with a whole number of cables down for each up (`Oversubscribed`). Hosts are numbered as here; switches of
//! a tier may be in another order. Capacity 1 is 100 Gbit/s, latencies are those of htsim's own examples.

use std::io::Write;

use super::ExportError;
use crate::registry::Kind;
use crate::topology::{Topology, Xgft};

const NAME: &str = "htsim";

pub(super) const KIND: Kind<super::Export> = Kind {
    name: NAME,
    usage: "topo TOPOLOGY --format htsim",
    about: "topology file of htsim (.topo): a tree of two or three levels, capacity 1 as 100 Gbit/s",
    reference: "https://github.com/Broadcom/csg-htsim, FatTreeTopology::load",
    examples: &["ft(4,2)", "ft(16,3)", "xgft(2;8,4;1,2)"],
    build: write,
};

fn write(topology: &Topology, out: &mut dyn Write) -> Result<(), ExportError> {
    let tree =
        tree(topology).map_err(|problem| ExportError::does_not_fit(NAME, topology, problem))?;
    let tiers = tree.height();
    let pod = tree.subtree_hosts(2);
    writeln!(out, "# written by routebound\nNodes {}\nTiers {tiers}\nPodsize {pod}", tree.hosts())?;
    for tier in 0..tiers {
        let (down, is_top) = (tree.children(tier + 1), tier + 1 == tiers);
        writeln!(out, "\nTier {tier}\nDownlink_speed_Gbps 100\nRadix_Down {down}")?;
        if !is_top {
            let up = tree.parents(tier + 2);
            writeln!(out, "Radix_Up {up}\nOversubscribed {}", down / up)?;
        }
        writeln!(out, "Downlink_Latency_ns 1000\nSwitch_Latency_ns 0")?;
    }
    Ok(())
}

/// The tree, or why it is none that htsim builds.
fn tree(topology: &Topology) -> Result<&Xgft, &'static str> {
    let tree = super::whole_tree(topology)?;
    if !(2..=3).contains(&tree.height()) {
        return Err("trees of htsim have two or three levels of switches");
    }
    if (2..=tree.height()).any(|level| tree.children(level - 1) % tree.parents(level) != 0) {
        return Err("a switch must have a whole number of cables down for each cable up");
    }
    Ok(tree)
}

#[cfg(test)]
mod tests {
    use super::super::tests::{exported, refused};
    use super::*;
    use crate::topology::generate;

    #[test]
    fn a_small_tree() {
        let text = exported(NAME, &generate("xgft(2;8,4;1,2)").unwrap()).unwrap();
        let expected = "# written by routebound\nNodes 32\nTiers 2\nPodsize 32\n\n\
            Tier 0\nDownlink_speed_Gbps 100\nRadix_Down 8\nRadix_Up 2\nOversubscribed 4\n\
            Downlink_Latency_ns 1000\nSwitch_Latency_ns 0\n\n\
            Tier 1\nDownlink_speed_Gbps 100\nRadix_Down 4\n\
            Downlink_Latency_ns 1000\nSwitch_Latency_ns 0\n";
        assert_eq!(text, expected);
    }

    #[test]
    fn what_htsim_cannot_wire_is_refused() {
        let refused = |spec, says| refused(NAME, &generate(spec).unwrap(), says);
        refused("universal(16)", "not a whole tree");
        refused("ft(4,4)", "two or three levels");
        refused("xgft(2;2,3;2,2)", "one cable");
        refused("xgft(2;4,4;1,3)", "a whole number of cables down");
    }
}
