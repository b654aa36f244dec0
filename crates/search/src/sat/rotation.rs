//! Routings that are invariant under rotation of subtrees: a restriction under which models are
//! found sooner, if there are any.
//!
//! Rotating the digit M_l of all hosts is an automorphism of the tree that keeps ports. A routing
//! is invariant when a pair and the rotated pair use the same ports; then the rotated cover of a
//! link covers the rotated link. Where the restriction has no model, that proves nothing.

use super::Formula;
use super::cover::CoverProblem;
use crate::prelude::*;

impl CoverProblem {
    /// The formula with the restriction that choices are invariant under rotation of each of
    /// the digits M_l, l ≥ `from`; `None` when `progress` is cancelled. The variables are those of
    /// [`Self::formula`].
    ///
    /// # Errors
    /// As for [`Self::formula`].
    pub fn rotation_invariant_until(
        &self,
        from: usize,
        progress: &Progress,
    ) -> Result<Option<Formula>, TooLarge> {
        let Some(mut formula) = self.formula_until(progress)? else { return Ok(None) };
        let pairs = self.pairs();
        let hosts = self.tree.hosts();
        let mut place = vec![None; hosts * hosts];
        for pair in &pairs {
            place[pair.s as usize * hosts + pair.d as usize] = Some(*pair);
        }
        for pair in &pairs {
            if progress.cancelled() {
                return Ok(None);
            }
            for level in from..=self.tree.height() {
                let [s, d] = [pair.s, pair.d].map(|host| rotated(&self.tree, host, level));
                let Some(other) = place[s as usize * hosts + d as usize] else { continue };
                for (a, b) in self.variables(pair).zip(self.variables(&other)) {
                    formula.add([-a, b]);
                }
            }
        }
        Ok(Some(formula))
    }
}

/// The host with digit M_level one higher, modulo m_level.
fn rotated(tree: &Xgft, host: Host, level: usize) -> Host {
    let (digit, count) = (tree.digit(host, level), tree.children(level));
    let step = tree.subtree_hosts(level - 1);
    if digit + 1 == count { host - digit * step } else { host + step }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::sat::{Answer, Settings, backend};

    #[test]
    fn rotations_of_a_digit_are_a_cycle() {
        let topology = generate("ft(6,3)").unwrap();
        let tree = topology.tree().unwrap();
        for (level, count) in [(1, 3), (2, 3), (3, 6)] {
            let mut host = 17;
            for step in 1..=count {
                host = rotated(tree, host, level);
                assert_eq!(host == 17, step == count);
            }
        }
    }

    #[test]
    fn a_model_is_a_model_of_the_whole_and_invariant() {
        let topology = generate("ft(6,2)").unwrap();
        let tree = topology.tree().unwrap();
        let problem = CoverProblem { tree: tree.clone(), most: 2, first_step: 2, ordered: 0 };
        let formula = problem.rotation_invariant_until(2, &Progress::silent()).unwrap().unwrap();
        let settings = Settings::default();
        let found = backend::solve(&formula, settings, &Progress::silent()).unwrap();
        let Answer::Model(model) = found else { panic!("`grid` is such a routing") };
        assert!(problem.formula().unwrap().is_satisfied_by(&model));
        let digits = problem.up_digits(&model);
        let pair = |s: Host, d: Host| &digits[(s * 18 + d) as usize];
        for (s, d) in (0..18).flat_map(|s| (0..18).map(move |d| (s, d))) {
            assert_eq!(pair(s, d), pair(rotated(tree, s, 2), rotated(tree, d, 2)));
        }
    }
}
