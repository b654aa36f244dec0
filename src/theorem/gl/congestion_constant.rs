//! \[GL\] 4: the congestion parameter of universal fat-trees is a constant.
//!
//! Let the capacities c_k grow by one or more every two levels. Then what channels above level
//! K add to the heaviest path is at most 4·x^{c_K} ÷ (1 − x): there is one way up and one down,
//! and above level K at most two channels each way have c_K wires, two c_K + 1, and so on. So one
//! tree of K + 1 levels and this rest bound r for every n. That capacities grow so is looked at up
//! to 2^12 hosts; beyond that it follows from the rules: at level k they gain more than 2^{k/2} − 1
//! wires in two levels, or one a level where growth is linear.

use super::trees;
use crate::load::{Channel, ChannelTree, e_bounds};
use crate::ratio::Ratio;
use crate::registry::Kind;
use crate::theorem::{Basis, Finding, Scope, Statement, Subject, TheoremError};
use crate::topology::Direction;

pub(super) const KIND: Kind<Statement> = Kind {
    name: "gl-congestion-constant",
    usage: "gl-congestion-constant",
    about: "The congestion parameter of universal fat-trees is a constant; arithmetic growth of \
            capacities is enough",
    reference: "[GL] 4, after the definition of r",
    examples: &["gl-congestion-constant"],
    build: Statement {
        hypothesis: "capacities that grow with the level",
        subject: Subject::Cases { check },
        remark: None,
        ..Statement::UNREAD
    },
};

/// Levels of channels of the tree whose paths are weighed.
const LEVELS: u32 = 8;

/// Levels of channels whose growth is looked at.
const GROWTH: u32 = 12;

fn check(scope: &Scope) -> Result<Vec<Finding>, TheoremError> {
    let mut findings = Vec::new();
    for growth in trees::UNIVERSAL.into_iter().chain(["double", "linear"]) {
        scope.progress.check()?;
        findings.push(finding(growth)?);
        scope.progress.inc(1);
    }
    Ok(findings)
}

fn finding(growth: &str) -> Result<Finding, TheoremError> {
    let (topology, tree) = trees::tree(1 << LEVELS, growth, 1)?;
    let defect = || TheoremError::Hypothesis(topology.spec().to_string());
    let r = tree.congestion_parameter().ok_or_else(defect)?;
    // A little more than the r of the small tree, with a short denominator.
    let constant = Ratio::from_big((&r.upper * &Ratio::from(100)).floor() + 2_u8, 100_u8.into());
    let constant = constant.ok_or_else(defect)?;
    // x >= e ÷ constant: what weighs at most 1/2 at x shows that r <= e/x <= constant.
    let [_, e] = e_bounds();
    let x = e.checked_div(&constant).map(|x| (&x * &Ratio::from(1_000_000)).floor() + 1_u8);
    let x = x.and_then(|x| Ratio::from_big(x, 1_000_000_u32.into())).ok_or_else(defect)?;
    let (_, tall) = trees::tree(1 << GROWTH, growth, 1)?;
    let grows = capacities(&tall).windows(3).all(|c| c[2] >= &c[0] + &Ratio::ONE);
    let weight = tree.heaviest_path(&x).ok_or_else(defect)?;
    let holds = grows && &weight + &rest(&tree, &x).ok_or_else(defect)? <= half();
    let found = format!(
        "r >= {:.6} at n = {}, r <= {constant} at every n{}",
        r.lower.to_f64() - 5e-7,
        topology.hosts(),
        if holds { "" } else { ": not shown" }
    );
    let case = format!("growth {growth}");
    Ok(Finding::holds(case, "r is bounded", found, holds, Basis::Exhaustive))
}

fn half() -> Ratio {
    Ratio::new(1, 2).unwrap_or(Ratio::ZERO)
}

/// The most that channels above the tree add to a path.
fn rest(tree: &ChannelTree, x: &Ratio) -> Option<Ratio> {
    let topmost = capacities(tree).pop()?.scaled(1)?;
    let power = (0..topmost).fold(Ratio::ONE, |power, _| &power * x);
    (&power * &Ratio::from(4)).checked_div(&Ratio::ONE.checked_sub(x)?)
}

/// Capacities of the channels above host 0, upwards.
fn capacities(tree: &ChannelTree) -> Vec<Ratio> {
    let above = |node: &u32| Some(tree.parent(*node)).filter(|parent| parent != node);
    let nodes = std::iter::successors(Some(0), above);
    let channels = nodes.map(|below| Channel { below, direction: Direction::Up });
    channels.map(|channel| tree.capacity(channel).clone()).filter(|cap| !cap.is_zero()).collect()
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::theorem::Outcome;

    #[test]
    fn without_growth_it_is_not_bounded() {
        assert_eq!(finding("double2").unwrap().outcome, Outcome::Holds);
        assert!(matches!(finding("constant").unwrap().outcome, Outcome::Fails(_)));
    }

    /// The tall tree itself stays within the constant.
    #[test]
    fn the_constant_bounds_the_tall_tree() {
        for growth in trees::UNIVERSAL {
            let small = trees::tree(1 << LEVELS, growth, 1).unwrap().1;
            let tall = trees::tree(1 << 14, growth, 1).unwrap().1;
            let [small, tall] = [small, tall].map(|tree| tree.congestion_parameter().unwrap());
            assert!(small.lower <= tall.upper, "{growth}");
            let excess = tall.upper.checked_sub(&small.lower).unwrap();
            assert!(excess < Ratio::new(1, 100).unwrap(), "{growth}: {excess}");
        }
    }
}
