//! Linear forwarding tables of an InfiniBand fabric, as dumped from its switches or its subnet
//! manager: `lft:FILE`, `lft:FOLDER`, `lft(lid=…):FILE`.
//!
//! A switch forwards by the destination's LID alone. With LMC > 0 a destination has 2^LMC
//! LIDs, and the source picks one; tables do not tell which. The option `lid` does:
//!
//! | `lid=` | the LID that a source uses |
//! |---|---|
//! | `base` | the base LID of the destination (the default) |
//! | `1` | base LID + 1, and so on; below 2^LMC of every destination |
//! | `all` | all 2^LMC of them, with equal shares; LIDs with the same path count as one path |
//! | `"FILE"` | base LID + k, with k per source from lines `host k` of a file, or per pair, as [`OpensmFiles`] |
//!
//! [`OpensmFiles`]: crate::export::opensm::OpensmFiles
//!
//! Tables are checked completely before they are used: traffic from the switch of every source to
//! every destination LID in use must arrive. Following them later needs no checks and terminates.

mod choice;
mod follow;
mod pairs;
pub(super) mod ports;
pub(super) mod report;
pub(super) mod same_fabric;

use std::collections::HashMap;

use rayon::prelude::*;

use self::choice::LidChoice;
use self::follow::{Follower, UNUSED, Walked};
use self::ports::{Ports, Way};
use self::report::Report;
use super::tails::TablesId;
use super::{ByDestination, Paths, Routing, RoutingError};
use crate::advice::Advice;
use crate::import::{self, ForwardingTables, ImportError};
use crate::limit::{TooLarge, within};
use crate::quote::quote;
use crate::rational::Rational;
use crate::registry::Kind;
use crate::spec::Spec;
use crate::topology::{Address, Host, LinkId, NodeId, Topology, host_number};

/// Number of LIDs whose entries are read from all tables at a time.
const AT_A_TIME: usize = 64;

/// Maximum number of entries of the resolved tables: switches times destination LIDs, one byte each.
const MAX_ENTRIES: u64 = 1 << 28;

pub(super) const KIND: Kind<super::Family> = Kind {
    name: "lft",
    usage: "lft:FILE, lft:FOLDER, lft(lid=base|K|all|\"FILE\"):FILE",
    about: "linear forwarding tables of a fabric: opensm-lfts.dump, dump_fts, ibroute, opensm.fdbs",
    reference: "InfiniBand Architecture Specification, volume 1, 18.2.4.3",
    examples: &[
        "lft:instances/fabrics/ft8x2/minhop_lmc2/opensm-lfts.dump.gz",
        "lft(lid=3):instances/fabrics/ft8x2/minhop_lmc2/opensm.fdbs.gz",
        "lft(lid=all):instances/fabrics/ft8x2/minhop_lmc2/dump_fts.out.gz",
    ],
    build: super::Family {
        build,
        digits: super::Digits::None("its paths come from a file"),
        defined: false,
    },
};

fn build(spec: &Spec, topology: &Topology) -> Result<Box<dyn Routing>, RoutingError> {
    let path = spec.file()?;
    let addresses = addresses(spec, topology)?;
    let choice = LidChoice::new(spec, topology, &addresses)?;
    let tables = match import::tables(path) {
        Ok(tables) => tables,
        Err(error) if error.is_partial() => {
            let rest = import::tables_as_far_as_they_go(path).map_err(refused)?;
            let found = Lft::new(spec, topology, &addresses, &rest, choice);
            return Err(partial(&error, found.err()));
        }
        Err(error) => return Err(refused(error)),
    };
    Ok(Box::new(Lft::new(spec, topology, &addresses, &tables, choice)?))
}

/// The error for damaged tables, which also says what those that can be read lack.
fn partial(error: &ImportError, lacking: Option<RoutingError>) -> RoutingError {
    let first = error.to_string();
    RoutingError::Tables(match lacking {
        Some(lacking) => format!("{first}; as far as they go, {lacking}"),
        None => first,
    })
}

/// The routing error for a file that cannot be read.
pub(super) fn refused(error: ImportError) -> RoutingError {
    match error {
        ImportError::TooLarge(error) => error.into(),
        other => RoutingError::Tables(other.to_string()),
    }
}

