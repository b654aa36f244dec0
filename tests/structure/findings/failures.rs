//! What is said of failing cables, against the tables.

use std::collections::{BTreeMap, HashSet};

use routebound::rational::Rational;

use super::{Row, assert_says, number, rows_of};

const SAMPLES: [&str; 3] = ["all-to-all", "permutations", "shifts"];

fn value(row: &Row, head: &str) -> Rational {
    Rational::from_decimal(&row[head]).unwrap()
}

/// The rows of every network and routing.
fn by_instance(rows: &[Row]) -> BTreeMap<[String; 2], Vec<&Row>> {
    let mut all: BTreeMap<[String; 2], Vec<&Row>> = BTreeMap::new();
    for row in rows {
        all.entry(["network", "routing"].map(|head| row[head].clone())).or_default().push(row);
    }
    all
}

/// No sample has more than the exact load, and rankings follow from the cables.
#[test]
fn rankings_of_cables_follow_from_their_loads() {
    let (cables, ranks) = (rows_of("failures", "cables.csv"), rows_of("failures", "ranks.csv"));
    let (cables, ranks) = (by_instance(&cables), by_instance(&ranks));
    assert!(cables.keys().eq(ranks.keys()) && cables.len() >= 15, "{}", cables.len());
    for (cables, ranks) in cables.values().zip(ranks.values()) {
        let exact: Vec<Rational> = cables.iter().map(|row| value(row, "exact")).collect();
        assert_eq!(ranks.iter().map(|row| &row["sample"]).collect::<Vec<_>>(), SAMPLES);
        for row in ranks {
            let sampled: Vec<Rational> =
                cables.iter().map(|cable| value(cable, &row["sample"])).collect();
            assert!(sampled.iter().zip(&exact).all(|(sampled, exact)| sampled <= exact));
            assert_eq!(value(row, "cables"), (cables.len() as u64).into());
            assert_eq!(Some(&value(row, "worst cable")), exact.iter().max());
            assert!(exact.iter().all(|load| *load >= value(row, "no failure")));
            let mut counts = [0_u64; 3];
            for (a, b) in (0..cables.len()).flat_map(|a| (0..a).map(move |b| (a, b))) {
                let (order, by_sample) = (exact[a].cmp(&exact[b]), sampled[a].cmp(&sampled[b]));
                counts[0] += u64::from(order.is_ne());
                counts[1] += u64::from(order.is_ne() && by_sample == order.reverse());
                counts[2] += u64::from(order.is_ne() && by_sample.is_eq());
            }
            assert_eq!(
                counts,
                ["pairs", "wrong", "tied"].map(|head| number(&row[head])),
                "{row:?}"
            );
            let first = sampled.iter().max().unwrap();
            let named = exact.iter().zip(&sampled).filter(|(_, load)| *load == first);
            let named: HashSet<&Rational> = named.map(|(exact, _)| exact).collect();
            let ends = [named.iter().min().unwrap(), named.iter().max().unwrap()];
            let said = ["names at least", "names at most"].map(|head| value(row, head));
            assert_eq!(ends.map(|end| (*end).clone()), said, "{row:?}");
        }
    }
}

/// Sets of dead cables contain those before them, and none of their samples is above the exact load.
#[test]
fn dead_cables_have_more_than_samples() {
    let dead = rows_of("failures", "dead.csv");
    for rows in by_instance(&dead).values() {
        let percents: Vec<u64> = rows.iter().map(|row| number(&row["% dead"])).collect();
        assert_eq!(percents, [0, 1, 2, 3, 4, 5]);
        for row in rows {
            // Rounded down.
            assert!(SAMPLES.iter().all(|head| value(row, head) <= value(row, "exact")), "{row:?}");
        }
    }
}

#[test]
fn backbones_are_proven() {
    let zoo = rows_of("failures", "zoo.csv");
    assert_eq!(zoo.len(), 25);
    for row in &zoo {
        let loads = ["no failure", "at most one", "at most two"].map(|head| value(row, head));
        assert!(row["evidence"] == "proven" && loads.is_sorted(), "{row:?}");
        let cables = number(&row["cables"]);
        assert!(
            number(&row["nodes"]) <= 25 && number(&row["sets"]) == 1 + cables * (cables + 1) / 2
        );
    }
}

#[test]
fn the_first_page_says_what_samples_say_of_failures() {
    let (ranks, dead) = (rows_of("failures", "ranks.csv"), rows_of("failures", "dead.csv"));
    let differ = |row: &&Row| row["pairs"] != "0";
    let percent = |sample: &str, head: &str| {
        let rows = || ranks.iter().filter(|row| row["sample"] == sample).filter(differ);
        let sum = |head: &str| rows().map(|row| value(row, head).to_f64()).sum::<f64>();
        format!("{:.0} %", 100.0 * sum(head) / sum("top"))
    };
    let [all, permutations, shifts] = SAMPLES.map(|sample| percent(sample, "found"));
    let is_right = |row: &&Row| row["wrong"] == "0" && row["tied"] == "0";
    let differing = ranks.iter().filter(differ).count() / SAMPLES.len();
    for sample in SAMPLES {
        let rows = ranks.iter().filter(|row| row["sample"] == sample).filter(differ);
        let right: Vec<&str> = rows.filter(is_right).map(|row| row["routing"].as_str()).collect();
        assert_eq!(right, ["omrmn", "ecmp"], "{sample}");
    }
    let is_dmodk = |row: &&Row| row["network"] == "ft(8,3)" && row["routing"] == "dmodk";
    let dmodk = ranks.iter().filter(is_dmodk).find(|row| row["sample"] == "all-to-all").unwrap();
    let half = number(&dmodk["as dangerous"]);
    assert_eq!((number(&dmodk["cables"]), number(&dmodk["pairs"])), (2 * half, half * half));
    assert_eq!(dmodk["wrong"], dmodk["pairs"]);
    let is_last = |row: &&Row| {
        row["network"] == "ft(16,3)" && row["routing"] == "dmodk" && row["% dead"] == "5"
    };
    let last = dead.iter().find(is_last).unwrap();
    assert_says(
        "results/README.md",
        &[
            format!(
                "of one of {half} cables raises the worst load from {} to {}, that of the other {half} to {};",
                dmodk["no failure"], dmodk["worst cable"], dmodk["names at most"]
            ),
            format!("On {differing} trees and fabrics whose cables differ"),
            format!("permutations find {permutations} of"),
            format!("shifts {shifts} and all-to-all {all}, where a random order finds"),
            format!("a random order finds {};", percent("shifts", "by chance")),
            format!("is {}, of which permutations show {}.", last["exact"], last["permutations"]),
        ],
    );
}
