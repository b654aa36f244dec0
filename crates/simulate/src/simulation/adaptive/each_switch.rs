//! Local schemes: every source switch by itself.

use super::numbering::Scratch;
use super::{Guarantee, PatternError, PatternRouting, Routed, Scope, SwitchUse};
use crate::prelude::*;
use crate::traffic::Permutation;

/// A local scheme on ftree(n,m,r): "the path for a SD pair is determined based on the SD pairs in the
/// communication pattern whose sources are in the same switch" (\[NB\] V). It is given these alone.
pub trait LocalScheme: Send + Sync {
    /// The canonical spec.
    fn spec(&self) -> &str;

    /// The tree.
    fn tree(&self) -> &Xgft;

    /// Writes into `tops` the number of the top switch of every pair of `own`: pairs of one source
    /// switch with destinations in others, by source. Returns how many configurations that takes, 0
    /// for a scheme that has none.
    ///
    /// # Errors
    /// [`PatternError::TooFewSwitches`] where the tree has too few top switches.
    fn route_switch(
        &self,
        own: &[(Host, Host)],
        scratch: &mut Scratch,
        tops: &mut Vec<u32>,
    ) -> Result<u64, PatternError>;

    /// As [`PatternRouting::guarantee`].
    ///
    /// # Errors
    /// [`PatternError::Stopped`].
    fn guarantee(&self, seed: u64, progress: &Progress) -> Result<Guarantee, PatternError>;

    /// As [`PatternRouting::switch_use`].
    fn switch_use(&self, _routed: &Routed) -> Option<SwitchUse> {
        None
    }
}

/// The routing of whole permutations by a local scheme. A pair within a switch takes its two host
/// links.
pub struct EachSwitch<L>(pub L);

impl<L: LocalScheme> PatternRouting for EachSwitch<L> {
    fn spec(&self) -> &str {
        self.0.spec()
    }

    fn scope(&self) -> Scope {
        Scope::Local
    }

    fn route(
        &self,
        pattern: &Permutation,
        routed: &mut Routed,
        progress: &Progress,
    ) -> Result<(), PatternError> {
        progress.check()?;
        let tree = self.0.tree();
        let (hosts, found) = (tree.hosts(), pattern.hosts());
        if hosts != found {
            return Err(PatternError::Hosts { hosts, found });
        }
        routed.clear();
        let under_a_switch = tree.subtree_hosts(1) as usize;
        for sources in tree.hosts_in_order().chunks(under_a_switch) {
            self.route_from(sources, pattern, routed)?;
        }
        Ok(())
    }

    fn guarantee(&self, seed: u64, progress: &Progress) -> Result<Guarantee, PatternError> {
        self.0.guarantee(seed, progress)
    }

    fn switch_use(&self, routed: &Routed) -> Option<SwitchUse> {
        self.0.switch_use(routed)
    }
}

impl<L: LocalScheme> EachSwitch<L> {
    /// The pairs of one switch.
    fn route_from(
        &self,
        sources: &[Host],
        pattern: &Permutation,
        routed: &mut Routed,
    ) -> Result<(), PatternError> {
        let tree = self.0.tree();
        let (mut own, mut tops) =
            (std::mem::take(&mut routed.own), std::mem::take(&mut routed.tops));
        own.clear();
        for s in sources {
            let Some(d) = pattern.image(*s) else { continue };
            if tree.nca_level(*s, d) == 1 {
                routed.push((*s, d), |links| tree.push_path(*s, d, &[0], links));
            } else {
                own.push((*s, d));
            }
        }
        let configurations = self.0.route_switch(&own, &mut routed.scratch, &mut tops);
        if let Ok(configurations) = configurations {
            for ((s, d), top) in own.iter().zip(&tops) {
                routed.push((*s, *d), |links| tree.push_path(*s, *d, &[0, *top], links));
            }
            routed.configurations = routed.configurations.max(configurations);
        }
        (routed.own, routed.tops) = (own, tops);
        configurations.map(|_| ())
    }
}
