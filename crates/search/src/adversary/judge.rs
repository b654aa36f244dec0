//! The ratio that traffic proves, in exact rationals and independently of the loads by which it was found.

use super::AdversaryError;
use super::context::{AttackContext, Optu};
#[cfg(feature = "highs")]
use crate::bounds::RoutedTraffic;
use crate::bounds::Witness;
use crate::load::LinkLoads;
use crate::optimum::{baseload, even_load};
use crate::prelude::*;
use crate::traffic::{Demand, complete};
use crate::worst_case::carried;

/// Traffic with the lower bound on the oblivious ratio that it proves.
#[derive(Clone, Debug)]
#[non_exhaustive]
pub struct Verdict {
    /// Traffic, its most loaded link, and an upper bound on its optu.
    pub witness: Witness,
    /// The load of that link.
    pub load: Rational,
    /// load ÷ optu, at most the oblivious ratio.
    pub lower: Rational,
}

/// Maximum demands × links for which a linear program is tried to lower the bound on optu.
#[cfg(feature = "highs")]
const MAX_PROGRAM: u128 = 1 << 18;

impl AttackContext<'_> {
    /// The ratio that `demands` prove; `None` when there are none, or all of them are 0. optu is bounded by
    /// the even split over all shortest paths, which is exact on trees, or by the routing under
    /// attack if that is better.
    ///
    /// # Errors
    /// [`AdversaryError::Stopped`] when `progress` is cancelled.
    pub fn judge(
        &self,
        demands: Vec<Demand>,
        progress: &Progress,
    ) -> Result<Option<Verdict>, AdversaryError> {
        judge(self.instance, demands, None, progress)
    }

    /// Like [`Self::judge`], for many candidates of which only the best is then judged in full. Shortcut: if
    /// no permutation loads a link beyond 1 under the even split, and every host has one unit of
    /// capacity out and in, the max load of the even split of any traffic is its baseload, as
    /// traffic of baseload 1 is a mixture of permutations (Birkhoff).
    pub(super) fn estimate(
        &self,
        demands: Vec<Demand>,
        progress: &Progress,
    ) -> Result<Option<Verdict>, AdversaryError> {
        let topology = self.topology();
        let one =
            |host| [true, false].map(|out| topology.host_capacity(host, out) == Rational::ONE);
        let known = topology.tree().is_none()
            && matches!(&self.optu, Optu::Constant(most) if *most == Rational::ONE)
            && (0..host_number(self.hosts())).all(|host| one(host) == [true; 2]);
        let optu = known.then(|| baseload(topology, &demands));
        judge(self.instance, demands, optu, progress)
    }

    /// The ratio that traffic of 1 unit per pair proves; for a permutation, that of the better of itself and its
    /// completion proves. `progress` only ends the attempt to lower the bound on optu.
    pub(super) fn judge_pairs(
        &self,
        pairs: &[(Host, Host)],
        progress: &Progress,
    ) -> Result<Option<Verdict>, AdversaryError> {
        let bare = self.judge(units(pairs), &Progress::silent())?;
        let sources = pairs.iter().map(|(s, _)| s).all_unique();
        if !(sources && pairs.iter().map(|(_, d)| d).all_unique()) {
            return Ok(bare);
        }
        let full = units(&complete(self.hosts(), pairs));
        let full = self.judge(full, &Progress::silent())?;
        let full = full.filter(|full| bare.as_ref().is_some_and(|bare| full.lower >= bare.lower));
        Ok(full.or(bare).map(|verdict| self.refined(verdict, progress)))
    }

    /// The lower bound on optu from the hosts alone says whether the even split may be beaten; if
    /// so, a linear program is tried.
    #[cfg(feature = "highs")]
    fn refined(&self, verdict: Verdict, progress: &Progress) -> Verdict {
        let (topology, demands) = (self.topology(), &verdict.witness.demands);
        let work = demands.len() as u128 * topology.links() as u128;
        let is_exact =
            topology.tree().is_some() || baseload(topology, demands) == verdict.witness.optu;
        if is_exact || work > MAX_PROGRAM || progress.cancelled() {
            return verdict;
        }
        let found = crate::lp::optu(topology, demands, &crate::lp::Options::default(), progress);
        let Some(best) = found.ok().filter(|best| best.upper < verdict.witness.optu) else {
            return verdict;
        };
        let Some(lower) = verdict.load.checked_div(&best.upper) else { return verdict };
        let Verdict { witness, load, .. } = verdict;
        let witness =
            Witness { optu: best.upper, flow: RoutedTraffic::Paths(best.paths), ..witness };
        Verdict { witness, load, lower }
    }

    #[cfg(not(feature = "highs"))]
    #[expect(clippy::unused_self, reason = "the build with linear programs needs it")]
    fn refined(&self, verdict: Verdict, _: &Progress) -> Verdict {
        verdict
    }
}

/// See [`AttackContext::judge`]; `even` is the max load of the even split, if it is known.
pub(super) fn judge(
    instance: &Instance,
    demands: Vec<Demand>,
    even: Option<Rational>,
    progress: &Progress,
) -> Result<Option<Verdict>, AdversaryError> {
    let Instance { topology, routing, .. } = instance;
    if demands.is_empty() {
        return Ok(None);
    }
    let loads = LinkLoads::of(topology, &**routing, &demands, progress)?;
    let Some((link, load)) = loads.max() else { return Ok(None) };
    let even = match even {
        Some(even) => Some(even),
        None => even_load(topology, &demands, progress)?,
    };
    let (optu, flow) = carried(instance, &demands, even, load.clone());
    // Traffic that loads no link proves nothing.
    let Some(lower) = load.checked_div(&optu) else { return Ok(None) };
    let witness = Witness { link, demands, optu, flow };
    Ok(Some(Verdict { witness, load, lower }))
}

/// One unit per pair.
pub(super) fn units(pairs: &[(Host, Host)]) -> Vec<Demand> {
    pairs.iter().map(|(s, d)| Demand { s: *s, d: *d, amount: Rational::ONE }).collect()
}
