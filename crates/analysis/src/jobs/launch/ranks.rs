//! Rank files of Open MPI: the node of every rank, with its first slot.

use std::fmt::Write as _;

use super::{Launch, LaunchFile};
use crate::registry::Kind;

pub(super) const KIND: Kind<LaunchFile> = Kind {
    name: "ranks",
    usage: "ranks",
    about: "rank file of Open MPI for one process on the first core of each of N nodes: mpirun -n N --rankfile FILE, \
            or --map-by rankfile:file=FILE from version 5 on; orders only",
    reference: "mpirun(1) of Open MPI",
    examples: &["ranks"],
    build: LaunchFile { write, holds_remarks: true },
};

const USAGE: &[&str] = &[
    "Open MPI 4: mpirun -n N --rankfile FILE; Open MPI 5: mpirun -n N --map-by rankfile:file=FILE",
];

fn write(launch: &Launch) -> Option<String> {
    if !launch.rings.is_empty() {
        return None;
    }
    let mut text = launch.head(USAGE);
    for (rank, name) in launch.names.iter().enumerate() {
        // A String takes every write.
        let _ = writeln!(text, "rank {rank}={name} slot=0");
    }
    Some(text)
}
