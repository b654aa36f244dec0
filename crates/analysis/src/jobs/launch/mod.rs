//! Orders of ranks and pairs of nodes as files for those who launch and measure.
//!
//! A [`Launch`] is what is to run: ranks on nodes, one process for each rail of a node, with the exact loads as
//! remarks. One file per format: to add one, add its file, its `mod` line and its line in [`FILES`].
//!
//! Names of nodes go into scripts and onto command lines, so that only plain ones are taken: letters, digits, `-`, `_`
//! and `.`.

mod hosts;
mod nccl_tests;
mod nodelist;
mod ranks;
mod superbench;

#[cfg(test)]
mod tests;

use std::collections::HashSet;
use std::fmt::Write as _;

use itertools::Itertools as _;

use super::collectives::{self, CollectiveError, Rank};
use super::orders::{FoundOrder, Goal, Order, OrderError, PhaseLoad};
use super::pairs::{NodePairs, Peak, Ring};
use super::{Job, Node};
use crate::quote::{Quoted, quote};
use crate::registry::Kind;
use crate::topology::Topology;

/// Writes a file; `None` for what the format has no form for.
pub type WriteLaunch = fn(&Launch) -> Option<String>;

/// The writer of a format.
#[derive(Clone, Copy, Debug)]
pub struct LaunchFile {
    /// Writes a file.
    pub write: WriteLaunch,
    /// Whether remarks are part of the file; if not, they need a separate one.
    pub holds_remarks: bool,
}

/// Every format; names are endings of files.
pub const FILES: &[Kind<LaunchFile>] =
    &[hosts::KIND, ranks::KIND, nodelist::KIND, superbench::KIND, nccl_tests::KIND];

/// Ending of the name of the file that holds the remarks on another.
pub const ABOUT: &str = ".about";

/// Why there are no files for an order or for pairs.
#[derive(Debug, Clone, PartialEq, Eq, thiserror::Error)]
#[non_exhaustive]
#[expect(missing_docs, reason = "the message is the documentation")]
pub enum LaunchError {
    #[error(
        "node `{name}` cannot be in files of launchers: its name has other characters than letters, digits, `-`, `_` \
         and `.`, or does not begin with a letter or digit"
    )]
    Name { name: Quoted },
    #[error("two nodes of the job are called `{name}`, so a host file cannot distinguish them")]
    SameName { name: Quoted },
    #[error(transparent)]
    Order(#[from] OrderError),
    #[error(transparent)]
    Collective(#[from] CollectiveError),
}

/// What is to be launched.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Launch {
    /// Names of the nodes, in the order of the ranks.
    names: Vec<String>,
    /// Number of rails, each of which has a process on every node.
    rails: usize,
    /// Whether nodes have adapters on different rails.
    differ: bool,
    /// What is sent, from rank to rank, in rounds one after the other.
    rounds: Vec<Vec<(Rank, Rank)>>,
    /// Ranks that follow each other, each with the maximum load of a link that they use; none where all ranks are one
    /// communicator.
    rings: Vec<(Vec<Rank>, String)>,
    /// What it is, with its exact loads.
    remarks: Vec<String>,
    /// Exact loads of the rounds.
    round_remarks: Vec<String>,
}

impl Launch {
    /// All nodes of a job in an order that was found for a collective. O(nodes + sends).
    ///
    /// # Errors
    /// [`LaunchError`]: an order of another size, or names that are not plain.
    pub fn of_order(
        topology: &Topology,
        job: &Job,
        collective: &str,
        found: &FoundOrder,
    ) -> Result<Self, LaunchError> {
        let order = &found.order;
        let mut launch = Self::of_nodes(job, order)?;
        let phases = collectives::generate(collective, job.nodes.len())?.phases;
        launch.rounds = phases.into_iter().map(|phase| phase.sends).collect();
        let name = quote(&job.name);
        let goal = match found.goal {
            Goal::Best => "best",
            Goal::Worst => "worst",
        };
        launch.remarks = vec![
            format!(
                "{} nodes of job {name}, the {goal} order found for {collective}",
                order.nodes().len()
            ),
            format!("time {}, exact maximum load of a link {}", found.cost.time, found.cost.most),
        ];
        let remark = |(phase, round): (&PhaseLoad, usize)| {
            let link = phase.link.map_or_else(|| "no link".into(), |link| topology.link_name(link));
            let PhaseLoad { name, size, load, .. } = phase;
            format!(
                "round {round}, {}: parts of size {size}, exact load {load} at {link}",
                quote(name)
            )
        };
        launch.round_remarks = found.phases.iter().zip(1..).map(remark).collect();
        Ok(launch)
    }

