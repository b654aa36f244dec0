//! The smallest sizes of the study, and rows that cannot be.

use super::*;
use crate::shards::Units;
use crate::study::engine::Job;

const SMALL: [Sizes; 4] = [
    plane("mesh2", [4, 6], 6),
    plane("geometric2", [4, 4], 4),
    space("mesh3", [3, 6], 6),
    space("geometric3", [6, 6], 3),
];

#[test]
fn small_sizes_give_tables_and_a_figure() {
    let networks = Networks::new(&SMALL);
    let made = || {
        let (units, progress) = (Units::default(), Progress::silent());
        let job = Job { tier: Tier::Small, units: &units, progress: &progress };
        job.in_turn(&networks).unwrap().unwrap()
    };
    let found = made();
    assert_eq!(found, made());
    let tables = networks.tables(&found).unwrap();
    let files = networks.page(&found, &tables).unwrap().files();
    let names: Vec<&str> = files.iter().map(|file| file.path.as_str()).collect();
    assert_eq!(names, ["README.md", "cycles.svg"]);
    let [steps, sets] = [0, 1].map(|at| tables[at].rows());
    assert_eq!((steps.len(), sets.len()), (6, 5));
    // Every processor of a cube of side 2 has three neighbours and six sides.
    for (row, found) in
        [(0, ["1.00", "4"]), (1, ["1.00", "4"]), (3, ["0.50", "3"]), (4, ["1.00", "6"])]
    {
        assert_eq!([&steps[row][2], &steps[row][3]], found, "{:?}", steps[row]);
    }
    for row in steps {
        let [factor, random, greedy] = [3, 4, 5].map(|at| row[at].parse::<f64>().unwrap());
        assert!(factor <= random.min(greedy), "{row:?}");
    }
    for row in sets {
        let number = |at: usize| row[at].parse::<Rational>().map_or(0.0, |ratio| ratio.to_f64());
        assert!(number(3) > 0.0 && number(2) >= 1.0, "{row:?}");
    }
}

#[test]
fn impossible_rows_are_refused() {
    let networks = Networks(vec![(SMALL[0], 4)]);
    let found = networks.find(&networks.0[0], &Progress::silent()).unwrap();
    assert!(networks.holds(&networks.0[0], &found));
    let faster = Simulated { steps: Some(0), ..found.clone() };
    let lighter = Simulated { one: "3".into(), ..found.clone() };
    let other = Simulated { network: "mesh3".into(), ..found.clone() };
    let fewer = Simulated { measured: found.measured[..2].to_vec(), ..found };
    assert!(
        [faster, lighter, other, fewer].iter().all(|wrong| !networks.holds(&networks.0[0], wrong))
    );
}
