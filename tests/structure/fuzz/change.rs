//! Damage to a file: bytes, words and lines that are changed, moved, repeated or missing.

use proptest::prelude::*;
use proptest::sample::Index;

/// Words that readers must be careful with.
const WORDS: &[&str] = &[
    "",
    "0",
    "-1",
    "1",
    "2",
    "1/2",
    "1/0",
    "0.1",
    "1e400",
    "NaN",
    "inf",
    "4294967295",
    "4294967296",
    "18446744073709551616",
    "99999999999999999999999999999999999999999",
    "0x",
    "\u{1b}[2J",
    "\u{202e}",
    "\u{feff}",
    "\0",
    "\r",
    "\"",
    "'",
    "<",
    ">",
    "</",
    "<!--",
    "&#0;",
    "{",
    "}",
    "[",
    "]",
    "(",
    ")",
    ";",
    ",",
    "#",
    "//",
    "/*",
    "=",
    "..",
    "host-0",
    "a",
    "é",
];

/// One change; places are relative to the length of the text.
#[derive(Clone, Debug)]
pub enum Change {
    /// Another byte.
    Byte(Index, u8),
    /// Another word.
    Word(Index, &'static str),
    /// A word more.
    Insert(Index, &'static str),
    /// Nothing after this byte.
    Cut(Index),
    /// A line less.
    Remove(Index),
    /// A line twice.
    Repeat(Index, Index),
    /// Two lines that change places.
    Swap(Index, Index),
}

pub fn any_change() -> impl Strategy<Value = Change> {
    let place = any::<Index>;
    let word = || prop::sample::select(WORDS);
    prop_oneof![
        1 => (place(), any::<u8>()).prop_map(|(at, byte)| Change::Byte(at, byte)),
        3 => (place(), word()).prop_map(|(at, word)| Change::Word(at, word)),
        1 => (place(), word()).prop_map(|(at, word)| Change::Insert(at, word)),
        1 => place().prop_map(Change::Cut),
        1 => place().prop_map(Change::Remove),
        1 => (place(), place()).prop_map(|(from, to)| Change::Repeat(from, to)),
        1 => (place(), place()).prop_map(|(a, b)| Change::Swap(a, b)),
    ]
}

pub fn any_changes() -> impl Strategy<Value = Vec<Change>> {
    prop::collection::vec(any_change(), 1..5)
}

/// The text after these changes.
pub fn changed(text: &[u8], changes: &[Change]) -> Vec<u8> {
    changes.iter().fold(text.to_vec(), apply)
}

fn apply(mut text: Vec<u8>, change: &Change) -> Vec<u8> {
    if text.is_empty() {
        return text;
    }
    match change {
        Change::Byte(at, byte) => {
            let at = at.index(text.len());
            text[at] = *byte;
        }
        Change::Cut(at) => text.truncate(at.index(text.len())),
        Change::Insert(at, word) => {
            let at = at.index(text.len());
            text.splice(at..at, word.bytes());
        }
        Change::Word(at, word) => {
            let word_at = word_around(&text, at.index(text.len()));
            text.splice(word_at, word.bytes());
        }
        Change::Remove(at) => {
            return with_lines(&text, |lines, count| _ = lines.remove(at.index(count)));
        }
        Change::Repeat(from, to) => {
            return with_lines(&text, |lines, count| {
                lines.insert(to.index(count), lines[from.index(count)]);
            });
        }
        Change::Swap(a, b) => {
            return with_lines(&text, |lines, count| lines.swap(a.index(count), b.index(count)));
        }
    }
    text
}

/// The letters and digits around a place, or the byte there.
fn word_around(text: &[u8], at: usize) -> std::ops::Range<usize> {
    let inside = |byte: &u8| byte.is_ascii_alphanumeric() || *byte == b'/' || *byte == b'.';
    let before = text[..at].iter().rev().take_while(|byte| inside(byte)).count();
    let after = text[at..].iter().take_while(|byte| inside(byte)).count();
    at - before..at + after.max(1)
}

fn with_lines(text: &[u8], change: impl FnOnce(&mut Vec<&[u8]>, usize)) -> Vec<u8> {
    let mut lines: Vec<&[u8]> = text.split_inclusive(|byte| *byte == b'\n').collect();
    let count = lines.len();
    change(&mut lines, count);
    lines.concat()
}
