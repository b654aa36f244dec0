//! All-reduce: a vector of every host becomes one, which all have.

use super::rounds::Rounds;
use super::{Build, WorkloadError, bytes, does_not_fit};
use crate::prelude::*;
use crate::simulation::workload::program::Program;

pub(super) const KIND: Kind<Build> = Kind {
    name: "allreduce",
    usage: "allreduce(bytes=8192,algorithm=ring|doubling)",
    about: "vectors of `bytes` bytes are reduced to one that every host gets: ring sends N parts of the \
            vector round a ring, twice N-1 rounds from r to r+1 modulo N; doubling exchanges whole \
            vectors with r xor 2^i in round i, where N is a power of two",
    reference: "Thakur, Rabenseifner and Gropp, 2005: recursive doubling; ring as in Patarasuk and Yuan, \
                2009",
    examples: &["allreduce", "allreduce(bytes=65536,algorithm=doubling)"],
    build: |spec, hosts| {
        let bytes = bytes(spec)?;
        match spec.read()? {
            Options { algorithm: Algorithm::Ring } => ring(spec, hosts, bytes),
            Options { algorithm: Algorithm::Doubling } => doubling(spec, hosts, bytes),
        }
    },
};

#[derive(Deserialize)]
struct Options {
    algorithm: Algorithm,
}

#[derive(Deserialize)]
#[serde(rename_all = "lowercase")]
enum Algorithm {
    Ring,
    Doubling,
}

/// First every part is reduced on its way round the ring, then it goes round again. Part i has bytes
/// ⌊i·bytes/N⌋ to ⌊(i + 1)·bytes/N⌋ of the vector.
fn ring(spec: &Spec, hosts: usize, bytes: u64) -> Result<Program, WorkloadError> {
    if bytes < hosts as u64 {
        let reason = format!("a vector of {bytes} bytes has no {hosts} parts; use more bytes");
        return Err(does_not_fit(spec, hosts, reason));
    }
    let mut rounds = Rounds::of(hosts, 2 * hosts as u128 * (hosts as u128 - 1))?;
    let ranks = rounds.ranks();
    let (count, all) = (u64::from(ranks.end), bytes);
    // Less than 2^36·2^24: an operation takes a host.
    let part = |i: Host| (u64::from(i) + 1) * all / count - u64::from(i) * all / count;
    for round in 0..2 * (ranks.end - 1) {
        let sent = |r| part((r + ranks.end - round % ranks.end) % ranks.end);
        rounds.add(ranks.clone().map(|r| (r, (r + 1) % ranks.end, sent(r))));
    }
    rounds.program()
}

fn doubling(spec: &Spec, hosts: usize, bytes: u64) -> Result<Program, WorkloadError> {
    if !hosts.is_power_of_two() {
        let reason = "recursive doubling needs a power of two; use algorithm=ring".into();
        return Err(does_not_fit(spec, hosts, reason));
    }
    let mut rounds = Rounds::of(hosts, hosts as u128 * u128::from(hosts.ilog2()))?;
    let ranks = rounds.ranks();
    for i in 0..hosts.ilog2() {
        rounds.add(ranks.clone().map(|r| (r, r ^ (1 << i), bytes)));
    }
    rounds.program()
}
