//! Limited multi-path routing against its definition, and its exact ratio against exhaustive
//! search.
#![expect(clippy::unwrap_used, reason = "helpers of tests, like tests, may panic")]

use std::collections::BTreeMap;
use std::path::Path;

use proptest::prelude::*;
use routebound::assessment::{Assess, assess};
use routebound::certificate::Quantity;
use routebound::integer::{ceil_sqrt, index32};
use routebound::progress::Progress;
use routebound::rational::Rational;
use routebound::routing::{self, Instance, Routing, RoutingError, UseScratch};
use routebound::synth::counting::{least, least_with_paths};
use routebound::topology::{self, Host, LinkId, Topology, link_number, sd_pairs};
use routebound::worst_case::Analyse;

const CHOICES: [&str; 5] = ["first", "random", "disjoint", "shift", "grid"];

type Paths = BTreeMap<Vec<LinkId>, Rational>;

/// The paths of a pair with their shares; what is in the scratch space does not matter.
pub fn paths(routing: &dyn Routing, s: Host, d: Host) -> Paths {
    let mut paths = BTreeMap::new();
    routing.for_each_path(s, d, &mut vec![7; 3], &mut |share, links| {
        assert!(paths.insert(links.to_vec(), share.clone()).is_none(), "{links:?} comes twice");
    });
    paths
}

/// The share on every link, added up path by path.
fn uses_of(paths: &Paths) -> BTreeMap<LinkId, Rational> {
    let mut uses = BTreeMap::new();
    for (links, share) in paths {
        for link in links {
            *uses.entry(*link).or_insert(Rational::ZERO) += share;
        }
    }
    uses
}

fn kpath(topology: &Topology, k: u32, choice: &str) -> Box<dyn Routing> {
    routing::build(&format!("kpath(k={k},choice={choice})"), topology).unwrap()
}

fn assert_same(topology: &Topology, one: &dyn Routing, other: &str) {
    let other = routing::build(other, topology).unwrap();
    for (s, d) in sd_pairs(topology.hosts()) {
        assert_eq!(paths(one, s, d), paths(&*other, s, d), "{} {s} -> {d}", one.spec());
    }
}

const TREES: [&str; 5] =
    ["ft(6,2)", "ft(4,3)", "xgft(3;2,2,3;2,2,3)", "xgft(2;3,4;1,2)", "kary(2,3)"];

#[test]
fn all_paths_are_omrmn_and_one_path_is_dmodk() {
    for topology in TREES.map(|spec| topology::generate(spec).unwrap()) {
        for choice in CHOICES {
            assert_same(&topology, &*kpath(&topology, 100, choice), "omrmn");
        }
        for choice in ["disjoint", "shift"] {
            let one = kpath(&topology, 1, choice);
            assert!(one.is_single_path());
            assert_same(&topology, &*one, "dmodk");
        }
        assert!(kpath(&topology, 1, "random").is_single_path());
        assert!(!kpath(&topology, 2, "first").is_single_path());
    }
}

#[test]
fn min_of_k_and_all_paths_with_equal_share_and_their_uses() {
    for topology in TREES.map(|spec| topology::generate(spec).unwrap()) {
        let tree = topology.tree().unwrap();
        for (k, choice) in (1..6).flat_map(|k| CHOICES.map(|choice| (k, choice))) {
            let routing = kpath(&topology, k, choice);
            for (s, d) in sd_pairs(topology.hosts()) {
                let all = tree.shortest_paths(tree.nca_level(s, d));
                let found = paths(&*routing, s, d);
                assert_eq!(index32(found.len()), k.min(all));
                let share = Rational::new(1, k.min(all).into()).unwrap();
                assert!(found.values().all(|found| *found == share));
                let mut uses = BTreeMap::new();
                let mut scratch = UseScratch::default();
                routing.for_each_use(s, d, &mut scratch, &mut |share, links| {
                    for link in links {
                        assert!(uses.insert(*link, share.clone()).is_none());
                    }
                });
                assert_eq!(uses, uses_of(&found), "{} {s} -> {d}", routing.spec());
            }
        }
    }
}

