//! Random routing (\[RO\] V): every SD pair has one nearest common ancestor, drawn uniformly and
//! independently of all other pairs.
//!
//! The pair (s,d) owns words 2d and 2d+1 of stream s of the seed, so the routing is
//! a function of (seed, s, d): it does not depend on threads or on the order of evaluation.
//! Trees that are small enough get a table, filled source by source; larger ones draw at every
//! call, with the same result, at about 200 ns for a single pair.
//!
//! Bits that choose ancestor a of the n at the top choose a ÷ (n ÷ k) of the k at a lower level: ⌊⌊xn⌋ ÷ (n ÷ k)⌋ is
//! ⌊xk⌋. So pairs are drawn as if all met at the top, and those that meet below it are corrected.

use rand::Rng;

use super::pair_table::{PairTable, write_digits};
use super::tree::{TreeRouting, UpDigits, correct_near, is_run, labels};
use super::{Routing, RoutingError};
use crate::registry::Kind;
use crate::sampling::{Stream, Streams};
use crate::spec::{Seeded, Spec};
use crate::topology::{FromSource, Host, MAX_HEIGHT, Topology, Xgft};

pub(super) const KIND: Kind<super::Family> = Kind {
    name: "random",
    usage: "random(seed=1)",
    about: "one nearest common ancestor per SD pair, drawn uniformly",
    reference: "[RO] V",
    examples: &["random", "random(seed=7)"],
    build: super::Family {
        build,
        digits: super::Digits::None("every pair draws its path"),
        defined: true,
    },
};

fn build(spec: &Spec, topology: &Topology) -> Result<Box<dyn Routing>, RoutingError> {
    let (spec, Seeded { seed }) = (spec.complete(), spec.read()?);
    let tree = labels(&spec, topology)?;
    Ok(match PairTable::fits(tree) {
        Ok(()) => Box::new(TreeRouting::new(&spec, tree, tabulate(tree, seed)?)),
        Err(_) => Box::new(TreeRouting::new(&spec, tree, Draw::new(seed))),
    })
}

/// The table of all draws.
fn tabulate(tree: &Xgft, seed: u64) -> Result<PairTable, RoutingError> {
    let draw = Draw::new(seed);
    let table = PairTable::in_parallel(tree, |s, row| {
        draw.fill(tree, (s, 0), row);
        let (below, top) = (tree.height() - 1, tree.shortest_paths(tree.height()));
        let own = tree.subtree_hosts(below) as usize;
        let first = tree.subtree(s, below) as usize * own;
        for d in &tree.hosts_in_order()[first..first + own] {
            row[*d as usize] /= top / tree.shortest_paths(tree.nca_level(s, *d));
        }
    });
    Ok(table?)
}

/// The number of one of some common ancestors, chosen by 64 random bits. There are at most 2^22
/// ancestors, so each has its due probability to within 2^-42.
fn ancestor(ancestors: u32, bits: u64) -> u32 {
    // The upper 64 bits of the product, by products of 64 bits: so several pairs are drawn at a time.
    let ([low, high], ancestors) = (halves(bits), u64::from(ancestors));
    halves(u64::from(high) * ancestors + ((u64::from(low) * ancestors) >> 32))[1]
}

/// The lower and the upper 32 bits.
fn halves(bits: u64) -> [u32; 2] {
    let bytes = bits.to_le_bytes();
    let halves = bytes.as_chunks().0;
    [halves[0], halves[1]].map(u32::from_le_bytes)
}

/// Number of pairs that are drawn at a time.
const AT_A_TIME: usize = 64;

/// Draws on demand.
struct Draw {
    streams: Streams,
}

impl Draw {
    fn new(seed: u64) -> Self {
        Self { streams: Streams::new(seed) }
    }

    /// The random words of source s from destination d on, two per destination.
    fn words(&self, s: Host, d: Host) -> Stream {
        self.streams.from_word(u64::from(s), 2 * u128::from(d))
    }

