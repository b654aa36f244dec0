//! Slim Fly: the graphs of McKay, Miller and Širáň, of diameter 2 (Besta and Hoefler, SC 2014; Hafner, J. Algebra 271,
//! 2004).
//!
//! q is a power of a prime and q = 4w + δ with δ in {−1, 0, 1}. The 2q² switches are (0,x,y) and (1,m,c) with x, y, m,
//! c in GF(q). With ξ a primitive element,
//!
//! - (0,x,y) and (0,x,y') are joined if y − y' is in X,
//! - (1,m,c) and (1,m,c') are joined if c − c' is in X',
//! - (0,x,y) and (1,m,c) are joined if y = m·x + c,
//!
//! where X has the even powers of ξ and X' the odd ones: ξ⁰, ξ², …, ξ^{q−3} and ξ, ξ³, …, ξ^{q−2} for δ = 1; to ξ^{q−2}
//! and ξ^{q−1} = 1 for δ = 0; ±ξ⁰, ±ξ², …, ±ξ^{2w−2} and ±ξ, ±ξ³, …, ±ξ^{2w−1} for δ = −1. A switch has k' = (3q − δ)/2
//! cables to others. The paper gives it p = ⌈k'/2⌉ hosts, the default; 0 makes hosts of the switches
//! ([`direct`](super::direct)). Numbers in names are those of the elements ([`galois`](super::galois)).

use super::direct::{Direct, check_size, label};
use super::galois::{Field, Options};
use super::prelude::*;

pub(super) const KIND: Kind<super::Family> = Kind {
    name: "slimfly",
    usage: "slimfly(q,p=P)",
    about: "MMS graph of 2q^2 switches, diameter 2, q a prime power of at least 3; p hosts per switch, by default \
            half as many as cables to switches",
    reference: "Besta and Hoefler, Slim Fly, SC 2014",
    examples: &["slimfly(3,p=1)", "slimfly(3,p=0)"],
    build: super::Family { construction: Construction::WrittenOut(build), members: |_| Vec::new() },
};

fn build(spec: &Spec) -> Result<Topology, TopologyError> {
    let Options { q, p } = spec.read()?;
    let degree = match q % 4 {
        1 => (3 * u128::from(q) - 1) / 2,
        _ => (3 * u128::from(q)).div_ceil(2),
    };
    let squared = u128::from(q).checked_mul(q.into());
    let switches = squared.and_then(|squared| squared.checked_mul(2));
    let cables = squared.and_then(|squared| squared.checked_mul(degree));
    check_size(switches, p.unwrap_or_default(), cables)?;
    // With the size that was checked, the degree is small.
    let hosts = p.unwrap_or_else(|| u64::try_from(degree.div_ceil(2)).unwrap_or(u64::MAX));
    check_size(switches, hosts, cables)?;
    let q = as_size(q);
    let field = Field::new(spec, q)?;
    if q == 2 {
        return Err(spec.refused("q = 2 is none of 4w-1, 4w and 4w+1: choose 3 or more").into());
    }
    let switches = |part: usize| {
        (0..q * q).map(move |switch| label(&[part, switch / q, switch % q])).collect::<Vec<_>>()
    };
    let labels = [switches(0), switches(1)].concat();
    Direct::new(labels, cables_of(&field, q)).with_hosts(spec, hosts)
}

/// X and X'.
fn connection_sets(field: &Field, q: usize) -> [Vec<usize>; 2] {
    [0, 1].map(|odd| {
        let powers = |count: usize| (0..count).map(move |at| field.power(2 * at + odd));
        match q % 4 {
            3 => powers(q.div_ceil(4)).flat_map(|power| [power, field.negative(power)]).collect(),
            _ => powers(q / 2).collect(),
        }
    })
}

fn cables_of(field: &Field, q: usize) -> Vec<(usize, usize)> {
    let mut cables = Vec::new();
    for (part, set) in connection_sets(field, q).iter().enumerate() {
        for row in 0..q {
            let number = |y: usize| (part * q + row) * q + y;
            for y in 0..q {
                let next = set.iter().map(|difference| field.add(y, *difference));
                cables.extend(next.filter(|next| y < *next).map(|next| (number(y), number(next))));
            }
        }
    }
    for x in 0..q {
        for m in 0..q {
            let product = field.multiply(m, x);
            let y = |c| field.add(product, c);
            cables.extend((0..q).map(|c| (x * q + y(c), (q + m) * q + c)));
        }
    }
    cables
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::topology::facts::{Facts, assert_refused};
    use crate::topology::generate;

    /// Of every δ, for primes and powers: 2q² switches of k' = (3q − δ)/2 cables, diameter 2.
    #[test]
    fn counts_and_diameters_are_those_of_the_paper() {
        for (q, degree) in [(3, 5), (4, 6), (5, 7), (7, 11), (8, 12), (9, 13), (11, 17), (13, 19)] {
            let facts = Facts::of_switches(&format!("slimfly({q})"));
            assert_eq!((facts.nodes(), facts.cables()), (2 * q * q, q * q * degree), "{q}");
            assert_eq!((facts.degrees(), facts.diameter()), ([degree].into(), Some(2)), "{q}");
            assert!(facts.is_simple(), "{q}");
            assert_eq!(facts.hosts, 2 * q * q * degree.div_ceil(2), "{q}");
        }
        // II.B: q = 19 with k' = 29 and p = 15 has 722 switches and 10830 hosts, and is the network of the evaluation.
        let large = generate("slimfly(19)").unwrap();
        assert_eq!((large.hosts(), large.nodes() - large.hosts()), (10_830, 722));
    }

    /// II.B prints ξ = 2, X = {1, 4} and X' = {2, 3} for q = 5.
    #[test]
    fn the_example_of_the_paper_is_reproduced() {
        let spec = Spec::parse("slimfly(5)").unwrap().checked(KIND.usage).unwrap();
        let field = Field::new(&spec, 5).unwrap();
        assert_eq!(field.power(1), 2);
        assert_eq!(connection_sets(&field, 5), [vec![1, 4], vec![2, 3]]);
    }

    /// q = 5 is the graph of Hoffman and Singleton, of degree 7, girth 5 and 252000 automorphisms.
    #[test]
    fn automorphisms_are_counted() {
        assert_eq!(Facts::of_switches("slimfly(5)").automorphisms(), 252_000);
        assert_eq!(Facts::of_switches("slimfly(4,p=0)").automorphisms(), 1920);
        assert_eq!(Facts::of_switches("slimfly(3)").automorphisms(), 216);
    }

    #[test]
    fn refuses_what_does_not_fit() {
        assert_refused(&[
            ("slimfly", "takes 1 number, 0 given"),
            ("slimfly(0)", "q = 0 is not a power of a prime: choose 2"),
            ("slimfly(2)", "q = 2 is none of 4w-1, 4w and 4w+1: choose 3 or more"),
            ("slimfly(6)", "q = 6 is not a power of a prime: choose 5 or 7"),
            ("slimfly(15)", "q = 15 is not a power of a prime: choose 13 or 16"),
            ("slimfly(113)", "number of links is"),
            ("slimfly(18446744073709551615)", "number of links is"),
            ("slimfly(5,p=18446744073709551615)", "number of links is"),
            ("slimfly(5,p=-1)", "`p=-1` is not an integer"),
            ("slimfly(5,hosts=1)", "unknown option `hosts`"),
        ]);
    }
}
