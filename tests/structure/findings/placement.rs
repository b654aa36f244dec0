//! What the page on placement says in words, against its table.

use super::{Row, assert_says, ratio, rows};

const FULL: &str = "ft(16,3)";
const TAPERED: &str = "xgft(3;16,8,8;1,8,8)";
const MINHOP: &str = "minhop of OpenSM";
const MIXED: &str = "9 from 300 to 14";

/// Cells of the rows with this placement of these jobs, by routing.
fn cells(all: &[Row], of: [&str; 3], routing: &str) -> [String; 4] {
    let names = ["tree", "jobs", "placement"];
    let is = |row: &&Row| {
        row["routing"] == routing && names.iter().zip(of).all(|(name, of)| row[*name] == of)
    };
    let row = all.iter().find(is).unwrap();
    ["apart", "alone", "together", "jobs loaded more"].map(|head| row[head].clone())
}

/// The least and the most of the draws.
fn ends(cell: &str) -> [u64; 2] {
    let (least, most) = cell.split_once("..").unwrap_or((cell, cell));
    [least, most].map(|end| end.parse().unwrap())
}

#[test]
fn packed_jobs_that_fit_are_apart_and_have_no_more() {
    let all = rows("placement");
    let fits = |row: &&Row| {
        let is_whole = ["64 of 16", "16 of 64", "8 of 128"].contains(&&*row["jobs"]);
        let is_packed = row["placement"] == "packed";
        is_packed && (is_whole || (row["tree"] == TAPERED && row["jobs"] == "10 of 96"))
    };
    assert_eq!(all.iter().filter(fits).count(), 21);
    for row in all.iter().filter(fits) {
        let jobs = row["jobs"].split(' ').next().unwrap();
        assert!(row["apart"] == jobs && row["jobs loaded more"] == "0", "{row:?}");
    }
}

#[test]
fn the_findings_of_placement_hold() {
    let all = rows("placement");
    let has = |of: [&str; 3], routing: &str, wanted: [&str; 4]| {
        assert_eq!(cells(&all, of, routing), wanted, "{of:?} {routing}");
    };
    for row in &all {
        assert_eq!(row["evidence"], if row["routing"] == "omrmn" { "cuts" } else { "proven" });
    }
    has([FULL, "16 of 64", "packed"], "dmodk", ["16", "7", "7", "0"]);
    has([FULL, "16 of 64", "spread"], "dmodk", ["0", "4", "4", "0"]);
    has([TAPERED, "8 of 128", "packed"], "dmodk", ["8", "14", "14", "0"]);
    has([TAPERED, "8 of 128", "spread"], "dmodk", ["0", "7", "14", "8"]);
    has([FULL, "10 of 96", "packed"], MINHOP, ["0", "8", "16", "10"]);
    has([FULL, "10 of 96", "packed"], "dmodk", ["0", "8", "8", "0"]);
    has([FULL, MIXED, "packed"], MINHOP, ["1", "32", "52", "7"]);
    let most = |row: &Row| row["largest factor"] == "13/2" && row["routing"] == MINHOP;
    assert!(
        all.iter().any(|row| most(row) && row["jobs"] == MIXED && row["placement"] == "packed")
    );
    let of = |jobs: &str, placement: &str| cells(&all, [FULL, jobs, placement], "dmodk");
    let (packed, spread) = (of("16 of 64", "packed"), of("16 of 64", "spread"));
    let minhop = |jobs: &str| cells(&all, [FULL, jobs, "packed"], MINHOP);
    let (whole, mixed) = (minhop("10 of 96"), minhop(MIXED));
    let link = format!("load a link with {}; spread they have {}", packed[1], spread[1]);
    let worst = format!("the worst link has {} by one job and {} by all", whole[1], whole[2]);
    let rises = format!("the worst load rises from {} to {}", mixed[1], mixed[2]);
    assert_says("results/placement/README.md", &[link, worst, rises]);
    let load = format!("have {} under D-mod-k, and {} where", packed[1], spread[1]);
    let together = format!("more than {} alone, and all of them together load one", whole[1]);
    assert_says("results/README.md", &[load, format!("{together} with {}", whole[2])]);
    let draws = all.iter().filter(|row| row["placement"] == "random");
    let together = |tree: &str, routing: &str| {
        let of = draws.clone().filter(|row| row["tree"] == tree && row["routing"] == routing);
        let ends: Vec<u64> = of.flat_map(|row| ends(&row["together"])).collect();
        (ends.iter().copied().min().unwrap(), ends.iter().copied().max().unwrap())
    };
    assert_eq!((together(FULL, "dmodk"), ratio(FULL, "dmodk")), ((14, 15), 15));
    assert_eq!(together(FULL, MINHOP), (53, 64));
    assert_eq!(together(TAPERED, "dmodk"), (16, 16));
    assert_eq!(together(TAPERED, "random(seed=1)"), (37, 119));
    assert_eq!(cells(&all, [TAPERED, MIXED, "packed"], "random(seed=1)")[2], "127");
}

#[test]
fn an_even_split_leaves_what_placement_costs() {
    let all = rows("placement");
    for row in all.iter().filter(|row| row["routing"] == "omrmn") {
        let found = [&*row["alone"], &*row["together"]];
        match (&*row["tree"], &*row["placement"], &*row["jobs"]) {
            (FULL, ..) | (_, "packed", "64 of 16") => assert_eq!(found, ["1", "1"], "{row:?}"),
            (_, "packed", _) => assert_eq!(found, ["2", "2"], "{row:?}"),
            (_, "spread", "10 of 96") => assert_eq!(found, ["1", "15/8"], "{row:?}"),
            (_, "spread", _) => assert_eq!(found, ["1", "2"], "{row:?}"),
            _ => assert_eq!(found[1], "2", "{row:?}"),
        }
    }
}
