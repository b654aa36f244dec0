//! Up-digits that one digit of the source, or one of the destination, decides.
//!
//! Many routings of trees decide each up-digit W_l of a pair by a single digit of one of its hosts,
//! at a step below: D-mod-k by M_{l−1} of the destination, say. Such a routing declares that here,
//! from the m and w of the tree alone. Then the pairs of a link are all those of some sources with
//! some destinations, and what follows from them needs no enumeration. A test compares the
//! declaration with the paths of the routing on all small trees.

use super::{KINDS, RoutingError};
use crate::limit::{TooLarge, within};
use crate::registry;
use crate::spec::Spec;
use crate::topology::TreeShape;

/// The rule by which the up-digit of one step follows from digits of the hosts.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum DigitRule {
    /// The digit is 0.
    Zero,
    /// All w_l ports, each with the share 1/w_l.
    Even,
    /// Digit M_i of the source, `digit` = i below the step: port `ports[M_i]`.
    Source {
        /// i.
        digit: usize,
        /// Ports by digit.
        ports: Vec<u32>,
    },
    /// The port of a digit of the destination.
    Destination {
        /// i.
        digit: usize,
        /// Ports by digit.
        ports: Vec<u32>,
    },
    /// Digits M1 of both, at step 2 of a tree of two steps with w1 = 1: port `ports[M1(s)·m1 + M1(d)]`.
    Both {
        /// Ports by pairs of digits.
        ports: Vec<u32>,
    },
}

/// The rules of all steps, step 1 first. No two steps look at the same digit of the same host.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct DigitRules {
    steps: Vec<DigitRule>,
    notes: Vec<String>,
}

/// The rules that a routing declares for the trees that it fits, or why it has none.
#[derive(Clone, Copy, Debug)]
pub enum Digits {
    /// The rules for a tree.
    Rules(fn(&Spec, &TreeShape) -> Result<DigitRules, RoutingError>),
    /// Why there are none.
    None(&'static str),
}

/// Largest table of a rule.
pub const MAX_PORTS: u64 = 1 << 22;

/// The digit rules of the routing that `spec` describes, on a tree of this shape. O(h + Σ m), or
/// O(m1²) for rules of both digits.
///
/// # Errors
/// [`RoutingError`] as for [`build`](super::build), [`RoutingError::NoDigitRules`] for a routing
/// without such rules, [`RoutingError::TooLarge`] when a table would have more than [`MAX_PORTS`]
/// entries.
///
/// ```
/// # use routebound_networks as routebound;
/// use routebound::{routing::{DigitRule, digit_rules}, topology::TreeShape};
/// let shape = TreeShape::named("xgft(2;4,3;1,2)")?.ok_or("no tree")?;
/// let rules = digit_rules("dmodk", &shape)?;
/// let second = DigitRule::Destination { digit: 1, ports: vec![0, 1, 0, 1] };
/// assert_eq!(rules.steps(), [DigitRule::Zero, second]);
/// assert!(digit_rules("random(seed=1)", &shape).is_err());
/// # Ok::<(), Box<dyn std::error::Error>>(())
/// ```
pub fn digit_rules(spec: &str, shape: &TreeShape) -> Result<DigitRules, RoutingError> {
    let (spec, kind) = registry::parse::<_, RoutingError>(KINDS, "routing", spec)?;
    match kind.build.digits {
        Digits::Rules(rules) => rules(&spec, shape),
        Digits::None(reason) => {
            Err(RoutingError::NoDigitRules { routing: spec.to_string(), reason })
        }
    }
}

/// Whether the routing that `spec` describes declares digit rules for the trees that it fits.
///
/// ```
/// # use routebound_networks as routebound;
/// use routebound::routing::may_have_digit_rules;
/// assert!(may_have_digit_rules("dmodk") && !may_have_digit_rules("wsr"));
/// ```
#[must_use]
pub fn may_have_digit_rules(spec: &str) -> bool {
    let name = Spec::parse(spec).map(|spec| spec.name).unwrap_or_default();
    let found = registry::find(KINDS, "routing", &name);
    found.is_ok_and(|kind| matches!(kind.build.digits, Digits::Rules(_)))
}

impl DigitRules {
    /// These rules, step 1 first.
    #[must_use]
    pub fn new(steps: Vec<DigitRule>) -> Self {
        Self { steps, notes: Vec::new() }
    }

    /// The rules with the notes of the routing.
    pub(super) fn with_notes(self, notes: Vec<String>) -> Self {
        Self { notes, ..self }
    }

    /// The rules of all steps but the first, whose up-digit is 0.
    ///
    /// # Errors
    /// Those of the rules.
    pub(super) fn above_zero(
        shape: &TreeShape,
        rule: impl Fn(usize) -> Result<DigitRule, RoutingError>,
    ) -> Result<Self, RoutingError> {
        let above = (2..=shape.height()).map(rule);
        let all = std::iter::once(Ok(DigitRule::Zero)).chain(above);
        Ok(Self::new(all.collect::<Result<_, _>>()?))
    }

    /// Every port of every step with an equal share.
    pub(super) fn even(shape: &TreeShape) -> Self {
        Self::new(vec![DigitRule::Even; shape.height()])
    }

    /// One rule per step.
    #[must_use]
    pub fn steps(&self) -> &[DigitRule] {
        &self.steps
    }

    /// Notes on the routing for readers of results: see
    /// [`Routing::notes`](super::Routing::notes).
    #[must_use]
    pub fn notes(&self) -> &[String] {
        &self.notes
    }
}

/// The port of every digit in `[0, children)`.
///
/// # Errors
/// [`TooLarge`] above [`MAX_PORTS`] digits.
pub(super) fn ports(children: u32, port: impl Fn(u32) -> u32) -> Result<Vec<u32>, TooLarge> {
    let remedy = "choose a tree with fewer children per node";
    within("number of digits of a level", Some(children.into()), MAX_PORTS, remedy)?;
    Ok((0..children).map(port).collect())
}

/// Verifies that there are few enough pairs of first digits for a table.
///
/// # Errors
/// [`TooLarge`] above [`MAX_PORTS`] pairs of digits.
pub(super) fn within_pairs(children: u32) -> Result<(), TooLarge> {
    let pairs = Some(u128::from(children) * u128::from(children));
    let remedy = "choose a tree with fewer hosts per leaf switch";
    within("number of pairs of first digits", pairs, MAX_PORTS, remedy)?;
    Ok(())
}

/// The rule of both first digits, of which there are [few enough](within_pairs).
pub(super) fn both(children: u32, port: impl Fn(u32, u32) -> u32) -> DigitRule {
    let mut ports = Vec::with_capacity((children as usize).pow(2));
    for i in 0..children {
        ports.extend((0..children).map(|j| port(i, j)));
    }
    DigitRule::Both { ports }
}
