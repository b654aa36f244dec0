//! Choices against those of an independent program, and what hashes promise on small fabrics.

mod weights;

use std::collections::BTreeMap;
use std::fmt::Write as _;

use super::*;
use crate::progress::Progress;
use crate::routing::{Instance, UseScratch, build};
use crate::topology::{NetworkBuilder, generate, sd_pairs};

fn paths(routing: &dyn Routing, s: Host, d: Host) -> Vec<(Rational, Vec<LinkId>)> {
    let mut found = Vec::new();
    routing.for_each_path(s, d, &mut Vec::new(), &mut |share, links| {
        found.push((share.clone(), links.to_vec()));
    });
    found
}

/// The number of the port by which each switch of the path of a pair sends upwards, on a tree, in one word.
fn choices(topology: &Topology, routing: &dyn Routing, s: Host, d: Host) -> String {
    let [(_, links)] = &paths(routing, s, d)[..] else { panic!("one path") };
    let nodes = links.iter().filter_map(|link| topology.ends(*link));
    let up = nodes.take(links.len() / 2).skip(1);
    let place = |(tail, head): (NodeId, NodeId)| {
        let mut hops: Vec<LinkId> = topology.links_from(tail).collect();
        hops.sort_unstable();
        let heads = hops.into_iter().filter_map(|link| Some(topology.ends(link)?.1));
        let above: Vec<NodeId> = heads.filter(|head| *head > tail).collect();
        above.iter().position(|above| *above == head).unwrap().to_string()
    };
    up.map(place).collect()
}

/// The spines that a program in Python chose by the rule alone, with `binascii.crc32`, `binascii.crc_hqx`, a bitwise
/// CRC-16/ARC and ChaCha written from `NAMES.md`, for the pairs of ftree(2,4,3) with different leaves.
#[test]
fn choices_are_those_of_another_program() {
    let fabric = generate("ftree(2,4,3)").unwrap();
    for (options, expected) in [
        ("seed=7,ports=50000", "011023322301012310233201"),
        ("seed=7,ports=50000,hash=crc16", "323223233223233232232332"),
        ("seed=7,ports=50000,hash=crc16cc", "223333220011110033332222"),
        ("seed=7,ports=50000,hash=xor", "230132102323323201231032"),
        ("seed=7", "013221023102032330000211"),
        ("seed=7,fields=dst+src", "203120312031203120202020"),
        ("seed=7,switch-seed=each,switch-offset=each", "023120221310232030023130"),
        ("seed=7,ports=50000,buckets=10", "300202120322312130202030"),
    ] {
        let routing = build(&format!("ecmp-hash({options})"), &fabric).unwrap();
        let far = sd_pairs(6).filter(|(s, d)| s / 2 != d / 2);
        let found: String = far.map(|(s, d)| choices(&fabric, &*routing, s, d)).collect();
        assert_eq!(found, expected, "{options}");
    }
}

/// The same of both switches of the pairs between the halves of a tree of three levels: polarised, only two of four
/// ways are taken. Seeds alone do not part the flows of a leaf, as hashes are linear; other bits do.
#[test]
fn switches_that_hash_alike_polarise() {
    let tree = generate("kary(2,3)").unwrap();
    let found = |options: &str| -> Vec<String> {
        let routing = build(&format!("ecmp-hash({options})"), &tree).unwrap();
        let far = sd_pairs(8).filter(|(s, d)| s / 4 != d / 4);
        far.map(|(s, d)| choices(&tree, &*routing, s, d)).collect()
    };
    let same = "00 00 00 11 00 11 11 00 00 11 00 00 00 00 11 11 00 00 11 11 00 00 00 11 11 11 11 00 11 11 11 11";
    assert_eq!(found("seed=3").join(" "), same);
    let each = "11 11 00 10 10 01 01 11 11 10 00 11 00 01 10 01 11 01 01 01 10 01 10 10 00 11 10 11 10 11 11 01";
    let both = "seed=3,hash=crc16cc,switch-seed=each,switch-offset=each";
    assert_eq!(found(both).join(" "), each);
    // Of the flows that a switch of level 2 gets from a leaf, all leave by one port.
    let of_leaf = |leaf: usize| {
        let pairs = found("seed=3,switch-seed=each");
        let own: std::collections::BTreeSet<String> =
            pairs[leaf * 8..][..8].iter().cloned().collect();
        own.len()
    };
    assert!((0..4).all(|leaf| of_leaf(leaf) <= 2));
}

