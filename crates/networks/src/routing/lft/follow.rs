//! Following tables from every source to every destination, before they are used.
//!
//! For one destination LID the tables give every switch one next link, so the switches form a
//! graph of out-degree one: walks from each source's switch that stop where an earlier walk has
//! been decide all of them in O(switches).

use std::collections::BTreeMap;

use crate::import::{ForwardingTables, SwitchTable};
use crate::integer::index32;
use crate::routing::RoutingError;
use crate::spec::Spec;
use crate::topology::{Address, Host, LinkId, NodeId, Topology, host_number};

use super::choice::LidChoice;
use super::ports::Ports;
use super::report::{Failure, LISTED, Reason, Report};
use super::same_fabric;

/// The next node of a switch, or why there is none.
enum Step {
    To(NodeId),
    Fails(Option<u8>, Reason),
}

/// The state of a switch while a LID is followed.
#[derive(Clone, Copy, PartialEq, Eq)]
enum State {
    New,
    OnWalk,
    Delivered,
    /// Index of the failure at which the walk ends.
    Lost(u32),
}

/// In the place of a port: no path passes the switch. Tables say so by having no entry.
pub(super) const UNUSED: u8 = u8::MAX;

/// The switches that walks towards one LID have met.
#[derive(Default)]
pub(super) struct Walked {
    /// By switch; all are new between LIDs.
    state: Vec<State>,
    /// Those of the last walk, in the order in which they were met.
    met: Vec<usize>,
}

impl Walked {
    /// Forgets the switches, and the ports of those that were not met.
    fn finish(&mut self, next: &mut [u8]) {
        for (state, port) in self.state.iter_mut().zip(next) {
            if std::mem::replace(state, State::New) == State::New {
                *port = UNUSED;
            }
        }
    }
}

/// The network as the tables see it.
pub(super) struct Follower<'a> {
    /// The only link out of every host.
    pub first: Vec<LinkId>,
    /// The node that this link leads to.
    pub entry: Vec<NodeId>,
    /// Ways behind the ports of every switch.
    pub ports: Ports,
    hosts: usize,
    tables: Vec<&'a SwitchTable>,
    /// Largest LID in any table.
    top_lid: u16,
    /// For every row of a destination: the nodes at which its sources enter, with their counts. Empty where the rows
    /// of a source differ from one destination to another.
    entries: Vec<Vec<(NodeId, u64)>>,
    choice: &'a LidChoice,
}

impl<'a> Follower<'a> {
    /// Matches the tables with the network.
    ///
    /// # Errors
    /// [`RoutingError::DoesNotFit`] when a switch has no table, or a table belongs to no switch
    /// or lists a LID that no port of the network has.
    pub fn new(
        spec: &Spec,
        topology: &Topology,
        addresses: &[Address],
        tables: &'a ForwardingTables,
        choice: &'a LidChoice,
    ) -> Result<Self, RoutingError> {
        same_fabric::check(topology, addresses, tables)
            .map_err(|reason| RoutingError::does_not_fit(spec, topology, reason))?;
        let hosts = topology.hosts();
        // Every host has one: addresses are refused otherwise.
        let first = (0..host_number(hosts)).filter_map(|host| topology.links_from(host).next());
        let first: Vec<LinkId> = first.collect();
        let entry = first.iter().filter_map(|link| Some(topology.ends(*link)?.1)).collect();
        let mut follower = Self {
            first,
            entry,
            ports: Ports::of(topology),
            hosts,
            tables: addresses[hosts..]
                .iter()
                .filter_map(|address| tables.switches.get(&address.guid))
                .collect(),
            top_lid: top_lids(tables).max().unwrap_or(0),
            entries: Vec::new(),
            choice,
        };
        follower.count_entries();
        Ok(follower)
    }

    fn count_entries(&mut self) {
        if matches!(self.choice, LidChoice::PerPair { .. }) {
            return;
        }
        let mut entries: Vec<BTreeMap<NodeId, u64>> = Vec::new();
        for s in 0..host_number(self.hosts) {
            // The same for all destinations.
            let row = self.choice.offset(s, s).unwrap_or(0);
            if entries.len() <= row {
                entries.resize(row + 1, BTreeMap::new());
            }
            let node = self.entry[s as usize];
            *entries[row].entry(node).or_default() += 1;
        }
        self.entries = entries.into_iter().map(|entries| entries.into_iter().collect()).collect();
    }

    /// The nodes at which traffic to the `row`-th LID of `d` enters, with their numbers of sources.
    fn entries(&self, d: Host, row: usize) -> Vec<(NodeId, u64)> {
        if matches!(self.choice, LidChoice::PerPair { .. }) {
            return self.entries_of_pairs(d, row);
        }
        let (own, common) = (self.choice.offset(d, d), matches!(self.choice, LidChoice::All));
        let entries = self.entries.get(if common { 0 } else { row });
        let own = own.is_none_or(|own| own == row).then(|| self.entry[d as usize]);
        let entries = entries.into_iter().flatten();
        let others =
            entries.map(move |(node, count)| (*node, count - u64::from(own == Some(*node))));
        others.filter(|(_, count)| *count > 0).collect()
    }

