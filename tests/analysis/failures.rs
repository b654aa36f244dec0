//! Damaged networks: what remains of them, which pairs are re-routed, and the worst case there.
#![expect(clippy::unwrap_used, reason = "helpers of tests, like tests, may panic")]

use std::collections::{BTreeMap, BTreeSet};
use std::fs;
use std::path::{Path, PathBuf};
use std::sync::Arc;

use proptest::prelude::*;
use routebound::assessment::{Assess, assess};
use routebound::certificate::Quantity;
use routebound::failure::{self, Cable, FailureError, ListError};
use routebound::import::{self, ImportOptions};
use routebound::progress::Progress;
use routebound::rational::Rational;
use routebound::routing::{self, Instance, Listed, Routing};
use routebound::single_failures::{SingleFailures, single_failures};
use routebound::topology::{self, Host, LinkId, Topology, host_number, sd_pairs};
use routebound::traffic::PathRecord;
use routebound::worst_case::Analyse;

use super::kpath::paths;
use super::oracle::for_each_permutation;
use crate::program::{done, json, run};

/// The names of the links of a single path.
fn named(instance: &Instance, s: Host, d: Host) -> Vec<String> {
    let paths = paths(instance.routing(), s, d);
    assert_eq!(paths.len(), 1);
    paths.keys().flatten().map(|link| instance.topology().link_name(*link)).collect()
}

fn listed(topology: &Topology, text: &str) -> Vec<Cable> {
    failure::listed_cables(topology, text).unwrap()
}

fn single(instance: &Instance) -> SingleFailures {
    single_failures(instance, &Progress::silent(), &mut |_| {}).unwrap()
}

fn broken(found: &SingleFailures) -> usize {
    found.failures.iter().filter(|failure| failure.is_broken()).count()
}

fn failed(topology: &str, routing: &str, cables: &str) -> Result<Instance, FailureError> {
    let topology = topology::generate(topology).unwrap();
    let routing = Arc::from(routing::build(routing, &topology).unwrap());
    failure::fail(&topology, routing, &listed(&topology, cables))
}

/// By hand: on FT(4,2) D-mod-k reaches even hosts over root 0. Without the cable from leaf 0 to
/// it, hosts 0 and 1 reach 2, 4 and 6 over root 1, and hosts 2 to 7 reach 0 that way too.
#[test]
fn who_is_rerouted_on_ft_4_2() {
    let whole = Instance::named("ft(4,2)", "dmodk").unwrap();
    let damaged = failed("ft(4,2)", "dmodk", "sw-1-0 sw-2-0").unwrap();
    let moved = |s: Host, d: Host| s < 2 && [2, 4, 6].contains(&d) || d == 0 && s >= 2;
    for (s, d) in sd_pairs(8) {
        let (before, after) = (named(&whole, s, d), named(&damaged, s, d));
        if moved(s, d) {
            assert!(before[1].ends_with("-> sw-2-0[1]") || before[2].starts_with("sw-2-0[1]"));
            assert!(after[1].contains("-> sw-2-1[") && after.len() == 4, "{after:?}");
        } else {
            assert_eq!(before, after);
        }
    }
    let notes = damaged.routing().notes();
    assert_eq!(notes, ["12 of 56 SD pairs re-routed to the next shortest path that survives"]);
    assert_eq!(damaged.topology().spec(), "ft(4,2) less sw-1-0[3]:sw-2-0[1]");
    assert_eq!((damaged.topology().nodes(), damaged.topology().links()), (14, 30));
    assert!(damaged.topology().tree().is_none());
}

/// Both paths of the pairs around the cable become one.
#[test]
fn paths_that_become_the_same_add_up() {
    let damaged = failed("ft(4,2)", "kpath(k=2)", "sw-1-0 sw-2-0").unwrap();
    for (s, d) in sd_pairs(8) {
        let shares: Vec<_> = paths(damaged.routing(), s, d).into_values().collect();
        let (near, leaf_0) = (s / 2 == d / 2, s < 2 || d < 2);
        let half = Rational::new(1, 2).unwrap();
        let expected = if near || leaf_0 { vec![Rational::ONE] } else { vec![half.clone(), half] };
        assert_eq!(shares, expected, "{s} -> {d}");
    }
}

