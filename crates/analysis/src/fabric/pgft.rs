//! Trees PGFT(h; m; w; p): XGFT(h; m; w) with p_i parallel cables between neighbours of step i.

use std::fmt;

use super::steps::{Group, Step, usual_numbers};

/// The numbers of a tree, hosts first: of step i a switch above has m_i neighbours below, a node
/// below has w_i above, and p_i cables join the two (Zahavi, J. Parallel Distrib. Comput. 72(11),
/// 2012).
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Pgft {
    /// m, w and p of every step.
    steps: Vec<[usize; 3]>,
}

impl Pgft {
    /// The tree with the usual numbers of every step; `None` without steps.
    pub(super) fn usual(steps: &[Step], groups: &[Vec<Group>]) -> Option<Self> {
        let numbers = steps.iter().zip(groups).enumerate();
        let numbers = numbers.map(|(at, (step, groups))| usual_numbers(at, step, groups));
        let steps: Vec<[usize; 3]> = numbers.collect();
        (!steps.is_empty() && steps.iter().flatten().all(|number| *number > 0))
            .then_some(Self { steps })
    }

    /// Number of levels of switches.
    #[must_use]
    pub fn height(&self) -> usize {
        self.steps.len()
    }

    /// m of a step, counted from 0.
    #[must_use]
    pub fn children(&self, step: usize) -> usize {
        self.steps[step][0]
    }

    /// w of a step, counted from 0.
    #[must_use]
    pub fn parents(&self, step: usize) -> usize {
        self.steps[step][1]
    }

    /// p of a step, counted from 0.
    #[must_use]
    pub fn cables(&self, step: usize) -> u32 {
        u32::try_from(self.steps[step][2]).unwrap_or(u32::MAX)
    }

    /// Number of hosts; `None` if it does not fit.
    #[must_use]
    pub fn hosts(&self) -> Option<usize> {
        self.steps.iter().try_fold(1_usize, |hosts, step| hosts.checked_mul(step[0]))
    }

    /// Whether no cables are parallel.
    #[must_use]
    pub fn is_plain(&self) -> bool {
        self.steps.iter().all(|step| step[2] == 1)
    }

    /// The shape without its parallel cables, as an `xgft` spec.
    #[must_use]
    pub fn xgft(&self) -> String {
        format!("xgft({};{};{})", self.height(), self.list(0), self.list(1))
    }

    /// m of FT(m,n), if it is one.
    fn ports(&self) -> Option<usize> {
        let last = self.height() - 1;
        let m = self.children(last);
        let half = m / 2;
        let is_half = |step: usize| {
            (step == last || self.children(step) == half)
                && (step == 0 || self.parents(step) == half)
        };
        let fits = m.is_multiple_of(2) && self.parents(0) == 1 && (0..=last).all(is_half);
        (fits && self.is_plain()).then_some(m)
    }

    /// The taper at a step, counted from 1: the capacity of a switch downwards over that upwards, as `(down, up)`
    /// cables of the switch. `None` for top switches.
    #[must_use]
    pub fn taper(&self, level: usize) -> Option<(usize, usize)> {
        let (below, above) = (self.steps.get(level.checked_sub(1)?)?, self.steps.get(level)?);
        Some((below[0] * below[2], above[1] * above[2]))
    }

    /// The numbers in words, for trees that no label fits. `groups` are the groups of every step.
    pub(super) fn words(&self, groups: &[usize]) -> String {
        let counted = |count: usize, one: &str, more: &str| {
            if count == 1 { format!("1 {one}") } else { format!("{count} {more}") }
        };
        let mut words =
            vec![format!("{} at a leaf switch", counted(self.children(0), "host", "hosts"))];
        for (step, found) in groups.iter().enumerate().take(self.height()).skip(1) {
            let [lower, upper, cables] = self.steps[step];
            let groups = counted(*found, "group", "groups");
            let lower = counted(lower, "switch", "switches");
            let cables =
                if cables == 1 { String::new() } else { format!(", {cables} cables each") };
            words.push(format!(
                "{groups} of {lower} of level {step} below {upper} of level {}{cables}",
                step + 1
            ));
        }
        words.join("; ")
    }

    fn list(&self, which: usize) -> String {
        let numbers: Vec<String> = self.steps.iter().map(|step| step[which].to_string()).collect();
        numbers.join(",")
    }
}

/// As a spec where it is a plain tree: `ft(8,3)`, `xgft(2;8,8;1,4)`; otherwise `pgft(2;8,4;1,4;1,2)`.
impl fmt::Display for Pgft {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self.ports() {
            Some(m) => write!(f, "ft({m},{})", self.height()),
            None if self.is_plain() => f.write_str(&self.xgft()),
            None => {
                let [m, w, p] = [0, 1, 2].map(|which| self.list(which));
                write!(f, "pgft({};{m};{w};{p})", self.height())
            }
        }
    }
}
