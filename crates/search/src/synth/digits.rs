//! Routings by digits: every up-digit is one digit of the source or of the destination.
//!
//! D-mod-k, S-mod-k, OSRM3 and the like are of this kind: W_{l+1} = M_i(s) or M_i(d), modulo
//! w_{l+1}. Which digit each step takes is searched by descent: one step at a time takes another
//! digit as long as that reduces the load of the worst link, or the number of worst links. Where
//! covers of hosts decide, both are known by arithmetic ([`super::product`]); otherwise every
//! routing is analysed.

use crate::assessment::AssessmentError;
use crate::certificate::Quantity;
use crate::prelude::*;
use crate::routing::tree::UpDigits;
use crate::routing::{DigitRule, digit_rules};
use crate::worst_case::Analyse;

use super::product::{Source, worst_links};
use super::{Options, SynthError, chosen};

/// Maximum SD pairs analysed in one descent, over all its routings.
const MAX_PAIRS: usize = 1 << 22;

/// Maximum routings of one descent that need arithmetic alone.
const MAX_ROUTINGS: usize = 1 << 12;

/// The digit for each of W1..Wh.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(super) struct ByDigits(Vec<Source>);

impl UpDigits for ByDigits {
    fn up_digits(&self, tree: &Xgft, s: Host, d: Host, up: &mut [u32]) {
        for (step, (port, source)) in up.iter_mut().zip(&self.0).enumerate() {
            let host = if source.of_source { s } else { d };
            *port = tree.digit(host, source.digit) % tree.parents(step + 1);
        }
    }
}

impl ByDigits {
    /// The rule of a registered routing, where it is one by digits.
    fn named(spec: &str, tree: &Xgft) -> Option<Self> {
        let rules = digit_rules(spec, &tree.tree_shape()).ok()?;
        let source = |(rule, ways): (&DigitRule, u32)| {
            let is_residue = |ports: &[u32]| (0..).zip(ports).all(|(m, port)| m % ways == *port);
            match rule {
                // W1 is 0, like any digit modulo w1 = 1.
                DigitRule::Zero if ways == 1 => Some(Source { digit: 1, of_source: false }),
                DigitRule::Source { digit, ports } if is_residue(ports) => {
                    Some(Source { digit: *digit, of_source: true })
                }
                DigitRule::Destination { digit, ports } if is_residue(ports) => {
                    Some(Source { digit: *digit, of_source: false })
                }
                _ => None,
            }
        };
        let steps = rules.steps().iter().zip((1..).map(|step| tree.parents(step)));
        steps.map(source).collect::<Option<Vec<_>>>().map(Self)
    }

    /// The routing by these digits.
    pub(super) fn instance(
        self,
        topology: &Topology,
        tree: &Xgft,
        options: &Options,
    ) -> Result<Instance, SynthError> {
        chosen::instance(topology, tree, self, options)
    }
}

/// The worst load of a registered routing, where arithmetic gives it.
pub(super) fn value_of(
    spec: &str,
    topology: &Topology,
    tree: &Xgft,
    quantity: Quantity,
) -> Option<Rational> {
    let digits = ByDigits::named(spec, tree)?;
    by_arithmetic(topology, tree, &digits, quantity).map(|(ratio, _)| ratio)
}

/// Cost of a routing: the load of its worst link, and the number of such links.
type Cost = (Rational, usize);

/// Parameters that are constant over a descent.
struct DigitSearch<'s> {
    topology: &'s Topology,
    tree: &'s Xgft,
    options: &'s Options,
    progress: &'s Progress,
    /// Number of routings that may still be examined.
    left: usize,
}

