//! Loads of a permutation that changes by one swap at a time.
//!
//! [`IncrementalLoads`] holds a bijection of the hosts. A pair is *on* when it counts as traffic:
//! its hosts differ, it was not switched off and, with a target link, it crosses that link. A swap
//! of two destinations touches the links of four pairs, whatever the size of the network, and
//! allocates nothing.

use super::context::{AttackContext, Optu, Value};
use crate::load::Peak;
use crate::prelude::*;

/// The current permutation, with the loads of all links.
#[derive(Clone)]
pub struct IncrementalLoads<'a> {
    context: &'a AttackContext<'a>,
    /// Destination of every host; a bijection.
    image: Vec<Host>,
    /// Its inverse.
    holder: Vec<Host>,
    /// Sources whose pair was switched off.
    off: Vec<bool>,
    /// Sources whose pair counts as traffic.
    on: Vec<bool>,
    target: Option<LinkId>,
    loads: Peak,
    optu: Peak,
    energy: Option<u128>,
    scratch: Vec<LinkId>,
}

/// The fourth power of a load, in quarters; the quarters are capped so that sums fit.
#[inline]
fn fourth_power(load: u64, scale: u64) -> u128 {
    let quarters = u128::from(load) * 4;
    let quarters = if scale == 1 { quarters } else { quarters / u128::from(scale) };
    quarters.min(1 << 25).pow(4)
}

impl<'a> IncrementalLoads<'a> {
    /// Loads of no traffic: every host sends to itself.
    ///
    /// ```
    /// # use routebound_search as routebound;
    /// use routebound::{adversary::{AttackContext, IncrementalLoads}, progress::Progress, rational::Rational, routing::Instance};
    /// let instance = Instance::named("ft(4,2)", "dmodk")?;
    /// let context = AttackContext::new(&instance, &Progress::silent())?;
    /// let mut incremental = IncrementalLoads::new(&context);
    /// incremental.set(&[2, 4, 0, 3, 1, 5, 6, 7]);
    /// assert_eq!(incremental.ratio(), Some(Rational::from(2)));
    /// incremental.swap(1, 5);
    /// assert_eq!(incremental.ratio(), Some(Rational::ONE));
    /// # Ok::<(), Box<dyn std::error::Error>>(())
    /// ```
    #[must_use]
    pub fn new(context: &'a AttackContext<'a>) -> Self {
        let hosts = context.hosts();
        let identity: Vec<Host> = (0..host_number(hosts)).collect();
        Self {
            context,
            holder: identity.clone(),
            image: identity,
            off: vec![false; hosts],
            on: vec![false; hosts],
            target: None,
            loads: Peak::new(context.topology().links()),
            optu: Peak::new(context.optu.counters(context.topology())),
            energy: None,
            scratch: Vec::new(),
        }
    }

    /// Counts only pairs that cross `target`, from the next [`Self::set`] on.
    pub fn aim(&mut self, target: Option<LinkId>) {
        self.target = target;
    }

    /// Sets the bijection of the hosts. O(hosts·path length + links).
    pub fn set(&mut self, image: &[Host]) {
        self.loads.clear();
        self.optu.clear();
        self.energy = self.energy.map(|_| 0);
        self.off.fill(false);
        self.image.copy_from_slice(image);
        for (s, d) in (0..).zip(image) {
            self.holder[*d as usize] = s;
        }
        for s in 0..host_number(image.len()) {
            self.start(s);
        }
    }

    /// Number of hosts.
    #[must_use]
    pub fn hosts(&self) -> usize {
        self.image.len()
    }

    /// Destination of a host, whether its pair is on or off.
    #[must_use]
    pub fn image(&self, s: Host) -> Host {
        self.image[s as usize]
    }

    /// The host whose destination is `d`.
    #[must_use]
    pub fn holder(&self, d: Host) -> Host {
        self.holder[d as usize]
    }

