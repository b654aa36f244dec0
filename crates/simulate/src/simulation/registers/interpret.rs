//! Routing by registers alone.

use super::{PortRegisters, Registers, SwitchRegisters};
use crate::prelude::*;

/// Sends packets by the registers of the switches they come to, and nothing else: an address, and
/// where links lead.
///
/// ```
/// # use routebound_simulate as routebound;
/// use routebound::simulation::registers::{Interpreter, deterministic};
/// use routebound::topology::generate;
/// let tree = generate("kary(2,3)")?;
/// let registers = deterministic(&tree)?;
/// let interpreter = Interpreter::new(&tree, &registers);
/// let mut paths = Vec::new();
/// interpreter.for_each_path(0, 6, &mut |path| paths.push(path.to_vec()))?;
/// assert_eq!((paths.len(), paths[0].len()), (1, 6));
/// # Ok::<(), Box<dyn std::error::Error>>(())
/// ```
pub struct Interpreter<'a> {
    topology: &'a Topology,
    registers: &'a Registers,
    /// The place of every node's registers.
    places: Vec<Option<usize>>,
}

/// A packet that the registers do not deliver.
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
#[non_exhaustive]
#[expect(missing_docs, reason = "the message is the documentation")]
pub enum Astray {
    #[error("at {node} no output port takes packets to host {destination}")]
    NoPort { node: String, destination: Host },
    #[error("a packet from host {source_host} to host {destination} takes more than {links} links")]
    TooFar { source_host: Host, destination: Host, links: usize },
    #[error("a packet to host {destination} ends at {node}")]
    Elsewhere { node: String, destination: Host },
}

/// A packet on its way.
struct Packet<'a> {
    ends: (Host, Host),
    path: Vec<LinkId>,
    visit: &'a mut dyn FnMut(&[LinkId]),
}

impl<'a> Interpreter<'a> {
    /// An interpreter for registers of this network. O(nodes).
    #[must_use]
    pub fn new(topology: &'a Topology, registers: &'a Registers) -> Self {
        let mut places = vec![None; topology.nodes()];
        for (place, switch) in registers.switches.iter().enumerate() {
            places[switch.node as usize] = Some(place);
        }
        Self { topology, registers, places }
    }

    /// The registers of a node; `None` for a host.
    #[must_use]
    pub fn switch(&self, node: NodeId) -> Option<&'a SwitchRegisters> {
        self.places[node as usize].map(|place| &self.registers.switches[place])
    }

    /// The ports by which a node forwards to a host; none for a host.
    pub fn eligible(&self, node: NodeId, d: Host) -> impl Iterator<Item = &'a PortRegisters> {
        let address = self.registers.addresses[d as usize];
        self.switch(node).into_iter().flat_map(move |switch| switch.eligible(address))
    }

    /// Calls `visit` with every path that a packet from `s` to `d` ≠ `s` may take; by FIR there is
    /// one. O(paths · length · k).
    ///
    /// # Errors
    /// [`Astray`] when a packet is not delivered.
    pub fn for_each_path(
        &self,
        s: Host,
        d: Host,
        visit: &mut dyn FnMut(&[LinkId]),
    ) -> Result<(), Astray> {
        let mut packet = Packet { ends: (s, d), path: Vec::new(), visit };
        for first in self.topology.links_from(s) {
            self.send(first, &mut packet)?;
        }
        Ok(())
    }

    /// Sends the packet over a link and on from there.
    fn send(&self, link: LinkId, packet: &mut Packet) -> Result<(), Astray> {
        let (source_host, destination) = packet.ends;
        let name = |node| self.topology.node(node).name.clone();
        let links = 2 * self.registers.stages as usize;
        let Some((_, node)) = self.topology.ends(link).filter(|_| packet.path.len() < links) else {
            return Err(Astray::TooFar { source_host, destination, links });
        };
        packet.path.push(link);
        if node == destination {
            (packet.visit)(&packet.path);
        } else if self.switch(node).is_none() {
            return Err(Astray::Elsewhere { node: name(node), destination });
        } else {
            let mut ports = self.eligible(node, destination).peekable();
            if ports.peek().is_none() {
                return Err(Astray::NoPort { node: name(node), destination });
            }
            ports.try_for_each(|port| self.send(port.link, packet))?;
        }
        packet.path.pop();
        Ok(())
    }
}

#[cfg(test)]
mod tests;
