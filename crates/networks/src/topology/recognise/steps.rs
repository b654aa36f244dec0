//! The cables of a network step by step, and the neighbour counts.

use petgraph::visit::EdgeRef;

use super::NoTree;
use crate::advice::{Advice, Remedy};
use crate::integer::index32;
use crate::rational::Rational;
use crate::topology::{LinkId, MAX_HEIGHT, NodeId, NodeKind, Topology, link_number, node_number};

/// An up link and the link back between the same nodes, between the same ports where these are
/// known.
#[derive(Clone, Copy, Debug)]
pub(super) struct Cable {
    pub child: NodeId,
    pub parent: NodeId,
    pub up: LinkId,
    pub down: LinkId,
}

/// A parent as seen from a child.
#[derive(Clone, Copy, Debug)]
pub(super) struct Parent {
    pub node: NodeId,
    /// Lowest port of the child that leads to it.
    port: u32,
    /// Index of the first of the cables that lead to it, and their number.
    pub cables: (usize, usize),
}

/// A network whose links join neighbouring levels and whose nodes of a level have equal counts.
#[derive(Debug)]
pub(super) struct Steps {
    /// m_i.
    pub children: Vec<u64>,
    /// w_i, counting switches.
    pub parents: Vec<u64>,
    /// Parallel cables between a node below the top and a top switch.
    pub cables_to_top: u32,
    /// Capacity of the links of every step, step 1 first.
    pub capacities: Vec<Rational>,
    /// All cables, grouped by child and within it by parent.
    pub cables: Vec<Cable>,
    /// The parents of every node, by port.
    above: Vec<Vec<Parent>>,
    /// The nodes of every level.
    pub level: Vec<Vec<NodeId>>,
}

impl Steps {
    /// O(links · log(links)).
    pub fn of(topology: &Topology) -> Result<Self, NoTree> {
        let level = levels(topology)?;
        let cables = cables(topology)?;
        let mut steps = Self {
            children: Vec::new(),
            parents: Vec::new(),
            cables_to_top: 1,
            capacities: capacities(topology, &cables, level.len() - 1)?,
            above: above(topology, &cables),
            cables,
            level,
        };
        steps.count_neighbours(topology)?;
        steps.count_parallel(topology)?;
        Ok(steps)
    }

    pub fn height(&self) -> usize {
        self.level.len() - 1
    }

    pub fn parents_of(&self, node: NodeId) -> &[Parent] {
        &self.above[node as usize]
    }

    /// The error that the neighbour counts are those of a different tree.
    pub fn wrong_size(&self) -> NoTree {
        let list = |numbers: &[u64]| {
            let numbers: Vec<String> = numbers.iter().map(u64::to_string).collect();
            numbers.join(",")
        };
        let (m, w) = (list(&self.children), list(&self.parents));
        NoTree::Size { shape: format!("xgft({};{m};{w})", self.height()) }
    }

    fn count_neighbours(&mut self, topology: &Topology) -> Result<(), NoTree> {
        let mut below = vec![0; topology.nodes()];
        for parent in self.above.iter().flatten() {
            below[parent.node as usize] += 1;
        }
        for step in 1..=self.height() {
            let above = |node: &NodeId| self.above[*node as usize].len();
            let parents = even(topology, &self.level[step - 1], "switches above", above)?;
            let below = |node: &NodeId| below[*node as usize];
            let children = even(topology, &self.level[step], "neighbours below", below)?;
            self.parents.push(parents);
            self.children.push(children);
        }
        Ok(())
    }

    fn count_parallel(&mut self, topology: &Topology) -> Result<(), NoTree> {
        let height = self.height();
        for (step, nodes) in self.level[..height].iter().enumerate() {
            let bundles = || nodes.iter().flat_map(|node| self.parents_of(*node));
            let wanted = bundles().next().map_or(1, |parent| parent.cables.1);
            if let Some(odd) = bundles().find(|parent| parent.cables.1 != wanted) {
                let (child, parent) = self.ends(topology, odd);
                let found = odd.cables.1;
                return Err(NoTree::Bundles { child, parent, found, wanted });
            }
            if step + 1 == height {
                self.cables_to_top = index32(wanted);
            } else if wanted > 1 {
                let first = bundles().next().map(|parent| self.ends(topology, parent));
                let (child, parent) = first.unwrap_or_default();
                let words =
                    "merge parallel cables, so that each bundle is one link of their capacity";
                let advice = Advice::new(words, &[Remedy::MergeCables]);
                return Err(NoTree::BundlesBelow { child, parent, cables: wanted, advice });
            }
        }
        Ok(())
    }

    fn ends(&self, topology: &Topology, parent: &Parent) -> (String, String) {
        let child = self.cables[parent.cables.0].child;
        (name(topology, child), name(topology, parent.node))
    }
}

pub(super) fn name(topology: &Topology, node: NodeId) -> String {
    topology.node(node).name.clone()
}

