//! All-gather in a ring.

use super::rounds::Rounds;
use super::{Build, bytes};
use crate::registry::Kind;

const USAGE: &str = "allgather(bytes=8192)";

pub(super) const KIND: Kind<Build> = Kind {
    name: "allgather",
    usage: USAGE,
    options: &["bytes"],
    about: "every host gets so many bytes of every other, which go round a ring: N-1 rounds from r to \
            r+1 modulo N",
    reference: "Thakur, Rabenseifner and Gropp, 2005: ring",
    examples: &["allgather", "allgather(bytes=65536)"],
    build: |spec, hosts| {
        spec.arguments(0, KIND.options, USAGE)?;
        let bytes = bytes(spec, USAGE)?;
        let mut rounds = Rounds::of(hosts, hosts as u128 * (hosts as u128 - 1))?;
        let ranks = rounds.ranks();
        for _ in 1..hosts {
            rounds.add(ranks.clone().map(|r| (r, (r + 1) % ranks.end, bytes)));
        }
        rounds.program()
    },
};
