//! Writing certificates.

use std::io::{self, Write};

use super::{Certificate, Cover, Embedded, InstanceForm, MAGIC, Routes, VERSION};
use crate::ratio::Ratio;
use crate::topology::Host;

/// Writes `certificate` in the format of this module.
///
/// # Errors
/// Those of `out`.
pub fn write(certificate: &Certificate, out: &mut dyn Write) -> io::Result<()> {
    writeln!(out, "{MAGIC} {VERSION}")?;
    match &certificate.instance {
        InstanceForm::Named { topology, routing } => {
            writeln!(out, "topology {topology}\nrouting {routing}")?;
        }
        InstanceForm::Embedded(embedded) => write_embedded(embedded, out)?,
    }
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

fn write_embedded(embedded: &Embedded, out: &mut dyn Write) -> io::Result<()> {
    writeln!(out, "hosts {}\nnodes {}", embedded.hosts, embedded.nodes)?;
    for (from, to, capacity) in &embedded.links {
        writeln!(out, "link {from} {to} {capacity}")?;
    }
    match &embedded.routes {
        Routes::Next(rows) => {
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
        Routes::Paths(paths) => {
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
