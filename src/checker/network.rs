//! The instance as the checker sees it: links, capacities, and paths that it has verified.

use crate::certificate::{EmbeddedNetwork, NetworkForm, PathRecord, RoutingForm};
use crate::limit::within;
use crate::ratio::Ratio;
use crate::routing::{self, Routing};
use crate::topology::{self, Host, LinkId, NodeId, Topology};

use super::{MAX_HOSTS, Refusal};

/// An instance whose links are known to be sound; its paths are verified as they are visited.
pub(super) struct Network {
    pub(super) hosts: usize,
    pub(super) nodes: usize,
    /// Sending node, receiving node, capacity.
    pub(super) links: Vec<(NodeId, NodeId, Ratio)>,
    paths: Paths,
}

enum Paths {
    Named(Box<dyn Routing>),
    /// Row of every node: empty, one entry for all hosts, or one entry a host.
    Next(Vec<Vec<Option<LinkId>>>),
    /// Sorted by pair.
    Listed(Vec<PathRecord>),
}

/// The verified paths of one pair. Nearly all routings have one path a pair: its links stand
/// in `whole`, each with share 1. Otherwise `parts` has every link once with its share.
#[derive(Default)]
pub(super) struct Uses {
    pub(super) whole: Vec<LinkId>,
    pub(super) parts: Vec<(LinkId, Ratio)>,
    paths: usize,
    sum: Ratio,
    scratch: Vec<LinkId>,
}

impl Network {
    pub(super) fn open(network: &NetworkForm, routing: &RoutingForm) -> Result<Self, Refusal> {
        let (topology, hosts, nodes, links) = match network {
            NetworkForm::Named(spec) => {
                let topology = topology::generate(spec);
                let topology = topology.map_err(|error| Refusal::Instance(error.to_string()))?;
                let (hosts, nodes) = (topology.hosts(), topology.nodes());
                let links = links_of(&topology)?;
                (Some(topology), hosts, nodes, links)
            }
            NetworkForm::Embedded(embedded) => {
                let EmbeddedNetwork { hosts, nodes, links } = embedded;
                check_embedded(embedded)?;
                (None, *hosts, *nodes, links.clone())
            }
        };
        limit_hosts(hosts)?;
        let paths = match (routing, topology) {
            (RoutingForm::Named(spec), Some(_)) if spec.contains(':') => {
                return Err(Refusal::FileRouting);
            }
            (RoutingForm::Named(spec), Some(topology)) => {
                let routing = routing::build(spec, &topology);
                Paths::Named(routing.map_err(|error| Refusal::Instance(error.to_string()))?)
            }
            (RoutingForm::Named(_), None) => return Err(Refusal::NamedRouting),
            (RoutingForm::Next(rows), _) => next_rows(rows, hosts, nodes)?,
            (RoutingForm::Paths(records), _) => listed(records, hosts)?,
        };
        Ok(Self { hosts, nodes, links, paths })
    }

    /// Fills `uses` with the links that carry the pair, after verifying that every path joins
    /// the pair and that the shares sum to 1.
    pub(super) fn uses(&self, s: Host, d: Host, uses: &mut Uses) -> Result<(), Refusal> {
        uses.clear();
        match &self.paths {
            Paths::Named(routing) => {
                let mut scratch = std::mem::take(&mut uses.scratch);
                let mut refused = Ok(());
                routing.for_each_path(s, d, &mut scratch, &mut |share, links| {
                    if refused.is_ok() {
                        refused = self.take_path((s, d), share, links, uses);
                    }
                });
                uses.scratch = scratch;
                refused?;
            }
            Paths::Next(rows) => {
                self.follow(rows, s, d, &mut uses.whole)?;
                uses.paths = 1;
            }
            Paths::Listed(records) => {
                let first = records.partition_point(|record| (record.s, record.d) < (s, d));
                for record in records[first..].iter().take_while(|r| (r.s, r.d) == (s, d)) {
                    self.take_path((s, d), &record.share, &record.links, uses)?;
                }
            }
        }
        uses.finish(s, d)
    }

    /// Verifies one path and adds it to `uses`.
    fn take_path(
        &self,
        (s, d): (Host, Host),
        share: &Ratio,
        links: &[LinkId],
        uses: &mut Uses,
    ) -> Result<(), Refusal> {
        let mut at = s;
        for link in links {
            let ends = self.links.get(*link as usize);
            let (from, to, _) = ends.ok_or(Refusal::NoSuchLink { s, d, link: *link })?;
            if *from != at {
                return Err(Refusal::BrokenPath { s, d, link: *link });
            }
            at = *to;
        }
        match links.last() {
            None => Err(Refusal::MissingPair { s, d }),
            Some(link) if at != d => Err(Refusal::BrokenPath { s, d, link: *link }),
            Some(_) if share.is_zero() => Err(Refusal::ShareSum { s, d, sum: uses.sum.clone() }),
            Some(_) => {
                uses.add(share, links);
                Ok(())
            }
        }
    }

