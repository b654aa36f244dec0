//! \[GL\] Lemma 6, in exact arithmetic, with the analysis' presumption: a channel c is congested by M'
//! if load(M',c) > cap(c), and all messages of congested channels are lost.
//!
//! Let t be the number of messages, and N(k) that of the sets M' of k messages, m among them, that
//! congest no channel of m. Then m is delivered with probability P = Σ N(k)·p^k (1−p)^(t−k). All sets
//! M' are enumerated, up to the order of messages with equal ends, and P is computed exactly.
//!
//! P/p is the probability that m meets no congestion if it is sent. It decreases in p: where
//! p-subsets are drawn by one number per message, compared with p, a larger p adds messages, and
//! these congest channels but never relieve one. So P ≥ p/2 at one p ≥ 1/(rλ(M)) settles **every**
//! p ≤ 1/(rλ(M)). It is tried at p = 1/(r'λ(M)), where r' is r rounded down to hundredths.

use super::prelude::*;
use crate::progress::Stopped;

pub(super) const KIND: Statement = Statement::new("gl-lemma-6", "[GL] 4, Lemma 6")
    .about("If all messages of congested channels are lost, every message of M is delivered with \
            probability at least p/2 when a p-subset of M with p <= 1/(r lambda(M)) is sent")
    .hypothesis("fat-trees based on complete binary trees, every p <= 1/(r lambda): all sets of at most 4 messages on up to 4 hosts, random sets of at most 12, a permutation and a hot spot on up to 16")
    .quote("Then if M' is sent, the probability that m gets delivered is at least $\\frac{1}{2}p$.")
    .cases(|scope| check(scope, trees::all(scope.hosts.min(MAX_HOSTS))?, hundredths))
    // 1 in place of r.
    .planted(Planted::Check(|scope| check(scope, vec![trees::tree(4, "double2", 1)?], |_| Some(Rational::ONE))));

const CLAIM: &str = "P >= p/2";

/// Maximum number of hosts of a tree: a permutation of 16 messages has 2^16 subsets.
const MAX_HOSTS: usize = 16;

/// Number of hosts up to which all small sets are tried, and the size of these.
const FEW_HOSTS: usize = 4;
const FEW_MESSAGES: usize = 4;

/// Largest size of a random set.
const MAX_MESSAGES: u32 = 12;

/// r of a tree, rounded down.
fn hundredths(tree: &ChannelTree) -> Option<Rational> {
    let lower = tree.congestion_parameter()?.lower;
    Rational::from_big((&lower * &Rational::from(100)).floor(), 100_u8.into())
}

fn check(
    scope: &Scope,
    trees: Vec<(Topology, ChannelTree)>,
    r: fn(&ChannelTree) -> Option<Rational>,
) -> Findings {
    let on_tree = |(topology, tree): (Topology, ChannelTree)| {
        let defect = || defect(topology.spec());
        let of = OfTree { topology: &topology, tree: &tree, r: r(&tree).ok_or_else(defect)? };
        let found = of.findings(scope)?;
        scope.progress.inc(1);
        Ok(found)
    };
    let findings = trees.into_par_iter().map(on_tree);
    Ok(findings.collect::<Result<Vec<_>>>()?.into_iter().flatten().collect())
}

struct OfTree<'t> {
    topology: &'t Topology,
    tree: &'t ChannelTree,
    r: Rational,
}

