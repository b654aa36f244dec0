//! Conflict-free routes of the whole permutation by edge colouring ([`conflict_free`]): a central
//! controller.

use super::{Build, Guarantee, PatternError, PatternRouting, Routed, Scope};
use crate::bounds::{Bounds, Evidence};
use crate::optimum::rearrange::{RearrangeError, conflict_free};
use crate::progress::Progress;
use crate::ratio::Ratio;
use crate::registry::Kind;
use crate::spec::Spec;
use crate::topology::{Topology, Xgft};
use crate::traffic::Permutation;

const USAGE: &str = "coloured";

pub(super) const KIND: Kind<Build> = Kind {
    name: "coloured",
    usage: USAGE,
    options: &[],
    about: "global: conflict-free routes by edge colouring, on trees whose switches have no fewer links up than down",
    reference: "Kőnig, Math. Ann. 77, 1916; [RO] II",
    examples: &["coloured"],
    build,
};

struct Coloured {
    spec: String,
    tree: Xgft,
}

fn build(spec: &Spec, topology: &Topology) -> Result<Box<dyn PatternRouting>, PatternError> {
    spec.arguments(0, &[], USAGE)?;
    let unfit = |reason: String| PatternError::does_not_fit(spec, topology, reason);
    let tree = topology.plain_tree();
    let tree = tree.ok_or_else(|| {
        unfit("it needs a tree with links of capacity 1 and no parallel cables".into())
    })?;
    for level in 1..tree.height() {
        let (down, up) = (tree.children(level), tree.parents(level + 1));
        if up < down {
            return Err(unfit(RearrangeError::Slimmed { level, down, up }.to_string()));
        }
    }
    Ok(Box::new(Coloured { spec: spec.to_string(), tree: tree.clone() }))
}

impl PatternRouting for Coloured {
    fn spec(&self) -> &str {
        &self.spec
    }

    fn scope(&self) -> Scope {
        Scope::Global
    }

    fn route(
        &self,
        pattern: &Permutation,
        routed: &mut Routed,
        progress: &Progress,
    ) -> Result<(), PatternError> {
        progress.check()?;
        routed.clear();
        for path in conflict_free(&self.tree, pattern, progress)? {
            routed.push((path.s, path.d), |links| links.extend(&path.links));
        }
        Ok(())
    }

    fn guarantee(&self, _: u64, _: &Progress) -> Result<Guarantee, PatternError> {
        let evidence = Evidence::Claimed("Kőnig's theorem".into());
        let load = Bounds { lower: Ratio::ONE, upper: Ratio::ONE, evidence };
        let (nonblocking, notes) = (Some(true), Vec::new());
        Ok(Guarantee { nonblocking, load, needs: None, hardest: None, notes })
    }
}
