//! Automorphisms in certificates, written as cycles.

use std::io::{self, BufRead, Write};

use super::budget::{Budget, Listed};
use super::commas::Commas;
use super::lines::{Lines, ReadError};
use crate::limit::TooLarge;
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

impl Automorphism {
    /// The automorphism that takes node v to `nodes[v]` and link l to `links[l]`, both of which are
    /// permutations. O(nodes + links).
    ///
    /// ```
    /// # use routebound_proof as routebound;
    /// use routebound::certificate::Automorphism;
    /// let found = Automorphism::of_images(&[1, 0, 2], &[1, 2, 0]);
    /// assert_eq!((found.nodes, found.links), (vec![vec![0, 1]], vec![vec![0, 1, 2]]));
    /// ```
    #[must_use]
    pub fn of_images(nodes: &[NodeId], links: &[LinkId]) -> Self {
        Self { nodes: cycles(nodes), links: cycles(links) }
    }

    pub(super) fn write(&self, out: &mut dyn Write) -> io::Result<()> {
        write!(out, "automorphism")?;
        for (name, cycles) in [("n", &self.nodes), ("l", &self.links)] {
            if !cycles.is_empty() {
                write!(out, " {name}")?;
            }
            for cycle in cycles {
                write!(out, " {}", Commas(cycle))?;
            }
        }
        writeln!(out)
    }

    /// Counts the record and its numbers.
    pub(super) fn count(&self, budget: &mut Budget) -> Result<(), TooLarge> {
        let numbers: usize = self.nodes.iter().chain(&self.links).map(Vec::len).sum();
        budget.take(Listed::Images, 1 + numbers)
    }
}

/// The cycles of more than one number, each from its lowest one on, ascending.
fn cycles(images: &[u32]) -> Vec<Vec<u32>> {
    let (mut seen, mut cycles) = (vec![false; images.len()], Vec::new());
    for first in (0..).take(images.len()) {
        let (mut cycle, mut at) = (Vec::new(), first);
        while !std::mem::replace(&mut seen[at as usize], true) {
            cycle.push(at);
            at = images[at as usize];
        }
        if cycle.len() > 1 {
            cycles.push(cycle);
        }
    }
    cycles
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
        word.split(',').map(|number| self.integer(number)).collect()
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn cycles_begin_with_their_lowest_number() {
        assert_eq!(cycles(&[0, 3, 4, 5, 2, 1]), [vec![1, 3, 5], vec![2, 4]]);
        assert!(cycles(&[0, 1, 2]).is_empty() && cycles(&[]).is_empty());
    }

    fn read(text: &str) -> Result<Vec<Automorphism>, ReadError> {
        Lines::new(format!("{text}\nend\n").as_bytes()).automorphisms()
    }

    #[test]
    fn what_is_written_is_read() {
        let of = |nodes: &[u32], links: &[u32]| Automorphism::of_images(nodes, links);
        let all = [of(&[1, 2, 0, 4, 3], &[0, 1]), of(&[0, 1], &[1, 0]), of(&[1, 0], &[3, 2, 1, 0])];
        let mut text = Vec::new();
        for automorphism in all.iter().chain([&Automorphism::default()]) {
            automorphism.write(&mut text).unwrap();
        }
        let text = String::from_utf8(text).unwrap();
        let lines: Vec<&str> = text.lines().collect();
        assert_eq!(lines[0], "automorphism n 0,1,2 3,4");
        assert_eq!(lines[1..3], ["automorphism l 0,1", "automorphism n 0,1 l 0,3 1,2"]);
        assert_eq!(lines[3], "automorphism");
        let again = read(text.trim()).unwrap();
        assert_eq!((&again[..3], &again[3]), (&all[..], &Automorphism::default()));
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
