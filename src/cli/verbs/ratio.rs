//! `ratio`: the worst case of a routing over all traffic, with proof.

use anyhow::{Result, bail};

use crate::assessment::{Assess, AssessByDigits, Assessment, ByDigitsAssessment, NoCertificate};
use crate::by_digits::{ByDigits, ByDigitsError};
use crate::certificate::{self, Certificate};
use crate::cli::{
    BadPermutationOptions, Context, InstanceOptions, Outcome, OutputPath, Overwriting, ROUTING,
    Run, ShardOptions, Sharing, TOPOLOGY, TrafficFileOptions, TrafficTarget, Verb,
    overwriting::beside,
};
use crate::import;
use crate::limit::TooLarge;
use crate::report::{AssessmentReport, SingleFailuresReport, WrittenTraffic};
use crate::routing::{Instance, RoutingError, may_have_digit_rules};
use crate::single_failures::{single_failure_steps, single_failures};
use crate::topology::{MAX_LINKS, TopologyError, TreeShape};

pub(super) const VERB: Verb = Verb {
    name: "ratio",
    about: "Compute the exact worst case of a routing over all traffic, with a certificate",
    reference: "[OR] II.A, IV; Towles and Dally, SPAA 2002",
    examples: &[
        "ratio ft(8,3) dmodk",
        "ratio ft(16,2) grid --json",
        "ratio ft(64,6) dmodk --engine product",
        "ratio ft(8,2) dmodk --fail 2",
        "ratio ft(4,2) dmodk --worst-single-failure",
        "ratio ft(8,2) dmodk --save-traffic bad.mtx",
        "ratio ft(8,2) dmodk --save-traffic bad.pairs --count 3",
    ],
    ..Verb::of::<RatioVerb>()
};

/// Number of pairs of the worst traffic that are shown without `--all`.
const SHOWN_PAIRS: usize = 64;

/// Ending of the file name of the certificate of the worst permutation load.
const PERMUTATION: &str = ".permutation";

/// Why the product form cannot be used with some options.
const NEEDS_LINKS: &str = "the product form works on classes of links, not on single links: leave out `--embed`, \
    `--save-traffic`, `--lmc` and failures, or use `--engine enumerate`";

/// Number of hosts above which the product form is preferred where no option needs single links.
const MANY_HOSTS: u64 = 1 << 14;

/// How the worst case is computed.
#[derive(Clone, Copy, PartialEq, Eq, clap::ValueEnum)]
enum Engine {
    /// `product` for named trees of more than 16384 hosts if it applies, otherwise `enumerate`
    Auto,
    /// Analyse every pair and every link
    Enumerate,
    /// Analyse classes of links, on named trees of any size. Needs a routing that chooses each
    /// up-digit by one digit (dmodk, smodk, osrm3, ecmp) or, on two-level trees, by the first digits
    /// of both hosts (osrm2, grid, yuan)
    Product,
}

/// Whether equivalent hosts and links are analysed only once.
#[derive(Clone, Copy, PartialEq, Eq, clap::ValueEnum)]
enum SymmetryOption {
    /// On networks that are not trees, analyse one host per switch if the routing splits over all
    /// shortest paths, otherwise one link per class under automorphisms; the certificate lists the
    /// classes or the automorphisms
    Auto,
    /// Analyse every host and every link
    Off,
}

#[derive(clap::Args)]
struct RatioVerb {
    #[arg(help = TOPOLOGY)]
    topology: String,
    #[arg(help = ROUTING)]
    routing: String,
    /// Write the certificate to FILE; `-` is stdout
    #[arg(long, value_name = "FILE")]
    certificate: Option<OutputPath>,
    /// List all links and paths in the certificate, even where specs would suffice
    #[arg(long)]
    embed: bool,
    /// How to compute the worst case
    #[arg(long, value_enum, default_value_t = Engine::Auto)]
    engine: Engine,
    /// Whether to analyse equivalent hosts and links only once
    #[arg(long, value_enum, default_value_t = SymmetryOption::Auto)]
    symmetry: SymmetryOption,
    /// Show all pairs of the worst traffic [default: the first 64]
    #[arg(long)]
    all: bool,
    /// Fail each inter-switch cable in turn and report the worst outcome (small networks)
    #[arg(long, conflicts_with_all =
        ["certificate", "embed", "all", "engine", "symmetry", "fail", "fail_links", "fail_switches",
         "save_traffic", "shard"])]
    worst_single_failure: bool,
    #[command(flatten)]
    traffic: TrafficFileOptions,
    #[command(flatten)]
    permutations: BadPermutationOptions,
    #[command(flatten)]
    shard: ShardOptions,
    #[command(flatten)]
    network: InstanceOptions,
}

