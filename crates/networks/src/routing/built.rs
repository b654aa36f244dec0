//! A wrapper for what [`build`](super::build) creates, so that nothing else passes for it.
//!
//! A routing reports its own spec, and anyone may write a [`Routing`] that calls itself `dmodk`.
//! Whatever the analysis concludes from a spec, such as that paths are shortest or that a
//! certificate may name the routing, it concludes only for routings in this wrapper, which only
//! `build` creates and which is recognised by its type.

use std::any::Any;

use super::lengths::OPTION;
use super::{
    ByDestination, DigitRules, Instance, Paths, Routing, ShortestSplit, UseScratch, Visit,
    digit_rules,
};
use crate::spec::Spec;
use crate::topology::{Host, LinkId, NodeId, Topology, Xgft};

/// A routing built from its spec.
pub(super) struct Built {
    routing: Box<dyn Routing>,
    /// The labels of the tree that it was built for; `None` if that was not a tree, a file was read,
    /// or paths may be longer than the shortest by hops.
    tree: Option<Xgft>,
    hosts: usize,
    /// Which use it makes of the weights of links, where these differ.
    of_weights: Option<String>,
    /// Whether its spec means something to a reader of certificates.
    defined: bool,
}

impl Built {
    pub(super) fn new(
        spec: &Spec,
        topology: &Topology,
        routing: Box<dyn Routing>,
        defined: bool,
    ) -> Self {
        let is_named = spec.path.is_none() && !routing.has_detours();
        let tree = topology.tree().filter(|_| is_named).cloned();
        let of_weights = of_weights(spec, topology, &*routing);
        Self { routing, tree, hosts: topology.hosts(), of_weights, defined }
    }
}

/// Says whether the weights of links decide the paths, where these weights differ; nothing of paths from
/// a file.
fn of_weights(spec: &Spec, topology: &Topology, routing: &dyn Routing) -> Option<String> {
    if spec.path.is_some() || !topology.weights_differ() {
        return None;
    }
    let own = routing.spec();
    let is_used = Spec::parse(own).is_ok_and(|spec| spec.option(OPTION) == Some("file"));
    Some(if is_used {
        format!("{own} takes paths that are shortest by link weights")
    } else {
        format!("{own} does not use the link weights")
    })
}

/// The spec of a routing that [`build`](super::build) created; `None` for others, whose names say
/// nothing.
#[must_use]
pub fn built_from(routing: &dyn Routing) -> Option<Spec> {
    let any: &dyn Any = routing;
    any.downcast_ref().and_then(|built: &Built| Spec::parse(built.spec()).ok())
}

/// The digit rules that a routing declares for a tree, if it is [`build`](super::build)'s for a tree with the same labels
/// whose top switches are not merged. O(hosts).
///
/// ```
/// # use routebound_networks as routebound;
/// use routebound::routing::{Instance, digit_rules_of};
/// let dmodk = Instance::named("ft(4,2)", "dmodk")?;
/// assert!(digit_rules_of(dmodk.topology(), dmodk.routing()).is_some());
/// let random = Instance::named("ft(4,2)", "random")?;
/// assert!(digit_rules_of(random.topology(), random.routing()).is_none());
/// # Ok::<(), Box<dyn std::error::Error>>(())
/// ```
#[must_use]
pub fn digit_rules_of(topology: &Topology, routing: &dyn Routing) -> Option<DigitRules> {
    let tree = tree_of(topology, routing).filter(|tree| tree.cables_to_top() == 1)?;
    digit_rules(routing.spec(), &tree.tree_shape()).ok()
}

/// The labels of a network, if the routing is [`build`](super::build)'s for a tree with the same, and has a path for
/// every pair that a number describes ([`Routing::ancestors_from`]). O(hosts).
///
/// ```
/// # use routebound_networks as routebound;
/// use routebound::routing::{Instance, numbered_tree};
/// let random = Instance::named("ft(4,2)", "random")?;
/// assert!(numbered_tree(random.topology(), random.routing()).is_some());
/// let even = Instance::named("ft(4,2)", "ecmp")?;
/// assert!(numbered_tree(even.topology(), even.routing()).is_none());
/// # Ok::<(), Box<dyn std::error::Error>>(())
/// ```
#[must_use]
pub fn numbered_tree<'t>(topology: &'t Topology, routing: &dyn Routing) -> Option<&'t Xgft> {
    let tree = tree_of(topology, routing).filter(|_| routing.is_single_path())?;
    routing.ancestors_from(0, &[0], &mut [0]).then_some(tree)
}

/// The labels of a network, if the routing was built for a tree with the same, and its spec is enough for that.
fn tree_of<'t>(topology: &'t Topology, routing: &dyn Routing) -> Option<&'t Xgft> {
    let routing: &dyn Any = routing;
    let made_for = routing.downcast_ref().and_then(|built: &Built| built.tree.as_ref());
    topology.tree().filter(|tree| made_for == Some(*tree))
}

