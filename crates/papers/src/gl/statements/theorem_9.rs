//! \[GL\] Theorem 9: the bad message sets of its proof, made against each of the deterministic admissible
//! rules that are registered, and sent.
//!
//! Every copy of M_n in the whole tree has to have the three properties of the claim, and every step of
//! the induction is looked at: the four subtrees' root channels are full until cycle t, and the subtree
//! with the copy provides at most m/4 messages by then.
//!
//! M_n has λ√n messages for the √n wires of the root channel, so that no algorithm needs fewer than λ
//! cycles. The printed λ·lg n/24 is more than that only from n > 2^24 on: below, this number cannot fail,
//! whatever GREEDY does, and what can are the properties and the steps. But the proof gives more than
//! it says: of the λ messages of M_1 at least 11λ/12 are left when λ/12 have been removed, so the
//! induction begins with 11λ/12 cycles, not 0, and with the first λ/12 cycles there are λ(1 + lg n/24).

use super::prelude::*;
use crate::adversary::delivery::{Choice, Construction, Properties, Proved, bound, cycles};
use crate::registry::Kind;
use crate::topology::NetworkBuilder;

pub(super) const KIND: Statement = Statement::new("gl-theorem-9", "[GL] 5, Theorem 9")
    .about("Under each of the deterministic admissible rules here (left, right, round-robin) the sets M_n \
            of the proof, of load factor lambda, have the three properties that it claims and its steps, \
            so that GREEDY requires lambda lg n / 24 delivery cycles on an n-processor standard fat-tree; \
            up to n = 2^24 the load factor alone requires as many, so that this number says nothing: see \
            gl-theorem-9-sharpened")
    .hypothesis("universal(n,root=open) for powers n of 4; the deterministic admissible loss rules that are registered; lambda = 12, 24, 48")
    .quote("Then there exist message sets with load factor λ on which GREEDY requires $\\Omega(\\lambda \\lg n)$ delivery cycles. ... At least an additional $\\frac{1}{24}\\lambda \\lg n$ delivery cycles are required to deliver all the remaining messages")
    .cases(|scope| check(scope, Choice::Unfavoured, Claim::Printed))
    // The copy goes to the subtree that the rule favours most.
    .planted(Planted::Check(|scope| check(scope, Choice::Favoured, Claim::Printed)));

pub(super) const SHARPENED: Statement = Statement::new(
    "gl-theorem-9-sharpened",
    "[GL] 5, proof of Theorem 9, sharpened",
)
    .about("GREEDY requires lambda (1 + lg n / 24) delivery cycles on M_n, since the proof may begin with \
            the 11 lambda / 12 messages that are left of M_1; the printed lambda lg n / 24 alone is no \
            more than the load factor up to n = 2^24")
    .hypothesis("universal(n,root=open) for powers n of 4; the deterministic admissible loss rules that are registered; lambda = 12, 24, 48")
    .sharpened()
    .quote("the root channel will remain congested throughout the removal of $\\frac{1}{12}\\lambda$ messages, which will certainly leave us with additional messages requiring additional delivery cycles.")
    .cases(|scope| check(scope, Choice::Unfavoured, Claim::Sharpened))
    // The copy goes to the subtree that the rule favours most.
    .planted(Planted::Check(|scope| check(scope, Choice::Favoured, Claim::Sharpened)));

/// Values of λ.
pub(super) const LAMBDAS: [u64; 3] = [12, 24, 48];

/// What is compared.
#[derive(Clone, Copy)]
enum Claim {
    Printed,
    Sharpened,
}

/// The deterministic admissible rules that are registered.
pub(super) fn rules() -> impl Iterator<Item = &'static Kind<Loss>> {
    LOSSES.iter().filter(|kind| kind.build.is_admissible && kind.build.is_deterministic)
}

/// Shapes of standard fat-trees of 4, 16, … up to `most` hosts with a root channel.
pub(super) fn shapes(most: usize) -> Result<Vec<UniversalShape>> {
    let named = |hosts: u64| trees::shape(&format!("universal({hosts},root=open)"));
    let sizes = (1..=11).map(|h| 1_u64 << (2 * h));
    sizes.take_while(|hosts| *hosts <= most as u64).map(named).collect()
}

