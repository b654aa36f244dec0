//! The certificates and the traffic that `ratio` writes.

use anyhow::Result;

use super::{PERMUTATION, RatioVerb};
use crate::assessment::{Assessment, NoCertificate};
use crate::certificate::Certificate;
use crate::cli::overwriting::beside;
use crate::cli::{Context, TrafficTarget};
use crate::report::WrittenTraffic;
use crate::routing::Instance;

impl RatioVerb {
    /// Writes the requested traffic; the worst case only if it attains the lower bound that is printed.
    pub(super) fn write_traffic(
        &self,
        target: &TrafficTarget,
        instance: &Instance,
        found: &Assessment,
        context: &Context,
    ) -> Result<Vec<WrittenTraffic>> {
        if !self.permutations.are_given() && found.attained < found.oblivious_ratio.lower {
            context.remark("no traffic was written: none is known that attains the lower bound");
            return Ok(Vec::new());
        }
        self.permutations.write(target, instance, &found.witness, context)
    }

    pub(super) fn write_certificates(
        &self,
        context: &Context,
        ratio: Result<&Certificate, &NoCertificate>,
        permutation: Option<&Certificate>,
    ) {
        context.write_found(self.certificate.as_deref(), ratio);
        let (Some(path), Ok(_), Some(certificate)) = (&self.certificate, ratio, permutation) else {
            return;
        };
        if path.is_stdout() {
            context.remark(
                "the certificate of the worst permutation load was not written: \
                 `--certificate FILE` writes it to FILE.permutation",
            );
            return;
        }
        context.write_certificate(&beside(path, PERMUTATION), certificate);
    }
}
