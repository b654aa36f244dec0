//! From a checked [`Listing`] to a [`Topology`].
//!
//! **Nodes.** If the file distinguishes hosts from switches, nodes have these kinds; otherwise
//! every node is a host that also forwards, like the routers of a backbone. Hosts are numbered in
//! file order, or by id if all ids are integers, so that row i of a matrix is node i whatever the
//! order of the file.
//!
//! **Links.** A directed link is one link. An undirected one is read according to [`LinkModel`].
//! Parallel links stay separate. All capacities are as written: if one link has a capacity, all
//! need one; if none has, each is 1. Weights count where every link has a positive one, which both
//! directions then have; otherwise they are ignored, with a note.
//!
//! **Shared capacity.** Two directed links cannot share a capacity c. Instead, two switches x
//! and y stand between u and v, with the links u→x, v→x, x→y, y→u and y→v, each of capacity c.
//! All traffic of the undirected link, both ways, crosses x→y. No other of the five carries
//! more than x→y does, so none of them is ever the bottleneck: no unlimited capacity is
//! needed, and max load, optu and every ratio are those of the undirected network. A hop in
//! the file becomes three links here, with a third of its weight each.

use std::collections::HashMap;

use petgraph::algo::connected_components;
use petgraph::graph::DiGraph;

use super::listing::{ListedLink, Listing};
use super::{ImportError, LinkModel, Problem, Result};
use crate::advice::Advice;
use crate::limit::within;
use crate::rational::Rational;
use crate::topology::{
    Inconsistency, Link, NetworkBuilder, Node, NodeKey, NodeKind, Topology, TopologyError,
};

/// Ports of a link: at its sending and its receiving node.
type Ports = (u32, u32);