/// Flows are merged where they take the same path, and each has the same share; the first ones stay.
#[test]
fn flows_have_equal_shares() {
    let fabric = generate("ftree(2,4,3)").unwrap();
    let three = build("ecmp-hash(seed=7,hash=crc16,flows=3)", &fabric).unwrap();
    let spines = |d: Host| -> Vec<(String, String)> {
        let name = |links: &[LinkId]| fabric.node(fabric.ends(links[1]).unwrap().1).name.clone();
        paths(&*three, 0, d).iter().map(|(share, links)| (name(links), share.to_string())).collect()
    };
    let expected = |all: &[(u32, &str)]| -> Vec<(String, String)> {
        all.iter().map(|(spine, share)| (format!("sw-2-{spine}"), (*share).to_string())).collect()
    };
    // By the program in Python: spines 0, 3, 2; 0, 2, 0; 1, 0, 1; 3, 2, 2.
    assert_eq!(spines(2), expected(&[(0, "1/3"), (2, "1/3"), (3, "1/3")]));
    assert_eq!(spines(3), expected(&[(0, "2/3"), (2, "1/3")]));
    assert_eq!(spines(4), expected(&[(0, "1/3"), (1, "2/3")]));
    assert_eq!(spines(5), expected(&[(2, "2/3"), (3, "1/3")]));
}

/// 256 ports that follow each other have all values of eight bits, over which a CRC is even: the loads of `ecmp`.
#[test]
fn over_all_ports_the_split_is_even() {
    let fabric = generate("ftree(2,4,3)").unwrap();
    let even = build("ecmp", &fabric).unwrap();
    for hash in ["crc32", "crc16", "crc16cc", "xor"] {
        let spec = format!("ecmp-hash(hash={hash},flows=256,ports=49152)");
        let routing = build(&spec, &fabric).unwrap();
        for (s, d) in sd_pairs(6) {
            let mut expected = paths(&*even, s, d);
            expected.sort_unstable_by(|a, b| a.1.cmp(&b.1));
            assert_eq!(paths(&*routing, s, d), expected, "{hash} {s} {d}");
        }
    }
}

/// Drawn ports come near that: of 500 seeds each of four spines has a pair in about 125, five standard deviations off
/// at most.
#[test]
fn over_seeds_the_mean_is_that_of_ecmp() {
    let fabric = generate("ftree(2,4,3)").unwrap();
    let mut counts = BTreeMap::new();
    for seed in 0..500 {
        let routing = build(&format!("ecmp-hash(seed={seed})"), &fabric).unwrap();
        *counts.entry(choices(&fabric, &*routing, 1, 4)).or_insert(0_i32) += 1;
    }
    assert_eq!(counts.len(), 4);
    assert!(counts.values().all(|count| (count - 125).abs() < 5 * 10), "{counts:?}");
}

/// Two leaves with two hosts each, joined by spines over cables of these capacities, weighed by hops.
fn fabric(capacities: &[u64]) -> Topology {
    let mut network = NetworkBuilder::new();
    let hosts: Vec<_> = (0..4).map(|host| network.host(format!("h{host}"))).collect();
    let leaves = ["a", "b"].map(|name| network.switch(name));
    for (at, host) in hosts.into_iter().enumerate() {
        network.cable(host, leaves[at / 2], Rational::ONE);
    }
    for (at, capacity) in capacities.iter().enumerate() {
        let spine = network.switch(format!("s{at}"));
        for leaf in leaves {
            network.cable(leaf, spine, Rational::from(*capacity));
        }
    }
    network.build("fabric").unwrap()
}

/// 256 flows over buckets: the shares of the spines in 256ths.
fn shares(options: &str, network: &Topology) -> Vec<u64> {
    let spec = format!("ecmp-hash(flows=256,ports=49152,{options})");
    let routing = build(&spec, network).unwrap();
    let share = |(share, _): &(Rational, Vec<LinkId>)| (share * &Rational::from(256)).to_string();
    paths(&*routing, 0, 2).iter().map(|path| share(path).parse().unwrap()).collect()
}

