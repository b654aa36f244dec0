//! Shifts of the task numbers.

use serde::Deserialize;

use super::tasks::Tasks;
use super::{TrafficError, TrafficMatrix};
use crate::integer::{as_size, index32};
use crate::registry::Kind;
use crate::spec::Spec;

pub(super) const SHIFT: Kind<super::Pattern> = Kind {
    name: "shift",
    usage: "shift(k,tasks=K,place=linear|random,seed=1)",
    about: "task s sends to s + k modulo the number of tasks",
    reference: "Zahavi et al., Concurrency and Computation 22 (2010)",
    examples: &["shift(1)", "shift(37,place=random,seed=2)", "shift(3,tasks=10)"],
    build: super::Pattern::permutation(build),
};

pub(super) const TORNADO: Kind<super::Pattern> = Kind {
    name: "tornado",
    usage: "tornado(tasks=K,place=linear|random,seed=1)",
    about: "task s sends almost halfway round: to s + ceil(K/2) - 1 modulo K",
    reference: "Dally and Towles, Principles and Practices of Interconnection Networks, 3.2",
    examples: &["tornado", "tornado(tasks=9)"],
    build: super::Pattern::permutation(build_tornado),
};

#[derive(Deserialize)]
struct Options {
    k: u64,
}

fn build(spec: &Spec, hosts: usize) -> Result<TrafficMatrix, TrafficError> {
    let Options { k } = spec.read()?;
    shift(&Tasks::read(spec, hosts)?, k)
}

fn build_tornado(spec: &Spec, hosts: usize) -> Result<TrafficMatrix, TrafficError> {
    let tasks = Tasks::read(spec, hosts)?;
    shift(&tasks, u64::from(tasks.count().div_ceil(2)) - 1)
}

fn shift(tasks: &Tasks, distance: u64) -> Result<TrafficMatrix, TrafficError> {
    let count = u64::from(tasks.count());
    tasks.map(|s| index32(as_size((u64::from(s) + distance % count) % count)))
}
