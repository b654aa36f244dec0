//! Sets of unsplittable flows in the smallest Clos networks, all of them: the congestion that some set cannot avoid.
//!
//! A Clos network C(n,m,r) has r input and r output switches of n servers each and m middle switches; all links have
//! capacity 1. A flow leads from a server of an input switch to one of an output switch through one middle switch.
//! Rates are multiples of 1/q, and no server sends or receives more than 1. Sets to which no flow can be added are
//! enough, since a set that contains another has no less congestion.

use crate::progress::{Progress, Stopped};

/// Input switch, output switch, rate in multiples of 1/q.
pub(crate) type Flow = [usize; 3];

/// All full sets of flows, in order.
pub(crate) struct Search {
    n: usize,
    m: usize,
    r: usize,
    q: usize,
    types: Vec<Flow>,
    set: Vec<Flow>,
    /// Number of full sets.
    pub(crate) sets: u64,
    /// The least load of the most loaded link, in multiples of 1/q, on which it is highest.
    pub(crate) worst: usize,
    worst_set: Vec<Flow>,
}

impl Search {
    /// The search on C(n,m,r) with rates that are multiples of 1/q, before any set is visited.
    pub(crate) fn new([n, m, r, q]: [usize; 4]) -> Self {
        let rates = (1..=q).rev();
        let pairs = move |rate| (0..r).flat_map(move |from| (0..r).map(move |to| [from, to, rate]));
        let types = rates.flat_map(pairs).collect();
        let (set, worst_set) = (Vec::new(), Vec::new());
        Self { n, m, r, q, types, set, sets: 0, worst: 0, worst_set }
    }

    /// Visits all sets.
    pub(crate) fn run(mut self, progress: &Progress) -> Result<Self, Stopped> {
        self.from(0, progress)?;
        Ok(self)
    }

    /// Visits the sets that have no more flows of a type before `first` than the set so far.
    fn from(&mut self, first: usize, progress: &Progress) -> Result<(), Stopped> {
        progress.check()?;
        let mut is_full = true;
        for at in first..self.types.len() {
            self.set.push(self.types[at]);
            if self.fits() {
                is_full = false;
                self.from(at, progress)?;
            }
            self.set.pop();
        }
        if is_full {
            self.sets += 1;
            let congestion = self.congestion(&self.set, self.worst);
            if congestion > self.worst {
                (self.worst, self.worst_set) = (congestion, self.set.clone());
            }
        }
        Ok(())
    }

    /// Whether the servers of the switches of the last flow can send and receive their flows.
    fn fits(&self) -> bool {
        let Some(&last) = self.set.last() else { return true };
        [0, 1].into_iter().all(|side| {
            let rates = self.set.iter().filter(|flow| flow[side] == last[side]);
            let rates: Vec<usize> = rates.map(|flow| flow[2]).collect();
            self.q * self.n >= rates.iter().sum() && self.packs(&rates, &mut vec![0; self.n])
        })
    }

    /// Whether the rates are those of flows of servers, which have some already.
    fn packs(&self, rates: &[usize], servers: &mut [usize]) -> bool {
        let Some((rate, rest)) = rates.split_first() else { return true };
        (0..servers.len()).any(|server| {
            servers[server] += rate;
            let fits = servers[server] <= self.q && self.packs(rest, servers);
            servers[server] -= rate;
            fits
        })
    }

    /// The least load of the most loaded link over all routings of the flows; any number up to `enough` if it is at most
    /// that.
    pub(crate) fn congestion(&self, flows: &[Flow], enough: usize) -> usize {
        let mut routing = Routing {
            flows,
            up: vec![vec![0; self.m]; self.r],
            down: vec![vec![0; self.m]; self.r],
            least: usize::MAX,
            enough,
        };
        routing.route(0, 0, 0);
        routing.least
    }

    /// Flows of the worst set, none of which can be left out.
    pub(crate) fn shrunk(&self) -> Vec<Flow> {
        let mut flows = self.worst_set.clone();
        for at in (0..flows.len()).rev() {
            let mut fewer = flows.clone();
            fewer.remove(at);
            if self.congestion(&fewer, self.worst - 1) == self.worst {
                flows = fewer;
            }
        }
        flows
    }
}

/// Middle switches for flows, one after the other.
struct Routing<'f> {
    flows: &'f [Flow],
    up: Vec<Vec<usize>>,
    down: Vec<Vec<usize>>,
    least: usize,
    enough: usize,
}

impl Routing<'_> {
    /// Routes the flows from `at` on; those before load links up to `most` and use the first `used` middle switches.
    fn route(&mut self, at: usize, most: usize, used: usize) {
        if most >= self.least || self.least <= self.enough {
            return;
        }
        let Some(&[from, to, rate]) = self.flows.get(at) else {
            self.least = most;
            return;
        };
        for middle in 0..self.up[from].len().min(used + 1) {
            self.up[from][middle] += rate;
            self.down[to][middle] += rate;
            let loaded = most.max(self.up[from][middle]).max(self.down[to][middle]);
            self.route(at + 1, loaded, used.max(middle + 1));
            self.up[from][middle] -= rate;
            self.down[to][middle] -= rate;
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    /// Numbers that a program of a few lines in another language has as well.
    #[test]
    fn small_networks_are_enumerated() {
        let worst = |size| {
            let search = Search::new(size).run(&Progress::silent()).unwrap();
            (search.sets, search.worst)
        };
        assert_eq!(worst([2, 2, 2, 1]), (12, 1));
        assert_eq!(worst([2, 2, 2, 2]), (188, 2));
        assert_eq!(worst([2, 2, 2, 3]), (2098, 4));
        assert_eq!(worst([2, 3, 2, 3]), (2098, 3));
    }

    /// A whole flow to the same server of either input switch leaves their halves one middle switch, where the other
    /// output switch has a whole flow as well.
    #[test]
    fn five_flows_need_three_halves() {
        let flows = [[0, 0, 2], [1, 0, 2], [2, 1, 2], [0, 1, 1], [1, 1, 1]];
        let two = Search::new([2, 2, 3, 2]);
        assert_eq!(two.congestion(&flows, 0), 3);
        for at in 0..flows.len() {
            let fewer: Vec<Flow> =
                flows.iter().enumerate().filter(|(i, _)| *i != at).map(|(_, f)| *f).collect();
            assert_eq!(two.congestion(&fewer, 0), 2, "{at}");
        }
        assert_eq!(Search::new([2, 3, 3, 2]).congestion(&flows, 0), 2);
    }
}
