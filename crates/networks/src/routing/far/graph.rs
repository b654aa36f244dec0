//! Where traffic to every destination may go, checked before it is used.
//!
//! For one destination the tables give every switch a set of links, so the switches that traffic
//! reaches form a graph, which must have no cycle and no other end than the destination. One search
//! from every source's switch decides that for all of them in O(links).

use std::collections::{BTreeMap, HashMap};

use rayon::prelude::*;

use crate::import::{AdaptiveTables, SwitchChoices};
use crate::limit::within;
use crate::routing::RoutingError;
use crate::routing::lft::ports::{Ports, Way};
use crate::routing::lft::report::{Failure, LISTED, Reason, Report};
use crate::topology::{Address, Host, LinkId, NodeId, Topology, host_number};

/// Maximum number of entries: switches times destinations, five bytes each.
const MAX_ENTRIES: u64 = 1 << 27;
/// Maximum number of paths of an SD pair.
const MAX_PATHS: u64 = 1 << 16;
/// Maximum number of links of a path behind the source's own.
const MAX_LENGTH: u8 = 254;
/// The code of the first group of a switch; lower codes are ports.
const GROUPS: u32 = 256;

/// The state of a node while traffic to a destination is followed.
#[derive(Clone, Copy)]
enum State {
    New,
    Open,
    /// Greatest number of links to the destination, and number of paths.
    Arrives(u8, u64),
    /// Index of a failure that some choice of ports leads to.
    Lost(usize),
}

/// The links by which traffic to every destination may continue.
pub(super) struct Graph {
    hosts: usize,
    switches: usize,
    /// The only link out of every host, and the node that it leads to.
    entries: Vec<(LinkId, NodeId)>,
    ports: Ports,
    /// What lies behind the groups of every switch; groups of no use are empty.
    groups: Vec<Vec<Vec<Way>>>,
    /// By destination and switch: a port, or a group from [`GROUPS`] on.
    next: Vec<u32>,
    /// By destination and switch: the largest number of links from there.
    distance: Vec<u8>,
    single: bool,
}

impl Graph {
    /// Matches the tables with the network.
    ///
    /// # Errors
    /// [`RoutingError::TooLarge`]; [`RoutingError::Tables`] where some choice of ports does not
    /// deliver, with counts and the first places.
    pub(super) fn new(
        topology: &Topology,
        addresses: &[Address],
        tables: &AdaptiveTables,
    ) -> Result<Self, RoutingError> {
        let hosts = topology.hosts();
        let switches = topology.nodes() - hosts;
        within(
            "number of table entries (switches times destinations)",
            (hosts as u128).checked_mul(switches as u128),
            MAX_ENTRIES,
            "use a part of the fabric",
        )?;
        let first = |host| {
            let link = topology.links_from(host).next()?;
            Some((link, topology.ends(link)?.1))
        };
        let entries: Vec<(LinkId, NodeId)> = topology.host_numbers().filter_map(first).collect();
        let mut graph = Self {
            hosts,
            switches,
            entries,
            ports: Ports::of(topology),
            groups: Vec::new(),
            next: vec![0; hosts * switches],
            distance: vec![0; hosts * switches],
            single: true,
        };
        graph.follow(topology, addresses, tables)?;
        Ok(graph)
    }

