//! All to all by pairwise exchange.

use super::rounds::Rounds;
use super::{Build, bytes};
use crate::registry::Kind;

pub(super) const KIND: Kind<Build> = Kind {
    name: "alltoall",
    usage: "alltoall(bytes=8192)",
    about: "every host sends `bytes` bytes to every other, in N-1 rounds: in round i to r xor i, where N \
            is a power of two, else to r+i modulo N",
    reference: "Thakur, Rabenseifner and Gropp, 2005: pairwise exchange",
    examples: &["alltoall", "alltoall(bytes=65536)"],
    build: |spec, hosts| {
        let bytes = bytes(spec)?;
        let mut rounds = Rounds::of(hosts, hosts as u128 * (hosts as u128 - 1))?;
        let ranks = rounds.ranks();
        for i in ranks.clone().skip(1) {
            let partner = |r| if hosts.is_power_of_two() { r ^ i } else { (r + i) % ranks.end };
            rounds.add(ranks.clone().map(|r| (r, partner(r), bytes)));
        }
        rounds.program()
    },
};
