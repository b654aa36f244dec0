//! Certificates about local adaptive routing: a scheme, and a refuted formula for fewer top switches.

use std::collections::HashMap;
use std::path::Path;

use crate::certificate::{LOCAL_SWITCHES, LocalCertificate, LocalRefutation};
use crate::certificate::{LocalRule, NetworkForm};
use crate::limit::within;
use crate::progress::Progress;

use super::local_adaptive_formula::{LocalFormula, check_hosts, sets};
use super::named::{Generators, folded_clos};
use super::{Accepted, BadTree, Refusal, Result, proof};

/// Maximum number of patterns of a scheme: each is compared with each.
const MAX_RULES: u64 = 1 << 16;

/// Why a certificate about local adaptive routing is refused.
#[derive(Debug, Clone, PartialEq, Eq, thiserror::Error)]
#[non_exhaustive]
#[expect(missing_docs, reason = "the message is the documentation")]
pub enum BadScheme {
    #[error("claims on {LOCAL_SWITCHES} are about ftree(n,UPPER,r), named, with r at least 2")]
    Network,
    #[error(
        "rule {0} is not about 1 to n ascending hosts under other switches, each with a top switch \
         of its own"
    )]
    Rule(usize),
    #[error("rule {0} repeats the destinations of another rule of its switch")]
    Repeated(usize),
    #[error("switch {0} has no rule for some of its sets of destinations")]
    Missing(u32),
    #[error("rules {0} and {1} send to two hosts under one switch through the same top switch")]
    Meet(usize, usize),
    #[error("a lower bound above n needs a `fewer` record, and one up to n has none")]
    Fewer,
}

/// A rule whose pattern is verified.
struct Known<'r> {
    number: usize,
    set: u64,
    rule: &'r LocalRule,
}

pub(super) fn check(
    certificate: &LocalCertificate,
    generators: &dyn Generators,
    folder: &Path,
    progress: &Progress,
) -> Result<Vec<Accepted>> {
    let LocalCertificate { network, lower, upper, rules, fewer } = certificate;
    if lower > upper {
        return Err(Refusal::EmptyClaim { quantity: LOCAL_SWITCHES });
    }
    let NetworkForm::Named(spec) = network else { return Err(BadScheme::Network.into()) };
    let (n, m, r) = folded_clos(spec, generators)?.ok_or(BadScheme::Network)?;
    if m != *upper || r < 2 {
        return Err(BadScheme::Network.into());
    }
    check_hosts(n, r)?;
    check_rules((n, m, r), rules, progress)?;
    match fewer {
        None if *lower <= n => {}
        Some(fewer) if *lower > n => check_fewer((n, *lower - 1, r), fewer, folder, progress)?,
        _ => return Err(BadScheme::Fewer.into()),
    }
    let [lower, upper] = [*lower, *upper].map(|switches| u64::from(switches).into());
    Ok(vec![Accepted { quantity: LOCAL_SWITCHES.into(), lower, upper }])
}

/// Verifies that the rules are a nonblocking scheme of ftree(n,m,r).
fn check_rules((n, m, r): (u32, u32, u32), rules: &[LocalRule], progress: &Progress) -> Result<()> {
    within("number of rules", Some(rules.len() as u128), MAX_RULES, "check a smaller network")?;
    let mut known: Vec<HashMap<u64, Known<'_>>> = (0..r).map(|_| HashMap::new()).collect();
    for (number, rule) in rules.iter().enumerate() {
        progress.check()?;
        let set = pattern((n, m, r), rule).ok_or(BadScheme::Rule(number))?;
        let of_switch = known.get_mut(rule.switch as usize).ok_or(BadScheme::Rule(number))?;
        if of_switch.insert(set, Known { number, set, rule }).is_some() {
            return Err(BadScheme::Repeated(number).into());
        }
    }
    for (switch, known) in (0..r).zip(&known) {
        // They are different patterns of the switch: all of them, if they are as many.
        if sets(n, r * n - n) != Some(known.len() as u128) {
            return Err(BadScheme::Missing(switch).into());
        }
    }
    check_meetings(n, &known.into_iter().map(by_number).collect::<Vec<_>>(), progress)
}

/// By number, so that the same pair is named each time.
fn by_number(known: HashMap<u64, Known<'_>>) -> Vec<Known<'_>> {
    let mut known: Vec<Known<'_>> = known.into_values().collect();
    known.sort_by_key(|known| known.number);
    known
}

/// Verifies that no link down carries two pairs of patterns with disjoint sets.
fn check_meetings(n: u32, known: &[Vec<Known<'_>>], progress: &Progress) -> Result<()> {
    for (switch, own) in known.iter().enumerate() {
        for a in own {
            progress.check()?;
            for b in known[switch + 1..].iter().flatten().filter(|b| a.set & b.set == 0) {
                if meet(a.rule, b.rule, n) {
                    return Err(BadScheme::Meet(a.number, b.number).into());
                }
            }
        }
    }
    Ok(())
}

/// The destinations of a rule, if it is one.
fn pattern((n, m, r): (u32, u32, u32), rule: &LocalRule) -> Option<u64> {
    let LocalRule { switch, destinations, tops } = rule;
    let is_ascending = destinations.is_sorted_by(|a, b| a < b);
    let are_others = destinations.iter().all(|d| *d < n * r && d / n != *switch);
    let count = destinations.len();
    let has_size = (1..=n as usize).contains(&count) && tops.len() == count;
    let differ = |(place, top): (usize, &u32)| *top < m && !tops[..place].contains(top);
    let fits = *switch < r && is_ascending && are_others && has_size;
    (fits && tops.iter().enumerate().all(differ))
        .then(|| destinations.iter().map(|d| 1_u64 << d).sum())
}

/// Whether two hosts under one switch have the same top switch.
fn meet(a: &LocalRule, b: &LocalRule, n: u32) -> bool {
    let of = |rule: &'_ LocalRule, at: usize| (rule.destinations[at] / n, rule.tops[at]);
    (0..a.tops.len()).any(|i| (0..b.tops.len()).any(|j| of(a, i) == of(b, j)))
}

/// Verifies that m top switches are too few.
fn check_fewer(
    (n, m, r): (u32, u32, u32),
    fewer: &LocalRefutation,
    folder: &Path,
    progress: &Progress,
) -> Result<()> {
    let LocalRefutation { switches, formula, proof } = fewer;
    if !(2..=r).contains(switches) {
        return Err(BadTree::NoPart.into());
    }
    let encoding = LocalFormula { n, m, r: *switches };
    proof::check(&encoding, [formula, proof], folder, progress)
}
