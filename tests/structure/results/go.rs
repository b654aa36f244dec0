//! What the pages of the studies of [GO] say in words, against their tables.

use std::collections::HashMap;
use std::fs;

use routebound::study;

use super::results;

type Row = HashMap<String, String>;

fn rows(name: &str) -> Vec<Row> {
    let path = results().join(study::folder(name)).join("table.csv");
    csv::Reader::from_path(path).unwrap().deserialize().map(Result::unwrap).collect()
}

fn number(row: &Row, head: &str) -> f64 {
    row[head].parse().unwrap()
}

/// The maximum accepted traffic of the rows that fit.
fn peak(rows: &[Row], fits: impl Fn(&Row) -> bool) -> f64 {
    let accepted = rows.iter().filter(|row| fits(row)).map(|row| number(row, "accepted"));
    accepted.fold(0.0, f64::max)
}

/// What the pages say in words.
#[test]
fn readings_hold() {
    let five = rows("go-figure-5");
    let of = |routing: &str| peak(&five, |row| row["routing"] == routing);
    let [own, ff, sadp] = ["dmodk", "ff", "sadp"].map(of);
    assert!(own > sadp && sadp > ff && own < 1.1 * ff, "{own} {ff} {sadp}");
    // At loads that SADP keeps up with.
    let at = |of: &Row, routing: &str| {
        let is = |row: &&Row| {
            row["load"] == of["load"] && row["buffer"].is_empty() && row["routing"] == routing
        };
        number(five.iter().find(is).unwrap(), "network latency")
    };
    let kept_up = |row: &&Row| {
        let is_sadp = row["routing"] == "sadp" && row["buffer"].is_empty();
        is_sadp && number(row, "accepted") >= 0.98 * number(row, "load")
    };
    let (mut least, mut most) = (f64::INFINITY, 0.0_f64);
    for row in five.iter().filter(kept_up) {
        let [own, ff, sadp] = ["dmodk", "ff", "sadp"].map(|routing| at(row, routing));
        assert!(sadp < own && own < ff, "{row:?}");
        (least, most) = (least.min(own / sadp), most.max(own / sadp));
    }
    let page = fs::read_to_string(results().join("go/figure-5/README.md")).unwrap();
    let longer = [least, most].map(|times| format!("{:.0}", 100.0 * (times - 1.0)));
    let said = format!("deterministic routing takes {} to {} % longer;", longer[0], longer[1]);
    assert!(page.contains(&said), "{said}");
    // A saturated link to the hot host passes 1/13.7 or 1/51.8 of a link for each host.
    let six = rows("go-figure-6");
    for (percent, bound) in [("=5,", 1.0 / 13.7), ("=20,", 1.0 / 51.8)] {
        let of_traffic = |row: &Row| row["traffic"].contains(percent);
        for routing in ["dmodk", "ff", "sadp"] {
            let most = peak(&six, |row| of_traffic(row) && row["routing"] == routing);
            assert!((most / bound - 1.0).abs() < 0.1, "{routing} {percent} {most} {bound}");
        }
        // Of every routing with every buffer.
        let of_each = six.iter().filter(|row| of_traffic(row)).map(|row| {
            let is_same =
                |other: &Row| ["routing", "buffer"].iter().all(|head| other[*head] == row[*head]);
            peak(&six, |other| of_traffic(other) && is_same(other))
        });
        let peaks: Vec<f64> = of_each.collect();
        let least = peaks.iter().copied().fold(f64::INFINITY, f64::min);
        assert!(peaks.iter().all(|most| *most < 1.03 * least), "{percent} {peaks:?}");
    }
    for row in rows("go-figure-7").iter().filter(|row| number(row, "compression") < 11.0) {
        assert!(number(row, "time, ms") - number(row, "last sent, ms") < 0.1, "{row:?}");
    }
    let patterns = rows("go-patterns");
    let reversal = |row: &&Row| row["network"] == "kary(4,3)" && row["traffic"] == "bitrev";
    let reversed: Vec<&Row> = patterns.iter().filter(reversal).collect();
    assert!((number(reversed[0], "accepted") - 0.25).abs() < 1e-3);
    assert!(reversed[1..].iter().all(|row| number(row, "accepted") > 0.5), "{reversed:?}");
    for row in patterns.iter().filter(|row| row["traffic"].starts_with("samelast")) {
        assert!(number(row, "accepted") <= number(row, "1/optu"), "{row:?}");
    }
}
