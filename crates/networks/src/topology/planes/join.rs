//! Planes that were read one by one, joined at their hosts.

use std::collections::{BTreeMap, HashMap};

use crate::advice::{Advice, Remedy};
use crate::quote::quote;
use crate::rational::Rational;
use crate::topology::{
    Host, Inconsistency, LinkId, NetworkBuilder, NodeId, NodeKey, Topology, TopologyError, adapter,
};

/// A plane of a fabric, as it was read.
#[derive(Clone, Debug)]
pub struct Plane {
    /// The plane by itself, with the addresses that its forwarding tables name.
    pub topology: Topology,
    /// By host of the fabric, its number in this plane.
    hosts: Vec<Host>,
    /// What precedes the names of its switches in the fabric.
    prefix: String,
    /// What the fabric adds to the port numbers of its hosts.
    first_port: u32,
}

/// Why planes are not joined.
#[derive(Debug, Clone, PartialEq, Eq, thiserror::Error)]
#[non_exhaustive]
#[expect(missing_docs, reason = "the message is the documentation")]
pub enum PlanesError {
    #[error("a fabric of planes takes the files of two planes or more")]
    TooFew,
    #[error(
        "plane {plane} has no host `{}` that plane {other} has: give the ports of one host the same name in all \
         files, or keep the hosts that all planes have by planes(hosts=common):FILE,..", quote(.name)
    )]
    Missing { name: String, plane: usize, other: usize },
    #[error(
        "plane {plane} has two hosts `{}`: give the ports of one host the same name in all files, and different \
         hosts different names",
        quote(.name)
    )]
    Ambiguous { name: String, plane: usize },
    #[error("planes have no host in common: give the ports of one host the same name in all files")]
    NothingInCommon,
    #[error(
        "switch `{}` serves only hosts that are left out: give these the same name in the files of all planes, or \
         remove the switch from its file", quote(.switch)
    )]
    OnlyLeftOut { switch: String },
    #[error("the speeds of plane {plane} are not known, while those of others are: {advice}")]
    NoSpeeds {
        plane: usize,
        #[source]
        advice: Advice,
    },
    #[error(transparent)]
    Topology(#[from] TopologyError),
}

impl Plane {
    /// The number that a host of the fabric has in this plane.
    #[must_use]
    pub fn host(&self, host: Host) -> Host {
        self.hosts[host as usize]
    }

    /// The link of the fabric that every link of this plane is; `None` where the fabric has left out its host, or what
    /// is given is not its fabric.
    #[must_use]
    pub fn links(&self, fabric: &Topology) -> Vec<Option<LinkId>> {
        let switches = fabric.node_numbers().skip(fabric.hosts());
        let switches: HashMap<&str, NodeId> =
            switches.map(|node| (fabric.node(node).name.as_str(), node)).collect();
        let hosts: HashMap<Host, Host> = self.hosts.iter().copied().zip(0..).collect();
        let ends = fabric.link_numbers().filter_map(|link| Some((link, fabric.ends(link)?.0)));
        let by_port: HashMap<(NodeId, u32), LinkId> =
            ends.map(|(link, tail)| ((tail, fabric.link(link).from_port), link)).collect();
        let of = |link| {
            let (tail, port) = (self.topology.ends(link)?.0, self.topology.link(link).from_port);
            if (tail as usize) < self.topology.hosts() {
                return by_port
                    .get(&(*hosts.get(&tail)?, port.saturating_add(self.first_port)))
                    .copied();
            }
            let name = format!("{}{}", self.prefix, self.topology.node(tail).name);
            by_port.get(&(*switches.get(name.as_str())?, port)).copied()
        };
        self.topology.link_numbers().map(of).collect()
    }
}

impl Topology {
    /// The planes of which the network was made by [`Self::of_planes`]; of any other there are none.
    #[must_use]
    pub fn planes(&self) -> &[Plane] {
        &self.planes
    }

    /// The data rate in Gbit/s of a link of capacity 1, where the file told speeds.
    #[must_use]
    pub fn unit(&self) -> Option<&Rational> {
        self.unit.as_ref()
    }

    /// The network with this data rate of a link of capacity 1.
    #[must_use]
    pub fn with_unit(mut self, unit: Option<Rational>) -> Self {
        self.unit = unit;
        self
    }

