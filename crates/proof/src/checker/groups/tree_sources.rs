//! The sources of some links, by sets of groups that go down the tree of paths to each destination.

use std::collections::BTreeMap;
use std::sync::atomic::{AtomicU64, Ordering};

use crate::topology::{Host, LinkId};

use super::trees::{Grouped, Numbers, Tree, Weights};
use super::{Group, checked};
use crate::checker::ends::parts;
use crate::checker::{Result, parallel};

/// Maximum number of words of all sets.
const MAX_WORDS: usize = 1 << 23;

/// The groups that pass some links.
struct Sets {
    /// By link, one more than its place among these; 0 for others.
    slot: Vec<u32>,
    /// By word of a set, that of every link: groups of the same word often pass the same links.
    bits: Vec<Vec<AtomicU64>>,
}

/// By link and group, the destination among the group's own hosts to which it passes the link; `None` for several.
type Own = BTreeMap<(LinkId, usize), Option<Host>>;

impl Sets {
    fn is_open(&self, link: LinkId) -> bool {
        self.slot[link as usize] > 0
    }

    /// A word of the set of a link, which has one if it is open.
    fn word(&self, link: LinkId, word: usize) -> Option<&AtomicU64> {
        let slot = (self.slot[link as usize] as usize).checked_sub(1)?;
        self.bits[word].get(slot)
    }

    fn insert(&self, link: LinkId, word: usize, groups: u64) {
        let known = self.word(link, word);
        if let Some(known) = known.filter(|known| known.load(Ordering::Relaxed) & groups != groups)
        {
            known.fetch_or(groups, Ordering::Relaxed);
        }
    }

    fn has(&self, link: LinkId, group: usize) -> bool {
        let word = self.word(link, group / 64);
        word.is_some_and(|word| word.load(Ordering::Relaxed) >> (group % 64) & 1 == 1)
    }
}

impl Grouped<'_> {
    /// The sources of open links; `None` where that would need too much memory.
    pub(super) fn sources(&self, open: &[LinkId], weights: &Weights) -> Result<Option<Numbers>> {
        let links = self.network.links.len();
        let mut numbers = Numbers::new(weights, links);
        let words = self.groups.len().div_ceil(64);
        if words * open.len().max(self.network.nodes) > MAX_WORDS {
            return Ok(None);
        }
        let word = |_| open.iter().map(|_| AtomicU64::default()).collect();
        let mut sets = Sets { slot: vec![0; links], bits: (0..words).map(word).collect() };
        (1..).zip(open).for_each(|(slot, link)| sets.slot[*link as usize] = slot);
        let own = if open.is_empty() { Own::new() } else { self.pass(&sets)? };
        for (group, of_group) in self.groups.iter().enumerate() {
            let mut hosts = vec![0; weights.different.len()];
            of_group.sources.iter().for_each(|s| hosts[weights.of[*s as usize]] += 1);
            for link in open.iter().filter(|link| sets.has(**link, group)) {
                hosts
                    .iter()
                    .enumerate()
                    .for_each(|(weight, hosts)| numbers.add(weight, *link, *hosts));
            }
        }
        for ((link, group), only) in own.into_iter().filter(|(at, _)| !sets.has(at.0, at.1)) {
            let sources = self.groups[group].sources.iter().filter(|s| Some(**s) != only);
            sources.for_each(|s| numbers.add(weights.of[*s as usize], link, 1));
        }
        let firsts = self.groups.iter().flat_map(Group::firsts);
        for (s, first) in firsts.filter(|(_, first)| sets.is_open(*first)) {
            numbers.add(weights.of[s as usize], first, 1);
        }
        Ok(Some(numbers))
    }

    /// Adds the groups to the sets of the links that they pass to hosts of others. Returns what they pass to their own.
    fn pass(&self, sets: &Sets) -> Result<Own> {
        let mut of_host = vec![0; self.network.hosts];
        let mut at_node = vec![None; self.network.nodes];
        for (number, group) in self.groups.iter().enumerate() {
            group.sources.iter().for_each(|s| of_host[*s as usize] = number);
            at_node[group.entry as usize] = Some(number);
        }
        let hosts: Vec<Host> = self.network.host_numbers().collect();
        let parts: Vec<&[Host]> = parts(&hosts).collect();
        let passed = parallel::map(&parts, |part| {
            let mut pass = Pass {
                sets,
                at_node: &at_node,
                is_needed: vec![false; self.network.nodes],
                is_passed: vec![false; self.network.nodes],
                groups: vec![0; self.network.nodes * sets.bits.len()],
            };
            let (mut tree, mut own) = (Tree::new(self.network), Vec::new());
            for (place, d) in part.iter().enumerate() {
                self.network.go_on()?;
                // That every path arrives is known.
                tree.grow(self, (part, place));
                let group = of_host[*d as usize];
                pass.down(&tree, *d, group);
                let links = self.path_of(group, *d).filter(|link| sets.is_open(*link));
                own.extend(links.map(|link| (link, group, *d)));
            }
            Ok(own)
        });
        let mut all = Own::new();
        for (link, group, d) in passed.into_iter().collect::<Result<Vec<_>>>()?.concat() {
            let known = all.entry((link, group)).or_insert(Some(d));
            *known = known.filter(|known| *known == d);
        }
        Ok(all)
    }

    /// The links on the path to `d` of those other hosts that are in its group, if there are any.
    fn path_of(&self, group: usize, d: Host) -> impl Iterator<Item = LinkId> {
        let group = &self.groups[group];
        let mut at = if group.sources == [d] { d } else { group.entry };
        std::iter::from_fn(move || {
            let entry = self.tables.entry(at, d).filter(|_| at != d)?;
            let (link, to) = checked(self.network, at, entry)?;
            at = to;
            Some(link)
        })
    }
}

/// How groups go down trees.
struct Pass<'p> {
    sets: &'p Sets,
    /// By node, the group that enters there.
    at_node: &'p [Option<usize>],
    /// By node, whether its link or one behind it is open.
    is_needed: Vec<bool>,
    /// By node, whether groups have come there, and which.
    is_passed: Vec<bool>,
    groups: Vec<u64>,
}

impl Pass<'_> {
    /// Adds all groups but the destination's `own` to the sets of the open links that they pass.
    fn down(&mut self, tree: &Tree, d: Host, own: usize) {
        tree.mark(d, |link| self.sets.is_open(link), &mut self.is_needed);
        for (node, link, to) in tree.nodes.iter().rev() {
            let (node, to) = (*node as usize, *to as usize);
            if !self.is_needed[node] {
                continue;
            }
            let entered = self.at_node[node].filter(|group| *group != own);
            let entered = entered.map(|group| (group / 64, 1 << (group % 64)));
            if std::mem::take(&mut self.is_passed[node]) {
                let words = self.sets.bits.len();
                for word in 0..words {
                    let groups = std::mem::take(&mut self.groups[node * words + word]);
                    let more =
                        entered.filter(|entered| entered.0 == word).map_or(0, |entered| entered.1);
                    self.hand_on(*link, to, (word, groups | more));
                }
            } else if let Some(entered) = entered {
                self.hand_on(*link, to, entered);
            }
        }
    }

    fn hand_on(&mut self, link: LinkId, to: usize, (word, groups): (usize, u64)) {
        if groups > 0 {
            self.sets.insert(link, word, groups);
            if self.is_needed[to] {
                self.is_passed[to] = true;
                self.groups[to * self.sets.bits.len() + word] |= groups;
            }
        }
    }
}
