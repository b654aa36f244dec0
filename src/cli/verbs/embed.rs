//! `embed`: a certificate that names its network and routing, written out.

use std::path::PathBuf;

use anyhow::Context as _;
use serde_json::json;

use super::prelude::*;
use crate::certificate::{self, NetworkForm};
use crate::embed;
use crate::input::Input;
use crate::quote::quote;

pub(super) const VERB: Verb = Verb {
    name: "embed",
    about: "Write out the network and routing of a certificate, to check it without generators",
    reference: "the certificate format in the documentation of `certificate`",
    examples: &[
        "embed dmodk.cert",
        "embed results/errata/kary-2-4-dmodk.cert --output written-out.cert",
    ],
    made_by: &["routebound ratio 'ft(4,2)' dmodk --certificate dmodk.cert"],
    ..Verb::of::<Embed>()
};

#[derive(clap::Args)]
struct Embed {
    /// Certificate, optionally gzip-compressed; `-` is stdin. It is not verified: use `routebound check` or
    /// `routebound-check` for that
    certificate: PathBuf,
    /// Write the certificate with network and routing, without comments, to FILE; `-` is stdout
    #[arg(long, value_name = "FILE", default_value = "-")]
    output: OutputPath,
}

impl Run for Embed {
    fn run(&self, context: &Context) -> Result<Outcome> {
        context.claim_stdout("--output", &self.output)?;
        let name = self.certificate.display().to_string();
        let cannot = || format!("cannot write out {name}");
        let read = context.reading(&name, || {
            Ok(certificate::read(Input::open(&self.certificate, certificate::MAX_BYTES)?))
        })?;
        let given = read.with_context(cannot)?;
        let instance = given.instance();
        let names_nothing = matches!(given.network(), NetworkForm::Embedded(_));
        let progress = context.progress(0, "pairs");
        // Nothing is known before the end: a run that has to stop ends here, like one that reads.
        let doing = format!("while writing out `{}`", quote(&name));
        let written = context.abandoned(doing, || Ok(embed::written_out(given, &progress)))?;
        drop(progress);
        let written = written.with_context(cannot)?;
        context.write(&self.output, |out| Ok(certificate::write(&written, out)?))?;
        if names_nothing {
            context.remark(&format!("{name} is written out already"));
        }
        let record = json!({
            "certificate": name,
            "instance": instance,
            "written_out": written.instance(),
            "output": self.output.display().to_string(),
        });
        context.show(&record, String::new)?;
        Ok(Outcome::Done)
    }
}
