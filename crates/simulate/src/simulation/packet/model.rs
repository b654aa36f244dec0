//! The model of switches, links and adapters: every figure is an option.

use serde::{Serialize, Serializer};

use super::SimulationError;
use crate::integer::rounded;
use crate::rational::Rational;

/// The figures of a switch, its links and the adapters of hosts. Times are cycles: in one cycle a link
/// of capacity 1 carries a flit.
#[derive(Clone, Debug, PartialEq, Eq, Serialize)]
pub struct Model {
    /// Name of the preset that it began as.
    pub preset: &'static str,
    /// Cycles from the arrival of a header at a switch until its output is known.
    pub routing: u32,
    /// Cycles that a header takes through the crossbar.
    pub crossbar: u32,
    /// Cycles that a flit or a credit flies along a cable.
    pub fly: u32,
    /// Packets that the queue of an input port holds.
    pub input_queue: u32,
    /// Packets that the queue of an output port holds.
    pub output_queue: u32,
    /// Bytes of a flit.
    pub flit_bytes: u32,
    /// Maximum number of bytes of a packet; longer messages are cut.
    pub packet_bytes: u32,
    /// Nanoseconds of a cycle: what relates traces to cycles.
    #[serde(serialize_with = "as_float")]
    pub cycle_ns: Rational,
    /// Whether the messages of a host take turns, packet by packet, or follow each other.
    pub interleaved: bool,
    /// Whether a switch has one queue without limit for each output, which takes from all inputs at the
    /// same time: no packet ever waits for another one but for that of a link.
    #[serde(skip)]
    pub output_queued: bool,
}

fn as_float<S: Serializer>(ratio: &Rational, serializer: S) -> Result<S::Ok, S::Error> {
    serializer.serialize_f64(ratio.to_nearest_f64())
}

/// Maximum number of packets of a queue.
pub const MAX_QUEUE: u32 = 1 << 20;

/// Maximum number of flits of a packet.
pub const MAX_FLITS: u32 = 1 << 24;

/// Maximum number of cycles of any latency.
pub const MAX_LATENCY: u32 = 1 << 20;

impl Model {
    /// The switch of \[GO\] 5.1: 20 cycles of routing, a flit per cycle through switch and link, 8 cycles
    /// of fly time, two packets per queue, packets of 8 KB. The paper does not say how large a flit is;
    /// links of Myrinet, which it models, are one byte wide and carry 160 MB/s, so a cycle is 6.25 ns.
    ///
    /// # Panics
    /// Never: 25/4 is a ratio.
    #[must_use]
    pub fn go() -> Self {
        Self {
            preset: "go",
            routing: 20,
            crossbar: 1,
            fly: 8,
            input_queue: 2,
            output_queue: 2,
            flit_bytes: 1,
            packet_bytes: 8192,
            cycle_ns: Rational::new(25, 4).unwrap_or(Rational::ONE),
            interleaved: false,
            output_queued: false,
        }
    }

    /// The switch of \[RO\] VI.B: links of 2 Gbit/s, flits of 8 bytes, so that a cycle is 32 ns, and
    /// segments of 1 KB; messages of a host take turns. The paper names neither queue sizes nor latencies: those are of [`Self::go`].
    #[must_use]
    pub fn ro() -> Self {
        Self {
            preset: "ro",
            flit_bytes: 8,
            packet_bytes: 1024,
            cycle_ns: Rational::from(32),
            interleaved: true,
            ..Self::go()
        }
    }

    /// The ideal crossbar: these adapters around switches in which nothing waits except for links.
    #[must_use]
    pub fn ideal(&self) -> Self {
        Self { output_queued: true, ..self.clone() }
    }

    /// Flits of a packet of `bytes` bytes, at least one.
    #[must_use]
    pub fn flits(&self, bytes: u32) -> u32 {
        bytes.div_ceil(self.flit_bytes).max(1)
    }

    /// Flits of the longest packet.
    #[must_use]
    pub fn packet_flits(&self) -> u32 {
        self.flits(self.packet_bytes)
    }

    /// Cycles of a time in nanoseconds, rounded.
    #[must_use]
    pub fn cycles(&self, ns: u64) -> u64 {
        rounded(ns as f64 / self.cycle_ns.to_f64())
    }

    /// Cycles from the first flit on the first link to the last flit at the destination, over the given number of
    /// links of capacity 1 and through idle switches: see [the module](super).
    ///
    /// ```
    /// # use routebound_simulate as routebound;
    /// use routebound::simulation::packet::Model;
    /// // Two hosts of one switch: 9 cycles to the switch, 21 inside, 8 of flight, 8,192 flits.
    /// assert_eq!(Model::go().idle_latency(2, 8192), 9 + 21 + 8 + 8192);
    /// ```
    #[must_use]
    pub fn idle_latency(&self, links: u64, flits: u32) -> u64 {
        let [routing, crossbar, fly] = [self.routing, self.crossbar, self.fly].map(u64::from);
        links.saturating_sub(1) * (1 + fly + routing + crossbar) + fly + u64::from(flits)
    }

    /// Checks that all figures are in range.
    ///
    /// # Errors
    /// [`SimulationError::BadModel`] with the figure and what it may be.
    pub fn check(&self) -> Result<(), SimulationError> {
        let figures = [
            ("routing delay", self.routing, 0, MAX_LATENCY, "cycles"),
            ("crossbar delay", self.crossbar, 0, MAX_LATENCY, "cycles"),
            ("fly time", self.fly, 0, MAX_LATENCY, "cycles"),
            ("input queue", self.input_queue, 1, MAX_QUEUE, "packets"),
            ("output queue", self.output_queue, 1, MAX_QUEUE, "packets"),
            ("flit", self.flit_bytes, 1, u32::MAX, "bytes"),
            ("packet", self.packet_bytes, 1, u32::MAX, "bytes"),
            ("packet", self.packet_flits(), 1, MAX_FLITS, "flits"),
        ];
        for (what, found, least, most, unit) in figures {
            if !(least..=most).contains(&found) {
                return Err(SimulationError::BadModel { what, found, least, most, unit });
            }
        }
        if self.cycle_ns.is_zero() {
            return Err(SimulationError::NoCycle);
        }
        Ok(())
    }
}
