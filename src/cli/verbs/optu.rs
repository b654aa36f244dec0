//! `optu`: the best possible load of traffic, with proof.

use std::fmt::Write as _;

use clap::ValueEnum;
use serde_json::{Value, json};

use super::prelude::*;
use crate::assessment::{
    AssessOptimum, NoCertificate, OptimumAssessment, OptimumMethod, rough_optimum,
};
use crate::bounds::{Bounds, Evidence};
use crate::cli::{NetworkOptions, TRAFFIC, Traffic};
use crate::integer::as_size;
use crate::optimum::baseload;
use crate::progress::Told;
use crate::rational::Rational;
use crate::report::{counted, labelled, on_both_sides, shown, shown_bounds};
use crate::topology::Topology;

pub(super) const VERB: Verb = Verb {
    name: "optu",
    about: "Compute the lowest max load that any routing of some traffic can have, with a certificate",
    reference: "[OR] II.A, III",
    examples: &["optu ft(8,3) bitrev", "optu xgft(2;8,8;1,4) shift(8) --json"],
    ..Verb::of::<Optu>()
};

#[derive(clap::Args)]
struct Optu {
    #[arg(help = TOPOLOGY)]
    topology: String,
    #[arg(help = TRAFFIC)]
    traffic: String,
    /// How to compute it
    #[arg(long, value_enum, default_value = "auto")]
    method: Method,
    /// Stop at this relative gap between the bounds, such as 1e-6 [default: as small as floats allow; 0.01
    /// for approx and on large networks]
    #[arg(long, value_name = "GAP", value_parser = gap)]
    gap: Option<f64>,
    /// Write the certificate to FILE; `-` is stdout
    #[arg(long, value_name = "FILE")]
    certificate: Option<OutputPath>,
    #[command(flatten)]
    network: NetworkOptions,
}

#[derive(Clone, Copy, Debug, ValueEnum)]
enum Method {
    /// `closed-form` on trees, otherwise `lp`; on networks that are too large for it, `approx`
    Auto,
    /// Cuts of subtrees (trees only)
    ClosedForm,
    /// Linear programming
    Lp,
    /// Cuts, balanced shortest paths and multiplicative weights, for networks too large for `lp`
    Approx,
}

fn gap(text: &str) -> Result<f64> {
    match text.parse() {
        Ok(gap) if (1e-15..1.0).contains(&gap) => Ok(gap),
        _ => bail!("expected a number from 1e-15 to below 1, such as 1e-6"),
    }
}

impl Run for Optu {
    fn run(&self, context: &Context) -> Result<Outcome> {
        let topology = self.network.open_remarking(&self.topology, context)?;
        let traffic = Traffic::open(&self.traffic, &topology, context)?;
        let method = match self.method {
            Method::Auto => OptimumMethod::Auto,
            Method::ClosedForm => OptimumMethod::ClosedForm,
            Method::Lp => OptimumMethod::Lp,
            Method::Approx => OptimumMethod::Approximation,
        };
        let progress = context.progress(0, "optimum, rounds");
        let mut keep = |optu: &Bounds| {
            progress.tell(Told::Known(&on_both_sides("optu", optu)));
            keep(&topology, &traffic, optu, context);
        };
        keep(&rough_optimum(&topology, &traffic.demands));
        let assess = AssessOptimum::new()
            .by(method)
            .up_to(self.gap.unwrap_or(0.0))
            .proven_if(self.certificate.is_some());
        let assess = assess.progress(&progress).keep(&mut keep);
        let mut found = assess.run(&topology, &traffic.demands)?;
        if let (Evidence::Claimed(by), None) = (&mut found.optu.evidence, &self.certificate)
            && found.certificate.as_ref().err().is_none_or(|why| *why == NoCertificate::NotAsked)
        {
            by.push_str("; to have it checked, add `--certificate`");
        }
        drop(progress);
        context.write_found(self.certificate.as_deref(), found.certificate.as_ref());
        context.show(&record(topology.spec(), &traffic, &found), || {
            text(topology.spec(), &traffic, &found)
        })?;
        Ok(if found.complete { Outcome::Done } else { Outcome::Partial })
    }
}

/// Keeps bounds that are known: first those without search.
fn keep(topology: &Topology, traffic: &Traffic, optu: &Bounds, context: &Context) {
    let baseload = baseload(topology, &traffic.demands);
    let (spec, demands) = (topology.spec(), traffic.size());
    let record = json!({
        "topology": spec, "traffic": traffic.spec, "demands": demands, "optu": optu,
        "baseload": baseload, "complete": false,
    });
    let text = || {
        let optu = shown_bounds(optu);
        let demands = counted(as_size(demands), "demand");
        let known = format!("{} of {demands} on {spec}\noptu      {optu}\n", traffic.spec);
        known + &notes(traffic)
    };
    context.keep(&with_notes(record, traffic), text);
}

/// The record with notes on how a file of traffic was read, if there are any.
fn with_notes(mut record: Value, traffic: &Traffic) -> Value {
    if let Some(object) = record.as_object_mut().filter(|_| !traffic.notes.is_empty()) {
        object.insert("notes".into(), json!(traffic.notes));
    }
    record
}

fn notes(traffic: &Traffic) -> String {
    labelled("note", 10, &traffic.notes)
}

/// (upper − lower) ÷ upper.
fn relative_gap(found: &OptimumAssessment) -> f64 {
    let difference = found.optu.upper.checked_sub(&found.optu.lower).unwrap_or(Rational::ZERO);
    difference.checked_div(&found.optu.upper).map_or(0.0, |gap| gap.to_f64())
}

fn record(topology: &str, traffic: &Traffic, found: &OptimumAssessment) -> Value {
    let stats = found.stats.as_ref().map(|stats| {
        json!({
            "rows": stats.rows, "columns": stats.columns, "nonzeros": stats.nonzeros,
            "rounds": stats.rounds, "iterations": stats.iterations, "seconds": stats.seconds,
        })
    });
    let record = json!({
        "topology": topology,
        "traffic": traffic.spec,
        "demands": traffic.size(),
        "self_demands": traffic.self_demands,
        "optu": found.optu,
        "value": found.optu.upper.to_f64(),
        "gap": relative_gap(found),
        "baseload": found.baseload,
        "method": found.method,
        "search": stats,
        "complete": found.complete,
    });
    with_notes(record, traffic)
}

fn text(topology: &str, traffic: &Traffic, found: &OptimumAssessment) -> String {
    let demands = traffic.size();
    let demands = counted(as_size(demands), "demand");
    let mut text = format!("{} of {demands} on {topology}\n", traffic.spec);
    // A String takes every write.
    let _ = match found.optu.exact() {
        Some(_) => writeln!(text, "optu      {}", shown_bounds(&found.optu)),
        None => writeln!(
            text,
            "optu      {:.12}, gap {:.1e} ({})\n          at least {}\n          at most  {}",
            found.optu.upper.to_f64(),
            relative_gap(found),
            found.optu.evidence,
            found.optu.lower,
            found.optu.upper
        ),
    };
    let _ = writeln!(text, "baseload  {}\nmethod    {}", shown(&found.baseload), found.method);
    if traffic.self_demands > 0 {
        let _ = writeln!(text, "left out  {} demands of a host to itself", traffic.self_demands);
    }
    if let Some(stats) = &found.stats {
        let _ = writeln!(
            text,
            "search    {} rows, {} columns, {} nonzeros, {} rounds, {} iterations, {:.2} s",
            stats.rows,
            stats.columns,
            stats.nonzeros,
            stats.rounds,
            stats.iterations,
            stats.seconds
        );
    }
    text + &notes(traffic)
}
