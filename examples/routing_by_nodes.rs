//! A routing of one's own on a fabric that was read, given by next hops and by the nodes of paths:
//! `cargo run --example routing_by_nodes`.

use std::error::Error;
use std::io::{Write, stdout};

use routebound::prelude::*;

/// The output of `ibnetdiscover`.
const FABRIC: &str = "instances/fabrics/ft8x2/minhop_lmc2/ibnetdiscover.out";

fn main() -> Result<(), Box<dyn Error>> {
    run(&mut stdout())
}

/// The nodes that a node has a link to, by number, without hosts.
fn switches_next_to(fabric: &Topology, node: NodeId) -> Vec<NodeId> {
    let heads = fabric.links_from(node).filter_map(|link| Some(fabric.ends(link)?.1));
    let mut found: Vec<NodeId> = heads.filter(|head| *head as usize >= fabric.hosts()).collect();
    found.sort_unstable();
    found
}

pub(crate) fn run(out: &mut dyn Write) -> Result<(), Box<dyn Error>> {
    let fabric = import::topology(FABRIC, &ImportOptions::default())?;

    // Next hops, as forwarding tables have them: a leaf switch sends to the spine whose place is that of the
    // destination below its own leaf switch.
    let leaf = |host: Host| switches_next_to(&fabric, host)[0];
    let place = |d: Host| (0..d).filter(|other| leaf(*other) == leaf(d)).count();
    let next = |node: NodeId, d: Host| {
        if (node as usize) < fabric.hosts() {
            return Some(leaf(node));
        }
        if fabric.link_between(node, d).is_some() {
            return Some(d);
        }
        if fabric.link_between(node, leaf(d)).is_some() {
            return Some(leaf(d));
        }
        switches_next_to(&fabric, node).get(place(d)).copied()
    };
    let by_place = Listed::by_next_hops("by-place", &fabric, next)?;

    // The nodes of every path: all take the first spine.
    let spine = switches_next_to(&fabric, leaf(0))[0];
    let path = |s: Host, d: Host| match (leaf(s), leaf(d)) {
        (up, down) if up == down => vec![s, up, d],
        (up, down) => vec![s, up, spine, down, d],
    };
    let by_one_spine = Listed::by_nodes("by-one-spine", &fabric, path)?;

    for routing in [by_place, by_one_spine] {
        let routing: Box<dyn Routing> = Box::new(routing);
        let instance = Instance::new(fabric.clone(), routing)?;
        let found = assess(&instance)?;
        writeln!(out, "{}: {}", instance.routing().spec(), found.oblivious_ratio)?;
        writeln!(out, "worst link {}", fabric.link_name(found.witness.link))?;
    }
    Ok(())
}
