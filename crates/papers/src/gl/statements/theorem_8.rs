//! \[GL\] Theorem 8, by experiment, with the constants of its proof.
//!
//! "Within the number of delivery cycles specified by Figure 4" means after the first guess γ ≥ λ(M)
//! has been tried, N cycles by [`Guesses::cycles_for`]; [`super::figure_4`] bounds these. The proof says
//! how probable it is that messages are left: there are at most ⌈lg γ⌉ iterations of TRY-GUESS, in
//! each of which every one of 4n − 2 channels fails with probability at most 1/n³. With
//! k1 = 4r/q, q = 1/(e^4 r ln r) and k2 = 36r that takes r ≥ 8.307 ([`super::lemma_7`]), so r is the
//! congestion parameter or 8.31.
//!
//! For load factors above 1 the constants allow far more cycles than a run takes. How many more than the
//! longest run is the slack of a case, and part of the verdict.
//!
//! Runs with different seeds are independent. A case fails if the number of late runs would be seen with
//! a probability of less than 1/2000, were each late with the probability of the proof.

use dashu_int::UBig;

use super::prelude::*;
use crate::registry;
use crate::simulation::delivery::algorithm::{Algorithm, build};
use crate::simulation::delivery::{Bottleneck, Constants, Guesses, sets};

pub(super) const KIND: Statement = Statement::new("gl-theorem-8", "[GL] 4, Theorem 8")
    .about("RANDOM with k1 = 4r/q and k2 = 36r, r >= 8.31, delivers all messages by the time it has tried its \
            first guess g >= lambda(M), except with a probability of at most (4n - 2) ceil(lg g) / n^3")
    .hypothesis("universal fat-trees of 4 to 64 processors; random, local and hot messages and a permutation, of load factor 1, 2 and 4; all of a congested channel lost, and random losses; seeded runs")
    .quote("For any message set M on an n-processor fat-tree, the probability is at least 1 - O(1/n) that RANDOM will deliver all the messages of M within the number of delivery cycles specified by Figure 4.")
    .cases(|scope| check(scope, None))
    // Of the right order, but too few cycles, and too many messages in each.
    .planted(Planted::Check(|scope| check(scope, Some([1, 1, 1]))));

/// Trees, with the number of runs as a part of the trials.
const TREES: [(&str, u64); 5] = [
    ("universal(4)", 2),
    ("universal(16)", 2),
    ("universal(16,growth=constant)", 2),
    ("universal(16,growth=quadruple3)", 2),
    ("universal(64)", 10),
];

const SETS: [&str; 4] = ["messages", "local", "hot(percent=20)", "bitrev"];

const LOAD_FACTORS: [u64; 3] = [1, 2, 4];

/// Rules of loss: what the analysis presumes, and what an admissible switch does.
const RULES: [&str; 2] = ["all", "random"];

/// With the constants of the proof, or with given k1, k2 and r.
fn check(scope: &Scope, constants: Option<[u64; 3]>) -> Findings {
    let mut cases = Vec::new();
    for (tree, part) in TREES {
        let shape = trees::shape(tree)?;
        if shape.hosts() > scope.hosts.max(4) as u64 {
            continue;
        }
        let ground = Ground::universal(&shape);
        for (set, load_factor) in iproduct!(SETS, LOAD_FACTORS) {
            let (tree, ends) = (ground.tree(), ground.ends());
            let (messages, name) = sets::with_load_factor(set, tree, ends, &load_factor.into())?;
            let bottleneck = bottleneck(ground.tree(), &messages)?;
            let bottleneck = bottleneck.ok_or_else(|| defect(&name))?;
            let runs = scope.trials.div_ceil(part);
            // A permutation may be the nearest to several load factors.
            if cases.iter().any(|known: &Sent| known.is(&ground, &name)) {
                continue;
            }
            cases.push(Sent { ground: ground.clone(), messages, name, bottleneck, runs });
        }
    }
    let found = cases.par_iter().map(|sent| {
        let proof = Proof::of(&sent.ground, &sent.messages, constants)?;
        let found = RULES.map(|rule| sent.finding(&proof, rule, scope));
        scope.progress.inc(1);
        found.into_iter().collect::<Result<Vec<_>>>()
    });
    Ok(found.collect::<Result<Vec<_>>>()?.into_iter().flatten().collect())
}

/// A set of messages on a tree.
struct Sent {
    ground: Ground,
    messages: Messages,
    name: String,
    bottleneck: Bottleneck,
    runs: u64,
}

impl Sent {
    fn is(&self, ground: &Ground, name: &str) -> bool {
        self.ground.spec() == ground.spec() && self.name == name
    }

