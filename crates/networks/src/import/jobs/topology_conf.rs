//! `topology.conf` of Slurm: switches or blocks, and the nodes of each.
//!
//! ```text
//! SwitchName=leaf1 Nodes=dgx-[01-18]
//! SwitchName=spine Switches=leaf[1-4] LinkSpeed=400
//! BlockName=b1 Nodes=dgx-[01-18]
//! BlockSizes=18,36
//! ```
//!
//! Keys are in any case, comments begin with `#`, and a line that ends in `\` continues in the next. Every
//! switch or block with nodes is a group; switches above others only connect them.

use super::{Format, ListedJob, first_content, push};
use crate::import::text::TextFile;
use crate::import::{ImportError, Problem, Result};
use crate::limit::within;
use crate::registry::Kind;

pub(super) const KIND: Kind<Format> = Kind {
    name: "topology.conf",
    usage: "topology.conf of Slurm",
    about: "the switches or blocks of Slurm's topology.conf that have nodes, each as a group",
    reference: "topology.conf(5), slurm.schedmd.com/topology.conf.html",
    examples: &[
        "# a tree\nSwitchName=s1 Nodes=host-[0-3]\nswitchname=s2 nodes=host-[4-5],\\\nhost-[6-7]\nSwitchName=top Switches=s[1-2] LinkSpeed=100\n",
        "BlockName=b1 Nodes=host-[0-3]\nBlockName=b2 Nodes=host-[4-7]\nBlockSizes=4,8\n",
    ],
    build: Format { detect, read, is_layout: true },
};

const EXPECTED: &str =
    "`SwitchName=… Nodes=…`, `SwitchName=… Switches=…`, `BlockName=… Nodes=…` or `BlockSizes=…`";
/// Keys of a line, in lower case.
const KEYS: &[&str] = &["switchname", "blockname", "blocksizes", "nodes", "switches", "linkspeed"];
/// Maximum number of bytes of a line with all that continue it.
const MAX_JOINED: u64 = 1 << 20;

fn detect(head: &str) -> bool {
    let begins = |line: &str| {
        let key = line.split('=').next().unwrap_or_default().trim().to_ascii_lowercase();
        line.contains('=') && KEYS[..3].contains(&&*key)
    };
    first_content(head).is_some_and(begins)
}

fn read(mut text: TextFile) -> Result<(Vec<ListedJob>, Vec<String>)> {
    let (mut jobs, mut above) = (Vec::new(), 0_usize);
    while let Some(Statement { text: line, is_joined, line: number }) = statement(&mut text)? {
        let fail =
            |problem| ImportError::Content { path: text.path().into(), line: number, problem };
        let mut settings: Vec<(String, &str)> = Vec::new();
        for word in line.split_whitespace() {
            let Some((key, value)) = word.split_once('=') else {
                return Err(fail(Problem::syntax(word, EXPECTED)));
            };
            let key = key.to_ascii_lowercase();
            if !KEYS.contains(&&*key)
                || value.is_empty()
                || settings.iter().any(|(other, _)| *other == key)
            {
                return Err(fail(Problem::syntax(word, EXPECTED)));
            }
            settings.push((key, value));
        }
        let get = |key: &str| settings.iter().find(|(own, _)| own == key).map(|(_, value)| *value);
        match (get("switchname").or_else(|| get("blockname")), get("nodes")) {
            (Some(name), Some(nodes)) => {
                let at = nodes.as_ptr().addr() - line.as_ptr().addr();
                let column = (!is_joined).then_some(at + 1);
                let (name, nodes) = (name.to_string(), nodes.to_string());
                push(&mut jobs, ListedJob { name, nodes, line: number, column })?;
            }
            (Some(_), None) if get("switches").is_some() => above += 1,
            (None, None) if get("blocksizes").is_some() => {}
            _ => return Err(fail(Problem::syntax(&line, EXPECTED))),
        }
    }
    let mut notes = Vec::new();
    if above > 0 {
        notes.push(match above {
            1 => "1 switch above others connects them and is not a group".to_string(),
            _ => format!("{above} switches above others connect them and are not groups"),
        });
    }
    Ok((jobs, notes))
}

/// A line that says something, without its comment and with those that continue it.
struct Statement {
    text: String,
    /// Whether it is of several lines.
    is_joined: bool,
    /// Number of its first line.
    line: u64,
}

/// The next statement.
fn statement(text: &mut TextFile) -> Result<Option<Statement>> {
    let (mut joined, mut parts, mut first) = (String::new(), 0, 0);
    let said = |text: String, parts, line| {
        (!text.trim().is_empty()).then_some(Statement { text, is_joined: parts > 1, line })
    };
    loop {
        let Some(line) = text.next_line()? else { return Ok(said(joined, parts, first)) };
        let line = line.split('#').next().unwrap_or_default();
        let continued = line.trim_end().strip_suffix('\\');
        joined.push_str(continued.unwrap_or(line));
        let is_whole = continued.is_none();
        if parts == 0 {
            first = text.line();
        }
        parts += 1;
        let what = format!(
            "number of bytes of line {first} of {} with those that continue it",
            text.path()
        );
        within(&what, Some(joined.len() as u128), MAX_JOINED, "split the list")?;
        if is_whole {
            if let Some(statement) = said(std::mem::take(&mut joined), parts, first) {
                return Ok(Some(statement));
            }
            parts = 0;
        }
    }
}
