//! A plain list: one job a line, its nodes as a hostlist, with its name and a colon before them or not.
//!
//! ```text
//! # two jobs
//! pretrain: dgx-[01-16]
//! dgx-[17-20],dgx-31
//! ```
//!
//! A job without a name is called by its line. Comments begin with `#`; a node with a colon, a comma or a
//! bracket in its name is put in double quotes.

use super::{Format, ListedJob, fail, first_content, push};
use crate::import::text::TextFile;
use crate::import::{Problem, Result};
use crate::registry::Kind;

pub(super) const KIND: Kind<Format> = Kind {
    name: "jobs",
    usage: "job list (NAME: HOSTLIST)",
    about: "one job a line: its nodes as a Slurm hostlist, after its name and a colon or without a name",
    reference: "hostlists of slurm.schedmd.com",
    examples: &["# two jobs\nfirst: host-[0-3]\nhost-4,host-[6-7] # without a name\n"],
    build: Format { detect, read, is_layout: false },
};

/// Whatever no other format recognises, unless it is certainly something else.
fn detect(head: &str) -> bool {
    first_content(head).is_some_and(|line| !line.starts_with(['{', '<', '%', '/', '!']))
}

fn read(mut text: TextFile) -> Result<(Vec<ListedJob>, Vec<String>)> {
    let mut jobs = Vec::new();
    let mut number = 0;
    while let Some(line) = text.next_line()? {
        number += 1;
        let line = &line[..content(line)];
        if line.trim().is_empty() {
            continue;
        }
        let colon = outside_quotes(line, |_, c| c == ':');
        let (name, from) = match colon {
            Some(colon) => (line[..colon].trim().to_string(), colon + 1),
            None => (format!("line {number}"), 0),
        };
        let nodes = line[from..].trim();
        let column = from + line[from..].len() - line[from..].trim_start().len() + 1;
        if name.is_empty() || nodes.is_empty() {
            let problem =
                Problem::syntax(line, "a job such as `pretrain: dgx-[01-16]` or `dgx-[01-16]`");
            return Err(fail(&text, 1, problem));
        }
        let nodes = nodes.to_string();
        push(&mut jobs, ListedJob { name, nodes, line: number, column: Some(column) })?;
    }
    Ok((jobs, Vec::new()))
}

/// How much of a line precedes its comment, which begins it or follows a blank.
fn content(line: &str) -> usize {
    let begins = |at: usize, c| c == '#' && (at == 0 || line[..at].ends_with(char::is_whitespace));
    outside_quotes(line, begins).unwrap_or(line.len())
}

/// The first place outside double quotes of which a condition holds.
fn outside_quotes(line: &str, holds: impl Fn(usize, char) -> bool) -> Option<usize> {
    let mut quoted = false;
    for (at, c) in line.char_indices() {
        if c == '"' {
            quoted = !quoted;
        } else if !quoted && holds(at, c) {
            return Some(at);
        }
    }
    None
}
