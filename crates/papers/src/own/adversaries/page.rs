//! The tables, curves and page of what adversaries find.

use std::collections::HashMap;

use super::{ADVERSARIES, AdversaryRow, PLOTTED, PLOTTED_ADVERSARIES};
use crate::adversary::{self, Finding};
use crate::sampling::Summary;
use crate::study::prelude::*;

/// The rows that are plotted, each with its plotted findings.
fn plotted<'r>(
    rows: &[&'r AdversaryRow],
) -> impl Iterator<Item = (&'r AdversaryRow, Vec<(&'static str, &'r Finding)>)> {
    let is_plotted =
        |row: &&AdversaryRow| PLOTTED.contains(&(row.network.as_str(), row.routing.as_str()));
    rows.iter().copied().filter(is_plotted).map(|row| {
        let findings = PLOTTED_ADVERSARIES.iter();
        (row, findings.filter_map(|head| Some((*head, row.finding(head)?))).collect())
    })
}

pub(super) fn curves(rows: &[&AdversaryRow]) -> Table {
    let lines = plotted(rows).flat_map(|(row, findings)| {
        findings.into_iter().flat_map(move |(head, finding)| {
            finding.worst.curve.iter().map(move |(at, ratio)| {
                let (network, routing) = (row.network.clone(), row.routing.clone());
                vec![network, routing, head.to_string(), at.to_string(), ratio.to_string()]
            })
        })
    });
    let heads = ["network", "routing", "adversary", "evaluations", "lower"];
    Table::new("curves.csv", &heads, lines)
}

pub(super) fn curves_svg(rows: &[&AdversaryRow]) -> Result<String> {
    let charts: Vec<Chart> = plotted(rows).map(|(row, findings)| chart(row, &findings)).collect();
    let axes = Axes { x: "evaluations", y: "load found" };
    Ok(curve_charts(&charts, axes, [Scale::Logarithmic, Scale::FromZero])?)
}

/// What was found after a number of evaluations, below the exact worst load.
fn chart(row: &AdversaryRow, findings: &[(&'static str, &Finding)]) -> Chart {
    let found = findings.iter().map(|(head, finding)| {
        let point = |(at, r): &(u64, Rational)| CurvePoint::exact(*at as f64, r.to_f64());
        let points = finding.worst.curve.iter().map(point).collect();
        Curve { name: (*head).to_string(), points, form: Form::Steps }
    });
    let mut curves: Vec<Curve> = found.collect();
    let last = curves.iter().flat_map(|curve| &curve.points).map(|point| point.x);
    let last = last.fold(1.0, f64::max);
    let height = row.exact.upper.to_f64();
    let points = [1.0, last].map(|x| CurvePoint::exact(x, height)).to_vec();
    curves.push(Curve { name: "exact".to_string(), points, form: Form::Guide });
    Chart { title: format!("{} on {}", row.routing, row.network), curves }
}

pub(super) fn readme(rows: &[&AdversaryRow], refused: &[&str]) -> String {
    let mut text = INTRODUCTION.to_string();
    let budgets =
        ADVERSARIES.iter().map(|(head, spec)| vec![(*head).to_string(), format!("`{spec}`")]);
    text.push_str(&markdown(&["column", "adversary"], budgets));
    let is_fabric = |row: &AdversaryRow| row.network.contains('/');
    for rows in rows.chunk_by(|a, b| a.network == b.network || is_fabric(a) && is_fabric(b)) {
        let fabric = is_fabric(rows[0]);
        let (network, hosts) = (&rows[0].network, rows[0].hosts);
        // A String takes every write.
        let _ = if fabric {
            writeln!(text, "\n## OpenSM tables of `instances/fabrics`\n")
        } else {
            writeln!(text, "\n## {network}, {hosts} hosts\n")
        };
        text.push_str(&grid(rows, fabric));
    }
    text.push_str(&summary(rows));
    if !refused.is_empty() {
        // A String takes every write.
        let _ = writeln!(
            text,
            "\nLeft out: {}. The shares of all their pairs take more than {} MiB, the limit of \
             incremental loads.",
            refused.join(", "),
            adversary::MEMORY >> 20
        );
    }
    text
}

/// One row per instance, one column per adversary, the exact value last.
fn grid(rows: &[&AdversaryRow], fabric: bool) -> String {
    let mut heads = if fabric { vec!["tables", "LIDs"] } else { vec!["routing"] };
    heads.extend(ADVERSARIES.iter().map(|(head, _)| *head));
    heads.push("exact");
    let lines = rows.iter().map(|row| {
        let lids = row.routing.trim_start_matches("LIDs ").to_string();
        let mut line = if fabric { vec![row.network.clone(), lids] } else { vec![lids] };
        let value =
            |finding: Option<&Finding>| finding.map_or("-".into(), |f| shown(&f.worst.lower));
        line.extend(ADVERSARIES.iter().map(|(head, _)| value(row.finding(head))));
        line.push(row.exact());
        line
    });
    markdown(&heads, lines)
}

/// A number for a table cell: rounded to four digits where the fraction is long.
fn shown(ratio: &Rational) -> String {
    let text = ratio.to_string();
    if text.len() > 9 { format!("≈ {:.4}", ratio.to_f64()) } else { text }
}

/// How often each adversary reaches the exact value, and with how many evaluations.
fn summary(rows: &[&AdversaryRow]) -> String {
    let mut reached: HashMap<&str, (usize, Vec<u64>)> = HashMap::new();
    for row in rows {
        for (head, finding) in &row.findings {
            let Some(finding) = finding else { continue };
            let entry = reached.entry(head).or_default();
            if Some(&finding.worst.lower) == row.exact.exact() {
                entry.0 += 1;
                entry.1.extend(finding.worst.curve.last().map(|(at, _)| *at));
            }
        }
    }
    let lines = ADVERSARIES.iter().map(|(head, _)| {
        let (count, at) = reached.remove(head).unwrap_or_default();
        let at = Summary::of(at.into_iter().map(|evaluations| (Rational::from(evaluations), 1)));
        let median = at.map_or("-".into(), |at| at.median().to_string());
        vec![(*head).to_string(), format!("{count} of {}", rows.len()), median]
    });
    let heads = ["adversary", "reaches the exact value", "median evaluations until then"];
    format!("\n## How often the exact value is reached\n\n{}", markdown(&heads, lines))
}

const INTRODUCTION: &str = include_str!("page.introduction.md");
