//! Searches against all tables of small networks, and against what they promise.

use super::fabric::Fabric;
use super::*;
use crate::failure::{at_random, damage, listed_cables};
use crate::topology::NetworkBuilder;

fn fabric(topology: &Topology) -> Fabric {
    Fabric::of(topology, &Progress::silent()).unwrap()
}

fn searched(topology: &Topology, seed: u64) -> (Fabric, Found) {
    let fabric = fabric(topology);
    let bound = bound::bound(&fabric).unwrap();
    let silent = Progress::silent();
    let found = Search::new(&fabric, bound.pairs, seed, &silent).run(None, &silent).unwrap();
    (fabric, found)
}

/// The network without some cables.
fn without(spec: &str, cables: &str) -> Topology {
    let whole = generate(spec).unwrap();
    let cables = listed_cables(&whole, cables).unwrap();
    damage(&whole, &cables).unwrap().topology
}

/// All tables of a fabric, host by host, as far as no link is worse than a limit.
struct All<'f> {
    fabric: &'f Fabric,
    limit: usize,
    /// By link, its pairs.
    pairs: Vec<Vec<(Host, Host)>>,
    next: Vec<LinkId>,
}

impl All<'_> {
    /// Whether there are tables in which no link is worse than the limit.
    fn exist(fabric: &Fabric, limit: usize) -> bool {
        let next = vec![NONE; fabric.hosts * fabric.switches];
        All { fabric, limit, pairs: vec![Vec::new(); fabric.ends.len()], next }.from(0, 0)
    }

    /// Goes on at a host, with the ways from a leaf switch.
    fn from(&mut self, d: usize, leaf: usize) -> bool {
        if d == self.fabric.hosts {
            return true;
        }
        let Some(from) = self.fabric.leaves.get(leaf) else { return self.with_pairs(d) };
        self.at(d, leaf, from.switch)
    }

    /// Goes on with the way of a leaf switch at a switch.
    fn at(&mut self, d: usize, leaf: usize, switch: u32) -> bool {
        let to = self.fabric.leaf_of[d];
        let at = d * self.fabric.switches + switch as usize;
        let choices = self.fabric.choices(to, switch).to_vec();
        if choices.is_empty() {
            return self.from(d, leaf + 1);
        }
        let head = |all: &Self, link: LinkId| all.fabric.ends[link as usize].1;
        if self.next[at] != NONE {
            return self.at(d, leaf, head(self, self.next[at]));
        }
        for link in choices {
            self.next[at] = link;
            if self.at(d, leaf, head(self, link)) {
                return true;
            }
        }
        self.next[at] = NONE;
        false
    }

    /// Goes on at the next host, if the pairs of this one make no link too bad.
    fn with_pairs(&mut self, d: usize) -> bool {
        let to = self.fabric.leaf_of[d] as usize;
        let mut links = Vec::new();
        for (_, leaf) in self.fabric.leaves.iter().enumerate().filter(|(leaf, _)| *leaf != to) {
            let mut link = self.next[d * self.fabric.switches + leaf.switch as usize];
            while link != NONE {
                let hosts = leaf.hosts.iter().map(|s| (*s, index32(d)));
                self.pairs[link as usize].extend(hosts.clone());
                links.push((link, hosts.len()));
                let head = self.fabric.ends[link as usize].1 as usize;
                link = self.next[d * self.fabric.switches + head];
            }
        }
        let is_good = links.iter().all(|(link, _)| most(&self.pairs[*link as usize]) <= self.limit);
        if is_good && self.from(d + 1, 0) {
            return true;
        }
        for (link, hosts) in links {
            let pairs = &mut self.pairs[link as usize];
            pairs.truncate(pairs.len() - hosts);
        }
        false
    }
}

