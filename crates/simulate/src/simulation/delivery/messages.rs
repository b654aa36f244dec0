//! Sets of messages: how many go from which host to which, in columns.

use super::DeliveryError;
use crate::limit::within;
use crate::topology::Host;
use crate::traffic::{Demand, TrafficView};

/// Maximum number of pairs of hosts with messages: some 500 MB while they are sent.
pub const MAX_PAIRS: u64 = 1 << 24;

/// Maximum number of messages of a set, so that counts of counts fit in 64 bits.
pub const MAX_MESSAGES: u64 = 1 << 50;

/// Maximum number of cycles of a run in which messages arrive: 1 GB.
pub const MAX_CYCLES: u64 = 1 << 26;

/// Messages with their multiplicities. One entry per pair as given: a pair may occur again.
///
/// ```
/// # use routebound_simulate as routebound;
/// use routebound::simulation::delivery::Messages;
/// use routebound::traffic;
/// let messages = Messages::of(&traffic::generate("shift(8)", 16)?.into_demands())?;
/// assert_eq!((messages.pairs(), messages.total()), (16, 16));
/// assert_eq!(messages.times(5)?.total(), 80);
/// # Ok::<(), Box<dyn std::error::Error>>(())
/// ```
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Messages {
    s: Vec<Host>,
    d: Vec<Host>,
    count: Vec<u64>,
    total: u64,
}

impl Messages {
    /// An empty set of messages.
    #[must_use]
    pub fn new() -> Self {
        Self::default()
    }

    /// The messages of a list of entries: source, destination and number of messages.
    ///
    /// # Errors
    /// As [`Self::push`].
    pub fn listed(
        entries: impl IntoIterator<Item = (Host, Host, u64)>,
    ) -> Result<Self, DeliveryError> {
        let mut messages = Self::new();
        for (s, d, count) in entries {
            messages.push(s, d, count)?;
        }
        Ok(messages)
    }

    /// The messages of traffic whose amounts are numbers of messages.
    ///
    /// # Errors
    /// [`DeliveryError::NoMessages`] when an amount is not a whole number, [`DeliveryError::TooLarge`]
    /// above [`MAX_PAIRS`] or [`MAX_MESSAGES`].
    pub fn of<'a>(traffic: impl Into<TrafficView<'a>>) -> Result<Self, DeliveryError> {
        let view = traffic.into();
        within("number of pairs with messages", Some(view.len().into()), MAX_PAIRS, FEWER)?;
        let mut messages = Self::new();
        for Demand { s, d, amount } in view.listed()?.iter() {
            let (s, d) = (*s, *d);
            let none = || DeliveryError::NoMessages { s, d, amount: amount.clone() };
            messages.push(s, d, amount.scaled(1).ok_or_else(none)?)?;
        }
        Ok(messages)
    }

    /// Adds `count` messages from `s` to `d`. Messages of a host to itself take no channel and are
    /// left out, as in traffic.
    ///
    /// # Errors
    /// [`DeliveryError::TooLarge`] above [`MAX_PAIRS`] or [`MAX_MESSAGES`].
    #[inline]
    pub fn push(&mut self, s: Host, d: Host, count: u64) -> Result<(), DeliveryError> {
        if s == d || count == 0 {
            return Ok(());
        }
        let total = u128::from(self.total) + u128::from(count);
        self.total = within("number of messages", Some(total), MAX_MESSAGES, FEWER)?;
        let pairs = self.s.len() as u128 + 1;
        within("number of pairs with messages", Some(pairs), MAX_PAIRS, FEWER)?;
        self.s.push(s);
        self.d.push(d);
        self.count.push(count);
        Ok(())
    }

    /// These messages, each `times` times.
    ///
    /// # Errors
    /// [`DeliveryError::TooLarge`] above [`MAX_MESSAGES`].
    pub fn times(mut self, times: u64) -> Result<Self, DeliveryError> {
        if times == 0 {
            return Ok(Self::new());
        }
        let total = u128::from(self.total) * u128::from(times);
        self.total = within("number of messages", Some(total), MAX_MESSAGES, FEWER)?;
        self.count.iter_mut().for_each(|count| *count *= times);
        Ok(self)
    }

    /// Number of pairs with messages, with repetitions.
    #[must_use]
    pub fn pairs(&self) -> usize {
        self.s.len()
    }

    /// Number of messages.
    #[must_use]
    pub fn total(&self) -> u64 {
        self.total
    }

    /// Whether there are none.
    #[must_use]
    pub fn is_empty(&self) -> bool {
        self.total == 0
    }

    /// Source, destination and number of messages of every entry.
    #[must_use]
    pub fn iter(&self) -> impl ExactSizeIterator<Item = (Host, Host, u64)> + '_ {
        (0..self.s.len()).map(|at| (self.s[at], self.d[at], self.count[at]))
    }
}

/// The remedy of sets that are too large.
pub(super) const FEWER: &str = "send fewer messages";

#[cfg(test)]
mod tests {
    use super::*;
    use crate::rational::Rational;

    #[test]
    fn multiplicities_add_up() {
        let messages = Messages::listed([(0, 1, 5), (2, 2, 7), (1, 0, 0), (0, 1, 1)]).unwrap();
        assert_eq!((messages.pairs(), messages.total()), (2, 6));
        let many = messages.times(1 << 40).unwrap();
        assert_eq!(many.iter().next(), Some((0, 1, 5 << 40)));
        assert!(matches!(many.clone().times(1 << 20), Err(DeliveryError::TooLarge(_))));
        assert!(many.times(0).unwrap().is_empty());
    }

    #[test]
    fn halves_of_messages_are_refused() {
        let half = [Demand { s: 0, d: 1, amount: Rational::new(1, 2).unwrap() }];
        let refused = Messages::of(&half).unwrap_err();
        assert!(matches!(refused, DeliveryError::NoMessages { s: 0, d: 1, .. }));
    }
}
