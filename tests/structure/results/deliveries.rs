//! Points of the studies of delivery cycles, measured again.

use std::collections::HashMap;
use std::fs;

use routebound::distribution::Units;
use routebound::progress::Progress;
use routebound::ratio::Ratio;
use routebound::study::deliveries::{HEADS, Point, Points, cells};

use super::results;

/// The point of a row. Where a pattern is repeated, the number is found again from the load factor.
fn point(row: &HashMap<String, String>) -> Point {
    let messages = &row["messages"];
    let repeated = messages.split_once(" times ").map(|(_, pattern)| pattern.to_string());
    Point {
        topology: row["topology"].clone(),
        algorithm: row["algorithm"].clone(),
        loss: row["loss"].clone(),
        load_factor: repeated.as_ref().map(|_| row["wanted lambda"].parse::<Ratio>().unwrap()),
        messages: repeated.unwrap_or_else(|| messages.clone()),
        runs: row["runs"].parse().unwrap(),
        seed: 1,
    }
}

/// Every point of up to 64 processors, from the specs in its row alone.
#[test]
fn small_points_are_as_committed() {
    for (study, least) in [("gl/figure-4", 40), ("gl/greedy", 60)] {
        let path = results().join(study).join("table.csv");
        let mut reader = csv::Reader::from_reader(fs::File::open(path).unwrap());
        let rows = reader.deserialize().map(Result::unwrap);
        let small: Vec<HashMap<String, String>> = rows
            .filter(|row: &HashMap<String, String>| row["n"].parse::<u64>().unwrap() <= 64)
            .collect();
        assert!(small.len() >= least, "{study}: {}", small.len());
        let points = Points(small.iter().map(point).collect());
        let found = points.measure(&Units::default(), &Progress::silent()).unwrap().unwrap();
        for ((row, point), found) in small.iter().zip(&points.0).zip(&found) {
            let committed: Vec<&String> = HEADS.iter().map(|head| &row[*head]).collect();
            assert_eq!(
                cells(point, found).iter().collect::<Vec<_>>(),
                committed,
                "{study}: {point:?}"
            );
        }
    }
}
