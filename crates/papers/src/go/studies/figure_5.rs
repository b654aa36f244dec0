//! \[GO\] Figure 5: latency against accepted traffic, uniform traffic on a 4-ary 4-tree.

use super::curves::{Key, Runs};
use super::latency::{
    DETERMINISTIC, FF_IN_ORDER, FREE, Figure, Latency, SADP_IN_ORDER, all_curves, points_at,
    with_order, without_order,
};
use super::points::{Line, Point};
use super::{UNIFORM, page};
use crate::study::prelude::*;

pub(super) const KIND: Kind<Study> = Study::kind::<Latency<Figure5>>(
    &["go-figure-5"],
    "[GO] 5.2.1, Figure 5",
    "latency against accepted traffic of deterministic and adaptive routing under uniform traffic, \
            with and without in-order delivery",
);

const TRAFFIC: &str = "uniform";

/// Thousandths of a link.
const LOADS: [u64; 14] = [50, 100, 200, 300, 400, 450, 500, 525, 550, 575, 600, 700, 850, 1000];

struct Figure5;

impl Figure for Figure5 {
    fn points(tier: Tier) -> Vec<Point> {
        points_at(TRAFFIC, &LOADS, tier)
    }

    fn charts(lines: &[Line]) -> Vec<Chart> {
        let runs = Runs::new(lines, TRAFFIC);
        vec![
            runs.chart("without in-order delivery", &without_order()),
            runs.chart("with in-order delivery", &with_order()),
        ]
    }

    fn readme(lines: &[Line]) -> Page {
        let summary = Runs::new(lines, TRAFFIC).summary(&all_curves(), [0.3, 0.5, 1.0]);
        page(HEADER, &claims(lines), &format!("{FINDINGS}{summary}"))
    }
}

const FF: Key = FREE[0];
const SADP: Key = FREE[1];

const STRONGLY: &str = "the deterministic routing proposed in this paper strongly outperforms adaptive routing \
                        with the FF selection function";
const SIMILAR: &str =
    "similar performance results are obtained for all the different reorder-buffer sizes";
const SLIGHTLY: &str =
    "deterministic routing obtains a slightly higher latency than the adaptive one";
const NEAR: &str =
    "near the saturation point, the network latency is smaller for the deterministic routing";

/// The claims of the paper about Figure 5.
pub(super) fn claims(lines: &[Line]) -> Vec<Finding> {
    let runs = Runs::new(lines, TRAFFIC);
    [throughput(&runs), order(&runs, lines), latency(&runs)].concat()
}

fn throughput(runs: &Runs<'_>) -> Vec<Finding> {
    let above = |least: f64| least..=f64::INFINITY;
    let all_ff: Vec<Key> = std::iter::once(FF).chain(FF_IN_ORDER).collect();
    let all_sadp: Vec<Key> = std::iter::once(SADP).chain(SADP_IN_ORDER).collect();
    vec![
        Finding::within(
            Case::quote(UNIFORM, STRONGLY),
            "throughput over that of FF, every delivery",
            runs.peaks(DETERMINISTIC, &all_ff),
            above(1.1),
        ),
        Finding::within(
            Case::quote(UNIFORM, STRONGLY),
            "latency of FF over its latency, at loads that both keep up with",
            runs.below_saturation(FF, DETERMINISTIC),
            above(1.1),
        ),
        Finding::within(
            Case::quote(
                UNIFORM,
                "obtains roughly the same throughput than the adaptive routing algorithm when using the SADP \
             selection function",
            ),
            "throughput over that of SADP, every delivery",
            runs.peaks(DETERMINISTIC, &all_sadp),
            0.95..=1.05,
        ),
        Finding::within(
            Case::quote(
                UNIFORM,
                "the SADP selection function, which was the one that provided the best results",
            ),
            "throughput of SADP over that of FF, with the same delivery",
            all_sadp.iter().zip(&all_ff).map(|(sadp, ff)| runs.peak(*sadp) / runs.peak(*ff)),
            above(1.0),
        ),
    ]
}

