//! Worst loads of jobs against all permutations, one by one.

use std::collections::BTreeMap;

use itertools::Itertools;

use super::orders::Order;
use super::uses::Sent;
use super::*;
use crate::progress::Progress;
use crate::rational::Rational;
use crate::routing::Instance;
use crate::topology::LinkId;

fn job(name: &str, nodes: &[&[u32]]) -> Job {
    let node = |adapters: &&[u32]| Node {
        name: format!("node-{}", adapters[0]),
        // A number that is not a host stands for an adapter that is missing.
        adapters: adapters.iter().map(|host| (*host < 99).then_some(*host)).collect(),
    };
    Job { name: name.into(), nodes: nodes.iter().map(node).collect() }
}

/// The loads of links where members send to those at the same place of a permutation; to itself a
/// member sends nothing.
fn loads(
    instance: &Instance,
    members: &[Vec<Option<u32>>],
    to: &[usize],
) -> BTreeMap<LinkId, Rational> {
    let (mut loads, mut sent) = (BTreeMap::new(), Sent::default());
    for (from, to) in to.iter().enumerate().filter(|(from, to)| *from != **to) {
        sent.fill(instance, &members[from], &members[*to]);
        for (link, share) in &sent.links {
            let capacity = &instance.topology.link(*link).capacity;
            *loads.entry(*link).or_insert(Rational::ZERO) += &share.checked_div(capacity).unwrap();
        }
    }
    loads
}

/// By link, the most that any permutation inside a job puts on it.
fn most(instance: &Instance, job: &Job, exchange: Exchange) -> BTreeMap<LinkId, Rational> {
    let mut total: BTreeMap<LinkId, Rational> = BTreeMap::new();
    for group in exchange.groups(job) {
        let mut most: BTreeMap<LinkId, Rational> = BTreeMap::new();
        for to in (0..group.members.len()).permutations(group.members.len()) {
            for (link, load) in loads(instance, &group.members, &to) {
                let known = most.entry(link).or_insert(Rational::ZERO);
                *known = known.clone().max(load);
            }
        }
        for (link, load) in most {
            *total.entry(link).or_insert(Rational::ZERO) += &load;
        }
    }
    total
}

fn cases() -> Vec<(Instance, Vec<Job>)> {
    let of =
        |tree: &str, routing: &str, jobs: Vec<Job>| (Instance::named(tree, routing).unwrap(), jobs);
    let rails = vec![job("one", &[&[0, 2], &[4, 6], &[99, 5]]), job("two", &[&[1, 99], &[3, 7]])];
    vec![
        of("ft(4,2)", "dmodk", rails.clone()),
        of("ft(4,2)", "omrmn", rails.clone()),
        of("ft(4,2)", "random(seed=3)", rails),
        of(
            "xgft(2;3,3;1,2)",
            "random(seed=1)",
            vec![
                job("one", &[&[0], &[1], &[3], &[6], &[7]]),
                job("two", &[&[2], &[4], &[8]]),
                job("alone", &[&[5]]),
            ],
        ),
        of(
            "xgft(3;2,2,2;1,2,1)",
            "kpath(k=2,choice=random)",
            vec![job("one", &[&[0, 4], &[1, 5], &[2, 6]])],
        ),
    ]
}

#[test]
fn worst_loads_are_those_of_the_worst_permutations() {
    let quiet = Progress::silent();
    for (instance, jobs) in cases() {
        for exchange in Exchange::ALL {
            let place = format!("{instance:?}, {exchange:?}");
            let most: Vec<_> = jobs.iter().map(|job| most(&instance, job, exchange)).collect();
            let found = worst_loads(&instance, &jobs, exchange, &quiet).unwrap();
            for (at, (worst, own)) in found.iter().zip(&most).enumerate() {
                let alone = worst.alone.as_ref().map(|worst| worst.bounds.to_string());
                let greatest = own.values().max().map(|load| format!("{load} (proven)"));
                assert_eq!(alone, greatest, "{place}, job {at}");
                let others =
                    most.iter().enumerate().any(|(other, of)| other != at && !of.is_empty());
                let together = own.keys().map(|link| {
                    let parts = most.iter().filter_map(|of| of.get(link));
                    parts.fold(Rational::ZERO, |sum, part| &sum + part)
                });
                let together = together.max().filter(|_| others);
                let beside = worst.beside.as_ref().map(|worst| worst.bounds.to_string());
                assert_eq!(
                    beside,
                    together.map(|load| format!("{load} (proven)")),
                    "{place}, job {at}"
                );
                for load in worst.alone.iter().chain(&worst.beside) {
                    let sum = load.parts.iter().fold(Rational::ZERO, |sum, part| &sum + part);
                    assert_eq!(sum, load.bounds.lower, "{place}, job {at}");
                }
            }
        }
    }
}

#[test]
fn bounds_on_rings_hold_for_all_orders() {
    let quiet = Progress::silent();
    for (instance, jobs) in cases() {
        for job in jobs.iter().filter(|job| job.nodes.len() > 1) {
            let members: Vec<_> = job.nodes.iter().map(|node| node.adapters.clone()).collect();
            let orders = (0..members.len()).permutations(members.len()).map(|order| {
                let mut to = vec![0; order.len()];
                order.iter().circular_tuple_windows().for_each(|(from, next)| to[*from] = *next);
                let load = loads(&instance, &members, &to).into_values().max().unwrap();
                (load, Order::new(order.into_iter().map(number).collect()).unwrap())
            });
            let orders: Vec<_> = orders.collect();
            let (least, best) = orders.iter().min().unwrap();
            let (greatest, worst) = orders.iter().max().unwrap();
            let links = JobLinks::of(&instance, job, Exchange::Nodes, &quiet).unwrap();
            let found = RingBounds::of(&instance, job, &links, [worst, best], &quiet);
            let found = found.unwrap().unwrap();
            assert_eq!(
                (&found.greatest.bounds.lower, &found.least.bounds.upper),
                (greatest, least)
            );
            assert!(found.greatest.bounds.upper >= *greatest && found.least.bounds.lower <= *least);
            // On trees the worst permutation over a link can be closed to a ring.
            assert_eq!(found.greatest.bounds.exact(), Some(greatest), "{instance:?}, {}", job.name);
        }
    }
}

#[test]
fn jobs_that_share_a_host_are_refused() {
    let instance = Instance::named("ft(4,2)", "dmodk").unwrap();
    let jobs = [job("one", &[&[0], &[1]]), job("two", &[&[2], &[1]])];
    let error = worst_loads(&instance, &jobs, Exchange::Nodes, &Progress::silent()).unwrap_err();
    assert_eq!(
        error.to_string(),
        "host 1 is in jobs one and two: give jobs that share no host, or make one of the two"
    );
}

#[test]
fn a_stop_ends_the_work() {
    let stopped = Progress::silent();
    stopped.stop().request();
    let (instance, jobs) = cases().remove(0);
    let error = worst_loads(&instance, &jobs, Exchange::Rails, &stopped).unwrap_err();
    assert!(matches!(error, JobsError::Stopped(_)), "{error}");
}