fn check(scope: &Scope, choice: Choice, claim: Claim) -> Findings {
    let mut cases = Vec::new();
    for shape in shapes(scope.hosts.max(4))? {
        for rule in rules() {
            cases.extend(LAMBDAS.map(|lambda| (shape.clone(), rule, lambda)));
        }
    }
    let mut findings = vec![of_one_processor()?];
    let found = cases.into_par_iter().map(|(shape, rule, lambda)| {
        scope.progress.check()?;
        let construction = Construction { choice, ..Construction::of(lambda) };
        let proved = proved(&shape, rule, construction, scope.progress)?;
        scope.progress.inc(1);
        Ok(match claim {
            Claim::Printed => {
                vec![properties(&shape, rule.name, &proved), number(&shape, rule.name, &proved)]
            }
            Claim::Sharpened => vec![sharpened_number(&shape, rule.name, &proved)],
        })
    });
    findings.extend(found.collect::<Result<Vec<_>>>()?.into_iter().flatten());
    Ok(findings)
}

/// The set, made and sent.
pub(super) fn proved(
    shape: &UniversalShape,
    rule: &'static Kind<Loss>,
    construction: Construction,
    progress: &Progress,
) -> Result<Proved> {
    let quiet = progress.part(1.0);
    let bad = construction.make(shape, rule, &quiet)?;
    Ok(bad.prove(shape, Settings { loss: rule, seed: construction.seed }, &quiet)?)
}

fn case(shape: &UniversalShape, rule: &str, proved: &Proved) -> String {
    format!("{rule} on {}, lambda = {}", shape.spec(), proved.lambda)
}

/// 1/24.
fn factor() -> Rational {
    fraction(1, 24)
}

/// The three properties of every copy, and the steps.
fn properties(shape: &UniversalShape, rule: &str, proved: &Proved) -> Finding {
    let Proved { lambda, trees, .. } = proved;
    let factor = factor();
    let wrong = trees.iter().find_map(|tree| {
        let fails = [
            ("load factor", !tree.has_load_factor(*lambda)),
            ("full root channel", !tree.has_full_root()),
            ("additional cycles", !tree.has_additional(*lambda, &factor)),
            ("steps", !tree.has_step()),
        ];
        let (what, _) = fails.into_iter().find(|(_, fails)| *fails)?;
        Some(format!(
            "not the {what} of the {} hosts from {} on",
            tree.tree.hosts(),
            tree.tree.first
        ))
    });
    let claimed = format!("three properties and steps in {} trees", trees.len());
    let wrong = wrong.map(|wrong| format!("{wrong}; {}", ratio(proved)));
    Finding::unless(case(shape, rule, proved), claimed, ratio(proved), wrong, Basis::Exhaustive)
}

/// The printed number of cycles, which is not a claim where the load factor requires as many.
fn number(shape: &UniversalShape, rule: &str, proved: &Proved) -> Finding {
    let Properties { tree, load_factor, .. } = &proved.trees[0];
    let least = bound(proved.lambda, *tree, &factor());
    let name = format!("cycles, {}", case(shape, rule, proved));
    if least <= *load_factor {
        let why = format!("{least} are claimed, {load_factor} required by the load factor alone");
        return Finding::vacuous(name, why);
    }
    let (claimed, holds) = (format!("cycles >= {least}"), Rational::from(proved.cycles) >= least);
    Finding::holds(name, claimed, ratio(proved), holds, Basis::Exhaustive)
}

/// λ(1 + lg n/24) cycles.
fn sharpened_number(shape: &UniversalShape, rule: &str, proved: &Proved) -> Finding {
    let least = sharpened(proved.lambda, shape.height());
    let (claimed, holds) = (format!("cycles >= {least}"), Rational::from(proved.cycles) >= least);
    Finding::holds(case(shape, rule, proved), claimed, ratio(proved), holds, Basis::Exhaustive)
}

/// `20 cycles, 5/3 lambda`.
fn ratio(proved: &Proved) -> String {
    let part = fraction(proved.cycles, proved.lambda);
    format!("{} cycles, {part} lambda", proved.cycles)
}

/// λ(1 + lg n/24).
fn sharpened(lambda: u64, height: u32) -> Rational {
    let part = fraction(24 + u64::from(height), 24);
    &Rational::from(lambda) * &part
}

