//! `topology.yaml` of Slurm: several topologies, each with switches or blocks and the nodes of each.
//!
//! ```text
//! - topology: tree
//!   cluster_default: true
//!   tree:
//!     switches:
//!       - switch: spine
//!         children: leaf[1-2]
//!       - switch: leaf1
//!         nodes: dgx-[01-18]
//! - topology: racks
//!   block:
//!     block_sizes: [18]
//!     blocks:
//!       - block: b1
//!         nodes: dgx-[01-18]
//! ```
//!
//! Every switch or block with nodes is a group. Of several topologies with nodes the first is read that is the
//! cluster's default, since a node is in each of them.

use super::yaml::{self, Node, Value};
use super::{Format, ListedJob, first_content, push};
use crate::import::text::TextFile;
use crate::import::{ImportError, Problem, Result};
use crate::quote::quote;
use crate::registry::Kind;

pub(super) const KIND: Kind<Format> = Kind {
    name: "topology.yaml",
    usage: "topology.yaml of Slurm",
    about: "the switches or blocks of Slurm's topology.yaml that have nodes, each as a group; of several topologies the cluster's default",
    reference: "topology.yaml(5), slurm.schedmd.com/topology.yaml.html",
    examples: &[
        "---\n- topology: t\n  cluster_default: true\n  tree:\n    switches:\n      - switch: top\n        children: s[1-2]\n      - switch: s1\n        nodes: host-[0-3]\n      - switch: s2\n        nodes: host-[4-7]\n- topology: b\n  block:\n    block_sizes:\n      - 4\n    blocks:\n      - block: b1\n        nodes: host-[0-3]\n- topology: f\n  flat: true\n",
        "- topology: b\n  block:\n    blocks: [{block: b1, nodes: \"host-[0-3]\"}]\n",
    ],
    build: Format { detect, read, is_layout: true },
};

fn detect(head: &str) -> bool {
    let yaml = |line: &str| line == "---" || line.starts_with("--- ") || line.starts_with("%YAML");
    let lists = |line: &str| {
        line.strip_prefix('-').is_some_and(|rest| rest.trim_start().starts_with("topology:"))
    };
    first_content(head).is_some_and(|line| yaml(line) || lists(line))
}

/// What a part of the file may hold.
struct Reader {
    path: String,
}

/// The groups of a topology.
#[derive(Default)]
struct Topology {
    name: String,
    is_default: bool,
    groups: Vec<ListedJob>,
}

fn read(text: TextFile) -> Result<(Vec<ListedJob>, Vec<String>)> {
    let (path, root) = yaml::read(text)?;
    let reader = Reader { path };
    let mut topologies = Vec::new();
    for node in reader.list(&root, "a list of topologies")? {
        topologies.push(reader.topology(node)?);
    }
    topologies.retain(|topology: &Topology| !topology.groups.is_empty());
    let count = topologies.len();
    let chosen = if count > 1 {
        topologies.iter().position(|topology| topology.is_default)
    } else {
        Some(0)
    };
    let Some(chosen) = chosen else {
        let what = "a file of several topologies with nodes";
        let remedy = "mark one by `cluster_default: true`, or leave out the others";
        return Err(reader.fail(&root, Problem::Unsupported { what, remedy }));
    };
    let mut notes = Vec::new();
    if count > 1 {
        let name = quote(&topologies[chosen].name);
        notes.push(format!("of {count} topologies the cluster's default, `{name}`, is read"));
    }
    let groups = topologies.into_iter().nth(chosen).unwrap_or_default().groups;
    Ok((groups, notes))
}

impl Reader {
    fn fail(&self, node: &Node, problem: Problem) -> ImportError {
        ImportError::Place {
            path: self.path.clone(),
            line: node.line,
            column: node.column,
            problem,
        }
    }

    fn wrong(&self, node: &Node, expected: &'static str) -> ImportError {
        let found = match &node.value {
            Value::Text(text, _) => text,
            Value::List(_) => "a list",
            Value::Map(_) => "a map",
        };
        self.fail(node, Problem::syntax(found, expected))
    }

