//! A plain list of SD pairs: source and destination, or source, destination and demand, separated
//! by spaces, commas or semicolons; a line that begins with `#` is a comment. Hosts are given by
//! number or by their name in the network; a name with a separator in it, or one that is a number,
//! is in double quotes, inside which a quote is doubled.
//!
//! The list is recognised by the first line `# 128 pairs: source destination`, which also gives its
//! length, or by the extension `.pairs`; other lists may look like rows of numbers, and then need
//! `file(format=pairs):PATH`. In a list without the first line, a number is the name of a host where
//! hosts are called by numbers.

use super::Hosts;
use super::prelude::*;

pub(super) const KIND: Kind<Format> = Kind {
    name: "pairs",
    usage: "pair list (# N pairs: source destination)",
    about: "one SD pair per line, by number or name in the network, followed by its demand or 1; \
            names with spaces in quotes; without the first line: .pairs or file(format=pairs):PATH",
    reference: "pair lists of scripts and simulators",
    examples: &[
        "# 2 pairs: source destination\n# made by hand\n0 3\n2 1\n",
        "# 1 pairs: source destination demand\n0 3 1/2\n",
    ],
    build: Format {
        detect: |line| header(line.trim_start()).is_some(),
        extensions: &["pairs"],
        bare: &[2, 3],
        read,
    },
};

/// The number of pairs that a first line announces, and the column names that follow it.
fn header(line: &str) -> Option<(u64, Vec<&str>)> {
    let mut words = line.strip_prefix('#')?.split_whitespace();
    let count = words.next()?.parse().ok();
    count.filter(|_| words.next() == Some("pairs:")).map(|count| (count, words.collect()))
}

/// The number of pairs that the first line announces, if it is a header, which must be complete.
fn announced(lines: &Lines) -> Result<Option<u64>> {
    let Some((count, columns)) = header(lines.text().trim_start()) else { return Ok(None) };
    match columns[..] {
        ["source", "destination"] | ["source", "destination", "demand"] => Ok(Some(count)),
        _ => {
            let expected = "`# N pairs: source destination`, optionally followed by `demand`";
            Err(lines.fail(1, Problem::syntax(lines.text(), expected)))
        }
    }
}

fn read(lines: &mut Lines, request: &Request) -> Result<Found> {
    request.check_only().map_err(|problem| lines.whole_fails(problem))?;
    let announced = announced(lines)?;
    let finder = match (announced, request.hosts) {
        // Such a list says itself which numbers are names.
        (Some(_), Hosts::Of(network)) => HostFinder::new(Hosts::Counted(network)),
        (_, hosts) => HostFinder::new(hosts),
    };
    let mut demands = Vec::new();
    let mut more = !lines.text().trim_start().starts_with('#') || lines.advance_to_content('#')?;
    while more && !lines.text().is_empty() {
        demands.push(demand(lines, &finder)?);
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
        _ => Found::list(request.hosts.count(), demands),
    }
}

fn demand(lines: &Lines, finder: &HostFinder) -> Result<Demand> {
    let host = |word: Word| -> Result<Host> {
        finder.find_word(word.text).map_err(|problem| lines.fail(word.column, problem))
    };
    let words: Vec<Word> = words(lines).into_iter().take(4).collect();
    let (s, d, amount) = match words[..] {
        [s, d] => (s, d, Rational::ONE),
        [s, d, amount] => (s, d, lines.amount(amount)?),
        _ => {
            let place = words.get(3).map_or(lines.text().len() + 1, |word| word.column);
            let problem = Problem::syntax(lines.text(), "source, destination, optionally demand");
            return Err(lines.fail(place, problem));
        }
    };
    let found = Demand { s: host(s)?, d: host(d)?, amount };
    finder
        .check_ends(s.text, d.text, &found.amount)
        .map_err(|problem| lines.fail(d.column, problem))?;
    Ok(found)
}

/// The words of the line. A quoted text is one word, including its quotes, whatever is in it.
pub(super) fn words<'l>(lines: &'l Lines) -> Vec<Word<'l>> {
    let line = lines.text();
    if !line.contains('"') {
        return lines.words().collect();
    }
    let outside: Vec<(usize, char)> = line
        .char_indices()
        .scan(false, |quoted, (at, c)| {
            *quoted ^= c == '"';
            Some((at, c, *quoted))
        })
        .filter(|(.., quoted)| !quoted)
        .map(|(at, c, _)| (at, c))
        .collect();
    let mark = [',', ';'].into_iter().find(|mark| outside.iter().any(|(_, c)| c == mark));
    let separates = |c: char| mark.map_or(c.is_ascii_whitespace(), |mark| c == mark);
    let ends = outside.into_iter().filter(|(_, c)| separates(*c)).map(|(at, _)| at);
    let (mut words, mut start) = (Vec::new(), 0);
    for end in ends.chain([line.len()]) {
        let piece = &line[start..end];
        let text = piece.trim();
        if mark.is_some() || !text.is_empty() {
            words.push(Word { column: start + piece.len() - piece.trim_start().len() + 1, text });
        }
        start = (end + 1).min(line.len());
    }
    words
}
