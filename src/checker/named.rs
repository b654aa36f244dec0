//! Named instances: the only file of the checker that reaches generators of networks and routings.
//!
//! Certificates whose network and routing are written out never get here.

use crate::ratio::Ratio;
use crate::routing::{DigitRule, Routing, RoutingError, build, digit_rules};
pub(super) use crate::routing::{Paths, UseScratch as Scratch};
use crate::topology::{Host, LinkId, NodeId, Topology, TopologyError, TreeShape, Xgft, generate};

use super::Refusal;

/// A network that a certificate names by its spec.
pub(super) struct NamedNetwork(Topology);

impl NamedNetwork {
    pub(super) fn open(spec: &str) -> Result<Self, Refusal> {
        Ok(Self(generate(spec).map_err(no_topology)?))
    }

    pub(super) fn hosts(&self) -> usize {
        self.0.hosts()
    }

    pub(super) fn nodes(&self) -> usize {
        self.0.nodes()
    }

    /// Sending node, receiving node and capacity of every link.
    pub(super) fn links(&self) -> Result<Vec<(NodeId, NodeId, Ratio)>, Refusal> {
        let link = |id| {
            let (from, to) = self.0.ends(id).ok_or(Refusal::BadLink(id))?;
            let capacity = self.0.link(id).capacity.clone();
            if capacity.is_zero() { Err(Refusal::BadLink(id)) } else { Ok((from, to, capacity)) }
        };
        self.0.link_numbers().map(link).collect()
    }

    /// Its labels, where it is a tree of capacity 1 without parallel links.
    pub(super) fn tree(&self) -> Option<&Xgft> {
        self.0.plain_tree()
    }
}

fn no_topology(error: TopologyError) -> Refusal {
    match error {
        TopologyError::TooLarge(limit) => Refusal::TooLarge(limit),
        error => Refusal::Instance(error.to_string()),
    }
}

fn no_routing(error: RoutingError) -> Refusal {
    match error {
        RoutingError::TooLarge(limit) => Refusal::TooLarge(limit),
        error => Refusal::Instance(error.to_string()),
    }
}

/// What decides the up-digit W_l of a pair.
pub(super) enum Decides {
    /// It is 0.
    Nothing,
    /// All ports have the same share.
    Everything,
    /// M_i of the source, or of the destination, i < l: the port of each digit.
    One { source: bool, digit: usize, ports: Vec<u32> },
    /// M1 of both, where h = l = 2 and w1 = 1: the port of (s,d) is at s·m1 + d.
    Both(Vec<u32>),
}

/// A named tree and a named routing of it, as numbers alone: nothing is generated.
pub(super) struct NamedShape {
    /// m1..mh.
    pub(super) children: Vec<u32>,
    /// w1..wh.
    pub(super) parents: Vec<u32>,
    /// For every step.
    pub(super) decides: Vec<Decides>,
}

impl NamedShape {
    pub(super) fn open(topology: &str, routing: &str) -> Result<Self, Refusal> {
        let shape = TreeShape::named(topology).map_err(no_topology)?;
        let shape = shape.ok_or(Refusal::NoProductForm)?;
        if routing.contains(':') {
            return Err(Refusal::FileRouting);
        }
        let rules = digit_rules(routing, &shape).map_err(no_routing)?;
        let decides = |rule: &DigitRule| match rule.clone() {
            DigitRule::Zero => Decides::Nothing,
            DigitRule::Even => Decides::Everything,
            DigitRule::Source { digit, ports } => Decides::One { source: true, digit, ports },
            DigitRule::Destination { digit, ports } => Decides::One { source: false, digit, ports },
            DigitRule::Both { ports } => Decides::Both(ports),
        };
        let levels = 1..=shape.height();
        Ok(Self {
            children: levels.clone().map(|level| shape.children(level)).collect(),
            parents: levels.map(|level| shape.parents(level)).collect(),
            decides: rules.steps().iter().map(decides).collect(),
        })
    }
}

/// n, m and r of a folded-Clos network ftree(n,m,r) that a certificate names; `None` for another
/// network.
pub(super) fn folded_clos(spec: &str) -> Result<Option<(u32, u32, u32)>, Refusal> {
    let shape = TreeShape::named(spec).map_err(no_topology)?;
    let shape = shape.filter(|shape| shape.height() == 2 && shape.parents(1) == 1);
    Ok(shape.map(|shape| (shape.children(1), shape.parents(2), shape.children(2))))
}

/// A routing that a certificate names by its spec.
pub(super) struct NamedRouting(Box<dyn Routing>);

impl NamedRouting {
    pub(super) fn open(spec: &str, network: &NamedNetwork) -> Result<Self, Refusal> {
        if spec.contains(':') {
            return Err(Refusal::FileRouting);
        }
        // Before it is built, which may take long. What the option `weights` says of a tree, the name
        // says without it.
        let plain = spec.split_whitespace().collect::<String>().to_lowercase();
        if plain.split('(').next() == Some("ksp") || plain.contains("weights") {
            return Err(Refusal::DetourRouting);
        }
        let routing = build(spec, &network.0).map_err(no_routing)?;
        if routing.has_detours() { Err(Refusal::DetourRouting) } else { Ok(Self(routing)) }
    }

    /// Whether every pair has one path.
    pub(super) fn is_single_path(&self) -> bool {
        self.0.is_single_path()
    }

    /// The paths from `s` to `destinations`, where each pair has one; empty for `s` itself.
    pub(super) fn paths_from(&self, s: Host, destinations: &[Host], paths: &mut Paths) {
        self.0.paths_from(s, destinations, paths);
    }

    /// Whether pairs have several paths, whose links are known in the order in which these pass
    /// them.
    pub(super) fn uses_in_order(&self) -> bool {
        !self.0.is_single_path() && self.0.uses_in_order()
    }

    /// Calls `visit(share, links)` for all links of a pair. What it says is not trusted.
    pub(super) fn for_each_use(
        &self,
        (s, d): (Host, Host),
        scratch: &mut Scratch,
        visit: &mut dyn FnMut(&Ratio, &[LinkId]),
    ) {
        self.0.for_each_use(s, d, scratch, visit);
    }

    /// Calls `visit(share, links)` for every path of a pair; `links` is scratch space. What it
    /// says is not trusted: the caller verifies it.
    pub(super) fn for_each_path(
        &self,
        (s, d): (Host, Host),
        links: &mut Vec<LinkId>,
        visit: &mut dyn FnMut(&Ratio, &[LinkId]),
    ) {
        self.0.for_each_path(s, d, links, visit);
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    /// Names say nothing of paths that need not be shortest by hops.
    #[test]
    fn routings_with_detours_are_not_named() {
        let tree = NamedNetwork::open("ft(4,2)").unwrap();
        let by_weight =
            ["ecmp(weights=hops)", "ECMP( Weights=inverse-capacity )", "ecmp(wei ghts=file)"];
        // The last two cannot be built.
        for spec in by_weight.into_iter().chain(["ksp", "K sp(k=3)", "ksp(k=0)", "ksp(k=999999)"]) {
            let refused = NamedRouting::open(spec, &tree).map(|_| ());
            assert_eq!(refused, Err(Refusal::DetourRouting), "{spec}");
        }
        assert!(NamedRouting::open("ecmp", &tree).is_ok());
    }
}
