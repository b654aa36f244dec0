//! `synth`: the best single-path routing of a tree, or proof that none reaches X.

use std::fs;
use std::path::Path;

use anyhow::{Context as _, Result, bail};

use crate::certificate::{self, Quantity, Refutation};
use crate::cli::{Context, NetworkOptions, Outcome, OutputPath, Run, Verb};
use crate::registry::Kind;
use crate::report::SynthReport;
use crate::routing::table::write_table;
use crate::synth::{BestRouting, Method, Options, folder, least_ratio, proof_files};

pub(super) const KIND: Kind<Verb> = Kind {
    name: "synth",
    usage: "synth TOPOLOGY [--ratio X] [--permutations] [--method METHOD] [--output FILE] [--proof FILE]",
    options: &[],
    about: "Find the best single-path routing of a tree, or a proof that none reaches a ratio",
    reference: "[OR] IV; sat::cover; checker counting",
    examples: &["synth ft(6,2)", "synth ft(4,4) --ratio 2", "synth ftree(2,3,3) --permutations"],
    build: Verb::of::<SynthVerb>(),
};

#[derive(clap::Args)]
struct SynthVerb {
    /// Topology, such as 'ft(6,2)': see `routebound list topologies`
    topology: String,
    /// Only decide whether a routing has this ratio
    #[arg(long, value_name = "X", value_parser = clap::value_parser!(u32).range(1..=1 << 16))]
    ratio: Option<u32>,
    /// Minimise the load of permutations instead of the oblivious ratio
    #[arg(long)]
    permutations: bool,
    /// All methods, counting alone, formulas alone, integer programmes alone, or local search
    #[arg(long, value_enum, default_value = "all")]
    method: MethodName,
    /// Write the routing here, for `table:FILE`; `-` is stdout
    #[arg(long, value_name = "FILE")]
    output: Option<OutputPath>,
    /// Write the certificate here, with formula and proof beside it if it has them
    #[arg(long, value_name = "FILE")]
    proof: Option<OutputPath>,
    #[command(flatten)]
    network: NetworkOptions,
}

#[derive(Clone, Copy, clap::ValueEnum)]
enum MethodName {
    All,
    Count,
    #[cfg(feature = "sat")]
    Formula,
    #[cfg(feature = "highs")]
    Ilp,
    Local,
}

impl Run for SynthVerb {
    fn run(&self, context: &Context) -> Result<Outcome> {
        let stdout = Some(Path::new("-"));
        if self.output.as_deref() == stdout && context.json() {
            bail!("the routing and `--json` cannot share stdout: name a file");
        }
        let options = self.options(context)?;
        let topology = self.network.open_remarking(&self.topology, context)?;
        let progress = context.progress(0, "steps");
        let found = least_ratio(&topology, &options, &progress)?;
        drop(progress);
        if !found.complete {
            remark_solver(context);
        }
        self.write(context, &found)?;
        let written = self.output.as_deref().filter(|path| Some(*path) != stdout);
        let written = written.map(|path| path.display().to_string());
        let report = SynthReport::new(&found, &options, written.as_deref());
        if context.json() {
            context.print_json(&report)?;
        } else if self.output.as_deref() != stdout {
            context.print(&report.text())?;
        }
        Ok(if found.complete { Outcome::Done } else { Outcome::Partial })
    }
}

/// Remarks that an answer is missing for want of a SAT solver, in builds without one.
pub(super) fn remark_solver(context: &Context) {
    if !cfg!(feature = "sat") {
        context.remark("no formula was tried: this build has no SAT solver (feature `sat`)");
    }
}

/// Name of the files of a formula and its proof beside the certificate that `option` names, without
/// `.cnf` and the like.
pub(super) fn proof_stem(path: &Path, option: &str) -> Result<String> {
    let stem = path.file_stem().and_then(|stem| stem.to_str());
    let stem = stem.filter(|stem| !stem.contains(char::is_whitespace) && *stem != "-");
    let stem =
        stem.with_context(|| format!("`{option}` needs a file name without spaces, and not `-`"))?;
    let beside = ["cnf", "lrat", "drat"];
    if path.extension().is_some_and(|ending| beside.iter().any(|other| ending == *other)) {
        bail!(
            "`{option}` names the certificate; `{stem}.cnf`, `{stem}.lrat` and `{stem}.drat` are \
             formula and proof beside it: choose another ending"
        );
    }
    Ok(stem.to_string())
}

/// Copies files of a search from its folder to that of its certificate.
pub(super) fn copy_beside(
    certificate: &Path,
    folder: &Path,
    names: &[String],
    context: &Context,
) -> Result<()> {
    for name in names {
        context.write(&certificate.with_file_name(name), |out| {
            std::io::copy(&mut fs::File::open(folder.join(name))?, out)?;
            Ok(())
        })?;
    }
    Ok(())
}

impl SynthVerb {
    fn options(&self, context: &Context) -> Result<Options> {
        let quantity =
            if self.permutations { Quantity::PermutationLoad } else { Quantity::ObliviousRatio };
        let mut options = Options { quantity, ratio: self.ratio, ..Options::default() };
        options.method = match self.method {
            MethodName::All => Method::All,
            MethodName::Count => Method::Count,
            #[cfg(feature = "sat")]
            MethodName::Formula => Method::Formula,
            #[cfg(feature = "highs")]
            MethodName::Ilp => Method::Programme,
            MethodName::Local => Method::Local,
        };
        options.seed = context.seed().unwrap_or(0);
        if let Some(path) = &self.proof {
            options.stem = proof_stem(path, "--proof")?;
        }
        Ok(options)
    }

    fn write(&self, context: &Context, found: &BestRouting) -> Result<()> {
        if let Some(path) = &self.output {
            let (topology, routing) = (&found.best.topology, &found.best.routing);
            context.write(path, |out| Ok(write_table(topology, routing.as_ref(), out)?))?;
        }
        let Some(path) = &self.proof else { return Ok(()) };
        if let Refutation::Lrat(refuted) = &found.refutation {
            copy_beside(path, folder(found), &proof_files(refuted), context)?;
        }
        let Some(whole) = &found.certificate else {
            context.remark("no certificate was written: none was checked before the stop");
            return Ok(());
        };
        context.write(path, |out| Ok(certificate::write(whole, out)?))
    }
}