fn order(runs: &Runs<'_>, lines: &[Line]) -> Vec<Finding> {
    let early = lines.iter().filter(|line| line.routing != "dmodk").map(|line| line.early / 100.0);
    vec![
        Finding::within(
            Case::quote(UNIFORM, "almost all the packets are delivered with the correct order"),
            "part of the packets out of order, adaptive runs",
            early,
            0.0..=0.05,
        ),
        runs.alike(SIMILAR, "throughput of FF over that of its best buffer", &FF_IN_ORDER, 0.05),
        runs.alike(
            SIMILAR,
            "throughput of SADP over that of its best buffer",
            &SADP_IN_ORDER,
            0.05,
        ),
    ]
}

fn latency(runs: &Runs<'_>) -> Vec<Finding> {
    vec![
        Finding::within(
            Case::quote(UNIFORM, SLIGHTLY),
            "latency over that of FF, at loads that both keep up with",
            runs.below_saturation(DETERMINISTIC, FF),
            1.0..=1.2,
        ),
        Finding::within(
            Case::quote(UNIFORM, SLIGHTLY),
            "latency over that of SADP, at loads that both keep up with",
            runs.below_saturation(DETERMINISTIC, SADP),
            1.0..=1.2,
        ),
        Finding::within(
            Case::quote(UNIFORM, NEAR),
            "latency over that of FF, at the first load that one does not keep up with",
            runs.near_saturation(DETERMINISTIC, FF),
            0.0..=1.0,
        ),
        Finding::within(
            Case::quote(UNIFORM, NEAR),
            "latency over that of SADP, at the first load that one does not keep up with",
            runs.near_saturation(DETERMINISTIC, SADP),
            0.0..=1.0,
        ),
    ]
}

const HEADER: &str = include_str!("figure_5.header.md");

const FINDINGS: &str = include_str!("figure_5.findings.md");

#[cfg(test)]
mod tests {
    use super::*;
    use crate::study::engine::text_of;

    /// Lines of all points, with this throughput and latency over those of deterministic routing.
    fn lines(throughput: f64, latency: f64) -> Vec<Line> {
        let line = |point: &Point| {
            let offered = point.load as f64 / 1000.0;
            let (most, times) =
                if point.routing == "ff" { (throughput, latency) } else { (1.0, 1.0) };
            Line {
                traffic: point.traffic.to_string(),
                routing: point.routing.to_string(),
                buffer: point.buffer,
                load: offered,
                offered,
                accepted: offered.min(0.5 * most),
                error: 0.001,
                latency: times * (9000.0 + 1000.0 * offered),
                half_width: 10.0,
                early: 0.1,
            }
        };
        Figure5::points(Tier::Full).iter().map(line).collect()
    }

    #[test]
    fn every_curve_has_all_loads() {
        assert_eq!(Figure5::points(Tier::Full).len(), 9 * LOADS.len());
        let charts = Figure5::charts(&lines(0.8, 2.0));
        let curves: Vec<usize> = charts.iter().map(|chart| chart.curves.len()).collect();
        assert_eq!(curves, [3, 7]);
        let is_full = |curve: &Curve| curve.points.len() == LOADS.len();
        assert!(charts.iter().flat_map(|chart| &chart.curves).all(is_full));
    }

    /// What is strong, rough or slight is decided by the numbers.
    #[test]
    fn thresholds_decide() {
        let holds = |throughput, latency| -> Vec<bool> {
            claims(&lines(throughput, latency)).iter().map(|claim| !claim.fails()).collect()
        };
        // Throughput and latency of FF; SADP as deterministic; in order; buffers; slightly; near.
        assert_eq!(
            holds(0.8, 2.0),
            [true, true, true, true, true, true, true, false, true, true, true]
        );
        assert_eq!(
            holds(0.95, 1.05),
            [false, false, true, true, true, true, true, false, true, true, true]
        );
        assert_eq!(
            holds(1.1, 0.9),
            [false, false, true, false, true, true, true, true, true, false, true]
        );
        let text = text_of(Figure5::readme(&lines(0.8, 2.0)));
        assert!(text.contains(" deterministic |     0.5000 |"), "{text}");
    }
}