/// The addresses of all nodes; hosts need a LID and a single link.
pub(super) fn addresses(spec: &Spec, topology: &Topology) -> Result<Vec<Address>, RoutingError> {
    let unfit = |reason: String| RoutingError::does_not_fit(spec, topology, reason);
    if topology.has_merged_cables() {
        let advice = Advice::SEPARATE_CABLES;
        let reason = format!(
            "tables name single cables, but some of its links stand for several cables each: {advice}"
        );
        return Err(unfit(reason).advising(Some(advice)));
    }
    let address = |node: NodeId| {
        let Some(address) = topology.node(node).address else {
            return Err(unfit("it has no LIDs; give the output of ibnetdiscover".into()));
        };
        let host = (node as usize) < topology.hosts();
        let name = quote(&topology.node(node).name);
        if host && address.lid == 0 {
            return Err(unfit(format!("host `{name}` has no LID")));
        }
        match topology.links_from(node).count() {
            0 if host => Err(unfit(format!("host `{name}` has no link, so nothing leaves it"))),
            2.. if host => Err(unfit(format!(
                "host `{name}` has several links, and which one it uses is not known"
            ))),
            _ => Ok(address),
        }
    };
    topology.node_numbers().map(address).collect()
}

/// The routing given by resolved tables.
struct Lft {
    spec: String,
    notes: Vec<String>,
    choice: LidChoice,
    hosts: usize,
    /// The only link out of every host.
    first: Vec<LinkId>,
    /// The node that this link leads to.
    entry: Vec<NodeId>,
    /// By host, whether another one enters at the same node and uses the same LIDs.
    meets: Vec<bool>,
    id: TablesId,
    /// What lies behind the ports of every switch.
    ports: Ports,
    /// First row of every destination, which has one row for each of its LIDs in use.
    row_start: Vec<usize>,
    /// `next[row · switches + switch]`: the port by which the switch forwards the row's LID. Ports
    /// take less memory than links, so a table fits in a cache. [`UNUSED`] where no path passes.
    next: Vec<u8>,
    switches: usize,
    /// `shares[l][n]` = n / 2^l, the share of n of the 2^l LIDs of a destination.
    shares: Vec<Vec<Rational>>,
}

impl Lft {
    fn new(
        spec: &Spec,
        topology: &Topology,
        addresses: &[Address],
        tables: &ForwardingTables,
        choice: LidChoice,
    ) -> Result<Self, RoutingError> {
        let (hosts, switches) = (topology.hosts(), topology.nodes() - topology.hosts());
        let follower = Follower::new(spec, topology, addresses, tables, &choice)?;
        let (rows, row_start) = rows(&addresses[..hosts], switches, &choice)?;
        let mut next = vec![0; rows.len() * switches];
        let reports: Vec<Report> = next
            .par_chunks_mut(AT_A_TIME * switches.max(1))
            .zip(rows.par_chunks(AT_A_TIME))
            .map_init(Walked::default, |walked, (next, rows)| {
                let lids: Vec<u16> = rows.iter().map(|(_, _, lid)| *lid).collect();
                follower.fill(&lids, next);
                let rows = rows.iter().zip(next.chunks_mut(switches.max(1)));
                let found =
                    rows.map(|(&(d, row, lid), next)| follower.resolve(d, row, lid, next, walked));
                found.collect::<Vec<_>>()
            })
            .flatten_iter()
            .collect();
        Report::total(reports).into_result(topology, tables)?;
        let shares =
            (0..8).map(|lmc| (0..=1 << lmc).filter_map(move |n| Rational::new(n, 1 << lmc)));
        let shares = shares.map(Iterator::collect).collect();
        let notes = notes(tables, &choice, &addresses[..hosts]);
        let Follower { first, entry, ports, .. } = follower;
        let (spec, id, meets) = (spec.to_string(), TablesId::new(), meets(&entry, &choice));
        Ok(Self {
            spec,
            notes,
            choice,
            hosts,
            first,
            entry,
            meets,
            id,
            ports,
            row_start,
            next,
            switches,
            shares,
        })
    }
}

/// By host, whether another one enters at the same node and uses the same LIDs.
fn meets(entry: &[NodeId], choice: &LidChoice) -> Vec<bool> {
    let mut sources: HashMap<NodeId, usize> = HashMap::new();
    for node in entry {
        *sources.entry(*node).or_default() += 1;
    }
    let same_lids = matches!(choice, LidChoice::Offset(_));
    entry.iter().map(|node| same_lids && sources[node] > 1).collect()
}

/// A LID in use: its host, its index among that host's LIDs, and the LID itself.
type Row = (Host, usize, u16);

/// The LIDs in use of all hosts, and the index of every host's first.
fn rows(
    hosts: &[Address],
    switches: usize,
    choice: &LidChoice,
) -> Result<(Vec<Row>, Vec<usize>), TooLarge> {
    let (mut rows, mut row_start) = (Vec::new(), Vec::with_capacity(hosts.len()));
    for (host, address) in hosts.iter().enumerate() {
        row_start.push(rows.len());
        let lids = choice.lids(*address).enumerate();
        rows.extend(lids.map(|(row, lid)| (host_number(host), row, lid)));
    }
    within(
        "number of table entries (switches times destination LIDs)",
        (rows.len() as u128).checked_mul(switches as u128),
        MAX_ENTRIES,
        "use one LID per destination, or a part of the fabric",
    )?;
    Ok((rows, row_start))
}

