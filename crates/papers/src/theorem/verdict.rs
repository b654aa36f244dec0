//! The verdict on a statement, derived from what was found on its cases.

use std::collections::HashSet;
use std::time::Instant;

use itertools::Itertools;

use super::{Basis, Counterexample, Finding, Outcome, RemarkKind, Scope, Statement, TheoremError};
use crate::bounds::Evidence;
use crate::rational::Rational;

/// The verdict on a statement.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Verdict {
    /// The statement holds on every case; a bound is attained on some.
    Holds,
    /// A bound that holds on every case and is attained on none: the least difference.
    Loose(Rational),
    /// The statement does not hold on this number of cases.
    Fails(usize),
    /// The statement was decided on no case.
    Open,
    /// Nothing of it was computed: an argument that is written down decides it.
    Argued,
    /// The statement says nothing about any case up to the size.
    NotApplicable,
}

impl Verdict {
    /// The verdict in one word or two, for scripts.
    #[must_use]
    pub fn name(&self) -> &'static str {
        match self {
            Self::Holds => "holds",
            Self::Loose(_) => "loose",
            Self::Fails(_) => "fails",
            Self::Open => "open",
            Self::Argued => "argued",
            Self::NotApplicable => "not applicable",
        }
    }
}

/// A statement with what was found.
#[derive(Clone, Debug)]
pub struct Verified {
    /// The statement.
    pub statement: &'static Statement,
    /// Verdict on the statement.
    pub verdict: Verdict,
    /// Every case, in a fixed order.
    pub findings: Vec<Finding>,
    /// Where this is not as expected: failures that no remark lists, remarks that do not show.
    pub differences: Vec<String>,
    /// Time of the check.
    pub seconds: f64,
}

/// Checks a statement on every case in the scope. The result depends on the scope alone, not on
/// the number of threads.
///
/// # Errors
/// [`TheoremError`] when a check cannot be carried out or the work was stopped.
pub fn verify(statement: &'static Statement, scope: &Scope) -> Result<Verified, TheoremError> {
    let begun = Instant::now();
    let findings = statement.subject.findings(scope)?;
    let verdict = verdict(&findings);
    let differences = differences(statement, &verdict, &findings);
    let seconds = begun.elapsed().as_secs_f64();
    Ok(Verified { statement, verdict, findings, differences, seconds })
}

/// The verdict on a statement whose check was stopped: it fails where a failure was already
/// found, otherwise it is open. Its cases are those that were finished, in no fixed order.
#[must_use]
pub fn stopped(statement: &'static Statement, scope: &Scope, begun: Instant) -> Verified {
    let findings = scope.take_finished();
    let verdict = match verdict(&findings) {
        Verdict::Fails(cases) => Verdict::Fails(cases),
        _ => Verdict::Open,
    };
    let differences = differences(statement, &verdict, &findings);
    Verified { statement, verdict, findings, differences, seconds: begun.elapsed().as_secs_f64() }
}

fn verdict(findings: &[Finding]) -> Verdict {
    let fails = findings.iter().filter(|finding| finding.fails()).count();
    if fails > 0 {
        return Verdict::Fails(fails);
    }
    if findings.iter().any(|f| f.outcome == Outcome::Holds) {
        return Verdict::Holds;
    }
    let slacks = findings.iter().filter_map(|finding| match &finding.outcome {
        Outcome::Loose(slack) => Some(slack),
        _ => None,
    });
    if let Some(least) = slacks.min() {
        return Verdict::Loose(least.clone());
    }
    if findings.iter().any(|f| matches!(f.outcome, Outcome::Open(_))) {
        return Verdict::Open;
    }
    let is_argued = findings.iter().any(|f| f.outcome == Outcome::Argued);
    if is_argued { Verdict::Argued } else { Verdict::NotApplicable }
}

