//! Nodes from a list, or from a file with one node or hostlist a line.

use std::path::{MAIN_SEPARATOR, Path};

use super::names::NodeNames;
use super::resolver::{Place, Resolver, SelectionError, SelectionProblem};
use crate::import::text::TextFile;
use crate::input::STDIN;

/// The nodes that a list names.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Selection {
    /// Positions of the nodes in [`Nodes::nodes`](super::Nodes::nodes), in the order of the list; no node is there
    /// twice.
    pub nodes: Vec<usize>,
    /// Notes for the reader of the list.
    pub notes: Vec<String>,
}

/// The nodes of a list: a [hostlist](super::Hostlist) whose items mean what [`NodeNames::find`] says, patterns
/// included, or a file. The text is a file where it is `-` (stdin), contains a path separator, or such a
/// file exists and no node has this name; a list that begins with a quotation mark never is.
///
/// A file has a node or hostlist on every line. Comments begin with `#`, and words such as `slots=8` after
/// the first, as in hostfiles of Open MPI, do not count. O(length + nodes · patterns).
///
/// # Errors
/// [`SelectionError`] with the place: a damaged list, an unknown name (with the nearest one), a name that
/// several nodes have, a pattern that matches none, a node twice, no node at all, more names than the limit.
///
/// ```
/// # use routebound_analysis as routebound;
/// use routebound::{jobs::{NodeNames, Nodes, select}, topology::generate};
/// let tree = generate("ft(4,2)")?;
/// let nodes = Nodes::of(&tree);
/// let names = NodeNames::new(&tree, &nodes);
/// assert_eq!(select(&names, "host-[2-3],7")?.nodes, [2, 3, 7]);
/// let error = select(&names, "host-[6-9]").unwrap_err().to_string();
/// assert!(error.starts_with("column 1: there is no node `host-8` (did you mean `host-0`?)"));
/// # Ok::<(), Box<dyn std::error::Error>>(())
/// ```
pub fn select(names: &NodeNames, list: &str) -> Result<Selection, SelectionError> {
    let mut resolver = Resolver::new(names, false);
    resolver.begin(list);
    let mut nodes = Vec::new();
    if is_file(names, list) {
        of_file(list, &mut resolver, &mut nodes)?;
    } else {
        resolver.add(list, &Place::of_list(), &mut nodes)?;
    }
    Ok(Selection { nodes, notes: resolver.notes() })
}

/// Whether a text names a file rather than nodes.
fn is_file(names: &NodeNames, text: &str) -> bool {
    let exists = || Path::new(text).is_file();
    let is_path = || text.contains(['/', MAIN_SEPARATOR]) || exists();
    text == STDIN || (!text.starts_with('"') && !names.has(text) && is_path())
}

fn of_file(
    path: &str,
    resolver: &mut Resolver,
    nodes: &mut Vec<usize>,
) -> Result<(), SelectionError> {
    let mut file = TextFile::open(path)?;
    let mut line = 0;
    while let Some(text) = file.next_line()? {
        line += 1;
        let blank = text.len() - text.trim_start().len();
        let text = text.trim();
        let place =
            |after| Place { file: Some(path.to_string()), line, column: Some(blank + after + 1) };
        if text.is_empty() || text.starts_with('#') {
            continue;
        }
        // A name with spaces may stand as it is, alone on its line.
        let end = if resolver.is_exact(text) { text.len() } else { first_word(text) };
        let rest = text[end..].split('#').next().unwrap_or_default();
        if let Some(odd) = rest.split_whitespace().find(|word| !is_setting(word)) {
            let place = place(end + rest.find(odd).unwrap_or_default());
            let problem = Box::new(SelectionProblem::AfterNode { found: odd.into() });
            return Err(SelectionError::At { place, problem });
        }
        resolver.add(&text[..end], &place(0), nodes)?;
    }
    if nodes.is_empty() {
        return Err(SelectionError::NoNodes { path: path.to_string() });
    }
    Ok(())
}

/// Whether a word is `slots=8` or the like.
fn is_setting(word: &str) -> bool {
    word.split_once('=').is_some_and(|(key, value)| !key.is_empty() && !value.is_empty())
}

/// Where the first word of a line ends: blanks in quotes, in brackets and around commas do not end it.
fn first_word(line: &str) -> usize {
    let (mut quoted, mut depth) = (false, 0_usize);
    for (at, c) in line.char_indices() {
        match c {
            '"' => quoted = !quoted,
            '[' if !quoted => depth += 1,
            ']' if !quoted => depth = depth.saturating_sub(1),
            _ if c.is_whitespace() && !quoted && depth == 0 => {
                let joins = line[..at].trim_end().ends_with(',')
                    || line[at..].trim_start().starts_with(',');
                if !joins {
                    return at;
                }
            }
            _ => {}
        }
    }
    line.len()
}

#[cfg(test)]
mod tests {
    use std::fs;

    use super::*;
    use crate::jobs::Nodes;
    use crate::topology::generate;

