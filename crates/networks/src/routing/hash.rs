//! One shortest path per SD pair, as switches take that hash the flows which they split: `hash`.
//!
//! Every node on the way hashes the pair to one of the next hops of `ecmp`, by the lengths of links that `ecmp` would
//! take. The hash is a draw: the choices of the pair (s,d), in the order of its path, are the 64-bit words of stream s
//! from word d·2^32 on; a node with one next hop chooses nothing. Of n next hops by link number, word x takes
//! that at place ⌊x·n / 2^64⌋. So the routing is a function of (seed, s, d), whatever the threads.
//!
//! On trees all paths of a pair are equally likely, as with `random`, which draws other ones.

use rand::Rng;

use super::even::EvenTree;
use super::lengths::{Lengths, OPTION};
use super::next_hops::NextHops;
use super::pair_table::{PairTable, write_digits};
use super::tree::{TreeRouting, UpDigits};
use super::{Routing, RoutingError, Visit};
use crate::rational::Rational;
use crate::registry::Kind;
use crate::sampling::{Stream, Streams};
use crate::spec::{Seeded, Spec};
use crate::topology::{Host, LinkId, Topology, Xgft};

pub(super) const KIND: Kind<super::Family> = Kind {
    name: "hash",
    usage: "hash(seed=1,weights=file|hops|inverse-capacity)",
    about: "one shortest path per SD pair, on any network: every node on the way hashes the pair to one of \
            the next hops of ecmp",
    reference: "RFC 2992",
    // Trees have no weights: what theorems and studies could say of this is what they say of `random`.
    examples: &["hash(seed=7,weights=file)"],
    build: super::Family {
        build,
        digits: super::Digits::None("every pair draws its path"),
        defined: false,
    },
};

fn build(spec: &Spec, topology: &Topology) -> Result<Box<dyn Routing>, RoutingError> {
    let Seeded { seed } = spec.read()?;
    let Lengths { spec, by_link } = Lengths::read(spec, topology)?;
    let mut shown = spec.complete();
    if spec.option(OPTION).is_none() {
        shown = shown.without(OPTION);
    }
    let draw = Draw(Streams::new(seed));
    if let (None, Some(tree)) = (&by_link, EvenTree::labels(topology)) {
        return draw.on_tree(&shown, tree);
    }
    let next_hops = NextHops::of(&shown, topology, by_link.as_deref())?;
    Ok(Box::new(Hash { spec: shown.to_string(), hosts: topology.hosts(), draw, next_hops }))
}

/// Draws the choices of pairs.
struct Draw(Streams);

impl Draw {
    /// The words of a pair, a word for each choice.
    fn words(&self, s: Host, d: Host) -> Stream {
        self.0.from_word(s.into(), u128::from(d) << 32)
    }

    /// The number of the common ancestor at `level`, its digits drawn from the lowest step upwards.
    fn ancestor(&self, tree: &Xgft, level: usize, s: Host, d: Host) -> u32 {
        let mut words = self.words(s, d);
        let ports = (1..=level).map(|step| tree.parents(step));
        ports.fold(0, |number, ports| number * ports + choice(&mut words, ports))
    }

    /// The routing of a tree, with a table where it is small enough.
    fn on_tree(self, spec: &Spec, tree: &Xgft) -> Result<Box<dyn Routing>, RoutingError> {
        if PairTable::fits(tree).is_err() {
            return Ok(Box::new(TreeRouting::new(spec, tree, self)));
        }
        let table = PairTable::in_parallel(tree, |s, row| {
            for (d, entry) in (0..).zip(row).filter(|(d, _)| *d != s) {
                *entry = self.ancestor(tree, tree.nca_level(s, d), s, d);
            }
        })?;
        Ok(Box::new(TreeRouting::new(spec, tree, table)))
    }
}

/// The place of one of `among`: by the next word, unless there is no other.
fn choice(words: &mut Stream, among: u32) -> u32 {
    if among == 1 {
        return 0;
    }
    let drawn = (u128::from(words.next_u64()) * u128::from(among)) >> 64;
    u32::try_from(drawn).expect("the place drawn is below their number")
}

impl UpDigits for Draw {
    fn up_digits(&self, tree: &Xgft, s: Host, d: Host, up: &mut [u32]) {
        write_digits(tree, self.ancestor(tree, up.len(), s, d), up);
    }
}

/// The paths on a network without labels.
struct Hash {
    spec: String,
    hosts: usize,
    draw: Draw,
    next_hops: NextHops,
}

impl Routing for Hash {
    fn spec(&self) -> &str {
        &self.spec
    }

    fn for_each_path(&self, s: Host, d: Host, links: &mut Vec<LinkId>, visit: Visit<'_>) {
        links.clear();
        let (mut words, mut node) = (self.draw.words(s, d), s);
        while node != d {
            let (link, head) = self.next_hops.chosen(node, d, |among| choice(&mut words, among));
            links.push(link);
            node = head;
        }
        visit(&Rational::ONE, links);
    }