/// No choice of k paths loads its busiest link of a step less than `disjoint` does.
#[test]
fn disjoint_paths_share_links_as_little_as_possible() {
    for topology in TREES.map(|spec| topology::generate(spec).unwrap()) {
        let tree = topology.tree().unwrap();
        for k in 1..=12 {
            let routing = kpath(&topology, k, "disjoint");
            for (s, d) in sd_pairs(topology.hosts()) {
                let used = k.min(tree.shortest_paths(tree.nca_level(s, d)));
                for (link, share) in uses_of(&paths(&*routing, s, d)) {
                    let links = tree.shortest_paths(topology.link(link).level.into());
                    let least = Rational::new(used.div_ceil(links).into(), used.into()).unwrap();
                    assert!(share <= least, "k={k} {s} -> {d} link {link}");
                }
            }
        }
    }
}

#[test]
fn random_depends_on_the_seed_alone() {
    let topology = topology::generate("ft(8,3)").unwrap();
    let of = |seed: u32| {
        let spec = format!("kpath(k=3,choice=random,seed={seed})");
        let routing = routing::build(&spec, &topology).unwrap();
        // Backwards, as the order of the calls must not matter.
        let mut all: Vec<_> = sd_pairs(topology.hosts()).collect();
        all.reverse();
        let mut found: Vec<_> = all.iter().map(|(s, d)| paths(&*routing, *s, *d)).collect();
        found.reverse();
        found
    };
    let again = routing::build("kpath(k=3,choice=random)", &topology).unwrap();
    let forwards: Vec<_> = sd_pairs(topology.hosts()).map(|(s, d)| paths(&*again, s, d)).collect();
    assert_eq!(of(1), forwards);
    assert_ne!(of(1), of(2));
}

#[test]
fn refusals_give_the_reason() {
    let tree = topology::generate("ft(4,2)").unwrap();
    let plain = Topology::new("plain".into(), tree.graph().clone()).unwrap();
    let refused = routing::build("kpath(k=2)", &plain).err().unwrap();
    assert!(matches!(refused, RoutingError::DoesNotFit { .. }), "{refused}");
    assert!(refused.to_string().contains("trees of the XGFT family"), "{refused}");
    let large = topology::generate("xgft(2;128,128;1,512)").unwrap();
    let refused = routing::build("kpath(k=2,choice=random)", &large).err().unwrap();
    assert!(matches!(refused, RoutingError::TooLarge(_)), "{refused}");
    assert!(routing::build("kpath(k=2,choice=disjoint)", &large).is_ok());
}

/// The maximum load of every link over all permutations, host by host: the best that sources
/// s.. can add when the destinations of `taken` are gone.
fn most(share: &[Vec<u64>], s: usize, taken: usize, known: &mut [Option<u64>]) -> u64 {
    if s == share.len() {
        return 0;
    }
    let place = (s << share.len()) | taken;
    if let Some(most) = known[place] {
        return most;
    }
    let mut best = most(share, s + 1, taken, known);
    for d in (0..share.len()).filter(|d| taken & (1 << d) == 0) {
        best = best.max(share[s][d] + most(share, s + 1, taken | 1 << d, known));
    }
    known[place] = Some(best);
    best
}

/// Scaled by 12, which every k up to 4 divides.
const SCALE: u64 = 12;

type Uses = BTreeMap<(Host, Host), BTreeMap<LinkId, Rational>>;

fn exhaustive(uses: &Uses, hosts: usize, link: LinkId) -> u64 {
    let mut share = vec![vec![0; hosts]; hosts];
    for ((s, d), uses) in uses {
        let here = uses.get(&link).map_or(0, |share| share.scaled(SCALE).unwrap());
        share[*s as usize][*d as usize] = here;
    }
    most(&share, 0, 0, &mut vec![None; hosts << hosts])
}

