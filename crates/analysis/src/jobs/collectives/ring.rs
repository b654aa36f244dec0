//! Every rank sends to the next one.

use super::{Build, Phase, part};
use crate::registry::Kind;

pub(super) const KIND: Kind<Build> = Kind {
    name: "ring",
    usage: "ring",
    about: "all-reduce in a ring: r sends to r+1 modulo N, in one phase, as parts of the vector follow each \
            other without a break; 2(N-1)/N of the vector crosses every edge",
    reference: "Patarasuk and Yuan, 2009; the rings of NCCL",
    examples: &["ring"],
    build: |_, ranks| {
        let sends = (0..ranks).map(|r| (r, (r + 1) % ranks));
        Ok(vec![Phase::new("ring", part(2 * (ranks - 1), ranks), sends)])
    },
};
