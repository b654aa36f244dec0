//! Credit loops on virtual lanes: a packet that waits holds one lane of a link, and waits for one of the next.

use std::collections::HashSet;

use rayon::prelude::*;

use super::CreditLoop;
use super::credit_loop::holders;
use super::link_cycle::{Successors, cycle_of};
use crate::import::{LaneTables, ServiceLevels};
use crate::progress::{Progress, Stopped};
use crate::quote::Quoted;
use crate::routing::Instance;
use crate::topology::{Host, LinkId, NodeId, Topology, link_number};

/// Number of lanes of a link; the last one is for management.
const LANES: u32 = 16;

/// Why the lanes of paths are not known.
#[derive(Debug, Clone, PartialEq, Eq, thiserror::Error)]
#[non_exhaustive]
#[expect(missing_docs, reason = "the message is the documentation")]
pub enum LaneError {
    #[error("{0}")]
    Stopped(#[from] Stopped),
    #[error(
        "no service level from `{source_name}` to `{destination}`: dump path records again, or the fabric has changed"
    )]
    NoLevel { source_name: Quoted, destination: Quoted },
    #[error(
        "the LIDs of `{destination}` have several service levels from `{source_name}`: this is known for LMC 0 only"
    )]
    SeveralLevels { source_name: Quoted, destination: Quoted },
    #[error(
        "no virtual lane at `{node}` from port {from} to port {to} for service level {level}: dump SL2VL tables again"
    )]
    NoLane { node: Quoted, from: u32, to: u32, level: u8 },
    #[error(
        "`{node}` discards service level {level} from port {from} to port {to}: its lane there is 15"
    )]
    Discarded { node: Quoted, from: u32, to: u32, level: u8 },
}

/// The virtual lanes of paths: the service level of every pair, and the lane that every node gives it.
#[derive(Clone, Debug)]
pub struct Lanes {
    levels: ServiceLevels,
    tables: LaneTables,
}

impl Lanes {
    /// The lanes of these dumps.
    #[must_use]
    pub fn new(levels: ServiceLevels, tables: LaneTables) -> Self {
        Self { levels, tables }
    }

    /// A credit loop of a routing, lane by lane, if there is one. O(pairs · links of the paths of a pair / threads).
    /// `progress` advances by N.
    ///
    /// # Errors
    /// [`LaneError`] when stopped, or where a pair has no service level or no lane.
    pub fn credit_loop(
        &self,
        instance: &Instance,
        progress: &Progress,
    ) -> Result<Option<CreditLoop>, LaneError> {
        let topology = &*instance.topology;
        let of_source = |s: Host| {
            let mut waits = HashSet::new();
            for d in topology.host_numbers().filter(|d| *d != s) {
                progress.check()?;
                self.for_each(instance, (s, d), &mut |channels| {
                    waits.extend(channels.windows(2).map(|two| (two[0], two[1])));
                })?;
            }
            progress.inc(1);
            Ok::<_, LaneError>(waits)
        };
        let sources = topology.host_numbers().into_par_iter().map(of_source);
        let waits = sources.try_reduce(HashSet::new, |mut all, some| {
            all.extend(some);
            Ok(all)
        })?;
        let channels = cycle_of(&successors(topology, waits));
        Ok(channels.map(|channels| {
            let links: Vec<LinkId> = channels.iter().map(|channel| channel / LANES).collect();
            let lanes = channels.iter().map(|channel| channel % LANES).collect();
            CreditLoop { lanes, ..CreditLoop::new(topology, &links) }
        }))
    }

    /// For every link of a loop found by [`Self::credit_loop`], the first SD pair whose packets hold its lane and wait
    /// for the next one.
    ///
    /// # Errors
    /// As [`Self::credit_loop`].
    pub fn pairs(
        &self,
        found: &CreditLoop,
        instance: &Instance,
        progress: &Progress,
    ) -> Result<Vec<Option<(Host, Host)>>, LaneError> {
        let channels = found.numbers.iter().zip(&found.lanes);
        let channels: Vec<u32> = channels.map(|(link, lane)| link * LANES + lane).collect();
        let count = instance.topology.links() * LANES as usize;
        holders(&instance.topology, &channels, count, progress, |pair, visit| {
            self.for_each(instance, pair, visit)
        })
    }

