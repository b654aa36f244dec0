//! The jobs of a file, with the nodes of the fabric that each has.

use super::names::NodeNames;
use super::resolver::{Place, Resolver, SelectionError};
use super::{Job, Node};
use crate::import::jobs;

/// Jobs on a fabric.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct JobList {
    /// The jobs in the order of the file. No node is in two, and each has nodes.
    pub jobs: Vec<Job>,
    /// The name of the file's format.
    pub format: &'static str,
    /// Notes on what was left out and what was decided.
    pub notes: Vec<String>,
}

impl JobList {
    /// Reads the jobs of a file, a pipe or stdin (`-`): a list with one job a line, what `squeue` prints, or
    /// `topology.conf` or `topology.yaml` of Slurm ([`jobs::FORMATS`]), recognised by content. What names
    /// mean is said at [`NodeNames::find`]. Nodes of a topology that the fabric does not have are left out
    /// and noted, and so are switches and blocks that then have none. O(size of the file + nodes · patterns).
    ///
    /// # Errors
    /// [`SelectionError`] with the place: a file that is damaged or has no jobs, an unknown node of a job,
    /// a node in two jobs or twice in one, no known node at all.
    ///
    /// ```
    /// # use routebound_analysis as routebound;
    /// use routebound::import::{ImportOptions, topology};
    /// use routebound::jobs::{JobList, NodeNames, Nodes};
    /// let fabric = topology("instances/fabrics/ndr542/ibnetdiscover.out.gz", &ImportOptions::default())?;
    /// let nodes = Nodes::of(&fabric);
    /// let found = JobList::read("instances/jobs/two-jobs.txt", &NodeNames::new(&fabric, &nodes))?;
    /// let sizes: Vec<_> = found.jobs.iter().map(|job| (&job.name[..], job.nodes.len())).collect();
    /// assert_eq!(sizes, [("pretrain", 16), ("finetune", 16)]);
    /// # Ok::<(), Box<dyn std::error::Error>>(())
    /// ```
    pub fn read(path: &str, names: &NodeNames) -> Result<Self, SelectionError> {
        let file = jobs::read(path)?;
        let mut resolver = Resolver::new(names, file.is_layout);
        let (mut jobs, mut empty) = (Vec::new(), Vec::new());
        for job in &file.jobs {
            let place = Place { file: Some(path.to_string()), line: job.line, column: job.column };
            resolver.begin(&job.name);
            let mut nodes = Vec::new();
            resolver.add(&job.nodes, &place, &mut nodes)?;
            if nodes.is_empty() {
                empty.push(&job.name[..]);
                continue;
            }
            let node = |at: &usize| -> Node { names.nodes().nodes[*at].clone() };
            jobs.push(Job { name: job.name.clone(), nodes: nodes.iter().map(node).collect() });
        }
        if jobs.is_empty() {
            let unknown = resolver.unknown.unwrap_or_default();
            let (names, examples) = (unknown.count, unknown.shown());
            return Err(SelectionError::NoneKnown { path: path.to_string(), names, examples });
        }
        let mut notes = file.notes;
        notes.extend(resolver.notes());
        if let Some(first) = empty.first() {
            let (count, first) = (empty.len(), crate::quote::quote(*first));
            let what = if count == 1 { "group has" } else { "groups have" };
            notes.push(format!("{count} {what} no nodes in the fabric, the first `{first}`"));
        }
        Ok(Self { jobs, format: file.format, notes })
    }
}

#[cfg(test)]
mod tests {
    use std::fs;
    use std::sync::LazyLock;

    use super::*;
    use crate::import::{ImportOptions, topology};
    use crate::jobs::Nodes;
    use crate::topology::{Topology, generate};

    static FABRIC: LazyLock<Topology> = LazyLock::new(|| {
        let path = "instances/fabrics/ndr542/ibnetdiscover.out.gz";
        topology(path, &ImportOptions::default()).unwrap()
    });

