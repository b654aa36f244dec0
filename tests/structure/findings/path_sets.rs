//! What the page on sets of paths says in words, against its table.

use routebound::rational::Rational;

use super::{Row, rows};

fn number(text: &str) -> Rational {
    Rational::from_decimal(text).unwrap()
}

/// A row, with its bounds for adaptive rates.
fn row<'r>(rows: &'r [Row], network: &str, set: &str, k: u32) -> (&'r Row, [Rational; 2]) {
    let k = k.to_string();
    let is = |row: &&Row| row["network"] == network && row["paths"] == set && row["K"] == k;
    let row = rows.iter().find(is).unwrap();
    (row, ["adaptive rates at least", "at most"].map(|head| number(&row[head])))
}

/// The upper side of a cell with both.
fn upper(cell: &str) -> Rational {
    number(cell.rsplit("..").next().unwrap())
}

#[test]
fn the_findings_of_path_sets_hold() {
    let rows = rows("path-sets");
    assert!(rows.iter().all(|row| row["evidence"] == "proven"), "{rows:?}");
    for (network, all) in [("FT(8,2)", 4), ("8 planes", 8)] {
        for k in 1..=all {
            let (row, bounds) = row(&rows, network, "ksp(k=K)", k);
            let value = Rational::new(all.into(), k.into()).unwrap();
            assert_eq!(bounds, [value.clone(), value.clone()], "{network} {k}");
            for head in ["equal rates", "best fixed rates"] {
                assert_eq!(number(&row[head]), value, "{network} {k} {head}");
            }
        }
    }
    let shortest = |k| row(&rows, "Abilene", "ksp(k=K)", k);
    let two = Rational::from(2);
    let all: Vec<_> = (1..=8).map(shortest).collect();
    assert_eq!(all[0].1[0], Rational::from(4));
    for (row, [lower, upper]) in &all[1..6] {
        assert!(
            *lower == two && (*upper < number("2.001")) == (number(&row["K"]) >= number("5")),
            "{row:?}"
        );
    }
    let best = Rational::new(161, 87).unwrap();
    let eight = upper(&all[7].0["best fixed rates"]);
    assert!(eight >= best && eight < &best * &number("1.01"), "{eight}");
    assert!(all[7].0["most of a pair"] == "8");
}
