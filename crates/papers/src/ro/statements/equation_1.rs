//! \[RO\] equation (1).

use crate::theorem::prelude::*;

pub(super) const KIND: Statement = Statement::new("ro-equation-1", "[RO] II, equation (1)")
    .about("An XGFT has the sum over i of m_{i+1}..m_h w_1..w_i inner switches")
    .hypothesis("every XGFT")
    .quote("the number of inner switches I can be computed as")
    .networks(|tree| tree.plain_tree().is_some(), |topology, scope| check(topology, scope, 0))
    .planted(Planted::Check(|scope| check(&generate("xgft(2;16,16;1,10)")?, scope, 1)));

/// The number of switches against the formula plus `more`.
fn check(topology: &Topology, scope: &Scope, more: u64) -> Findings {
    scope.progress.check()?;
    let Some(tree) = topology.plain_tree() else { return Ok(Vec::new()) };
    let found = topology.nodes() - topology.hosts();
    let case = topology.spec();
    Ok(vec![Finding::equal(case, inner(tree) + more, found as u64, Basis::Exhaustive)])
}

fn inner(tree: &Xgft) -> u64 {
    let h = tree.height();
    let product = |numbers: &mut dyn Iterator<Item = u32>| numbers.map(u64::from).product::<u64>();
    let of_level = |i: usize| {
        product(&mut (i + 1..=h).map(|j| tree.children(j)))
            * product(&mut (1..=i).map(|j| tree.parents(j)))
    };
    (1..=h).map(of_level).sum()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn by_hand_and_not_of_another_tree() {
        let (slim, full) = (generate("xgft(2;16,16;1,10)"), generate("kary(16,2)"));
        let (slim, full) = (slim.unwrap(), full.unwrap());
        let count = |tree: &Topology| inner(tree.tree().unwrap());
        assert_eq!((count(&slim), count(&full)), (26, 32));
        assert_ne!(count(&slim), (full.nodes() - full.hosts()) as u64);
    }
}
