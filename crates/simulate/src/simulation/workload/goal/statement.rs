//! The statements of a GOAL schedule, found word by word in its lines.

use crate::quote::quote;
use crate::simulation::workload::error::Problem;

/// One statement; labels as they are written.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Statement<'l> {
    /// `num_ranks N`
    Ranks(u64),
    /// `rank R {`
    Rank(u64),
    /// `}`
    End,
    /// `label: …` or `…`
    Does { label: Option<&'l str>, action: Action },
    /// `label requires other`, or `irequires` where the other one only has to have started.
    Waits { label: &'l str, other: &'l str, for_start: bool },
}

/// Action of an operation.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Action {
    /// `send 8b to 3 tag 0`
    Send { to: u64, bytes: u64, tag: u64 },
    /// `recv 8b from 3 tag 0`
    Receive { from: u64, bytes: u64, tag: u64 },
    /// `calc 100`
    Compute { ns: u64 },
}

/// The words of a line without comments.
pub(super) struct Words<'l> {
    line: &'l str,
    at: usize,
}

impl<'l> Words<'l> {
    pub(super) fn of(line: &'l str) -> Self {
        Self { line, at: 0 }
    }

    /// The next statement, if there is another one. After an operation or a dependency the line, or the
    /// rank, has to end.
    pub(super) fn statement(&mut self) -> Result<Option<Statement<'l>>, Problem> {
        if self.rest().is_empty() {
            return Ok(None);
        }
        if self.takes('}') {
            return Ok(Some(Statement::End));
        }
        let expected = "`num_ranks`, `rank`, `send`, `recv`, `calc`, a label or `}`";
        let found = match self.name().ok_or_else(|| self.fail(expected))? {
            "num_ranks" => return Ok(Some(Statement::Ranks(self.number("a number of ranks")?))),
            "rank" => {
                let rank = self.number("the number of a rank")?;
                self.needs('{', "`{`")?;
                return Ok(Some(Statement::Rank(rank)));
            }
            word @ ("send" | "recv" | "calc") => {
                Statement::Does { label: None, action: self.action(word)? }
            }
            label => self.labelled(label)?,
        };
        match self.rest().chars().next() {
            None | Some('}') => Ok(Some(found)),
            Some(_) => Err(self.fail("the end of the line")),
        }
    }

    fn labelled(&mut self, label: &'l str) -> Result<Statement<'l>, Problem> {
        if self.takes(':') {
            let word = self.word(&["send", "recv", "calc"], "`send`, `recv` or `calc`")?;
            return Ok(Statement::Does { label: Some(label), action: self.action(word)? });
        }
        let word = self.word(&["requires", "irequires"], "`:`, `requires` or `irequires`")?;
        let other = self.name().ok_or_else(|| self.fail("a label"))?;
        Ok(Statement::Waits { label, other, for_start: word == "irequires" })
    }

    /// What follows `send`, `recv` or `calc`.
    fn action(&mut self, word: &str) -> Result<Action, Problem> {
        let size = self.number("an integer")?;
        if word == "calc" {
            self.option("cpu")?;
            return Ok(Action::Compute { ns: size });
        }
        self.word(&["b"], "`b`, for bytes")?;
        let is_send = word == "send";
        let peer = if is_send {
            self.word(&["to"], "`to`").and_then(|_| self.number("a rank"))?
        } else {
            self.word(&["from"], "`from`").and_then(|_| self.source())?
        };
        let tag = self.option("tag")?.unwrap_or(0);
        self.option("cpu")?;
        self.option("nic")?;
        Ok(if is_send {
            Action::Send { to: peer, bytes: size, tag }
        } else {
            Action::Receive { from: peer, bytes: size, tag }
        })
    }

    fn source(&mut self) -> Result<u64, Problem> {
        if self.takes('-') {
            let remedy = "name the rank whose message it was";
            return Err(Problem::Unsupported { what: "a receive from any rank", remedy });
        }
        self.number("a rank")
    }

    /// The value of an optional word such as `tag 7`.
    fn option(&mut self, word: &str) -> Result<Option<u64>, Problem> {
        let before = self.at;
        if self.name() != Some(word) {
            self.at = before;
            return Ok(None);
        }
        if self.takes('-') {
            let remedy = "write the tag that the message had";
            return Err(Problem::Unsupported { what: "a message of any tag", remedy });
        }
        self.number("an integer").map(Some)
    }

    /// The rest of the line after blanks.
    fn rest(&mut self) -> &'l str {
        let rest = &self.line[self.at..];
        let text = rest.trim_start();
        self.at += rest.len() - text.len();
        text
    }

    /// Takes a character, if it comes next.
    fn takes(&mut self, c: char) -> bool {
        let found = self.rest().starts_with(c);
        self.at += if found { c.len_utf8() } else { 0 };
        found
    }

    fn needs(&mut self, c: char, expected: &'static str) -> Result<(), Problem> {
        if self.takes(c) { Ok(()) } else { Err(self.fail(expected)) }
    }

    /// A letter and the letters, digits and underscores that follow it.
    fn name(&mut self) -> Option<&'l str> {
        let rest = self.rest();
        let other = |c: char| !c.is_ascii_alphanumeric() && c != '_';
        let end = rest.find(other).unwrap_or(rest.len());
        let name = &rest[..end];
        let found = name.starts_with(|c: char| c.is_ascii_alphabetic());
        self.at += if found { end } else { 0 };
        found.then_some(name)
    }

    /// One of some words.
    fn word(&mut self, known: &[&str], expected: &'static str) -> Result<&'l str, Problem> {
        let before = self.at;
        let found = self.name().filter(|name| known.contains(name));
        found.ok_or_else(|| {
            self.at = before;
            self.fail(expected)
        })
    }

    fn number(&mut self, expected: &'static str) -> Result<u64, Problem> {
        let rest = self.rest();
        let end = rest.find(|c: char| !c.is_ascii_digit()).unwrap_or(rest.len());
        let number = rest[..end].parse().map_err(|_| self.fail(expected))?;
        self.at += end;
        Ok(number)
    }

    fn fail(&mut self, expected: &'static str) -> Problem {
        let rest = self.rest();
        let found = if rest.is_empty() { "the end of the line".into() } else { quote(rest) };
        Problem::Word { column: self.at + 1, found, expected }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn all(line: &str) -> Result<Vec<Statement<'_>>, Problem> {
        let mut words = Words::of(line);
        std::iter::from_fn(|| words.statement().transpose()).collect()
    }

    #[test]
    fn statements_are_read() {
        let send = Action::Send { to: 3, bytes: 8, tag: 0 };
        let does = |label, action| Statement::Does { label, action };
        let receive = Action::Receive { from: 2, bytes: 16, tag: 7 };
        for (line, found) in [
            ("", vec![]),
            ("num_ranks 2 rank 0 {", vec![Statement::Ranks(2), Statement::Rank(0)]),
            ("rank 1{ }", vec![Statement::Rank(1), Statement::End]),
            ("l1:send 8b to 3", vec![does(Some("l1"), send)]),
            ("send 8 b to 3 }", vec![does(None, send), Statement::End]),
            ("\tl_2 : recv 16b from 2 tag 7 cpu 1 nic 2", vec![does(Some("l_2"), receive)]),
            ("calc 100 cpu 3", vec![does(None, Action::Compute { ns: 100 })]),
            (
                "l2 irequires l1",
                vec![Statement::Waits { label: "l2", other: "l1", for_start: true }],
            ),
            (
                "ranks requires sender",
                vec![Statement::Waits { label: "ranks", other: "sender", for_start: false }],
            ),
        ] {
            assert_eq!(all(line).unwrap(), found, "{line}");
        }
    }

    #[test]
    fn the_place_of_an_error_is_named() {
        for (line, says) in [
            ("l1: send 8b to 3 tga 5", "column 18: found `tga 5`, expected the end of the line"),
            ("l1: send 8 to 3", "column 12: found `to 3`, expected `b`, for bytes"),
            ("l1: send 8b from 3", "column 13: found `from 3`, expected `to`"),
            ("l1: recv 8b to 3", "column 13: found `to 3`, expected `from`"),
            ("l1: put 8b to 3", "column 5: found `put 8b to 3`, expected `send`, `recv` or `calc`"),
            ("l1 needs l2", "column 4: found `needs l2`, expected `:`, `requires` or `irequires`"),
            ("l1 requires 2", "column 13: found `2`, expected a label"),
            ("rank 0", "column 7: found `the end of the line`, expected `{`"),
            ("calc", "column 5: found `the end of the line`, expected an integer"),
            ("calc 99999999999999999999", "column 6: found `99999999999999999999`, expected an"),
            ("?", "column 1: found `?`, expected `num_ranks`, `rank`"),
            ("recv 8b from -1", "a receive from any rank cannot be simulated: name the rank"),
            ("recv 8b from 1 tag -1", "a message of any tag cannot be simulated: write the tag"),
        ] {
            let error = all(line).unwrap_err().to_string();
            assert!(error.starts_with(says), "{line}: {error}");
        }
    }
}
