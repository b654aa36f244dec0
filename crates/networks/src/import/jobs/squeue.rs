//! What `squeue` of Slurm prints: a table whose header has JOBID and NODELIST.
//!
//! ```text
//!              JOBID PARTITION     NAME     USER ST       TIME  NODES NODELIST(REASON)
//!               4711       gpu pretrain    alice  R    1:02:03     16 dgx-[01-16]
//!               4712       gpu     eval      bob PD       0:00      2 (Priority)
//! ```
//!
//! Columns are separated by blanks, or by `|` where the header has one. Names of jobs may contain blanks;
//! columns are then counted from both ends. A job without nodes, or with a reason instead, does not run.

use super::{Format, ListedJob, fail, push};
use crate::import::text::TextFile;
use crate::import::{Problem, Result};
use crate::registry::Kind;

pub(super) const KIND: Kind<Format> = Kind {
    name: "squeue",
    usage: "squeue output (JOBID … NODELIST)",
    about: "the running jobs that Slurm's squeue lists, with its header; jobs that wait are left out",
    reference: "squeue(1), slurm.schedmd.com/squeue.html",
    examples: &[
        "Wed Nov 25 12:00:00 2026\n  JOBID PARTITION NAME USER STATE TIME TIME_LIMIT NODES NODELIST(REASON)\n     17 gpu my job ann RUNNING 1:00 2:00 2 host-[1-2]\n     18 gpu more ann PENDING 0:00 2:00 2 (Resources)\n",
        "JOBID NAME NODELIST\n17 train host-[1-2]\n18 later \n",
        "JOBID|NAME|NODELIST|ST\n17|a b|host-1|R\n",
    ],
    build: Format {
        detect: |head| head.lines().take(LOOKED_AT).any(|line| Header::of(line).is_some()),
        read,
        is_layout: false,
    },
};

/// How many lines may precede the table's header with it: the date that `-l` prints, and blank ones.
const LOOKED_AT: usize = 4;
const EXPECTED: &str =
    "as many values as the header has columns; `squeue -o \"%i|%j|%N\"` prints them apart";

/// Where the columns are.
struct Header {
    columns: usize,
    job: usize,
    name: Option<usize>,
    nodes: usize,
    /// Whether `|` separates them.
    bars: bool,
}

impl Header {
    fn of(line: &str) -> Option<Self> {
        let bars = line.contains('|');
        let titles = words(line, bars);
        let place = |title: &str| titles.iter().position(|(_, word)| *word == title);
        Some(Self {
            columns: titles.len(),
            job: place("JOBID").or_else(|| place("JOBID(ARRAY)"))?,
            name: place("NAME"),
            nodes: place("NODELIST").or_else(|| place("NODELIST(REASON)"))?,
            bars,
        })
    }

    /// The values of a row for job, name and nodes, the last with its place; nodes are none for a job that does not run.
    /// `None` where the row cannot be divided.
    fn row<'l>(&self, line: &'l str) -> Option<(String, Option<(usize, &'l str)>)> {
        let last = self.nodes + 1 == self.columns;
        // A reason stands last, in parentheses, and may contain blanks.
        let reason =
            line.rfind(" (").filter(|_| last && !self.bars && line.trim_end().ends_with(')'));
        let mut words = words(&line[..reason.unwrap_or(line.len())], self.bars);
        if reason.is_some() {
            words.push((line.len(), ""));
        }
        if last && !self.bars && words.len() + 1 == self.columns {
            words.push((line.len(), ""));
        }
        let extra = words.len().checked_sub(self.columns)?;
        // Only the name of a job may have blanks.
        if extra > 0 && (self.bars || self.name.is_none()) {
            return None;
        }
        let after_name = |column: usize| self.name.is_some_and(|name| column > name);
        let place = |column: usize| column + if after_name(column) { extra } else { 0 };
        let id = words[place(self.job)].1;
        let name = self.name.map(|name| {
            let parts: Vec<&str> =
                words[name..=name + extra].iter().map(|(_, word)| *word).collect();
            parts.join(" ")
        });
        let called = name
            .filter(|name| !name.is_empty())
            .map_or_else(|| id.to_string(), |name| format!("{id} {name}"));
        let nodes = words[place(self.nodes)];
        let runs = !nodes.1.is_empty() && !nodes.1.starts_with('(');
        (!id.is_empty()).then_some((called, runs.then_some(nodes)))
    }
}

/// The words of a line with their places.
fn words(line: &str, bars: bool) -> Vec<(usize, &str)> {
    let place = |word: &str| word.as_ptr().addr() - line.as_ptr().addr();
    if bars {
        line.split('|').map(str::trim).map(|word| (place(word), word)).collect()
    } else {
        line.split_whitespace().map(|word| (place(word), word)).collect()
    }
}

fn read(mut text: TextFile) -> Result<(Vec<ListedJob>, Vec<String>)> {
    let (mut jobs, mut waiting) = (Vec::new(), 0_usize);
    let mut header: Option<Header> = None;
    let mut number = 0;
    while let Some(line) = text.next_line()? {
        number += 1;
        let Some(known) = &header else {
            header = Header::of(line);
            continue;
        };
        if line.trim().is_empty() {
            continue;
        }
        let Some((name, nodes)) = known.row(line) else {
            let problem = Problem::syntax(line, EXPECTED);
            return Err(fail(&text, 1, problem));
        };
        let Some((place, nodes)) = nodes else {
            waiting += 1;
            continue;
        };
        let nodes = nodes.to_string();
        push(&mut jobs, ListedJob { name, nodes, line: number, column: Some(place + 1) })?;
    }
    let mut notes = Vec::new();
    if waiting > 0 {
        let (plural, verb) = if waiting == 1 {
            ("", "is left out: it does")
        } else {
            ("s", "are left out: they do")
        };
        notes.push(format!("{waiting} job{plural} without nodes {verb} not run"));
    }
    Ok((jobs, notes))
}
