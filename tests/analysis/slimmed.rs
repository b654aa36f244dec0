//! Trees that are not of full bisection: the flow under subtree cuts against exhaustive search
//! over all node-disjoint traffic of every link, and against values known by hand.
#![expect(clippy::unwrap_used, reason = "helpers of tests, like tests, may panic")]

use proptest::prelude::*;
use routebound::assessment::{Assess, assess};
use routebound::optimum::EvenSplit;
use routebound::progress::Progress;
use routebound::rational::Rational;
use routebound::routing::Instance;
#[cfg(feature = "highs")]
use routebound::topology::Topology;
use routebound::topology::{Host, LinkId, host_number};
use routebound::traffic::Demand;
use routebound::worst_case::{Method, analyse, permutation_ratio};

use crate::trees::trees;

/// The SD pairs on a link.
fn pairs_on(instance: &Instance, link: LinkId) -> Vec<(Host, Host)> {
    let hosts = host_number(instance.topology().hosts());
    let mut pairs = Vec::new();
    for (s, d) in (0..hosts).flat_map(|s| (0..hosts).map(move |d| (s, d))) {
        if s != d {
            instance.routing().for_each_path(s, d, &mut Vec::new(), &mut |_, links| {
                if links.contains(&link) {
                    pairs.push((s, d));
                }
            });
        }
    }
    pairs
}

/// Greatest |M| ÷ optu(M) over all node-disjoint subsets M of `pairs`, optu by the even split.
fn best_ratio(instance: &Instance, pairs: &[(Host, Host)], chosen: &mut Vec<Demand>) -> Rational {
    let Some(((s, d), rest)) = pairs.split_first() else {
        if chosen.is_empty() {
            return Rational::ZERO;
        }
        let optu = EvenSplit::route(instance.topology(), chosen).unwrap().max_load();
        return Rational::from(chosen.len() as u64).checked_div(&optu).unwrap();
    };
    let without = best_ratio(instance, rest, chosen);
    if chosen.iter().any(|demand| demand.s == *s || demand.d == *d) {
        return without;
    }
    chosen.push(Demand { s: *s, d: *d, amount: Rational::ONE });
    let with = best_ratio(instance, rest, chosen);
    chosen.pop();
    with.max(without)
}

/// A tree of 3 to 8 hosts that is not of full bisection, w1 = 1.
fn slim_tree() -> impl Strategy<Value = String> {
    let digits = prop::collection::vec((1..=3_u32, 1..=2_u32), 2..=3);
    digits.prop_filter_map("size", |mut digits| {
        digits[0].1 = 1;
        let hosts: u32 = digits.iter().map(|(m, _)| m).product();
        let (m, w): (Vec<u32>, Vec<u32>) = digits.into_iter().unzip();
        let spec = format!("xgft({};{m:?};{w:?})", m.len()).replace(['[', ']'], "");
        let tree = (3..=8).contains(&hosts).then(|| routebound::topology::generate(&spec).unwrap());
        tree.filter(|tree| !tree.tree().unwrap().full_bisection()).map(|_| spec)
    })
}

proptest! {
    #![proptest_config(ProptestConfig::with_cases(200))]

    /// Link by link: extreme traffic is integral, hence node-disjoint where w1 = 1.
    #[test]
    fn flows_equal_exhaustive_search(spec in slim_tree(), routing in 0..4_usize, seed in 0..99_u64) {
        let seeded = [format!("random(seed={seed})"), format!("rnca-u(seed={seed})")];
        let routing = ["dmodk", "smodk", &seeded[0], &seeded[1]][routing];
        let instance = Instance::named(&spec, routing).unwrap();
        let worst = analyse(&instance).unwrap();
        prop_assert_eq!(worst.method, Method::Laminar);
        for link in instance.topology().link_numbers() {
            let pairs = pairs_on(&instance, link);
            // Few enough to enumerate; larger links are covered by the other cases.
            if pairs.len() <= 12 {
                let bound = worst.links[link as usize].as_ref().unwrap();
                let best = best_ratio(&instance, &pairs, &mut Vec::new());
                let exact = if pairs.is_empty() { Rational::ZERO } else { bound.load.clone() };
                prop_assert_eq!(exact, best, "{} {} link {}", spec, routing, link);
            }
        }
        let assessment = assess(&instance).unwrap();
        let ratio = &assessment.oblivious_ratio;
        prop_assert_eq!(&ratio.lower, &ratio.upper, "{} {}", spec, routing);
        prop_assert_eq!(ratio.evidence.to_string(), "proven");
        // Without labels nothing is known of the cuts: the linear program finds the same.
        #[cfg(feature = "highs")]
        {
            let topology = Topology::new(spec.clone(), instance.topology().graph().clone()).unwrap();
            let plain = Instance::trusted(topology, instance.into_parts().1);
            let found = Assess::new().embedded().run(&plain).unwrap();
            prop_assert_eq!(found.oblivious_ratio.exact(), ratio.exact());
        }
    }
}

proptest! {
    #![proptest_config(ProptestConfig::with_cases(150))]

    /// \[OR\] Theorem 1, and on slimmed trees: spreading evenly over all shortest paths is optimal.
    #[test]
    fn omrmn_has_ratio_one(spec in trees(1..=4, 1..=3, 1..=4, 2..=48)) {
        let instance = Instance::named(&spec, "omrmn").unwrap();
        let ratio = assess(&instance).unwrap().oblivious_ratio;
        prop_assert_eq!(ratio.exact(), Some(&Rational::ONE), "{}", spec);
        prop_assert_eq!(ratio.evidence.to_string(), "proven");
    }
}

proptest! {
    #![proptest_config(ProptestConfig::with_cases(100))]

    /// Over all partial permutations: those whose pairs are all on one link attain the ratio.
    #[test]
    fn permutation_ratios_equal_exhaustive_search(spec in trees(1..=3, 1..=3, 1..=2, 3..=6), seed in 0..99_u64) {
        for routing in ["dmodk".to_string(), format!("random(seed={seed})")] {
            let instance = Instance::named(&spec, &routing).unwrap();
            let links = instance.topology().link_numbers();
            let best = links.map(|link| {
                best_ratio(&instance, &pairs_on(&instance, link), &mut Vec::new())
            });
            let best = best.max().unwrap();
            let found = permutation_ratio(&instance, &Progress::silent()).unwrap();
            prop_assert_eq!((found.lower, found.is_exact), (best.clone(), true), "{} {}", spec, routing);
            let assessment = assess(&instance).unwrap();
            prop_assert_eq!(assessment.permutation_ratio.exact(), Some(&best));
        }
    }
}

#[test]
fn dmodk_on_slimmed_two_level_trees() {
    for (w, ratio) in [1_u64, 2, 3, 4, 5, 6, 7, 7].into_iter().enumerate().map(|(i, r)| (i + 1, r))
    {
        let instance = Instance::named(&format!("xgft(2;8,8;1,{w})"), "dmodk").unwrap();
        for assess in [Assess::new(), Assess::new().embedded()] {
            let assessment = assess.run(&instance).unwrap();
            assert_eq!(assessment.oblivious_ratio.exact(), Some(&Rational::from(ratio)), "w = {w}");
            let load = if w == 8 { 7 } else { 8 };
            assert_eq!(assessment.permutation_load.exact(), Some(&Rational::from(load)), "w = {w}");
        }
    }
}
