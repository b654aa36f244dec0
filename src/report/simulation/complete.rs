//! Searches for the saturation, and runs until everything has arrived.

use std::fmt::Write as _;

use serde::Serialize;

use super::super::numbers::shown;
use super::EstimateReport;
use crate::rational::Rational;
use crate::simulation::packet::{Complete, Model, Saturation};

/// The saturation of a network.
#[derive(Clone, Debug, Serialize)]
pub struct SaturationReport {
    /// Seed of the run.
    pub seed: u64,
    /// A load that all hosts kept up.
    pub sustained: f64,
    /// A load that some host did not.
    pub exceeded: Option<f64>,
    /// Delivered flits per cycle and host when all hosts offer load 1.
    pub accepted_at_full_load: EstimateReport,
    /// Max load of the traffic by the exact analysis, as a multiple of what the busiest hosts send.
    pub max_load: Option<Rational>,
    /// Cycles simulated.
    pub cycles: u64,
    /// Whether the search was stopped before its end.
    pub stopped: bool,
}

impl SaturationReport {
    /// The record of a search.
    #[must_use]
    pub fn new(seed: u64, found: &Saturation, max_load: Option<Rational>) -> Self {
        Self {
            seed,
            sustained: found.sustained.to_nearest_f64(),
            exceeded: found.exceeded.as_ref().map(Rational::to_nearest_f64),
            accepted_at_full_load: found.at_full_load.accepted.into(),
            max_load,
            cycles: found.cycles,
            stopped: found.stopped,
        }
    }

    pub(super) fn text(&self) -> String {
        let stopped = if self.stopped { "; stopped" } else { "" };
        let exceeded = self.exceeded.map_or_else(String::new, |load| format!(", not {load:.4}"));
        let mut text = format!(
            "saturation        {:.4} is kept up{exceeded} (sampled: seed {}{stopped})\n\
             at full load      {:.4} +- {:.4} flits per cycle and host accepted\n",
            self.sustained,
            self.seed,
            self.accepted_at_full_load.mean,
            self.accepted_at_full_load.half_width,
        );
        let load = self.max_load.as_ref();
        if let Some((load, inverse)) =
            load.zip(load.and_then(|load| Rational::ONE.checked_div(load)))
        {
            let load = shown(load);
            let _ = writeln!(
                text,
                "max load          {load} (exact): saturation at {} if all hosts send alike",
                shown(&inverse.min(Rational::ONE))
            );
        }
        text
    }
}

/// Messages that all arrived.
#[derive(Clone, Debug, Serialize)]
pub struct CompleteReport {
    /// Name of the phase, trace or program.
    pub name: String,
    /// Seed of the run.
    pub seed: u64,
    /// Cycles until the last packet was delivered.
    pub cycles: u64,
    /// Completion time in milliseconds.
    pub milliseconds: f64,
    /// Packets.
    pub packets: u64,
    /// Flits.
    pub flits: u64,
    /// Cycles in the ideal crossbar.
    pub crossbar_cycles: u64,
    /// Time over that in the ideal crossbar; 1 where nothing is sent.
    pub slowdown: f64,
    /// Packets that came before an earlier one of their pair.
    pub out_of_order: u64,
    /// Maximum number of packets in a reorder buffer.
    pub stored: u32,
    /// Fraction of the time until the last packet was delivered in which each link was busy, where that is
    /// asked for.
    #[serde(skip_serializing_if = "Vec::is_empty")]
    pub utilisation: Vec<f64>,
}

impl CompleteReport {
    /// The record of a run that is complete after `cycles`, beside that in the crossbar.
    /// [`Self::utilisation`] is left empty.
    #[must_use]
    pub fn new(
        name: &str,
        seed: u64,
        found: &Complete,
        cycles: u64,
        crossbar_cycles: u64,
        model: &Model,
    ) -> Self {
        let slowdown =
            if crossbar_cycles == 0 { 1.0 } else { cycles as f64 / crossbar_cycles as f64 };
        Self {
            name: name.to_string(),
            seed,
            cycles,
            milliseconds: cycles as f64 * model.cycle_ns.to_f64() / 1e6,
            packets: found.packets,
            flits: found.flits,
            crossbar_cycles,
            slowdown,
            out_of_order: found.early,
            stored: found.stored,
            utilisation: Vec::new(),
        }
    }

    pub(super) fn text(&self) -> String {
        let Self { name, seed, cycles, milliseconds, packets, flits, .. } = self;
        let mut text = format!(
            "{name}\n\
             \x20 completion      {cycles} cycles, {milliseconds:.6} ms (sampled: seed {seed})\n\
             \x20 packets         {packets} of {flits} flits, {} out of order\n\
             \x20 full crossbar   {} cycles: slowdown {:.3}\n",
            self.out_of_order, self.crossbar_cycles, self.slowdown,
        );
        if self.stored > 0 {
            let _ = writeln!(text, "  reorder buffers at most {} packets", self.stored);
        }
        text
    }
}
