//! The link loads of the even split over all shortest paths, in integers.
//!
//! The even split is a routing, so optu is at most its max load. Between two gates
//! ([`Gates`]) all pairs of hosts use the same links with the same shares, so memory grows with the
//! number of gates. A permutation gives every gate as many pairs as it has hosts, so no permutation
//! puts more on a link than the sum over all hosts of the maximum share of each source, or of each
//! destination. On trees of full bisection that is 1 on every link, and nothing needs to be kept.

use super::uses::{MAX_UNITS, MEMORY, link_units};
use crate::integer::Gcd;
use crate::optimum::gates::{Gates, Walk, Ways};
use crate::prelude::*;

/// Maximum common denominator of the shares. Shares with a larger one are rounded up to multiples
/// of its reciprocal, so the bound on optu stays certain.
const FINEST: u64 = 1 << 20;

/// The loads of the even split.
pub(super) struct EvenLoads {
    gates: Gates,
    /// Units of a load of 1.
    scale: u64,
    /// Load units per unit of traffic on each link, before the share is applied.
    unit: Vec<u64>,
    /// Common denominator of the shares.
    shares: u64,
    /// By gate b: the pairs of gates that lead to it.
    rows: Vec<GateLoads>,
}

/// The link loads of one unit from each gate to one gate.
struct GateLoads {
    /// Entries from gate a are `first[a]..first[a + 1]`.
    first: Vec<u32>,
    entries: Vec<(LinkId, u64)>,
}

/// A bound on the optu of permutations by the even split.
pub(super) enum EvenBound {
    /// Upper bound on the max load of any permutation.
    Constant(Rational),
    /// Loads of every pair.
    Loads(EvenLoads),
}

/// The bound for a network without labels; `None` if a pair has no path, there are too many paths,
/// the work would take too much memory, or it was stopped. O(gates²·links between two).
pub(super) fn bound(topology: &Topology, progress: &Progress) -> Option<EvenBound> {
    let (unit, capacities) = link_units(topology).ok()?;
    let gates = Gates::new(topology);
    let table = gates.len() * topology.nodes() * size_of::<(u32, u128)>();
    if table as u64 > MEMORY {
        return None;
    }
    let numbers = 0..index32(gates.len());
    let search = |gate| progress.check().ok().map(|()| gates.ways(gate));
    let ways: Vec<Ways> = numbers.into_par_iter().map(search).collect::<Option<_>>()?;
    let shares = denominator(topology, &gates, &ways)?;
    let widest = u128::from(unit.iter().copied().max()?);
    let most = widest * u128::from(shares) * topology.hosts() as u128;
    let scale = capacities.checked_mul(shares).filter(|_| most <= MAX_UNITS)?;
    let mut loads = EvenLoads { gates, scale, unit, shares, rows: Vec::new() };
    let (most, kept) = loads.most(topology, &ways, progress).ok()?;
    let most = Rational::new(most, scale)?;
    let fits = kept * size_of::<(LinkId, u64)>() as u64 <= MEMORY / 4;
    if most == Rational::ONE || !fits {
        return Some(EvenBound::Constant(most));
    }
    loads.tabulate(&ways, progress).ok()?;
    Some(EvenBound::Loads(loads))
}

/// The common denominator of all shares, or [`FINEST`] if it is larger; `None` if a pair has no
/// path.
fn denominator(topology: &Topology, gates: &Gates, ways: &[Ways]) -> Option<u64> {
    let hosts = topology.host_numbers();
    let links = hosts.flat_map(|host| [gates.to_gate(host), gates.from_gate(host)]);
    let mut common = Some(1_u64);
    let mut add = |paths: u128| common = common.and_then(|common| lcm(common, paths));
    links.filter(|links| !links.is_empty()).for_each(|links| add(links.len() as u128));
    for ways in ways {
        (0..index32(gates.len())).try_for_each(|from| gates.paths(from, ways).map(&mut add))?;
    }
    Some(common.unwrap_or(FINEST))
}

