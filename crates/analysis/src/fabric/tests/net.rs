//! Networks in the making, from trees or pods, that tests change by name.

use std::collections::{BTreeMap, BTreeSet};

use crate::failure;
use crate::rational::Rational;
use crate::topology::{NetworkBuilder, Topology, generate};

/// A network in the making: hosts, switches with their level, cables from lower to upper.
#[derive(Clone, Default)]
pub(super) struct Net {
    pub(super) hosts: Vec<String>,
    pub(super) switches: Vec<(String, u8)>,
    pub(super) cables: Vec<(String, String)>,
}

impl Net {
    /// Pods of leaf switches and spines with parallel cables; spine i and i + spines/2 of every pod lead to the same
    /// plane of top switches.
    pub(super) fn of_pods(
        [pods, leaves, hosts, spines, tops]: [usize; 5],
        parallel: usize,
    ) -> Self {
        let mut net = Self::default();
        for pod in 0..pods {
            for leaf in (0..leaves).map(|leaf| format!("leaf-{pod}-{leaf}")) {
                net.switches.push((leaf.clone(), 1));
                for host in 0..hosts {
                    net.add_host(&format!("host-{leaf}-{host}"), &leaf);
                }
                for spine in 0..spines {
                    let cable = (leaf.clone(), format!("spine-{pod}-{spine}"));
                    net.cables.extend(vec![cable; parallel]);
                }
            }
            for spine in 0..spines {
                net.switches.push((format!("spine-{pod}-{spine}"), 2));
                let plane = spine % (spines / 2);
                let to = |top| (format!("spine-{pod}-{spine}"), format!("top-{plane}-{top}"));
                net.cables.extend((0..tops).map(to));
            }
        }
        for plane in 0..spines / 2 {
            net.switches.extend((0..tops).map(|top| (format!("top-{plane}-{top}"), 3)));
        }
        net
    }

    /// A generated tree with parallel cables between switches.
    pub(super) fn of_tree(spec: &str, parallel: usize) -> Self {
        let tree = generate(spec).unwrap();
        let name = |node: u32| tree.node(node).name.clone();
        let mut net = Self::default();
        for node in tree.node_numbers() {
            match tree.node(node).level {
                0 => net.hosts.push(name(node)),
                level => net.switches.push((name(node), level)),
            }
        }
        for cable in failure::cables(&tree) {
            let [a, b] = cable.ends.map(|(node, _)| node);
            let (low, high) = if tree.node(a).level < tree.node(b).level { (a, b) } else { (b, a) };
            let count = if tree.node(low).level == 0 { 1 } else { parallel };
            net.cables.extend(vec![(name(low), name(high)); count]);
        }
        net
    }

    pub(super) fn add_host(&mut self, host: &str, switch: &str) {
        self.hosts.push(host.to_string());
        self.cables.push((host.to_string(), switch.to_string()));
    }

    pub(super) fn of_level(&self, level: u8) -> Vec<String> {
        let of_level = self.switches.iter().filter(|(_, at)| *at == level);
        of_level.map(|(name, _)| name.clone()).collect()
    }

    pub(super) fn hosts_at(&self, switch: &str) -> Vec<String> {
        let is_host = |name: &String| self.hosts.contains(name);
        let at = self.cables.iter().filter(|(low, high)| high == switch && is_host(low));
        at.map(|(host, _)| host.clone()).collect()
    }

    pub(super) fn remove_host(&mut self, host: &str) {
        self.hosts.retain(|name| name != host);
        self.cables.retain(|(low, _)| low != host);
    }

    /// Number of cables between switches by their ends.
    pub(super) fn bundles(&self) -> BTreeMap<(String, String), usize> {
        let mut bundles = BTreeMap::new();
        let hosts: BTreeSet<&String> = self.hosts.iter().collect();
        for cable in self.cables.iter().filter(|(low, _)| !hosts.contains(low)) {
            *bundles.entry(cable.clone()).or_default() += 1;
        }
        bundles
    }

    pub(super) fn build(&self) -> Topology {
        let mut network = NetworkBuilder::new();
        let hosts = self.hosts.iter().map(|name| (name.clone(), true));
        let switches = self.switches.iter().map(|(name, _)| (name.clone(), false));
        let mut keys = BTreeMap::new();
        for (name, is_host) in hosts.chain(switches) {
            let key = if is_host { network.host(&*name) } else { network.switch(&*name) };
            keys.insert(name, key);
        }
        for (low, high) in &self.cables {
            network.cable(keys[low], keys[high], Rational::ONE);
        }
        network.build("planted").unwrap()
    }
}
