//! Connection matrices of the simulator htsim, `.cm`.
//!
//! ```text
//! Nodes 4
//! Connections 2
//! 0->1 id 1 start 0 size 2000000
//! 1->2 id 2 start 0 size 2000000
//! ```
//!
//! A demand is the size of its connection in bytes, or 1 where no connection has one. Starts are in picoseconds. The
//! lines of triggers are skipped: like starts, they say when something is sent.

use super::flows::{Flow, Flows, Start};
use super::prelude::*;

pub(super) const KIND: Kind<Format> = Kind {
    name: "connections",
    usage: "htsim connection matrix (Nodes N, Connections M, then s->d id I start T size B)",
    about: "one connection per line; hosts by number from 0, demands are sizes in bytes, or 1",
    reference: "https://github.com/Broadcom/csg-htsim",
    examples: &[
        "Nodes 3\nConnections 2\n0->1 id 1 start 0 size 2000000\n1->2 id 2 start 0 size 7\n",
        "Nodes 2\nConnections 1\n0->1\n",
    ],
    build: Format {
        detect: begins,
        extensions: &["connections", "cm"],
        bare: &[],
        read: |lines, request| flows(lines, request)?.found(request),
    },
};

const EXPECTED: &str = "a connection such as `0->1 id 1 start 0 size 2000000`";
/// Number of picoseconds in a nanosecond.
const PER_NS: u64 = 1000;

/// Whether a text begins with the number of nodes, perhaps after comments.
pub(super) fn begins(text: &str) -> bool {
    let is_content = |line: &&str| !line.trim().is_empty() && !line.starts_with('#');
    text.lines().find(is_content).is_some_and(|line| announced(line, "Nodes").is_some())
}

/// The number after a word, if there is nothing else.
fn announced(line: &str, wanted: &str) -> Option<u64> {
    let mut words = line.split_whitespace();
    let number =
        words.next().filter(|word| *word == wanted).and_then(|_| words.next()?.parse().ok());
    number.filter(|_| words.next().is_none())
}

/// The number that the current line announces.
fn header(lines: &Lines, wanted: &str, expected: &'static str) -> Result<u64> {
    let number = announced(lines.text(), wanted);
    number.ok_or_else(|| lines.fail(1, Problem::syntax(lines.text(), expected)))
}

pub(super) fn flows(lines: &mut Lines, request: &Request) -> Result<Flows> {
    request.check_only().map_err(|problem| lines.whole_fails(problem))?;
    if lines.text().starts_with('#') {
        lines.advance_to_content('#')?;
    }
    let nodes = header(lines, "Nodes", "`Nodes N`")?;
    request.check_hosts(nodes).map_err(|problem| lines.fail(1, problem))?;
    let expected = "`Connections M`";
    if !lines.advance_to_content('#')? {
        return Err(lines.fail(1, Problem::EndOfFile { expected }));
    }
    let count = header(lines, "Connections", expected)?;
    let place = lines.number();
    let (mut all, mut sized) = (Flows::default(), None);
    while lines.advance_to_content('#')? {
        match lines.text().split_whitespace().next() {
            Some("trigger" | "Triggers" | "Failures") => continue,
            Some("failure") => {
                all.failure.get_or_insert(lines.number());
                continue;
            }
            _ => {}
        }
        let flow = connection(lines, nodes, &mut all.unread)?;
        if *sized.get_or_insert(flow.bytes.is_some()) != flow.bytes.is_some() {
            let expected = "a size, as in the other connections, or none in all";
            return Err(lines.fail(1, Problem::syntax(lines.text(), expected)));
        }
        all.flows.push(flow);
        TrafficMatrix::check_entries(all.flows.len() as u128)?;
    }
    let found = all.flows.len() as u64;
    if found != count {
        return Err(lines.fail_at(place, 1, Problem::Count { announced: count, found }));
    }
    Ok(all)
}

/// The connection of the current line; names of what means nothing for demands are added to `unread`.
fn connection(lines: &Lines, nodes: u64, unread: &mut Vec<String>) -> Result<Flow> {
    let syntax = |column| lines.fail(column, Problem::syntax(lines.text(), EXPECTED));
    let mut words = lines.words();
    let ends = words.next().ok_or_else(|| syntax(1))?;
    let (s, d) = ends.text.split_once("->").ok_or_else(|| syntax(ends.column))?;
    let host = |text, column| {
        let word = Word { column, text };
        let last = nodes.saturating_sub(1);
        lines.integer(word, 0, last, "a node number").map(|n| host_number(as_size(n)))
    };
    let (s, d) = (host(s, ends.column)?, host(d, ends.column + s.len() + 2)?);
    let mut flow = Flow { line: lines.number(), s, d, bytes: None, start: Start::Unsaid };
    while let Some(name) = words.next() {
        if name.text != "size" && !unread.iter().any(|known| known == name.text) {
            unread.push(name.text.to_string());
        }
        // The only name without a value.
        if name.text == "addon" {
            continue;
        }
        let value = words.next().ok_or_else(|| syntax(name.column))?;
        match name.text {
            "size" => flow.bytes = Some(lines.amount(value)?),
            "start" => {
                let ns = lines.amount(value)?.checked_div(&Rational::from(PER_NS));
                flow.start = ns.map_or(Start::Unsaid, Start::At);
            }
            "trigger" => flow.start = Start::Triggered,
            _ => {}
        }
    }
    Ok(flow)
}
