//! Jobs and groups of nodes from files: what each is called, and its nodes as a Slurm hostlist.
//!
//! A format is recognised by its content, never by the file name. There is one file per format: to add
//! one, add its file, its `mod` line and its entry in [`FORMATS`]. What the hostlists mean is decided where
//! the nodes of a fabric are known (`jobs`).

mod plain;
mod squeue;
mod topology_conf;
mod topology_yaml;
mod yaml;

use std::collections::HashMap;

use super::text::TextFile;
use super::{ImportError, Problem};
use crate::limit::within;
use crate::quote::quote;
use crate::registry::Kind;

/// Maximum number of jobs of a file.
pub const MAX_JOBS: u64 = 1 << 16;

/// A job as a file has it.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct ListedJob {
    /// Name of the job.
    pub name: String,
    /// Nodes of the job: a Slurm hostlist, not empty.
    pub nodes: String,
    /// The line on which it stands, from 1.
    pub line: u64,
    /// The byte of the line at which the hostlist begins, from 1; `None` where the list was put together
    /// from several lines or had escaped characters.
    pub column: Option<usize>,
}

/// The jobs of a file.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct JobFile {
    /// The path as given.
    pub path: String,
    /// The name of its format.
    pub format: &'static str,
    /// Whether it describes a cluster, of which the fabric may be a part, rather than jobs on the fabric.
    pub is_layout: bool,
    /// The jobs, each with a name of its own.
    pub jobs: Vec<ListedJob>,
    /// Notes on what was left out and what was decided.
    pub notes: Vec<String>,
}

/// Recognises and reads one format.
#[derive(Clone, Copy, Debug)]
pub struct Format {
    /// Whether the start of a file is in this format.
    pub detect: fn(&str) -> bool,
    /// Reads a file in this format.
    pub read: Read,
    /// Whether it describes a cluster rather than jobs.
    pub is_layout: bool,
}

/// Reads the jobs of a file, with notes.
pub type Read = fn(TextFile) -> Result<(Vec<ListedJob>, Vec<String>), ImportError>;

/// Every format of jobs. The first one that recognises a file reads it. The examples are small files in the
/// format.
pub const FORMATS: &[Kind<Format>] =
    &[topology_yaml::KIND, topology_conf::KIND, squeue::KIND, plain::KIND];

/// Reads the jobs of a file, a pipe or stdin (`-`).
///
/// # Errors
/// [`ImportError`]: no such file, an unknown format, a damaged line, two jobs with one name, no job, more
/// than [`MAX_JOBS`].
///
/// ```
/// # use routebound_networks as routebound;
/// let file = routebound::import::jobs::read("instances/jobs/squeue.txt")?;
/// assert_eq!((file.format, file.is_layout), ("squeue", false));
/// assert_eq!(file.jobs[0].name, "4711 pretrain");
/// assert_eq!(file.jobs[0].nodes, "a07-p1-dgx-03-c[01-16]");
/// assert_eq!(file.notes, ["2 jobs without nodes are left out: they do not run"]);
/// # Ok::<(), routebound::import::ImportError>(())
/// ```
pub fn read(path: &str) -> Result<JobFile, ImportError> {
    let mut text = TextFile::open(path)?;
    let head = text.head();
    let Some(kind) = FORMATS.iter().find(|kind| (kind.build.detect)(&head)) else {
        text.check_head()?;
        let start = quote(&head);
        let found = if start.is_empty() {
            "it is empty".into()
        } else {
            format!("it starts with `{start}`")
        };
        return Err(ImportError::UnknownFormat {
            path: path.into(),
            found,
            known: super::known(FORMATS),
        });
    };
    let (jobs, notes) = (kind.build.read)(text)?;
    let mut first: HashMap<&str, u64> = HashMap::new();
    for job in &jobs {
        if let Some(first) = first.insert(&job.name, job.line) {
            let problem = Problem::DuplicateJob { name: job.name.clone().into(), first };
            return Err(ImportError::Content { path: path.into(), line: job.line, problem });
        }
    }
    if jobs.is_empty() {
        let known = super::known(FORMATS);
        let mut found = "it has no job with nodes".to_string();
        for note in &notes {
            found = format!("{found}; {note}");
        }
        return Err(ImportError::UnknownFormat { path: path.into(), found, known });
    }
    Ok(JobFile {
        path: path.into(),
        format: kind.name,
        is_layout: kind.build.is_layout,
        jobs,
        notes,
    })
}

