//! The smallest sizes of the study, and rows that cannot be.

use super::*;

const SMALL: Sizes = [
    ("mesh2", "double2", [4, 6]),
    ("geometric2", "double2", [4, 4]),
    ("mesh3", "quadruple3", [3, 6]),
    ("geometric3", "quadruple3", [6, 6]),
];

fn made() -> Vec<StudyFile> {
    study(&SMALL, &Units::default(), &Progress::silent()).unwrap()
}

#[test]
fn small_sizes_give_tables_and_a_figure() {
    let files = made();
    let names: Vec<&str> = files.iter().map(|file| file.path.as_str()).collect();
    assert_eq!(names, ["README.md", "cycles.svg", "sets.csv", "steps.csv"]);
    assert_eq!(files, made());
    let rows = |at: usize| {
        let mut reader = ::csv::Reader::from_reader(files[at].bytes.as_slice());
        reader.records().map(|row| row.unwrap()).collect::<Vec<_>>()
    };
    let steps = rows(3);
    assert_eq!((steps.len(), rows(2).len()), (6, 6));
    for (row, factor) in [(0, "4"), (1, "4"), (3, "3"), (4, "6")] {
        assert_eq!((&steps[row][2], &steps[row][3]), ("1.00", factor), "{:?}", steps[row]);
    }
    for row in &steps {
        let [factor, random, greedy] = [3, 4, 5].map(|at| row[at].parse::<f64>().unwrap());
        assert!(factor <= random.min(greedy), "{row:?}");
    }
    for row in rows(2) {
        let number = |at: usize| row[at].parse::<Ratio>().map_or(0.0, |ratio| ratio.to_f64());
        assert!(number(3) > 0.0 && number(2) >= 1.0, "{row:?}");
    }
}

#[test]
fn impossible_rows_are_refused() {
    let networks = Networks(vec![("mesh2", "double2", 4)]);
    let found = networks.find(0, &Progress::silent()).unwrap();
    assert!(networks.holds(0, &found));
    let faster = Simulated { steps: Some(0), ..found.clone() };
    let lighter = Simulated { one: "3".into(), ..found.clone() };
    let other = Simulated { network: "mesh3".into(), ..found.clone() };
    let fewer = Simulated { measured: found.measured[..2].to_vec(), ..found };
    assert!([faster, lighter, other, fewer].iter().all(|wrong| !networks.holds(0, wrong)));
}
