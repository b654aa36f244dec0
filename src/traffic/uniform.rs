//! Uniform traffic: all-to-all.

use super::tasks::Tasks;
use super::{TrafficError, TrafficMatrix};
use crate::registry::Kind;
use crate::spec::Spec;

const USAGE: &str = "uniform(tasks=K,place=linear|random,seed=1)";

pub(super) const KIND: Kind<super::Pattern> = Kind {
    name: "uniform",
    usage: USAGE,
    options: &["tasks", "place", "seed"],
    about: "all-to-all: 1 unit from every task to every other",
    reference: "[GO] 5.2, [OR] VI",
    examples: &["uniform", "uniform(tasks=8)", "uniform(tasks=8,place=random,seed=3)"],
    build: super::Pattern::symmetric(build),
};

fn build(spec: &Spec, hosts: usize) -> Result<TrafficMatrix, TrafficError> {
    let (tasks, _) = Tasks::read(spec, hosts, 0, &[], USAGE)?;
    let count = tasks.count();
    let pairs = (0..count).flat_map(|s| (0..count).map(move |d| (s, d)).filter(|(s, d)| s != d));
    tasks.traffic(u64::from(count) * u64::from(count - 1), pairs)
}
