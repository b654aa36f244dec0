//! Traces: messages of hosts with their times.

use crate::prelude::*;

/// Maximum number of messages of a trace: 400 MB.
pub const MAX_MESSAGES: u64 = 1 << 24;
/// Maximum number of bytes of a message: 64 GiB. All messages of a trace together have at most 2^60.
pub const MAX_BYTES: u64 = 1 << 36;
/// Maximum time in nanoseconds, 104 days: floats count them exactly.
pub const MAX_TIME: u64 = (1 << 53) - 1;

/// Bytes that one host sends to another.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub struct Message {
    /// The host that sends.
    pub s: Host,
    /// The host that receives, a different one.
    pub d: Host,
    /// Number of bytes, 1 to [`MAX_BYTES`].
    pub bytes: u64,
}

/// Messages among hosts, each with the time in nanoseconds from which on it can be sent. Times do not
/// decrease; messages of the same time are in the order given.
///
/// ```
/// # use routebound_simulate as routebound;
/// use routebound::simulation::workload::{Message, Trace};
/// let trace = Trace::new(4, [(0, Message { s: 0, d: 3, bytes: 8192 })])?;
/// assert_eq!((trace.len(), trace.bytes(), trace.end()), (1, 8192, 0));
/// # Ok::<(), routebound::simulation::workload::TraceError>(())
/// ```
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Trace {
    hosts: usize,
    messages: Vec<(u64, Message)>,
}

/// Why there is no such trace.
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
#[non_exhaustive]
#[expect(missing_docs, reason = "the message is the documentation")]
pub enum TraceError {
    #[error(
        "time {time} ns is before that of the message before, {before} ns: sort the messages by time"
    )]
    Backwards { time: u64, before: u64 },
    #[error("host {host} sends to itself: remove the message, it never enters the network")]
    ToItself { host: Host },
    #[error("a message of 0 bytes: give every message at least 1 byte, or remove it")]
    NoBytes,
    #[error("there is no host {found}; hosts are numbered 0 to {last}", last = .hosts.saturating_sub(1))]
    NoHost { found: Host, hosts: usize },
    #[error(
        "times cannot be divided by {factor}: give a positive factor whose numerator and denominator are below 2^64"
    )]
    Factor { factor: String },
    #[error("{0}")]
    TooLarge(#[from] TooLarge),
}

impl Trace {
    /// A trace among `hosts` hosts. O(messages).
    ///
    /// # Errors
    /// [`TraceError`], for the first message that does not fit.
    pub fn new(
        hosts: usize,
        messages: impl IntoIterator<Item = (u64, Message)>,
    ) -> Result<Self, TraceError> {
        let mut trace = Self::empty(hosts);
        for (time, message) in messages {
            trace.push(time, message)?;
        }
        Ok(trace)
    }

    /// The trace of no messages among `hosts` hosts.
    ///
    /// ```
    /// # use routebound_simulate as routebound;
    /// assert!(routebound::simulation::workload::Trace::empty(2).is_empty());
    /// ```
    #[must_use]
    pub fn empty(hosts: usize) -> Self {
        Self { hosts, messages: Vec::new() }
    }

    /// Appends a message that can be sent from `time` on, in ns.
    ///
    /// # Errors
    /// [`TraceError`]; the trace is then as it was.
    ///
    /// ```
    /// # use routebound_simulate as routebound;
    /// use routebound::simulation::workload::{Message, Trace};
    /// let (mut trace, message) = (Trace::empty(2), Message { s: 1, d: 0, bytes: 64 });
    /// trace.push(7, message)?;
    /// let error = trace.push(5, message).err().ok_or("not refused")?;
    /// assert!(error.to_string().starts_with("time 5 ns is before that of the message before, 7 ns"));
    /// # Ok::<(), Box<dyn std::error::Error>>(())
    /// ```
    pub fn push(&mut self, time: u64, message: Message) -> Result<(), TraceError> {
        let Message { s, d, bytes } = message;
        check_count(self.messages.len() as u128 + 1)?;
        if let Some(host) = [s, d].into_iter().find(|host| *host as usize >= self.hosts) {
            return Err(TraceError::NoHost { found: host, hosts: self.hosts });
        }
        if s == d {
            return Err(TraceError::ToItself { host: s });
        }
        if bytes == 0 {
            return Err(TraceError::NoBytes);
        }
        within("number of bytes of a message", Some(bytes.into()), MAX_BYTES, "split the message")?;
        check_time(Some(time.into()))?;
        if let Some((before, _)) = self.messages.last().filter(|(before, _)| *before > time) {
            return Err(TraceError::Backwards { time, before: *before });
        }
        self.messages.push((time, message));
        Ok(())
    }

    /// Number of hosts, those that neither send nor receive included.
    #[must_use]
    pub fn hosts(&self) -> usize {
        self.hosts
    }

    /// Times in ns and messages, in order.
    #[must_use]
    pub fn messages(&self) -> &[(u64, Message)] {
        &self.messages
    }

    /// Number of messages.
    #[must_use]
    pub fn len(&self) -> usize {
        self.messages.len()
    }

    /// Whether there are no messages.
    #[must_use]
    pub fn is_empty(&self) -> bool {
        self.messages.is_empty()
    }

    /// Bytes of all messages, at most 2^60. O(messages).
    #[must_use]
    pub fn bytes(&self) -> u64 {
        self.messages.iter().map(|(_, message)| message.bytes).sum()
    }

    /// Time of the last message in ns, 0 without messages.
    #[must_use]
    pub fn end(&self) -> u64 {
        self.messages.last().map_or(0, |(time, _)| *time)
    }

