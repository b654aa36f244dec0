//! Options of verbs that look at jobs on a fabric.

use std::path::Path;

use anyhow::Result;

use super::Context;
use crate::jobs::{Job, JobList, NodeNames, Nodes, select};
use crate::topology::Topology;

/// Jobs: groups of nodes that send to each other.
#[derive(Clone, Debug, clap::Args)]
#[command(next_help_heading = "Jobs")]
pub struct JobOptions {
    /// Nodes of one job in rank order: a hostlist such as `dgx-[01-16,20]`, patterns such as `dgx-*`, or a
    /// file with one node or hostlist per line (`-` is stdin)
    #[arg(long, value_name = "LIST", conflicts_with = "jobs")]
    hosts: Option<String>,
    /// Concurrent jobs: a file with `NAME: HOSTLIST` on each line, the output of `squeue`, or Slurm's
    /// topology.conf or topology.yaml, each leaf switch of which is a job (`-` is stdin)
    #[arg(long, value_name = "FILE")]
    jobs: Option<String>,
}

/// The requested jobs.
#[derive(Clone, Debug, Default)]
pub struct Jobs {
    /// The jobs.
    pub jobs: Vec<Job>,
    /// Notes on how the list was read.
    pub notes: Vec<String>,
}

impl JobOptions {
    /// Whether jobs are requested.
    #[must_use]
    pub fn are_given(&self) -> bool {
        self.hosts.is_some() || self.jobs.is_some()
    }

    /// Reads the requested jobs of a fabric, if any.
    ///
    /// # Errors
    /// Where a list or file is damaged, or names nodes that the fabric does not have.
    pub fn read(&self, topology: &Topology, context: &Context) -> Result<Jobs> {
        let nodes = Nodes::of(topology);
        let names = NodeNames::new(topology, &nodes);
        if let Some(list) = &self.hosts {
            let found = context.reading(list, || Ok(select(&names, list)?))?;
            let of = found.nodes.iter().map(|at| nodes.nodes[*at].clone());
            let job = Job { name: name(list), nodes: of.collect() };
            return Ok(Jobs { jobs: vec![job], notes: found.notes });
        }
        let Some(file) = &self.jobs else { return Ok(Jobs::default()) };
        let JobList { jobs, format, mut notes } =
            context.reading(file, || Ok(JobList::read(file, &names)?))?;
        notes.insert(0, format!("jobs read from {file} ({format})"));
        Ok(Jobs { jobs, notes })
    }
}

/// The name of a job given as a list: the list, or the name of its file.
fn name(list: &str) -> String {
    let path = Path::new(list);
    match path.file_name().filter(|_| path.is_file()) {
        Some(name) => name.to_string_lossy().into_owned(),
        None if list == "-" => "stdin".to_string(),
        None => list.to_string(),
    }
}
