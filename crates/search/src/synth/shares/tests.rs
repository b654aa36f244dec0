//! The theorem and the search against exhaustive ones, and against the analysis.

use itertools::iproduct;

use super::caps::Cell;
use super::*;
use crate::assessment::assess;
use crate::synth::counting::least_with_paths;

fn least(spec: &str, paths: u32) -> LeastLoad {
    LeastLoad::of(generate(spec).unwrap().tree().unwrap(), paths).unwrap()
}

/// Every routing of FT(4,2) by index with shares in twelfths.
#[test]
fn no_shares_of_a_small_tree_are_below_the_bound() {
    for (paths, best) in [(1, 24), (2, 12)] {
        let goal = Goal { indices: 2, paths, units: 12, most: 0 };
        let cell = |first: u32| {
            [(0, first), (1, 12 - first)].into_iter().filter(|(_, u)| *u > 0).collect()
        };
        let cells: Vec<Cell> =
            (0..=12).map(cell).filter(|cell: &Cell| cell.len() <= paths).collect();
        let all = (0..4).map(|_| cells.iter().cloned()).multi_cartesian_product();
        let most = all.map(|cells| Design::new(goal, cells).most_units()).min().unwrap();
        assert_eq!(most, best);
        assert!(!least("ft(4,2)", u32::try_from(paths).unwrap()).exceeds(most.into(), 12));
    }
}

/// What a root carries, of all picks of all links, in units of X²: `FEW_PATHS.md` says (r−1)·max(r, 2n). For given
/// picks of the links up, the best ones of the links down do not depend on each other.
#[test]
fn a_root_carries_no_more_than_the_theorem_says() {
    for (hosts, leaves) in [(1_usize, 4_usize), (1, 5), (2, 4), (2, 3), (3, 3), (3, 2), (1, 3)] {
        let leaf = |host: usize| host / hosts;
        let carried = |(up, u): (usize, usize), (down, v): (usize, usize)| match (
            leaf(up) == u,
            leaf(down) == v,
        ) {
            (true, true) => 1,
            (true, false) | (false, true) => hosts * usize::from(up == down),
            (false, false) => usize::from(leaf(up) == v && leaf(down) == u),
        };
        let picks = (0..leaves).map(|_| 0..hosts * leaves).multi_cartesian_product();
        let most = picks.map(|ups| {
            let of_all = |down: usize, v: usize| -> usize {
                let others = (0..leaves).filter(|u| *u != v);
                others.map(|u| carried((ups[u], u), (down, v))).sum()
            };
            let best = |v| (0..hosts * leaves).map(|down| of_all(down, v)).max().unwrap();
            (0..leaves).map(best).sum::<usize>()
        });
        let expected = (leaves - 1) * leaves.max(2 * hosts);
        assert_eq!(most.max(), Some(expected), "{hosts} {leaves}");
    }
}

#[test]
fn the_bound_is_rounded_down_and_met_where_it_is_rational() {
    for (m, paths) in iproduct!((4..=40_u32).step_by(2), 1..=20) {
        let topology = generate(&format!("ft({m},2)")).unwrap();
        let tree = topology.tree().unwrap();
        let least = LeastLoad::of(tree, paths).unwrap();
        let (down, k) = (least.rounded_down(), u64::from(paths.min(m / 2)));
        let square = |ratio: &Rational| ratio * ratio;
        let exact = Rational::new((m / 2).into(), k).unwrap();
        assert!(square(&down) <= exact, "{m} {paths}");
        let next = &down + &Rational::new(1, 10_000).unwrap();
        assert!(square(&next) > exact, "{m} {paths}");
        assert_eq!(least.exact().is_some(), square(&down) == exact, "{m} {paths}");
        // No equal shares are below it, and those that meet it are the best of all.
        if let Some(equal) = least_with_paths(tree, paths).unwrap() {
            assert!(equal >= down && (least.exact().is_none() || equal == down), "{m} {paths}");
        }
    }
    let of = |spec: &str, k| LeastLoad::of(generate(spec).unwrap().tree().unwrap(), k).is_some();
    let about = ["xgft(2;3,6;1,3)", "xgft(2;1,4;1,1)"];
    let others =
        ["ft(4,3)", "xgft(2;3,5;1,3)", "xgft(2;3,6;1,4)", "xgft(2;3,6;3,3)", "xgft(2;1,3;1,1)"];
    assert!(about.iter().all(|spec| of(spec, 2)) && !others.iter().any(|spec| of(spec, 2)));
    assert!(!of("ft(4,2)", 0));
}

/// What is found is what its formula says, with the paths that were asked for; equal shares have 2.
#[test]
fn the_analysis_proves_what_the_search_finds() {
    let topology = generate("ft(10,2)").unwrap();
    let least = least("ft(10,2)", 2);
    let effort = Effort { units: 24, restarts: 2, moves: 1 << 17 };
    let (design, tried) = find(&least, &2.into(), 2, effort, 1, &Progress::silent());
    let design = design.unwrap();
    assert!(design.paths() <= 2 && design.load() < 2.into(), "{tried:?}");
    assert_eq!(
        tried.iter().filter(|t| t.answer == Answer::Found).map(|t| &t.ratio).min(),
        Some(&design.load())
    );
    let instance = design.instance(&topology, topology.tree().unwrap(), "paths").unwrap();
    let found = assess(&instance).unwrap();
    let both = |lower: Rational| {
        let bound = FewPaths { quantity: Quantity::ObliviousRatio, lower, paths: 2 };
        certify(found.certificate.as_ref().ok(), bound, &Progress::silent())
    };
    let (optimum, whole) = both(least.rounded_down()).unwrap().unwrap();
    let proven =
        Bounds { lower: least.rounded_down(), upper: design.load(), evidence: Evidence::Proven };
    assert_eq!(optimum, proven);
    assert!(whole.to_string().contains("\nfew-paths oblivious-ratio 15811/10000 2\n"));
    assert!(both(Rational::from_decimal("1.5812").unwrap()).is_err());
    for bounds in [found.oblivious_ratio, found.permutation_load] {
        assert_eq!(bounds.to_string(), format!("{} (proven)", design.load()));
    }
}

#[test]
fn a_stopped_search_keeps_equal_shares() {
    let stop = crate::progress::Stop::at(None);
    let progress = Progress::silent().stopped_by(stop.clone());
    let found = |progress: &Progress| {
        let topology = generate("ft(10,2)").unwrap();
        least_ratio(&topology, 2, &Options::default(), progress).unwrap()
    };
    stop.request();
    let stopped = found(&progress);
    assert!(!stopped.complete && stopped.best.routing.spec().starts_with("kpath"));
    assert!(stopped.optimum.lower <= stopped.optimum.upper);
    let topology = generate("ft(4,3)").unwrap();
    let refused = least_ratio(&topology, 2, &Options::default(), &Progress::silent());
    assert!(matches!(refused, Err(SynthError::Shares { .. })));
}
