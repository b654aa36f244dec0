//! PolarFly: the Erdős–Rényi polarity graph of the projective plane PG(2,q), of diameter 2 (Lakhotia et al., SC
//! 2022).
//!
//! Switches are the q² + q + 1 points of PG(2,q), for a power q of a prime: vectors over GF(q) whose first coordinate
//! that is not 0 is 1. Two are joined if their dot product is 0. The q + 1 points that are orthogonal to themselves,
//! *quadrics*, would have a loop, which is left out: they have q cables, all others q + 1. That makes q(q+1)²/2. The
//! evaluation of the paper gives a switch half as many hosts as cables, (q+1)/2, the default, rounded up; 0 makes hosts
//! of the switches ([`direct`](super::direct)). Numbers in names are those of the elements ([`galois`](super::galois)).

use super::direct::{Direct, check_size, label};
use super::galois::{Field, Options};
use super::prelude::*;

pub(super) const KIND: Kind<super::Family> = Kind {
    name: "polarfly",
    usage: "polarfly(q,p=P)",
    about: "points of the projective plane over GF(q), joined if orthogonal, diameter 2, q a prime power; p hosts per \
            switch, by default half as many as cables to switches",
    reference: "Lakhotia et al., PolarFly, SC 2022",
    examples: &["polarfly(2,p=1)", "polarfly(2,p=0)"],
    build: super::Family { construction: Construction::WrittenOut(build), members: |_| Vec::new() },
};

fn build(spec: &Spec) -> Result<Topology, TopologyError> {
    let Options { q, p } = spec.read()?;
    let (wide, hosts) =
        (u128::from(q), p.unwrap_or(q.div_ceil(2) + u64::from(q.is_multiple_of(2))));
    let squared = wide.checked_mul(wide + 1);
    let switches = squared.and_then(|squared| squared.checked_add(1));
    let cables = squared.and_then(|squared| squared.checked_mul(wide + 1)).map(|ends| ends / 2);
    check_size(switches, hosts, cables)?;
    let q = as_size(q);
    let field = Field::new(spec, q)?;
    let points = 0..=q * q + q;
    let labels = points.clone().map(|number| label(&point(number, q))).collect();
    let mut cables = Vec::new();
    for number in points {
        let mut further = orthogonal(&field, q, point(number, q));
        further.retain(|other| number < *other);
        further.sort_unstable();
        cables.extend(further.into_iter().map(|other| (number, other)));
    }
    Direct::new(labels, cables).with_hosts(spec, hosts)
}

/// Points in their order: (1,y,z), then (0,1,z), then (0,0,1).
fn point(number: usize, q: usize) -> [usize; 3] {
    match number.checked_sub(q * q) {
        None => [1, number / q, number % q],
        Some(z) if z < q => [0, 1, z],
        Some(_) => [0, 0, 1],
    }
}

/// The number of a point.
fn number([x, y, z]: [usize; 3], q: usize) -> usize {
    match (x, y) {
        (0, 0) => q * q + q,
        (0, _) => q * q + z,
        _ => y * q + z,
    }
}

/// The q + 1 points that are orthogonal to one.
fn orthogonal(field: &Field, q: usize, [a, b, c]: [usize; 3]) -> Vec<usize> {
    let quotient = |dividend, divisor| field.negative(field.divide(dividend, divisor));
    let points: Vec<[usize; 3]> = match (b, c) {
        (0, 0) => (0..q).map(|z| [0, 1, z]).chain([[0, 0, 1]]).collect(),
        (_, 0) => (0..q).map(|z| [1, quotient(a, b), z]).chain([[0, 0, 1]]).collect(),
        _ => {
            let sum = |y| field.add(a, field.multiply(b, y));
            let first = (0..q).map(|y| [1, y, quotient(sum(y), c)]);
            first.chain([[0, 1, quotient(b, c)]]).collect()
        }
    };
    points.into_iter().map(|point| number(point, q)).collect()
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::topology::facts::{Facts, assert_refused};
    use crate::topology::generate;

    #[test]
    fn counts_and_diameters_are_those_of_the_paper() {
        for q in [2, 3, 4, 5, 7, 8, 9, 11] {
            let facts = Facts::of_switches(&format!("polarfly({q})"));
            assert_eq!(facts.nodes(), q * q + q + 1, "{q}");
            assert_eq!(facts.cables(), q * (q + 1) * (q + 1) / 2, "{q}");
            assert_eq!((facts.degrees(), facts.diameter()), ([q, q + 1].into(), Some(2)), "{q}");
            assert!(facts.is_simple(), "{q}");
            assert_eq!(facts.hosts, facts.nodes() * (q + 1).div_ceil(2), "{q}");
        }
        // The evaluation: q = 31, radix 32 and 16 hosts a switch, 993 switches.
        let network = generate("polarfly(31)").unwrap();
        assert_eq!((network.nodes() - network.hosts(), network.hosts()), (993, 15_888));
    }

    #[test]
    fn cables_join_orthogonal_points() {
        let spec = Spec::parse("polarfly(9)").unwrap().checked(KIND.usage).unwrap();
        for q in [3, 4, 9] {
            let field = Field::new(&spec, q).unwrap();
            for a in 0..=q * q + q {
                assert_eq!(number(point(a, q), q), a);
                let found = orthogonal(&field, q, point(a, q));
                for b in 0..=q * q + q {
                    let products = point(a, q).into_iter().zip(point(b, q));
                    let products = products.map(|(a, b)| field.multiply(a, b));
                    let product = products.fold(0, |sum, product| field.add(sum, product));
                    assert_eq!(found.contains(&b), product == 0, "{q}: {a} {b}");
                }
            }
        }
    }

    /// Those of the plane that keep the polarity: PΓO(3,q), of order q(q²−1)·e for q = p^e odd. The library's test of
    /// symmetry has q = 9, which is not a prime.
    #[test]
    fn automorphisms_are_those_that_keep_the_polarity() {
        for (q, order) in [(3, 24), (5, 120), (7, 336)] {
            assert_eq!(Facts::of_switches(&format!("polarfly({q})")).automorphisms(), order, "{q}");
        }
    }

    #[test]
    fn refuses_what_does_not_fit() {
        assert_refused(&[
            ("polarfly", "takes 1 number, 0 given"),
            ("polarfly(1)", "q = 1 is not a power of a prime: choose 2"),
            ("polarfly(10)", "q = 10 is not a power of a prime: choose 9 or 11"),
            ("polarfly(157)", "number of links is"),
            ("polarfly(18446744073709551615)", "number of links is"),
            ("polarfly(3,p=x)", "`p=x` is not an integer"),
        ]);
    }
}
