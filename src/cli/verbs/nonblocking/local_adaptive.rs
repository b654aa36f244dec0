//! `nonblocking --least-m --local-adaptive`: the least m with any local adaptive routing.

use anyhow::Result;

use super::super::synth::{check_beside, copy_beside, proof_stem};
use crate::certificate::Certificate;
use crate::cli::{Context, Outcome, OutputPath, Overwriting};
use crate::nonblocking::{LocalOptions, LocalSwitches, least_local_switches};
use crate::report::LocalSwitchesReport;

#[derive(clap::Args)]
pub(super) struct LocalArguments {
    /// Search all local adaptive routings instead of single-path ones
    #[arg(long, requires = "least_m")]
    local_adaptive: bool,
    /// Write the certificate to FILE, and any formula and proof beside it
    #[arg(long, alias = "proof", value_name = "FILE", requires = "local_adaptive")]
    certificate: Option<OutputPath>,
}

impl LocalArguments {
    pub(super) fn is_asked(&self) -> bool {
        self.local_adaptive
    }

    /// The least m of ftree(n,m,r).
    pub(super) fn least(&self, n: u32, r: u32, context: &Context) -> Result<Outcome> {
        let mut options =
            LocalOptions { seed: context.seed().unwrap_or(0), ..LocalOptions::default() };
        if let Some(path) = &self.certificate {
            options.stem = proof_stem(path)?;
        }
        let progress = context.progress(0, "numbers of switches");
        let found = least_local_switches(n, r, &options, &progress)?;
        drop(progress);
        self.write(&found, &options.stem, context);
        let report = LocalSwitchesReport::new(n, r, &found);
        context.show(&report, || report.text())?;
        Ok(if found.is_complete() { Outcome::Done } else { Outcome::Partial })
    }

    /// Checks before the work that no file beside the certificate replaces one that must not be.
    pub(super) fn check_files(&self, allowed: Overwriting) -> Result<()> {
        self.certificate.as_ref().map_or(Ok(()), |path| check_beside(path, allowed))
    }

    fn write(&self, found: &LocalSwitches, stem: &str, context: &Context) {
        let Some(path) = &self.certificate else { return };
        if found.certificate.fewer.is_some() {
            let names = ["cnf", "lrat", "drat"].map(|end| format!("{stem}.{end}"));
            copy_beside(path, found.folder(), &names, context);
        }
        let whole = Certificate::Local(found.certificate.clone());
        context.write_certificate(path, &whole);
    }
}
