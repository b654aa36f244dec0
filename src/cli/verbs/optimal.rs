//! `optimal`: the best oblivious routing of a network.

use std::path::Path;
use std::sync::Arc;

use anyhow::{Context as _, Result, bail};

use crate::assessment::{LeastAssessment, assess_least_knowing};
use crate::certificate::{self, Among, Least, Quantity};
use crate::cli::{Context, InstanceOptions, Outcome, OutputPath, Run, Verb};
use crate::lp::oblivious::{OptimalRouting, Options, Paths, optimal};
use crate::lp::worst_demand::Known;
use crate::registry::Kind;
use crate::report::OptimalReport;
use crate::routing::table::write_table;
use crate::routing::{Instance, Listed, Routing};
use crate::topology::Topology;

pub(super) const KIND: Kind<Verb> = Kind {
    name: "optimal",
    usage: "optimal TOPOLOGY [--shortest | --among ROUTING] [--hose] [--output FILE] [--certificate FILE]",
    options: &[],
    about: "Find the best oblivious multi-path routing of a network, by linear programming",
    reference: "Azar et al., STOC 2003; Applegate and Cohen, SIGCOMM 2003",
    examples: &[
        "optimal ft(4,2) --among kpath(k=2,choice=first)",
        "optimal instances/networks/examples/ring.csv --json",
    ],
    build: Verb::of::<OptimalVerb>(),
};

#[derive(clap::Args)]
struct OptimalVerb {
    /// Topology, such as 'ft(4,2)', or a file: see `routebound list topologies`
    topology: String,
    /// Use only paths with the fewest links
    #[arg(long, conflicts_with = "among")]
    shortest: bool,
    /// Use only the paths of this routing, whatever their shares, such as 'kpath(k=4)' or
    /// table:FILE: see `routebound list routings`
    #[arg(long, value_name = "ROUTING")]
    among: Option<String>,
    /// Measure against all traffic that hosts can send and receive (the hose set), whatever its
    /// optu
    #[arg(long)]
    hose: bool,
    /// Write the routing here, for `table:FILE`; `-` is stdout
    #[arg(long, value_name = "FILE")]
    output: Option<OutputPath>,
    /// Write the certificate here: of the routing's worst case, and that no routing is better
    #[arg(long, value_name = "FILE")]
    certificate: Option<OutputPath>,
    #[command(flatten)]
    network: InstanceOptions,
}

impl Run for OptimalVerb {
    fn run(&self, context: &Context) -> Result<Outcome> {
        let stdout = Some(Path::new("-"));
        let (output, certificate) = (self.output.as_deref(), self.certificate.as_deref());
        let taken = [output == stdout, certificate == stdout, context.json()];
        if taken.iter().filter(|taken| **taken).count() > 1 {
            bail!("the routing, the certificate and `--json` cannot share stdout: name files");
        }
        let (topology, given) = self.open(context)?;
        let paths = match &given {
            Some(routing) => Paths::Of(routing.as_ref()),
            None if self.shortest => Paths::Shortest,
            None => Paths::All,
        };
        let among = self.among(&topology, given.as_deref(), context)?;
        let progress = context.progress(0, "rounds");
        let best = optimal(&topology, Options { paths, hose: self.hose }, &progress)?;
        drop(progress);
        let least = self.least(among, &best);
        let file = output.filter(|path| Some(*path) != stdout);
        let spec = file.map_or_else(|| "table:-".to_string(), |p| format!("table:{}", p.display()));
        let routing = Listed::new(spec, topology.hosts(), best.paths.clone());
        let routing = routing.context("the routing that was found misses a pair: a defect")?;
        let instance = Instance::trusted(topology, Box::new(routing) as Box<dyn Routing>);
        let known = Known { prices: &best.prices, worst: best.worst.as_ref() };
        let progress = context.progress(0, "links");
        let assessment = assess_least_knowing(&instance, least, known, &progress)?;
        drop(progress);
        self.write(&instance, &assessment, context)?;
        let complete = best.complete && assessment.notes.is_empty();
        let report = self.report(&instance, &best, assessment);
        if context.json() {
            context.print_json(&report)?;
        } else if output != stdout && certificate != stdout {
            context.print(&report.text())?;
        }
        Ok(if complete { Outcome::Done } else { Outcome::Partial })
    }
}

/// A network, and the routing whose paths are allowed, if one is given.
type Opened = (Arc<Topology>, Option<Arc<dyn Routing>>);

impl OptimalVerb {
    /// The network, and the routing whose paths are allowed, if one is given.
    fn open(&self, context: &Context) -> Result<Opened> {
        Ok(match &self.among {
            None => (Arc::new(self.network.open_topology(&self.topology, context)?), None),
            Some(routing) => {
                let instance = self.network.open(&self.topology, routing, context)?;
                (instance.topology, Some(instance.routing))
            }
        })
    }

    /// The allowed paths.
    fn among(
        &self,
        topology: &Topology,
        given: Option<&dyn Routing>,
        context: &Context,
    ) -> Result<Among> {
        Ok(match given {
            Some(routing) => Among::of(topology, routing, &context.progress(0, "paths"))?,
            None if self.shortest => Among::Shortest,
            None => Among::All,
        })
    }

    /// Evidence that no routing over the allowed paths is better.
    fn least(&self, among: Among, best: &OptimalRouting) -> Least {
        let quantity = if self.hose { Quantity::HoseLoad } else { Quantity::ObliviousRatio };
        let (lower, dual_demands) = (best.lower.clone(), best.dual_demands.clone());
        Least { quantity, lower, among, dual_demands }
    }

    fn write(
        &self,
        instance: &Instance,
        assessment: &LeastAssessment,
        context: &Context,
    ) -> Result<()> {
        if let Some(path) = &self.output {
            let Instance { topology, routing } = instance;
            context.write(path, |out| Ok(write_table(topology, routing.as_ref(), out)?))?;
        }
        match (&self.certificate, &assessment.certificate) {
            (Some(path), Some(found)) => {
                context.write(path, |out| Ok(certificate::write(found, out)?))?;
            }
            (Some(_), None) => {
                context.remark("no certificate was written: the work ended before its proof");
            }
            _ => {}
        }
        Ok(())
    }

    fn report(
        &self,
        instance: &Instance,
        best: &OptimalRouting,
        assessment: LeastAssessment,
    ) -> OptimalReport {
        let Instance { topology, .. } = instance;
        let paths = match &self.among {
            Some(routing) => format!("paths of {routing}"),
            None if self.shortest => "shortest".to_string(),
            None => "all".to_string(),
        };
        OptimalReport {
            topology: topology.spec().to_string(),
            hosts: topology.hosts(),
            links: topology.links(),
            paths,
            traffic: if self.hose { "hose" } else { "optu" },
            optimum: assessment.optimum,
            routing: assessment.routing,
            method: "linear programme over paths, cut by the worst traffic of every link",
            rounds: best.stats.rounds,
            cuts: best.stats.cuts,
            routing_paths: best.paths.len(),
            complete: best.complete && assessment.notes.is_empty(),
            notes: topology.notes().iter().cloned().chain(assessment.notes).collect(),
        }
    }
}