    fn finding(&self, proof: &Proof, rule: &str, scope: &Scope) -> Result<Finding> {
        let loss = registry::find(LOSSES, "loss rule", rule);
        let loss = loss.map_err(defect)?;
        let settings = Settings { loss, seed: scope.seed };
        let (algorithm, messages) = (&*proof.algorithm, &self.messages);
        let quiet = scope.progress.part(1.0);
        let found = self.ground.deliver_often(algorithm, messages, settings, self.runs, &quiet)?;
        scope.progress.check()?;
        let load_factor = &self.bottleneck.load_factor;
        let defect = || defect(&self.name);
        let in_time = proof.guesses.clone().cycles_for(load_factor).ok_or_else(defect)?;
        let late = found.iter().filter(|run| run.cycles > in_time).count() as u64;
        let [least, _] = interval(late, self.runs, &Rational::new(1, 2000).ok_or_else(defect)?);
        let most = proof.probability(load_factor, self.ground.ends().processors);
        let cycles = found.iter().map(|run| run.cycles).max().unwrap_or(0);
        let case = format!("{} on {}, losses {rule}", self.name, self.ground.spec());
        let claimed =
            format!("<= {in_time} cycles; later with probability at most {:.4}", most.to_f64());
        let text = format!("{late} of {} late, at most {cycles} cycles", self.runs);
        let basis = Basis::sampled(self.runs, scope.seed);
        let finding = Finding::holds(case, claimed, text, least <= most, basis);
        // What was seen comes no nearer.
        Ok(finding.loose_by(in_time.saturating_sub(cycles)))
    }
}

/// RANDOM, and the loops that it makes.
struct Proof {
    algorithm: Box<dyn Algorithm>,
    guesses: Guesses,
}

impl Proof {
    fn of(ground: &Ground, messages: &Messages, given: Option<[u64; 3]>) -> Result<Self> {
        let facts = ground.facts(messages);
        let constants = match given {
            Some(given) => {
                let [k1, k2, r] = given.map(Rational::from);
                Constants { k1, k2, r }
            }
            None => Constants::of_the_proof(in_hundredths(facts.congestion.as_ref())),
        };
        let Constants { k1, k2, r } = &constants;
        let [k1, k2, r] = [k1, k2, r].map(|number| number.to_decimal().unwrap_or_default());
        let algorithm = build(&format!("random(k1={k1},k2={k2},r={r})"), &facts);
        let guesses = Guesses::new(facts.processors, &constants);
        Ok(Self { algorithm: algorithm.map_err(defect)?, guesses: guesses.map_err(defect)? })
    }

    /// (4n − 2)·⌈lg γ⌉/n³ for the first guess γ ≥ λ, at most 1; 0 for λ ≤ 1.
    fn probability(&self, load_factor: &Rational, processors: usize) -> Rational {
        let guess = self.guesses.clone().tried().find(|(guess, _)| guess >= load_factor);
        let iterations = guess.filter(|_| *load_factor > Rational::ONE).map_or(0, |(guess, _)| {
            (0..63).find(|power| guess <= Rational::from(1_u64 << power)).unwrap_or(63)
        });
        let n = processors as u64;
        let most = Rational::new((4 * n - 2) * iterations, n * n * n).unwrap_or(Rational::ONE);
        most.min(Rational::ONE)
    }
}

/// r of a tree or 8.31, where the inequality of Lemma 7 holds, rounded up to hundredths.
fn in_hundredths(r: Option<&Rational>) -> Rational {
    let hundred = Rational::from(100);
    let units = r.map_or(UBig::ZERO, |r| (r * &hundred).floor() + UBig::ONE);
    let least = UBig::from(831_u32);
    Rational::from_big(units.max(least), 100_u8.into()).unwrap_or(Rational::ONE)
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::simulation::delivery::algorithm::Facts;

    /// n = 16, γ = 8: three iterations, 62 channels.
    #[test]
    fn probabilities_by_hand() {
        let constants = Constants { k1: 1.into(), k2: 1.into(), r: 4.into() };
        let facts = Facts { processors: 16, messages: 1, congestion: None };
        let proof = Proof {
            algorithm: build("random(k1=1,k2=1,r=4)", &facts).unwrap(),
            guesses: Guesses::new(16, &constants).unwrap(),
        };
        let of = |load_factor: u64| proof.probability(&load_factor.into(), 16);
        assert_eq!(of(1), Rational::ZERO);
        assert_eq!(of(2), Rational::new(62, 4096).unwrap());
        assert_eq!(of(3), Rational::new(3 * 62, 4096).unwrap());
        assert_eq!(in_hundredths(None), Rational::new(831, 100).unwrap());
        let r = Rational::from_decimal("9.123").unwrap();
        assert_eq!(in_hundredths(Some(&r)), Rational::new(913, 100).unwrap());
    }

    #[test]
    fn too_few_cycles_are_seen() {
        let progress = Progress::silent();
        let scope = Scope::new(4, &progress);
        let found = check(&scope, None).unwrap();
        assert!(found.iter().all(|finding| !finding.fails()), "{found:?}");
        // Above a load factor of 1 the constants allow hundreds of cycles.
        let slack = |finding: &Finding| match &finding.outcome {
            Outcome::Loose(slack) => slack.clone(),
            _ => Rational::ZERO,
        };
        assert!(found.iter().any(|finding| finding.outcome == Outcome::Holds), "{found:?}");
        assert!(found.iter().map(slack).max().unwrap() > Rational::from(100), "{found:?}");
        let found = check(&scope, Some([1, 1, 1])).unwrap();
        assert!(found.iter().any(Finding::fails));
    }
}
