//! Broadcast along a binomial tree.

use super::rounds::Rounds;
use super::{Build, bytes};
use crate::registry::Kind;

pub(super) const KIND: Kind<Build> = Kind {
    name: "broadcast",
    usage: "broadcast(bytes=8192)",
    about: "host 0 sends `bytes` bytes to all others along a binomial tree: in round i the hosts below \
            2^i, which have them, send to r+2^i",
    reference: "Thakur, Rabenseifner and Gropp, 2005: binomial tree",
    examples: &["broadcast", "broadcast(bytes=65536)"],
    build: |spec, hosts| {
        let bytes = bytes(spec)?;
        let mut rounds = Rounds::of(hosts, hosts as u128 - 1)?;
        let ranks = rounds.ranks();
        let steps = std::iter::successors(Some(1), |step| Some(2 * step));
        for step in steps.take_while(|step| *step < ranks.end) {
            let senders = 0..step.min(ranks.end - step);
            rounds.add(senders.map(|r| (r, r + step, bytes)));
        }
        rounds.program()
    },
};
