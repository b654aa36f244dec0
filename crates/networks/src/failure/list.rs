//! Lists of what fails.
//!
//! ```text
//! # cables, one per line; what follows # is a remark
//! sw-1-0[5]          the cable at port 5 of node sw-1-0
//! sw-1-0 sw-2-0      the only cable between two nodes
//! 64                 the cable of link 64
//! ```
//!
//! Names are as printed by `topo` and `route`; they may contain blanks. A name may be in quotes, as in
//! `"New York" Chicago` and `"New York"[2]`, and one with `#` or a quotation mark, which is doubled, must be.

use std::borrow::Cow;
use std::collections::{BTreeSet, HashMap, HashSet};

use super::{Cable, cables};
use crate::advice::{Advice, Remedy};
use crate::quote::quote;
use crate::topology::{LinkId, NodeId, NodeKind, Topology};

/// Why a list of failures cannot be used.
#[derive(Debug, Clone, PartialEq, Eq, thiserror::Error)]
#[non_exhaustive]
#[expect(missing_docs, reason = "the message is the documentation")]
pub enum ListError {
    #[error("entry on line {line} of the failures: `{entry}`: {problem}; {advice}")]
    Entry {
        /// Line of the file, or number in the list, from 1.
        line: usize,
        /// What was written, shortened.
        entry: String,
        problem: String,
        #[source]
        advice: Advice,
    },
    #[error(
        "the list of failures has no entries: write one per line, or omit the option if nothing fails"
    )]
    Empty,
}

/// How a cable is written.
const EXPECTED: &str = "expected a cable as `node[port]`, `node node` or a link number";

/// The cables of a list, each once, ordered by their first link.
///
/// # Errors
/// [`ListError`]: a line that matches no cable or more than one, or no line at all.
///
/// ```
/// # use routebound_networks as routebound;
/// use routebound::{failure, topology};
/// let tree = topology::generate("ft(4,2)")?;
/// let cables = failure::listed_cables(&tree, "sw-1-0 sw-2-1\nsw-1-0[4] # the same\n")?;
/// assert_eq!(cables.len(), 1);
/// assert_eq!(cables[0].name(&tree), "sw-1-0[4]:sw-2-1[1]");
/// # Ok::<(), Box<dyn std::error::Error>>(())
/// ```
pub fn listed_cables(topology: &Topology, text: &str) -> Result<Vec<Cable>, ListError> {
    let index = Index::of(topology);
    let mut failed = vec![false; index.cables.len()];
    for (line, entry) in entries(text)? {
        let at = index.cable(entry).map_err(|problem| error(line, entry, problem))?;
        failed[at] = true;
    }
    let cables = index.cables.into_iter().zip(failed);
    Ok(cables.filter_map(|(cable, failed)| failed.then_some(cable)).collect())
}

/// All cables of the listed switches (one name per line), each once, ordered by their first link. A host with a cable
/// to another host forwards, and may fail like a switch.
///
/// # Errors
/// [`ListError`]: a line that does not name such a node, or no line at all.
pub fn listed_switches(topology: &Topology, text: &str) -> Result<Vec<Cable>, ListError> {
    Ok(cables_of(topology, &listed_nodes(topology, text)?))
}

/// The listed switches and hosts that forward, like [`listed_switches`], ascending.
///
/// # Errors
/// As [`listed_switches`].
pub fn listed_nodes(topology: &Topology, text: &str) -> Result<Vec<NodeId>, ListError> {
    let index = Index::of(topology);
    let forwarding: HashSet<NodeId> = forwarding_nodes(topology).into_iter().collect();
    let mut nodes = BTreeSet::new();
    for (line, entry) in entries(text)? {
        let node = index.node(entry).map_err(|problem| error(line, entry, problem))?;
        if !forwarding.contains(&node) {
            let problem = "it is a host that does not forward".to_string();
            return Err(error(line, entry, problem));
        }
        nodes.insert(node);
    }
    Ok(nodes.into_iter().collect())
}

/// The nodes that may fail like switches: all switches, and hosts with a cable to another host, ascending.
#[must_use]
pub fn forwarding_nodes(topology: &Topology) -> Vec<NodeId> {
    let is_host = |node: NodeId| topology.node(node).kind == NodeKind::Host;
    let ends = cables(topology).into_iter().map(|cable| cable.ends.map(|(node, _)| node));
    let between_hosts = ends.filter(|ends| ends.iter().all(|node| is_host(*node))).flatten();
    let switches = topology.node_numbers().filter(|node| !is_host(*node));
    between_hosts.chain(switches).collect::<BTreeSet<_>>().into_iter().collect()
}

/// All cables of some nodes, which are ascending, each once, ordered by their first link.
fn cables_of(topology: &Topology, nodes: &[NodeId]) -> Vec<Cable> {
    let mut found = cables(topology);
    found.retain(|cable| cable.ends.iter().any(|(node, _)| nodes.binary_search(node).is_ok()));
    found
}

/// The lines of a list in which commas separate the entries: each that is not within quotes ends one.
///
/// ```
/// # use routebound_networks as routebound;
/// let lines = routebound::failure::list_as_lines(r#""Paris, TX" Dallas, sw-1[3]"#);
/// assert_eq!(lines, "\"Paris, TX\" Dallas\n sw-1[3]");
/// ```
#[must_use]
pub fn list_as_lines(list: &str) -> String {
    let ends: Vec<usize> =
        outside_quotes(list).filter(|(_, c)| *c == ',').map(|(at, _)| at).collect();
    let mut lines = list.to_string();
    for at in ends {
        lines.replace_range(at..=at, "\n");
    }
    lines
}

