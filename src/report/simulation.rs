//! Output of `sim`.

mod complete;
mod links;
mod steady;

pub use complete::{CompleteReport, SaturationReport};
pub use steady::{EstimateReport, SteadyReport};

use super::plot::{Axes, Chart, Curve, CurvePoint, Form, PlotError, Scale, curve_charts};
use super::prelude::*;
use crate::simulation::packet::{Delivery, Model};
use steady::{HEADS, SHORT_HEADS};

/// The network, routing and traffic that are simulated.
#[derive(Clone, Debug, Serialize)]
pub struct SimulationFacts {
    /// Canonical spec of the network, or its path.
    pub topology: String,
    /// Spec of the routing.
    pub routing: String,
    /// Spec of the traffic, or its path.
    pub traffic: String,
    /// Number of hosts.
    pub hosts: usize,
    /// The figures of switches, links and adapters.
    pub model: Model,
    /// Rule that spreads the packets of a pair over its paths, for routings that split pairs.
    pub spread: Option<&'static str>,
    /// Packets of a reorder buffer, where packets are delivered in order.
    pub reorder_buffer: Option<u32>,
    /// The first seed.
    pub seed: u64,
    /// Notes on how networks and routings were read.
    pub notes: Vec<String>,
}

/// The results.
#[derive(Clone, Debug, Serialize)]
#[serde(rename_all = "snake_case")]
pub enum Found {
    /// Runs in open loop.
    OpenLoop(Vec<SteadyReport>),
    /// Searches for the saturation, one for each seed.
    Saturation(Vec<SaturationReport>),
    /// Complete runs.
    Completions(Vec<CompleteReport>),
}

/// One simulation, as `sim --json` prints it. All of it is sampled, and its numbers are floats; only what the exact
/// analysis says is a fraction.
#[derive(Clone, Debug, Serialize)]
pub struct SimulationReport {
    /// The network, routing and traffic that are simulated.
    #[serde(flatten)]
    pub facts: SimulationFacts,
    /// The results.
    #[serde(flatten)]
    pub found: Found,
    /// Whether nothing was stopped.
    pub complete: bool,
}

impl SimulationReport {
    /// The record for people.
    #[must_use]
    pub fn text(&self) -> String {
        let mut text = self.facts.text();
        match &self.found {
            Found::OpenLoop(runs) => match runs.as_slice() {
                [run] => text.push_str(&run.text()),
                runs => {
                    text.push_str(&table(&SHORT_HEADS, runs.iter().map(SteadyReport::cells)));
                    text.push('\n');
                }
            },
            Found::Saturation(found) => found.iter().for_each(|one| text.push_str(&one.text())),
            Found::Completions(found) => found.iter().for_each(|one| text.push_str(&one.text())),
        }
        text
    }

    /// Heads and rows of the table of runs in open loop.
    #[must_use]
    pub fn rows(&self) -> (Vec<&'static str>, Vec<Vec<String>>) {
        let rows = match &self.found {
            Found::OpenLoop(runs) => runs.iter().map(SteadyReport::cells).collect(),
            Found::Saturation(_) | Found::Completions(_) => Vec::new(),
        };
        (HEADS.to_vec(), rows)
    }
}

impl SimulationReport {
    /// Mean latencies against accepted traffic, as SVG; a point is a run.
    ///
    /// # Errors
    /// [`PlotError`] when it cannot be drawn.
    pub fn figure(&self) -> Result<String, PlotError> {
        let runs: &[SteadyReport] = match &self.found {
            Found::OpenLoop(runs) => runs,
            Found::Saturation(_) | Found::Completions(_) => &[],
        };
        let curve = |name: &str, latency: fn(&SteadyReport) -> EstimateReport| {
            let point = |run: &SteadyReport| {
                let EstimateReport { mean, half_width } = latency(run);
                CurvePoint { x: run.accepted.mean, y: mean, half_width }
            };
            let points = runs.iter().map(point).collect();
            Curve { name: name.into(), points, form: Form::Measured }
        };
        let curves = vec![
            curve("network latency", |run| run.network_latency.mean),
            curve("total latency", |run| run.total_latency.mean),
        ];
        let SimulationFacts { topology, routing, traffic, .. } = &self.facts;
        let title = format!("{traffic} on {topology} by {routing}");
        let axes = Axes { x: "accepted flits per cycle and host", y: "cycles" };
        curve_charts(&[Chart { title, curves }], axes, [Scale::Logarithmic; 2])
    }
}

impl SimulationFacts {
    /// The order in which packets are delivered.
    #[must_use]
    pub fn with_delivery(self, delivery: Delivery) -> Self {
        let reorder_buffer = match delivery {
            Delivery::AsTheyCome => None,
            Delivery::InOrder { buffer } => Some(buffer),
        };
        Self { reorder_buffer, ..self }
    }

    fn text(&self) -> String {
        let Self { topology, routing, traffic, hosts, model, .. } = self;
        let Model { preset, routing: delay, crossbar, fly, input_queue, output_queue, .. } = model;
        let mut text = format!(
            "{traffic} on {topology} by {routing}\n\
             hosts             {hosts}\n\
             switches          {preset}: {delay} cycles of routing, {crossbar} of crossbar, {fly} of flight; queues of {input_queue} and {output_queue} packets\n\
             packets           {} bytes in flits of {}; a cycle is {} ns\n",
            model.packet_bytes,
            model.flit_bytes,
            model.cycle_ns.to_nearest_f64(),
        );
        if let Some(spread) = self.spread {
            let _ = writeln!(text, "several paths     {spread}");
        }
        if let Some(buffer) = self.reorder_buffer {
            let _ =
                writeln!(text, "delivery          in order, reorder buffers of {buffer} packets");
        }
        text.push_str(&labelled("note", 18, &self.notes));
        text
    }
}
