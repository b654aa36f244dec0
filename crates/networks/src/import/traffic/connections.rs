//! Connection matrices of the simulator htsim, `.cm`.
//!
//! ```text
//! Nodes 4
//! Connections 2
//! 0->1 id 1 start 0 size 2000000
//! 1->2 id 2 start 0 size 2000000
//! ```
//!
//! A demand is the size of its connection in bytes, or 1 where no connection has one. The lines of triggers
//! are skipped: like starts, they say when something is sent.

use super::{Format, Found, Lines, Problem, Request, TrafficFileError, Word};
use crate::integer::as_size;
use crate::rational::Rational;
use crate::registry::Kind;
use crate::topology::host_number;
use crate::traffic::{Demand, TrafficMatrix};

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
        detect: |line| announced(line, "Nodes").is_some(),
        extensions: &["connections", "cm"],
        bare: &[],
        read,
    },
};

const EXPECTED: &str = "a connection such as `0->1 id 1 start 0 size 2000000`";

/// The number after a word, if there is nothing else.
fn announced(line: &str, wanted: &str) -> Option<u64> {
    let mut words = line.split_whitespace();
    let number =
        words.next().filter(|word| *word == wanted).and_then(|_| words.next()?.parse().ok());
    number.filter(|_| words.next().is_none())
}

fn read(lines: &mut Lines, request: &Request) -> Result<Found, TrafficFileError> {
    request.check_only().map_err(|problem| lines.whole_fails(problem))?;
    let expected = "`Nodes N`";
    let nodes = announced(lines.text(), "Nodes");
    let nodes = nodes.ok_or_else(|| lines.fail(1, Problem::syntax(lines.text(), expected)))?;
    request.check_hosts(nodes).map_err(|problem| lines.fail(1, problem))?;
    let expected = "`Connections M`";
    if !lines.advance_to_content('#')? {
        return Err(lines.fail(1, Problem::EndOfFile { expected }));
    }
    let count = announced(lines.text(), "Connections");
    let count = count.ok_or_else(|| lines.fail(1, Problem::syntax(lines.text(), expected)))?;
    let place = lines.number();
    let (mut demands, mut unread, mut sized) = (Vec::new(), Vec::new(), None);
    while lines.advance_to_content('#')? {
        if ["trigger ", "Triggers ", "failure ", "Failures "]
            .iter()
            .any(|start| lines.text().starts_with(start))
        {
            continue;
        }
        let connection = Connection::of(lines, nodes, &mut unread)?;
        if *sized.get_or_insert(connection.size.is_some()) != connection.size.is_some() {
            let expected = "a size, as in the other connections, or none in all";
            return Err(lines.fail(1, Problem::syntax(lines.text(), expected)));
        }
        let Connection { s, d, size } = connection;
        demands.push(Demand { s, d, amount: size.unwrap_or(Rational::ONE) });
        TrafficMatrix::check_entries(demands.len() as u128)?;
    }
    let found = demands.len() as u64;
    if found != count {
        return Err(lines.fail_at(place, 1, Problem::Count { announced: count, found }));
    }
    Ok(Found { unread, ..Found::list(request.hosts.count(), demands)? })
}

struct Connection {
    s: u32,
    d: u32,
    size: Option<Rational>,
}

impl Connection {
    /// The connection of the current line; names of what is not read are added to `unread`.
    fn of(lines: &Lines, nodes: u64, unread: &mut Vec<String>) -> Result<Self, TrafficFileError> {
        let syntax = |column| lines.fail(column, Problem::syntax(lines.text(), EXPECTED));
        let mut words = lines.words();
        let ends = words.next().ok_or_else(|| syntax(1))?;
        let (s, d) = ends.text.split_once("->").ok_or_else(|| syntax(ends.column))?;
        let host = |text, column| {
            let word = Word { column, text };
            let last = nodes.saturating_sub(1);
            lines.integer(word, 0, last, "a node number").map(|n| host_number(as_size(n)))
        };
        let found = (host(s, ends.column)?, host(d, ends.column + s.len() + 2)?);
        let mut size = None;
        while let Some(name) = words.next() {
            let value = words.next().ok_or_else(|| syntax(name.column))?;
            if name.text == "size" {
                size = Some(lines.amount(value)?);
            } else if !unread.iter().any(|known| known == name.text) {
                unread.push(name.text.to_string());
            }
        }
        Ok(Self { s: found.0, d: found.1, size })
    }
}