/// omrmn is rebuilt, on any network: without a leaf's cable to root 0 its pairs have one path.
#[test]
fn routings_of_any_network_are_made_anew() {
    let damaged = failed("ft(4,2)", "omrmn", "sw-1-0 sw-2-0").unwrap();
    assert_eq!(
        [paths(damaged.routing(), 0, 2).len(), paths(damaged.routing(), 2, 4).len()],
        [1, 2]
    );
    // Two cables apart: leaf 0 reaches leaf 1 over a third leaf only, which D-mod-k may not use.
    let apart = "sw-1-0 sw-2-0\nsw-1-1 sw-2-1\n";
    let damaged = failed("ft(4,2)", "ecmp", apart).unwrap();
    assert!(paths(damaged.routing(), 0, 2).keys().all(|path| path.len() == 6));
    let error = failed("ft(4,2)", "dmodk", apart).err().unwrap();
    assert!(matches!(error, FailureError::Broken { .. }), "{error}");
    let text = error.to_string();
    assert!(text.contains("8 of 56 SD pairs have lost all shortest paths"), "{text}");
    assert!(text.contains("0->2, 0->3, 1->2, 1->3, 2->0, 2->1, 3->0, 3->1;"), "{text}");
}

/// A list of D-mod-k's paths that calls itself something else.
fn listed_as(name: &str, topology: &Topology) -> Arc<dyn Routing> {
    let dmodk = routing::build("dmodk", topology).unwrap();
    let record = |(s, d)| {
        let links = paths(&*dmodk, s, d).into_keys().next().unwrap();
        PathRecord { s, d, share: Rational::ONE, links }
    };
    let records = sd_pairs(topology.hosts()).map(record).collect();
    Arc::new(Listed::new(name.into(), topology.hosts(), records).unwrap())
}

/// By hand, as above: 12 pairs use the cable. Every cable between switches has some.
#[test]
fn a_routing_is_not_made_anew_from_what_it_calls_itself() {
    let whole = topology::generate("ft(4,2)").unwrap();
    let cables = listed(&whole, "sw-1-0 sw-2-0");
    for name in ["ecmp", "omrmn", "dmodk", "own", "own(x", "table:x"] {
        let error = failure::fail(&whole, listed_as(name, &whole), &cables).err().unwrap();
        let FailureError::Broken { lost, .. } = &error else { panic!("{name}: {error}") };
        assert_eq!(lost.counted(), "12 of 56 SD pairs", "{name}");
        assert!(lost.rule.contains("no path until they are rerouted"));
        let found = single(&Instance::trusted(whole.clone(), listed_as(name, &whole)));
        assert_eq!((found.cables, broken(&found)), (8, 8), "{name}");
    }
    // No path is broken where no cable fails: the paths stay, not those of the name.
    for name in ["ecmp", "own"] {
        let kept = failure::fail(&whole, listed_as(name, &whole), &[]).unwrap();
        assert!(sd_pairs(8).all(|(s, d)| paths(kept.routing(), s, d).len() == 1), "{name}");
        assert_eq!(paths(kept.routing(), 0, 2), paths(&*listed_as("x", &whole), 0, 2));
    }
}

#[test]
fn hosts_apart_are_named_and_leave() {
    let left = failed("ft(4,2)", "omrmn", "host-3[1]").unwrap();
    let names: Vec<&str> = (0..7).map(|host| left.topology().node(host).name.as_str()).collect();
    assert_eq!(names, [0, 1, 2, 4, 5, 6, 7].map(|host| format!("host-{host}")));
    let notes = left.topology().notes();
    assert_eq!(notes[1], "1 of 8 hosts is cut off, and left out: host-3");
    let tree = topology::generate("ft(4,2)").unwrap();
    let all = failure::listed_switches(&tree, "sw-1-0\nsw-1-1\nsw-1-2\nsw-1-3").unwrap();
    let error = failure::damage(&tree, &all).unwrap_err();
    assert!(matches!(error, FailureError::NothingLeft { .. }), "{error}");
}

