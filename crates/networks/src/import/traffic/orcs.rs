//! ORCS node orderings, read as the traffic of its pattern `bisect_fb_sym`: the hosts at
//! positions 0 and 1, 2 and 3, … send to each other.
//!
//! A line is a GUID in hexadecimal, `#` begins a comment; the file is recognised by the first line
//! `# ORCS node ordering of 128 hosts`. For a file without it, use `file(format=orcs):PATH`.

use std::collections::HashMap;

use super::Hosts;
use super::prelude::*;
use crate::advice::Advice;

pub(super) const KIND: Kind<Format> = Kind {
    name: "orcs",
    usage: "ORCS node ordering (# ORCS node ordering of N hosts)",
    about: "one GUID per line; hosts 0 and 1, 2 and 3, .. in this order send to each other, as in \
            the ORCS pattern bisect_fb_sym",
    reference: "Schneider, Hoefler and Lumsdaine, ORCS, Indiana University TR 675, 2009",
    examples: &["# ORCS node ordering of 2 hosts\n0x0002c90300000000 # host 0\n2c90300000100\n"],
    build: Format {
        detect: |line| line.trim_start().starts_with(TITLE),
        extensions: &["orcs"],
        bare: &[],
        read,
    },
};

const TITLE: &str = "# ORCS node ordering of ";

fn read(lines: &mut Lines, request: &Request) -> Result<Found> {
    request.check_only().map_err(|problem| lines.whole_fails(problem))?;
    let mut hosts = by_guid(lines, request.hosts)?;
    let announced = announced(lines)?;
    let mut order = Vec::new();
    let mut more = !lines.text().trim_start().starts_with('#') || lines.advance_to_content('#')?;
    while more && !lines.text().is_empty() {
        order.push(next(lines, &mut hosts)?);
        more = lines.advance_to_content('#')?;
    }
    let found = order.len() as u64;
    match announced {
        Some(announced) if announced != found => {
            return Err(lines.fail(1, Problem::Count { announced, found }));
        }
        None if found == 0 => {
            return Err(lines.fail(1, Problem::EndOfFile { expected: "the GUID of a host" }));
        }
        _ => {}
    }
    let both_ways = |pair: &[Host]| [(pair[0], pair[1]), (pair[1], pair[0])];
    let pairs = order.chunks_exact(2).flat_map(both_ways);
    let demands = pairs.map(|(s, d)| Demand { s, d, amount: Rational::ONE });
    Found::list(request.hosts.count(), demands.collect())
}

/// The number of hosts that the first line announces, if it is the title.
fn announced(lines: &Lines) -> Result<Option<u64>> {
    let Some(rest) = lines.text().trim_start().strip_prefix(TITLE.trim_end()) else {
        return Ok(None);
    };
    let count = rest.trim().strip_suffix(" hosts").and_then(|count| count.parse().ok());
    let problem = || Problem::syntax(lines.text(), "`# ORCS node ordering of N hosts`, whole");
    count.map(Some).ok_or_else(|| lines.fail(1, problem()))
}

/// The host that the line names; it is removed from `hosts`.
fn next(lines: &Lines, hosts: &mut HashMap<u64, Host>) -> Result<Host> {
    let text = lines.text().split('#').next().unwrap_or_default();
    let column = 1 + text.len() - text.trim_start().len();
    let text = text.trim();
    let digits = text.strip_prefix("0x").or_else(|| text.strip_prefix("0X")).unwrap_or(text);
    let guid = u64::from_str_radix(digits, 16)
        .map_err(|_| lines.fail(column, Problem::syntax(text, "a GUID in hexadecimal")))?;
    let found = hosts.remove(&guid);
    found.ok_or_else(|| {
        let expected = "the GUID of a host of the network, each only once";
        lines.fail(column, Problem::syntax(text, expected))
    })
}

fn by_guid(lines: &Lines, hosts: Hosts) -> Result<HashMap<u64, Host>> {
    let Some(topology) = hosts.network() else {
        let remedy = Advice::GIVE_TOPOLOGY;
        let found = "an ORCS node ordering, whose GUIDs belong to a network,";
        return Err(lines.whole_fails(Problem::Unsupported { found: found.into(), remedy }));
    };
    Ok(topology.guids()?.into_iter().zip(topology.host_numbers()).collect())
}
