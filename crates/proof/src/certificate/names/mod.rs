//! Records of certificates about trees, most of them named ones, and about rates that depend on the traffic.

mod adaptive_rates;
mod few_paths;
mod local_adaptive;
mod product;
mod single_path;

pub use adaptive_rates::AdaptiveRates;
pub use few_paths::FewPaths;
pub use local_adaptive::{LOCAL_SWITCHES, LocalCertificate, LocalRefutation, LocalRule};
pub use product::{LabelledLink, ProductCertificate, ProductWitness, Sent};
pub use single_path::{LratRefutation, Refutation, SinglePath};

use std::io::BufRead;

use super::{
    Among, Claim, NetworkForm, Optimality, Quantity, RoutedTraffic, RoutingForm, budget, lines,
};
use lines::{Lines, ReadError};

impl<R: BufRead> Lines<R> {
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
