//! The top switches that a permutation takes by configurations, beside what \[NB\] V says about them.

use serde::Serialize;

use super::numbering::Numbering;
use super::worst::most_configurations;
use crate::integer::ceil_root;
use crate::rational::Rational;

/// Configurations and top switches of one permutation, and the bounds of the paper.
#[derive(Clone, Debug, PartialEq, Eq, Serialize)]
pub struct SwitchUse {
    /// Hosts per switch.
    pub n: u32,
    /// Digits of a switch number.
    pub c: u32,
    /// Configurations of the source switch that needs most.
    pub configurations: u64,
    /// Top switches in them: (c+1)·n of each.
    pub top_switches: u64,
    /// n², what deterministic routing needs where r > 2n (\[NB\] Theorem 2).
    pub square: u64,
    /// (c+1)/(c+2)·n², "at most" what the algorithm needs.
    pub fraction: Rational,
    /// (c+1)·n·T(n) by the printed recurrence of Theorem 5, T(X) = 1 + T(X − ⌈X^(1/(2(c+1)))⌉).
    pub printed: u64,
    /// Number of top switches with the true exponent 1/(c+1) of Lemma 6.
    pub sharpened: u64,
    /// (c+1)·n times [`most_configurations`], which no choice of largest sets exceeds.
    pub most: u64,
}

impl SwitchUse {
    /// The use by a permutation of the given number of configurations.
    #[must_use]
    pub fn new(numbering: Numbering, configurations: u64) -> Self {
        let (n, c) = (numbering.n(), numbering.c());
        let one = numbering.per_configuration();
        let square = u64::from(n).pow(2);
        Self {
            n,
            c,
            configurations,
            top_switches: configurations * one,
            square,
            fraction: fraction(square, c),
            printed: one * by_recurrence(n, 2 * (c + 1)),
            sharpened: one * by_recurrence(n, c + 1),
            most: one * most_configurations(numbering, n),
        }
    }

    /// Two lines for people: what is used, and the bounds.
    #[must_use]
    pub fn lines(&self) -> [String; 2] {
        let Self {
            configurations, top_switches, square, fraction, printed, sharpened, most, ..
        } = self;
        let one = self.top_switches.checked_div(*configurations);
        let of = one.map_or_else(String::new, |one| format!(" of {one} top switches"));
        [
            format!("{configurations}{of}, {top_switches} together"),
            format!(
                "n^2 = {square}, (c+1)/(c+2) n^2 = {fraction}, Theorem 5 by its recurrence \
                 {printed}, with exponent 1/(c+1) {sharpened}, at most {most} whatever is chosen"
            ),
        ]
    }
}

/// (c+1)/(c+2)·n².
fn fraction(square: u64, c: u32) -> Rational {
    Rational::new(square * (u64::from(c) + 1), u64::from(c) + 2).expect("c + 2 is not 0")
}

/// T(n) of T(X) = 1 + T(X − ⌈X^(1/degree)⌉), T(0) = 0. O(n).
fn by_recurrence(n: u32, degree: u32) -> u64 {
    let (mut left, mut count) = (u64::from(n), 0);
    while left > 0 {
        left -= ceil_root(left, degree);
        count += 1;
    }
    count
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn by_hand() {
        // Square roots: 9 - 3 - 3 - 2 - 1. Fourth roots: 9 - 2 - 2 - 2 - 2 - 1.
        assert_eq!((by_recurrence(9, 2), by_recurrence(9, 4)), (4, 5));
        let used = SwitchUse::new(Numbering::with_digits(9, 1), 2);
        assert_eq!(
            (used.top_switches, used.square, used.printed, used.sharpened),
            (36, 81, 90, 72)
        );
        assert_eq!(used.fraction.to_string(), "54");
        assert_eq!(used.lines()[0], "2 of 18 top switches, 36 together");
    }
}
