//! Collectives: who knows whose data in the end, how much is sent, and what is refused.

use super::*;
use crate::simulation::workload::operations::{Operation, Place, Rank};

fn made(spec: &str, hosts: usize) -> Program {
    generate(spec, hosts).unwrap().0
}

/// For every rank and every operation a bit for each rank whose data it may hold when it has ended:
/// that of its own rank, of all that its rank has to have ended before, and of what it receives.
/// Nothing else is counted, however early it may happen. By repetition until nothing changes.
fn known(program: &Program) -> Vec<Vec<u64>> {
    let ranks = program.ranks();
    let own = |(rank, of): (usize, &Rank)| vec![1_u64 << rank; of.operations.len()];
    let mut known: Vec<Vec<u64>> = ranks.iter().enumerate().map(own).collect();
    loop {
        let before = known.clone();
        for (rank, of) in ranks.iter().enumerate() {
            for (at, operation) in of.operations.iter().enumerate() {
                for on in &of.requires[at] {
                    known[rank][at] |= known[rank][*on as usize];
                }
                if let Operation::Receive { from, .. } = operation {
                    let place = Place { rank: host_number(rank), operation: index32(at) };
                    let send = program.partner(place).unwrap();
                    assert_eq!(send.rank, *from);
                    known[rank][at] |= known[send.rank as usize][send.operation as usize];
                }
            }
        }
        if known == before {
            return known;
        }
    }
}

/// By rank: whose data it has when all its operations have ended.
fn in_the_end(program: &Program) -> Vec<u64> {
    known(program).iter().map(|of| of.iter().fold(0, |all, one| all | one)).collect()
}

/// Messages (s, d, bytes) in sorted order.
fn messages(program: &Program) -> Vec<(Host, Host, u64)> {
    let mut found = Vec::new();
    for (rank, of) in program.ranks().iter().enumerate() {
        for operation in &of.operations {
            if let Operation::Send { to, bytes, .. } = operation {
                found.push((host_number(rank), *to, *bytes));
            }
        }
    }
    found.sort_unstable();
    found
}

#[test]
fn everybody_gets_everything() {
    for hosts in 2..=33_usize {
        let all = (1_u64 << hosts) - 1;
        let mut specs = vec!["allreduce(bytes=77)", "allgather(bytes=5)", "barrier", "alltoall"];
        if hosts.is_power_of_two() {
            specs.push("allreduce(bytes=77,algorithm=doubling)");
        }
        for spec in specs {
            let found = in_the_end(&made(spec, hosts));
            assert_eq!(found, vec![all; hosts], "{spec} of {hosts}");
        }
        let broadcast = in_the_end(&made("broadcast", hosts));
        assert!(broadcast.iter().all(|of| of & 1 == 1), "{hosts}");
    }
}

/// Closed forms.
#[test]
fn as_much_is_sent_as_the_algorithms_say() {
    for hosts in 2..=33_usize {
        let n = hosts as u64;
        let log = u64::from(hosts.next_power_of_two().ilog2());
        let pairs = n * (n - 1);
        let mut expected = vec![
            ("alltoall(bytes=5)", pairs, 5 * pairs),
            ("allgather(bytes=5)", pairs, 5 * pairs),
            ("allreduce(bytes=77)", 2 * pairs, 77 * 2 * (n - 1)),
            ("broadcast(bytes=5)", n - 1, 5 * (n - 1)),
            ("barrier", n * log, n * log),
        ];
        if hosts.is_power_of_two() {
            let spec = "allreduce(bytes=77,algorithm=doubling)";
            expected.push((spec, n * log, 77 * n * log));
        }
        for (spec, count, bytes) in expected {
            let program = made(spec, hosts);
            let found = (program.messages() as u64, program.bytes());
            assert_eq!(found, (count, bytes), "{spec} of {hosts}");
        }
    }
}

#[test]
fn all_to_all_has_every_pair_once() {
    for hosts in [2, 3, 8, 12] {
        let ranks = 0..host_number(hosts);
        let pairs = ranks.clone().flat_map(|s| ranks.clone().map(move |d| (s, d, 9)));
        let pairs: Vec<_> = pairs.filter(|(s, d, _)| s != d).collect();
        assert_eq!(messages(&made("alltoall(bytes=9)", hosts)), pairs);
    }
}

/// The tree of five hosts by hand: 0→1, then 0→2 and 1→3, then 0→4; each after what it received.
#[test]
fn a_broadcast_is_a_binomial_tree() {
    let program = made("broadcast(bytes=7)", 5);
    assert_eq!(messages(&program), [(0, 1, 7), (0, 2, 7), (0, 4, 7), (1, 3, 7)]);
    assert_eq!(program.ranks()[0].requires, [vec![], vec![0], vec![1]]);
    assert_eq!(program.ranks()[1].requires, [vec![], vec![0]]);
    // Everyone knows what its parent knew.
    assert_eq!(in_the_end(&program), [0b1, 0b11, 0b101, 0b1011, 0b10001]);
}

/// Ten bytes in three parts of 3, 3 and 4: every link of the ring carries each part but one, twice.
#[test]
fn a_ring_sends_parts() {
    let program = made("allreduce(bytes=10)", 3);
    let sent: Vec<Vec<u64>> = program.ranks().iter().map(sends).collect();
    assert_eq!(sent, [[3, 4, 3, 3], [3, 3, 4, 3], [4, 3, 3, 4]]);
}

fn sends(rank: &Rank) -> Vec<u64> {
    let bytes = |operation: &Operation| match operation {
        Operation::Send { bytes, .. } => Some(*bytes),
        _ => None,
    };
    rank.operations.iter().filter_map(bytes).collect()
}

#[test]
fn examples_are_made() {
    for kind in COLLECTIVES {
        for example in kind.examples {
            let (program, spec) = generate(example, 8).unwrap();
            assert_eq!(program, made(&spec, 8));
        }
    }
}

#[test]
fn what_cannot_be_is_refused() {
    for (spec, hosts, says) in [
        ("alltoall", 1, "does not fit 1 hosts: at least 2 are needed"),
        ("alltoall(bytes=0)", 4, "`bytes=0` must be at least 1"),
        ("alltoall(bytes=68719476737)", 4, "number of bytes is 68719476737, above"),
        ("alltoall", 2000, "number of operations is 7996000, above the limit of 4194304"),
        ("allreduce(bytes=3)", 4, "a vector of 3 bytes has no 4 parts"),
        ("allreduce(algorithm=doubling)", 6, "needs a power of two; use algorithm=ring"),
        ("allreduce(algorithm=tree)", 8, "`algorithm=tree` is not one of ring, doubling"),
        ("barrier(bytes=3)", 4, "unknown option `bytes`"),
        ("alltoal", 4, "did you mean `alltoall`?"),
    ] {
        let error = generate(spec, hosts).unwrap_err().to_string();
        assert!(error.contains(says), "{spec}: {error}");
    }
}
