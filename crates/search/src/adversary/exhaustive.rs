//! All permutations, up to symmetry of the instance.
//!
//! Where optu is the same for all permutations, adding a pair never lowers the ratio, so full
//! permutations suffice; a host that is its own destination is idle. Elsewhere a pair may cost more
//! optu than the load it adds, and all partial permutations are tried.
//!
//! Sources get their destinations one after the other. As long as automorphisms of the instance
//! remain that fix all hosts used so far, a destination stands for its orbit under them
//! ([`super::symmetry`]). The resulting prefixes are searched in parallel.

use std::num::NonZeroU64;
use std::sync::atomic::{AtomicBool, Ordering};

use super::context::{AttackContext, Value};
use super::record::Record;
use super::symmetry::{automorphisms, orbits};
use super::{AdversaryError, Attacked, Finding, IncrementalLoads, Oblivious};
use crate::attack::{Adversary, Built};
use crate::prelude::*;
use crate::shards::{Found, Work};

pub(super) const KIND: Kind<super::Method> = Kind {
    name: "exhaustive",
    usage: "exhaustive(permutations=268435456)",
    about: "all permutations, or partial ones where those may be worse, up to symmetry",
    reference: "crates/search/src/adversary/exhaustive.rs",
    examples: &["exhaustive"],
    build: super::Method { build, work: super::Work::TriesAll },
};

/// Maximum number of permutations tried, unless the spec says otherwise: about a minute.
const MAX_PERMUTATIONS: u64 = 1 << 28;

/// Maximum number of hosts for which automorphisms are looked for.
const MAX_HOSTS: usize = 16;

/// Number of sources that are always branched on, so that there is work for all threads.
const LEAST_DEPTH: usize = 2;

/// Maximum number of prefixes.
const MAX_PREFIXES: usize = 1 << 16;

/// Permutations between checks of the clock.
const LOOK: u64 = 4096;

#[derive(Deserialize)]
struct Exhaustive {
    permutations: NonZeroU64,
}

fn build(spec: &Spec) -> Result<Built<Oblivious>, AdversaryError> {
    let exhaustive: Exhaustive = spec.read()?;
    let shown = match exhaustive.permutations.get() {
        MAX_PERMUTATIONS => spec.clone().without("permutations"),
        _ => spec.clone(),
    };
    Ok(Built::new(&shown, exhaustive))
}

impl Adversary<Oblivious> for Exhaustive {
    fn attack(&self, spec: &str, context: &AttackContext<'_>, progress: &Progress) -> Attacked {
        let (hosts, partial) = (context.hosts(), !context.is_monotone());
        let group = if hosts <= MAX_HOSTS { automorphisms(context) } else { Vec::new() };
        let prefixes = prefixes(hosts, partial, &group);
        let of_prefix =
            |prefix: &Prefix| completions(hosts - prefix.len(), unused(hosts, prefix), partial);
        let size = prefixes.iter().map(of_prefix).try_fold(0_u128, |sum, n| sum.checked_add(n?));
        let (what, remedy) = ("number of permutations up to symmetry", "use climb or matching");
        within(what, size, self.permutations.get(), remedy)?;
        let (record, stopped) = search(context, &prefixes, progress);
        let kind = if partial { "partial permutations" } else { "permutations" };
        let (tried, symmetries) = (record.evaluations, group.len().max(1));
        let note = format!("{tried} {kind} up to {symmetries} automorphisms");
        let evidence = format!("{note}, {}", if stopped { "stopped early" } else { "all tried" });
        let mut finding = context.finding(&record, spec, Evidence::Claimed(evidence), progress)?;
        finding.notes.push(note);
        let is_exact = !stopped && context.permutations_suffice();
        finding.worst.upper = is_exact.then(|| finding.worst.lower.clone());
        Ok(Finding { stopped, ..finding })
    }
}

/// The best of all permutations that begin with one of the prefixes, and whether some were left
/// out.
fn search(context: &AttackContext<'_>, prefixes: &[Prefix], progress: &Progress) -> (Record, bool) {
    let cut = AtomicBool::new(false);
    let work = Below { context, prefixes, progress, cut: &cut };
    let records = context.units.each("all permutations", 0..prefixes.len() as u64, &work);
    let mut record = Record::default();
    for later in records.into_iter().flatten() {
        record.append(later);
    }
    (record, cut.load(Ordering::Relaxed))
}

/// The permutations that begin with each of the prefixes.
struct Below<'a, 'i> {
    context: &'a AttackContext<'i>,
    prefixes: &'a [Prefix],
    progress: &'a Progress,
    cut: &'a AtomicBool,
}

impl<'a> Work for Below<'a, '_> {
    type Result = Record;
    type Scratch = Tree<'a, 'a>;

    fn scratch(&self) -> Tree<'a, 'a> {
        Tree {
            incremental: IncrementalLoads::new(self.context),
            partial: !self.context.is_monotone(),
            used: vec![false; self.context.hosts()],
            pairs: Vec::new(),
            record: Record::default(),
            progress: self.progress,
            cut: self.cut,
        }
    }

    fn find(&self, tree: &mut Tree<'a, 'a>, unit: u64) -> Found<Record> {
        let record = tree.below(&self.prefixes[as_size(unit)]);
        if self.cut.load(Ordering::Relaxed) { Found::Passing(record) } else { Found::Final(record) }
    }

    fn fits(&self, unit: u64, record: &Record) -> bool {
        let (hosts, partial) = (self.context.hosts(), !self.context.is_monotone());
        let prefix = &self.prefixes[as_size(unit)];
        let left = completions(hosts - prefix.len(), unused(hosts, prefix), partial);
        let tried = u128::from(record.evaluations);
        let all = if partial { Some(tried) <= left } else { Some(tried) == left };
        tried > 0 && all && self.context.allows(record, 1)
    }
}

