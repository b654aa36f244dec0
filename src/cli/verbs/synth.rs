//! `synth`: the best single-path routing of a tree, or proof that none reaches X; the best that is found with several
//! paths per pair.

use std::fs;
use std::io::{BufRead as _, BufReader, Write};
use std::path::Path;

use anyhow::Context as _;

use super::prelude::*;
use crate::certificate::{Certificate, Quantity, Refutation};
use crate::cli::NetworkOptions;
use crate::report::{SharesReport, SynthReport};
use crate::routing::Instance;
use crate::routing::table::write_table;
use crate::synth::shares::{self, BestShares};
use crate::synth::{Method, Options, folder, least_ratio, proof_files};

pub(super) const VERB: Verb = Verb {
    name: "synth",
    about: "Search for the best single-path routing of a tree, or prove that none reaches a ratio",
    reference: "[OR] IV; sat::cover; checker counting",
    examples: &[
        "synth ft(6,2)",
        "synth ft(4,4) --ratio 2",
        "synth ftree(2,3,3) --permutations",
        "synth ft(8,2) --paths 2 --method count",
    ],
    ..Verb::of::<SynthVerb>()
};

#[derive(clap::Args)]
struct SynthVerb {
    #[arg(help = TOPOLOGY)]
    topology: String,
    /// Only decide whether some routing has a ratio of at most X
    #[arg(long, value_name = "X", value_parser = clap::value_parser!(u32).range(1..=1 << 16))]
    ratio: Option<u32>,
    /// Search for routings with K paths per pair and any shares, and bound all of them (ft(m,2) and similar
    /// trees)
    #[arg(long, value_name = "K", default_value_t = 1, conflicts_with = "ratio")]
    #[arg(value_parser = clap::value_parser!(u32).range(1..=1 << 16))]
    paths: u32,
    /// Minimise the worst load of permutations instead of the oblivious ratio
    #[arg(long)]
    permutations: bool,
    /// Methods to use
    #[arg(long, value_enum, default_value = "all")]
    method: MethodName,
    /// Write the routing to FILE, readable as `table:FILE`; `-` is stdout
    #[arg(long, value_name = "FILE")]
    output: Option<OutputPath>,
    /// Write the certificate to FILE, and any formula and proof beside it
    #[arg(long, alias = "proof", value_name = "FILE")]
    certificate: Option<OutputPath>,
    #[command(flatten)]
    network: NetworkOptions,
}

#[derive(Clone, Copy, clap::ValueEnum)]
enum MethodName {
    /// All that this build has
    All,
    /// Counting arguments
    Count,
    /// Boolean formulas and a SAT solver
    #[cfg(feature = "sat")]
    Formula,
    /// Integer linear programs
    #[cfg(feature = "highs")]
    Ilp,
    /// Local search
    Local,
}

impl Run for SynthVerb {
    fn run(&self, context: &Context) -> Result<Outcome> {
        let options = self.options(context)?;
        let topology = self.network.open_remarking(&self.topology, context)?;
        let progress = context.progress(0, "steps of the search");
        if self.paths > 1 {
            let found = shares::least_ratio(&topology, self.paths, &options, &progress)?;
            drop(progress);
            return self.report_shares(context, &found, &options);
        }
        let found = least_ratio(&topology, &options, &progress)?;
        drop(progress);
        if !found.complete {
            remark_solver(context);
        }
        let written = self.write_routing(context, &found.best);
        if let (Some(path), Refutation::Lrat(refuted)) = (&self.certificate, &found.refutation) {
            copy_beside(path, folder(&found), &proof_files(refuted), context);
        }
        self.write_certificate(context, found.certificate.as_ref());
        let report = SynthReport::new(&found, &options, written.as_deref());
        context.show(&report, || report.text())?;
        Ok(if found.complete { Outcome::Done } else { Outcome::Partial })
    }

    fn check_files(&self, allowed: Overwriting) -> Result<()> {
        self.certificate.as_ref().map_or(Ok(()), |path| check_beside(path, allowed))
    }
}

/// Remarks that an answer is missing for want of a SAT solver, in builds without one.
pub(super) fn remark_solver(context: &Context) {
    if !cfg!(feature = "sat") {
        context.remark("no formula was tried: this build has no SAT solver (feature `sat`)");
    }
}

