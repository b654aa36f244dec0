//! Jellyfish: a random regular graph (Singla et al., NSDI 2012).
//!
//! n switches have d cables to others and p hosts each; the paper writes r for d and k − r for p. Cables are drawn as
//! there: two switches that have free ports and are not joined yet, drawn at random, are joined until there are no such
//! two. Where ports are left, a cable between two others, drawn at random, is replaced by one from each of its ends to
//! one of these ports. Networks are drawn until one is connected, each from a stream of its own: the same seed always
//! gives the same network. How likely each regular graph is, neither the paper nor this project says. With p = 0,
//! switches are hosts ([`direct`](super::direct)).

use rand::RngExt as _;
use serde::Deserialize;

use super::direct::{Direct, check_degree, check_size, first_connected};
use super::prelude::*;
use crate::sampling::Stream;

pub(super) const KIND: Kind<super::Family> = Kind {
    name: "jellyfish",
    usage: "jellyfish(n,d,p=1,seed=1)",
    about: "random regular graph of n switches with d cables to others each, n*d even; p hosts per switch",
    reference: "Singla et al., Jellyfish, NSDI 2012",
    examples: &["jellyfish(6,3)", "jellyfish(6,3,p=0,seed=7)"],
    build: super::Family { construction: Construction::WrittenOut(build), members: |_| Vec::new() },
};

#[derive(Deserialize)]
struct Options {
    n: u64,
    d: u64,
    p: u64,
    seed: u64,
}

fn build(spec: &Spec) -> Result<Topology, TopologyError> {
    let Options { n, d, p, seed } = spec.read()?;
    check_degree(spec, d)?;
    if d >= n {
        let problem = format!(
            "d = {d} is not below n = {n}: a switch has at most {} others",
            n.saturating_sub(1)
        );
        return Err(spec.refused(problem).into());
    }
    let ends = u128::from(n) * u128::from(d);
    if !ends.is_multiple_of(2) {
        let problem =
            format!("n*d = {ends} is odd, and a cable takes two ports: change n or d by 1");
        return Err(spec.refused(problem).into());
    }
    check_size(Some(n.into()), p, Some(ends / 2))?;
    let (n, d) = (as_size(n), as_size(d));
    let missing = n - 1 - d;
    let cables = first_connected(spec, seed, n, |stream| {
        if missing < d {
            Some(complement(n, &Draft::new(n, missing).drawn(stream)?))
        } else {
            Draft::new(n, d).drawn(stream)
        }
    })?;
    Direct::new((0..n).map(|switch| switch.to_string()).collect(), cables).with_hosts(spec, p)
}

/// The cables of the complete graph that are not among these, which are in order.
fn complement(switches: usize, cables: &[(usize, usize)]) -> Vec<(usize, usize)> {
    let all = (0..switches).flat_map(|low| (low + 1..switches).map(move |high| (low, high)));
    all.filter(|cable| cables.binary_search(cable).is_err()).collect()
}

/// A network in the making.
struct Draft {
    degree: usize,
    cables: Vec<(usize, usize)>,
    /// Whom a switch is joined to.
    neighbours: Vec<Vec<usize>>,
    /// Switches with free ports.
    open: Vec<usize>,
    /// The places of all switches in `open`; those of others mean nothing.
    places: Vec<usize>,
}

impl Draft {
    fn new(switches: usize, degree: usize) -> Self {
        let neighbours = vec![Vec::with_capacity(degree); switches];
        let all: Vec<usize> = (0..switches).collect();
        let open = if degree == 0 { Vec::new() } else { all.clone() };
        Self { degree, cables: Vec::new(), neighbours, open, places: all }
    }

    /// All cables in order, or nothing where ports are left that cannot be used.
    fn drawn(mut self, stream: &mut Stream) -> Option<Vec<(usize, usize)>> {
        while self.may_join() {
            let a = self.open[stream.random_range(0..self.open.len())];
            let b = self.open[stream.random_range(0..self.open.len())];
            if self.may_be_joined(a, b) {
                self.join(a, b);
            }
        }
        while let Some(a) = self.open.first().copied() {
            let is_last = self.neighbours[a].len() + 1 == self.degree;
            let b = if is_last { *self.open.get(1)? } else { a };
            self.replace((a, b), stream)?;
        }
        let ordered = |(a, b): (usize, usize)| (a.min(b), a.max(b));
        let mut cables: Vec<_> = self.cables.into_iter().map(ordered).collect();
        cables.sort_unstable();
        Some(cables)
    }