/// Every permutation of FT(4,2) without one cable: the load of every link agrees with the
/// analysis, and no ratio to the cuts of hosts and leaves exceeds the certified one.
#[test]
fn the_worst_case_of_ft_4_2_less_a_cable_agrees_with_exhaustive_search() {
    for (routing, cable) in
        [("dmodk", "sw-1-0 sw-2-0"), ("smodk", "sw-1-2 sw-2-1"), ("grid", "sw-1-3 sw-2-0")]
    {
        let instance = failed("ft(4,2)", routing, cable).unwrap();
        let leaf = cable.as_bytes()[5] - b'0';
        let path = |s, d| paths(instance.routing(), s, d).into_keys().next().unwrap();
        let paths: BTreeMap<_, _> = sd_pairs(8).map(|(s, d)| ((s, d), path(s, d))).collect();
        let links = instance.topology().links();
        let (mut most, mut ratio) = (vec![0_u64; links], Rational::ZERO);
        for_each_permutation(8, &mut |image| {
            let (mut load, mut out, mut into) = (vec![0_u64; links], [0_u64; 4], [0_u64; 4]);
            for (s, d) in image.iter().enumerate().filter(|(s, d)| s != *d) {
                for link in &paths[&(host_number(s), host_number(*d))] {
                    load[*link as usize] += 1;
                }
                out[s / 2] += u64::from(s / 2 != d / 2);
                into[d / 2] += u64::from(s / 2 != d / 2);
            }
            most.iter_mut().zip(&load).for_each(|(most, load)| *most = (*most).max(*load));
            let broken = out[usize::from(leaf)].max(into[usize::from(leaf)]);
            if let Some(found) = load.iter().max().filter(|load| **load > 0) {
                // Every other leaf has two cables for its two hosts.
                ratio = ratio.clone().max(Rational::new(*found, broken.max(1)).unwrap());
            }
        });
        let worst = Analyse::of(Quantity::PermutationLoad).run(&instance).unwrap();
        let found: Vec<_> = worst.links.iter().flatten().map(|bound| bound.load.clone()).collect();
        assert_eq!(found, most.into_iter().map(Rational::from).collect::<Vec<_>>(), "{routing}");
        let assessment = Assess::new().embedded().run(&instance).unwrap();
        assert_eq!(assessment.oblivious_ratio.evidence.to_string(), "proven");
        assert!(assessment.certificate.is_ok());
        // The cuts bound optu from below, so this bounds permutations from above.
        assert!(assessment.oblivious_ratio.lower <= ratio);
        assert!(assessment.oblivious_ratio.upper >= Rational::from(2));
    }
}

#[test]
fn the_worst_single_failure_is_the_worst_of_all() {
    let Instance { topology, routing, .. } = Instance::named("ft(6,2)", "grid").unwrap();
    let found = single(&Instance::trusted(Arc::clone(&topology), Arc::clone(&routing)));
    assert_eq!((found.cables, broken(&found), found.complete), (18, 0, true));
    let (mut ratios, mut loads) = (Vec::new(), Vec::new());
    for cable in failure::between_switches(&topology) {
        let instance = failure::fail(&topology, Arc::clone(&routing), &[cable]).unwrap();
        let assessment = assess(&instance).unwrap();
        ratios.push(assessment.oblivious_ratio);
        loads.push(assessment.permutation_load);
    }
    for (worst, all) in [(found.oblivious_ratio, ratios), (found.permutation_load, loads)] {
        let bounds = worst.unwrap().bounds;
        assert_eq!(Some(&bounds.lower), all.iter().map(|bounds| &bounds.lower).max());
        assert_eq!(Some(&bounds.upper), all.iter().map(|bounds| &bounds.upper).max());
        assert_eq!(bounds.evidence.to_string(), "proven");
    }
    // One root for two leaves: each cable is the only way, and the first leaf remains.
    let found = single(&Instance::named("xgft(2;2,2;1,1)", "dmodk").unwrap());
    assert_eq!((broken(&found), found.failures[1].cut_off.join(" ")), (2, "host-2 host-3".into()));
}

