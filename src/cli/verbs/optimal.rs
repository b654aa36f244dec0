//! `optimal`: the best oblivious routing of a network.

use std::path::Path;
use std::sync::Arc;

use anyhow::{Result, bail};

use crate::assessment::{
    LeastAssessment, OptimalAssessment, OptimalQuestion, ProvenRouting, assess_optimal,
};
use crate::certificate::{self, Among};
use crate::cli::{Context, InstanceOptions, Outcome, OutputPath, Run, Verb};
use crate::embed;
use crate::lp::optimal::{Options, Paths, Stats};
use crate::registry::Kind;
use crate::report::OptimalReport;
use crate::routing::table::write_table;
use crate::routing::{Instance, Routing};
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
        let file = output.filter(|path| Some(*path) != stdout);
        let spec = file.map_or_else(|| "table:-".to_string(), |p| format!("table:{}", p.display()));
        let options = Options { paths, hose: self.hose };
        let question = OptimalQuestion { topology, options, among, spec };
        let stdout_is_free = output != stdout && certificate != stdout;
        let mut keep = |known: &ProvenRouting| {
            if stdout_is_free {
                let report = self.report(known, (Stats::default(), false));
                context.keep(&report, || report.text());
            }
        };
        let begin = |label: &str| context.progress(0, label);
        let OptimalAssessment { routing, stats, complete } =
            assess_optimal(&question, &begin, &mut keep)?;
        self.write(&routing.instance, &routing.assessment, context);
        let report = self.report(&routing, (stats, complete));
        if context.json() {
            context.print_json(&report)?;
        } else if stdout_is_free {
            context.print(&report.text())?;
        }
        Ok(if report.complete { Outcome::Done } else { Outcome::Partial })
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
                context.write_beside(path, |out| Ok(certificate::write(found, out)?));
            }
            (Some(_), Err(why)) => context.remark(&format!("no certificate was written: {why}")),
            (None, _) => {}
        }
    }

    /// The record of a routing, found by a search of this effort that was completed or not.
    fn report(&self, best: &ProvenRouting, (stats, complete): (Stats, bool)) -> OptimalReport {
        let topology = best.instance.topology();
        let paths = match &self.among {
            Some(routing) => format!("paths of {routing}"),
            None if self.shortest => "shortest".to_string(),
            None => "all".to_string(),
        };
        let LeastAssessment { optimum, routing, notes, .. } = best.assessment.clone();
        let complete = complete && notes.is_empty();
        let named = best.named.as_ref().map(|name| {
            format!(
                "this is the routing `{name}`: none that was found by then is proven to be better"
            )
        });
        OptimalReport {
            topology: topology.spec().to_string(),
            hosts: topology.hosts(),
            links: topology.links(),
            paths,
            traffic: if self.hose { "hose" } else { "optu" },
            optimum,
            routing,
            method: "linear program over paths, cut by the worst traffic of every link",
            rounds: stats.rounds,
            cuts: stats.cuts,
            routing_paths: best.paths,
            complete,
            notes: topology.notes().iter().cloned().chain(notes).chain(named).collect(),
        }
    }
}
