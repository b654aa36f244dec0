//! \[GL\] 4, after Theorem 8: RANDOM interleaved with a strategy that delivers a message in every cycle.
//!
//! The strategy sends one message alone, which no rule of loss can lose. So all have arrived after 2|M| cycles at the
//! latest, even where congested channels lose all. Let N be the cycles by the time RANDOM has tried its first guess
//! of at least λ(M), which Figure 4 bounds, and ε the probability that it leaves messages then. The others are
//! delivered alone, so **2N + 2ε|M|** cycles are expected at most: with |M| ≤ n^k and ε = O(1/n^k), 2N + O(1).
//!
//! With the constants of the proof N is far above 2|M| for sets of this size, and the bound says nothing. So the
//! constants here are small, ε is that of runs of RANDOM, and the mean is also compared with the growth of Figure 4.
//!
//! Of small sets the expectation is computed exactly, cycle by cycle over all sets of messages that wait and all
//! subsets that are sent, with the loads of channels as they are defined.

use super::prelude::*;
use crate::simulation::delivery::sets::with_load_factor;
use crate::simulation::delivery::{Constants, Guesses, Phase, figure_4};

pub(super) const KIND: Statement = Statement::new("gl-random-interleaved", "[GL] 4, after Theorem 8")
    .about("RANDOM interleaved with cycles that send a message alone delivers M in 2|M| delivery cycles \
            at most, and in 2N + 2 epsilon |M| expected, where RANDOM has tried its first guess of at least \
            lambda(M) after N cycles and leaves messages then with probability epsilon; one cycle where \
            lambda(M) <= 1, and with small constants 16 times the growth of Figure 4 at most")
    .hypothesis("k1 = 2, k2 = 4, r = 2; universal fat-trees of 4 to 64 processors, random, local and hot messages and a permutation of load factor 1 to 16, congested channels lose all or the excess at random, seeded runs; random sets of up to 6 messages of 4 and 8 processors, where congested channels lose all, exactly")
    .sharpened()
    .quote("We can also use *RANDOM* to obtain a routing algorithm which guarantees to deliver all the messages in finite time with expected number of delivery cycles given in Figure 4. We simply interleave *RANDOM* with any routing strategy that guarantees to deliver at least one message in each delivery cycle.")
    .cases(|scope| check(scope, "interleaved"))
    // RANDOM alone.
    .planted(Planted::Check(|scope| check(scope, "random")));

const TREES: [&str; 4] =
    ["universal(4)", "universal(16)", "universal(16,growth=constant)", "universal(64)"];

const SETS: [&str; 4] = ["messages", "local", "hot(percent=20)", "bitrev"];

const LOAD_FACTORS: [u64; 4] = [1, 2, 4, 16];

const RULES: [&str; 2] = ["all", "random"];

/// Trials for every run of a set.
const PART: u64 = 10;

/// The largest mean ÷ the growth of Figure 4.
const GROWTH: f64 = 16.0;

/// Inverse of the chance that a true probability lies beyond one end of its interval.
const ALPHA: u64 = 1_000_000;

/// Sets whose expectation is exact, and their messages.
const SMALL: u64 = 30;
const MOST: u32 = 6;

fn constants() -> Constants {
    Constants { k1: 2.into(), k2: 4.into(), r: 2.into() }
}

fn check(scope: &Scope, name: &str) -> Findings {
    let mut cases: Vec<(Ground, Messages, String, &str)> = Vec::new();
    for spec in TREES {
        let ground = Ground::universal(&trees::shape(spec)?);
        for (set, load_factor) in iproduct!(SETS, LOAD_FACTORS) {
            let (messages, name) =
                with_load_factor(set, ground.tree(), ground.ends(), &load_factor.into())?;
            // A permutation may be the nearest to several load factors.
            if !cases.iter().any(|known| known.0.spec() == spec && known.2 == name) {
                cases.extend(
                    RULES.map(|rule| (ground.clone(), messages.clone(), name.clone(), rule)),
                );
            }
        }
    }
    let found = cases.par_iter().map(|(ground, messages, set, rule)| {
        let found = observed(ground, messages, name, rule, scope)?;
        scope.progress.inc(1);
        let case = format!("{set} on {}, losses {rule}", ground.spec());
        Ok(Finding { case: case.into(), ..found })
    });
    let mut findings: Vec<Finding> = found.collect::<Result<_>>()?;
    for (hosts, growth) in iproduct!([4, 8], ["double2", "constant"]) {
        findings.push(exact(hosts, growth, scope)?);
    }
    let docs = "the docs of crates/papers/src/gl/statements/interleaved.rs";
    findings.push(Finding::argued(
        "every M",
        "2|M| cycles; 2N + 2 e |M| expected",
        "by the strategy",
        docs,
    ));
    Ok(findings)
}

