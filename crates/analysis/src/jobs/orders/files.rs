//! Orders as files that launchers read: host files and rank files.
//!
//! A host file has one node per line, in the order of the ranks: `mpirun --hostfile` of Open MPI and `-f` of
//! MPICH place ranks so, and Slurm with `SLURM_HOSTFILE` and `--distribution=arbitrary`. A rank file of
//! Open MPI says where every rank is. Both are about one rank per node.

use std::collections::HashMap;
use std::fmt::Write as _;

use super::error::OrderError;
use super::order::Order;
use crate::integer::index32;
use crate::jobs::Job;
use crate::quote::Quoted;

/// Why an order cannot be written or read.
#[derive(Debug, Clone, PartialEq, Eq, thiserror::Error)]
#[non_exhaustive]
#[expect(missing_docs, reason = "the message is the documentation")]
pub enum HostFileError {
    #[error(
        "node `{name}` cannot be in a host file: its name is empty, begins with `+`, or has blanks, control characters, \
         `#`, `:` or `=`"
    )]
    Name { name: Quoted },
    #[error("two nodes of the job are called `{name}`, so a host file cannot tell them apart")]
    SameName { name: Quoted },
    #[error("line {line} of the host file: `{text}`: {problem}")]
    Line {
        /// The line, from 1.
        line: usize,
        text: Quoted,
        problem: &'static str,
    },
    #[error(
        "the host file lacks {count} nodes of the job, the first is `{first}`: an order has all of them"
    )]
    Missing { count: usize, first: Quoted },
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
/// use routebound::jobs::{Job, Nodes, orders::{Order, host_file, read_host_file}};
/// let nodes = Nodes::of(&routebound::topology::generate("ft(4,2)")?).nodes[..3].to_vec();
/// let (job, order) = (Job { name: "three".into(), nodes }, Order::new(vec![2, 0, 1])?);
/// let text = host_file(&job, &order)?;
/// assert_eq!(text, "host-2\nhost-0\nhost-1\n");
/// assert_eq!(read_host_file(&job, &text)?, order);
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

/// The order of a host file: one node per line, `#` begins a remark. Slots (`slots=8` of Open MPI, `:8` of MPICH)
/// are passed over, and so are repetitions of a node right after itself, as in files with a line per process: here a
/// node has one rank. O(text).
///
/// # Errors
/// [`HostFileError`]: a line with anything else, a node that is not in the job or comes again later, one that
/// is missing, or names that such a file cannot hold.
///
/// ```
/// # use routebound_analysis as routebound;
/// use routebound::jobs::{Job, Nodes, orders::read_host_file};
/// let nodes = Nodes::of(&routebound::topology::generate("ft(4,2)")?).nodes[..2].to_vec();
/// let job = Job { name: "two".into(), nodes };
/// assert_eq!(read_host_file(&job, "host-1 slots=8 # far\n\nhost-0:8\nhost-0:8\n")?.nodes(), [1, 0]);
/// let error = read_host_file(&job, "host-1\nhost-7\n").err().ok_or("accepted")?;
/// assert_eq!(error.to_string(), "line 2 of the host file: `host-7`: no node of the job has this name");
/// # Ok::<(), Box<dyn std::error::Error>>(())
/// ```
pub fn read_host_file(job: &Job, text: &str) -> Result<Order, HostFileError> {
    let known = names(job, &Order::listed(job.nodes.len()))?;
    let known: HashMap<&str, u32> = known.into_iter().zip(0..).collect();
    let (mut nodes, mut placed) = (Vec::new(), vec![false; job.nodes.len()]);
    for (line, entry) in (1..).zip(text.lines()) {
        let entry = entry.split('#').next().unwrap_or_default().trim();
        if entry.is_empty() {
            continue;
        }
        let error = |problem| HostFileError::Line { line, text: entry.into(), problem };
        let node = node_of(entry, &known).map_err(error)?;
        if nodes.last() == Some(&node) {
            continue;
        }
        if std::mem::replace(&mut placed[node as usize], true) {
            return Err(error("the node was there before, and here a node has one rank"));
        }
        nodes.push(node);
    }
    let mut missing = placed.iter().zip(&job.nodes).filter(|(placed, _)| !**placed);
    if let Some((_, first)) = missing.next() {
        return Err(HostFileError::Missing {
            count: 1 + missing.count(),
            first: first.name.clone().into(),
        });
    }
    Ok(Order::new(nodes)?)
}

