//! What a check finds on one case.

use std::io;

use super::Case;
use crate::bounds::{Bounds, Evidence};
use crate::certificate::{self, Certificate};
use crate::rational::Rational;

/// The basis of a finding.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Basis {
    /// Bounds, and the evidence for them: proven when the checker accepted a certificate.
    Bounds(Evidence),
    /// Everything that the statement covers on this case was enumerated.
    Exhaustive,
    /// Computed for this many numbers out of infinitely many.
    Grid {
        /// How many.
        points: u64,
    },
    /// Measured by a study, whose tables have the numbers.
    Measured,
    /// By an argument that is written down; says where. What the argument needs was computed, unless the
    /// outcome is [`Outcome::Argued`].
    Argued(&'static str),
}

impl Basis {
    /// The checker accepted a certificate.
    pub const CERTIFIED: Self = Self::Bounds(Evidence::Proven);

    /// The basis of bounds.
    #[must_use]
    pub fn of(bounds: &Bounds) -> Self {
        Self::Bounds(bounds.evidence.clone())
    }

    /// A sample of the given number of trials with the seed.
    #[must_use]
    pub fn sampled(trials: u64, seed: u64) -> Self {
        Self::Bounds(Evidence::Sampled { seed, trials })
    }

    /// A solver or an analysis said so; the text names it.
    #[must_use]
    pub fn claimed(by: String) -> Self {
        Self::Bounds(Evidence::Claimed(by))
    }
}

/// Evidence that a statement is wrong.
#[derive(Clone, Debug, PartialEq, Eq)]
#[non_exhaustive]
pub enum Counterexample {
    /// A certificate of what is true instead.
    Certificate(Box<Certificate>),
    /// The instance and what was found on it, in words and numbers.
    Text(String),
}

impl Counterexample {
    /// Extension of the file that holds it.
    #[must_use]
    pub fn extension(&self) -> &'static str {
        match self {
            Self::Certificate(_) => "cert",
            Self::Text(_) => "txt",
        }
    }

    /// Writes it.
    ///
    /// # Errors
    /// Errors of `out`.
    pub fn write(&self, out: &mut dyn io::Write) -> io::Result<()> {
        match self {
            Self::Certificate(certificate) => certificate::write(certificate, out),
            Self::Text(text) => writeln!(out, "{}", text.trim_end()),
        }
    }
}

/// The outcome of a case.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Outcome {
    /// The statement holds; where it is a bound, it is attained.
    Holds,
    /// The bound holds with slack: the difference from the true value.
    Loose(Rational),
    /// The statement does not hold.
    Fails(Counterexample),
    /// Not decided, and why: bounds with a gap, or a size limit.
    Open(String),
    /// The statement says nothing here, and why: it is true whatever the paper says.
    Vacuous(String),
    /// Nothing was computed: it holds by an argument alone, which no run can refute.
    Argued,
}

/// One case of a statement.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Finding {
    /// The case; remarks list it.
    pub case: Case,
    /// The claim of the statement.
    pub claimed: String,
    /// The value that was computed.
    pub found: String,
    /// The comparison of both.
    pub outcome: Outcome,
    /// Basis of the outcome.
    pub basis: Basis,
}

impl From<Finding> for Vec<Finding> {
    fn from(finding: Finding) -> Self {
        vec![finding]
    }
}

impl Finding {
    /// A finding whose two sides were compared elsewhere.
    #[must_use]
    pub fn new(
        case: impl Into<Case>,
        claimed: impl Into<String>,
        found: impl Into<String>,
        outcome: Outcome,
        basis: Basis,
    ) -> Self {
        Self { case: case.into(), claimed: claimed.into(), found: found.into(), outcome, basis }
    }

    /// The claim that something holds, and whether it does.
    #[must_use]
    pub fn holds(
        case: impl Into<Case>,
        claimed: impl Into<String>,
        found: impl Into<String>,
        holds: bool,
        basis: Basis,
    ) -> Self {
        Self::new(case, claimed, found, Outcome::Holds, basis).or_fails(holds)
    }

    /// The claim that something holds without exception: what is found then, and the exception, if there is one.
    ///
    /// ```
    /// # use routebound_papers as routebound;
    /// use routebound::theorem::{Basis, Finding};
    /// let finding = |exception| Finding::unless("x", "even", "holds for all", exception, Basis::Exhaustive);
    /// assert!(!finding(None).fails() && finding(Some("not for 3".to_string())).fails());
    /// ```
    #[must_use]
    pub fn unless(
        case: impl Into<Case>,
        claimed: impl Into<String>,
        found: impl Into<String>,
        exception: Option<String>,
        basis: Basis,
    ) -> Self {
        let holds = exception.is_none();
        Self::holds(case, claimed, exception.unwrap_or_else(|| found.into()), holds, basis)
    }

    /// A case on which the statement says nothing, and why.
    #[must_use]
    pub fn vacuous(case: impl Into<Case>, why: impl Into<String>) -> Self {
        let (claimed, found) = ("nothing".to_string(), String::new());
        let outcome = Outcome::Vacuous(why.into());
        Self { case: case.into(), claimed, found, outcome, basis: Basis::Exhaustive }
    }

