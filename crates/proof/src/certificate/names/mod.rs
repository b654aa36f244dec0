//! Records of certificates about trees, most of them named ones.

mod few_paths;
mod local_adaptive;
mod product;
mod single_path;

pub use few_paths::FewPaths;
pub use local_adaptive::{LOCAL_SWITCHES, LocalCertificate, LocalRefutation, LocalRule};
pub use product::{LabelledLink, ProductCertificate, ProductWitness, Sent};
pub use single_path::{LratRefutation, Refutation, SinglePath};

use std::io::BufRead;

use super::{Claim, NetworkForm, Optimality, Quantity, RoutingForm, budget, lines};
use lines::{Lines, ReadError};

impl<R: BufRead> Lines<R> {
    /// A bound on all routings of a class that is about trees.
    pub(super) fn about_trees(&mut self) -> Result<Option<Optimality>, ReadError> {
        match self.single_path()? {
            None => Ok(self.few_paths()?.map(Optimality::FewPaths)),
            found => Ok(found.map(Optimality::SinglePath)),
        }
    }
}
