//! The switches of Slurm: `topology.conf` and `topology.yaml`, which the readers of jobs read back.
//!
//! ```text
//! SwitchName=sw-1-0 Nodes=host-[0-3]
//! SwitchName=level2-1 Switches=sw-1-[0-3]
//! ```
//!
//! Slurm knows a tree: a node is at one switch, and a switch below one other. Switches with nodes are those of the
//! network; where the adapters of a node are at several, such as one for each rail, these are one, called by the first.
//! A switch that is joined to no other, such as one for storage, says nothing about the nodes at it that are at other
//! switches too, unless all of these are such.
//! Above them, whatever cables up to a level join is one switch: `level2-1` is the first pod, whatever number of
//! switches it has at level 2. Cables, ports and speeds are not part of the format. Adapters whose descriptions do not
//! name a node, such as those of the factory, are left out, and a comment says so.

use std::collections::hash_map::Entry;
use std::collections::{BTreeMap, HashMap, HashSet};
use std::io::Write;

use petgraph::unionfind::UnionFind;

use super::{ExportError, compact, printable};
use crate::quote::quote;
use crate::registry::Kind;
use crate::topology::{Host, NodeId, Topology, adapter};

pub(super) const CONF: Kind<super::Export> = Kind {
    name: "slurm-conf",
    usage: "topo TOPOLOGY --format slurm-conf",
    about: "topology.conf of Slurm: leaf switches with their nodes, and what the levels above join",
    reference: "topology.conf(5), slurm.schedmd.com/topology.conf.html",
    examples: &["ft(4,2)", "ft(8,3)"],
    build: write_conf,
};

pub(super) const YAML: Kind<super::Export> = Kind {
    name: "slurm-yaml",
    usage: "topo TOPOLOGY --format slurm-yaml",
    about: "topology.yaml of Slurm 25.05 and newer: the same as topology.conf",
    reference: "topology.yaml(5), slurm.schedmd.com/topology.yaml.html",
    examples: &["ft(4,2)", "ft(8,3)"],
    build: write_yaml,
};

/// A switch of Slurm.
#[derive(Debug, PartialEq, Eq)]
struct Switch {
    name: String,
    /// Whether nodes are below it; if not, switches are.
    is_leaf: bool,
    below: Vec<String>,
}

fn write_conf(topology: &Topology, out: &mut dyn Write) -> Result<(), ExportError> {
    let nodes = Nodes::of(topology, CONF.name)?;
    nodes.write_head(out)?;
    for Switch { name, is_leaf, below } in switches(topology, nodes) {
        let key = if is_leaf { "Nodes" } else { "Switches" };
        writeln!(out, "SwitchName={name} {key}={}", compact(below.iter().map(String::as_str)))?;
    }
    Ok(())
}

fn write_yaml(topology: &Topology, out: &mut dyn Write) -> Result<(), ExportError> {
    let nodes = Nodes::of(topology, YAML.name)?;
    nodes.write_head(out)?;
    writeln!(out, "---\n- topology: default\n  cluster_default: true\n  tree:\n    switches:")?;
    for Switch { name, is_leaf, below } in switches(topology, nodes) {
        let key = if is_leaf { "nodes" } else { "children" };
        let below = compact(below.iter().map(String::as_str));
        writeln!(out, "      - switch: \"{name}\"\n        {key}: \"{below}\"")?;
    }
    Ok(())
}

/// The switches, those with nodes first. O(links · levels).
fn switches(topology: &Topology, nodes: Nodes) -> Vec<Switch> {
    let Nodes { named: nodes, mut joined, .. } = nodes;
    // A switch with nodes, by the lowest of those that it stands for.
    let mut lowest: HashMap<usize, NodeId> = HashMap::new();
    for switch in topology.node_numbers().skip(topology.hosts()) {
        lowest.entry(joined.find(switch as usize)).or_insert(switch);
    }
    let mut at: BTreeMap<NodeId, Vec<String>> = BTreeMap::new();
    for (node, switch) in nodes {
        let first = lowest.get(&joined.find(switch as usize)).copied().unwrap_or(switch);
        at.entry(first).or_default().push(node.to_string());
    }
    let first: Vec<NodeId> = at.keys().copied().collect();
    let named = names(topology, &first);
    // What is not yet below another, with one of the switches that it stands for.
    let mut top: Vec<(String, NodeId)> = named.iter().cloned().zip(first).collect();
    let leaf = |(name, below)| Switch { name, is_leaf: true, below };
    let mut switches: Vec<Switch> = named.into_iter().zip(at.into_values()).map(leaf).collect();
    let level_of = |node: NodeId| topology.shown_level(node);
    let height = topology.node_numbers().map(level_of).max().unwrap_or(0);
    // Above the highest level come cables within it, as in networks that are not trees.
    for level in 2..=height.saturating_add(1) {
        for (from, to) in topology.link_numbers().filter_map(|link| topology.ends(link)) {
            let is_below = |node: NodeId| is_switch(topology, node) && level_of(node) <= level;
            if is_below(from) && is_below(to) {
                joined.union(from as usize, to as usize);
            }
        }
        top = above(top, level, &mut joined, &mut switches);
    }
    switches
}

