//! What the names in certificates mean to the checker: the networks and routings of this crate.
//!
//! The checker knows no generator. Everything above calls it by [`checker`], which
//! has all of it and hands over [`Named`].

pub mod checker;
mod spelling;
mod tree;

pub use tree::NotPlain;

use std::sync::Arc;

use crate::certificate::LinkRecord;
use crate::checker::{
    Decides, Generators, Levels, NamedNetwork, NamedRouting, PathList, Scratch, Tree, Ungenerated,
};
use crate::registry::Kind;
use crate::routing::{
    self, DigitRule, Instance, Paths, Routing, RoutingError, UseScratch, Visit, build, digit_rules,
};
use crate::spec::Spec;
use crate::topology::{self, Host, LinkId, Topology, TopologyError, TreeShape, generate};
use spelling::spelled;

/// The generators of this crate: every [`topology::KINDS`] that [is defined](crate::topology::Family::is_defined), and
/// every [`routing::KINDS`] that is [`defined`](crate::routing::Family::defined). A spec must be spelled as `NAMES.md` says.
///
/// ```
/// # use routebound_networks as routebound;
/// use routebound::checker::{Generators, Ungenerated};
/// use routebound::generators::Named;
/// let network = Named.network("ft(4,2)")?;
/// assert_eq!((network.hosts(), network.links().len()), (8, 32));
/// assert!(network.routing("dmodk")?.is_single_path());
/// assert!(Named.levels("universal(8)")?.is_none());
/// assert!(matches!(Named.network("none"), Err(Ungenerated::Meaningless(_))));
/// assert!(matches!(Named.network("torus(3,2)"), Err(Ungenerated::Meaningless(_))));
/// # Ok::<(), Ungenerated>(())
/// ```
#[derive(Clone, Copy, Debug, Default)]
pub struct Named;

impl Generators for Named {
    fn network(&self, spec: &str) -> Result<Box<dyn NamedNetwork>, Ungenerated> {
        check_network_defined(spec)?;
        let topology = Arc::new(generate(spelled(spec)?).map_err(no_topology)?);
        Ok(Box::new(Generated { topology, routing: None }))
    }

    fn levels(&self, topology: &str) -> Result<Option<Levels>, Ungenerated> {
        let shape = TreeShape::named(spelled(topology)?).map_err(no_topology)?;
        Ok(shape.map(|shape| {
            let levels = 1..=shape.height();
            let children = levels.clone().map(|level| shape.children(level)).collect();
            Levels { children, parents: levels.map(|level| shape.parents(level)).collect() }
        }))
    }

    fn digits(&self, topology: &str, routing: &str) -> Result<Option<Vec<Decides>>, Ungenerated> {
        let shape = TreeShape::named(spelled(topology)?).map_err(no_topology)?;
        let routing = spelled(routing)?;
        let rules = shape.map(|shape| digit_rules(routing, &shape)).transpose();
        let rules = rules.map_err(no_routing)?;
        Ok(rules.map(|rules| rules.steps().iter().map(decides).collect()))
    }
}

/// The generators where an instance is at hand: what they have made of its names they need not make again.
#[derive(Clone, Copy, Debug)]
pub struct Made<'i>(&'i Instance);

impl<'i> Made<'i> {
    /// With what an instance has, if certificates may name it ([`Instance::is_named`]); else as [`Named`].
    #[must_use]
    pub fn of(instance: &'i Instance) -> Self {
        Self(instance)
    }
}

impl Generators for Made<'_> {
    fn network(&self, spec: &str) -> Result<Box<dyn NamedNetwork>, Ungenerated> {
        let Instance { topology, routing, .. } = self.0;
        if !self.0.is_named() || spelled(spec)? != topology.spec() {
            return Named.network(spec);
        }
        let (topology, routing) = (Arc::clone(topology), Some(Arc::clone(routing)));
        Ok(Box::new(Generated { topology, routing }))
    }

    fn levels(&self, topology: &str) -> Result<Option<Levels>, Ungenerated> {
        Named.levels(topology)
    }

    fn digits(&self, topology: &str, routing: &str) -> Result<Option<Vec<Decides>>, Ungenerated> {
        Named.digits(topology, routing)
    }
}

