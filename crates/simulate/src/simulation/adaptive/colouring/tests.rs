//! Found paths against all paths, on tiny trees; what is reached on larger ones; refusals.

use super::*;
use crate::rearrange::conflict_free;
use crate::topology::generate;
use crate::traffic::{self, Permutation};

const EFFORT: Effort = Effort { seed: 1, steps: 1 << 22 };

fn tree(spec: &str) -> Xgft {
    generate(spec).unwrap().tree().unwrap().clone()
}

fn found(tree: &Xgft, traffic: &TrafficMatrix) -> RoutedTraffic {
    route(tree, traffic, EFFORT, &Progress::silent()).unwrap()
}

fn demand(s: Host, d: Host) -> Demand {
    Demand { s, d, amount: Rational::ONE }
}

/// By definition: the most of these pairs without a common end.
fn apart(pairs: &[(Host, Host)], used: u64) -> u64 {
    let Some(((s, d), rest)) = pairs.split_first() else { return 0 };
    let ends = 1 << s | 1 << (32 + d);
    let without = apart(rest, used);
    if used & ends == 0 { without.max(1 + apart(rest, used | ends)) } else { without }
}

/// The maximum contention of a link on these paths.
fn contention(pairs: &[(Host, Host)], paths: &[Vec<LinkId>]) -> u64 {
    let links: std::collections::BTreeSet<_> = paths.iter().flatten().collect();
    let on = |link: &LinkId| {
        let on = pairs.iter().zip(paths).filter(|(_, path)| path.contains(link));
        on.map(|(pair, _)| *pair).collect::<Vec<_>>()
    };
    links.into_iter().map(|link| apart(&on(link), 0)).max().unwrap_or(0)
}

/// The least of all choices of paths.
fn optimum(tree: &Xgft, pairs: &[(Host, Host)]) -> u64 {
    let counts: Vec<u32> =
        pairs.iter().map(|(s, d)| tree.shortest_paths(tree.nca_level(*s, *d))).collect();
    let path = |(s, d): (Host, Host), mut rest: u32| {
        let digit = |step| {
            let digit = rest % tree.parents(step);
            rest /= tree.parents(step);
            digit
        };
        let up: Vec<u32> = (1..=tree.nca_level(s, d)).map(digit).collect();
        let mut links = Vec::new();
        tree.push_path(s, d, &up, &mut links);
        links
    };
    let all: u32 = counts.iter().product();
    let value = |mut rest: u32| {
        let chosen = pairs.iter().zip(&counts).map(|(pair, count)| {
            let own = rest % count;
            rest /= count;
            path(*pair, own)
        });
        contention(pairs, &chosen.collect::<Vec<_>>())
    };
    (0..all).map(value).min().unwrap_or(0)
}

/// Found contention is hardly ever above the optimum, and the bound never.
#[test]
fn found_paths_are_nearly_always_optimal_on_tiny_trees() {
    let (mut cases, mut optimal, mut tight) = (0, 0, 0);
    for (spec, trials) in
        [("xgft(2;2,3;1,2)", 60), ("xgft(3;2,2,2;1,2,1)", 60), ("xgft(2;3,3;1,2)", 40)]
    {
        let trials = if cfg!(feature = "slow-tests") { trials } else { trials / 10 };
        let tree = tree(spec);
        for seed in 0..trials {
            let drawn =
                traffic::generate(&format!("random(p=0.35,seed={seed})"), tree.hosts()).unwrap();
            let pairs: Vec<_> = drawn.demands().iter().map(|demand| (demand.s, demand.d)).collect();
            let pairs: Vec<_> = pairs.into_iter().take(13).collect();
            let drawn = TrafficMatrix::new(tree.hosts(), pairs.iter().map(|(s, d)| demand(*s, *d)))
                .unwrap();
            let found = found(&tree, &drawn);
            let best = Rational::from(optimum(&tree, &pairs));
            let paths: Vec<_> = found.links().map(<[LinkId]>::to_vec).collect();
            assert_eq!(found.contention.upper, contention(&pairs, &paths).into(), "{spec} {seed}");
            assert!(
                found.contention.lower <= best && best <= found.contention.upper,
                "{spec} {seed}"
            );
            cases += 1;
            optimal += u32::from(best == found.contention.upper);
            tight += u32::from(best == found.contention.lower);
        }
    }
    println!("{optimal} of {cases} found optimal, {tight} bounds tight");
    assert!(80 * optimal >= 79 * cases && 4 * tight >= 3 * cases, "{optimal} {tight} of {cases}");
}

