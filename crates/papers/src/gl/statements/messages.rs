//! Sets of messages that statements of \[GL\] are tested on.

use rand::Rng;

use crate::theorem::prelude::*;

/// `count` messages from s to d.
pub(super) fn messages((s, d): (Host, Host), count: u64) -> Demand {
    Demand { s, d, amount: Rational::from(count) }
}

/// Set number `index` for a seed: every pair has up to `most` messages, or none, with a probability
/// drawn per set.
pub(super) fn random(hosts: usize, most: u32, seed: u64, index: u64) -> Vec<Demand> {
    let mut generator = Streams::new(seed).at(index);
    let mut below = |bound: u32| generator.next_u32() % bound;
    let dense = 1 + below(16);
    let mut count = || if below(16) < dense { 1 + below(most) } else { 0 };
    let counted: Vec<_> = sd_pairs(hosts).map(|pair| (pair, count())).collect();
    counted
        .into_iter()
        .filter(|(_, count)| *count > 0)
        .map(|(pair, count)| messages(pair, count.into()))
        .collect()
}

/// Set number `index` for a seed: 1 to `most` messages, equal ones among them, to a part of the hosts
/// whose size is drawn per set. Needs at least 2 hosts.
pub(super) fn few(hosts: usize, most: u32, seed: u64, index: u64) -> Vec<Demand> {
    let mut generator = Streams::new(seed).at(index);
    let mut below = |bound: u32| generator.next_u32() % bound;
    let hosts = host_number(hosts);
    let (count, part) = (1 + below(most), 1 + below(hosts));
    let mut sent: BTreeMap<(Host, Host), u64> = BTreeMap::new();
    for _ in 0..count {
        let d = below(part);
        *sent.entry(((d + 1 + below(hosts - 1)) % hosts, d)).or_default() += 1;
    }
    sent.into_iter().map(|(pair, count)| messages(pair, count)).collect()
}
