//! The registers of the switches of a k-ary n-tree.

use super::prelude::*;
use crate::simulation::registers::{PortRegisters, Registers, Row, Scheme, SwitchRegisters};
use crate::topology::LinkId;

/// Output of `route --intervals`.
#[derive(Clone, Debug, PartialEq, Eq, Serialize)]
pub struct RegistersReport {
    /// Spec or path.
    pub topology: String,
    /// Spec.
    pub routing: String,
    /// `IR` (FI and LI) or `FIR` (FI, LI, MR and RRR).
    pub scheme: &'static str,
    /// k.
    pub arity: u32,
    /// n.
    pub stages: u32,
    /// The address of every host: its components p_{n−1}…p_0 as a number.
    pub addresses: Vec<u32>,
    /// Switches by ascending number.
    pub switches: Vec<SwitchReport>,
}

/// The registers of a switch.
#[derive(Clone, Debug, PartialEq, Eq, Serialize)]
pub struct SwitchReport {
    /// Number of the switch, as \[GO\] numbers them.
    pub number: u32,
    /// Name of the switch in the network.
    pub name: String,
    /// s.
    pub stage: u32,
    /// Output ports by label.
    pub ports: Vec<PortReport>,
}

/// The registers of an output port.
#[derive(Clone, Debug, PartialEq, Eq, Serialize)]
pub struct PortReport {
    /// The label of its link, from k on for ascending ones.
    pub label: u32,
    /// Number of the port at the switch.
    pub port: u32,
    /// The link.
    pub link: LinkId,
    /// The node that it leads to.
    pub to: String,
    /// FI, an address.
    pub fi: u32,
    /// LI, an address.
    pub li: u32,
    /// MR in bits, the most significant one first; only FIR.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub mr: Option<String>,
    /// RRR in bits, that of label 0 last; only FIR.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub rrr: Option<String>,
}

impl RegistersReport {
    /// The registers by which `topology` is routed as by the routing of this spec, with one row per
    /// port.
    #[must_use]
    pub fn new(topology: &Topology, routing: &str, registers: &Registers) -> Self {
        let switch = |switch: &SwitchRegisters| {
            let rows = |port| port_reports(topology, registers, port);
            SwitchReport {
                number: registers.number(switch.switch),
                name: topology.node(switch.node).name.clone(),
                stage: switch.switch.stage,
                ports: switch.ports.iter().flat_map(rows).collect(),
            }
        };
        Self {
            topology: topology.spec().to_string(),
            routing: routing.to_string(),
            scheme: match registers.scheme {
                Scheme::Interval => "IR",
                Scheme::Flexible => "FIR",
            },
            arity: registers.arity,
            stages: registers.stages,
            addresses: registers.addresses.clone(),
            switches: registers.switches.iter().map(switch).collect(),
        }
    }

    /// A table with a line per port.
    #[must_use]
    pub fn text(&self) -> String {
        let Self { topology, routing, scheme, arity, stages, addresses, switches } = self;
        let mut text = format!(
            "{routing} on {topology}: {scheme} registers of the {} switches of a {arity}-ary \
             {stages}-tree\n",
            switches.len()
        );
        if !(0..).zip(addresses).all(|(host, address): (u32, &u32)| host == *address) {
            text.push_str("\nDestinations are addresses, not numbers of hosts:\n\n");
            let row = |(host, address): (usize, &u32)| vec![host.to_string(), address.to_string()];
            text.push_str(&table(&["host", "address"], addresses.iter().enumerate().map(row)));
            text.push('\n');
        }
        let mut head = vec!["switch", "name", "stage", "link", "to", "FI", "LI"];
        if *scheme == "FIR" {
            head.extend(["MR", "RRR"]);
        }
        let rows = switches.iter().flat_map(|switch| {
            switch.ports.iter().map(|port| {
                let number = switch.number.to_string();
                let place = [number, switch.name.clone(), switch.stage.to_string()];
                let link = [port.label.to_string(), port.to.clone()];
                let interval = [port.fi.to_string(), port.li.to_string()];
                let masks = port.mr.iter().chain(&port.rrr).cloned();
                place.into_iter().chain(link).chain(interval).chain(masks).collect()
            })
        });
        // A String takes every write.
        let _ = writeln!(text, "\n{}", table(&head, rows));
        text
    }
}

fn port_reports<'a>(
    topology: &'a Topology,
    registers: &'a Registers,
    port: &'a PortRegisters,
) -> impl Iterator<Item = PortReport> + 'a {
    let to = topology.ends(port.link).map(|(_, to)| topology.node(to).name.clone());
    let to = to.unwrap_or_default();
    port.rows.iter().map(move |Row { interval, mask }| {
        let bits = |number: u128, width: u32| format!("{number:0width$b}", width = width as usize);
        let is_flexible = registers.scheme == Scheme::Flexible;
        let mr = || bits((*mask).into(), registers.address_bits());
        let rrr = || bits(port.restrictions, 2 * registers.arity);
        PortReport {
            label: port.label,
            port: topology.link(port.link).from_port,
            link: port.link,
            to: to.clone(),
            fi: interval.first,
            li: interval.last,
            mr: is_flexible.then(mr),
            rrr: is_flexible.then(rrr),
        }
    })
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::simulation::registers::{adaptive, deterministic};
    use crate::topology::generate;

    fn report(spec: &str, registers: impl Fn(&Topology) -> Registers) -> RegistersReport {
        let topology = generate(spec).unwrap();
        RegistersReport::new(&topology, "r", &registers(&topology))
    }

    /// Masks have a bit per bit of an address, and an RRR one per port, as [GO] prints them.
    #[test]
    fn registers_are_printed_in_bits() {
        let found = report("kary(2,3)", |tree| deterministic(tree).unwrap());
        let port = &found.switches[0].ports[2];
        assert_eq!((port.mr.as_deref(), port.rrr.as_deref()), (Some("001"), Some("0011")));
        assert!(found.text().lines().nth(2).unwrap().ends_with("RRR"), "{}", found.text());
        let found = report("kary(2,4)", |tree| adaptive(tree).unwrap());
        assert!(found.text().lines().nth(2).unwrap().ends_with("LI"), "{}", found.text());
        assert_eq!(found.switches[0].ports[2].mr, None);
    }

    /// A network that was read may number its hosts in any order.
    #[test]
    fn addresses_are_told_where_they_are_not_the_numbers() {
        let mut found = report("kary(2,2)", |tree| adaptive(tree).unwrap());
        assert!(!found.text().contains("not numbers of hosts"));
        found.addresses = vec![1, 0, 2, 3];
        assert!(found.text().contains("Destinations are addresses, not numbers of hosts"));
    }
}