/// N, the cycles of RANDOM until it has tried its first guess of at least λ.
fn tried(hosts: usize, lambda: &Rational) -> Result<u64> {
    let found =
        Guesses::new(hosts, &constants()).ok().and_then(|guesses| guesses.cycles_for(lambda));
    found.ok_or_else(|| defect(format!("n = {hosts}, lambda = {lambda}")))
}

/// Cycles of the runs of an algorithm.
fn cycles(
    ground: &Ground,
    messages: &Messages,
    name: &str,
    rule: &str,
    scope: &Scope,
) -> Result<Vec<u64>> {
    let facts = ground.facts(messages);
    let algorithm = algorithm::build(&format!("{name}(k1=2,k2=4,r=2)"), &facts);
    let algorithm = algorithm.map_err(defect)?;
    let loss = loss::find(rule).map_err(defect)?;
    let settings = Settings { loss, seed: scope.seed };
    let (runs, quiet) = (scope.trials.div_ceil(PART), scope.progress.part(1.0));
    let found = ground.deliver_often(&*algorithm, messages, settings, runs, &quiet)?;
    scope.progress.check()?;
    Ok(found.iter().map(|run| run.cycles).collect())
}

fn observed(
    ground: &Ground,
    messages: &Messages,
    name: &str,
    rule: &str,
    scope: &Scope,
) -> Result<Finding> {
    let lambda =
        bottleneck(ground.tree(), messages)?.map(|found| found.load_factor).unwrap_or_default();
    let (hosts, most) = (ground.ends().processors, 2 * messages.total());
    let alone = cycles(ground, messages, "random", rule, scope)?;
    let (runs, until) = (alone.len() as u64, tried(hosts, &lambda)?);
    let late = alone.into_iter().filter(|cycles| *cycles > until).count() as u64;
    let [_, left] = interval(late, runs, &fraction(1, ALPHA));
    let expected = if lambda <= Rational::ONE {
        Rational::ONE
    } else {
        &Rational::from(2 * until) + &(&left * &most.into())
    };
    let found = cycles(ground, messages, name, rule, scope)?;
    let sample = Summary::of(found.into_iter().map(|cycles| (cycles.into(), 1)));
    let sample = sample.ok_or_else(|| defect("no runs"))?;
    let growth = sample.mean().to_f64() / figure_4(hosts, lambda.to_f64());
    let holds = sample.mean() <= expected && *sample.most() <= most.into() && growth <= GROWTH;
    let expected = expected.to_f64();
    let claimed = format!("<= {most} cycles; {expected:.1}, {GROWTH} times Figure 4 expected");
    let mean = sample.mean().to_f64();
    let text = format!("at most {}, mean {mean:.1} = {growth:.2} times Figure 4", sample.most());
    Ok(Finding::holds("", claimed, text, holds, Basis::sampled(runs, scope.seed)))
}

/// Expected cycles of small sets on a tree.
fn exact(hosts: usize, growth: &str, scope: &Scope) -> Result<Finding> {
    let (topology, tree) = trees::tree(hosts, growth, 1)?;
    let (mut longest, mut holds, mut one) = (Rational::ZERO, true, 0);
    for index in 0..SMALL {
        scope.progress.check()?;
        let set = messages::few(hosts, MOST, scope.seed, index);
        let small = Small::of(&tree, &set);
        let (cycles, lambda) = (small.expected()?, tree.load_factor(&set).value);
        let bound = if lambda <= Rational::ONE { 1 } else { 2 * tried(hosts, &lambda)? };
        holds &= cycles <= bound.min(2 * small.paths.len() as u64).into();
        one += u64::from(cycles == Rational::ONE);
        longest = longest.max(cycles);
    }
    let case = format!("{SMALL} sets of up to {MOST} messages on {}", topology.spec());
    let claimed = "expected cycles at most 2N, 1 where lambda <= 1";
    let found = format!("at most {:.3}, 1 for {one} sets", longest.to_f64());
    Ok(Finding::holds(case, claimed, found, holds, Basis::Grid { points: SMALL }))
}

/// A few messages, one by one, in the order in which they are sent alone.
struct Small {
    hosts: usize,
    /// The channels of every message, with the wires of each.
    paths: Vec<Vec<(Channel, u64)>>,
}

impl Small {
    fn of(tree: &ChannelTree, set: &[Demand]) -> Self {
        let mut set: Vec<&Demand> = set.iter().collect();
        set.sort_by_key(|demand| (demand.s, demand.d));
        let path = |demand: &Demand| -> Vec<(Channel, u64)> {
            let path = tree.path(demand.s, demand.d).into_iter();
            path.map(|channel| (channel, whole(tree.capacity(channel)))).collect()
        };
        let equal = |demand: &&Demand| vec![path(demand); as_size(whole(&demand.amount))];
        Self { hosts: tree.hosts(), paths: set.iter().flat_map(equal).collect() }
    }

