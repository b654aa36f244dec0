//! \[GL\] 6, another universal network: cycles and time of RANDOM′ with (k + 1) lg n passes for every z.
//!
//! Let z* be the first power of two from rλ(M) on, r = 4h for h levels of switches ([`super::wire_delivery`]), and P
//! the number of passes, with 2^P ≥ n|M|. In a pass of z* cycles a message that waits is delivered with probability
//! 1/2 at least, so that one is left after P of them with probability |M|/2^P ≤ 1/n at most. Up to then there are
//! P·(1 + 2 + … + z*) = P·(2z* − 1) < **16hλP** cycles: 8 λ lg n·P in the plane. In each a message passes 2h − 1
//! switches of constant size at most, lg n − 1 in the plane.
//!
//! # Degradation
//! In volume v a cubic mesh of n = v/lg^(3/2) v processors has links of lg n wires, and a step of it λ = 6 lg n
//! ([`super::theorem_10`]). P is at most 4 lg n for n ≥ 64, so that the step takes less than
//! 16h·6 lg n·4 lg n·2h = (256/3) lg^4 n, as h = (1/3) lg n.

use std::collections::VecDeque;

use super::prelude::*;
use crate::simulation::delivery::sets::{open, with_load_factor};

pub(super) const KIND: Statement = Statement::new("gl-wire-time", "[GL] 6, Another universal network")
    .about("RANDOM' with (k + 1) lg n passes for every z delivers M, |M| = n^k, in less than 8 lambda lg \
            n (k + 1) lg n cycles in the plane, 16 lambda h (k + 1) lg n for h levels of switches, except with \
            probability 1/n; every cycle passes 2h - 1 switches at most, and a step of a cubic mesh with lg n \
            wires a link takes less than (256/3) lg^4 n of them")
    .hypothesis("bft(n) of 16 and 64 processors, of 64 and 512 in space; random, local and hot messages and a permutation of load factor 1 and 4, a step; congested wires lose all, or the excess at random; seeded runs")
    .sharpened()
    .quote("We can now prove a bound of $O(\\lambda(M) \\lg^2 n)$ on the number of delivery cycles required by the algorithm to deliver all the messages in M. ... the degradation in time is $O(\\lg^4 n)$.")
    .cases(|scope| check(scope, 4))
    // The passes of a single cycle alone.
    .planted(Planted::Check(|scope| check(scope, 0)));

const NETWORKS: [&str; 3] = ["bft(16)", "bft(64)", "bft(64,dims=3)"];

const SETS: [&str; 4] = ["messages", "local", "hot(percent=20)", "bitrev"];

const LOAD_FACTORS: [u64; 2] = [1, 4];

const RULES: [&str; 2] = ["all", "random"];

/// Cubic meshes with lg n wires a link.
const MESHES: [(&str, u64); 2] = [("bft(64,dims=3)", 6), ("bft(512,dims=3)", 9)];

/// Trials for every run of a set; runs of a step.
const PART: u64 = 20;
const RUNS: u64 = 5;

/// Inverse of the chance that a true probability lies beyond one end of its interval.
const ALPHA: u64 = 1_000_000;

/// With r = `factor`·h.
fn check(scope: &Scope, factor: u64) -> Findings {
    let mut cases: Vec<(Site, Messages, String, &str)> = Vec::new();
    for spec in NETWORKS {
        let site = Site::of(spec)?;
        for (set, load_factor) in iproduct!(SETS, LOAD_FACTORS) {
            let (tree, ends) = (site.ground.tree(), site.ground.ends());
            let (messages, name) = with_load_factor(set, tree, ends, &load_factor.into())?;
            // A permutation may be the nearest to several load factors.
            if cases.iter().any(|known| known.0.ground.spec() == spec && known.2 == name) {
                continue;
            }
            cases.extend(RULES.map(|rule| (site.clone(), messages.clone(), name.clone(), rule)));
        }
    }
    let found = cases.par_iter().map(|(site, messages, name, rule)| {
        let runs = scope.trials.div_ceil(PART);
        let found = site.in_time(factor, messages, name, rule, runs, scope)?;
        scope.progress.inc(1);
        Ok(found)
    });
    let mut findings: Vec<Finding> = found.collect::<Result<_>>()?;
    for spec in NETWORKS {
        findings.push(Site::of(spec)?.depth());
    }
    for (spec, wires) in MESHES {
        findings.push(Site::of(spec)?.step(factor, wires, scope)?);
    }
    Ok(findings)
}

/// A network on which messages take random wires.
#[derive(Clone)]
struct Site {
    topology: std::sync::Arc<Topology>,
    ground: Ground,
    height: u64,
    lg: u64,
}

impl Site {
    fn of(spec: &str) -> Result<Self> {
        let topology = generate(spec)?;
        let labels = topology.plain_tree().ok_or_else(|| defect(spec))?;
        let (height, lg) = (labels.height() as u64, labels.hosts().ilog2().into());
        let ground = Ground::of(&topology)?;
        Ok(Self { topology: topology.into(), ground, height, lg })
    }

    /// Passes for every z, and the cycles until those of z* have ended.
    fn claimed(&self, factor: u64, lambda: &Rational, messages: &Messages) -> (u32, u64) {
        let product = self.topology.hosts() as u64 * messages.total();
        let passes = product.next_power_of_two().ilog2();
        let enough = lambda * &Rational::from(factor * self.height);
        let doubled = (0..63).map(|power| 1_u64 << power).find(|z| Rational::from(*z) >= enough);
        (passes, u64::from(passes) * (2 * doubled.unwrap_or(1 << 62) - 1))
    }

