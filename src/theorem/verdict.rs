//! The verdict on a statement, made from what was found on its cases.

use std::collections::HashSet;
use std::time::Instant;

use super::{
    Basis, Counterexample, Finding, Flaw, Outcome, Scope, Statement, Subject, TheoremError,
};
use crate::ratio::Ratio;
use crate::registry::Kind;

/// How a statement came out.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Verdict {
    /// On every case; a bound is attained on some.
    Holds,
    /// A bound that holds on every case and is attained on none: the least difference.
    Loose(Ratio),
    /// Not on this many cases.
    Fails(usize),
    /// On no case was a side decided.
    Open,
    /// No case up to the size satisfies the hypothesis.
    NotApplicable,
}

impl Verdict {
    /// One word or two, for scripts.
    #[must_use]
    pub fn name(&self) -> &'static str {
        match self {
            Self::Holds => "holds",
            Self::Loose(_) => "loose",
            Self::Fails(_) => "fails",
            Self::Open => "open",
            Self::NotApplicable => "not applicable",
        }
    }
}

/// A statement with what was found.
#[derive(Clone, Debug)]
pub struct Verified {
    /// The statement.
    pub kind: &'static Kind<Statement>,
    /// How it came out.
    pub verdict: Verdict,
    /// Every case, in a fixed order.
    pub findings: Vec<Finding>,
    /// Where this is not as expected: failures that are no errata, errata that do not show.
    pub differences: Vec<String>,
    /// Time of the check.
    pub seconds: f64,
}

/// Checks a statement on every case in the scope. The result depends on the scope alone, not on
/// the number of threads.
///
/// # Errors
/// [`TheoremError`] when a check cannot be made or the work was stopped.
pub fn verify(kind: &'static Kind<Statement>, scope: &Scope) -> Result<Verified, TheoremError> {
    let begun = Instant::now();
    let findings = match kind.build.subject {
        Subject::Networks { applies, check } => {
            scope.networks(applies, |topology| check(topology, scope))?
        }
        Subject::Instances { applies, to, check } => scope.networks(applies, |topology| {
            scope.routings_of(topology, to, |instance| check(instance, scope))
        })?,
        Subject::Cases { check } => check(scope)?,
    };
    let verdict = verdict(&findings);
    let differences = differences(&kind.build, &verdict, &findings);
    let seconds = begun.elapsed().as_secs_f64();
    Ok(Verified { kind, verdict, findings, differences, seconds })
}

fn verdict(findings: &[Finding]) -> Verdict {
    let fails = findings.iter().filter(|f| matches!(f.outcome, Outcome::Fails(_))).count();
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
    match (slacks.min(), findings.is_empty()) {
        (Some(least), _) => Verdict::Loose(least.clone()),
        (None, true) => Verdict::NotApplicable,
        (None, false) => Verdict::Open,
    }
}

/// What is not as the erratum of the statement says.
fn differences(statement: &Statement, verdict: &Verdict, findings: &[Finding]) -> Vec<String> {
    let mut differences = Vec::new();
    let mut cases = HashSet::new();
    for finding in findings {
        if !cases.insert(&finding.case) {
            differences.push(format!("{}: two findings have this name", finding.case));
        }
        let listed = statement.erratum.filter(|erratum| (erratum.on)(&finding.case));
        let difference = match (listed.map(|erratum| erratum.flaw), &finding.outcome) {
            (_, Outcome::Open(_))
            | (Some(Flaw::Wrong), Outcome::Fails(_))
            | (Some(Flaw::Loose), Outcome::Loose(_)) => None,
            (_, Outcome::Fails(_)) => Some("fails, and no erratum says so"),
            (Some(Flaw::Wrong), _) => Some("holds, but an erratum says that it fails"),
            (Some(Flaw::Loose), _) => Some("is tight, but an erratum says that it is loose"),
            (None, _) => None,
        };
        let text = |difference| {
            let Finding { case, claimed, found, .. } = finding;
            format!("{case}: {difference} (claimed {claimed}, found {found})")
        };
        differences.extend(difference.map(text));
    }
    let known = statement.erratum.is_some_and(|erratum| erratum.flaw == Flaw::Loose);
    if matches!(verdict, Verdict::Loose(_)) && !known {
        differences.push("the bound is attained nowhere, and no erratum says so".to_string());
    }
    differences
}

impl Verified {
    /// Number of cases examined.
    #[must_use]
    pub fn instances(&self) -> usize {
        self.findings.len()
    }

    /// The first counterexample, with the name of its case.
    #[must_use]
    pub fn counterexample(&self) -> Option<(&str, &Counterexample)> {
        self.findings.iter().find_map(|finding| match &finding.outcome {
            Outcome::Fails(example) => Some((finding.case.as_str(), example)),
            _ => None,
        })
    }

    /// On what the verdict rests: `proven on 12 instances`, `sampled: 3000 trials, seed 1`, and
    /// what else there was.
    #[must_use]
    pub fn evidence(&self) -> String {
        let decided = || self.findings.iter().filter(|f| !matches!(f.outcome, Outcome::Open(_)));
        let count = |test: fn(&Basis) -> bool| decided().filter(|f| test(&f.basis)).count();
        let proven = count(|basis| matches!(basis, Basis::Certified | Basis::Exhaustive));
        let claimed = count(|basis| matches!(basis, Basis::Claimed(_)));
        let (mut trials, mut seeds) = (0, Vec::new());
        for finding in decided() {
            if let Basis::Sampled { trials: some, seed } = finding.basis {
                trials += some;
                seeds.push(seed.to_string());
            }
        }
        seeds.dedup();
        let open = self.instances() - decided().count();
        let mut parts = Vec::new();
        let mut part = |count: usize, text: String| {
            if count > 0 {
                parts.push(text);
            }
        };
        part(proven, format!("proven on {}", instances(proven)));
        part(claimed, format!("claimed on {}", instances(claimed)));
        part(seeds.len(), format!("sampled: {trials} trials, seed {}", seeds.join(", ")));
        part(open, format!("undecided on {}", instances(open)));
        parts.join("; ")
    }

    /// The verdict in a few words, without where a counterexample was written.
    #[must_use]
    pub fn verdict_text(&self) -> String {
        match &self.verdict {
            Verdict::Holds => format!("holds ({})", self.evidence()),
            Verdict::Loose(by) => format!("loose by {by} or more ({})", self.evidence()),
            Verdict::Fails(cases) => {
                format!("fails on {cases} of {}", instances(self.instances()))
            }
            Verdict::Open => format!("open ({})", self.evidence()),
            Verdict::NotApplicable => "not applicable".to_string(),
        }
    }

    /// How often a bound is attained, where it is not always.
    #[must_use]
    pub fn tightness(&self) -> Option<String> {
        let slack = |finding: &Finding| match &finding.outcome {
            Outcome::Loose(slack) => Some((slack.clone(), finding.case.clone())),
            _ => None,
        };
        let slacks: Vec<(Ratio, String)> = self.findings.iter().filter_map(slack).collect();
        let (most, case) = slacks.iter().max_by(|a, b| a.0.cmp(&b.0).then(b.1.cmp(&a.1)))?;
        let tight = self.findings.iter().filter(|f| f.outcome == Outcome::Holds).count();
        let loose = instances(slacks.len());
        Some(format!("attained on {tight}, loose on {loose}, by up to {most} ({case})"))
    }
}

fn instances(count: usize) -> String {
    if count == 1 { "1 instance".to_string() } else { format!("{count} instances") }
}
