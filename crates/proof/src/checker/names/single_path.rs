//! Proof that no single-path routing of a tree is better: by counting, or by a refuted formula.

use std::path::{Path, PathBuf};

use crate::certificate::{Claim, LratRefutation, Quantity, Refutation, SinglePath};
use crate::progress::Progress;

use super::cover_formula::CoverFormula;
use super::network::Network;
use super::routes::Routes;
use super::tree::Tree;
use super::uses::Uses;
use super::{Accepted, BadTree, NestedStar, Refusal, Result, Star, proof};

/// A refutation that was accepted: only the checker creates one, and so trusts it.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Refuted {
    tree: Tree,
    quantity: Quantity,
    ratio: u32,
    refutation: Refutation,
    folder: PathBuf,
}

impl Refuted {
    /// The accepted claims.
    #[must_use]
    pub fn refutation(&self) -> &Refutation {
        &self.refutation
    }

    /// Whether it was this that was accepted.
    fn is(&self, claim: &RefutationClaim<'_>) -> bool {
        let RefutationClaim { tree, quantity, ratio, refutation, folder } = *claim;
        (&self.tree, self.quantity, self.ratio) == (tree, quantity, ratio)
            && (&self.refutation, self.folder.as_path()) == (refutation, folder)
    }
}

/// Verifies a bound on all single-path routings. Its upper side is that of the claim on this
/// routing, which is one of them. A refutation that is known is not checked again.
pub(in crate::checker) fn check(
    network: &Network,
    routes: &Routes<'_>,
    record: &SinglePath,
    claims: &[Claim],
) -> Result<Accepted> {
    let SinglePath { quantity, lower, refutation } = record;
    let name = SinglePath::name(*quantity);
    let claim = claims.iter().find(|claim| claim.quantity == *quantity);
    let claim = claim.filter(|_| *quantity != Quantity::HoseLoad);
    let claim = claim.ok_or(BadTree::SinglePathOfNothing(quantity.name()))?;
    if claim.upper < u64::from(*lower).into() {
        return Err(Refusal::EmptyClaim { quantity: name });
    }
    let named = network.named.as_ref().ok_or(BadTree::NoTree)?;
    let tree = &named.network.tree().ok_or(BadTree::NoTree)?;
    check_routing(network, tree, routes)?;
    let (quantity, ratio, folder) = (*quantity, lower.saturating_sub(1), &*named.folder);
    let better = RefutationClaim { tree, quantity, ratio, refutation, folder };
    if !named.known.as_ref().is_some_and(|known| known.is(&better)) {
        check_refutation(better, &network.progress())?;
    }
    Ok(Accepted {
        quantity: name.into(),
        lower: u64::from(*lower).into(),
        upper: claim.upper.clone(),
    })
}

/// Verifies that every pair has one path, over a nearest common ancestor.
fn check_routing(network: &Network, tree: &Tree, routes: &Routes<'_>) -> Result<()> {
    let mut uses = Uses::default();
    for s in network.host_numbers() {
        network.go_on()?;
        for d in network.host_numbers().filter(|d| *d != s) {
            routes.uses(network, (s, d), &mut uses)?;
            if uses.whole.len() != 2 * tree.nca_level(s, d) || !uses.parts.is_empty() {
                return Err(BadTree::NotSinglePath { s, d }.into());
            }
        }
    }
    Ok(())
}

/// X: the most hosts that covers of a link have together where the ratio, or the permutation load,
/// is at most `ratio`; counts take them for hosts wherever they are.
///
/// For the permutation load a host weighs 1. For the oblivious ratio a subtree of height k, a host
/// being one of height 0, weighs w1⋯w_{k+1}. O(h).
///
/// On `xgft(3;4,4,4;1,2,4)` a ratio of 3 allows 5 hosts: two links up cover the four hosts below them,
/// and a third covers one host more. A permutation load of 3 allows 3.
#[must_use]
pub fn most_covered_hosts(tree: &Tree, quantity: Quantity, ratio: u32) -> u32 {
    if quantity == Quantity::PermutationLoad {
        return ratio;
    }
    // The most hosts for the weight of one subtree of each height: itself, or smaller ones, as each
    // weight divides the next.
    let mut best: Vec<(u32, u32)> = Vec::with_capacity(tree.height());
    for height in 0..tree.height() {
        let smaller =
            best.last().map_or(0, |below| below.1.saturating_mul(tree.parents(height + 1)));
        best.push((tree.shortest_paths(height + 1), smaller.max(tree.subtree_hosts(height))));
    }
    let (mut rest, mut most) = (ratio, 0_u32);
    for (weight, hosts) in best.into_iter().rev() {
        most = most.saturating_add((rest / weight).saturating_mul(hosts));
        rest %= weight;
    }
    most
}

/// That covers of single hosts alone prove the ratio.
fn check_hosts_alone(tree: &Tree, quantity: Quantity, ratio: u32) -> Result<()> {
    if quantity == Quantity::PermutationLoad || tree.full_bisection() {
        return Ok(());
    }
    let links_up = |height: usize| tree.shortest_paths(height + 1);
    let other = (1..tree.height()).find(|height| links_up(*height) <= ratio);
    other.map_or(Ok(()), |height| Err(BadTree::CoveredBySubtrees { height, ratio }.into()))
}

