//! The least number of top switches of ftree(n,m,r) with *any* local adaptive routing, which \[NB\]
//! leaves open: "the tight nonblocking condition for ftree(n,m,r) with local adaptive routing is, thus,
//! still open for investigation."
//!
//! Where a switch sends matters only as a set of destinations, and all sets must be given top
//! switches: a formula (`crates/search/src/sat/LOCAL.md`). At least n are needed, since a switch may send n pairs over
//! n links up. n² suffice, since the routing of \[NB\] Theorem 3 is local, and so do (r−1)n, one for every
//! source and other switch. Between these the solver decides, first for networks of fewer switches,
//! whose refutations hold for more.

use std::path::Path;

use super::local_adaptive_formula::{Decided, LocalOptions, decide};
use crate::certificate::{Certificate, LocalCertificate, LocalRefutation, LocalRule, NetworkForm};
use crate::destination_sets::{destination_sets, sets_up_to};
use crate::generators::Named;
use crate::generators::checker::{Check, Refusal};
use crate::prelude::*;
use crate::sat::local_adaptive::{LocalProblem, MAX_HOSTS};
use crate::synth::SynthError;

/// Maximum number of rules of a scheme: each is compared with each.
const MAX_RULES: u64 = 1 << 16;

/// Outcome of a formula.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize)]
#[serde(rename_all = "lowercase")]
pub enum LocalAnswer {
    /// A scheme was found.
    Found,
    /// No such routing exists.
    Refuted,
    /// Stopped before an answer.
    Stopped,
    /// The formula is too large.
    TooLarge,
}

/// A number of top switches that was tried.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize)]
pub struct LocalAttempt {
    /// m.
    pub tops: u32,
    /// Number of bottom switches that were kept.
    pub switches: u32,
    /// The outcome.
    pub answer: LocalAnswer,
    /// Variables of the formula.
    pub variables: u32,
    /// Clauses of the formula.
    pub clauses: usize,
}

/// Bounds on the least m, with their evidence.
pub struct LocalSwitches {
    /// Bounds on it.
    pub bounds: Bounds,
    /// States the bounds, with the evidence; it names files in `files` where there is a refutation.
    pub certificate: LocalCertificate,
    /// Folder of the formula and the proof, removed with this value.
    pub files: Option<tempfile::TempDir>,
    /// Attempts, in order.
    pub attempts: Vec<LocalAttempt>,
}

impl LocalSwitches {
    /// The folder of the files, or the current one.
    #[must_use]
    pub fn folder(&self) -> &Path {
        self.files.as_ref().map_or_else(|| Path::new(""), tempfile::TempDir::path)
    }

    /// Whether the bounds meet.
    #[must_use]
    pub fn is_complete(&self) -> bool {
        self.bounds.exact().is_some() && self.bounds.evidence == Evidence::Proven
    }
}

/// The least m with which some local adaptive routing of ftree(n,m,r) is nonblocking. The checker
/// accepts each side before it counts. Exponential time in general: give `progress` a time limit.
///
/// # Errors
/// [`SynthError`] when the network is too large, r is below 2, or files cannot be written.
///
/// ```
/// # use routebound_search as routebound;
/// use routebound::{nonblocking::{LocalOptions, least_local_switches}, progress::Progress};
/// let found = least_local_switches(3, 4, &LocalOptions::default(), &Progress::silent())?;
/// // One more than n. Clos' 2n - 1 is 5; fixed paths need 8.
/// assert_eq!(found.bounds.to_string(), "4 (proven)");
/// # Ok::<(), routebound::synth::SynthError>(())
/// ```
pub fn least_local_switches(
    n: u32,
    r: u32,
    how: &LocalOptions,
    progress: &Progress,
) -> Result<LocalSwitches, SynthError> {
    let (upper, rules) = known_scheme(n, r)?;
    let certificate =
        LocalCertificate { network: network(n, upper, r), lower: n, upper, rules, fewer: None };
    let is_checked = accepts(&certificate, Path::new(""), &progress.part(1.0))?;
    let mut state = State { n, r, how, progress, certificate, files: None, attempts: Vec::new() };
    if is_checked {
        state.search()?;
    }
    let State { certificate, files, attempts, .. } = state;
    let evidence = if is_checked {
        Evidence::Proven
    } else {
        Evidence::Claimed("the scheme of single paths was not checked before the stop".into())
    };
    let [lower, upper] = [certificate.lower, certificate.upper].map(|m| u64::from(m).into());
    Ok(LocalSwitches { bounds: Bounds { lower, upper, evidence }, certificate, files, attempts })
}

/// Whether the checker accepts it; not if it was stopped first.
fn accepts(
    certificate: &LocalCertificate,
    folder: &Path,
    progress: &Progress,
) -> Result<bool, SynthError> {
    let check = Check::new(&Named).folder(folder).progress(progress);
    match check.run(&Certificate::Local(certificate.clone())) {
        Err(Refusal::Stopped(_)) => Ok(false),
        accepted => Ok(accepted.map(|_| true)?),
    }
}

