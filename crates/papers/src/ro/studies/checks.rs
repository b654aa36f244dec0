//! Runs of Figure 2 with one thing changed: what the slowdowns depend on.

use super::points::{Application, BYTES, HOSTS, Point, Ways, first_seed, spec};
use crate::simulation::packet::{Execution, Model, ideal, messages, program};
use crate::study::prelude::*;
use crate::traffic::TrafficMatrix;

/// Bytes of a message of \[RO\] VII.A: "namely, 750 KB".
const PRINTED: u64 = 750 * 1024;

/// A change to a run of the figures.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Change {
    /// Messages of 750 KB.
    Printed,
    /// Queues of eight packets.
    Queues,
    /// Switches with queues at their outputs alone, without limit, in which no packet waits behind one for
    /// another output.
    Outputs,
    /// No barriers between phases: a host continues when it has sent and received its messages of a phase.
    Program,
}

impl Change {
    /// The name of the change in the table.
    #[must_use]
    pub fn name(self) -> &'static str {
        match self {
            Self::Printed => "messages of 750 KB",
            Self::Queues => "queues of 8 packets",
            Self::Outputs => "queues at outputs alone",
            Self::Program => "no barriers between phases",
        }
    }
}

impl Change {
    fn model(self) -> Model {
        match self {
            Self::Queues => Model { input_queue: 8, output_queue: 8, ..Model::ro() },
            Self::Outputs => Model::ro().ideal(),
            Self::Printed | Self::Program => Model::ro(),
        }
    }
}

/// Runs of whole applications, in which something is changed.
pub(super) struct Checks(pub(super) Vec<(Point, Change)>);

impl Checks {
    /// Some points of Figure 2.
    pub(super) fn some() -> Self {
        let mut checks = Vec::new();
        for (application, scheme) in itertools::iproduct!(Application::ALL, ["dmodk", "random"]) {
            let seed = first_seed(scheme);
            let point = |w2| Point { application, w2, scheme: scheme.to_string(), seed };
            checks.push((point(10), Change::Printed));
            checks.push((point(10), Change::Queues));
            checks.push((point(10), Change::Outputs));
            if scheme == "dmodk" {
                checks.push((point(1), Change::Outputs));
            }
            if application == Application::Cg {
                checks.push((point(16), Change::Printed));
                checks.push((point(10), Change::Program));
            }
        }
        Self(checks)
    }
}

impl Rows for Checks {
    /// Slowdown of the application.
    type Key = (Point, Change);
    type Row = f64;

    fn keys(&self) -> &[(Point, Change)] {
        &self.0
    }

    fn find(&self, (point, change): &(Point, Change), progress: &Progress) -> Result<f64> {
        let Point { application, w2, scheme, seed } = point;
        let quiet = progress.part(1.0);
        let bytes = if *change == Change::Printed { PRINTED } else { BYTES };
        let model = change.model();
        let phases = application.traffic()?;
        let ways =
            Ways::new(*w2, &spec(scheme, *seed), &phases.iter().collect::<Vec<_>>(), &quiet)?;
        let mut crossbar = 0;
        for traffic in &phases {
            crossbar += ideal(&messages(traffic.demands(), HOSTS, bytes)?, &model, &quiet)?.cycles;
        }
        let found = if *change == Change::Program {
            let phases: Vec<_> = phases.into_iter().map(TrafficMatrix::into_demands).collect();
            let program = program(&phases, HOSTS, bytes)?;
            let mut source = Execution::new(&program, HOSTS, &model)?;
            ways.setup(&model).complete(&mut source, &quiet)?.cycles
        } else {
            let sent =
                |traffic: &TrafficMatrix| ways.sent(traffic.demands(), bytes, &model, &quiet);
            phases.iter().map(sent).sum::<Result<u64, _>>()?
        };
        Ok(found as f64 / crossbar as f64)
    }

    fn holds(&self, _: &(Point, Change), found: &f64) -> bool {
        found.is_finite() && *found >= 1.0
    }
}
