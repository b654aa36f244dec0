//! Traffic: every pattern against hand-computed cases and definitions.

#![expect(clippy::unwrap_used, reason = "helpers of tests fail by panic")]

use std::collections::BTreeSet;

use routebound::load::LinkLoads;
use routebound::progress::Progress;
use routebound::rational::Rational;
use routebound::registry::Kind;
use routebound::routing::Instance;
use routebound::traffic::{self, Demand, Pattern, Permutation, TrafficError, TrafficMatrix};

fn pairs(spec: &str, hosts: usize) -> Vec<(u32, u32)> {
    let matrix = traffic::generate(spec, hosts).unwrap();
    assert!(matrix.demands().iter().all(|demand| demand.amount == Rational::ONE), "{spec}");
    matrix.demands().iter().map(|demand| (demand.s, demand.d)).collect()
}

/// Both directions of undirected edges, sorted.
fn both(edges: &[(u32, u32)]) -> Vec<(u32, u32)> {
    let all: BTreeSet<(u32, u32)> = edges.iter().flat_map(|(a, b)| [(*a, *b), (*b, *a)]).collect();
    all.into_iter().collect()
}

#[test]
fn permutation_patterns_by_hand() {
    assert_eq!(pairs("shift(1)", 4), [(0, 1), (1, 2), (2, 3), (3, 0)]);
    assert_eq!(pairs("shift(6)", 4), [(0, 2), (1, 3), (2, 0), (3, 1)]);
    assert_eq!(pairs("shift(18446744073709551615)", 2), [(0, 1), (1, 0)]);
    assert!(pairs("shift(8)", 8).is_empty());
    // ceil(5/2) - 1 = 2, ceil(6/2) - 1 = 2.
    assert_eq!(pairs("tornado", 5), [(0, 2), (1, 3), (2, 4), (3, 0), (4, 1)]);
    assert_eq!(pairs("tornado", 6), [(0, 2), (1, 3), (2, 4), (3, 5), (4, 0), (5, 1)]);
    assert_eq!(pairs("bitrev", 8), [(1, 4), (3, 6), (4, 1), (6, 3)]);
    // abc -> bca.
    assert_eq!(pairs("shuffle", 8), [(1, 2), (2, 4), (3, 6), (4, 1), (5, 3), (6, 5)]);
    assert_eq!(pairs("shuffle", 6), [(1, 2), (2, 4), (3, 1), (4, 3)]);
    assert_eq!(pairs("complement", 5), [(0, 4), (1, 3), (3, 1), (4, 0)]);
    assert_eq!(pairs("shift(1,tasks=3)", 9), [(0, 1), (1, 2), (2, 0)]);
}

#[test]
fn bit_reversal_of_a_4_ary_3_tree_as_printed() {
    // [GO] 5.2.1: the hosts of switch 0 send to <0,0,0>, <2,0,0>, <1,0,0>, <3,0,0>.
    let reversal = traffic::generate("bitrev", 64).unwrap().permutation().unwrap();
    assert_eq!([0, 1, 2, 3].map(|s| reversal.image(s)), [None, Some(32), Some(16), Some(48)]);
}

#[test]
fn neighbour_patterns_by_hand() {
    assert_eq!(pairs("ring", 4), both(&[(0, 1), (1, 2), (2, 3), (3, 0)]));
    assert_eq!(pairs("ring", 2), [(0, 1), (1, 0)]);
    // 0 1 2
    // 3 4 5
    let mesh = both(&[(0, 1), (1, 2), (3, 4), (4, 5), (0, 3), (1, 4), (2, 5)]);
    assert_eq!(pairs("mesh2d", 6), mesh);
    assert_eq!(pairs("mesh2d(2,3)", 7), mesh);
    let other = both(&[(0, 1), (2, 3), (4, 5), (0, 2), (2, 4), (1, 3), (3, 5)]);
    assert_eq!(pairs("mesh2d(3,2)", 6), other);
    let cube = both(&[
        (0, 1),
        (2, 3),
        (4, 5),
        (6, 7),
        (0, 2),
        (1, 3),
        (4, 6),
        (5, 7),
        (0, 4),
        (1, 5),
        (2, 6),
        (3, 7),
    ]);
    assert_eq!(pairs("hypercube", 8), cube);
    assert_eq!(pairs("mesh3d", 8), cube);
    assert_eq!(pairs("bintree", 6), both(&[(0, 1), (0, 2), (1, 3), (1, 4), (2, 5)]));
    assert_eq!(pairs("wrf(5,columns=2)", 9), both(&[(0, 2), (1, 3), (2, 4)]));
    assert_eq!(pairs("uniform", 3), both(&[(0, 1), (0, 2), (1, 2)]));
    assert_eq!(pairs("samelast(2)", 4), [(0, 2), (1, 0), (1, 2), (2, 0), (3, 0), (3, 2)]);
    assert_eq!(pairs("samelast(3,last=2)", 4), [(0, 2), (1, 2), (3, 2)]);
}