    fn may_be_joined(&self, a: usize, b: usize) -> bool {
        a != b && !self.neighbours[a].contains(&b)
    }

    /// Whether two switches are left to be joined; among more than degree + 1 there always are.
    fn may_join(&self) -> bool {
        let mut pairs = self.open.iter().flat_map(|a| self.open.iter().map(move |b| (*a, *b)));
        self.open.len() > self.degree + 1 || pairs.any(|(a, b)| self.may_be_joined(a, b))
    }

    fn join(&mut self, a: usize, b: usize) {
        self.cables.push((a, b));
        self.attach(a, b);
        self.attach(b, a);
    }

    /// Uses a port of a switch with free ones.
    fn attach(&mut self, from: usize, to: usize) {
        self.neighbours[from].push(to);
        if self.neighbours[from].len() == self.degree {
            let place = self.places[from];
            self.open.swap_remove(place);
            if let Some(moved) = self.open.get(place) {
                self.places[*moved] = place;
            }
        }
    }

    /// Replaces a cable, the first that fits from a random one on, by cables from its ends to a and b.
    fn replace(&mut self, (a, b): (usize, usize), stream: &mut Stream) -> Option<()> {
        let first = stream.random_range(0..self.cables.len());
        let mut places = (first..self.cables.len()).chain(0..first);
        let fits = |place: &usize| {
            let (x, y) = self.cables[*place];
            self.may_be_joined(a, x) && self.may_be_joined(b, y)
        };
        let (x, y) = self.cables.swap_remove(places.find(fits)?);
        for (end, from, to) in [(x, y, a), (y, x, b)] {
            self.neighbours[end].retain(|other| *other != from);
            self.neighbours[end].push(to);
            self.cables.push((to, end));
            self.attach(to, end);
        }
        Some(())
    }
}

#[cfg(test)]
mod tests {
    use crate::topology::facts::{Facts, assert_refused};
    use crate::topology::{Topology, generate};

    #[test]
    fn networks_are_regular_and_connected() {
        for (n, d) in
            [(4, 3), (6, 3), (7, 4), (9, 4), (10, 9), (11, 8), (12, 10), (12, 9), (20, 3), (50, 7)]
        {
            for seed in 0..20 {
                let facts = Facts::of_switches(&format!("jellyfish({n},{d},p=2,seed={seed})"));
                assert_eq!((facts.nodes(), facts.hosts), (n, 2 * n));
                assert_eq!(
                    (facts.degrees(), facts.cables()),
                    ([d].into(), n * d / 2),
                    "{n} {d} {seed}"
                );
                assert!(facts.is_simple() && facts.diameter().is_some(), "{n} {d} {seed}");
            }
        }
        // The complete graph is the only one.
        assert_eq!(Facts::of_switches("jellyfish(6,5)").automorphisms(), 720);
    }

    fn ends(network: &Topology) -> Vec<Option<(u32, u32)>> {
        network.link_numbers().map(|link| network.ends(link)).collect()
    }

    #[test]
    fn a_seed_names_a_network() {
        let drawn = |seed| ends(&generate(&format!("jellyfish(20,3,p=0,seed={seed})")).unwrap());
        assert_eq!(drawn(7), drawn(7));
        assert_ne!(drawn(7), drawn(8));
        assert_eq!(drawn(1), ends(&generate("jellyfish(20,3,p=0)").unwrap()));
        // So that a change of what is drawn does not go unnoticed.
        assert_eq!(drawn(1)[..3], [Some((0, 9)), Some((9, 0)), Some((0, 17))]);
    }

    #[test]
    fn refuses_what_does_not_fit() {
        assert_refused(&[
            ("jellyfish(7,3)", "n*d = 21 is odd, and a cable takes two ports: change n or d by 1"),
            ("jellyfish(4,4)", "d = 4 is not below n = 4: a switch has at most 3 others"),
            ("jellyfish(0,3)", "d = 3 is not below n = 0"),
            ("jellyfish(8,2)", "d = 2: below 3, networks are rings or not connected"),
            ("jellyfish(8,0)", "d = 0: below 3"),
            ("jellyfish(8,3,seed=x)", "`seed=x` is not an integer"),
            ("jellyfish(100000,64)", "number of links is 6600000, above the limit of 4194304"),
            ("jellyfish(18446744073709551615,18446744073709551614)", "number of links is"),
        ]);
    }
}
