//! CAMINOS patterns: `EmbeddedMap{ map: [3, 1, 0] }`, the destination of every server; a server
//! that sends to itself is idle. `//` begins a comment.

use super::TrafficFileError;
use super::prelude::*;

pub(super) const KIND: Kind<Format> = Kind {
    name: "caminos",
    usage: "CAMINOS pattern (EmbeddedMap{ map: [..] })",
    about: "the destination of every host, itself for an idle one; every pair has demand 1",
    reference: "https://docs.rs/caminos-lib, src/pattern/extra.rs and src/config_parser.rsg",
    examples: &["// by hand\nEmbeddedMap{\n\tmap: [3, 1,\n\t0, 2, ],\n}\n"],
    build: Format {
        detect: |line| {
            ["//", "EmbeddedMap"].iter().any(|start| line.trim_start().starts_with(start))
        },
        extensions: &["caminos"],
        bare: &[],
        read,
    },
};

/// A word or a punctuation mark, with its line and column.
#[derive(Clone, Copy)]
struct Token<'t> {
    text: &'t str,
    line: u64,
    column: usize,
}

fn read(lines: &mut Lines, request: &Request) -> Result<Found> {
    request.check_only().map_err(|problem| lines.whole_fails(problem))?;
    let text = lines.whole()?;
    let mut file = Parser { lines, tokens: tokens(&text).peekable() };
    file.expect("EmbeddedMap", "the pattern EmbeddedMap{ map: [..] }")?;
    for mark in ["{", "map", ":", "["] {
        file.expect(mark, "EmbeddedMap{ map: [")?;
    }
    let demands = file.destinations(request)?;
    file.tokens.next_if(|token| token.text == ",");
    file.expect("}", "} after the map, its only member")?;
    match file.tokens.next() {
        Some(token) => Err(file.fail(&token, "the end of the file")),
        None => Found::list(request.hosts.count(), demands),
    }
}

struct Parser<'l, 'r, T: Iterator> {
    lines: &'l Lines<'r>,
    tokens: std::iter::Peekable<T>,
}

impl<'t, T: Iterator<Item = Token<'t>>> Parser<'_, '_, T> {
    fn next(&mut self, expected: &'static str) -> Result<Token<'t>> {
        self.tokens.next().ok_or_else(|| self.lines.whole_fails(Problem::EndOfFile { expected }))
    }

    fn fail(&self, token: &Token, expected: &'static str) -> TrafficFileError {
        let problem = Problem::syntax(token.text, expected);
        self.lines.fail_at(token.line, token.column, problem)
    }

    fn expect(&mut self, text: &str, expected: &'static str) -> Result<()> {
        let lines = self.lines;
        let token = self.next(expected)?;
        if token.text == text {
            return Ok(());
        }
        let problem = Problem::syntax(token.text, expected);
        Err(lines.fail_at(token.line, token.column, problem))
    }

    /// The demands in the list, up to its closing bracket; one destination per host.
    fn destinations(&mut self, request: &Request) -> Result<Vec<Demand>> {
        const EXPECTED: &str = "a destination for every host, separated by commas, then ]";
        let (lines, hosts) = (self.lines, request.hosts.count());
        let mut demands: Vec<Demand> = Vec::new();
        while self.tokens.peek().is_some_and(|token| token.text != "]") {
            let token = self.next(EXPECTED)?;
            let place = |problem| lines.fail_at(token.line, token.column, problem);
            let wrong = |_| place(Problem::syntax(token.text, "a host number"));
            let d: u64 = token.text.parse().map_err(wrong)?;
            if d >= hosts as u64 {
                let high = hosts.saturating_sub(1) as u64;
                return Err(place(Problem::OutOfRange { found: d, low: 0, high }));
            }
            let s = host_number(demands.len());
            demands.push(Demand { s, d: host_number(as_size(d)), amount: Rational::ONE });
            if demands.len() > hosts {
                let found = demands.len() as u64;
                return Err(place(Problem::TooManyHosts { found, hosts }));
            }
            if self.tokens.next_if(|token| token.text == ",").is_none() {
                break;
            }
        }
        self.expect("]", EXPECTED)?;
        let (announced, found) = (hosts as u64, demands.len() as u64);
        if found < announced {
            let problem = Problem::Count { announced, found };
            return Err(lines.whole_fails(problem));
        }
        Ok(demands)
    }
}

/// Words and punctuation marks without comments, lazily: for a file of nothing but marks, a list
/// would be much larger than the file.
fn tokens(text: &str) -> impl Iterator<Item = Token<'_>> {
    let plain = |text| str::split(text, "//").next().unwrap_or_default();
    (1..).zip(text.lines()).flat_map(move |(line, text)| {
        let mut rest = plain(text);
        let width = rest.len();
        std::iter::from_fn(move || {
            rest = rest.trim_start();
            let inner = |c: char| c.is_alphanumeric() || "_.-".contains(c);
            let first = rest.chars().next()?;
            let end = if inner(first) {
                rest.find(|c| !inner(c)).unwrap_or(rest.len())
            } else {
                first.len_utf8()
            };
            let (text, column) = (&rest[..end], width - rest.len() + 1);
            rest = &rest[end..];
            Some(Token { text, line, column })
        })
    })
}
