//! `improve`: forwarding tables of lower worst load, for a fabric as it is.

use super::prelude::*;
use crate::export::ROUTED_EXPORTS;
use crate::improve::{Improvement, Options, improve};
use crate::registry;
use crate::report::ImproveReport;

pub(super) const VERB: Verb = Verb {
    name: "improve",
    about: "Search for forwarding tables of lower worst load, and bound all of them from below",
    reference: "search::improve; OpenSM, engine file",
    examples: &[
        "improve ft(8,3) dmodk",
        "improve instances/fabrics/ft16x3/ibnetdiscover.out.gz lft:instances/fabrics/ft16x3/updn",
        "improve ft(4,3) minhop --fail 2 --save-tables better.dump --certificate better.cert",
    ],
    ..Verb::of::<ImproveVerb>()
};

/// The format of tables.
const FORMAT: &str = "lft";

#[derive(clap::Args)]
struct ImproveVerb {
    #[arg(help = TOPOLOGY)]
    topology: String,
    #[arg(help = ROUTING)]
    routing: String,
    /// Write the best tables to FILE, readable as `lft:FILE` and by the engine `file` of OpenSM; `-` is stdout
    #[arg(long, value_name = "FILE")]
    save_tables: Option<OutputPath>,
    /// Write the certificate of the best tables to FILE: their worst case, and that no tables are better than the lower
    /// bound; `-` is stdout
    #[arg(long, value_name = "FILE")]
    certificate: Option<OutputPath>,
    /// Write the certificate of the worst case of the given routing to FILE; `-` is stdout
    #[arg(long, value_name = "FILE")]
    certificate_before: Option<OutputPath>,
    #[command(flatten)]
    network: InstanceOptions,
}

impl Run for ImproveVerb {
    fn run(&self, context: &Context) -> Result<Outcome> {
        if let Some(path) = &self.save_tables {
            context.claim_stdout("--save-tables", path)?;
        }
        let given = self.network.open(&self.topology, &self.routing, context)?;
        let file = self.save_tables.as_ref().filter(|path| !path.is_stdout());
        let spec = file.map(|path| format!("lft:{}", path.display()));
        let options = Options { seed: context.seed().unwrap_or(0), spec };
        let progress = context.progress(0, "destinations put into tables");
        let mut keep = |known: &Improvement| {
            let report = ImproveReport::new(given.routing.spec(), known, None);
            context.keep(&report, || report.text());
        };
        let found = improve(&given, &options, &progress, &mut keep)?;
        drop(progress);
        let tables = self.write_tables(&found, context);
        let before = found.before.certificate.as_ref();
        context.write_found(self.certificate_before.as_deref(), before);
        context.write_found(self.certificate.as_deref(), found.after.certificate.as_ref());
        let report = ImproveReport::new(given.routing.spec(), &found, tables);
        context.show(&report, || report.text())?;
        Ok(if found.complete { Outcome::Done } else { Outcome::Partial })
    }
}

impl ImproveVerb {
    /// Writes the best tables; returns the file, if it is one.
    fn write_tables(&self, found: &Improvement, context: &Context) -> Option<String> {
        let path = self.save_tables.as_ref()?;
        let (topology, routing) = (&found.best.topology, &*found.best.routing);
        let progress = context.progress(topology.hosts() as u64, "hosts");
        let is_written = context.write_beside(path, |out| {
            let kind = registry::find(ROUTED_EXPORTS, "export format", FORMAT)?;
            Ok((kind.build)(topology, routing, &progress, out)?)
        });
        (is_written && !path.is_stdout()).then(|| path.display().to_string())
    }
}
