//! The worst case of the tables that a subnet manager computed for a fabric, with its certificate
//! checked: `cargo run --example ratio_of_a_fabric`.

use std::error::Error;
use std::io::{Write, stdout};

use routebound::prelude::*;

/// Dumps of `ibnetdiscover` and of OpenSM, gzip-compressed.
const FABRIC: &str = "instances/fabrics/ft8x3/updn/ibnetdiscover.out.gz";
const TABLES: &str = "lft:instances/fabrics/ft8x3/updn/opensm-lfts.dump.gz";

fn main() -> Result<(), Box<dyn Error>> {
    run(&mut stdout())
}

pub(crate) fn run(out: &mut dyn Write) -> Result<(), Box<dyn Error>> {
    let topology = import::topology(FABRIC, &ImportOptions::default())?;
    let routing = routing::build(TABLES, &topology)?;
    writeln!(out, "{} hosts, {} links", topology.hosts(), topology.links())?;

    let instance = Instance::new(topology, routing)?;
    let assessment = Assess::new().embedded().run(&instance)?;
    writeln!(out, "oblivious ratio {}", assessment.oblivious_ratio)?;

    let (topology, witness) = (instance.topology(), &assessment.witness);
    writeln!(out, "worst link {}", topology.link_name(witness.link))?;
    for Demand { s, d, amount } in witness.demands.iter().take(3) {
        let [s, d] = [s, d].map(|host| &topology.node(*host).name);
        writeln!(out, "worst traffic {s} -> {d}: {amount}")?;
    }

    // The text is all that the checker needs: it holds the network, the paths and the proof.
    let certificate = assessment.certificate?.to_string();
    for Accepted { quantity, lower, upper } in checker::check_text(&certificate)? {
        writeln!(out, "accepted {quantity} {lower} to {upper}")?;
    }
    Ok(())
}