impl Instance {
    /// Whether the network is a tree for which the spec of the routing rebuilds this very routing:
    /// [`build`](super::build) created it for a tree with the same labels and read no file, and all its
    /// paths are shortest by hops.
    /// O(hosts).
    ///
    /// ```
    /// # use routebound_networks as routebound;
    /// use routebound::routing::Instance;
    /// let (topology, routing) = Instance::named("ft(4,2)", "dmodk")?.into_parts();
    /// assert!(Instance::new(topology.clone(), routing)?.is_by_spec());
    /// let (_, other) = Instance::named("ft(8,2)", "dmodk")?.into_parts();
    /// assert!(!Instance::trusted(topology, other).is_by_spec());
    /// # Ok::<(), Box<dyn std::error::Error>>(())
    /// ```
    #[must_use]
    pub fn is_by_spec(&self) -> bool {
        tree_of(&self.topology, &*self.routing).is_some()
    }

    /// Whether a certificate may name network and routing in place of holding links and paths: [`topology::generate`]
    /// and [`build`](super::build) make both again from their specs, and `NAMES.md` says what these mean.
    /// O(hosts).
    ///
    /// [`topology::generate`]: crate::topology::generate
    ///
    /// ```
    /// # use routebound_networks as routebound;
    /// use routebound::routing::Instance;
    /// assert!(Instance::named("ft(4,2)", "dmodk")?.is_named());
    /// assert!(!Instance::named("ft(4,2)", "ksp(k=2)")?.is_named());
    /// # Ok::<(), Box<dyn std::error::Error>>(())
    /// ```
    #[must_use]
    pub fn is_named(&self) -> bool {
        let is_defined = self.built().is_some_and(|built| built.defined);
        is_defined && self.topology.is_named_tree() && self.is_by_spec()
    }

    fn built(&self) -> Option<&Built> {
        let routing: &dyn Any = &*self.routing;
        routing.downcast_ref()
    }

    /// The split of the traffic of every pair among all shortest paths by hops, if that is what the routing
    /// does and [`build`](super::build) created it for this very network. Its paths need no check.
    /// O(links).
    ///
    /// ```
    /// # use routebound_networks as routebound;
    /// use routebound::routing::{Instance, ShortestSplit, build};
    /// use routebound::topology::{Topology, generate};
    /// let plain = |tree| generate(tree).and_then(|tree| Topology::new("own".into(), tree.graph().clone()));
    /// let network = plain("ft(4,2)")?;
    /// let instance = Instance::new(network.clone(), build("ecmp", &network)?)?;
    /// assert_eq!(instance.shortest_split(), Some(ShortestSplit::PerHop));
    /// let other = Instance::trusted(plain("xgft(2;4,2;1,2)")?, build("ecmp", &network)?);
    /// assert_eq!(other.shortest_split(), None);
    /// # Ok::<(), Box<dyn std::error::Error>>(())
    /// ```
    #[must_use]
    pub fn shortest_split(&self) -> Option<ShortestSplit> {
        self.built()?.shortest_split(&self.topology)
    }
}

impl Routing for Built {
    fn spec(&self) -> &str {
        self.routing.spec()
    }

    fn is_single_path(&self) -> bool {
        self.routing.is_single_path()
    }

    fn hosts(&self) -> Option<usize> {
        Some(self.hosts)
    }

    fn for_each_path(&self, s: Host, d: Host, links: &mut Vec<LinkId>, visit: Visit<'_>) {
        self.routing.for_each_path(s, d, links, visit);
    }

    fn for_each_use(&self, s: Host, d: Host, scratch: &mut UseScratch, visit: Visit<'_>) {
        self.routing.for_each_use(s, d, scratch, visit);
    }

    fn uses_in_order(&self) -> bool {
        self.routing.uses_in_order()
    }

    fn paths_from(&self, s: Host, destinations: &[Host], paths: &mut Paths) {
        self.routing.paths_from(s, destinations, paths);
    }

    fn enters_at(&self, s: Host) -> Option<NodeId> {
        self.routing.enters_at(s)
    }

    fn ancestors_from(&self, s: Host, destinations: &[Host], ancestors: &mut [u32]) -> bool {
        self.routing.ancestors_from(s, destinations, ancestors)
    }

    fn next_links(&self) -> Option<&dyn ByDestination> {
        self.routing.next_links()
    }

    fn has_detours(&self) -> bool {
        self.routing.has_detours()
    }

    fn may_revisit(&self) -> bool {
        self.routing.may_revisit()
    }

    fn shortest_split(&self, topology: &Topology) -> Option<ShortestSplit> {
        self.routing.shortest_split(topology)
    }

    fn notes(&self) -> Vec<String> {
        self.routing.notes().into_iter().chain(self.of_weights.clone()).collect()
    }
}
