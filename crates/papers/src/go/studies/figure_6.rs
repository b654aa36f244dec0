//! \[GO\] Figure 6: latency against accepted traffic, with a hot spot on a 4-ary 4-tree.

use super::curves::{Key, Runs};
use super::latency::{
    DETERMINISTIC, FF_IN_ORDER, FREE, Figure, Latency, SADP_IN_ORDER, all_curves, points_at,
    with_order, without_order,
};
use super::points::{Line, Point};
use super::{UNIFORM, page};
use crate::study::prelude::*;

pub(super) const KIND: Kind<Study> = Study::kind::<Latency<Figure6>>(
    &["go-figure-6"],
    "[GO] 5.2.1, Figure 6",
    "latency against accepted traffic of deterministic and adaptive routing where one host receives \
            5 or 20 percent of the traffic, with and without in-order delivery",
);

/// A part of the figure.
struct Part {
    traffic: &'static str,
    title: &'static str,
    /// Thousandths of a link.
    loads: [u64; 9],
    /// Flits per cycle and host at which the link to the hot host is busy all the time.
    bound: f64,
}

/// 255 hosts send 1/20 + 19/20/255 or 1/5 + 4/5/255 of their traffic to the hot one: 13.7 or 51.8 times the
/// traffic of a host.
const PARTS: [Part; 2] = [
    Part {
        traffic: "hotspot-percent(percent=5,host=100)",
        title: "hot spot of 5 %",
        loads: [10, 20, 40, 50, 60, 70, 80, 120, 200],
        bound: 1.0 / 13.7,
    },
    Part {
        traffic: "hotspot-percent(percent=20,host=100)",
        title: "hot spot of 20 %",
        loads: [4, 8, 12, 15, 17, 19, 22, 40, 80],
        bound: 1.0 / 51.8,
    },
];

struct Figure6;

impl Figure for Figure6 {
    fn points(tier: Tier) -> Vec<Point> {
        PARTS.iter().flat_map(|part| points_at(part.traffic, &part.loads, tier)).collect()
    }

    /// The charts (a) and (b) with in-order delivery, and below them those without.
    fn charts(lines: &[Line]) -> Vec<Chart> {
        let rows =
            [("in-order delivery", with_order()), ("without in-order delivery", without_order())];
        let chart = |(delivery, keys): &(&str, Vec<Key>), part: &Part| {
            Runs::new(lines, part.traffic).chart(&format!("{}, {delivery}", part.title), keys)
        };
        rows.iter().flat_map(|row| PARTS.iter().map(move |part| chart(row, part))).collect()
    }

    fn readme(lines: &[Line]) -> Page {
        let mut text = FINDINGS.to_string();
        for part in &PARTS {
            let runs = Runs::new(lines, part.traffic);
            let loads =
                [part.loads[3], part.loads[5], part.loads[8]].map(|load| load as f64 / 1000.0);
            let summary = runs.summary(&all_curves(), loads);
            let (title, bound) = (part.title, part.bound);
            // A String takes every write.
            let _ = write!(
                text,
                "\n{title}: the link to the hot host is busy all the time from a load of {bound:.4} on.\n\n{summary}"
            );
        }
        page(HEADER, &claims(lines), &text)
    }
}

/// The claims of the paper about Figure 6.
pub(super) fn claims(lines: &[Line]) -> Vec<Finding> {
    let [a, b] = PARTS.map(|part| Runs::new(lines, part.traffic));
    [few(&a), order([&a, &b]), many(&b)].concat()
}

/// With 5 %.
fn few(a: &Runs<'_>) -> Vec<Finding> {
    let ordered = with_order().split_off(1);
    let spread = FREE.map(|key| a.above_saturation(key, DETERMINISTIC)).concat();
    vec![
        Finding::within(
            Case::quote(
                UNIFORM,
                "deterministic routing obtains a slightly higher throughput than the adaptive ones when \
             guaranteeing in-order delivery",
            ),
            "5 %: throughput over that of each adaptive one",
            a.peaks(DETERMINISTIC, &ordered),
            1.005..=1.1,
        ),
        Finding::within(
            Case::quote(
                UNIFORM,
                "in the deterministic routing algorithm, that congestion is not spread",
            ),
            "5 %: latency of FF and SADP without order over its latency, at loads that neither keeps up with",
            spread,
            1.1..=f64::INFINITY,
        ),
    ]
}

