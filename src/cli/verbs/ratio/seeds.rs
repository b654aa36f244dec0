//! What other seeds of a routing do to the worst case.

use std::num::NonZeroU32;

use anyhow::Result;

use super::RatioVerb;
use crate::cli::{Context, Outcome};
use crate::fabric::SeedSpread;
use crate::report::SeedsReport;

impl RatioVerb {
    /// Takes seeds one after the other.
    pub(super) fn over_seeds(&self, seeds: NonZeroU32, context: &Context) -> Result<Outcome> {
        let instance = self.network.open_whole(&self.topology, &self.routing, context)?;
        let unknown = SeedsReport::new(&instance, seeds.get(), None);
        context.keep(&unknown, || unknown.text());
        let progress = context.progress(u64::from(seeds.get()), "seeds");
        let routing = instance.routing.spec();
        let found = SeedSpread::of(&instance.topology, routing, seeds, &progress)?;
        drop(progress);
        let report = SeedsReport::new(&instance, seeds.get(), Some(&found));
        context.show(&report, || report.text())?;
        Ok(if report.complete { Outcome::Done } else { Outcome::Partial })
    }
}
