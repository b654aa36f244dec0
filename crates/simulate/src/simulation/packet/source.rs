//! Sources: what hosts have to send, packet by packet.

use super::packets::Outgoing;
use crate::topology::Host;

/// Answer of a host that is asked for a packet.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Offer {
    /// This one, which it gives away.
    Packet(Outgoing),
    /// No message before that cycle: the source is asked again then.
    From(u64),
    /// No message before something arrives; the source is named when it has one again.
    Nothing,
}

/// The hosts of a run, as senders. A host is asked for its next packet when the one before has entered the
/// network.
pub trait Source {
    /// The next packet of a host in cycle `now`.
    fn offer(&mut self, host: Host, now: u64) -> Offer;

    /// A packet from `source` was delivered, in order where that is kept. Names hosts that may have
    /// something to send again.
    fn delivered(&mut self, source: Host, packet: &Outgoing, now: u64, awake: &mut Vec<Host>);
}
