//! What the papers print, item by item, and what here covers it.
//!
//! `items.txt` in the folder of a paper lists what it prints, one item a line: section, item, what it states, how far
//! it is covered, and names. A statement, study, routing or other entry of a registry covers the numbered items that
//! its reference names, and those whose line names it: alone if it is a statement, else after the section of
//! `routebound list` that has it, as in `studies:gl-greedy`. The studies that need a solver stand in all lines of
//! theirs, so that the page does not depend on features. An item without a name is missing.

mod page;
mod reference;
#[cfg(test)]
mod tests;

use std::collections::BTreeSet;
use std::sync::LazyLock;

pub use page::page;

use super::{STATEMENTS, STUDIES};
use crate::registry::Kind;
use crate::simulation::{adaptive, delivery, packet, workload};
use crate::{adversary, routing, topology, traffic};

/// Coverage of an item of a paper.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Coverage {
    /// As printed.
    Faithful,
    /// As printed, and further.
    Beyond,
    /// Otherwise than printed.
    Differs,
    /// Some of it.
    Partial,
    /// By nothing.
    Missing,
}

impl Coverage {
    /// Every coverage, in the order in which pages count items.
    pub const ALL: [Self; 5] =
        [Self::Faithful, Self::Beyond, Self::Differs, Self::Partial, Self::Missing];

    /// The word for it on pages.
    #[must_use]
    pub fn name(self) -> &'static str {
        match self {
            Self::Faithful => "faithful",
            Self::Beyond => "beyond",
            Self::Differs => "differs",
            Self::Partial => "partial",
            Self::Missing => "missing",
        }
    }
}

/// An item of a paper.
#[derive(Clone, Debug)]
pub struct Item {
    /// Paper of the item and name of the item there: `[OR] Theorem 5`.
    pub name: String,
    /// The section that prints it.
    pub section: &'static str,
    /// The statement in a few words.
    pub states: &'static str,
    /// Coverage of the item.
    pub coverage: Coverage,
    /// Difference of what covers it from what is printed.
    pub how: &'static str,
    /// Entries that cover it, each as the position of its registry and its name.
    pub covered_by: BTreeSet<(usize, &'static str)>,
    /// Name and coverage, and the entries, as `list` prints them.
    listed: (String, String),
}

impl Item {
    /// The coverage with the difference from what is printed.
    #[must_use]
    pub fn standing(&self) -> String {
        let separator = if self.how.is_empty() { "" } else { ": " };
        [self.coverage.name(), separator, self.how].concat()
    }
}

/// Numbers of items by coverage, with the words for it.
#[must_use]
pub fn counts(items: &[Item]) -> [(&'static str, usize); 5] {
    let count = |coverage| items.iter().filter(|item| item.coverage == coverage).count();
    Coverage::ALL.map(|coverage| (coverage.name(), count(coverage)))
}

/// Numbers of items by coverage, as text.
#[must_use]
pub fn summary(items: &[Item]) -> String {
    counts(items).map(|(word, count)| format!("{count} {word}")).join(", ")
}

/// Every item of every paper, in the order of print.
pub static ITEMS: LazyLock<Vec<Item>> = LazyLock::new(|| {
    let entries = entries();
    let lines = LISTS.iter().flat_map(|(paper, list)| rows(list).map(move |row| (*paper, row)));
    lines.filter_map(|(paper, row)| item(paper, row, &entries)).collect()
});

/// The items as a registry, for `list`.
pub static KINDS: LazyLock<Vec<Kind<&'static Item>>> = LazyLock::new(|| {
    let kind = |item: &'static Item| Kind {
        name: &item.name,
        usage: &item.listed.0,
        about: item.states,
        reference: &item.listed.1,
        examples: &[],
        build: item,
    };
    ITEMS.iter().map(kind).collect()
});

/// What each paper prints.
const LISTS: &[(&str, &str)] = &[
    ("OR", include_str!("../../or/items.txt")),
    ("GL", include_str!("../../gl/items.txt")),
    ("GO", include_str!("../../go/items.txt")),
    ("NB", include_str!("../../nb/items.txt")),
    ("RO", include_str!("../../ro/items.txt")),
];