    /// The expected number of cycles.
    fn expected(&self) -> Result<Rational> {
        let guesses = Guesses::new(self.hosts, &constants()).map_err(defect)?;
        let of_phase = |phase: Phase| std::iter::repeat_n(phase.probability, as_size(phase.cycles));
        // After a pair of cycles for each message none is left.
        let probabilities: Vec<Rational> =
            guesses.flat_map(of_phase).take(self.paths.len()).collect();
        let mut left = BTreeMap::from([((1_u32 << self.paths.len()) - 1, Rational::ONE)]);
        let mut cycles = Rational::ZERO;
        for p in probabilities {
            let mut next = BTreeMap::new();
            for (waiting, probability) in left {
                // The cycle of RANDOM, and that of the message alone if any waits after it.
                cycles += &probability;
                for (after, share) in self.after(waiting, &p) {
                    if after == 0 {
                        continue;
                    }
                    let share = &share * &probability;
                    cycles += &share;
                    let without_first = after & (after - 1);
                    *next.entry(without_first).or_insert(Rational::ZERO) += &share;
                }
            }
            next.remove(&0);
            left = next;
        }
        Ok(cycles)
    }

    /// The messages that wait after a cycle in which each of `waiting` is sent with probability p.
    fn after(&self, waiting: u32, p: &Rational) -> BTreeMap<u32, Rational> {
        let other = Rational::ONE.checked_sub(p).unwrap_or_default();
        let mut found = BTreeMap::new();
        // All subsets, the largest first.
        let mut sent = waiting;
        loop {
            let factor = |at: usize| if sent >> at & 1 == 1 { p } else { &other };
            let each = (0..self.paths.len()).filter(|at| waiting >> at & 1 == 1);
            let share = each.fold(Rational::ONE, |share, at| &share * factor(at));
            if !share.is_zero() {
                *found.entry(waiting & !self.delivered(sent)).or_insert(Rational::ZERO) += &share;
            }
            if sent == 0 {
                return found;
            }
            sent = (sent - 1) & waiting;
        }
    }

    /// Those of `sent` that pass no channel with more messages than wires.
    fn delivered(&self, sent: u32) -> u32 {
        let is_sent = |at: &usize| sent >> at & 1 == 1;
        let mut loads: BTreeMap<Channel, u64> = BTreeMap::new();
        for (channel, _) in (0..self.paths.len()).filter(is_sent).flat_map(|at| &self.paths[at]) {
            *loads.entry(*channel).or_default() += 1;
        }
        let is_free = |at: &usize| self.paths[*at].iter().all(|(c, wires)| loads[c] <= *wires);
        (0..self.paths.len()).filter(is_sent).filter(is_free).fold(0, |found, at| found | 1 << at)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    /// Two messages over one wire among four processors, r = 2: both are sent in vain, one alone, and then
    /// the other with probability 1/4, or alone.
    #[test]
    fn two_messages_by_hand() {
        let (_, tree) = trees::tree(4, "constant", 1).unwrap();
        let two = Small::of(&tree, &[messages::messages((0, 1), 2)]);
        assert_eq!(two.expected().unwrap(), "15/4".parse().unwrap());
        let apart = [messages::messages((0, 1), 1), messages::messages((2, 3), 1)];
        assert_eq!(Small::of(&tree, &apart).expected().unwrap(), Rational::ONE);
    }

    /// Three messages from each of two processors: the mean of 20,000 runs is the expectation.
    #[test]
    fn runs_have_the_expectation() {
        let (topology, tree) = trees::tree(4, "double2", 1).unwrap();
        let set = [
            messages::messages((0, 2), 3),
            messages::messages((1, 0), 2),
            messages::messages((3, 0), 1),
        ];
        let expected = Small::of(&tree, &set).expected().unwrap().to_f64();
        let (ground, messages) = (Ground::of(&topology).unwrap(), Messages::of(&set).unwrap());
        let random =
            algorithm::build("interleaved(k1=2,k2=4,r=2)", &ground.facts(&messages)).unwrap();
        let settings = Settings { loss: loss::find("all").unwrap(), seed: 1 };
        let runs = ground
            .deliver_often(&*random, &messages, settings, 20_000, &Progress::silent())
            .unwrap();
        let mean = runs.iter().map(|run| run.cycles).sum::<u64>() as f64 / 20_000.0;
        assert!((mean - expected).abs() < 0.05, "{mean} {expected}");
    }
}
