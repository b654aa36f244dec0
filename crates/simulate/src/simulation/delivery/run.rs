//! Delivery cycles, one after the other, until every message has arrived.

use super::DeliveryError;
use super::loss::{Loss, LossRule};
use super::messages::{FEWER, MAX_CYCLES, Messages};
use super::network::{Entries, Network, Part, Rules, ordered};
use super::offline::Plan;
use super::outbox::Outbox;
use crate::channel_tree::WireTree;
use crate::prelude::*;
use crate::simulation::Ledger;

/// Number of cycles in a row in which all messages were sent and none arrived, under a rule that
/// loses all of a congested channel, after which a run is ended: the next cycle is the same. RANDOM
/// sends all that often only where its guesses no longer grow.
const HOPELESS: u64 = 2048;

/// Streams of random numbers from here on are for what is not drawn cycle by cycle.
const PASSES: u64 = 1 << 63;

/// Outcome of a run: what was delivered, and when.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Deliveries {
    /// The cycles in which messages arrived, numbered from 1, with the number of messages.
    pub delivered: Vec<(u64, u64)>,
    /// Cycles until the last message arrived; until the end where not all did.
    pub cycles: u64,
    /// Cycles of the algorithm as printed, which may continue when nothing is left to send.
    pub performed: u64,
    /// The counts of the whole run.
    pub ledger: Ledger,
    /// The schedule that was followed, if there is one.
    pub plan: Option<Plan>,
}

impl Deliveries {
    /// Whether every message has arrived.
    #[must_use]
    pub fn is_complete(&self) -> bool {
        self.ledger.waiting() == 0
    }
}

/// Settings of a run.
#[derive(Clone, Copy, Debug)]
pub struct Settings {
    /// Rule for the messages that are lost.
    pub loss: &'static Kind<Loss>,
    /// Seed of all random choices.
    pub seed: u64,
}

/// A run on a network.
pub struct Run<'n> {
    network: &'n mut dyn Network,
    messages: &'n Messages,
    loss: Box<dyn LossRule>,
    streams: Streams,
    progress: &'n Progress,
    outbox: Outbox,
    /// Messages that are sent and that arrive in a cycle.
    parts: Vec<Part>,
    arrived: Vec<Part>,
    /// Cycles up to now in which everything was sent in vain.
    in_vain: u64,
    found: Deliveries,
}

impl<'n> Run<'n> {
    /// Before the first cycle. O(entries + nodes of the network).
    ///
    /// # Errors
    /// [`DeliveryError::UnknownHost`] when an end of a message is not on the network.
    pub fn new(
        network: &'n mut dyn Network,
        messages: &'n Messages,
        settings: Settings,
        progress: &'n Progress,
    ) -> Result<Self, DeliveryError> {
        let entries = ordered(network, messages)?;
        network.prepare(entries.ends);
        let mut found = Deliveries::default();
        found.ledger.inject(messages.total());
        Ok(Self {
            network,
            messages,
            loss: (settings.loss.build.rule)(),
            streams: Streams::new(settings.seed),
            progress,
            outbox: Outbox::new(entries.counts),
            parts: Vec::new(),
            arrived: Vec::new(),
            in_vain: 0,
            found,
        })
    }

    /// Whether nothing is left to send.
    #[must_use]
    pub fn is_done(&self) -> bool {
        self.outbox.total() == 0
    }

    /// The messages that wait.
    #[must_use]
    pub fn outbox(&self) -> &Outbox {
        &self.outbox
    }

    /// All messages of the run, by entry. O(messages·log messages), as entries.
    ///
    /// # Errors
    /// [`DeliveryError::TooLarge`] is not to be expected: they are the messages of the run.
    pub fn ordered(&self) -> Result<Messages, DeliveryError> {
        let Entries { ends, counts } = ordered(&*self.network, self.messages)?;
        Messages::listed(ends.into_iter().zip(counts).map(|((s, d), count)| (s, d, count)))
    }