/// Puts what is joined now below one switch; returns what is below none then.
fn above(
    top: Vec<(String, NodeId)>,
    level: u8,
    joined: &mut UnionFind<usize>,
    switches: &mut Vec<Switch>,
) -> Vec<(String, NodeId)> {
    let mut groups: Vec<Vec<(String, NodeId)>> = Vec::new();
    let mut place: HashMap<usize, usize> = HashMap::new();
    for one in top {
        let group = *place.entry(joined.find(one.1 as usize)).or_insert(groups.len());
        if group == groups.len() {
            groups.push(Vec::new());
        }
        groups[group].push(one);
    }
    let mut top = Vec::new();
    let mut count = 0_u64;
    for group in groups {
        if let [(_, switch), _, ..] = group[..] {
            count += 1;
            let name = format!("level{level}-{count}");
            let below = group.into_iter().map(|(name, _)| name).collect();
            switches.push(Switch { name: name.clone(), is_leaf: false, below });
            top.push((name, switch));
        } else {
            top.extend(group);
        }
    }
    top
}

fn is_switch(topology: &Topology, node: NodeId) -> bool {
    node as usize >= topology.hosts()
}

/// The nodes of a network.
struct Nodes<'t> {
    /// Names of the nodes with a switch of each, in the order of the hosts.
    named: Vec<(&'t str, NodeId)>,
    /// Switches by what joins them: those of a node are joined.
    joined: UnionFind<usize>,
    /// Names of hosts that do not name a node.
    left_out: Vec<&'t str>,
    /// Names of switches that say nothing about some node.
    ignored: BTreeMap<NodeId, &'t str>,
}

impl<'t> Nodes<'t> {
    fn of(topology: &'t Topology, format: &'static str) -> Result<Self, ExportError> {
        let joined = UnionFind::new(topology.nodes());
        let (named, left_out, ignored) = Default::default();
        let mut found = Self { named, joined, left_out, ignored };
        // The place of a node among all, and whether it is known by adapters.
        let mut known: HashMap<&str, (usize, bool)> = HashMap::new();
        let mut nodes: Vec<(&str, Vec<NodeId>)> = Vec::new();
        for host in topology.host_numbers() {
            let name = &*topology.node(host).name;
            let (node, is_adapter) = adapter(name).map_or((name, false), |(node, _)| (node, true));
            if !is_name(node) {
                found.left_out.push(name);
                continue;
            }
            let refused = |problem: &str| {
                let problem = format!("the host `{}` {problem}", quote(name));
                ExportError::does_not_fit(format, topology, problem)
            };
            let peers = switches_of(topology, host).map_err(refused)?;
            match known.entry(node) {
                Entry::Vacant(new) => {
                    new.insert((nodes.len(), is_adapter));
                    nodes.push((node, peers));
                }
                Entry::Occupied(known) if is_adapter && known.get().1 => {
                    nodes[known.get().0].1.extend(peers);
                }
                Entry::Occupied(_) => return Err(refused("has the name of another")),
            }
        }
        let mut linked = vec![false; topology.nodes()];
        for (from, to) in topology.link_numbers().filter_map(|link| topology.ends(link)) {
            linked[from as usize] |= is_switch(topology, to);
        }
        let is_joined = |switch: &NodeId| linked[*switch as usize];
        for (node, mut switches) in nodes {
            if switches.iter().any(is_joined) {
                let alone = switches.extract_if(.., |switch| !is_joined(switch));
                found.ignored.extend(alone.map(|switch| (switch, &*topology.node(switch).name)));
            }
            found.named.push((node, switches[0]));
            for switch in &switches {
                found.joined.union(switches[0] as usize, *switch as usize);
            }
        }
        if found.named.is_empty() {
            let problem = "no host has a name that a node of Slurm can have";
            return Err(ExportError::does_not_fit(format, topology, problem));
        }
        Ok(found)
    }