    /// Nodes of FT(4,2) in a list.
    fn selected(list: &str) -> Result<Vec<usize>, String> {
        let tree = generate("ft(4,2)").unwrap();
        let nodes = Nodes::of(&tree);
        let names = NodeNames::new(&tree, &nodes);
        select(&names, list).map(|found| found.nodes).map_err(|error| error.to_string())
    }

    /// Nodes of FT(4,2) listed in a file, whose name is left out of the message.
    fn in_file(text: &str) -> Result<Vec<usize>, String> {
        let folder = tempfile::tempdir().unwrap();
        let path = folder.path().join("nodes");
        fs::write(&path, text).unwrap();
        let path = path.to_str().unwrap();
        selected(path).map_err(|error| error.replace(path, "nodes"))
    }

    #[test]
    fn lists_keep_their_order() {
        assert_eq!(selected("host-5,host-[0-1],\"host-4\", 7").unwrap(), [5, 0, 1, 4, 7]);
        assert_eq!(selected("[0-3]").unwrap(), [0, 1, 2, 3]);
        assert_eq!(selected("host-?").unwrap(), [0, 1, 2, 3, 4, 5, 6, 7]);
        assert_eq!(selected("host-[6-7]*").unwrap(), [6, 7]);
    }

    #[test]
    fn errors_name_the_place() {
        for (list, expected) in [
            ("host-1, hosd-2", "column 9: there is no node `hosd-2` (did you mean `host-2`?)"),
            (
                "host-1,host-[1-2]",
                "column 8: node `host-1` is in the list already, at column 1: name",
            ),
            ("1,host-1", "column 3: node `host-1` is in the list already, at column 1"),
            ("host-*,3", "column 8: node `host-3` is in the list already, at column 1"),
            ("host-1,x*", "column 8: no node matches `x*`"),
            ("host-[1", "column 6: this `[` has no `]`"),
            ("", "column 1: expected a name"),
            ("host-1,99", "column 8: there is no host 99; hosts are numbered 0 to 7"),
            ("no/such/file", "no/such/file: no such file"),
            ("host-[0-9999999]", "number of names in a list is 10000000, above the limit"),
            ("x[0-2000]*", "column 1: no node matches `x0*`"),
        ] {
            let error = selected(list).unwrap_err();
            assert!(error.starts_with(expected), "{list}: {error}");
        }
    }

    #[test]
    fn files_have_a_list_on_every_line() {
        let text = "# ranks\nhost-3 slots=8 max_slots=8\n\n  host-[0-1], 7 # two\n\"host-5\"\r\n";
        assert_eq!(in_file(text).unwrap(), [3, 0, 1, 7, 5]);
        for (text, expected) in [
            ("# nothing\n", "nodes: no line names a node"),
            ("host-1\n host-2 host-3\n", "nodes, line 2, column 9: found `host-3` after a node"),
            (
                "host-1\n\nhost-2,host-1\n",
                "nodes, line 3, column 8: node `host-1` is in the list already, at nodes, line 1, column 1",
            ),
            ("host-1\n  host-22\n", "nodes, line 2, column 3: there is no node `host-22`"),
            ("host-1\0\n", "nodes, line 1: binary data"),
        ] {
            let error = in_file(text).unwrap_err();
            assert!(error.starts_with(expected), "{text}: {error}");
        }
    }

    #[test]
    fn a_fabric_names_nodes_and_adapters() {
        use crate::import::{ImportOptions, topology};
        let path = "instances/fabrics/ndr542/ibnetdiscover.out.gz";
        let fabric = topology(path, &ImportOptions::default()).unwrap();
        let nodes = Nodes::of(&fabric);
        let names = NodeNames::new(&fabric, &nodes);
        let all = select(&names, "a07-p1-dgx-03-c[01-18]").unwrap().nodes;
        assert_eq!(all, select(&names, "a07-p1-dgx-03-*").unwrap().nodes);
        assert!(all.iter().all(|node| nodes.nodes[*node].hosts().count() == 4));
        let one = select(&names, "a07-p1-dgx-03-c05 HCA-2").unwrap();
        assert_eq!((one.nodes, one.notes), (vec![all[4]], Vec::new()));
        let labels = select(&names, "a07-p1-dgx-03-c[01-18].cluster").unwrap();
        assert_eq!(labels.nodes, all);
        assert_eq!(
            labels.notes,
            [
                "18 nodes are found by the first label of a name: `a07-p1-dgx-03-c01.cluster` as `a07-p1-dgx-03-c01`, `a07-p1-dgx-03-c02.cluster` as `a07-p1-dgx-03-c02`, `a07-p1-dgx-03-c03.cluster` as `a07-p1-dgx-03-c03` and 15 more"
            ]
        );
        let error = select(&names, "a07-p1-dgx-03-c05,a07-p1-dgx-03-c05 HCA-2").unwrap_err();
        assert!(
            error
                .to_string()
                .starts_with("column 19: node `a07-p1-dgx-03-c05` is in the list already")
        );
    }
}