/// The base case, one leaf connected to a root channel of capacity 1: λ messages keep it full for λ cycles.
fn of_one_processor() -> Result<Finding> {
    let mut network = NetworkBuilder::new();
    let [leaf, outside] = ["leaf", "outside"].map(|name| network.host(name));
    network.cable(leaf, outside, Rational::ONE);
    let tree = ChannelTree::of(&network.build("one processor")?);
    let tree = tree.and_then(|tree| WireTree::of(&tree).ok());
    let tree = tree.ok_or_else(|| defect("one processor"))?;
    let mut found = Vec::new();
    for lambda in LAMBDAS {
        let messages = Messages::listed([(0, 1, lambda)])?;
        for rule in rules() {
            let settings = Settings { loss: rule, seed: 1 };
            found.push((lambda, cycles(&tree, &messages, settings, &Progress::silent())?));
        }
    }
    let holds = found.iter().all(|(lambda, cycles)| cycles == lambda);
    let text: Vec<String> = found.iter().map(|(_, cycles)| cycles.to_string()).collect();
    let (case, claimed) =
        ("one processor, every rule here, lambda = 12, 24, 48", "lambda cycles, full in each");
    Ok(Finding::holds(case, claimed, text.join(", "), holds, Basis::Exhaustive))
}

#[cfg(test)]
mod tests {
    use super::*;

    /// By hand for left on four hosts, λ = 12: hosts 0 and 1 fill the root channel until their four
    /// messages each are gone, then host 2 with its twelve has a wire of its own: 4 + 12 cycles. Every
    /// level adds λ/3.
    #[test]
    fn cycles_are_those_by_hand() {
        for (shape, more) in shapes(256).unwrap().into_iter().zip(1..) {
            for rule in rules() {
                let proved =
                    proved(&shape, rule, Construction::of(12), &Progress::silent()).unwrap();
                assert_eq!(proved.cycles, 12 + 4 * more, "{} {}", shape.spec(), rule.name);
            }
        }
    }

    #[test]
    fn base_and_bounds() {
        assert_eq!(sharpened(48, 0), Rational::from(48));
        assert_eq!(sharpened(12, 4), Rational::from(14));
        // The printed bound is λ at 2^24 hosts.
        let largest = crate::adversary::delivery::Quarter { first: 0, height: 12 };
        assert_eq!(bound(12, largest, &Rational::new(1, 24).unwrap()), Rational::from(12));
        assert_eq!(of_one_processor().unwrap().found, "12, 12, 12, 24, 24, 24, 48, 48, 48");
    }

    /// Below 2^24 processors the printed number says nothing, the sharper one does.
    #[test]
    fn the_load_factor_requires_the_printed_number() {
        for shape in shapes(64).unwrap() {
            let rule = rules().next().unwrap();
            let proved = proved(&shape, rule, Construction::of(48), &Progress::silent()).unwrap();
            let printed = number(&shape, rule.name, &proved);
            assert!(matches!(printed.outcome, Outcome::Vacuous(_)), "{printed:?}");
            assert!(sharpened(48, shape.height()) > Rational::from(48));
        }
        // Where it says something it can fail.
        let shape = &shapes(4).unwrap()[0];
        let rule = rules().next().unwrap();
        let construction = Construction::of(12);
        let mut less = proved(shape, rule, construction, &Progress::silent()).unwrap();
        (less.cycles, less.trees[0].load_factor) = (0, Rational::ZERO);
        assert!(number(shape, rule.name, &less).fails());
    }

    /// The two claims fail for different reasons where the favoured subtree gets the copy.
    #[test]
    fn the_choice_of_the_subtree_matters() {
        let shape = &shapes(16).unwrap()[1];
        let favoured = Construction { choice: Choice::Favoured, ..Construction::of(24) };
        for rule in rules() {
            let proved = proved(shape, rule, favoured, &Progress::silent()).unwrap();
            let printed = properties(shape, rule.name, &proved);
            assert!(printed.fails() && printed.found.starts_with("not the steps of the 16 hosts"));
            assert!(sharpened_number(shape, rule.name, &proved).fails());
        }
    }
}