/// Where the findings are not as the remark of the statement says.
fn differences(statement: &Statement, verdict: &Verdict, findings: &[Finding]) -> Vec<String> {
    let mut differences = Vec::new();
    let mut cases = HashSet::new();
    for finding in findings {
        if !cases.insert(&finding.case.name) {
            differences.push(format!("{}: two findings have this name", finding.case));
        }
        let listed = statement.remark.filter(|remark| (remark.on)(&finding.case));
        let text = |difference| {
            let Finding { case, claimed, found, .. } = finding;
            format!("{case}: {difference} (claimed {claimed}, found {found})")
        };
        let difference = difference(listed.map(|remark| remark.kind), &finding.outcome);
        differences.extend(difference.map(text));
    }
    let known = statement.remark.is_some_and(|remark| !remark.kind.expects_failure());
    if matches!(verdict, Verdict::Loose(_)) && !known {
        differences.push("the bound is attained nowhere, and no remark says so".to_string());
    }
    differences
}

/// How a case differs from what is expected of it, given the kind of the remark that lists it.
fn difference(listed: Option<RemarkKind>, outcome: &Outcome) -> Option<&'static str> {
    match (listed.map(RemarkKind::expects_failure), outcome) {
        (_, Outcome::Open(_) | Outcome::Vacuous(_) | Outcome::Argued)
        | (Some(true), Outcome::Fails(_))
        | (Some(false), Outcome::Loose(_)) => None,
        (_, Outcome::Fails(_)) => Some("fails, and no remark says so"),
        (Some(true), _) => Some("holds, but a remark says that it fails"),
        (Some(false), _) => Some("is tight, but a remark says that it is loose"),
        (None, _) => None,
    }
}

impl Verified {
    /// Number of cases about which the statement says something that is computed.
    #[must_use]
    pub fn instances(&self) -> usize {
        self.findings.len() - self.vacuous() - self.argued()
    }

    /// Number of cases that an argument alone decides.
    #[must_use]
    pub fn argued(&self) -> usize {
        self.findings.iter().filter(|f| f.outcome == Outcome::Argued).count()
    }

    /// Number of cases about which it says nothing.
    #[must_use]
    pub fn vacuous(&self) -> usize {
        self.findings.iter().filter(|f| matches!(f.outcome, Outcome::Vacuous(_))).count()
    }

    /// The first counterexample, with the name of its case.
    #[must_use]
    pub fn counterexample(&self) -> Option<(&str, &Counterexample)> {
        self.findings.iter().find_map(|finding| match &finding.outcome {
            Outcome::Fails(example) => Some((finding.case.name.as_str(), example)),
            _ => None,
        })
    }

    /// The basis of the verdict: `proven on 12 instances`, `sampled: 3000 trials, seed 1`, and
    /// what else there was.
    #[must_use]
    pub fn evidence(&self) -> String {
        let undecided = |f: &&Finding| matches!(f.outcome, Outcome::Open(_));
        let count = |test: fn(&Basis) -> bool| self.decided().filter(|f| test(&f.basis)).count();
        let proven = count(|basis| matches!(*basis, Basis::CERTIFIED | Basis::Exhaustive));
        let claimed = count(|basis| matches!(basis, Basis::Bounds(Evidence::Claimed(_))));
        let open = self.findings.iter().filter(undecided).count();
        let mut parts = Vec::new();
        parts.extend((proven > 0).then(|| format!("proven on {}", instances(proven))));
        parts.extend(self.grid());
        parts.extend(self.arguments(true).map(|places| format!("argued: {places}")));
        let arguments = self.arguments(false);
        parts.extend(arguments.map(|places| format!("argued, not computed: {places}")));
        parts.extend((claimed > 0).then(|| format!("claimed on {}", instances(claimed))));
        parts.extend(self.sampled());
        parts.extend((open > 0).then(|| format!("undecided on {}", instances(open))));
        let vacuous = self.vacuous();
        parts.extend((vacuous > 0).then(|| format!("vacuous on {}", instances(vacuous))));
        parts.join("; ")
    }