#[test]
fn counts_of_the_mesh_patterns() {
    // 2·(rows·(columns − 1) + columns·(rows − 1)) on 8 × 16, and so on.
    assert_eq!(pairs("mesh2d", 128).len(), 2 * (8 * 15 + 16 * 7));
    assert_eq!(pairs("mesh3d", 128).len(), 2 * (3 * 4 * 8 + 4 * 3 * 8 + 4 * 4 * 7));
    assert_eq!(pairs("hypercube", 128).len(), 128 * 7);
    assert_eq!(pairs("bintree", 128).len(), 2 * 127);
    // WRF-256: every task exchanges with i ± 16 in a 16 × 16 mesh.
    let wrf: BTreeSet<(u32, u32)> = pairs("wrf(256)", 256).into_iter().collect();
    let defined: BTreeSet<(u32, u32)> = (0..256_i32)
        .flat_map(|i| [(i, i + 16), (i, i - 16)])
        .filter(|(_, d)| (0..256).contains(d))
        .map(|(s, d)| (s.unsigned_abs(), d.unsigned_abs()))
        .collect();
    assert_eq!(wrf, defined);
}

#[test]
fn cg_of_128_tasks_is_the_published_formula() {
    let formula = |p: u32| 2 * (((p / 2) % 8) * 8 + (p / 2) / 8) + p % 2;
    let expected: Vec<(u32, u32)> =
        (0..128).map(|p| (p, formula(p))).filter(|(p, d)| p != d).collect();
    assert_eq!(pairs("cg(128,phase=5)", 128), expected);
    let transpose = traffic::generate("cg(128,phase=5)", 128).unwrap().permutation().unwrap();
    assert_eq!(transpose, transpose.inverse());
    // Pairs of tasks on the diagonal of the 8 × 8 grid of pairs keep their place.
    assert_eq!(transpose.len(), 128 - 2 * 8);
    // [RO] equation (2) for the first switch of 16 tasks.
    assert!((1..16).all(|s| s < 2 || transpose.image(s) == Some(s / 2 * 16 + s % 2)));
    for (phase, distance) in [(1, 1), (2, 2), (3, 4), (4, 8)] {
        let expected: Vec<(u32, u32)> = (0..128).map(|p| (p, p ^ distance)).collect();
        assert_eq!(pairs(&format!("cg(128,phase={phase})"), 128), expected);
    }
    assert_eq!(traffic::generate("cg(128)", 200).unwrap().total(), Rational::from(4 * 128 + 112));
}

#[test]
fn cg_equals_the_set_up_of_the_benchmark() {
    // The exchange partners of a process as NAS CG sets them up, largest distance first.
    let partners = |me: u32, tasks: u32| {
        let rows = 1 << (tasks.ilog2() / 2);
        let columns = tasks / rows;
        let (row, column) = (me / columns, me % columns);
        let mut partners = Vec::new();
        let mut block = columns;
        while block > 1 {
            let j = (column + block / 2) % block + column / block * block;
            partners.push(row * columns + j);
            block /= 2;
        }
        partners.reverse();
        partners.push(if columns == rows {
            me % rows * rows + me / rows
        } else {
            2 * (me / 2 % rows * rows + me / 2 / rows) + me % 2
        });
        partners
    };
    for tasks in [2, 4, 8, 16, 32, 64, 256, 512] {
        let phases = partners(0, tasks).len();
        for phase in 1..=phases {
            let defined: Vec<(u32, u32)> = (0..tasks)
                .map(|me| (me, partners(me, tasks)[phase - 1]))
                .filter(|(me, partner)| me != partner)
                .collect();
            assert_eq!(pairs(&format!("cg({tasks},phase={phase})"), 512), defined);
        }
        assert!(traffic::generate(&format!("cg({tasks},phase={})", phases + 1), 512).is_err());
    }
}

