#![doc = include_str!("ENCODING.md")]

use super::{Formula, Literal};
use crate::prelude::*;

/// Maximum size of a formula, as counted in `ENCODING.md`: larger ones are not checked.
pub const MAX_SIZE: u64 = 1 << 26;

/// The reason why a pair has a port at every step.
const MODEL: &str = "a model satisfies the clauses of every choice";

/// The question whether a tree has a single-path routing under which the SD pairs of every link
/// are covered by few hosts.
///
/// ```
/// # use routebound_search as routebound;
/// use routebound::{progress::Progress, sat::{self, Answer, Settings, cover::CoverProblem}};
/// let tree = routebound::topology::generate("ft(4,2)")?;
/// let tree = tree.tree().ok_or("no labels")?.clone();
/// let problem = CoverProblem { tree, most: 1, first_step: 2, ordered: 2 };
/// let formula = problem.formula()?;
/// let answer = sat::backend::solve(&formula, Settings::default(), &Progress::silent())?;
/// assert_eq!(answer, Answer::Refuted); // no single-path routing of FT(4,2) has ratio 1
/// # Ok::<(), Box<dyn std::error::Error>>(())
/// ```
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct CoverProblem {
    /// The tree, or the part of it that is considered.
    pub tree: Xgft,
    /// X: the most hosts a cover may have, at least 1.
    pub most: u32,
    /// Links of lower steps are ignored; in 1..=h.
    pub first_step: usize,
    /// Number of SD pairs by which ports are kept in order of first use. If above 0, hosts and
    /// their subtrees are kept in order too.
    pub ordered: usize,
}

/// A pair that has a choice, and the first variable of the choice.
#[derive(Clone, Copy)]
pub(super) struct Pair {
    pub(super) s: Host,
    pub(super) d: Host,
    /// Level of the nearest common ancestors.
    pub(super) level: usize,
    first: Literal,
}

impl CoverProblem {
    /// The least step whose links can exceed the bound: the links of smaller subtrees are covered
    /// by all hosts of the subtree. `None` when no link can exceed it.
    #[must_use]
    pub fn least_step(tree: &Xgft, most: u32) -> Option<usize> {
        (1..=tree.height()).find(|step| tree.subtree_hosts(step - 1) > most)
    }

    /// The formula, which has a model exactly when there is such a routing. O(its size).
    ///
    /// # Errors
    /// [`TooLarge`] above [`MAX_SIZE`].
    pub fn formula(&self) -> Result<Formula, TooLarge> {
        self.check_size()?;
        Ok(self.unstopped())
    }

    /// The whole formula, as [`Self::formula`], or `None` when `progress` is cancelled.
    ///
    /// # Errors
    /// As for [`Self::formula`].
    pub fn formula_until(&self, progress: &Progress) -> Result<Option<Formula>, TooLarge> {
        self.check_size()?;
        Ok(self.whole(progress).ok())
    }

    fn unstopped(&self) -> Formula {
        self.whole(&Progress::silent()).expect("nothing stops silent work")
    }

    fn whole(&self, progress: &Progress) -> Result<Formula, Stopped> {
        let mut formula = Formula::default();
        let pairs = self.pairs();
        formula.new_variables(pairs.iter().map(|pair| self.choices(pair.level)).sum());
        for pair in &pairs {
            progress.check()?;
            self.add_choice(pair, &mut formula);
        }
        self.add_port_order(&pairs, &mut formula);
        self.add_host_order(&pairs, &mut formula);
        let covers = self.add_covers(&mut formula, progress)?;
        for pair in &pairs {
            progress.check()?;
            self.add_links(pair, &covers, &mut formula);
        }
        Ok(formula)
    }

    /// The up-digits of every pair (s,d), at place s·N + d, given by a model of the formula. Steps
    /// of pairs without a choice, which a model leaves open, have digit 0.
    #[must_use]
    pub fn up_digits(&self, model: &[bool]) -> Vec<Vec<u32>> {
        let hosts = self.tree.hosts();
        let mut digits = vec![Vec::new(); hosts * hosts];
        for pair in self.pairs() {
            digits[pair.s as usize * hosts + pair.d as usize] = self.pair_digits(&pair, model);
        }
        let hosts = host_number(hosts);
        for (s, d) in (0..hosts).flat_map(|s| (0..hosts).map(move |d| (s, d))) {
            let level = self.tree.nca_level(s, d);
            digits[(s * hosts + d) as usize].resize(level, 0);
        }
        digits
    }

    /// Rejects a formula that would be too large, before it is built.
    fn check_size(&self) -> Result<(), TooLarge> {
        let hosts = self.tree.hosts() as u128;
        let ports = |step| u128::from(self.tree.shortest_paths(step));
        let all: u128 = (0..=self.tree.height()).map(ports).sum();
        let size = hosts * hosts * all * (u128::from(self.most) + 2);
        let order = hosts * ports(self.tree.height()).pow(2);
        let remedy = "choose a smaller tree";
        within("size of the formula", Some(size + order), MAX_SIZE, remedy)?;
        Ok(())
    }

    /// Every pair that has a choice, by source, then destination.
    pub(super) fn pairs(&self) -> Vec<Pair> {
        let hosts = host_number(self.tree.hosts());
        let (mut pairs, mut first) = (Vec::new(), 1);
        for (s, d) in (0..hosts).flat_map(|s| (0..hosts).map(move |d| (s, d))) {
            let level = self.tree.nca_level(s, d);
            if level >= self.first_step {
                pairs.push(Pair { s, d, level, first });
                first += self.choices(level).cast_signed();
            }
        }
        pairs
    }

