//! Numbers that statements know to exist.

use crate::rational::Rational;

/// A fraction whose denominator is not 0.
pub(crate) fn fraction(numerator: u64, denominator: u64) -> Rational {
    Rational::new(numerator, denominator).expect("the denominator is not 0")
}

/// A number of wires or messages, none of which is divided.
pub(crate) fn whole(number: &Rational) -> u64 {
    number.scaled(1).expect("wires and messages are whole numbers")
}
