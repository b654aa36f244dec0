//! What the pages of the contention of \[RO\] and of relabellings say, against their tables.

use super::{Row, assert_says, number, rows, rows_of};

/// The medians with a scheme, from the full tree down.
pub(super) fn medians(application: &str, scheme: &str) -> Vec<(u64, f64)> {
    let is = |row: &&Row| row["application"] == application && row["scheme"] == scheme;
    let rows = rows("ro/contention");
    let all = rows.iter().filter(is);
    all.map(|row| (number(&row["w2"]), row["median"].parse().unwrap())).collect()
}

/// From a number of roots on, the minimum and the maximum median.
fn range(application: &str, scheme: &str, from: u64) -> (f64, f64) {
    let of_trees = medians(application, scheme).into_iter().filter(|(w2, _)| *w2 >= from);
    let all: Vec<f64> = of_trees.map(|(_, median)| median).collect();
    let least = all.iter().copied().fold(f64::INFINITY, f64::min);
    (least, all.iter().copied().fold(0.0, f64::max))
}

#[test]
fn the_findings_of_contention_hold() {
    let modulo = medians("WRF-256", "smodk");
    for scheme in ["dmodk", "rnca-u", "rnca-d"] {
        assert_eq!(medians("WRF-256", scheme), modulo, "{scheme}");
    }
    for ((w2, random), (_, modulo)) in medians("WRF-256", "random").into_iter().zip(modulo) {
        assert!(if w2 == 1 { modulo >= random } else { modulo < random }, "{w2}");
    }
    for scheme in ["rnca-u", "rnca-d"] {
        let [own, random, modulo] =
            [scheme, "random", "dmodk"].map(|scheme| medians("CG.D-128", scheme));
        for (((w2, own), (_, random)), (_, modulo)) in own.into_iter().zip(random).zip(modulo) {
            assert!(own <= random && (own < modulo) == (w2 >= 5), "{scheme} {w2}");
        }
    }
    let (least, most) = range("CG.D-128", "coloured", 5);
    let [up, down] = ["rnca-u", "rnca-d"].map(|scheme| range("CG.D-128", scheme, 5));
    let at_eleven = |scheme: &str| {
        let mut all = medians("WRF-256", scheme).into_iter();
        all.find(|(w2, _)| *w2 == 11).unwrap().1
    };
    assert_says(
        "results/ro/contention/README.md",
        &[
            format!("{least} to {most} for CG.D-128 down to w2 = 5"),
            format!("medians of {} to {}.", up.0.min(down.0), up.1.max(down.1)),
            format!(
                "with w2 = 11 it has {} for WRF-256, where `minhop` has {}.",
                at_eleven("coloured"),
                at_eleven("minhop")
            ),
        ],
    );
}

#[test]
fn the_findings_on_exact_distributions_hold() {
    let rows = rows_of("ro/contention", "exact.csv");
    let probability = |w2: &str, scheme: &str, most: &str| {
        let is =
            |row: &&Row| row["w2"] == w2 && row["scheme"] == scheme && row["most pairs"] == most;
        let (above, below) = rows.iter().find(is).unwrap()["probability"].split_once('/').unwrap();
        above.parse::<f64>().unwrap() / below.parse::<f64>().unwrap()
    };
    let both = |w2: &str, most: &str| ["random", "rnca-u"].map(|of| probability(w2, of, most));
    let ([three, apart], two_roots) = (["3", "1"].map(|most| both("4", most)), both("2", "3"));
    assert_says(
        "results/ro/contention/README.md",
        &[
            format!("probability {:.2} under Random and {:.2} under r-NCA", three[0], three[1]),
            format!("that no two meet has {:.4} and {:.3}.", apart[0], apart[1]),
            format!("With two roots three meet with {:.2} and {:.2}.", two_roots[0], two_roots[1]),
        ],
    );
}

#[test]
fn the_findings_of_relabelling_hold() {
    for row in rows("ro/relabelling") {
        let of = |head: &str| number(&row[head]);
        let [tree, numbers] = [&row["tree"], &row["relabellings"]];
        let roots: u64 = tree.trim_end_matches(')').rsplit(',').next().unwrap().parse().unwrap();
        if !numbers.is_empty() {
            assert_eq!(of("D-mod-k"), of("least ratio"), "{tree}");
            let children: u64 = tree[7..].split(',').next().unwrap().parse().unwrap();
            assert!(of("maximum ratio") == of("least ratio") || roots == children, "{tree}");
            continue;
        }
        assert_eq!(of("D-mod-k"), of("bound"), "{tree}");
        assert_eq!(of("grid") < of("bound"), roots >= 8, "{tree}");
        match roots {
            16 => assert_eq!([of("grid"), of("bound")], [4, 15]),
            8..16 => assert!(of("grid") == 6 && (8..=15).contains(&of("bound")), "{tree}"),
            _ => {}
        }
    }
    assert_says(
        "results/ro/relabelling/README.md",
        &["with 8 roots or more: 6 against 8 to 15 on the slimmed ones, 4 against 15 on".into()],
    );
}
