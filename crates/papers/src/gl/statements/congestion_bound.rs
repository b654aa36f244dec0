//! \[GL\] 4: the congestion parameter r of fat-trees based on complete binary trees.
//!
//! r ≤ 4e lg n means that the heaviest path weighs at most 1/2 at x = e/r = 1/(4 lg n), which is
//! rational: the comparison is exact, and e does not enter into it.

use super::prelude::*;
use crate::channel_tree::CongestionParameter;

pub(super) const KIND: Statement = Statement::new("gl-congestion-bound", "[GL] 4, after the definition of r")
    .about("The congestion parameter of a fat-tree based on a complete binary tree is r <= 4e lg n")
    .hypothesis("fat-trees based on complete binary trees")
    // The transcript has epsilon for e.
    .quote("the longest simple path is at most $2 \\lg n$, where n is the number of processors, and thus $r \\leq 4 \\epsilon \\lg n$.")
    .cases(|scope| check(scope, scope.hosts, 4))
    // Too small where all channels have one wire.
    .planted(Planted::Check(|scope| check(scope, 16, 3)));

fn check(scope: &Scope, hosts: usize, factor: u64) -> Findings {
    let trees = trees::all(hosts)?;
    let findings = trees.par_iter().map(|(topology, tree)| {
        scope.progress.check()?;
        let found = finding(topology, tree, factor);
        scope.progress.inc(1);
        found.ok_or_else(|| defect(topology.spec()))
    });
    findings.collect()
}

/// The claim that r ≤ `factor`·e·lg n.
fn finding(topology: &Topology, tree: &ChannelTree, factor: u64) -> Option<Finding> {
    let multiple = factor * u64::from(topology.hosts().ilog2());
    let weight = tree.heaviest_path(&Rational::new(1, multiple)?)?;
    let CongestionParameter { lower, upper } = tree.congestion_parameter()?;
    let found = format!("{:.9} <= r <= {:.9}", lower.to_f64() - 5e-10, upper.to_f64() + 5e-10);
    let claimed = format!("<= {multiple} e");
    let half = Rational::new(1, 2)?;
    let case = format!("r of {}", topology.spec());
    if weight > half {
        return Some(Finding::holds(case, claimed, found, false, Basis::Exhaustive));
    }
    let [e, _] = e_bounds();
    let slack = (&e * &Rational::from(multiple)).checked_sub(&upper).unwrap_or(Rational::ZERO);
    let outcome = if weight == half { Outcome::Holds } else { Outcome::Loose(thousandths(&slack)) };
    Some(Finding::new(case, claimed, found, outcome, Basis::Exhaustive))
}

/// Rounded down, for people; what is not zero stays nonzero.
fn thousandths(value: &Rational) -> Rational {
    let whole = (value * &Rational::from(1000)).floor();
    Rational::from_big(whole, 1000_u32.into()).filter(|v| !v.is_zero()).unwrap_or(value.clone())
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_bound_is_attained_where_all_channels_have_one_wire_and_no_smaller_one_holds() {
        let (topology, tree) = trees::tree(16, "constant", 1).unwrap();
        assert_eq!(finding(&topology, &tree, 4).unwrap().outcome, Outcome::Holds);
        assert!(matches!(finding(&topology, &tree, 3).unwrap().outcome, Outcome::Fails(_)));
        let (topology, tree) = trees::tree(16, "double2", 1).unwrap();
        assert!(matches!(finding(&topology, &tree, 4).unwrap().outcome, Outcome::Loose(_)));
    }
}
