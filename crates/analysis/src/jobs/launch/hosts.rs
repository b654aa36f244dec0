//! Host files: one node a line, in the order of the ranks.

use super::{Launch, LaunchFile};
use crate::registry::Kind;

pub(super) const KIND: Kind<LaunchFile> = Kind {
    name: "hosts",
    usage: "hosts",
    about: "host file, one node a line in the order of the N ranks: mpirun -n N --hostfile FILE --map-by node of Open \
            MPI, mpiexec -n N -f FILE of MPICH, SLURM_HOSTFILE=FILE srun -n N --distribution=arbitrary of Slurm",
    reference: "orte_hosts(7), mpiexec of MPICH, srun(1)",
    examples: &["hosts"],
    build: LaunchFile { write, holds_remarks: true },
};

/// Open MPI takes a node without `slots=` for one with as many slots as cores, and would fill it first.
const USAGE: &[&str] = &[
    "N nodes, one process each: Open MPI: mpirun -n N --hostfile FILE --map-by node; MPICH: mpiexec -n N -f FILE",
    "Slurm: SLURM_HOSTFILE=FILE srun -n N --distribution=arbitrary, with --mpi as the program needs it",
];

#[expect(clippy::unnecessary_wraps, reason = "other formats have no form for some")]
fn write(launch: &Launch) -> Option<String> {
    let mut text = launch.head(USAGE);
    for name in &launch.names {
        text.push_str(name);
        text.push('\n');
    }
    Some(text)
}