/// The highest number of disjoint pairs.
fn most(pairs: &[(Host, Host)]) -> usize {
    fn give(
        s: Host,
        pairs: &[(Host, Host)],
        seen: &mut Vec<Host>,
        to: &mut Vec<(Host, Host)>,
    ) -> bool {
        for d in pairs.iter().filter(|pair| pair.0 == s).map(|pair| pair.1) {
            if seen.contains(&d) {
                continue;
            }
            seen.push(d);
            let other = to.iter().position(|pair| pair.1 == d);
            if other.is_none_or(|at| give(to[at].0, pairs, seen, to)) {
                to.retain(|pair| pair.1 != d);
                to.push((s, d));
                return true;
            }
        }
        false
    }
    let mut sources: Vec<Host> = pairs.iter().map(|pair| pair.0).collect();
    sources.sort_unstable();
    sources.dedup();
    let mut to = Vec::new();
    sources.iter().filter(|s| give(**s, pairs, &mut Vec::new(), &mut to)).count()
}

/// Nothing that is found is better than the best of all tables, and nothing that is bounded is below the bound.
#[test]
fn no_tables_are_better_than_those_found() {
    for (spec, cables) in [
        ("ft(4,2)", "sw-1-0 sw-2-0"),
        ("ft(4,2)", "sw-1-0 sw-2-0\nsw-1-1 sw-2-1"),
        ("ftree(2,3,3)", "sw-1-0 sw-2-0"),
        ("xgft(3;1,2,2;1,2,2)", "sw-2-0 sw-3-0"),
        ("xgft(3;1,2,3;1,2,1)", "sw-2-0 sw-3-0"),
        ("xgft(3;2,2,2;1,2,2)", "sw-2-0 sw-3-0"),
        ("xgft(3;2,2,2;1,1,2)", "sw-2-0 sw-3-0"),
    ] {
        let topology = without(spec, cables);
        let (fabric, found) = searched(&topology, 0);
        let worst = found.score.worst as usize;
        let bound = bound::bound(&fabric).unwrap().pairs as usize;
        assert!(bound <= worst, "{spec} {cables}");
        assert!(All::exist(&fabric, worst), "{spec} {cables}");
        assert!(!All::exist(&fabric, worst - 1), "{spec} {cables}: {worst}");
    }
}

/// What the search takes for its loads is what the assessment proves.
#[test]
fn loads_are_those_that_are_proven() {
    for (spec, failed, given) in [
        ("ft(4,3)", 3, "minhop"),
        ("ft(8,2)", 2, "minhop"),
        ("xgft(3;3,3,3;1,2,2)", 2, "minhop"),
        ("ft(4,3)", 0, "smodk"),
    ] {
        let whole = generate(spec).unwrap();
        let topology = match failed {
            0 => whole,
            _ => damage(&whole, &at_random(&whole, failed, 1).unwrap()).unwrap().topology,
        };
        let routing = crate::routing::build(given, &topology).unwrap();
        let instance = Instance::new(topology, routing).unwrap();
        let found =
            improve(&instance, &Options::default(), &Progress::silent(), &mut |_| {}).unwrap();
        assert!(
            found.complete
                && found.after.permutation_load.upper <= found.before.permutation_load.upper
        );
        let (fabric, search) = searched(&instance.topology, 0);
        if found.is_found {
            let load = found.after.permutation_load.exact().unwrap();
            assert_eq!(*load, u64::from(search.score.worst).into(), "{spec}");
            assert_eq!(found.after.permutation_load.evidence, Evidence::Proven);
            assert_eq!(found.least.evidence, Evidence::Proven);
        }
        assert!(fabric.leaves.len() > 1);
    }
}

/// On whole trees of three levels every link up gets an owner.
#[test]
fn whole_trees_of_three_levels_reach_the_bound() {
    for (spec, load) in [("ft(4,3)", 2), ("ft(6,3)", 3), ("ft(8,3)", 4)] {
        let topology = generate(spec).unwrap();
        let (_, found) = searched(&topology, 0);
        assert_eq!(found.score.worst, load, "{spec}");
    }
}