    fn follow(
        &mut self,
        topology: &Topology,
        addresses: &[Address],
        tables: &AdaptiveTables,
    ) -> Result<(), RoutingError> {
        let switches = self.switches.max(1);
        let (mut next, mut distance) =
            (std::mem::take(&mut self.next), std::mem::take(&mut self.distance));
        let guids: Vec<u64> = addresses[self.hosts..].iter().map(|address| address.guid).collect();
        let choices: Vec<_> = guids.iter().map(|guid| tables.choices.get(guid)).collect();
        self.groups = (0..self.switches)
            .map(|switch| {
                let groups = choices[switch].into_iter().flat_map(|own| own.groups.values());
                let found = |ports: &Vec<u8>| {
                    ports.iter().filter_map(|port| self.ports.find(switch, *port)).collect()
                };
                groups.map(found).collect()
            })
            .collect();
        let places = |own: &SwitchChoices| own.groups.keys().copied().zip(0..).collect();
        let places: Vec<HashMap<u16, u32>> =
            choices.iter().map(|own| own.map(places).unwrap_or_default()).collect();
        let (this, sources) = (&*self, &self.sources());
        let rows = next.par_chunks_mut(switches).zip(distance.par_chunks_mut(switches)).enumerate();
        let results: Vec<(Report, (u8, u64))> = rows
            .map_init(Vec::new, |state, (d, (next, distance))| {
                let lid = addresses[d].lid;
                let (graph, d) = (this, host_number(d));
                let (guids, places) = (&guids, &places);
                let search = Search { graph, d, lid, guids, places, sources, tables };
                search.run(next, distance, state)
            })
            .collect();
        (self.next, self.distance) = (next, distance);
        let most = |of: fn(&(u8, u64)) -> u64| {
            results.iter().map(|(_, found)| of(found)).max().unwrap_or(0)
        };
        let (length, paths) = (most(|found| found.0.into()), most(|found| found.1));
        self.single = paths <= 1;
        let reports = results.into_iter().map(|(report, _)| report).collect();
        Report::total(reports).into_result(topology, &tables.tables)?;
        let remedy = "use tables that allow less";
        within("number of paths of an SD pair", Some(paths.into()), MAX_PATHS, remedy)?;
        let what = "number of links of a path behind the first";
        within(what, Some(length.into()), MAX_LENGTH.into(), remedy)?;
        Ok(())
    }

    pub(super) fn is_single_path(&self) -> bool {
        self.single
    }

    /// The only link out of a host, and the node that it leads to.
    pub(super) fn entry(&self, s: Host) -> (LinkId, NodeId) {
        self.entries[s as usize]
    }

    /// The links by which a switch may send traffic to `d`.
    pub(super) fn ways(&self, node: NodeId, d: Host) -> &[Way] {
        let switch = node as usize - self.hosts;
        self.behind(switch, self.next[d as usize * self.switches + switch])
    }

    /// What lies behind a code of a switch.
    fn behind(&self, switch: usize, code: u32) -> &[Way] {
        match (code.checked_sub(GROUPS), u8::try_from(code)) {
            (Some(group), _) => &self.groups[switch][group as usize],
            (None, Ok(port)) => self.ports.only(switch, port),
            (None, Err(_)) => &[],
        }
    }

    /// The largest number of links from a node to `d`.
    pub(super) fn distance(&self, node: NodeId, d: Host) -> u8 {
        let switch = (node as usize).checked_sub(self.hosts);
        switch.map_or(0, |switch| self.distance[d as usize * self.switches + switch])
    }

    /// Appends the links from a node to `d`, the first of each set.
    pub(super) fn push_first(&self, mut node: NodeId, d: Host, links: &mut Vec<LinkId>) {
        while node != d {
            let Some((link, head)) = self.ways(node, d).first() else { return };
            links.push(*link);
            node = *head;
        }
    }

    /// The nodes at which sources enter, ascending, with the number of these.
    fn sources(&self) -> BTreeMap<NodeId, u64> {
        let mut sources = BTreeMap::new();
        for (_, node) in &self.entries {
            *sources.entry(*node).or_default() += 1;
        }
        sources
    }
}

/// Follows the traffic to one destination.
struct Search<'g> {
    graph: &'g Graph,
    d: Host,
    lid: u16,
    guids: &'g [u64],
    /// By switch, the place of every group among its groups.
    places: &'g [HashMap<u16, u32>],
    /// The nodes at which sources enter, with the number of these.
    sources: &'g BTreeMap<NodeId, u64>,
    tables: &'g AdaptiveTables,
}

