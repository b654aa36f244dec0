//! A fabric as listed by its discovery, before hosts and switches are numbered.
//!
//! Every reader of a fabric format fills a [`Fabric`]; the checks are made once, here. A listing
//! contains every cable twice, once from each end. This redundancy is what reveals damage, so
//! both ends must be present and must agree.

use std::collections::{BTreeMap, BTreeSet, HashMap, HashSet};
use std::ops::Range;

use super::{ImportError, Problem, Result, rate};
use crate::advice::{Advice, Remedy};
use crate::limit::within;
use crate::topology::{Address, Topology};

/// The description of a SHARP aggregation node. A host may have a similar name.
const AGGREGATION: &str = "Mellanox Technologies Aggregation Node";

/// LIDs of a port: `2^lmc` from `lid` on; `lid` 0 means none.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub(super) struct Lids {
    pub lid: u16,
    pub lmc: u8,
}

impl Lids {
    /// The LID of a port that was not given one.
    pub const UNSET: u32 = 0xffff;

    pub fn new(lid: u32, lmc: u32) -> Result<Self, Problem> {
        if lid == Self::UNSET {
            return Ok(Self::default());
        }
        let lids = u16::try_from(lid).ok().zip(u8::try_from(lmc).ok());
        let lids = lids.map(|(lid, lmc)| Self { lid, lmc });
        lids.filter(|lids| lids.all().is_some()).ok_or(Problem::BadLid { lid, lmc })
    }

    fn all(self) -> Option<Range<u16>> {
        let Self { lid, lmc } = self;
        Address { guid: 0, port_guid: None, lid, lmc }.lids()
    }
}

/// A connected port.
#[derive(Debug, Default)]
pub(super) struct Port {
    /// Id of the node at the other end.
    pub peer: String,
    /// Port at the other end.
    pub peer_number: u32,
    /// Width and speed as written; empty if the file has none.
    pub speed: String,
    /// GUID of this port, where the file gives it.
    pub guid: Option<u64>,
    /// LIDs of this port; for a switch they are in its record instead.
    pub lids: Lids,
    /// Base LID of the other end, if this end gives it.
    pub peer_lid: Option<u16>,
    pub line: u64,
}

/// A switch, or a node with end ports.
#[derive(Debug, Default)]
pub(super) struct Record {
    /// The name by which cables refer to it.
    pub id: String,
    /// Human-readable description, possibly empty.
    pub name: String,
    pub switch: bool,
    pub guid: Option<u64>,
    /// LIDs of a switch.
    pub lids: Lids,
    /// Its ports are `1..=port_count`.
    pub port_count: u32,
    pub line: u64,
    pub ports: BTreeMap<u32, Port>,
}

/// The listing of a discovery.
#[derive(Debug)]
pub(super) struct Fabric {
    pub path: String,
    pub records: Vec<Record>,
    pub index: HashMap<String, usize>,
    /// Notes on the interpretation of the listing, where that is not obvious.
    pub notes: Vec<String>,
    /// LIDs of what was left out: tables may refer to them.
    pub left_out: Vec<u16>,
    /// Ids of nodes with ports that are cabled to themselves.
    looped: BTreeSet<String>,
    entries: u64,
}

impl Fabric {
    pub fn new(path: &str) -> Self {
        Self {
            path: path.into(),
            records: Vec::new(),
            index: HashMap::new(),
            notes: Vec::new(),
            left_out: Vec::new(),
            looped: BTreeSet::new(),
            entries: 0,
        }
    }

    pub fn error(&self, line: u64, problem: Problem) -> ImportError {
        ImportError::Content { path: self.path.clone(), line, problem }
    }

    /// Adds a node and returns its index.
    pub fn add_record(&mut self, record: Record) -> Result<usize> {
        if let Some(first) = self.index.get(&record.id) {
            let first = self.records[*first].line;
            let problem = Problem::DuplicateNode { node: record.id.into(), first };
            return Err(self.error(record.line, problem));
        }
        self.count_entry()?;
        self.index.insert(record.id.clone(), self.records.len());
        self.records.push(record);
        Ok(self.records.len() - 1)
    }

