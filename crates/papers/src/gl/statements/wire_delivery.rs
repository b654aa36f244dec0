//! \[GL\] 6, another universal network: the analogue of Lemma 6, in exact arithmetic.
//!
//! A message m of a p-subset takes a random path W up and the one below it down. It is delivered if no other message
//! that is sent takes a wire of W, wherever that gets lost. Others are sent with probability p each and choose their
//! paths at random, independently, so P/p is the mean over all W of ∏ (1 − p·q), a factor for each other message, where
//! q is the share of its paths that have a wire in common with W. All paths are enumerated.
//!
//! # Every network and set
//! On a tree of h levels of switches W has 2h wires at most. Another message that must pass the channel c of one of
//! them takes that wire with probability p/cap(c), so m is lost with probability p·load(M,c)/cap(c) ≤ pλ(M) at most
//! on each and with 2h·pλ(M) in all: **r = 4h is enough**, 2 lg n in the plane and (4/3) lg n in space.
//!
//! # No smaller order
//! [`full`] loads all channels of one message evenly. The others that enter its path at level l > 0 are λ·2^l/2, each
//! of which meets it with probability 2^−l, and so for those that leave it: about exp(−(h + 1)/r) is left, less than
//! a half for r = h.

use super::prelude::*;

pub(super) const KIND: Statement = Statement::new("gl-wire-delivery", "[GL] 6, Another universal network")
    .about("Where every message takes a random wire up, a message of a p-subset of M, p <= 1/(r lambda), is delivered \
            with probability p/2 at least if r = 4h for h levels of switches, which is 2 lg n in the plane and \
            (4/3) lg n in space; r = h is too small, so that r is Theta(lg n)")
    .hypothesis("bft(n) of 4 to 64 processors and of 8 and 64 in space: random sets of up to 40 messages and sets that load all channels of a path evenly, the latter for up to 1024 processors; congested wires lose all; exact probabilities; every network and set by argument")
    .sharpened()
    .quote("Lemma 6, which says that the probability is $\\frac{1}{2}p$ that a given message of M is delivered when a *p*-subset of M is sent, also holds if the congestion parameter r is chosen to be $\\Theta(\\lg n)$.")
    .cases(|scope| check(scope, 4))
    // What is said to be too small.
    .planted(Planted::Check(|scope| check(scope, 1)));

/// Networks with random sets, and those with sets that load all channels of a path.
const RANDOM: [&str; 5] = ["bft(4)", "bft(16)", "bft(64)", "bft(8,dims=3)", "bft(64,dims=3)"];
const FULL: [&str; 7] =
    ["bft(4)", "bft(16)", "bft(64)", "bft(256)", "bft(1024)", "bft(64,dims=3)", "bft(512,dims=3)"];

/// Load factors of the latter.
const LOAD_FACTORS: [u64; 3] = [1, 2, 8];

/// Random sets on every network, and their messages.
const SETS: u64 = 40;
const MOST: u32 = 40;

/// With r = `factor`·h.
fn check(scope: &Scope, factor: u64) -> Findings {
    let random = RANDOM.par_iter().map(|spec| {
        let wires = WirePaths::of(spec)?;
        let sets =
            (0..SETS).map(|index| messages::few(wires.labels().hosts(), MOST, scope.seed, index));
        let case = format!("random sets on {spec}, r = {factor}h");
        let found = wires.at_least(case, &sets.collect::<Vec<_>>(), None, factor, scope)?;
        scope.progress.inc(1);
        Ok(vec![Finding { basis: Basis::sampled(SETS, scope.seed), ..found }])
    });
    let full = FULL.par_iter().map(|spec| {
        let wires = WirePaths::of(spec)?;
        let sets: Vec<Vec<Demand>> =
            LOAD_FACTORS.iter().map(|load| full(wires.labels(), *load)).collect();
        let case = |r: &str| format!("evenly loaded paths on {spec}, r = {r}");
        let enough = wires.at_least(
            case(&format!("{factor}h")),
            &sets,
            Some(wires.ends()),
            factor,
            scope,
        )?;
        scope.progress.inc(1);
        // Where a load factor of 1 is a single message, nothing is lost.
        Ok(vec![enough, wires.too_small(case("h, too small"), &sets[1..], scope)?])
    });
    let found: Vec<Vec<Finding>> = random.chain(full).collect::<Result<_>>()?;
    let mut findings: Vec<Finding> = found.into_iter().flatten().collect();
    // The argument needs as large an r.
    if factor >= 4 {
        let docs = "the docs of crates/papers/src/gl/statements/wire_delivery.rs";
        findings.push(Finding::argued("every network and set", CLAIM, "2h p lambda <= 1/2", docs));
    }
    Ok(findings)
}

const CLAIM: &str = "P/p >= 1/2 for p = 1/(r lambda)";

/// The paths of a network on which messages take random wires.
pub(super) struct WirePaths {
    topology: Topology,
    tree: ChannelTree,
}