    /// This trace with all times divided by `factor` and rounded down: \[GO\] 5.2.2 applies
    /// "different time compression factors to the traces", 1, 5 and 10, since faster devices send
    /// heavier traffic than those that were traced. A factor below 1 stretches. O(messages).
    ///
    /// # Errors
    /// [`TraceError::Factor`] for 0 and for factors of large numerators or denominators,
    /// [`TraceError::TooLarge`] for times that exceed [`MAX_TIME`].
    ///
    /// ```
    /// # use routebound_simulate as routebound;
    /// use routebound::simulation::workload::{Message, Trace};
    /// let message = Message { s: 0, d: 1, bytes: 1 };
    /// let trace = Trace::new(2, [(0, message), (9, message), (10, message)])?;
    /// let times = |trace: Trace| trace.messages().iter().map(|(time, _)| *time).collect::<Vec<_>>();
    /// assert_eq!(times(trace.compressed(&5.into())?), [0, 1, 2]);
    /// assert_eq!(times(trace.compressed(&"2/5".parse()?)?), [0, 22, 25]);
    /// # Ok::<(), Box<dyn std::error::Error>>(())
    /// ```
    pub fn compressed(&self, factor: &Rational) -> Result<Self, TraceError> {
        let parts = (u64::try_from(factor.numerator()), u64::try_from(factor.denominator()));
        let (Ok(numerator @ 1..), Ok(denominator)) = parts else {
            return Err(TraceError::Factor { factor: factor.to_string() });
        };
        let divided =
            |time: u64| u128::from(time) * u128::from(denominator) / u128::from(numerator);
        // Times keep their order: the last is the largest.
        check_time(Some(divided(self.end())))?;
        let messages = self.messages.iter();
        let messages =
            messages.map(|(time, message)| Ok((check_time(Some(divided(*time)))?, *message)));
        let messages = messages.collect::<Result<Vec<_>, TooLarge>>()?;
        Ok(Self { hosts: self.hosts, messages })
    }
}

/// Refuses too many messages.
pub(super) fn check_count(count: u128) -> Result<usize, TooLarge> {
    let remedy = "send fewer messages, or part of the trace";
    within("number of messages of a trace", Some(count), MAX_MESSAGES, remedy).map(as_size)
}

/// A time in ns, if it is within the limit.
fn check_time(time: Option<u128>) -> Result<u64, TooLarge> {
    let remedy = "let the trace begin at 0, or compress it";
    within("time of a message in ns", time, MAX_TIME, remedy)
}

#[cfg(test)]
mod tests {
    use super::*;

    const MESSAGE: Message = Message { s: 0, d: 1, bytes: 1 };

    fn refused(time: u64, message: Message) -> TraceError {
        Trace::new(2, [(5, MESSAGE), (time, message)]).unwrap_err()
    }

    #[test]
    fn what_does_not_fit_is_refused() {
        assert_eq!(refused(4, MESSAGE), TraceError::Backwards { time: 4, before: 5 });
        assert_eq!(refused(6, Message { d: 0, ..MESSAGE }), TraceError::ToItself { host: 0 });
        assert_eq!(refused(6, Message { bytes: 0, ..MESSAGE }), TraceError::NoBytes);
        let unknown = TraceError::NoHost { found: 2, hosts: 2 };
        assert_eq!(refused(6, Message { d: 2, ..MESSAGE }), unknown);
        assert_eq!(refused(6, Message { s: 2, ..MESSAGE }), unknown);
        let large = Message { bytes: MAX_BYTES + 1, ..MESSAGE };
        assert!(matches!(refused(6, large), TraceError::TooLarge(_)));
        assert!(matches!(refused(MAX_TIME + 1, MESSAGE), TraceError::TooLarge(_)));
        let largest = Message { bytes: MAX_BYTES, ..MESSAGE };
        assert_eq!(Trace::new(2, [(MAX_TIME, largest)]).unwrap().end(), MAX_TIME);
        assert!(check_count(u128::from(MAX_MESSAGES) + 1).is_err());
        assert_eq!(check_count(u128::from(MAX_MESSAGES)), Ok(1 << 24));
    }

    #[test]
    fn the_same_time_is_no_step_back() {
        let trace = Trace::new(2, [(5, MESSAGE), (5, Message { s: 1, d: 0, bytes: 3 })]).unwrap();
        assert_eq!((trace.len(), trace.bytes(), trace.hosts()), (2, 4, 2));
    }

    #[test]
    fn compressed_times_are_exact() {
        let trace = Trace::new(2, [(1, MESSAGE), (MAX_TIME, MESSAGE)]).unwrap();
        let times = |factor: &str| {
            let trace = trace.compressed(&factor.parse().unwrap());
            trace.map(|trace| trace.messages().iter().map(|(time, _)| *time).collect::<Vec<_>>())
        };
        assert_eq!(times("1").unwrap(), [1, MAX_TIME]);
        assert_eq!(times("10").unwrap(), [0, 900_719_925_474_099]);
        // 2^64 − 2048 and 2^64 + 2^53 − 2049 over 2^64 − 1.
        assert_eq!(times("18446744073709551615/2048").unwrap(), [0, 0]);
        assert_eq!(times("18446744073709551615/2049").unwrap(), [0, 1]);
        assert!(matches!(times("1/2"), Err(TraceError::TooLarge(_))));
        assert!(matches!(times("0"), Err(TraceError::Factor { .. })));
        assert!(matches!(times("18446744073709551616"), Err(TraceError::Factor { .. })));
    }
}