    /// The nodes of a set of pairs, ring by ring. O(nodes).
    ///
    /// # Errors
    /// [`LaunchError`]: names that are not plain.
    ///
    /// ```
    /// # use routebound_analysis as routebound;
    /// use routebound::jobs::{Job, NodePairs, Nodes, launch::Launch};
    /// use routebound::{progress::Progress, routing::Instance};
    /// let instance = Instance::named("ft(4,2)", "dmodk")?;
    /// let job = Job { name: "all".into(), nodes: Nodes::of(instance.topology()).nodes };
    /// let found = NodePairs::of(&instance, 0, &job, 1, &Progress::silent())?;
    /// let launch = Launch::of_pairs(instance.topology(), &job, &found[0])?;
    /// let text = |ending: &str| launch.files().into_iter().find(|file| file.0 == ending).map(|file| file.1);
    /// // Hosts 0, 2, 1 and 4: 0 sends to 2 and 1 to 4, so that 2 and 4 are servers.
    /// assert_eq!(text("superbench").as_deref(), Some("1,0;3,2\n"));
    /// assert!(text("nodelist").is_some_and(|list| list.ends_with("\nhost-[0,2,1,4]\n")));
    /// # Ok::<(), Box<dyn std::error::Error>>(())
    /// ```
    pub fn of_pairs(
        topology: &Topology,
        job: &Job,
        pairs: &NodePairs,
    ) -> Result<Self, LaunchError> {
        let all = Self::of_nodes(job, &Order::listed(job.nodes.len()))?;
        let nodes: Vec<Rank> = pairs.rings.iter().flat_map(|ring| &ring.nodes).copied().collect();
        let mut rank_of = vec![0; job.nodes.len()];
        for (rank, node) in (0..).zip(&nodes) {
            rank_of[*node as usize] = rank;
        }
        let rank = |node: &Rank| rank_of[*node as usize];
        let send = |(from, to): &(Rank, Rank)| (rank(from), rank(to));
        let ring =
            |Ring { nodes, load }: &Ring| (nodes.iter().map(rank).collect(), load.to_string());
        let at = |Peak { load, link }: &Peak| format!("{load} at {}", topology.link_name(*link));
        let count = pairs.sends.len();
        Ok(Self {
            names: nodes.iter().map(|node| all.names[*node as usize].clone()).collect(),
            rounds: vec![pairs.sends.iter().map(send).collect()],
            rings: pairs.rings.iter().map(ring).collect(),
            remarks: vec![
                format!(
                    "{count} sends between nodes of job {}, at the same time",
                    quote(&job.name)
                ),
                format!("exact maximum load one way: {}", at(&pairs.one_way)),
                format!("exact maximum load in rings: {}", at(&pairs.in_rings)),
            ],
            ..all
        })
    }

    /// The nodes of a job in an order, without anything to send.
    fn of_nodes(job: &Job, order: &Order) -> Result<Self, LaunchError> {
        order.check(job)?;
        let mut known = HashSet::new();
        for name in job.nodes.iter().map(|node| node.name.as_str()) {
            let is_plain = |c: char| c.is_ascii_alphanumeric() || "-_.".contains(c);
            let begins = name.starts_with(|c: char| c.is_ascii_alphanumeric());
            if !begins || !name.chars().all(is_plain) {
                return Err(LaunchError::Name { name: name.into() });
            }
            if !known.insert(name) {
                return Err(LaunchError::SameName { name: name.into() });
            }
        }
        let name = |node: &u32| job.nodes[*node as usize].name.clone();
        let rails_of =
            |node: &Node| -> Vec<bool> { node.adapters.iter().map(Option::is_some).collect() };
        Ok(Self {
            names: order.nodes().iter().map(name).collect(),
            rails: job.nodes.iter().map(|node| node.hosts().count()).max().unwrap_or(1),
            differ: !job.nodes.iter().map(rails_of).all_equal(),
            rounds: Vec::new(),
            rings: Vec::new(),
            remarks: Vec::new(),
            round_remarks: Vec::new(),
        })
    }

    /// The files of all formats that have a form for it, as endings of names with texts. Remarks on a file come after
    /// it.
    #[must_use]
    pub fn files(&self) -> Vec<(String, String)> {
        let mut files = Vec::new();
        for Kind { name, about, build, .. } in FILES {
            let Some(text) = (build.write)(self) else { continue };
            files.push(((*name).to_string(), text));
            if !build.holds_remarks {
                let mut head = self.head(&[about]);
                self.round_remarks.iter().for_each(|remark| comment(&mut head, remark));
                files.push((format!("{name}{ABOUT}"), head));
            }
        }
        files
    }

    /// Comments that begin a file: who wrote it, what it is, and how it is used.
    fn head(&self, usage: &[&str]) -> String {
        let mut text = String::new();
        comment(&mut text, "written by routebound");
        self.remarks.iter().for_each(|remark| comment(&mut text, remark));
        let rails = self.rails_remarks();
        rails.iter().flatten().chain(usage).for_each(|remark| comment(&mut text, remark));
        text
    }

    fn rails_remarks(&self) -> [Option<&'static str>; 2] {
        let rails = "a send goes over every rail that both nodes have, 1 on each";
        let differ = "some nodes lack rails: what a process sends on one that its peer lacks is not in these loads";
        [(self.rails > 1).then_some(rails), self.differ.then_some(differ)]
    }
}

/// The endings of all files that a launch may have.
pub fn endings() -> impl Iterator<Item = String> {
    let about = |kind: &Kind<LaunchFile>| {
        (!kind.build.holds_remarks).then(|| format!("{}{ABOUT}", kind.name))
    };
    FILES.iter().flat_map(move |kind| [Some(kind.name.to_string()), about(kind)]).flatten()
}

/// Adds a comment; the line has no control characters.
fn comment(text: &mut String, line: &str) {
    let line: String = line.chars().map(|c| if c.is_control() { '?' } else { c }).collect();
    // A String takes every write.
    let _ = writeln!(text, "# {line}");
}