/// Capacities 4 and 12 are one bucket and three of four. Of 8 buckets for weights 1, 1 and 1 the first ends at 8/3,
/// the second at 16/3, rounded to 3, 5 and 8.
#[test]
fn buckets_follow_weights() {
    let two = fabric(&[4, 12]);
    assert_eq!(shares("split=equal", &two), [128, 128]);
    assert_eq!(shares("split=capacity", &two), [64, 192]);
    assert_eq!(shares("split=capacity,buckets=8", &two), [64, 192]);
    assert_eq!(shares("buckets=8", &fabric(&[1, 1, 1])), [96, 64, 96]);
}

#[test]
fn what_cannot_be_is_refused_with_a_remedy() {
    let (two, tree) = (fabric(&[1, 100]), generate("ft(8,2)").unwrap());
    for (options, network, expected) in [
        ("flows=0", &tree, "`flows=0` must be at least 1"),
        ("flows=300", &tree, "flows of a pair is 300, above the limit of 256: use fewer flows"),
        ("hash=md5", &tree, "`hash=md5` is not one of crc32, crc16, crc16cc, xor"),
        (
            "fields=src+vlan",
            &tree,
            "must join names by `+`, each one of src, dst, sport, dport, proto",
        ),
        ("ports=99999", &tree, "is not random or a port up to 65535"),
        ("ports=65535,flows=2", &tree, "exceed 65535: use a lower port"),
        ("buckets=3", &tree, "gets none of the 3 buckets: use more buckets"),
        ("buckets=70000", &tree, "above the limit of 65536: use fewer buckets"),
        ("split=capacity,buckets=20", &two, "gets none of the 20 buckets: use more buckets"),
        ("switch-seed=own", &tree, "is not one of same, each"),
    ] {
        let error = build(&format!("ecmp-hash({options})"), network).err().unwrap().to_string();
        assert!(error.contains(expected), "{options}: {error}");
    }
}

/// On every kind of network, with one flow and several, paths are shortest and what is used is what paths use.
#[test]
fn paths_are_valid_on_all_networks() {
    let networks = [
        "ft(4,3)",
        "xgft(3;2,3,2;1,2,2)",
        "kary(2,3)",
        "ftree(2,3,4)",
        "torus(4,3)",
        "dragonfly(1,2,1)",
    ];
    for network in networks {
        let topology = generate(network).unwrap();
        for options in [
            "seed=5",
            "flows=5,hash=crc16,switch-seed=each,switch-offset=each,buckets=16",
            "flows=3,fields=src",
        ] {
            let routing = build(&format!("ecmp-hash({options})"), &topology).unwrap();
            let own = routing.spec().to_string();
            assert_eq!(build(&own, &topology).unwrap().spec(), own);
            let instance = Instance::trusted(topology.clone(), routing);
            instance.check_paths(&Progress::silent()).unwrap();
            assert!(!instance.is_named(), "{network}");
            let mut sum = Rational::ZERO;
            let mut add = |share: &Rational, _: &[LinkId]| sum += share;
            instance.routing().for_each_use(0, 1, &mut UseScratch::default(), &mut add);
            assert!(sum >= Rational::ONE);
        }
    }
}

#[test]
fn the_canonical_spec_shows_what_is_not_plain() {
    let tree = generate("ft(4,2)").unwrap();
    let shown = |text: &str| build(text, &tree).unwrap().spec().to_string();
    assert_eq!(shown("ecmp-hash"), "ecmp-hash(seed=1)");
    let long =
        "ecmp-hash(hash=crc32,switch-seed=each,fields=proto+dport+sport+dst+src,seed=007,flows=1)";
    assert_eq!(shown(long), "ecmp-hash(seed=7,switch-seed=each)");
    assert_eq!(
        shown("ecmp-hash(buckets=4,fields=dst+src)"),
        "ecmp-hash(seed=1,fields=src+dst,buckets=4)"
    );
    let notes = |text: &str| build(text, &tree).unwrap().notes();
    assert!(notes("ecmp-hash(flows=2)").is_empty());
    assert_eq!(notes("ecmp-hash(flows=2,fields=src+dst)").len(), 1);
}

