//! Jobs in `fabric`: options and output files.

use std::path::{Path, PathBuf};

use anyhow::Result;
use itertools::Itertools as _;

use crate::certificate::{Certificate, JobsCertificate};
use crate::cli::{Context, JobOptions, Jobs, OutputFolder, Overwriting, inputs};
use crate::integer::as_size;
use crate::jobs::launch::{self, Launch, LaunchError};
use crate::jobs::orders::Search;
use crate::jobs::{CollectiveOrders, Exchange, Job, JobQuestions, JobsExamined, collectives};
use crate::quote::quote;
use crate::topology::Topology;

/// Number of steps per restart of a search for orders.
const STEPS: u64 = 20_000;

/// The seed of searches unless one is given.
const SEED: u64 = 1;

/// What the names of files say of a worst load, and of an order.
const LOADS: [&str; 2] = ["alone", "beside"];
const ORDERS: [&str; 2] = ["best", "worst"];

/// Maximum number of sets of pairs per job.
const MAX_SETS: u64 = 4096;

#[derive(Clone, Debug, clap::Args)]
#[command(next_help_heading = "Jobs")]
pub(super) struct JobWork {
    #[command(flatten)]
    which: JobOptions,
    /// Search for the best and the worst order of ranks for a collective of each job, such as ring
    /// (repeatable): see `routebound list job-collectives`
    #[arg(long, value_name = "COLLECTIVE")]
    collective: Vec<String>,
    /// Number of restarts of each search for an order
    #[arg(long, value_name = "N", default_value_t = 16)]
    restarts: u64,
    /// Write the certificates of jobs and rings, the orders found, and pairs of nodes to measure, as files
    /// for mpirun, Slurm, nccl-tests and SuperBench, into FOLDER: see `routebound list launch-files`
    #[arg(long, alias = "job-files", value_name = "FOLDER")]
    save_jobs: Option<OutputFolder>,
    /// Write up to K sets of pairs of nodes for each job, each a worst one for a link that no earlier set loads
    /// as much; 0 for none [default: 1]
    #[arg(long, value_name = "K", requires = "save_jobs",
        value_parser = clap::value_parser!(u64).range(0..=MAX_SETS))]
    count: Option<u64>,
}

impl JobWork {
    /// The jobs on a fabric; none where none were asked for.
    pub(super) fn read(&self, topology: &Topology, context: &Context) -> Result<Jobs> {
        let jobs = self.which.read(topology, context)?;
        // A collective that does not exist or fit is refused before work begins.
        for job in jobs.jobs.iter().filter(|job| job.nodes.len() > 1) {
            for collective in &self.collective {
                collectives::generate(collective, job.nodes.len())?;
            }
        }
        Ok(jobs)
    }

    pub(super) fn questions(&self, context: &Context) -> JobQuestions {
        let seed = context.seed().unwrap_or(SEED);
        let (restarts, starts) = (self.restarts, Vec::new());
        let search = Search { restarts, steps: STEPS, seed, starts };
        let pairs = self.save_jobs.as_ref().map_or(0, |_| as_size(self.sets()));
        JobQuestions { collectives: self.collective.clone(), search, pairs }
    }

    /// Writes what was found under one routing, the `at`-th of several, or the only one.
    pub(super) fn write(
        &self,
        topology: &Topology,
        jobs: &[Job],
        found: &JobsExamined,
        at: Option<usize>,
        context: &Context,
    ) {
        let Some(folder) = &self.save_jobs else { return };
        let prefix = at.map_or_else(String::new, |at| format!("{}-", at + 1));
        let names = file_names(jobs);
        let path = |job: usize, rest: &str| folder.join(format!("{prefix}{}-{rest}", names[job]));
        for (exchange, worst) in &found.loads {
            for (job, worst) in worst.iter().enumerate() {
                for (what, load) in LOADS.into_iter().zip([&worst.alone, &worst.beside]) {
                    let certificate = load.as_ref().and_then(|load| load.certificate.as_ref().ok());
                    let name = format!("{}-{what}.cert", short(*exchange));
                    write_certificate(&path(job, &name), certificate, context);
                }
            }
        }
        self.write_pairs(topology, jobs, found, &path, context);
        for orders in &found.orders {
            write_orders(
                topology,
                &jobs[orders.job],
                orders,
                |rest| path(orders.job, rest),
                context,
            );
        }
    }

