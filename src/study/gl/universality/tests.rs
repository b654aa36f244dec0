//! The smallest sizes of the study, and rows that cannot be.

use super::*;

const SMALL: [Sizes; 4] = [
    plane("mesh2", [4, 6], 6),
    plane("geometric2", [4, 4], 4),
    space("mesh3", [3, 6], 6),
    space("geometric3", [6, 6], 3),
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
    assert_eq!((steps.len(), rows(2).len()), (6, 5));
    // Every processor of a cube of side 2 has three neighbours and six sides.
    for (row, found) in
        [(0, ["1.00", "4"]), (1, ["1.00", "4"]), (3, ["0.50", "3"]), (4, ["1.00", "6"])]
    {
        assert_eq!([&steps[row][2], &steps[row][3]], found, "{:?}", steps[row]);
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
    let networks = Networks(vec![(SMALL[0], 4)]);
    let found = networks.find(0, &Progress::silent()).unwrap();
    assert!(networks.holds(0, &found));
    let faster = Simulated { steps: Some(0), ..found.clone() };
    let lighter = Simulated { one: "3".into(), ..found.clone() };
    let other = Simulated { network: "mesh3".into(), ..found.clone() };
    let fewer = Simulated { measured: found.measured[..2].to_vec(), ..found };
    assert!([faster, lighter, other, fewer].iter().all(|wrong| !networks.holds(0, wrong)));
}
