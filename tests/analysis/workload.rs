//! Workloads: the instances of the project, a schedule that LogGOPSim comes with, and collectives against those of
//! jobs.

#![expect(clippy::unwrap_used, reason = "helpers of tests fail by panic")]

use routebound::import::traffic::Hosts;
use routebound::jobs::{self, collectives::Rank};
use routebound::simulation::workload::{Operation, Program, Workload, collectives, open};

use super::collection::collection;

fn opened(path: &str, hosts: usize) -> Workload {
    open(path, Hosts::Numbered(hosts)).unwrap().0
}

/// Pairs of hosts and bytes of all messages, sorted.
fn messages(program: &Program) -> Vec<(usize, u32, u64)> {
    let mut found = Vec::new();
    for (rank, of) in program.ranks().iter().enumerate() {
        for operation in &of.operations {
            if let Operation::Send { to, bytes, .. } = operation {
                found.push((rank, *to, *bytes));
            }
        }
    }
    found.sort_unstable();
    found
}

#[test]
fn instances_are_read() {
    let Workload::Trace(trace) = opened("instances/traces/two_bursts.csv", 8) else { panic!() };
    let sizes = 6 * 64 + 4 * 8192 + 2 * 1024;
    assert_eq!((trace.len(), trace.bytes(), trace.end()), (12, sizes, 29_800_000));
    let compressed = trace.compressed(&10.into()).unwrap();
    assert_eq!((compressed.bytes(), compressed.end()), (sizes, 2_980_000));
    let Workload::Program(program) = opened("instances/traces/pipeline.goal", 8) else { panic!() };
    assert_eq!((program.messages(), program.bytes()), (7, 6 * 65536 + 1));
    assert_eq!((program.ranks().len(), program.operations()), (4, 20));
}

/// The authors' own binomial tree is ours.
#[test]
fn the_schedule_of_loggopsim_is_a_broadcast() {
    let Some(path) = collection("data/loggopsim/binary_tree_32.goal") else { return };
    let Workload::Program(theirs) = opened(path.to_str().unwrap(), 32) else { panic!() };
    let Workload::Program(ours) = opened("broadcast(bytes=1)", 32) else { panic!() };
    assert_eq!(messages(&theirs).len(), 31);
    assert_eq!(messages(&theirs), messages(&ours));
    // What a rank sends waits for what it receives.
    for rank in &theirs.ranks()[1..] {
        assert!(matches!(rank.operations[0], Operation::Receive { .. }));
        assert!(rank.requires[1..].iter().all(|list| list == &[0]));
    }
}

/// The sends of a program with a tag, sorted.
fn sends_of(program: &Program, wanted: u32) -> Vec<(Rank, Rank)> {
    let mut found = Vec::new();
    for (rank, of) in (0..).zip(program.ranks()) {
        for operation in &of.operations {
            if let Operation::Send { to, tag, .. } = operation {
                found.extend((*tag == wanted).then_some((rank, *to)));
            }
        }
    }
    found.sort_unstable();
    found
}

/// Collectives of jobs are those of hosts, where both have the algorithm.
#[test]
fn phases_are_the_rounds_of_the_same_algorithms_as_programs() {
    for (own, program, sizes) in [
        ("alltoall", "alltoall", &[2, 3, 8, 12][..]),
        ("bruck", "barrier", &[2, 3, 8, 12]),
        ("doubling", "allreduce(algorithm=doubling)", &[2, 4, 16]),
    ] {
        for ranks in sizes {
            let program = collectives::generate(program, *ranks).unwrap().0;
            let phases = jobs::collectives::generate(own, *ranks).unwrap().phases;
            for (tag, mut phase) in (0..).zip(phases.clone()) {
                phase.sends.sort_unstable();
                let sends = sends_of(&program, tag);
                assert_eq!(phase.sends, sends, "{own} of {ranks}, {}", phase.name);
            }
            assert_eq!(sends_of(&program, u32::try_from(phases.len()).unwrap()), []);
        }
    }
}
