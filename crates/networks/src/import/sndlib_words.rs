//! Words and groups of SNDlib's own text format, in files of networks and of traffic.
//!
//! A file is a header and sections, `NAME ( … )`. A parenthesis is a word, and a `#` starts a comment.

use std::iter::Peekable;

use super::fields::Field;

/// How a file begins.
pub(super) const HEADER: &str = "?SNDlib native format";

/// The error that something at a position is not what is expected there.
type Unexpected<'t, E> = Box<dyn Fn(usize, &str, &'static str) -> E + 't>;

/// The words of a file, with errors of type `E`.
pub(super) struct Words<'t, E> {
    text: &'t str,
    rest: Peekable<Box<dyn Iterator<Item = &'t str> + 't>>,
    unexpected: Unexpected<'t, E>,
}

impl<'t, E> Words<'t, E> {
    /// The words of `text` from position `body` on.
    pub fn new(
        text: &'t str,
        body: usize,
        unexpected: impl Fn(usize, &str, &'static str) -> E + 't,
    ) -> Self {
        let words: Box<dyn Iterator<Item = &'t str> + 't> = Box::new(words(&text[body..]));
        Self { text, rest: words.peekable(), unexpected: Box::new(unexpected) }
    }

    /// The name of the next section, whose group begins.
    pub fn section(&mut self) -> Result<Option<&'t str>, E> {
        let Some(name) = self.rest.next() else { return Ok(None) };
        self.expect("(", "`(` after the name of a section")?;
        Ok(Some(name))
    }

    /// Consumes a parenthesis if it comes next.
    pub fn takes(&mut self, parenthesis: &str) -> bool {
        self.rest.next_if_eq(&parenthesis).is_some()
    }

    /// The next word, which must not be a parenthesis.
    pub fn word(&mut self, expected: &'static str) -> Result<Field, E> {
        match self.rest.next() {
            Some(word) if !["(", ")"].contains(&word) => {
                Ok(Field { text: word.to_string(), place: self.place_of(word) })
            }
            other => Err(self.unexpected(other, expected)),
        }
    }

    pub fn expect(&mut self, wanted: &str, expected: &'static str) -> Result<(), E> {
        match self.rest.next() {
            Some(word) if word == wanted => Ok(()),
            other => Err(self.unexpected(other, expected)),
        }
    }

    /// Skips the rest of a group, including nested groups.
    pub fn skip_group(&mut self) -> Result<(), E> {
        let mut open = 1_u64;
        while open > 0 {
            match self.rest.next() {
                Some("(") => open += 1,
                Some(")") => open -= 1,
                Some(_) => {}
                None => return Err(self.unexpected(None, "`)` at the end of a section")),
            }
        }
        Ok(())
    }

    /// The id of the next node, without what is in parentheses behind it; `None` at the end of the section.
    pub fn node(&mut self) -> Result<Option<Field>, E> {
        while self.takes("(") {
            self.skip_group()?;
        }
        if self.takes(")") {
            return Ok(None);
        }
        self.word("the id of a node, or `)` at the end of the nodes").map(Some)
    }

    fn unexpected(&self, found: Option<&str>, expected: &'static str) -> E {
        let place = found.map_or(self.text.len(), |word| self.place_of(word));
        (self.unexpected)(place, found.unwrap_or("the end of the file"), expected)
    }

    fn place_of(&self, word: &str) -> usize {
        word.as_ptr().addr().saturating_sub(self.text.as_ptr().addr())
    }
}

/// Words and parentheses, without comments.
fn words(text: &str) -> impl Iterator<Item = &str> {
    let plain = |line| str::split_once(line, '#').map_or(line, |(before, _)| before);
    let parts = text.lines().map(plain).flat_map(str::split_whitespace);
    parts.flat_map(|part| {
        // `(13.40` is two words, and so is `52.52)`.
        part.split_inclusive(['(', ')']).flat_map(|piece| {
            let word = piece.trim_end_matches(['(', ')']);
            let (word, parenthesis) = piece.split_at(word.len());
            [word, parenthesis].into_iter().filter(|word| !word.is_empty())
        })
    })
}
