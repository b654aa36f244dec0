//! `fabric`: from the dumps of a fabric to what is wrong with it, and what traffic can do to it.

mod jobs;

use std::sync::Arc;

use super::prelude::*;
use crate::cli::{DANGEROUS, FailureSetOptions, Jobs, OpenNetwork};
use crate::fabric::{Examined, Questions, Sources, TableSet, alternatives};
use crate::failure_sets::Failures;
use crate::jobs::JobsExamined;
use crate::progress::Progress;
use crate::rational::Rational;
use crate::report::html::{FabricPage, PageError, TablesPicture};
use crate::report::{
    AlternativeReport, FabricReport, FabricShape, JobsReport, LeastTables, TablesReport,
};
use crate::routing::Instance;
use crate::topology::{self, Direction, Topology};
use crate::worst_case::bad_permutations;
use jobs::JobWork;

pub(super) const VERB: Verb = Verb {
    name: "fabric",
    about: "Report on a fabric from its dumps: shape, damage, tables, worst links, advice",
    reference: "[OR] II, IV; ibdiagnet(1); Hoefler, Schneider and Lumsdaine, IEEE Cluster 2008",
    examples: &[
        "fabric ft(8,2) --routing dmodk",
        "fabric instances/fabrics/ft8x3_messy/updn",
        "fabric instances/fabrics/plafrim --json",
        "fabric instances/fabrics/ft16x3/ibnetdiscover.out.gz instances/fabrics/ft16x3/dfsssp",
        "fabric instances/fabrics/ft8x3_messy/updn --save-html -",
        "fabric ft(8,2) --routing osrm2 --failures 1",
    ],
    ..Verb::of::<Fabric>()
};

/// Number of rows of each list that are shown without `--all`.
const SHOWN: usize = 8;

/// The seed of the bisections unless one is given.
const SEED: u64 = 1;

#[derive(clap::Args)]
struct Fabric {
    /// Folder with the dumps of a fabric, or its files: the network and, optionally, forwarding tables
    #[arg(required = true, value_name = "PATH")]
    paths: Vec<String>,
    /// Also examine this routing, such as dmodk (repeatable): see `routebound list routings`
    #[arg(long, value_name = "ROUTING")]
    routing: Vec<String>,
    /// Number of random bisections to sample; 0 for none
    #[arg(long, value_name = "N", default_value_t = 100)]
    bisections: u64,
    /// Compute the exact oblivious ratio even where it needs linear programs
    #[arg(long)]
    exact: bool,
    /// Show all rows of every list [default: the first 8]
    #[arg(long)]
    all: bool,
    /// Write the report to FILE as a self-contained HTML page with drawings and tables; `-` is stdout
    #[arg(long, alias = "html", value_name = "FILE")]
    save_html: Option<OutputPath>,
    #[command(flatten)]
    jobs: JobWork,
    #[command(flatten)]
    sets: FailureSetOptions,
    #[command(flatten)]
    network: InstanceOptions,
}

/// A routing to examine, and other dumps of its tables.
type Examinee = (String, Vec<(String, u64)>);

/// The state of knowledge of a fabric.
#[derive(Clone)]
struct Known {
    report: FabricReport,
    network: Arc<OpenNetwork>,
    /// Of every set of tables; empty unless a page is asked for.
    pictures: Vec<TablesPicture>,
    jobs: Arc<Jobs>,
    failures: Option<Arc<Failures>>,
}

impl Known {
    fn page(&self) -> Result<String, PageError> {
        let Self { report, network, pictures, .. } = self;
        FabricPage { report, topology: network.topology(), pictures }.render()
    }

    /// Adds another set of tables.
    fn with(mut self, tables: TablesReport, picture: Option<TablesPicture>) -> Self {
        self.report.tables.push(tables);
        self.pictures.extend(picture);
        self
    }
}

