//! A network of one's own, and how a routing of it can be hurt: `cargo run --example own_network`.

use std::error::Error;
use std::io::{Write, stdout};

use routebound::petgraph::graph::DiGraph;
use routebound::prelude::*;

fn main() -> Result<(), Box<dyn Error>> {
    run(&mut stdout())
}

/// Three routers with their own users, each pair joined by a link in either direction.
fn triangle() -> Result<Topology, topology::TopologyError> {
    let mut graph = DiGraph::new();
    let routers = ["Aachen", "Bonn", "Cologne"].map(|name| {
        let name = name.to_string();
        graph.add_node(Node { kind: NodeKind::Host, level: 0, name, address: None })
    });
    for (from, to) in [(0, 1), (1, 2), (2, 0)] {
        // Port 1 leads to the next router, port 2 to the one before.
        for (tail, head, from_port, to_port) in [(from, to, 1, 2), (to, from, 2, 1)] {
            let capacity = Ratio::from(10);
            let link = Link { capacity, level: 0, direction: Direction::Flat, from_port, to_port };
            graph.add_edge(routers[tail], routers[head], link);
        }
    }
    Topology::new("triangle".to_string(), graph)
}

pub(crate) fn run(out: &mut dyn Write) -> Result<(), Box<dyn Error>> {
    let topology = triangle()?;
    let routing = routing::build("ecmp", &topology)?;
    let instance = Instance { topology, routing };

    // Shortest paths use one link. The best routing of the worst traffic also takes the detour.
    let assessment = assess(&instance, Form::Embedded, &Progress::silent())?;
    writeln!(out, "oblivious ratio {}", assessment.oblivious_ratio)?;
    let witness = &assessment.witness;
    writeln!(out, "worst link {}", instance.topology.link_name(witness.link))?;
    let certificate = assessment.certificate.ok_or("too large for a certificate")?;
    write!(out, "{certificate}")?;
    Ok(())
}