impl Listing<'_> {
    /// Builds the network.
    ///
    /// # Errors
    /// [`ImportError::Place`] at the first node or link that is inconsistent with the others;
    /// [`ImportError::TooLarge`]; [`ImportError::Topology`] if there is no link or no host.
    pub fn into_topology(mut self) -> Result<Topology> {
        self.check_nodes()?;
        self.check_links()?;
        let capacities = self.capacities()?;
        self.settle_weights();
        let order = self.order();
        let mut network = NetworkBuilder::new();
        let nodes = self.add_nodes(&mut network, &order);
        let ports = self.ports();
        for (at, link) in self.links.iter().enumerate() {
            let ends = [(link.ends.0, ports[at].0), (link.ends.1, ports[at].1)];
            let ends = ends.map(|(node, port)| (&nodes[node], port));
            let model = if link.directed { LinkModel::Directed } else { self.options.link_model };
            let measures = Measures { capacity: &capacities[at], weight: weight(link) };
            add_link(&mut network, at, ends, model, &measures);
        }
        let topology =
            network.build(self.source.path()).map_err(|error| self.placed(error, &order))?;
        self.note_shape(topology.graph());
        self.note_weights(&topology);
        Ok(topology.with_notes(self.notes))
    }

    /// The error with its place in the file, where it has one.
    fn placed(&self, error: TopologyError, order: &[usize]) -> ImportError {
        match error {
            TopologyError::Invalid(Inconsistency::NoHostBelow { node, name }) => {
                // A switch that models a shared capacity is as near as the other ends of its links.
                let place = order.get(node as usize).map_or(0, |listed| self.nodes[*listed].place);
                self.source.error(place, Problem::NoHostBelow { node: name.into() })
            }
            other => other.into(),
        }
    }

    /// Checks that every node named by a link is declared and that all nodes have a kind, or none.
    fn check_nodes(&self) -> Result<()> {
        let some_kind = self.nodes.iter().any(|node| node.kind.is_some());
        for node in &self.nodes {
            let name = || node.id.clone();
            if !node.declared {
                let problem = Problem::UndeclaredNode { node: name().into() };
                return Err(self.source.error(node.place, problem));
            }
            if some_kind && node.kind.is_none() {
                return Err(self
                    .source
                    .error(node.place, Problem::MissingKind { node: name().into() }));
            }
        }
        Ok(())
    }

    fn check_links(&self) -> Result<()> {
        let path = || self.source.path().to_string();
        if self.links.is_empty() {
            return Err(TopologyError::from(Inconsistency::NoLink { path: path() }).into());
        }
        let undirected = self.links.iter().filter(|link| !link.directed).count();
        if undirected == 0 && self.options.link_model == LinkModel::UndirectedShared {
            return Err(ImportError::nothing_shared(path()));
        }
        let factor = match self.options.link_model {
            LinkModel::Bidirected => 2,
            LinkModel::UndirectedShared => 5,
            LinkModel::Directed => 1,
        };
        let size = self.links.len() - undirected + factor * undirected;
        let what = format!("number of directed links of {}", path());
        let remedy = "import a part of the network";
        within(&what, Some(size as u128), Topology::MAX_LINKS, remedy)?;
        Ok(())
    }

    /// The capacity of every link.
    fn capacities(&mut self) -> Result<Vec<Rational>> {
        let links = &self.links;
        let known = links.iter().filter(|link| link.capacity.is_some()).count();
        let is_needed = links.iter().any(|link| link.capacity.is_some() && !link.is_remark);
        let missing = |link: &&ListedLink| link.capacity.is_none() || link.is_remark;
        if is_needed && let Some(link) = links.iter().find(missing) {
            return Err(self
                .source
                .error(link.place, Problem::MissingCapacity(Advice::IGNORE_CAPACITIES)));
        }
        if known == links.len() {
            self.check_units()?;
            let values =
                links.iter().filter_map(|link| Some(link.capacity.as_ref()?.value.clone()));
            return Ok(values.collect());
        }
        if !self.options.unit_capacity {
            self.notes.push(match known {
                0 => "no link has a capacity: each is taken as 1".to_string(),
                _ => format!(
                    "only {known} of {} links have a LinkSpeedRaw: each capacity is taken as 1",
                    links.len()
                ),
            });
        }
        Ok(vec![Rational::ONE; self.links.len()])
    }

    /// Numbers with a unit are in bit/s, others are not: all must have a unit, or none.
    fn check_units(&self) -> Result<()> {
        let has_unit = |link: &ListedLink| link.capacity.as_ref().is_some_and(|c| c.has_unit);
        let first = self.links.first().is_some_and(has_unit);
        match self.links.iter().find(|link| has_unit(link) != first) {
            Some(link) => Err(self.source.error(link.place, Problem::MixedUnits)),
            None => Ok(()),
        }
    }

    /// Keeps the weights only if every link has one that can be used.
    fn settle_weights(&mut self) {
        let line = |link: &ListedLink| self.source.line(link.place);
        let fault = |link: &ListedLink| match &link.weight {
            None => Some(format!("the link at line {} has none", line(link))),
            Some(Err(problem)) => Some(format!("line {}: {problem}", line(link))),
            Some(Ok(_)) => None,
        };
        let some = self.links.iter().any(|link| link.weight.is_some());
        let reason = if some { self.links.iter().find_map(fault) } else { None };
        if let Some(reason) = reason {
            let note = format!("link weights are ignored ({reason}): ecmp and ksp count hops");
            self.notes.push(note);
            self.links.iter_mut().for_each(|link| link.weight = None);
        }
    }

    /// Says that there are weights: who compares results must know which paths are shortest.
    fn note_weights(&mut self, topology: &Topology) {
        // Those of links that share a capacity are in parts.
        let weights = || self.links.iter().filter_map(weight);
        let Some((least, most)) = weights().min().zip(weights().max()) else { return };
        let range =
            if least == most { format!("all {least}") } else { format!("from {least} to {most}") };
        let by_hops = ": shortest paths by weight are those by hops";
        let meaning = if topology.weights_differ() { "" } else { by_hops };
        self.notes.push(format!("links have weights, {range}{meaning}"));
    }

    /// Indices of the listed nodes in network order: hosts first.
    fn order(&self) -> Vec<usize> {
        let integer = |id: &str| id.parse::<u64>().ok().filter(|n| n.to_string() == id);
        let integers: Option<Vec<u64>> = self.nodes.iter().map(|node| integer(&node.id)).collect();
        let mut order: Vec<usize> = (0..self.nodes.len()).collect();
        order.sort_by_key(|at| {
            let node = &self.nodes[*at];
            let number = integers.as_ref().map_or(0, |integers| integers[*at]);
            (node.kind == Some(NodeKind::Switch), number, node.place)
        });
        order
    }

    /// Adds the nodes in this order; returns their names and keys in the order of the file. Nodes
    /// that share a name get their id appended.
    fn add_nodes(&self, network: &mut NetworkBuilder, order: &[usize]) -> Vec<(String, NodeKey)> {
        let mut count: HashMap<&str, usize> = HashMap::new();
        let plain = |at: usize| self.nodes[at].name.as_deref().unwrap_or(&self.nodes[at].id);
        for at in order {
            *count.entry(plain(*at)).or_default() += 1;
        }
        let mut added: Vec<_> = order
            .iter()
            .map(|at| {
                let node = &self.nodes[*at];
                let name = match count.get(plain(*at)) {
                    Some(1) => plain(*at).to_string(),
                    _ => format!("{} ({})", plain(*at), node.id),
                };
                let kind = node.kind.unwrap_or(NodeKind::Host);
                (*at, name.clone(), network.node(kind, name, node.address))
            })
            .collect();
        added.sort_unstable_by_key(|(at, ..)| *at);
        added.into_iter().map(|(_, name, key)| (name, key)).collect()
    }

    /// Ports of every link: those in the file if all links have them. Otherwise every cable takes
    /// the next port of both nodes; opposite directed links are the two directions of a cable.
    fn ports(&self) -> Vec<Ports> {
        let listed: Option<Vec<Ports>> = self.links.iter().map(|link| link.ports).collect();
        if let Some(listed) = listed {
            return listed;
        }
        let mut used = vec![0_u32; self.nodes.len()];
        let mut next = |node: usize| {
            used[node] += 1;
            used[node]
        };
        // How many links lead from u to v, and the ports (at u, at v) of the k-th.
        let mut count: HashMap<(usize, usize), usize> = HashMap::new();
        let mut cables: HashMap<(usize, usize, usize), Ports> = HashMap::new();
        let ports = |link: &ListedLink| {
            let (u, v) = link.ends;
            if !link.directed {
                return (next(u), next(v));
            }
            let k = count.entry((u, v)).or_default();
            *k += 1;
            if let Some((at_v, at_u)) = cables.get(&(v, u, *k)) {
                return (*at_u, *at_v);
            }
            *cables.entry((u, v, *k)).or_insert((next(u), next(v)))
        };
        self.links.iter().map(ports).collect()
    }

    fn note_shape(&mut self, graph: &DiGraph<Node, Link>) {
        if let Some((count, first)) = self.loops {
            self.notes.push(format!(
                "left out {count} links from a node to itself, the first at line {}",
                self.source.line(first)
            ));
        }
        let parts = connected_components(graph);
        if parts > 1 {
            self.notes
                .push(format!("the network is in {parts} parts: no traffic can pass between them"));
        }
    }
}