/// Name of the files of a formula and its proof beside a certificate, without `.cnf` and the like.
pub(super) fn proof_stem(path: &Path) -> Result<String> {
    let option = "--certificate";
    let stem = path.file_stem().and_then(|stem| stem.to_str());
    let stem = stem.filter(|stem| !stem.contains(char::is_whitespace) && *stem != "-");
    let stem =
        stem.with_context(|| format!("`{option}` needs a file name without spaces, and not `-`"))?;
    if path.extension().is_some_and(|ending| BESIDE.iter().any(|other| ending == *other)) {
        bail!(
            "`{option}` names the certificate; `{stem}.cnf`, `{stem}.lrat` and `{stem}.drat` are \
             formula and proof beside it: choose another ending"
        );
    }
    Ok(stem.to_string())
}

/// Endings of a formula and its proof, as the solver and as the checker reads it.
const BESIDE: [&str; 3] = ["cnf", "lrat", "drat"];

/// Checks before the work that a formula and its proof beside a certificate replace no file that they must not.
pub(super) fn check_beside(certificate: &Path, allowed: Overwriting) -> Result<()> {
    let stem = proof_stem(certificate)?;
    let beside = |ending| certificate.with_file_name(format!("{stem}.{ending}"));
    BESIDE.iter().try_for_each(|ending| allowed.file(&beside(ending)))
}

/// Copies files of a search from its folder to that of its certificate, the formula last: it shows that the proofs
/// before it are unchanged. All of them are there in the end, or none.
pub(super) fn copy_beside(certificate: &Path, folder: &Path, names: &[String], context: &Context) {
    let is_formula = |name: &&String| name.ends_with(&format!(".{}", BESIDE[0]));
    let (formulas, proofs): (Vec<_>, Vec<_>) = names.iter().partition(is_formula);
    let mut written = Vec::new();
    for name in proofs.into_iter().chain(formulas) {
        let (from, to) = (folder.join(name), certificate.with_file_name(name));
        if !context.write_beside(&to, |out| copy(&from, out)) {
            // One that cannot be removed is named by no certificate.
            for path in &written {
                _ = fs::remove_file(path);
            }
            return;
        }
        written.push(to);
    }
}

/// Copies a file; errors of reading name it.
fn copy(from: &Path, out: &mut dyn Write) -> Result<()> {
    let cannot = || format!("cannot read {}", from.display());
    let mut bytes = BufReader::new(fs::File::open(from).with_context(cannot)?);
    loop {
        let some = bytes.fill_buf().with_context(cannot)?;
        if some.is_empty() {
            return Ok(());
        }
        out.write_all(some)?;
        let count = some.len();
        bytes.consume(count);
    }
}

impl SynthVerb {
    fn options(&self, context: &Context) -> Result<Options> {
        let quantity =
            if self.permutations { Quantity::PermutationLoad } else { Quantity::ObliviousRatio };
        let mut options = Options { quantity, ratio: self.ratio, ..Options::default() };
        if self.paths > 1 {
            options.stem = "paths".to_string();
        }
        options.method = match self.method {
            MethodName::All => Method::All,
            MethodName::Count => Method::Count,
            #[cfg(feature = "sat")]
            MethodName::Formula => Method::Formula,
            #[cfg(feature = "highs")]
            MethodName::Ilp => Method::Program,
            MethodName::Local => Method::Local,
        };
        let are_for_several = [Method::All, Method::Count, Method::Local];
        if self.paths > 1 && !are_for_several.contains(&options.method) {
            bail!(
                "`--paths` works with `--method local` (search) and `--method count` (bound only)"
            );
        }
        options.seed = context.seed().unwrap_or(0);
        if let Some(path) = &self.certificate {
            options.stem = proof_stem(path)?;
        }
        Ok(options)
    }

    /// Writes and shows the best routing found with several paths.
    fn report_shares(
        &self,
        context: &Context,
        found: &BestShares,
        options: &Options,
    ) -> Result<Outcome> {
        let written = self.write_routing(context, &found.best);
        self.write_certificate(context, found.certificate.as_ref());
        let report = SharesReport::new(found, options, written.as_deref());
        context.show(&report, || report.text())?;
        Ok(if found.complete { Outcome::Done } else { Outcome::Partial })
    }

    /// Writes the routing; returns the file, if it is one.
    fn write_routing(&self, context: &Context, best: &Instance) -> Option<String> {
        let path = self.output.as_deref()?;
        let (topology, routing) = (&best.topology, &best.routing);
        let is_written =
            context.write_beside(path, |out| Ok(write_table(topology, routing.as_ref(), out)?));
        (is_written && path != Path::new("-")).then(|| path.display().to_string())
    }

    fn write_certificate(&self, context: &Context, found: Option<&Certificate>) {
        let Some(path) = &self.certificate else { return };
        match found {
            None => context.remark("no certificate was written: none was checked before the stop"),
            Some(found) => context.write_certificate(path, found),
        }
    }
}
