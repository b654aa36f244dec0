//! What the pages of the averages of \[OR\] say, against their tables.

use std::collections::{BTreeMap, HashMap};

use super::{assert_says, rows_of, text_of};

/// The means of every routing, by tree and pattern.
type Means = BTreeMap<(String, String), HashMap<String, f64>>;

const RANDOM: &str = "random(seed=1)";
const FIRST: &str = "kpath(k=2,choice=first)";
const SHIFT: &str = "kpath(k=2,choice=shift)";

fn means(study: &str) -> Means {
    let mut means = Means::new();
    for row in rows_of(study, "table.csv") {
        let point = means.entry((row["tree"].clone(), row["pattern"].clone())).or_default();
        point.insert(row["routing"].clone(), row["mean"].parse().unwrap());
    }
    means
}

/// The worst cases of routings on a tree.
fn worst(tree: &str) -> HashMap<String, u64> {
    let rows = rows_of("or/tables-2-3", "worst.csv").into_iter();
    let of_tree = rows.filter(|row| row["tree"] == tree);
    of_tree.map(|row| (row["routing"].clone(), row["ratio"].parse().unwrap())).collect()
}

fn is_same(one: f64, other: f64) -> bool {
    (one - other).abs() < 1e-9
}

fn mean(all: &[f64]) -> f64 {
    all.iter().sum::<f64>() / all.len() as f64
}

#[test]
fn the_findings_of_tables_2_and_3_hold() {
    let (mut gain, mut differ) = (0.0_f64, 0);
    for ((tree, pattern), means) in &means("or/tables-2-3") {
        let (own, name) = (means["dmodk"], format!("{tree} {pattern}"));
        for same in ["smodk", "mlid", "wsr", "opensm ftree"] {
            assert!(means.get(same).is_none_or(|mean| is_same(*mean, own)), "{name} {same}");
        }
        if ["ft(32,2)", "ft(8,3)", "ft(16,3)"].contains(&tree.as_str()) {
            let osrm = if tree == "ft(32,2)" { "osrm2" } else { "osrm3" };
            let leaves_idle = pattern == "2D Mesh" && tree != "ft(16,3)";
            assert_eq!(means[osrm] < own, !leaves_idle, "{name}");
            differ += 1;
        }
        for engine in ["opensm updn", "opensm minhop"] {
            let times = means.get(engine).map(|mean| mean / own);
            assert!(times.is_none_or(|times| (2.0..5.0).contains(&times)), "{name} {engine}");
        }
        if tree == "ft(16,3)" {
            assert!(means[RANDOM] < 1.1 * own, "{name}");
            let near = ["opensm dfsssp", "opensm nue"].map(|engine| means[engine] / own);
            assert!(near.iter().all(|times| *times < 1.04), "{name}");
        }
        assert!(means[SHIFT] < own, "{name}");
        gain = gain.max(1.0 - means[SHIFT] / own);
        assert!(means.values().all(|mean| *mean <= means[FIRST]), "{name}");
    }
    assert_eq!(differ, 15);
    let page = "results/or/tables-2-3/README.md";
    assert_says(page, &[format!("lower the means, by up to {:.0} %;", 100.0 * gain)]);
}

#[test]
fn the_findings_on_worst_cases_hold() {
    for (tree, most) in [("ft(8,3)", 16), ("ft(16,3)", 64)] {
        let all = worst(tree);
        assert_eq!(all["opensm ftree"], all["dmodk"], "{tree}");
        // As many as there are shortest paths.
        for engine in ["opensm updn", "opensm minhop"] {
            assert_eq!(all[engine], most, "{tree} {engine}");
        }
        assert_eq!(all.values().max(), Some(&most));
    }
    let all = worst("ft(16,3)");
    assert_eq!([RANDOM, "dmodk"].map(|routing| all[routing]), [64, 15]);
    assert_eq!(["opensm dfsssp", "opensm nue"].map(|routing| all[routing]), [18, 18]);
    let trees = ["ft(8,3)", "ft(36,3)"];
    let means = means("or/tables-2-3");
    let [from, to] = trees.map(|tree| means[&(tree.to_string(), "Ring".to_string())]["dmodk"]);
    let [least, most] = trees.map(|tree| worst(tree)["dmodk"]);
    assert_says(
        "results/or/tables-2-3/README.md",
        &[
            format!("the ring has {from:.1} to {to:.1} under D-mod-k"),
            format!("the worst case goes from {least} to {most}."),
        ],
    );
}

/// The two cells that differ, of the 30 that are printed.
#[test]
fn the_meshes_that_differ_are_told() {
    let page = text_of("results/or/tables-2-3/README.md");
    let differ: Vec<Vec<&str>> = page
        .lines()
        .filter(|line| line.contains(" **differs** |"))
        .map(|line| line.split('|').map(str::trim).collect())
        .collect();
    let names: Vec<[&str; 3]> = differ.iter().map(|cells| [cells[1], cells[2], cells[3]]).collect();
    assert_eq!(names, [["FT(32,2)", "2D Mesh", "osrm2"], ["FT(8,3)", "3D Mesh", "mlid"]]);
    let off = differ[1][7].trim_start_matches('-');
    assert_says(
        "results/or/tables-2-3/README.md",
        &[format!("the three-dimensional one on FT(8,3) for MLID, by {off}.")],
    );
}