/// The least common multiple, if it is at most [`FINEST`].
fn lcm(a: u64, b: u128) -> Option<u64> {
    let b = u64::try_from(b).ok()?;
    (a / a.gcd(b)).checked_mul(b).filter(|common| *common <= FINEST)
}

impl EvenLoads {
    /// Units of an optu of 1.
    pub(super) fn scale(&self) -> u64 {
        self.scale
    }

    /// Calls `visit(link, units)` for every link that the even split of a pair loads.
    #[inline]
    pub(super) fn each(&self, s: Host, d: Host, mut visit: impl FnMut(LinkId, u64)) {
        let mut on_host = |links: &[LinkId]| {
            for link in links {
                visit(*link, self.unit[*link as usize] * self.part(1, links.len() as u128));
            }
        };
        on_host(self.gates.to_gate(s));
        on_host(self.gates.from_gate(d));
        let (from, row) = (self.gates.of(s) as usize, &self.rows[self.gates.of(d) as usize]);
        for (link, units) in &row.entries[row.first[from] as usize..row.first[from + 1] as usize] {
            visit(*link, *units);
        }
    }

    /// `some` of `all` paths as a share in units, rounded up.
    fn part(&self, some: u128, all: u128) -> u64 {
        // Shares are at most 1, so the quotient is at most `shares`.
        let product = some.checked_mul(self.shares.into());
        let part = |product: u128| u64::try_from(product.div_ceil(all)).expect("at most `shares`");
        product.map_or(self.shares, part)
    }

    /// The links between two gates, with units.
    fn links(&self, from: u32, ways: &Ways, walk: &mut Walk, mut visit: impl FnMut(LinkId, u64)) {
        let paths = self.gates.paths(from, ways).expect("counted when units were chosen");
        self.gates.for_each_link(from, ways, walk, |link, through| {
            visit(link, self.unit[link as usize] * self.part(through, paths));
        });
    }

    /// A load in units that no permutation exceeds on any link, and the number of entries of all
    /// pairs.
    fn most(
        &self,
        topology: &Topology,
        ways: &[Ways],
        progress: &Progress,
    ) -> Result<(u64, u64), Stopped> {
        let mut hosts = vec![0_u64; self.gates.len()];
        let mut most = 0;
        for host in topology.host_numbers() {
            hosts[self.gates.of(host) as usize] += 1;
            for links in [self.gates.to_gate(host), self.gates.from_gate(host)] {
                let part = self.part(1, links.len().max(1) as u128);
                let units = links.iter().map(|link| self.unit[*link as usize] * part);
                most = units.max().unwrap_or(0).max(most);
            }
        }
        let (by_source, entries) = self.sums(&hosts, ways, progress, |one, other| (one, other))?;
        let (by_sink, _) = self.sums(&hosts, ways, progress, |one, other| (other, one))?;
        let sums = by_source.iter().zip(&by_sink).map(|(source, sink)| *source.min(sink));
        Ok((sums.max().unwrap_or(0).max(most), entries))
    }

