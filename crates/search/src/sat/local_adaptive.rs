#![doc = include_str!("LOCAL.md")]

use super::{Formula, Literal};
use crate::certificate::LocalRule;
use crate::destination_sets::{destination_sets, sets_up_to};
use crate::prelude::*;

/// Maximum size of a formula, as counted in `LOCAL.md`: larger ones are not checked.
pub const MAX_SIZE: u64 = 1 << 27;

/// Maximum number of hosts: patterns are sets of bits.
pub const MAX_HOSTS: u64 = 64;

/// The question whether ftree(n,m,r) is nonblocking with some local adaptive routing.
///
/// ```
/// # use routebound_search as routebound;
/// use routebound::{progress::Progress, sat::{self, Answer, Settings, local_adaptive::LocalProblem}};
/// let problem = LocalProblem { hosts: 2, tops: 3, switches: 5 };
/// let formula = problem.formula(&Progress::silent())?.ok_or("stopped")?;
/// let answer = sat::backend::solve(&formula, Settings::default(), &Progress::silent())?;
/// assert_eq!(answer, Answer::Refuted); // three top switches are too few, here as for fixed paths
/// # Ok::<(), Box<dyn std::error::Error>>(())
/// ```
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct LocalProblem {
    /// n ≥ 1.
    pub hosts: u32,
    /// m ≥ n.
    pub tops: u32,
    /// r ≥ 2.
    pub switches: u32,
}

/// A pattern, and the first variable of each of its destinations.
struct Pattern {
    set: u64,
    /// Destinations, ascending.
    destinations: Vec<Host>,
    first: Literal,
}

impl LocalProblem {
    /// The formula, which has a model exactly when there is such a routing; `None` when `progress`
    /// ends first. O(its size).
    ///
    /// # Errors
    /// [`TooLarge`] above [`MAX_SIZE`] or [`MAX_HOSTS`].
    ///
    /// # Panics
    /// Unless 1 ≤ n ≤ m and r ≥ 2.
    pub fn formula(&self, progress: &Progress) -> Result<Option<Formula>, TooLarge> {
        let is_sound = (1..=self.tops).contains(&self.hosts) && self.switches >= 2;
        assert!(is_sound, "the local encoding is of 1 <= n <= m and r >= 2, not of {self:?}");
        self.check_size()?;
        Ok(self.whole(progress).ok())
    }

    fn whole(&self, progress: &Progress) -> Result<Formula, Stopped> {
        let mut formula = Formula::default();
        let patterns = self.patterns(&mut formula);
        for pattern in patterns.iter().flatten() {
            progress.check()?;
            self.add_links_up(pattern, &mut formula);
        }
        for [own, others] in patterns.iter().array_combinations() {
            for pattern in own {
                progress.check()?;
                for other in others.iter().filter(|other| other.set & pattern.set == 0) {
                    self.add_links_down(pattern, other, &mut formula);
                }
            }
        }
        let whole_switch: Vec<Host> = (self.hosts..2 * self.hosts).collect();
        let first = patterns[0].iter().find(|pattern| pattern.destinations == whole_switch);
        let first = first.expect("switch 0 has a pattern of all hosts of switch 1");
        for (place, i) in (0..self.hosts.cast_signed()).enumerate() {
            formula.add([first.variable(place, self.tops.cast_signed()) + i]);
        }
        Ok(formula)
    }

    /// The patterns of every switch, with new variables.
    fn patterns(&self, formula: &mut Formula) -> Vec<Vec<Pattern>> {
        let mut of = |switch| {
            let sets = self.sets(switch).map(|destinations| {
                let count = host_count(&destinations) * self.tops;
                let set = destinations.iter().map(|d| 1_u64 << d).sum();
                Pattern { set, destinations, first: formula.new_variables(count) }
            });
            sets.collect()
        };
        (0..self.switches).map(&mut of).collect()
    }

    /// The sets of destinations of a switch, in order.
    fn sets(&self, switch: u32) -> impl Iterator<Item = Vec<Host>> {
        destination_sets(self.hosts, self.switches, switch)
    }

    /// Every destination has a top switch, and no two have the same.
    fn add_links_up(&self, pattern: &Pattern, formula: &mut Formula) {
        let tops = self.tops.cast_signed();
        let count = pattern.destinations.len();
        for place in 0..count {
            let first = pattern.variable(place, tops);
            formula.add(first..first + tops);
        }
        for [a, b] in (0..count).array_combinations() {
            let (a, b) = (pattern.variable(a, tops), pattern.variable(b, tops));
            (0..tops).for_each(|t| formula.add([-(a + t), -(b + t)]));
        }
    }

