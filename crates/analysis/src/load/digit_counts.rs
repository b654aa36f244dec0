//! Numbers of pairs on the links of trees under digit rules, without a visit to any pair.
//!
//! The pairs of sources × destinations on an up link of step l are those of two sets: the sources in the subtree
//! below it whose digits lead to its ports W1..Wl, and the destinations outside whose digits do ([`DigitRules`]). So
//! their number is a product of two counts, and hosts are counted by subtree and ports once for all links of a step.
//! A link down is the same with sources and destinations exchanged.

use std::ops::Range;

use crate::progress::{Progress, Stopped};
use crate::rational::Rational;
use crate::routing::{DigitRule, DigitRules, Routing, digit_rules_of};
use crate::topology::{Host, LinkId, Topology, Xgft, link_number};

/// A tree and what digits decide on it.
pub(super) struct DigitCounts<'t> {
    tree: &'t Xgft,
    rules: DigitRules,
    /// Number of links.
    links: LinkId,
}

/// The pairs of each of some links beside each other: all those of some sources with some destinations.
pub(super) struct Crossing<'s> {
    pub(super) links: Range<LinkId>,
    /// Number of sources.
    pub(super) sources: u64,
    /// Number of destinations.
    pub(super) destinations: u64,
    /// The share of every pair.
    pub(super) share: &'s Rational,
}

impl<'t> DigitCounts<'t> {
    /// `None` where no digit rules hold, or a port takes digits of both hosts. O(hosts).
    pub(super) fn of(topology: &'t Topology, routing: &dyn Routing) -> Option<Self> {
        let rules = digit_rules_of(topology, routing)?;
        let is_by_one = |rule: &DigitRule| !matches!(rule, DigitRule::Both { .. });
        let tree = topology.tree().filter(|_| rules.steps().iter().all(is_by_one))?;
        Some(Self { tree, rules, links: link_number(topology.links()) })
    }