    /// For every link, the sum over the hosts of one side of the maximum load of a pair, and the
    /// number of entries; `pair(one, other)` is a pair of gates, `one` on that side.
    fn sums(
        &self,
        hosts: &[u64],
        ways: &[Ways],
        progress: &Progress,
        pair: impl Fn(u32, u32) -> (u32, u32) + Sync,
    ) -> Result<(Vec<u64>, u64), Stopped> {
        let links = self.unit.len();
        let gates = 0..index32(self.gates.len());
        let one = |mut state: (Vec<u64>, u64, Vec<u64>, Walk), one: u32| {
            progress.check()?;
            let (sums, entries, greatest, walk) =
                (&mut state.0, &mut state.1, &mut state.2, &mut state.3);
            greatest.clear();
            greatest.resize(links, 0);
            for other in 0..index32(hosts.len()) {
                let (from, to) = pair(one, other);
                self.links(from, &ways[to as usize], walk, |link, units| {
                    *entries += 1;
                    greatest[link as usize] = units.max(greatest[link as usize]);
                });
            }
            let times = hosts[one as usize];
            sums.iter_mut().zip(&*greatest).for_each(|(sum, most)| *sum += times * most);
            Ok(state)
        };
        let start = || (vec![0; links], 0, Vec::new(), Walk::default());
        let parts = gates.into_par_iter().try_fold(start, one);
        parts.map(|part| part.map(|(sums, entries, ..)| (sums, entries))).try_reduce(
            || (vec![0; links], 0),
            |mut a, b| {
                a.0.iter_mut().zip(b.0).for_each(|(sum, more)| *sum += more);
                Ok((a.0, a.1 + b.1))
            },
        )
    }

    fn tabulate(&mut self, ways: &[Ways], progress: &Progress) -> Result<(), Stopped> {
        let row = |ways: &Ways| {
            progress.check()?;
            let (mut row, mut walk) =
                (GateLoads { first: vec![0], entries: Vec::new() }, Walk::default());
            for from in 0..index32(self.gates.len()) {
                self.links(from, ways, &mut walk, |link, units| row.entries.push((link, units)));
                row.first.push(index32(row.entries.len()));
            }
            row.entries.shrink_to_fit();
            Ok(row)
        };
        self.rows = ways.par_iter().map(row).collect::<Result<_, Stopped>>()?;
        Ok(())
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::optimum::EvenSplit;
    use crate::traffic::Demand;

    fn plain(spec: &str) -> Topology {
        Topology::new(spec.into(), generate(spec).unwrap().graph().clone()).unwrap()
    }

    fn found(spec: &str) -> EvenBound {
        bound(&plain(spec), &Progress::silent()).unwrap()
    }

    #[test]
    fn no_permutation_puts_more_than_one_on_a_link_of_full_bisection() {
        for spec in ["ft(4,3)", "ft(6,2)", "kary(3,3)", "ftree(2,5,4)"] {
            assert!(
                matches!(found(spec), EvenBound::Constant(most) if most == Rational::ONE),
                "{spec}"
            );
        }
    }

    /// The loads of every pair are those of the even split in rationals.
    #[test]
    fn units_are_shares() {
        for spec in ["xgft(2;4,4;1,3)", "xgft(3;2,2,2;1,2,1)", "xgft(2;4,3;2,1)"] {
            let (topology, EvenBound::Loads(loads)) = (plain(spec), found(spec)) else {
                panic!("{spec} is slimmed");
            };
            let hosts = host_number(topology.hosts());
            for (s, d) in (0..hosts).flat_map(|s| (0..hosts).map(move |d| (s, d))) {
                if s == d {
                    continue;
                }
                let split = EvenSplit::route(&topology, &[Demand { s, d, amount: Rational::ONE }]);
                let mut units = vec![0; topology.links()];
                loads.each(s, d, |link, some| units[link as usize] += some);
                for (link, units) in (0..).zip(units) {
                    let load = Rational::new(units, loads.scale()).unwrap();
                    assert_eq!(load, split.as_ref().unwrap().load(link), "{spec} {s}->{d}");
                }
            }
        }
    }

    #[test]
    fn multiples_beyond_the_finest_are_left() {
        assert_eq!(lcm(12, 18), Some(36));
        assert_eq!(lcm(FINEST, 2), Some(FINEST));
        assert_eq!(lcm(FINEST, 3), None);
        assert_eq!(lcm(1, 1 << 70), None);
    }

    #[test]
    fn stopped_work_bounds_nothing() {
        let stop = crate::progress::Stop::default();
        stop.request();
        assert!(bound(&plain("ft(4,2)"), &Progress::silent().stopped_by(stop)).is_none());
    }
}
