//! Classes of the links of a step: what they carry at most, how many there are, the first one.

use std::collections::BTreeMap;

use super::ByDigits;
use crate::certificate::Quantity;
use crate::integer::index32;
use crate::limit::{TooLarge, within};
use crate::routing::DigitRule;

/// Some ways to choose the ports of a link.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) struct Class {
    /// Number of these ways.
    pub(super) ways: u64,
    /// The least number W1..Wl of one, W1 most significant.
    pub(super) first: u64,
}

/// Classes by a number of units of traffic.
pub(super) type Classes = BTreeMap<u64, Class>;

/// Maximum number of classes of a step. Digits modulo w give two sizes and the routings of the registry far fewer
/// classes, but rules may be any tables.
const MAX_CLASSES: u64 = 1 << 16;

/// Adds a class to those of the same number.
pub(super) fn add(classes: &mut Classes, units: u64, class: Class) {
    let known = classes.entry(units).or_insert(Class { ways: 0, first: u64::MAX });
    known.ways += class.ways;
    known.first = known.first.min(class.first);
}

fn few(classes: usize) -> Result<(), TooLarge> {
    let remedy = "choose a tree with fewer different m and w";
    within("number of classes of links", Some(classes as u128), MAX_CLASSES, remedy)?;
    Ok(())
}

/// Numbers of digits by how many lead to the same port, with these ports.
pub(super) fn sizes(ports: &[u32], parents: u32) -> Classes {
    let mut sorted = ports.to_vec();
    sorted.sort_unstable();
    let (mut sizes, mut used, mut unused) = (Classes::new(), 0, 0);
    for same in sorted.chunk_by(|a, b| a == b) {
        unused += u64::from(unused == u64::from(same[0]));
        used += 1;
        add(&mut sizes, same.len() as u64, Class { ways: 1, first: same[0].into() });
    }
    if used < parents {
        let ways = u64::from(parents - used);
        add(&mut sizes, 0, Class { ways, first: unused });
    }
    sizes
}

impl ByDigits {
    /// The most that can leave a subtree of every height, in units of what can leave a host; the largest
    /// number where nothing limits it.
    pub(super) fn capacities(&self, quantity: Quantity) -> Vec<u64> {
        let host = self.shape.shortest_paths(1);
        let capacity = |height: usize| match quantity {
            _ if height == 0 => 1,
            Quantity::ObliviousRatio => self.shape.shortest_paths(height + 1) / host,
            _ => u64::MAX,
        };
        (0..self.shape.height()).map(capacity).collect()
    }

    /// The rule that looks at a digit of a host, with its step, where that is at most `step`.
    pub(super) fn rule_of(
        &self,
        source: bool,
        digit: usize,
        step: usize,
    ) -> Option<(usize, &[u32])> {
        (1..).zip(self.rules.steps()).take(step).find_map(|(at, rule)| match rule {
            DigitRule::Source { digit: own, ports } if source && *own == digit => {
                Some((at, &ports[..]))
            }
            DigitRule::Destination { digit: own, ports } if !source && *own == digit => {
                Some((at, &ports[..]))
            }
            _ => None,
        })
    }

    /// What subtrees of height step − 1 send or receive: a_{l−1}, or b_{l−1}, by the ports that the
    /// digits of these hosts decide.
    fn of_side(&self, source: bool, step: usize, capacities: &[u64]) -> Result<Classes, TooLarge> {
        let mut classes = Classes::from([(1, Class { ways: 1, first: 0 })]);
        for (digit, capacity) in (1..step).zip(&capacities[1..]) {
            let (weight, sizes) = if let Some((at, _)) = self.rule_of(source, digit, step) {
                (self.weight(at, step), self.sizes[at - 1].clone())
            } else {
                let all = u64::from(self.shape.children(digit));
                (0, Classes::from([(all, Class { ways: 1, first: 0 })]))
            };
            let mut next = Classes::new();
            for (below, class) in &classes {
                for (size, ports) in &sizes {
                    let units = grown(*size, *below, *capacity);
                    let first = class.first + weight * ports.first;
                    add(&mut next, units, Class { ways: class.ways * ports.ways, first });
                }
            }
            few(next.len())?;
            classes = next;
        }
        Ok(classes)
    }

    /// The weight of a step: what port 1 of it adds to the number of the ports up to `step`.
    pub(super) fn weight(&self, at: usize, step: usize) -> u64 {
        (at + 1..=step).map(|step| u64::from(self.shape.parents(step))).product()
    }

    /// The most that can be received from, or sent to, hosts outside the subtree below a link of a step, y_l,
    /// if each subtree of height step − 1 there takes `units`. Also what is to be spread over the
    /// subtrees beside the ancestor at each level from `step` on.
    pub(super) fn outside(&self, step: usize, units: u64, capacities: &[u64]) -> (u64, Vec<u64>) {
        let (mut inside, mut beside) = (units, Vec::new());
        for level in step..=self.shape.height() {
            let siblings = u64::from(self.shape.children(level)) - 1;
            beside.push(siblings.saturating_mul(inside));
            let above = capacities.get(level).copied().unwrap_or(u64::MAX);
            inside = grown(siblings + 1, inside, above);
        }
        let levels = (step..=self.shape.height()).rev().zip(beside.iter().rev());
        let all = levels.fold(0_u64, |above, (level, beside)| {
            above.saturating_add(*beside).min(capacities[level - 1])
        });
        (all, beside)
    }

