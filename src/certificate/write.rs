//! Writing certificates.

use std::io::{self, Write};

use super::{Certificate, Cover, MAGIC, NetworkForm, RoutingForm, VERSION};
use crate::ratio::Ratio;
use crate::topology::Host;

/// Writes `certificate` in the format of this module.
///
/// # Errors
/// Those of `out`.
pub fn write(certificate: &Certificate, out: &mut dyn Write) -> io::Result<()> {
    writeln!(out, "{MAGIC} {VERSION}")?;
    write_network(&certificate.network, out)?;
    write_routing(&certificate.routing, out)?;
    for claim in &certificate.claims {
        writeln!(out, "claim {} {} {}", claim.quantity.name(), claim.lower, claim.upper)?;
    }
    let witness = &certificate.witness;
    writeln!(out, "witness {} {}", witness.link, witness.optu)?;
    for demand in &witness.demands {
        writeln!(out, "demand {} {} {}", demand.s, demand.d, demand.amount)?;
    }
    writeln!(out, "route even")?;
    for cover in &certificate.covers {
        write_cover(cover, out)?;
    }
    writeln!(out, "end")
}

fn write_network(network: &NetworkForm, out: &mut dyn Write) -> io::Result<()> {
    match network {
        NetworkForm::Named(spec) => writeln!(out, "topology {spec}"),
        NetworkForm::Embedded(network) => {
            writeln!(out, "hosts {}\nnodes {}", network.hosts, network.nodes)?;
            let mut links = network.links.iter();
            links.try_for_each(|(from, to, capacity)| writeln!(out, "link {from} {to} {capacity}"))
        }
    }
}

fn write_routing(routing: &RoutingForm, out: &mut dyn Write) -> io::Result<()> {
    match routing {
        RoutingForm::Named(spec) => writeln!(out, "routing {spec}")?,
        RoutingForm::Next(rows) => {
            for (node, entries) in rows {
                write!(out, "next {node}")?;
                for entry in entries {
                    match entry {
                        Some(link) => write!(out, " {link}")?,
                        None => write!(out, " -")?,
                    }
                }
                writeln!(out)?;
            }
        }
        RoutingForm::Paths(paths) => {
            for path in paths {
                write!(out, "path {} {} {}", path.s, path.d, path.share)?;
                for link in &path.links {
                    write!(out, " {link}")?;
                }
                writeln!(out)?;
            }
        }
    }
    Ok(())
}

fn write_cover(cover: &Cover, out: &mut dyn Write) -> io::Result<()> {
    write!(out, "cover {}", cover.link)?;
    let mut side = |name: &str, hosts: &[(Host, Ratio)]| -> io::Result<()> {
        if !hosts.is_empty() {
            write!(out, " {name}")?;
        }
        for (host, weight) in hosts {
            if *weight == Ratio::ONE {
                write!(out, " {host}")?;
            } else {
                write!(out, " {host}:{weight}")?;
            }
        }
        Ok(())
    };
    side("s", &cover.sources)?;
    side("d", &cover.destinations)?;
    writeln!(out)
}