    fn list<'n>(&self, node: &'n Node, expected: &'static str) -> Result<&'n [Node]> {
        match &node.value {
            Value::List(all) => Ok(all),
            _ => Err(self.wrong(node, expected)),
        }
    }

    /// The entries of a map, which has no keys but these.
    fn map<'n, const N: usize>(
        &self,
        node: &'n Node,
        keys: [&str; N],
        expected: &'static str,
    ) -> Result<[Option<&'n Node>; N]> {
        let Value::Map(entries) = &node.value else { return Err(self.wrong(node, expected)) };
        let mut found = [None; N];
        for (key, value) in entries {
            let Some(at) = keys.iter().position(|known| known == key) else {
                return Err(self.fail(value, Problem::syntax(key, expected)));
            };
            found[at] = Some(value);
        }
        Ok(found)
    }

    fn text<'n>(&self, node: &'n Node, expected: &'static str) -> Result<(&'n str, bool)> {
        match &node.value {
            Value::Text(text, plain) if !text.trim().is_empty() => Ok((text, *plain)),
            _ => Err(self.wrong(node, expected)),
        }
    }

    fn topology(&self, node: &Node) -> Result<Topology> {
        let expected = "a topology with the keys `topology`, `cluster_default` and one of `tree`, `block` and `flat`";
        let keys = ["topology", "cluster_default", "tree", "block", "flat"];
        let [name, default, tree, block, flat] = self.map(node, keys, expected)?;
        let Some(name) = name else { return Err(self.wrong(node, expected)) };
        let mut found = Topology {
            name: self.text(name, "the name of a topology")?.0.to_string(),
            ..Topology::default()
        };
        if let Some(default) = default {
            found.is_default = self.boolean(default)?;
        }
        match (tree, block, flat) {
            (Some(tree), None, None) => {
                let expected = "a tree with the key `switches`";
                let [switches] = self.map(tree, ["switches"], expected)?;
                let switches = switches.ok_or_else(|| self.wrong(tree, expected))?;
                for switch in self.list(switches, "a list of switches")? {
                    let expected = "a switch with the keys `switch` and `nodes` or `children`";
                    let [name, nodes, children] =
                        self.map(switch, ["switch", "nodes", "children"], expected)?;
                    if nodes.or(children).is_none() {
                        return Err(self.wrong(switch, expected));
                    }
                    self.group(switch, name, nodes, expected, &mut found.groups)?;
                }
            }
            (None, Some(block), None) => {
                let expected = "a block topology with the keys `block_sizes` and `blocks`";
                let [_, blocks] = self.map(block, ["block_sizes", "blocks"], expected)?;
                let blocks = blocks.ok_or_else(|| self.wrong(block, expected))?;
                for block in self.list(blocks, "a list of blocks")? {
                    let expected = "a block with the keys `block` and `nodes`";
                    let [name, nodes] = self.map(block, ["block", "nodes"], expected)?;
                    self.group(block, name, nodes, expected, &mut found.groups)?;
                }
            }
            (None, None, Some(flat)) => {
                self.boolean(flat)?;
            }
            _ => return Err(self.wrong(node, expected)),
        }
        Ok(found)
    }

    fn boolean(&self, node: &Node) -> Result<bool> {
        let expected = "`true` or `false`";
        match self.text(node, expected)?.0.to_ascii_lowercase().as_str() {
            "true" => Ok(true),
            "false" => Ok(false),
            _ => Err(self.wrong(node, expected)),
        }
    }

    /// Adds a switch or block if it has nodes.
    fn group(
        &self,
        node: &Node,
        name: Option<&Node>,
        nodes: Option<&Node>,
        expected: &'static str,
        groups: &mut Vec<ListedJob>,
    ) -> Result<()> {
        let Some(name) = name else { return Err(self.wrong(node, expected)) };
        let name = self.text(name, "a name")?.0.to_string();
        let Some(nodes) = nodes else { return Ok(()) };
        let (list, plain) = self.text(nodes, "a hostlist such as `dgx-[01-18]`")?;
        let column = plain.then_some(nodes.column);
        push(groups, ListedJob { name, nodes: list.to_string(), line: nodes.line, column })
    }
}
