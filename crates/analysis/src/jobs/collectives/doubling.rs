//! Recursive doubling: whole vectors are exchanged at distances 1, 2, 4 and so on.

use super::folding::Folding;
use super::{Build, check_sends};
use crate::rational::Rational;
use crate::registry::Kind;

pub(super) const KIND: Kind<Build> = Kind {
    name: "doubling",
    usage: "doubling",
    about: "all-reduce by recursive doubling: in phase i, r and r xor 2^i exchange their vectors; of N = 2^k+e ranks \
            e first send theirs to the next rank, which takes part for both, and get the result at the end",
    reference: "Thakur, Rabenseifner and Gropp, 2005: recursive doubling",
    examples: &["doubling"],
    build: |_, ranks| {
        let folding = Folding::of(ranks);
        let steps = folding.power.ilog2();
        check_sends(
            u128::from(folding.power) * u128::from(steps) + 2 * u128::from(folding.excess),
        )?;
        let exchanges = (0..steps).map(|i| folding.exchange(1 << i, Rational::ONE));
        let all = folding.fold().into_iter().chain(exchanges).chain(folding.unfold(Rational::ONE));
        Ok(all.collect())
    },
};
