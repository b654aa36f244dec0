//! The most dangerous sets of failures, for `ratio`, `fabric` and `compare`.

use std::borrow::Cow;

use itertools::Itertools;

use super::FailureSetsReport;
use super::numbers::{at_most, sides};
use super::prelude::*;
use crate::failure_sets::{Failures, Ranked, Ranking};

/// The most dangerous sets of one size.
#[derive(Clone, Debug, Serialize)]
pub struct DangerousReport {
    /// Number of cables or switches in each set.
    pub size: u8,
    /// The sets that raise the worst permutation load, without those that cut hosts off, the worst first; of sets that
    /// are equivalent by symmetry the first.
    pub sets: Vec<DangerousSetReport>,
    /// No other set that cuts no host off has a higher worst permutation load.
    pub others_at_most: Rational,
    /// Number of sets of this size that cut hosts off, of those that were looked at.
    pub sets_that_cut_off: u64,
    /// The first of them.
    pub first_that_cuts_off: Vec<String>,
    /// Whether no other set belongs in the list, and its loads are exact.
    pub complete: bool,
}

/// A set of failures and its cost.
#[derive(Clone, Debug, Serialize)]
pub struct DangerousSetReport {
    /// Names of what fails.
    pub failures: Vec<String>,
    /// Bounds of the worst permutation load without these.
    pub permutation_load: Bounds,
    /// The link that is loaded most, by the names and ports of its ends.
    pub link: String,
    /// Number of pairs that are left without a path.
    pub pairs_lost: u64,
    /// Number of other sets that are equivalent by symmetry.
    pub alike: u64,
}