#[test]
fn random_groups_are_groups() {
    for seed in 0..20 {
        let matrix = traffic::generate(&format!("clustered(size=4,seed={seed})"), 32).unwrap();
        assert_eq!(matrix.len(), 32 * 3);
        let group = |s: u32| -> BTreeSet<u32> {
            let to = matrix.demands().iter().filter(|demand| demand.s == s);
            to.map(|demand| demand.d).chain([s]).collect()
        };
        let groups: BTreeSet<BTreeSet<u32>> = (0..32).map(group).collect();
        assert_eq!(groups.len(), 8);
        assert!(groups.iter().all(|group| group.len() == 4));
        let spots = traffic::generate(&format!("hotspot(spots=2,size=3,seed={seed})"), 32).unwrap();
        let busy = spots.sent().iter().filter(|sent| **sent == Rational::from(2)).count();
        assert_eq!((spots.len(), busy), (12, 6));
        assert_eq!(spots.sent(), spots.received());
    }
}

#[test]
fn hot_host_gets_its_percentage() {
    let matrix = traffic::generate("hotspot-percent(percent=20,host=3)", 5).unwrap();
    assert_eq!(matrix.sent(), vec![Rational::ONE; 5]);
    assert_eq!(matrix.amount(0, 1), Rational::new(1, 5).unwrap());
    assert_eq!(matrix.amount(0, 3), Rational::new(2, 5).unwrap());
    assert_eq!(matrix.amount(3, 0), Rational::new(1, 4).unwrap());
    let all = traffic::generate("hotspot-percent(percent=100)", 5).unwrap();
    assert_eq!(all.received()[0], Rational::from(4));
    assert_eq!(all.len(), 8);
    let none = traffic::generate("hotspot-percent(percent=0)", 5).unwrap();
    assert_eq!(none.scaled(&Rational::from(4)), traffic::generate("uniform", 5).unwrap());
}

#[test]
fn random_traffic_has_its_probability_and_is_a_function_of_the_pair() {
    assert!(traffic::generate("random(p=0)", 50).unwrap().is_empty());
    assert_eq!(pairs("random(p=1)", 50), pairs("uniform", 50));
    // 200·199·0.3 = 11,940, standard deviation 91.
    let count = pairs("random(p=0.3,seed=5)", 200).len();
    assert!((11_480..12_400).contains(&count), "{count}");
    // The traffic among the first hosts does not depend on how many others there are.
    let corner: Vec<(u32, u32)> =
        pairs("random(p=1/3)", 60).into_iter().filter(|(s, d)| *s < 20 && *d < 20).collect();
    assert_eq!(corner, pairs("random(p=1/3)", 20));
    assert_ne!(pairs("random(seed=1)", 20), pairs("random(seed=2)", 20));
}

#[test]
fn nothing_depends_on_threads() {
    let on = |threads| {
        let pool = rayon::ThreadPoolBuilder::new().num_threads(threads).build().unwrap();
        pool.install(|| {
            let specs = traffic::KINDS.iter().flat_map(|kind| kind.examples);
            specs.map(|spec| traffic::generate(spec, 256).unwrap()).collect::<Vec<_>>()
        })
    };
    assert_eq!(on(1), on(3));
}

#[test]
fn every_pattern_keeps_what_matrices_promise() {
    for kind in traffic::KINDS {
        assert!(!kind.examples.is_empty(), "{}", kind.name);
        for example in kind.examples {
            traffic::generate(example, 256).unwrap();
            for hosts in [2, 3, 8, 18, 27, 54, 128, 200, 256] {
                match traffic::generate(example, hosts) {
                    Ok(matrix) => check(kind, &matrix, example, hosts),
                    Err(TrafficError::DoesNotFit { pattern, reason, .. }) => {
                        assert!(example.starts_with(&pattern[..3]) && !reason.is_empty());
                    }
                    // k or the number of columns above the number of tasks.
                    Err(TrafficError::Spec(_)) => assert!(hosts < 18, "{example} {hosts}"),
                    Err(other) => unreachable!("{example} on {hosts}: {other}"),
                }
            }
        }
    }
}

