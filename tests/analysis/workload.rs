//! Workloads from files: the instances of the project, and a schedule that LogGOPSim comes with.

#![expect(clippy::unwrap_used, reason = "helpers of tests fail by panic")]

use routebound::import::traffic::Hosts;
use routebound::simulation::workload::{Operation, Program, Workload, open};

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