/// The nodes of every level; level 0 must hold all hosts and nothing else.
fn levels(topology: &Topology) -> Result<Vec<Vec<NodeId>>, NoTree> {
    let height = topology.graph().node_weights().map(|node| node.level).max().unwrap_or(0);
    if height == 0 {
        return Err(NoTree::NoSwitch);
    }
    if usize::from(height) > MAX_HEIGHT {
        return Err(NoTree::TooHigh(height));
    }
    if topology.hosts() == 1 {
        return Err(NoTree::OneHost);
    }
    let mut level = vec![Vec::new(); usize::from(height) + 1];
    for (id, node) in topology.graph().node_weights().enumerate() {
        if (node.level == 0) != (node.kind == NodeKind::Host) {
            return Err(NoTree::Wiring { node: node.name.clone() });
        }
        level[usize::from(node.level)].push(node_number(id));
    }
    Ok(level)
}

/// Pairs every up link with a down link. Where ports are known, that is the other direction of its
/// cable: both have the same ports, hence the same place among the links of the two nodes.
fn cables(topology: &Topology) -> Result<Vec<Cable>, NoTree> {
    let mut ways = [Vec::new(), Vec::new()];
    for edge in topology.graph().edge_references() {
        let (from, to) = (node_number(edge.source().index()), node_number(edge.target().index()));
        let (id, link) = (link_number(edge.id().index()), edge.weight());
        let levels = (topology.node(from).level, topology.node(to).level);
        let (ports, back) = ((link.from_port, link.to_port), (link.to_port, link.from_port));
        match (i16::from(levels.1)) - i16::from(levels.0) {
            1 => ways[0].push(((from, to), ports, id)),
            -1 => ways[1].push(((to, from), back, id)),
            _ => {
                let (link, (from, to)) = (topology.link_name(id), levels);
                return Err(NoTree::Sideways { link, from, to });
            }
        }
    }
    for way in &mut ways {
        way.sort_unstable();
    }
    let [up, down] = &ways;
    let differs = |at: &usize| up.get(*at).map(|way| way.0) != down.get(*at).map(|way| way.0);
    if let Some(at) = (0..up.len().max(down.len())).find(differs) {
        let ends = up.get(at).into_iter().chain(down.get(at)).map(|way| way.0).min();
        let (child, parent) = ends.unwrap_or_default();
        let (from, to) = (name(topology, child), name(topology, parent));
        return Err(NoTree::OneWay { from, to });
    }
    let both = up.iter().zip(down);
    let cable = |(((child, parent), _, up), (.., down)): (&Way, &Way)| Cable {
        child: *child,
        parent: *parent,
        up: *up,
        down: *down,
    };
    Ok(both.map(cable).collect())
}

/// For every step, the capacity shared by all its links, in both directions.
fn capacities(
    topology: &Topology,
    cables: &[Cable],
    height: usize,
) -> Result<Vec<Rational>, NoTree> {
    let mut first = vec![None; height];
    for Cable { child, up, down, .. } in cables {
        let first = &mut first[usize::from(topology.node(*child).level)];
        for link in [*up, *down] {
            let other = *first.get_or_insert(link);
            let [capacity, wanted] = [link, other].map(|link| &topology.link(link).capacity);
            if capacity != wanted {
                let [link, other] = [link, other].map(|link| topology.link_name(link));
                let capacities = Box::new([capacity.clone(), wanted.clone()]);
                let advice = Advice::IGNORE_CAPACITIES;
                return Err(NoTree::Capacity { link, other, capacities, advice });
            }
        }
    }
    // Levels are distances: links lead up to each of them.
    let capacity = |link: Option<LinkId>| {
        topology.link(link.expect("every level has a link up")).capacity.clone()
    };
    Ok(first.into_iter().map(capacity).collect())
}

/// Child and parent, their ports, and the link between them.
type Way = ((NodeId, NodeId), (u32, u32), LinkId);

/// The parents of every node, by port.
fn above(topology: &Topology, cables: &[Cable]) -> Vec<Vec<Parent>> {
    let mut above: Vec<Vec<Parent>> = vec![Vec::new(); topology.nodes()];
    let mut start = 0;
    for bundle in cables.chunk_by(|a, b| (a.child, a.parent) == (b.child, b.parent)) {
        let Cable { child, parent, up, .. } = bundle[0];
        let (port, cables) = (topology.link(up).from_port, (start, bundle.len()));
        above[child as usize].push(Parent { node: parent, port, cables });
        start += bundle.len();
    }
    for parents in &mut above {
        parents.sort_by_key(|parent| (parent.port, parent.node));
    }
    above
}

/// The count shared by all nodes of a level.
fn even(
    topology: &Topology,
    nodes: &[NodeId],
    what: &'static str,
    count: impl Fn(&NodeId) -> usize,
) -> Result<u64, NoTree> {
    // Levels are distances: none of them is empty.
    let Some(first) = nodes.first() else { return Ok(0) };
    let wanted = count(first);
    match nodes.iter().find(|node| count(node) != wanted) {
        None => Ok(wanted as u64),
        Some(node) => Err(NoTree::Uneven {
            node: name(topology, *node),
            found: count(node),
            what,
            other: name(topology, *first),
            wanted,
        }),
    }
}
