//! The worst case of routings whose up-digits single digits decide, on trees of any size, and on
//! two-level trees of routings whose ports the first digits of both hosts decide.
//!
//! Take an up link of step l, leaving subtree T of height l − 1. Its pairs (s,d) have s in T and d
//! outside, and their up-digits W1..Wl are those of the link. Where each of these is decided by one
//! digit below l of s, or of d ([`DigitRules`]), these are all pairs of A×B: of the hosts of T with
//! certain digits M1..M_{l−1}, and of the hosts outside T with certain digits M1..M_{l−1}. So the
//! most that traffic with optu ≤ 1 puts on the link is what A can send or what B can receive, the
//! lesser of the two:
//!
//! - A subtree of height k sends at most c_k = w1⋯w_{k+1}, and no more than its parts, of which n_k
//!   have hosts of A: a_0 = c_0, a_k = min(c_k, n_k·a_{k−1}). T sends a_{l−1}.
//! - In the same way a subtree beside T receives b_k. The ancestor of T of height L has m_L − 1
//!   subtrees beside the one with T, and what T sends above it leaves the latter: y_{h+1} = 0,
//!   y_L = min(c_{L−1}, y_{L+1} + (m_L − 1)·b_{L−1}). All of B receive y_l.
//!
//! These are the flows of the slimmed trees (`worst_case/laminar.rs`), with equal branches counted
//! instead of listed; every c_k is a multiple of c_0, so that flows are multiples of c_0 and
//! permutations attain them. For the permutation load only c_0 = 1 limits. Sizes of digit sets take
//! few values, and so do a and b: links fall into a few classes. A link down is the same with
//! sources and destinations exchanged. Where both hosts' first digits decide a port together, at the
//! top of a two-level tree, A×B is replaced by pairs of digits, and the flow between them is found
//! for each port (`table.rs`); from above, only all sources and all destinations bound it.
//!
//! A [`TreeShape`] is 2h numbers and digit rules are tables by digit, so limits on hosts and links, which apply where
//! these are enumerated, do not apply here: a tree may be of any size whose links can be counted in 63 bits. A routing
//! that declares digit rules makes a promise about its paths; `tests/structure/registries/digits.rs` compares the two
//! on all small trees, and `tests/analysis/product.rs` the results with those of the enumerating engine, which remains
//! the reference. Milliseconds are not worth a stop: only where the first digits of both hosts decide a port is work
//! polled, and preceded by bounds from the shape.
//!
//! ```
//! # use routebound_analysis as routebound;
//! use routebound::{assessment::assess_by_digits, by_digits::ByDigits};
//! // A tree of half a million hosts.
//! let form = ByDigits::named("ft(128,3)", "dmodk")?;
//! let assessment = assess_by_digits(&form)?;
//! assert_eq!(assessment.oblivious_ratio.to_string(), "127 (proven)");
//! # Ok::<(), Box<dyn std::error::Error>>(())
//! ```

mod classes;
mod labels;
mod pairs;
mod table;
mod worst;

pub use pairs::MAX_PAIRS;
pub use worst::WorstByDigits;

use std::sync::OnceLock;

use crate::certificate::{Claim, NetworkForm, ProductCertificate, RoutingForm};
use crate::limit::TooLarge;
use crate::progress::Stopped;
use crate::routing::{DigitRule, DigitRules, RoutingError, digit_rules};
use crate::spec::Spec;
use crate::topology::{TopologyError, TreeShape};
use classes::Classes;
use table::Table;

/// A tree and a routing of it, both as numbers.
#[derive(Clone, Debug)]
pub struct ByDigits {
    pub(crate) shape: TreeShape,
    pub(crate) routing: String,
    rules: DigitRules,
    /// For every step whose port one digit decides: ports by how many digits lead to them.
    sizes: Vec<Classes>,
    /// Pairs of digits by port, once they are needed.
    table: OnceLock<Table>,
}

const BY_CLASSES: &str =
    "by digits: one flow per class of links, whose pairs are products of sets of digits";

const BY_PORTS: &str =
    "by digits: one flow per port, whose pairs are those of certain first digits of both hosts";

