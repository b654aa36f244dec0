//! The least max load of given traffic, and how close a routing comes to it:
//! `cargo run --example optu_of_a_matrix`.

use std::error::Error;
use std::io::{Write, stdout};

use routebound::prelude::*;

fn main() -> Result<(), Box<dyn Error>> {
    run(&mut stdout())
}

pub(crate) fn run(out: &mut dyn Write) -> Result<(), Box<dyn Error>> {
    // Four switches with four hosts and two links up each.
    let instance = Instance::named("xgft(2;4,4;1,2)", "dmodk")?;
    let topology = instance.topology();
    let one = |(s, d)| Demand { s, d, amount: Rational::ONE };
    let mut demands = [(0, 4), (1, 6), (2, 8), (3, 10)].map(one).to_vec();
    demands.push(Demand { s: 8, d: 9, amount: Rational::new(3, 2).ok_or("division by 0")? });
    let matrix = TrafficMatrix::new(topology.hosts(), demands)?;

    // What the first four hosts send has to leave their switch over two links.
    let optimum = assess_optimum(topology, matrix.demands())?;
    writeln!(out, "optu {}, baseload {}", optimum.optu, optimum.baseload)?;
    let certificate = optimum.certificate?;
    for Accepted { quantity, lower, upper } in checker::check(&certificate)? {
        writeln!(out, "accepted {quantity} {lower} to {upper}")?;
    }

    // D-mod-k sends all of it over one of them, as the destinations have even places.
    let progress = Progress::silent();
    let loads = LinkLoads::of(topology, instance.routing(), matrix.demands(), &progress)?;
    let (link, load) = loads.max().ok_or("no load")?;
    let ratio = load.checked_div(&optimum.optu.upper).ok_or("division by 0")?;
    writeln!(out, "max load {load} on {}, {ratio} times optu", topology.link_name(link))?;
    Ok(())
}
