//! Random traces of calls, compared with naive models of what is called. Traces that fail are
//! shrunk.

use std::collections::BTreeSet;
use std::time::Duration;

use pathfinding::prelude::{Matrix, kuhn_munkres};
use proptest::prelude::*;
use proptest::sample::Index;
use routebound::adversary::{AttackContext, IncrementalLoads};
use routebound::integer::index32;
use routebound::load::{LinkGraph, LinkLoads, SharedPair};
use routebound::matching::{Matching, NONE};
use routebound::optimum::EvenSplit;
use routebound::progress::{Progress, Stop};
use routebound::rational::Rational;
use routebound::routing::Instance;
use routebound::topology::Host;
use routebound::traffic::Demand;

use super::cases;

/// A call on loads of 8 hosts.
#[derive(Clone, Debug)]
enum Move {
    Set(Vec<Host>, Option<u32>),
    Swap(Host, Host),
    Toggle(Host),
}

fn any_move() -> impl Strategy<Value = Move> {
    let image = Just((0..8).collect::<Vec<Host>>()).prop_shuffle();
    prop_oneof![
        1 => (image, prop::option::of(0..30_u32)).prop_map(|(image, link)| Move::Set(image, link)),
        6 => (0..8_u32, 0..8_u32).prop_map(|(a, b)| Move::Swap(a, b)),
        2 => (0..8_u32).prop_map(Move::Toggle),
    ]
}

/// What the calls amount to.
struct Traffic {
    image: Vec<Host>,
    off: BTreeSet<Host>,
    target: Option<u32>,
}

impl Traffic {
    fn apply(&mut self, call: &Move) {
        match call {
            Move::Set(image, target) => {
                *self = Self { image: image.clone(), off: BTreeSet::new(), target: *target };
            }
            Move::Swap(a, b) => self.image.swap(*a as usize, *b as usize),
            Move::Toggle(s) => {
                if !self.off.remove(s) {
                    self.off.insert(*s);
                }
            }
        }
    }

    /// The pairs that count, by definition.
    fn pairs(&self, instance: &Instance) -> Vec<(Host, Host)> {
        let crosses = |s, d| {
            self.target.is_none_or(|target| {
                let mut found = false;
                instance.routing().for_each_path(s, d, &mut Vec::new(), &mut |_, links| {
                    found |= links.contains(&target);
                });
                found
            })
        };
        let pairs = (0..).zip(&self.image).map(|(s, d)| (s, *d));
        pairs.filter(|(s, d)| s != d && !self.off.contains(s) && crosses(*s, *d)).collect()
    }

    /// Max load ÷ optu in exact rationals.
    fn ratio(&self, instance: &Instance) -> Rational {
        let demand = |(s, d)| Demand { s, d, amount: Rational::ONE };
        let demands: Vec<Demand> = self.pairs(instance).into_iter().map(demand).collect();
        let (topology, routing) = (instance.topology(), instance.routing());
        let loads = LinkLoads::of(topology, routing, &demands, &Progress::silent()).unwrap();
        let optu = EvenSplit::route(topology, &demands).unwrap().max_load();
        loads.max_load().checked_div(&optu).unwrap_or(Rational::ZERO)
    }
}

fn incremental(traffic: &mut Traffic, loads: &mut IncrementalLoads, call: &Move) {
    traffic.apply(call);
    match call {
        Move::Set(image, target) => {
            loads.aim(*target);
            loads.set(image);
        }
        Move::Swap(a, b) => loads.swap(*a, *b),
        Move::Toggle(s) => loads.toggle(*s),
    }
}

/// A call on a tree of work.
#[derive(Clone, Debug)]
enum Step {
    Root,
    Part(Index),
    Afterwards(Index),
    Request(Index),
    Inc(Index, u64),
}

fn any_step() -> impl Strategy<Value = Step> {
    let place = any::<Index>;
    prop_oneof![
        Just(Step::Root),
        place().prop_map(Step::Part),
        place().prop_map(Step::Afterwards),
        place().prop_map(Step::Request),
        (place(), 0..9_u64).prop_map(|(at, units)| Step::Inc(at, units)),
    ]
}

/// What is known of some work: whose request ends it, whether that gives it time, its count.
#[derive(Clone, Debug, Default)]
struct Work {
    family: usize,
    later: bool,
    done: u64,
}