#[test]
fn random_failures_depend_on_the_seed_and_spare_hosts() {
    let topology = topology::generate("ft(8,2)").unwrap();
    let of = |count, seed| failure::at_random(&topology, count, seed).unwrap();
    assert_eq!(of(5, 1), of(5, 1));
    assert_ne!(of(5, 1), of(5, 2));
    assert!(of(4, 1).iter().all(|cable| of(5, 1).contains(cable)));
    assert!(of(32, 3) == failure::between_switches(&topology));
    let error = failure::at_random(&topology, 33, 1).unwrap_err();
    assert!(matches!(error, FailureError::TooMany { wanted: 33, found: 32 }), "{error}");
}

#[test]
fn lists_that_do_not_fit_are_refused_with_their_line() {
    let topology = topology::generate("ft(4,2)").unwrap();
    let refusal = |text: &str| failure::listed_cables(&topology, text).unwrap_err().to_string();
    for empty in ["", "\n", "# nothing yet\n\n"] {
        assert_eq!(failure::listed_cables(&topology, empty), Err(ListError::Empty));
        assert_eq!(failure::listed_switches(&topology, empty), Err(ListError::Empty));
    }
    for (text, line, problem) in [
        ("sw-1-0[3]\n\nsw-9-9[1]", 3, "no node with this name"),
        ("sw-1-0[9]", 1, "no cable is at this port"),
        ("sw-1-0[x]", 1, "`x` is not a port number"),
        ("# all\n48", 2, "links are numbered 0 to 31"),
        ("sw-1-0 sw-1-1", 1, "no cable joins these nodes"),
        ("sw-1-0", 1, "expected a cable as"),
        ("sw-1-0 sw-2-9", 1, "expected a cable as"),
    ] {
        let text = refusal(text);
        assert!(text.contains(&format!("line {line} ")) && text.contains(problem), "{text}");
    }
    let refusal = |text: &str| failure::listed_switches(&topology, text).unwrap_err().to_string();
    assert!(refusal("sw-2-0\nhost-1").contains("it is a host that does not forward"));
    assert!(refusal("sw-2-7").contains("no node with this name"));
    assert_eq!(failure::listed_switches(&topology, "sw-2-0\nsw-2-0").unwrap().len(), 4);
    assert_eq!(
        listed(&topology, "16 # a link\n24\nsw-1-0[3]\nsw-2-0 sw-1-0"),
        listed(&topology, "16")
    );
}

/// Two cables between the same switches need their ports.
#[test]
fn parallel_cables_are_named_by_ports() {
    let path = "instances/fabrics/pgft2_8-4_1-4_1-2/";
    let folder = fs::read_dir(Path::new(env!("CARGO_MANIFEST_DIR")).join(path)).unwrap();
    let engine = folder.map(|entry| entry.unwrap().path()).find(|path| path.is_dir()).unwrap();
    let files = fs::read_dir(engine).unwrap().map(|entry| entry.unwrap().path());
    let is_fabric = |path: &PathBuf| path.to_str().unwrap().contains("ibnetdiscover");
    let fabric = files.into_iter().find(is_fabric).unwrap();
    let fabric = import::topology(fabric.to_str().unwrap(), &ImportOptions::default()).unwrap();
    let cable = &failure::between_switches(&fabric)[0];
    let [(one, port), (other, _)] = cable.ends;
    let name = |node| &fabric.node(node).name;
    let both = format!("{} {}", name(one), name(other));
    let error = failure::listed_cables(&fabric, &both).unwrap_err();
    assert!(error.to_string().contains("several cables match"), "{error}");
    let by_port = format!("{}[{port}]", name(one));
    assert_eq!(listed(&fabric, &by_port), std::slice::from_ref(cable));
}

