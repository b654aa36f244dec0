//! What a statement is: data, written down with the methods of [`Statement`].

use super::{
    Case, Finding, Planted, Remark, RemarkKind, Scope, TheoremError, Whose, oblivious, shape,
};
use crate::registry::Kind;
use crate::routing::{Instance, Routing};
use crate::topology::Topology;

/// The findings of a check, or why it could not be carried out.
pub type Findings = Result<Vec<Finding>, TheoremError>;

/// A statement of a paper, in a form that can be checked.
#[must_use]
#[derive(Clone, Copy, Debug)]
pub struct Statement {
    /// Name of the statement, such as `or-theorem-3`.
    pub name: &'static str,
    /// The statement in one sentence, in the paper's terms.
    pub about: &'static str,
    /// Paper and number.
    pub reference: &'static str,
    /// The hypothesis in words; the predicates of `subject` say it in code.
    pub hypothesis: &'static str,
    /// Author of the statement.
    pub whose: Whose,
    /// The printed words that state it or that it rests on, few and verbatim; their place is `reference`. Empty where
    /// it is [as recalled](Whose::Recalled).
    pub quote: &'static str,
    /// Subject of the statement and its check.
    pub subject: Subject,
    /// The bound on the oblivious ratio that it publishes, if it does.
    pub bound: Option<Bound>,
    /// A property that is known besides its verdict.
    pub remark: Option<Remark>,
    /// The check of the statement with one thing made false.
    pub planted: Planted,
}

impl Statement {
    /// A statement of the paper that `reference` names, about nothing yet.
    pub const fn new(name: &'static str, reference: &'static str) -> Self {
        let subject = Subject::Cases { check: |_| Ok(Vec::new()) };
        let planted = Planted::Check(|_| Ok(Vec::new()));
        let (about, hypothesis, quote, whose) = ("", "", "", Whose::Paper);
        let (bound, remark) = (None, None);
        Self { name, about, reference, hypothesis, whose, quote, subject, bound, remark, planted }
    }

    /// Sets the sentence.
    pub const fn about(self, about: &'static str) -> Self {
        Self { about, ..self }
    }

    /// Sets the hypothesis in words.
    pub const fn hypothesis(self, hypothesis: &'static str) -> Self {
        Self { hypothesis, ..self }
    }

    /// Makes it a statement beyond the quoted words.
    pub const fn ours(self) -> Self {
        Self { whose: Whose::Ours, ..self }
    }

    /// Makes it a statement stronger than the quoted words.
    pub const fn sharpened(self) -> Self {
        Self { whose: Whose::Sharpened, ..self }
    }

    /// Makes it a statement of a paper whose words could not be read.
    pub const fn recalled(self) -> Self {
        Self { whose: Whose::Recalled, ..self }
    }

    /// Sets the printed words.
    pub const fn quote(self, quote: &'static str) -> Self {
        Self { quote, ..self }
    }

    /// Makes it about networks, whatever the routing.
    pub const fn networks(self, applies: OfTopology, check: NetworkCheck) -> Self {
        Self { subject: Subject::Networks { applies, check }, ..self }
    }

    /// Makes it about networks with a routing.
    pub const fn instances(self, applies: OfTopology, to: OfRouting, check: InstanceCheck) -> Self {
        Self { subject: Subject::Instances { applies, to, check }, ..self }
    }

    /// Makes it about sets of SD pairs, numbers, or all routings of a network at once.
    pub const fn cases(self, check: ScopeCheck) -> Self {
        Self { subject: Subject::Cases { check }, ..self }
    }

    /// Makes it a bound on the oblivious ratio: the check and the published bound follow from `value`, which is
    /// asked on networks that `applies` accepts.
    pub const fn bounds(self, side: Side, applies: OfTopology, value: Value) -> Self {
        let bound = Bound { side, value };
        let besides: InstanceCheck = |_, _| Ok(Vec::new());
        let subject = Subject::Ratio { applies, bound, more: 0, besides };
        Self { subject, bound: Some(bound), ..self }
    }

    /// Adds a further check of every instance of a bound on the ratio.
    pub const fn besides(self, besides: InstanceCheck) -> Self {
        match self.subject {
            Subject::Ratio { applies, bound, more, .. } => {
                Self { subject: Subject::Ratio { applies, bound, more, besides }, ..self }
            }
            _ => self,
        }
    }

    /// Publishes a bound on the oblivious ratio that its check states in another form.
    pub const fn publishes(self, side: Side, value: Value) -> Self {
        Self { bound: Some(Bound { side, value }), ..self }
    }

    /// Adds a property that is known besides the verdict: `says` is what is true instead, on the cases that `on`
    /// accepts.
    pub const fn remark(self, kind: RemarkKind, on: fn(&Case) -> bool, says: &'static str) -> Self {
        Self { remark: Some(Remark { kind, says, on }), ..self }
    }

    /// Sets the falsehood that its check has to notice.
    pub const fn planted(self, planted: Planted) -> Self {
        Self { planted, ..self }
    }

