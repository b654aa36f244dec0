//! The exchanges of the weather code WRF (\[RO\] VI, VII).

use super::tasks::{Tasks, arguments};
use super::{TrafficError, TrafficMatrix};
use crate::registry::Kind;
use crate::spec::Spec;

const USAGE: &str = "wrf(tasks,columns=16,place=linear|random,seed=1)";

pub(super) const KIND: Kind<super::Pattern> = Kind {
    name: "wrf",
    usage: USAGE,
    options: &["columns", "place", "seed"],
    about: "task i exchanges 1 unit with i+columns, both ways; wrf(256) is a 16 x 16 mesh",
    reference: "[RO] VI, VII",
    examples: &["wrf(256)", "wrf(40,columns=8)", "wrf(64,place=random,seed=2)"],
    build: super::Pattern::symmetric(build),
};

fn build(spec: &Spec, hosts: usize) -> Result<TrafficMatrix, TrafficError> {
    let numbers = arguments(spec, 1, &["columns"], USAGE)?;
    let tasks = Tasks::new(spec, hosts, numbers[0], USAGE)?;
    let columns = spec.integer_option("columns", 16, USAGE)?;
    let count = tasks.count();
    let columns = u32::try_from(columns).ok().filter(|columns| (1..count).contains(columns));
    let columns = columns.ok_or_else(|| {
        tasks.bad(format!("columns must be in 1..{count}, below the number of tasks"))
    })?;
    let pairs = (columns..count).map(|below| (below - columns, below));
    tasks.traffic(2 * u64::from(count), pairs.flat_map(|(a, b)| [(a, b), (b, a)]))
}
