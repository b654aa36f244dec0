//! Barrier by dissemination.

use super::Build;
use super::rounds::Rounds;
use crate::registry::Kind;

pub(super) const KIND: Kind<Build> = Kind {
    name: "barrier",
    usage: "barrier",
    about: "no host ends before every host has started: in round i, while 2^i is below N, host r sends \
            1 byte to r+2^i modulo N",
    reference: "Hensgen, Finkel and Manber, 1988: dissemination",
    examples: &["barrier"],
    build: |_, hosts| {
        let count = u128::from(hosts.next_power_of_two().ilog2());
        let mut rounds = Rounds::of(hosts, hosts as u128 * count)?;
        let ranks = rounds.ranks();
        let steps = std::iter::successors(Some(1), |step| Some(2 * step));
        for step in steps.take_while(|step| *step < ranks.end) {
            rounds.add(ranks.clone().map(|r| (r, (r + step) % ranks.end, 1)));
        }
        rounds.program()
    },
};
