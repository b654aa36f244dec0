//! `ratio`: the worst case of a routing over all traffic, with proof.

#[cfg(feature = "highs")]
mod adaptive;
mod failure_sets;
mod failures;
mod links;
mod seeds;
mod written;

use std::num::NonZeroU32;

use anyhow::ensure;

use super::prelude::*;
use crate::assessment::{Assess, AssessByDigits, Assessment, ByDigitsAssessment};
use crate::by_digits::{ByDigits, ByDigitsError};
use crate::cli::{
    BadPermutationOptions, FailureSetOptions, LinkListOptions, ShardOptions, Sharing,
    TrafficFileOptions, TrafficTarget, overwriting::beside,
};
use crate::import;
use crate::limit::TooLarge;
use crate::progress::Told;
use crate::rational::Rational;
use crate::registry::Kind;
use crate::report::{AssessmentReport, AtMost, LinkList, on_both_sides};
use crate::routing::{RoutingError, may_have_digit_rules};
use crate::topology::{MAX_LINKS, TopologyError, TreeShape};

pub(super) const VERB: Verb = Verb {
    name: "ratio",
    about: "Compute the exact worst case of a routing over all traffic, with a certificate",
    reference: "[OR] II.A, IV; Towles and Dally, SPAA 2002",
    examples: &[
        "ratio ft(8,3) dmodk",
        "ratio ft(16,2) grid --json",
        "ratio ft(64,6) dmodk --engine by-digits",
        "ratio ft(8,2) dmodk --links",
        "ratio ft(8,2) dmodk --fail 2",
        "ratio ft(8,2) dmodk --at-most 4",
        #[cfg(feature = "highs")]
        "ratio ft(4,2) kpath(k=2) --rates adaptive",
        #[cfg(feature = "highs")]
        "ratio ft(4,2) kpath(k=2) --rates adaptive --permutations",
        "ratio ft(4,2) dmodk --worst-single-failure",
        "ratio ft(8,2) osrm2 --failures 2 --dangerous 3",
        "ratio ftree(4,4,8) ecmp-hash --seeds 100",
        "ratio ft(8,2) dmodk --save-traffic bad.mtx",
        "ratio ft(8,2) dmodk --save-traffic bad.pairs --count 3",
    ],
    ..Verb::of::<RatioVerb>()
};

/// Number of pairs of the worst traffic that are shown without `--all`.
const SHOWN_PAIRS: usize = 10;

/// Ending of the file name of the certificate of the worst permutation load.
const PERMUTATION: &str = ".permutation";

/// Why the analysis by digits cannot be used with some options.
const NEEDS_LINKS: &str = "the analysis by digits works on classes of links, not on single links: leave out `--embed`, \
    `--links`, `--save-traffic`, `--lmc` and failures, or use `--engine enumerate`";

/// Number of hosts up to which every link is analysed even where no option needs single links: it takes no longer,
/// and proves the permutation ratio too.
const FEW_HOSTS: u64 = 1 << 8;

/// Options that `--failures` cannot be combined with, besides failures of another kind.
const WITHOUT_FAILURES: [&str; 8] = [
    "at_most",
    "engine",
    "symmetry",
    "worst_single_failure",
    "seeds",
    "save_traffic",
    "links",
    "shard",
];

