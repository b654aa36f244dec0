//! Ports at the top of a two-level tree that the first digits of both hosts decide.
//!
//! The links of port p at a leaf carry the pairs of digits whose port is p: the leaf has one host
//! of each near digit, the m_2 − 1 other leaves one of each far digit. By symmetry among these
//! leaves the most is a flow between near digits, of capacity 1, and far digits, of capacity m_2 −
//! 1; the c_1 links of the leaf limit it as a whole. Where the pairs of digits are all of a set
//! with all of another, the lesser set of hosts is the flow.
//!
//! There may be as many ports as pairs of digits, or a few ports with millions of pairs. So pairs
//! are in one list, sorted by port, and what is kept of a port is the number of others like it.

use super::classes::{Class, Classes, add};
use crate::certificate::Sent;
use crate::flow::FlowNetwork;
use crate::integer::{as_size, index32};
use crate::progress::{Progress, Stopped};
use crate::rational::Rational;
use crate::topology::TreeShape;

/// A pair of digits, near and far.
type Pair = (u32, u32);

/// The ports of all pairs of digits, in either direction.
#[derive(Clone, Debug)]
pub(super) struct Table {
    pairs: Pairs,
    /// For links down and up.
    sides: [Side; 2],
}

/// All pairs of digits by their ports.
#[derive(Clone, Debug)]
struct Pairs {
    /// Port·2^32 + source·m1 + destination, ascending.
    sorted: Vec<u64>,
    /// m1.
    digits: u64,
    /// Leaves other than the one at a link.
    others: u64,
}

/// The ports of links of one direction.
#[derive(Clone, Debug, Default)]
struct Side {
    /// By what their hosts can send, whatever the leaf can.
    classes: Classes,
    /// What all hosts at either end of a port could send at most.
    ends: u64,
}

/// The number of the port of an entry.
fn port_of(entry: u64) -> u64 {
    entry >> 32
}

impl Table {
    /// Sorts the pairs of digits and finds the flow of every port. O(m1²·log m1), and two flows per
    /// port whose pairs are not a product of two sets.
    pub(super) fn new(
        shape: &TreeShape,
        ports: &[u32],
        progress: &Progress,
    ) -> Result<Self, Stopped> {
        let pairs = Pairs::new(shape, ports, progress)?;
        let (mut sides, mut seen) = ([Side::default(), Side::default()], Vec::new());
        let (mut used, mut idle, mut work) = (0, 0, 0);
        for same in pairs.sorted.chunk_by(|a, b| port_of(*a) == port_of(*b)) {
            work += same.len() as u64;
            if work >= pairs.digits {
                progress.check()?;
                work = 0;
            }
            let first = port_of(same[0]);
            idle += u64::from(idle == first);
            used += 1;
            let (sources, destinations) = pairs.counts(same, &mut seen);
            for (up, side) in [false, true].into_iter().zip(&mut sides) {
                let (ends, units) = pairs.most(same, up, sources, destinations, progress)?;
                side.ends = side.ends.max(ends);
                add(&mut side.classes, units, Class { ways: 1, first });
            }
        }
        let ways = u64::from(shape.parents(2)) - used;
        if ways > 0 {
            for side in &mut sides {
                add(&mut side.classes, 0, Class { ways, first: idle });
            }
        }
        Ok(Self { pairs, sides })
    }

    /// The classes of ports, each link at most `leaf`, and what all hosts at either end of a port
    /// could send at most.
    pub(super) fn classes(&self, up: bool, leaf: u64) -> (Classes, u64) {
        let Side { classes: all, ends } = &self.sides[usize::from(up)];
        let mut classes = Classes::new();
        for (units, class) in all {
            add(&mut classes, (*units).min(leaf), *class);
        }
        (classes, (*ends).min(leaf))
    }

    /// Traffic of a given number of units over a port: from and to which digits.
    pub(super) fn sent(
        &self,
        up: bool,
        port: u32,
        units: u64,
        progress: &Progress,
    ) -> Result<Vec<Sent>, Stopped> {
        let (mut left, mut sent) = (units, Vec::new());
        let mut flow = self.pairs.flow(self.pairs.of_port(port), up, progress)?;
        // Units of one far digit are next to each other, for different leaves.
        flow.sort_unstable_by_key(|((near, far), _)| (*far, *near));
        for ((near, far), amount) in flow {
            let amount = amount.min(left);
            left -= amount;
            if amount > 0 {
                let digits = Some(if up { (near, far) } else { (far, near) });
                sent.push(Sent { level: 2, amount: Rational::from(amount), digits });
            }
        }
        Ok(sent)
    }
}

