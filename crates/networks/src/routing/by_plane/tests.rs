//! Planes of dumps, read together.

use super::split;
use crate::import::{self, ImportOptions};
use crate::progress::Progress;
use crate::rational::Rational;
use crate::routing::{Instance, UseScratch, build};
use crate::topology::{LinkId, Topology, sd_pairs};

/// Two planes of the sample fabric.
fn fabric(dump: &str) -> Topology {
    import::topology(&format!("planes:{dump},{dump}"), &ImportOptions::default()).unwrap()
}

#[test]
fn routings_are_divided_at_commas_outside_parentheses() {
    let parts = ["lft(lid=\"a,b\"):x(1)", "hash(seed=1,weights=hops)", "ecmp"];
    assert_eq!(split(&parts.join(",")), parts);
}

/// Half of a pair is on each plane, on the path of its tables: what the switches are called there, in the same order.
#[test]
fn tables_of_every_plane_name_its_own_addresses() {
    let folder = "instances/fabrics/ft8x2/minhop_lmc2";
    let (dump, tables) =
        (format!("{folder}/ibnetdiscover.out"), format!("{folder}/opensm-lfts.dump.gz"));
    let one = import::topology(&dump, &ImportOptions::default()).unwrap();
    let single = build(&format!("lft:{tables}"), &one).unwrap();
    let two = fabric(&dump);
    assert_eq!((two.hosts(), two.nodes(), two.links()), (32, 32 + 2 * 12, 2 * one.links()));
    let both = build(&format!("by-plane:lft:{tables},lft(lid=0):{tables}"), &two).unwrap();
    assert_eq!(both.notes().iter().filter(|note| note.starts_with("plane 2: ")).count(), 2);
    let half = Rational::new(1, 2).unwrap();
    let names = |of: &Topology, links: &[LinkId]| {
        let heads = links.iter().map(|link| of.ends(*link).unwrap().1);
        heads.map(|node| of.node(node).name.clone()).collect::<Vec<_>>()
    };
    for (s, d) in sd_pairs(32) {
        let (mut expected, mut found) = (Vec::new(), Vec::new());
        single.for_each_path(s, d, &mut Vec::new(), &mut |_, links| {
            let path = names(&one, links);
            for plane in ["p1/", "p2/"] {
                let (last, switches) = path.split_last().unwrap();
                let switches = switches.iter().map(|name| format!("{plane}{name}"));
                expected.push(switches.chain([last.clone()]).collect::<Vec<_>>());
            }
        });
        both.for_each_path(s, d, &mut Vec::new(), &mut |share, links| {
            assert_eq!(*share, half);
            found.push(names(&two, links));
        });
        assert_eq!(found, expected, "{s} {d}");
    }
    Instance::trusted(two, both).check_paths(&Progress::silent()).unwrap();
}

/// The even split on every plane is that of the whole fabric, where planes are alike.
#[test]
fn the_even_split_of_planes_is_that_of_the_fabric() {
    let fabric = fabric("instances/fabrics/ft8x2/minhop_lmc2/ibnetdiscover.out");
    assert_eq!(
        fabric.tree().map(crate::topology::Xgft::shape),
        Some("xgft(2;4,8;2,4)".to_string())
    );
    let uses = |spec: &str| {
        let routing = build(spec, &fabric).unwrap();
        let mut found = Vec::new();
        for (s, d) in sd_pairs(fabric.hosts()) {
            let start = found.len();
            routing.for_each_use(s, d, &mut UseScratch::default(), &mut |share, links| {
                found.extend(links.iter().map(|link| (s, d, *link, share.clone())));
            });
            found[start..].sort();
        }
        found
    };
    assert_eq!(uses("by-plane:ecmp"), uses("ecmp"));
}

#[test]
fn what_does_not_fit_is_refused() {
    let fabric = fabric("instances/fabrics/ft8x2/minhop_lmc2/ibnetdiscover.out");
    let tree = crate::topology::generate("planes(2,2,2,3)").unwrap();
    for (spec, network, says) in [
        ("by-plane:ecmp", &tree, "it was not read plane by plane, as planes:FILE,FILE,.."),
        ("by-plane:ecmp,ecmp,hash", &fabric, "3 routings are given for 2 planes"),
        ("by-plane:ecpm", &fabric, "did you mean"),
    ] {
        let error = build(spec, network).err().unwrap().to_string();
        assert!(error.contains(says), "{spec}: {error}");
    }
}