    /// Visits every link that may have pairs among `sources` × `destinations`, each without repeats, in ascending order
    /// and once; those beside each other with as many sources and destinations together.
    /// O(links + hosts · height), less where few subtrees have hosts.
    pub(super) fn for_each_run(
        &self,
        sources: &[Host],
        destinations: &[Host],
        progress: &Progress,
        visit: &mut dyn FnMut(Crossing<'_>),
    ) -> Result<(), Stopped> {
        let mut keys = [vec![0; sources.len()], vec![0; destinations.len()]];
        for step in 1..=self.tree.height() {
            progress.check()?;
            let [of_sources, of_destinations] = &mut keys;
            let sources = Side::new(self, step, true, (sources, of_sources));
            let destinations = Side::new(self, step, false, (destinations, of_destinations));
            self.visit_step(step, &sources, &destinations, visit);
        }
        Ok(())
    }

    /// As [`Self::for_each_run`], where the links that have no pairs come in between, without sources and destinations.
    pub(super) fn for_all_links(
        &self,
        sources: &[Host],
        destinations: &[Host],
        progress: &Progress,
        visit: &mut dyn FnMut(Crossing<'_>),
    ) -> Result<(), Stopped> {
        let (mut last, share) = (0, &Rational::ONE);
        let none = |links| Crossing { links, sources: 0, destinations: 0, share };
        self.for_each_run(sources, destinations, progress, &mut |crossing| {
            if last < crossing.links.start {
                visit(none(last..crossing.links.start));
            }
            last = crossing.links.end;
            visit(crossing);
        })?;
        if last < self.links {
            visit(none(last..self.links));
        }
        Ok(())
    }

    fn visit_step(
        &self,
        step: usize,
        sources: &Side,
        destinations: &Side,
        visit: &mut dyn FnMut(Crossing<'_>),
    ) {
        let (share, width) = (&self.share(step), self.tree.shortest_paths(step));
        let open: Vec<u32> = (0..width).filter(|ports| self.is_open(step, *ports)).collect();
        let mut run = (0..0, (0, 0));
        let mut end = |(links, (sources, destinations)): (Range<LinkId>, (u64, u64))| {
            if !links.is_empty() {
                visit(Crossing { links, sources, destinations, share });
            }
        };
        // Up links first: those of one direction have much in common.
        let up = sources.subtrees.iter().map(|subtree| (true, *subtree));
        for (is_up, subtree) in up.chain(destinations.subtrees.iter().map(|t| (false, *t))) {
            let (up, down) = self.tree.link_id(step - 1, subtree, 0, 0);
            for ports in &open {
                let (senders, others) = sources.counts(subtree, *ports);
                let (receivers, outside) = destinations.counts(subtree, *ports);
                let (link, ends) = if is_up {
                    (up + ports, (senders, outside))
                } else {
                    (down + ports, (others, receivers))
                };
                if run.0.end == link && run.1 == ends {
                    run.0.end += 1;
                } else {
                    end(std::mem::replace(&mut run, (link..link + 1, ends)));
                }
            }
        }
        end(run);
    }

    /// The share of its pairs on a link.
    fn share(&self, step: usize) -> Rational {
        let even = self.rules(step).filter(|(_, rule)| **rule == DigitRule::Even);
        let ways = even.map(|(at, _)| u64::from(self.tree.parents(at))).product();
        Rational::new(1, ways).expect("every w is at least 1")
    }

    /// The rules of the steps up to `step`.
    fn rules(&self, step: usize) -> impl DoubleEndedIterator<Item = (usize, &DigitRule)> {
        self.rules.steps()[..step].iter().enumerate().map(|(before, rule)| (before + 1, rule))
    }

    /// Whether pairs may take ports of this number.
    fn is_open(&self, step: usize, ports: u32) -> bool {
        self.kept(step, ports, |rule| *rule == DigitRule::Zero) == 0
    }

    /// The number of ports where those that `keep` does not hold for are 0.
    fn kept(&self, step: usize, ports: u32, keep: impl Fn(&DigitRule) -> bool) -> u32 {
        let (mut rest, mut weight, mut kept) = (ports, 1, 0);
        for (at, rule) in self.rules(step).rev() {
            let parents = self.tree.parents(at);
            kept += if keep(rule) { weight * (rest % parents) } else { 0 };
            rest /= parents;
            weight *= parents;
        }
        kept
    }
}

/// The ports that the digit of a host decides on its side of a pair.
fn decided(rule: &DigitRule, is_source: bool) -> Option<(usize, &[u32])> {
    match rule {
        DigitRule::Source { digit, ports } if is_source => Some((*digit, ports)),
        DigitRule::Destination { digit, ports } if !is_source => Some((*digit, ports)),
        _ => None,
    }
}

/// The hosts of one side of all pairs, counted for the links of a step. The key of a number W1..Wl is that number where
/// ports that this side does not decide are 0.
struct Side {
    /// By number W1..Wl, its key.
    keys: Vec<u32>,
    /// By key, the hosts that lead there.
    all: Vec<u64>,
    /// By subtree of height l − 1 and key, those in the subtree.
    inside: Vec<u64>,
    /// The subtrees with such hosts, ascending.
    subtrees: Vec<u32>,
}

impl Side {
    /// The side of a step; `of_hosts` are the keys of the hosts for the step before, and then those for this one.
    fn new(
        counts: &DigitCounts<'_>,
        step: usize,
        is_source: bool,
        (hosts, of_hosts): (&[Host], &mut [u32]),
    ) -> Self {
        let (tree, width) = (counts.tree, counts.tree.shortest_paths(step));
        let key = |ports| counts.kept(step, ports, |rule| decided(rule, is_source).is_some());
        let keys: Vec<u32> = (0..width).map(key).collect();
        let subtrees = tree.hosts() / tree.subtree_hosts(step - 1) as usize;
        let mut all = vec![0; width as usize];
        let mut inside = vec![0; width as usize * subtrees];
        let mut has_hosts = vec![false; subtrees];
        let own = decided(&counts.rules.steps()[step - 1], is_source);
        for (host, key) in hosts.iter().zip(of_hosts) {
            let port = own.map_or(0, |(digit, ports)| ports[tree.digit(*host, digit) as usize]);
            *key = *key * tree.parents(step) + port;
            let subtree = tree.subtree(*host, step - 1);
            has_hosts[subtree as usize] = true;
            all[*key as usize] += 1;
            inside[(subtree * width + *key) as usize] += 1;
        }
        let subtrees = (0..).zip(has_hosts).filter_map(|(subtree, has)| has.then_some(subtree));
        Self { keys, all, inside, subtrees: subtrees.collect() }
    }

    /// Hosts that lead to these ports, inside and outside a subtree.
    fn counts(&self, subtree: u32, ports: u32) -> (u64, u64) {
        let key = self.keys[ports as usize] as usize;
        let inside = self.inside[subtree as usize * self.keys.len() + key];
        (inside, self.all[key] - inside)
    }
}
