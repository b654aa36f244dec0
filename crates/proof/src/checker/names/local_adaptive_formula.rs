//! The local encoding, implemented a second time from its description (`crates/search/src/sat/LOCAL.md`).
//!
//! It shares nothing with the layer `sat` but that text: here patterns are bits, in the order in which
//! a recursion reaches them, there lists of hosts. Refutations are checked against this one.

use crate::limit::{TooLarge, within};

use super::lrat::{Literal, Result};
use super::proof::Encoding;

/// Maximum size, which exceeds the number of variables and the number of clauses.
const MAX_SIZE: u64 = 1 << 27;

/// Maximum number of hosts.
const MAX_HOSTS: u64 = 64;

const REMEDY: &str = "check a certificate about fewer hosts or switches";

/// n, m and r, with 1 ≤ n ≤ m and 2 ≤ r.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) struct LocalFormula {
    pub(super) n: u32,
    pub(super) m: u32,
    pub(super) r: u32,
}

/// A set of hosts under other switches, as bits, and the number before the first variable.
struct Pattern {
    hosts: u64,
    before: u32,
}

/// Refuses more than 64 hosts.
pub(super) fn check_hosts(n: u32, r: u32) -> Result<(), TooLarge> {
    let hosts = u128::from(n) * u128::from(r);
    within("number of hosts", Some(hosts), MAX_HOSTS, REMEDY)?;
    Ok(())
}

/// All sets of 1 to n of the hosts under other switches than `switch`, by size, then in lexicographic
/// order.
fn patterns(n: u32, r: u32, switch: u32) -> Vec<u64> {
    let outside: Vec<u32> = (0..n * r).filter(|host| host / n != switch).collect();
    let mut all = Vec::new();
    (1..=n).for_each(|size| extend(&outside, size, 0, &mut all));
    all
}

/// Adds all sets that contain `chosen` and `left` of these hosts.
fn extend(hosts: &[u32], left: u32, chosen: u64, all: &mut Vec<u64>) {
    if left == 0 {
        all.push(chosen);
        return;
    }
    for (at, host) in hosts.iter().enumerate() {
        extend(&hosts[at + 1..], left - 1, chosen | 1 << host, all);
    }
}

/// How many sets of 1 to `most` of a given number of hosts there are; `None` when there are far too many.
pub(super) fn sets(most: u32, hosts: u32) -> Option<u128> {
    let hosts = u128::from(hosts);
    // Binomial coefficients, each from the one before.
    let sizes = (1..=u128::from(most)).scan(Some(1_u128), |sets, size| {
        *sets =
            sets.and_then(|sets| Some(sets.checked_mul((hosts + 1).checked_sub(size)?)? / size));
        Some(*sets)
    });
    sizes.sum()
}

/// The hosts of a set, ascending.
pub(super) fn hosts(mut set: u64) -> impl Iterator<Item = u32> {
    std::iter::from_fn(move || {
        let host = (set != 0).then(|| set.trailing_zeros())?;
        set &= set - 1;
        Some(host)
    })
}

impl LocalFormula {
    /// The patterns of every switch, and the number of variables.
    fn layout(&self) -> Result<(Vec<Vec<Pattern>>, u32), TooLarge> {
        check_hosts(self.n, self.r)?;
        within("size of the formula", self.size(), MAX_SIZE, REMEDY)?;
        let mut variables = 0;
        let mut of = |switch| {
            let sets = patterns(self.n, self.r, switch).into_iter().map(|hosts| {
                let before = variables;
                variables += hosts.count_ones() * self.m;
                Pattern { hosts, before }
            });
            sets.collect::<Vec<_>>()
        };
        let patterns = (0..self.r).map(&mut of).collect();
        Ok((patterns, variables))
    }

    /// `None` when it is far too large.
    fn size(&self) -> Option<u128> {
        let [n, m, r] = [self.n, self.m, self.r].map(u128::from);
        let c = sets(self.n - 1, (self.r - 1) * self.n - 1)?.checked_add(1)?;
        let down = c.checked_mul(c)?.checked_mul(r * (r - 1) * (r - 2) / 2 * n * (n - 1) * m)?;
        c.checked_mul(r * r * n * n * m)?.checked_add(down)
    }

    /// x(v,D,d,t).
    fn variable(&self, pattern: &Pattern, d: u32, t: u32) -> Literal {
        let before = (pattern.hosts & ((1 << d) - 1)).count_ones();
        (pattern.before + before * self.m + t + 1).cast_signed()
    }
}

impl Encoding for LocalFormula {
    fn variables(&self) -> Result<u32, TooLarge> {
        Ok(self.layout()?.1)
    }

    fn clauses(&self, visit: &mut dyn FnMut(&[Literal]) -> Result<()>) -> Result<()> {
        let Self { n, m, .. } = *self;
        let (all, _) = self.layout()?;
        for pattern in all.iter().flatten() {
            for d in hosts(pattern.hosts) {
                visit(&(0..m).map(|t| self.variable(pattern, d, t)).collect::<Vec<_>>())?;
            }
            for d in hosts(pattern.hosts) {
                for e in hosts(pattern.hosts).filter(|e| d < *e) {
                    self.differ((pattern, d), (pattern, e), visit)?;
                }
            }
        }
        for (v, own) in all.iter().enumerate() {
            for other in &all[v + 1..] {
                self.down(own, other, visit)?;
            }
        }
        let whole: u64 = (n..2 * n).map(|host| 1 << host).sum();
        let whole = all[0].iter().find(|pattern| pattern.hosts == whole);
        for (i, pattern) in (0..n).zip(whole.into_iter().cycle()) {
            visit(&[self.variable(pattern, n + i, i)])?;
        }
        Ok(())
    }
}

impl LocalFormula {
    /// Links down that patterns of two switches share.
    fn down(
        &self,
        all: &[Pattern],
        others: &[Pattern],
        visit: &mut dyn FnMut(&[Literal]) -> Result<()>,
    ) -> Result<()> {
        for own in all {
            for other in others.iter().filter(|other| other.hosts & own.hosts == 0) {
                for d in hosts(own.hosts) {
                    for e in hosts(other.hosts).filter(|e| d / self.n == e / self.n) {
                        self.differ((own, d), (other, e), visit)?;
                    }
                }
            }
        }
        Ok(())
    }

    /// Two pairs have different top switches.
    fn differ(
        &self,
        (own, d): (&Pattern, u32),
        (other, e): (&Pattern, u32),
        visit: &mut dyn FnMut(&[Literal]) -> Result<()>,
    ) -> Result<()> {
        let both = |t| [-self.variable(own, d, t), -self.variable(other, e, t)];
        (0..self.m).try_for_each(|t| visit(&both(t)))
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    /// That it is the formula which the layer `sat` writes, `tests/certificates/format/local_adaptive.rs` of `routebound` checks.
    #[test]
    fn limits() {
        for (n, m, r, is_small) in [
            (4, 17, 4, true),
            (4, 18, 4, false),
            (3, 8, 7, true),
            (3, 9, 7, false),
            (1, 9, 64, true),
            (1, 9, 65, false),
            (u32::MAX, u32::MAX, u32::MAX, false),
        ] {
            let formula = LocalFormula { n, m, r };
            assert_eq!(formula.layout().is_ok(), is_small, "{formula:?}");
        }
        assert_eq!((sets(2, 4), sets(0, 3), sets(5, 4)), (Some(10), Some(0), Some(15)));
    }
}
