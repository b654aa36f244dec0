//! Reading and checking a table of paths.

use std::collections::HashMap;

use csv::{Position, ReaderBuilder, StringRecord};
use dashu_int::ops::BitTest;

use super::nodes::{Columns, NodeNames};
use super::problem::{MAX_BITS, TableProblem};
use super::{Path, Paths};
use crate::import::ImportError;
use crate::import::text::TextFile;
use crate::integer::index32;
use crate::limit::within;
use crate::quote::quote;
use crate::rational::Rational;
use crate::routing::RoutingError;
use crate::routing::lft::refused;
use crate::spec::Spec;
use crate::topology::{Host, LinkId, NodeId, Topology, host_number};

/// Maximum number of paths in a table.
const MAX_PATHS: u64 = 1 << 25;
/// Maximum number of links in all paths together.
const MAX_PATH_LINKS: u64 = 1 << 28;
/// Reads the paths of a file.
pub(super) fn paths(spec: &Spec, path: &str, topology: &Topology) -> Result<Paths, RoutingError> {
    let text = TextFile::open(path).map_err(refused)?;
    // Without quoting a record is a line, so the limit on a line bounds memory too.
    let mut csv =
        ReaderBuilder::new().has_headers(false).flexible(true).quoting(false).from_reader(text);
    let (mut row, mut rows) = (StringRecord::new(), Rows::new(topology));
    let mut columns = None;
    while csv.read_record(&mut row).map_err(|error| csv_error(path, error))? {
        if row.get(0).is_some_and(|field| field.starts_with('#')) {
            check_size(spec, &row, topology)?;
            continue;
        }
        let taken = match columns {
            Some(columns) => rows.take(columns, &row),
            None => header(&row).map(|found| columns = Some(found)),
        };
        let line = row.position().map_or(0, Position::line);
        taken.map_err(|problem| error(&format!("{path}, line {line}"), problem))?;
    }
    if columns.is_none() {
        return Err(error(path, TableProblem::Header(String::new())));
    }
    rows.finish().map_err(|problem| error(path, problem))
}

/// Compares a comment of the form `# hosts N links M` with the topology; ignores any other.
fn check_size(
    spec: &Spec,
    comment: &StringRecord,
    topology: &Topology,
) -> Result<(), RoutingError> {
    let words: Vec<&str> = comment.iter().flat_map(str::split_whitespace).collect();
    let ["#", "hosts", hosts, "links", links] = words[..] else { return Ok(()) };
    let here = (topology.hosts(), topology.links());
    if (hosts, links) == (here.0.to_string().as_str(), here.1.to_string().as_str()) {
        return Ok(());
    }
    let reason = format!(
        "the file is for a topology of {} hosts and {} links, but this one has {} and {}",
        quote(hosts),
        quote(links),
        here.0,
        here.1
    );
    Err(RoutingError::does_not_fit(spec, topology, reason))
}

fn error(place: &str, problem: TableProblem) -> RoutingError {
    match problem {
        TableProblem::TooLarge(error) => error.into(),
        other => RoutingError::Tables(format!("{place}: {other}")),
    }
}

/// Converts an error of the CSV reader; one of the file underneath keeps its type.
fn csv_error(path: &str, error: csv::Error) -> RoutingError {
    let text = error.to_string();
    match error.into_kind() {
        csv::ErrorKind::Io(error) => match error.downcast::<ImportError>() {
            Ok(error) => refused(error),
            Err(error) => RoutingError::Tables(format!("{path}: {error}")),
        },
        _ => RoutingError::Tables(format!("{path}: {text}")),
    }
}

fn header(row: &StringRecord) -> Result<Columns, TableProblem> {
    let found = Columns::of(row.iter().map(str::trim));
    found.ok_or_else(|| TableProblem::Header(quote(&row.iter().collect::<Vec<_>>().join(","))))
}

/// The rows of a file, in its order.
struct Rows<'t> {
    topology: &'t Topology,
    /// Pair number s·N + d, with the path.
    paths: Vec<(u32, Path)>,
    links: Vec<LinkId>,
    /// Hosts by name, where the names permit it.
    names: HashMap<&'t str, Host>,
    node_names: NodeNames<'t>,
    shares: Vec<Rational>,
    share_index: HashMap<Rational, u32>,
    /// Scratch space: the nodes of a path.
    nodes: Vec<NodeId>,
}

impl<'t> Rows<'t> {
    fn new(topology: &'t Topology) -> Self {
        Self {
            topology,
            paths: Vec::new(),
            links: Vec::new(),
            names: topology.plain_host_names().unwrap_or_default().into_iter().zip(0..).collect(),
            node_names: NodeNames::of(topology),
            shares: Vec::new(),
            share_index: HashMap::new(),
            nodes: Vec::new(),
        }
    }