    fn write_head(&self, out: &mut dyn Write) -> Result<(), ExportError> {
        writeln!(out, "# written by routebound")?;
        if let Some(first) = self.left_out.first() {
            let (count, first) = (self.left_out.len(), printable(first));
            writeln!(
                out,
                "# left out: {count} hosts whose names are not those of nodes, the first: {first}"
            )?;
        }
        if let Some(first) = self.ignored.values().next() {
            let (count, first) = (self.ignored.len(), printable(first));
            writeln!(
                out,
                "# switches joined to no other, ignored for nodes that are at others too: {count}, the first: {first}"
            )?;
        }
        Ok(())
    }
}

/// The switches that a host is joined to, at least one.
fn switches_of(topology: &Topology, host: Host) -> Result<Vec<NodeId>, &'static str> {
    let peers = topology.links_from(host).filter_map(|link| Some(topology.ends(link)?.1));
    let peers: Vec<NodeId> = peers.collect();
    if peers.iter().any(|peer| !is_switch(topology, *peer)) {
        return Err("is joined to another host, and nodes of Slurm are at switches only");
    }
    if peers.is_empty() { Err("is at no switch") } else { Ok(peers) }
}

/// The names of switches where Slurm can have them, else numbers.
fn names(topology: &Topology, switches: &[NodeId]) -> Vec<String> {
    let own: Vec<&str> = switches.iter().map(|node| &*topology.node(*node).name).collect();
    let different: HashSet<&str> = own.iter().copied().collect();
    let fits = |name: &&str| is_name(name) && !name.starts_with("level");
    if different.len() == own.len() && own.iter().all(fits) {
        return own.into_iter().map(String::from).collect();
    }
    (1..=own.len()).map(|number| format!("leaf-{number}")).collect()
}

/// Whether Slurm takes a text as a name, also in lists.
fn is_name(name: &str) -> bool {
    let is_plain = |c: char| c.is_ascii_alphanumeric() || "-_.".contains(c);
    name.starts_with(|c: char| c.is_ascii_alphabetic()) && name.chars().all(is_plain)
}

#[cfg(test)]
mod tests {
    use std::fs;

    use super::super::tests::{exported, refused};
    use super::*;
    use crate::import::jobs;
    use crate::rational::Rational;
    use crate::topology::{NetworkBuilder, generate};

    /// What the reader of jobs finds in the file that a format writes: groups with their nodes.
    fn read_back(format: &str, topology: &Topology) -> Vec<(String, String)> {
        let file = tempfile::NamedTempFile::new().unwrap();
        fs::write(file.path(), exported(format, topology).unwrap()).unwrap();
        let found = jobs::read(file.path().to_str().unwrap()).unwrap();
        assert!(found.is_layout);
        assert_eq!(found.format, format.replace("slurm-", "topology."));
        found.jobs.into_iter().map(|job| (job.name, job.nodes)).collect()
    }

    #[test]
    fn both_formats_are_read_back() {
        let tree = generate("ft(8,3)").unwrap();
        let groups = read_back("slurm-conf", &tree);
        assert_eq!(groups.len(), 32);
        assert_eq!(groups[1], ("sw-1-1".to_string(), "host-[4-7]".to_string()));
        assert_eq!(read_back("slurm-yaml", &tree), groups);
    }

    #[test]
    fn pods_are_switches_above_leaves() {
        let text = exported("slurm-conf", &generate("ft(4,3)").unwrap()).unwrap();
        let expected = "# written by routebound\n\
            SwitchName=sw-1-0 Nodes=host-[0-1]\nSwitchName=sw-1-1 Nodes=host-[2-3]\n\
            SwitchName=sw-1-2 Nodes=host-[4-5]\nSwitchName=sw-1-3 Nodes=host-[6-7]\n\
            SwitchName=sw-1-4 Nodes=host-[8-9]\nSwitchName=sw-1-5 Nodes=host-[10-11]\n\
            SwitchName=sw-1-6 Nodes=host-[12-13]\nSwitchName=sw-1-7 Nodes=host-[14-15]\n\
            SwitchName=level2-1 Switches=sw-1-[0-1]\nSwitchName=level2-2 Switches=sw-1-[2-3]\n\
            SwitchName=level2-3 Switches=sw-1-[4-5]\nSwitchName=level2-4 Switches=sw-1-[6-7]\n\
            SwitchName=level3-1 Switches=level2-[1-4]\n";
        assert_eq!(text, expected);
    }

