//! Local search reaches the exact value, and gives the same on any number of threads.

use routebound::adversary::Finding;
use routebound::assessment::assess;
use routebound::routing::Instance;

use super::attack;

const ROUTINGS: [&str; 9] = [
    "dmodk",
    "smodk",
    "osrm2",
    "osrm3",
    "random(seed=1)",
    "random(seed=2)",
    "random(seed=3)",
    "random(seed=4)",
    "random(seed=5)",
];

#[test]
fn climb_reaches_the_exact_value() {
    let mut done = 0;
    for (topology, routing) in
        ["ft(8,2)", "ft(8,3)"].into_iter().flat_map(|t| ROUTINGS.map(|routing| (t, routing)))
    {
        // OSRM2 is for two levels, OSRM3 for three.
        let Ok(instance) = Instance::named(topology, routing) else { continue };
        let exact = assess(&instance).unwrap();
        let found = attack(&instance, "climb(trials=1000000,seed=1)");
        let name = format!("{topology} {routing}");
        assert_eq!(Some(&found.worst.lower), exact.oblivious_ratio.exact(), "{name}");
        done += 1;
    }
    assert_eq!(done, 16);
}

/// On one of two instances in turn, in the full tier on both.
#[test]
fn threads_change_nothing() {
    let slim = Instance::named("xgft(3;4,4,4;1,2,2)", "random(seed=3)").unwrap();
    let full = Instance::named("ft(8,2)", "osrm2").unwrap();
    let adversaries = [
        "climb(trials=30000,seed=4)",
        "anneal(trials=30000,seed=4)",
        "random(pattern=clique,trials=600)",
        "random(trials=600)",
        "patterns",
        "matching",
        #[cfg(feature = "highs")]
        "ilp(programs=20)",
    ];
    let same = |a: &Finding, b: &Finding| {
        assert_eq!(a.worst.witness, b.worst.witness, "{}", a.adversary);
        assert_eq!(
            (a.evaluations, &a.worst.curve),
            (b.evaluations, &b.worst.curve),
            "{}",
            a.adversary
        );
        assert_eq!(a.worst.statistics, b.worst.statistics);
    };
    let pairs = adversaries.iter().flat_map(|adversary| [(adversary, &slim), (adversary, &full)]);
    for (at, (adversary, instance)) in pairs.enumerate() {
        // Of the pairs 0 and 1, 2 and 3, ... the first, the second, the first, ...
        if matches!(at % 4, 1 | 2) && !cfg!(feature = "slow-tests") {
            continue;
        }
        let on = |threads| {
            let pool = rayon::ThreadPoolBuilder::new().num_threads(threads).build().unwrap();
            pool.install(|| attack(instance, adversary))
        };
        same(&on(1), &on(3));
    }
}
