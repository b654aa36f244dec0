//! Pairs for `ib-traffic` of SuperBench.
//!
//! ```text
//! 1,0;3,2
//! 2,0
//! ```
//!
//! A line has pairs that run at the same time, and the next line runs after it. A pair is `server,client`, each the
//! number of a line of the host file, from 0. It is also the number of the node in the MPI job, which has to run on
//! just these nodes in this order. With `ib_write_bw` the client writes to the server, so that it is the source. There
//! are no comments, nor in the host file of this tool.

use super::{Launch, LaunchFile};
use crate::registry::Kind;

pub(super) const KIND: Kind<LaunchFile> = Kind {
    name: "superbench",
    usage: "superbench",
    about: "--config of ib-traffic of SuperBench with ib_write_bw: a line for each round, pairs server,client by line \
            of its --hostfile, for which grep -v '^#' makes one from the host file beside; MPI starts on just these \
            nodes, in this order",
    reference: "github.com/microsoft/superbenchmark, ib_validation_performance.cc",
    examples: &["superbench"],
    build: LaunchFile { write, holds_remarks: false },
};

#[expect(clippy::unnecessary_wraps, reason = "other formats have no form for some")]
fn write(launch: &Launch) -> Option<String> {
    let mut text = String::new();
    for round in launch.rounds.iter().filter(|round| !round.is_empty()) {
        let pairs: Vec<String> = round.iter().map(|(from, to)| format!("{to},{from}")).collect();
        text.push_str(&pairs.join(";"));
        text.push('\n');
    }
    Some(text)
}