fn check(kind: &Kind<Pattern>, matrix: &TrafficMatrix, example: &str, hosts: usize) {
    assert_eq!(matrix.hosts(), hosts, "{example}");
    let ordered = matrix.demands().is_sorted_by(|a, b| (a.s, a.d) < (b.s, b.d));
    assert!(ordered, "{example}");
    for Demand { s, d, amount } in matrix.demands() {
        assert!(s != d && (*s as usize) < hosts && (*d as usize) < hosts, "{example}");
        assert!(!amount.is_zero());
    }
    let (sent, received) = (matrix.sent(), matrix.received());
    assert_eq!(sent.iter().sum::<Rational>(), matrix.total());
    assert_eq!(received.iter().sum::<Rational>(), matrix.total());
    // A phase of cg is a permutation, all of them are not.
    if kind.build.is_permutation || example.contains("phase=") {
        let permutation = matrix.permutation().unwrap();
        assert_eq!(permutation.len(), matrix.len(), "{example}");
        let image: BTreeSet<u32> = permutation.pairs().map(|(_, d)| d).collect();
        assert_eq!(image.len(), permutation.len());
    }
    if kind.build.is_symmetric {
        assert_eq!(&matrix.clone().transpose(), matrix, "{example} goes both ways");
    }
}

#[test]
fn random_placement_renames_the_tasks() {
    for spec in ["ring(tasks=6)", "samelast(2,tasks=6)", "mesh2d(2,3)", "cg(4)", "wrf(6,columns=2)"]
    {
        let placed = spec.replace(')', ",place=random,seed=11)");
        let (plain, random) =
            (traffic::generate(spec, 20).unwrap(), traffic::generate(&placed, 20).unwrap());
        let degrees = |matrix: &TrafficMatrix| {
            let mut degrees: Vec<(Rational, Rational)> =
                matrix.sent().into_iter().zip(matrix.received()).collect();
            degrees.sort();
            degrees
        };
        assert_eq!(degrees(&plain), degrees(&random), "{spec}");
        assert_ne!(plain, random, "{spec}");
        assert_eq!(random, traffic::generate(&placed, 20).unwrap());
    }
    // A ring stays one cycle.
    let ring = traffic::generate("ring(place=random,seed=3)", 9).unwrap();
    let next = |from: u32, at: u32| {
        ring.demands().iter().find(|demand| demand.s == at && demand.d != from).unwrap().d
    };
    let (mut from, mut at, mut length) = (u32::MAX, 0, 0);
    loop {
        (from, at) = (at, next(from, at));
        length += 1;
        if at == 0 {
            break;
        }
    }
    assert_eq!(length, 9);
}

#[test]
fn permutations_of_different_streams_differ() {
    let all: BTreeSet<Vec<(u32, u32)>> =
        Permutation::random_sequence(50, 1).take(100).map(|p| p.pairs().collect()).collect();
    assert_eq!(all.len(), 100);
    let spec = traffic::generate("permutation(seed=4)", 50).unwrap();
    assert_eq!(spec.permutation(), Some(Permutation::random(50, 4, 0)));
}

