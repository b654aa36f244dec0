//! Deterministic routing with flexible intervals (\[GO\] 4.1, Figures 3 and 4).

use super::interval::{descending, ports};
use super::{
    Interval, KaryTree, PortRegisters, Registers, RegistersError, Row, Scheme, Switch, all_bits,
};
use crate::topology::Topology;

/// FIR for D-mod-k: an ascending link L of stage s takes the destinations whose component s is L − k,
/// unless a descending link does. O(ports).
///
/// # Errors
/// [`RegistersError`] where the network is not a k-ary n-tree, k is not a power of 2, or the tree is too
/// large.
///
/// ```
/// # use routebound_simulate as routebound;
/// use routebound::simulation::registers::{Interval, Row, deterministic};
/// use routebound::topology::generate;
/// let registers = deterministic(&generate("kary(2,3)")?)?;
/// // [GO] Figure 3: link 3 of a switch of stage 1 takes the nodes with middle bit 1.
/// let port = &registers.switches[4].ports[3];
/// assert_eq!(port.rows, [Row { interval: Interval { first: 0b010, last: 0b010 }, mask: 0b010 }]);
/// assert_eq!(port.restrictions, 0b0011);
/// # Ok::<(), Box<dyn std::error::Error>>(())
/// ```
pub fn deterministic(topology: &Topology) -> Result<Registers, RegistersError> {
    let tree = KaryTree::of(topology)?;
    let k = tree.arity();
    if !k.is_power_of_two() {
        let above = k.next_power_of_two();
        let topology = topology.spec().to_string();
        return Err(RegistersError::NoBits { topology, k, below: above / 2, above });
    }
    Registers::of(tree, Scheme::Flexible, |switch| {
        Ok(ports(tree, switch)
            .map(|(label, link)| {
                let (row, restrictions) = registers(tree, switch, label);
                PortRegisters { label, link, rows: vec![row], restrictions }
            })
            .collect())
    })
}

/// The row and the RRR of a port, k being a power of 2.
fn registers(tree: KaryTree<'_>, switch: Switch, label: u32) -> (Row, u128) {
    let k = tree.arity();
    let Some(component) = label.checked_sub(k) else {
        let mask = all_bits(tree.power(tree.stages()));
        return (Row { interval: descending(tree, switch, label), mask }, 0);
    };
    // The first bit of component s.
    let unit = tree.power(switch.stage);
    let value = component * unit;
    let row = Row { interval: Interval { first: value, last: value }, mask: (k - 1) * unit };
    (row, (1 << k) - 1)
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::topology::generate;

    #[test]
    fn a_component_of_two_bits_is_selected_by_two_bits() {
        let registers = deterministic(&generate("kary(4,2)").unwrap()).unwrap();
        let rows: Vec<Row> =
            registers.switches[0].ports[4..].iter().map(|port| port.rows[0]).collect();
        let row = |value| Row { interval: Interval { first: value, last: value }, mask: 0b0011 };
        assert_eq!(rows, [row(0), row(1), row(2), row(3)]);
        let last = deterministic(&generate("kary(4,3)").unwrap()).unwrap();
        let port = &last.switches[16].ports[7];
        assert_eq!(port.rows[0].mask, 0b00_1100);
        assert_eq!(port.rows[0].interval, Interval { first: 0b00_1100, last: 0b00_1100 });
        assert_eq!(port.restrictions, 0b0000_1111);
    }

    #[test]
    fn components_need_bits() {
        let refused = deterministic(&generate("kary(3,2)").unwrap()).unwrap_err().to_string();
        assert!(refused.contains("k = 3 of `kary(3,2)` is not a power of 2"), "{refused}");
        assert!(refused.contains("use k = 2 or 4, or routing ecmp"), "{refused}");
    }
}