    /// The tree of the network, if it has ideal concentrators.
    #[must_use]
    pub fn tree(&self) -> Option<&WireTree> {
        self.network.tree()
    }

    /// Progress of the run, in messages.
    #[must_use]
    pub fn progress(&self) -> &'n Progress {
        self.progress
    }

    /// Says what schedule is followed.
    pub fn plan(&mut self, plan: Plan) {
        self.found.plan = Some(plan);
    }

    /// Stream `number` of random numbers for what is drawn before the cycles of a pass.
    #[must_use]
    pub fn stream(&self, number: u64) -> Stream {
        self.streams.at(PASSES | number)
    }

    /// One cycle in which every message that waits is sent.
    ///
    /// # Errors
    /// [`DeliveryError::Hopeless`] when that has been in vain forever.
    pub fn send_all(&mut self) -> Result<(), DeliveryError> {
        self.outbox.all(&mut self.parts);
        let before = self.outbox.total();
        let random = self.random();
        self.cycle(random)?;
        let in_vain = self.loss.loses_all() && before > 0 && self.outbox.total() == before;
        self.in_vain = if in_vain { self.in_vain + 1 } else { 0 };
        if self.in_vain == HOPELESS {
            return Err(DeliveryError::Hopeless { waiting: before });
        }
        Ok(())
    }

    /// `cycles` cycles in each of which every message that waits is sent with probability `p`. When
    /// nothing waits any more, the rest is only counted.
    ///
    /// # Errors
    /// [`DeliveryError`].
    pub fn send_each(&mut self, p: f64, cycles: u64) -> Result<(), DeliveryError> {
        self.in_vain = 0;
        for cycle in 0..cycles {
            if self.is_done() {
                self.count(cycles - cycle);
                break;
            }
            let mut random = self.random();
            self.outbox.subset(p, &mut random, &mut self.parts);
            self.cycle(random)?;
        }
        Ok(())
    }

    /// One cycle in which `parts` are sent, ascending by entry, no more than wait.
    ///
    /// # Errors
    /// [`DeliveryError`].
    pub fn send(&mut self, parts: &[Part]) -> Result<(), DeliveryError> {
        self.in_vain = 0;
        self.parts.clear();
        self.parts.extend_from_slice(parts);
        let random = self.random();
        self.cycle(random)
    }

    /// Counts cycles in which nothing is left to send.
    pub fn count(&mut self, cycles: u64) {
        self.found.performed = self.found.performed.saturating_add(cycles);
    }

    /// The random numbers of the next cycle.
    fn random(&self) -> Stream {
        self.streams.at(self.found.performed)
    }

    /// Sends `self.parts`.
    fn cycle(&mut self, mut random: Stream) -> Result<(), DeliveryError> {
        self.progress.check()?;
        self.arrived.clear();
        if !self.parts.is_empty() {
            let mut rules = Rules { loss: &mut *self.loss, random: &mut random };
            self.network.cycle(&self.parts, &mut rules, &mut self.arrived);
        }
        let delivered = self.outbox.deliver(&self.arrived).ok_or(DeliveryError::Twice)?;
        self.found.performed += 1;
        let sent: u64 = self.parts.iter().map(|part| part.count).sum();
        let lost = sent.checked_sub(delivered).ok_or(DeliveryError::Twice)?;
        self.found.ledger.close(delivered, lost, self.outbox.total())?;
        if delivered > 0 {
            self.found.cycles = self.found.performed;
            let cycles = self.found.delivered.len() as u128 + 1;
            let what = "number of cycles in which messages arrive";
            within(what, Some(cycles), MAX_CYCLES, FEWER)?;
            self.found.delivered.push((self.found.performed, delivered));
            self.progress.inc(delivered);
        }
        Ok(())
    }

    /// Ends the run and returns its outcome.
    #[must_use]
    pub fn end(mut self) -> Deliveries {
        if !self.found.is_complete() {
            self.found.cycles = self.found.performed;
        }
        self.found
    }
}
