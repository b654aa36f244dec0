//! All-gather in a ring.

use super::rounds::Rounds;
use super::{Build, bytes};
use crate::registry::Kind;

pub(super) const KIND: Kind<Build> = Kind {
    name: "allgather",
    usage: "allgather(bytes=8192)",
    about: "every host gets `bytes` bytes of every other, which go round a ring: N-1 rounds from r to \
            r+1 modulo N",
    reference: "Thakur, Rabenseifner and Gropp, 2005: ring",
    examples: &["allgather", "allgather(bytes=65536)"],
    build: |spec, hosts| {
        let bytes = bytes(spec)?;
        let mut rounds = Rounds::of(hosts, hosts as u128 * (hosts as u128 - 1))?;
        let ranks = rounds.ranks();
        for _ in 1..hosts {
            rounds.add(ranks.clone().map(|r| (r, (r + 1) % ranks.end, bytes)));
        }
        rounds.program()
    },
};
