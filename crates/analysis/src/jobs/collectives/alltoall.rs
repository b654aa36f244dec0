//! All to all by pairwise exchange.

use super::{Build, Phase, check_sends, part};
use crate::registry::Kind;

pub(super) const KIND: Kind<Build> = Kind {
    name: "alltoall",
    usage: "alltoall",
    about: "all-to-all in N-1 phases of one block, 1/N of the message: in phase i, r sends to r xor i, where N is a \
            power of two, else to r+i modulo N",
    reference: "Thakur, Rabenseifner and Gropp, 2005: pairwise exchange",
    examples: &["alltoall"],
    build: |_, ranks| {
        check_sends(u128::from(ranks) * u128::from(ranks - 1))?;
        let partner = |r, i| if ranks.is_power_of_two() { r ^ i } else { (r + i) % ranks };
        let phase = |i| {
            let sends = (0..ranks).map(|r| (r, partner(r, i)));
            Phase::new(format!("step {i}"), part(1, ranks), sends)
        };
        Ok((1..ranks).map(phase).collect())
    },
};