    /// The path from s to d along next links.
    fn follow(
        &self,
        rows: &[Vec<Option<LinkId>>],
        s: Host,
        d: Host,
        path: &mut Vec<LinkId>,
    ) -> Result<(), Refusal> {
        path.clear();
        let mut at = s;
        while at != d {
            let row = &rows[at as usize];
            let entry = if row.len() == 1 { row.first() } else { row.get(d as usize) };
            let link = entry.copied().flatten().ok_or(Refusal::MissingPair { s, d })?;
            let ends = self.links.get(link as usize).ok_or(Refusal::NoSuchLink { s, d, link })?;
            if ends.0 != at {
                return Err(Refusal::BrokenPath { s, d, link });
            }
            at = ends.1;
            path.push(link);
            if path.len() > self.nodes {
                return Err(Refusal::Circle { s, d });
            }
        }
        Ok(())
    }
}

fn links_of(topology: &Topology) -> Result<Vec<(NodeId, NodeId, Ratio)>, Refusal> {
    let link = |id| {
        let (from, to) = topology.ends(id).ok_or(Refusal::BadLink(id))?;
        Ok((from, to, topology.link(id).capacity.clone()))
    };
    (0..topology.links() as LinkId).map(link).collect()
}

fn check_embedded(network: &EmbeddedNetwork) -> Result<(), Refusal> {
    let EmbeddedNetwork { hosts, nodes, links } = network;
    limit_hosts(*hosts)?;
    within("number of nodes", Some(*nodes as u128), Topology::MAX_LINKS, "check a smaller one")?;
    if *hosts == 0 || hosts > nodes {
        return Err(Refusal::NodeCount { hosts: *hosts, nodes: *nodes });
    }
    let sound = |(from, to, capacity): &(NodeId, NodeId, Ratio)| {
        (*from as usize) < *nodes && (*to as usize) < *nodes && !capacity.is_zero()
    };
    match links.iter().position(|link| !sound(link)) {
        Some(bad) => Err(Refusal::BadLink(bad as LinkId)),
        None => Ok(()),
    }
}

fn limit_hosts(hosts: usize) -> Result<(), Refusal> {
    within("number of hosts", Some(hosts as u128), MAX_HOSTS, "check a smaller instance")?;
    Ok(())
}

fn next_rows(
    rows: &[(NodeId, Vec<Option<LinkId>>)],
    hosts: usize,
    nodes: usize,
) -> Result<Paths, Refusal> {
    let mut table = vec![Vec::new(); nodes];
    for (node, entries) in rows {
        let row = table.get_mut(*node as usize).ok_or(Refusal::RouteOfNobody(*node))?;
        if !row.is_empty() || (entries.len() != 1 && entries.len() != hosts) {
            return Err(Refusal::BadNext(*node));
        }
        row.clone_from(entries);
    }
    Ok(Paths::Next(table))
}

fn listed(records: &[PathRecord], hosts: usize) -> Result<Paths, Refusal> {
    for record in records {
        if let Some(nobody) = [record.s, record.d].into_iter().find(|h| *h as usize >= hosts) {
            return Err(Refusal::RouteOfNobody(nobody));
        }
        if record.s == record.d {
            return Err(Refusal::SelfPair(record.s));
        }
    }
    let mut sorted = records.to_vec();
    sorted.sort_by_key(|record| (record.s, record.d));
    Ok(Paths::Listed(sorted))
}

impl Uses {
    fn clear(&mut self) {
        self.whole.clear();
        self.parts.clear();
        self.paths = 0;
        self.sum = Ratio::ZERO;
    }

    fn add(&mut self, share: &Ratio, links: &[LinkId]) {
        self.paths += 1;
        let repeats = || links.iter().enumerate().any(|(at, link)| links[..at].contains(link));
        if *share == Ratio::ONE && self.paths == 1 && !repeats() {
            self.whole.extend_from_slice(links);
        } else {
            self.sum += share;
            self.parts.extend(links.iter().map(|link| (*link, share.clone())));
        }
    }

    /// Verifies the sum of the shares and adds up those of links that occur more than once.
    fn finish(&mut self, s: Host, d: Host) -> Result<(), Refusal> {
        if self.paths == 0 {
            return Err(Refusal::MissingPair { s, d });
        }
        if self.parts.is_empty() {
            return Ok(());
        }
        if !self.whole.is_empty() {
            self.sum += &Ratio::ONE;
        }
        if self.sum != Ratio::ONE {
            return Err(Refusal::ShareSum { s, d, sum: self.sum.clone() });
        }
        self.parts.sort_by_key(|(link, _)| *link);
        self.parts.dedup_by(|next, kept| {
            let same = next.0 == kept.0;
            if same {
                kept.1 += &next.1;
            }
            same
        });
        Ok(())
    }

    /// The share of the pair on a link.
    pub(super) fn share(&self, link: LinkId) -> Ratio {
        if self.whole.contains(&link) {
            return Ratio::ONE;
        }
        let part = self.parts.iter().find(|(other, _)| *other == link);
        part.map_or(Ratio::ZERO, |(_, share)| share.clone())
    }
}