#[test]
fn refusals_name_the_reason() {
    for (spec, hosts, words) in [
        ("nonsense", 8, "unknown traffic"),
        ("unifrom", 8, "did you mean `uniform`"),
        ("ring:file", 8, "does not take `:`"),
        ("ring", 1, "at least 2"),
        ("ring", 0, "at least 2"),
        ("ring(tasks=9)", 8, "it has 9 tasks"),
        ("ring(tasks=1)", 8, "at least 2 required"),
        ("ring(tasks=x)", 8, "not an integer"),
        ("ring(3)", 8, "takes no numbers, 1 given"),
        ("ring(place=elsewhere)", 8, "`place=elsewhere` is not one of linear, random"),
        ("ring(place=random,seed=x)", 8, "not an integer"),
        ("ring(speed=3)", 8, "unknown option `speed`"),
        ("shift", 8, "takes 1 number, 0 given"),
        ("bitrev", 18, "18, is not a power of two; use tasks=16"),
        ("hypercube", 18, "use tasks=16"),
        ("shuffle", 9, "9, is odd; use tasks=8"),
        ("mesh2d", 7, "use tasks=6"),
        ("mesh3d", 13, "use tasks=12"),
        ("mesh3d", 7, "at least 8 tasks"),
        ("mesh2d(3,4)", 8, "it has 12 tasks"),
        ("mesh2d(3,0)", 8, "at least 2 required"),
        ("mesh2d(4294967296,4294967296)", 8, "tasks"),
        ("mesh2d(2,2,2)", 8, "3 given; usage: mesh2d"),
        ("mesh2d(2,2,tasks=4)", 8, "unknown option `tasks`"),
        ("clustered(size=3)", 8, "sizes: 2, 4, 8"),
        ("clustered(size=0)", 8, "sizes: 2, 4, 8"),
        ("hotspot(spots=3,size=3)", 8, "need more"),
        ("hotspot(spots=0)", 8, "at least 1 spot"),
        ("hotspot(size=1)", 8, "at least 1 spot"),
        ("hotspot(spots=4294967296,size=4294967296)", 8, "need more"),
        ("hotspot-percent(percent=101)", 8, "0 to 100"),
        ("hotspot-percent(percent=-1)", 8, "0 to 100"),
        ("hotspot-percent(host=8)", 8, "numbered 0 to 7"),
        ("samelast(0)", 8, "1..=8"),
        ("samelast(9)", 8, "1..=8"),
        ("samelast(4,last=4)", 8, "below k = 4"),
        ("wrf(8)", 8, "1..8"),
        ("wrf(8,columns=0)", 8, "1..8"),
        ("cg(12)", 16, "not a power of two, such as 8"),
        ("cg(16,phase=4)", 16, "expected 1 to 3"),
        ("cg(16,phase=0)", 16, "expected 1 to 3"),
        ("cg(128)", 64, "it has 128 tasks"),
        ("random(p=1.5)", 8, "0 to 1"),
        ("random(p=nan)", 8, "0 to 1"),
        ("uniform", 1 << 23, "above the limit"),
        ("uniform", 5000, "above the limit"),
        ("samelast(1)", 5000, "above the limit"),
        ("hotspot-percent", 5000, "above the limit"),
        ("clustered(size=50000)", 50_000, "above the limit"),
        ("random", 100_000, "above the limit"),
        ("random(p=0.01)", 65_000, "above the limit"),
    ] {
        let error = traffic::generate(spec, hosts).unwrap_err().to_string();
        assert!(error.contains(words), "{spec} on {hosts}: {error}");
    }
}

#[test]
fn canonical_specs_show_the_seed_where_it_counts() {
    for (text, canonical) in [
        ("Random", "random(seed=1)"),
        ("permutation(seed=9)", "permutation(seed=9)"),
        ("ring", "ring"),
        ("ring( place = Random )", "ring(place=random,seed=1)"),
        ("clustered(size=2)", "clustered(size=2,seed=1)"),
        ("hotspot-percent", "hotspot-percent"),
    ] {
        assert_eq!(traffic::canonical(text).unwrap(), canonical);
        let [a, b] = [text, canonical].map(|spec| traffic::generate(spec, 64).unwrap());
        assert_eq!(a, b);
    }
}

/// With a word in common, pairs that send would all take the paths of low numbers: 15 times the load of OPTU.
#[test]
fn traffic_and_paths_of_one_seed_are_independent() {
    let instance = Instance::named("ft(32,2)", "random(seed=1)").unwrap();
    let most = |seed: u64| {
        let traffic = traffic::generate(&format!("random(p=0.05,seed={seed})"), 512).unwrap();
        let (topology, routing) = (instance.topology(), instance.routing());
        let quiet = Progress::silent();
        LinkLoads::of(topology, routing, traffic.demands(), &quiet).unwrap().max_load().to_f64()
    };
    let others: f64 = (2..6).map(most).sum::<f64>() / 4.0;
    assert!((0.8..1.25).contains(&(most(1) / others)), "{} {others}", most(1));
}