    /// The fabric whose hosts have their ports on all of these networks. Hosts are the same where their nodes have the
    /// same name, which is the first of the two words of an adapter (`gpu-07 mlx5_0`); where any node has several hosts
    /// on a plane, all hosts are matched by their whole names. They are in the order of the first plane. Switch `x` of plane 2
    /// is `p2/x`. Capacities are in units of the first plane. With `common`, hosts that some plane lacks are left out.
    ///
    /// # Errors
    /// [`PlanesError`]: a plane lacks a host, or has two of one name; the speeds of some planes only are known.
    ///
    /// ```
    /// # use routebound_networks as routebound;
    /// use routebound::topology::{self, Topology};
    /// let plane = topology::generate("ftree(2,4,3)")?;
    /// let fabric = Topology::of_planes("two planes", vec![plane.clone(), plane], false)?;
    /// assert_eq!((fabric.hosts(), fabric.nodes(), fabric.links()), (6, 6 + 2 * 7, 2 * 36));
    /// assert_eq!(fabric.recognised().tree().map(|tree| tree.shape()), Some("xgft(2;2,3;2,4)".to_string()));
    /// # Ok::<(), Box<dyn std::error::Error>>(())
    /// ```
    pub fn of_planes(spec: &str, planes: Vec<Self>, common: bool) -> Result<Self, PlanesError> {
        if planes.len() < 2 {
            return Err(PlanesError::TooFew);
        }
        let scales = scales(&planes)?;
        let (by_name, several) = hosts_by_name(&planes)?;
        let (names, left_out) = match (names(&by_name, common), several) {
            // Hosts that whole names do not match are those of nodes with several.
            (Err(PlanesError::Missing { .. }), Some(several)) => return Err(several),
            (found, _) => found?,
        };
        let (mut network, mut joined, mut notes) = (NetworkBuilder::new(), Vec::new(), Vec::new());
        let keys: Vec<NodeKey> = names.iter().map(|name| network.host(name.as_str())).collect();
        let mut first_port = 0;
        for (((number, topology), by_name), scale) in (1..).zip(planes).zip(&by_name).zip(&scales) {
            let hosts: Vec<Host> = names.iter().map(|name| by_name[name]).collect();
            notes.push(format!("plane {number} is {}", topology.spec()));
            notes.extend(topology.notes().iter().map(|note| format!("plane {number}: {note}")));
            let plane = Plane { topology, hosts, prefix: format!("p{number}/"), first_port };
            first_port = first_port.saturating_add(plane.add(&mut network, &keys, scale));
            joined.push(plane);
        }
        notes.extend(by_word(&joined, &names));
        let is_common = left_out.is_some();
        notes.extend(left_out);
        let unit = joined[0].topology.unit.clone();
        let built = network.build(spec).map_err(|error| match error {
            TopologyError::Invalid(Inconsistency::NoHostBelow { name, .. }) if is_common => {
                PlanesError::OnlyLeftOut { switch: name }
            }
            error => error.into(),
        });
        let mut fabric = built?.with_notes(notes).with_unit(unit);
        fabric.planes = joined.into();
        Ok(fabric)
    }
}

impl Plane {
    /// Adds switches and links to a network that has the hosts; returns the highest port number of a host.
    fn add(&self, network: &mut NetworkBuilder, hosts: &[NodeKey], scale: &Rational) -> u32 {
        let topology = &self.topology;
        let mut keys: Vec<Option<NodeKey>> = vec![None; topology.hosts()];
        for (key, own) in hosts.iter().zip(&self.hosts) {
            keys[*own as usize] = Some(*key);
        }
        let switches = topology.node_numbers().skip(topology.hosts());
        keys.extend(switches.map(|node| {
            Some(network.switch(format!("{}{}", self.prefix, topology.node(node).name)))
        }));
        let mut highest = 0;
        for link in topology.link_numbers() {
            let Some((tail, head)) = topology.ends(link) else { continue };
            let of = topology.link(link);
            let mut port = |node: NodeId, port: u32| {
                let is_host = (node as usize) < topology.hosts();
                if is_host {
                    highest = highest.max(port);
                }
                keys[node as usize].map(|key| {
                    (key, port.saturating_add(if is_host { self.first_port } else { 0 }))
                })
            };
            let ends = (port(tail, of.from_port), port(head, of.to_port));
            if let (Some(from), Some(to)) = ends {
                network.link_at(from, to, &of.capacity * scale);
                if let Some(weight) = &of.weight {
                    network.weigh((**weight).clone());
                }
            }
        }
        highest
    }
}

