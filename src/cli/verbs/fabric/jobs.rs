//! Jobs in `fabric`: options and output files.

use std::path::{Path, PathBuf};

use anyhow::Result;
use itertools::Itertools as _;

use crate::certificate::{Certificate, JobsCertificate};
use crate::cli::overwriting::MARK;
use crate::cli::{Context, JobOptions, Jobs, OutputFolder, Overwriting, inputs};
use crate::jobs::orders::{Search, host_file, rank_file};
use crate::jobs::{CollectiveOrders, Exchange, Job, JobQuestions, JobsExamined, collectives};
use crate::topology::Topology;

/// Number of steps per restart of a search for orders.
const STEPS: u64 = 20_000;

/// The seed of searches unless one is given.
const SEED: u64 = 1;

/// What the names of files say of a worst load, of an order, and of what kind it is: `cert` is that of a ring.
const LOADS: [&str; 2] = ["alone", "beside"];
const ORDERS: [&str; 2] = ["best", "worst"];
const KINDS: [&str; 3] = ["hosts", "ranks", "cert"];

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
    /// Write the certificates of jobs and rings, and the orders found as host files and rank files, into
    /// FOLDER
    #[arg(long, alias = "job-files", value_name = "FOLDER")]
    save_jobs: Option<OutputFolder>,
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
        JobQuestions { collectives: self.collective.clone(), search }
    }

    /// Writes what was found under one routing, the `at`-th of several, or the only one.
    pub(super) fn write(
        &self,
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
        for orders in &found.orders {
            write_orders(&jobs[orders.job], orders, |rest| path(orders.job, rest), context);
        }
    }

    /// Checks before the work that no file in the folder is replaced that must not be: one whose name could be
    /// that of a file of some job.
    pub(super) fn check_files(&self, allowed: Overwriting) -> Result<()> {
        let Some(folder) = &self.save_jobs else { return Ok(()) };
        let exchanges = [Exchange::Adapters, Exchange::Rails, Exchange::Nodes].map(short);
        let loads = exchanges.iter().cartesian_product(LOADS);
        let loads = loads.map(|(exchange, what)| format!("-{exchange}-{what}.cert"));
        let collectives = self.collective.iter().map(|collective| plain(collective));
        let orders = collectives.cartesian_product(ORDERS).cartesian_product(KINDS);
        let orders =
            orders.map(|((collective, what), kind)| format!("-{collective}-{what}.{kind}"));
        allowed.files_in(folder, &loads.chain(orders).collect::<Vec<_>>())
    }
}

/// The orders of a collective, and the certificates of rings.
fn write_orders(
    job: &Job,
    orders: &CollectiveOrders,
    path: impl Fn(&str) -> PathBuf,
    context: &Context,
) {
    let collective = plain(&orders.collective);
    for (what, found) in ORDERS.into_iter().zip([&orders.best, &orders.worst]) {
        let files = [host_file(job, &found.order), rank_file(job, &found.order)];
        for (kind, text) in KINDS.into_iter().zip(files) {
            let path = path(&format!("{collective}-{what}.{kind}"));
            context.write_into_folder(&path, |out| {
                Ok(out.write_all(format!("# {MARK}\n{}", text?).as_bytes())?)
            });
        }
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
