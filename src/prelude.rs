//! The names that a program around the analysis needs: `use routebound::prelude::*`.
//!
//! Modules are here for their functions: a network comes from [`topology::generate`] or
//! [`import::topology`], a routing from [`routing::build`], traffic from [`traffic::generate`], an
//! adversary from [`adversary::build`]; [`checker::check_text`] reads a certificate and checks it.
//!
//! ```
//! use routebound::prelude::*;
//! let instance = Instance::named("ft(4,2)", "dmodk")?;
//! let shift = traffic::generate("shift(2)", 8)?;
//! let optimum = assess_optimum(instance.topology(), shift.demands())?;
//! assert_eq!(optimum.optu.exact(), Some(&Rational::ONE));
//! # Ok::<(), Box<dyn std::error::Error>>(())
//! ```

pub use crate::adversary::{self, Adversary, AdversaryError, AttackContext, Finding};
pub use crate::assessment::{
    Assess, AssessOptimum, Assessment, OptimumAssessment, OptimumMethod, assess, assess_optimum,
};
pub use crate::bounds::{Bounds, Evidence, RoutedTraffic, Witness};
pub use crate::certificate::{self, Certificate, Quantity};
pub use crate::checker::{self, Accepted};
pub use crate::import::{self, ImportOptions};
pub use crate::load::LinkLoads;
pub use crate::progress::{Progress, Stop};
pub use crate::rational::Rational;
pub use crate::routing::{self, Instance, Listed, Routing};
pub use crate::topology::{self, Host, LinkId, NetworkBuilder, NodeId, Topology};
pub use crate::traffic::{self, Demand, PathRecord, TrafficMatrix};