/// The node that a line names.
fn node_of(entry: &str, known: &HashMap<&str, u32>) -> Result<u32, &'static str> {
    let mut words = entry.split_whitespace();
    let word = words.next().unwrap_or_default();
    let is_number = |text: &str| !text.is_empty() && text.bytes().all(|byte| byte.is_ascii_digit());
    let name =
        word.split_once(':').filter(|(_, slots)| is_number(slots)).map_or(word, |(name, _)| name);
    let is_slots = |word: &str| {
        let slots = ["slots=", "max_slots=", "max-slots="];
        slots.iter().any(|key| word.strip_prefix(key).is_some_and(is_number))
    };
    if !words.all(is_slots) {
        return Err(
            "expected the name of a node, and after it at most its slots, such as `slots=8`",
        );
    }
    known.get(name).copied().ok_or("no node of the job has this name")
}

/// The names of the nodes in the order of the ranks, once they are known to be fit for files.
fn names<'j>(job: &'j Job, order: &Order) -> Result<Vec<&'j str>, HostFileError> {
    order.check(job)?;
    let mut known = HashMap::new();
    for (node, name) in (0..).zip(job.nodes.iter().map(|node| node.name.as_str())) {
        let is_odd = |c: char| c.is_whitespace() || c.is_control() || "#:=".contains(c);
        if name.is_empty() || name.starts_with('+') || name.contains(is_odd) {
            return Err(HostFileError::Name { name: name.into() });
        }
        if known.insert(name, index32(node)).is_some() {
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
        for nodes in [[0, 1, 2], [0, 2, 1], [1, 0, 2], [1, 2, 0], [2, 0, 1], [2, 1, 0]] {
            let order = Order::new(nodes.to_vec()).unwrap();
            assert_eq!(read_host_file(&job, &host_file(&job, &order).unwrap()).unwrap(), order);
        }
        for name in ["", "a b", "a\tb", "a\nb", "a\u{7}", "#a", "a:1", "a=b", "+n0", "a\u{a0}b"] {
            let job = named(&["x", name]);
            for error in [host_file(&job, &Order::listed(2)), rank_file(&job, &Order::listed(2))] {
                assert_eq!(error, Err(HostFileError::Name { name: name.into() }));
            }
        }
        let twice = host_file(&named(&["x", "x"]), &Order::listed(2));
        assert_eq!(twice, Err(HostFileError::SameName { name: "x".into() }));
        assert!(host_file(&job, &Order::listed(2)).is_err());
        for (text, says) in [
            (
                "a-1\nb.cluster\nd\n",
                "line 3 of the host file: `d`: no node of the job has this name",
            ),
            (
                "a-1\nb.cluster\na-1\nc_3",
                "line 3 of the host file: `a-1`: the node was there before",
            ),
            (
                "a-1 b.cluster c_3",
                "line 1 of the host file: `a-1 b.cluster c_3`: expected the name of a node",
            ),
            ("c_3 slots=", "after it at most its slots"),
            ("c_3:x", "no node of the job has this name"),
            ("\n# b.cluster\nc_3", "lacks 2 nodes of the job, the first is `a-1`"),
            ("\u{1b}[2J", "`\\u{1b}[2J`: no node"),
        ] {
            let error = read_host_file(&job, text).unwrap_err().to_string();
            assert!(error.contains(says), "{text}: {error}");
        }
        let spread = "c_3\r\nc_3 slots=8 max_slots=8\r\n  a-1 # first\r\n\r\nb.cluster:8";
        assert_eq!(read_host_file(&job, spread).unwrap().nodes(), [2, 0, 1]);
    }
}
