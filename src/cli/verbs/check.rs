//! `check`: the independent certificate checker.

use std::path::{Path, PathBuf};
use std::sync::Arc;

use anyhow::Context as _;
use serde::Serialize;
use serde_json::json;

use super::prelude::*;
use crate::bounds::Evidence;
use crate::certificate::{self, Certificate, ReadError};
use crate::cli::complained;
use crate::embed::{self, WriteOutError};
use crate::generators::Named;
use crate::generators::checker::{self, Accepted, Refusal};
use crate::input::Input;
use crate::progress::{Progress, Stopped};
use crate::routing::Instance;
use crate::topology::Topology;

pub(super) const VERB: Verb = Verb {
    name: "check",
    about: "Check certificates independently of the code that wrote them",
    reference: "the certificate format in the documentation of `certificate`",
    examples: &[
        "check dmodk.cert",
        "check dmodk.cert --against ft(4,2) dmodk",
        "check results/or/table-1/certificates/ft-4-2-dmodk.cert",
    ],
    made_by: &["routebound ratio 'ft(4,2)' dmodk --certificate dmodk.cert"],
    ..Verb::of::<Check>()
};

#[derive(clap::Args)]
struct Check {
    /// Certificates, optionally gzip-compressed; `-` is stdin. Exit code: 1 if any is refused, otherwise 2 if
    /// any cannot be read, otherwise 3 if any exceeds a limit
    #[arg(required = true, value_name = "FILE")]
    files: Vec<PathBuf>,
    /// Also compare links, capacities and next hops with those of TOPOLOGY and ROUTING, such as a fabric and its
    /// tables, which the certificates must be about
    #[arg(long, num_args = 1..=2, value_names = ["TOPOLOGY", "ROUTING"])]
    against: Vec<String>,
    #[command(flatten)]
    network: InstanceOptions,
}

/// What certificates must be about.
struct Against {
    name: String,
    topology: Arc<Topology>,
    /// With the routing, if one is given.
    instance: Option<Instance>,
}

impl Against {
    fn open(check: &Check, context: &Context) -> Result<Option<Self>> {
        let name = check.against.join(" ");
        Ok(match check.against.as_slice() {
            [] if check.network.changes_networks() => {
                bail!(
                    "only a network of `--against` can be changed: add `--against TOPOLOGY ROUTING`"
                )
            }
            [topology, routing, ..] => {
                let instance = check.network.open(topology, routing, context)?;
                Some(Self {
                    name,
                    topology: Arc::clone(&instance.topology),
                    instance: Some(instance),
                })
            }
            [topology] => {
                let topology = Arc::new(check.network.open_topology(topology, context)?);
                Some(Self { name, topology, instance: None })
            }
            [] => None,
        })
    }

    /// Why a certificate is not about this, if it is not.
    fn refusal(
        &self,
        certificate: &Certificate,
        progress: &Progress,
    ) -> Result<Option<String>, WriteOutError> {
        let mut found = embed::network_differences(certificate, &self.topology)?;
        if let (true, Some(instance)) = (found.is_empty(), &self.instance) {
            found = embed::routing_differences(certificate, instance, progress)?;
        }
        let Self { name, .. } = self;
        Ok((!found.is_empty()).then(|| format!("it is not about {name}: {}", found.join("; "))))
    }
}

/// The result for one file.
#[derive(Serialize)]
struct Verdict {
    file: PathBuf,
    verified: bool,
    instance: Option<String>,
    claims: Vec<ClaimReport>,
    /// Why it was refused.
    reason: Option<String>,
    /// Why it was not judged.
    #[serde(skip_serializing_if = "Option::is_none")]
    error: Option<String>,
}

#[derive(Serialize)]
struct ClaimReport {
    quantity: String,
    lower: String,
    upper: String,
    evidence: Evidence,
    #[serde(skip)]
    text: String,
}

impl Run for Check {
    fn run(&self, context: &Context) -> Result<Outcome> {
        let (mut verdicts, mut worst) = (Vec::new(), Outcome::Done);
        let against = Against::open(self, context)?;
        for file in &self.files {
            // What is wrong with one file says nothing about the next.
            let (verdict, outcome) = match verdict(file, against.as_ref(), context) {
                Ok(verdict) => {
                    if !context.json() {
                        context.print(&verdict.text(self.files.len() > 1))?;
                    }
                    let is_verified = verdict.verified;
                    (verdict, if is_verified { Outcome::Done } else { Outcome::CheckFailed })
                }
                Err(error) if error.is::<Stopped>() => {
                    worst = worst.or_worse(complained(error));
                    break;
                }
                Err(error) => (Verdict::unjudged(file, &error), complained(error)),
            };
            worst = worst.or_worse(outcome);
            verdicts.push(verdict);
            if context.json() {
                context.keep(&self.record(&verdicts), String::new);
            }
        }
        if context.json() {
            context.print_json(&self.record(&verdicts))?;
        }
        Ok(worst)
    }
}

