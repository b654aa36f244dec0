//! `optimal`: the best oblivious routing of a network.

use std::path::{Path, PathBuf};

use anyhow::{Context as _, Result, bail};

use crate::assessment::{Form, assess};
use crate::bounds::{Bounds, Evidence};
use crate::certificate;
use crate::cli::{Context, NetworkOptions, Outcome, Run, Verb};
use crate::lp::oblivious::{Optimal, Options, optimal};
use crate::progress::Progress;
use crate::registry::Kind;
use crate::report::OptimalReport;
use crate::routing::table::write_table;
use crate::routing::{Instance, Listed};
use crate::worst_case::analyse_hose;

pub(super) const KIND: Kind<Verb> = Kind {
    name: "optimal",
    usage: "optimal TOPOLOGY [--shortest] [--hose] [--output FILE] [--certificate FILE]",
    about: "Find the best oblivious multi-path routing of a network, by linear programming",
    reference: "Azar et al., STOC 2003; Applegate and Cohen, SIGCOMM 2003",
    examples: &["optimal ft(4,2)", "optimal instances/networks/examples/ring.csv --json"],
    build: Verb::of::<OptimalVerb>(),
};

#[derive(clap::Args)]
struct OptimalVerb {
    /// Topology, such as 'ft(4,2)', or a file: see `routebound list topologies`
    topology: String,
    /// Use paths of fewest links only
    #[arg(long)]
    shortest: bool,
    /// Against all traffic that hosts can send and receive (the hose set), whatever its optu
    #[arg(long)]
    hose: bool,
    /// Write the routing here, for `table:FILE`; `-` is stdout
    #[arg(long, value_name = "FILE")]
    output: Option<PathBuf>,
    /// Write the certificate of the routing's oblivious ratio here
    #[arg(long, value_name = "FILE", conflicts_with = "hose")]
    certificate: Option<PathBuf>,
    #[command(flatten)]
    network: NetworkOptions,
}

impl Run for OptimalVerb {
    fn run(&self, context: &Context) -> Result<Outcome> {
        let stdout = Some(Path::new("-"));
        let (output, certificate) = (self.output.as_deref(), self.certificate.as_deref());
        let taken = [output == stdout, certificate == stdout, context.json()];
        if taken.iter().filter(|taken| **taken).count() > 1 {
            bail!("the routing, the certificate and `--json` cannot share stdout: name files");
        }
        let topology = self.network.open(&self.topology, context)?;
        let options = Options { shortest: self.shortest, hose: self.hose };
        let progress = context.progress(0, "rounds");
        let best = optimal(&topology, options, &progress)?;
        let file = output.filter(|path| Some(*path) != stdout);
        let spec = file.map_or_else(|| "table:-".to_string(), |p| format!("table:{}", p.display()));
        let routing = Listed::new(spec, topology.hosts(), best.paths.clone());
        let routing = routing.context("the routing that was found misses a pair: a defect")?;
        let instance = Instance { topology, routing: Box::new(routing) };
        let worst = self.worst(&instance, &progress, context)?;
        drop(progress);
        if let Some(path) = output {
            let Instance { topology, routing } = &instance;
            context.write(path, |out| Ok(write_table(topology, routing.as_ref(), out)?))?;
        }
        let report = self.report(&instance, &best, worst);
        if context.json() {
            context.print_json(&report)?;
        } else if output != stdout && certificate != stdout {
            context.print(&report.text())?;
        }
        Ok(if best.complete { Outcome::Done } else { Outcome::Partial })
    }
}

impl OptimalVerb {
    /// The worst case of the routing, found anew as for any routing.
    fn worst(&self, instance: &Instance, progress: &Progress, context: &Context) -> Result<Bounds> {
        if self.hose {
            let worst = analyse_hose(instance, progress)?;
            let evidence = Evidence::Claimed(worst.method.name().to_string());
            let lower = worst.lower().clone();
            return Ok(Bounds { lower, upper: worst.upper(), evidence });
        }
        let assessment = assess(instance, Form::Embedded, progress)?;
        match (&self.certificate, &assessment.certificate) {
            (Some(path), Some(found)) => {
                context.write(path, |out| Ok(certificate::write(found, out)?))?;
            }
            (Some(_), None) => {
                context.remark("no certificate was written: the work was stopped before its proof");
            }
            _ => {}
        }
        Ok(assessment.oblivious_ratio)
    }

    fn report(&self, instance: &Instance, best: &Optimal, routing: Bounds) -> OptimalReport {
        let Instance { topology, .. } = instance;
        let evidence =
            Evidence::Claimed("weighted traffic and distances, in exact arithmetic".to_string());
        let optimum = Bounds { lower: best.lower.clone(), upper: routing.upper.clone(), evidence };
        OptimalReport {
            topology: topology.spec().to_string(),
            hosts: topology.hosts(),
            links: topology.links(),
            paths: if self.shortest { "shortest" } else { "all" },
            traffic: if self.hose { "hose" } else { "optu" },
            optimum,
            routing,
            method: "linear programme over paths, cut by the worst traffic of every link",
            rounds: best.stats.rounds,
            cuts: best.stats.cuts,
            routing_paths: best.paths.len(),
            complete: best.complete,
        }
    }
}