/// Means of one routing over those of another, for all sizes of a workload on FT(32,2).
fn over(means: &Means, workload: &str, [one, other]: [&str; 2]) -> Vec<f64> {
    let is = |(tree, pattern): &(String, String)| {
        tree == "ft(32,2)" && pattern.split(' ').next() == Some(workload)
    };
    means.iter().filter(|(point, _)| is(point)).map(|(_, of)| of[one] / of[other]).collect()
}

#[test]
fn the_findings_on_osrm2_hold() {
    let means = means("or/figures");
    let percent = |times: f64| format!("{:.1} %", 100.0 * (times - 1.0).abs());
    let spots = |routing| mean(&over(&means, "hot-spots", [routing, "mlid"]));
    let at = |pattern: &str, [one, other]: [&str; 2]| {
        let of = &means[&("ft(32,2)".to_string(), pattern.to_string())];
        of[one] / of[other]
    };
    let of_spots = ["hot-spots 64", "hot-spots 128"].map(|at_size| at(at_size, ["osrm2", "mlid"]));
    let gains = ["clustered 2", "clustered 128"].map(|size| at(size, ["mlid", "osrm2"]));
    let inside = mean(&over(&means, "random-inside", ["mlid", "osrm2"]));
    assert!(over(&means, "hot-spots", ["wsr", "mlid"]).iter().all(|times| is_same(*times, 1.0)));
    assert!(spots("osrm2") > 1.0 && of_spots[0] > 1.0 && of_spots[1] < 1.0 && inside < 1.0);
    assert_eq!(worst("ft(32,2)")["grid"], 4);
    assert_eq!(worst("ft(32,2)")["osrm2"], 4);
    assert_says(
        "results/or/figures/README.md",
        &[
            format!("by {} on average over these sizes of spots", percent(spots("osrm2"))),
            format!("by {} with 64 hosts in a spot", percent(of_spots[0])),
            format!("but better by {} with 128", percent(of_spots[1])),
            format!("worst case on FT(32,2) is 4 as well, loses {}.", percent(spots("grid"))),
            format!("MLID has {} more with groups of 2, and", percent(gains[0])),
            format!("and {} more with groups of 128", percent(gains[1])),
            format!("nothing is gained: MLID has {} less on average", percent(inside)),
        ],
    );
}

#[test]
fn the_findings_on_random_paths_and_minhop_hold() {
    let means = means("or/figures");
    let over_all = |tree: &str| -> BTreeMap<String, f64> {
        let of_tree = means.iter().filter(|((of, _), _)| of == tree);
        let of_tree: Vec<&HashMap<String, f64>> = of_tree.map(|(_, means)| means).collect();
        let all = of_tree[0].keys().map(|name| {
            let values: Vec<f64> = of_tree.iter().map(|means| means[name]).collect();
            (name.clone(), mean(&values))
        });
        all.collect()
    };
    let several = ["omrmn", "ecmp", FIRST, SHIFT];
    let is_registered = |name: &str| !name.starts_with("opensm") && !several.contains(&name);
    for (tree, times) in [("ft(32,2)", None), ("ft(8,3)", Some("2.5")), ("ft(16,3)", Some("4.4"))] {
        let all = over_all(tree);
        let above: Vec<&str> = all
            .iter()
            .filter(|(name, mean)| is_registered(name) && **mean > all[RANDOM])
            .map(|(name, _)| name.as_str())
            .collect();
        let Some(times) = times else {
            assert_eq!(above, [""; 0], "{tree}");
            continue;
        };
        assert_eq!(above, ["minhop"], "{tree}");
        assert_eq!(format!("{:.1}", all["minhop"] / all["dmodk"]), times, "{tree}");
        for engine in ["opensm updn", "opensm minhop"] {
            assert!(is_same(all[engine], all["minhop"]), "{tree} {engine}");
        }
    }
    let of_both = means.values().flat_map(|of| ["mlid", "wsr"].map(|routing| of[routing]));
    let most = of_both.fold(0.0, f64::max);
    let worst = ["ft(32,2)", "ft(8,3)", "ft(16,3)"].map(|tree| {
        let all = worst(tree);
        assert_eq!(all["mlid"], all["wsr"]);
        all["mlid"]
    });
    assert_says(
        "results/or/figures/README.md",
        &[
            "is 2.5 and 4.4 times that of D-mod-k.".to_string(),
            format!("no mean of MLID or WSR here is above {most:.1}, where their worst cases are"),
            format!(
                "{} on FT(32,2), {} on FT(8,3) and {} on FT(16,3)",
                worst[0], worst[1], worst[2]
            ),
        ],
    );
}