    fn take(&mut self, columns: Columns, row: &StringRecord) -> Result<(), TableProblem> {
        let fields: Vec<&str> = row.iter().map(str::trim).collect();
        let expected = columns.names();
        let &[s, d, share, first, ..] = &fields[..] else {
            return Err(TableProblem::Columns { found: fields.len(), expected });
        };
        if fields.len() != expected.len() {
            return Err(TableProblem::Columns { found: fields.len(), expected });
        }
        let (source, destination) = (self.host("source", s)?, self.host("destination", d)?);
        if source == destination {
            return Err(field("destination", d, "a host other than the source".into()));
        }
        let share = self.share(share)?;
        let start = self.links.len();
        for link in first.split_ascii_whitespace().filter(|_| columns.links) {
            let known = link.parse().ok().filter(|id| (*id as usize) < self.topology.links());
            let expected = || format!("link ids 0..={}", self.topology.links() - 1);
            self.links.push(known.ok_or_else(|| field("links", link, expected()))?);
        }
        let are_given = |nodes: &&&str| columns.nodes && !(columns.links && nodes.is_empty());
        if let Some(nodes) = fields.last().filter(are_given) {
            let nodes = self.node_names.path(nodes)?;
            if self.links.len() > start {
                self.node_names.check(&self.links[start..], &nodes)?;
            } else {
                self.links.extend(self.node_names.links(&nodes)?);
            }
        }
        self.check_path(source, destination, start).map_err(|problem| TableProblem::Path {
            source_host: self.topology.host_label(source),
            destination: self.topology.host_label(destination),
            problem,
        })?;
        let pair = source * host_number(self.topology.hosts()) + destination;
        let length = index32(self.links.len() - start);
        self.paths.push((pair, Path { start: index32(start), length, share }));
        let remedy = "use a routing that computes its paths";
        within("number of paths", Some(self.paths.len() as u128), MAX_PATHS, remedy)?;
        within("links of all paths", Some(self.links.len() as u128), MAX_PATH_LINKS, remedy)?;
        Ok(())
    }

    fn host(&self, column: &'static str, text: &str) -> Result<Host, TableProblem> {
        let hosts = self.topology.hosts();
        let host = text.parse().ok().filter(|host: &Host| (*host as usize) < hosts);
        let host = host.or_else(|| self.names.get(text).copied());
        host.ok_or_else(|| field(column, text, format!("a host 0..={} or its name", hosts - 1)))
    }

    fn share(&mut self, text: &str) -> Result<u32, TableProblem> {
        let share = text.parse().ok().filter(|share: &Rational| !share.is_zero());
        let expected = "a positive ratio such as 1 or 1/2";
        let share = share.ok_or_else(|| field("share", text, expected.into()))?;
        let next = index32(self.shares.len());
        let index = *self.share_index.entry(share.clone()).or_insert(next);
        if index == next {
            self.shares.push(share);
        }
        Ok(index)
    }

    /// Checks that the links from `start` on lead from `s` to `d` and visit no node twice.
    /// Hosts of trees do not forward; in other networks they may be routers.
    fn check_path(&mut self, s: Host, d: Host, start: usize) -> Result<(), String> {
        let name = |node: NodeId| &self.topology.node(node).name;
        let mut node = s;
        self.nodes.clear();
        for link in &self.links[start..] {
            let (from, to) = self.topology.ends(*link).expect("only known links are kept");
            if from != node {
                return Err(format!(
                    "link {link} starts at `{}`, not at `{}`",
                    name(from),
                    name(node)
                ));
            }
            let forwards = self.topology.tree().is_none();
            if !forwards && !self.nodes.is_empty() && (node as usize) < self.topology.hosts() {
                return Err(format!("it passes `{}`, but hosts do not forward", name(node)));
            }
            node = to;
            self.nodes.push(node);
        }
        if self.nodes.is_empty() {
            return Err("it has no link".into());
        }
        if node != d {
            return Err(format!("it ends at `{}`", name(node)));
        }
        self.nodes.push(s);
        self.nodes.sort_unstable();
        match self.nodes.windows(2).find(|pair| pair[0] == pair[1]) {
            Some(pair) => Err(format!("it visits `{}` twice", name(pair[0]))),
            None => Ok(()),
        }
    }

    /// The paths pair by pair; every pair must be complete.
    fn finish(mut self) -> Result<Paths, TableProblem> {
        let hosts = host_number(self.topology.hosts());
        self.paths.sort_by_key(|(pair, _)| *pair);
        let mut pair_start = vec![0];
        let mut end = 0;
        for pair in 0..hosts * hosts {
            let rows = self.paths[end..].iter().take_while(|(other, _)| *other == pair);
            let (mut sum, mut count) = (Rational::ZERO, 0);
            let (s, d) = (pair / hosts, pair % hosts);
            let called = |host| self.topology.host_label(host);
            for (_, path) in rows {
                sum += &self.shares[path.share as usize];
                if sum.denominator().bit_len() > MAX_BITS {
                    let (source_host, destination) = (called(s), called(d));
                    return Err(TableProblem::Denominator { source_host, destination });
                }
                count += 1;
            }
            if s != d && sum != Rational::ONE {
                let (source_host, destination) = (called(s), called(d));
                return Err(TableProblem::Shares { source_host, destination, sum });
            }
            end += count;
            pair_start.push(index32(end));
        }
        let all = self.paths.into_iter().map(|(_, path)| path).collect();
        Ok(Paths { pair_start, all, links: self.links, shares: self.shares })
    }
}

fn field(column: &'static str, found: &str, expected: String) -> TableProblem {
    TableProblem::Field { column, found: quote(found), expected }
}