impl OfTree<'_> {
    fn findings(&self, scope: &Scope) -> Findings {
        let (hosts, spec, mut found) = (self.tree.hosts(), self.topology.spec(), Vec::new());
        if hosts <= FEW_HOSTS {
            let sets = small_sets(hosts, FEW_MESSAGES);
            let case = format!("all {} sets of 1 to {FEW_MESSAGES} messages on {spec}", sets.len());
            found.push(self.finding(case, &sets, None, scope.progress)?);
        }
        let (trials, seed) = (scope.trials.div_ceil(100), scope.seed);
        let random = (0..trials).map(|index| messages::few(hosts, MAX_MESSAGES, seed, index));
        let case = format!("{trials} random sets of messages on {spec}");
        let sampled = Basis::sampled(trials, seed);
        found.push(self.finding(
            case,
            &random.collect::<Vec<_>>(),
            Some(sampled),
            scope.progress,
        )?);
        let last = host_number(hosts);
        let sent = |s: Host, d: Host| messages::messages((s, d), 1);
        let permutation = (0..last).map(|s| sent(s, (s + last / 2) % last)).collect();
        let hot_spot = (1..last).map(|s| sent(s, 0)).collect();
        for (name, set) in [("s to s + n/2", permutation), ("all to host 0", hot_spot)] {
            let case = format!("{name} on {spec}");
            found.push(self.finding(case, &[set], None, scope.progress)?);
        }
        Ok(found)
    }

    /// The least P/p of any message of the sets, at the p of the module docs. Messages of sets that
    /// can congest no channel do not count.
    fn finding(
        &self,
        case: String,
        sets: &[Vec<Demand>],
        basis: Option<Basis>,
        progress: &Progress,
    ) -> Result<Finding> {
        let (mut least, mut at, mut points) = (Rational::ONE, String::new(), 0);
        for set in sets {
            let lambda = self.tree.load_factor(set).value;
            let Some(p) = Rational::ONE.checked_div(&(&self.r * &lambda)) else { continue };
            let p = p.min(Rational::ONE);
            let classes = Classes::of(self.tree, set);
            if !classes.can_congest() {
                continue;
            }
            for (chance, Demand { s, d, .. }) in classes.chances(&p, progress)?.iter().zip(set) {
                points += 1;
                if *chance < least {
                    let lost = format!("{s} to {d} of {}, lambda = {lambda}", described(set));
                    (least, at) = (chance.clone(), lost);
                }
            }
        }
        if points == 0 {
            return Ok(Finding::vacuous(case, "no channel can be congested"));
        }
        let found = format!("P/p at least {:.4}, {at}", least.to_f64() - 5e-5);
        let holds = &least * &Rational::from(2) >= Rational::ONE;
        Ok(Finding::holds(case, CLAIM, found, holds, basis.unwrap_or(Basis::Grid { points })))
    }
}

fn described(set: &[Demand]) -> String {
    let one = |Demand { s, d, amount }: &Demand| format!("{amount}x {s}-{d}");
    let shown: Vec<String> = set.iter().take(6).map(one).collect();
    shown.join(", ") + if set.len() > 6 { ", ..." } else { "" }
}

/// All sets of 1 to `most` messages, equal ones included.
fn small_sets(hosts: usize, most: usize) -> Vec<Vec<Demand>> {
    let mut sets: Vec<Vec<Demand>> = Vec::new();
    let mut larger: Vec<(usize, Vec<u64>)> = vec![(0, vec![0; hosts * (hosts - 1)])];
    let pairs: Vec<_> = sd_pairs(hosts).collect();
    for _ in 0..most {
        let grown = larger.iter().flat_map(|(from, counts)| {
            (*from..pairs.len()).map(|pair| {
                let mut counts = counts.clone();
                counts[pair] += 1;
                (pair, counts)
            })
        });
        larger = grown.collect();
        sets.extend(larger.iter().map(|(_, counts)| {
            let sent = pairs.iter().zip(counts).filter(|(_, count)| **count > 0);
            sent.map(|(pair, count)| messages::messages(*pair, *count)).collect()
        }));
    }
    sets
}

/// Messages by their ends: how many there are, over which channels they go, and the wires of these.
struct Classes {
    counts: Vec<u64>,
    paths: Vec<Vec<usize>>,
    wires: Vec<u64>,
}