/// The simulated fabric from which two cables were taken is the generated tree without them.
#[test]
fn a_damaged_fabric_equals_the_damaged_tree() {
    let Some(shared) = super::collection::collection("fabrics") else { return };
    let open = |name: &str| {
        let path = shared.join(name).join("minhop/ibnetdiscover.out");
        import::topology(path.to_str().unwrap(), &ImportOptions::default()).unwrap()
    };
    let cables = "sw-1-0 sw-2-0\nsw-1-3 sw-2-2\n";
    let names = |topology: &Topology| -> BTreeSet<(String, String)> {
        let name = |node| topology.node(node).name.clone();
        let ends = topology.link_numbers().map(|link| topology.ends(link).unwrap());
        ends.map(|(from, to)| (name(from), name(to))).collect()
    };
    let fabric = open("ft8x2_minus2");
    let whole = open("ft8x2");
    let tree = topology::generate("ft(8,2)").unwrap();
    for topology in [&tree, &whole] {
        let damage = failure::damage(topology, &listed(topology, cables)).unwrap();
        let left = &damage.topology;
        assert_eq!((left.hosts(), left.nodes(), left.links()), (32, 44, 124));
        assert_eq!((fabric.hosts(), fabric.nodes(), fabric.links()), (32, 44, 124));
        assert_eq!(names(left), names(&fabric));
    }
    // Same network, same rule, same worst case, each with a certificate.
    let rebuilt = failed("ft(8,2)", "omrmn", cables).unwrap();
    let imported = routing::build("omrmn", &fabric).unwrap();
    let imported = Instance::trusted(fabric, imported);
    let assess = |instance| Assess::new().embedded().run(instance).unwrap();
    let (one, other) = (assess(&rebuilt), assess(&imported));
    assert_eq!(one.permutation_load, other.permutation_load);
    assert_eq!(one.oblivious_ratio.upper, other.oblivious_ratio.upper);
    assert!(one.certificate.is_ok() && other.certificate.is_ok());
    // Tables are not changed: those of the whole fabric lead over failed cables.
    let tables = shared.join("ft8x2/minhop/opensm-lfts.dump");
    let tables = Arc::from(routing::build(&format!("lft:{}", tables.display()), &whole).unwrap());
    let error = failure::fail(&whole, tables, &listed(&whole, cables)).err().unwrap();
    assert!(error.to_string().contains("have no path until they are rerouted"), "{error}");
}

/// All shortest paths of the undamaged tree in the order of their up-digits, by brute force.
fn all_paths(tree: &Topology, s: Host, d: Host) -> Vec<Vec<LinkId>> {
    let labels = tree.tree().unwrap();
    let level = labels.nca_level(s, d);
    let mut digits = vec![vec![]];
    for l in 1..=level {
        let ports = 0..labels.parents(l);
        let longer = |start: Vec<u32>| ports.clone().map(move |w| [&start[..], &[w]].concat());
        digits = digits.into_iter().flat_map(longer).collect();
    }
    let path = |up: Vec<u32>| {
        let mut links = Vec::new();
        labels.push_path(s, d, &up, &mut links);
        links
    };
    digits.into_iter().map(path).collect()
}

