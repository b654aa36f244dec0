//! Jobs on a fabric: which nodes they have, and what their traffic can do to each other.
//!
//! [`Nodes`] are the hosts of a fabric by node, with the adapters of a node in the order of its rails. A
//! [`Job`] is some of them, and sends inside itself only: traffic is a permutation inside each job, of
//! adapters or of whole nodes ([`Exchange`]). [`JobLinks`] has the most that a job puts on every link, and
//! [`worst_loads`] the worst of it for every job, alone and beside the others: jobs share no host, so that what they
//! put on a link adds up, and so do covers. [`RingBounds`] is about the rings that collectives form of a job's nodes.
//! All of it comes with certificates ([`JobsCertificate`](crate::certificate::JobsCertificate)).
//! [`NodePairs`] are sends that show the worst links, and [`launch`] writes them and orders of ranks for launchers.
//!
//! What a member of a group is, an adapter or a node with several, is decided by [`Exchange`] alone; engine,
//! certificate and checker know members only.

pub mod collectives;
pub mod launch;
pub mod orders;

mod comparison;
mod error;
mod examined;
mod exchange;
mod hostlist;
mod links;
mod list;
mod names;
mod nodes;
mod pairs;
mod proof;
mod resolver;
mod ring;
mod selection;
mod uses;
mod worst;

#[cfg(test)]
mod tests;

pub use crate::export::compact;
pub use comparison::{JobChange, compare_jobs};
pub use error::JobsError;
pub use examined::{CollectiveOrders, ExamineError, JobQuestions, JobsExamined};
pub use exchange::Exchange;
pub use hostlist::{Hostlist, HostlistError, HostlistProblem, Listed, MAX_NAMES};
pub use links::JobLinks;
pub use list::JobList;
pub use names::{Found, NoNode, NodeNames};
pub use nodes::{Node, Nodes};
pub use pairs::{NodePairs, Peak, Ring};
pub use resolver::{Place, SelectionError, SelectionProblem};
pub use ring::{RingBounds, RingLoad};
pub use selection::{Selection, select};
pub use worst::{JobWorst, WorstLoad, worst_loads};

/// A job: nodes that send to each other, and to nobody else.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Job {
    /// Name of the job.
    pub name: String,
    /// Nodes of the job, in the order of its ranks.
    pub nodes: Vec<Node>,
}

/// A count of members or groups, which a limit on the hosts of a network keeps below 2^32.
fn number(count: usize) -> u32 {
    crate::integer::index32(count)
}