impl Classes {
    fn of(tree: &ChannelTree, set: &[Demand]) -> Self {
        let channels: Vec<Channel> = tree.channels().collect();
        let path = |Demand { s, d, .. }: &Demand| {
            let crossed = tree.path(*s, *d);
            let is_crossed = |at: &usize| crossed.contains(&channels[*at]);
            (0..channels.len()).filter(is_crossed).collect()
        };
        Self {
            counts: set.iter().map(|demand| whole(&demand.amount)).collect(),
            paths: set.iter().map(path).collect(),
            wires: channels.iter().map(|c| whole(tree.capacity(*c))).collect(),
        }
    }

    /// The load of each channel when `sent` of each class are sent.
    fn loads(&self, sent: &[u64]) -> Vec<u64> {
        let mut loads = vec![0; self.wires.len()];
        for (path, sent) in self.paths.iter().zip(sent) {
            for channel in path {
                loads[*channel] += sent;
            }
        }
        loads
    }

    fn can_congest(&self) -> bool {
        self.loads(&self.counts).iter().zip(&self.wires).any(|(load, wires)| load > wires)
    }

    /// N(k) for a message of every class. O(∏(count + 1) · channels on all paths).
    fn uncongested(&self, progress: &Progress) -> Result<Vec<Vec<Rational>>, Stopped> {
        let size = as_size(self.counts.iter().sum());
        let mut found = vec![vec![0_u128; size + 1]; self.counts.len()];
        let mut sent = vec![0; self.counts.len()];
        loop {
            progress.check()?;
            let (ways, loads) = (self.ways(&sent), self.loads(&sent));
            let free = |channel: &usize| loads[*channel] <= self.wires[*channel];
            let number = as_size(sent.iter().sum());
            for (class, path) in self.paths.iter().enumerate().filter(|(at, _)| sent[*at] > 0) {
                if path.iter().all(free) {
                    // C(c−1, k−1) = C(c, k)·k/c: one of the k is m.
                    let part = ways * u128::from(sent[class]) / u128::from(self.counts[class]);
                    found[class][number] += part;
                }
            }
            // The next numbers, as an odometer.
            let Some(at) = (0..sent.len()).find(|at| sent[*at] < self.counts[*at]) else { break };
            sent[at] += 1;
            sent[..at].fill(0);
        }
        let ratio =
            |count: u128| Rational::from_big(count.into(), 1_u8.into()).expect("1 is not 0");
        Ok(found.into_iter().map(|counts| counts.into_iter().map(ratio).collect()).collect())
    }

    /// Number of ways to choose `sent` of each class.
    fn ways(&self, sent: &[u64]) -> u128 {
        let choose = |(count, sent): (&u64, &u64)| {
            (0..*sent).fold(1, |ways, at| ways * u128::from(count - at) / u128::from(at + 1))
        };
        self.counts.iter().zip(sent).map(choose).product()
    }

