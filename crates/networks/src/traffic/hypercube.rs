//! Hypercube communication (\[OR\] VI, Tables II and III).

use super::prelude::*;

pub(super) const KIND: Kind<super::Pattern> = Kind {
    name: "hypercube",
    usage: "hypercube(tasks=K,place=linear|random,seed=1)",
    about: "tasks whose numbers differ in one bit exchange 1 unit, both ways; K a power of 2",
    reference: "[OR] VI",
    examples: &["hypercube", "hypercube(tasks=8)", "hypercube(place=random,seed=2)"],
    build: super::Pattern::symmetric(build),
};

fn build(spec: &Spec, hosts: usize) -> Result<TrafficMatrix, TrafficError> {
    let tasks = Tasks::read(spec, hosts)?;
    let bits = tasks.bits()?;
    let pairs = (0..tasks.count()).flat_map(|s| (0..bits).map(move |bit| (s, s ^ (1 << bit))));
    tasks.traffic(u64::from(tasks.count()) * u64::from(bits), pairs)
}
