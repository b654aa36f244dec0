//! Forwarding tables for routings that are not destination-based: several LIDs per host.
//!
//! A switch forwards by the LID of the destination alone. With LMC m every host has 2^m LIDs, and a source that picks
//! one of them picks the tables that its traffic follows. So a routing with one path per pair can be loaded into a
//! subnet manager if the sources of every destination fall into at most 2^m classes such that, within a class, paths
//! that meet at a switch leave it by the same link. That is a colouring of the paths to each destination, of which
//! those *conflict* that leave some switch by different links.
//!
//! [`LidTables::of`] finds the least m. Paths that leave a switch by w different links conflict with each other, so
//! w classes are needed; first fit, in the order of the sources, often needs no more. Where it does, a search
//! (DSATUR with backtracking, `search.rs`) decides whether fewer LIDs suffice. It is bounded, and where it gives up the
//! LMC found is not known to be the least ([`LidTables::is_least`]).
//!
//! Switches that no path of a class passes, and LIDs of switches, get entries along shortest paths. On trees these go
//! up, then down, like the paths themselves, except between switches of which neither is below the other's ancestors.

mod classes;
mod fill;
mod search;
mod tails;

use rayon::prelude::*;

use self::classes::{Classes, first_fit};
use self::fill::Trees;
use self::search::{Outcome, search};
use self::tails::Tails;
use super::Routing;
use crate::limit::{TooLarge, within};
use crate::progress::{Progress, Stopped};
use crate::topology::{Address, Host, LinkId, NodeId, Topology, host_number, node_number};

/// The first line of a list of [`LidTables::offset`], one pair per line, apart from remarks.
pub const OFFSETS_HEADER: &str = "source,destination,offset";
/// Maximum number of SD pairs, of which each takes a byte.
const MAX_PAIRS: u64 = 1 << 28;
/// Maximum number of table entries, of which each takes four bytes.
const MAX_ENTRIES: u64 = 1 << 28;
/// Maximum number of LIDs of a host.
const MAX_LIDS: usize = 1 << Address::MAX_LMC;
/// No link has this id: there are at most [`Topology::MAX_LINKS`].
const NONE: LinkId = LinkId::MAX;