/// With order and without.
fn order(both: [&Runs<'_>; 2]) -> Vec<Finding> {
    let largest = [(FREE[0], FF_IN_ORDER[2]), (FREE[1], SADP_IN_ORDER[2])];
    vec![
        Finding::within(
            Case::quote(
                UNIFORM,
                "the performance results obtained are similar to the ones obtained when in-order delivery is \
             required",
            ),
            "throughput without order over that with a buffer of 1024",
            largest
                .iter()
                .flat_map(|(free, kept)| both.map(|runs| runs.peak(*free) / runs.peak(*kept))),
            0.95..=1.05,
        ),
        Finding::within(
            Case::quote(
                UNIFORM,
                "for SADP when a low buffer size is used the performance achieved by the network is fairly smaller",
            ),
            "throughput of SADP with a buffer of 2 over that without order",
            both.map(|runs| runs.peak(SADP_IN_ORDER[0]) / runs.peak(FREE[1])),
            0.0..=0.95,
        ),
    ]
}

/// With 20 %.
fn many(b: &Runs<'_>) -> Vec<Finding> {
    let adaptive = all_curves().split_off(1);
    let every = adaptive.iter().copied().chain([DETERMINISTIC]);
    vec![
        Finding::within(
            Case::quote(UNIFORM, "all the routing algorithms obtain a very low performance"),
            "20 %: throughput of all",
            every.map(|key| b.peak(key)),
            0.0..=0.1,
        ),
        Finding::within(
            Case::quote(UNIFORM, "deterministic is not worst than the adaptive ones"),
            "20 %: throughput over that of each adaptive one, with the half-widths of both in its favour",
            b.peaks_at_best(DETERMINISTIC, &adaptive),
            1.0..=f64::INFINITY,
        ),
    ]
}

const HEADER: &str = include_str!("figure_6.header.md");

const FINDINGS: &str = include_str!("figure_6.findings.md");

#[cfg(test)]
mod tests {
    use super::*;
    use crate::study::engine::text_of;

    /// Lines of all points, with this throughput and latency of adaptive routing over those of deterministic.
    fn lines(throughput: f64, latency: f64) -> Vec<Line> {
        let line = |point: &Point| {
            let offered = point.load as f64 / 1000.0;
            let bound = PARTS.iter().find(|part| part.traffic == point.traffic).unwrap().bound;
            let is_own = point.routing == "dmodk";
            let (most, times) = if is_own { (1.0, 1.0) } else { (throughput, latency) };
            Line {
                traffic: point.traffic.to_string(),
                routing: point.routing.to_string(),
                buffer: point.buffer,
                load: offered,
                offered,
                accepted: offered.min(bound * most),
                error: 0.0001,
                latency: times * 9000.0,
                half_width: 10.0,
                early: 0.1,
            }
        };
        Figure6::points(Tier::Full).iter().map(line).collect()
    }

    #[test]
    fn every_part_has_loads_on_both_sides_of_its_bound() {
        assert_eq!(Figure6::points(Tier::Full).len(), 2 * 9 * 9);
        for part in &PARTS {
            let bound = 1000.0 * part.bound;
            let below = part.loads.iter().filter(|load| (**load as f64) < bound).count();
            assert!((5..8).contains(&below), "{below}");
        }
        assert_eq!(Figure6::charts(&lines(1.0, 1.0)).len(), 4);
    }

    #[test]
    fn thresholds_decide() {
        let holds = |throughput, latency| -> Vec<bool> {
            claims(&lines(throughput, latency)).iter().map(|claim| !claim.fails()).collect()
        };
        assert_eq!(holds(1.0, 3.0), [false, true, true, false, true, true]);
        assert_eq!(holds(0.95, 1.0), [true, false, true, false, true, true]);
        assert_eq!(holds(1.2, 1.0), [false, false, true, false, true, false]);
        // A difference of 0.8 % is within two errors of 0.5 %, one of 2 % is not.
        assert!(holds(1.008, 1.0)[5] && !holds(1.02, 1.0)[5]);
        let text = text_of(Figure6::readme(&lines(1.0, 1.0)));
        assert!(text.contains("from a load of 0.0730 on"), "{text}");
    }
}