    /// Two rails of a node, at a switch each.
    fn rails(names: [&str; 4]) -> Topology {
        let mut network = NetworkBuilder::new();
        let [a, b, spine] = ["MF0;a:1", "MF0;b:1", "spine"].map(|name| network.switch(name));
        for (name, leaf) in names.into_iter().zip([a, b, a, b]) {
            let host = network.host(name);
            network.cable(host, leaf, Rational::ONE);
        }
        for leaf in [a, b] {
            network.cable(leaf, spine, Rational::ONE);
        }
        network.build("rails").unwrap().recognised()
    }

    #[test]
    fn switches_of_rails_are_one() {
        let network = rails(["gpu-1 HCA-1", "gpu-1 HCA-2", "gpu-2 HCA-1", "gpu-2 HCA-2"]);
        let groups = [("leaf-1".to_string(), "gpu-[1-2]".to_string())];
        assert_eq!(read_back("slurm-conf", &network), groups);
    }

    #[test]
    fn a_switch_that_is_joined_to_no_other_joins_nothing() {
        let mut network = NetworkBuilder::new();
        let [a, b, spine, storage] =
            ["a", "b", "spine", "storage"].map(|name| network.switch(name));
        for (node, leaf) in [("x1", a), ("x2", a), ("y1", b), ("y2", b)] {
            for (device, switch) in [("mlx5_0", leaf), ("mlx5_1", storage)] {
                let host = network.host(format!("{node} {device}"));
                network.cable(host, switch, Rational::ONE);
            }
        }
        // A node that is at the switch for storage only keeps it.
        let host = network.host("z mlx5_1");
        network.cable(host, storage, Rational::ONE);
        for leaf in [a, b] {
            network.cable(leaf, spine, Rational::ONE);
        }
        let text = exported("slurm-conf", &network.build("storage").unwrap().recognised()).unwrap();
        let expected = "# written by routebound\n\
            # switches joined to no other, ignored for nodes that are at others too: 1, the first: storage\n\
            SwitchName=a Nodes=x[1-2]\nSwitchName=b Nodes=y[1-2]\n\
            SwitchName=storage Nodes=z\nSwitchName=level2-1 Switches=a,b\n";
        assert_eq!(text, expected);
        // Two rails at one switch each, joined to nothing: they are one.
        let mut network = NetworkBuilder::new();
        let rails = ["rail-1", "rail-2"].map(|name| network.switch(name));
        for node in ["n1", "n2"] {
            for (device, rail) in ["mlx5_0", "mlx5_1"].into_iter().zip(rails) {
                let host = network.host(format!("{node} {device}"));
                network.cable(host, rail, Rational::ONE);
            }
        }
        let text = exported("slurm-conf", &network.build("rails").unwrap().recognised()).unwrap();
        assert_eq!(text, "# written by routebound\nSwitchName=rail-1 Nodes=n[1-2]\n");
    }

    #[test]
    fn hosts_that_do_not_name_a_node_are_left_out() {
        let text = exported("slurm-conf", &rails(["a 1 2", "b", "17", "c"])).unwrap();
        let expected = "# written by routebound\n\
            # left out: 2 hosts whose names are not those of nodes, the first: a 1 2\n\
            SwitchName=leaf-1 Nodes=b,c\n";
        assert_eq!(text, expected);
    }

    #[test]
    fn what_slurm_cannot_hold_is_refused() {
        for (names, says) in [
            (["a", "a", "b", "c"], "the host `a` has the name of another"),
            (["a", "b", "a", "c"], "the host `a` has the name of another"),
            (["1", "2", "3", "4"], "no host has a name"),
        ] {
            refused("slurm-yaml", &rails(names), says);
        }
        let backbone = {
            let mut network = NetworkBuilder::new();
            let [a, b] = ["a", "b"].map(|name| network.host(name));
            network.cable(a, b, Rational::ONE);
            network.build("two").unwrap()
        };
        refused("slurm-conf", &backbone, "at switches only");
    }
}