    /// The pairs that count, by source.
    pub fn pairs(&self) -> impl Iterator<Item = (Host, Host)> + '_ {
        let on = self.on.iter().zip(&self.image).zip(0..);
        on.filter(|((on, _), _)| **on).map(|((_, d), s)| (s, *d))
    }

    /// Exchanges the destinations of two hosts; repeating it undoes it.
    /// O(path length · log links) at most.
    #[inline]
    pub fn swap(&mut self, a: Host, b: Host) {
        if a == b {
            return;
        }
        self.end(a);
        self.end(b);
        self.image.swap(a as usize, b as usize);
        self.holder[self.image[a as usize] as usize] = a;
        self.holder[self.image[b as usize] as usize] = b;
        self.start(a);
        self.start(b);
    }

    /// Switches the pair of a host off, or on again.
    pub fn toggle(&mut self, s: Host) {
        self.end(s);
        self.off[s as usize] ^= true;
        self.start(s);
    }

    /// Max load ÷ the upper bound on optu, so at most the oblivious ratio; `None` where the context
    /// [has no useful bound](AttackContext::bounds_optu), and [`Self::max_units`] has to guide a
    /// search.
    #[must_use]
    pub fn ratio(&self) -> Option<Rational> {
        self.context.bounds_optu().then(|| self.context.ratio(self.value()))
    }

    /// The max load in units of the instance; see [`Self::ratio`] for the true value. O(1).
    #[must_use]
    pub fn max_units(&self) -> u64 {
        self.loads.top()
    }

    /// Rational in units.
    #[inline]
    pub(super) fn value(&self) -> Value {
        let constant = matches!(self.context.optu, Optu::Constant(_));
        let optu = if constant { 1 } else { self.optu.top() };
        Value { load: self.loads.top(), optu }
    }

    /// The value of traffic of 1 unit per pair; no other pair may be on.
    pub(super) fn measure(&mut self, pairs: &[(Host, Host)]) -> Value {
        self.put_all(pairs);
        let value = self.value();
        self.take_all(pairs);
        value
    }

    /// Load in units of the most loaded link of each pair; no other pair may be on.
    pub(super) fn congestion(&mut self, pairs: &[(Host, Host)], mut visit: impl FnMut(u64)) {
        self.put_all(pairs);
        for (s, d) in pairs {
            let (mut most, Self { context, loads, scratch, .. }) = (0, &mut *self);
            context.uses.each(*s, *d, scratch, |link, _| most = loads.get(link).max(most));
            visit(most);
        }
        self.take_all(pairs);
    }

    /// Maintains the sum over links of the fourth power of the load from the next [`Self::set`] on.
    pub(super) fn weigh(&mut self) {
        self.energy = Some(0);
    }

    /// That sum, in quarters of a load.
    pub(super) fn energy(&self) -> u128 {
        self.energy.expect("asked for by `weigh`")
    }

    fn put_all(&mut self, pairs: &[(Host, Host)]) {
        for (s, d) in pairs {
            self.put(*s, *d);
        }
    }

    fn take_all(&mut self, pairs: &[(Host, Host)]) {
        for (s, d) in pairs {
            self.take(*s, *d);
        }
    }

    #[inline]
    fn start(&mut self, s: Host) {
        let d = self.image[s as usize];
        let context = self.context;
        let hits =
            |target: LinkId, scratch: &mut Vec<LinkId>| context.crosses(s, d, target, scratch);
        let on = s != d
            && !self.off[s as usize]
            && self.target.is_none_or(|target| hits(target, &mut self.scratch));
        self.on[s as usize] = on;
        if on {
            self.put(s, d);
        }
    }

    #[inline]
    fn end(&mut self, s: Host) {
        if std::mem::replace(&mut self.on[s as usize], false) {
            self.take(s, self.image[s as usize]);
        }
    }

    /// Puts one unit from `s` to `d` on its links.
    #[inline]
    pub(super) fn put(&mut self, s: Host, d: Host) {
        let Self { context, loads, optu, energy, scratch, .. } = self;
        let scale = context.uses.scale();
        context.uses.each(s, d, scratch, |link, units| {
            let load = loads.add(link, units);
            if let Some(sum) = energy {
                *sum += fourth_power(load, scale) - fourth_power(load - units, scale);
            }
        });
        match &context.optu {
            Optu::Constant(_) => {}
            Optu::Cuts(cuts) => cuts.each(s, d, |cut, units| _ = optu.add(cut, units)),
            Optu::Even(even) => even.each(s, d, |link, units| _ = optu.add(link, units)),
        }
    }

    /// Removes it again.
    #[inline]
    pub(super) fn take(&mut self, s: Host, d: Host) {
        let Self { context, loads, optu, energy, scratch, .. } = self;
        let scale = context.uses.scale();
        context.uses.each(s, d, scratch, |link, units| {
            let load = loads.sub(link, units);
            if let Some(sum) = energy {
                *sum -= fourth_power(load + units, scale) - fourth_power(load, scale);
            }
        });
        match &context.optu {
            Optu::Constant(_) => {}
            Optu::Cuts(cuts) => cuts.each(s, d, |cut, units| _ = optu.sub(cut, units)),
            Optu::Even(even) => even.each(s, d, |link, units| _ = optu.sub(link, units)),
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use proptest::prelude::*;

    proptest! {
        /// Whatever came before, the loads agree with a fresh instance set to the same permutation.
        #[test]
        fn swaps_and_toggles_leave_no_trace(
            instance in 0_usize..4,
            target in prop::option::of(0_u32..30),
            moves in prop::collection::vec((0_u32..8, 0_u32..8, any::<bool>()), 0..60),
        ) {
            let (topology, routing) = [
                ("ft(4,2)", "random(seed=3)"),
                ("xgft(2;2,4;1,1)", "dmodk"),
                ("xgft(3;2,2,2;1,2,1)", "smodk"),
                ("xgft(2;4,2;1,3)", "omrmn"),
            ][instance];
            let instance = Instance::named(topology, routing).unwrap();
            let context = AttackContext::new(&instance, &Progress::silent()).unwrap();
            let mut incremental = IncrementalLoads::new(&context);
            incremental.aim(target);
            incremental.weigh();
            let mut image: Vec<Host> = (0..8).collect();
            let mut off = [false; 8];
            incremental.set(&image);
            for (a, b, toggle) in moves {
                if toggle {
                    incremental.toggle(a);
                    off[a as usize] ^= true;
                } else {
                    incremental.swap(a, b);
                    image.swap(a as usize, b as usize);
                }
                prop_assert_eq!(incremental.holder(image[a as usize]), a);
            }
            let mut fresh = IncrementalLoads::new(&context);
            fresh.aim(target);
            fresh.weigh();
            fresh.set(&image);
            (0..8).filter(|s| off[*s as usize]).for_each(|s| fresh.toggle(s));
            prop_assert_eq!(incremental.pairs().collect::<Vec<_>>(), fresh.pairs().collect::<Vec<_>>());
            prop_assert_eq!(incremental.ratio(), fresh.ratio());
            prop_assert_eq!(incremental.energy(), fresh.energy());
            let pairs: Vec<_> = incremental.pairs().collect();
            prop_assert_eq!(IncrementalLoads::new(&context).measure(&pairs), incremental.value());
        }
    }
}