impl Run for RatioVerb {
    fn run(&self, context: &Context) -> Result<Outcome> {
        let target = self.traffic.target()?;
        if let Some(target) = &target {
            self.permutations.check(target)?;
        }
        if self.worst_single_failure {
            return self.single_failures(context);
        }
        let remark = |limit: &TooLarge| {
            context.remark(&format!("no product form, so every link is analysed: {limit}"));
        };
        if let Some(form) = self.product(context.units().are_shared(), &remark)? {
            // Ranks have nothing to share then: whoever merges does it all.
            return match context.units().part() {
                Some(part) => context.end_part(part),
                None => self.by_product(&form, context),
            };
        }
        let instance = self.network.open(&self.topology, &self.routing, context)?;
        context.inputs_are_read()?;
        let progress = context.progress(2 * instance.topology.hosts() as u64, "sources");
        let assess = Assess::new().by_class(self.symmetry == SymmetryOption::Auto);
        let assess = if self.embed { assess.embedded() } else { assess };
        let mut keep = |known: &Assessment| self.keep(&instance, known, context);
        let assess = assess.units(context.units()).progress(&progress).keep(&mut keep);
        let assessment = assess.run(&instance)?;
        drop(progress);
        if let Some(part) = context.units().part() {
            return context.end_part(part);
        }
        context.units().check()?;
        self.write_certificates(
            context,
            assessment.certificate.as_ref(),
            assessment.permutation_certificate.as_ref(),
        );
        let write = |target| self.write_traffic(&target, &instance, &assessment, context);
        let written = target.map(write).transpose();
        // What was found is printed even if the traffic cannot be written.
        let mut report = AssessmentReport::new(&instance, &assessment);
        let failure = written.map(|files| report.traffic = files.unwrap_or_default()).err();
        context.show(&report, || report.text(self.shown()))?;
        let outcome = if assessment.complete { Outcome::Done } else { Outcome::Partial };
        failure.map_or(Ok(outcome), Err)
    }

    fn check_sharing(&self, by: Sharing) -> Result<()> {
        if self.worst_single_failure {
            bail!("`--worst-single-failure` cannot be sharded: run it in one process");
        }
        if by == Sharing::Shards && self.product(true, &|_| {})?.is_some() {
            bail!(
                "there is nothing to shard: the product form does not analyse links one by one; \
                 leave out `--shard`, or add `--engine enumerate`"
            );
        }
        Ok(())
    }

    fn check_files(&self, allowed: Overwriting) -> Result<()> {
        if let Some(path) = self.certificate.as_ref().filter(|path| !path.is_stdout()) {
            allowed.file(&beside(path, PERMUTATION))?;
        }
        self.traffic.check_files(Some(&self.permutations), allowed)
    }
}

impl RatioVerb {
    /// The product form, if it is to be used; `remark` is told of a limit that prevents it.
    fn product(&self, is_shared: bool, remark: &dyn Fn(&TooLarge)) -> Result<Option<ByDigits>> {
        let changes_links = self.embed || self.network.changes_networks();
        // A shard knows nothing of the traffic that a merge writes, and both take one engine.
        let needs_links = changes_links || (self.traffic.is_given() && !is_shared);
        let form = match self.engine {
            Engine::Enumerate => None,
            Engine::Auto if needs_links || import::is_path(&self.topology) => None,
            Engine::Auto => self.form_of_many_hosts(remark)?,
            Engine::Product if needs_links => bail!(NEEDS_LINKS),
            Engine::Product if import::is_path(&self.topology) => {
                return Err(ByDigitsError::NoTree(self.topology.clone()).into());
            }
            Engine::Product => Some(ByDigits::named(&self.topology, &self.routing)?),
        };
        if form.is_some() && self.traffic.is_given() {
            bail!(NEEDS_LINKS);
        }
        Ok(form)
    }

