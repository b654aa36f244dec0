//! The three properties that the proof of \[GL\] Theorem 9 claims of M_n, and the steps in between, for
//! every copy in the tree: GREEDY is run, and every cycle is looked at.

use std::ops::Range;

use super::bad_set::BadSet;
use super::outward::send;
use super::{AttackError, Quarter};
use crate::channel_tree::WireTree;
use crate::prelude::*;
use crate::simulation::delivery::Settings;
use crate::topology::UniversalShape;

/// Properties of a run of GREEDY on the copy of M_n in one tree.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Properties {
    /// The tree.
    pub tree: Quarter,
    /// λ(M_n), over the channels of this tree and its root channel.
    pub load_factor: Rational,
    /// T: the last cycle by which at most λ√n/12 messages have been removed from it.
    pub removal: u64,
    /// Cycles from the first on in which its root channel is full, without a break.
    pub full: u64,
    /// The cycle in which the last of its messages is delivered.
    pub last: u64,
    /// The steps of the proof, for 4 hosts and more.
    pub step: Option<Step>,
}

/// A step of the induction.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Step {
    /// t = T + λ/12.
    pub until: u64,
    /// Cycles from the first on in which the root channels of all four subtrees are full.
    pub full: u64,
    /// Messages removed from the subtree with the copy by cycle t.
    pub provided: u64,
    /// The most that the proof wants these to be, m/4 = λ√n/24.
    pub most: u64,
}

/// A run of GREEDY on a bad set.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Proved {
    /// λ.
    pub lambda: u64,
    /// Cycles until everything is delivered.
    pub cycles: u64,
    /// From the whole tree down to the single host.
    pub trees: Vec<Properties>,
}

impl Properties {
    /// Property 1: the load factor is at most λ.
    #[must_use]
    pub fn has_load_factor(&self, lambda: u64) -> bool {
        self.load_factor <= Rational::from(lambda)
    }

    /// Property 2: the root channel is full in the cycles in which at most λ√n/12 messages are
    /// removed.
    #[must_use]
    pub fn has_full_root(&self) -> bool {
        self.full >= self.removal
    }

    /// The cycles that the remaining messages need after cycle T.
    fn additional(&self) -> u64 {
        self.last - self.removal.min(self.last)
    }

    /// Property 3: these are at least λ·lg n·`factor`, in the paper 1/24.
    #[must_use]
    pub fn has_additional(&self, lambda: u64, factor: &Rational) -> bool {
        Rational::from(self.additional()) >= bound(lambda, self.tree, factor)
    }

    /// The step of the induction: the four channels are full until cycle t, and by then the subtree
    /// with the copy has provided at most a fourth of m.
    #[must_use]
    pub fn has_step(&self) -> bool {
        self.step.is_none_or(|step| step.full >= step.until && step.provided <= step.most)
    }
}

/// λ·lg n·`factor` for a tree of n hosts.
#[must_use]
pub fn bound(lambda: u64, tree: Quarter, factor: &Rational) -> Rational {
    &Rational::from(lambda * 2 * u64::from(tree.height)) * factor
}

impl BadSet {
    /// Runs GREEDY on the set. O(cycles · n).
    ///
    /// # Errors
    /// [`AttackError::NotStandard`] when `shape` is not a standard fat-tree with as many hosts,
    /// [`AttackError::Delivery`] when the work is stopped.
    ///
    /// ```
    /// # use routebound_simulate as routebound;
    /// use routebound::adversary::delivery::theorem_9;
    /// use routebound::progress::Progress;
    /// use routebound::rational::Rational;
    /// use routebound::simulation::delivery::{Settings, loss};
    /// use routebound::topology::UniversalShape;
    /// let shape = UniversalShape::named("universal(64,root=open)")?.ok_or("another family")?;
    /// let (left, progress) = (loss::find("left")?, Progress::silent());
    /// let bad = theorem_9(&shape, 12, left, &progress)?;
    /// let found = bad.prove(&shape, Settings { loss: left, seed: 1 }, &progress)?;
    /// assert!(found.trees.iter().all(|tree| tree.has_full_root()));
    /// # Ok::<(), Box<dyn std::error::Error>>(())
    /// ```
    pub fn prove(
        &self,
        shape: &UniversalShape,
        settings: Settings,
        progress: &Progress,
    ) -> Result<Proved, AttackError> {
        let whole = Quarter::whole(shape)?;
        if whole.range() != (0..self.counts.len()) {
            return Err(AttackError::NotStandard { spec: Some(shape.spec().to_string()) });
        }
        let wires = WireTree::universal(shape);
        let copies = self.trees().skip(1).chain([self.last]);
        let mut watched: Vec<Watched> =
            self.trees().zip(copies).map(|(tree, copy)| Watched::of(tree, copy)).collect();
        let (mut channels, mut cycles) = (Channels::of(shape), 0);
        channels.carry(&self.counts);
        send(&wires, &self.counts, settings, progress, &mut |left| {
            // What the channels carried in this cycle; then what they will carry in the next.
            cycles += 1;
            for tree in &mut watched {
                tree.see(cycles, &self.counts, left, &channels);
            }
            channels.carry(left);
            true
        })?;
        let loads = Loads::of(shape, &self.counts);
        let of = |tree: Watched| tree.properties(self.lambda, &loads);
        let trees = watched.into_iter().map(of).collect();
        Ok(Proved { lambda: self.lambda, cycles, trees })
    }
}