/// The weight of a link, where it can be used.
fn weight(link: &ListedLink) -> Option<&Rational> {
    link.weight.as_ref().and_then(|weight| weight.as_ref().ok())
}

/// What a link has in each direction.
struct Measures<'l> {
    capacity: &'l Rational,
    weight: Option<&'l Rational>,
}

impl Measures<'_> {
    /// Adds a cable or link with this capacity, and with this part of the weight.
    fn add(
        &self,
        network: &mut NetworkBuilder,
        cable: impl FnOnce(&mut NetworkBuilder, Rational),
        parts: u64,
    ) {
        cable(network, self.capacity.clone());
        let part = |weight: &Rational| weight.checked_div(&Rational::from(parts));
        if let Some(weight) = self.weight.and_then(part) {
            network.weigh(weight);
        }
    }
}

/// Adds link number `at` of the file between u and v, given by name and key, with their ports.
fn add_link(
    network: &mut NetworkBuilder,
    at: usize,
    [((u_name, u), at_u), ((v_name, v), at_v)]: [(&(String, NodeKey), u32); 2],
    model: LinkModel,
    measures: &Measures,
) {
    let (u, v) = ((*u, at_u), (*v, at_v));
    match model {
        LinkModel::Directed => measures.add(network, |network, c| network.link_at(u, v, c), 1),
        LinkModel::Bidirected => measures.add(network, |network, c| network.cable_at(u, v, c), 1),
        LinkModel::UndirectedShared => {
            let mut switch =
                |end: &str| network.switch(format!("{u_name} -- {v_name} #{at} {end}"));
            let (x, y) = (switch("in"), switch("out"));
            let links = [(u, (x, 1)), (v, (x, 2)), ((x, 3), (y, 3)), ((y, 1), u), ((y, 2), v)];
            for (from, to) in links {
                measures.add(network, |network, c| network.link_at(from, to, c), 3);
            }
        }
    }
}
