//! Orders as files that launchers read: host files and rank files.
//!
//! A host file has one node per line, in the order of the ranks: `mpirun --hostfile` of Open MPI and `-f` of
//! MPICH place ranks so, and Slurm with `SLURM_HOSTFILE` and `--distribution=arbitrary`. A rank file of
//! Open MPI says where every rank is. Both are about one rank per node.

use std::collections::HashSet;
use std::fmt::Write as _;

use super::error::OrderError;
use super::order::Order;
use crate::jobs::Job;
use crate::quote::Quoted;

/// Why an order cannot be written.
#[derive(Debug, Clone, PartialEq, Eq, thiserror::Error)]
#[non_exhaustive]
#[expect(missing_docs, reason = "the message is the documentation")]
pub enum HostFileError {
    #[error(
        "node `{name}` cannot be in a host file: its name is empty, begins with `+`, or has blanks, control characters, \
         `#`, `:` or `=`"
    )]
    Name { name: Quoted },
    #[error("two nodes of the job are called `{name}`, so a host file cannot distinguish them")]
    SameName { name: Quoted },
    #[error(transparent)]
    Order(#[from] OrderError),
}

/// The nodes of a job in the order of the ranks, one per line. O(nodes).
///
/// # Errors
/// [`HostFileError`]: an order of another size, or names that such a file cannot hold.
///
/// ```
/// # use routebound_analysis as routebound;
/// use routebound::jobs::{Job, Nodes, orders::{Order, host_file}};
/// let nodes = Nodes::of(&routebound::topology::generate("ft(4,2)")?).nodes[..3].to_vec();
/// let (job, order) = (Job { name: "three".into(), nodes }, Order::new(vec![2, 0, 1])?);
/// assert_eq!(host_file(&job, &order)?, "host-2\nhost-0\nhost-1\n");
/// # Ok::<(), Box<dyn std::error::Error>>(())
/// ```
pub fn host_file(job: &Job, order: &Order) -> Result<String, HostFileError> {
    let mut text = String::new();
    for name in names(job, order)? {
        text.push_str(name);
        text.push('\n');
    }
    Ok(text)
}

/// A rank file of Open MPI, with the first slot of every node. O(nodes).
///
/// # Errors
/// As [`host_file`].
///
/// ```
/// # use routebound_analysis as routebound;
/// use routebound::jobs::{Job, Nodes, orders::{Order, rank_file}};
/// let nodes = Nodes::of(&routebound::topology::generate("ft(4,2)")?).nodes[..2].to_vec();
/// let (job, order) = (Job { name: "two".into(), nodes }, Order::new(vec![1, 0])?);
/// assert_eq!(rank_file(&job, &order)?, "rank 0=host-1 slot=0\nrank 1=host-0 slot=0\n");
/// # Ok::<(), Box<dyn std::error::Error>>(())
/// ```
pub fn rank_file(job: &Job, order: &Order) -> Result<String, HostFileError> {
    let mut text = String::new();
    for (rank, name) in names(job, order)?.into_iter().enumerate() {
        // A String takes every write.
        let _ = writeln!(text, "rank {rank}={name} slot=0");
    }
    Ok(text)
}

/// The names of the nodes in the order of the ranks, once they are known to be fit for files.
fn names<'j>(job: &'j Job, order: &Order) -> Result<Vec<&'j str>, HostFileError> {
    order.check(job)?;
    let mut known = HashSet::new();
    for name in job.nodes.iter().map(|node| node.name.as_str()) {
        let is_odd = |c: char| c.is_whitespace() || c.is_control() || "#:=".contains(c);
        if name.is_empty() || name.starts_with('+') || name.contains(is_odd) {
            return Err(HostFileError::Name { name: name.into() });
        }
        if !known.insert(name) {
            return Err(HostFileError::SameName { name: name.into() });
        }
    }
    Ok(order.nodes().iter().map(|node| job.nodes[*node as usize].name.as_str()).collect())
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::jobs::Node;

    #[test]
    fn files_hold_orders_of_plain_names() {
        let named = |names: &[&str]| {
            let node = |name: &&str| Node { name: (*name).into(), adapters: vec![Some(0)] };
            Job { name: "job".into(), nodes: names.iter().map(node).collect() }
        };
        let job = named(&["a-1", "b.cluster", "c_3"]);
        let order = Order::new(vec![2, 0, 1]).unwrap();
        assert_eq!(host_file(&job, &order).unwrap(), "c_3\na-1\nb.cluster\n");
        for name in ["", "a b", "a\tb", "a\nb", "a\u{7}", "#a", "a:1", "a=b", "+n0", "a\u{a0}b"] {
            let job = named(&["x", name]);
            for error in [host_file(&job, &Order::listed(2)), rank_file(&job, &Order::listed(2))] {
                assert_eq!(error, Err(HostFileError::Name { name: name.into() }));
            }
        }
        let twice = host_file(&named(&["x", "x"]), &Order::listed(2));
        assert_eq!(twice, Err(HostFileError::SameName { name: "x".into() }));
        assert!(host_file(&job, &Order::listed(2)).is_err());
    }
}