/// The lines of a list without its remarks.
fn rows(list: &'static str) -> impl Iterator<Item = &'static str> {
    list.lines().filter(|line| !line.starts_with('#'))
}

/// The sections of `list` that have something of the papers, in the order in which pages name them.
const REGISTRIES: &[&str] = &[
    "theorems",
    "studies",
    "topologies",
    "routings",
    "pattern-routings",
    "adaptive-routings",
    "traffic",
    "message-sets",
    "algorithms",
    "losses",
    "traces",
    "adversaries",
    "delivery-adversaries",
];

/// An entry of the registry at this position.
struct Entry {
    registry: usize,
    name: &'static str,
    reference: &'static str,
}

/// Every entry of [`REGISTRIES`].
fn entries() -> Vec<Entry> {
    let all = [
        of(STATEMENTS),
        of(STUDIES),
        of(topology::KINDS),
        of(routing::KINDS),
        of(adaptive::KINDS),
        of(packet::select::SELECTIONS),
        of(traffic::KINDS),
        of(delivery::sets::SETS),
        of(delivery::algorithm::ALGORITHMS),
        of(delivery::loss::LOSSES),
        of(workload::traces::TRACES),
        of(adversary::KINDS),
        of(adversary::delivery::KINDS),
    ];
    let entry = |registry, (name, reference)| Entry { registry, name, reference };
    let numbered = all.into_iter().enumerate();
    numbered.flat_map(|(at, kinds)| kinds.into_iter().map(move |kind| entry(at, kind))).collect()
}

/// Names and references of a registry.
fn of<B>(kinds: &[Kind<B>]) -> Vec<(&'static str, &'static str)> {
    kinds.iter().map(|kind| (kind.name, kind.reference)).collect()
}

/// The item of a line, if that has all its parts.
fn item(paper: &str, row: &'static str, entries: &[Entry]) -> Option<Item> {
    let parts: Vec<&'static str> = row.split('|').map(str::trim).collect();
    let &[section, label, states, standing, names] = parts.as_slice() else { return None };
    let name = format!("[{paper}] {label}");
    let own = reference::numbered(&name);
    let covers = |entry: &&Entry| {
        let part = |named: &String| own.iter().any(|own| is_part(own, named));
        reference::numbered(entry.reference).iter().any(part)
    };
    let referring = entries.iter().filter(covers).map(|entry| (entry.registry, entry.name));
    let mut covered_by: BTreeSet<_> = referring.collect();
    for name in names.split(", ").filter(|name| !name.is_empty()) {
        let (registry, name) = name.split_once(':').unwrap_or((REGISTRIES[0], name));
        covered_by.insert((REGISTRIES.iter().position(|known| *known == registry)?, name));
    }
    let (word, how) = standing.split_once(": ").unwrap_or((standing, ""));
    let said = Coverage::ALL.into_iter().find(|coverage| coverage.name() == word)?;
    let coverage = if covered_by.is_empty() { Coverage::Missing } else { said };
    let listed = (format!("{name}: {}", coverage.name()), listed(&covered_by));
    Some(Item { name, section, states, coverage, how, covered_by, listed })
}

/// Whether an item is the named one or a part of it: `RO Figure 2(a)` of `RO Figure 2`.
fn is_part(item: &str, named: &str) -> bool {
    item.strip_prefix(named).is_some_and(|rest| rest.is_empty() || rest.starts_with('('))
}

/// The names of entries, with the sections of `list` that have them.
fn listed(entries: &BTreeSet<(usize, &str)>) -> String {
    let by_registry = REGISTRIES.iter().enumerate().filter_map(|(at, registry)| {
        let names = entries.iter().filter(|(in_registry, _)| *in_registry == at);
        let names: Vec<&str> = names.map(|(_, name)| *name).collect();
        (!names.is_empty()).then(|| format!("{registry} {}", names.join(", ")))
    });
    let all: Vec<String> = by_registry.collect();
    if all.is_empty() { "no entry".to_string() } else { all.join("; ") }
}
