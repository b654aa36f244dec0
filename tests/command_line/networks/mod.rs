//! General networks: what every file of the collection holds, how links and capacities are
//! read, that exports read back, and that bad files are refused at the right place.
//!
//! `instances/` is always present. The full collection is used when it is next to the
//! repository.
#![expect(clippy::unwrap_used, reason = "helpers of tests fail by panicking")]

mod counts;
mod damaged;
mod kinds;
mod links;
mod numbers;
mod refusals;
mod round_trip;
mod runs;
mod weights;

use std::path::PathBuf;

use routebound::import::{ImportError, ImportOptions};
use routebound::topology::{NodeId, NodeKind, Topology};

use super::files::{import, import_with, root, temporary};

/// A folder of external data, if present.
fn collection(folder: &str) -> Option<PathBuf> {
    super::collection::collection(&format!("data/{folder}"))
}

/// The path of a file below `instances/networks`.
fn instance(name: &str) -> String {
    root().join("instances/networks").join(name).to_str().unwrap().to_string()
}

fn import_text(content: impl AsRef<[u8]>) -> Result<Topology, ImportError> {
    import_with(content, &ImportOptions::default())
}

/// Every directed link in its order: names of its ends, and its capacity.
fn links(topology: &Topology) -> Vec<String> {
    let name = |node: NodeId| topology.node(node).name.as_str();
    let link = |id: u32| {
        let (from, to) = topology.ends(id).unwrap();
        format!("{} {} {}", name(from), name(to), topology.link(id).capacity)
    };
    topology.link_numbers().map(link).collect()
}

fn names(topology: &Topology) -> Vec<&str> {
    topology.graph().node_weights().map(|node| node.name.as_str()).collect()
}

fn switches(topology: &Topology) -> usize {
    topology.graph().node_weights().filter(|node| node.kind == NodeKind::Switch).count()
}
