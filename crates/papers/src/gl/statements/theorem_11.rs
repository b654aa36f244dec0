//! \[GL\] Theorem 11: RANDOM′ where every channel has at least a·lg n wires.
//!
//! Let k be least with λ(M) ≤ n^k, and z the first power of two with z ≥ e·2^((k+2)/a)·λ(M). In the pass
//! of z cycles a channel c is congested in a given cycle with probability B(cap(c) + 1, load(M,c), 1/z),
//! since each of its messages is sent in that cycle with probability 1/z, independently of the others;
//! earlier passes leave fewer. This exact probability, its bound (eλ/z)^cap(c) by Lemma 5, and n^−(k+2)
//! are compared for every channel. Their sum over channels and cycles bounds the probability that a
//! message is left after the pass, 2z − 1 cycles in all.
//!
//! With 4n − 4 channels and z < 2e·2^((k+2)/a)·n^k the bound is below **8e·2^((k+2)/a)/n** for every n, a
//! and M: the constant of O(1/n). And 2z − 1 is below 4e·2^((k+2)/a)·λ.
//!
//! Those probabilities are too small to see. So RANDOM′ is also begun with fewer cycles z′, where the same
//! sum is not small, and the share of the seeds that leave a message after this one pass is compared with
//! it. Congested channels lose all, as the proof presumes.

use super::prelude::*;
use crate::simulation::delivery::sets::draw;

pub(super) const KIND: Statement = Statement::new("gl-theorem-11", "[GL] 6, Theorem 11")
    .about("On fat-trees with a lg n wires and more in every channel RANDOM' delivers messages of load \
            factor lambda <= n^k in less than 4e 2^((k+2)/a) lambda delivery cycles, except with \
            probability 8e 2^((k+2)/a) / n")
    .hypothesis("universal(n,leaf=a lg n) of constant capacities and those that double every two levels, a = 1, 2, n = 8 to 64; random sets of messages; exact probabilities of congestion; seeded runs of one pass, congested channels lose all; every n by argument")
    .sharpened()
    .quote("We consider only the pass of the algorithm when z first exceeds $e2^{(k+2)/a}\\lambda(M)$. ... Finally, since there are $z \\leq 2e2^{(k+2)/a}\\lambda(M) = O(\\lambda(M)) = O(n^k)$ cycles, the probability is O(1/n) that there exists a congested channel in any delivery cycle of the pass.")
    .cases(|scope| check(scope, &e_bounds()[1]))
    // 1/8 in place of e.
    .planted(Planted::Check(|scope| check(scope, &fraction(1, 8))));

/// Inverse of the chance that a true probability lies beyond one end of its interval.
const ALPHA: u64 = 1_000_000;

/// Maximum number of processors: probabilities are exact.
const MAX_HOSTS: usize = 64;

fn check(scope: &Scope, e: &Rational) -> Findings {
    let mut cases = Vec::new();
    for hosts in trees::sizes(scope.hosts.clamp(8, MAX_HOSTS)).filter(|hosts| *hosts >= 8) {
        for growth in ["constant", "double2"] {
            cases.extend([1, 2].map(|a| (hosts, growth, a)));
        }
    }
    let found = cases.par_iter().map(|(hosts, growth, a)| {
        let site = Site::of(*hosts, growth, *a, scope)?;
        let found = [site.exact(e, scope)?, site.observed(e, scope)?];
        scope.progress.inc(1);
        Ok(found)
    });
    let mut findings: Vec<Finding> =
        found.collect::<Result<Vec<_>>>()?.into_iter().flatten().collect();
    let claimed = "less than 8e 2^((k+2)/a) / n";
    let docs = "the docs of crates/papers/src/gl/statements/theorem_11.rs";
    findings.push(Finding::argued("every n, a, M", claimed, "by the sum", docs));
    Ok(findings)
}

/// A tree and messages on it.
struct Site {
    name: String,
    ground: Ground,
    sent: Messages,
    lambda: Rational,
    hosts: u64,
    a: u64,
    /// Wires and messages of channels, with the number of those alike.
    channels: BTreeMap<(u64, u64), u64>,
}

impl Site {
    /// 8an random messages.
    fn of(hosts: usize, growth: &str, a: u64, scope: &Scope) -> Result<Self> {
        let (topology, tree) = trees::tree(hosts, growth, a * u64::from(hosts.ilog2()))?;
        let ground = Ground::of(&topology)?;
        let spec = format!("messages(count={},seed={})", 8 * a * hosts as u64, scope.seed);
        let drawn = draw(&spec, ground.ends());
        let (drawn, _) = drawn.map_err(defect)?;
        let set: Vec<Demand> =
            drawn.iter().map(|(s, d, count)| messages::messages((s, d), count)).collect();
        let lambda = tree.load_factor(&set).value;
        let channels = alike(&tree, &set);
        let (name, hosts) = (topology.spec().to_string(), hosts as u64);
        Ok(Self { name, ground, sent: drawn, lambda, hosts, a, channels })
    }

    /// The least k with λ ≤ n^k.
    fn exponent(&self) -> u64 {
        let bound = |k: u64| power(&self.hosts.into(), k);
        (0..64).find(|k| self.lambda <= bound(*k)).expect("load factors are below 2^64")
    }

    /// The first power of two that is at least e·2^((k+2)/a)·λ.
    fn cycles(&self, e: &Rational) -> u64 {
        let enough = power(&Rational::from(2), self.exponent() + 2);
        let unit = e * &self.lambda;
        let part = |z: u64| Rational::from(z).checked_div(&unit).expect("the load factor is not 0");
        let doubled = (0..63).map(|doubled| 1_u64 << doubled);
        let mut found = doubled.filter(|z| power(&part(*z), self.a) >= enough);
        found.next().expect("2^62 cycles are enough")
    }

