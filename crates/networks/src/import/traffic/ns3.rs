//! Flows of the simulators for ns-3 that descend from HPCC, `flow.txt`.
//!
//! ```text
//! 2
//! 0 1 3 100 200000 2.0
//! 2 1 3 100 150000 2.000001
//! ```
//!
//! The first line is the number of flows. A flow is its source, destination, priority group, destination port, size in
//! bytes and start in seconds; ConWeave and its descendants leave out the port. What follows the last flow is not read, here
//! as there.

use super::flows::{Flow, Flows, Start};
use super::prelude::*;
use super::rows;

pub(super) const KIND: Kind<Format> = Kind {
    name: "ns3-flows",
    usage: "flow.txt of HPCC, ConWeave, ASTRA-sim (number of flows, then source destination group [port] size start)",
    about: "one flow per line, hosts by name or number; demands are sizes in bytes",
    reference: "https://github.com/alibaba-edu/High-Precision-Congestion-Control",
    examples: &[
        "2\n0 1 3 100 200000 2.0\n2 1 3 100 150000 2.000001\n",
        "1\n1 0 3 5000 2.000000000\n",
    ],
    build: Format {
        detect: |_| false,
        extensions: &["ns3-flows"],
        bare: &[],
        read: |lines, request| flows(lines, request)?.found(request),
    },
};

const EXPECTED: &str =
    "a flow such as `0 1 3 100 200000 2.0`: source, destination, priority group, port, size, start";
const COUNT: &str = "the number of flows";
/// Number of nanoseconds in a second.
const PER_SECOND: u64 = 1_000_000_000;

/// Whether a text begins with a number and then a flow.
pub(super) fn begins(text: &str) -> bool {
    let mut lines = text.lines().filter(|line| !line.trim().is_empty());
    let count = lines.next().and_then(announced).is_some_and(|count| count > 0);
    count && lines.next().is_some_and(is_flow)
}

/// The number of flows that a line announces, if it is nothing else.
pub(super) fn announced(line: &str) -> Option<u64> {
    line.trim().parse().ok()
}

/// Whether a line has the words of a flow.
pub(super) fn is_flow(line: &str) -> bool {
    rows::is_numeric(line) && (5..=6).contains(&line.split_whitespace().count())
}

pub(super) fn flows(lines: &mut Lines, request: &Request) -> Result<Flows> {
    request.check_only().map_err(|problem| lines.whole_fails(problem))?;
    if lines.text().starts_with('#') {
        lines.advance_to_content('#')?;
    }
    let count = announced(lines.text());
    let count = count.ok_or_else(|| lines.fail(1, Problem::syntax(lines.text(), COUNT)))?;
    let hosts = HostFinder::new(request.hosts);
    let unread = ["priority group", "start"].map(str::to_string).to_vec();
    let mut all = Flows { unread, ..Flows::default() };
    let place = lines.number();
    let mut width = None;
    while lines.advance_to_content('#')? {
        let found = all.flows.len() as u64;
        if found == count {
            all.rest += 1;
            continue;
        }
        let words: Vec<Word> = lines.words().take(7).collect();
        if !(5..=6).contains(&words.len()) || *width.get_or_insert(words.len()) != words.len() {
            return Err(lines.fail(1, Problem::syntax(lines.text(), EXPECTED)));
        }
        all.flows.push(flow(lines, &words, &hosts)?);
        TrafficMatrix::check_entries(all.flows.len() as u128)?;
    }
    let found = all.flows.len() as u64;
    if found != count {
        return Err(lines.fail_at(place, 1, Problem::Count { announced: count, found }));
    }
    if width == Some(6) {
        all.unread.insert(1, "port".into());
    }
    Ok(all)
}

fn flow(lines: &Lines, words: &[Word], hosts: &HostFinder) -> Result<Flow> {
    let [s, d, .., bytes, start] = words else {
        return Err(lines.fail(1, Problem::syntax(lines.text(), EXPECTED)));
    };
    let host =
        |word: &Word| hosts.find(word.text).map_err(|problem| lines.fail(word.column, problem));
    let bytes = lines.amount(*bytes)?;
    hosts.check_ends(s.text, d.text, &bytes).map_err(|problem| lines.fail(s.column, problem))?;
    let start = Start::At(&lines.amount(*start)? * &Rational::from(PER_SECOND));
    Ok(Flow { line: lines.number(), s: host(s)?, d: host(d)?, bytes: Some(bytes), start })
}
