//! NONBLOCKINGADAPTIVE of \[NB\] V, Figure 4.
//!
//! Every source switch divides its pairs among configurations of (c+1)·n top switches, each of c + 1
//! partitions ([`Numbering::allot`]). Configuration j of all switches is the same (c+1)·n top
//! switches (lines 14 and 15), which is what routing each switch from top switch 0 on means. Pairs
//! within a switch need no top switch and take no part.

use super::each_switch::{EachSwitch, LocalScheme};
use super::numbering::{Numbering, Scratch};
use super::worst::{of_tree, worst};
use super::{Build, Guarantee, PatternError, PatternRouting, Routed, SwitchUse};
use crate::bounds::{Bounds, Evidence};
use crate::prelude::*;

pub(super) const KIND: Kind<Build> = Kind {
    name: "nonblocking-adaptive",
    usage: "nonblocking-adaptive",
    about: "local: NONBLOCKINGADAPTIVE on ftree(n,m,r), r <= n^c, by configurations of (c+1)n top switches",
    reference: "[NB] V, Figure 4",
    examples: &["nonblocking-adaptive"],
    build,
};

struct NonblockingAdaptive {
    spec: String,
    tree: Xgft,
    numbering: Numbering,
}

fn build(spec: &Spec, topology: &Topology) -> Result<Box<dyn PatternRouting>, PatternError> {
    let unfit = |reason: String| PatternError::does_not_fit(spec, topology, reason);
    let two_levels = |tree: &&Xgft| tree.height() == 2 && tree.parents(1) == 1;
    let tree = topology.plain_tree().filter(two_levels);
    let tree = tree.ok_or_else(|| {
        unfit("it needs ftree(n,m,r) with links of capacity 1 and no parallel cables".into())
    })?;
    let (n, m, r) = (tree.children(1), tree.parents(2), tree.children(2));
    let numbering = Numbering::of(n, r).ok_or_else(|| {
        unfit(format!("it needs r <= n^c for some c, and with n = 1 there is none for r = {r}"))
    })?;
    let (least, c) = (numbering.per_configuration(), numbering.c());
    if r > 1 && u64::from(m) < least {
        return Err(unfit(format!(
            "one configuration has (c+1)n = {least} top switches, where c = {c} is the least with \
             r <= n^c, and this tree has {m}"
        )));
    }
    let (spec, tree) = (spec.to_string(), tree.clone());
    Ok(Box::new(EachSwitch(NonblockingAdaptive { spec, tree, numbering })))
}

impl NonblockingAdaptive {
    fn has(&self) -> u64 {
        self.tree.parents(2).into()
    }
}

impl LocalScheme for NonblockingAdaptive {
    fn spec(&self) -> &str {
        &self.spec
    }

    fn tree(&self) -> &Xgft {
        &self.tree
    }

    fn route_switch(
        &self,
        own: &[(Host, Host)],
        scratch: &mut Scratch,
        tops: &mut Vec<u32>,
    ) -> Result<u64, PatternError> {
        let mut destinations = std::mem::take(&mut scratch.destinations);
        destinations.clear();
        destinations
            .extend(own.iter().map(|(_, d)| (self.tree.subtree(*d, 1), self.tree.digit(*d, 1))));
        let configurations = self.numbering.allot(&destinations, scratch, tops);
        scratch.destinations = destinations;
        let (needs, has) = (configurations * self.numbering.per_configuration(), self.has());
        if needs > has {
            let routing = self.spec.clone();
            return Err(PatternError::TooFewSwitches { routing, configurations, needs, has });
        }
        Ok(configurations)
    }

    fn guarantee(&self, seed: u64, progress: &Progress) -> Result<Guarantee, PatternError> {
        let r = self.tree.children(2);
        let found = worst(self.numbering, r, seed, progress)?;
        let (one, has) =
            (Rational::from(self.numbering.per_configuration()), Rational::from(self.has()));
        let scaled = |bound: &Rational| bound * &one;
        let configurations = found.configurations;
        let tops = Bounds {
            lower: scaled(&configurations.lower),
            upper: scaled(&configurations.upper),
            evidence: configurations.evidence.clone(),
        };
        let nonblocking =
            if tops.upper <= has { Some(true) } else { (tops.lower > has).then_some(false) };
        let evidence = Evidence::Claimed("[NB] Theorem 4".into());
        let load = Bounds { lower: Rational::ONE, upper: Rational::ONE, evidence };
        let hardest = found.pattern.and_then(|pattern| of_tree(&self.tree, &pattern));
        let notes = vec![
            "of several largest sets of pairs the first is taken, which [NB] leaves open"
                .to_string(),
        ];
        Ok(Guarantee { nonblocking, load, needs: Some((configurations, tops)), hardest, notes })
    }

    fn switch_use(&self, routed: &Routed) -> Option<SwitchUse> {
        Some(SwitchUse::new(self.numbering, routed.configurations))
    }
}
