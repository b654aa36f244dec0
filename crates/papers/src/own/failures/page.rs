//! The page, from the tables.

use std::fmt::Display;

use crate::study::prelude::*;

use super::rows::{RankRow, rank_rows, short};
use super::samples::SAMPLES;
use super::{charts, findings};

const HEADER: &str = include_str!("../failures.header.md");
const DEAD: &str = include_str!("../failures.dead.md");
const ZOO: &str = include_str!("../failures.zoo.md");

pub(super) fn page([cables, dead, ranks, zoo]: [&Table; 4]) -> Result<Page> {
    let of_ranks = rank_rows(ranks)?;
    let mut text = format!("{HEADER}{RANKS}{}", ranked(&of_ranks));
    text.push_str(DEAD);
    text.push_str(&of_dead(dead));
    text.push_str(ZOO);
    let findings = findings::text(&of_ranks, dead, zoo)?;
    let page = Page::new(text).table(zoo).text(&findings);
    Ok(page
        .beside("ranks.svg", charts::raised(cables, ranks)?)
        .beside("dead.svg", charts::dead(dead)?))
}

const RANKS: &str = include_str!("../failures.ranks.md");

/// One row for each instance, with a column for each sample.
fn ranked(rows: &[RankRow]) -> String {
    let own = ["network", "routing", "cables", "load", "top", "as dangerous", "by chance"];
    let lines = rows.chunk_by(|a, b| a.names == b.names).map(|of| {
        let first = &of[0];
        let own = [
            first.cables.clone(),
            change(&first.whole, &first.worst),
            first.top.to_string(),
            if first.top > 0.0 { first.dangerous.clone() } else { "-".into() },
            short(first.by_chance),
        ];
        first.names.iter().cloned().chain(own).chain(of.iter().map(RankRow::cell)).collect()
    });
    markdown(&own.into_iter().chain(SAMPLES).collect::<Vec<_>>(), lines)
}

/// One row for each instance: the loads without failures, and with the most dead cables.
fn of_dead(dead: &Table) -> String {
    let heads = ["network", "routing", "cut off", "lost", "exact"].into_iter().chain(SAMPLES);
    let lines = dead.rows().chunk_by(|a, b| a[..2] == b[..2]).filter_map(|of| {
        let (first, last) = (of.first()?, of.last()?);
        let loads = (7..first.len()).map(|at| change(&first[at], &last[at]));
        let counts = last[5..7].iter().cloned();
        Some(last[..2].iter().cloned().chain(counts).chain(loads).collect())
    });
    markdown(&heads.collect::<Vec<_>>(), lines)
}

fn change(before: impl Display, after: impl Display) -> String {
    format!("{before} → {after}")
}