proptest! {
    #[test]
    fn broken_paths_give_way_by_definition(
        tree in prop::sample::select(vec!["ft(6,2)", "ft(4,3)", "xgft(3;2,2,3;2,2,3)", "kary(3,2)"]),
        routing in prop::sample::select(vec!["dmodk", "smodk", "random", "rnca-d", "kpath(k=3,choice=shift)"]),
        count in 1..6_u64, seed in 0..50_u64,
    ) {
        let topology = topology::generate(tree).unwrap();
        let cables = failure::at_random(&topology, count, seed).unwrap();
        let damage = failure::damage(&topology, &cables).unwrap();
        let own = routing::build(routing, &topology).unwrap();
        let left = failure::remaining(&topology, Arc::from(routing::build(routing, &topology).unwrap()), &cables).unwrap();
        let instance = &left.instance;
        let all: Vec<Host> = topology.host_numbers().collect();
        let hosts = instance.topology().whole().map_or(all, |whole| whole.hosts.clone());
        prop_assert_eq!(hosts.len() + left.cut_off.len(), topology.hosts());
        let mut broken = 0;
        for (s, d) in sd_pairs(hosts.len()) {
            let (before_s, before_d) = (hosts[s as usize], hosts[d as usize]);
            let all = all_paths(&topology, before_s, before_d);
            let new = |path: &Vec<LinkId>| path.iter().map(|l| damage.link(*l)).collect::<Option<Vec<_>>>();
            let mut expected: BTreeMap<Vec<LinkId>, Rational> = BTreeMap::new();
            for (path, share) in paths(&*own, before_s, before_d) {
                let start = all.iter().position(|other| *other == path).unwrap();
                let next = all.iter().cycle().skip(start).take(all.len()).find_map(new);
                if let Some(next) = next {
                    *expected.entry(next).or_insert(Rational::ZERO) += &share;
                }
            }
            broken += u64::from(expected.is_empty());
            prop_assert_eq!(paths(instance.routing(), s, d), expected);
        }
        prop_assert_eq!(broken, left.lost.count);
    }
}

#[test]
fn the_command_line_takes_failures() {
    let folder = tempfile::tempdir().unwrap();
    let list = folder.path().join("cables.txt");
    fs::write(&list, "sw-1-0 sw-2-0\nsw-1-3[7]\n").unwrap();
    let (list, file) = (list.to_str().unwrap(), folder.path().join("left.cert"));
    let file = file.to_str().unwrap();
    let ratio = ["ratio", "ft(8,2)", "dmodk", "--fail-links", list, "--certificate", file];
    let report = json(ratio);
    assert_eq!(report["topology"], "ft(8,2) less sw-1-0[5]:sw-2-0[1], sw-1-3[7]:sw-2-2[4]");
    done(["check", file]);
    for (verb, switches) in [("topo", ""), ("route", "sw-2-3"), ("load", "sw-2-3,sw-2-0")] {
        let mut arguments = vec![verb, "ft(8,2)"];
        arguments.extend(["dmodk"].iter().filter(|_| verb != "topo"));
        arguments.extend(["shift(4)"].iter().filter(|_| verb == "load"));
        arguments.extend(["--fail", "1", "--seed", "4"]);
        arguments.extend(["--fail-switches", switches].iter().filter(|_| !switches.is_empty()));
        let printed = done(arguments);
        assert!(printed.contains("ft(8,2) less "), "{printed}");
    }
    for (arguments, code, said) in [
        ("topo ft(8,2) --fail 33", 2, "32 cables between switches or between hosts"),
        ("topo xgft(1;2;1) --fail-links 0", 1, "no two hosts remain connected"),
        ("ratio xgft(1;4;1) dmodk --worst-single-failure", 2, "nothing was tried"),
        ("ratio ft(4,2) dmodk --fail-switches root", 2, "no node with this name"),
        ("ratio ft(4,2) dmodk --fail-links /no/file", 2, "/no/file: no such file"),
    ] {
        run(arguments).refuses(code, said);
    }
    let single = |threads| {
        run(format!("ratio ft(8,2) dmodk --worst-single-failure --json --threads {threads}"))
    };
    assert_eq!(single(1).stdout, single(4).stdout);
    let report = single(1).json();
    assert_eq!((&report["cables"], &report["complete"]), (&32.into(), &true.into()));
}
