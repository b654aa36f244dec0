//! The sentences of `results/README.md` and of the book on what is found, with numbers from the tables.

use super::contention::medians;
use super::{Row, assert_says, in_one_line, number, ratio, rows, rows_of, same_paths, text_of};

const FIRST: &str = "results/README.md";

fn decimal(row: &Row, head: &str) -> f64 {
    row[head].parse().unwrap()
}

/// How far packets are from 1/load, in percent. Loads that are kept up are whole numbers of 1/512.
fn off(row: &Row) -> f64 {
    let kept_up = (512.0 * decimal(row, "itself")).round() / 512.0;
    100.0 * (kept_up * decimal(row, "max load") - 1.0).abs()
}

#[test]
fn the_first_page_says_what_packets_do() {
    let rows = rows("static-dynamic");
    let is_single = |row: &&Row| !row["routing"].starts_with("kpath");
    let single: Vec<_> = rows.iter().filter(is_single).collect();
    let most = single.iter().map(|row| number(&row["hosts"])).max().unwrap();
    assert_eq!(most, 1024);
    for row in &single {
        // Both have three digits.
        assert!(decimal(row, "itself") <= decimal(row, "1/load") + 0.001, "{row:?}");
    }
    let within = single.iter().map(|row| off(row)).fold(0.0, f64::max);
    let whole = rows.iter().filter(|row| row["sadp"] == "1.000").count();
    let percent = |routing: &str, head: &str| {
        let is = |row: &&Row| row["network"] == "ft16x3" && row["routing"] == routing;
        format!("{:.1} %", 100.0 * decimal(rows.iter().find(is).unwrap(), head))
    };
    assert_says(
        FIRST,
        &[
            format!("saturate at 1/load, within {within:.1} %, on all {} instances", single.len()),
            format!("all {} instances, of up to 1,024 hosts", single.len()),
            format!("everything in {whole} of {} rows", rows.len()),
            format!("`ff` {} of the links", percent("ftree", "ff")),
            format!("tables keep up {}.", percent("ftree", "itself")),
            format!(
                "itself keeps up {}, `least-loaded` keeps up {}.",
                percent("updn", "itself"),
                percent("updn", "least-loaded")
            ),
        ],
    );
}

#[test]
fn the_first_page_says_what_means_say() {
    let page = text_of("results/or/tables-2-3/README.md");
    let printed = page.lines().filter(|line| line.ends_with(" % |") || line.contains(" % | "));
    let printed: Vec<&str> = printed.collect();
    let differ: Vec<_> = printed.iter().filter(|line| line.contains("**differs**")).collect();
    assert!(differ.iter().all(|line| line.contains("Mesh")), "{differ:?}");
    let verdicts = ["within 3 %", "within the error of 32 instances"];
    let agree = printed.iter().filter(|line| verdicts.iter().any(|verdict| line.contains(verdict)));
    let means: Vec<f64> = rows_of("or/tables-2-3", "table.csv")
        .iter()
        .filter(|row| row["tree"] == "ft(16,3)" && row["routing"] == "dmodk")
        .map(|row| decimal(row, "mean"))
        .collect();
    let least = means.iter().copied().fold(f64::INFINITY, f64::min);
    let most = means.iter().copied().fold(0.0, f64::max);
    let (all, worst) = (printed.len(), ratio("ft(16,3)", "dmodk"));
    let agree = agree.count();
    assert_eq!(all, agree + differ.len());
    assert_says(
        FIRST,
        &[
            format!("Of the {all} means"),
            format!("{agree} come out within 3 % or within the error of the paper's 32 instances"),
            format!(
                "the five patterns have means of {least:.1} to {most:.1}, and the worst case is"
            ),
            format!("the worst case is {worst}, as in the paper's Table I for WSR"),
        ],
    );
    assert_eq!(means.len(), 5);
    // D-mod-k and WSR take the same paths, of which Table I says m - 1.
    assert!(same_paths("ft(16,3)", "dmodk", "wsr") && worst == 15);
}

#[test]
fn the_first_page_says_what_labels_do() {
    let all = |application: &str, schemes: [&str; 3]| -> Vec<(u64, [f64; 3])> {
        let [first, up, down] = schemes.map(|scheme| medians(application, scheme));
        let trees = first.into_iter().zip(up).zip(down);
        trees.map(|(((w2, first), (_, up)), (_, down))| (w2, [first, up, down])).collect()
    };
    let below_random = |application: &str| {
        let trees = all(application, ["random", "rnca-u", "rnca-d"]);
        assert_eq!(trees.len(), 16);
        assert!(trees.iter().all(|(_, [random, up, down])| up <= random && down <= random));
        trees.iter().filter(|(_, [random, up, down])| up < random && down < random).count()
    };
    let [wrf, cg] = ["WRF-256", "CG.D-128"].map(below_random);
    let (mut less, mut more) = (Vec::new(), Vec::new());
    for (w2, [modulo, up, down]) in all("CG.D-128", ["dmodk", "rnca-u", "rnca-d"]) {
        if up < modulo && down < modulo {
            less.push(w2);
        } else if up > modulo || down > modulo {
            more.push(w2);
        }
    }
    assert_eq!((less.iter().min(), less.iter().max()), (Some(&5), Some(&16)));
    assert_eq!(more, [3, 2]);
    assert_says(
        FIRST,
        &[
            format!("for WRF-256 on {wrf} of 16 trees and for CG.D-128 on {cg}, and nowhere more"),
            format!(
                "less than D-mod-k on the {} trees with 5 roots or more, and more on those with 2 and 3",
                less.len()
            ),
        ],
    );
    // No relabelling changes the worst case: w roots are loaded w times as much as needed.
    let rows = rows("ro/relabelling");
    for w in 1..16 {
        let tree = format!("xgft(2;16,16;1,{w})");
        let row = rows.iter().find(|row| row["tree"] == tree).unwrap();
        assert_eq!([&row["bound"], &row["D-mod-k"]], [&w.to_string(); 2]);
        assert_eq!(row["grid"], w.min(6 + u32::from(w == 7)).to_string());
    }
}

