//! A network of one's own, and how a routing of it can be hurt: `cargo run --example own_network`.

use std::error::Error;
use std::io::{Write, stdout};

use routebound::prelude::*;

fn main() -> Result<(), Box<dyn Error>> {
    run(&mut stdout())
}

/// Three routers with their own users, each pair joined by a cable.
fn triangle() -> Result<Topology, topology::TopologyError> {
    let mut network = NetworkBuilder::new();
    let [aachen, bonn, cologne] = ["Aachen", "Bonn", "Cologne"].map(|name| network.host(name));
    for (one, other) in [(aachen, bonn), (bonn, cologne), (cologne, aachen)] {
        network.cable(one, other, Rational::from(10));
    }
    network.build("triangle")
}

pub(crate) fn run(out: &mut dyn Write) -> Result<(), Box<dyn Error>> {
    let topology = triangle()?;
    let routing = routing::build("ecmp", &topology)?;
    let instance = Instance::new(topology, routing)?;

    // Shortest paths use one link. The best routing of the worst traffic also takes the detour.
    let assessment = Assess::new().embedded().run(&instance)?;
    writeln!(out, "oblivious ratio {}", assessment.oblivious_ratio)?;
    let witness = &assessment.witness;
    writeln!(out, "worst link {}", instance.topology().link_name(witness.link))?;
    let certificate = assessment.certificate?;
    write!(out, "{certificate}")?;
    Ok(())
}
