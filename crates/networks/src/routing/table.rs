//! Explicit paths: `table:FILE`, and writing any routing as such a file.
//!
//! A CSV file with the header `source,destination,share,links`: one row per path, with hosts as
//! numbers `0..N` or by their names in the network, the share as `1` or `1/2`, and the ids of the
//! links from source to destination separated by spaces. Every SD pair has rows, in any order; its
//! shares sum to 1.
//!
//! In place of the links, or after them, a column `nodes` has the nodes of the path, by name or number, separated by
//! ` > `: `host-0 > sw-1-0 > host-1`. Without links no two cables may be parallel where a path passes; with them both
//! must agree, so that a file for another network is noticed. In a row one of the two may be empty.
//!
//! Link ids are those of the topology that the file was written for, so a file belongs to one
//! topology. The comment `# hosts 8 links 32` states its size: with it, a file for another
//! topology is refused as such rather than at the first path that goes wrong. Other lines that
//! begin with `#` are skipped.

mod nodes;
mod problem;
mod read;

use std::io::{self, Write};

pub(crate) use self::nodes::{NodeNames, join_nodes, written_names};
pub use self::problem::TableProblem;

use super::{Routing, RoutingError};
use crate::limit::{TooLarge, within};
use crate::rational::Rational;
use crate::registry::Kind;
use crate::spec::Spec;
use crate::topology::{Host, LinkId, Topology, host_number};

const HEADER: [&str; 4] = ["source", "destination", "share", "links"];
/// The column of the nodes of a path.
const NODES: &str = "nodes";
/// Maximum number of SD pairs in a table.
const MAX_PAIRS: u64 = 1 << 24;

pub(super) const KIND: Kind<super::Family> = Kind {
    name: "table",
    usage: "table:FILE",
    about: "explicit paths: CSV with the columns source,destination,share and links, nodes or both",
    reference: "this crate, routing::table",
    examples: &["table:instances/tables/ft-4-2-all-shortest-paths.csv"],
    build: super::Family {
        build,
        digits: super::Digits::None("its paths come from a file"),
        defined: false,
    },
};

fn build(spec: &Spec, topology: &Topology) -> Result<Box<dyn Routing>, RoutingError> {
    check_size(topology)?;
    let paths = read::paths(spec, spec.file()?, topology)?;
    Ok(Box::new(Table { spec: spec.to_string(), hosts: topology.hosts(), paths }))
}

fn check_size(topology: &Topology) -> Result<(), TooLarge> {
    let hosts = topology.hosts() as u128;
    let remedy = "use a routing that computes its paths";
    within("number of SD pairs of a path table", Some(hosts * (hosts - 1)), MAX_PAIRS, remedy)?;
    Ok(())
}

/// A path: `links[start..start + length]` of [`Paths`].
struct Path {
    start: u32,
    length: u32,
    /// Index into `shares`.
    share: u32,
}

/// The paths of all pairs.
struct Paths {
    /// Index of the first path of pair s·N + d; after the last pair, the number of paths.
    pair_start: Vec<u32>,
    /// Paths, pair by pair.
    all: Vec<Path>,
    links: Vec<LinkId>,
    shares: Vec<Rational>,
}

/// The routing given by a file.
struct Table {
    spec: String,
    hosts: usize,
    paths: Paths,
}

impl Routing for Table {
    fn spec(&self) -> &str {
        &self.spec
    }

    fn is_single_path(&self) -> bool {
        self.paths.all.len() == self.hosts * (self.hosts - 1)
    }

    fn for_each_path(
        &self,
        s: Host,
        d: Host,
        _links: &mut Vec<LinkId>,
        visit: &mut dyn FnMut(&Rational, &[LinkId]),
    ) {
        let Paths { pair_start, all, links, shares } = &self.paths;
        let pair = s as usize * self.hosts + d as usize;
        for path in &all[pair_start[pair] as usize..pair_start[pair + 1] as usize] {
            let end = (path.start + path.length) as usize;
            visit(&shares[path.share as usize], &links[path.start as usize..end]);
        }
    }
}

