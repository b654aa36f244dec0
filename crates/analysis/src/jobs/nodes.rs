//! The hosts of a fabric by node: adapters of one node are its rails.

use std::collections::BTreeMap;

use crate::fabric::adapter;
use crate::topology::{Host, Topology};

/// A node of a fabric.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Node {
    /// Name of the node.
    pub name: String,
    /// Adapters of the node, one place for each rail; at least one is there.
    pub adapters: Vec<Option<Host>>,
}

/// The nodes of a fabric.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Nodes {
    /// Names of the devices of every rail: `HCA-1`, or `HCA-1, mlx5_0` where nodes differ. A fabric of
    /// hosts with one adapter has one rail without a name.
    pub rails: Vec<String>,
    /// The nodes in the order of their names, numbers in them by value.
    pub nodes: Vec<Node>,
}

/// A name in pieces that compare as people count: texts as they are, numbers by value.
type Pieces<'a> = Vec<(&'a str, u128, &'a str)>;

impl Node {
    /// The adapters of the node.
    pub fn hosts(&self) -> impl Iterator<Item = Host> {
        self.adapters.iter().flatten().copied()
    }

    /// Adds an adapter: on its rail, or on the next one that is free where two devices claim one.
    fn put(&mut self, host: Host, rail: usize) {
        let free = self.adapters[rail..].iter().position(Option::is_none);
        match free.map(|after| rail + after) {
            Some(rail) => self.adapters[rail] = Some(host),
            None => self.adapters.push(Some(host)),
        }
    }
}

impl Nodes {
    /// Groups the hosts of a fabric. A host whose name is `NODE DEVICE`, such as `gpu-07 HCA-2` or
    /// `gpu-07 mlx5_1`, is an adapter of the node; any other is a node of its own, on the first rail. Devices
    /// are families by what precedes their number, and the rail of a device is its place among those of
    /// its family in the whole fabric: with `HCA-1`, `HCA-2`, `HCA-5`, `HCA-6` and `mlx5_0`, `mlx5_1`,
    /// `mlx5_4`, `mlx5_5` there are four rails, and `HCA-5` and `mlx5_4` are on the third.
    /// O(hosts · log(hosts)).
    ///
    /// ```
    /// # use routebound_analysis as routebound;
    /// use routebound::{jobs::Nodes, rational::Rational, topology::NetworkBuilder};
    /// let mut network = NetworkBuilder::new();
    /// let leaf = network.switch("leaf");
    /// for name in ["b mlx5_0", "b mlx5_1", "a2 HCA-1", "a2 HCA-5", "a10 HCA-5"] {
    ///     let host = network.host(name);
    ///     network.cable(host, leaf, Rational::ONE);
    /// }
    /// let nodes = Nodes::of(&network.build("two rails")?);
    /// assert_eq!(nodes.rails, ["HCA-1, mlx5_0", "HCA-5, mlx5_1"]);
    /// let shown: Vec<_> = nodes.nodes.iter().map(|node| (&node.name[..], &node.adapters[..])).collect();
    /// assert_eq!(shown, [("a2", &[Some(2), Some(3)][..]), ("a10", &[None, Some(4)]), ("b", &[Some(0), Some(1)])]);
    /// # Ok::<(), routebound::topology::TopologyError>(())
    /// ```
    #[must_use]
    pub fn of(topology: &Topology) -> Self {
        let hosts = || topology.host_numbers().map(|host| (host, &*topology.node(host).name));
        let mut families: BTreeMap<&str, Vec<(u128, &str)>> = BTreeMap::new();
        for (_, device) in hosts().filter_map(|(_, name)| adapter(name)) {
            families.entry(family(device).0).or_default().push((family(device).1, device));
        }
        for devices in families.values_mut() {
            devices.sort_unstable();
            devices.dedup();
        }
        let rails = families.values().map(Vec::len).max().unwrap_or(1);
        let rail = |device: &str| {
            let (of, number) = family(device);
            families[of].binary_search(&(number, device)).unwrap_or_default()
        };
        let mut nodes: BTreeMap<(Pieces, usize), Node> = BTreeMap::new();
        for (host, name) in hosts() {
            // A node that is not an adapter is alone, even if another one has its name.
            let (node, rail, alone) = match adapter(name) {
                Some((node, device)) => (node, rail(device), 0),
                None => (name, 0, host as usize + 1),
            };
            let empty = || Node { name: node.to_string(), adapters: vec![None; rails] };
            nodes.entry((pieces(node), alone)).or_insert_with(empty).put(host, rail);
        }
        let mut nodes: Vec<Node> = nodes.into_values().collect();
        let rails = nodes.iter().map(|node| node.adapters.len()).max().unwrap_or(rails);
        for node in &mut nodes {
            node.adapters.resize(rails, None);
        }
        let names = (0..rails).map(|rail| {
            let devices = families.values().filter_map(|devices| Some(devices.get(rail)?.1));
            devices.collect::<Vec<_>>().join(", ")
        });
        Self { rails: names.collect(), nodes }
    }
}

/// What precedes the number at the end of a device, and the number.
fn family(device: &str) -> (&str, u128) {
    let name = device.trim_end_matches(|last: char| last.is_ascii_digit());
    (name, device[name.len()..].parse().unwrap_or(u128::MAX))
}

fn pieces(name: &str) -> Pieces<'_> {
    let mut pieces = Vec::new();
    let mut rest = name;
    while !rest.is_empty() {
        let digit = |c: char| c.is_ascii_digit();
        let (text, tail) = rest.split_at(rest.find(digit).unwrap_or(rest.len()));
        let (digits, tail) = tail.split_at(tail.find(|c| !digit(c)).unwrap_or(tail.len()));
        let number = if digits.is_empty() { Ok(0) } else { digits.parse() };
        pieces.push((text, number.unwrap_or(u128::MAX), digits));
        rest = tail;
    }
    pieces
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn nodes_of_a_tree_are_its_hosts() {
        let nodes = Nodes::of(&crate::topology::generate("ft(8,2)").unwrap());
        assert_eq!(nodes.rails, [""]);
        let hosts: Vec<_> = nodes.nodes.iter().flat_map(Node::hosts).collect();
        assert_eq!(hosts, (0..32).collect::<Vec<_>>());
    }

    #[test]
    fn no_adapter_is_lost() {
        use crate::rational::Rational;
        let mut network = crate::topology::NetworkBuilder::new();
        let leaf = network.switch("leaf");
        for name in ["a mlx5_0", "a eth0", "a ib0", "b mlx5_0"] {
            let host = network.host(name);
            network.cable(host, leaf, Rational::ONE);
        }
        let nodes = Nodes::of(&network.build("families").unwrap());
        let adapters: Vec<_> = nodes.nodes.iter().map(|node| node.adapters.clone()).collect();
        assert_eq!(adapters, [vec![Some(0), Some(1), Some(2)], vec![Some(3), None, None]]);
        assert_eq!(nodes.rails.len(), 3);
    }

    #[test]
    fn numbers_in_names_count_by_value() {
        assert!(pieces("dgx-2-c10") < pieces("dgx-10-c1"));
        assert!(pieces("a") < pieces("a1") && pieces("a01") != pieces("a1"));
    }
}