    /// Destinations of two patterns under one switch have different top switches.
    fn add_links_down(&self, pattern: &Pattern, other: &Pattern, formula: &mut Formula) {
        let tops = self.tops.cast_signed();
        for (a, d) in pattern.destinations.iter().enumerate() {
            for (b, e) in other.destinations.iter().enumerate() {
                if d / self.hosts == e / self.hosts {
                    let (a, b) = (pattern.variable(a, tops), other.variable(b, tops));
                    (0..tops).for_each(|t| formula.add([-(a + t), -(b + t)]));
                }
            }
        }
    }

    /// The scheme of a model of the formula: a rule for every pattern, in order.
    ///
    /// # Panics
    /// For values that are not a model: some destination has no top switch.
    #[must_use]
    pub fn scheme(&self, model: &[bool]) -> Vec<LocalRule> {
        let tops = self.tops as usize;
        let mut values = model.chunks(tops);
        let mut top = || {
            let of = values.next().and_then(|values| values.iter().position(|value| *value));
            index32(of.expect("a model gives every destination a top switch"))
        };
        let mut rule = |switch, destinations: Vec<Host>| {
            let tops = destinations.iter().map(|_| top()).collect();
            LocalRule { switch, destinations, tops }
        };
        let switches = (0..self.switches).map(|switch| (switch, self.sets(switch)));
        let all = switches.flat_map(|(switch, sets)| sets.map(move |set| (switch, set)));
        all.map(|(switch, set)| rule(switch, set)).collect()
    }

    /// How many hosts the other switches have; refuses too many.
    fn others(&self) -> Result<u128, TooLarge> {
        let (n, r) = (u128::from(self.hosts), u128::from(self.switches));
        within("number of hosts", Some(n * r), MAX_HOSTS, REMEDY)?;
        Ok(n * r - n)
    }

    /// Rejects a formula that would be too large, before it is built.
    fn check_size(&self) -> Result<(), TooLarge> {
        let others = self.others()?;
        let [n, m, r] = [self.hosts, self.tops, self.switches].map(u128::from);
        let size = || {
            let sets = sets_up_to(n - 1, others - 1)?;
            let own = (r * r * n * n).checked_mul(sets)?.checked_mul(m)?;
            let pairs = r * (r - 1) * (r - 2) / 2 * n * (n - 1);
            sets.checked_mul(sets)?.checked_mul(pairs)?.checked_mul(m)?.checked_add(own)
        };
        within("size of the formula", size(), MAX_SIZE, REMEDY)?;
        Ok(())
    }
}

const REMEDY: &str = "choose fewer hosts or switches";

impl Pattern {
    /// x(v,D,d,0) of the destination at this place.
    fn variable(&self, place: usize, tops: i32) -> Literal {
        self.first + host_count(&self.destinations[..place]).cast_signed() * tops
    }
}

fn host_count(hosts: &[Host]) -> u32 {
    index32(hosts.len())
}

#[cfg(test)]
mod tests {
    use super::super::backend;
    use super::super::{Answer, Settings};
    use super::*;

    fn answer(n: u32, m: u32, r: u32) -> Answer {
        let problem = LocalProblem { hosts: n, tops: m, switches: r };
        let formula = problem.formula(&Progress::silent()).unwrap().unwrap();
        backend::solve(&formula, Settings::default(), &Progress::silent()).unwrap()
    }

    /// Whether two patterns of one permutation never share a link.
    fn is_nonblocking(problem: LocalProblem, scheme: &[LocalRule]) -> bool {
        let meet = |a: &LocalRule, b: &LocalRule| {
            let pairs = |rule: &LocalRule| {
                rule.destinations.clone().into_iter().zip(rule.tops.clone()).collect::<Vec<_>>()
            };
            let both = pairs(a).into_iter().cartesian_product(pairs(b));
            let disjoint = a.destinations.iter().all(|d| !b.destinations.contains(d));
            let under = |d: Host| d / problem.hosts;
            disjoint && both.into_iter().any(|((d, t), (e, u))| under(d) == under(e) && t == u)
        };
        let is_injective = |rule: &LocalRule| rule.tops.iter().all_unique();
        let mut both = scheme.iter().array_combinations();
        scheme.iter().all(is_injective) && both.all(|[a, b]| a.switch == b.switch || !meet(a, b))
    }

    #[test]
    fn models_are_nonblocking_schemes() {
        for (n, m, r) in [(1, 1, 4), (2, 2, 3), (2, 3, 4), (3, 3, 3), (2, 4, 5)] {
            let problem = LocalProblem { hosts: n, tops: m, switches: r };
            let Answer::Model(model) = answer(n, m, r) else { panic!("{problem:?}") };
            let scheme = problem.scheme(&model);
            assert!(is_nonblocking(problem, &scheme), "{problem:?}");
            let mut other = scheme;
            let last = other.iter_mut().rfind(|rule| rule.tops.len() > 1);
            if let Some(rule) = last {
                rule.tops[0] = rule.tops[1];
                assert!(!is_nonblocking(problem, &other), "{problem:?}");
            }
        }
    }

