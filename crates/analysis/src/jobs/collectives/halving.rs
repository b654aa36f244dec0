//! Recursive halving: halves of what remains are exchanged at distances N/2, N/4, down to 1.

use super::folding::Folding;
use super::{Build, check_sends, part};
use crate::registry::Kind;

pub(super) const KIND: Kind<Build> = Kind {
    name: "halving",
    usage: "halving",
    about: "reduce-scatter by recursive halving: at distances N/2, N/4, ..., 1, ranks exchange 1/2, 1/4, ..., 1/N of \
            the vector, with which the other continues; of N = 2^k+e ranks e first send theirs to the next rank, which \
            takes part for both, and get half of its part, 1/2^(k+1), at the end",
    reference: "Thakur, Rabenseifner and Gropp, 2005: recursive halving",
    examples: &["halving"],
    build: |_, ranks| {
        let folding = Folding::of(ranks);
        let (power, steps) = (folding.power, folding.power.ilog2());
        check_sends(u128::from(power) * u128::from(steps) + 2 * u128::from(folding.excess))?;
        let exchanges = (1..=steps).map(|i| folding.exchange(power >> i, part(1, 1 << i)));
        let all = folding.fold().into_iter().chain(exchanges);
        Ok(all.chain(folding.unfold(part(1, 2 * power))).collect())
    },
};
