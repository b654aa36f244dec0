//! \[NB\] Theorems 1 and 2: the least number of top switches, over all routings.

use super::lemma_2::{case, ports};
use crate::certificate::Quantity;
use crate::ratio::Ratio;
use crate::registry::Kind;
use crate::synth::{Options, least_ratio};
use crate::theorem::{
    Basis, Finding, Outcome, Remark, RemarkKind, Scope, Statement, Subject, TheoremError,
};
use crate::topology::generate;

pub(super) const KIND: Kind<Statement> = Kind {
    name: "nb-least-m",
    usage: "nb-least-m",
    about: "A nonblocking ftree(n,m,r) with any single-path deterministic routing has m >= (r-1)n/2 when r <= 2n+1, and m >= n^2 when r >= 2n+1",
    reference: "[NB] Theorems 1 and 2, against the least m",
    examples: &["nb-least-m"],
    build: Statement {
        hypothesis: "all single-path routings of ftree(n,m,r): n = 1, 2 with r <= 6, n = 3 with r <= 3",
        subject: Subject::Cases { check },
        remark: Some(Remark {
            kind: RemarkKind::CanBeSharpened,
            says: "for r <= 2n more is needed: n = 2 takes 2, 4, 4 top switches for r = 2, 3, 4 (so n^2 already from r = 3 on), n = 3 takes 3, 6 for r = 2, 3",
            on: |case| ports(case).is_some_and(|(n, r)| n > 1 && r <= 2 * n),
        }),
        ..Statement::UNREAD
    },
};

/// (n, largest r).
fn sizes(scope: &Scope) -> [(u64, u64); 3] {
    if scope.hosts <= 8 { [(1, 4), (2, 4), (3, 2)] } else { [(1, 6), (2, 6), (3, 3)] }
}

fn check(scope: &Scope) -> Result<Vec<Finding>, TheoremError> {
    let mut findings = Vec::new();
    for (n, most) in sizes(scope) {
        for r in 2..=most {
            findings.push(finding(scope, n, r)?);
            scope.progress.inc(1);
        }
    }
    Ok(findings)
}

fn finding(scope: &Scope, n: u64, r: u64) -> Result<Finding, TheoremError> {
    let claimed = if r > 2 * n { n * n } else { ((r - 1) * n).div_ceil(2) };
    let (least, found) = least_tops(scope, n, r)?;
    Ok(match found {
        Found::Exact => Finding::at_least(case(n, r), claimed, least, Basis::Certified),
        Found::Open(why) => {
            let text = format!("at least {least}");
            let outcome = Outcome::Open(why);
            Finding::new(case(n, r), format!(">= {claimed}"), text, outcome, Basis::Certified)
        }
    })
}

enum Found {
    Exact,
    Open(String),
}

/// The first m for which there is a nonblocking routing, all smaller ones being refuted.
fn least_tops(scope: &Scope, n: u64, r: u64) -> Result<(u64, Found), TheoremError> {
    for m in 1..=n * n {
        let tree = generate(&format!("ftree({n},{m},{r})"))?;
        let (quantity, ratio) = (Quantity::PermutationLoad, Some(1));
        let options = Options { quantity, ratio, ..Options::default() };
        let found = least_ratio(&tree, &options, scope.progress);
        scope.progress.check()?;
        let bounds = found?.bounds;
        if bounds.upper == Ratio::ONE {
            return Ok((m, Found::Exact));
        }
        if bounds.lower == Ratio::ONE {
            return Ok((m, Found::Open(format!("m = {m}: load {bounds}"))));
        }
    }
    // Theorem 3 has a routing for m = n².
    Ok((n * n, Found::Open("no routing was found".to_string())))
}
