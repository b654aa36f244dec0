//! Records of certificates about trees, most of them named ones, about failures, and about rates that depend on the
//! traffic.

mod adaptive_rates;
mod failures;
mod few_paths;
mod local_adaptive;
mod product;
mod single_path;

pub use adaptive_rates::AdaptiveRates;
pub use failures::{FAILURE_LOAD, FailuresCertificate, PairRepair};
pub use few_paths::FewPaths;
pub use local_adaptive::{LOCAL_SWITCHES, LocalCertificate, LocalRefutation, LocalRule};
pub use product::{LabelledLink, ProductCertificate, ProductWitness, Sent};
pub use single_path::{LratRefutation, Refutation, SinglePath};

use std::io::BufRead;

use super::{
    Among, Certificate, Claim, Cover, Demand, NetworkForm, Optimality, Quantity, RoutedTraffic,
    RoutingForm, Split, budget, lines,
};
use crate::topology::{Host, NodeId};
use lines::{Lines, ReadError};

impl<R: BufRead> Lines<R> {
    /// A certificate whose next record says that it is of a kind of its own.
    pub(super) fn of_kind(
        &mut self,
        (network, routing): (&NetworkForm, &RoutingForm),
        (classes, cuts): (&[Vec<Host>], &[Vec<NodeId>]),
        is_bare: bool,
    ) -> Result<Option<Certificate>, ReadError> {
        if classes.is_empty()
            && cuts.is_empty()
            && let Some(failures) = self.failures(network, routing)?
        {
            return Ok(Some(Certificate::Failures(failures)));
        }
        Ok(self.local(network, is_bare)?.map(Certificate::Local))
    }

    /// A bound on all routings of a class that is about trees, or on given paths with any rates.
    pub(super) fn of_names(&mut self) -> Result<Option<Optimality>, ReadError> {
        if let Some(found) = self.single_path()? {
            return Ok(Some(Optimality::SinglePath(found)));
        }
        if let Some(found) = self.few_paths()? {
            return Ok(Some(Optimality::FewPaths(found)));
        }
        Ok(self.adaptive_rates()?.map(Optimality::AdaptiveRates))
    }
}
