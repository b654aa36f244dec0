//! T(X), the most SD pairs that one root carries, against the printed bounds.

use crate::checker::Star;
use crate::study::prelude::*;
use crate::synth::{RootCovers, RootSet, counted_root_set, root_covers};
use crate::topology::Host;

pub(super) const KIND: Kind<Study> = Study::kind::<Stars>(
    &["root-pairs"],
    "[OR] Lemma 8; [NB] Lemma 2",
    "T(X): the most SD pairs through one root, by integer programming, beside the lemmas",
);

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

impl Entry for Stars {
    type Row = Vec<String>;

    /// The small tier has those with X = 1.
    fn of(tier: Tier) -> Result<Self> {
        let is_small = |star: &&(u32, u32, u32)| tier == Tier::Full || star.2 == 1;
        Ok(Self(STARS.iter().filter(is_small).copied().collect()))
    }

    fn finder(&self) -> Finder<'_, Vec<String>> {
        Finder::new(Rows::count(self), move |job| {
            let Some(found) = job.in_turn(self)? else { return Ok(None) };
            let row = |((hosts, subtrees, ratio), found): (&(u32, u32, u32), RootCovers)| {
                let star = Star { hosts: *hosts, subtrees: *subtrees };
                Ok(cells(&counted_root_set(star, *ratio, &found)?))
            };
            self.0.iter().zip(found).map(row).collect::<Result<_>>().map(Some)
        })
    }

    fn tables(&self, found: &[Vec<String>]) -> Result<Vec<Table>> {
        Ok(vec![Table::new("table.csv", &HEADS, found.to_vec())])
    }

    const FROM_TABLES: bool = true;

    fn page(&self, _: &[Vec<String>], tables: &[Table]) -> Result<Page> {
        Ok(Page::new(HEADER).tables(tables).text(FINDINGS))
    }
}

/// Stars, each with the covers that an integer program finds: they are counted again by the process that
/// merges.
struct Stars(Vec<(u32, u32, u32)>);

impl Rows for Stars {
    type Key = (u32, u32, u32);
    type Row = RootCovers;

    fn keys(&self) -> &[(u32, u32, u32)] {
        &self.0
    }

    fn find(
        &self,
        &(hosts, subtrees, ratio): &(u32, u32, u32),
        progress: &Progress,
    ) -> Result<RootCovers> {
        Ok(root_covers(Star { hosts, subtrees }, ratio, &progress.part(1.0))?)
    }

    fn holds(&self, &(hosts, subtrees, ratio): &(u32, u32, u32), found: &RootCovers) -> bool {
        let is_cover = |cover: &Vec<Host>| {
            cover.len() <= ratio as usize && cover.iter().all(|host| *host < hosts * subtrees)
        };
        let is_one_per_link =
            |covers: &[Vec<Host>]| covers.len() == subtrees as usize && covers.iter().all(is_cover);
        is_one_per_link(&found.up) && is_one_per_link(&found.down)
    }
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

const HEADER: &str = include_str!("root_pairs.header.md");

/// Conclusions from the numbers; `tests/structure/findings.rs` checks the findings against them.
const FINDINGS: &str = "
Counting meets the integer program in every row here. [NB] Lemma 2 is loose wherever r <= 2n.
";

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn stars_are_shared() {
        let stars = Stars(STARS[..if cfg!(feature = "slow-tests") { 5 } else { 3 }].to_vec());
        compare(&stars, str::to_string);
        refuses(&Stars(STARS[..1].to_vec()), "\"up\":[[", "\"up\":[[4,");
        refuses(&Stars(STARS[..1].to_vec()), "\"up\":[[", "\"up\":[[0],[");
    }
}