    /// The SD pairs of a switch, pairs within it included.
    type Sending = Vec<(Host, Host)>;

    /// All that a switch may send in a permutation.
    fn all_sent(n: u32, r: u32, switch: u32) -> Vec<Sending> {
        let own = switch * n..(switch + 1) * n;
        let sets = (1..=n as usize).flat_map(|size| own.clone().combinations(size));
        let sent = |sources: Vec<Host>| {
            let destinations = (0..n * r).permutations(sources.len());
            destinations.map(move |to| sources.iter().copied().zip(to).collect()).collect_vec()
        };
        sets.flat_map(sent).collect()
    }

    /// The definition of \[NB\] V itself: a top switch for every pair of all that a switch may send, and
    /// no link twice in what two switches send in one permutation.
    fn by_definition(n: u32, m: u32, r: u32) -> Answer {
        let mut formula = Formula::default();
        let mut all: Vec<Vec<(Sending, Vec<Literal>)>> = Vec::new();
        for switch in 0..r {
            let mut of_switch = Vec::new();
            for sent in all_sent(n, r, switch) {
                let first: Vec<_> = sent.iter().map(|_| formula.new_variables(m)).collect();
                let leaves = |place: &usize| sent[*place].1 / n != switch;
                let leaving: Vec<usize> = (0..sent.len()).filter(leaves).collect();
                for place in &leaving {
                    formula.add(first[*place]..first[*place] + m.cast_signed());
                }
                for [a, b] in leaving.into_iter().array_combinations() {
                    (0..m.cast_signed()).for_each(|t| formula.add([-first[a] - t, -first[b] - t]));
                }
                of_switch.push((sent, first));
            }
            all.push(of_switch);
        }
        for [v, w] in (0..r as usize).array_combinations() {
            for ((a, first_a), (b, first_b)) in all[v].iter().cartesian_product(&all[w]) {
                if a.iter().any(|(_, d)| b.iter().any(|(_, e)| d == e)) {
                    continue;
                }
                for ((_, d), x) in a.iter().zip(first_a) {
                    for ((_, e), y) in b.iter().zip(first_b) {
                        let under = d / n;
                        if under == e / n && ![v, w].contains(&(under as usize)) {
                            (0..m.cast_signed()).for_each(|t| formula.add([-x - t, -y - t]));
                        }
                    }
                }
            }
        }
        backend::solve(&formula, Settings::default(), &Progress::silent()).unwrap()
    }

    /// Sets of destinations stand for all that a switch may send.
    #[test]
    fn the_definition_itself_says_the_same() {
        for (n, m, r) in [(2, 2, 2), (2, 2, 3), (2, 2, 4), (2, 3, 4), (2, 3, 5), (2, 4, 5)] {
            let is_refuted = by_definition(n, m, r) == Answer::Refuted;
            assert_eq!(is_refuted, answer(n, m, r) == Answer::Refuted, "{n} {m} {r}");
            assert_eq!(is_refuted, [(2, 2, 4), (2, 3, 5)].contains(&(n, m, r)), "{n} {m} {r}");
        }
    }

    #[test]
    fn too_few_are_refuted() {
        for (n, m, r) in [(2, 2, 4), (2, 3, 5), (3, 3, 4)] {
            assert_eq!(answer(n, m, r), Answer::Refuted, "{n} {m} {r}");
        }
    }

    #[test]
    fn sizes_bound_the_clauses() {
        for (n, m, r) in [(1, 1, 2), (2, 3, 4), (3, 3, 4), (4, 4, 3), (5, 5, 2)] {
            let problem = LocalProblem { hosts: n, tops: m, switches: r };
            let formula = problem.formula(&Progress::silent()).unwrap().unwrap();
            let [hosts, tops, all] = [n, m, r].map(u128::from);
            let sets = sets_up_to(hosts - 1, hosts * all - hosts - 1).unwrap();
            let pairs = all * (all - 1) * (all - 2) / 2 * hosts * (hosts - 1);
            let size = all * all * hosts * hosts * sets * tops + pairs * sets * sets * tops;
            assert!(formula.len() as u128 <= size, "{problem:?}: {} > {size}", formula.len());
        }
        for (n, m, r, is_small) in [
            (4, 17, 4, true),
            (4, 18, 4, false),
            (3, 8, 7, true),
            (3, 9, 7, false),
            (1, 9, 64, true),
            (1, 9, 65, false),
            (u32::MAX, u32::MAX, u32::MAX, false),
        ] {
            let problem = LocalProblem { hosts: n, tops: m, switches: r };
            assert_eq!(problem.check_size().is_ok(), is_small, "{problem:?}");
        }
    }
}
