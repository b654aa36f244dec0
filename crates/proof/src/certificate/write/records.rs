//! Records that have files of their own.

use std::io::{self, Write};

use super::super::{
    Automorphism, ByDestination, FAILURE_LOAD, FailuresCertificate, FewPaths, JobGroup,
    JobsCertificate, LOCAL_SWITCHES, LocalCertificate, LocalRefutation, LocalRule, LratRefutation,
    ProductCertificate, ProductWitness, Refutation, Sent, SinglePath,
};
use super::commas::Commas;
use super::{write_cover, write_traffic};
use crate::topology::{Host, LinkId, NodeId};

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

impl JobGroup {
    fn write(&self, out: &mut dyn Write) -> io::Result<()> {
        write!(out, "group")?;
        for member in &self.members {
            let rail =
                |host: &Option<Host>| host.map_or_else(|| "-".into(), |host| host.to_string());
            write!(out, " {}", Commas(&member.iter().map(rail).collect::<Vec<_>>()))?;
        }
        writeln!(out)
    }
}

impl JobsCertificate {
    /// Everything behind network and routing.
    pub(super) fn write(&self, out: &mut dyn Write) -> io::Result<()> {
        self.groups.iter().try_for_each(|group| group.write(out))?;
        if !self.used_by.is_empty() {
            writeln!(out, "used-by {}", Commas(&self.used_by))?;
        }
        writeln!(out, "claim {} {} {}", self.quantity.name(), self.lower, self.upper)?;
        if let Some(link) = self.loaded {
            writeln!(out, "loaded {link}")?;
        }
        for (from, to) in &self.sends {
            writeln!(out, "send {from} {to}")?;
        }
        self.covers.iter().try_for_each(|cover| write_cover(cover, out))
    }
}

impl FailuresCertificate {
    /// Everything behind network and routing.
    pub(super) fn write(&self, out: &mut dyn Write) -> io::Result<()> {
        writeln!(out, "repair {} {}", self.repair.name(), self.most)?;
        for element in &self.elements {
            writeln!(out, "element {}", Commas(element))?;
        }
        writeln!(out, "claim {FAILURE_LOAD} {} {}", self.lower, self.upper)?;
        write!(out, "loaded {}", self.loaded)?;
        if !self.set.is_empty() {
            write!(out, " {}", Commas(&self.set))?;
        }
        writeln!(out)?;
        write_traffic(&self.demands, None, out)?;
        self.automorphisms.iter().try_for_each(|found| found.write(out))?;
        self.covers.iter().try_for_each(|cover| write_cover(cover, out))?;
        for (set, covers) in &self.failed {
            writeln!(out, "failed {}", Commas(set))?;
            covers.iter().try_for_each(|cover| write_cover(cover, out))?;
        }
        Ok(())
    }
}

impl LocalCertificate {
    /// Everything behind the network.
    pub(super) fn write(&self, out: &mut dyn Write) -> io::Result<()> {
        writeln!(out, "claim {LOCAL_SWITCHES} {} {}", self.lower, self.upper)?;
        for LocalRule { switch, destinations, tops } in &self.rules {
            let (destinations, tops) = (Commas(destinations), Commas(tops));
            writeln!(out, "rule {switch} {destinations} {tops}")?;
        }
        if let Some(LocalRefutation { switches, formula, proof }) = &self.fewer {
            writeln!(out, "fewer {switches} {formula} {proof}")?;
        }
        Ok(())
    }
}

impl ProductCertificate {
    /// Everything behind the claims.
    pub(super) fn write(&self, out: &mut dyn Write) -> io::Result<()> {
        for ProductWitness { quantity, link, sent } in &self.witnesses {
            let (ports, digits) = (Commas(&link.ports), Commas(&link.digits));
            let direction = if link.up { "up" } else { "down" };
            writeln!(out, "busiest {} {direction} {ports} {digits}", quantity.name())?;
            for Sent { level, amount, digits } in sent {
                write!(out, "sent {level} {amount}")?;
                if let Some((s, d)) = digits {
                    write!(out, " {s} {d}")?;
                }
                writeln!(out)?;
            }
        }
        Ok(())
    }
}

impl SinglePath {
    pub(super) fn write(&self, out: &mut dyn Write) -> io::Result<()> {
        write!(out, "single-path {} {} ", self.quantity.name(), self.lower)?;
        match &self.refutation {
            Refutation::Trivial => writeln!(out, "trivial"),
            Refutation::Count { height } => writeln!(out, "count {height}"),
            Refutation::Nested { low, high } => writeln!(out, "nested {low} {high}"),
            Refutation::Lrat(refuted) => {
                let LratRefutation { kept, first_step, ordered, formula, proof } = &**refuted;
                let kept = Commas(kept);
                writeln!(out, "lrat {kept} {first_step} {ordered} {formula} {proof}")
            }
        }
    }
}

impl FewPaths {
    pub(super) fn write(&self, out: &mut dyn Write) -> io::Result<()> {
        writeln!(out, "few-paths {} {} {}", self.quantity.name(), self.lower, self.paths)
    }
}

impl ByDestination {
    pub(super) fn write(&self, out: &mut dyn Write) -> io::Result<()> {
        writeln!(out, "by-destination {} {}", self.lower, Commas(&self.nodes))
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::certificate::lines::Lines;

    #[test]
    fn cycles_begin_with_their_lowest_number() {
        assert_eq!(cycles(&[0, 3, 4, 5, 2, 1]), [vec![1, 3, 5], vec![2, 4]]);
        assert!(cycles(&[0, 1, 2]).is_empty() && cycles(&[]).is_empty());
    }

    #[test]
    fn automorphisms_are_read_as_they_are_written() {
        let of = |nodes: &[u32], links: &[u32]| Automorphism::of_images(nodes, links);
        let all = [of(&[1, 2, 0, 4, 3], &[0, 1]), of(&[0, 1], &[1, 0]), of(&[1, 0], &[3, 2, 1, 0])];
        let mut text = Vec::new();
        for automorphism in all.iter().chain([&Automorphism::default()]) {
            automorphism.write(&mut text).unwrap();
        }
        let text = String::from_utf8(text).unwrap() + "end\n";
        let lines: Vec<&str> = text.lines().collect();
        assert_eq!(lines[0], "automorphism n 0,1,2 3,4");
        assert_eq!(lines[1..3], ["automorphism l 0,1", "automorphism n 0,1 l 0,3 1,2"]);
        assert_eq!(lines[3], "automorphism");
        let again = Lines::new(text.as_bytes()).automorphisms().unwrap();
        assert_eq!((&again[..3], &again[3]), (&all[..], &Automorphism::default()));
    }
}
