//! Numbers of pairs on the links of a tree where every pair has one path, by the numbers of their nearest common
//! ancestors.
//!
//! Which links a pair takes follows from the number of its ancestor. So the pairs of a source through the top of the tree
//! are counted by ancestor, and so are those to each leaf switch: a few additions per pair in place of one per link. Sums
//! over the ancestors above a link are what it carries. Pairs that meet below the top are few, and are followed.

use std::ops::Range;

use crate::routing::{Routing, numbered_tree};
use crate::topology::{Host, LinkId, Topology, Xgft};

/// Maximum number of counts: larger trees are walked.
const MAX_COUNTS: usize = 1 << 22;

/// Counts of the pairs of some sources.
pub(super) struct AncestorCounts<'t, 'd> {
    tree: &'t Xgft,
    /// By leaf switch of the destination and ancestor.
    into_leaf: Vec<u32>,
    /// By destination.
    into_host: Vec<u32>,
    /// By ancestor, of one source.
    from_source: Vec<u32>,
    ancestors: Vec<u32>,
    /// The destinations of the last source, those of a leaf switch that follow each other together.
    destinations: &'d [Host],
    runs: Vec<Run>,
}

/// Destinations one after another that are below one leaf switch.
struct Run {
    places: Range<usize>,
    leaf: usize,
    /// The subtree below the top.
    top: u32,
    /// Number of sources through the top so far.
    sources: u32,
}

impl<'t, 'd> AncestorCounts<'t, 'd> {
    /// Nothing is counted; `None` where the routing has no numbers of ancestors, hosts have several links, or the top
    /// switches are many.
    pub(super) fn of(topology: &'t Topology, routing: &dyn Routing) -> Option<Self> {
        let tree = numbered_tree(topology, routing).filter(|tree| tree.parents(1) == 1)?;
        let all = tree.shortest_paths(tree.height()) as usize;
        let leaves = tree.hosts() / tree.subtree_hosts(1) as usize;
        let counts = leaves.checked_mul(all).filter(|counts| *counts <= MAX_COUNTS)?;
        (all <= tree.hosts()).then(|| Self {
            tree,
            into_leaf: vec![0; counts],
            into_host: vec![0; tree.hosts()],
            from_source: vec![0; all],
            ancestors: Vec::new(),
            destinations: &[],
            runs: Vec::new(),
        })
    }