impl Pairs {
    fn new(shape: &TreeShape, ports: &[u32], progress: &Progress) -> Result<Self, Stopped> {
        let digits = u64::from(shape.children(1));
        let mut sorted = Vec::with_capacity(ports.len());
        for (row, ports) in (0..).zip(ports.chunks(as_size(digits))) {
            progress.check()?;
            sorted
                .extend((row * digits..).zip(ports).map(|(at, port)| u64::from(*port) << 32 | at));
        }
        sorted.sort_unstable();
        progress.check()?;
        Ok(Self { sorted, digits, others: u64::from(shape.children(2)) - 1 })
    }

    fn of_port(&self, port: u32) -> &[u64] {
        let place = |port: u64| self.sorted.partition_point(|entry| port_of(*entry) < port);
        let port = u64::from(port);
        &self.sorted[place(port)..place(port + 1)]
    }

    /// Source and destination of an entry.
    fn ends(&self, entry: u64) -> (u32, u32) {
        let at = entry & u64::from(u32::MAX);
        (index32(as_size(at / self.digits)), index32(as_size(at % self.digits)))
    }

    /// The numbers of sources and of destinations in the pairs of a port. `seen` has, for every
    /// destination, 1 + the last port in which it was.
    fn counts(&self, same: &[u64], seen: &mut Vec<u64>) -> (u64, u64) {
        seen.resize(as_size(self.digits), 0);
        let (mut sources, mut destinations, mut last) = (0, 0, None);
        for entry in same {
            let (s, d) = self.ends(*entry);
            sources += u64::from(last.replace(s) != Some(s));
            let mark = 1 + port_of(*entry);
            destinations += u64::from(std::mem::replace(&mut seen[d as usize], mark) != mark);
        }
        (sources, destinations)
    }

    /// All near hosts, or all far hosts, of a port with a given number of sources and destinations; and the
    /// most that they can send.
    fn most(
        &self,
        same: &[u64],
        up: bool,
        sources: u64,
        destinations: u64,
        progress: &Progress,
    ) -> Result<(u64, u64), Stopped> {
        let (near, far) = if up { (sources, destinations) } else { (destinations, sources) };
        let ends = near.min(far * self.others);
        if same.len() as u64 == sources * destinations {
            return Ok((ends, ends));
        }
        Ok((ends, Flow::new(self, same, up).network.maximise(0, 1, progress)?))
    }

    /// A maximum flow between near and far digits, pair by pair.
    fn flow(
        &self,
        same: &[u64],
        up: bool,
        progress: &Progress,
    ) -> Result<Vec<(Pair, u64)>, Stopped> {
        let Flow { mut network, pairs, first } = Flow::new(self, same, up);
        network.maximise(0, 1, progress)?;
        let amount = |at: usize| network.flow(first + at);
        Ok(pairs.iter().enumerate().map(|(at, pair)| (*pair, amount(at))).collect())
    }
}

/// The flow network of a port: source 0, sink 1, near digits, far digits; arcs of near digits, of
/// far digits, of pairs.
struct Flow {
    network: FlowNetwork,
    pairs: Vec<Pair>,
    /// The arc of the first pair.
    first: usize,
}

impl Flow {
    fn new(all: &Pairs, same: &[u64], up: bool) -> Self {
        let pair = |entry: &u64| {
            let (s, d) = all.ends(*entry);
            if up { (s, d) } else { (d, s) }
        };
        let pairs: Vec<Pair> = same.iter().map(pair).collect();
        let distinct = |end: fn(&Pair) -> u32| {
            let mut ends: Vec<u32> = pairs.iter().map(end).collect();
            ends.sort_unstable();
            ends.dedup();
            ends
        };
        let (near, far) = (distinct(|pair| pair.0), distinct(|pair| pair.1));
        let mut network = FlowNetwork::new(2 + near.len() + far.len());
        for at in 0..near.len() {
            network.add_arc(0, 2 + at, 1);
        }
        for at in 0..far.len() {
            network.add_arc(2 + near.len() + at, 1, all.others);
        }
        for (from, to) in &pairs {
            let place = |digits: &[u32], digit: &u32| {
                digits.binary_search(digit).expect("the digits are those of the pairs")
            };
            let (from, to) = (place(&near, from), place(&far, to));
            network.add_arc(2 + from, 2 + near.len() + to, 1);
        }
        Self { network, pairs, first: near.len() + far.len() }
    }
}
