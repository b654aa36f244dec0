//! Texts as they are printed on stdout.

use std::io::{self, IsTerminal as _};

use terminal_size::{Width, terminal_size_of};

use crate::quote::printable;

/// Maximum number of characters of a label with the blanks after it.
const LABEL: usize = 26;

/// The minimum width that words are put into.
const NARROW: usize = 40;

/// Text that a terminal can show, the last line ended like all others.
pub(super) fn whole_lines(text: &str) -> String {
    let mut text = printable(text).into_owned();
    if !text.is_empty() && !text.ends_with('\n') {
        text.push('\n');
    }
    text
}

/// Whole lines, of which those that are wider than the terminal, if stdout is one, continue on the next.
pub(super) fn for_stdout(text: &str) -> String {
    let text = whole_lines(text);
    let out = io::stdout();
    match terminal_size_of(&out).filter(|_| out.is_terminal()) {
        Some((Width(width), _)) => {
            text.lines().map(|line| wrapped(line, width.into()) + "\n").collect()
        }
        None => text,
    }
}

/// A line of words that continues below its first word, or below the one after its label. Rows of tables stay as they
/// are.
fn wrapped(line: &str, width: usize) -> String {
    let start = start(line);
    let body = &line[start..];
    let indent = line[..start].chars().count();
    if line.chars().count() <= width || width < indent + NARROW || body.contains("  ") {
        return line.to_string();
    }
    let (mut text, mut column) = (line[..start].to_string(), indent);
    for word in body.split(' ') {
        let length = word.chars().count();
        if column > indent && column + 1 + length > width {
            text = format!("{text}\n{:indent$}", "");
            column = indent;
        } else if column > indent {
            text.push(' ');
            column += 1;
        }
        text.push_str(word);
        column += length;
    }
    text
}

/// Where the words of a line begin: after its blanks, or after a label and the blanks behind it.
fn start(line: &str) -> usize {
    let blanks = line.len() - line.trim_start_matches(' ').len();
    let label = line[blanks..].find("  ").map(|at| {
        let gap = &line[blanks + at..];
        line.len() - gap.trim_start_matches(' ').len()
    });
    label.filter(|start| *start <= LABEL).unwrap_or(blanks)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn long_lines_continue_below_their_first_word() {
        let pairs = "  0->1 1->2 2->3 3->4 4->5 5->6 6->7 7->8 8->9 9->10";
        assert_eq!(wrapped(pairs, 42), "  0->1 1->2 2->3 3->4 4->5 5->6 6->7 7->8\n  8->9 9->10");
        let note = "note   each line is read as a link with its full capacity in both";
        assert_eq!(
            wrapped(note, 50),
            "note   each line is read as a link with its full\n       capacity in both"
        );
        // What is short, a row of a table, or without room stays.
        for (line, width) in
            [(pairs, 80), ("level  up     1    2    3    4   links  40 of 80", 40), (note, 20)]
        {
            assert_eq!(wrapped(line, width), line);
        }
    }
}