/// The claim that no single-path routing of a tree whose paths lead up, then down, has the quantity
/// at most `ratio`, and what refutes such a routing.
#[derive(Clone, Copy, Debug)]
pub struct RefutationClaim<'a> {
    /// The tree.
    pub tree: &'a Tree,
    /// The quantity that the routing would have.
    pub quantity: Quantity,
    /// At most this much of it.
    pub ratio: u32,
    /// Why it cannot.
    pub refutation: &'a Refutation,
    /// Where the files are that the refutation names.
    pub folder: &'a Path,
}

/// Verifies that the claim is true, counting or following a proof only as long as `progress`
/// allows.
///
/// # Errors
/// [`Refusal`], the first reason found not to trust it; [`Refusal::Stopped`] says nothing about it.
pub fn check_refutation(
    claim: RefutationClaim<'_>,
    progress: &Progress,
) -> Result<Refuted, Refusal> {
    let RefutationClaim { tree, quantity, ratio, refutation, folder } = claim;
    let most = most_covered_hosts(tree, quantity, ratio);
    match refutation {
        // A link without a cover carries no pair, but some link must.
        Refutation::Trivial if most == 0 => {}
        Refutation::Trivial => return Err(BadTree::NotTrivial.into()),
        _ if most == 0 => return Err(BadTree::IsTrivial.into()),
        Refutation::Lrat(refuted) => {
            check_hosts_alone(tree, quantity, ratio)?;
            check_proof(tree, ratio / cover_weight(tree, quantity), refuted, folder, progress)?;
        }
        Refutation::Count { height } => check_count(tree, most, *height)?,
        Refutation::Nested { low, high } => check_nested(tree, most, [*low, *high], progress)?,
    }
    let (tree, refutation, folder) = (tree.clone(), refutation.clone(), folder.to_path_buf());
    Ok(Refuted { tree, quantity, ratio, refutation, folder })
}

/// Weight of a host in a cover.
fn cover_weight(tree: &Tree, quantity: Quantity) -> u32 {
    if quantity == Quantity::PermutationLoad { 1 } else { tree.parents(1) }
}

/// Verifies that the ports of the subtrees of this height cannot carry all pairs between these,
/// with covers of `most` hosts.
fn check_count(tree: &Tree, most: u32, height: usize) -> Result<()> {
    let (star, ports) = (star(tree, height)?, tree.shortest_paths(height + 1));
    if star.is_too_small(ports.into(), most, 1)? {
        return Ok(());
    }
    Err(too_high(ports, star.most_pairs(most)?.into(), star.pairs()))
}

/// Like [`check_count`], for pairs between the larger of two kinds of subtrees.
fn check_nested(
    tree: &Tree,
    most: u32,
    [low, high]: [usize; 2],
    progress: &Progress,
) -> Result<()> {
    let (inner, outer) = (star(tree, low)?, star(tree, high)?);
    if low >= high {
        return Err(BadTree::BadHeight(low).into());
    }
    let joined = outer.hosts / inner.hosts;
    let seen = outer.hosts.min(joined.saturating_mul(most));
    let above = Star { hosts: seen, ..outer }.most_pairs(most)?;
    let ports = tree.shortest_paths(low + 1);
    let larger = u128::from(tree.shortest_paths(high + 1) / ports) * u128::from(above);
    let wanted = outer.pairs();
    let enough = wanted.saturating_sub(1) / u128::from(ports);
    let nested = NestedStar { hosts: inner.hosts, joined, groups: outer.subtrees };
    let carried = nested.most_pairs(most, larger, enough, progress)?;
    if u128::from(ports).saturating_mul(carried) < wanted {
        return Ok(());
    }
    Err(too_high(ports, carried, wanted))
}

/// That a given number of ports may carry all pairs.
fn too_high(ports: u32, carried: u128, wanted: u128) -> Refusal {
    let shown = |count: u128| count.try_into().unwrap_or(u64::MAX);
    let carried = u128::from(ports).saturating_mul(carried);
    BadTree::CountTooHigh { carried: shown(carried), wanted: shown(wanted) }.into()
}

/// The star of a port, for subtrees of this height.
fn star(tree: &Tree, height: usize) -> Result<Star> {
    if height == 0 || height >= tree.height() {
        return Err(BadTree::BadHeight(height).into());
    }
    let hosts = tree.subtree_hosts(height);
    Ok(Star { hosts, subtrees: tree.subtree_hosts(tree.height()) / hosts })
}

/// Verifies that the formula file holds the cover encoding, and verifies the refutation.
fn check_proof(
    tree: &Tree,
    most: u32,
    refuted: &LratRefutation,
    folder: &Path,
    progress: &Progress,
) -> Result<()> {
    let LratRefutation { kept, first_step, ordered, formula, proof } = refuted;
    let fits = |(at, kept): (usize, &u32)| (1..=tree.children(at + 1)).contains(kept);
    let is_part = kept.len() == tree.height() && kept.iter().enumerate().all(fits);
    if !is_part || !(1..=tree.height()).contains(first_step) {
        return Err(BadTree::NoPart.into());
    }
    let encoding = CoverFormula {
        children: kept.clone(),
        parents: (1..=tree.height()).map(|level| tree.parents(level)).collect(),
        most,
        first_step: *first_step,
        ordered: *ordered,
    };
    proof::check(&encoding, [formula, proof], folder, progress)
}
