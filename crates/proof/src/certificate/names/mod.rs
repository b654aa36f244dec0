//! Records of certificates about named trees.

mod local_adaptive;
mod product;
mod single_path;

pub use local_adaptive::{LOCAL_SWITCHES, LocalCertificate, LocalRefutation, LocalRule};
pub use product::{LabelledLink, ProductCertificate, ProductWitness, Sent};
pub use single_path::{LratRefutation, Refutation, SinglePath};

use super::{Claim, NetworkForm, Quantity, RoutingForm, budget, lines};