/// Why a routing cannot be written as forwarding tables with several LIDs per host.
#[derive(Debug, Clone, PartialEq, Eq, thiserror::Error)]
#[non_exhaustive]
#[expect(missing_docs, reason = "the message is the documentation")]
pub enum LidTablesError {
    #[error(
        "routing `{routing}` has {paths} paths from host {source_host} to host {destination}, but a LID leads over \
         one: use a routing with one path per pair"
    )]
    NotOnePath { routing: String, source_host: String, destination: String, paths: usize },
    #[error("{host} has several ports and each port has its own LIDs: use one-port hosts (w1 = 1)")]
    SeveralPorts { host: String },
    #[error(
        "routing `{routing}` has paths through host {host}, but hosts of InfiniBand do not forward"
    )]
    HostForwards { routing: String, host: String },
    /// The paths to a host leave a switch by too many links.
    #[error(
        "routing `{routing}` needs {needed} LIDs for host {destination}, since paths to it leave {switch} by {needed} \
         links, but a port has at most {most}: use a routing such as dmodk, or a smaller network",
        most = MAX_LIDS
    )]
    TooManyLids { routing: String, destination: String, switch: String, needed: usize },
    /// More LIDs are needed, or were not found in bounded time.
    #[error(
        "no way was found to divide the paths of routing `{routing}` to host {destination} among the {most} LIDs of a \
         port: use a routing such as dmodk, or a smaller network",
        most = MAX_LIDS
    )]
    NotFound { routing: String, destination: String },
    #[error("{0}")]
    TooLarge(#[from] TooLarge),
    #[error("{0}")]
    Stopped(#[from] Stopped),
}

/// Forwarding tables by which every source reaches every destination over its path, if it uses the right one of the
/// destination's LIDs.
#[derive(Debug)]
pub struct LidTables {
    hosts: usize,
    switches: usize,
    lmc: u8,
    is_least: bool,
    /// The class of the pair (s,d) at d·hosts + s.
    class: Vec<u8>,
    /// The first row of every host, whose rows are its classes, and then of every switch, which has one; and the end.
    start: Vec<usize>,
    /// `next[row · switches + switch]`, [`NONE`] where the switch does not reach the row's node.
    next: Vec<LinkId>,
}

impl LidTables {
    /// Units of work, that [`Self::of`] counts on its progress: destinations, each twice.
    #[must_use]
    pub fn work(topology: &Topology) -> u64 {
        2 * topology.hosts() as u64
    }

    /// The tables of a routing of `topology` with the least LMC that was found. Follows every path twice; the same for
    /// any number of threads.
    ///
    /// # Errors
    /// [`LidTablesError`] where a pair has several paths, a host several ports, or a port too few LIDs.
    ///
    /// ```
    /// # use routebound_networks as routebound;
    /// use routebound::progress::Progress;
    /// use routebound::routing::{Instance, lid_tables::LidTables};
    /// // Hosts of a leaf of FT(8,2) send to 4 top switches by S-mod-k, so that each needs a LID of its own.
    /// for (routing, lmc) in [("dmodk", 0), ("osrm2", 1), ("smodk", 2)] {
    ///     let (topology, routing) = Instance::named("ft(8,2)", routing)?.into_parts();
    ///     let tables = LidTables::of(&topology, &*routing, &Progress::silent())?;
    ///     assert_eq!((tables.lmc(), tables.is_least()), (lmc, true));
    /// }
    /// # Ok::<(), Box<dyn std::error::Error>>(())
    /// ```
    pub fn of(
        topology: &Topology,
        routing: &dyn Routing,
        progress: &Progress,
    ) -> Result<Self, LidTablesError> {
        let (hosts, switches) = (topology.hosts(), topology.nodes() - topology.hosts());
        let remedy = "use a smaller network";
        within("number of SD pairs", Some((hosts * hosts) as u128), MAX_PAIRS, remedy)?;
        let builder = Builder::new(topology, routing, progress)?;
        let (lmc, is_least) = builder.least_lmc()?;
        let rows = (hosts << lmc) + switches;
        within("number of LIDs", Some(rows as u128), Address::MAX_LID.into(), remedy)?;
        let entries = (rows as u128).checked_mul(switches as u128);
        within("number of table entries", entries, MAX_ENTRIES, remedy)?;
        let trees = Trees::of(topology);
        let hosts_in_order: Vec<Host> = topology.host_numbers().collect();
        let each = first_error(&hosts_in_order, |d| builder.destination(d, 1 << lmc, &trees))?;
        let (mut class, mut next, mut start) = (Vec::new(), Vec::new(), vec![0]);
        for destination in each {
            class.extend(destination.class);
            start.push(start[start.len() - 1] + destination.rows);
            next.extend(destination.next);
        }
        let to_switches: Vec<Vec<LinkId>> = (hosts..topology.nodes())
            .into_par_iter()
            .map(|switch| trees.row(node_number(switch), &[]))
            .collect();
        next.extend(to_switches.into_iter().flatten());
        let rows = start[hosts];
        start.extend(rows + 1..=rows + switches);
        Ok(Self { hosts, switches, lmc, is_least, class, start, next })
    }

    /// The LMC: every host needs 2^LMC LIDs.
    #[must_use]
    pub fn lmc(&self) -> u8 {
        self.lmc
    }

    /// Whether it is known that no smaller LMC suffices.
    #[must_use]
    pub fn is_least(&self) -> bool {
        self.is_least
    }

    /// What the source `s` adds to the base LID of `d` to reach it over its path; 0 where s = d. Panics, as indexing
    /// does, when there is no such host.
    #[must_use]
    pub fn offset(&self, s: Host, d: Host) -> u8 {
        self.class[d as usize * self.hosts + s as usize]
    }

    /// The link by which a switch forwards base LID + `offset` of the node `to`, or `None` at the node itself and where
    /// no path leads there. LIDs beyond those in use follow the others in turn. Panics, as indexing does, when there is
    /// no such switch or node.
    #[must_use]
    pub fn next(&self, switch: NodeId, to: NodeId, offset: usize) -> Option<LinkId> {
        let rows = self.start[to as usize]..self.start[to as usize + 1];
        let row = rows.start + offset % rows.len();
        let link = self.next[row * self.switches + (switch as usize - self.hosts)];
        (link != NONE).then_some(link)
    }
}

/// The results of `work` on all destinations, or the error of the first of them, for any number of threads.
fn first_error<T: Send>(
    destinations: &[Host],
    work: impl Fn(Host) -> Result<T, LidTablesError> + Sync,
) -> Result<Vec<T>, LidTablesError> {
    let results: Vec<_> = destinations.par_iter().map(|d| work(*d)).collect();
    results.into_iter().collect()
}

/// What is known about one destination.
struct Destination {
    /// By source.
    class: Vec<u8>,
    rows: usize,
    next: Vec<LinkId>,
}

/// The number of classes of a destination.
#[derive(Clone, Copy)]
struct Need {
    /// At least this many.
    least: usize,
    /// First fit finds this many; `None` if it takes more than a port has LIDs.
    first_fit: Option<usize>,
}

struct Builder<'a> {
    topology: &'a Topology,
    routing: &'a dyn Routing,
    progress: &'a Progress,
    /// The node that each link leaves.
    from: Vec<NodeId>,
}