#[test]
fn permutations_of_full_trees_share_no_link() {
    for spec in
        ["kary(3,3)", "ft(6,3)", "ft(4,4)", "xgft(3;2,3,4;2,3,4)", "kary(5,1)", "kary(16,2)"]
    {
        let tree = tree(spec);
        for index in 0..6 {
            let permutation = Permutation::random(tree.hosts(), 3, index);
            assert!(conflict_free(&tree, &permutation, &Progress::silent()).is_ok());
            let found = found(&tree, &permutation.to_matrix().unwrap());
            assert!(
                found.is_optimal() && found.contention.upper == Rational::ONE,
                "{spec} {index}"
            );
        }
    }
}

/// A permutation of a slimmed tree of two levels can be divided evenly among the top switches.
#[test]
fn permutations_of_two_levels_reach_the_bound() {
    for tops in 1..=8 {
        let tree = tree(&format!("xgft(2;8,8;1,{tops})"));
        for index in 0..4 {
            let permutation = Permutation::random(64, 9, index).to_matrix().unwrap();
            assert!(found(&tree, &permutation).is_optimal(), "{tops} {index}");
        }
    }
}

/// WRF-256 and CG.D-128 of [RO] VI.
#[test]
fn the_patterns_of_the_paper_are_routed_without_avoidable_contention() {
    for tops in (1..=16_u64).rev() {
        let tree = tree(&format!("xgft(2;16,16;1,{tops})"));
        // What leaves a switch, all to different hosts: of CG two tasks stay within it.
        for (pattern, flows) in [("wrf(256)", 16_u64), ("cg(128,phase=5)", 14)] {
            let traffic = traffic::generate(pattern, 256).unwrap();
            let found = found(&tree, &traffic);
            assert!(found.is_optimal(), "{pattern} {tops}: {}", found.contention);
            assert_eq!(found.contention.upper, flows.div_ceil(tops).into(), "{pattern} {tops}");
        }
    }
}

#[test]
fn load_counts_where_contention_is_the_same() {
    // Four flows over two top switches, two by two: 3 + 1 each is better than 3 + 3.
    let tree = tree("xgft(2;4,3;1,2)");
    let demands = [(0, 4, 3_u64), (1, 5, 3), (2, 8, 1), (3, 9, 1)];
    let demands = demands.map(|(s, d, amount)| Demand { s, d, amount: Rational::from(amount) });
    let found = found(&tree, &TrafficMatrix::new(12, demands).unwrap());
    assert_eq!((found.contention.upper.clone(), found.max_load), (2.into(), 4.into()));
    assert!(found.contention.exact().is_some());
}

#[test]
fn the_same_seed_gives_the_same_paths_and_steps_end_the_search() {
    let tree = tree("xgft(3;4,4,4;1,3,3)");
    let traffic = traffic::generate("random(p=0.05,seed=1)", 64).unwrap();
    let of =
        |steps, seed| route(&tree, &traffic, Effort { seed, steps }, &Progress::silent()).unwrap();
    let most = if cfg!(feature = "slow-tests") { 1 << 22 } else { 1 << 19 };
    let (few, many) = (of(1000, 1), of(most, 1));
    assert_eq!(many, of(most, 1));
    assert!(few.steps < 100_000 && few.contention.upper >= many.contention.upper);
    assert!(!few.stopped && !many.stopped);
}

#[test]
fn a_stop_keeps_what_is_found() {
    let tree = tree("xgft(3;4,4,4;1,3,3)");
    let traffic = traffic::generate("random(p=0.3,seed=1)", 64).unwrap();
    let progress = Progress::silent();
    progress.stop().request();
    let refused = route(&tree, &traffic, EFFORT, &progress);
    assert!(matches!(refused, Err(PatternError::Stopped(_))));
    // Later, there are paths by digits at least.
    let problem = Problem::new(&tree, &traffic).unwrap();
    let mut search =
        Search { problem: &problem, least: 1, effort: EFFORT, steps: 0, starts: Vec::new() };
    assert!(search.run(&progress).is_err());
    assert_eq!(search.starts[0].name, "D-mod-k");
}

#[test]
fn other_hosts_and_too_many_pairs_are_refused() {
    let tree = tree("ft(4,2)");
    let refused = |traffic: &TrafficMatrix| route(&tree, traffic, EFFORT, &Progress::silent());
    let other = TrafficMatrix::new(9, [demand(0, 8)]).unwrap();
    assert!(matches!(refused(&other), Err(PatternError::Hosts { hosts: 8, found: 9 })));
    let none = refused(&TrafficMatrix::new(8, []).unwrap()).unwrap();
    assert!(none.is_optimal() && none.paths.is_empty() && none.max_load.is_zero());
    let large = generate("ftree(32,1,17)").unwrap();
    let all = traffic::generate("uniform", large.hosts()).unwrap();
    let error = route(large.tree().unwrap(), &all, EFFORT, &Progress::silent()).unwrap_err();
    assert!(error.to_string().contains("number of SD pairs is 295392"), "{error}");
}
