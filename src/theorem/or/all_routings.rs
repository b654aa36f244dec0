//! \[OR\] Theorems 2 to 4 for all routings of a small tree at once.
//!
//! Contract every SUBFT below the top links to a switch: k of them with n hosts each under t
//! switches. Every single-path routing distributes the k(k−1)n² SD pairs between different ones
//! over the t top switches, and one that keeps mds ≤ X puts at most T(X) on each. T(X) is found
//! exactly ([`crate::theorem::root_capacity`]), so t·T(X) < k(k−1)n² excludes X for all routings,
//! the ones that nobody has implemented too.

use super::{lemma_8::work, theorem_2};
use crate::registry::Kind;
use crate::theorem::root_capacity::most_pairs;
use crate::theorem::{Basis, Finding, Scope, Statement, Subject, TheoremError, shape};
use crate::topology::Topology;

pub(super) const THEOREM_2: Kind<Statement> = Kind {
    name: "or-theorem-2-all",
    usage: "or-theorem-2-all",
    about: "No single path routing whatever of EFT2(m,k), k >= sqrt(2m), has PERF < sqrt(m/2): by exact T(X)",
    reference: "[OR] Theorems 2, 3",
    examples: &["or-theorem-2-all"],
    build: Statement {
        hypothesis: "all single-path routings of EFT2(m,k), k >= sqrt(2m), where T(X) can be searched",
        subject: Subject::Networks { applies: theorem_2::applies, check: two_levels },
        remark: None,
        ..Statement::UNREAD
    },
};

pub(super) const THEOREM_4: Kind<Statement> = Kind {
    name: "or-theorem-4-all",
    usage: "or-theorem-4-all",
    about: "No single path routing whatever of FT(m,3) has PERF < m/2: by exact T(X)",
    reference: "[OR] Theorem 4",
    examples: &["or-theorem-4-all"],
    build: Statement {
        hypothesis: "all single-path routings of FT(m,3), where T(X) can be searched",
        subject: Subject::Networks {
            applies: |tree| matches!(shape::ft(tree), Some((_, 3))),
            check: three_levels,
        },
        remark: None,
        ..Statement::UNREAD
    },
};

fn two_levels(topology: &Topology, scope: &Scope) -> Result<Vec<Finding>, TheoremError> {
    let Some((m, k)) = shape::eft2(topology) else {
        return Err(TheoremError::Hypothesis(topology.spec().to_string()));
    };
    let n = m as usize / 2;
    check(topology, scope, [n, k as usize, n], shape::ceil_sqrt(n as u64))
}

fn three_levels(topology: &Topology, scope: &Scope) -> Result<Vec<Finding>, TheoremError> {
    let Some((m, _)) = shape::ft(topology) else {
        return Err(TheoremError::Hypothesis(topology.spec().to_string()));
    };
    let half = m as usize / 2;
    check(topology, scope, [half * half, m as usize, half * half], half as u64)
}

/// The least X that counting leaves, for k switches of n hosts under t top switches.
fn check(
    topology: &Topology,
    scope: &Scope,
    [n, k, t]: [usize; 3],
    claimed: u64,
) -> Result<Vec<Finding>, TheoremError> {
    let pairs = (k * (k - 1) * n * n) as u64;
    let mut least = 1;
    loop {
        scope.progress.check()?;
        match most_pairs(n, k, least, work(scope), scope.progress)? {
            Some(most) if t as u64 * most < pairs => least += 1,
            // Too large to search before the bound is reached: nothing is said of this tree.
            None if (least as u64) < claimed => return Ok(Vec::new()),
            _ => break,
        }
    }
    let case = format!("all single-path routings of {}", topology.spec());
    Ok(vec![Finding::at_least(case, claimed, least as u64, Basis::Exhaustive)])
}
