//! What traffic proves, in exact rationals and apart from the kernel that found it.

use itertools::Itertools;

use super::AdversaryError;
use super::arena::Arena;
use crate::bounds::{Flow, Witness};
use crate::load::LinkLoads;
#[cfg(feature = "highs")]
use crate::optimum::baseload;
use crate::optimum::{EvenSplit, optimal_cut};
use crate::progress::Progress;
use crate::ratio::Ratio;
use crate::topology::{Host, LinkId};
use crate::traffic::{Demand, PathRecord, complete};

/// Traffic with the lower bound on the oblivious ratio that it proves.
#[derive(Clone, Debug)]
pub struct Verdict {
    /// Traffic, its fullest link, and a bound on its optu.
    pub witness: Witness,
    /// The load of that link.
    pub load: Ratio,
    /// load ÷ optu: no larger than the oblivious ratio.
    pub lower: Ratio,
}

/// Most demands × links of a network without labels for which the even split is computed.
const MOST_WORK: u128 = 1 << 27;

/// Most demands × links for which a linear programme is tried to lower the bound on optu.
#[cfg(feature = "highs")]
const MOST_PROGRAMME: u128 = 1 << 18;

impl Arena<'_> {
    /// What `demands` prove; `None` when there are none. optu is bounded by the even split over
    /// all shortest paths, which is exact on trees, or by the routing under attack where that is
    /// better.
    ///
    /// # Errors
    /// [`AdversaryError::TooLarge`] on networks without labels when there are too many demands.
    pub fn judge(&self, demands: &[Demand]) -> Result<Option<Verdict>, AdversaryError> {
        let topology = self.topology();
        if demands.is_empty() {
            return Ok(None);
        }
        if topology.tree().is_none() {
            let work = demands.len() as u128 * topology.links() as u128;
            let remedy = "use traffic of fewer pairs";
            crate::limit::within("demands × links", Some(work), MOST_WORK as u64, remedy)?;
        }
        let silent = Progress::silent();
        let loads = LinkLoads::of(topology, self.routing(), demands, &silent)?;
        let (link, load) = loads.max();
        let even = match optimal_cut(topology, demands) {
            Some(cut) => Some(cut.load),
            None => EvenSplit::route(topology, demands).map(|split| split.max_load()),
        };
        let (optu, flow) = match even {
            Some(even) if even <= load => (even, Flow::Even),
            _ => (load.clone(), Flow::Paths(self.own_paths(demands))),
        };
        let lower = load.checked_div(&optu).unwrap_or(Ratio::ONE);
        let witness = Witness { link, demands: demands.to_vec(), optu, flow };
        Ok(Some(Verdict { witness, load, lower }))
    }

    /// What traffic of 1 unit a pair proves; of a permutation, what the better of itself and its
    /// completion does.
    pub(super) fn judge_pairs(
        &self,
        pairs: &[(Host, Host)],
    ) -> Result<Option<Verdict>, AdversaryError> {
        let unit = |pairs: &[(Host, Host)]| -> Vec<Demand> {
            pairs.iter().map(|(s, d)| Demand { s: *s, d: *d, amount: Ratio::ONE }).collect()
        };
        let bare = self.judge(&unit(pairs))?;
        if !(pairs.iter().map(|(s, _)| s).all_unique() && pairs.iter().map(|(_, d)| d).all_unique())
        {
            return Ok(bare);
        }
        let full = self.judge(&unit(&complete(self.hosts(), pairs)))?;
        let full = full.filter(|full| bare.as_ref().is_some_and(|bare| full.lower >= bare.lower));
        Ok(full.or(bare).map(|verdict| self.refined(verdict)))
    }

    /// The paths of the routing under attack, which carry the traffic too.
    fn own_paths(&self, demands: &[Demand]) -> Vec<PathRecord> {
        let (mut paths, mut scratch) = (Vec::new(), Vec::<LinkId>::new());
        for Demand { s, d, .. } in demands {
            self.routing().for_each_path(*s, *d, &mut scratch, &mut |share, links| {
                let (s, d, share, links) = (*s, *d, share.clone(), links.to_vec());
                paths.push(PathRecord { s, d, share, links });
            });
        }
        paths
    }

    /// A lower bound on optu by the hosts alone says whether the even split can be beaten; where
    /// it can, a linear programme tries.
    #[cfg(feature = "highs")]
    fn refined(&self, verdict: Verdict) -> Verdict {
        let (topology, demands) = (self.topology(), &verdict.witness.demands);
        let work = demands.len() as u128 * topology.links() as u128;
        let is_exact =
            topology.tree().is_some() || baseload(topology, demands) == verdict.witness.optu;
        if is_exact || work > MOST_PROGRAMME {
            return verdict;
        }
        let silent = Progress::silent();
        let found = crate::lp::optu(topology, demands, &crate::lp::Options::default(), &silent);
        let Some(best) = found.ok().filter(|best| best.upper < verdict.witness.optu) else {
            return verdict;
        };
        let lower = verdict.load.checked_div(&best.upper).unwrap_or(Ratio::ONE);
        let Verdict { witness, load, .. } = verdict;
        let witness = Witness { optu: best.upper, flow: Flow::Paths(best.paths), ..witness };
        Verdict { witness, load, lower }
    }

    #[cfg(not(feature = "highs"))]
    #[expect(clippy::unused_self, reason = "the build with linear programmes needs it")]
    fn refined(&self, verdict: Verdict) -> Verdict {
        verdict
    }
}