    /// The units of traffic that links of a step carry at most.
    pub(super) fn classes(
        &self,
        up: bool,
        step: usize,
        capacities: &[u64],
    ) -> Result<Classes, TooLarge> {
        let near = self.of_side(up, step, capacities)?;
        let mut far = Classes::new();
        for (units, class) in self.of_side(!up, step, capacities)? {
            add(&mut far, self.outside(step, units, capacities).0, class);
        }
        let (mut open, mut closed) = (1, None);
        for (at, rule) in (1..=step).zip(self.rules.steps()) {
            match rule {
                DigitRule::Even => open *= u64::from(self.shape.parents(at)),
                DigitRule::Zero if self.shape.parents(at) > 1 => {
                    closed = Some(self.weight(at, step));
                }
                _ => {}
            }
        }
        few(near.len() * far.len())?;
        let mut all = Classes::new();
        for (inner, near) in &near {
            for (outer, far) in &far {
                let ways = near.ways * far.ways * open;
                let first = near.first + far.first;
                add(&mut all, *inner.min(outer), Class { ways, first });
            }
        }
        if let Some(first) = closed {
            let open: u64 = all.values().map(|class| class.ways).sum();
            let ways = self.shape.shortest_paths(step) - open;
            add(&mut all, 0, Class { ways, first });
        }
        Ok(all)
    }

    /// The digits of a host that pairs of a link may have, where they are limited.
    pub(super) fn allowed(&self, source: bool, digit: usize, ports: &[u32]) -> Option<Vec<u32>> {
        let (at, table) = self.rule_of(source, digit, ports.len())?;
        let leads = |(digit, port): (usize, &u32)| (*port == ports[at - 1]).then(|| index32(digit));
        Some(table.iter().enumerate().filter_map(leads).collect())
    }
}

/// The units that `size` subtrees of `units` each send together, at most `capacity`.
pub(super) fn grown(size: u64, units: u64, capacity: u64) -> u64 {
    size.saturating_mul(units).min(capacity)
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::routing::DigitRules;

    #[test]
    fn ports_are_counted_by_their_digits() {
        let class = |ways, first| Class { ways, first };
        assert_eq!(
            sizes(&[0, 1, 0, 1, 0], 3),
            Classes::from([(0, class(1, 2)), (2, class(1, 1)), (3, class(1, 0)),])
        );
        assert_eq!(sizes(&[1, 3], 5), Classes::from([(0, class(3, 0)), (1, class(2, 1))]));
        assert_eq!(sizes(&[0], 1), Classes::from([(1, class(1, 0))]));
    }

    /// Rules that no routing of the registry has: 301 ports, 0, 1, …, 300 of whose digits lead to
    /// them, for the sources at step 2 and for the destinations at step 3.
    #[test]
    fn classes_are_few() {
        let mut form = ByDigits::named("xgft(3;45150,2,2;1,301,301)", "dmodk").unwrap();
        let ports: Vec<u32> =
            (0..=300).flat_map(|port| std::iter::repeat_n(port, port as usize)).collect();
        assert_eq!(ports.len(), 45150);
        form.sizes = [&[][..], &ports, &ports].map(|ports| sizes(ports, 301)).to_vec();
        form.rules = DigitRules::new(vec![
            DigitRule::Zero,
            DigitRule::Source { digit: 1, ports: ports.clone() },
            DigitRule::Destination { digit: 1, ports },
        ]);
        let capacities = form.capacities(Quantity::PermutationLoad);
        assert!(form.classes(true, 2, &capacities).is_ok());
        let error = form.classes(true, 3, &capacities).unwrap_err();
        assert_eq!((&*error.size, error.limit), ("90601", MAX_CLASSES));
    }

    /// Every link of every step is in one class.
    #[test]
    fn classes_have_all_links() {
        for (topology, routing) in [
            ("xgft(3;5,4,3;2,3,2)", "dmodk"),
            ("xgft(3;5,4,3;2,3,2)", "omrmn"),
            ("ft(8,4)", "smodk"),
            ("ft(6,3)", "osrm3"),
        ] {
            let form = ByDigits::named(topology, routing).unwrap();
            for quantity in [Quantity::ObliviousRatio, Quantity::PermutationLoad] {
                let capacities = form.capacities(quantity);
                for step in 1..=form.shape.height() {
                    for up in [true, false] {
                        let classes = form.classes(up, step, &capacities).unwrap();
                        let ways: u64 = classes.values().map(|class| class.ways).sum();
                        assert_eq!(ways, form.shape.shortest_paths(step), "{routing} {topology}");
                    }
                }
            }
        }
    }
}
