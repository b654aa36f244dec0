//! Imported networks: the search is on their shape, and its result is carried over.
//!
//! Where a network is a tree except for its names and the order of its hosts, the same holds for
//! every routing, and worst cases are the same. The certificate is about the tree as its shape
//! names it.

use std::sync::Arc;

use crate::prelude::*;
use crate::routing::{Routing, Visit};
use crate::topology::MAX_HEIGHT;

use super::{OptimalAssessment, Options, SynthError, search};

/// Searches on the shape of an imported network.
pub(super) fn run(
    topology: &Topology,
    options: &Options,
    progress: &Progress,
) -> Result<OptimalAssessment, SynthError> {
    let network = || topology.spec().to_string();
    let Some(tree) = topology.tree() else {
        return Err(topology.no_tree().cloned().map_or(SynthError::NoTree(network()), |reason| {
            SynthError::OtherNetwork { network: network(), reason }
        }));
    };
    if tree.cables_to_top() > 1 {
        return Err(SynthError::Parallel { network: network(), shape: tree.shape() });
    }
    if let Some(capacities) = tree.capacities_text() {
        let (network, shape) = (network(), tree.shape());
        return Err(SynthError::Capacities { network, shape, capacities });
    }
    let mut found = search::run(&generate(&tree.shape())?, options, progress)?;
    let routing = Carried { routing: found.best.routing, tree: tree.clone() };
    found.best = Instance::trusted(topology.clone(), Box::new(routing) as Box<dyn Routing>);
    Ok(found)
}

/// A single-path routing of the shape, on the network.
struct Carried {
    routing: Arc<dyn Routing>,
    tree: Xgft,
}

impl Carried {
    /// Host links are numbered by hosts; all others are the same.
    fn link(&self, link: LinkId) -> LinkId {
        let ports = self.tree.parents(1);
        let (_, down) = self.tree.link_id(0, 0, 0, 0);
        let carried = |place: u32| {
            let host = self.tree.hosts_in_order()[(place / ports) as usize];
            host * ports + place % ports
        };
        match link.checked_sub(down) {
            None => carried(link),
            Some(place) if place < down => down + carried(place),
            Some(_) => link,
        }
    }
}

impl Routing for Carried {
    fn spec(&self) -> &str {
        self.routing.spec()
    }

    fn for_each_path(&self, s: Host, d: Host, links: &mut Vec<LinkId>, visit: Visit<'_>) {
        let (s, d) = (self.tree.position(s), self.tree.position(d));
        self.routing.for_each_path(s, d, links, &mut |share, path| {
            // Paths lead up, then down.
            let mut carried = [0; 2 * MAX_HEIGHT];
            for (new, old) in carried.iter_mut().zip(path) {
                *new = self.link(*old);
            }
            visit(share, &carried[..path.len()]);
        });
    }

    fn notes(&self) -> Vec<String> {
        self.routing.notes()
    }
}
