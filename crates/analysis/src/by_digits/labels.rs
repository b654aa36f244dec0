//! Links by their labels: their numbers, and the names of their ends.

use super::ByDigits;
use crate::certificate::LabelledLink;
use crate::integer::{as_size, index32};
use crate::topology::TreeShape;

impl ByDigits {
    /// The link of a step whose ports have this number, at the first subtree.
    pub(super) fn first_link(&self, up: bool, step: usize, number: u64) -> LabelledLink {
        let port = |at: usize| {
            let parents = u64::from(self.shape.parents(at));
            index32(as_size(number / self.weight(at, step) % parents))
        };
        let digits = vec![0; self.shape.height() + 1 - step];
        LabelledLink { up, ports: (1..=step).map(port).collect(), digits }
    }
}

/// The number of the subtree that a link leaves or enters, and that of its ports but the last.
fn place(shape: &TreeShape, link: &LabelledLink) -> (u64, u64) {
    let step = link.step();
    let levels = (step..).zip(&link.digits);
    let weighted = levels.map(|(level, digit)| {
        let below: u64 = (step..level).map(|level| u64::from(shape.children(level))).product();
        below * u64::from(*digit)
    });
    let subtree: u64 = weighted.sum();
    let below = (1..step).zip(&link.ports);
    let position = below
        .fold(0, |number, (at, port)| number * u64::from(shape.parents(at)) + u64::from(*port));
    (subtree, position)
}

/// The number that the link has in the generated tree.
pub(super) fn number(shape: &TreeShape, link: &LabelledLink) -> u64 {
    let step = link.step();
    let before: u64 = (1..step).map(|step| 2 * shape.links_up(step)).sum();
    let start = if link.up { before } else { before + shape.links_up(step) };
    let (subtree, position) = place(shape, link);
    let node = subtree * shape.shortest_paths(step - 1) + position;
    start + node * u64::from(shape.parents(step)) + u64::from(link.ports[step - 1])
}

/// The name that the link has in the generated tree, `sw-1-0[5] -> sw-2-3[1]`.
pub(super) fn name(shape: &TreeShape, link: &LabelledLink) -> String {
    let (step, port) = (link.step(), link.ports[link.step() - 1]);
    let (subtree, position) = place(shape, link);
    let node = |level: usize, index: u64| {
        if level == 0 { format!("host-{index}") } else { format!("sw-{level}-{index}") }
    };
    let lower = node(step - 1, subtree * shape.shortest_paths(step - 1) + position);
    let children = u64::from(shape.children(step));
    let above = subtree / children * shape.shortest_paths(step)
        + position * u64::from(shape.parents(step))
        + u64::from(port);
    let below = if step == 1 { 0 } else { u64::from(shape.children(step - 1)) };
    let lower = format!("{lower}[{}]", 1 + below + u64::from(port));
    let upper = format!("{}[{}]", node(step, above), 1 + subtree % children);
    if link.up { format!("{lower} -> {upper}") } else { format!("{upper} -> {lower}") }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::topology::{Direction, generate, link_number};

    #[test]
    fn labels_are_those_of_the_generated_tree() {
        let spec = "xgft(3;3,2,4;2,1,3)";
        let (shape, tree) = (TreeShape::named(spec).unwrap().unwrap(), generate(spec).unwrap());
        let mut seen = vec![false; tree.links()];
        for step in 1..=shape.height() {
            for at in 0..shape.shortest_paths(step) * shape.subtrees(step - 1) {
                let form = ByDigits::named(spec, "dmodk").unwrap();
                for up in [true, false] {
                    let paths = shape.shortest_paths(step);
                    let mut link = form.first_link(up, step, at % paths);
                    let mut subtree = at / paths;
                    for (digit, level) in link.digits.iter_mut().zip(step..) {
                        *digit = index32(as_size(subtree % u64::from(shape.children(level))));
                        subtree /= u64::from(shape.children(level));
                    }
                    let found = link_number(as_size(number(&shape, &link)));
                    assert_eq!(tree.link_name(found), name(&shape, &link));
                    assert_eq!(tree.link(found).direction == Direction::Up, up);
                    seen[found as usize] = true;
                }
            }
        }
        assert!(seen.iter().all(|seen| *seen));
    }
}
