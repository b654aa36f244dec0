//! \[GO\] 5.2.1 on networks of other sizes than that of Figures 5 and 6: accepted traffic of the deterministic routing over
//! that of adaptive routing, relative to the same on the 4-ary 4-tree.

use super::{FIGURES, Found, Line, SHOWN, SIZES, UNIFORM};
use crate::study::prelude::*;

const SIMILAR: &str = "The results for other networks sizes are also similar to the ones shown";

/// For both patterns against both selection functions; similar is what is within a tenth.
pub(super) fn claims(lines: &[Line]) -> Vec<Finding> {
    let mut findings = Vec::new();
    for (traffic, of) in FIGURES.into_iter().zip(["uniform", "hot spot of 5 %"]) {
        let found = |network| Found::new(lines, network, traffic);
        for other in ["ff", "sadp"] {
            let shown = found(SHOWN).over(other);
            let name = other.to_uppercase();
            let what = format!(
                "{of}: accepted over that of {name}, relative to the 4-ary 4-tree, with half-widths in its favour"
            );
            let numbers = SIZES.map(|network| relative(found(network).over(other), shown));
            findings.push(Finding::within(
                Case::quote(UNIFORM, SIMILAR),
                &what,
                numbers,
                0.9..=1.1,
            ));
        }
    }
    findings
}

impl Found<'_> {
    /// What is accepted with the deterministic routing over what is with another, and how far it may be off, as a
    /// fraction of it: the intervals of both at once.
    fn over(&self, other: &str) -> (f64, f64) {
        let of = |routing: &str| self.0.iter().find(|line| line.routing == routing);
        let both = of("dmodk").zip(of(other));
        both.map_or((f64::NAN, f64::NAN), |(own, other)| {
            let error = |line: &Line| line.error / line.accepted;
            (own.accepted / other.accepted, error(own).hypot(error(other)))
        })
    }
}

/// A ratio over another, as near to 1 as their errors allow.
fn relative((own, own_error): (f64, f64), (other, other_error): (f64, f64)) -> f64 {
    let (ratio, error) = (own / other, own_error.hypot(other_error));
    ratio - ratio.min(1.0 + error).max(1.0 - error) + 1.0
}

#[cfg(test)]
mod tests {
    use super::super::{ROUTINGS, patterns};
    use super::*;

    /// 0.3 everywhere, half-widths of a part of it.
    fn lines(part: f64) -> Vec<Line> {
        let line = |((network, traffic), routing): ((&str, &str), &str)| Line {
            network: network.to_string(),
            traffic: traffic.to_string(),
            routing: routing.to_string(),
            own: None,
            any: 1.0,
            accepted: 0.3,
            error: 0.3 * part,
            sustained: None,
        };
        itertools::iproduct!(patterns(), ROUTINGS).map(line).collect()
    }

    /// One network accepts a fifth less with SADP under a hot spot, which is 1.25 of the others.
    #[test]
    fn a_ratio_of_its_own_is_found_unless_it_may_be_off() {
        let holds = |part: f64| {
            let mut lines = lines(part);
            let is_hot = |line: &&mut Line| {
                [&line.network, &line.traffic, &line.routing] == [SIZES[2], FIGURES[1], "sadp"]
            };
            let hot = lines.iter_mut().find(is_hot).unwrap();
            (hot.accepted, hot.error) = (0.8 * hot.accepted, 0.8 * hot.error);
            claims(&lines).iter().map(|claim| !claim.fails()).collect::<Vec<_>>()
        };
        assert_eq!(holds(0.0), [true, true, true, false]);
        assert_eq!(holds(0.05), [true, true, true, false]);
        // Four of 8 % are 16 % at once.
        assert_eq!(holds(0.08), [true; 4]);
        assert!(claims(&[]).iter().all(Finding::fails));
    }

    #[test]
    fn errors_are_in_favour_of_1() {
        let close = |a: f64, b: f64| (a - b).abs() < 1e-12;
        assert!(close(relative((1.2, 0.03), (1.0, 0.04)), 1.15));
        assert!(close(relative((0.8, 0.03), (1.0, 0.04)), 0.85));
        assert!(close(relative((1.04, 0.03), (1.0, 0.04)), 1.0));
    }
}
