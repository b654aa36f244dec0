//! GUIDs of nodes: those of the fabric, or suitably chosen ones.

use super::{NodeKind, Topology};
use crate::limit::{TooLarge, within};

const HOST_BASE: u64 = 0x0002_c903_0000_0000;
const SWITCH_BASE: u64 = 0x0002_c902_0000_0000;
const REMEDY: &str = "export a smaller network";

impl Topology {
    /// GUIDs of all nodes: their own when every node has one, otherwise chosen so that their
    /// byte-swapped order, last byte most significant, is hosts by number, then switches by
    /// level. Those of an imported fabric may repeat.
    ///
    /// # Errors
    /// [`TooLarge`] when there are more nodes than the numbering has room for.
    ///
    /// ```
    /// # use routebound_networks as routebound;
    /// let tree = routebound::topology::generate("ft(4,1)")?;
    /// assert_eq!(tree.guids()?[..2], [0x0002_c903_0000_0000, 0x0002_c903_0000_0100]);
    /// # Ok::<(), Box<dyn std::error::Error>>(())
    /// ```
    pub fn guids(&self) -> Result<Vec<u64>, TooLarge> {
        let own = self.graph().node_weights().map(|node| Some(node.address.as_ref()?.guid));
        own.collect::<Option<Vec<u64>>>().map_or_else(|| chosen(self), Ok)
    }
}

/// Host i: low bytes i mod 256, 2·(i div 256), leaving the odd number for its port. Switch i
/// of level l: low bytes i mod 256, i div 256, 0xf0 + l.
fn chosen(topology: &Topology) -> Result<Vec<u64>, TooLarge> {
    within("number of hosts", Some(topology.hosts() as u128), 1 << 15, REMEDY)?;
    let mut of_level = [0_u64; 256];
    let mut guids = Vec::with_capacity(topology.nodes());
    for node in topology.graph().node_weights() {
        let count = &mut of_level[usize::from(node.level)];
        let (low, high, level) = (*count & 255, *count >> 8, u64::from(node.level));
        *count += 1;
        guids.push(match node.kind {
            NodeKind::Host => HOST_BASE + (low << 8) + 2 * high,
            NodeKind::Switch => {
                within("level of a switch", Some(level.into()), 15, REMEDY)?;
                within("number of switches of a level", Some((*count).into()), 1 << 16, REMEDY)?;
                SWITCH_BASE + (low << 16) + (high << 8) + 0xf0 + level
            }
        });
    }
    Ok(guids)
}