    /// Writes the pairs of nodes to measure, or says why there are none.
    fn write_pairs(
        &self,
        topology: &Topology,
        jobs: &[Job],
        found: &JobsExamined,
        path: &impl Fn(usize, &str) -> PathBuf,
        context: &Context,
    ) {
        let is_known = self.sets() > 0 && found.is_complete();
        for (at, job) in jobs.iter().enumerate() {
            if is_known && found.pairs.iter().all(|pairs| pairs.job != at) {
                let name = quote(&job.name);
                context.remark(&format!(
                    "no pairs of {name} to measure: no two of its sends share a link"
                ));
            }
        }
        for (at, pairs) in found.pairs.iter().enumerate() {
            let before = found.pairs[..at].iter().filter(|other| other.job == pairs.job).count();
            let launch = Launch::of_pairs(topology, &jobs[pairs.job], pairs);
            let path = |ending: &str| path(pairs.job, &format!("pairs-{}.{ending}", before + 1));
            match launch {
                // Nobody asked for them.
                Err(error) if self.count.is_none() => {
                    context.remark(&format!("pairs to measure are not written: {error}"));
                }
                launch => write_launch(launch, path, context),
            }
        }
    }

    /// Number of sets of pairs to write for each job.
    fn sets(&self) -> u64 {
        self.count.unwrap_or(1)
    }

    /// Checks before the work that no file in the folder is replaced that must not be: one whose name could be
    /// that of a file of some job.
    pub(super) fn check_files(&self, allowed: Overwriting) -> Result<()> {
        let Some(folder) = &self.save_jobs else { return Ok(()) };
        let exchanges = [Exchange::Adapters, Exchange::Rails, Exchange::Nodes].map(short);
        let loads = exchanges.iter().cartesian_product(LOADS);
        let loads = loads.map(|(exchange, what)| format!("-{exchange}-{what}.cert"));
        let collectives = self.collective.iter().map(|collective| plain(collective));
        let orders: Vec<String> = collectives
            .cartesian_product(ORDERS)
            .map(|(collective, what)| format!("-{collective}-{what}"))
            .collect();
        let pairs = (1..=self.sets()).map(|number| format!("-pairs-{number}"));
        let kinds = launch::endings().chain(["cert".to_string()]).collect_vec();
        let launched = orders.into_iter().chain(pairs).cartesian_product(kinds);
        let launched = launched.map(|(name, kind)| format!("{name}.{kind}"));
        allowed.files_in(folder, &loads.chain(launched).collect::<Vec<_>>())
    }
}

/// The files of what is to be launched.
fn write_launch(
    launch: Result<Launch, LaunchError>,
    path: impl Fn(&str) -> PathBuf,
    context: &Context,
) {
    let Some(launch) = context.beside(launch.map_err(anyhow::Error::from)) else { return };
    for (ending, text) in launch.files() {
        context.write_into_folder(&path(&ending), |out| Ok(out.write_all(text.as_bytes())?));
    }
}

/// The orders of a collective, and the certificates of rings.
fn write_orders(
    topology: &Topology,
    job: &Job,
    orders: &CollectiveOrders,
    path: impl Fn(&str) -> PathBuf,
    context: &Context,
) {
    let collective = plain(&orders.collective);
    for (what, found) in ORDERS.into_iter().zip([&orders.best, &orders.worst]) {
        let launch = Launch::of_order(topology, job, &orders.collective, found);
        write_launch(launch, |ending| path(&format!("{collective}-{what}.{ending}")), context);
    }
    let Some(ring) = &orders.ring else { return };
    for (what, load) in ORDERS.into_iter().zip([&ring.least, &ring.greatest]) {
        let path = path(&format!("{collective}-{what}.cert"));
        write_certificate(&path, load.certificate.as_ref().ok(), context);
    }
}

fn write_certificate(path: &Path, certificate: Option<&JobsCertificate>, context: &Context) {
    let Some(certificate) = certificate else { return };
    let certificate = Certificate::Jobs(certificate.clone());
    context.write_into_folder(path, |out| inputs::write(&certificate, out));
}

fn short(exchange: Exchange) -> &'static str {
    match exchange {
        Exchange::Adapters => "adapters",
        Exchange::Rails => "rails",
        Exchange::Nodes => "nodes",
    }
}

/// A name for files: letters, digits and `.`, `-`, `_`, everything else as `_`.
fn plain(name: &str) -> String {
    let is_plain = |c: char| c.is_ascii_alphanumeric() || "-_.".contains(c);
    let plain: String = name.chars().map(|c| if is_plain(c) { c } else { '_' }).take(64).collect();
    if plain.starts_with(['.', '-']) || plain.is_empty() { format!("job{plain}") } else { plain }
}

/// A name for the files of every job, none twice.
fn file_names(jobs: &[Job]) -> Vec<String> {
    let mut names: Vec<String> = Vec::with_capacity(jobs.len());
    let mut seen = std::collections::HashSet::new();
    for job in jobs {
        let base = plain(&job.name);
        let numbered = (2_u64..).map(|number| format!("{base}-{number}"));
        let name = std::iter::once(base.clone()).chain(numbered).find(|name| !seen.contains(name));
        let name = name.unwrap_or(base);
        seen.insert(name.clone());
        names.push(name);
    }
    names
}
