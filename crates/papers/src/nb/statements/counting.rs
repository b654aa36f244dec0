//! Bounds on the top switches of nonblocking networks over **all** routings: from below by counting
//! SD pairs, from above by the routing of \[NB\] Theorem 3.

pub(super) use super::lemma_2::small;

use super::lemma_2::{Known, case, searched};
use super::nonblocking::by_load;
use crate::theorem::prelude::*;

/// The top switches that counting requires of every routing: there are r(r−1)n² SD pairs, and the
/// largest number that one top switch carries is known.
fn counted(known: Known) -> u64 {
    known.pairs().div_ceil(known.most)
}

/// The claim that at least `claimed(n,r)` top switches are needed, where it says something. A count
/// that is too weak leaves it open; a nonblocking routing on fewer refutes it.
pub(super) fn at_least(scope: &Scope, claimed: fn(u64, u64) -> Option<u64>) -> Findings {
    let all = searched(scope)?.into_iter();
    let claims = all.filter_map(|known| Some((claimed(known.n, known.r)?, known)));
    scope.each(claims, |(claimed, known)| finding(scope, known, claimed))
}

fn finding(scope: &Scope, known: Known, claimed: u64) -> Result<Finding> {
    let Known { n, r, .. } = known;
    let (case, least) = (case(n, r), counted(known));
    if least >= claimed {
        return Ok(Finding::at_least(case, claimed, least, Basis::Exhaustive));
    }
    if claimed > n * n {
        let instance = scope.instance(&format!("ftree({n},{},{r})", n * n), "yuan")?;
        let contention = by_load(&instance, scope)?;
        if contention.nonblocking == Some(true) {
            let compare = |_, basis| Finding::at_least(case, claimed, n * n, basis);
            return Ok(contention.implies(&instance, false, compare));
        }
    }
    let found = format!("counting requires {least}");
    let open = Outcome::Open("counting does not decide it".to_string());
    Ok(Finding::new(case, format!(">= {claimed}"), found, open, Basis::Exhaustive))
}