    /// The entry of the statement in the registry, which `list` prints.
    #[must_use]
    pub const fn entry(&'static self) -> Kind<&'static Self> {
        let Self { name, about, reference, .. } = *self;
        let examples = std::slice::from_ref(&self.name);
        Kind { name, usage: name, about, reference, examples, build: self }
    }
}

/// A hypothesis on a network.
pub type OfTopology = fn(&Topology) -> bool;

/// A hypothesis on a routing.
pub type OfRouting = fn(&dyn Routing) -> bool;

/// A check of one network. It may find several things; the names of all its findings differ.
pub type NetworkCheck = fn(&Topology, &Scope) -> Findings;

/// A check of one network with a routing.
pub type InstanceCheck = fn(&Instance, &Scope) -> Findings;

/// A check of all cases up to the size of the scope.
pub type ScopeCheck = fn(&Scope) -> Findings;

/// The value of a bound for an instance, `None` where the hypothesis does not hold.
pub type Value = fn(&Topology, &dyn Routing) -> Option<u64>;

/// The subject of a statement, and how one case of it is checked.
#[derive(Clone, Copy, Debug)]
pub enum Subject {
    /// Networks, whatever the routing.
    Networks {
        /// The hypothesis.
        applies: OfTopology,
        /// Both sides on one network.
        check: NetworkCheck,
    },
    /// Networks with a routing.
    Instances {
        /// The hypothesis on the network.
        applies: OfTopology,
        /// The hypothesis on the routing.
        to: OfRouting,
        /// Both sides on one instance.
        check: InstanceCheck,
    },
    /// The oblivious ratio of instances.
    Ratio {
        /// The hypothesis on the network; that on the routing is in the value.
        applies: OfTopology,
        /// The bound.
        bound: Bound,
        /// Difference that a planted falsehood adds to the value.
        more: u64,
        /// A further check of every instance.
        besides: InstanceCheck,
    },
    /// Sets of SD pairs, numbers, or all routings of a network at once.
    Cases {
        /// Both sides on all cases up to the size.
        check: ScopeCheck,
    },
}

impl Subject {
    /// Everything that the check finds on the cases in the scope.
    ///
    /// # Errors
    /// Errors of the check, and [`TheoremError::Stopped`] when the work was stopped.
    pub fn findings(self, scope: &Scope) -> Findings {
        match self {
            Self::Networks { applies, check } => {
                scope.networks(applies, |topology| check(topology, scope))
            }
            Self::Instances { applies, to, check } => scope.networks(applies, |topology| {
                scope.routings_of(topology, to, |instance| check(instance, scope))
            }),
            Self::Ratio { applies, bound, more, besides } => scope.networks(applies, |topology| {
                let is_meant = |routing: &dyn Routing| (bound.value)(topology, routing).is_some();
                scope.routings_of(topology, is_meant, |instance| {
                    let value = (bound.value)(&instance.topology, &*instance.routing);
                    let Some(value) = value else { return Ok(Vec::new()) };
                    let mut findings = bound.side.claim(instance, scope, value + more)?;
                    findings.extend(besides(instance, scope)?);
                    Ok(findings)
                })
            }),
            Self::Cases { check } => check(scope),
        }
    }
}

/// The side of a value on which the ratio lies.
#[derive(Clone, Copy, Debug, PartialEq, Eq, serde::Serialize)]
pub enum Side {
    /// The ratio is at least the value.
    #[serde(rename = "at least")]
    AtLeast,
    /// The ratio equals the value.
    #[serde(rename = "equals")]
    Equals,
    /// The ratio is at most the value.
    #[serde(rename = "at most")]
    AtMost,
}

impl std::fmt::Display for Side {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        f.write_str(match self {
            Self::AtLeast => "at least",
            Self::Equals => "equals",
            Self::AtMost => "at most",
        })
    }
}

/// A bound on the oblivious ratio of instances.
#[derive(Clone, Copy, Debug)]
pub struct Bound {
    /// The side of the value on which the ratio lies.
    pub side: Side,
    /// The value for an instance, `None` where the hypothesis does not hold.
    pub value: Value,
}

/// Why a lower bound of at most 1 says nothing.
pub const NO_RATIO_BELOW_1: &str = "no routing has a ratio below 1";

/// Why a claim says nothing about a tree where [`shape::has_choice`] is false.
pub const ONE_PATH: &str = "every pair has one shortest path";

impl Side {
    /// The claim that the ratio of an instance is on this side of `value`.
    ///
    /// # Errors
    /// [`TheoremError`] when the instance cannot be assessed.
    pub fn claim(self, instance: &Instance, scope: &Scope, value: u64) -> Findings {
        let vacuous = |why| Ok(Finding::vacuous(oblivious::case(instance), why));
        let finding = match self {
            Self::AtLeast if value <= 1 => vacuous(NO_RATIO_BELOW_1),
            Self::AtLeast => oblivious::at_least(instance, scope, &value.into()),
            Self::AtMost => oblivious::at_most(instance, scope, &value.into()),
            Self::Equals if !shape::has_choice(&instance.topology) => vacuous(ONE_PATH),
            Self::Equals => oblivious::equals(instance, scope, &value.into()),
        };
        Ok(vec![finding?])
    }
}

/// The shape of a network that a hypothesis accepted.
///
/// # Errors
/// [`TheoremError::Hypothesis`] where it says nothing.
pub fn fits<'t, T>(
    topology: &'t Topology,
    shape: impl FnOnce(&'t Topology) -> Option<T>,
) -> Result<T, TheoremError> {
    shape(topology).ok_or_else(|| TheoremError::Hypothesis(topology.spec().to_string()))
}
