//! Node lists of Slurm, on one line.

use super::{Launch, LaunchFile};
use crate::export::compact;
use crate::registry::Kind;

pub(super) const KIND: Kind<LaunchFile> = Kind {
    name: "nodelist",
    usage: "nodelist",
    about: "the nodes as a hostlist, for --nodelist of Slurm, which sorts them: the host file keeps their order",
    reference: "sbatch(1), srun(1)",
    examples: &["nodelist"],
    build: LaunchFile { write, holds_remarks: true },
};

const USAGE: &[&str] = &[
    "sbatch --nodelist=\"$(grep -v '^#' FILE)\"",
    "Slurm sorts these nodes; SLURM_HOSTFILE with the host file beside keeps the order of the ranks",
];

#[expect(clippy::unnecessary_wraps, reason = "other formats have no form for some")]
fn write(launch: &Launch) -> Option<String> {
    Some(launch.head(USAGE) + &compact(launch.names.iter().map(String::as_str)) + "\n")
}