    /// The cycles of runs.
    fn cycles(
        &self,
        messages: &Messages,
        passes: u32,
        rule: &str,
        runs: u64,
        scope: &Scope,
    ) -> Cycles {
        let facts = self.ground.facts(messages);
        let repeated = algorithm::build("repeated", &facts).map_err(defect)?;
        let is_default = repeated.spec() == format!("repeated(passes={passes})");
        let loss = loss::find(rule).map_err(defect)?;
        let settings = Settings { loss, seed: scope.seed };
        let quiet = scope.progress.part(1.0);
        let found = self.ground.deliver_often(&*repeated, messages, settings, runs, &quiet)?;
        scope.progress.check()?;
        Ok((is_default, found.iter().map(|run| run.cycles).collect()))
    }

    fn load_factor(&self, messages: &Messages) -> Result<Rational> {
        let found = bottleneck(self.ground.tree(), messages)?;
        Ok(found.map(|found| found.load_factor).unwrap_or_default())
    }

    fn in_time(
        &self,
        factor: u64,
        messages: &Messages,
        name: &str,
        rule: &str,
        runs: u64,
        scope: &Scope,
    ) -> Result<Finding> {
        let lambda = self.load_factor(messages)?;
        let (passes, in_time) = self.claimed(factor, &lambda, messages);
        let (is_default, cycles) = self.cycles(messages, passes, rule, runs, scope)?;
        let late = cycles.iter().filter(|cycles| **cycles > in_time).count() as u64;
        let [low, _] = interval(late, runs, &fraction(1, ALPHA));
        let within = &lambda * &Rational::from(16 * self.height * u64::from(passes));
        let hosts = self.topology.hosts() as u64;
        let holds = low <= fraction(1, hosts) && Rational::from(in_time) < within;
        let most = cycles.into_iter().max().unwrap_or(0);
        let part = most as f64 / (lambda.to_f64() * (self.lg * self.lg) as f64);
        let case = format!("{name} on {}, losses {rule}", self.topology.spec());
        let claimed = format!(
            "<= {in_time} < {within} cycles, {passes} passes; later with probability at most 1/{hosts}"
        );
        let found =
            format!("{late} of {runs} late, at most {most} = {part:.2} lambda lg^2 n cycles");
        let basis = Basis::sampled(runs, scope.seed);
        Ok(Finding::holds(case, claimed, found, holds && is_default, basis))
    }

    /// The most switches on a shortest way between hosts, by a search from host 0: all hosts are alike.
    fn depth(&self) -> Finding {
        let mut distance = vec![None; self.topology.nodes()];
        let (mut next, mut most) = (VecDeque::from([0]), 0);
        distance[0] = Some(0_u64);
        while let Some(node) = next.pop_front() {
            let so_far = distance[node as usize].unwrap_or(0);
            if (node as usize) < self.topology.hosts() {
                most = most.max(so_far);
            }
            let ends = self.topology.links_from(node).filter_map(|link| self.topology.ends(link));
            for (_, to) in ends {
                if distance[to as usize].is_none() {
                    distance[to as usize] = Some(so_far + 1);
                    next.push_back(to);
                }
            }
        }
        let case = format!("switches that a message passes on {}", self.topology.spec());
        Finding::equal(case, 2 * self.height - 1, most.saturating_sub(1), Basis::Exhaustive)
    }

    /// Time for a step of the cubic mesh of as many processors.
    fn step(&self, factor: u64, wires: u64, scope: &Scope) -> Result<Finding> {
        let spec = format!("step(network=mesh3,wires={wires})");
        let (messages, name) = open(&spec, self.ground.ends())?;
        let lambda = self.load_factor(&messages)?;
        let (passes, in_time) = self.claimed(factor, &lambda, &messages);
        let (_, cycles) = self.cycles(&messages, passes, "random", RUNS, scope)?;
        let most = cycles.into_iter().max().unwrap_or(0);
        let power = self.lg.pow(4);
        let [time, allowed] = [most, in_time].map(|cycles| cycles * (2 * self.height - 1));
        let holds = lambda == (6 * self.lg).into() && 3 * allowed < 256 * power && time <= allowed;
        let case = format!("{name} on {}", self.topology.spec());
        let claimed = format!("load factor 6 lg n, time <= {allowed} < 256/3 lg^4 n");
        let part = time as f64 / power as f64;
        let found = format!("load factor {lambda}, time at most {time} = {part:.3} lg^4 n");
        Ok(Finding::holds(case, claimed, found, holds, Basis::sampled(RUNS, scope.seed)))
    }
}

/// Whether the passes are those of the algorithm by default, and the cycles of every run.
type Cycles = Result<(bool, Vec<u64>)>;

#[cfg(test)]
mod tests {
    use super::*;

    /// Load factor 2 on three levels: rλ = 24, z* = 32; with 64 processors and 4 messages eight passes.
    #[test]
    fn cycles_by_hand() {
        let site = Site::of("bft(64)").unwrap();
        let messages = Messages::listed([(0, 63, 2), (5, 6, 2)]).unwrap();
        let lambda = site.load_factor(&messages).unwrap();
        assert_eq!(lambda, Rational::from(2));
        assert_eq!(site.claimed(4, &lambda, &messages), (8, 8 * 63));
    }
}
