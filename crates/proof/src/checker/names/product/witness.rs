//! Traffic as amounts, spread evenly over pairs of the busiest link: no subtree sends or receives
//! more than it can.

use std::collections::BTreeMap;

use crate::certificate::{Claim, LabelledLink, ProductWitness, Quantity, Sent};
use crate::rational::Rational;

use super::super::{BadTree, Result, sum};
use super::{Allowed, Decides, DigitTree};

/// Verifies the lower side of a claim.
pub(super) fn check(tree: &DigitTree, claim: &Claim, witness: &ProductWitness) -> Result<()> {
    let ProductWitness { link, sent, .. } = witness;
    let quantity = claim.quantity.name();
    if !exists(tree, link) {
        return Err(BadTree::NoLabelledLink(quantity).into());
    }
    let total = sum::total(sent.iter().map(|sent| &sent.amount))?;
    match &tree.shape.decides[link.step() - 1] {
        Decides::Both(ports) => check_digits(tree, claim.quantity, witness, ports)?,
        _ => check_levels(tree, claim.quantity, witness)?,
    }
    // Above the link: T itself and its ancestors.
    for level in link.step()..=tree.height() {
        let higher = sent.iter().filter(|sent| sent.level >= level).map(|sent| &sent.amount);
        within(tree, claim.quantity, &sum::total(higher)?, (level - 1, 1))?;
    }
    let load = &total * &tree.share(link.step());
    if load < claim.lower {
        return Err(BadTree::SentTooLittle { quantity, load }.into());
    }
    Ok(())
}

fn exists(tree: &DigitTree, link: &LabelledLink) -> bool {
    let LabelledLink { ports, digits, .. } = link;
    let (step, height) = (link.step(), tree.height());
    let is_step = (1..=height).contains(&step) && digits.len() == height + 1 - step;
    is_step
        && (1..).zip(ports).all(|(at, port)| *port < tree.parents(at))
        && (step..).zip(digits).all(|(at, digit)| u128::from(*digit) < tree.children(at))
}

/// Verifies that a given number of subtrees of a height can send, or receive, an amount.
fn within(
    tree: &DigitTree,
    quantity: Quantity,
    amount: &Rational,
    (height, subtrees): (usize, u128),
) -> Result<()> {
    let Some(capacity) = tree.capacity(quantity, height) else { return Ok(()) };
    let most = capacity.checked_mul(subtrees).and_then(|most| u64::try_from(most).ok());
    let most = most.expect("the subtrees of a height have fewer than 2^63 links");
    if *amount > Rational::from(most) {
        return Err(BadTree::SentTooMuch { quantity: quantity.name(), height }.into());
    }
    Ok(())
}

/// Where digits decide one by one: the amounts of every level.
fn check_levels(tree: &DigitTree, quantity: Quantity, witness: &ProductWitness) -> Result<()> {
    let ProductWitness { link, sent, .. } = witness;
    let step = link.step();
    let Allowed { near, far } = tree.allowed((link.up, step), |at, ports| {
        ports.iter().filter(|port| **port == link.ports[at - 1]).count() as u128
    });
    let closed =
        |(decides, port): (&Decides, &u32)| matches!(decides, Decides::Nothing if *port > 0);
    let is_closed = tree.shape.decides.iter().zip(&link.ports).any(closed);
    let mut levels: BTreeMap<usize, Rational> = BTreeMap::new();
    for Sent { level, amount, digits } in sent {
        let has_pairs = (step..=tree.height()).contains(level)
            && tree.children(*level) > 1
            && near[..step - 1].iter().chain(&far[..level - 1]).all(|digits| *digits > 0);
        if is_closed || !has_pairs || digits.is_some() {
            return Err(BadTree::SentByNobody(*level).into());
        }
        sum::add(levels.entry(*level).or_default(), amount)?;
    }
    let total = sum::total(levels.values())?;
    for height in 0..step {
        within(tree, quantity, &total, (height, near[height..step - 1].iter().product()))?;
    }
    for (level, amount) in &levels {
        let beside = tree.children(*level) - 1;
        for height in 0..*level {
            let inside: u128 = far[height..level - 1].iter().product();
            within(tree, quantity, amount, (height, inside * beside))?;
        }
    }
    Ok(())
}

/// Where both first digits decide: the amounts of every pair of digits.
fn check_digits(
    tree: &DigitTree,
    quantity: Quantity,
    witness: &ProductWitness,
    ports: &[u32],
) -> Result<()> {
    let ProductWitness { link, sent, .. } = witness;
    let (mut near, mut far) = (BTreeMap::new(), BTreeMap::new());
    let leaves = tree.children(2) - 1;
    for Sent { level, amount, digits } in sent {
        let digits = digits.filter(|(s, d)| {
            let digits = tree.shape.levels.children[0];
            let exist = (*s).max(*d) < digits;
            exist && ports[*s as usize * digits as usize + *d as usize] == link.ports[1]
        });
        let pair = digits.filter(|_| *level == 2 && leaves > 0 && link.ports[0] == 0);
        let (s, d) = pair.ok_or(BadTree::SentByNobody(*level))?;
        let (inner, outer) = if link.up { (s, d) } else { (d, s) };
        sum::add(near.entry(inner).or_default(), amount)?;
        sum::add(far.entry(outer).or_default(), amount)?;
    }
    near.values().try_for_each(|amount| within(tree, quantity, amount, (0, 1)))?;
    far.values().try_for_each(|amount| within(tree, quantity, amount, (0, leaves)))
}
