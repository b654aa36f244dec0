//! The cover encoding, implemented a second time from its description (`crates/search/src/sat/ENCODING.md`).
//!
//! It shares nothing with the layer `sat` but that text: here everything follows from digits and
//! offsets, there from the tree's own arithmetic. Refutations are checked against this one.

use crate::limit::{TooLarge, within};

use super::lrat::{Literal, Result};
use super::proof::Encoding;

/// Maximum size, which exceeds the number of variables and the number of clauses.
const MAX_SIZE: u64 = 1 << 26;

/// The formula that is encoded.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(super) struct CoverFormula {
    /// m1..mh of the kept tree.
    pub(super) children: Vec<u32>,
    /// w1..wh.
    pub(super) parents: Vec<u32>,
    /// X ≥ 1.
    pub(super) most: u32,
    /// f, in 1..=h.
    pub(super) first_step: usize,
    /// Length of the list of pairs that orders the ports.
    pub(super) ordered: usize,
}

/// Receives the clauses one by one, in order.
type Visit<'v, E> = &'v mut dyn FnMut(&[Literal]) -> Result<(), E>;

/// Numbers of the variables.
struct Layout {
    hosts: u32,
    height: usize,
    /// Hosts of a subtree of height 0..=h.
    size: Vec<u32>,
    /// Ports of step 0..=h.
    ports: Vec<u32>,
    /// For pair s·N + d: level of the nearest common ancestors, and the number before its first
    /// variable.
    pairs: Vec<(usize, u32)>,
    /// For every step: the number before its first cover variable.
    covers: Vec<u32>,
    /// Number of variables of a link.
    stride: u32,
    variables: u32,
}

impl Encoding for CoverFormula {
    fn variables(&self) -> Result<u32, TooLarge> {
        Ok(self.layout()?.variables)
    }

    fn clauses(&self, visit: &mut dyn FnMut(&[Literal]) -> Result<()>) -> Result<()> {
        let layout = self.layout()?;
        let pairs: Vec<(u32, u32)> = layout.pairs_from(self.first_step).collect();
        for (s, d) in &pairs {
            self.choice(&layout, *s, *d, visit)?;
        }
        self.order(&layout, &pairs, visit)?;
        self.host_order(&layout, visit)?;
        for step in self.first_step..=layout.height {
            for link in 0..layout.links(step) {
                self.counter(layout.covers[step] + link * layout.stride, layout.hosts, visit)?;
            }
        }
        for (s, d) in &pairs {
            self.covered(&layout, *s, *d, visit)?;
        }
        Ok(())
    }
}

impl CoverFormula {
    fn layout(&self) -> Result<Layout, TooLarge> {
        let height = self.children.len();
        let products = |factors: &[u32]| {
            let mut all = vec![1_u32];
            all.extend(factors.iter().scan(1_u32, |product, factor| {
                *product = product.saturating_mul(*factor);
                Some(*product)
            }));
            all
        };
        let (size, ports) = (products(&self.children), products(&self.parents));
        let hosts = size[height];
        let remedy = "check a smaller part of the tree";
        within("size of the formula", self.work(hosts, &ports), MAX_SIZE, remedy)?;
        let counters = if hosts > self.most { (hosts - 1) * self.most } else { 0 };
        let mut layout = Layout {
            hosts,
            height,
            size,
            ports,
            pairs: Vec::new(),
            covers: vec![0; height + 1],
            stride: hosts + counters,
            variables: 0,
        };
        layout.number(self.first_step);
        Ok(layout)
    }

    /// The size; `None` when it is far too large.
    fn work(&self, hosts: u32, ports: &[u32]) -> Option<u128> {
        let hosts = u128::from(hosts);
        let all_ports: u128 = ports.iter().map(|ports| u128::from(*ports)).sum();
        let pairs = hosts.checked_mul(hosts)?.checked_mul(all_ports)?;
        let order = hosts.checked_mul(u128::from(*ports.last()?).pow(2))?;
        pairs.checked_mul(u128::from(self.most) + 2)?.checked_add(order)
    }

    /// Some port of the first step; above each port, some port of the next step.
    fn choice<E>(&self, layout: &Layout, s: u32, d: u32, visit: Visit<E>) -> Result<(), E> {
        let (level, _) = layout.pair(s, d);
        let variable = |step, port| layout.choice(self.first_step, (s, d), step, port);
        let first = (0..layout.ports[self.first_step]).map(|p| variable(self.first_step, p));
        visit(&first.collect::<Vec<_>>())?;
        for step in self.first_step..level {
            let above = self.parents[step];
            for port in 0..layout.ports[step] {
                let mut clause = vec![-variable(step, port)];
                clause.extend((0..above).map(|w| variable(step + 1, port * above + w)));
                visit(&clause)?;
            }
        }
        Ok(())
    }

    /// The ports of a group come into use one after the other.
    fn order<E>(&self, layout: &Layout, pairs: &[(u32, u32)], visit: Visit<E>) -> Result<(), E> {
        let through_root = pairs.iter().filter(|(s, d)| layout.pair(*s, *d).0 == layout.height);
        let list: Vec<(u32, u32)> = through_root.copied().take(self.ordered).collect();
        for (place, pair) in list.iter().enumerate() {
            for step in self.first_step..=layout.height {
                let is_first = step == self.first_step;
                let group = if is_first { layout.ports[step] } else { self.parents[step - 1] };
                for port in 0..layout.ports[step] {
                    if port.is_multiple_of(group) {
                        continue;
                    }
                    let variable = |pair, port| layout.choice(self.first_step, pair, step, port);
                    let mut clause = vec![-variable(*pair, port)];
                    clause.extend(list[..place].iter().map(|pair| variable(*pair, port - 1)));
                    visit(&clause)?;
                }
            }
        }
        Ok(())
    }

