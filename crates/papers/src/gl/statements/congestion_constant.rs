//! \[GL\] 4: the congestion parameter of universal fat-trees is a constant.
//!
//! Let the capacities c_k grow by one or more every two levels. Then the channels above level K add
//! at most 4·x^{c_K} ÷ (1 − x) to the heaviest path: there is one way up and one down, and above
//! level K at most two channels each way have c_K wires, two c_K + 1, and so on. So one tree of
//! K + 1 levels and this remainder bound r for every n. That capacities grow like this is checked
//! up to 2^12 hosts; beyond that it follows from the rules: at level k they gain more than
//! 2^{k/2} − 1 wires in two levels, or one per level where growth is linear.
//!
//! r of a tree is that of its heaviest path, and the paths of a tree are paths of the next larger
//! one of the same growth, so the largest tree bounds r of all smaller ones.

use super::prelude::*;

pub(super) const KIND: Statement = Statement::new("gl-congestion-constant", "[GL] 4, after the definition of r")
    .about("The congestion parameter of universal fat-trees is a constant; arithmetic growth of \
            capacities is enough")
    .hypothesis("capacities that grow with the level: computed up to n = 2^12, every n by argument")
    .quote("the congestion parameter is a constant because the capacities of channels grow exponentially as we go up the tree. (All we really need is arithmetic growth in the channel capacities.)")
    .cases(|scope| check(scope, trees::UNIVERSAL.into_iter().chain(["double", "linear"])))
    // Capacities that do not grow.
    .planted(Planted::Check(|scope| check(scope, ["constant"])));

/// Levels of channels of the tree whose paths are weighed.
const LEVELS: u32 = 8;

/// Levels of channels whose growth is checked.
const GROWTH: u32 = 12;

fn check(scope: &Scope, growths: impl IntoIterator<Item = &'static str>) -> Findings {
    scope.each(growths, on_growth)
}

/// Computed up to 2^[`GROWTH`] hosts, and argued for every n.
fn on_growth(growth: &str) -> Result<[Finding; 2]> {
    let (topology, tree) = trees::tree(1 << LEVELS, growth, 1)?;
    let defect = || defect(topology.spec());
    let r = tree.congestion_parameter().ok_or_else(defect)?;
    // A little more than the r of the small tree, with a short denominator.
    let constant =
        Rational::from_big((&r.upper * &Rational::from(100)).floor() + 2_u8, 100_u8.into());
    let constant = constant.ok_or_else(defect)?;
    // x >= e ÷ constant: a heaviest path of at most 1/2 at x shows that r <= e/x <= constant.
    let [_, e] = e_bounds();
    let x = e.checked_div(&constant).map(|x| (&x * &Rational::from(1_000_000)).floor() + 1_u8);
    let x = x.and_then(|x| Rational::from_big(x, 1_000_000_u32.into())).ok_or_else(defect)?;
    let (_, tall) = trees::tree(1 << GROWTH, growth, 1)?;
    let computed = tall.heaviest_path(&x).ok_or_else(defect)? <= half();
    let weight = tree.heaviest_path(&x).ok_or_else(defect)?;
    let grows = capacities(&tall).windows(3).all(|c| c[2] >= &c[0] + &Rational::ONE);
    let argued = grows && &weight + &rest(&tree, &x).ok_or_else(defect)? <= half();
    let claimed = format!("r <= {constant}");
    let shown = |holds: bool| if holds { "shown" } else { "not shown" };
    let found = format!("r >= {:.6} at n = {}", r.lower.to_f64() - 5e-7, topology.hosts());
    let finding = |n: &str, holds: bool, basis| {
        let found = format!("{found}; {}", shown(holds));
        Finding::holds(format!("growth {growth}, {n}"), &claimed, found, holds, basis)
    };
    let basis = Basis::Argued("the docs of crates/papers/src/gl/statements/congestion_constant.rs");
    Ok([
        finding(&format!("n = 2..2^{GROWTH}"), computed, Basis::Grid { points: GROWTH.into() }),
        finding("every n", argued, basis),
    ])
}

fn half() -> Rational {
    fraction(1, 2)
}

/// The most that channels above the tree add to a path.
fn rest(tree: &ChannelTree, x: &Rational) -> Option<Rational> {
    let topmost = capacities(tree).pop()?.scaled(1)?;
    let power = (0..topmost).fold(Rational::ONE, |power, _| &power * x);
    (&power * &Rational::from(4)).checked_div(&Rational::ONE.checked_sub(x)?)
}

/// Capacities of the channels above host 0, upwards.
fn capacities(tree: &ChannelTree) -> Vec<Rational> {
    let above = |node: &u32| Some(tree.parent(*node)).filter(|parent| parent != node);
    let nodes = std::iter::successors(Some(0), above);
    let channels = nodes.map(|below| Channel { below, direction: Direction::Up });
    channels.map(|channel| tree.capacity(channel).clone()).filter(|cap| !cap.is_zero()).collect()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn without_growth_it_is_not_bounded() {
        let holds = |finding: &Finding| finding.outcome == Outcome::Holds;
        assert!(on_growth("double2").unwrap().iter().all(holds));
        assert!(on_growth("constant").unwrap().iter().all(Finding::fails));
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
            assert!(excess < Rational::new(1, 100).unwrap(), "{growth}: {excess}");
        }
    }
}
