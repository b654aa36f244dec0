//! Nodes by their names, by those of their adapters, by patterns and by host numbers.

use std::collections::HashMap;

use super::{Listed, Nodes};
use crate::limit::{TooLarge, within};
use crate::quote::quote;
use crate::registry::matches;
use crate::topology::{Host, NoHost, Topology};

/// Maximum number of bytes of a pattern, and of a name for which another is suggested.
const MAX_PATTERN: usize = 256;
/// Maximum number of names that a message lists.
const SHOWN: usize = 3;

/// The nodes of a fabric by name.
#[derive(Clone, Debug)]
pub struct NodeNames<'t> {
    topology: &'t Topology,
    nodes: &'t Nodes,
    /// Nodes by name: positions in [`Nodes::nodes`].
    of_name: HashMap<&'t str, Vec<usize>>,
    /// Nodes by the full names of their hosts.
    of_host_name: HashMap<&'t str, Vec<usize>>,
    /// Nodes by the first label of their names.
    of_label: HashMap<&'t str, Vec<usize>>,
    /// The node of every host.
    of_host: Vec<usize>,
}

/// The nodes that a name means.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Found {
    /// Positions of the nodes in [`Nodes::nodes`]; several for a pattern only.
    pub nodes: Vec<usize>,
    /// Whether only the first label of the name is that of the node.
    pub by_label: bool,
}

/// Why a name means no node.
#[derive(Debug, Clone, PartialEq, Eq, thiserror::Error)]
#[non_exhaustive]
#[expect(missing_docs, reason = "the message is the documentation")]
pub enum NoNode {
    #[error(transparent)]
    Number(#[from] NoHost),
    #[error(
        "there is no node `{name}`{suggestion}: give one of {known}, the full name of an adapter, a pattern with `*` or `?`, or a host number, 0 to {last}"
    )]
    Unknown { name: String, suggestion: String, known: String, last: usize },
    #[error(
        "no node matches `{pattern}`: `*` stands for any text and `?` for one character in the names of {known}"
    )]
    NoMatch { pattern: String, known: String },
    #[error(
        "{count} nodes are called `{name}`: give the full name of an adapter, or one of the host numbers {hosts}"
    )]
    Several { name: String, count: usize, hosts: String },
    #[error("`{name}` may be {candidates}: give one of these names")]
    Ambiguous { name: String, candidates: String },
    #[error("{0}")]
    TooLarge(#[from] TooLarge),
}

impl<'t> NodeNames<'t> {
    /// The nodes of a fabric, which [`Nodes::of`] found in it. O(hosts).
    ///
    /// ```
    /// # use routebound_analysis as routebound;
    /// use routebound::jobs::{Hostlist, NodeNames, Nodes};
    /// use routebound::{rational::Rational, topology::NetworkBuilder};
    /// let mut network = NetworkBuilder::new();
    /// let leaf = network.switch("leaf");
    /// for name in ["a-1 HCA-1", "a-1 HCA-2", "a-2 HCA-1", "b.site"] {
    ///     let host = network.host(name);
    ///     network.cable(host, leaf, Rational::ONE);
    /// }
    /// let fabric = network.build("example")?;
    /// let nodes = Nodes::of(&fabric);
    /// let names = NodeNames::new(&fabric, &nodes);
    /// let find = |text: &str| {
    ///     let listed = Hostlist::parse(text).ok()?.names().next()?;
    ///     Some(names.find(&listed).ok()??.nodes)
    /// };
    /// assert_eq!([find("a-1"), find("a-1 HCA-2"), find("1")], [Some(vec![0]), Some(vec![0]), Some(vec![0])]);
    /// assert_eq!([find("a-*"), find("b"), find("c")], [Some(vec![0, 1]), Some(vec![2]), None]);
    /// # Ok::<(), routebound::topology::TopologyError>(())
    /// ```
    #[must_use]
    pub fn new(topology: &'t Topology, nodes: &'t Nodes) -> Self {
        let mut names = Self {
            topology,
            nodes,
            of_name: HashMap::new(),
            of_host_name: HashMap::new(),
            of_label: HashMap::new(),
            of_host: vec![0; topology.hosts()],
        };
        for (at, node) in nodes.nodes.iter().enumerate() {
            names.of_name.entry(&node.name).or_default().push(at);
            names.of_label.entry(label(&node.name)).or_default().push(at);
            for host in node.hosts() {
                names.of_host[host as usize] = at;
                names.of_host_name.entry(&topology.node(host).name).or_default().push(at);
            }
        }
        names
    }