    /// Of two adjacent sibling subtrees, the first host of the first has no higher port.
    fn host_order<E>(&self, layout: &Layout, visit: Visit<E>) -> Result<(), E> {
        let (height, top) = (layout.height, layout.size[layout.height - 1]);
        if self.ordered == 0 || layout.hosts == top {
            return Ok(());
        }
        for level in 1..=height {
            let size = layout.size[level - 1];
            for a in (0..layout.hosts - size).step_by(size as usize) {
                let b = a + size;
                let siblings = a / layout.size[level] == b / layout.size[level];
                if !siblings || (level == height && a == 0) {
                    continue;
                }
                let pair = |host| if b < top { (host, top) } else { (0, host) };
                let variable =
                    |host, port| -layout.choice(self.first_step, pair(host), height, port);
                for p in 0..layout.ports[height] {
                    for q in 0..p {
                        visit(&[variable(a, p), variable(b, q)])?;
                    }
                }
            }
        }
        Ok(())
    }

    /// At most X of the `count` variables after number `before`.
    fn counter<E>(&self, before: u32, count: u32, visit: Visit<E>) -> Result<(), E> {
        if count <= self.most {
            return Ok(());
        }
        let most = self.most;
        let y = |i: u32| (before + 1 + i).cast_signed();
        let r = |i: u32, j: u32| (before + count + i * most + j).cast_signed();
        for i in 0..count {
            let last = i == count - 1;
            if !last {
                visit(&[-y(i), r(i, 1)])?;
            }
            if i == 0 {
                continue;
            }
            for j in (1..=most).filter(|_| !last) {
                visit(&[-r(i - 1, j), r(i, j)])?;
            }
            for j in (1..most).filter(|_| !last) {
                visit(&[-y(i), -r(i - 1, j), r(i, j + 1)])?;
            }
            visit(&[-y(i), -r(i - 1, most)])?;
        }
        Ok(())
    }

    /// Whichever port the pair goes through, both of its links there cover it.
    fn covered<E>(&self, layout: &Layout, s: u32, d: u32, visit: Visit<E>) -> Result<(), E> {
        for step in self.first_step..=layout.pair(s, d).0 {
            for port in 0..layout.ports[step] {
                let used = -layout.choice(self.first_step, (s, d), step, port);
                let up = layout.cover(step, port, false, s);
                visit(&[used, up(s), up(d)])?;
                let down = layout.cover(step, port, true, d);
                visit(&[used, down(d), down(s)])?;
            }
        }
        Ok(())
    }
}

impl Layout {
    /// Numbers pairs and covers.
    fn number(&mut self, first_step: usize) {
        let mut next = 0;
        for s in 0..self.hosts {
            for d in 0..self.hosts {
                let level = (0..=self.height).find(|l| s / self.size[*l] == d / self.size[*l]);
                let level = level.expect("all hosts are in the subtree of height h");
                self.pairs.push((level, next));
                next += (first_step..=level).map(|step| self.ports[step]).sum::<u32>();
            }
        }
        for step in first_step..=self.height {
            self.covers[step] = next;
            next += self.links(step) * self.stride;
        }
        self.variables = next;
    }

    fn pair(&self, s: u32, d: u32) -> (usize, u32) {
        self.pairs[(s * self.hosts + d) as usize]
    }

    fn pairs_from(&self, step: usize) -> impl Iterator<Item = (u32, u32)> {
        let all = (0..self.hosts).flat_map(|s| (0..self.hosts).map(move |d| (s, d)));
        all.filter(move |(s, d)| self.pair(*s, *d).0 >= step)
    }

    /// Number of links of a step, up and down.
    fn links(&self, step: usize) -> u32 {
        2 * self.hosts / self.size[step - 1] * self.ports[step]
    }

    fn choice(&self, first: usize, (s, d): (u32, u32), step: usize, port: u32) -> Literal {
        let below: u32 = (first..step).map(|step| self.ports[step]).sum();
        (self.pair(s, d).1 + below + port + 1).cast_signed()
    }

    /// The cover variables of the link of a port, up from or down to the subtree of `near`.
    fn cover(&self, step: usize, port: u32, down: bool, near: u32) -> impl Fn(u32) -> Literal {
        let size = self.size[step - 1];
        let (subtrees, subtree) = (self.hosts / size, near / size);
        let row = if down { subtrees + subtree } else { subtree };
        let before = self.covers[step] + (row * self.ports[step] + port) * self.stride;
        move |host: u32| {
            // Hosts of the subtree first, then those before it, then those after it.
            let place = match (host / size).cmp(&subtree) {
                std::cmp::Ordering::Equal => host % size,
                std::cmp::Ordering::Less => size + host,
                std::cmp::Ordering::Greater => host,
            };
            (before + place + 1).cast_signed()
        }
    }
}

#[cfg(test)]
mod tests;