impl Search<'_> {
    /// Writes codes and distances; returns what fails, and the largest length and number of paths.
    fn run(
        &self,
        next: &mut [u32],
        distance: &mut [u8],
        state: &mut Vec<State>,
    ) -> (Report, (u8, u64)) {
        let graph = self.graph;
        state.clear();
        state.resize(graph.hosts + graph.switches, State::New);
        state[self.d as usize] = State::Arrives(0, 1);
        let (mut report, mut most) = (Report::default(), (0, 0));
        let own = graph.entry(self.d).1;
        for (node, sources) in self.sources {
            let (node, sources) = (*node, sources - u64::from(*node == own));
            if sources == 0 {
                continue;
            }
            report.routes += sources;
            self.visit(node, next, state, &mut report.failures);
            match state[node as usize] {
                State::Arrives(length, paths) => most = (most.0.max(length), most.1.max(paths)),
                State::Lost(place) => {
                    let reason = report.failures[place].reason;
                    *report.lost.entry(reason).or_default() += sources;
                }
                State::New | State::Open => {}
            }
        }
        for (place, known) in distance.iter_mut().zip(&state[graph.hosts..]) {
            if let State::Arrives(length, _) = known {
                *place = *length;
            }
        }
        report.failures.truncate(LISTED);
        (report, most)
    }

    /// Decides a node and all that can be reached from it.
    fn visit(
        &self,
        start: NodeId,
        next: &mut [u32],
        state: &mut [State],
        failures: &mut Vec<Failure>,
    ) {
        let mut stack = vec![(start, 0)];
        while let Some((node, done)) = stack.pop() {
            if done == 0 {
                if !matches!(state[node as usize], State::New) {
                    continue;
                }
                match self.code(node) {
                    Ok(code) => next[node as usize - self.graph.hosts] = code,
                    Err((port, reason)) => {
                        state[node as usize] = State::Lost(failures.len());
                        failures.push(Failure { node, lid: self.lid, port, reason });
                        continue;
                    }
                }
                state[node as usize] = State::Open;
            }
            let switch = node as usize - self.graph.hosts;
            match self.graph.behind(switch, next[switch]).get(done) {
                Some((_, head)) => {
                    stack.push((node, done + 1));
                    match state[*head as usize] {
                        State::New => stack.push((*head, 0)),
                        State::Open => {
                            // The node that is open is on a cycle with this one.
                            state[node as usize] = State::Lost(failures.len());
                            let (lid, reason) = (self.lid, Reason::Loop);
                            failures.push(Failure { node, lid, port: None, reason });
                            stack.pop();
                        }
                        State::Arrives(..) | State::Lost(_) => {}
                    }
                }
                None => state[node as usize] = self.outcome(switch, next[switch], state),
            }
        }
    }

    /// The outcome at a node whose successors are decided.
    fn outcome(&self, switch: usize, code: u32, state: &[State]) -> State {
        let mut sum = State::Arrives(0, 0);
        for (_, head) in self.graph.behind(switch, code) {
            sum = match (sum, state[*head as usize]) {
                (State::Arrives(length, paths), State::Arrives(more, others)) => {
                    State::Arrives(length.max(more.saturating_add(1)), paths.saturating_add(others))
                }
                (_, State::Lost(place)) => return State::Lost(place),
                (sum, _) => sum,
            };
        }
        sum
    }

    /// The code of a switch, if all its ports lead on.
    fn code(&self, node: NodeId) -> Result<u32, (Option<u8>, Reason)> {
        let graph = self.graph;
        let Some(switch) = (node as usize).checked_sub(graph.hosts) else {
            return Err((None, Reason::WrongHost));
        };
        let choices = self.tables.choices.get(&self.guids[switch]);
        let group = choices.and_then(|own| {
            let at = own.lids.binary_search_by_key(&self.lid, |(lid, _)| *lid).ok()?;
            let number = own.lids[at].1;
            Some((*self.places[switch].get(&number)?, own.of(self.lid)?))
        });
        if let Some((place, ports)) = group {
            ports.iter().try_for_each(|port| self.leads_on(switch, *port))?;
            return Ok(GROUPS + place);
        }
        let table = self.tables.tables.switches.get(&self.guids[switch]);
        let port = table.and_then(|table| table.ports.get(self.lid));
        let port = port.ok_or((None, Reason::NoEntry))?;
        self.leads_on(switch, port)?;
        Ok(port.into())
    }

    /// Whether a port leads to a switch or to the destination.
    fn leads_on(&self, switch: usize, port: u8) -> Result<(), (Option<u8>, Reason)> {
        match self.graph.ports.find(switch, port) {
            None if port == 0 => Err((Some(0), Reason::Itself)),
            None => Err((Some(port), Reason::NoCable)),
            Some((_, host)) if (host as usize) < self.graph.hosts && host != self.d => {
                Err((Some(port), Reason::WrongHost))
            }
            Some(_) => Ok(()),
        }
    }
}
