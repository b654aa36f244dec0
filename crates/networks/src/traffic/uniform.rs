//! Uniform traffic: all-to-all.

use super::ProductTraffic;
use super::prelude::*;

pub(super) const KIND: Kind<super::Pattern> = Kind {
    name: "uniform",
    usage: "uniform(tasks=K,place=linear|random,seed=1)",
    about: "all-to-all: 1 unit from every task to every other",
    reference: "[GO] 5.2, [OR] VI",
    examples: &["uniform", "uniform(tasks=8)", "uniform(tasks=8,place=random,seed=3)"],
    build: super::Pattern::symmetric(|spec, hosts| build(spec, hosts)?.to_matrix()).regular(build),
};

fn build(spec: &Spec, hosts: usize) -> Result<ProductTraffic, TrafficError> {
    let tasks = Tasks::read(spec, hosts)?;
    Ok(tasks.product(0..tasks.count()))
}
