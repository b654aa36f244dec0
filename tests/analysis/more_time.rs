//! More time is never worse: whatever a search knows after n steps, it knows after n + 1.
//!
//! Time is counted in finished units of work, on one thread. Only the grace after a stop, in which what was found is
//! proven, is by the clock: the more of it is used, the more is known.
#![expect(clippy::unwrap_used, reason = "helpers of tests fail by panic")]

use routebound::adversary::{self, AttackContext};
use routebound::assessment::{Assess, AssessOptimum, OptimumMethod};
use routebound::progress::{Progress, Stop};
use routebound::rational::Rational;
use routebound::routing::Instance;
use routebound::{routing, synth, topology, traffic};

/// What is known: the upper side may be unknown.
type Sides = (Rational, Option<Rational>);

/// Work that is stopped as soon as it has done this many units.
fn stopped_after(units: u64) -> Progress {
    let stop = Stop::at(None);
    if units == 0 {
        stop.request();
    }
    let progress = Progress::silent().stopped_by(stop.clone());
    progress.watched_by(move |done| {
        if done >= units {
            stop.request();
        }
    })
}

/// An approximation is made exact with other routings of nearly the same load: sides may differ by rounding.
fn is_within(inner: &Sides, outer: &Sides) -> bool {
    const ROUNDING: f64 = 1e-6;
    let above = |a: &Rational, b: &Rational| a.to_f64() >= b.to_f64() * (1.0 - ROUNDING);
    let upper = match (&inner.1, &outer.1) {
        (_, None) => true,
        (None, Some(_)) => false,
        (Some(inner), Some(outer)) => above(outer, inner),
    };
    above(&inner.0, &outer.0) && upper
}

/// Every further unit of work leaves an interval within the one before.
fn assert_nested(name: &str, units: &[u64], run: impl Fn(&Progress) -> Sides + Send + Sync) {
    let one = rayon::ThreadPoolBuilder::new().num_threads(1).build().unwrap();
    one.install(|| {
        let mut before: Option<(u64, Sides)> = None;
        let stopped = units.iter().map(|units| (*units, run(&stopped_after(*units))));
        let whole = std::iter::once_with(|| (u64::MAX, run(&Progress::silent())));
        for (units, sides) in stopped.chain(whole) {
            if let Some((fewer, outer)) = &before {
                assert!(
                    is_within(&sides, outer),
                    "{name}: {outer:?} after {fewer}, {sides:?} after {units}"
                );
            }
            before = Some((units, sides));
        }
    });
}

#[test]
fn of_ratio() {
    for (tree, name) in [("ft(8,2)", "random(seed=1)"), ("xgft(2;4,4;1,3)", "ecmp")] {
        let instance = Instance::named(tree, name).unwrap();
        let units: Vec<u64> = (0..2 * instance.topology().hosts() as u64 + 2).collect();
        assert_nested(&format!("{name} on {tree}"), &units, |progress| {
            let bounds = Assess::new().progress(progress).run(&instance).unwrap().oblivious_ratio;
            (bounds.lower, Some(bounds.upper))
        });
    }
}

#[test]
fn of_optu() {
    let tree = topology::generate("ft(4,3)").unwrap();
    let routing = routing::build("ecmp", &tree).unwrap();
    let demands = traffic::generate("permutation(seed=3)", tree.hosts()).unwrap();
    let instance = Instance::new(tree, routing).unwrap();
    assert_nested("optu", &(0..40).collect::<Vec<u64>>(), |progress| {
        let topology = instance.topology();
        let assess = AssessOptimum::new().by(OptimumMethod::Approximation).up_to(0.02);
        let found = assess.progress(progress).run(topology, demands.demands()).unwrap();
        assert!(found.optu.lower >= found.baseload, "{}", found.optu);
        (found.optu.lower, Some(found.optu.upper))
    });
}

#[test]
fn of_attack() {
    let instance = Instance::named("ft(8,2)", "random(seed=1)").unwrap();
    let context = AttackContext::new(&instance, &Progress::silent()).unwrap();
    for spec in ["climb(trials=2000)", "anneal(trials=2000)", "random(trials=200)", "patterns"] {
        let adversary = adversary::build(spec).unwrap();
        let units: Vec<u64> = (0..12).map(|power| 1 << power).collect();
        assert_nested(spec, &units, |progress| {
            let found = adversary.attack(&context, progress);
            found.map_or((Rational::ZERO, None), |found| (found.worst.lower, found.worst.upper))
        });
    }
}

#[test]
fn of_synth() {
    for spec in ["ft(4,3)", "xgft(2;4,4;1,3)"] {
        let tree = topology::generate(spec).unwrap();
        let options = synth::Options { method: synth::Method::Local, ..synth::Options::default() };
        assert_nested(spec, &(0..6).collect::<Vec<u64>>(), |progress| {
            let bounds = synth::least_ratio(&tree, &options, progress).unwrap().bounds;
            (bounds.lower, Some(bounds.upper))
        });
    }
}
