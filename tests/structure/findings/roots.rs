//! The page of Figure 4 of \[RO\], against the routes in its table.

use super::{Row, assert_says, rows, text_of};

const PAGE: &str = "results/ro/figure-4/README.md";

/// Most - fewest routes of a root, over the seeds in ascending order.
fn spreads(rows: &[Row], w2: &str, scheme: &str, column: &str) -> Vec<u64> {
    let of = rows.iter().filter(|row| row["w2"] == w2 && row["scheme"] == scheme);
    let spread = |row: &Row| {
        let routes: Vec<u64> = row[column].split(' ').map(|text| text.parse().unwrap()).collect();
        assert_eq!(routes.len().to_string(), w2);
        routes.iter().max().unwrap() - routes.iter().min().unwrap()
    };
    let mut all: Vec<u64> = of.map(spread).collect();
    all.sort_unstable();
    all
}

/// Of one or of fifty.
fn median(sorted: &[u64]) -> f64 {
    let middle = (sorted.len() - 1) / 2;
    (sorted[middle] + sorted[sorted.len() / 2]) as f64 / 2.0
}

#[test]
fn the_balance_of_random_has_two_readings() {
    let rows = rows("ro/figure-4");
    let most = |w2: &str, scheme: &str| *spreads(&rows, w2, scheme, "routes").last().unwrap();
    let over_all = ["16", "10"].map(|w2| {
        assert_eq!(most(w2, "smodk"), most(w2, "dmodk"));
        format!("{} against {}", most(w2, "random"), most(w2, "dmodk"))
    });
    let by_application = ["WRF-256", "CG.D-128"].map(|column| {
        let of = |w2: &str| {
            let [random, s, d] = ["random", "smodk", "dmodk"].map(|scheme| {
                let all = spreads(&rows, w2, scheme, column);
                assert_eq!(all.len(), if scheme == "random" { 50 } else { 1 });
                median(&all)
            });
            format!("{random} against {}", s.min(d))
        };
        format!("{column}: {}, {}", of("16"), of("10"))
    });
    assert_says(
        PAGE,
        &[
            format!("any seed, both trees - measured: {}", over_all.join(", ")),
            format!("both applications, both trees - measured: {}", by_application.join("; ")),
        ],
    );
    // Better for one of them, on one tree.
    let found = by_application.join("; ");
    assert_eq!(
        found,
        "WRF-256: 19.5 against 0, 20 against 30; CG.D-128: 9 against 0, 10.5 against 7"
    );
    let is_modulo = |row: &&Row| row["w2"] == "16" && row["seed"].is_empty();
    for row in rows.iter().filter(is_modulo) {
        assert_eq!(row["CG.D-128"], ["7"; 16].join(" "));
    }
}

#[test]
fn the_routes_of_applications_are_told() {
    let (rows, page) = (rows("ro/figure-4"), text_of(PAGE));
    for (w2, column) in
        [("16", "WRF-256"), ("16", "CG.D-128"), ("10", "WRF-256"), ("10", "CG.D-128")]
    {
        let cells = ["random", "rnca-u", "rnca-d", "smodk", "dmodk"].map(|scheme| {
            let all = spreads(&rows, w2, scheme, column);
            let (least, most) = (all[0], all[all.len() - 1]);
            let range = if least < most { format!(" ({least}-{most})") } else { String::new() };
            format!("{}{range}", median(&all))
        });
        let cells = [w2, column].into_iter().chain(cells.iter().map(String::as_str));
        let wanted: Vec<&str> = cells.collect();
        let split = |line: &str| -> Vec<String> {
            line.trim_matches('|').split('|').map(|cell| cell.trim().to_string()).collect()
        };
        assert!(page.lines().any(|line| split(line) == wanted), "{wanted:?}");
    }
}
