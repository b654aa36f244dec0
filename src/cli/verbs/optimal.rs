//! `optimal`: the best oblivious routing of a network.

use std::sync::Arc;

use anyhow::Result;

use crate::assessment::{
    LeastAssessment, OptimalAssessment, OptimalQuestion, ProvenRouting, assess_optimal,
};
use crate::certificate::{Among, Quantity};
use crate::cli::{Context, InstanceOptions, Outcome, OutputPath, Run, TOPOLOGY, Verb};
use crate::embed;
use crate::lp::optimal::{Options, Paths, Stats};
use crate::report::OptimalReport;
use crate::routing::table::write_table;
use crate::routing::{Instance, Routing};
use crate::topology::Topology;

pub(super) const VERB: Verb = Verb {
    name: "optimal",
    about: "Compute the best multi-path routing of a network by linear programming",
    reference: "Azar et al., STOC 2003; Applegate and Cohen, SIGCOMM 2003",
    examples: &[
        "optimal ft(4,2) --among kpath(k=2,choice=first)",
        "optimal instances/networks/examples/ring.csv --json",
    ],
    ..Verb::of::<OptimalVerb>()
};

#[derive(clap::Args)]
struct OptimalVerb {
    #[arg(help = TOPOLOGY)]
    topology: String,
    /// Use only shortest paths
    #[arg(long, conflicts_with = "among")]
    shortest: bool,
    /// Use only the paths of a routing, with any shares, such as 'kpath(k=4)' or table:FILE: see
    /// `routebound list routings`
    #[arg(long, value_name = "ROUTING")]
    among: Option<String>,
    /// Minimise the maximum load over all traffic that hosts can send and receive (the hose set),
    /// instead of its ratio to the optimum
    #[arg(long)]
    hose: bool,
    /// Write the routing to FILE, readable as `table:FILE`; `-` is stdout
    #[arg(long, value_name = "FILE")]
    output: Option<OutputPath>,
    /// Write the certificate to FILE: the worst case of the routing, and that no routing is better; `-` is
    /// stdout
    #[arg(long, value_name = "FILE")]
    certificate: Option<OutputPath>,
    #[command(flatten)]
    network: InstanceOptions,
}

/// The network, and the routing whose paths are allowed, if not all are.
struct Opened {
    topology: Arc<Topology>,
    among: Option<Arc<dyn Routing>>,
}

impl Run for OptimalVerb {
    fn run(&self, context: &Context) -> Result<Outcome> {
        let Opened { topology, among: given } = self.open(context)?;
        let paths = match &given {
            Some(routing) => Paths::Of(routing.as_ref()),
            None if self.shortest => Paths::Shortest,
            None => Paths::All,
        };
        let among = self.among(&topology, given.as_deref(), context)?;
        let file =
            self.output.as_ref().map_or_else(|| "-".to_string(), |p| p.display().to_string());
        let spec = format!("table:{file}");
        let quantity = if self.hose { Quantity::HoseLoad } else { Quantity::ObliviousRatio };
        let options = Options { paths, quantity, ..Options::default() };
        let question = OptimalQuestion { topology, options, among, spec };
        let mut keep = |known: &ProvenRouting| {
            let report = self.report(known, None, false);
            context.keep(&report, || report.text());
        };
        let begin = |label: &str| context.progress(0, label);
        let OptimalAssessment { routing, stats, complete } =
            assess_optimal(&question, &begin, &mut keep)?;
        self.write(&routing.instance, &routing.assessment, context);
        let report = self.report(&routing, Some(stats), complete);
        context.show(&report, || report.text())?;
        Ok(if report.complete { Outcome::Done } else { Outcome::Partial })
    }
}

impl OptimalVerb {
    /// Opens the network, and the routing whose paths are allowed, if one is given.
    fn open(&self, context: &Context) -> Result<Opened> {
        let Some(routing) = &self.among else {
            let topology = self.network.open_topology(&self.topology, context)?;
            return Ok(Opened { topology: Arc::new(topology), among: None });
        };
        let Instance { topology, routing, .. } =
            self.network.open(&self.topology, routing, context)?;
        Ok(Opened { topology, among: Some(routing) })
    }

    /// The allowed paths.
    fn among(
        &self,
        topology: &Topology,
        given: Option<&dyn Routing>,
        context: &Context,
    ) -> Result<Among> {
        Ok(match given {
            Some(routing) => embed::among(topology, routing, &context.progress(0, "paths"))?,
            None if self.shortest => Among::Shortest,
            None => Among::All,
        })
    }

    fn write(&self, instance: &Instance, assessment: &LeastAssessment, context: &Context) {
        if let Some(path) = &self.output {
            let Instance { topology, routing, .. } = instance;
            context.write_beside(path, |out| Ok(write_table(topology, routing.as_ref(), out)?));
        }
        match (&self.certificate, &assessment.certificate) {
            (Some(path), Ok(found)) => {
                context.write_certificate(path, found);
            }
            (Some(_), Err(why)) => context.remark(&format!("no certificate was written: {why}")),
            (None, _) => {}
        }
    }

    /// The report on the best routing, found with this effort, if the search has ended, by a search that was completed
    /// or not.
    fn report(&self, best: &ProvenRouting, stats: Option<Stats>, complete: bool) -> OptimalReport {
        let topology = best.instance.topology();
        let paths = match &self.among {
            Some(routing) => format!("paths of {routing}"),
            None if self.shortest => "shortest".to_string(),
            None => "all".to_string(),
        };
        let LeastAssessment { optimum, routing, notes, .. } = best.assessment.clone();
        let complete = complete && notes.is_empty();
        let better =
            if best.is_optimal() { "over these paths is" } else { "found so far is proven to be" };
        let named = best
            .named
            .as_ref()
            .map(|name| format!("this is the routing `{name}`: no routing {better} better"));
        let is_given = best.named.is_some() || stats.is_some_and(|stats| stats.rounds == 0);
        let stats = stats.unwrap_or_default();
        let failure = stats.failure.map(|error| {
            format!("the search went on with another method than the one that failed: {error}")
        });
        OptimalReport {
            topology: topology.spec().to_string(),
            hosts: topology.hosts(),
            links: topology.links(),
            paths,
            traffic: if self.hose { "hose" } else { "optu" },
            optimum,
            best: routing,
            method: if is_given {
                "worst traffic of every link, without a linear program over paths"
            } else {
                "linear program over paths, cut by the worst traffic of every link"
            },
            rounds: stats.rounds,
            cuts: stats.cuts,
            columns: stats.columns,
            iterations: stats.iterations,
            seconds: stats.solving.as_secs_f64(),
            solver_seconds: stats.solver.as_secs_f64(),
            routing_paths: best.paths,
            complete,
            notes: topology
                .notes()
                .iter()
                .cloned()
                .chain(notes)
                .chain(named)
                .chain(failure)
                .collect(),
        }
    }
}
