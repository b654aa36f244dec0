//! Real and damaged fabrics: importing, forwarding tables, and what the routings load.
//!
//! `instances/` is always present. The full collection of 130 simulated OpenSM runs and of real
//! clusters is used when it is next to the repository.
#![expect(clippy::unwrap_used, clippy::panic, reason = "helpers of tests fail by panicking")]

/// Asserts the kind and the line of a refusal.
macro_rules! refuses {
    ($damage:expr, $line:expr, $problem:pat) => {{
        let (problem, line) = $damage;
        assert!(matches!(problem, $problem), "{problem:?}");
        assert_eq!(line, $line, "{problem}");
    }};
}

mod bad_tables;
mod damaged;
mod formats;
mod isomorphic;
mod jobs;
mod lids;
mod limits;
mod operators;
mod real;
mod runs;

use std::path::Path;

use routebound::routing::{self, Routing, RoutingError};
use routebound::topology::{LinkId, Topology, host_number, sd_pairs};

use super::collection::collection;
use super::files::{import, import_with, root, temporary};

/// The path of `name` in a folder, possibly compressed.
fn file(folder: &Path, name: &str) -> Option<String> {
    let names = [folder.join(name), folder.join(format!("{name}.gz"))];
    let found = names.into_iter().find(|path| path.is_file())?;
    Some(found.to_str().unwrap().to_string())
}

/// The routing of tables given as text.
fn route_text(fabric: &Topology, content: &str) -> Result<Box<dyn Routing>, RoutingError> {
    let (_file, path) = temporary(content);
    routing::build(&format!("lft:{path}"), fabric)
}

/// Links between switches.
fn switch_links(topology: &Topology) -> Vec<LinkId> {
    let hosts = host_number(topology.hosts());
    let between = |link: &LinkId| {
        let (from, to) = topology.ends(*link).unwrap();
        from >= hosts && to >= hosts
    };
    topology.link_numbers().filter(between).collect()
}

/// Number of routes (source and destination LID) over every link, and of all routes; every
/// destination has `lids` LIDs in use.
fn count_routes(topology: &Topology, routing: &dyn Routing, lids: u64) -> (Vec<u64>, u64) {
    let (mut counts, mut routes, mut links) = (vec![0; topology.links()], 0, Vec::new());
    for (s, d) in sd_pairs(topology.hosts()) {
        routing.for_each_path(s, d, &mut links, &mut |share, path| {
            assert_eq!(topology.ends(path[0]).unwrap().0, s);
            assert_eq!(topology.ends(path[path.len() - 1]).unwrap().1, d);
            let here = share.scaled(lids).unwrap();
            for link in path {
                counts[*link as usize] += here;
            }
            routes += here;
        });
    }
    (counts, routes)
}