fn no_topology(error: TopologyError) -> Ungenerated {
    match error {
        TopologyError::TooLarge(limit) => limit.into(),
        error => Ungenerated::Meaningless(error.to_string()),
    }
}

/// Refuses networks that the text of the format does not define.
pub(crate) fn check_network_defined(spec: &str) -> Result<(), Ungenerated> {
    check_defined(topology::KINDS, spec, topology::Family::is_defined)
}

/// Refuses what the text of the format does not define.
fn check_defined<B>(
    kinds: &[Kind<B>],
    spec: &str,
    is_defined: impl Fn(&B) -> bool,
) -> Result<(), Ungenerated> {
    let name = Spec::parse(spec).ok().map(|spec| spec.name);
    let kind = kinds.iter().find(|kind| Some(kind.name) == name.as_deref());
    match kind.filter(|kind| !is_defined(&kind.build)) {
        Some(kind) => {
            Err(Ungenerated::Meaningless(format!("certificates write `{}` out", kind.name)))
        }
        None => Ok(()),
    }
}

fn no_routing(error: RoutingError) -> Ungenerated {
    match error {
        RoutingError::TooLarge(limit) => limit.into(),
        error => Ungenerated::Meaningless(error.to_string()),
    }
}

fn decides(rule: &DigitRule) -> Decides {
    match rule.clone() {
        DigitRule::Zero => Decides::Nothing,
        DigitRule::Even => Decides::Everything,
        DigitRule::Source { digit, ports } => Decides::One { source: true, digit, ports },
        DigitRule::Destination { digit, ports } => Decides::One { source: false, digit, ports },
        DigitRule::Both { ports } => Decides::Both(ports),
    }
}

/// A network that was generated, and a routing that was built for it, if any was.
struct Generated {
    topology: Arc<Topology>,
    routing: Option<Arc<dyn Routing>>,
}

impl NamedNetwork for Generated {
    fn hosts(&self) -> usize {
        self.topology.hosts()
    }

    fn nodes(&self) -> usize {
        self.topology.nodes()
    }

    fn links(&self) -> Vec<LinkRecord> {
        let link = |id| {
            let (from, to) = self.topology.ends(id)?;
            Some(LinkRecord::new(from, to, self.topology.link(id).capacity.clone()))
        };
        self.topology.link_numbers().filter_map(link).collect()
    }

    fn tree(&self) -> Option<Tree> {
        self.topology.tree().and_then(|tree| Tree::try_from(tree).ok())
    }

    fn routing(&self, spec: &str) -> Result<Box<dyn NamedRouting>, Ungenerated> {
        check_defined(routing::KINDS, spec, |family| family.defined)?;
        let spec = spelled(spec)?;
        let made = self.routing.as_ref().filter(|made| made.spec() == spec);
        Ok(Box::new(Built(match made {
            Some(made) => Arc::clone(made),
            None => build(spec, &self.topology).map_err(no_routing)?.into(),
        })))
    }
}

/// A routing that was built.
struct Built(Arc<dyn Routing>);

impl NamedRouting for Built {
    fn is_single_path(&self) -> bool {
        self.0.is_single_path()
    }

    fn uses_in_order(&self) -> bool {
        !self.0.is_single_path() && self.0.uses_in_order()
    }

    fn has_detours(&self) -> bool {
        self.0.has_detours()
    }

    fn paths_from<'p>(
        &self,
        s: Host,
        destinations: &[Host],
        scratch: &'p mut Scratch,
    ) -> PathList<'p> {
        let paths: &mut Paths = scratch.state();
        self.0.paths_from(s, destinations, paths);
        let (links, ends) = paths.end_to_end();
        PathList { links, ends }
    }

    fn ancestors_from(&self, s: Host, destinations: &[Host], ancestors: &mut [u32]) -> bool {
        self.0.ancestors_from(s, destinations, ancestors)
    }

    fn for_each_use(&self, (s, d): (Host, Host), scratch: &mut Scratch, visit: Visit<'_>) {
        let scratch: &mut UseScratch = scratch.state();
        self.0.for_each_use(s, d, scratch, visit);
    }

    fn for_each_path(&self, (s, d): (Host, Host), links: &mut Vec<LinkId>, visit: Visit<'_>) {
        self.0.for_each_path(s, d, links, visit);
    }
}