/// A column of a table of sets: its heading, and what it has of a set.
type Column = (&'static str, fn(&DangerousSetReport) -> String);

impl DangerousReport {
    /// The record of a ranking.
    #[must_use]
    pub fn new(topology: &Topology, failures: &Failures, ranking: &Ranking) -> Self {
        let set = |Ranked { peak, lost, alike, .. }: &Ranked| DangerousSetReport {
            failures: failures.names(&peak.set),
            permutation_load: Bounds {
                lower: peak.load.clone(),
                upper: peak.most.clone(),
                evidence: Ranking::evidence(),
            },
            link: topology.link_name(peak.link),
            pairs_lost: *lost,
            alike: *alike,
        };
        Self {
            size: ranking.size,
            sets: ranking.sets.iter().map(set).collect(),
            others_at_most: ranking.others.clone(),
            sets_that_cut_off: ranking.cutting,
            first_that_cuts_off: failures.names(ranking.first_cutting.as_deref().unwrap_or(&[])),
            complete: ranking.complete,
        }
    }

    /// The columns of the table of these sets: only those in which something stands.
    fn columns(&self) -> Vec<Column> {
        let mut columns: Vec<Column> = vec![
            ("without", |set| set.failures.join(" and ")),
            ("worst load", |set| sides(&set.permutation_load)),
            ("on link", |set| set.link.clone()),
        ];
        if self.sets.iter().any(|set| set.pairs_lost > 0) {
            columns.push(("pairs lost", |set| set.pairs_lost.to_string()));
        }
        if self.sets.iter().any(|set| set.alike > 0) {
            columns.push(("and alike", |set| set.alike.to_string()));
        }
        columns
    }

    /// The table of the sets: headings and rows.
    pub(super) fn table(&self) -> (Vec<&'static str>, Vec<Vec<String>>) {
        let columns = self.columns();
        let row = |set| columns.iter().map(|(_, cell)| cell(set)).collect();
        (columns.iter().map(|(head, _)| *head).collect(), self.sets.iter().map(row).collect())
    }

    /// What the table does not say: sets that cut hosts off, that there are no others, or that this is not known.
    pub(super) fn remarks(&self) -> Vec<String> {
        let mut remarks = Vec::new();
        if self.sets_that_cut_off > 0 {
            let (count, first) = (self.sets_that_cut_off, self.first_that_cuts_off.join(" and "));
            let (sets, verb) = if count == 1 { ("set", "cuts") } else { ("sets", "cut") };
            remarks.push(format!("{count} {sets} {verb} hosts off: the first is {first}"));
        }
        let at_most = at_most(&self.others_at_most);
        let is_first = remarks.is_empty() && self.sets.is_empty();
        let [another, none] =
            if is_first { ["a set", "no set"] } else { ["another set", "no other set"] };
        remarks.push(match (self.complete, self.sets.is_empty()) {
            (false, _) => format!("incomplete: the worst load of {another} may be up to {at_most}"),
            (true, true) => format!("{none} raises the worst load above {at_most}"),
            (true, false) => format!("worst load of any other set: at most {at_most}"),
        });
        remarks
    }
}

impl FailureSetsReport {
    /// What is most dangerous, in words: `cables` or `pairs of cables`.
    pub(super) fn dangerous_what(&self, dangerous: &DangerousReport) -> &'static str {
        match (self.failing, dangerous.size) {
            ("switch", 1) => "switches",
            ("switch", _) => "pairs of switches",
            (_, 1) => "cables",
            _ => "pairs of cables",
        }
    }

    fn load_of_whole(&self) -> Cow<'static, str> {
        let whole = self.permutation_load_of_whole.as_ref();
        whole.map_or("unknown".into(), |load| shown(load).into())
    }

    /// The most dangerous sets as text; empty unless they were asked for.
    pub(super) fn dangerous_text(&self) -> String {
        let mut text = String::new();
        for dangerous in &self.dangerous {
            let what = self.dangerous_what(dangerous);
            // A String takes every write.
            let _ = writeln!(
                text,
                "\nmost dangerous {what}; worst permutation load without failures: {}\n",
                self.load_of_whole()
            );
            let (heads, rows) = dangerous.table();
            if !rows.is_empty() {
                let _ = writeln!(text, "{}", table(&heads, rows.into_iter()));
            }
            text.push_str(&labelled("  ", 2, &dangerous.remarks()));
        }
        text
    }

    /// The section of one set of tables in `fabric`.
    pub(super) fn section_text(&self) -> String {
        let failing = format!("{}, repair: {}", self.failing_text(), self.repair);
        let [cut_off, lost] = [self.losses.hosts(), self.losses.pairs()];
        let lines = [("  failures", Some(failing)), ("  cut off", cut_off), ("  lost", lost)];
        let lines = lines.map(|(label, text)| labelled(label, 13, text.as_slice()));
        format!("\n{}{}", lines.concat(), self.dangerous_text())
    }

    /// What the page of `fabric` says besides the tables of the most dangerous sets.
    pub(super) fn facts(&self) -> Vec<(&'static str, String)> {
        let failing = format!("{}, repair: {}", self.failing_text(), self.repair);
        let [cut_off, lost] = [self.losses.hosts(), self.losses.pairs()];
        let remarks = self.dangerous.iter().flat_map(|dangerous| {
            let what = self.dangerous_what(dangerous);
            dangerous.remarks().into_iter().map(move |remark| format!("{what}: {remark}"))
        });
        let facts = [("Failures", Some(failing)), ("Hosts cut off", cut_off), ("Pairs lost", lost)];
        let facts = facts.into_iter().filter_map(|(name, fact)| Some((name, fact?)));
        facts.chain(remarks.map(|remark| ("Most dangerous", remark))).collect()
    }

    /// The most dangerous sets of two states side by side.
    pub(super) fn compared_text([before, after]: &[Self; 2]) -> String {
        let mut text = String::new();
        for (first, second) in before.dangerous.iter().zip(&after.dangerous) {
            // A String takes every write.
            let _ = writeln!(
                text,
                "\nmost dangerous {}, repair: {}; worst permutation load without failures: {} before, {} after\n",
                before.dangerous_what(first),
                before.repair,
                before.load_of_whole(),
                after.load_of_whole()
            );
            let cells = |set: Option<&DangerousSetReport>| {
                set.map_or_else(Default::default, |set| {
                    let alike = match set.alike {
                        0 => String::new(),
                        alike => format!(" and {alike} alike"),
                    };
                    [set.failures.join(" and ") + &alike, sides(&set.permutation_load)]
                })
            };
            let rows = first.sets.iter().zip_longest(&second.sets).map(|sets| {
                let (first, second) = sets.left_and_right();
                [cells(first), cells(second)].concat()
            });
            let rows: Vec<Vec<String>> = rows.collect();
            if !rows.is_empty() {
                let heads = ["before: without", "worst load", "after: without", "worst load"];
                let _ = writeln!(text, "{}", table(&heads, rows.into_iter()));
            }
            for (side, of) in [("  before: ", first), ("  after: ", second)] {
                text.push_str(&labelled(side, side.len(), &of.remarks()));
            }
        }
        for (side, sets) in [("  before: ", before), ("  after: ", after)] {
            let [cut_off, lost] = [sets.losses.hosts(), sets.losses.pairs()];
            let cut_off = cut_off.map(|sets| format!("hosts cut off {sets}"));
            let lost = lost.map(|sets| format!("pairs lost {sets}"));
            let lines: Vec<String> = cut_off.into_iter().chain(lost).collect();
            text.push_str(&labelled(side, side.len(), &lines));
        }
        text
    }
}
