//! Routings by digits: every up-digit is one digit of the source or of the destination.
//!
//! D-mod-k, S-mod-k, OSRM3 and the like are of this kind: W_{l+1} = M_i(s) or M_i(d), modulo
//! w_{l+1}. Which digit each step takes is searched by descent: one step at a time takes another
//! digit as long as that makes the worst link, or the number of worst links, smaller.

use crate::assessment::AssessmentError;
use crate::progress::Progress;
use crate::ratio::Ratio;
use crate::routing::tree::UpDigits;
use crate::topology::{Host, Topology, Xgft};
use crate::worst_case::analyse;

use super::known::Candidate;
use super::{Options, SynthError, chosen};

/// Most SD pairs that are analysed in one descent, over all its routings.
const MAX_PAIRS: usize = 1 << 22;

/// The digit that an up-digit follows.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
struct Source {
    /// i of M_i.
    digit: usize,
    /// Of the source, not of the destination.
    of_source: bool,
}

/// The digit for each of W1..Wh.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(super) struct Digits(Vec<Source>);

impl UpDigits for Digits {
    fn up_digits(&self, tree: &Xgft, s: Host, d: Host, up: &mut [u32]) {
        for (step, (port, source)) in up.iter_mut().zip(&self.0).enumerate() {
            let host = if source.of_source { s } else { d };
            *port = tree.digit(host, source.digit) % tree.parents(step + 1);
        }
    }
}

/// How bad a routing is: the load of its worst link, and the number of such links.
type Cost = (Ratio, usize);

/// The best routing by digits that descents from D-mod-k, S-mod-k and their mixtures reach, if it is
/// below `bound`.
pub(super) fn best(
    topology: &Topology,
    tree: &Xgft,
    bound: &Ratio,
    options: &Options,
    progress: &Progress,
) -> Result<Option<Candidate>, SynthError> {
    let hosts = tree.hosts();
    let mut left = MAX_PAIRS / (hosts * hosts);
    let mut best: Option<(Cost, Digits)> = None;
    for start in 0..4 {
        let source = |step: usize| Source {
            digit: step.max(1),
            of_source: [false, true, step.is_multiple_of(2), !step.is_multiple_of(2)][start],
        };
        let mut at = Digits((0..tree.height()).map(source).collect());
        let Some(mut cost) = cost(topology, &at, options, progress)? else { break };
        while let Some(better) = step(topology, tree, (&at, &cost), options, &mut left, progress)? {
            (cost, at) = better;
        }
        if best.as_ref().is_none_or(|(least, _)| cost < *least) {
            best = Some((cost, at));
        }
    }
    let found = best.filter(|((ratio, _), _)| ratio < bound);
    let Some((_, digits)) = found else { return Ok(None) };
    let instance = chosen::instance(topology, tree, digits, options)?;
    Ok(Some(Candidate::new(instance, options.quantity, &Progress::silent())?))
}

/// How bad the routing by these digits is; `None` when the analysis was stopped: what it has seen
/// until then makes any routing look good.
fn cost(
    topology: &Topology,
    digits: &Digits,
    options: &Options,
    progress: &Progress,
) -> Result<Option<Cost>, SynthError> {
    let Some(tree) = topology.tree() else {
        return Err(SynthError::NoTree(topology.spec().to_string()));
    };
    let instance = chosen::instance(topology, tree, digits.clone(), options)?;
    let worst = analyse(&instance, options.quantity, progress).map_err(AssessmentError::from)?;
    let Some(upper) = worst.upper().filter(|_| worst.is_complete()) else { return Ok(None) };
    let at_worst = worst.links.iter().flatten().filter(|link| link.load == upper).count();
    Ok(Some((upper, at_worst)))
}

/// The best change of one digit, if it is an improvement.
fn step(
    topology: &Topology,
    tree: &Xgft,
    (at, cost_here): (&Digits, &Cost),
    options: &Options,
    left: &mut usize,
    progress: &Progress,
) -> Result<Option<(Cost, Digits)>, SynthError> {
    let mut best: Option<(Cost, Digits)> = None;
    for place in (0..tree.height()).filter(|place| tree.parents(place + 1) > 1) {
        for digit in 1..=tree.height() {
            for of_source in [false, true] {
                let source = Source { digit, of_source };
                if at.0[place] == source || *left == 0 || progress.cancelled() {
                    continue;
                }
                *left -= 1;
                let mut other = at.clone();
                other.0[place] = source;
                let Some(cost) = cost(topology, &other, options, progress)? else { continue };
                let least = best.as_ref().map_or(cost_here, |(cost, _)| cost);
                if cost < *least {
                    best = Some((cost, other));
                }
            }
        }
    }
    Ok(best)
}