    /// Calls `visit` with the channels of every path of a pair: link · 16 + lane.
    fn for_each(
        &self,
        Instance { topology, routing, .. }: &Instance,
        (s, d): (Host, Host),
        visit: &mut dyn FnMut(&[u32]),
    ) -> Result<(), LaneError> {
        let level = self.level(topology, s, d)?;
        let (mut found, mut channels) = (Ok(()), Vec::new());
        routing.for_each_path(s, d, &mut Vec::new(), &mut |_, path| {
            channels.clear();
            let mut entered = (s, 0);
            for link in path {
                match self.lane(topology, entered, *link, level) {
                    Ok(lane) => channels.push(link * LANES + lane),
                    Err(error) => found = Err(error),
                }
                let to = topology.ends(*link).map_or(s, |(_, to)| to);
                entered = (to, topology.link(*link).to_port);
            }
            if found.is_ok() {
                visit(&channels);
            }
        });
        found
    }

    /// The service level from a host to another.
    fn level(&self, topology: &Topology, s: Host, d: Host) -> Result<u8, LaneError> {
        let name = |host: Host| Quoted::from(&topology.node(host).name);
        let address = |host: Host| topology.node(host).address;
        let none = || LaneError::NoLevel { source_name: name(s), destination: name(d) };
        let (from, to) = address(s).zip(address(d)).ok_or_else(none)?;
        let mut lids =
            (0..1_u16 << to.lmc).map(|more| self.levels.of(from.lid, to.lid.saturating_add(more)));
        let level = lids.next().flatten().ok_or_else(none)?;
        if lids.any(|other| other != Some(level)) {
            let (source_name, destination) = (name(s), name(d));
            return Err(LaneError::SeveralLevels { source_name, destination });
        }
        Ok(level)
    }

    /// The lane of a link for packets that entered its node by a port.
    fn lane(
        &self,
        topology: &Topology,
        (node, from): (NodeId, u32),
        link: LinkId,
        level: u8,
    ) -> Result<u32, LaneError> {
        let is_host = (node as usize) < topology.hosts();
        let to = if is_host { 0 } else { topology.link(link).from_port };
        let of = |lid| self.tables.of(lid, (from, to), level);
        let lane = topology.node(node).address.and_then(|address| of(address.lid));
        let node = || Quoted::from(&topology.node(node).name);
        match lane.map(u32::from) {
            None => Err(LaneError::NoLane { node: node(), from, to, level }),
            Some(lane) if lane + 1 == LANES => {
                Err(LaneError::Discarded { node: node(), from, to, level })
            }
            Some(lane) => Ok(lane),
        }
    }
}

/// The graph of which channel waits for which.
fn successors(topology: &Topology, waits: HashSet<(u32, u32)>) -> Successors {
    let mut waits: Vec<(u32, u32)> = waits.into_iter().collect();
    waits.par_sort_unstable();
    let mut first = vec![0];
    let mut at = 0;
    for channel in 0..link_number(topology.links()) * LANES {
        at += waits[at..].partition_point(|(before, _)| *before == channel);
        first.push(at);
    }
    Successors { first, next: waits.into_iter().map(|(_, after)| after).collect() }
}

#[cfg(test)]
pub(super) mod tests {
    use std::io::Write as _;

    use itertools::Itertools;

    use super::*;
    use crate::import;
    use crate::rational::Rational;
    use crate::routing::build;
    use crate::topology::{Address, NetworkBuilder, sd_pairs};

