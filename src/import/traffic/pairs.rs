//! A plain list of SD pairs: source and destination, or source, destination and demand, separated
//! by spaces; a line that begins with `#` is a comment. Hosts are given by number or by their name
//! in the network; a name with spaces, or one that is a number, is in double quotes, inside which
//! a quote is doubled.
//!
//! The list is recognised by the first line `# 128 pairs: source destination`, which also gives its
//! length. Lists without it look like rows of numbers: use `file(format=pairs):PATH`.

use super::{Format, Lines, Problem, Request, TrafficFileError, Word};
use crate::integer::as_size;
use crate::ratio::Ratio;
use crate::registry::Kind;
use crate::topology::{HostNames, Topology, host_number};
use crate::traffic::{Demand, TrafficMatrix};

pub(super) const KIND: Kind<Format> = Kind {
    name: "pairs",
    usage: "pair list (# N pairs: source destination)",
    options: &[],
    about: "one SD pair per line, by number or name in the network, followed by its demand or 1; \
            names with spaces in quotes; without the first line: file(format=pairs):PATH",
    reference: "pair lists of scripts and simulators",
    examples: &[
        "# 2 pairs: source destination\n# made by hand\n0 3\n2 1\n",
        "# 1 pairs: source destination demand\n0 3 1/2\n",
    ],
    build: Format { detect: |line| header(line).is_some(), read },
};

/// The number of pairs that a first line announces, and the column names that follow it.
fn header(line: &str) -> Option<(u64, Vec<&str>)> {
    let mut words = line.strip_prefix('#')?.split_whitespace();
    let count = words.next()?.parse().ok();
    count.filter(|_| words.next() == Some("pairs:")).map(|count| (count, words.collect()))
}

/// The number of pairs that the first line announces, if it is a header, which must be complete.
fn announced(lines: &Lines) -> Result<Option<u64>, TrafficFileError> {
    let Some((count, columns)) = header(lines.text().trim_start()) else { return Ok(None) };
    match columns[..] {
        ["source", "destination"] | ["source", "destination", "demand"] => Ok(Some(count)),
        _ => {
            let expected = "`# N pairs: source destination`, optionally followed by `demand`";
            Err(lines.fail(1, Problem::syntax(lines.text(), expected)))
        }
    }
}

fn read(lines: &mut Lines, request: &Request) -> Result<TrafficMatrix, TrafficFileError> {
    request.check_only().map_err(|problem| lines.whole_fails(problem))?;
    let announced = announced(lines)?;
    let names = request.hosts.network().map(Topology::host_names);
    let mut demands = Vec::new();
    let mut more = !lines.text().trim_start().starts_with('#') || lines.advance_to_content('#')?;
    while more && !lines.text().is_empty() {
        demands.push(demand(lines, names.as_ref(), request)?);
        TrafficMatrix::check_entries(demands.len() as u128)?;
        more = lines.advance_to_content('#')?;
    }
    match announced {
        Some(announced) if announced != demands.len() as u64 => {
            Err(lines.fail(1, Problem::Count { announced, found: demands.len() as u64 }))
        }
        None if demands.is_empty() => {
            let expected = "a pair, or the header `# 0 pairs: source destination`";
            Err(lines.fail(1, Problem::EndOfFile { expected }))
        }
        _ => Ok(TrafficMatrix::new(request.hosts.count(), demands)?),
    }
}

fn demand(
    lines: &Lines,
    names: Option<&HostNames>,
    request: &Request,
) -> Result<Demand, TrafficFileError> {
    let last = request.hosts.count().saturating_sub(1) as u64;
    let host = |word: Word| match names {
        Some(names) => names.find(word.text).map_err(|error| lines.fail(word.column, error.into())),
        None => {
            lines.integer(word, (0, last), "a host number").map(|host| host_number(as_size(host)))
        }
    };
    let words: Vec<Word> = words(lines).into_iter().take(4).collect();
    let (s, d, amount) = match words[..] {
        [s, d] => (s, d, Ratio::ONE),
        [s, d, amount] => (s, d, lines.amount(amount)?),
        _ => {
            let place = words.get(3).map_or(lines.text().len() + 1, |word| word.column);
            let problem = Problem::syntax(lines.text(), "source, destination, optionally demand");
            return Err(lines.fail(place, problem));
        }
    };
    Ok(Demand { s: host(s)?, d: host(d)?, amount })
}

/// The words of the line. If there are quotes, words are separated by spaces, and a quoted text is
/// one word, including its quotes.
fn words<'l>(lines: &'l Lines) -> Vec<Word<'l>> {
    let line = lines.text();
    if !line.contains('"') {
        return lines.words().collect();
    }
    let (mut words, mut start, mut quoted) = (Vec::new(), None, false);
    for (at, c) in line.char_indices().chain([(line.len(), ' ')]) {
        quoted ^= c == '"';
        let ends = c.is_whitespace() && (!quoted || at == line.len());
        match (start, ends) {
            (None, false) => start = Some(at),
            (Some(from), true) => {
                words.push(Word { column: from + 1, text: &line[from..at] });
                start = None;
            }
            _ => {}
        }
    }
    words
}
