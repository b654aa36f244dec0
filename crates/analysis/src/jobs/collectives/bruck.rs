//! Bruck's all-to-all: blocks travel by the bits of their distance.

use super::{Build, Phase, Rank, check_sends, part};
use crate::registry::Kind;

pub(super) const KIND: Kind<Build> = Kind {
    name: "bruck",
    usage: "bruck",
    about: "all-to-all in ⌈log2 N⌉ phases: in phase i, r sends to r+2^i modulo N the blocks that have a distance with \
            bit i to go, about half of all",
    reference: "Bruck, Ho, Kipnis, Upfal and Weathersby, 1997",
    examples: &["bruck"],
    build: |_, ranks| {
        let bits = (ranks - 1).ilog2() + 1;
        check_sends(u128::from(ranks) * u128::from(bits))?;
        let phase = |bit: u32| {
            let blocks: Rank = (0..ranks).map(|distance| distance >> bit & 1).sum();
            let sends = (0..ranks).map(|r| (r, (r + (1 << bit)) % ranks));
            Phase::new(format!("distance {}", 1 << bit), part(blocks, ranks), sends)
        };
        Ok((0..bits).map(phase).collect())
    },
};
