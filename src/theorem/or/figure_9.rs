//! \[OR\] Fig 9: the root that OSRM2 as printed sends a pair to.

use crate::registry::Kind;
use crate::routing::Instance;
use crate::theorem::{
    Basis, Finding, Remark, RemarkKind, Scope, Statement, Subject, TheoremError, is_kind,
    oblivious, shape, uses,
};

use super::theorem_6::root;

pub(super) const KIND: Kind<Statement> = Kind {
    name: "or-figure-9",
    usage: "or-figure-9",
    about: "OSRM2 as printed also handles m for which sqrt(m/2) is no integer: s1/N_s*N_d + d1/N_d is a root, 0..m/2-1",
    reference: "[OR] Fig 9",
    examples: &["or-figure-9"],
    build: Statement {
        hypothesis: "FT(m,2), all (s1,d1), by arithmetic",
        subject: Subject::Cases { check: |scope| ranges(scope, |_, nd| nd) },
        remark: Some(Remark {
            kind: RemarkKind::Wrong,
            says: "the index leaves the range of roots for every m/2 that is no square; osrm2 takes group sizes a, b that minimise max(a,b) with ceil((m/2)/a) ceil((m/2)/b) <= m/2",
            on: printed_is_wrong,
        }),
        ..Statement::UNREAD
    },
};

pub(super) const MULTIPLIER: Kind<Statement> = Kind {
    name: "or-figure-9-multiplier",
    usage: "or-figure-9-multiplier",
    about: "With the multiplier ceil((m/2)/N_d) instead of N_d the index of Fig 9 is a root, 0..m/2-1",
    reference: "[OR] Fig 9, corrected by its number of destination groups",
    examples: &["or-figure-9-multiplier"],
    build: Statement {
        hypothesis: "FT(m,2), all (s1,d1), by arithmetic",
        subject: Subject::Cases { check: |scope| ranges(scope, u64::div_ceil) },
        remark: Some(Remark {
            kind: RemarkKind::Wrong,
            says: "m/2 = k^2 + j with 0 < j < k, that is 5, 10, 11, 17, 18, 19, .., has more pairs of groups than roots",
            on: multiplier_is_wrong,
        }),
        ..Statement::UNREAD
    },
};

pub(super) const SQUARE: Kind<Statement> = Kind {
    name: "or-figure-9-square",
    usage: "or-figure-9-square",
    about: "Where sqrt(m/2) is an integer, osrm2 sends every pair to the root that Fig 9 prints",
    reference: "[OR] Fig 9",
    examples: &["or-figure-9-square"],
    build: Statement {
        hypothesis: "osrm2 on FT(m,2), m/2 a square",
        subject: Subject::Instances {
            applies: |tree| root(tree).is_some(),
            to: |routing| is_kind(routing, "osrm2"),
            check: square,
        },
        remark: None,
        ..Statement::UNREAD
    },
};

/// Largest m of the arithmetic.
const LARGEST: u64 = 64;

/// (N_s, N_d) of Fig 9 for m/2.
fn group_sizes(half: u64) -> (u64, u64) {
    let (zs, zd) = (shape::ceil_sqrt(half), half.isqrt());
    (half.div_ceil(zs), half.div_ceil(zd))
}

fn ranges(scope: &Scope, multiplier: fn(u64, u64) -> u64) -> Result<Vec<Finding>, TheoremError> {
    scope.progress.check()?;
    let finding = |m: u64| {
        let half = m / 2;
        let (ns, nd) = group_sizes(half);
        let largest = (half - 1) / ns * multiplier(half, nd) + (half - 1) / nd;
        let (case, claimed) = (format!("ft({m},2)"), format!("roots 0..{}", half - 1));
        let found = format!("up to root {largest}");
        Finding::holds(case, claimed, found, largest < half, Basis::Exhaustive)
    };
    Ok((2..=LARGEST).step_by(2).map(finding).collect())
}

/// m/2 of `ft(m,2)`.
fn half(case: &str) -> Option<u64> {
    let m: u64 = case.strip_prefix("ft(")?.strip_suffix(",2)")?.parse().ok()?;
    Some(m / 2)
}

/// N_s < N_d unless m/2 is a square, and then N_d is a larger step than there are columns.
fn printed_is_wrong(case: &str) -> bool {
    half(case).is_some_and(|half| half.isqrt().pow(2) != half)
}

/// m/2 = k² + j with 0 < j < k.
fn multiplier_is_wrong(case: &str) -> bool {
    half(case).is_some_and(|half| {
        let k = half.isqrt();
        (1..k).contains(&(half - k * k))
    })
}

fn square(instance: &Instance, scope: &Scope) -> Result<Vec<Finding>, TheoremError> {
    let (Some(tree), Some(root)) = (instance.topology.tree(), root(&instance.topology)) else {
        return Err(TheoremError::Hypothesis(instance.topology.spec().to_string()));
    };
    scope.progress.check()?;
    let (ns, nd) = group_sizes(root * root);
    // Roots are the last nodes, in order.
    let first = instance.topology.nodes() as u64 - root * root;
    let is_wrong = |(s, d): &(u32, u32)| {
        let printed = u64::from(tree.digit(*s, 1)) / ns * nd + u64::from(tree.digit(*d, 1)) / nd;
        let nodes = uses::nodes(instance, *s, *d);
        tree.nca_level(*s, *d) == 2 && nodes.get(2).copied().map(u64::from) != Some(first + printed)
    };
    let wrong = uses::all_pairs(tree.hosts()).find(is_wrong);
    let found = wrong.map_or_else(
        || "so for every pair".to_string(),
        |(s, d)| format!("pair {s} to {d} by nodes {:?}", uses::nodes(instance, s, d)),
    );
    let case = oblivious::case(instance);
    Ok(vec![Finding::holds(case, "the root of Fig 9", found, wrong.is_none(), Basis::Exhaustive)])
}