    /// Takes the pairs of a source. Those through the top are in `flows` only after [`Self::finish`].
    pub(super) fn take(
        &mut self,
        routing: &dyn Routing,
        (s, destinations): (Host, &'d [Host]),
        flows: &mut [u64],
    ) {
        if !std::ptr::eq(destinations, self.destinations) {
            self.start(destinations);
        }
        let (tree, all) = (self.tree, self.from_source.len());
        routing.ancestors_from(s, destinations, &mut self.ancestors);
        let own = tree.subtree(s, tree.height() - 1);
        for run in &mut self.runs {
            let ancestors = &self.ancestors[run.places.clone()];
            if run.top == own {
                let pairs = destinations[run.places.clone()].iter().zip(ancestors);
                pairs.for_each(|(d, ancestor)| follow(tree, (s, *d), *ancestor, flows));
                continue;
            }
            run.sources += 1;
            let into_leaf = &mut self.into_leaf[run.leaf * all..][..all];
            for ancestor in ancestors {
                self.from_source[*ancestor as usize] += 1;
                into_leaf[*ancestor as usize] += 1;
            }
        }
        let first = |level| tree.link_id(level, tree.subtree(s, level), 0, 0).0;
        add_up(tree, &mut self.from_source, (0, &first), flows);
        self.from_source.fill(0);
    }

    /// Begins with sources of other destinations.
    fn start(&mut self, destinations: &'d [Host]) {
        for run in self.runs.drain(..) {
            for d in &self.destinations[run.places] {
                self.into_host[*d as usize] += run.sources;
            }
        }
        self.destinations = destinations;
        self.ancestors.resize(destinations.len(), 0);
        let (tree, mut next) = (self.tree, 0);
        // Of a tree of height 1, the subtrees below the top are hosts.
        let below = tree.height() - 1;
        let both = |host: &Host| (tree.subtree(*host, 1), tree.subtree(*host, below));
        let together = destinations.chunk_by(|a, b| both(a) == both(b));
        self.runs.extend(together.map(|hosts| {
            let places = next..next + hosts.len();
            next = places.end;
            let (leaf, top) =
                (tree.subtree(hosts[0], 1), tree.subtree(hosts[0], tree.height() - 1));
            Run { places, leaf: leaf as usize, top, sources: 0 }
        }));
    }

    /// Adds the pairs through the top on their ways down.
    pub(super) fn finish(mut self, flows: &mut [u64]) {
        self.start(&[]);
        let tree = self.tree;
        for (d, pairs) in tree.host_numbers().zip(&self.into_host) {
            flows[tree.link_id(0, d, 0, 0).1 as usize] += u64::from(*pairs);
        }
        let leaves = self.into_leaf.chunks_exact_mut(self.from_source.len());
        let hosts = tree.hosts_in_order().chunks(tree.subtree_hosts(1) as usize);
        for (hosts, counts) in hosts.zip(leaves) {
            let first = |level| tree.link_id(level, tree.subtree(hosts[0], level), 0, 0).1;
            add_up(tree, counts, (1, &first), flows);
        }
    }
}

/// Adds a pair that meets below the top on all its links; none that is a host with itself.
fn follow(tree: &Xgft, (s, d): (Host, Host), ancestor: u32, flows: &mut [u64]) {
    let nca = tree.nca_level(s, d);
    for level in 0..nca {
        let port = ancestor / (tree.shortest_paths(nca) / tree.shortest_paths(level + 1));
        let (up, _) = tree.link_id(level, tree.subtree(s, level), 0, 0);
        let (_, down) = tree.link_id(level, tree.subtree(d, level), 0, 0);
        for first in [up, down] {
            flows[(first + port) as usize] += 1;
        }
    }
}

/// Adds pairs by ancestor at the top to the links above a level, of which `first` is that with the lowest number. What
/// remains in `counts` means nothing.
fn add_up(
    tree: &Xgft,
    counts: &mut [u32],
    (lowest, first): (usize, &dyn Fn(usize) -> LinkId),
    flows: &mut [u64],
) {
    for level in (lowest..tree.height()).rev() {
        let (links, above) = (tree.shortest_paths(level + 1), tree.parents(level + 1) as usize);
        let counts = &mut counts[..links as usize];
        let flows = &mut flows[first(level) as usize..];
        flows.iter_mut().zip(counts.iter()).for_each(|(flows, pairs)| *flows += u64::from(*pairs));
        for port in 0..counts.len() / above {
            counts[port] = counts[port * above..][..above].iter().sum();
        }
    }
}

#[cfg(test)]
mod tests {
    use crate::load::LinkLoads;
    use crate::load::product_loads::product_loads;
    use crate::progress::Progress;
    use crate::routing::{self, Instance, numbered_tree};
    use crate::topology;
    use crate::traffic::regular;

    /// For every numbered routing on small trees of every family; patterns have one set of destinations or several.
    #[test]
    fn counts_are_those_of_paths() {
        let mut cases = 0;
        let members = topology::KINDS.iter().flat_map(|kind| (kind.build.members)(20));
        let networks = members.chain(["ft(4,3)", "xgft(3;5,4,3;1,3,4)"].map(String::from));
        let networks = networks.filter_map(|spec| topology::generate(&spec).ok());
        let specs = routing::KINDS.iter().flat_map(|kind| kind.examples);
        for (network, spec) in itertools::iproduct!(networks, specs) {
            let Ok(routing) = routing::build(spec, &network) else { continue };
            let instance = Instance::trusted(network, routing);
            let (topology, routing) = (instance.topology(), instance.routing());
            if numbered_tree(topology, routing).is_none() {
                continue;
            }
            for pattern in ["uniform", "hotspot(spots=2,size=3)", "samelast", "clustered(size=2)"] {
                let Ok(Some(traffic)) = regular(pattern, topology.hosts()) else { continue };
                let demands = traffic.to_matrix().unwrap().into_demands();
                let progress = Progress::silent();
                let listed = LinkLoads::of(topology, routing, &demands, &progress).unwrap();
                let (sums, flows) = product_loads(topology, routing, &traffic, &progress).unwrap();
                for link in topology.link_numbers() {
                    let found = (sums.get(link), flows[sums.place(link)]);
                    let expected = (listed.traffic(link), listed.flows(link));
                    assert_eq!(found, expected, "{instance:?}, {pattern}: link {link}");
                }
                cases += 1;
            }
        }
        assert!(cases > 200, "{cases}");
    }
}