#[test]
fn the_worst_case_of_every_link_agrees_with_exhaustive_search() {
    for topology in ["ft(4,2)", "xgft(3;2,2,2;1,2,2)", "xgft(2;2,3;2,2)", "xgft(2;2,4;1,3)"] {
        for (k, choice) in (1..=4).flat_map(|k| CHOICES.map(|choice| (k, choice))) {
            let routing = format!("kpath(k={k},choice={choice})");
            let instance = Instance::named(topology, &routing).unwrap();
            let quantity = Quantity::PermutationLoad;
            let worst = Analyse::of(quantity).run(&instance).unwrap();
            let hosts = instance.topology().hosts();
            let uses = |(s, d)| ((s, d), uses_of(&paths(instance.routing(), s, d)));
            let uses: Uses = sd_pairs(hosts).map(uses).collect();
            for (link, bound) in worst.links.iter().enumerate() {
                let found = bound.as_ref().unwrap().load.scaled(SCALE);
                let expected = exhaustive(&uses, hosts, link_number(link));
                assert_eq!(found, Some(expected), "{topology} {routing} link {link}");
            }
            let assessment = Assess::new().embedded().run(&instance).unwrap();
            let full = instance.topology().tree().unwrap().full_bisection();
            let exact = assessment.oblivious_ratio.exact();
            assert!(exact.is_some(), "{topology} {routing}");
            if full && !topology.contains(";2,2)") {
                assert_eq!(exact, worst.links.iter().flatten().map(|b| &b.load).max());
            }
        }
    }
}

fn oblivious_ratio(topology: &str, routing: &str) -> Rational {
    let instance = Instance::named(topology, routing).unwrap();
    let found = assess(&instance).unwrap();
    found.oblivious_ratio.exact().unwrap().clone()
}

/// No choice is below the bound for all of them, and `grid` reaches it on two levels.
#[test]
fn no_choice_has_less_than_counting_says() {
    for spec in ["ft(4,2)", "ft(6,2)", "ft(8,2)", "ft(10,2)", "ft(4,3)", "kary(3,2)", "eft2(6,4)"] {
        let topology = topology::generate(spec).unwrap();
        let tree = topology.tree().unwrap();
        for k in 1..=tree.shortest_paths(tree.height()) {
            let lower = least_with_paths(tree, k).unwrap().unwrap();
            for choice in CHOICES {
                let found = oblivious_ratio(spec, &format!("kpath(k={k},choice={choice})"));
                assert!(found >= lower, "{spec} {k} {choice}: {found} is below {lower}");
                let is_reached =
                    choice == "grid" && spec.starts_with("ft(") && spec.ends_with("2)");
                assert!(found == lower || !is_reached, "{spec} {k}: {found} is not {lower}");
            }
        }
        assert_eq!(least_with_paths(tree, tree.shortest_paths(tree.height()) + 1), Ok(None));
    }
    // One path: what is known of all single-path routings.
    for spec in ["ft(6,2)", "ft(16,2)", "ft(6,3)", "ft(10,3)", "eft2(18,4)"] {
        let topology = topology::generate(spec).unwrap();
        let tree = topology.tree().unwrap();
        let (least, _) = least(tree, Quantity::ObliviousRatio, &Progress::silent());
        assert_eq!(least_with_paths(tree, 1), Ok(Some(u64::from(least).into())), "{spec}");
    }
    // Not of full bisection; one level.
    for spec in ["xgft(2;4,4;1,2)", "xgft(1;4;1)", "xgft(2;2,4;2,2)"] {
        let topology = topology::generate(spec).unwrap();
        assert_eq!(least_with_paths(topology.tree().unwrap(), 1), Ok(None), "{spec}");
    }
}

/// ⌈√(n·k)⌉/k, where n is the number of hosts of a subtree below the roots.
fn bound(n: u64, k: u64) -> Rational {
    Rational::new(ceil_sqrt(n * k), k).unwrap()
}

