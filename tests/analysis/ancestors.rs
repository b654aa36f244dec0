//! The numbers of nearest common ancestors say what paths say, for every routing that has them.

use std::collections::BTreeSet;

use itertools::iproduct;
use routebound::routing::{self, Instance, numbered_tree};
use routebound::topology::{self, Host, LinkId, Topology, Xgft, generate};

/// The links through an ancestor with this number, up ones first.
fn links(tree: &Xgft, (s, d): (Host, Host), ancestor: u32) -> Vec<LinkId> {
    let nca = tree.nca_level(s, d);
    let port = |level| ancestor / (tree.shortest_paths(nca) / tree.shortest_paths(level + 1));
    let first = |host, level| tree.link_id(level, tree.subtree(host, level), 0, 0);
    let up = (0..nca).map(|level| first(s, level).0 + port(level));
    let down = (0..nca).rev().map(|level| first(d, level).1 + port(level));
    up.chain(down).collect()
}

fn assert_same(instance: &Instance, tree: &Xgft) {
    let hosts: Vec<Host> = tree.host_numbers().collect();
    let backwards: Vec<Host> = hosts.iter().rev().copied().collect();
    for (s, some) in iproduct!(&hosts, hosts.chunks(5).chain(backwards.chunks(4))) {
        let mut ancestors = vec![u32::MAX; some.len()];
        assert!(instance.routing().ancestors_from(*s, some, &mut ancestors), "{instance:?}");
        for (d, ancestor) in some.iter().zip(ancestors).filter(|(d, _)| *d != s) {
            let mut path = Vec::new();
            let mut visit = |_: &_, links: &[LinkId]| path.extend_from_slice(links);
            instance.routing().for_each_path(*s, *d, &mut Vec::new(), &mut visit);
            assert_eq!(links(tree, (*s, *d), ancestor), path, "{instance:?}: {s} to {d}");
        }
    }
}

fn networks() -> Vec<Topology> {
    let members = topology::KINDS.iter().flat_map(|kind| (kind.build.members)(36));
    let more = ["xgft(3;5,4,3;2,3,4)", "xgft(3;2,3,2;1,2,3)", "xgft(1;4;2)"].map(String::from);
    members.chain(more).filter_map(|spec| generate(&spec).ok()).collect()
}

#[test]
fn numbers_of_ancestors_are_those_of_paths() {
    let (mut names, mut cases) = (BTreeSet::new(), 0);
    let specs = routing::KINDS.iter().flat_map(|kind| kind.examples);
    for (network, spec) in iproduct!(networks(), specs) {
        let Ok(routing) = routing::build(spec, &network) else { continue };
        let instance = Instance::trusted(network, routing);
        if let Some(tree) = numbered_tree(instance.topology(), instance.routing()) {
            assert_same(&instance, tree);
            names.insert(*spec);
            cases += 1;
        }
    }
    for name in ["dmodk", "smodk", "random", "rnca-u", "rnca-d", "osrm3", "wsr", "grid"] {
        assert!(names.contains(name), "{name}: {names:?}");
    }
    assert!(cases > 200, "{cases}");
}

/// Trees with other labels, several paths per pair, and files have none.
#[test]
fn other_routings_have_no_numbers() {
    for (network, spec) in [("ft(4,2)", "ecmp"), ("ft(4,2)", "kpath(k=2)"), ("bft(16)", "minhop")] {
        let instance = Instance::named(network, spec).unwrap();
        assert!(numbered_tree(instance.topology(), instance.routing()).is_none(), "{spec}");
        assert!(!instance.routing().ancestors_from(0, &[1], &mut [0]), "{spec}");
    }
    let (_, other) = Instance::named("ft(8,2)", "dmodk").unwrap().into_parts();
    assert!(numbered_tree(&generate("ft(4,2)").unwrap(), &*other).is_none());
}