impl Check {
    /// The record for `--json`.
    fn record(&self, verdicts: &[Verdict]) -> serde_json::Value {
        let is_judged = |verdict: &Verdict| verdict.error.is_none();
        let complete = verdicts.len() == self.files.len() && verdicts.iter().all(is_judged);
        let verified = complete && verdicts.iter().all(|verdict| verdict.verified);
        json!({ "verified": verified, "complete": complete, "certificates": verdicts })
    }
}

/// Reads and checks one file. A file that cannot be opened is bad input, one beyond a limit of the
/// format is not judged, and one that is not a valid certificate is refused.
fn verdict(file: &Path, against: Option<&Against>, context: &Context) -> Result<Verdict> {
    let name = file.display().to_string();
    let cannot = || format!("cannot check {name}");
    let read = context
        .reading(&name, || Ok(certificate::read(Input::open(file, certificate::MAX_BYTES)?)))?;
    let certificate = match read {
        Ok(certificate) => certificate,
        Err(error @ (ReadError::Io(_) | ReadError::TooLarge(_))) => {
            return Err(anyhow::Error::from(error).context(cannot()));
        }
        Err(error) => return Ok(Verdict::refused(file, None, error.to_string())),
    };
    let instance = certificate.instance();
    let folder = file.parent().unwrap_or_else(|| Path::new(""));
    let progress = context.progress(0, "pairs checked");
    match checker::Check::new(&Named).folder(folder).progress(&progress).run(&certificate) {
        Err(Refusal::Stopped(stopped)) => Err(stopped.into()),
        Ok(claims) => {
            let refusal = against.map(|against| against.refusal(&certificate, &progress));
            if let Some(reason) = refusal.transpose().with_context(cannot)?.flatten() {
                return Ok(Verdict::refused(file, Some(instance), reason));
            }
            let of = against.map_or_else(String::new, |it| format!("; that of {}", it.name));
            Ok(Verdict::verified(file, instance + &of, &claims))
        }
        // What is too large is not judged: neither verified nor wrong.
        Err(Refusal::TooLarge(limit)) => Err(anyhow::Error::from(limit).context(cannot())),
        Err(refusal) => Ok(Verdict::refused(file, Some(instance), refusal.to_string())),
    }
}

impl ClaimReport {
    fn new(claim: &Accepted) -> Self {
        Self {
            quantity: claim.quantity.to_string(),
            lower: claim.lower.to_string(),
            upper: claim.upper.to_string(),
            evidence: Evidence::Proven,
            text: claim.to_string(),
        }
    }
}

impl Verdict {
    fn verified(file: &Path, instance: String, claims: &[Accepted]) -> Self {
        Self {
            file: file.to_path_buf(),
            verified: true,
            instance: Some(instance),
            claims: claims.iter().map(ClaimReport::new).collect(),
            reason: None,
            error: None,
        }
    }

    fn refused(file: &Path, instance: Option<String>, reason: String) -> Self {
        let (file, claims) = (file.to_path_buf(), Vec::new());
        Self { file, verified: false, instance, claims, reason: Some(reason), error: None }
    }

    fn unjudged(file: &Path, error: &anyhow::Error) -> Self {
        let (file, claims, error) = (file.to_path_buf(), Vec::new(), Some(format!("{error:#}")));
        Self { file, verified: false, instance: None, claims, reason: None, error }
    }

    fn text(&self, with_file: bool) -> String {
        let file = if with_file { format!("{}: ", self.file.display()) } else { String::new() };
        let claims: Vec<String> = self.claims.iter().map(|claim| claim.text.clone()).collect();
        match (&self.reason, &self.instance) {
            (Some(reason), _) => format!("{file}s NOT VERIFIED {reason}\n"),
            (None, instance) => {
                let instance = instance.as_deref().unwrap_or_default();
                format!("{file}s VERIFIED {} ({instance})\n", claims.join(", "))
            }
        }
    }
}
