//! Bit permutations of the task number (\[GO\] 5.2.1).
//!
//! Where a bit permutation has a meaning for numbers of tasks other than powers of two, it is
//! used there too: the perfect shuffle for any even number of cards, and the complement K−1−s,
//! which complements the digits of s in any base of which K is a power.

use super::tasks::Tasks;
use super::{TrafficError, TrafficMatrix};
use crate::registry::Kind;
use crate::spec::Spec;

pub(super) const REVERSAL: Kind<super::Pattern> = Kind {
    name: "bitrev",
    usage: "bitrev(tasks=K,place=linear|random,seed=1)",
    about: "bit reversal: task s sends to the task whose number has the bits of s \
            reversed; K a power of 2",
    reference: "[GO] 5.2.1",
    examples: &["bitrev", "bitrev(tasks=16)", "bitrev(tasks=128,place=random,seed=5)"],
    build: super::Pattern::symmetric_permutation(build_reversal),
};

pub(super) const SHUFFLE: Kind<super::Pattern> = Kind {
    name: "shuffle",
    usage: "shuffle(tasks=K,place=linear|random,seed=1)",
    about: "perfect shuffle: task s sends to 2s modulo K-1 (the last to itself), for a power of 2 \
            its bits rotated left; K even",
    reference: "[GO] 5.2.1; Stone, IEEE Trans. Computers C-20 (1971)",
    examples: &["shuffle", "shuffle(tasks=10)"],
    build: super::Pattern::permutation(build_shuffle),
};

pub(super) const COMPLEMENT: Kind<super::Pattern> = Kind {
    name: "complement",
    usage: "complement(tasks=K,place=linear|random,seed=1)",
    about: "task s sends to K-1-s, for a power of 2 the complement of its bits",
    reference: "[GO] 5.2.1",
    examples: &["complement", "complement(tasks=9)"],
    build: super::Pattern::symmetric_permutation(build_complement),
};

fn build_reversal(spec: &Spec, hosts: usize) -> Result<TrafficMatrix, TrafficError> {
    let tasks = Tasks::read(spec, hosts)?;
    let unused = u32::BITS - tasks.bits()?;
    tasks.map(|s| s.reverse_bits() >> unused)
}

fn build_shuffle(spec: &Spec, hosts: usize) -> Result<TrafficMatrix, TrafficError> {
    let tasks = Tasks::read(spec, hosts)?;
    let count = tasks.count();
    if count % 2 != 0 {
        return Err(tasks.does_not_fit("is odd", count - 1));
    }
    tasks.map(|s| if s < count / 2 { 2 * s } else { 2 * s + 1 - count })
}

fn build_complement(spec: &Spec, hosts: usize) -> Result<TrafficMatrix, TrafficError> {
    let tasks = Tasks::read(spec, hosts)?;
    tasks.map(|s| tasks.count() - 1 - s)
}