/// The sentences below the tables of `limited-multipath`, against its numbers, which are those
/// that the study computes (`tests/structure/results.rs`).
#[test]
fn the_findings_of_limited_multipath_hold() {
    let folder = Path::new(env!("CARGO_MANIFEST_DIR")).join("results/limited-multipath");
    let mut reader = csv::Reader::from_path(folder.join("table.csv")).unwrap();
    let (mut others, mut open) = (0, Vec::new());
    for record in reader.records() {
        let record = record.unwrap();
        let number = |at: usize| record[at].parse::<u64>().unwrap();
        let (tree, choice, paths, k) = (&record[0], &record[4], number(2), number(3));
        let [ratio, lower] = [5, 7].map(|at| record[at].parse::<Rational>().unwrap());
        assert_eq!(&record[6], "proven");
        assert_eq!(lower, bound(paths, k), "{record:?}");
        if choice == "grid" {
            if ratio > lower {
                open.push((tree.to_string(), k));
            }
            let one = if tree == "FT(8,3)" { 4 } else { 3 };
            assert!(k > 1 || !["FT(16,2)", "FT(8,3)"].contains(&tree) || ratio == one.into());
            continue;
        }
        let from_dmodk = ["shift", "disjoint"].contains(&choice);
        let expected = if tree == "FT(8,3)" && from_dmodk && k < 4 { 7 } else { paths / k };
        assert_eq!((ratio, paths % k), (expected.into(), 0), "{record:?}");
        others += 1;
    }
    let expected = [("FT(6,3)", 7), ("FT(8,3)", 12), ("FT(8,3)", 13), ("FT(8,3)", 14)];
    assert_eq!(open, expected.map(|(tree, k)| (tree.to_string(), k)));
    // Six choices; 1, 2, 4, then 8, then 16 paths.
    assert_eq!(others, 6 * (3 + 4 + 5));
    let paths = |m: u32, n: u32| {
        let topology = topology::generate(&format!("ft({m},{n})")).unwrap();
        let tree = topology.tree().unwrap();
        tree.shortest_paths(tree.height())
    };
    assert_eq!([paths(22, 3), paths(24, 3), paths(256, 2), paths(258, 2)], [121, 144, 128, 129]);
}

/// The other choices of that study for every k, of which its table has powers of two: P/k but for one or two paths like
/// those of D-mod-k, and with how many paths they are as good as `grid` with one. The full tier has all k beyond 5,
/// and three seeds.
#[test]
fn other_choices_need_more_paths_than_one_of_grid() {
    let choices = ["first", "shift", "disjoint", "random,seed=1", "random,seed=2", "random,seed=3"];
    let trees: [(&str, u64, u64, u64); 3] =
        [("ft(8,2)", 4, 2, 2), ("ft(16,2)", 8, 3, 3), ("ft(8,3)", 16, 4, 4)];
    for (tree, paths, grid, as_good) in trees {
        assert_eq!(oblivious_ratio(tree, "kpath(k=1,choice=grid)"), Rational::from(grid));
        for choice in choices.into_iter().take(if cfg!(feature = "slow-tests") { 6 } else { 4 }) {
            let from_dmodk = tree == "ft(8,3)" && ["shift", "disjoint"].contains(&choice);
            for k in (1..=paths).filter(|k| *k < 6 || k % 5 == 1 || cfg!(feature = "slow-tests")) {
                let found = oblivious_ratio(tree, &format!("kpath(k={k},choice={choice})"));
                let few = from_dmodk && k < 3;
                let expected =
                    if few { Rational::from(7_u64) } else { Rational::new(paths, k).unwrap() };
                assert_eq!(found, expected, "{tree} {k} {choice}");
                assert_eq!(found <= Rational::from(grid), k >= as_good, "{tree} {k} {choice}");
            }
        }
    }
}

proptest! {
    #![proptest_config(ProptestConfig::with_cases(if cfg!(feature = "slow-tests") { 256 } else { 64 }))]

    /// All paths: ratio 1 on every tree, slimmed or not.
    #[test]
    fn all_paths_have_ratio_one(
        m in prop::collection::vec(1..=4_u32, 1..=4), w in prop::collection::vec(1..=3_u32, 4)
    ) {
        prop_assume!((2..=64).contains(&m.iter().product::<u32>()));
        let spec = format!("xgft({};{:?};{:?})", m.len(), m, &w[..m.len()]).replace(['[', ']'], "");
        let instance = Instance::named(&spec, "kpath(k=1000000,choice=disjoint)").unwrap();
        let assessment = assess(&instance).unwrap();
        prop_assert_eq!(assessment.oblivious_ratio.to_string(), "1 (proven)");
    }
}