    /// The product form of a tree of many hosts, if it has one. Where it has none, or the tree is
    /// smaller, enumeration says what is wrong with the names.
    fn form_of_many_hosts(&self, remark: &dyn Fn(&TooLarge)) -> Result<Option<ByDigits>> {
        let shape = match TreeShape::named(&self.topology) {
            Ok(Some(shape)) if shape.hosts() > MANY_HOSTS => shape,
            Err(error @ TopologyError::TooLarge(_)) if may_have_digit_rules(&self.routing) => {
                return Err(error.into());
            }
            _ => return Ok(None),
        };
        let links = shape.links();
        let limit = match ByDigits::of(shape, &self.routing) {
            Ok(form) => return Ok(Some(form)),
            Err(
                ByDigitsError::TooLarge(limit)
                | ByDigitsError::Routing(RoutingError::TooLarge(limit)),
            ) => limit,
            Err(_) => return Ok(None),
        };
        if links > MAX_LINKS {
            return Err(limit.into());
        }
        remark(&limit);
        Ok(None)
    }

    fn by_product(&self, form: &ByDigits, context: &Context) -> Result<Outcome> {
        let mut keep = |known: &ByDigitsAssessment| {
            let mut report = AssessmentReport::of_product(form, known);
            report.complete = false;
            context.keep(&report, || report.text(self.shown()));
        };
        let progress = context.progress(0, "classes of links");
        let assessment = AssessByDigits::new().progress(&progress).keep(&mut keep).run(form)?;
        drop(progress);
        self.write_certificates(context, assessment.certificate.as_ref(), None);
        let report = AssessmentReport::of_product(form, &assessment);
        context.show(&report, || report.text(self.shown()))?;
        Ok(if report.complete { Outcome::Done } else { Outcome::Partial })
    }

    /// Keeps what is known so far.
    fn keep(&self, instance: &Instance, known: &Assessment, context: &Context) {
        let mut report = AssessmentReport::new(instance, known);
        report.complete = false;
        context.keep(&report, || report.text(self.shown()));
    }

    fn shown(&self) -> usize {
        if self.all { usize::MAX } else { SHOWN_PAIRS }
    }

    /// Writes the requested traffic; the worst case only if it attains the lower bound that is printed.
    fn write_traffic(
        &self,
        target: &TrafficTarget,
        instance: &Instance,
        found: &Assessment,
        context: &Context,
    ) -> Result<Vec<WrittenTraffic>> {
        if !self.permutations.are_given() && found.attained < found.oblivious_ratio.lower {
            context.remark("no traffic was written: none is known that attains the lower bound");
            return Ok(Vec::new());
        }
        self.permutations.write(target, instance, &found.witness, context)
    }

    fn single_failures(&self, context: &Context) -> Result<Outcome> {
        let Instance { topology, routing, .. } =
            self.network.open_whole(&self.topology, &self.routing, context)?;
        let progress = context.progress(single_failure_steps(&topology)?, "sources");
        let found = single_failures(&topology, &routing, &progress)?;
        drop(progress);
        let report = SingleFailuresReport::new(&topology, &*routing, &found);
        context.show(&report, || report.text())?;
        Ok(if found.complete { Outcome::Done } else { Outcome::Partial })
    }

    fn write_certificates(
        &self,
        context: &Context,
        ratio: Result<&Certificate, &NoCertificate>,
        permutation: Option<&Certificate>,
    ) {
        let Some(path) = &self.certificate else { return };
        let certificate = match ratio {
            Ok(certificate) => certificate,
            Err(why) => return context.remark(&format!("no certificate was written: {why}")),
        };
        context.write_beside(path, |out| Ok(certificate::write(certificate, out)?));
        if let Some(certificate) = permutation {
            if path.is_stdout() {
                context.remark(
                    "the certificate of the worst permutation load was not written: \
                     `--certificate FILE` writes it to FILE.permutation",
                );
                return;
            }
            let path = beside(path, PERMUTATION);
            context.write_beside(&path, |out| Ok(certificate::write(certificate, out)?));
        }
    }
}