    fn decided(&self) -> impl Iterator<Item = &Finding> {
        let is_decided =
            |f: &&Finding| !matches!(f.outcome, Outcome::Open(_) | Outcome::Vacuous(_));
        self.findings.iter().filter(is_decided)
    }

    fn grid(&self) -> Option<String> {
        let points = self.decided().filter_map(|finding| match finding.basis {
            Basis::Grid { points } => Some(points),
            _ => None,
        });
        let points: u64 = points.sum();
        (points > 0).then(|| format!("computed on a grid of {points} points"))
    }

    /// Where the arguments are written of which a part was computed, or nothing.
    fn arguments(&self, computed: bool) -> Option<String> {
        let places = self.decided().filter_map(|finding| match finding.basis {
            Basis::Argued(place) => {
                let is_computed = finding.outcome != Outcome::Argued;
                (is_computed == computed).then_some(place)
            }
            _ => None,
        });
        let places = places.unique().join(", ");
        (!places.is_empty()).then_some(places)
    }

    fn sampled(&self) -> Option<String> {
        let (mut trials, mut seeds) = (0, Vec::new());
        for finding in self.decided() {
            if let Basis::Bounds(Evidence::Sampled { trials: some, seed }) = finding.basis {
                trials += some;
                seeds.push(seed);
            }
        }
        let seeds = seeds.into_iter().unique().join(", ");
        (!seeds.is_empty()).then(|| format!("sampled: {trials} trials, seed {seeds}"))
    }

    /// The verdict in a few words, without the place where a counterexample was written.
    #[must_use]
    pub fn verdict_text(&self) -> String {
        match &self.verdict {
            Verdict::Holds => format!("holds ({})", self.evidence()),
            Verdict::Loose(by) => format!("loose by {by} or more ({})", self.evidence()),
            Verdict::Fails(cases) => {
                format!("fails on {cases} of {}", instances(self.instances()))
            }
            Verdict::Open => format!("open ({})", self.evidence()),
            Verdict::Argued => self.evidence(),
            Verdict::NotApplicable => format!("not applicable: {}", self.says_nothing()),
        }
    }

    /// Why the statement says nothing about any case.
    fn says_nothing(&self) -> String {
        let reasons = self.findings.iter().filter_map(|finding| match &finding.outcome {
            Outcome::Vacuous(why) => Some(why.clone()),
            _ => None,
        });
        let mut reasons = reasons.unique();
        match (reasons.next(), self.statement.hypothesis) {
            (Some(why), _) => why,
            (None, hypothesis) => format!("no case meets the hypothesis: {hypothesis}"),
        }
    }

    /// The numbers of cases in which a bound is attained and is not, if it is not always.
    #[must_use]
    pub fn tightness(&self) -> Option<String> {
        let slack = |finding: &Finding| match &finding.outcome {
            Outcome::Loose(slack) => Some((slack.clone(), finding.case.to_string())),
            _ => None,
        };
        let slacks: Vec<(Rational, String)> = self.findings.iter().filter_map(slack).collect();
        let (most, case) = slacks.iter().max_by(|a, b| a.0.cmp(&b.0).then(b.1.cmp(&a.1)))?;
        // Not what holds besides the bound, such as that an instance which misses it blocks.
        let is_bound = |f: &&Finding| f.claimed.starts_with("<= ") || f.claimed.starts_with(">= ");
        let bounds = self.findings.iter().filter(is_bound);
        let tight = bounds.filter(|f| f.outcome == Outcome::Holds).count();
        let loose = instances(slacks.len());
        Some(format!("attained on {tight}, loose on {loose}, by up to {most} ({case})"))
    }
}

fn instances(count: usize) -> String {
    if count == 1 { "1 instance".to_string() } else { format!("{count} instances") }
}
