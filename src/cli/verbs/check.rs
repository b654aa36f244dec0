//! `check`: the independent certificate checker.

use std::path::{Path, PathBuf};

use anyhow::Result;
use serde::Serialize;

use crate::certificate::{self, Certificate, NetworkForm, ReadError, RoutingForm};
use crate::checker::{self, Accepted, Refusal};
use crate::cli::{Context, Outcome, Run, Verb};
use crate::input::Input;
use crate::registry::Kind;

pub(super) const KIND: Kind<Verb> = Kind {
    name: "check",
    usage: "check FILE...",
    about: "Check certificates without trusting what wrote them: `s VERIFIED` or the reason why not",
    reference: "the certificate format in the documentation of `certificate`",
    examples: &["check results/or-table-1/certificates/ft-4-2-dmodk.cert"],
    build: Verb::of::<Check>(),
};

#[derive(clap::Args)]
struct Check {
    /// Certificates; gzip-compressed ones are read as they are, `-` is stdin
    #[arg(required = true)]
    files: Vec<PathBuf>,
}

/// What was found about one file.
#[derive(Serialize)]
struct Verdict {
    file: PathBuf,
    verified: bool,
    instance: Option<String>,
    claims: Vec<ClaimReport>,
    reason: Option<String>,
}

#[derive(Serialize)]
struct ClaimReport {
    quantity: &'static str,
    lower: String,
    upper: String,
}

impl Run for Check {
    fn run(&self, context: &Context) -> Result<Outcome> {
        let mut verdicts = Vec::new();
        for file in &self.files {
            let name = file.display().to_string();
            let verdict = context.reading(&name, || verdict(file, context))?;
            if !context.json() {
                context.print(&verdict.text(self.files.len() > 1))?;
            }
            verdicts.push(verdict);
        }
        let verified = verdicts.iter().all(|verdict| verdict.verified);
        if context.json() {
            let certificates = verdicts;
            context.print_json(
                &serde_json::json!({ "verified": verified, "certificates": certificates }),
            )?;
        }
        Ok(if verified { Outcome::Done } else { Outcome::CheckFailed })
    }
}

/// Reads and checks one file. A file that cannot be opened is bad input, one beyond a limit of the
/// format ends the run with exit code 3; one that is no valid certificate is refused.
fn verdict(file: &Path, context: &Context) -> Result<Verdict> {
    let reader = Input::open(file, certificate::MAX_BYTES)?;
    let refused = |instance, reason: String| Verdict {
        file: file.to_path_buf(),
        verified: false,
        instance,
        claims: Vec::new(),
        reason: Some(reason),
    };
    let certificate = match certificate::read(reader) {
        Ok(certificate) => certificate,
        Err(error @ (ReadError::Io(_) | ReadError::TooLarge(_))) => {
            return Err(
                anyhow::Error::from(error).context(format!("cannot check {}", file.display()))
            );
        }
        Err(error) => return Ok(refused(None, error.to_string())),
    };
    let instance = Some(instance_name(&certificate));
    let folder = file.parent().unwrap_or_else(|| Path::new(""));
    Ok(match checker::check_until(&certificate, folder, &context.progress(0, "pairs")) {
        Err(Refusal::Stopped(stopped)) => return Err(stopped.into()),
        Ok(claims) => Verdict {
            file: file.to_path_buf(),
            verified: true,
            instance,
            claims: claims.iter().map(ClaimReport::new).collect(),
            reason: None,
        },
        // What is too large is not judged: neither verified nor wrong.
        Err(Refusal::TooLarge(limit)) => {
            return Err(
                anyhow::Error::from(limit).context(format!("cannot check {}", file.display()))
            );
        }
        Err(refusal) => refused(instance, refusal.to_string()),
    })
}

fn instance_name(certificate: &Certificate) -> String {
    let network = match certificate.network() {
        NetworkForm::Named(spec) => spec.clone(),
        NetworkForm::Embedded(network) => format!(
            "an embedded network of {} hosts, {} nodes, {} links",
            network.hosts,
            network.nodes,
            network.links.len()
        ),
    };
    let Certificate::WorstCase(certificate) = certificate else {
        return format!("traffic on {network}");
    };
    match &certificate.routing {
        RoutingForm::Named(spec) => format!("{spec} on {network}"),
        RoutingForm::Next(_) => format!("next links on {network}"),
        RoutingForm::Paths(paths) => format!("{} paths on {network}", paths.len()),
    }
}

impl ClaimReport {
    fn new(claim: &Accepted) -> Self {
        Self {
            quantity: claim.quantity,
            lower: claim.lower.to_string(),
            upper: claim.upper.to_string(),
        }
    }

    fn text(&self) -> String {
        let Self { quantity, lower, upper } = self;
        if lower == upper {
            format!("{quantity} = {lower}")
        } else {
            format!("{lower} <= {quantity} <= {upper}")
        }
    }
}

impl Verdict {
    fn text(&self, with_file: bool) -> String {
        let file = if with_file { format!("{}: ", self.file.display()) } else { String::new() };
        let claims: Vec<String> = self.claims.iter().map(ClaimReport::text).collect();
        match (&self.reason, &self.instance) {
            (Some(reason), _) => format!("{file}s NOT VERIFIED {reason}\n"),
            (None, instance) => {
                let instance = instance.as_deref().unwrap_or_default();
                format!("{file}s VERIFIED {} ({instance})\n", claims.join(", "))
            }
        }
    }
}