/// How the worst case is computed.
#[derive(Clone, Copy, PartialEq, Eq, clap::ValueEnum)]
enum Engine {
    /// `by-digits` for named trees of more than 256 hosts if it applies, otherwise `enumerate`
    Auto,
    /// Analyse every pair and every link
    Enumerate,
    /// Analyse classes of links, on named trees of any size. Needs a routing that chooses each
    /// up-digit by one digit (dmodk, smodk, osrm3, ecmp) or, on two-level trees, by the first digits
    /// of both hosts (osrm2, grid, yuan)
    ByDigits,
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
#[command(mut_arg("failures", |failures| failures.conflicts_with_all(WITHOUT_FAILURES)))]
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
    /// Who chooses the shares of the traffic of a pair that its paths get
    #[cfg(feature = "highs")]
    #[arg(long, value_enum, default_value_t = adaptive::Rates::Fixed)]
    rates: adaptive::Rates,
    #[cfg(feature = "highs")]
    #[command(flatten)]
    over: adaptive::OverOptions,
    /// How to compute the worst case
    #[arg(long, value_enum, default_value_t = Engine::Auto)]
    engine: Engine,
    /// Whether to analyse equivalent hosts and links only once
    #[arg(long, value_enum, default_value_t = SymmetryOption::Auto)]
    symmetry: SymmetryOption,
    /// Exit with code 0 if the oblivious ratio (or what is bounded instead) is proven to be at most X, such as 18 or
    /// 7/2, with 1 if it is proven to be above, otherwise with 3
    #[arg(long, value_name = "X", value_parser = Rational::from_decimal)]
    at_most: Option<Rational>,
    /// Show all pairs of the worst traffic [default: the first 10], or all cables of `--worst-single-failure` [default:
    /// the worst 10]
    #[arg(long)]
    all: bool,
    /// Fail each cable between switches, or between hosts that forward, in turn; report who is cut off and how badly
    /// the others may fare
    #[arg(long, conflicts_with_all =
        ["at_most", "certificate", "embed", "engine", "symmetry", "fail", "fail_links", "fail_switches",
         "save_traffic", "links", "shard"])]
    worst_single_failure: bool,
    /// Compute the worst permutation load for N seeds of the routing, from its own on, each exactly; report how
    /// they are distributed
    #[arg(long, value_name = "N", conflicts_with_all =
        ["at_most", "certificate", "embed", "engine", "symmetry", "all", "worst_single_failure", "save_traffic",
         "links", "shard", "fail", "fail_links", "fail_switches"])]
    seeds: Option<NonZeroU32>,
    #[command(flatten)]
    sets: FailureSetOptions,
    #[command(flatten)]
    list: LinkListOptions,
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
        #[cfg(feature = "highs")]
        match self.rates {
            adaptive::Rates::Adaptive => return self.adaptive(context),
            adaptive::Rates::Fixed => self.over.check_fixed()?,
        }
        let target = self.traffic.target()?;
        if let Some(target) = &target {
            self.permutations.check(target)?;
        }
        let list = self.list.format(context)?;
        if self.worst_single_failure {
            return self.single_failures(context);
        }
        if let Some(most) = self.sets.most() {
            return self.failure_sets(most, context);
        }
        if let Some(seeds) = self.seeds {
            return self.over_seeds(seeds, context);
        }
        let remark = |limit: &TooLarge| {
            context.remark(&format!("no analysis by digits, so every link is analysed: {limit}"));
        };
        if let Some(form) = self.by_digits(context.units().are_shared(), &remark)? {
            // Ranks have nothing to share then: whoever merges does it all.
            return match context.units().part() {
                Some(part) => context.end_part(part),
                None => self.report_by_digits(&form, context),
            };
        }
        self.by_links(target.as_ref(), list, context)
    }

    fn check_sharing(&self, by: Sharing) -> Result<()> {
        #[cfg(feature = "highs")]
        if self.rates == adaptive::Rates::Adaptive {
            bail!("`--rates adaptive` cannot be sharded: run it in one process");
        }
        for (given, option) in [
            (self.worst_single_failure, "--worst-single-failure"),
            (self.sets.most().is_some(), "--failures"),
            (self.seeds.is_some(), "--seeds"),
        ] {
            ensure!(!given, "`{option}` cannot be sharded: run it in one process");
        }
        if by == Sharing::Shards && self.by_digits(true, &|_| {})?.is_some() {
            bail!(
                "there is nothing to shard: the analysis by digits does not go link by link; \
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

/// How a run ends that printed this report.
fn outcome(at_most: Option<&AtMost>, complete: bool) -> Outcome {
    match at_most {
        Some(AtMost { holds: Some(true), .. }) => Outcome::Done,
        Some(AtMost { holds: Some(false), .. }) => Outcome::CheckFailed,
        None if complete => Outcome::Done,
        _ => Outcome::Partial,
    }
}

impl RatioVerb {
    /// The analysis by digits, if it is to be used; `remark` is told of a limit that prevents it.
    fn by_digits(&self, is_shared: bool, remark: &dyn Fn(&TooLarge)) -> Result<Option<ByDigits>> {
        let changes_links = self.embed || self.network.changes_networks();
        // A shard knows nothing of the traffic that a merge writes, and both take one engine.
        let needs_links = changes_links || (self.needs_links() && !is_shared);
        let form = match self.engine {
            Engine::Enumerate => None,
            Engine::Auto if needs_links || import::is_path(&self.topology) => None,
            Engine::Auto => self.form_of_many_hosts(remark)?,
            Engine::ByDigits if needs_links => bail!(NEEDS_LINKS),
            Engine::ByDigits if import::is_path(&self.topology) => {
                return Err(ByDigitsError::NoTree(self.topology.clone()).into());
            }
            Engine::ByDigits => Some(ByDigits::named(&self.topology, &self.routing)?),
        };
        if form.is_some() && self.needs_links() {
            bail!(NEEDS_LINKS);
        }
        Ok(form)
    }

    /// Whether something is asked for besides the result that single links are needed for.
    fn needs_links(&self) -> bool {
        self.traffic.is_given() || self.list.is_given()
    }

    /// The analysis by digits of a tree of many hosts, if it has one. Where it has none, or the tree is
    /// smaller, enumeration says what is wrong with the names.
    fn form_of_many_hosts(&self, remark: &dyn Fn(&TooLarge)) -> Result<Option<ByDigits>> {
        let shape = match TreeShape::named(&self.topology) {
            Ok(Some(shape)) if shape.hosts() > FEW_HOSTS => shape,
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

    /// Analyses every link.
    fn by_links(
        &self,
        target: Option<&TrafficTarget>,
        list: Option<&'static Kind<LinkList>>,
        context: &Context,
    ) -> Result<Outcome> {
        let network = self.network.open_network(&self.topology, context)?;
        if context.units().part().is_none() {
            let unopened = AssessmentReport::unopened(network.topology(), &self.routing)
                .compared(self.at_most.as_ref());
            context.keep(&unopened, || unopened.text(self.shown()));
        }
        let left = self.network.open_remaining_routing(&network, &self.routing, context)?;
        let instance = &left.instance;
        context.inputs_are_read()?;
        let progress =
            context.progress(2 * instance.topology.hosts() as u64, "sources, in two passes");
        let assess = Assess::new().by_class(self.symmetry == SymmetryOption::Auto);
        let assess = if self.embed { assess.embedded() } else { assess };
        let quicker = self.quicker();
        let report_of = |known: &Assessment| {
            let mut report = AssessmentReport::new(instance, known).compared(self.at_most.as_ref());
            report.notes.extend(quicker.clone().filter(|_| !known.complete));
            report
        };
        let mut keep = |known: &Assessment| {
            let mut report = report_of(known);
            report.complete = false;
            progress.tell(Told::Known(&on_both_sides("ratio", &known.oblivious_ratio)));
            context.keep(&report, || report.text(self.shown()));
            self.keep_list(list, instance, known, context);
        };
        let assess = assess.units(context.units()).progress(&progress).keep(&mut keep);
        let assessment = assess.run(instance)?;
        drop(progress);
        if let Some(part) = context.units().part() {
            return context.end_part(part);
        }
        context.units().check()?;
        let permutation = assessment.permutation_certificate.as_ref();
        self.write_certificates(context, assessment.certificate.as_ref(), permutation);
        self.list_links(list, instance, &assessment, context)?;
        let write = |target| self.write_traffic(target, instance, &assessment, context);
        let written = target.map(write).transpose();
        // What was found is printed even if the traffic cannot be written.
        let mut report = report_of(&assessment);
        report.failure = failures::report(&left, context);
        // The bounds of links may have been stopped after the result was known.
        report.complete &= !(list.is_some() && context.is_stopped());
        let failure = written.map(|files| report.traffic = files.unwrap_or_default()).err();
        context.show(&report, || report.text(self.shown()))?;
        failure.map_or(Ok(outcome(report.at_most.as_ref(), report.complete)), Err)
    }

    fn report_by_digits(&self, form: &ByDigits, context: &Context) -> Result<Outcome> {
        let mut keep = |known: &ByDigitsAssessment| {
            let mut report =
                AssessmentReport::of_product(form, known).compared(self.at_most.as_ref());
            report.complete = false;
            context.keep(&report, || report.text(self.shown()));
        };
        let progress = context.progress(0, "classes of links");
        let assessment = AssessByDigits::new().progress(&progress).keep(&mut keep).run(form)?;
        drop(progress);
        self.write_certificates(context, assessment.certificate.as_ref(), None);
        let report =
            AssessmentReport::of_product(form, &assessment).compared(self.at_most.as_ref());
        context.show(&report, || report.text(self.shown()))?;
        Ok(outcome(report.at_most.as_ref(), report.complete))
    }

    /// What to do where enumeration was stopped and the analysis by digits would have answered.
    fn quicker(&self) -> Option<String> {
        if self.network.changes_networks() || import::is_path(&self.topology) {
            return None;
        }
        ByDigits::named(&self.topology, &self.routing).ok()?;
        let leave = if self.embed || self.needs_links() {
            ", without `--embed`, `--links` and `--save-traffic`"
        } else {
            ""
        };
        Some(format!("`--engine by-digits`{leave} answers this by classes of links"))
    }

    fn shown(&self) -> usize {
        if self.all { usize::MAX } else { SHOWN_PAIRS }
    }
}
