//! Ports at the top of a two-level tree that the first digits of both hosts decide.
//!
//! The links of port p at a leaf carry the pairs of digits whose port is p: the leaf has one host
//! of each near digit, the m_2 − 1 other leaves one of each far digit. By symmetry among these
//! leaves the most is a flow between near digits, of capacity 1, and far digits, of capacity m_2 −
//! 1; the c_1 links of the leaf limit it as a whole. Where the pairs of digits are all of a set
//! with all of another, the lesser set of hosts is the flow.

use std::collections::{BTreeMap, HashMap};

use super::classes::{Class, Classes, add};
use crate::certificate::Sent;
use crate::flow::FlowNetwork;
use crate::integer::index32;
use crate::progress::{Progress, Stopped};
use crate::ratio::Ratio;
use crate::topology::TreeShape;

/// A pair of digits, near and far.
type Pair = (u32, u32);

/// The pairs of digits of every port.
#[derive(Clone, Debug)]
pub(super) struct Table {
    ports: BTreeMap<u32, Port>,
    up: bool,
}

/// The pairs of digits of a port, near end and far end, each ascending.
#[derive(Clone, Debug)]
struct Port {
    pairs: Vec<Pair>,
    near: Vec<u32>,
    far: Vec<u32>,
    /// Other leaves.
    others: u64,
}

impl Table {
    /// The table of links up or down. O(m1²).
    pub(super) fn new(shape: &TreeShape, ports: &[u32], up: bool) -> Self {
        let digits = shape.children(1) as usize;
        let mut all: HashMap<u32, Vec<Pair>> = HashMap::new();
        for (at, port) in ports.iter().enumerate() {
            let (s, d) = (index32(at / digits), index32(at % digits));
            all.entry(*port).or_default().push(if up { (s, d) } else { (d, s) });
        }
        let others = u64::from(shape.children(2)) - 1;
        let ports = all.into_iter().map(|(port, pairs)| (port, Port::new(pairs, others)));
        Self { ports: ports.collect(), up }
    }

    /// The classes of ports, each link at most `leaf`, and what all hosts at either end of a port
    /// could send at most.
    pub(super) fn classes(
        &self,
        shape: &TreeShape,
        leaf: u64,
        progress: &Progress,
    ) -> Result<(Classes, u64), Stopped> {
        let (mut classes, mut most) = (Classes::new(), 0);
        for (port, digits) in &self.ports {
            progress.check()?;
            let units = digits.most(progress)?;
            most = most.max(digits.ends().min(leaf));
            let first = u64::from(*port);
            add(&mut classes, units.min(leaf), Class { ways: 1, first });
        }
        let used = self.ports.len() as u64;
        let idle = u64::from(shape.parents(2)) - used;
        if idle > 0 {
            let first = (0..).zip(self.ports.keys()).find(|(at, port)| at != *port);
            let first = first.map_or(used, |(at, _): (u32, _)| at.into());
            add(&mut classes, 0, Class { ways: idle, first });
        }
        Ok((classes, most))
    }

    /// Traffic of so many units over a port: from and to which digits.
    pub(super) fn sent(
        &self,
        port: u32,
        units: u64,
        progress: &Progress,
    ) -> Result<Vec<Sent>, Stopped> {
        let (mut left, mut sent) = (units, Vec::new());
        let digits = self.ports.get(&port);
        let mut flow = digits.map_or(Ok(Vec::new()), |digits| digits.flow(progress))?;
        // Units of one far digit are next to each other, for different leaves.
        flow.sort_unstable_by_key(|((near, far), _)| (*far, *near));
        for ((near, far), amount) in flow {
            let amount = amount.min(left);
            left -= amount;
            if amount > 0 {
                let digits = Some(if self.up { (near, far) } else { (far, near) });
                sent.push(Sent { level: 2, amount: Ratio::from(amount), digits });
            }
        }
        Ok(sent)
    }
}

impl Port {
    fn new(pairs: Vec<Pair>, others: u64) -> Self {
        let distinct = |end: fn(&Pair) -> u32| {
            let mut ends: Vec<u32> = pairs.iter().map(end).collect();
            ends.sort_unstable();
            ends.dedup();
            ends
        };
        let (near, far) = (distinct(|pair| pair.0), distinct(|pair| pair.1));
        Self { pairs, near, far, others }
    }

    /// All near hosts, or all far hosts.
    fn ends(&self) -> u64 {
        (self.near.len() as u64).min(self.far.len() as u64 * self.others)
    }

    /// The most that hosts of these digits can send.
    fn most(&self, progress: &Progress) -> Result<u64, Stopped> {
        if self.pairs.len() == self.near.len() * self.far.len() {
            return Ok(self.ends());
        }
        Ok(self.maximised(progress)?.0)
    }

    /// The flow network after its maximisation: source 0, sink 1, near digits, far digits; arcs of
    /// near digits, of far digits, of pairs.
    fn maximised(&self, progress: &Progress) -> Result<(u64, FlowNetwork), Stopped> {
        let (near, far) = (self.near.len(), self.far.len());
        let mut network = FlowNetwork::new(2 + near + far);
        for at in 0..near {
            network.add_arc(0, 2 + at, 1);
        }
        for at in 0..far {
            network.add_arc(2 + near + at, 1, self.others);
        }
        for (from, to) in &self.pairs {
            let place = |digits: &[u32], digit: &u32| {
                digits.binary_search(digit).expect("the digits are those of the pairs")
            };
            let (from, to) = (place(&self.near, from), place(&self.far, to));
            network.add_arc(2 + from, 2 + near + to, 1);
        }
        let most = network.maximise(0, 1, progress)?;
        Ok((most, network))
    }

    /// A maximum flow, pair by pair of digits.
    fn flow(&self, progress: &Progress) -> Result<Vec<(Pair, u64)>, Stopped> {
        let (_, network) = self.maximised(progress)?;
        let first = self.near.len() + self.far.len();
        let amount = |at: usize| network.flow(first + at);
        Ok(self.pairs.iter().enumerate().map(|(at, pair)| (*pair, amount(at))).collect())
    }
}