fn network(n: u32, m: u32, r: u32) -> NetworkForm {
    NetworkForm::Named(format!("ftree({n},{m},{r})"))
}

/// The fewest top switches of a scheme known for all n and r, and the scheme. Of those that send, source i,
/// ascending, is sent to host p of a switch through top switch i·n + p (\[NB\] Theorem 3), or, with fewer
/// than n other switches, through (k − 1)·n + i where that switch is k places on, cyclically: then all
/// that a link down carries comes from one switch.
fn known_scheme(n: u32, r: u32) -> Result<(u32, Vec<LocalRule>), SynthError> {
    let remedy = "choose fewer hosts or switches";
    within("number of hosts", Some(u128::from(n) * u128::from(r)), MAX_HOSTS, remedy)?;
    if r < 2 {
        return Err(SynthError::OneSwitch);
    }
    let sets = sets_up_to(n.into(), (n * (r - 1)).into());
    let rules = sets.map(|sets| (sets - 1) * u128::from(r));
    within("number of sets of destinations", rules, MAX_RULES, remedy)?;
    let is_by_offset = r - 1 < n;
    let top = |switch: u32, i: u32, d: u32| {
        if is_by_offset { ((d / n + r - switch) % r - 1) * n + i } else { i * n + d % n }
    };
    let rule = |switch, destinations: Vec<u32>| {
        let tops = (0..).zip(&destinations).map(|(i, d)| top(switch, i, *d)).collect();
        LocalRule { switch, destinations, tops }
    };
    let of = |switch| destination_sets(n, r, switch).map(move |set| rule(switch, set));
    Ok((n * n.min(r - 1), (0..r).flat_map(of).collect()))
}

/// The bounds so far, with their evidence.
struct State<'a> {
    n: u32,
    r: u32,
    how: &'a LocalOptions,
    progress: &'a Progress,
    certificate: LocalCertificate,
    files: Option<tempfile::TempDir>,
    attempts: Vec<LocalAttempt>,
}

impl State<'_> {
    /// Refutes what it can, and then looks for a scheme of few top switches.
    fn search(&mut self) -> Result<(), SynthError> {
        let mut open = self.certificate.lower;
        for switches in 2..=self.r {
            open = self.certificate.lower;
            let mut answer = LocalAnswer::Refuted;
            while answer == LocalAnswer::Refuted && open < self.certificate.upper {
                answer = self.attempt(open, switches)?;
                open = if answer == LocalAnswer::Found { open } else { open + 1 };
            }
            if answer == LocalAnswer::Stopped || answer == LocalAnswer::TooLarge {
                // Of all switches this m was tried just now; of fewer it was not.
                open -= u32::from(switches < self.r);
                break;
            }
        }
        while open < self.certificate.upper && !self.progress.cancelled() {
            if self.attempt(open, self.r)? != LocalAnswer::Found {
                open += 1;
            }
        }
        Ok(())
    }

    /// Decides whether m top switches suffice for the given number of bottom switches.
    fn attempt(&mut self, tops: u32, switches: u32) -> Result<LocalAnswer, SynthError> {
        let progress = self.progress.part(0.5);
        let problem = LocalProblem { hosts: self.n, tops, switches };
        let (decided, (variables, clauses)) = decide(problem, self.how, &progress)?;
        let answer = match decided {
            Decided::Stopped => LocalAnswer::Stopped,
            Decided::TooLarge => LocalAnswer::TooLarge,
            Decided::Scheme(rules) => self.take_scheme(problem, rules)?,
            Decided::Refuted(fewer, files) => self.take_refutation(tops, fewer, files)?,
        };
        self.attempts.push(LocalAttempt { tops, switches, answer, variables, clauses });
        self.progress.inc(1);
        Ok(answer)
    }

    fn take_scheme(
        &mut self,
        problem: LocalProblem,
        rules: Vec<LocalRule>,
    ) -> Result<LocalAnswer, SynthError> {
        let LocalProblem { hosts, tops, switches } = problem;
        if switches < self.r {
            return Ok(LocalAnswer::Found);
        }
        let (network, fewer) = (network(hosts, tops, switches), None);
        let mut found = LocalCertificate { network, lower: hosts, upper: tops, rules, fewer };
        if !accepts(&found, Path::new(""), &self.progress.part(1.0))? {
            return Ok(LocalAnswer::Stopped);
        }
        (found.lower, found.fewer) = (self.certificate.lower, self.certificate.fewer.take());
        self.certificate = found;
        Ok(LocalAnswer::Found)
    }

    fn take_refutation(
        &mut self,
        tops: u32,
        fewer: LocalRefutation,
        files: tempfile::TempDir,
    ) -> Result<LocalAnswer, SynthError> {
        let (lower, fewer) = (tops + 1, Some(fewer));
        let found = LocalCertificate { lower, fewer, ..self.certificate.clone() };
        if !accepts(&found, files.path(), &self.progress.part(1.0))? {
            return Ok(LocalAnswer::Stopped);
        }
        (self.certificate, self.files) = (found, Some(files));
        Ok(LocalAnswer::Refuted)
    }
}