    /// The ancestors that a source draws from destination d on, as if all pairs met at the top.
    fn fill(&self, tree: &Xgft, (s, d): (Host, Host), ancestors: &mut [u32]) {
        let (mut words, mut bytes) = (self.words(s, d), [0; 8 * AT_A_TIME]);
        let all = tree.shortest_paths(tree.height());
        for ancestors in ancestors.chunks_mut(AT_A_TIME) {
            words.fill_bytes(&mut bytes[..8 * ancestors.len()]);
            for (bits, number) in bytes.as_chunks().0.iter().zip(ancestors) {
                *number = ancestor(all, u64::from_le_bytes(*bits));
            }
        }
    }
}

impl UpDigits for Draw {
    fn up_digits(&self, tree: &Xgft, s: Host, d: Host, up: &mut [u32]) {
        let bits = self.words(s, d).next_u64();
        write_digits(tree, ancestor(tree.shortest_paths(up.len()), bits), up);
    }

    fn for_each_up_from(
        &self,
        tree: &Xgft,
        s: Host,
        paths: &FromSource<'_>,
        destinations: &[Host],
        mut visit: impl FnMut(usize, &[u32]),
    ) {
        let (mut up, mut ancestors) = ([0; MAX_HEIGHT], vec![0; destinations.len()]);
        self.ancestors_from(tree, s, destinations, &mut ancestors);
        let pairs = destinations.iter().zip(&ancestors).enumerate();
        for (place, (d, ancestor)) in pairs.filter(|(_, (d, _))| **d != s) {
            let level = paths.nca_level(*d);
            write_digits(tree, *ancestor, &mut up[..level]);
            visit(place, &up[..level]);
        }
    }

    /// Destinations in sequence take their words in sequence from one generator.
    fn ancestors_from(&self, tree: &Xgft, s: Host, destinations: &[Host], ancestors: &mut [u32]) {
        let is_whole = is_run(destinations);
        if let (Some(first), true) = (destinations.first(), is_whole) {
            self.fill(tree, (s, *first), ancestors);
        } else {
            let mut rest = &mut ancestors[..];
            for run in destinations.chunk_by(|d, next| d + 1 == *next) {
                let (numbers, others) = rest.split_at_mut(run.len());
                self.fill(tree, (s, run[0]), numbers);
                rest = others;
            }
        }
        correct_near(tree, s, (destinations, is_whole), ancestors);
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::topology::generate;

    #[test]
    fn drawing_equals_the_table() {
        let topology = generate("xgft(3;5,4,3;2,3,4)").unwrap();
        let tree = topology.tree().unwrap();
        let (table, draw) = (tabulate(tree, 7).unwrap(), Draw::new(7));
        for (s, d) in (0..60).flat_map(|s| (0..60).map(move |d| (s, d))) {
            let (mut tabulated, mut drawn) = ([0; 3], [0; 3]);
            let level = tree.nca_level(s, d);
            table.up_digits(tree, s, d, &mut tabulated[..level]);
            draw.up_digits(tree, s, d, &mut drawn[..level]);
            assert_eq!(tabulated, drawn, "{s} -> {d}");
        }
        for (s, destinations) in [(0, vec![0, 1, 2, 5, 4, 59]), (7, (0..60).collect())] {
            let (mut places, mut up) = (Vec::new(), vec![0; 3]);
            draw.for_each_up_from(tree, s, &tree.paths_from(s), &destinations, |place, drawn| {
                let d = destinations[place];
                up.resize(tree.nca_level(s, d), 0);
                table.up_digits(tree, s, d, &mut up);
                assert_eq!(up, drawn, "{s} -> {d}");
                places.push(place);
            });
            let others = (0..destinations.len()).filter(|place| destinations[*place] != s);
            assert!(others.eq(places));
        }
    }

    #[test]
    fn the_canonical_spec_shows_the_seed() {
        let tree = generate("ft(4,2)").unwrap();
        let canonical =
            |text| super::super::build(text, &tree).map(|routing| routing.spec().to_string());
        assert_eq!(canonical("random").unwrap(), "random(seed=1)");
        assert_eq!(canonical("random(seed=007)").unwrap(), "random(seed=7)");
        for bad in ["random(seed=x)", "random(7)", "random(p=1)", "random(seed=1,seed=2)"] {
            assert!(matches!(canonical(bad), Err(RoutingError::Spec(_))), "{bad}");
        }
    }
}