    /// Adds a connected port to a node.
    pub fn add_port(&mut self, node: usize, number: u32, port: Port) -> Result<()> {
        self.count_entry()?;
        let record = &mut self.records[node];
        let (node, ports, line) = (record.id.clone(), record.port_count, port.line);
        if number == 0 || number > ports {
            return Err(
                self.error(line, Problem::BadPort { node: node.into(), port: number, ports })
            );
        }
        match record.ports.insert(number, port) {
            None => Ok(()),
            Some(Port { line: first, .. }) => {
                Err(self
                    .error(line, Problem::DuplicatePort { node: node.into(), port: number, first }))
            }
        }
    }

    /// Notes how often something happened, if it did.
    pub fn note_count(&mut self, count: u64, what: &str, done: &str) {
        match count {
            0 => {}
            1 => self.notes.push(format!("{done} 1 {what}")),
            _ => self.notes.push(format!("{done} {count} {}", what.replacen("line", "lines", 1))),
        }
    }

    /// Notes how many hosts are known from what switches list, if there are any.
    pub fn note_hosts(&mut self, count: usize, from: &str) {
        let plural = if count == 1 { " is" } else { "s are" };
        if count > 0 {
            self.notes.push(format!("{count} host{plural} known from the {from} of switches only"));
        }
    }

    /// Leaves out the adapters through which switches take part in reductions (SHARP): they are
    /// inside the switches and have LIDs, but no host traffic begins or ends there.
    pub fn leave_out_aggregation_nodes(&mut self) {
        let is_one = |record: &Record| !record.switch && record.name == AGGREGATION;
        let Some(first) = self.records.iter().find(|record| is_one(record)) else { return };
        let line = first.line;
        let (gone, kept): (Vec<Record>, Vec<Record>) =
            std::mem::take(&mut self.records).into_iter().partition(is_one);
        let ids: HashSet<&str> = gone.iter().map(|record| record.id.as_str()).collect();
        self.records = kept;
        for record in &mut self.records {
            record.ports.retain(|_, port| !ids.contains(port.peer.as_str()));
        }
        let ids = self.records.iter().map(|record| record.id.clone());
        self.index = ids.zip(0..).collect();
        let ports = gone.iter().flat_map(|record| record.ports.values());
        self.left_out.extend(ports.filter_map(|port| port.lids.all()).flatten());
        let plural = if gone.len() == 1 { "" } else { "s" };
        self.notes.push(format!(
            "left out {} SHARP aggregation node{plural}, the first at line {line}: hosts send no \
             traffic to them",
            gone.len()
        ));
    }

    /// Leaves out ports that are cabled to themselves, such as those with a loopback plug: no path
    /// leads over them. A cable between two ports of a switch stays: tables may name its ports.
    pub fn leave_out_loopbacks(&mut self) {
        let mut lines = Vec::new();
        for Record { id, ports, .. } in &mut self.records {
            for (_, port) in
                ports.extract_if(.., |at, port| port.peer == *id && port.peer_number == *at)
            {
                lines.push(port.line);
                self.looped.insert(id.clone());
                self.left_out.extend(port.lids.all().into_iter().flatten());
            }
        }
        if let Some(first) = lines.iter().min() {
            let count = lines.len();
            let ports = if count == 1 {
                "port that is cabled to itself"
            } else {
                "ports that are cabled to themselves"
            };
            self.notes.push(format!("left out {count} {ports}, the first at line {first}"));
        }
    }

    /// Counts a node or a port. A listed port is one directed link, and no more are kept than a
    /// network may have.
    pub fn count_entry(&mut self) -> Result<()> {
        self.entries += 1;
        let limit = 2 * Topology::MAX_LINKS;
        if self.entries > limit {
            let what = format!("number of nodes and ports in {}", self.path);
            within(&what, Some(self.entries.into()), limit, "discover a part of the fabric")?;
        }
        Ok(())
    }

