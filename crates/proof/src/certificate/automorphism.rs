//! Automorphisms in certificates, written as cycles.

use std::io::BufRead;

use super::budget::Listed;
use super::lines::{Lines, ReadError};
use crate::topology::{LinkId, NodeId};

/// A permutation of the nodes of a network and one of its links, as cycles: each number is taken to
/// the next one of its cycle, the last to the first. What is in no cycle stays where it is.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Automorphism {
    /// Cycles of nodes.
    pub nodes: Vec<Vec<NodeId>>,
    /// Cycles of links.
    pub links: Vec<Vec<LinkId>>,
}

impl<R: BufRead> Lines<R> {
    pub(super) fn automorphisms(&mut self) -> Result<Vec<Automorphism>, ReadError> {
        let mut found = Vec::new();
        while let Some(words) = self.words("automorphism")? {
            self.budget.take(Listed::Images, 1)?;
            found.push(self.automorphism(&words)?);
        }
        Ok(found)
    }

    fn automorphism(&mut self, words: &[String]) -> Result<Automorphism, ReadError> {
        let (mut found, mut rest) = (Automorphism::default(), words);
        for (name, cycles) in [("n", &mut found.nodes), ("l", &mut found.links)] {
            let Some((_, words)) = rest.split_first().filter(|(word, _)| *word == name) else {
                continue;
            };
            let end = words.iter().position(|word| word == "l").unwrap_or(words.len());
            let (own, next) = words.split_at(end);
            if own.is_empty() {
                return Err(self.word_count("automorphism"));
            }
            *cycles = own.iter().map(|word| self.cycle(word)).collect::<Result<_, _>>()?;
            rest = next;
        }
        if rest.is_empty() { Ok(found) } else { Err(self.word_count("automorphism")) }
    }

    fn cycle(&mut self, word: &str) -> Result<Vec<u32>, ReadError> {
        self.budget.take(Listed::Images, word.split(',').count())?;
        self.numbers(word)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn read(text: &str) -> Result<Vec<Automorphism>, ReadError> {
        Lines::new(format!("{text}\nend\n").as_bytes()).automorphisms()
    }

    #[test]
    fn malformed_records_are_refused() {
        for text in ["n", "l", "n 0,1 l", "0,1", "l 0 l 1", "n 0,1 l 2 l 3", "x 0"] {
            let refused = read(&format!("automorphism {text}"));
            assert!(matches!(refused, Err(ReadError::WordCount { line: 1, .. })), "{text}");
        }
        for text in
            ["n 0,1 n 2,3", "l 0,1 n 0,1", "n 0,", "n ,", "n 0,,1", "n 0,-1", "l 0:1", "n +1"]
        {
            let refused = read(&format!("automorphism {text}"));
            assert!(matches!(refused, Err(ReadError::Integer { .. })), "{text}");
        }
        assert!(matches!(read("automorphism n 4294967296"), Err(ReadError::TooLarge(_))));
    }
}
