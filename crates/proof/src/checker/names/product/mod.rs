//! Product forms: the pairs of a link are products of sets of digits, so what cuts let through
//! follows from numbers of digits, for trees of any size.
//!
//! The sources of a link up of step l are in the subtree T of height l − 1 below it and have, at
//! each digit below l, one of those that its ports leave; the destinations are outside T, with
//! digits of the same kind. A link down is the same with both ends exchanged, so the end in T is
//! called *near* here and the other *far*. Nothing is shared with the analysis: it follows flows
//! height by height, while here every cut is tried.

mod port_ends;
mod witness;

use crate::certificate::{Claim, NetworkForm, ProductCertificate, ProductWitness};
use crate::certificate::{Quantity, RoutingForm};
use crate::progress::Progress;
use crate::rational::Rational;

use super::named::{Decides, Generators, NamedShape};
use super::{Accepted, BadTree, Levels, Result, check_claims};
use port_ends::PortEnds;

pub(super) fn check(
    certificate: &ProductCertificate,
    generators: &dyn Generators,
    progress: &Progress,
) -> Result<Vec<Accepted>> {
    let ProductCertificate { network, routing, claims, witnesses } = certificate;
    check_claims(claims)?;
    let (NetworkForm::Named(network), RoutingForm::Named(routing)) = (network, routing) else {
        return Err(BadTree::NoProductForm.into());
    };
    let tree = DigitTree::open((network, routing), generators)?;
    let ends = PortEnds::open(&tree, progress)?;
    let of_other = witnesses.iter().find(|w| claims.iter().all(|c| c.quantity != w.quantity));
    if let Some(witness) = of_other {
        return Err(BadTree::BusiestOfNothing(witness.quantity.name()).into());
    }
    for claim in claims {
        progress.check()?;
        witness::check(&tree, claim, witness_of(witnesses, claim)?)?;
        check_upper(&tree, &ends, claim)?;
    }
    Ok(claims.iter().map(Accepted::claim).collect())
}

fn witness_of<'w>(witnesses: &'w [ProductWitness], claim: &Claim) -> Result<&'w ProductWitness> {
    let mut own = witnesses.iter().filter(|witness| witness.quantity == claim.quantity);
    match (own.next(), own.next()) {
        (Some(witness), None) if claim.quantity != Quantity::HoseLoad => Ok(witness),
        _ => Err(BadTree::BusiestOfNothing(claim.quantity.name()).into()),
    }
}

/// The numbers of a tree, and what decides its up-digits.
struct DigitTree {
    shape: NamedShape,
    /// For every step, the maximum number of digits that lead to the same port.
    most: Vec<u128>,
}

/// How many digits the pairs of a link may have, at every level from 1 at index 0; at least up to
/// the step of the link.
struct Allowed {
    near: Vec<u128>,
    far: Vec<u128>,
}

impl DigitTree {
    /// Opens a named tree and routing, and verifies that ports are those of the tree and that every
    /// digit decides one port, above it.
    fn open(names: (&str, &str), generators: &dyn Generators) -> Result<Self> {
        let shape = NamedShape::open(names, generators)?;
        let NamedShape { levels: Levels { children, parents }, decides } = &shape;
        let mut seen = Vec::new();
        let mut is_sound = decides.len() == children.len() && parents.len() == children.len();
        for (below, (decides, ways)) in decides.iter().zip(parents).enumerate() {
            let fits = |ports: &[u32], count: usize| {
                ports.len() == count && ports.iter().all(|port| port < ways)
            };
            is_sound &= match decides {
                Decides::Nothing | Decides::Everything => true,
                Decides::One { source, digit, ports } => {
                    let is_new = !seen.contains(&(source, digit));
                    seen.push((source, digit));
                    let is_below = (1..=below).contains(digit);
                    is_new && is_below && fits(ports, children[digit - 1] as usize)
                }
                Decides::Both(ports) => {
                    let count = (children[0] as usize).checked_mul(children[0] as usize);
                    let two_steps = below == 1 && children.len() == 2 && parents[0] == 1;
                    two_steps && count.is_some_and(|count| fits(ports, count))
                }
            };
        }
        let most = |decides: &Decides| match decides {
            Decides::One { ports, .. } => most_to_a_port(ports),
            _ => 0,
        };
        let most = decides.iter().map(most).collect();
        if is_sound { Ok(Self { shape, most }) } else { Err(BadTree::NoProductForm.into()) }
    }

    fn height(&self) -> usize {
        self.shape.levels.children.len()
    }

    /// m_level.
    fn children(&self, level: usize) -> u128 {
        self.shape.levels.children[level - 1].into()
    }

    /// w_step.
    fn parents(&self, step: usize) -> u32 {
        self.shape.levels.parents[step - 1]
    }