fn step(all: &mut Vec<(Progress, Work)>, requested: &mut BTreeSet<usize>, step: &Step) {
    let count = all.len();
    match step {
        Step::Root => {
            let work = Work { family: count, ..Work::default() };
            all.push((Progress::new(9, "units").stopped_by(Stop::at(None)), work));
        }
        Step::Part(at) => {
            let (parent, work) = &all[at.index(count)];
            let child = (parent.part(0.5), Work { done: 0, ..work.clone() });
            all.push(child);
        }
        Step::Afterwards(at) => {
            let (parent, work) = &all[at.index(count)];
            let work = Work { family: work.family, later: true, done: 0 };
            let child = (parent.afterwards(Duration::from_hours(9)), work);
            all.push(child);
        }
        Step::Request(at) => {
            let (progress, work) = &all[at.index(count)];
            progress.stop().request();
            requested.insert(work.family);
        }
        Step::Inc(at, units) => {
            let (progress, work) = &mut all[at.index(count)];
            progress.inc(*units);
            work.done += units;
        }
    }
}

proptest! {
    #![proptest_config(cases(100))]

    #[test]
    fn incremental_loads(
        instance in 0..5_usize,
        moves in prop::collection::vec(any_move(), 1..30),
    ) {
        let (topology, routing) = [
            ("ft(4,2)", "random(seed=5)"),
            ("xgft(2;4,2;1,2)", "dmodk"),
            ("xgft(3;2,2,2;1,2,1)", "smodk"),
            ("xgft(2;2,4;2,3)", "omrmn"),
            ("xgft(2;4,2;1,3)", "kpath(k=2)"),
        ][instance];
        let instance = Instance::named(topology, routing).unwrap();
        let context = AttackContext::new(&instance, &Progress::silent()).unwrap();
        let mut loads = IncrementalLoads::new(&context);
        let mut traffic = Traffic { image: (0..8).collect(), off: BTreeSet::new(), target: None };
        for call in &moves {
            incremental(&mut traffic, &mut loads, call);
            let pairs = traffic.pairs(&instance);
            prop_assert_eq!(loads.pairs().collect::<Vec<_>>(), pairs);
            for (s, d) in (0..).zip(&traffic.image) {
                prop_assert_eq!((loads.image(s), loads.holder(*d)), (*d, s));
            }
            // It divides by an upper bound on optu, which on a tree of full bisection is 1 ÷ w1.
            let (found, exact) = (loads.ratio().unwrap(), traffic.ratio(&instance));
            prop_assert!(found <= exact, "{} > {} on {}", found, exact, topology);
            let full = instance.topology().tree().unwrap().full_bisection();
            prop_assert!(full || found == exact, "{} < {} on {}", found, exact, topology);
        }
    }

    /// One graph and one matching, reused for link after link.
    #[test]
    fn matchings_of_links(
        graphs in prop::collection::vec(
            prop::collection::btree_set((0..7_u32, 0..7_u32), 0..20), 1..6),
    ) {
        let share = Rational::ONE;
        let (mut graph, mut matching) = (LinkGraph::for_hosts(7), Matching::default());
        for (link, pairs) in (0..).zip(&graphs) {
            graph.load(link, pairs.iter().map(|(s, d)| SharedPair { s: *s, d: *d, share: &share }));
            let host = |(u, v, _)| (graph.sources[u], graph.destinations[v]);
            prop_assert_eq!(&graph.edges().map(host).collect::<BTreeSet<_>>(), pairs);
            matching.maximise(&graph.graph);
            let weight = |(s, d): (usize, usize)| i32::from(pairs.contains(&(index32(s), index32(d))));
            let most = kuhn_munkres(&Matrix::from_fn(7, 7, weight)).0;
            prop_assert_eq!(i32::try_from(matching.size), Ok(most));
            let matched = matching.left.iter().zip(&graph.sources).filter(|(v, _)| **v != NONE);
            let matched: Vec<_> = matched.map(|(v, s)| (*s, graph.destinations[*v as usize])).collect();
            prop_assert_eq!(matched.len(), matching.size);
            prop_assert!(matched.iter().all(|pair| pairs.contains(pair)));
            let (left, right) = matching.cover(&graph.graph);
            prop_assert_eq!(left.len() + right.len(), matching.size);
        }
    }

    /// A request ends all work that it reaches, before and after, except what has its own time.
    #[test]
    fn stops(steps in prop::collection::vec(any_step(), 1..40)) {
        let (mut all, mut requested) = (Vec::new(), BTreeSet::new());
        step(&mut all, &mut requested, &Step::Root);
        for next in &steps {
            step(&mut all, &mut requested, next);
            for (progress, work) in &all {
                let ends = requested.contains(&work.family);
                prop_assert_eq!(progress.cancelled(), ends && !work.later, "{:?}", work);
                prop_assert_eq!(progress.check().is_err(), ends && !work.later);
                prop_assert_eq!(progress.time_left().is_some(), ends, "{:?}", work);
                prop_assert_eq!(progress.done(), work.done);
            }
        }
    }
}