/// The numbers of messages in the channels out of the root, in one cycle of a greedy rule: whichever
/// it loses, as many pass a channel as reach it or as it has wires.
pub(super) struct Channels {
    wires: Vec<u64>,
    /// Entry k, i: those of channel k above subtree number i of 2^k hosts.
    pub(super) carried: Vec<Vec<u64>>,
}

impl Channels {
    pub(super) fn of(shape: &UniversalShape) -> Self {
        let wires: Vec<u64> = shape.wires().iter().copied().chain(shape.root()).collect();
        let hosts = as_size(shape.hosts());
        let carried = (0..wires.len()).map(|k| vec![0; hosts >> k]).collect();
        Self { wires, carried }
    }

    /// The next cycle, with the given number of messages left at the hosts.
    pub(super) fn carry(&mut self, left: &[u64]) {
        let mut reach: Vec<u64> = left.to_vec();
        for (wires, carried) in self.wires.iter().zip(&mut self.carried) {
            carried.iter_mut().zip(&reach).for_each(|(to, from)| *to = *from.min(wires));
            reach = carried.chunks(2).map(|pair| pair.iter().sum()).collect();
        }
    }

    fn is_full(&self, tree: Quarter) -> bool {
        let k = as_size(2 * u64::from(tree.height));
        self.carried[k][tree.first as usize >> k] == tree.wires()
    }
}

/// A tree that is watched.
struct Watched {
    tree: Quarter,
    /// Messages removed from it and from the subtree with the copy, by cycle.
    removed: Vec<[u64; 2]>,
    /// Cycles with a full root channel, and with four full channels below.
    full: u64,
    full_below: u64,
    last: u64,
    copy: Range<usize>,
    quarters: [Quarter; 4],
}

impl Watched {
    fn of(tree: Quarter, copy: Quarter) -> Self {
        let (quarters, copy) = (tree.quarters().unwrap_or([tree; 4]), copy.range());
        Self { tree, removed: Vec::new(), full: 0, full_below: 0, last: 0, copy, quarters }
    }

    fn see(&mut self, cycle: u64, counts: &[u64], left: &[u64], channels: &Channels) {
        let removed =
            |range: Range<usize>| -> u64 { range.map(|host| counts[host] - left[host]).sum() };
        let now = removed(self.tree.range());
        if self.removed.last().map_or(0, |[before, _]| *before) < now {
            self.last = cycle;
        }
        self.removed.push([now, removed(self.copy.clone())]);
        self.full += u64::from(self.full + 1 == cycle && channels.is_full(self.tree));
        let below = || self.quarters.iter().all(|quarter| channels.is_full(*quarter));
        self.full_below += u64::from(self.full_below + 1 == cycle && below());
    }

    fn properties(self, lambda: u64, loads: &Loads) -> Properties {
        let (tree, most) = (self.tree, lambda / 12 * self.tree.wires());
        let removal = self.removed.partition_point(|[removed, _]| *removed <= most) as u64;
        let until = removal + lambda / 12;
        let by = as_size(until).min(self.removed.len());
        let provided = by.checked_sub(1).map_or(0, |at| self.removed[at][1]);
        let step = Step { until, full: self.full_below, provided, most: most / 2 };
        Properties {
            tree,
            load_factor: loads.most(tree),
            removal,
            full: self.full,
            last: self.last,
            step: (tree.height > 0).then_some(step),
        }
    }
}

/// The messages that have to pass every channel.
struct Loads {
    wires: Vec<u64>,
    loads: Vec<Vec<u64>>,
}

impl Loads {
    fn of(shape: &UniversalShape, counts: &[u64]) -> Self {
        let wires: Vec<u64> = shape.wires().iter().copied().chain(shape.root()).collect();
        let mut loads = vec![counts.to_vec()];
        for k in 1..wires.len() {
            let above = loads[k - 1].chunks(2).map(|pair| pair.iter().sum()).collect();
            loads.push(above);
        }
        Self { wires, loads }
    }

    /// The load factor of a tree.
    fn most(&self, tree: Quarter) -> Rational {
        let of_level = |k: usize| {
            let range = tree.range();
            let loads = &self.loads[k][range.start >> k..range.end.div_ceil(1 << k)];
            loads.iter().max().and_then(|most| Rational::new(*most, self.wires[k]))
        };
        (0..=as_size(2 * u64::from(tree.height))).filter_map(of_level).max().unwrap_or_default()
    }
}