impl<'a> Builder<'a> {
    fn new(
        topology: &'a Topology,
        routing: &'a dyn Routing,
        progress: &'a Progress,
    ) -> Result<Self, LidTablesError> {
        let several = |host: &Host| {
            topology.links_to(*host).nth(1).or(topology.links_from(*host).nth(1)).is_some()
        };
        if let Some(host) = topology.host_numbers().find(several) {
            return Err(LidTablesError::SeveralPorts { host: topology.node(host).name.clone() });
        }
        let from = topology.link_numbers().filter_map(|link| Some(topology.ends(link)?.0));
        Ok(Self { topology, routing, progress, from: from.collect() })
    }

    fn tails(&self, d: Host) -> Result<Tails, LidTablesError> {
        self.progress.check()?;
        let tails = Tails::to(self.topology, self.routing, d)?;
        self.progress.inc(1);
        Ok(tails)
    }

    /// The least LMC that was found, and whether none smaller suffices.
    fn least_lmc(&self) -> Result<(u8, bool), LidTablesError> {
        let hosts: Vec<Host> = self.topology.host_numbers().collect();
        let needs = first_error(&hosts, |d| self.need(d))?;
        let least = needs.iter().map(|need| need.least).max().unwrap_or(1);
        let (mut lmc, mut is_least) = (least.next_power_of_two().ilog2(), true);
        loop {
            let open = hosts.iter().zip(&needs);
            let open = open.filter(|(_, need)| need.first_fit.is_none_or(|fits| fits > 1 << lmc));
            let open: Vec<Host> = open.map(|(d, _)| *d).collect();
            let found = first_error(&open, |d| self.searched(d, 1 << lmc))?;
            let failed = found.iter().position(|outcome| !matches!(outcome, Outcome::Found(_)));
            let Some(failed) = failed else { break };
            if lmc == u32::from(Address::MAX_LMC) {
                let destination = self.topology.host_label(open[failed]);
                return Err(LidTablesError::NotFound { routing: self.name(), destination });
            }
            is_least = found.iter().any(|outcome| matches!(outcome, Outcome::Impossible));
            lmc += 1;
        }
        // At most 7.
        Ok((u8::try_from(lmc).unwrap_or(Address::MAX_LMC), is_least))
    }

    fn need(&self, d: Host) -> Result<Need, LidTablesError> {
        let tails = self.tails(d)?;
        let hosts = host_number(self.topology.hosts());
        let through = tails.links.iter().flatten().map(|link| self.from[*link as usize]);
        if let Some(host) = through.into_iter().find(|node| *node < hosts) {
            let host = self.topology.host_label(host);
            return Err(LidTablesError::HostForwards { routing: self.name(), host });
        }
        let (least, node) = tails.widest(&self.from);
        if least > MAX_LIDS {
            return Err(LidTablesError::TooManyLids {
                routing: self.name(),
                destination: self.topology.host_label(d),
                switch: self.topology.node(node).name.clone(),
                needed: least,
            });
        }
        let fits = first_fit(&tails, &self.from, self.topology.nodes());
        Ok(Need { least, first_fit: fits.map(|classes| classes.count) })
    }

    fn searched(&self, d: Host, limit: usize) -> Result<Outcome, LidTablesError> {
        self.progress.check()?;
        let tails = Tails::to(self.topology, self.routing, d)?;
        Ok(search(&tails, &self.from, limit))
    }

    /// The rows of a destination with at most `limit` classes, of which there are enough.
    fn destination(
        &self,
        d: Host,
        limit: usize,
        trees: &Trees,
    ) -> Result<Destination, LidTablesError> {
        let tails = self.tails(d)?;
        let fits = first_fit(&tails, &self.from, self.topology.nodes());
        let fits = fits.filter(|classes| classes.count <= limit);
        let classes = fits.or_else(|| match search(&tails, &self.from, limit) {
            Outcome::Found(classes) => Some(classes),
            Outcome::Impossible | Outcome::Unknown => None,
        });
        let Some(Classes { of, count }) = classes else {
            let destination = self.topology.host_label(d);
            return Err(LidTablesError::NotFound { routing: self.name(), destination });
        };
        let mut next = Vec::new();
        for class in 0..count {
            let links = tails.links.iter().zip(&of).filter(|(_, own)| usize::from(**own) == class);
            let links: Vec<LinkId> = links.flat_map(|(links, _)| links.iter().copied()).collect();
            next.extend(trees.row(d, &links));
        }
        let class = tails.of_source.iter();
        let class = class.map(|tail| tail.map_or(0, |tail| of[tail as usize])).collect();
        Ok(Destination { class, rows: count, next })
    }

    fn name(&self) -> String {
        self.routing.spec().to_string()
    }
}

#[cfg(test)]
mod tests;
