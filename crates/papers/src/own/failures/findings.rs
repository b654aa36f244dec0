//! What the tables say.

use crate::study::engine::extremes;
use crate::study::prelude::*;

use super::rows::{RankRow, number};
use super::samples::SAMPLES;

const TITLE: &str = "
## Findings

These are what the tables say; none is a claim about other networks.

";

pub(super) fn text(ranks: &[RankRow], dead: &Table, zoo: &Table) -> Result<String> {
    Ok([TITLE.into(), of_ranks(ranks), of_dead(dead)?, of_backbones(zoo)?].concat())
}

/// Of every sample, over the instances on which cables differ.
fn of_ranks(ranks: &[RankRow]) -> String {
    let of_first = ranks.iter().filter(|row| row.sample == SAMPLES[0]);
    let [all, none] = [of_first.clone().count(), of_first.filter(|row| row.top == 0.0).count()];
    let mut text = format!(
        "- On {none} of {all} instances no cable raises the worst load: a link has as much without failures.\n"
    );
    for sample in SAMPLES {
        let rows = || ranks.iter().filter(|row| row.sample == sample && row.pairs > 0.0);
        let sum = |of: fn(&RankRow) -> f64| rows().map(of).sum::<f64>();
        let top = sum(|row| row.top);
        let [found, by_chance] = [sum(|row| row.found), sum(|row| row.by_chance)];
        let right = rows().filter(|row| row.wrong + row.tied == 0.0);
        let right: Vec<String> =
            right.map(|row| format!("`{1}` on `{0}`", row.names[0], row.names[1])).collect();
        let named = rows().filter(|row| row.named[0] == row.worst).count();
        // A String takes every write.
        let _ = writeln!(
            text,
            "- *{sample}*: of the {top:.0} most dangerous cables of the {} instances on which cables differ {:.0} % are\n  \
             found, by chance {:.0} %. A cable of the highest exact load is named, whichever of equal ones is taken,\n  \
             on {named} of these instances. The order of all cables is right on {}: {}.",
            rows().count(),
            100.0 * found / top,
            100.0 * by_chance / top,
            right.len(),
            right.join(", "),
        );
    }
    text
}

/// The tree of a fabric.
fn tree(network: &str) -> &str {
    match network {
        "ft8x3" => "ft(8,3)",
        "ft16x3" => "ft(16,3)",
        tree => tree,
    }
}

/// How samples compare routings of a tree with as many dead cables.
fn of_dead(dead: &Table) -> Result<String> {
    let mut counts = Vec::new();
    let mut pairs = 0;
    for (at, sample) in SAMPLES.iter().enumerate() {
        let of_sample = compared(dead, 8 + at)?;
        pairs = of_sample[0];
        counts.push(format!("*{sample}* {} and {}", of_sample[1], of_sample[2]));
    }
    Ok(format!(
        "- With 0 to 5 % of the cables dead there are {pairs} pairs of routings of the same tree, with as many dead cables and\n  \
         different worst loads. Ordered the other way, and not at all: {}.\n",
        counts.join(", ")
    ))
}

/// The pairs with different exact loads, those that a column orders the other way, and those that it does not order.
fn compared(dead: &Table, column: usize) -> Result<[usize; 3]> {
    let [mut pairs, mut wrong, mut tied] = [0; 3];
    for (place, row) in dead.rows().iter().enumerate() {
        let is_same = |other: &&Vec<String>| tree(&other[0]) == tree(&row[0]) && other[3] == row[3];
        for other in dead.rows()[..place].iter().filter(is_same) {
            let order =
                |at: usize| Ok::<_, StudyError>(number(&row[at])?.cmp(&number(&other[at])?));
            let (exact, sampled) = (order(7)?, order(column)?);
            if exact.is_ne() {
                pairs += 1;
                wrong += usize::from(sampled == exact.reverse());
                tied += usize::from(sampled.is_eq());
            }
        }
    }
    Ok([pairs, wrong, tied])
}

/// How much failures raise the load of backbones.
fn of_backbones(zoo: &Table) -> Result<String> {
    let factors = |at: usize| {
        let factor =
            |row: &Vec<String>| Ok((number(&row[at])?.to_f64()) / number(&row[4])?.to_f64());
        zoo.rows().iter().map(factor).collect::<Result<Vec<f64>>>()
    };
    let [(one, most_of_one), (two, most_of_two)] = [extremes(&factors(5)?), extremes(&factors(6)?)];
    Ok(format!(
        "- On the {} backbones one failure multiplies the worst load by {one:.2} to {most_of_one:.2}, two by {two:.2} to \
         {most_of_two:.2}.\n",
        zoo.rows().len()
    ))
}
