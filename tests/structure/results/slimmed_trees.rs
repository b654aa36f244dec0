//! The simulations of slimmed trees: pages follow from the committed tables.

use std::fs;

use routebound::study::StudyFile;
use routebound::study::ro::{Sample, figure_2, figure_5, samples};

use super::{results, without_heads};

fn committed(study: &str, file: &str) -> Vec<u8> {
    fs::read(results().join("ro").join(study).join(file)).unwrap()
}

fn table(study: &str) -> Vec<Sample> {
    samples(&committed(study, "table.csv")).unwrap()
}

fn compare(study: &str, pages: &[StudyFile]) {
    for page in pages {
        let is_same = committed(study, &page.path) == page.bytes;
        assert!(is_same, "{study}/{} does not follow from its table", page.path);
    }
}

/// Verdicts, tables and figures are those of the runs in `table.csv`.
#[test]
fn pages_follow_from_their_tables() {
    let known = table("figure-2");
    assert_eq!(known.len(), 2 * 16 * 4);
    let checks = without_heads(&committed("figure-2", "checks.csv"));
    compare("figure-2", &figure_2(&known, &checks).unwrap());
    let all = table("figure-5");
    assert_eq!(all.len(), 2 * 16 * 6);
    compare("figure-5", &figure_5(&all).unwrap());
    // What both figures have is the same.
    assert!(known.iter().all(|sample| all.contains(sample)));
    for (study, samples) in [("figure-2", &known), ("figure-5", &all)] {
        let cells: Vec<Vec<String>> = samples.iter().map(Sample::cells).collect();
        assert_eq!(without_heads(&committed(study, "table.csv")), cells);
    }
}