/// Paths of one message as sorted links, all equally likely.
type Paths = Vec<Vec<LinkId>>;

/// The ends of the messages that are looked at; all where there are none.
type Of = Option<(Host, Host)>;

/// P/p of messages, with their ends.
type Chances = Result<Vec<((Host, Host), Rational)>>;

impl WirePaths {
    pub(super) fn of(spec: &str) -> Result<Self> {
        let topology = generate(spec)?;
        let none = || defect(spec);
        topology.plain_tree().ok_or_else(none)?;
        let tree = ChannelTree::of_subtrees(&topology).ok_or_else(none)?;
        Ok(Self { topology, tree })
    }

    pub(super) fn labels(&self) -> &Xgft {
        self.topology.plain_tree().expect("checked when it was made")
    }

    fn load_factor(&self, set: &[Demand]) -> Rational {
        self.tree.load_factor(set).value
    }

    /// All paths from s to d.
    fn paths(&self, s: Host, d: Host) -> Paths {
        let labels = self.labels();
        let ports = (1..=labels.nca_level(s, d)).map(|level| labels.parents(level));
        let mut choices = vec![Vec::new()];
        for ports in ports {
            let grown = |up: Vec<u32>| (0..ports).map(move |port| [&up[..], &[port]].concat());
            choices = choices.into_iter().flat_map(grown).collect();
        }
        let path = |up: Vec<u32>| {
            let mut links = Vec::new();
            labels.push_path(s, d, &up, &mut links);
            links.sort_unstable();
            links
        };
        choices.into_iter().map(path).collect()
    }

    /// P/p for a message of every demand with these ends, or of all demands.
    fn chances(&self, set: &[Demand], of: Of, p: &Rational, scope: &Scope) -> Chances {
        let paths: Vec<Paths> = set.iter().map(|demand| self.paths(demand.s, demand.d)).collect();
        let mut chances = Vec::new();
        for (own, Demand { s, d, .. }) in set.iter().enumerate() {
            if of.is_none_or(|ends| ends == (*s, *d)) {
                scope.progress.check()?;
                chances.push(((*s, *d), chance(own, set, &paths, p)));
            }
        }
        Ok(chances)
    }

    /// The ends of the message whose path is loaded evenly.
    fn ends(&self) -> (Host, Host) {
        (0, host_number(self.labels().hosts()) - 1)
    }

    /// The smallest P/p of the sets, with p = 1/(`factor`·h·λ).
    fn least(
        &self,
        sets: &[Vec<Demand>],
        of: Of,
        factor: u64,
        scope: &Scope,
    ) -> Result<(Rational, String)> {
        let (mut least, mut at) = (Rational::ONE, "a single message".to_string());
        let height = self.labels().height() as u64;
        for set in sets {
            let lambda = self.load_factor(set);
            let Some(p) = fraction(1, factor * height).checked_div(&lambda) else { continue };
            for ((s, d), chance) in self.chances(set, of, &p.min(Rational::ONE), scope)? {
                if chance < least {
                    (least, at) = (chance, format!("{s} to {d}, lambda = {lambda}"));
                }
            }
        }
        Ok((least, at))
    }

    fn at_least(
        &self,
        case: String,
        sets: &[Vec<Demand>],
        of: Of,
        factor: u64,
        scope: &Scope,
    ) -> Result<Finding> {
        let (least, at) = self.least(sets, of, factor, scope)?;
        let holds = &least * &Rational::from(2) >= Rational::ONE;
        let found = format!("P/p at least {:.4}, {at}", least.to_f64() - 5e-5);
        Ok(Finding::holds(case, CLAIM, found, holds, Basis::Exhaustive))
    }

    fn too_small(&self, case: String, sets: &[Vec<Demand>], scope: &Scope) -> Result<Finding> {
        let (least, at) = self.least(sets, Some(self.ends()), 1, scope)?;
        let holds = &least * &Rational::from(2) < Rational::ONE;
        let found = format!("P/p = {:.4}, {at}", least.to_f64());
        Ok(Finding::holds(case, "P/p < 1/2 for p = 1/(r lambda)", found, holds, Basis::Exhaustive))
    }
}

/// P/p for a message of demand `own`.
fn chance(own: usize, set: &[Demand], paths: &[Paths], p: &Rational) -> Rational {
    let of_path = |path: &Vec<LinkId>| {
        let factors = set.iter().zip(paths).enumerate().map(|(at, (demand, others))| {
            let meets = others.iter().filter(|other| have_common(path, other)).count();
            let lost = p * &fraction(meets as u64, others.len() as u64);
            let free = Rational::ONE.checked_sub(&lost).unwrap_or_default();
            power(&free, whole(&demand.amount) - u64::from(at == own))
        });
        factors.fold(Rational::ONE, |product, factor| &product * &factor)
    };
    let sum = paths[own].iter().map(of_path).fold(Rational::ZERO, |sum, chance| &sum + &chance);
    &sum * &fraction(1, paths[own].len() as u64)
}