/// Where a pod has fewer switches with links up than leaf switches, two of these share a link to every destination.
#[test]
fn slimmed_pods_show_more_than_leaf_switches() {
    for (spec, load, nodes) in [
        ("ft(8,3)", 4, 1),
        ("xgft(3;4,4,4;1,2,2)", 8, 6),
        ("xgft(4;2,2,2,4;1,1,2,2)", 4, 3),
        ("xgft(3;4,3,2;1,3,1)", 4, 1),
    ] {
        let (_, found) = searched(&generate(spec).unwrap(), 0);
        let (bound, shown) = least(&generate(spec).unwrap()).unwrap().unwrap();
        assert_eq!((bound, shown.len()), (u64::from(load).into(), nodes), "{spec}");
        assert!(found.score.worst >= load, "{spec}");
    }
    // One of four switches of a pod is gone: two leaf switches with three links up each show more than one.
    let cables = ["sw-1-0", "sw-1-1", "sw-1-2", "sw-1-3", "sw-3-0", "sw-3-1", "sw-3-2", "sw-3-3"];
    let cables = cables.map(|other| format!("{other} sw-2-0")).join("\n");
    let (bound, _) = least(&without("ft(8,3)", &cables)).unwrap().unwrap();
    assert_eq!(bound, 8.into());
}

#[test]
fn the_same_seed_finds_the_same_tables() {
    let (spec, gone) = if cfg!(feature = "slow-tests") { ("ft(6,3)", 6) } else { ("ft(4,3)", 4) };
    let whole = generate(spec).unwrap();
    let topology = damage(&whole, &at_random(&whole, gone, 1).unwrap()).unwrap().topology;
    let next = |threads| {
        let pool = rayon::ThreadPoolBuilder::new().num_threads(threads).build().unwrap();
        pool.install(|| searched(&topology, 3).1.next)
    };
    assert_eq!(next(1), next(3));
}

/// On a ring shortest paths wait for each other; those that lead up, then down, do not.
#[test]
fn rings_have_no_credit_loop() {
    let mut ring = NetworkBuilder::new();
    let hosts = [0, 1, 2, 3, 4].map(|host| ring.host(format!("h{host}")));
    let switches = [0, 1, 2, 3, 4].map(|switch| ring.switch(format!("s{switch}")));
    for at in 0..5 {
        ring.cable(hosts[at], switches[at], Rational::ONE);
        ring.cable(switches[at], switches[(at + 1) % 5], Rational::ONE);
    }
    let ring = ring.build("ring").unwrap();
    let given =
        Instance::new(ring.clone(), crate::routing::build("minhop", &ring).unwrap()).unwrap();
    let (fabric, found) = searched(&ring, 0);
    let tables = instance(&given, &fabric, &found.next, &Options::default());
    tables.check_paths(&Progress::silent()).unwrap();
    assert_eq!(crate::load::credit_loop(&tables, &Progress::silent()).unwrap(), None);
    assert!(crate::load::credit_loop(&given, &Progress::silent()).unwrap().is_some());
}

#[test]
fn what_the_search_is_not_about_is_refused() {
    let refused = |topology: &Topology| Fabric::of(topology, &Progress::silent()).err().unwrap();
    let several = refused(&generate("xgft(2;2,3;2,2)").unwrap());
    assert!(matches!(several, ImproveError::Ports(_)), "{several}");
    let mut wide = NetworkBuilder::new();
    let switches = [0, 1, 2].map(|switch| wide.switch(format!("s{switch}")));
    for (at, capacity) in [(0, 1), (1, 2)] {
        let host = wide.host(format!("h{at}"));
        wide.cable(host, switches[at], Rational::ONE);
        wide.cable(switches[at], switches[2], capacity.into());
    }
    let wide = refused(&wide.build("wide").unwrap());
    assert!(matches!(wide, ImproveError::Capacities { .. }), "{wide}");
    let mut parts = NetworkBuilder::new();
    for at in 0..2 {
        let (host, switch) = (parts.host(format!("h{at}")), parts.switch(format!("s{at}")));
        parts.cable(host, switch, Rational::ONE);
    }
    let parts = refused(&parts.build("parts").unwrap());
    assert!(matches!(parts, ImproveError::Parts(_)), "{parts}");
}
