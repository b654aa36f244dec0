//! The lines of tables, of which each may have many entries.

use std::io::{self, Write};
use std::sync::mpsc;
use std::thread;

use super::super::NextLink;
use crate::topology::NodeId;

/// How the record of a node's next links begins.
const NEXT: &[u8] = b"next";

/// Number of lines that are made before the first of them is written.
const AHEAD: usize = 4;

/// Maximum length of a number with its space.
const MAX_NUMBER: usize = 11;

/// The record of a node's next links.
pub(super) type Row = (NodeId, Vec<NextLink>);

/// Another thread makes the lines while those before are written.
pub(super) fn write_rows(rows: &[Row], out: &mut dyn Write) -> io::Result<()> {
    thread::scope(|scope| {
        let (send, lines) = mpsc::sync_channel(AHEAD);
        let make = move || rows.iter().try_for_each(|row| send.send(line_of(row)));
        thread::Builder::new().spawn_scoped(scope, make)?;
        lines.into_iter().try_for_each(|line| out.write_all(&line).and_then(|()| writeln!(out)))
    })
}

fn line_of(row @ (node, entries): &Row) -> Vec<u8> {
    let mut text = Vec::with_capacity(length_of(row) + MAX_NUMBER);
    text.extend_from_slice(NEXT);
    push_number(*node, &mut text);
    for entry in entries {
        match entry.link() {
            Some(link) => push_number(link, &mut text),
            None => text.extend_from_slice(b" -"),
        }
    }
    text
}

/// The length of a row's line, without its end.
pub(super) fn length_of((node, entries): &Row) -> usize {
    let length = |entry: NextLink| 1 + entry.link().map_or(1, digits) as usize;
    NEXT.len() + 1 + digits(*node) as usize + entries.iter().copied().map(length).sum::<usize>()
}

fn digits(number: u32) -> u32 {
    1 + number.checked_ilog10().unwrap_or(0)
}

/// Appends a space and a number.
fn push_number(mut number: u32, line: &mut Vec<u8>) {
    let (mut text, mut first) = ([b' '; 2 * MAX_NUMBER], MAX_NUMBER);
    loop {
        first -= 1;
        text[first] = b"0123456789"[(number % 10) as usize];
        number /= 10;
        if number == 0 {
            break;
        }
    }
    first -= 1;
    // As many bytes for every number are moved without a call; those behind the digits are dropped.
    let end = line.len() + MAX_NUMBER - first;
    line.extend_from_slice(&text[first..first + MAX_NUMBER]);
    line.truncate(end);
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn lines_are_as_long_as_was_said() {
        let bits = (0..32).flat_map(|bit| [(1 << bit) - 1, 1 << bit, (1 << bit) | 1]);
        let tens = (0..10).map(|zeros| 10_u32.pow(zeros)).flat_map(|ten| [ten - 1, ten]);
        for number in bits.chain(tens).chain([u32::MAX - 1]) {
            let row = (number, [Some(number), None, Some(0)].map(NextLink::from).to_vec());
            let line = line_of(&row);
            assert_eq!(line, format!("next {number} {number} - 0").into_bytes());
            assert_eq!(length_of(&row), line.len(), "{number}");
        }
    }
}
