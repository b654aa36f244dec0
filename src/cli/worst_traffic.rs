//! Options of verbs that write worst-case traffic.

use std::ffi::OsString;
use std::path::{Path, PathBuf};

use anyhow::{Context as _, Result, anyhow, bail};

use super::overwriting::beside;
use super::{Context, OutputPath, Overwriting};
use crate::bounds::Witness;
use crate::export::traffic::{FORMATS, TrafficFormat};
use crate::import;
use crate::integer::as_size;
use crate::limit::within;
use crate::progress::Progress;
use crate::registry::{self, Kind};
use crate::report::{WorstTraffic, WrittenTraffic, are_hosts_alike};
use crate::routing::Instance;
use crate::worst_case::{bad_permutations, diverse_permutations, links_by_ratio, worst_links};

/// Maximum number of files per run.
const MAX_FILES: u64 = 4096;
/// Number of files whose traffic is in memory at once.
const BATCH: usize = 64;

/// File and format of worst-case traffic.
#[derive(Clone, Debug, clap::Args)]
#[command(next_help_heading = "Worst-case traffic")]
pub struct TrafficFileOptions {
    /// Write the worst-case traffic to FILE, for `routebound load` or other programs; `-` is stdout
    #[arg(long, value_name = "FILE")]
    save_traffic: Option<OutputPath>,
    /// Format of the traffic: see `routebound list traffic-formats` [default: by file extension]
    #[arg(long, alias = "traffic-format", value_name = "FORMAT", requires = "save_traffic")]
    format: Option<String>,
}

/// The format called `name`, else the one named by the extension of `path`; `option` is the option
/// that would give a name.
pub(super) fn format_of(
    name: Option<&str>,
    path: &Path,
    option: &str,
) -> Result<&'static Kind<TrafficFormat>> {
    let ending = path.extension().and_then(|ending| ending.to_str());
    // What is written compressed would have to be compressed.
    let read =
        import::traffic::format_of(path).filter(|_| ending.is_some_and(|ending| ending != "gz"));
    let format = name.or(read.map(|kind| kind.name)).or(ending).ok_or_else(|| {
        let names: Vec<&str> = FORMATS.iter().map(|kind| kind.name).collect();
        anyhow!("the traffic format is unknown: add {option}, one of {}", names.join(", "))
    })?;
    Ok(registry::find(FORMATS, "traffic format", format)?)
}

impl TrafficFileOptions {
    /// Whether traffic is to be written.
    #[must_use]
    pub fn is_given(&self) -> bool {
        self.save_traffic.is_some()
    }

    /// File and format, if traffic is to be written.
    ///
    /// # Errors
    /// When the format is not known.
    pub fn target(&self) -> Result<Option<TrafficTarget>> {
        let Some(path) = self.save_traffic.as_deref() else { return Ok(None) };
        let format = format_of(self.format.as_deref(), path, "--format")?;
        Ok(Some(TrafficTarget { path: path.to_path_buf(), format }))
    }

    /// Checks before the work that no file beside the one that is named, such as FILE.about, replaces one that
    /// must not be. `several` says which of several permutations are written.
    ///
    /// # Errors
    /// When one does.
    pub fn check_files(
        &self,
        several: Option<&BadPermutationOptions>,
        allowed: Overwriting,
    ) -> Result<()> {
        let Some(path) = self.save_traffic.as_deref() else { return Ok(()) };
        // Errors of the format are reported later.
        let Ok(format) = format_of(self.format.as_deref(), path, "--format") else { return Ok(()) };
        let target = TrafficTarget { path: path.to_path_buf(), format };
        if target.is_stdout() {
            return Ok(());
        }
        let number = several.and_then(BadPermutationOptions::most_files);
        let files: Vec<PathBuf> = match number {
            Some(number) => (1..=as_size(number)).map(|number| target.numbered(number)).collect(),
            None => vec![target.path.clone()],
        };
        for file in files {
            allowed.file(&file)?;
            if !target.format.build.holds_header {
                allowed.file(&beside(&file, ABOUT))?;
            }
        }
        Ok(())
    }
}

/// Ending of the name of the file that holds the header of another.
const ABOUT: &str = ".about";

/// A file for traffic.
pub struct TrafficTarget {
    path: PathBuf,
    format: &'static Kind<TrafficFormat>,
}

impl TrafficTarget {
    /// Whether the traffic goes to stdout.
    #[must_use]
    pub fn is_stdout(&self) -> bool {
        self.path == Path::new("-")
    }

    /// Writes the traffic of a witness. `found_by` is the adversary that found it, `None` for
    /// the exact analysis.
    ///
    /// # Errors
    /// When the format cannot hold the traffic, or the file cannot be written.
    pub fn write(
        &self,
        instance: &Instance,
        witness: &Witness,
        found_by: Option<&str>,
        context: &Context,
    ) -> Result<WrittenTraffic> {
        self.write_to(&self.path, &WorstTraffic::new(instance, witness, found_by)?, context)
    }

    fn write_to(
        &self,
        path: &Path,
        traffic: &WorstTraffic,
        context: &Context,
    ) -> Result<WrittenTraffic> {
        let replay = traffic.replay();
        let TrafficFormat { write, holds_header } = self.format.build;
        context
            .write(path, |out| Ok(write(&replay, out)?))
            .with_context(|| format!("the traffic was not written to {}", path.display()))?;
        let about = (!holds_header && !self.is_stdout()).then(|| beside(path, ABOUT));
        if let Some(about) = &about {
            let lines = traffic.header().join("\n") + "\n";
            context.write(about, |out| Ok(out.write_all(lines.as_bytes())?))?;
        }
        let name = |path: &Path| path.display().to_string();
        Ok(traffic.written(name(path), about.as_deref().map(name), self.format.name))
    }

