//! Measures of packets as they arrive, by equal parts of the run.

use hdrhistogram::Histogram;

use super::packets::Packet;
use crate::integer::as_size;
use crate::topology::LinkId;

/// Parts of a run that are summed up separately.
pub(super) const PARTS: usize = 40;

/// Latencies are kept to three significant figures.
const FIGURES: u8 = 3;

/// Packets that arrived in a part of the run.
#[derive(Clone, Debug)]
pub(super) struct Part {
    /// Packets that arrived, and that were delivered, in order where that is kept.
    pub(super) counts: [u64; 2],
    /// Flits delivered.
    pub(super) flits: u64,
    /// Cycles in the network, and from when a packet was there to be sent until it was delivered.
    pub(super) network: Histogram<u32>,
    pub(super) total: Histogram<u32>,
    pub(super) sums: [u64; 2],
    /// Packets that came before one of their pair that was sent earlier.
    pub(super) early: u64,
}

impl Default for Part {
    fn default() -> Self {
        let histogram = || Histogram::new(FIGURES).expect("0 to 5 figures are valid");
        let (network, total) = (histogram(), histogram());
        Self { counts: [0; 2], flits: 0, network, total, sums: [0; 2], early: 0 }
    }
}

/// The measures of a run.
#[derive(Clone, Debug)]
pub(super) struct Measures {
    /// Cycles of the run, where they are known.
    cycles: Option<u64>,
    pub(super) parts: Vec<Part>,
    /// From when on the busy cycles of links are counted, and until when.
    from: u64,
    until: u64,
    pub(super) busy: Vec<u64>,
    /// When the last packet was delivered.
    pub(super) last: u64,
    /// Flits delivered to and from each host since `from`.
    pub(super) received: Vec<u64>,
    pub(super) sent: Vec<u64>,
}

impl Measures {
    /// Measures of a run of `cycles` cycles, or of unknown length, over the given numbers of links and
    /// hosts. Links are watched in its second half, or all the time.
    pub(super) fn new(cycles: Option<u64>, links: usize, hosts: usize) -> Self {
        let parts = if cycles.is_some() { PARTS } else { 1 };
        Self {
            cycles,
            parts: vec![Part::default(); parts],
            from: cycles.map_or(0, |cycles| cycles / 2),
            until: cycles.unwrap_or(u64::MAX),
            busy: vec![0; links],
            last: 0,
            received: vec![0; hosts],
            sent: vec![0; hosts],
        }
    }

    fn part(&mut self, now: u64) -> &mut Part {
        let last = self.parts.len() - 1;
        let part = self.cycles.map_or(0, |cycles| now * PARTS as u64 / cycles);
        &mut self.parts[as_size(part).min(last)]
    }

    /// A link carries a packet from `begin` to `end`.
    #[inline]
    pub(super) fn carried(&mut self, link: LinkId, begin: u64, end: u64) {
        let (begin, end) = (begin.max(self.from), end.min(self.until));
        self.busy[link as usize] += end.saturating_sub(begin);
    }

    /// The last flit of a packet is there.
    #[inline]
    pub(super) fn arrived(&mut self, packet: &Packet, is_early: bool, now: u64) {
        let latency = now - packet.injected;
        let part = self.part(now);
        record(&mut part.network, latency);
        part.counts[0] += 1;
        part.sums[0] += latency;
        part.early += u64::from(is_early);
    }

    /// A packet is delivered.
    #[inline]
    pub(super) fn delivered(&mut self, packet: &Packet, now: u64) {
        let (flits, latency) = (u64::from(packet.what.flits), now - packet.what.generated);
        let part = self.part(now);
        part.counts[1] += 1;
        part.flits += flits;
        record(&mut part.total, latency);
        part.sums[1] += latency;
        self.last = now;
        if now >= self.from {
            self.received[packet.what.destination as usize] += flits;
            self.sent[packet.source as usize] += flits;
        }
    }
}

fn record(histogram: &mut Histogram<u32>, latency: u64) {
    histogram.record(latency).expect("it grows to hold any value");
}