    fn of(fabric: &Topology, path: &str) -> Result<JobList, String> {
        let nodes = Nodes::of(fabric);
        let names = NodeNames::new(fabric, &nodes);
        JobList::read(path, &names).map_err(|error| error.to_string())
    }

    /// Names of the jobs and of their first nodes, and how many these are.
    fn shown(found: &JobList) -> Vec<(&str, &str, usize)> {
        let jobs = found.jobs.iter();
        jobs.map(|job| (&job.name[..], &job.nodes[0].name[..], job.nodes.len())).collect()
    }

    /// A text on FT(4,2).
    fn on_tree(text: &str) -> Result<JobList, String> {
        let folder = tempfile::tempdir().unwrap();
        let path = folder.path().join("jobs");
        fs::write(&path, text).unwrap();
        let path = path.to_str().unwrap();
        of(&generate("ft(4,2)").unwrap(), path).map_err(|error| error.replace(path, "jobs"))
    }

    #[test]
    fn instances_are_jobs_of_the_fabric() {
        let found = of(&FABRIC, "instances/jobs/squeue.txt").unwrap();
        assert_eq!(
            shown(&found),
            [
                ("4711 pretrain", "a07-p1-dgx-03-c01", 16),
                ("4720_2 finetune", "b05-p1-dgx-05-c01", 16),
                ("4733 eval ckpt", "a07-p1-dgx-03-c17", 2),
            ]
        );
        let racks = [
            ("A09-P1-IBLEAF-01-03", "a07-p1-dgx-03-c01", 18),
            ("A09-P1-IBLEAF-01-04", "a08-p1-dgx-04-c01", 17),
            ("B09-P1-IBLEAF-01-05", "b05-p1-dgx-05-c01", 18),
        ];
        let conf = of(&FABRIC, "instances/jobs/topology.conf").unwrap();
        assert_eq!(shown(&conf), racks);
        assert_eq!(
            conf.notes,
            [
                "1 switch above others connects them and is not a group",
                "19 nodes are not in the fabric and left out: `a08-p1-dgx-04-c18`, `b09-p1-dgx-09-c01`, `b09-p1-dgx-09-c02` and 16 more",
                "1 group has no nodes in the fabric, the first `B09-P1-IBLEAF-01-09`",
            ]
        );
        assert_eq!(shown(&of(&FABRIC, "instances/jobs/topology.yaml").unwrap()), racks);
    }

    #[test]
    fn what_does_not_fit_is_refused_with_its_place() {
        for (text, expected) in [
            (
                "a: host-[0-3]\nb: host-4,host-3\n",
                "jobs, line 2, column 11: node `host-3` of `b` is in `a` already, at jobs, line 1, column 4: nodes are in one job only",
            ),
            (
                "a: host-1\nb: host-2,host-2\n",
                "jobs, line 2, column 11: node `host-2` is in the list already",
            ),
            ("a: host-[7-8]\n", "jobs, line 1, column 4: there is no node `host-8` (did you mean"),
            ("a: host-[1\n", "jobs, line 1, column 9: this `[` has no `]`"),
            (
                "JOBID NODELIST\n1 host-[0-1\n",
                "jobs, line 2, column 8: this `[` has no `]`: close it; where a list was cut",
            ),
            (
                "SwitchName=a Nodes=x[1-9]\n",
                "jobs: none of its 9 nodes is in the fabric, such as `x1`, `x2`, `x3` and 6 more",
            ),
            (
                "SwitchName=a Nodes=host-1,\\\nhost-1\n",
                "jobs, line 1: node `host-1` is in the list already, at jobs, line 1: name",
            ),
            ("a: x[0-600000]\n", "jobs, line 1, column 4: there is no node `x0`"),
            (
                "SwitchName=a Nodes=x[0-600000]\nSwitchName=b Nodes=y[0-600000]\n",
                "number of names in all lists is 1200002, above the limit",
            ),
        ] {
            let error = on_tree(text).unwrap_err();
            assert!(error.starts_with(expected), "{text}: {error}");
        }
    }
}