    /// P/p for a message of every class, p ≤ 1.
    fn chances(&self, p: &Rational, progress: &Progress) -> Result<Vec<Rational>, Stopped> {
        let other = Rational::ONE.checked_sub(p).expect("p <= 1");
        let size = as_size(self.counts.iter().sum());
        let powers = |x: &Rational| {
            let next = |power: &Rational| Some(power * x);
            std::iter::successors(Some(Rational::ONE), next).take(size).collect::<Vec<_>>()
        };
        let (sent, kept) = (powers(p), powers(&other));
        let chance = |counts: &Vec<Rational>| {
            let terms = counts[1..].iter().zip(sent.iter().zip(kept.iter().rev()));
            terms
                .fold(Rational::ZERO, |sum, (count, (sent, kept))| &sum + &(count * &(sent * kept)))
        };
        Ok(self.uncongested(progress)?.iter().map(chance).collect())
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn ratio(text: &str) -> Rational {
        text.parse().unwrap()
    }

    fn chances(tree: &ChannelTree, set: &[Demand], p: &str) -> Vec<Rational> {
        Classes::of(tree, set).chances(&ratio(p), &Progress::silent()).unwrap()
    }

    /// t messages over one wire: one is delivered if no other is sent, (1−p)^(t−1).
    #[test]
    fn one_wire_by_hand() {
        let (_, tree) = trees::tree(2, "double2", 1).unwrap();
        let set = |count| [messages::messages((0, 1), count)];
        assert_eq!(chances(&tree, &set(1), "1/3"), [Rational::ONE]);
        assert_eq!(chances(&tree, &set(3), "1/3"), [ratio("4/9")]);
        // Three wires, four messages: all but p^3; the other direction is free.
        let (_, tree) = trees::tree(2, "sqrt2", 3).unwrap();
        let both = [messages::messages((0, 1), 4), messages::messages((1, 0), 2)];
        assert_eq!(chances(&tree, &both, "1/2"), [ratio("7/8"), Rational::ONE]);
    }

    /// By definition: every subset of single messages, its loads from the tree.
    #[test]
    fn subsets_one_by_one_agree() {
        let p = ratio("2/7");
        let other = Rational::ONE.checked_sub(&p).unwrap();
        for (growth, index) in [("double2", 0), ("cbrt4", 1), ("constant", 2), ("sqrt2", 3)] {
            let (_, tree) = trees::tree(8, growth, 1).unwrap();
            let set = messages::few(8, 9, 5, index);
            let single = set.iter().flat_map(|Demand { s, d, amount }| {
                (0..amount.scaled(1).unwrap()).map(|_| messages::messages((*s, *d), 1))
            });
            let single: Vec<Demand> = single.collect();
            let mut expected = vec![Rational::ZERO; set.len()];
            for bits in 0..1_u32 << single.len() {
                let is_sent = |at: usize| bits >> at & 1 == 1;
                let chosen: Vec<Demand> = (0..single.len())
                    .filter(|at| is_sent(*at))
                    .map(|at| single[at].clone())
                    .collect();
                let loads: BTreeMap<_, _> = tree.loads(&chosen).into_iter().collect();
                let weight = (0..single.len()).fold(Rational::ONE, |weight, at| {
                    &weight * if is_sent(at) { &p } else { &other }
                });
                for (expected, Demand { s, d, .. }) in expected.iter_mut().zip(&set) {
                    // The first message of the class stands for all.
                    let first = single.iter().position(|one| (one.s, one.d) == (*s, *d)).unwrap();
                    let free = |c: &Channel| loads.get(c).is_none_or(|l| l <= tree.capacity(*c));
                    if is_sent(first) && tree.path(*s, *d).iter().all(free) {
                        *expected += &weight.checked_div(&p).unwrap();
                    }
                }
            }
            assert_eq!(chances(&tree, &set, "2/7"), expected, "{growth}");
        }
    }

    /// 12 pairs: 12 + 78 + 364 + 1365 multisets.
    #[test]
    fn small_sets_are_counted() {
        let sets = small_sets(4, 4);
        assert_eq!((small_sets(4, 1).len(), sets.len()), (12, 1819));
        let names: std::collections::BTreeSet<String> =
            sets.iter().map(|set| described(set)).collect();
        assert_eq!(names.len(), sets.len());
    }

    /// P/p decreases, and 1 in place of r is too small from three messages over one wire on.
    #[test]
    fn larger_probabilities_lose_more() {
        let (topology, tree) = trees::tree(2, "double2", 1).unwrap();
        let set = vec![messages::messages((0, 1), 3)];
        let found = ["1/30", "1/9", "1/3", "1"].map(|p| chances(&tree, &set, p)[0].clone());
        assert!(found.windows(2).all(|pair| pair[1] < pair[0]));
        let outcome = |r| {
            let of = OfTree { topology: &topology, tree: &tree, r };
            of.finding("x".into(), std::slice::from_ref(&set), None, &Progress::silent()).unwrap()
        };
        assert_eq!(outcome(hundredths(&tree).unwrap()).outcome, Outcome::Holds);
        assert!(outcome(Rational::ONE).fails());
    }
}