/// Adds a job, within the limit.
fn push(jobs: &mut Vec<ListedJob>, job: ListedJob) -> Result<(), ImportError> {
    jobs.push(job);
    let remedy = "give the jobs of one fabric only";
    within("number of jobs", Some(jobs.len() as u128), MAX_JOBS, remedy)?;
    Ok(())
}

/// The first line of a file that is neither blank nor a comment.
fn first_content(head: &str) -> Option<&str> {
    head.lines().map(str::trim).find(|line| !line.is_empty() && !line.starts_with('#'))
}

/// The error that something at a byte of the current line is wrong.
fn fail(text: &TextFile, column: usize, problem: Problem) -> ImportError {
    ImportError::Place { path: text.path().into(), line: text.line(), column, problem }
}

#[cfg(test)]
mod tests {
    use std::fs;

    use super::*;

    /// A text in a file called `jobs`.
    fn of(text: &str) -> Result<JobFile, String> {
        let folder = tempfile::tempdir().unwrap();
        let path = folder.path().join("jobs");
        fs::write(&path, text).unwrap();
        let path = path.to_str().unwrap();
        read(path).map_err(|error| error.to_string().replace(path, "jobs"))
    }

    /// A text is refused with a message that begins so, or has this in it.
    fn refused(text: &str, expected: &str) {
        let error = of(text).unwrap_err();
        let is_so = match expected.strip_prefix("… ") {
            Some(part) => error.starts_with("jobs, line ") && error.contains(part),
            None => error.starts_with(expected),
        };
        assert!(is_so, "{text}: {error}");
    }

    /// Name, nodes, line and column of every job, after the format.
    fn shown(text: &str) -> String {
        let file = of(text).unwrap();
        let column = |job: &ListedJob| job.column.map_or("-".into(), |column| column.to_string());
        let job =
            |job: &ListedJob| format!("{}={} {}:{}", job.name, job.nodes, job.line, column(job));
        let jobs: Vec<String> = file.jobs.iter().map(job).collect();
        format!("{}: {}", file.format, jobs.join("; "))
    }

    #[test]
    fn every_format_is_recognised_by_its_examples() {
        for kind in FORMATS {
            assert!(!kind.examples.is_empty());
            for example in kind.examples {
                let file = of(example).unwrap();
                assert_eq!(
                    (file.format, file.is_layout),
                    (kind.name, kind.build.is_layout),
                    "{example}"
                );
            }
        }
    }

    #[test]
    fn plain_lists() {
        let text = "# comment\n\n a: n-[1-2] # two\r\nn3,n4\n\"x: y\"\nb:\"x: z\"\n";
        assert_eq!(
            shown(text),
            "jobs: a=n-[1-2] 3:5; line 4=n3,n4 4:1; line 5=\"x: y\" 5:1; b=\"x: z\" 6:3"
        );
        for (text, expected) in [
            ("a:\n", "jobs, line 1, column 1: found `a:`, expected a job such as"),
            ("x: n1\n: n2\n", "jobs, line 2, column 1: found `: n2`, expected a job"),
            (
                "a: n1\nb: n2\na: n3\n",
                "jobs, line 3: `a` is named at line 1 already: give every job",
            ),
            (
                "",
                "jobs: not a known format: it is empty; known: topology.yaml of Slurm, topology.conf",
            ),
            ("# only\n", "jobs: not a known format: it starts with `# only`"),
            ("{\"jobs\": []}\n", "jobs: not a known format: it starts with"),
            ("a: \0\n", "jobs, line 1: binary data"),
        ] {
            refused(text, expected);
        }
    }

