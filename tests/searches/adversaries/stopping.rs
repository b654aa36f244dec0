//! Stopped searches end soon, with the best so far. How soon is counted, not timed: by the paths
//! followed after the stop, whatever else the machine does. Runs of the program show that a
//! limit and an interrupt reach the searches.
#![cfg(unix)]

use std::sync::Arc;
use std::sync::atomic::{AtomicU64, Ordering};
use std::time::Duration;

use routebound::adversary::{self, AttackContext, KINDS, Work, or_first};
use routebound::progress::{Progress, Stop};
use routebound::rational::Rational;
use routebound::registry::find;
use routebound::routing::{Instance, Routing};
use routebound::spec::Spec;
use routebound::topology::{Host, LinkId};

use crate::program::{Run, program};
use crate::stopped::{How, ended, stopped_knowing};

/// Paths that may be followed after a stop: one permutation in full, a few for the rest.
const MAX_AFTER: u64 = 1 << 17;

/// Every adversary but those that try all permutations, which refuse a tree of 3,456 hosts.
fn adversaries() -> impl Iterator<Item = &'static str> {
    let kinds = KINDS.iter().filter(|kind| kind.build.work != Work::TriesAll);
    kinds.flat_map(|kind| kind.examples).copied()
}

/// All of these in the full tier; by default every second one, from number `first` on.
fn every_second(first: usize) -> impl Iterator<Item = &'static str> {
    let is_full = cfg!(feature = "slow-tests");
    adversaries().skip(if is_full { 0 } else { first }).step_by(if is_full { 1 } else { 2 })
}

/// The output of a stopped run has a lower bound with the traffic that proves it.
fn check(line: &str, run: Run, code: i32) {
    let value = run.expects(code).json();
    assert_eq!(value["complete"], code == 0, "{line}");
    assert!(value["witness"]["pairs"].as_array().is_some_and(|pairs| !pairs.is_empty()), "{line}");
    let lower: Rational = value["oblivious_ratio"]["lower"].as_str().unwrap().parse().unwrap();
    // One random permutation puts 6 on a link of D-mod-k here, random paths as much; cliques, and
    // bisections, of half as many pairs, less.
    let least = if line.contains("pattern=") { 2 } else { 4 };
    assert!(lower >= Rational::from(least), "{line}: {lower}");
}

/// A routing that requests a stop at its `last` path and keeps counting.
struct Counting {
    inner: Arc<dyn Routing>,
    paths: Arc<AtomicU64>,
    last: u64,
    stop: Stop,
}

impl Routing for Counting {
    fn spec(&self) -> &str {
        self.inner.spec()
    }

    fn for_each_path(
        &self,
        s: Host,
        d: Host,
        links: &mut Vec<LinkId>,
        visit: &mut dyn FnMut(&Rational, &[LinkId]),
    ) {
        if self.paths.fetch_add(1, Ordering::Relaxed) + 1 == self.last {
            self.stop.request();
        }
        self.inner.for_each_path(s, d, links, visit);
    }
}

/// Number of paths that an adversary follows on 3,456 hosts after a stop at its `last` path; `None`
/// if it needs fewer than that. It has a witness in either case.
fn paths_after(adversary: &str, last: u64) -> Option<u64> {
    let (topology, inner) = Instance::named("ft(24,3)", "dmodk").unwrap().into_parts();
    let (paths, stop) = (Arc::new(AtomicU64::new(0)), Stop::at(None));
    let routing = Counting { inner, paths: Arc::clone(&paths), last, stop: stop.clone() };
    let instance = Instance::trusted(topology, Box::new(routing) as Box<dyn Routing>);
    let progress = Progress::silent().stopped_by(stop);
    let context = AttackContext::new(&instance, &progress).unwrap();
    let found = adversary::build(adversary).unwrap().attack(&context, &progress);
    let found = or_first(found, 1, &instance).unwrap();
    assert!(found.worst.witness.is_some(), "{adversary} {last}");
    paths.load(Ordering::Relaxed).checked_sub(last)
}

/// All pairs have 12 million paths, which take about half a second. Only the full tier stops late among them.
#[test]
fn few_paths_are_followed_after_a_stop() {
    for adversary in adversaries() {
        let mut stopped = 0;
        for last in [1, 100_000, 5_000_000, 15_000_000] {
            if last > 1_000_000 && !cfg!(feature = "slow-tests") {
                continue;
            }
            let Some(after) = paths_after(adversary, last) else { continue };
            stopped += 1;
            assert!(after <= MAX_AFTER, "{adversary}: {after} paths after a stop at {last}");
        }
        assert!(stopped >= 2, "{adversary}: {stopped}");
    }
}

/// Whether the run knows a witness.
fn knows(run: &Run) -> bool {
    run.json()["witness"]["pairs"].as_array().is_some_and(|pairs| !pairs.is_empty())
}

/// An attack that does not end before it is stopped: with more trials, or if that takes none and is over in less than a
/// second, on more hosts.
fn endless(adversary: &str) -> String {
    let mut spec = Spec::parse(adversary).unwrap();
    if find(KINDS, "adversary", &spec.name).unwrap().takes("trials") {
        spec.set_default("trials", "1000000000");
    }
    let tree = if spec.name == "matching" { "ft(48,3)" } else { "ft(24,3)" };
    format!("attack {tree} dmodk --adversary {spec} --json --quiet")
}

/// By default a limit ends one half of the searches, and an interrupt the other.
#[test]
fn a_limit_reaches_every_search() {
    for adversary in every_second(0) {
        let line = endless(adversary);
        check(&line, stopped_knowing(|| program(&line), How::Limit(0.2), knows), 3);
    }
}

#[test]
fn an_interrupt_reaches_every_search() {
    for adversary in every_second(1) {
        let line = endless(adversary);
        let stop = How::Signal("INT", Duration::from_millis(300));
        check(&line, stopped_knowing(|| program(&line), stop, knows), 3);
    }
}

/// On one of two routings in turn, in the full tier on both.
#[test]
fn the_shortest_time_of_an_adversary_is_enough_for_a_witness() {
    for (number, adversary) in adversaries().enumerate() {
        for (turn, routing) in ["dmodk", "random(seed=1)"].into_iter().enumerate() {
            if number % 2 != turn && !cfg!(feature = "slow-tests") {
                continue;
            }
            let line = format!(
                "attack ft(24,3) {routing} --adversary {adversary} --time 0.001 --no-exact --json --quiet"
            );
            check(&line, ended(&mut program(&line), |_| Duration::ZERO), 0);
        }
    }
}

/// The shares of several paths are tabulated before any search: that can be stopped too.
#[test]
fn a_routing_of_many_paths_is_measured_before_its_table_is_made() {
    let line = "attack ft(8,4) kpath(k=4,choice=random) --no-exact --json --quiet";
    let run = stopped_knowing(|| program(line), How::Limit(0.3), knows);
    assert!(knows(&run), "{run:?}");
}
