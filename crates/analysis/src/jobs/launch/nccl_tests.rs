//! Scripts that run a test of nccl-tests in every ring at the same time, with Open MPI.
//!
//! A rank is an application context of its own, so that ranks follow the ring whatever the order in which Open MPI
//! knows the hosts. A node with several rails has a process for each, and `NCCL_TESTS_SPLIT` makes a communicator of
//! those of one rail.
//!
//! Programs that Open MPI 4 starts at the same time share a directory of sessions, which one may remove while another is
//! about to use it (github.com/open-mpi/ompi/issues/8510): every ring has its own. Open MPI 5 names them by processes.

use std::fmt::Write as _;

use itertools::Itertools as _;

use super::{Launch, LaunchFile};
use crate::registry::Kind;

pub(super) const KIND: Kind<LaunchFile> = Kind {
    name: "sh",
    usage: "sh",
    about: "script for pairs that runs sendrecv_perf of nccl-tests in every ring at the same time, with the exact load \
            of each; $TEST is another program, $MPIRUN another launcher",
    reference: "github.com/NVIDIA/nccl-tests, mpirun(1) of Open MPI",
    examples: &["sh"],
    build: LaunchFile { write, holds_remarks: true },
};

const USAGE: &[&str] = &[
    "TEST='./sendrecv_perf -b 1G -e 1G -n 100' MPIRUN='mpirun --bind-to none ...' sh FILE",
    "sendrecv_perf sends from every rank to the next, and from the last to the first",
    "the load is the maximum of a ring's links: L sends of full rate share one of load L, each 1/L in equal parts",
];

fn write(launch: &Launch) -> Option<String> {
    if launch.rings.is_empty() {
        return None;
    }
    let mut text = format!("#!/bin/sh\n{}", launch.head(USAGE));
    text.push_str(
        "test=${TEST:-sendrecv_perf -b 1G -e 1G -n 100}\nmpirun=${MPIRUN:-mpirun --bind-to none}\n\
         sessions=$(mktemp -d) || exit\ntrap 'rm -rf \"$sessions\"' EXIT\n\
         trap 'exit 129' HUP\ntrap 'exit 130' INT\ntrap 'exit 143' TERM\n",
    );
    let rails = launch.rails;
    let (per_node, split) = if rails > 1 {
        // A String takes every write, here and below.
        let _ = writeln!(text, "export NCCL_TESTS_SPLIT='MOD {rails}'");
        (format!(":{rails}"), " -x NCCL_TESTS_SPLIT")
    } else {
        (String::new(), "")
    };
    for (number, (ring, load)) in launch.rings.iter().enumerate() {
        let names = ring.iter().map(|rank| launch.names[*rank as usize].as_str());
        let context = |name: &str| format!("-np {rails} --host {name}{per_node}{split} $test");
        let contexts = names.clone().map(context).join(" : ");
        let names = names.collect_vec().join(" ");
        let _ = writeln!(
            text,
            "export OMPI_MCA_orte_local_tmpdir_base=\"$sessions/{number}\"\n\
             {{ $mpirun {contexts} || echo \"failed with status $?\"; }} 2>&1 | sed 's|^|{names}, load {load}: |' &"
        );
    }
    text.push_str("wait\n");
    Some(text)
}