    /// An upper bound on the probability that a channel is congested in one of z cycles.
    fn union(&self, z: u64) -> Rational {
        let p = fraction(1, z);
        let of = |(alike, count): (&(u64, u64), &u64)| {
            &tail(alike.0 + 1, alike.1, &p) * &Rational::from(count * z)
        };
        self.channels.iter().map(of).fold(Rational::ZERO, |sum, part| &sum + &part)
    }

    fn exact(&self, e: &Rational, scope: &Scope) -> Result<Finding> {
        let (z, k) = (self.cycles(e), self.exponent());
        let p = fraction(1, z);
        let least =
            Rational::ONE.checked_div(&power(&self.hosts.into(), k + 2)).expect("there are hosts");
        let mut holds = true;
        for (cap, load) in self.channels.keys() {
            scope.progress.check()?;
            let bound = power(&(&(e * &p) * &self.lambda), *cap);
            holds &= tail(cap + 1, *load, &p) <= bound && bound <= least;
        }
        // 8e·2^((k+2)/a)/n, and 2z ≤ 4e·2^((k+2)/a)·λ, as powers.
        let sum = self.union(z);
        let constant = &(&sum * &self.hosts.into()) * &fraction(1, 8);
        let two = power(&Rational::from(2), k + 2);
        let within = |x: &Rational| x.checked_div(e).is_some_and(|x| power(&x, self.a) <= two);
        let per_factor = Rational::from(z).checked_div(&(&Rational::from(2) * &self.lambda));
        holds &= within(&constant) && per_factor.is_some_and(|x| within(&x));
        let case =
            format!("{} messages on {}, load factor {}", self.sent.total(), self.name, self.lambda);
        let found = format!("z = {z}, k = {k}: {:.2e} for all", sum.to_f64());
        let claimed = "B(cap+1, load, 1/z) <= (e lambda/z)^cap <= n^-(k+2)";
        Ok(Finding::holds(case, claimed, found, holds, Basis::Exhaustive))
    }

    /// The shortest pass whose sum is 1/4 at most.
    fn observed(&self, e: &Rational, scope: &Scope) -> Result<Finding> {
        let most = fraction(1, 4);
        // Sums fall as passes grow.
        let (mut low, mut z) = (0, self.cycles(e));
        while z - low > 1 {
            scope.progress.check()?;
            let middle = z.midpoint(low);
            if self.union(middle) <= most { z = middle } else { low = middle }
        }
        let sum = self.union(z);
        let trials = scope.trials.div_ceil(5);
        let left = self.left(z, trials, scope)?;
        let [low, high] = interval(left, trials, &fraction(1, ALPHA));
        let case =
            format!("one pass of {z} cycles, {} messages on {}", self.sent.total(), self.name);
        let shown = format!("{left} of {trials}, so {:.4} to {:.4}", low.to_f64(), high.to_f64());
        let claimed = format!("messages left with probability <= {:.4}", sum.to_f64());
        Ok(Finding::holds(case, claimed, shown, low <= sum, Basis::sampled(trials, scope.seed)))
    }

    /// In how many of the runs a pass of z cycles leaves a message.
    fn left(&self, z: u64, trials: u64, scope: &Scope) -> Result<u64> {
        let facts = self.ground.facts(&self.sent);
        let prime = algorithm::build(&format!("random-prime(z={z})"), &facts);
        let prime = prime.map_err(defect)?;
        let settings = Settings { loss: loss::find("all").map_err(defect)?, seed: scope.seed };
        let quiet = scope.progress.part(1.0);
        let runs = self.ground.deliver_often(&*prime, &self.sent, settings, trials, &quiet)?;
        scope.progress.check()?;
        Ok(runs.iter().filter(|run| run.cycles > z).count() as u64)
    }
}

/// Wires and messages of the channels, and how often each occurs.
fn alike(tree: &ChannelTree, set: &[Demand]) -> BTreeMap<(u64, u64), u64> {
    let mut channels = BTreeMap::new();
    for (channel, load) in tree.loads(set) {
        let wires = whole(tree.capacity(channel));
        *channels.entry((wires, whole(&load))).or_default() += 1;
    }
    channels
}

#[cfg(test)]
mod tests {
    use super::*;

    /// Two processors of one wire each, two messages from one to the other: λ = 2 = n^1, so z is the
    /// first power of two from e·2^3·2 = 43.5 on.
    #[test]
    fn a_pass_by_hand() {
        let progress = Progress::silent();
        let scope = Scope::new(8, &progress);
        let (topology, tree) = trees::tree(2, "constant", 1).unwrap();
        let set = [messages::messages((0, 1), 2)];
        let site = Site {
            name: topology.spec().to_string(),
            ground: Ground::of(&topology).unwrap(),
            sent: Messages::of(&set).unwrap(),
            lambda: tree.load_factor(&set).value,
            hosts: 2,
            a: 1,
            channels: alike(&tree, &set),
        };
        assert_eq!((site.exponent(), site.cycles(&e_bounds()[1])), (1, 64));
        // z cycles, two channels, 1/z² each.
        assert_eq!(site.union(8), Rational::new(2, 8).unwrap());
        // Both channels are congested in the same cycle: an eighth of all runs.
        let left = site.left(8, 4000, &scope).unwrap();
        assert!((400..600).contains(&left), "{left}");
    }
}