#[test]
fn the_first_page_says_what_nonblocking_costs() {
    let rows = rows("nb/table-1");
    let wrong = |row: &&Row| row["agrees"] == "no";
    let differing = |row: &Row| {
        let is_other = |what: &str| row[what] != row[&format!("printed {what}")];
        ["switches", "ports"].into_iter().filter(|what| is_other(what)).count()
    };
    assert_eq!(rows.iter().filter(wrong).map(differing).sum::<usize>(), 2);
    assert!(rows.iter().all(|row| row["evidence"] == "proven"));
    let of = |network: &str| rows.iter().find(|row| row["network"] == network).unwrap();
    let (full, nonblocking) = (of("ft(72,2)"), of("ftree(8,64,72)"));
    let cells = |row: &Row| ["ports", "switches"].map(|head| row[head].clone());
    assert_eq!(cells(full), ["2592", "108"]);
    assert_eq!(
        (cells(nonblocking), full["ratio"].as_str()),
        (["576", "136"].map(String::from), "6")
    );
    assert_says(FIRST, &["two entries corrected and every ratio proven".to_string()]);
}

#[test]
fn the_first_page_says_what_free_shares_do() {
    let free = rows_of("limited-multipath", "free-shares.csv");
    assert!(free.iter().all(|row| row["evidence"] == "proven"));
    let is_better = |row: &&Row| row["found with free shares"] != row["least of equal shares"];
    let two: Vec<&Row> = free.iter().filter(|row| row["k"] == "2").filter(is_better).collect();
    let [row] = two[..] else { panic!("{two:?}") };
    let is_equal = |other: &&Row| {
        other["choice"] == "grid" && other["k"] == "2" && other["tree"] == row["tree"]
    };
    let equal = rows("limited-multipath").into_iter().find(|other| is_equal(&other)).unwrap();
    assert_eq!(equal["ratio"], row["least of equal shares"]);
    let (_, lower) = row["no shares below"].split_once("at least ").unwrap();
    assert_says(
        FIRST,
        &[
            format!(
                "two paths have {} on {}, where equal shares have {};",
                row["found with free shares"], row["tree"], equal["ratio"]
            ),
            format!("two paths have no less than {lower} there"),
        ],
    );
}

/// The book on what `results` has.
#[test]
fn the_book_says_what_is_found() {
    let page = in_one_line("docs/src/adversaries.md") + &in_one_line("docs/src/best-routings.md");
    let rows_of_search = rows("adversaries");
    let lower = |adversary: &str| {
        let is = |row: &&Row| {
            row["network"] == "ft(16,3)"
                && row["routing"] == "random(seed=1)"
                && row["adversary"].starts_with(adversary)
        };
        rows_of_search.iter().find(is).unwrap()["lower"].clone()
    };
    let permutations = lower("random(pattern=permutation,trials=1000");
    let said = format!(
        "a thousand random permutations find a load of {permutations} at most, while `climb` finds the exact {}",
        lower("climb")
    );
    assert!(page.contains(&said), "{said}");
    // Counting and the printed theorems.
    let mut above = Vec::new();
    for row in rows("optimal-single-path").iter().filter(|row| row["printed"] != "-") {
        let [counting, printed] = ["counting", "printed"].map(|head| number(&row[head]));
        assert!(counting >= printed, "{row:?}");
        if counting > printed {
            above.push(row["tree"].clone());
        }
    }
    let [four, five, six] = &above[..] else { panic!("{above:?}") };
    let said = format!(
        "on no tree of the results is below the printed theorems, and above them on {four}, {five} and {six},"
    );
    assert!(page.contains(&said), "{said}");
    // All routings of small trees.
    let all = rows("all-routings");
    let counts = |tree: [&str; 3], ratio: &str| {
        let heads = ["hosts_per_leaf", "tops", "leaves"];
        let is = |row: &&Row| heads.map(|head| row[head].as_str()) == tree && row["ratio"] == ratio;
        all.iter().find(is).map(|row| row["routings"].clone())
    };
    let [one, two] = ["1", "2"].map(|ratio| counts(["2", "2", "4"], ratio));
    assert_eq!(two, Some((1_u64 << 48).to_string()));
    assert!(one.is_none_or(|count| count == "0"));
    assert_eq!(counts(["2", "4", "3"], "1").unwrap(), "4952832");
}
