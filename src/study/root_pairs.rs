//! T(X), the most SD pairs that one root carries, against the printed bounds.

use super::{Study, StudyError, StudyFile, whole};
use crate::checker::Star;
use crate::distribution::Units;
use crate::progress::Progress;
use crate::registry::Kind;
use crate::report::table::{csv, markdown};
use crate::synth::{RootSet, largest_root_set};

pub(super) const KIND: Kind<Study> = Kind {
    name: "root-pairs",
    usage: "root-pairs",
    options: &[],
    about: "T(X): the most SD pairs through one root, by integer programming, beside the lemmas",
    reference: "[OR] Lemma 8; [NB] Lemma 2",
    examples: &["root-pairs"],
    build: study,
};

/// n, r, X.
const STARS: [(u32, u32, u32); 14] = [
    (2, 2, 1),
    (2, 3, 1),
    (2, 4, 1),
    (2, 5, 1),
    (3, 2, 1),
    (3, 3, 1),
    (3, 4, 1),
    (3, 5, 1),
    (3, 2, 2),
    (3, 3, 2),
    (3, 4, 2),
    (4, 2, 2),
    (4, 3, 2),
    (4, 4, 2),
];

const HEADS: [&str; 8] =
    ["n", "r", "X", "T(X)", "evidence", "counting", "OR Lemma 8", "NB Lemma 2"];

fn study(units: &Units, progress: &Progress) -> Result<Vec<StudyFile>, StudyError> {
    whole(units)?;
    let mut rows = Vec::new();
    for (hosts, subtrees, ratio) in STARS {
        progress.check()?;
        let star = Star { hosts, subtrees };
        let found = largest_root_set(star, ratio, &progress.part(1.0))?;
        // A stopped search yields no row.
        progress.check()?;
        rows.push(cells(&found));
        progress.inc(1);
    }
    let text = format!("{HEADER}{}{FINDINGS}", markdown(&HEADS, rows.iter().cloned()));
    let bytes = csv(&HEADS, rows.into_iter())?;
    Ok(vec![
        StudyFile { path: "README.md".into(), bytes: text.into_bytes() },
        StudyFile { path: "table.csv".into(), bytes },
    ])
}

fn cells(found: &RootSet) -> Vec<String> {
    let printed = |bound: Option<u64>| {
        bound.map_or_else(
            || "-".to_string(),
            |bound| {
                let exact = found.pairs.exact().map(ToString::to_string);
                let exact = exact.and_then(|exact| exact.parse::<u64>().ok());
                let loose = exact.map_or(0, |exact| bound.saturating_sub(exact));
                if loose == 0 { bound.to_string() } else { format!("{bound} (loose by {loose})") }
            },
        )
    };
    let pairs = match found.pairs.exact() {
        Some(exact) => exact.to_string(),
        None => format!("{}..{}", found.pairs.lower, found.pairs.upper),
    };
    vec![
        found.hosts.to_string(),
        found.subtrees.to_string(),
        found.ratio.to_string(),
        pairs,
        found.pairs.evidence.to_string(),
        found.counted.to_string(),
        printed(found.or_lemma_8),
        printed(found.nb_lemma_2),
    ]
}

const HEADER: &str = "\
# T(X): SD pairs through one root

The most SD pairs between r subtrees of n hosts that one root carries while no link has more than X
node-disjoint ones. Made by `routebound study root-pairs`: an integer programme finds a set of pairs,
which is recounted, and counting (`src/checker/COUNTING.md`) bounds it from above. Where both
meet, T(X) is proven; elsewhere the upper side is the solver's claim. [OR] Lemma 8 (n = m/2, r = k)
is printed for X >= m/k only.

";

/// What the numbers show; `tests/structure/findings.rs` checks the findings against them.
const FINDINGS: &str = "
Counting meets the integer programme in every row here. [NB] Lemma 2 is loose wherever r <= 2n.
";
