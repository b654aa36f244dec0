//! All paths as CSV, the format of `table:FILE`.
//!
//! Columns `source,destination,share,links,nodes`: hosts by number, or by name in a network that was
//! read ([`Topology::plain_host_names`]), the share as an exact ratio, the ids of the links from
//! source to destination separated by spaces, and the names of their nodes separated by ` > `
//! ([`Topology::plain_node_names`]), or their numbers where names do not serve. One line per path.

use std::fmt::Write as _;
use std::io::Write;

use super::{ExportError, io_error};
use crate::limit::within;
use crate::progress::Progress;
use crate::registry::Kind;
use crate::routing::Routing;
use crate::routing::table::{join_nodes, written_names};
use crate::topology::{LinkId, Topology, host_number};

/// Maximum number of SD pairs written: a file of about 10 GB.
pub const MAX_PAIRS: u64 = 1 << 28;

pub(super) const KIND: Kind<super::RoutedExport> = Kind {
    name: "paths",
    usage: "route TOPOLOGY ROUTING --paths",
    about: "every path with its share as CSV: source,destination,share,links,nodes",
    reference: "routing table:FILE",
    examples: &["dmodk", "smodk"],
    build: write,
};

/// Lines are written as paths are visited, so memory does not grow with their number.
fn write(
    topology: &Topology,
    routing: &dyn Routing,
    progress: &Progress,
    out: &mut dyn Write,
) -> Result<(), ExportError> {
    let hosts = topology.hosts() as u128;
    within("number of SD pairs", Some(hosts * (hosts - 1)), MAX_PAIRS, "write a smaller network")?;
    let mut csv = csv::Writer::from_writer(out);
    csv.write_record(["source", "destination", "share", "links", "nodes"]).map_err(io_error)?;
    let hosts = host_number(topology.hosts());
    let names: Vec<String> = match topology.plain_host_names() {
        Some(names) => names.into_iter().map(String::from).collect(),
        None => (0..hosts).map(|host| host.to_string()).collect(),
    };
    let nodes = written_names(topology);
    let (mut links, mut ids, mut through) = (Vec::new(), String::new(), String::new());
    for s in 0..hosts {
        for d in (0..hosts).filter(|d| *d != s) {
            progress.check()?;
            let ends = [&names[s as usize], &names[d as usize]];
            let mut written = Ok(());
            routing.for_each_path(s, d, &mut links, &mut |share, path| {
                if written.is_ok() {
                    join(path, &mut ids);
                    join_nodes(topology, &nodes, (s, path), &mut through);
                    let share = share.to_string();
                    written = csv.write_record([ends[0], ends[1], &share, &ids, &through]);
                }
            });
            written.map_err(io_error)?;
        }
        progress.inc(1);
    }
    csv.flush()?;
    Ok(())
}

/// Sets `ids` to the link ids, separated by spaces.
fn join(links: &[LinkId], ids: &mut String) {
    ids.clear();
    for link in links {
        let separator = if ids.is_empty() { "" } else { " " };
        // Writing to a String never fails.
        let _ = write!(ids, "{separator}{link}");
    }
}

#[cfg(test)]
mod tests {
    use super::super::tests::routed;
    use super::*;
    use crate::progress::Stop;
    use crate::routing::Instance;

    #[test]
    fn one_line_per_path() {
        // One switch: links 0..3 lead up from the hosts, 3..6 down to them.
        let text = routed("paths", &Instance::named("xgft(1;3;1)", "dmodk").unwrap()).unwrap();
        let expected =
            ["0,1,1,0 4", "0,2,1,0 5", "1,0,1,1 3", "1,2,1,1 5", "2,0,1,2 3", "2,1,1,2 4"];
        let line = |line: &str| {
            let (s, d) = (&line[..1], &line[2..3]);
            format!("{line},host-{s} > sw-1-0 > host-{d}\n")
        };
        let expected: String = expected.map(line).concat();
        assert_eq!(text, format!("source,destination,share,links,nodes\n{expected}"));
    }

    #[test]
    fn refuses_too_many_pairs_and_stops() {
        let large = Instance::named("kary(2,15)", "dmodk").unwrap();
        assert!(matches!(routed("paths", &large), Err(ExportError::TooLarge(_))));
        let Instance { topology, routing } = Instance::named("ft(4,2)", "dmodk").unwrap();
        let stop = Stop::default();
        stop.request();
        let progress = Progress::silent().stopped_by(stop);
        let error = write(&topology, &*routing, &progress, &mut Vec::new()).unwrap_err();
        assert!(matches!(error, ExportError::Stopped(_)));
    }
}