impl Run for Fabric {
    fn run(&self, context: &Context) -> Result<Outcome> {
        let sources = context.reading(&self.paths.join(" "), || Ok(Sources::of(&self.paths)?))?;
        let network = sources.network.clone();
        let opened = Arc::new(self.network.open_network(&network, context)?);
        let topology = opened.topology();
        let jobs = Arc::new(self.jobs.read(topology, context)?);
        let failures = self.sets.most();
        let failures = failures.map(|most| self.sets.of(most, topology, DANGEROUS, context));
        let failures = failures.transpose()?.map(Arc::new);
        let notes = topology.notes().iter().chain(&sources.notes).chain(&jobs.notes).cloned();
        let mut report = FabricReport::new(network, FabricShape::of(topology)?, notes.collect());
        report.least_tables = LeastTables::of(topology);
        let pictures = Vec::new();
        let mut known = Known { report, network: Arc::clone(&opened), pictures, jobs, failures };
        self.keep(&known, context);
        let mut complete = true;
        let routings = self.routings(&sources.tables);
        self.sets.check_routings(routings.len())?;
        for (at, routing) in routings.iter().enumerate() {
            let progress =
                context.progress(3 * topology.hosts() as u64, "sources, in three passes");
            let place = (routings.len() > 1).then_some(at);
            let (found, picture, whole) =
                self.examine(routing, place, &known, context, &progress)?;
            complete &= whole;
            known = known.with(found, picture);
            self.keep(&known, context);
        }
        add_alternatives(topology, &mut known.report, context);
        known.report.complete = complete && !context.is_stopped();
        known.report = known.report.advised();
        self.print(&known, context)
    }

    fn check_files(&self, allowed: Overwriting) -> Result<()> {
        self.jobs.check_files(allowed)
    }
}

impl Fabric {
    fn print(&self, known: &Known, context: &Context) -> Result<Outcome> {
        let report = &known.report;
        if let Some(file) = &self.save_html {
            context.write_beside(file, |out| Ok(out.write_all(known.page()?.as_bytes())?));
        }
        context.show(report, || report.text(self.most()))?;
        let refused = report.tables.iter().any(|tables| tables.failure.is_some());
        Ok(match (refused, report.complete) {
            (true, _) => Outcome::CheckFailed,
            (false, true) => Outcome::Done,
            (false, false) => Outcome::Partial,
        })
    }

    fn most(&self) -> usize {
        if self.all { usize::MAX } else { SHOWN }
    }

    /// Keeps what is known so far, as text and as a page.
    fn keep(&self, known: &Known, context: &Context) {
        let report = known.report.clone().advised();
        if let Some(file) = &self.save_html {
            let known = Known { report: report.clone(), ..known.clone() };
            context.keep_file(file, move || known.page().ok());
        }
        context.keep(&report, || report.text(self.most()));
    }

    /// The tables as routings, and the routings asked for.
    fn routings(&self, tables: &[TableSet]) -> Vec<Examinee> {
        let of_set = |set: &TableSet| -> Vec<Examinee> {
            let lids = set.lids.clone().filter(|_| !self.network.chooses_lids());
            let set = TableSet { lids, ..set.clone() };
            set.routings().into_iter().map(|routing| (routing, set.copies.clone())).collect()
        };
        let asked = self.routing.iter().map(|routing| (routing.clone(), Vec::new()));
        tables.iter().flat_map(of_set).chain(asked).collect()
    }

    /// Examines a routing; the last part tells whether the examination is complete.
    fn examine(
        &self,
        (routing, copies): &Examinee,
        place: Option<usize>,
        known: &Known,
        context: &Context,
        progress: &Progress,
    ) -> Result<(TablesReport, Option<TablesPicture>, bool)> {
        let unexamined = TablesReport::unexamined(routing.clone(), copies.clone());
        let is_asked_for = self.routing.contains(routing);
        let blank = |topology: &Arc<Topology>| {
            self.save_html.as_ref().map(|_| TablesPicture::unexamined(Arc::clone(topology)))
        };
        let opened = if known.jobs.jobs.is_empty() {
            let left = self.network.open_remaining_routing(&known.network, routing, context);
            left.map(|left| left.instance)
        } else {
            self.network.open_routing(&known.network, routing, context)
        };
        let instance = match opened {
            Ok(instance) => instance,
            // Errors in tables are part of the report.
            Err(error) if !is_asked_for && !context.is_stopped() => {
                let refused = unexamined.refused(error.to_string());
                return Ok((refused, blank(known.network.topology()), true));
            }
            Err(error) => return Err(error),
        };
        let seed = context.seed().unwrap_or(SEED);
        let questions = Questions { bisections: self.bisections, seed, exact: self.exact };
        let blank = blank(&instance.topology);
        let of = |found: &Examined| {
            let picture = blank.clone().map(|blank| blank.examined(found));
            (unexamined.clone().examined(&instance, found), picture)
        };
        let mut keep = |found: &Examined| {
            let (tables, picture) = of(found);
            self.keep(&known.clone().with(tables, picture), context);
        };
        let found = Examined::of(&instance, questions, progress, &mut keep)?;
        let (tables, picture) = of(&found);
        let picture = picture.map(|picture| with_permutation(picture, &instance, &found, progress));
        let mut keep = |tables: &TablesReport| {
            self.keep(&known.clone().with(tables.clone(), picture.clone()), context);
        };
        let (tables, jobs) =
            self.examine_jobs(&instance, tables, known, place, context, &mut keep)?;
        let (tables, sets) = self.examine_failures(&instance, tables, known, context, &mut keep)?;
        Ok((tables, picture, found.is_complete() && jobs && sets))
    }