    /// What can leave, or enter, a subtree; `None` where nothing limits it. At most the number of
    /// links of a step, as is this times the number of such subtrees.
    fn capacity(&self, quantity: Quantity, height: usize) -> Option<u128> {
        match (quantity, height) {
            (Quantity::ObliviousRatio, _) => {
                Some(self.shape.levels.parents[..=height].iter().map(|w| u128::from(*w)).product())
            }
            (_, 0) => Some(1),
            _ => None,
        }
    }

    /// The share of its pairs on a link.
    fn share(&self, step: usize) -> Rational {
        let even = |(decides, w): (&Decides, &u32)| match decides {
            Decides::Everything => Rational::new(1, (*w).into()).expect("every w is at least 1"),
            _ => Rational::ONE,
        };
        let steps = self.shape.decides.iter().zip(&self.shape.levels.parents).take(step).map(even);
        steps.fold(Rational::ONE, |share, even| &share * &even)
    }

    /// The ports that a digit of a host decides, with their step, where that is at most `step`.
    fn decided(&self, source: bool, digit: usize, step: usize) -> Option<(usize, &[u32])> {
        let steps = (1..).zip(&self.shape.decides).take(step);
        steps.into_iter().find_map(|(at, decides)| match decides {
            Decides::One { source: of_source, digit: own, ports }
                if (*of_source, *own) == (source, digit) =>
            {
                Some((at, &ports[..]))
            }
            _ => None,
        })
    }

    /// The digits of the pairs of a link, where `count` says how many digits lead to its port at a
    /// step.
    fn allowed(&self, (up, step): (bool, usize), count: impl Fn(usize, &[u32]) -> u128) -> Allowed {
        let of = |source: bool, digit: usize| match self.decided(source, digit, step) {
            Some((at, ports)) => count(at, ports),
            None => self.children(digit),
        };
        let all = |source| (1..=self.height()).map(|digit| of(source, digit)).collect();
        Allowed { near: all(up), far: all(!up) }
    }

    /// The least that a cut around near hosts lets through: one subtree of height step − 1, or
    /// those of a smaller height that have hosts of the link.
    fn most_near(&self, quantity: Quantity, step: usize, allowed: &Allowed) -> u128 {
        self.most_of_subtree(quantity, &allowed.near[..step - 1]).unwrap_or(u128::MAX)
    }

    /// The least that cuts of one height let through into, or out of, the hosts of a subtree with
    /// a given number of digits at every level.
    fn most_of_subtree(&self, quantity: Quantity, digits: &[u128]) -> Option<u128> {
        let cut = |height: usize| {
            let subtrees: u128 = digits[height..].iter().product();
            Some(self.capacity(quantity, height)? * subtrees)
        };
        (0..=digits.len()).filter_map(cut).min()
    }

    /// The least that cuts let through on the far side: the ancestor of T at some height, and the
    /// subtrees beside T and its ancestors below that.
    fn most_far(&self, quantity: Quantity, step: usize, allowed: &Allowed) -> u128 {
        let beside = |level: usize| {
            let one = self.most_of_subtree(quantity, &allowed.far[..level - 1]);
            one.map_or(u128::MAX, |one| one * (self.children(level) - 1))
        };
        let cut = |top: usize| {
            let below: u128 = (step..top).map(beside).sum();
            let above =
                if top > self.height() { Some(0) } else { self.capacity(quantity, top - 1) };
            above.map(|above| above + below)
        };
        (step..=self.height() + 1).filter_map(cut).min().unwrap_or(u128::MAX)
    }
}

/// The maximum number of digits that lead to the same port.
fn most_to_a_port(ports: &[u32]) -> u128 {
    let mut sorted = ports.to_vec();
    sorted.sort_unstable();
    sorted.chunk_by(|a, b| a == b).map(|same| same.len() as u128).max().unwrap_or(0)
}

/// Verifies that cuts bound the load of every link. The ports of a link decide near and far digits
/// independently, so the link with the most of both is the worst.
fn check_upper(tree: &DigitTree, ends: &PortEnds, claim: &Claim) -> Result<()> {
    for step in 1..=tree.height() {
        for up in [true, false] {
            let most = if matches!(tree.shape.decides[step - 1], Decides::Both(_)) {
                ends.most(tree, claim.quantity, up)
            } else {
                let allowed = tree.allowed((up, step), |at, _| tree.most[at - 1]);
                let near = tree.most_near(claim.quantity, step, &allowed);
                near.min(tree.most_far(claim.quantity, step, &allowed))
            };
            let most = u64::try_from(most).expect("a cut has fewer than 2^63 links");
            let load = &Rational::from(most) * &tree.share(step);
            if load > claim.upper {
                let quantity = claim.quantity.name();
                let step = u8::try_from(step).expect("a tree has at most 16 steps");
                return Err(BadTree::StepTooHeavy { quantity, up, step, load }.into());
            }
        }
    }
    Ok(())
}