    /// The file number `number`, from 1: `bad.mtx` becomes `bad-1.mtx`.
    fn numbered(&self, number: usize) -> PathBuf {
        let mut name = self.path.file_stem().map_or_else(OsString::new, OsString::from);
        name.push(format!("-{number}"));
        let path = self.path.with_file_name(name);
        match self.path.extension() {
            // Not `with_extension`: the stem may contain further dots.
            Some(ending) => {
                let mut whole = path.into_os_string();
                whole.push(".");
                whole.push(ending);
                whole.into()
            }
            None => path,
        }
    }
}

/// Bad permutations to write in place of the worst case.
#[derive(Clone, Debug, clap::Args)]
#[command(next_help_heading = "Worst-case traffic")]
pub struct BadPermutationOptions {
    /// Write a worst permutation for each of the K most loaded links between switches, or for `all`,
    /// to FILE-1, FILE-2, ... (bad.mtx becomes bad-1.mtx); where hosts differ, for those of the highest load
    /// divided by optu
    #[arg(long, value_name = "K|all", requires = "save_traffic", conflicts_with = "count",
        value_parser = number_or_all)]
    worst_links: Option<Amount>,
    /// Write K permutations, each a worst one for a link that no earlier one loads as much, to FILE-1,
    /// FILE-2, ...
    #[arg(long, value_name = "K", requires = "save_traffic",
        value_parser = clap::value_parser!(u64).range(1..=MAX_FILES))]
    count: Option<u64>,
}

/// Number of links.
#[derive(Clone, Copy, Debug)]
enum Amount {
    All,
    Some(u64),
}

fn number_or_all(text: &str) -> Result<Amount> {
    if text == "all" {
        return Ok(Amount::All);
    }
    let number = text.parse().ok().filter(|number| (1..=MAX_FILES).contains(number));
    let wanted = || anyhow!("expected a number from 1 to {MAX_FILES}, or all");
    number.map(Amount::Some).ok_or_else(wanted)
}

impl BadPermutationOptions {
    /// The maximum number of numbered files; `None` for a single file without a number.
    fn most_files(&self) -> Option<u64> {
        match (self.worst_links, self.count) {
            (Some(Amount::All), _) => Some(MAX_FILES),
            (Some(Amount::Some(number)), _) => Some(number),
            (None, count) => count,
        }
    }

    /// Whether they request permutations in place of the worst case.
    #[must_use]
    pub fn are_given(&self) -> bool {
        self.worst_links.is_some() || self.count.is_some()
    }

    /// Checks that several files are not to go to stdout.
    ///
    /// # Errors
    /// When they are.
    pub fn check(&self, target: &TrafficTarget) -> Result<()> {
        if target.is_stdout() && self.are_given() {
            bail!("several permutations cannot all go to stdout: add `--save-traffic FILE`");
        }
        Ok(())
    }

    /// Writes what the options request, or else the `witness`.
    ///
    /// # Errors
    /// When the work is stopped, there are too many links, the format cannot hold the traffic, or
    /// a file cannot be written.
    pub fn write(
        &self,
        target: &TrafficTarget,
        instance: &Instance,
        witness: &Witness,
        context: &Context,
    ) -> Result<Vec<WrittenTraffic>> {
        self.check(target)?;
        let progress = context.progress(0, "sources");
        match (self.worst_links, self.count) {
            (Some(amount), _) => write_links(amount, target, instance, context, &progress),
            (_, Some(count)) => {
                let found = diverse_permutations(instance, as_size(count), &progress)?;
                if (found.len() as u64) < count {
                    let found = found.len();
                    context.remark(&format!("{found} permutations give every link its worst load"));
                }
                let found = found.iter().map(|bad| &bad.witness);
                write_all(found, 0, target, instance, context)
            }
            _ => Ok(vec![target.write(instance, witness, None, context)?]),
        }
    }
}

fn write_links(
    amount: Amount,
    target: &TrafficTarget,
    instance: &Instance,
    context: &Context,
    progress: &Progress,
) -> Result<Vec<WrittenTraffic>> {
    let mut links = if are_hosts_alike(&instance.topology) {
        worst_links(instance, progress)?
    } else {
        links_by_ratio(instance, progress)?
    };
    match amount {
        Amount::All => {
            let remedy = "name a number of links";
            within("number of links", Some(links.len() as u128), MAX_FILES, remedy)?;
        }
        Amount::Some(number) => links.truncate(as_size(number)),
    }
    let mut written = Vec::new();
    for batch in links.chunks(BATCH) {
        let found = bad_permutations(instance, batch, progress)?;
        let found = found.iter().map(|bad| &bad.witness);
        written.extend(write_all(found, written.len(), target, instance, context)?);
    }
    Ok(written)
}

fn write_all<'w>(
    found: impl Iterator<Item = &'w Witness>,
    before: usize,
    target: &TrafficTarget,
    instance: &Instance,
    context: &Context,
) -> Result<Vec<WrittenTraffic>> {
    let files = (before + 1..).zip(found);
    files
        .map(|(number, witness)| {
            let traffic = WorstTraffic::new(instance, witness, None)?;
            target.write_to(&target.numbered(number), &traffic, context)
        })
        .collect()
}
