//! Binary-tree communication (\[OR\] VI, Tables II and III).

use super::prelude::*;

pub(super) const KIND: Kind<super::Pattern> = Kind {
    name: "bintree",
    usage: "bintree(tasks=K,place=linear|random,seed=1)",
    about: "task i exchanges 1 unit with its children 2i+1 and 2i+2, both ways",
    reference: "[OR] VI",
    examples: &["bintree", "bintree(tasks=7)", "bintree(place=random,seed=2)"],
    build: super::Pattern::symmetric(build),
};

fn build(spec: &Spec, hosts: usize) -> Result<TrafficMatrix, TrafficError> {
    let tasks = Tasks::read(spec, hosts)?;
    let pairs = (1..tasks.count()).map(|child| ((child - 1) / 2, child));
    let most = 2 * u64::from(tasks.count());
    tasks.traffic(most, pairs.flat_map(|(parent, child)| [(parent, child), (child, parent)]))
}