    /// Like [`Self::entries`] where every pair has its row.
    fn entries_of_pairs(&self, d: Host, row: usize) -> Vec<(NodeId, u64)> {
        let mut entries: BTreeMap<NodeId, u64> = BTreeMap::new();
        let sources = (0..host_number(self.hosts)).filter(|s| *s != d);
        for s in sources.filter(|s| self.choice.offset(*s, d) == Some(row)) {
            *entries.entry(self.entry[s as usize]).or_default() += 1;
        }
        entries.into_iter().collect()
    }

    /// Writes every switch's port towards some LIDs into `next`, LID by LID; 0 where there is none. Table by table, so
    /// that those of thousands of switches stay out of the caches.
    pub fn fill(&self, lids: &[u16], next: &mut [u8]) {
        next.fill(0);
        for (switch, table) in self.tables.iter().enumerate() {
            let place = |at: usize| at * self.tables.len() + switch;
            table.ports.each_of(lids, |at, port| next[place(at)] = port);
        }
    }

    /// Follows a LID, the `row`-th of `d`, from the switch of every source that uses it; `next` has its ports, and
    /// keeps those of switches that paths pass: the others are [`UNUSED`].
    pub fn resolve(
        &self,
        d: Host,
        row: usize,
        lid: u16,
        next: &mut [u8],
        walked: &mut Walked,
    ) -> Report {
        let report = self.followed(d, row, lid, next, walked);
        walked.finish(next);
        report
    }

    fn followed(&self, d: Host, row: usize, lid: u16, next: &[u8], walked: &mut Walked) -> Report {
        let mut report = Report::default();
        walked.state.resize(self.tables.len(), State::New);
        let has_none = |table: &&SwitchTable| table.ports.get(lid).is_none();
        if next.iter().all(|port| *port == 0) && self.tables.iter().all(has_none) {
            let dropped = lid.is_multiple_of(64) && lid > self.top_lid;
            report.lose_all(self.entries(d, row).into_iter(), Failure::unknown(d, lid, dropped));
            return report;
        }
        for (node, sources) in self.entries(d, row) {
            report.routes += sources;
            let end = self.walk(node, (d, lid, next), walked, &mut report.failures);
            if let State::Lost(place) = end {
                *report.lost.entry(report.failures[place as usize].reason).or_default() += sources;
            }
        }
        report.failures.truncate(LISTED);
        report
    }

    /// Follows the LID from a node to one whose outcome is known, and marks the nodes on the way.
    fn walk(
        &self,
        start: NodeId,
        to @ (d, lid, _): (Host, u16, &[u8]),
        walked: &mut Walked,
        failures: &mut Vec<Failure>,
    ) -> State {
        let Walked { state, met } = walked;
        let mut node = start;
        let mut fail = |failure| {
            failures.push(failure);
            State::Lost(index32(failures.len() - 1))
        };
        let end = loop {
            let step = match (node as usize).checked_sub(self.hosts) {
                None if node == d => break State::Delivered,
                None => Step::Fails(None, Reason::WrongHost),
                Some(switch) => match state[switch] {
                    State::New => {
                        state[switch] = State::OnWalk;
                        met.push(switch);
                        self.step(switch, to)
                    }
                    State::OnWalk => Step::Fails(None, Reason::Loop),
                    known => break known,
                },
            };
            match step {
                Step::To(there) => node = there,
                Step::Fails(port, reason) => break fail(Failure { node, lid, port, reason }),
            }
        };
        met.drain(..).for_each(|switch| state[switch] = end);
        end
    }

    fn step(&self, switch: usize, (d, lid, next): (Host, u16, &[u8])) -> Step {
        // Only 0 needs a look at whether it is an entry.
        let port = Some(next[switch]).filter(|port| *port > 0);
        let Some(port) = port.or_else(|| self.tables[switch].ports.get(lid)) else {
            return Step::Fails(None, Reason::NoEntry);
        };
        match self.ports.find(switch, port) {
            None if port == 0 => Step::Fails(Some(0), Reason::Itself),
            None => Step::Fails(Some(port), Reason::NoCable),
            Some((_, host)) if (host as usize) < self.hosts && host != d => {
                Step::Fails(Some(port), Reason::WrongHost)
            }
            Some((_, there)) => Step::To(there),
        }
    }
}

/// The largest LID of every table.
fn top_lids(tables: &ForwardingTables) -> impl Iterator<Item = u16> {
    tables.switches.values().filter_map(|table| table.ports.lids().last().copied())
}
