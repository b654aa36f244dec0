//! Writing certificates.

mod commas;
mod fits;
mod records;
mod rows;
mod text;

#[cfg(test)]
pub(super) use fits::counted;
pub use fits::fits;

use std::io::{self, Write};

use self::rows::write_rows;
use super::{
    AdaptiveRates, AllowedPath, Among, Certificate, Claim, Cover, Demand, DualDemand, Least,
    LinkRecord, MAGIC, NetworkForm, OPTU, Optimality, OptimumCertificate, PathRecord,
    RoutedTraffic, RoutingForm, VERSION, WorstCaseCertificate,
};
use crate::rational::Rational;
use crate::topology::{LinkId, NodeId};

/// Writes `certificate` in the format of this module.
///
/// # Errors
/// Those of `out`.
pub fn write(certificate: &Certificate, out: &mut dyn Write) -> io::Result<()> {
    write_commented(certificate, &[], out)
}

/// Writes a certificate with comments below its first line, each on one line.
///
/// # Errors
/// Those of `out`.
///
/// ```
/// # use routebound_proof as routebound;
/// use routebound::certificate::{Certificate, write_commented};
/// let text = "routebound-certificate 1\n# from a file\nhosts 2\nnodes 2\nlink 0 1 1\nlink 1 0 1\nclaim optu 1 1
/// demand 0 1 1\nroute even\nlength 0 1\nend\n";
/// let (certificate, mut written): (Certificate, _) = (text.parse()?, Vec::new());
/// write_commented(&certificate, &["from a file".to_string()], &mut written)?;
/// assert_eq!(written, text.as_bytes());
/// # Ok::<(), Box<dyn std::error::Error>>(())
/// ```
pub fn write_commented(
    certificate: &Certificate,
    comments: &[String],
    out: &mut dyn Write,
) -> io::Result<()> {
    write_head(certificate, comments, out)?;
    certificate.routing().map_or(Ok(()), |routing| write_routing(routing, out))?;
    write_tail(certificate, out)
}

/// Writes what stands before the routing.
fn write_head(
    certificate: &Certificate,
    comments: &[String],
    out: &mut dyn Write,
) -> io::Result<()> {
    writeln!(out, "{MAGIC} {VERSION}")?;
    comments.iter().try_for_each(|comment| writeln!(out, "# {comment}"))?;
    write_network(certificate.network(), out)
}

/// Writes what stands behind the routing.
fn write_tail(certificate: &Certificate, out: &mut dyn Write) -> io::Result<()> {
    match certificate {
        Certificate::WorstCase(certificate) => write_worst_case(certificate, out)?,
        Certificate::Optimum(certificate) => write_optimum(certificate, out)?,
        Certificate::Product(certificate) => {
            write_claims(&certificate.claims, out)?;
            certificate.write(out)?;
        }
        Certificate::Local(certificate) => certificate.write(out)?,
        Certificate::Jobs(certificate) => certificate.write(out)?,
        Certificate::Failures(certificate) => certificate.write(out)?,
    }
    writeln!(out, "end")
}

fn write_worst_case(certificate: &WorstCaseCertificate, out: &mut dyn Write) -> io::Result<()> {
    certificate.classes.iter().try_for_each(|class| write_nodes("class", class, out))?;
    certificate.cuts.iter().try_for_each(|cut| write_nodes("cut", cut, out))?;
    write_claims(&certificate.claims, out)?;
    let witness = &certificate.witness;
    writeln!(out, "witness {} {}", witness.link, witness.optu)?;
    write_traffic(&witness.demands, Some(&witness.flow), out)?;
    if certificate.by_ends {
        writeln!(out, "ends")?;
    }
    certificate.automorphisms.iter().try_for_each(|found| found.write(out))?;
    certificate.covers.iter().try_for_each(|cover| write_cover(cover, out))?;
    match &certificate.optimality {
        None => Ok(()),
        Some(Optimality::OverPaths(least)) => write_least(least, out),
        Some(Optimality::SinglePath(single_path)) => single_path.write(out),
        Some(Optimality::FewPaths(bound)) => bound.write(out),
        Some(Optimality::AdaptiveRates(bound)) => write_adaptive_rates(bound, out),
        Some(Optimality::ByDestination(bound)) => bound.write(out),
    }
}

fn write_claims(claims: &[Claim], out: &mut dyn Write) -> io::Result<()> {
    for claim in claims {
        writeln!(out, "claim {} {} {}", claim.quantity.name(), claim.lower, claim.upper)?;
    }
    Ok(())
}

fn write_least(least: &Least, out: &mut dyn Write) -> io::Result<()> {
    write!(out, "least {} {} ", least.quantity.name(), least.lower)?;
    write_among(&least.among, out)?;
    for (weight, DualDemand { link, demands, flow }) in &least.dual_demands {
        writeln!(out, "against {link} {weight}")?;
        write_traffic(demands, flow.as_ref(), out)?;
    }
    Ok(())
}

