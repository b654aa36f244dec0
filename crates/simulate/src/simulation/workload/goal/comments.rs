//! Comments of GOAL schedules: `// …` to the end of the line, and `/* … */` over any number of lines.

/// State of comments when a line begins.
#[derive(Default)]
pub(super) struct Comments {
    open: bool,
}

impl Comments {
    /// Whether a comment `/*` has not ended yet.
    pub(super) fn is_open(&self) -> bool {
        self.open
    }

    /// The next line with blanks in place of comments: columns stay the same.
    pub(super) fn removed_from(&mut self, line: &str) -> String {
        let (mut kept, mut rest) = (String::with_capacity(line.len()), line);
        while !rest.is_empty() {
            let (end, after) = if self.open {
                let end = rest.find("*/").map(|at| at + 2);
                (end.unwrap_or(rest.len()), end.is_none())
            } else {
                let is_mark = |pair: &[u8]| pair == b"/*" || pair == b"//";
                let start = rest.as_bytes().windows(2).position(is_mark).unwrap_or(rest.len());
                if rest[start..].starts_with("//") {
                    kept.push_str(&rest[..start]);
                    return kept;
                }
                (start, start < rest.len())
            };
            let (part, later) = rest.split_at(end);
            if self.open {
                kept.extend(part.bytes().map(|_| ' '));
            } else {
                kept.push_str(part);
            }
            // The mark itself belongs to the comment: `/*/` does not end it.
            let skip = if !self.open && after { 2 } else { 0 };
            kept.extend([' ', ' '].into_iter().take(skip));
            (rest, self.open) = (&later[skip..], after);
        }
        kept
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn comments_become_blanks() {
        let mut comments = Comments::default();
        for (line, left, is_open) in [
            ("calc 1 // x /* y", "calc 1 ", false),
            ("a /* b */ c", "a         c", false),
            ("a /*/ b */ c /*", "a          c   ", true),
            ("x // y", "      ", true),
            ("", "", true),
            ("ä */ d /**/ e", "      d      e", false),
            ("/* // */ f", "         f", false),
            ("no * / comment", "no * / comment", false),
        ] {
            assert_eq!((comments.removed_from(line).as_str(), comments.open), (left, is_open));
        }
    }
}