    /// The choice variables of a pair.
    pub(super) fn variables(&self, pair: &Pair) -> impl Iterator<Item = Literal> {
        pair.first..pair.first + self.choices(pair.level).cast_signed()
    }

    /// Number of choice variables of a pair whose nearest common ancestors are at `level`.
    fn choices(&self, level: usize) -> u32 {
        (self.first_step..=level).map(|step| self.tree.shortest_paths(step)).sum()
    }

    /// The variable stating that the pair's path goes up through port `port` of step `step`.
    pub(super) fn choice(&self, pair: &Pair, step: usize, port: u32) -> Literal {
        pair.first + (self.choices(step - 1) + port).cast_signed()
    }

    fn add_choice(&self, pair: &Pair, formula: &mut Formula) {
        let ports = self.tree.shortest_paths(self.first_step);
        formula.add((0..ports).map(|port| self.choice(pair, self.first_step, port)));
        for step in self.first_step + 1..=pair.level {
            let width = self.tree.parents(step);
            for port in 0..self.tree.shortest_paths(step - 1) {
                let below = -self.choice(pair, step - 1, port);
                let above = (0..width).map(|w| self.choice(pair, step, port * width + w));
                formula.add(std::iter::once(below).chain(above));
            }
        }
    }

    /// The first cover variable of every link, ordered by step, direction (up first), subtree and
    /// port. Adds the clauses that limit each cover.
    fn add_covers(
        &self,
        formula: &mut Formula,
        progress: &Progress,
    ) -> Result<Vec<Literal>, Stopped> {
        let hosts = host_number(self.tree.hosts());
        let mut covers = Vec::new();
        for step in self.first_step..=self.tree.height() {
            let subtrees = hosts / self.tree.subtree_hosts(step - 1);
            for _link in 0..2 * subtrees * self.tree.shortest_paths(step) {
                progress.check()?;
                let first = formula.new_variables(hosts);
                covers.push(first);
                self.add_counter(first, hosts, formula);
            }
        }
        Ok(covers)
    }

    /// Requires that at most X of `count` variables from `first` on are true, by Sinz's sequential
    /// counter.
    fn add_counter(&self, first: Literal, count: u32, formula: &mut Formula) {
        let most = self.most;
        if count <= most {
            return;
        }
        let start = formula.new_variables((count - 1) * most);
        // True if at least j of the variables 0..=i are; j in 1..=X.
        let reached = |i: u32, j: u32| start + (i * most + j - 1).cast_signed();
        for i in 0..count {
            let this = first + i.cast_signed();
            if i + 1 < count {
                formula.add([-this, reached(i, 1)]);
            }
            if i == 0 {
                continue;
            }
            if i + 1 < count {
                for j in 1..=most {
                    formula.add([-reached(i - 1, j), reached(i, j)]);
                }
                for j in 1..most {
                    formula.add([-this, -reached(i - 1, j), reached(i, j + 1)]);
                }
            }
            formula.add([-this, -reached(i - 1, most)]);
        }
    }

    /// Requires that a pair is covered by its source or its destination on every link it uses.
    fn add_links(&self, pair: &Pair, covers: &[Literal], formula: &mut Formula) {
        let hosts = host_number(self.tree.hosts());
        let mut start = 0;
        for step in self.first_step..=pair.level {
            let ports = self.tree.shortest_paths(step);
            let subtrees = hosts / self.tree.subtree_hosts(step - 1);
            for port in 0..ports {
                let used = -self.choice(pair, step, port);
                for (near, far, side) in [(pair.s, pair.d, 0), (pair.d, pair.s, subtrees)] {
                    let link = (side + self.tree.subtree(near, step - 1)) * ports + port;
                    let [near, far] =
                        self.members(covers[(start + link) as usize], step, near, far);
                    formula.add([used, near, far]);
                }
            }
            start += 2 * subtrees * ports;
        }
    }

    /// Cover variables of a host inside the link's subtree and of one outside.
    fn members(&self, first: Literal, step: usize, near: Host, far: Host) -> [Literal; 2] {
        let own = self.tree.subtree_hosts(step - 1);
        let start = self.tree.subtree(near, step - 1) * own;
        let behind = if far < start { far + own } else { far };
        [first + (near - start).cast_signed(), first + behind.cast_signed()]
    }

    fn pair_digits(&self, pair: &Pair, model: &[bool]) -> Vec<u32> {
        let chosen = |step: usize, port: u32| {
            model[self.choice(pair, step, port).unsigned_abs() as usize - 1]
        };
        let ports = 0..self.tree.shortest_paths(self.first_step);
        let mut port = ports.into_iter().find(|port| chosen(self.first_step, *port)).expect(MODEL);
        let mut digits = Vec::new();
        let mut rest = port;
        for step in (1..=self.first_step).rev() {
            digits.insert(0, rest % self.tree.parents(step));
            rest /= self.tree.parents(step);
        }
        for step in self.first_step + 1..=pair.level {
            let width = self.tree.parents(step);
            let digit = (0..width).find(|w| chosen(step, port * width + w)).expect(MODEL);
            digits.push(digit);
            port = port * width + digit;
        }
        digits
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    /// 432²·(1 + 1 + 6 + 36)·(X + 2) + 432·36² is at most 2^26 where X is at most 6.
    #[test]
    fn the_size_is_as_documented() {
        let tree = generate("ft(12,3)").unwrap().tree().unwrap().clone();
        let sized = |most| {
            let problem = CoverProblem { tree: tree.clone(), most, first_step: 2, ordered: 64 };
            problem.check_size()
        };
        assert_eq!(sized(6), Ok(()));
        assert_eq!(sized(7).unwrap_err().size, "74462976".to_string());
    }
}