fn write_adaptive_rates(bound: &AdaptiveRates, out: &mut dyn Write) -> io::Result<()> {
    write!(out, "adaptive-rates {} {} ", bound.quantity.name(), bound.lower)?;
    write_among(&bound.among, out)?;
    write_traffic(&bound.demands, bound.flow.as_ref(), out)?;
    write_lengths(&bound.lengths, out)
}

/// The last word of a record about paths, and those that are listed.
fn write_among(among: &Among, out: &mut dyn Write) -> io::Result<()> {
    let paths = match among {
        Among::All => return writeln!(out, "all"),
        Among::Shortest => return writeln!(out, "shortest"),
        Among::Own => return writeln!(out, "own"),
        Among::Listed(paths) => paths,
    };
    writeln!(out, "listed")?;
    for AllowedPath { s, d, links } in paths {
        write!(out, "allowed {s} {d}")?;
        links.iter().try_for_each(|link| write!(out, " {link}"))?;
        writeln!(out)?;
    }
    Ok(())
}

fn write_lengths(lengths: &[(LinkId, u64)], out: &mut dyn Write) -> io::Result<()> {
    lengths.iter().try_for_each(|(link, length)| writeln!(out, "length {link} {length}"))
}

fn write_optimum(certificate: &OptimumCertificate, out: &mut dyn Write) -> io::Result<()> {
    writeln!(out, "claim {OPTU} {} {}", certificate.lower, certificate.upper)?;
    write_traffic(&certificate.demands, Some(&certificate.flow), out)?;
    write_lengths(&certificate.lengths, out)
}

fn write_traffic(
    demands: &[Demand],
    flow: Option<&RoutedTraffic>,
    out: &mut dyn Write,
) -> io::Result<()> {
    for demand in demands {
        writeln!(out, "demand {} {} {}", demand.s, demand.d, demand.amount)?;
    }
    match flow {
        None => Ok(()),
        Some(RoutedTraffic::Even) => writeln!(out, "route even"),
        Some(RoutedTraffic::Paths(paths)) => {
            writeln!(out, "route paths")?;
            write_paths(paths, out)
        }
    }
}

fn write_paths(paths: &[PathRecord], out: &mut dyn Write) -> io::Result<()> {
    for path in paths {
        write!(out, "path {} {} {}", path.s, path.d, path.share)?;
        for link in &path.links {
            write!(out, " {link}")?;
        }
        writeln!(out)?;
    }
    Ok(())
}

fn write_network(network: &NetworkForm, out: &mut dyn Write) -> io::Result<()> {
    match network {
        NetworkForm::Named(spec) => writeln!(out, "topology {spec}"),
        NetworkForm::Embedded(network) => {
            writeln!(out, "hosts {}\nnodes {}", network.hosts, network.nodes)?;
            let mut links = network.links.iter();
            links.try_for_each(|LinkRecord { from, to, capacity }| {
                writeln!(out, "link {from} {to} {capacity}")
            })
        }
    }
}

fn write_routing(routing: &RoutingForm, out: &mut dyn Write) -> io::Result<()> {
    match routing {
        RoutingForm::Named(spec) => writeln!(out, "routing {spec}")?,
        RoutingForm::Next(rows) => write_rows(rows, out)?,
        RoutingForm::Paths(paths) => write_paths(paths, out)?,
        RoutingForm::Split(split) => writeln!(out, "split {}", split.name())?,
    }
    Ok(())
}

/// Runs of consecutive nodes are written as ranges.
fn write_nodes(record: &str, nodes: &[NodeId], out: &mut dyn Write) -> io::Result<()> {
    write!(out, "{record}")?;
    for run in nodes.chunk_by(|a, b| a + 1 == *b) {
        match run {
            [first, .., last] => write!(out, " {first}-{last}")?,
            single => single.iter().try_for_each(|node| write!(out, " {node}"))?,
        }
    }
    writeln!(out)
}

fn write_cover(cover: &Cover, out: &mut dyn Write) -> io::Result<()> {
    write!(out, "cover {}", cover.link)?;
    let mut side = |name: &str, weighted: &[(u32, Rational)]| -> io::Result<()> {
        if !weighted.is_empty() {
            write!(out, " {name}")?;
        }
        for (id, weight) in weighted {
            if *weight == Rational::ONE {
                write!(out, " {id}")?;
            } else {
                write!(out, " {id}:{weight}")?;
            }
        }
        Ok(())
    };
    side("s", &cover.sources)?;
    side("d", &cover.destinations)?;
    side("o", &cover.out_cuts)?;
    side("i", &cover.in_cuts)?;
    side("l", &cover.lengths)?;
    writeln!(out)
}
