//! Paths for all flows, with the contention and load of every link, and moves that can be undone.

use super::problem::{Counter, Problem};
use super::profile::Profile;
use crate::integer::index32;
use crate::topology::LinkId;

/// The paths of the flows that have one.
pub(super) struct Routes<'p> {
    pub problem: &'p Problem<'p>,
    /// Up-digits of every flow, as many as the tree is high.
    up: Vec<u32>,
    has_path: Vec<bool>,
    /// The flows of every link, ascending.
    on: Vec<Vec<u32>>,
    contention: Vec<u32>,
    load: Vec<u64>,
    pub contentions: Profile,
    pub loads: Profile,
    /// Flows that were looked at.
    pub steps: u64,
    counter: Counter,
    /// Links whose flows have changed since they were counted.
    touched: Vec<LinkId>,
    paths: [Vec<LinkId>; 2],
    before: Before,
}

/// State before the last move.
#[derive(Default)]
struct Before {
    flows: Vec<(u32, bool)>,
    up: Vec<u32>,
    contention: Vec<(LinkId, u32)>,
}

impl<'p> Routes<'p> {
    /// No flow has a path.
    pub fn none(problem: &'p Problem<'p>) -> Self {
        let (flows, links) = (problem.flows.len(), problem.links);
        Self {
            problem,
            up: vec![0; flows * problem.tree.height()],
            has_path: vec![false; flows],
            on: vec![Vec::new(); links],
            contention: vec![0; links],
            load: vec![0; links],
            contentions: Profile::default(),
            loads: Profile::default(),
            steps: 0,
            counter: Counter::default(),
            touched: Vec::new(),
            paths: [Vec::new(), Vec::new()],
            before: Before::default(),
        }
    }

    /// Routes in which every flow has the path with the given up-digits.
    pub fn with(problem: &'p Problem<'p>, up: &[u32]) -> Self {
        let mut routes = Self::none(problem);
        for (flow, up) in problem.numbers().zip(up.chunks(problem.tree.height())) {
            routes.put(flow, Some(up));
        }
        routes.count();
        routes.before = Before::default();
        routes
    }

    /// The up-digits of all flows.
    pub fn all_up(&self) -> &[u32] {
        &self.up
    }

    /// The up-digits of a flow.
    pub fn up(&self, flow: u32) -> &[u32] {
        let height = self.problem.tree.height();
        &self.up[flow as usize * height..(flow as usize + 1) * height]
    }

    pub fn contention(&self, link: LinkId) -> u32 {
        self.contention[link as usize]
    }

    pub fn contention_by_link(&self) -> &[u32] {
        &self.contention
    }

    pub fn flows(&self, link: LinkId) -> &[u32] {
        &self.on[link as usize]
    }

    /// The links with most contention.
    pub fn most_contended(&mut self) -> Vec<LinkId> {
        self.steps += self.contention.len() as u64 / 16;
        let most = self.contentions.measure().most;
        let links = (0..index32(self.contention.len())).zip(&self.contention);
        links.filter(|(_, own)| u64::from(**own) == most).map(|(link, _)| link).collect()
    }

    /// The first link with most load.
    pub fn most_loaded(&mut self) -> Option<LinkId> {
        self.steps += self.load.len() as u64 / 16;
        let most = self.loads.measure().most;
        self.load.iter().position(|load| *load == most).map(index32)
    }

    /// Sets of flows of a link, without any one of which its contention is less by one.
    pub fn cover(&mut self, link: LinkId) -> Vec<Vec<u32>> {
        let flows = &self.on[link as usize];
        self.steps += flows.len() as u64;
        self.counter.cover(self.problem, flows)
    }

    /// Moves flows to the path whose first up-digits are these; the others stay. Contention is counted
    /// by [`Self::count`].
    pub fn shift(&mut self, flows: &[u32], first: &[u32]) {
        self.before.flows.clear();
        self.before.up.clear();
        self.before.contention.clear();
        let mut up = Vec::with_capacity(self.problem.tree.height());
        for flow in flows {
            up.clear();
            up.extend_from_slice(self.up(*flow));
            self.before.flows.push((*flow, self.has_path[*flow as usize]));
            self.before.up.extend_from_slice(&up);
            up[..first.len()].copy_from_slice(first);
            self.put(*flow, Some(&up));
        }
    }

    /// Counts the contention of the links whose flows have changed.
    pub fn count(&mut self) {
        let mut touched = std::mem::take(&mut self.touched);
        touched.sort_unstable();
        touched.dedup();
        for link in touched.drain(..) {
            let flows = &self.on[link as usize];
            self.steps += flows.len() as u64 + 1;
            let (old, new) =
                (self.contention[link as usize], self.counter.contention(self.problem, flows));
            self.before.contention.push((link, old));
            self.set_contention(link, new);
        }
        self.touched = touched;
    }

    /// Takes the last move back.
    pub fn undo(&mut self) {
        let before = std::mem::take(&mut self.before);
        let height = self.problem.tree.height();
        for ((flow, had_path), up) in before.flows.iter().zip(before.up.chunks(height)) {
            self.put(*flow, had_path.then_some(up));
        }
        self.touched.clear();
        for (link, contention) in &before.contention {
            self.set_contention(*link, *contention);
        }
        self.before = before;
    }

    fn set_contention(&mut self, link: LinkId, contention: u32) {
        let old = std::mem::replace(&mut self.contention[link as usize], contention);
        self.contentions.change(old.into(), contention.into());
    }

    /// Gives a flow the path with these up-digits, or none.
    fn put(&mut self, flow: u32, up: Option<&[u32]>) {
        let [mut old, mut new] = std::mem::take(&mut self.paths);
        old.clear();
        new.clear();
        if self.has_path[flow as usize] {
            self.problem.path(flow, self.up(flow), &mut old);
        }
        if let Some(up) = up {
            self.problem.path(flow, up, &mut new);
            let height = self.problem.tree.height();
            self.up[flow as usize * height..(flow as usize + 1) * height].copy_from_slice(up);
        }
        self.has_path[flow as usize] = up.is_some();
        for place in 0..old.len().max(new.len()) {
            let (old, new) = (old.get(place), new.get(place));
            if old != new {
                self.take_off(flow, place, old);
                self.put_on(flow, place, new);
            }
        }
        self.paths = [old, new];
    }

    fn take_off(&mut self, flow: u32, place: usize, link: Option<&LinkId>) {
        let Some(link) = link else { return };
        let on = &mut self.on[*link as usize];
        if let Ok(at) = on.binary_search(&flow) {
            on.remove(at);
        }
        let load = self.load[*link as usize];
        self.set_load(*link, load - self.problem.load(flow, place));
    }

    fn put_on(&mut self, flow: u32, place: usize, link: Option<&LinkId>) {
        let Some(link) = link else { return };
        let on = &mut self.on[*link as usize];
        if let Err(at) = on.binary_search(&flow) {
            on.insert(at, flow);
        }
        let load = self.load[*link as usize];
        self.set_load(*link, load + self.problem.load(flow, place));
    }

    fn set_load(&mut self, link: LinkId, load: u64) {
        let old = std::mem::replace(&mut self.load[link as usize], load);
        self.loads.change(old, load);
        self.touched.push(link);
    }
}