/// The upward choices of the pairs of different leaves as a table, with the port of every flow.
fn table(fabric: &Topology, routing: &dyn Routing, change: impl Fn(&str) -> String) -> String {
    let mut text = "switch,source,destination,port,next\n".to_string();
    for (s, d) in sd_pairs(6).filter(|(s, d)| s / 2 != d / 2) {
        let [(_, links)] = &paths(routing, s, d)[..] else { panic!("one path") };
        let (leaf, spine) = fabric.ends(links[1]).unwrap();
        let name = |node: NodeId| fabric.node(node).name.as_str();
        let spine = change(name(spine));
        writeln!(text, "{},{s},{},50000,{spine}", name(leaf), name(d)).unwrap();
    }
    text
}

/// Results of all switches are as good as the formula; changed, they are what counts; switches without rows keep it.
#[test]
fn a_table_of_results_takes_the_place_of_the_formula() {
    let fabric = generate("ftree(2,4,3)").unwrap();
    let formula = build("ecmp-hash(seed=7,ports=50000)", &fabric).unwrap();
    let folder = tempfile::tempdir().unwrap();
    let file = folder.path().join("a.csv");
    let read = |text: &str| {
        std::fs::write(&file, text).unwrap();
        build(&format!("ecmp-hash(ports=50000,table=\"{}\")", file.display()), &fabric)
    };
    let same = table(&fabric, &*formula, str::to_string);
    let known = read(&same).unwrap();
    for (s, d) in sd_pairs(6) {
        assert_eq!(paths(&*known, s, d), paths(&*formula, s, d), "{s} {d}");
    }
    let last = |spine: &str| if spine == "sw-2-0" { "sw-2-3" } else { spine }.to_string();
    let moved = read(&table(&fabric, &*formula, last)).unwrap();
    let far = sd_pairs(6).filter(|(s, d)| s / 2 != d / 2);
    let found: String = far.map(|(s, d)| choices(&fabric, &*moved, s, d)).collect();
    assert_eq!(found, "011023322301012310233201".replace('0', "3"));
    // Rows of the first leaf switch alone, of all ports.
    let first =
        same.lines().filter(|line| !line.starts_with("sw-1-1") && !line.starts_with("sw-1-2"));
    let first = first.collect::<Vec<_>>().join("\n").replace("50000", "*");
    let mixed = read(&first).unwrap();
    let plain = build("ecmp-hash(ports=50000)", &fabric).unwrap();
    for (s, d) in sd_pairs(6) {
        let expected = if s < 2 { &formula } else { &plain };
        assert_eq!(paths(&*mixed, s, d), paths(&**expected, s, d), "{s} {d}");
    }
}

#[test]
fn bad_tables_of_results_are_refused() {
    let fabric = generate("ftree(2,4,3)").unwrap();
    let folder = tempfile::tempdir().unwrap();
    let file = folder.path().join("a.csv");
    for (rows, says) in [
        ("", "there are no rows"),
        (
            "sw-1-0,0,2,*,sw-2-0",
            "rows of switch `sw-1-0`, but none for its flow from `host-0` to `host-3`",
        ),
        ("sw-1-9,0,2,*,sw-2-0", "line 2: switch is `sw-1-9`, no node"),
        ("sw-1-0,0,sw-1-1,*,sw-2-0", "destination `sw-1-1` is not a host"),
        ("sw-1-0,0,2,70000,sw-2-0", "port is `70000`"),
        (
            "sw-1-0,0,2,*,sw-1-1",
            "`sw-1-1` is not exactly one of the next hops of `sw-1-0` for `host-2`",
        ),
        ("sw-1-0,0,2,*", "4 columns"),
        ("sw-1-0,0,2,*,sw-2-0\nsw-1-0,0,2,*,sw-2-1", "line 3: another row says otherwise"),
        ("2,0,2,*,sw-2-0", "chooses nothing for this pair"),
    ] {
        std::fs::write(&file, format!("# x\nswitch,source,destination,port,next\n{rows}\n"))
            .unwrap();
        let spec = format!("ecmp-hash(table=\"{}\")", file.display());
        let error = build(&spec, &fabric).err().unwrap().to_string();
        let says = says.replace("line 2", "line 3").replace("line 3: another", "line 4: another");
        assert!(error.contains(&says), "{rows}: {error}");
    }
    std::fs::write(&file, "switch,next\n").unwrap();
    let spec = format!("ecmp-hash(table=\"{}\")", file.display());
    let error = build(&spec, &fabric).err().unwrap().to_string();
    assert!(error.contains("line 1: the header must be"), "{error}");
}
