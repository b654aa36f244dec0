//! Finite fields GF(q) of a power q = p^e of a prime.
//!
//! Element number a stands for the polynomial over GF(p) whose coefficients are the digits of a in base p, the lowest
//! first: 0 and 1 are the neutral elements, and for a prime q elements are the integers modulo q. Products are those of
//! polynomials modulo x^e = c, where c is the element of the lowest number for which the powers of x are all elements
//! but 0. So x is a primitive element; for a prime q it is c, the lowest primitive root.

use serde::Deserialize;

use crate::spec::{Spec, SpecError};

/// The options of networks of a field: its size, and the hosts of a switch.
#[derive(Deserialize)]
pub(super) struct Options {
    pub q: u64,
    pub p: Option<u64>,
}

/// GF(q), with the powers of its primitive element in a table.
#[derive(Debug)]
pub(super) struct Field {
    size: usize,
    prime: usize,
    /// x^0, …, x^(q−2).
    powers: Vec<usize>,
    /// The exponents of all elements; that of 0 means nothing.
    exponents: Vec<usize>,
}

impl Field {
    /// GF(q). O(q²·log q) at most.
    ///
    /// # Errors
    /// [`SpecError::BadArguments`] where q is not a power of a prime, with the nearest ones.
    pub fn new(spec: &Spec, q: usize) -> Result<Self, SpecError> {
        let Some(prime) = prime_of(q) else { return Err(spec.refused(no_power(q))) };
        let field = Self { size: q, prime, powers: Vec::new(), exponents: vec![0; q] };
        // Where the last digit of c is 0, x has no inverse, and its powers need not return to 1.
        let inverted = (1..q).filter(|c| !c.is_multiple_of(prime));
        let mut powers = inverted.map(|c| field.powers_of_x(c));
        let complete = powers.find(|powers| powers.len() == q - 1);
        let powers = complete.unwrap_or_default();
        let mut exponents = vec![0; q];
        for (exponent, power) in powers.iter().enumerate() {
            exponents[*power] = exponent;
        }
        Ok(Self { powers, exponents, ..field })
    }

    /// The powers of x, modulo x^e = c, from 1 until one is 1 again, or until there are q − 1.
    fn powers_of_x(&self, c: usize) -> Vec<usize> {
        let mut powers = vec![1];
        while powers.len() < self.size - 1 {
            let last = powers[powers.len() - 1];
            let highest = self.size / self.prime;
            let (top, rest) = (last / highest, last % highest * self.prime);
            let reduced = self.by_digits(c, 0, |digit, _| digit * top);
            let next = self.add(rest, reduced);
            if next <= 1 {
                break;
            }
            powers.push(next);
        }
        powers
    }

    /// The element whose digits are those that `digit` gives, modulo p, for the digits of two.
    fn by_digits(
        &self,
        mut a: usize,
        mut b: usize,
        digit: impl Fn(usize, usize) -> usize,
    ) -> usize {
        let (mut place, mut sum) = (1, 0);
        while place < self.size {
            sum += digit(a % self.prime, b % self.prime) % self.prime * place;
            (a, b, place) = (a / self.prime, b / self.prime, place * self.prime);
        }
        sum
    }

    /// a + b.
    pub fn add(&self, a: usize, b: usize) -> usize {
        self.by_digits(a, b, |a, b| a + b)
    }

    /// −a.
    pub fn negative(&self, a: usize) -> usize {
        self.by_digits(a, 0, |a, _| self.prime - a)
    }

    /// a·b.
    pub fn multiply(&self, a: usize, b: usize) -> usize {
        if a == 0 || b == 0 { 0 } else { self.power(self.exponents[a] + self.exponents[b]) }
    }

    /// a/b, for b ≠ 0.
    pub fn divide(&self, a: usize, b: usize) -> usize {
        self.multiply(a, self.power(self.powers.len() - self.exponents[b]))
    }

    /// The primitive element to an exponent.
    pub fn power(&self, exponent: usize) -> usize {
        self.powers[exponent % self.powers.len()]
    }
}

/// The prime whose power a number is.
fn prime_of(q: usize) -> Option<usize> {
    let prime = (2..=q).find(|divisor| q.is_multiple_of(*divisor))?;
    let mut rest = q;
    while rest.is_multiple_of(prime) {
        rest /= prime;
    }
    (rest == 1).then_some(prime)
}

fn no_power(q: usize) -> String {
    let is_power = |number: &usize| prime_of(*number).is_some();
    let below = (2..q).rev().find(is_power).map(|below| format!("{below} or "));
    // Between a number and its double there is a prime.
    let above = (q + 1..=2 * q + 2).find(is_power).unwrap_or(2);
    format!("q = {q} is not a power of a prime: choose {}{above}", below.unwrap_or_default())
}

#[cfg(test)]
mod tests {
    use super::*;

    fn field(q: usize) -> Result<Field, String> {
        let spec = Spec::parse("slimfly(5)").unwrap().checked("slimfly(q)").unwrap();
        Field::new(&spec, q).map_err(|error| error.to_string())
    }

    #[test]
    fn it_is_a_field() {
        for q in [2, 3, 4, 5, 7, 8, 9, 16, 25, 27] {
            let field = field(q).unwrap();
            let mut powers = field.powers.clone();
            powers.sort_unstable();
            assert_eq!(powers, (1..q).collect::<Vec<_>>(), "{q}");
            for a in 0..q {
                assert_eq!((field.add(a, 0), field.multiply(a, 1)), (a, a), "{q}");
                assert_eq!(field.add(a, field.negative(a)), 0, "{q}: {a}");
                for b in 0..q {
                    assert_eq!(field.add(a, b), field.add(b, a));
                    assert_eq!(field.multiply(a, b), field.multiply(b, a));
                    assert!(b == 0 || field.multiply(field.divide(a, b), b) == a, "{q}: {a}/{b}");
                    for c in 0..q {
                        let apart = field.add(field.multiply(a, c), field.multiply(b, c));
                        assert_eq!(field.multiply(field.add(a, b), c), apart, "{q}: ({a}+{b}){c}");
                    }
                }
            }
        }
    }

    #[test]
    fn primitive_elements_are_the_lowest() {
        let roots = [2, 3, 5, 7, 11, 13, 17].map(|q| field(q).unwrap().power(1));
        assert_eq!(roots, [1, 2, 2, 3, 2, 2, 3]);
        // x² = x + 1 over GF(2), and over GF(3), where x² = 1 and x² = 2 are not enough.
        assert_eq!(field(4).unwrap().powers, [1, 2, 3]);
        assert_eq!(field(9).unwrap().powers[..3], [1, 3, 4]);
    }

    #[test]
    fn what_is_not_a_power_of_a_prime_is_refused() {
        let refused = [(0, "2"), (1, "2"), (6, "5 or 7"), (12, "11 or 13"), (100, "97 or 101")];
        for (q, nearest) in refused {
            let error = field(q).unwrap_err();
            let wanted = format!("q = {q} is not a power of a prime: choose {nearest};");
            assert!(error.contains(&wanted), "{error}");
        }
    }
}