    #[test]
    fn output_of_squeue() {
        let header = "  JOBID PARTITION     NAME ST  NODES NODELIST(REASON)\n";
        let rows = "   17    gpu   my (x) job  R   2 n[1-2]\n  18_3 gpu a R 1 n3\n 18_[4-5] gpu a PD 1 (Priority)\n  19 gpu b PD 9 (ReqNodeNotAvail, UnavailableNodes:n[1-9])\n";
        let text = format!("{header}{rows}");
        assert_eq!(shown(&text), "squeue: 17 my (x) job=n[1-2] 2:34; 18_3 a=n3 3:18");
        assert_eq!(
            of(&text).unwrap().notes,
            ["2 jobs without nodes are left out: they do not run"]
        );
        let dated = format!("Wed Nov 25 12:00:00 2026\n{text}");
        assert_eq!(shown(&dated), "squeue: 17 my (x) job=n[1-2] 3:34; 18_3 a=n3 4:18");
        let chosen = "JOBID NAME NODELIST\n17 a n1\n18 b \n";
        assert_eq!(shown(chosen), "squeue: 17 a=n1 2:6");
        let bars = "JOBID|NODELIST|NAME\n17|n[1,2]|a b\n18||c\n19|(None)|d\n";
        assert_eq!(shown(bars), "squeue: 17 a b=n[1,2] 2:4");
        assert_eq!(shown("NODELIST JOBID\nn1 17\n"), "squeue: 17=n1 2:1");
        for (text, expected) in [
            (
                "JOBID NODELIST ST\n17 R\n",
                "jobs, line 2, column 1: found `17 R`, expected as many values",
            ),
            (
                "JOBID NODELIST\n17 n1 n2\n",
                "jobs, line 2, column 1: found `17 n1 n2`, expected as many",
            ),
            ("JOBID|NODELIST\n17|n1|x\n", "jobs, line 2, column 1: found `17|n1|x`"),
            ("JOBID|NODELIST\n|n1\n", "jobs, line 2, column 1: found `|n1`"),
            (
                "JOBID NODELIST\n17 (x)\n",
                "jobs: not a known format: it has no job with nodes; 1 job without nodes is left out",
            ),
            ("JOBID NODELIST\n17 n1\n17 n2\n", "jobs, line 3: `17` is named at line 2 already"),
        ] {
            refused(text, expected);
        }
    }

    #[test]
    fn slurms_topology_conf() {
        let text =
            "# tree\nSwitchName=a Nodes=n[1-2] # rack\nSWITCHNAME=b LinkSpeed=9 nodes=n3,\\\n n4\n";
        assert_eq!(
            of(text).unwrap_err(),
            "jobs, line 3: found `n4`, expected `SwitchName=… Nodes=…`, `SwitchName=… Switches=…`, `BlockName=… Nodes=…` or `BlockSizes=…`"
        );
        let text = text.replace("\\\n n4", "\\\nn4")
            + "SwitchName=c Switches=a,b\nBlockName=x \\\nNodes=n5\nBlockSizes=1,2\n";
        assert_eq!(shown(&text), "topology.conf: a=n[1-2] 2:20; b=n3,n4 3:-; x=n5 6:-");
        assert_eq!(
            of(&text).unwrap().notes,
            ["1 switch above others connects them and is not a group"]
        );
        for (text, expected) in [
            ("SwitchName=a\n", "jobs, line 1: found `SwitchName=a`, expected"),
            ("SwitchName=a Nodes=\n", "jobs, line 1: found `Nodes=`, expected"),
            ("SwitchName=a Nodes=n1\nNodes=n2\n", "jobs, line 2: found `Nodes=n2`, expected"),
            ("SwitchName=a Nodes=n1 Nodes=n2\n", "jobs, line 1: found `Nodes=n2`, expected"),
            ("SwitchName=a Nodes=n1 Rack=2\n", "jobs, line 1: found `Rack=2`, expected"),
            (
                "SwitchName=a Nodes=n1\n\nSwitchName=a Nodes=n2\n",
                "jobs, line 3: `a` is named at line 1",
            ),
            (
                "SwitchName=a Switches=b\n",
                "jobs: not a known format: it has no job with nodes; 1 switch above",
            ),
        ] {
            refused(text, expected);
        }
        let long = format!("SwitchName=a Nodes=n1{}\n", ",n1\\\n".repeat(400_000));
        assert!(of(&long).unwrap_err().starts_with("number of bytes of line 1 of jobs with those"));
    }