    /// The nodes.
    #[must_use]
    pub fn nodes(&self) -> &'t Nodes {
        self.nodes
    }

    /// Whether a node, or one of its adapters, has exactly this name.
    #[must_use]
    pub fn has(&self, name: &str) -> bool {
        self.of_name.contains_key(name) || self.of_host_name.contains_key(name)
    }

    /// The node of a name, or the nodes of a pattern in their order; `None` where the name is unknown
    /// ([`Self::unknown`] says so). In this order:
    ///
    /// 1. a number is that of a host, and means its node, unless it is in quotes;
    /// 2. the exact name of a node;
    /// 3. the full name of a host, such as `gpu-07 HCA-2`, means its node, with all adapters;
    /// 4. a text with `*` or `?` that is not in quotes matches the names of nodes;
    /// 5. a name without domain means the only node that has it with one, and a name with a domain the
    ///    only node that has it without.
    ///
    /// # Errors
    /// [`NoNode`] where a number is too large, a name means several nodes, or a pattern matches none.
    pub fn find(&self, listed: &Listed) -> Result<Option<Found>, NoNode> {
        let name = &listed.name[..];
        let exactly = |node: usize| Ok(Some(Found { nodes: vec![node], by_label: false }));
        if !listed.quoted && is_number(name) {
            return exactly(self.of_host[self.host(name)? as usize]);
        }
        for known in [&self.of_name, &self.of_host_name] {
            match known.get(name).map(Vec::as_slice) {
                None | Some([]) => {}
                // Ports of one adapter may share their name.
                Some([first, rest @ ..]) if rest.iter().all(|node| node == first) => {
                    return exactly(*first);
                }
                Some(several) => return Err(self.several(name, several)),
            }
        }
        if !listed.quoted && is_pattern(name) {
            return self.matching(name).map(Some);
        }
        self.by_label(name)
    }

    fn host(&self, number: &str) -> Result<Host, NoNode> {
        let last = self.topology.hosts() - 1;
        let host = number.parse().ok().filter(|host: &Host| *host as usize <= last);
        let hint = if self.has(number) { "; a node has this name: put it in quotes" } else { "" };
        Ok(host.ok_or_else(|| NoHost::Number { found: quote(number), last, hint })?)
    }

    fn matching(&self, pattern: &str) -> Result<Found, NoNode> {
        let what = "number of bytes of a pattern";
        within(what, Some(pattern.len() as u128), MAX_PATTERN as u64, "use a shorter pattern")?;
        let names = self.nodes.nodes.iter().map(|node| &node.name[..]);
        let matching = names.enumerate().filter(|(_, name)| matches(pattern, name));
        let nodes: Vec<usize> = matching.map(|(at, _)| at).collect();
        if nodes.is_empty() {
            return Err(NoNode::NoMatch { pattern: quote(pattern), known: self.known() });
        }
        Ok(Found { nodes, by_label: false })
    }

    fn by_label(&self, name: &str) -> Result<Option<Found>, NoNode> {
        let own = label(name);
        let is_bare = own.len() == name.len();
        let all = self.of_label.get(own).map(Vec::as_slice).unwrap_or_default();
        // One of the two has no domain: names in different domains are different nodes.
        let is_other = |at: &&usize| is_bare || self.nodes.nodes[**at].name == own;
        let candidates: Vec<usize> = all.iter().filter(is_other).copied().collect();
        match candidates[..] {
            _ if own.is_empty() || is_number(own) => Ok(None),
            [] => Ok(None),
            [node] => Ok(Some(Found { nodes: vec![node], by_label: true })),
            _ => {
                let shown = candidates.iter().take(SHOWN);
                let shown: Vec<String> =
                    shown.map(|at| format!("`{}`", quote(&self.nodes.nodes[*at].name))).collect();
                let candidates = list(&shown, candidates.len());
                Err(NoNode::Ambiguous { name: quote(name), candidates })
            }
        }
    }

    fn several(&self, name: &str, nodes: &[usize]) -> NoNode {
        let mut distinct = nodes.to_vec();
        distinct.dedup();
        let hosts = distinct.iter().filter_map(|at| self.nodes.nodes[*at].hosts().next());
        let shown: Vec<String> = hosts.take(SHOWN).map(|host| host.to_string()).collect();
        let hosts = list(&shown, distinct.len());
        NoNode::Several { name: quote(name), count: distinct.len(), hosts }
    }

    /// The error for a name that no node has, with the nearest one. O(nodes · length²).
    #[must_use]
    pub fn unknown(&self, name: &str) -> NoNode {
        let near = |known: &str| {
            let fits = name.len() <= MAX_PATTERN && known.len() <= MAX_PATTERN;
            fits.then(|| strsim::damerau_levenshtein(known, name)).filter(|distance| *distance <= 2)
        };
        let names = self.nodes.nodes.iter().map(|node| &node.name[..]);
        let closest = names.filter_map(|known| Some((near(known)?, known))).min();
        let suggestion = closest.map(|(_, known)| format!(" (did you mean `{}`?)", quote(known)));
        NoNode::Unknown {
            name: quote(name),
            suggestion: suggestion.unwrap_or_default(),
            known: self.known(),
            last: self.topology.hosts() - 1,
        }
    }

    /// What nodes there are.
    fn known(&self) -> String {
        match &self.nodes.nodes[..] {
            [] => "no nodes".to_string(),
            [only] => format!("the only node, `{}`", quote(&only.name)),
            [first, .., last] => format!(
                "the {} nodes from `{}` to `{}`",
                self.nodes.nodes.len(),
                quote(&first.name),
                quote(&last.name)
            ),
        }
    }
}

/// The first of several things, and how many there are more.
pub(super) fn list(shown: &[String], count: usize) -> String {
    let first = shown.join(", ");
    match count.saturating_sub(shown.len()) {
        0 => first,
        more => format!("{first} and {more} more"),
    }
}

/// A name up to its first dot.
fn label(name: &str) -> &str {
    name.split('.').next().unwrap_or(name)
}

fn is_number(name: &str) -> bool {
    !name.is_empty() && name.bytes().all(|byte| byte.is_ascii_digit())
}

/// Whether a text is a pattern.
pub(super) fn is_pattern(text: &str) -> bool {
    text.contains(['*', '?'])
}

#[cfg(test)]
mod tests;