/// The characters that are not within quotation marks, with their places.
fn outside_quotes(text: &str) -> impl Iterator<Item = (usize, char)> {
    let mut is_quoted = false;
    text.char_indices().filter(move |(_, c)| {
        is_quoted ^= *c == '"';
        !is_quoted
    })
}

/// A name without its quotation marks.
fn unquoted(name: &str) -> Cow<'_, str> {
    let inside = name.strip_prefix('"').and_then(|rest| rest.strip_suffix('"'));
    inside.map_or(name.into(), |inside| inside.replace("\"\"", "\"").into())
}

/// Lines with content, with their numbers from 1.
fn entries(text: &str) -> Result<impl Iterator<Item = (usize, &str)>, ListError> {
    let end = |line: &str| outside_quotes(line).find(|(_, c)| *c == '#').map(|(at, _)| at);
    let bare = text.lines().map(move |line| line[..end(line).unwrap_or(line.len())].trim());
    let mut entries = (1..).zip(bare).filter(|(_, entry)| !entry.is_empty()).peekable();
    if entries.peek().is_none() { Err(ListError::Empty) } else { Ok(entries) }
}

fn error(line: usize, entry: &str, problem: String) -> ListError {
    let advice = Advice::new("use the node names of this network", &[Remedy::ListNodes]);
    ListError::Entry { line, entry: quote(entry), problem, advice }
}

/// Cables, indexed by the ways to name them.
struct Index<'t> {
    topology: &'t Topology,
    cables: Vec<Cable>,
    /// `None` for a name shared by several nodes.
    nodes: HashMap<&'t str, Option<NodeId>>,
    by_port: HashMap<(NodeId, u32), Vec<usize>>,
    by_ends: HashMap<[NodeId; 2], Vec<usize>>,
    by_link: Vec<usize>,
    /// Maximum length of a name in quotation marks.
    longest: usize,
}

impl<'t> Index<'t> {
    fn of(topology: &'t Topology) -> Self {
        let mut index = Self {
            topology,
            cables: cables(topology),
            nodes: HashMap::new(),
            by_port: HashMap::new(),
            by_ends: HashMap::new(),
            by_link: vec![0; topology.links()],
            longest: 0,
        };
        for (node, weight) in (0..).zip(topology.graph().node_weights()) {
            let entry = index.nodes.entry(weight.name.as_str());
            entry.and_modify(|known| *known = None).or_insert(Some(node));
            index.longest = index.longest.max(2 * weight.name.len() + 2);
        }
        for (at, cable) in index.cables.iter().enumerate() {
            let mut ends = cable.ends.map(|(node, _)| node);
            ends.sort_unstable();
            index.by_ends.entry(ends).or_default().push(at);
            for end in cable.ends {
                index.by_port.entry(end).or_default().push(at);
            }
            for link in &cable.links {
                index.by_link[*link as usize] = at;
            }
        }
        index
    }

    fn node(&self, name: &str) -> Result<NodeId, String> {
        match self.nodes.get(&*unquoted(name)) {
            Some(Some(node)) => Ok(*node),
            Some(None) => Err("several nodes have this name: use link numbers".into()),
            None => Err("the network has no node with this name".into()),
        }
    }

    fn cable(&self, entry: &str) -> Result<usize, String> {
        if let Some((name, port)) = entry.strip_suffix(']').and_then(|rest| rest.rsplit_once('[')) {
            let port: u32 =
                port.parse().map_err(|_| format!("`{}` is not a port number", quote(port)))?;
            let node = self.node(name)?;
            return self.only(self.by_port.get(&(node, port)), "no cable is at this port");
        }
        if let Ok(link) = entry.parse::<LinkId>() {
            let last = self.topology.links().saturating_sub(1);
            let found = self.by_link.get(link as usize).copied();
            return found.ok_or_else(|| format!("links are numbered 0 to {last}"));
        }
        let blank = |c: char| c.is_whitespace();
        let gaps =
            outside_quotes(entry).filter(|(at, c)| blank(*c) && !entry[..*at].ends_with(blank));
        let halves = gaps.map(|(at, _)| (&entry[..at], entry[at..].trim_start()));
        // A longer text cannot be a name, and would be hashed as a whole for every gap.
        let may_be_name = |text: &str| text.len() <= self.longest;
        for (one, other) in halves.filter(|(one, other)| may_be_name(one) && may_be_name(other)) {
            if let (Ok(one), Ok(other)) = (self.node(one), self.node(other)) {
                let ends = [one.min(other), one.max(other)];
                return self.only(self.by_ends.get(&ends), "no cable joins these nodes");
            }
        }
        Err(EXPECTED.into())
    }

    fn only(&self, found: Option<&Vec<usize>>, none: &str) -> Result<usize, String> {
        match found.map(Vec::as_slice) {
            Some([cable]) => Ok(*cable),
            Some([one, ..]) => {
                let name = self.cables[*one].name(self.topology);
                Err(format!("several cables match, such as {name}: name one as `node[port]`"))
            }
            _ => Err(none.into()),
        }
    }
}