    #[test]
    #[expect(clippy::too_many_lines, reason = "a table of cases")]
    fn slurms_topology_yaml() {
        let text = topology_yaml::KIND.examples[0];
        assert_eq!(shown(text), "topology.yaml: s1=host-[0-3] 9:16; s2=host-[4-7] 11:16");
        assert_eq!(
            of(text).unwrap().notes,
            ["of 2 topologies the cluster's default, `t`, is read"]
        );
        assert_eq!(shown(topology_yaml::KIND.examples[1]), "topology.yaml: b1=host-[0-3] 3:-");
        let tree = |switch: &str| format!("- topology: t\n  tree:\n    switches: [{switch}]\n");
        let deep = |depth| format!("- topology: {}{}", "[".repeat(depth), "]".repeat(depth));
        for (text, expected) in [
            ("---\n", "jobs, line 2, column 1: found ``, expected a list of topologies"),
            ("---\na: b\n", "jobs, line 2, column 1: found `a map`, expected a list of topologies"),
            (
                "---\n- a: b\n",
                "jobs, line 2, column 6: found `a`, expected a topology with the keys",
            ),
            (
                "- topology: t\n",
                "jobs, line 1, column 3: found `a map`, expected a topology with the keys",
            ),
            (
                "- topology: t\n  flat: maybe\n",
                "jobs, line 2, column 9: found `maybe`, expected `true` or `false`",
            ),
            ("- topology: t\n  flat: true\n", "jobs: not a known format: it has no job with nodes"),
            (
                &tree("{switch: a}"),
                "jobs, line 3, column 16: found `a map`, expected a switch with the keys",
            ),
            (&tree("{nodes: n1}"), "jobs, line 3, column 16: found `a map`, expected a switch"),
            (
                &tree("{switch: a, nodes: [n1]}"),
                "jobs, line 3, column 35: found `a list`, expected a hostlist",
            ),
            (
                &tree("{switch: a, nodes: n1, rack: 2}"),
                "jobs, line 3, column 45: found `rack`, expected a switch",
            ),
            (
                &tree("{switch: a, nodes: n1}, {switch: a, nodes: n2}"),
                "jobs, line 3: `a` is named at line 3 already",
            ),
            (
                &tree("{switch: a, switch: b}"),
                "jobs, line 3, column 28: found `switch`, expected every key once",
            ),
            (&tree("{switch: &x a, nodes: *x}"), "… an anchor or alias of YAML cannot be read"),
            (&tree("{switch: !!str a, nodes: n}"), "… a tag of YAML cannot be read"),
            (&tree("{switch: a, nodes: n1"), "… not well-formed YAML:"),
            (&tree("{[a]: b}"), "… found `a list or map`, expected a key"),
            (
                &(tree("{switch: a, nodes: n1}") + "---\n- b\n"),
                "… a second YAML document cannot be read",
            ),
            (
                &(tree("{switch: a, nodes: n1}") + &tree("{switch: b, nodes: n1}")),
                "jobs, line 1, column 1: a file of several topologies with nodes cannot be read: mark one",
            ),
            (&deep(4000), "… not well-formed YAML:"),
            (
                &deep(40),
                "number of YAML lists and maps within each other is 17, above the limit of 16",
            ),
        ] {
            refused(text, expected);
        }
    }
}