/// What capacities of every plane are multiplied by.
fn scales(planes: &[Topology]) -> Result<Vec<Rational>, PlanesError> {
    let Some(first) = planes.iter().find_map(|plane| plane.unit.as_ref()) else {
        return Ok(vec![Rational::ONE; planes.len()]);
    };
    let scale = |(number, plane): (usize, &Topology)| {
        let scale = plane.unit.as_ref().and_then(|unit| unit.checked_div(first));
        let advice = Advice::new("ignore all speeds", &[Remedy::UnitCapacities]);
        scale.ok_or(PlanesError::NoSpeeds { plane: number, advice })
    };
    (1..).zip(planes).map(scale).collect()
}

/// The hosts of a plane by the names by which they are matched.
type ByName = BTreeMap<String, Host>;

/// The hosts of every plane by the names by which they are matched; with a node that has several hosts on a plane, where
/// these are therefore whole names.
fn hosts_by_name(planes: &[Topology]) -> Result<(Vec<ByName>, Option<PlanesError>), PlanesError> {
    let node = |name: &str| adapter(name).map_or(name, |(node, _)| node).to_string();
    let by = |name: &dyn Fn(&str) -> String| {
        let of_plane = |(number, plane): (usize, &Topology)| {
            let mut hosts = BTreeMap::new();
            for host in plane.host_numbers() {
                let name = name(&plane.node(host).name);
                if hosts.insert(name.clone(), host).is_some() {
                    return Err(PlanesError::Ambiguous { name, plane: number });
                }
            }
            Ok(hosts)
        };
        (1..).zip(planes).map(of_plane).collect::<Result<Vec<_>, PlanesError>>()
    };
    match by(&node) {
        Ok(found) => Ok((found, None)),
        Err(several) => Ok((by(&str::to_string)?, Some(several))),
    }
}

/// That hosts are the same by the first word of their names alone, where that is so.
fn by_word(planes: &[Plane], names: &[String]) -> Option<String> {
    let whole = |plane: &Plane, host: Host| plane.topology.node(host).name.clone();
    let of_plane = |plane: &Plane| {
        let mut hosts = names.iter().zip(plane.hosts.iter().map(|host| whole(plane, *host)));
        hosts.find(|(name, whole)| *name != whole).map(|(name, whole)| [quote(name), quote(&whole)])
    };
    let [name, whole] = planes.iter().find_map(of_plane)?;
    Some(format!(
        "hosts are the same on all planes where the first words of their names are, such as `{name}` of `{whole}`"
    ))
}

/// The names of the hosts of a fabric, and a note about those that are left out.
fn names(by_name: &[ByName], common: bool) -> Result<(Vec<String>, Option<String>), PlanesError> {
    let mut missing = BTreeMap::new();
    for (other, has) in by_name.iter().enumerate() {
        for name in has.keys() {
            if let Some(plane) = by_name.iter().position(|plane| !plane.contains_key(name)) {
                missing.entry(name).or_insert((plane + 1, other + 1));
            }
        }
    }
    // Hosts of the first planes are named first.
    let example = missing.iter().min_by_key(|(_, (_, other))| *other);
    if let Some((name, (plane, other))) = example.filter(|_| !common) {
        return Err(PlanesError::Missing { name: (*name).clone(), plane: *plane, other: *other });
    }
    let mut names: Vec<(Host, &String)> =
        by_name[0].iter().map(|(name, host)| (*host, name)).collect();
    names.retain(|(_, name)| !missing.contains_key(*name));
    names.sort_unstable();
    if names.is_empty() {
        return Err(PlanesError::NothingInCommon);
    }
    let note = example.map(|(name, (plane, _))| {
        let hosts = if missing.len() == 1 { "host" } else { "hosts" };
        let (count, name) = (missing.len(), quote(name));
        format!("left out {count} {hosts} that not all planes have, such as `{name}`, which plane {plane} lacks")
    });
    Ok((names.into_iter().map(|(_, name)| name.clone()).collect(), note))
}

#[cfg(test)]
mod tests;
