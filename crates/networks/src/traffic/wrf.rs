//! The exchanges of the weather code WRF (\[RO\] VI, VII).

use super::prelude::*;

pub(super) const KIND: Kind<super::Pattern> = Kind {
    name: "wrf",
    usage: "wrf(tasks,columns=16,place=linear|random,seed=1)",
    about: "task i exchanges 1 unit with i+columns, both ways; wrf(256) is a 16 x 16 mesh",
    reference: "[RO] VI, VII",
    examples: &["wrf(256)", "wrf(40,columns=8)", "wrf(64,place=random,seed=2)"],
    build: super::Pattern::symmetric(build),
};

#[derive(Deserialize)]
struct Options {
    columns: u64,
}

fn build(spec: &Spec, hosts: usize) -> Result<TrafficMatrix, TrafficError> {
    let tasks = Tasks::read(spec, hosts)?;
    let Options { columns } = spec.read()?;
    let count = tasks.count();
    let columns = u32::try_from(columns).ok().filter(|columns| (1..count).contains(columns));
    let columns = columns.ok_or_else(|| {
        tasks.bad(format!("columns must be in 1..{count}, below the number of tasks"))
    })?;
    let pairs = (columns..count).map(|below| (below - columns, below));
    tasks.traffic(2 * u64::from(count), pairs.flat_map(|(a, b)| [(a, b), (b, a)]))
}
