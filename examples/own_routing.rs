//! A routing of one's own, its worst case, and the proof: `cargo run --example own_routing`.

use std::error::Error;
use std::io::{Write, stdout};

use routebound::prelude::*;

fn main() -> Result<(), Box<dyn Error>> {
    run(&mut stdout())
}

/// On FT(8,2), the root that a pair uses depends on whether the source and the destination have an
/// even or an odd place below their switches. So at most two of the four hosts below a switch send,
/// or receive, through one root.
struct Parity {
    tree: topology::Xgft,
}

impl Routing for Parity {
    fn spec(&self) -> &'static str {
        "parity"
    }

    fn for_each_path(
        &self,
        s: Host,
        d: Host,
        links: &mut Vec<LinkId>,
        visit: &mut dyn FnMut(&Rational, &[LinkId]),
    ) {
        let parity = |host| self.tree.digit(host, 1) % 2;
        // A host has one way up; a switch has one to each of the four roots.
        let up = [0, 2 * parity(s) + parity(d)];
        links.clear();
        self.tree.push_path(s, d, &up[..self.tree.nca_level(s, d)], links);
        visit(&Rational::ONE, links);
    }
}

pub(crate) fn run(out: &mut dyn Write) -> Result<(), Box<dyn Error>> {
    let topology = topology::generate("ft(8,2)")?;
    let tree = topology.tree().ok_or("not a tree")?.clone();
    let routing: Box<dyn Routing> = Box::new(Parity { tree });
    let own = Instance::new(topology, routing)?;

    for instance in [Instance::named("ft(8,2)", "dmodk")?, own] {
        let assessment = assess(&instance)?;
        writeln!(out, "{}: {}", instance.routing().spec(), assessment.oblivious_ratio)?;
        let certificate = assessment.certificate?;
        let accepted = checker::check(&certificate)?;
        writeln!(out, "accepted {} {}", accepted[0].quantity, accepted[0].upper)?;
    }
    Ok(())
}