    fn has_detours(&self) -> bool {
        self.next_hops.has_detours()
    }

    fn hosts(&self) -> Option<usize> {
        Some(self.hosts)
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::progress::Progress;
    use crate::routing::{Instance, build};
    use crate::topology::{NetworkBuilder, generate, sd_pairs};

    fn path(instance: &Instance, s: Host, d: Host) -> Vec<LinkId> {
        let mut found = Vec::new();
        instance.routing().for_each_path(s, d, &mut Vec::new(), &mut |_, links| {
            found.extend_from_slice(links);
        });
        found
    }

    /// On a tree the table, the draws and the next hops of the network without its labels choose the same paths, and
    /// every seed other ones.
    #[test]
    fn labels_change_no_path() {
        for spec in ["ft(4,3)", "xgft(3;5,4,3;2,3,4)", "kary(2,3)"] {
            let tree = generate(spec).unwrap();
            let plain = Topology::new("plain".into(), tree.graph().clone()).unwrap();
            let labels = tree.tree().unwrap().clone();
            let draws = TreeRouting::new("draws", &labels, Draw(Streams::new(7)));
            let draws: Box<dyn Routing> = Box::new(draws);
            let draws = Instance::trusted(tree.clone(), draws);
            let of = |network: &Topology, spec| {
                let routing = build(spec, network).unwrap();
                let instance = Instance::trusted(network.clone(), routing);
                instance.check_paths(&Progress::silent()).unwrap();
                instance
            };
            let (table, hops) = (of(&tree, "hash(seed=7)"), of(&plain, "hash(seed=7)"));
            let other = of(&plain, "hash");
            assert!(table.is_by_spec() && !table.is_named());
            let mut differ = 0;
            for (s, d) in sd_pairs(tree.hosts()) {
                let known = path(&table, s, d);
                assert_eq!(path(&draws, s, d), known, "{spec} {s} {d}");
                assert_eq!(path(&hops, s, d), known, "{spec} {s} {d}");
                differ += usize::from(path(&other, s, d) != known);
            }
            assert!(differ > tree.hosts(), "{spec}");
        }
    }

    /// Four ways of two and of three links, by hops and by weights.
    fn parallel() -> Topology {
        let mut network = NetworkBuilder::new();
        let hosts: Vec<_> = (0..40).map(|host| network.host(format!("h{host}"))).collect();
        let [a, b] = ["a", "b"].map(|name| network.switch(name));
        for (at, host) in hosts.into_iter().enumerate() {
            network.cable(host, if at % 2 == 0 { a } else { b }, Rational::ONE);
            network.weigh(Rational::ONE);
        }
        for way in 0..4_u64 {
            let middle = network.switch(format!("m{way}"));
            for end in [a, b] {
                network.cable(end, middle, Rational::ONE);
                network.weigh(Rational::from(if way < 2 { 1 } else { 2 }));
            }
        }
        network.build("parallel").unwrap()
    }

    /// Each of the ways of ecmp is taken by about as many pairs: over 800 pairs four ways stay within five
    /// standard deviations of 200, two within five of 400.
    #[test]
    fn pairs_spread_over_the_next_hops_of_ecmp() {
        let network = parallel();
        for (spec, ways) in [("hash(seed=3,weights=hops)", 4), ("hash(seed=3)", 2)] {
            let instance = Instance::new(network.clone(), build(spec, &network).unwrap()).unwrap();
            let mut counts = std::collections::BTreeMap::new();
            for (s, d) in sd_pairs(40).filter(|(s, d)| s % 2 != d % 2) {
                let links = path(&instance, s, d);
                let (_, middle) = network.ends(links[1]).unwrap();
                *counts.entry(network.node(middle).name.clone()).or_insert(0_i32) += 1;
            }
            let even = 800 / ways;
            assert_eq!(counts.len(), usize::try_from(ways).unwrap(), "{counts:?}");
            assert!(counts.values().all(|count| (count - even).abs() < 5 * 15), "{counts:?}");
        }
    }

    #[test]
    fn the_canonical_spec_shows_what_has_an_effect() {
        let canonical = |text: &str, network: &Topology| {
            build(text, network).map(|routing| routing.spec().to_string())
        };
        let tree = generate("ft(4,2)").unwrap();
        assert_eq!(canonical("hash", &tree).unwrap(), "hash(seed=1)");
        assert_eq!(canonical("hash(weights=hops,seed=007)", &tree).unwrap(), "hash(seed=7)");
        let weighted = canonical("hash", &parallel()).unwrap();
        assert_eq!(weighted, "hash(seed=1,weights=file)");
        assert_eq!(canonical(&weighted, &parallel()).unwrap(), weighted);
        for bad in ["hash(seed=x)", "hash(7)", "hash(k=1)"] {
            assert!(matches!(canonical(bad, &tree), Err(RoutingError::Spec(_))), "{bad}");
        }
    }
}