    /// Examines the jobs that were given under a routing, and whether that is complete.
    fn examine_jobs(
        &self,
        instance: &Instance,
        tables: TablesReport,
        known: &Known,
        place: Option<usize>,
        context: &Context,
        keep: &mut dyn FnMut(&TablesReport),
    ) -> Result<(TablesReport, bool)> {
        let jobs = &known.jobs.jobs;
        if jobs.is_empty() {
            return Ok((tables, true));
        }
        let progress = context.progress(0, "jobs");
        let with_jobs = |found: &JobsExamined| {
            tables.clone().with_jobs(JobsReport::new(&instance.topology, jobs, found))
        };
        let mut keep = |found: &JobsExamined| keep(&with_jobs(found));
        let questions = self.jobs.questions(context);
        let found = JobsExamined::of(instance, jobs, &questions, &progress, &mut keep)?;
        self.jobs.write(&instance.topology, jobs, &found, place, context);
        Ok((with_jobs(&found), found.is_complete()))
    }

    /// Looks at the sets of failures that were asked for under a routing, and whether all are known.
    fn examine_failures(
        &self,
        instance: &Instance,
        tables: TablesReport,
        known: &Known,
        context: &Context,
        keep: &mut dyn FnMut(&TablesReport),
    ) -> Result<(TablesReport, bool)> {
        let Some(failures) = &known.failures else { return Ok((tables, true)) };
        let mut keep = |sets| keep(&TablesReport { failure_sets: Some(sets), ..tables.clone() });
        let (_, sets) = self.sets.find(instance, (failures, 1.0, None), context, &mut keep)?;
        let complete = sets.complete;
        Ok((TablesReport { failure_sets: Some(sets), ..tables }, complete))
    }
}

/// Adds the permutation with the maximum load of a link, unless the run is stopped before it is found.
fn with_permutation(
    picture: TablesPicture,
    instance: &Instance,
    found: &Examined,
    progress: &Progress,
) -> TablesPicture {
    // A slow host link is loaded by any permutation: it needs no picture.
    let is_between = |link: &u32| {
        let link = instance.topology.link(*link);
        // Where hosts are at spines, cables between switches are flat and of level 1.
        link.level > 1 || link.direction == Direction::Flat
    };
    let mut links = found.worst_links.iter().flatten();
    let Some(worst) = links.find(|(link, _)| is_between(link)) else { return picture };
    match bad_permutations(instance, std::slice::from_ref(worst), progress).as_deref() {
        Ok([bad]) => picture.with_permutation(instance, bad),
        _ => picture,
    }
}

/// Adds the results of routings by formula on the fabric itself, or on the whole tree of its shape.
fn add_alternatives(topology: &Topology, report: &mut FabricReport, context: &Context) {
    let FabricShape { shape, irregular, no_pgft, speeds, .. } = &report.shape;
    let is_tree = irregular.is_none() && no_pgft.is_none();
    let alike = is_tree && speeds.iter().all(|speed| speed.capacity == Rational::ONE);
    let whole = shape.as_ref().filter(|_| alike && !topology.has_merged_cables());
    let whole = whole.and_then(|shape| topology::generate(shape).ok());
    let progress = context.progress(0, "routings by formula");
    let (on, topology) = match &whole {
        Some(whole) if report.shape.whole => (whole.spec().to_string(), whole),
        Some(whole) => (format!("{}, the tree when whole", whole.spec()), whole),
        None => ("the fabric as it is".to_string(), topology),
    };
    let found = alternatives(topology, &progress);
    report.alternatives_on = on;
    report.alternatives = found.iter().map(AlternativeReport::from).collect();
}