/// Which tables and which LIDs were used.
fn notes(tables: &ForwardingTables, choice: &LidChoice, hosts: &[Address]) -> Vec<String> {
    let lmc = hosts.iter().map(|address| address.lmc).max().expect("a topology has hosts");
    let (count, formats) = (tables.switches.len(), tables.formats.join(" and "));
    let plural = if count == 1 { "" } else { "es" };
    let source = format!("tables of {count} switch{plural} from {} ({formats})", tables.source);
    let mut lids = format!("{} (LMC {lmc})", choice.describe());
    let mut notes = vec![source];
    if lmc > 0 && !matches!(choice, LidChoice::All) {
        let of = 1_u32 << lmc;
        lids = format!("{lids}, one of {of}: MPI libraries may spread over all, as `lid=all` does");
        // It changes the result more than anything else that is noted.
        notes.insert(0, lids);
    } else {
        notes.push(lids);
    }
    notes.extend(tables.notes.iter().map(ToString::to_string));
    notes
}

impl Routing for Lft {
    fn spec(&self) -> &str {
        &self.spec
    }

    fn is_single_path(&self) -> bool {
        !matches!(self.choice, LidChoice::All) || self.row_start.len() == self.rows()
    }

    fn for_each_path(
        &self,
        s: Host,
        d: Host,
        links: &mut Vec<LinkId>,
        visit: &mut dyn FnMut(&Rational, &[LinkId]),
    ) {
        let start = self.row_start[d as usize];
        let end = self.row_start.get(d as usize + 1).copied().unwrap_or(self.rows());
        let rows = match self.choice.offset(s, d) {
            Some(offset) => start + offset..start + offset + 1,
            None => start..end,
        };
        let shares = &self.shares[rows.len().ilog2() as usize];
        for row in rows.clone() {
            let same = |other: &usize| self.same_path(s, d, row, *other);
            if (rows.start..row).any(|other| same(&other)) {
                continue;
            }
            let lids = 1 + (row + 1..rows.end).filter(same).count();
            links.clear();
            links.push(self.first[s as usize]);
            let mut node = self.entry[s as usize];
            while node != d {
                let (link, head) = self.next(row, node);
                links.push(link);
                node = head;
            }
            visit(&shares[lids], links);
        }
    }

    fn enters_at(&self, s: Host) -> Option<NodeId> {
        self.meets[s as usize].then(|| self.entry[s as usize])
    }

    fn paths_from(&self, s: Host, destinations: &[Host], paths: &mut Paths) {
        let (first, entry) = (self.first[s as usize], self.entry[s as usize]);
        if !self.meets[s as usize] {
            return paths.write_each(s, destinations, |d, paths, scratch| {
                self.for_each_path(s, d, scratch, &mut |_, links| paths.extend(links));
            });
        }
        // From there every destination was reached: another source needs those that `s` does not.
        paths.write_behind((self.id, entry), s, first, destinations, |d, links| {
            let mut node = entry;
            while node != d {
                let (link, head) = self.next(self.row_start[d as usize], node);
                links.push(link);
                node = head;
            }
        });
    }

    fn next_links(&self) -> Option<&dyn ByDestination> {
        let is_one = matches!(self.choice, LidChoice::Offset(_));
        is_one.then_some(self as &dyn ByDestination)
    }

    fn notes(&self) -> Vec<String> {
        self.notes.clone()
    }
}

impl ByDestination for Lft {
    #[inline]
    fn next(&self, node: NodeId, d: Host) -> Option<Way> {
        let Some(switch) = (node as usize).checked_sub(self.hosts) else {
            let host = node as usize;
            return (node != d).then_some((self.first[host], self.entry[host]));
        };
        let port = self.next[self.row_start[d as usize] * self.switches + switch];
        (port != UNUSED).then(|| self.ports.way(switch, port))
    }
}

impl Lft {
    /// Number of rows: destination LIDs in use.
    fn rows(&self) -> usize {
        // A fabric without switches is refused, so there are columns.
        self.next.len() / self.switches.max(1)
    }

    /// The link on which a switch forwards a row's LID, and where it leads.
    #[inline]
    fn next(&self, row: usize, switch: NodeId) -> Way {
        let switch = switch as usize - self.hosts;
        self.ports.way(switch, self.next[row * self.switches + switch])
    }

    /// Whether two LIDs of `d` are reached by the same path from `s`; such paths are reported
    /// once, with the sum of their shares.
    fn same_path(&self, s: Host, d: Host, row: usize, other: usize) -> bool {
        let mut node = self.entry[s as usize];
        while node != d {
            let way = self.next(row, node);
            if way != self.next(other, node) {
                return false;
            }
            node = way.1;
        }
        true
    }
}