    /// Five switches in a ring, a host at each; LIDs count from 1, hosts first.
    pub(in crate::load) fn ring() -> Instance {
        let mut ring = NetworkBuilder::new();
        let hosts = [0, 1, 2, 3, 4].map(|host| ring.host(format!("h{host}")));
        let switches = [0, 1, 2, 3, 4].map(|switch| ring.switch(format!("s{switch}")));
        for at in 0..5 {
            ring.cable(hosts[at], switches[at], Rational::ONE);
            ring.cable(switches[at], switches[(at + 1) % 5], Rational::ONE);
        }
        let mut graph = ring.build("ring").unwrap().graph().clone();
        for (node, lid) in graph.node_weights_mut().zip(1..) {
            node.address = Some(Address { guid: lid.into(), port_guid: None, lid, lmc: 0 });
        }
        let ring = Topology::new("ring".into(), graph).unwrap();
        let routing = build("ecmp", &ring).unwrap();
        Instance::new(ring, routing).unwrap()
    }

    /// Lanes by files: the level of every pair, and the lane of the levels 0 and 1, the same everywhere.
    fn lanes(level: impl Fn(Host, Host) -> u8, lane: [u8; 2]) -> Lanes {
        let file = |text: &str| {
            let mut file = tempfile::NamedTempFile::new().unwrap();
            file.write_all(text.as_bytes()).unwrap();
            file
        };
        let mut records = sd_pairs(5).map(|(s, d)| {
            let level = level(s, d);
            let (s, d) = (s + 1, d + 1);
            format!(
                "Channel Adapter 0x{s}, base LID {s}, \"h\", port 1\n0x{d:04X} : {level} : 4 : 7"
            )
        });
        let row = |(from, to)| format!("{from} {to} : {} {} {}", lane[0], lane[1], "0 ".repeat(14));
        let mut tables = (1..11).map(|lid| {
            let rows = (0..4).cartesian_product(0..4).map(row).join("\n");
            format!("Switch 0x{lid}, base LID {lid}, \"s\"\n{rows}")
        });
        let [records, tables] = [records.join("\n"), tables.join("\n")].map(|text| file(&text));
        Lanes::new(
            import::service_levels(records.path().to_str().unwrap()).unwrap(),
            import::lane_tables(tables.path().to_str().unwrap()).unwrap(),
        )
    }

    /// Paths of two steps close a loop each way round; a lane of their own for those over the cable between the last
    /// switch and the first cuts both.
    #[test]
    fn lanes_cut_a_ring() {
        let instance = ring();
        let silent = Progress::silent();
        let crosses = |s: Host, d: Host| u8::from(s.abs_diff(d) > 2);
        let cut = lanes(crosses, [0, 1]);
        assert_eq!(cut.credit_loop(&instance, &silent), Ok(None));
        for (lanes, lane) in [(lanes(|_, _| 1, [0, 3]), 3), (lanes(crosses, [0, 0]), 0)] {
            let found = lanes.credit_loop(&instance, &silent).unwrap().unwrap();
            assert_eq!((found.numbers.len(), &found.lanes), (5, &vec![lane; 5]));
            let pairs = lanes.pairs(&found, &instance, &silent).unwrap();
            assert!(pairs.len() == 5 && pairs.iter().all(Option::is_some), "{pairs:?}");
        }
        let known = super::super::credit_loop(&instance, &silent).unwrap().unwrap();
        let one = lanes(|_, _| 0, [0, 1]).credit_loop(&instance, &silent).unwrap().unwrap();
        assert_eq!((one.numbers, known.lanes), (known.numbers, vec![]));
    }

    #[test]
    fn what_the_dumps_lack_is_named() {
        let instance = ring();
        let discarded = lanes(|_, _| 1, [0, 15]).credit_loop(&instance, &Progress::silent());
        assert!(matches!(discarded, Err(LaneError::Discarded { level: 1, .. })), "{discarded:?}");
        let none = Lanes::new(ServiceLevels::default(), LaneTables::default());
        let error = none.credit_loop(&instance, &Progress::silent()).unwrap_err();
        assert!(error.to_string().starts_with("no service level from `h"), "{error}");
        // A loop that these lanes do not have.
        let lanes = lanes(|_, _| 0, [0, 0]);
        let found = lanes.credit_loop(&instance, &Progress::silent()).unwrap().unwrap();
        let error = none.pairs(&found, &instance, &Progress::silent()).unwrap_err();
        assert!(matches!(error, LaneError::NoLevel { .. }), "{error}");
    }
}
