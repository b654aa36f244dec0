//! \[GO\] Figure 5: latency against accepted traffic, uniform traffic on a 4-ary 4-tree.

use super::curves::{Key, Runs};
use super::points::{HEADS, Line, Point, Points};
use super::{UNIFORM, latency_page, page};
use crate::registry::Kind;
use crate::report::plot::Chart;
use crate::study::StudyError;
use crate::study::engine::{self, Entry, Finder, Page, Study, Table, Tier};
use crate::theorem::{Case, Finding};

pub(super) const KIND: Kind<Study> = Study::kind::<Figure5>(
    &["go-figure-5"],
    "[GO] 5.2.1, Figure 5",
    "latency against accepted traffic of deterministic and adaptive routing under uniform traffic, \
            with and without in-order delivery",
);

const TRAFFIC: &str = "uniform";

/// Thousandths of a link.
const LOADS: [u64; 14] = [50, 100, 200, 300, 400, 450, 500, 525, 550, 575, 600, 700, 850, 1000];

/// Packets that a host generates in a run.
const PACKETS: u64 = 1000;

const DETERMINISTIC: Key = ("dmodk", None);
const FF: Key = ("ff", None);
const SADP: Key = ("sadp", None);

/// Curves with in-order delivery: by reorder buffers of 16 KB, 128 KB and 8 MB.
const FF_IN_ORDER: [Key; 3] = [("ff", Some(2)), ("ff", Some(16)), ("ff", Some(1024))];
const SADP_IN_ORDER: [Key; 3] = [("sadp", Some(2)), ("sadp", Some(16)), ("sadp", Some(1024))];

/// All curves: without in-order delivery, and with it.
fn keys() -> [Vec<Key>; 2] {
    let in_order = FF_IN_ORDER.into_iter().chain(SADP_IN_ORDER);
    [vec![DETERMINISTIC, FF, SADP], std::iter::once(DETERMINISTIC).chain(in_order).collect()]
}

fn points(tier: Tier) -> Points {
    let [first, second] = keys();
    let keys = first.into_iter().chain(second.into_iter().skip(1));
    let point = |((routing, buffer), load)| Point {
        traffic: TRAFFIC,
        routing,
        buffer,
        load,
        packets: PACKETS,
    };
    let loads = if tier == Tier::Small { &LOADS[..1] } else { &LOADS };
    let all = itertools::iproduct!(keys, loads.iter().copied()).map(point).collect();
    Points { topology: "kary(4,4)", all }
}

/// All points of the figure.
struct Figure5(Points);

impl Entry for Figure5 {
    type Row = Vec<String>;

    fn of(tier: Tier) -> Result<Self, StudyError> {
        Ok(Self(points(tier)))
    }

    fn finder(&self) -> Finder<'_, Vec<String>> {
        Finder::at_once(&self.0)
    }

    fn tables(&self, found: &[Vec<String>]) -> Result<Vec<Table>, StudyError> {
        Ok(vec![Table::new("table.csv", &HEADS, found.to_vec())])
    }

    const FROM_TABLES: bool = true;

    fn page(&self, _: &[Vec<String>], tables: &[Table]) -> Result<Page, StudyError> {
        let lines: Vec<Line> = engine::lines(tables)?;
        latency_page(readme(&lines), &charts(&lines))
    }
}

fn charts(lines: &[Line]) -> Vec<Chart> {
    let (runs, [first, second]) = (Runs::new(lines, TRAFFIC), keys());
    vec![
        runs.chart("without in-order delivery", &first),
        runs.chart("with in-order delivery", &second),
    ]
}

const STRONGLY: &str = "the deterministic routing proposed in this paper strongly outperforms adaptive routing \
                        with the FF selection function";
const SIMILAR: &str =
    "similar performance results are obtained for all the different reorder-buffer sizes";
const SLIGHTLY: &str =
    "deterministic routing obtains a slightly higher latency than the adaptive one";
const NEAR: &str =
    "near the saturation point, the network latency is smaller for the deterministic routing";

/// What the paper says of Figure 5.
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

fn readme(lines: &[Line]) -> Page {
    let [first, second] = keys();
    let keys: Vec<Key> = first.into_iter().chain(second.into_iter().skip(1)).collect();
    let summary = Runs::new(lines, TRAFFIC).summary(&keys, [0.3, 0.5, 1.0]);
    page(HEADER, &claims(lines), &format!("{FINDINGS}{summary}"))
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
        points(Tier::Full).all.iter().map(line).collect()
    }

    #[test]
    fn every_curve_has_all_loads() {
        assert_eq!(points(Tier::Full).all.len(), 9 * LOADS.len());
        let charts = charts(&lines(0.8, 2.0));
        let curves: Vec<usize> = charts.iter().map(|chart| chart.curves.len()).collect();
        assert_eq!(curves, [3, 7]);
        let is_full = |curve: &crate::report::plot::Curve| curve.points.len() == LOADS.len();
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
        let text = text_of(readme(&lines(0.8, 2.0)));
        assert!(text.contains(" deterministic |     0.5000 |"), "{text}");
    }
}