    /// Checks every cable from both ends, and every LID.
    ///
    /// # Errors
    /// [`ImportError::Content`] at the first line that is inconsistent with the others.
    pub fn check(&self, speeds: bool) -> Result<()> {
        for record in &self.records {
            if !record.switch && record.ports.is_empty() {
                let node = record.id.clone();
                let problem = if self.looped.contains(&node) {
                    Problem::OnlyLooped { node: node.into() }
                } else {
                    Problem::Unconnected { node: node.into() }
                };
                return Err(self.error(record.line, problem));
            }
            for (number, port) in &record.ports {
                self.check_cable(record, *number, port)
                    .and_then(|other| if speeds { check_speed(port, other) } else { Ok(()) })
                    .map_err(|problem| self.error(port.line, problem))?;
            }
        }
        self.check_lids()
    }

    /// The other end of a cable, if it agrees.
    fn check_cable(&self, record: &Record, number: u32, port: &Port) -> Result<&Port, Problem> {
        let node = record.id.clone();
        let unknown = || Problem::UnknownNode {
            node: node.into(),
            port: number,
            peer: port.peer.clone().into(),
        };
        let peer = &self.records[*self.index.get(&port.peer).ok_or_else(unknown)?];
        let here = format!("{}[{number}] to {}[{}]", record.id, port.peer, port.peer_number);
        let Some(other) = peer.ports.get(&port.peer_number) else {
            let there = format!("{} has no cable in port {}", peer.id, port.peer_number);
            return Err(Problem::ends_disagree(&here, &there, peer.line));
        };
        if (&other.peer, other.peer_number) != (&record.id, number) {
            let there = format!(
                "{}[{}] to {}[{}]",
                peer.id, port.peer_number, other.peer, other.peer_number
            );
            return Err(Problem::ends_disagree(&here, &there, other.line));
        }
        let lids = if peer.switch { peer.lids } else { other.lids };
        match port.peer_lid {
            Some(lid) if lid != lids.lid => {
                let here = format!("{} has LID {lid}", peer.id);
                let there = format!("LID {}", lids.lid);
                let line = if peer.switch { peer.line } else { other.line };
                Err(Problem::ends_disagree(&here, &there, line))
            }
            _ => Ok(other),
        }
    }

    fn check_lids(&self) -> Result<()> {
        let mut owner: BTreeMap<u16, (&Record, u64)> = BTreeMap::new();
        for record in &self.records {
            let ports = record.ports.values().filter(|_| !record.switch);
            let own = record.switch.then_some((record.lids, record.line));
            for (lids, line) in own.into_iter().chain(ports.map(|port| (port.lids, port.line))) {
                for lid in lids.all().into_iter().flatten() {
                    if let Some((other, first)) = owner.insert(lid, (record, line)) {
                        let (node, other) = (record.id.clone(), other.id.clone());
                        let problem = Problem::DuplicateLid {
                            lid,
                            node: node.into(),
                            other: other.into(),
                            first,
                        };
                        return Err(self.error(line, problem));
                    }
                }
            }
        }
        Ok(())
    }
}

fn check_speed(port: &Port, other: &Port) -> Result<(), Problem> {
    let advice = Advice::new("ignore all speeds", &[Remedy::UnitCapacities]);
    if port.speed.is_empty() {
        return Err(Problem::NoSpeed(Advice::CAPACITY_1));
    }
    let Some(speed) = rate::parse(&port.speed) else {
        return Err(Problem::UnknownSpeed { found: port.speed.clone().into(), advice });
    };
    // An unknown speed at the other end is reported at its own line.
    if rate::parse(&other.speed).is_some_and(|rate| rate != speed) {
        let (here, there) = (port.speed.clone(), other.speed.clone());
        return Err(Problem::SpeedsDisagree {
            here: here.into(),
            there: there.into(),
            line: other.line,
            advice,
        });
    }
    Ok(())
}
