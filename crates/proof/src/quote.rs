//! Untrusted text from files and command lines, as messages and reports show it.
//!
//! A file may hold anything, and a message ends up on a terminal: an escape character would move
//! its cursor or colour what follows, and a word of a megabyte would push everything else off the
//! screen. So untrusted text is shown by [`quote`], and text that contains it is printed as
//! [`printable`].

#[cfg(feature = "serde")]
mod json;

#[cfg(feature = "serde")]
pub use json::printable_json;

use std::borrow::Cow;
use std::fmt::{self, Display};

/// Maximum characters of a word that are shown.
pub const MAX_SHOWN: usize = 80;
/// Maximum characters of a message.
pub const MAX_MESSAGE: usize = 2000;

/// The first line of a value's text, at most [`MAX_SHOWN`] characters of it, with `…` where it is
/// cut, and with control characters escaped.
///
/// ```
/// # use routebound_proof as routebound;
/// use routebound::quote::quote;
/// assert_eq!(quote(" [1] \"id\"\nnext"), "[1] \"id\"");
/// assert_eq!(quote("a\u{1b}[2Jb"), "a\\u{1b}[2Jb");
/// assert_eq!(quote(&"\u{1b}".repeat(20_000)).chars().count(), 81);
/// assert_eq!(quote(&"7".repeat(2_500_000)).chars().count(), 81);
/// ```
#[must_use]
pub fn quote<T: Display + ?Sized>(value: &T) -> String {
    let text = value.to_string();
    let line = text.trim_start().lines().next().unwrap_or("").trim_end();
    // What is not shown is not processed either.
    let start = line.char_indices().nth(MAX_SHOWN + 1).map_or(line, |(end, _)| &line[..end]);
    cut(&printable(start), MAX_SHOWN)
}

/// Untrusted text as errors hold it: shortened and escaped by [`quote`], so that no message can forget to.
///
/// ```
/// # use routebound_proof as routebound;
/// use routebound::quote::Quoted;
/// assert_eq!(Quoted::from("a\u{1b}[2Jb").to_string(), "a\\u{1b}[2Jb");
/// ```
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Quoted(Box<str>);

impl<T: AsRef<str>> From<T> for Quoted {
    fn from(text: T) -> Self {
        Self(quote(text.as_ref()).into())
    }
}

impl Quoted {
    /// The text as it is shown.
    #[must_use]
    pub fn as_str(&self) -> &str {
        &self.0
    }
}

impl Display for Quoted {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(&self.0)
    }
}

/// Multi-line text in which every character is escaped that a terminal would obey instead of
/// showing: control characters except newline and tab, and marks that change the writing direction.
///
/// ```
/// # use routebound_proof as routebound;
/// use routebound::quote::printable;
/// assert_eq!(printable("a\n\tb"), "a\n\tb");
/// assert_eq!(printable("\u{9b}2J\u{202e}\r"), "\\u{9b}2J\\u{202e}\\u{d}");
/// ```
#[must_use]
pub fn printable(text: &str) -> Cow<'_, str> {
    if !text.contains(is_obeyed) {
        return Cow::Borrowed(text);
    }
    let mut shown = String::with_capacity(text.len());
    for c in text.chars() {
        if is_obeyed(c) {
            shown.extend(c.escape_unicode());
        } else {
            shown.push(c);
        }
    }
    Cow::Owned(shown)
}

/// A message as it is printed: at most [`MAX_MESSAGE`] characters of its [`printable`] text.
///
/// ```
/// # use routebound_proof as routebound;
/// use routebound::quote::message;
/// assert_eq!(message("no such file"), "no such file");
/// assert_eq!(message(&"long ".repeat(5000)).chars().count(), 2001);
/// ```
#[must_use]
pub fn message(text: &str) -> String {
    cut(&printable(text), MAX_MESSAGE)
}

fn cut(text: &str, most: usize) -> String {
    text.char_indices()
        .nth(most)
        .map_or_else(|| text.into(), |(end, _)| text[..end].to_string() + "…")
}

fn is_obeyed(c: char) -> bool {
    let turns = matches!(c, '\u{61c}' | '\u{200e}' | '\u{200f}' | '\u{202a}'..='\u{202e}' | '\u{2066}'..='\u{2069}');
    turns || (c.is_control() && c != '\n' && c != '\t')
}
