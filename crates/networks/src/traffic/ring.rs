//! Ring communication (\[OR\] VI, Tables II and III).

use super::prelude::*;

pub(super) const KIND: Kind<super::Pattern> = Kind {
    name: "ring",
    usage: "ring(tasks=K,place=linear|random,seed=1)",
    about: "task i exchanges 1 unit with i+1 modulo K, both ways",
    reference: "[OR] VI",
    examples: &["ring", "ring(place=random,seed=2)", "ring(tasks=2)"],
    build: super::Pattern::symmetric(build),
};

fn build(spec: &Spec, hosts: usize) -> Result<TrafficMatrix, TrafficError> {
    let tasks = Tasks::read(spec, hosts)?;
    let count = tasks.count();
    // In a ring of two, the next task and the previous one are the same.
    let edges = if count == 2 { 1 } else { count };
    let pairs = (0..edges).map(|i| (i, (i + 1) % count));
    tasks.traffic(2 * u64::from(count), pairs.flat_map(|(a, b)| [(a, b), (b, a)]))
}