/// The best routing by digits that descents from D-mod-k, S-mod-k and their mixtures reach, and its
/// worst load, as far as they get before `progress` ends; `None` when they examine none. The load
/// is exact, but not checked.
pub(super) fn best(
    topology: &Topology,
    tree: &Xgft,
    options: &Options,
    progress: &Progress,
) -> Result<Option<(Rational, ByDigits)>, SynthError> {
    let hosts = tree.hosts();
    let left = if decides(topology, tree, options.quantity) {
        MAX_ROUTINGS
    } else {
        MAX_PAIRS / (hosts * hosts)
    };
    let mut search = DigitSearch { topology, tree, options, progress, left };
    let mut best: Option<(Cost, ByDigits)> = None;
    for start in 0..4 {
        let source = |step: usize| Source {
            digit: step.max(1),
            of_source: [false, true, step.is_multiple_of(2), !step.is_multiple_of(2)][start],
        };
        let mut at = ByDigits((0..tree.height()).map(source).collect());
        let Some(mut cost) = search.cost(&at)? else { break };
        while let Some(better) = search.step(&at, &cost)? {
            (cost, at) = better;
        }
        if best.as_ref().is_none_or(|(least, _)| cost < *least) {
            best = Some((cost, at));
        }
    }
    Ok(best.map(|((ratio, _), digits)| (ratio, digits)))
}

/// Whether arithmetic on digits gives the worst load: covers consist of hosts, and all links have
/// capacity 1.
pub(super) fn decides(topology: &Topology, tree: &Xgft, quantity: Quantity) -> bool {
    let by_hosts = quantity == Quantity::PermutationLoad || tree.full_bisection();
    let mut links = topology.graph().edge_weights();
    by_hosts && tree.hosts() > 1 && links.all(|link| link.capacity == Rational::ONE)
}

/// How bad the routing by these digits is, where arithmetic tells.
fn by_arithmetic(
    topology: &Topology,
    tree: &Xgft,
    digits: &ByDigits,
    quantity: Quantity,
) -> Option<Cost> {
    if !decides(topology, tree, quantity) {
        return None;
    }
    let (pairs, links) = worst_links(tree, &digits.0);
    // What a host sends when optu is 1.
    let unit = if quantity == Quantity::PermutationLoad { 1 } else { tree.parents(1) };
    Some((Rational::from(pairs * u64::from(unit)), as_size(links)))
}

impl DigitSearch<'_> {
    /// How bad the routing by these digits is; `None` when the analysis was stopped: what it has
    /// seen so far makes any routing look good.
    fn cost(&self, digits: &ByDigits) -> Result<Option<Cost>, SynthError> {
        let Self { topology, tree, options, progress, .. } = self;
        if let Some(cost) = by_arithmetic(topology, tree, digits, options.quantity) {
            return Ok(Some(cost));
        }
        let instance = digits.clone().instance(topology, tree, options)?;
        let worst = Analyse::of(options.quantity).progress(progress).run(&instance);
        let worst = worst.map_err(AssessmentError::from)?;
        let Some(upper) = worst.upper().filter(|_| worst.is_complete()) else { return Ok(None) };
        let at_worst = worst.links.iter().flatten().filter(|link| link.load == upper).count();
        Ok(Some((upper, at_worst)))
    }

    /// The best change of one digit, if it is an improvement.
    fn step(&mut self, at: &ByDigits, here: &Cost) -> Result<Option<(Cost, ByDigits)>, SynthError> {
        let height = self.tree.height();
        let mut best: Option<(Cost, ByDigits)> = None;
        for place in (0..height).filter(|place| self.tree.parents(place + 1) > 1) {
            for digit in 1..=height {
                for of_source in [false, true] {
                    let source = Source { digit, of_source };
                    if at.0[place] == source || self.left == 0 || self.progress.cancelled() {
                        continue;
                    }
                    self.left -= 1;
                    let mut other = at.clone();
                    other.0[place] = source;
                    let Some(cost) = self.cost(&other)? else { continue };
                    let least = best.as_ref().map_or(here, |(cost, _)| cost);
                    if cost < *least {
                        best = Some((cost, other));
                    }
                }
            }
        }
        Ok(best)
    }
}

#[cfg(test)]
mod tests;
