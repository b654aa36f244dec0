//! What \[OR\] VI says of Figures 11 to 15, beside what was measured.

use super::Measured;
use crate::study::prelude::*;

const ALL_TREES: [(&str, &str); 3] =
    [("ft(32,2)", "osrm2"), ("ft(8,3)", "osrm3"), ("ft(16,3)", "osrm3")];

pub(super) fn all(found: &Measured<'_>) -> Vec<Finding> {
    let claims = [
        close_to_one(found),
        dense(found),
        pairs(found),
        guarantee(found),
        noticeable(found),
        slight(found),
        hot_spots(found),
        hot_spots_osrm2(found),
        further(found),
    ];
    claims.into_iter().collect()
}

impl Measured<'_> {
    fn means(&self, workload: &str, tree: &str, routing: &str) -> Vec<f64> {
        self.curve(workload, tree, routing).into_iter().map(|point| point.y).collect()
    }

    /// Means of MLID as a fraction of those of OSRM2 or OSRM3.
    fn gains(&self, workload: &str, (tree, osrm): (&str, &str)) -> Vec<f64> {
        let both = self.means(workload, tree, "mlid").into_iter();
        both.zip(self.means(workload, tree, osrm)).map(|(mlid, osrm)| mlid / osrm).collect()
    }

    /// Means of the four schemes of the paper.
    fn of_the_paper(&self, workload: &str, tree: &str) -> Vec<f64> {
        let schemes = ["mlid", "wsr", "osrm2", "osrm3"].into_iter();
        schemes.flat_map(|routing| self.means(workload, tree, routing)).collect()
    }
}

fn close_to_one(found: &Measured<'_>) -> Finding {
    let words = "all of the single path routing algorithms achieve a similar performance and their performance \
                 ratios are very close to 1";
    let what = "means of MLID, WSR and OSRM3 on FT(16,3) for p of 0.05 or more";
    let dense = |routing| {
        let curve = found.curve("random", "ft(16,3)", routing).into_iter();
        curve.filter(|point| point.x >= 0.05).map(|point| point.y)
    };
    let means = ["mlid", "wsr", "osrm3"].into_iter().flat_map(dense);
    Finding::within(Case::quote("VI, Figure 11", words), what, means, 1.0..=1.1)
}

fn dense(found: &Measured<'_>) -> Finding {
    let words = "When the load is high (the probability of the communication between two nodes is larger than 0.75), \
                 all schemes have a performance ratio of 1.";
    let dense = |routing| {
        let curve = found.curve("random", "ft(16,3)", routing).into_iter();
        curve.filter(|point| point.x > 0.75).map(|point| point.y)
    };
    let means = ["mlid", "wsr", "osrm3"].into_iter().flat_map(dense);
    let what = "means on FT(16,3) for p of 0.8, 0.9 and 1, to two digits";
    Finding::within(Case::quote("VI, Figure 11", words), what, means, 1.0..=1.005)
}

fn pairs(found: &Measured<'_>) -> Finding {
    let words = "when the group size is equal to 2, the average performance ratio for MLID/WSR is larger than 4 on \
                 FT(32,2)";
    let first = |routing| found.means("clustered", "ft(32,2)", routing).into_iter().take(1);
    let means = ["mlid", "wsr"].into_iter().flat_map(first);
    Finding::within(Case::quote("VI, Figure 12", words), "means", means, 4.0..=f64::INFINITY)
}

fn guarantee(found: &Measured<'_>) -> Finding {
    let words = "OSRM2 guarantees that the performance ratio for any traffic pattern is no more than sqrt(32/2) = 4";
    let workloads = super::WORKLOADS.iter();
    let means = workloads.flat_map(|workload| found.means(workload.name, "ft(32,2)", "osrm2"));
    Finding::within(
        Case::quote("VI", words),
        "means of all workloads on FT(32,2)",
        means,
        1.0..=4.0,
    )
}

fn noticeable(found: &Measured<'_>) -> Finding {
    let words = "Our schemes improve the performance noticeably on FT(32, 2)";
    let gains = found.gains("clustered", ALL_TREES[0]);
    let what = "MLID / OSRM2, mean of all sizes of groups";
    Finding::within(Case::quote("VI, Figure 12", words), what, [mean(&gains)], 1.05..=f64::INFINITY)
}

fn mean(values: &[f64]) -> f64 {
    values.iter().sum::<f64>() / values.len() as f64
}

fn slight(found: &Measured<'_>) -> Finding {
    let words = "but only slightly on FT(8,3) and FT(16,3)";
    let gains = ALL_TREES[1..].iter().flat_map(|tree| found.gains("clustered", *tree));
    let what = "MLID / OSRM3 for all sizes of groups";
    Finding::within(Case::quote("VI, Figure 13", words), what, gains, 0.97..=1.1)
}

fn hot_spots(found: &Measured<'_>) -> Finding {
    let words = "The performance ratios of all schemes are close to 1";
    let trees = ["ft(32,2)", "ft(16,3)"].into_iter();
    let means = trees.flat_map(|tree| found.of_the_paper("hot-spots", tree));
    let what = "means of MLID, WSR, OSRM2 and OSRM3 for all sizes";
    Finding::within(Case::quote("VI, Figures 14 and 15", words), what, means, 1.0..=1.5)
}

fn hot_spots_osrm2(found: &Measured<'_>) -> Finding {
    let words = "OSRM2 is slightly (about 3% on average among all cases in the experiment) worse than WSR/DLID in \
                 FT(32,2)";
    let gains = found.gains("hot-spots", ALL_TREES[0]);
    let losses: Vec<f64> = gains.iter().map(|gain| 1.0 / gain).collect();
    let what = "OSRM2 / MLID, mean of all sizes";
    Finding::within(Case::quote("VI, Figure 14", words), what, [mean(&losses)], 1.02..=1.04)
}

fn further(found: &Measured<'_>) -> Finding {
    let words = "our optimal oblivious routing algorithms are either comparable to or better than MLID and WSR on \
                 average";
    let workloads = ["random-sizes", "regular-inside", "random-inside"].into_iter();
    let gain = |workload| {
        let gains = ALL_TREES.iter().flat_map(|tree| found.gains(workload, *tree));
        mean(&gains.collect::<Vec<_>>())
    };
    let what = "MLID / OSRM2 or OSRM3, mean of each further workload, where the paper calls 3 % less slightly worse";
    Finding::within(Case::quote("VI", words), what, workloads.map(gain), 0.98..=f64::INFINITY)
}