/// Destinations of sources 0, 1, 2, …; `None` is idle.
type Prefix = Vec<Option<Host>>;

fn unused(hosts: usize, prefix: &Prefix) -> usize {
    hosts - prefix.iter().flatten().count()
}

/// Number of ways to assign some of `destinations` destinations to `sources` sources; `None` above
/// 2^128. For partial permutations it is an upper bound: those with a host that is its own
/// destination are counted, though they are not tried.
fn completions(sources: usize, destinations: usize, partial: bool) -> Option<u128> {
    if !partial {
        return (1..=sources as u128).try_fold(1_u128, u128::checked_mul);
    }
    // Σ over k of C(sources,k) · C(destinations,k) · k!, each term from the one before.
    let (mut term, mut sum) = (1_u128, 1_u128);
    for k in 0..sources.min(destinations) as u128 {
        let factor = (sources as u128 - k) * (destinations as u128 - k);
        term = term.checked_mul(factor)? / (k + 1);
        sum = sum.checked_add(term)?;
    }
    Some(sum)
}

/// Prefixes of all permutations, up to the automorphisms.
fn prefixes(hosts: usize, partial: bool, group: &[Vec<Host>]) -> Vec<Prefix> {
    let mut done = Vec::new();
    let mut open: Vec<(Prefix, Vec<&Vec<Host>>)> = vec![(Vec::new(), group.iter().collect())];
    while let Some((prefix, group)) = open.pop() {
        let depth = prefix.len();
        let small = depth >= LEAST_DEPTH && group.len() <= 1;
        if depth == hosts || small || open.len() + done.len() > MAX_PREFIXES {
            done.push(prefix);
            continue;
        }
        let fixes = |host: usize| move |a: &&Vec<Host>| a[host] as usize == host;
        let group: Vec<&Vec<Host>> = group.into_iter().filter(fixes(depth)).collect();
        let least = orbits(host_number(hosts), &group);
        let free = |d: &Host| least[*d as usize] == *d && !prefix.contains(&Some(*d));
        let to_itself = |d: &Host| *d as usize == depth;
        let destinations =
            (0..host_number(hosts)).filter(free).filter(|d| !(partial && to_itself(d)));
        for d in destinations {
            let left = group.iter().copied().filter(fixes(d as usize)).collect();
            open.push(([prefix.as_slice(), &[Some(d)]].concat(), left));
        }
        if partial {
            open.push(([prefix.as_slice(), &[None]].concat(), group.clone()));
        }
    }
    done
}

/// A depth-first search below one prefix.
struct Tree<'s, 'a> {
    incremental: IncrementalLoads<'a>,
    partial: bool,
    used: Vec<bool>,
    pairs: Vec<(Host, Host)>,
    record: Record,
    progress: &'s Progress,
    /// Set when part of the search was left out.
    cut: &'s AtomicBool,
}

impl Tree<'_, '_> {
    fn below(&mut self, prefix: &Prefix) -> Record {
        for (s, d) in (0..).zip(prefix) {
            if let Some(d) = d {
                self.send(s, *d);
            }
        }
        self.search(prefix.len());
        for (s, d) in (0..).zip(prefix) {
            if let Some(d) = d {
                self.unsend(s, *d);
            }
        }
        self.progress.inc(self.record.evaluations);
        std::mem::take(&mut self.record)
    }

    fn search(&mut self, s: usize) {
        let hosts = self.used.len();
        if s == hosts {
            let value: Value = self.incremental.value();
            return self.record.see(value, || self.pairs.clone());
        }
        if self.record.evaluations.is_multiple_of(LOOK) && self.progress.cancelled() {
            self.cut.store(true, Ordering::Relaxed);
            return;
        }
        if self.partial {
            self.search(s + 1);
        }
        let source = host_number(s);
        for d in 0..host_number(hosts) {
            if !(self.used[d as usize] || self.partial && d == source) {
                self.send(source, d);
                self.search(s + 1);
                self.unsend(source, d);
            }
        }
    }

    fn send(&mut self, s: Host, d: Host) {
        self.used[d as usize] = true;
        if s != d {
            self.incremental.put(s, d);
            self.pairs.push((s, d));
        }
    }

    fn unsend(&mut self, s: Host, d: Host) {
        self.used[d as usize] = false;
        if s != d {
            self.incremental.take(s, d);
            self.pairs.pop();
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn sizes_by_hand() {
        assert_eq!(completions(4, 4, false), Some(24));
        // Partial permutations of 3: 1 + 9 + 18 + 6.
        assert_eq!(completions(3, 3, true), Some(34));
        assert_eq!(completions(2, 3, true), Some(13));
        assert_eq!(completions(60, 60, false), None);
    }
}
