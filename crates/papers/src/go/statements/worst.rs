//! \[GO\] 5.2.1: "the worst traffic pattern that we can conceive" leaves 1/k of the bandwidth.
//!
//! Between levels l and l + 1 of a k-ary n-tree an ascending link of D-mod-k has k^l sources and
//! the k^(n−l) − 1 destinations outside that share l digits, so the exact value is the largest
//! min(k^l, k^(n−l) − 1). For n = 3 that is k, for n = 4 it is k² − 1.

use super::is_deterministic;
use crate::rational::Rational;
use crate::registry::Kind;
use crate::routing::Instance;
use crate::theorem::shape::kary;
use crate::theorem::{
    Finding, Remark, RemarkKind, Scope, Statement, Subject, TheoremError, Whose, oblivious, planted,
};

pub(super) const LAST_COMPONENT: Kind<Statement> = Kind {
    name: "go-worst",
    usage: "go-worst",
    options: &[],
    about: "No traffic is worse for the deterministic routing than a loss of k: PERF = k",
    reference: "[GO] 5.2.1, below Figure 7",
    examples: &["go-worst"],
    build: Statement {
        hypothesis: "D-mod-k on k-ary n-trees, n >= 2",
        whose: Whose::Ours,
        quote: "the worst traffic pattern that we can conceive for our proposed routing algorithm",
        subject: Subject::Instances {
            applies: |tree| matches!(kary(tree), Some((_, 2..))),
            to: is_deterministic,
            check: |instance, scope| check(instance, scope, 0),
        },
        remark: Some(Remark {
            kind: RemarkKind::OurReading,
            says: "The paper prints 1/k of the bandwidth for the worst pattern that its authors can \
                   conceive, and no PERF. PERF = k is true for n = 3. For n = 2 it is k - 1, so that the example of the paper, the \
                   2-ary 2-tree, loses nothing; for n >= 4 destinations that share more components \
                   are worse: k^2 - 1 on a k-ary 4-tree, 8 on a 2-ary 7-tree",
            on: |case| matches!(case.numbers[..], [_, n] if n != 3),
        }),
        planted: |scope| check(&scope.instance("kary(2,3)", "dmodk")?, scope, 1),
    },
};

pub(super) const EXACT: Kind<Statement> = Kind {
    name: "go-worst-exact",
    usage: "go-worst-exact",
    options: &[],
    about: "PERF of the deterministic routing is the largest min(k^l, k^(n-l) - 1), 0 <= l < n",
    reference: "[GO] 5.2.1, below Figure 7",
    examples: &["go-worst-exact"],
    build: Statement {
        hypothesis: "D-mod-k on k-ary n-trees",
        whose: Whose::Ours,
        quote: "the worst traffic pattern that we can conceive for our proposed routing algorithm",
        subject: EXACTLY,
        remark: None,
        planted: |scope| planted::over_first_ports(EXACTLY, "kary(2,3)", scope),
    },
};

const EXACTLY: Subject = Subject::Instances {
    applies: |tree| kary(tree).is_some(),
    to: is_deterministic,
    check: check_exact,
};

fn check_exact(instance: &Instance, scope: &Scope) -> Result<Vec<Finding>, TheoremError> {
    let Some((k, n)) = kary(&instance.topology) else { return Ok(Vec::new()) };
    let of_level = |l: u32| k.pow(l).min(k.pow(n - l) - 1);
    let claimed = (0..n).map(of_level).max().unwrap_or(1);
    Ok(vec![oblivious::equals(instance, scope, &Rational::from(u64::from(claimed)))?])
}

/// PERF against k + `more`.
fn check(instance: &Instance, scope: &Scope, more: u32) -> Result<Vec<Finding>, TheoremError> {
    let Some((k, n)) = kary(&instance.topology) else { return Ok(Vec::new()) };
    let claimed = Rational::from(u64::from(k + more));
    Ok(vec![oblivious::equals(instance, scope, &claimed)?.numbered([k.into(), n.into()])])
}