/// Whether two sorted lists have an element in common.
fn have_common(one: &[LinkId], other: &[LinkId]) -> bool {
    one.iter().any(|link| other.binary_search(link).is_ok())
}

/// Messages that load all channels of one from the first host to the last with `load` for every wire: 1 of its end and
/// others of hosts beside its path, to the second subtree below the top and from the third.
pub(super) fn full(labels: &Xgft, load: u64) -> Vec<Demand> {
    let (hosts, height) = (labels.hosts(), labels.height());
    let last = host_number(hosts) - 1;
    let part = labels.subtree_hosts(height - 1);
    // Others on the channel above the subtree of this height.
    let others = |level: usize| {
        let wires: u64 = (1..=level + 1).map(|step| u64::from(labels.parents(step))).product();
        load * wires - 1
    };
    // Number `at` of `count` that are spread evenly over `among` hosts.
    let spread = |at: u64, count: u64, among: u32| index32(as_size(at * u64::from(among) / count));
    let mut sent = BTreeMap::from([((0, last), 1)]);
    let (mut first, mut count) = (0, 0);
    for level in 0..height {
        let (beside, all) = (labels.subtree_hosts(level), others(level));
        for at in count..all {
            let host = first + spread(at - count, all - count, beside - first);
            let other = spread(at, others(height - 1), part);
            *sent.entry((host, part + other)).or_default() += 1;
            *sent.entry((2 * part + other, last - host)).or_default() += 1;
        }
        (first, count) = (beside, all);
    }
    sent.into_iter().map(|(pair, count)| messages::messages(pair, count)).collect()
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::simulation::delivery::{Network, Part, Rules, Wires};
    use rand::RngExt;

    fn ratio(text: &str) -> Rational {
        text.parse().unwrap()
    }

    /// t messages over one wire: one is delivered if no other is sent. From another subtree half of the paths meet.
    #[test]
    fn chances_by_hand() {
        let progress = Progress::silent();
        let scope = Scope::new(16, &progress);
        let wires = WirePaths::of("bft(16)").unwrap();
        let of = |set: &[Demand], p: &str| wires.chances(set, None, &ratio(p), &scope).unwrap();
        assert_eq!(of(&[messages::messages((0, 1), 3)], "1/3"), [((0, 1), ratio("4/9"))]);
        let both = [messages::messages((0, 4), 1), messages::messages((1, 8), 1)];
        assert_eq!(of(&both, "1/3"), [((0, 4), ratio("5/6")), ((1, 8), ratio("5/6"))]);
    }

    #[test]
    fn full_sets_have_their_load_factor() {
        for spec in FULL {
            let wires = WirePaths::of(spec).unwrap();
            for load in LOAD_FACTORS {
                let set = full(wires.labels(), load);
                assert_eq!(wires.load_factor(&set), load.into(), "{spec}");
            }
            let path = wires.tree.path(0, host_number(wires.labels().hosts()) - 1);
            let loads: BTreeMap<_, _> =
                wires.tree.loads(&full(wires.labels(), 8)).into_iter().collect();
            for channel in path {
                let full = wires.tree.capacity(channel) * &Rational::from(8);
                assert_eq!(loads[&channel], full, "{spec}");
            }
        }
    }

    /// The simulator delivers as often: 4000 subsets of the messages of a full set, each with probability 1/16.
    #[test]
    fn the_simulator_agrees() {
        let progress = Progress::silent();
        let scope = Scope::new(16, &progress);
        let wires = WirePaths::of("bft(16)").unwrap();
        let set = full(wires.labels(), 4);
        let own = set.iter().position(|demand| (demand.s, demand.d) == (0, 15)).unwrap();
        let expected =
            wires.chances(&set, Some(wires.ends()), &ratio("1/16"), &scope).unwrap()[0].1.to_f64();
        let mut network = Wires::new(wires.labels()).unwrap();
        network.prepare(set.iter().map(|demand| (demand.s, demand.d)).collect());
        let mut lost = (loss::find("all").unwrap().build.rule)();
        let (streams, mut delivered) = (Streams::new(5), 0);
        for trial in 0..4000 {
            let mut random = streams.at(trial);
            let mut parts = Vec::new();
            for (entry, demand) in (0..).zip(&set) {
                let drawn = (0..whole(&demand.amount)).filter(|_| random.random_range(0..16) == 0);
                // The message itself is always sent.
                let count = if entry as usize == own { 1 } else { drawn.count() as u64 };
                parts.extend((count > 0).then_some(Part { entry, count }));
            }
            let mut arrived = Vec::new();
            network.cycle(
                &parts,
                &mut Rules { loss: &mut *lost, random: &mut random },
                &mut arrived,
            );
            delivered += u64::from(arrived.iter().any(|part| part.entry as usize == own));
        }
        let share = delivered as f64 / 4000.0;
        assert!((share - expected).abs() < 0.03, "{share} {expected}");
    }
}