/// Why there is no analysis by digits.
#[derive(Debug, Clone, PartialEq, Eq, thiserror::Error)]
#[non_exhaustive]
#[expect(missing_docs, reason = "the message is the documentation")]
pub enum ByDigitsError {
    #[error(transparent)]
    Topology(#[from] TopologyError),
    #[error(
        "`{0}` is not a generated tree with links of capacity 1, as the analysis by digits needs it"
    )]
    NoTree(String),
    #[error(transparent)]
    Routing(#[from] RoutingError),
    #[error("{0}")]
    TooLarge(#[from] TooLarge),
    #[error("{0}")]
    Stopped(#[from] Stopped),
}

impl ByDigits {
    /// The analysis by digits of a named routing of a named tree. No network is generated.
    ///
    /// # Errors
    /// [`ByDigitsError`] where one of the names is unknown, they do not fit, or there is none.
    ///
    /// ```
    /// # use routebound_analysis as routebound;
    /// use routebound::{certificate::Quantity, by_digits::ByDigits, progress::Progress};
    /// let form = ByDigits::named("ft(48,3)", "dmodk")?;
    /// let worst = form.worst(Quantity::ObliviousRatio, &Progress::silent())?;
    /// assert_eq!(worst.load, 47.into());
    /// // Two billion hosts.
    /// let form = ByDigits::named("ft(64,6)", "smodk")?;
    /// let worst = form.worst(Quantity::ObliviousRatio, &Progress::silent())?;
    /// assert_eq!(worst.load, 32768.into());
    /// # Ok::<(), routebound::by_digits::ByDigitsError>(())
    /// ```
    pub fn named(topology: &str, routing: &str) -> Result<Self, ByDigitsError> {
        let shape = TreeShape::named(topology)?;
        Self::of(shape.ok_or_else(|| ByDigitsError::NoTree(topology.to_string()))?, routing)
    }

    /// The analysis by digits of a named routing of a tree of this shape.
    ///
    /// # Errors
    /// [`ByDigitsError`] where the name is unknown, does not fit, or there is none.
    pub fn of(shape: TreeShape, routing: &str) -> Result<Self, ByDigitsError> {
        let rules = digit_rules(routing, &shape)?;
        let routing = Spec::parse(routing).map_err(RoutingError::from)?.to_string();
        let sizes = (1..).zip(rules.steps()).map(|(step, rule)| match rule {
            DigitRule::Source { ports, .. } | DigitRule::Destination { ports, .. } => {
                classes::sizes(ports, shape.parents(step))
            }
            _ => Classes::new(),
        });
        let sizes = sizes.collect();
        Ok(Self { shape, routing, rules, sizes, table: OnceLock::new() })
    }

    /// Whether both first digits decide a port: that takes up to seconds, and the work can be
    /// stopped. Otherwise it takes milliseconds.
    #[must_use]
    pub fn is_by_both(&self) -> bool {
        self.rules.steps().iter().any(|rule| matches!(rule, DigitRule::Both { .. }))
    }

    /// A description for reports of how the worst case of a link is found.
    #[must_use]
    pub fn method(&self) -> &'static str {
        if self.is_by_both() { BY_PORTS } else { BY_CLASSES }
    }

    /// Notes on the routing for readers of results.
    #[must_use]
    pub fn notes(&self) -> &[String] {
        self.rules.notes()
    }

    /// The tree.
    #[must_use]
    pub fn shape(&self) -> &TreeShape {
        &self.shape
    }

    /// Canonical spec of the routing.
    #[must_use]
    pub fn routing(&self) -> &str {
        &self.routing
    }

    /// The certificate of worst cases, one for each quantity.
    #[must_use]
    pub fn certificate(&self, worst: &[&WorstByDigits]) -> ProductCertificate {
        let claim = |worst: &&WorstByDigits| Claim {
            quantity: worst.witness.quantity,
            lower: worst.load.clone(),
            upper: worst.most.clone(),
        };
        ProductCertificate {
            network: NetworkForm::Named(self.shape.spec().to_string()),
            routing: RoutingForm::Named(self.routing.clone()),
            claims: worst.iter().map(claim).collect(),
            witnesses: worst.iter().map(|worst| worst.witness.clone()).collect(),
        }
    }
}
