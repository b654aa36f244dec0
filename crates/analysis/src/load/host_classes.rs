//! Hosts that are alike: joined by equal links to the same switch and to nothing else.
//!
//! In the fabrics of data centres the hosts of a leaf switch are. Exchanging two of them, with their
//! links, changes nothing in the network, and nothing in a split over all shortest paths. So the share
//! of a pair on a link between switches depends on the classes of its two hosts alone, and one pair
//! stands for all pairs between two classes.
//!
//! A link is then a transportation problem between classes (`worst_case/by_class.rs`). The certificate lists the
//! classes, and the checker verifies them and looks at one pair for all pairs of two classes (`checker/classes.rs`).
//! Traffic is always that of hosts.

use std::collections::HashMap;

use crate::rational::Rational;
use crate::routing::Instance;
use crate::topology::{Host, LinkId, NodeId, Topology};

/// All hosts, in classes of hosts that are alike.
///
/// ```
/// # use routebound_analysis as routebound;
/// use routebound::{load::HostClasses, routing::{Instance, build}, topology::{Topology, generate}};
/// let tree = generate("xgft(2;3,2;1,2)")?;
/// let network = Topology::new("own".into(), tree.graph().clone())?;
/// let ecmp = build("ecmp", &network)?;
/// let classes = HostClasses::of(&Instance::trusted(network, ecmp)).ok_or("none are alike")?;
/// assert_eq!(classes.hosts(), [vec![0, 1, 2], vec![3, 4, 5]]);
/// assert_eq!((classes.firsts(), classes.class(4)), (vec![0, 3], 1));
/// # Ok::<(), Box<dyn std::error::Error>>(())
/// ```
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct HostClasses {
    /// Classes in the order of their first hosts; hosts ascend.
    classes: Vec<Vec<Host>>,
    /// The class of every host.
    class_of: Vec<u32>,
}

/// What hosts have in common that are alike: the switch, and the capacities of the links to it and
/// from it, ascending.
type Place<'t> = (NodeId, Vec<&'t Rational>, Vec<&'t Rational>);

impl HostClasses {
    /// The classes of an instance without labels whose routing is a split over all shortest paths by
    /// hops; `None` for others, and where no two hosts are alike. O(links of hosts).
    #[must_use]
    pub fn of(instance: &Instance) -> Option<Self> {
        let topology = &*instance.topology;
        if topology.tree().is_some() || instance.shortest_split().is_none() {
            return None;
        }
        let (mut classes, mut class_of) = (Vec::<Vec<Host>>::new(), Vec::new());
        let mut known: HashMap<Place<'_>, u32> = HashMap::new();
        for host in topology.host_numbers() {
            let own = u32::try_from(classes.len()).ok()?;
            let class = match place(topology, host) {
                Some(place) => *known.entry(place).or_insert(own),
                None => own,
            };
            if class == own {
                classes.push(Vec::new());
            }
            classes[class as usize].push(host);
            class_of.push(class);
        }
        (classes.len() < topology.hosts()).then_some(Self { classes, class_of })
    }

    /// The hosts of every class.
    #[must_use]
    pub fn hosts(&self) -> &[Vec<Host>] {
        &self.classes
    }

    /// The first host of every class.
    #[must_use]
    pub fn firsts(&self) -> Vec<Host> {
        self.classes.iter().filter_map(|hosts| hosts.first().copied()).collect()
    }

    /// The pairs that stand for all pairs to a class: from the first host of every class to the first of this
    /// one, from that itself to the second if there is one.
    ///
    /// # Panics
    /// When there is no such class.
    ///
    /// ```
    /// # use routebound_analysis as routebound;
    /// use routebound::{load::HostClasses, routing::{Instance, build}, topology::{Topology, generate}};
    /// let tree = generate("xgft(2;3,2;1,2)")?;
    /// let network = Topology::new("own".into(), tree.graph().clone())?;
    /// let ecmp = build("ecmp", &network)?;
    /// let classes = HostClasses::of(&Instance::trusted(network, ecmp)).ok_or("none are alike")?;
    /// assert_eq!(classes.pairs_to(1).collect::<Vec<_>>(), [(0, 3), (3, 4)]);
    /// # Ok::<(), Box<dyn std::error::Error>>(())
    /// ```
    pub fn pairs_to(&self, class: usize) -> impl Iterator<Item = (Host, Host)> {
        let of_class = &self.classes[class];
        let sources = self.classes.iter().filter_map(|hosts| hosts.first());
        sources.filter_map(move |s| {
            let d = of_class.iter().find(|d| *d != s)?;
            Some((*s, *d))
        })
    }

    /// The class of a host.
    ///
    /// # Panics
    /// When there is no such host.
    #[must_use]
    pub fn class(&self, host: Host) -> usize {
        self.class_of[host as usize] as usize
    }
}

/// Where a host of one neighbour, a switch, is joined to it; `None` for other hosts, which are alike to
/// none.
fn place(topology: &Topology, host: Host) -> Option<Place<'_>> {
    let tails = topology.links_to(host).filter_map(|link| Some(topology.ends(link)?.0));
    let heads = topology.links_from(host).filter_map(|link| Some(topology.ends(link)?.1));
    let mut neighbours = tails.chain(heads);
    let switch = neighbours.next().filter(|node| *node as usize >= topology.hosts())?;
    if !neighbours.all(|node| node == switch) {
        return None;
    }
    let sorted = |links: &mut dyn Iterator<Item = LinkId>| {
        let mut capacities: Vec<_> = links.map(|link| &topology.link(link).capacity).collect();
        capacities.sort();
        capacities
    };
    let out = sorted(&mut topology.links_from(host));
    Some((switch, out, sorted(&mut topology.links_to(host))))
}
