//! Conservation: every message that was injected has been delivered or still waits.

/// Counts of a simulation that are checked at the end of every cycle.
///
/// ```
/// # use routebound_simulate as routebound;
/// use routebound::simulation::Ledger;
/// let mut ledger = Ledger::default();
/// ledger.inject(3);
/// // Two messages arrived, the third got lost and waits to be sent again.
/// ledger.close(2, 1, 1)?;
/// // The simulator has forgotten it.
/// assert!(ledger.close(0, 0, 0).is_err());
/// # Ok::<(), routebound::simulation::Imbalance>(())
/// ```
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Ledger {
    cycles: u64,
    injected: u64,
    delivered: u64,
    waiting: u64,
    lost: u64,
}

/// The counts of a simulation do not add up: an error of this program.
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
#[error(
    "internal error: after cycle {cycle} the simulator has {delivered} messages delivered and {waiting} waiting of {injected}; please report it"
)]
pub struct Imbalance {
    /// Number of the cycle, from 1 on.
    pub cycle: u64,
    /// Messages injected up to then.
    pub injected: u64,
    /// Messages delivered up to then.
    pub delivered: u64,
    /// Messages that wait, as the simulator holds them.
    pub waiting: u64,
}

impl Ledger {
    /// Counts messages that enter.
    pub fn inject(&mut self, messages: u64) {
        self.injected = self.injected.saturating_add(messages);
        self.waiting = self.waiting.saturating_add(messages);
    }

    /// Ends a cycle in which messages were `delivered` and others `lost`, to be sent again.
    /// `waiting` is the number of undelivered messages that the simulator holds now, in flight or
    /// lost: it must be counted, not derived.
    ///
    /// # Errors
    /// [`Imbalance`] when injected ≠ delivered + waiting.
    pub fn close(&mut self, delivered: u64, lost: u64, waiting: u64) -> Result<(), Imbalance> {
        self.cycles += 1;
        self.delivered = self.delivered.saturating_add(delivered);
        self.lost = self.lost.saturating_add(lost);
        self.waiting = waiting;
        if self.delivered.checked_add(waiting) == Some(self.injected) {
            return Ok(());
        }
        let Self { cycles: cycle, injected, delivered, .. } = *self;
        Err(Imbalance { cycle, injected, delivered, waiting })
    }

    /// Cycles that have ended.
    #[must_use]
    pub fn cycles(&self) -> u64 {
        self.cycles
    }

    /// Messages that have entered.
    #[must_use]
    pub fn injected(&self) -> u64 {
        self.injected
    }

    /// Messages that have arrived.
    #[must_use]
    pub fn delivered(&self) -> u64 {
        self.delivered
    }

    /// Messages that have entered and not arrived.
    #[must_use]
    pub fn waiting(&self) -> u64 {
        self.waiting
    }

    /// Number of losses, after each of which the message is sent again.
    #[must_use]
    pub fn lost(&self) -> u64 {
        self.lost
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn what_is_missing_or_too_much_is_an_error() {
        let mut ledger = Ledger::default();
        ledger.inject(5);
        assert_eq!(ledger.close(2, 3, 3), Ok(()));
        ledger.inject(1);
        assert_eq!(ledger.waiting(), 4);
        for (delivered, waiting) in [(1, 2), (1, 4), (0, 3), (u64::MAX, 3)] {
            let refused = ledger.clone().close(delivered, 0, waiting).unwrap_err();
            assert_eq!((refused.cycle, refused.injected, refused.waiting), (2, 6, waiting));
        }
        assert_eq!(ledger.close(4, 0, 0), Ok(()));
        assert_eq!((ledger.cycles(), ledger.delivered(), ledger.lost()), (2, 6, 3));
    }
}