    /// A case that an argument decides, of which nothing is computed; `place` says where it is written.
    ///
    /// ```
    /// # use routebound_papers as routebound;
    /// use routebound::theorem::{Finding, Outcome};
    /// let finding = Finding::argued("every n", "n < n + 1", "0 < 1", "the docs of x.rs");
    /// assert_eq!(finding.outcome, Outcome::Argued);
    /// ```
    #[must_use]
    pub fn argued(
        case: impl Into<Case>,
        claimed: impl Into<String>,
        by: impl Into<String>,
        place: &'static str,
    ) -> Self {
        Self::new(case, claimed, by, Outcome::Argued, Basis::Argued(place))
    }

    /// Whether the statement does not hold on this case.
    #[must_use]
    pub fn fails(&self) -> bool {
        matches!(self.outcome, Outcome::Fails(_))
    }

    /// The claim that something has exactly the value `claimed`.
    #[must_use]
    pub fn equal(
        case: impl Into<Case>,
        claimed: impl Into<Rational>,
        found: impl Into<Rational>,
        basis: Basis,
    ) -> Self {
        let (claimed, found) = (claimed.into(), found.into());
        let holds = claimed == found;
        Self::holds(case, format!("= {claimed}"), found.to_string(), holds, basis)
    }

    /// The claim that something is at least `claimed`.
    ///
    /// ```
    /// # use routebound_papers as routebound;
    /// use routebound::theorem::{Basis, Finding, Outcome};
    /// let finding = Finding::at_least("x", 2, 3, Basis::Exhaustive);
    /// assert_eq!(finding.outcome, Outcome::Loose(1.into()));
    /// ```
    #[must_use]
    pub fn at_least(
        case: impl Into<Case>,
        claimed: impl Into<Rational>,
        found: impl Into<Rational>,
        basis: Basis,
    ) -> Self {
        let (claimed, found) = (claimed.into(), found.into());
        let slack = found.checked_sub(&claimed);
        Self::bound(case.into(), format!(">= {claimed}"), &found, slack, basis)
    }

    /// The claim that something is at most `claimed`.
    #[must_use]
    pub fn at_most(
        case: impl Into<Case>,
        claimed: impl Into<Rational>,
        found: impl Into<Rational>,
        basis: Basis,
    ) -> Self {
        let (claimed, found) = (claimed.into(), found.into());
        let slack = claimed.checked_sub(&found);
        Self::bound(case.into(), format!("<= {claimed}"), &found, slack, basis)
    }

    fn bound(
        case: Case,
        claimed: String,
        found: &Rational,
        slack: Option<Rational>,
        basis: Basis,
    ) -> Self {
        let (outcome, holds) = match slack {
            Some(slack) if slack.is_zero() => (Outcome::Holds, true),
            Some(slack) => (Outcome::Loose(slack), true),
            None => (Outcome::Holds, false),
        };
        Self::new(case, claimed, found.to_string(), outcome, basis).or_fails(holds)
    }

    /// Turns a finding that holds into a bound that is loose by `slack`.
    ///
    /// ```
    /// # use routebound_papers as routebound;
    /// use routebound::theorem::{Basis, Finding, Outcome};
    /// let finding = Finding::holds("x", "<= 9 cycles", "7 cycles", true, Basis::sampled(5, 1));
    /// assert_eq!(finding.loose_by(2).outcome, Outcome::Loose(2.into()));
    /// ```
    #[must_use]
    pub fn loose_by(self, slack: impl Into<Rational>) -> Self {
        let slack = slack.into();
        if self.outcome == Outcome::Holds && !slack.is_zero() {
            return Self { outcome: Outcome::Loose(slack), ..self };
        }
        self
    }

    /// Turns it into a failure unless the statement `holds`.
    fn or_fails(self, holds: bool) -> Self {
        if holds {
            return self;
        }
        let Self { case, claimed, found, .. } = &self;
        let text = format!("case     {case}\nclaimed  {claimed}\nfound    {found}\n");
        Self { outcome: Outcome::Fails(Counterexample::Text(text)), ..self }
    }

    /// Sets the numbers of its case.
    #[must_use]
    pub fn numbered(mut self, numbers: impl Into<Vec<u64>>) -> Self {
        self.case.numbers = numbers.into();
        self
    }

    /// Makes `certificate`, if there is one, the counterexample of a failure.
    #[must_use]
    pub fn certified_by(mut self, certificate: Option<Certificate>) -> Self {
        if let (Outcome::Fails(example), Some(certificate)) = (&mut self.outcome, certificate) {
            *example = Counterexample::Certificate(Box::new(certificate));
        }
        self
    }

    /// Adds `lines` to the counterexample of a failure.
    #[must_use]
    pub fn because(mut self, lines: impl FnOnce() -> String) -> Self {
        if let Outcome::Fails(Counterexample::Text(text)) = &mut self.outcome {
            text.push_str(&lines());
        }
        self
    }
}