/// Why a table could not be written.
#[derive(Debug, thiserror::Error)]
#[non_exhaustive]
#[expect(missing_docs, reason = "the message is the documentation")]
pub enum WriteTableError {
    #[error("{0}")]
    TooLarge(#[from] TooLarge),
    #[error("{0}")]
    Output(#[from] io::Error),
}

/// Writes every path of a routing as a file that `table:FILE` reads. O(length of the paths).
///
/// # Errors
/// [`WriteTableError`] above 2^24 SD pairs, or when writing fails.
///
/// ```
/// # use routebound_networks as routebound;
/// let tree = routebound::topology::generate("kary(2,1)")?;
/// let routing = routebound::routing::build("dmodk", &tree)?;
/// let mut file = Vec::new();
/// routebound::routing::table::write_table(&tree, routing.as_ref(), &mut file)?;
/// let head = "# hosts 2 links 4\nsource,destination,share,links,nodes";
/// let rows = "0,1,1,0 3,host-0 > sw-1-0 > host-1\n1,0,1,1 2,host-1 > sw-1-0 > host-0\n";
/// assert_eq!(String::from_utf8(file)?, format!("{head}\n{rows}"));
/// # Ok::<(), Box<dyn std::error::Error>>(())
/// ```
pub fn write_table(
    topology: &Topology,
    routing: &dyn Routing,
    out: &mut dyn Write,
) -> Result<(), WriteTableError> {
    check_size(topology)?;
    writeln!(out, "# hosts {} links {}", topology.hosts(), topology.links())?;
    let mut csv = csv::Writer::from_writer(out);
    csv.write_record(HEADER.iter().chain([&NODES])).map_err(io::Error::from)?;
    let hosts = host_number(topology.hosts());
    let names = written_names(topology);
    let (mut scratch, mut nodes) = (Vec::new(), String::new());
    for s in 0..hosts {
        for d in (0..hosts).filter(|d| *d != s) {
            let mut written = Ok(());
            routing.for_each_path(s, d, &mut scratch, &mut |share, links| {
                join_nodes(topology, &names, (s, links), &mut nodes);
                let links: Vec<String> = links.iter().map(LinkId::to_string).collect();
                let ends = [s.to_string(), d.to_string(), share.to_string(), links.join(" ")];
                if written.is_ok() {
                    written = csv.write_record(ends.iter().chain([&nodes]));
                }
            });
            written.map_err(io::Error::from)?;
        }
    }
    Ok(csv.flush()?)
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::{routing, topology};

    fn file(content: &[u8]) -> (tempfile::NamedTempFile, String) {
        let mut file = tempfile::NamedTempFile::new().unwrap();
        file.write_all(content).unwrap();
        let spec = format!("table:{}", file.path().display());
        (file, spec)
    }

    fn error(content: &str) -> String {
        // One switch, two hosts: links 0 and 1 lead up from hosts 0 and 1, 2 and 3 down.
        let tree = topology::generate("kary(2,1)").unwrap();
        let (_file, spec) = file(content.as_bytes());
        routing::build(&spec, &tree).err().unwrap().to_string()
    }

    #[test]
    fn control_characters_of_a_header_are_escaped() {
        let error = error("# hosts \u{1b}[2J links 4\n");
        assert!(error.contains("a topology of \\u{1b}[2J hosts and 4 links"), "{error}");
    }

    #[test]
    fn round_trip() {
        let tree = topology::generate("ft(4,2)").unwrap();
        let original = routing::build("dmodk", &tree).unwrap();
        let mut content = Vec::new();
        write_table(&tree, original.as_ref(), &mut content).unwrap();
        let (_file, spec) = file(&content);
        let table = routing::build(&spec, &tree).unwrap();
        assert!(table.is_single_path());
        let mut again = Vec::new();
        write_table(&tree, table.as_ref(), &mut again).unwrap();
        assert_eq!(content, again);
        let mut pairs = 0;
        for (s, d) in (0..8).flat_map(|s| (0..8).map(move |d| (s, d))).filter(|(s, d)| s != d) {
            let mut expected = Vec::new();
            original.for_each_path(s, d, &mut Vec::new(), &mut |_, links| expected.extend(links));
            table.for_each_path(s, d, &mut Vec::new(), &mut |share, links| {
                assert_eq!((share, links), (&Rational::ONE, expected.as_slice()));
                pairs += 1;
            });
        }
        assert_eq!(pairs, 56);
    }

    #[test]
    fn several_paths_in_any_order() {
        // xgft(1;2;2): two hosts under two switches. Up links 0 and 1 of host 0, 2 and 3 of
        // host 1; the down link of up link l is l + 4.
        let tree = topology::generate("xgft(1;2;2)").unwrap();
        let rows = "1,0,1/3,2 4\n0,1,1,0 6\n1,0,2/3,3 5\n";
        let (_file, spec) = file(format!("source,destination,share,links\n{rows}").as_bytes());
        let table = routing::build(&spec, &tree).unwrap();
        assert!(!table.is_single_path());
        let mut paths = Vec::new();
        table.for_each_path(1, 0, &mut Vec::new(), &mut |share, links| {
            paths.push((share.to_string(), links.to_vec()));
        });
        assert_eq!(paths, [("1/3".into(), vec![2, 4]), ("2/3".into(), vec![3, 5])]);
    }

    #[test]
    fn nodes_in_place_of_links_or_beside_them() {
        let tree = topology::generate("kary(2,1)").unwrap();
        let paths = |content: &str| {
            let (_file, spec) = file(content.as_bytes());
            let table = routing::build(&spec, &tree).unwrap();
            let mut content = Vec::new();
            write_table(&tree, table.as_ref(), &mut content).unwrap();
            String::from_utf8(content).unwrap()
        };
        let head = "source,destination,share";
        let written = paths(&format!("{head},links\n0,1,1,0 3\n1,0,1,1 2\n"));
        for same in [
            format!("{head},nodes\n0,1,1,host-0 > sw-1-0 > host-1\n1,0,1,1>2>0\n"),
            format!(
                "{head},links,nodes\n0,1,1,0 3,host-0 > 2 > host-1\n1,0,1,1 2,1 > sw-1-0 > 0\n"
            ),
            format!("{head},links,nodes\n0,1,1,0 3,\n1,0,1,,1 > sw-1-0 > 0\n"),
        ] {
            assert_eq!(paths(&same), written);
        }
        for (rows, expected) in [
            ("nodes\n0,1,1,host-0 > host-1\n", "no link leads from `host-0` to `host-1`"),
            (
                "nodes\n0,1,1,host-0 > root\n",
                "nodes is `root`, expected nodes 0..=2 or their names",
            ),
            (
                "links,nodes\n0,1,1,0 3,0 > 2 > 0\n",
                "the links lead through host-0 > sw-1-0 > host-1, which is not what the column",
            ),
            ("links,nodes\n0,1,1,,\n", "line 2: "),
            (
                "links,nodes\n0,1,1,0 3\n",
                "4 columns, expected 5: source,destination,share,links,nodes",
            ),
        ] {
            let error = error(&format!("{head},{rows}"));
            assert!(error.contains(expected), "{error}");
        }
    }

    /// Thirty shares 1/(10^199 + k): their common denominator has thousands of digits.
    fn long_shares() -> String {
        let row = |k: u32| format!("0,1,1/1{}{k:02},0 3\n", "0".repeat(197));
        let rows: String = (1..=30).map(row).collect();
        error(&format!("source,destination,share,links\n{rows}"))
    }

    #[test]
    fn refusals() {
        let rows = |rows: &str| error(&format!("source,destination,share,links\n{rows}"));
        for (message, expected) in [
            (error(""), "the header is ``"),
            (error("a,b\n"), "line 1: the header is `a,b`"),
            (rows("0,1,1\n"), "line 2: 3 columns"),
            (rows("0,1,1,0 3\n0,9,1,0 3\n"), "line 3: destination is `9`"),
            (rows("x,1,1,0 3\n"), "source is `x`, expected a host 0..=1"),
            (rows("1,1,1,0 3\n"), "destination is `1`, expected a host other than the source"),
            (rows("0,1,0,0 3\n"), "share is `0`, expected a positive ratio"),
            (rows("0,1,0.5,0 3\n"), "share is `0.5`"),
            (rows("0,1,1,0 9\n"), "links is `9`, expected link ids 0..=3"),
            (rows("0,1,1,\n"), "host 0 to host 1: it has no link"),
            (rows("0,1,1,1 3\n"), "link 1 starts at `host-1`, not at `host-0`"),
            (rows("0,1,1,0 2\n"), "it ends at `host-0`"),
            (rows("0,1,1,0\n"), "it ends at `sw-1-0`"),
            (rows("0,1,1,0 2 0 3\n"), "it passes `host-0`"),
            (rows("0,1,1,0 3\n"), "from host 1 to host 0 sum to 0, not to 1: the pair has no row"),
            (rows("0,1,1,0 3\n0,1,1,0 3\n1,0,1,1 2\n"), "from host 0 to host 1 sum to 2"),
            (rows("0,1,1/2,0 3\n1,0,1,1 2\n"), "from host 0 to host 1 sum to 1/2, not to 1"),
            (long_shares(), "denominator of more than 4096 bits"),
            (rows("0,1,1,\0\n"), "line 2: binary data"),
        ] {
            assert!(message.contains(expected), "{message}\n{expected}");
        }
        let tree = topology::generate("ft(4,2)").unwrap();
        let (_file, spec) = file(b"# hosts 2 links 4\n# more\nsource,destination,share,links\n");
        let refused = routing::build(&spec, &tree).err().unwrap();
        assert!(matches!(refused, RoutingError::DoesNotFit { .. }), "{refused}");
        assert!(refused.to_string().contains("2 hosts and 4 links, but this one has 8 and 32"));
        assert!(routing::build("table:/no/such/file", &tree).is_err());
        assert!(routing::build("table", &tree).is_err());
    }

    #[test]
    fn limits() {
        let tree = topology::generate("ftree(4097,1,1)").unwrap();
        let refused = routing::build("table:/no/such/file", &tree);
        assert!(matches!(refused, Err(RoutingError::TooLarge(_))));
        let tree = topology::generate("kary(2,1)").unwrap();
        let line = "source,destination,share,links\n0,1,1,".to_string() + &" 0".repeat(1 << 16);
        let (_file, spec) = file(line.as_bytes());
        assert!(matches!(routing::build(&spec, &tree), Err(RoutingError::TooLarge(_))));
    }
}
