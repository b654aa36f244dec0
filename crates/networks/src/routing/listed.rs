//! A routing given by paths in memory, like `table:FILE` without the file.

use super::Routing;
use crate::rational::Rational;
use crate::topology::{Host, LinkId, host_number};
use crate::traffic::PathRecord;

/// Explicit paths of every SD pair.
pub struct Listed {
    spec: String,
    hosts: usize,
    records: Vec<PathRecord>,
    /// Index of the first record of pair s·N + d; after the last pair, the number of records.
    first: Vec<usize>,
}

impl Listed {
    /// The routing given by `records`, named `spec`; `None` unless the shares of every SD pair are
    /// positive and sum to 1. The caller guarantees that the paths join their pairs.
    /// O(records·log records + N²).
    #[must_use]
    pub fn new(spec: String, hosts: usize, mut records: Vec<PathRecord>) -> Option<Self> {
        records.sort_by_key(|record| (record.s, record.d));
        let mut first = Vec::with_capacity(hosts * hosts + 1);
        let mut at = 0;
        for (s, d) in
            (0..host_number(hosts)).flat_map(|s| (0..host_number(hosts)).map(move |d| (s, d)))
        {
            first.push(at);
            let own = records[at..].iter().take_while(|r| (r.s, r.d) == (s, d));
            let shares: Vec<&Rational> = own.map(|record| &record.share).collect();
            let whole = if s == d { Rational::ZERO } else { Rational::ONE };
            if shares.iter().any(|share| share.is_zero())
                || shares.iter().copied().sum::<Rational>() != whole
            {
                return None;
            }
            at += shares.len();
        }
        first.push(at);
        (at == records.len()).then_some(Self { spec, hosts, records, first })
    }

    /// The routing of single paths, given for all SD pairs in order.
    pub(super) fn of_single_paths(spec: String, hosts: usize, records: Vec<PathRecord>) -> Self {
        // Row s has no pair (s, s).
        let first = (0..=hosts * hosts).map(|pair| pair - (pair + hosts) / (hosts + 1));
        Self { spec, hosts, first: first.collect(), records }
    }
}

impl Routing for Listed {
    fn spec(&self) -> &str {
        &self.spec
    }

    fn is_single_path(&self) -> bool {
        self.records.len() == self.hosts * (self.hosts - 1)
    }

    fn hosts(&self) -> Option<usize> {
        Some(self.hosts)
    }

    fn for_each_path(
        &self,
        s: Host,
        d: Host,
        _links: &mut Vec<LinkId>,
        visit: &mut dyn FnMut(&Rational, &[LinkId]),
    ) {
        let pair = s as usize * self.hosts + d as usize;
        for record in &self.records[self.first[pair]..self.first[pair + 1]] {
            visit(&record.share, &record.links);
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn shares_must_sum_to_one_for_every_pair() {
        let path =
            |s, d, share: &str| PathRecord { s, d, share: share.parse().unwrap(), links: vec![s] };
        let listed = |records: Vec<PathRecord>| Listed::new("table:x".into(), 2, records);
        let good = listed(vec![path(1, 0, "1"), path(0, 1, "1/3"), path(0, 1, "2/3")]).unwrap();
        assert!(!good.is_single_path());
        let mut shares = Vec::new();
        good.for_each_path(0, 1, &mut Vec::new(), &mut |share, _| shares.push(share.to_string()));
        assert_eq!(shares, ["1/3", "2/3"]);
        for bad in [
            vec![path(0, 1, "1")],
            vec![path(0, 1, "1"), path(1, 0, "1/2")],
            vec![path(0, 1, "1"), path(1, 0, "1"), path(1, 0, "0")],
            vec![path(0, 1, "1"), path(1, 0, "1"), path(0, 0, "1")],
            vec![path(0, 1, "1"), path(1, 0, "1"), path(0, 2, "1")],
        ] {
            assert!(listed(bad).is_none());
        }
    }
}
